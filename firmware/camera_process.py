"""A camera in a process of its own: one that hangs is killed and started anew, and the game goes on meanwhile."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
import time as clocks
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from time import monotonic
from typing import Protocol

import numpy as np

from firmware.camera import BURST_S, Camera, CameraPlan, OpenCamera, open_camera, upright
from firmware.errors import CameraError
from vision.frame import Frame

LOG = logging.getLogger(__name__)
OPENING_S = 15.0
"""So long a camera may take from the start of its process until it is open; a Zero 2 W loads its libraries slowly."""
GRACE_S = 1.0
"""Beyond a picture's own time limit, for the way through the pipe: a back end that can notice a stall says so itself."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 30.0
"""Between an end and the next start; it doubles each time until pictures have come for as long as was waited."""
REAP_S = 2.0
"""A killed process that sits deep in its driver may outlast even that."""


# ---- in the camera's own process -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Grab:
    """A picture is wanted, within so many seconds."""

    timeout: float


@dataclass(frozen=True, slots=True)
class Opened:
    """The camera is there."""


@dataclass(frozen=True, slots=True)
class Delivered:
    """A picture follows, as bytes."""

    shape: tuple[int, ...]
    time: float
    more: int = 0
    """So many further ones follow it."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The camera gives up; `kind` is that of the `CameraError`."""

    kind: str
    said: str


def serve_camera(connection: Connection, plan: CameraPlan, open_one: OpenCamera = open_camera) -> None:
    """Answer until the other side hangs up or the camera fails; a device that was never closed ends with the process."""
    keep: Camera | None = None
    try:
        if not plan.turns:
            keep = open_one(plan)
        connection.send(Opened())
        while True:
            request: Grab = connection.recv()
            _answer(connection, plan, keep, request.timeout, open_one)
    except EOFError:
        pass
    except CameraError as error:
        _report(connection, Failed(error.kind, str(error)))
    except Exception as error:
        # Whatever a driver throws is said by its kind alone: its text may hold an address with a password.
        _report(connection, Failed("failed", f"{plan.name}: its driver failed with {type(error).__name__}"))
    finally:
        if keep is not None:
            keep.close()


def _answer(connection: Connection, plan: CameraPlan, keep: Camera | None, timeout: float, open_one: OpenCamera) -> None:
    camera = keep if keep is not None else open_one(plan)
    try:
        for left in reversed(range(plan.burst)):
            shot = camera.grab(timeout)
            image = upright(shot.image, plan)
            connection.send(Delivered(image.shape, shot.time, left))
            connection.send_bytes(image.tobytes())
            if left:
                clocks.sleep(BURST_S)
    finally:
        if keep is None:
            camera.close()


def _report(connection: Connection, failed: Failed) -> None:
    try:
        connection.send(failed)
    except OSError:
        LOG.debug("nobody listens to %s any more", failed.said)


def run_camera(connection: Connection, plan: CameraPlan) -> None:
    """The whole life of a camera's process."""
    # Ctrl-C reaches every process of a terminal; this one ends when the table lets go of it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with(os.getppid())
    serve_camera(connection, plan)


def _end_with(parent: int) -> None:
    """A driver that hangs would otherwise outlive a table that was killed, and keep the camera."""

    def watch() -> None:
        while os.getppid() == parent:
            clocks.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, name="parent watch", daemon=True).start()


# ---- in that of the table --------------------------------------------------------------------------------------------


class Worker(Protocol):
    """The process, as the table has it in hand."""

    connection: Connection

    def kill(self) -> None:
        """End it at once, whatever it is doing."""
        ...


class CameraWorker:
    """A started process; spawned, since a forked libcamera is fragile (raspberrypi/picamera2#333)."""

    def __init__(self, plan: CameraPlan) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=run_camera, args=(theirs, plan), daemon=True, name=f"viewmat-{plan.name}")
        self.process.start()
        theirs.close()

    def kill(self) -> None:
        # First the other end: whoever waits at this one then sees the end of the pipe.
        self.process.kill()
        self.process.join(REAP_S)
        self.connection.close()


class Turn(Protocol):
    """Whose turn it is among cameras that must not be open at the same time."""

    def acquire(self, timeout: float) -> bool: ...

    def release(self) -> None: ...


class Pauses:
    """How long to wait before the next start: longer each time, and anew from the shortest once one has lasted."""

    def __init__(self, first_s: float = FIRST_PAUSE_S, longest_s: float = LONGEST_PAUSE_S) -> None:
        self._first, self._longest = first_s, longest_s
        self._next = first_s
        self._taken = 0.0

    def take(self) -> float:
        """Seconds until the next start."""
        self._taken, self._next = self._next, min(2 * self._next, self._longest)
        return self._taken

    def ran(self, seconds: float) -> None:
        """A start has brought pictures for so long; one that ends sooner than it was waited for is no success."""
        if seconds >= self._taken:
            self.reset()

    def reset(self) -> None:
        self._next = self._first


class CameraProcess:
    """A `FrameSource` whose camera runs elsewhere.

    Its states: waiting for the next start, starting, ready, and asked for a picture.
    """

    def __init__(
        self, plan: CameraPlan, start: Callable[[CameraPlan], Worker] = CameraWorker, clock: Callable[[], float] = monotonic,
        pauses: Pauses | None = None, turn: Turn | None = None,
    ) -> None:  # fmt: skip
        """`turn` is shared by the cameras that may only be open one at a time."""
        self.name = plan.name
        self.starts = 0
        """How often a process was started."""
        self._plan, self._start, self._clock = plan, start, clock
        self._pauses = pauses if pauses is not None else Pauses()
        self._turn = turn
        self._worker: Worker | None = None
        self._ready = False
        self._due = clock()
        """When the next process is started; while one is starting, when it was."""
        self._closed = threading.Event()
        self._failed: Failed | None = Failed("starting", f"{plan.name}: it is being started")
        self._number = 0

    @property
    def fault(self) -> str | None:
        failed = self._failed
        return None if failed is None else failed.said

    @property
    def fault_kind(self) -> str | None:
        """``starting``, or the kind of the `CameraError` that ended it last; None while it sends."""
        failed = self._failed
        return None if failed is None else failed.kind

    def next(self, timeout: float) -> Frame | None:
        frames = self.look(timeout)
        return frames[-1] if frames else None

    def look(self, timeout: float) -> tuple[Frame, ...]:
        """As `next`, but every picture of a burst, oldest first; none where none came."""
        if self._turn is None:
            return self._look(self._clock() + timeout)
        if not self._turn.acquire(timeout):
            return ()
        try:
            return self._look(self._clock() + timeout)
        finally:
            self._turn.release()

    def close(self) -> None:
        self._closed.set()
        # A camera that is asked right now is killed under whoever asks, who then sees the end of the pipe.
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.kill()

    def _look(self, deadline: float) -> tuple[Frame, ...]:
        worker = self._started(deadline)
        if worker is None:
            return ()
        frames: list[Frame] = []
        try:
            worker.connection.send(Grab(self._plan.timeout))
            reply: Delivered | Opened | Failed | None = Delivered((), 0.0, self._plan.burst)
            while isinstance(reply, Delivered) and reply.more:
                reply = self._reply(worker, self._clock() + self._plan.timeout + GRACE_S)
                if isinstance(reply, Delivered):
                    frames.append(self._frame(worker, reply))
        except (EOFError, OSError, ValueError):
            reply = Failed("failed", f"{self.name}: its process has ended")
        if reply is None:
            limit = self._plan.timeout
            reply = Failed("stalled", f"{self.name}: no picture within {limit:g} s; its process was ended")
        if isinstance(reply, Failed):
            self._give_up(reply)
        return tuple(frames)

    def _started(self, deadline: float) -> Worker | None:
        """The process once its camera is open; None when that is not before `deadline`."""
        if self._worker is None:
            if self._due > deadline:
                self._closed.wait(max(0.0, deadline - self._clock()))
                return None
            self._closed.wait(max(0.0, self._due - self._clock()))
            if self._closed.is_set():
                return None
            self._begin()
        if not self._ready and not self._opened(deadline):
            return None
        return self._worker

    def _begin(self) -> None:
        self._worker, self._ready, self._due = self._start(self._plan), False, self._clock()
        self.starts += 1
        if self._closed.is_set():
            self.close()

    def _opened(self, deadline: float) -> bool:
        worker = self._worker
        if worker is None:
            return False
        late = self._due + OPENING_S
        try:
            reply = self._reply(worker, min(late, deadline))
        except (EOFError, OSError, ValueError):
            reply = Failed("failed", f"{self.name}: its process has ended before the camera was open")
        if isinstance(reply, Opened):
            self._ready = True
            return True
        if reply is None and self._clock() >= late:
            reply = Failed("stalled", f"{self.name}: it was not open within {OPENING_S:g} s; its process was ended")
        if isinstance(reply, Failed):
            self._give_up(reply)
        return False

    def _reply(self, worker: Worker, until: float) -> Opened | Delivered | Failed | None:
        """What the process says next; None when it says nothing until then."""
        if not worker.connection.poll(max(0.0, until - self._clock())):
            return None
        reply: Opened | Delivered | Failed = worker.connection.recv()
        return reply

    def _frame(self, worker: Worker, reply: Delivered) -> Frame:
        image = np.frombuffer(bytearray(worker.connection.recv_bytes()), np.uint8).reshape(reply.shape)
        self._number += 1
        self._pauses.ran(self._clock() - self._due)
        if self._failed is not None and self._failed.kind != "starting":
            LOG.warning("%s sends again", self.name)
        self._failed = None
        return Frame(self.name, reply.time, self._number, image)

    def _give_up(self, failed: Failed) -> None:
        if self._closed.is_set():
            return
        pause = self._pauses.take()
        if self._failed is None or (self._failed.kind, self._failed.said) != (failed.kind, failed.said):
            LOG.warning("%s; the next attempt follows in %g s", failed.said, pause)
        self._failed = failed
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.kill()
        self._due = self._clock() + pause
