"""Cameras of mats with a computer of their own: what their nodes send is put together by the hub, and read like any other."""

from __future__ import annotations

from collections import deque
from threading import Condition

from firmware.camera import CameraPlan
from firmware.errors import CameraRefusedError
from vision.frame import Frame

PENDING = 32
"""So many frames of one camera wait at most."""


class NodeSource:
    """The frames of one node's camera, as the hub hands them over.  Safe from any thread."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._ready = Condition()
        self._frames: deque[Frame] = deque(maxlen=PENDING)
        self._fault: str | None = f"{name}: its node has not been heard of"
        self._closed = False

    @property
    def fault(self) -> str | None:
        return self._fault

    def give(self, frame: Frame) -> None:
        """The hub has a frame of it."""
        with self._ready:
            self._frames.append(frame)
            self._fault = None
            self._ready.notify_all()

    def complain(self, why: str) -> None:
        """Why nothing comes."""
        self._fault = f"{self.name}: {why}"

    def next(self, timeout: float) -> Frame | None:
        """The oldest frame that waits."""
        with self._ready:
            self._ready.wait_for(lambda: self._closed or bool(self._frames), timeout)
            return None if self._closed or not self._frames else self._frames.popleft()

    def close(self) -> None:
        with self._ready:
            self._closed = True
            self._ready.notify_all()


def open_camera(plan: CameraPlan) -> NodeSource:
    """Raise `CameraRefusedError`: such a camera hangs on the hub of a table, and is nothing that can be opened by itself."""
    raise CameraRefusedError(f"{plan.name}: a node's camera needs a table on the bus: [bus] and [broker] in table.toml")
