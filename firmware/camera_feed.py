"""A camera whose pictures another process hands over: the virtual table's, for nodes that run on the same machine."""

from __future__ import annotations

import threading
from collections.abc import Callable
from multiprocessing.connection import Client

from firmware.camera import CameraPlan, Shot
from firmware.errors import CameraError, CameraGoneError
from vision.frame import Image

PRESS = "press"
TIME = "time"
PICTURE = "picture"


class FeedCamera:
    """Asks a socket for pictures.  Time is what the other side says it is, so that a game can be played faster than life.

    What comes is ``(TIME, time)``, ``(PRESS, time)`` for the button of the mat, or ``(PICTURE, time, number, picture)``; `number`
    names a picture that may come again, then as None.  Each of them is done with when "next" is said.
    """

    def __init__(self, name: str, address: str) -> None:
        """Raise `CameraGoneError` where nobody listens at `address`."""
        self._name = name
        self.pressed: Callable[[float], None] = lambda time: None
        try:
            self._socket = Client(address, "AF_UNIX")
        except OSError as error:
            raise CameraGoneError(f"{name}: nobody hands over pictures at {address}: {error.strerror}") from error
        self._pictures: dict[int, Image] = {}
        self._lock = threading.Lock()
        self._time = 0.0

    def clock(self) -> float:
        """The time of the newest picture."""
        with self._lock:
            return self._time

    def grab(self, timeout: float) -> Shot:
        """The next picture, however long it takes: time goes on when the other side says so, and not by the wall."""
        try:
            while True:
                self._socket.send("next")
                kind, time, *more = self._socket.recv()
                with self._lock:
                    self._time = time
                if kind == PRESS:
                    self.pressed(time)
                if kind != PICTURE:
                    continue
                number, picture = more
                if picture is not None:
                    self._pictures[number] = picture
                return Shot(self._pictures[number], time)
        except (EOFError, OSError) as error:
            raise CameraGoneError(f"{self._name}: whoever handed over pictures has left") from error
        except (ValueError, TypeError, KeyError) as error:
            raise CameraError(f"{self._name}: a picture is expected: {error}") from error

    def close(self) -> None:
        self._socket.close()


def open_camera(plan: CameraPlan) -> FeedCamera:
    """The camera at the socket `plan.at`."""
    return FeedCamera(plan.name, plan.at)
