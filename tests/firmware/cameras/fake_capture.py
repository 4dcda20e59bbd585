"""A stand-in for `cv2.VideoCapture` with the ways of Video4Linux and of FFmpeg streams; it never waits, its clock does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from vision.frame import Image

FRAME_S = 1 / 30
SELECT_S = 10.0
"""So long Video4Linux waits for a picture that does not come."""
MJPEG = cv2.VideoWriter.fourcc(*"MJPG")


@dataclass
class Wire:
    """One camera behind a path or an address."""

    scene: Image
    """As the sensor sees it."""
    now: float = 1000.0
    mjpeg: bool = True
    timed: bool = True
    """Its driver says when each picture was taken."""
    settable: dict[int, Any] = field(default_factory=dict)
    """Values by the key of a property: what a camera rounds or clamps them to; those that are not here are refused."""
    right: dict[int, float] = field(default_factory=dict)
    """Settings without which the picture is too bright."""
    sizes: tuple[tuple[int, int], ...] = ((1536, 288), (640, 480))
    buffered: int = 4
    """Pictures that lie in buffers: whoever asks gets the oldest."""
    stalled: bool = False
    pulled: bool = False
    frozen: bool = False
    crowded: bool = False
    """Other cameras have taken all of the bus."""
    truncated: int = 0
    """So many of the next pictures end early."""
    opened: int = 0
    asked: list[tuple[Any, ...]] = field(default_factory=list)

    def __call__(self, *asked: Any) -> FakeCapture:
        self.asked.append(asked)
        return FakeCapture(self, stream=asked[1] == cv2.CAP_FFMPEG)


class FakeCapture:
    """As much of a capture as an adapter uses."""

    def __init__(self, wire: Wire, stream: bool) -> None:
        self._wire, self._stream = wire, stream
        self._open = not wire.pulled and not (stream and wire.stalled)
        wire.opened += self._open
        self._values: dict[int, float] = {cv2.CAP_PROP_CONVERT_RGB: 1}
        self._size = (640, 480)
        self._fourcc = 0
        self._queue: list[tuple[float, Image]] = []
        self._now: tuple[float, Image] | None = None
        self._last: Image | None = None
        if self._open:
            self._fill()

    def isOpened(self) -> bool:  # noqa: N802  # OpenCV's name
        return self._open

    def set(self, key: int, value: float) -> bool:
        wire = self._wire
        if key == cv2.CAP_PROP_FOURCC:
            # Such a change begins the stream anew, and what it delivers is as usual again.
            self._values[cv2.CAP_PROP_CONVERT_RGB] = 1
            self._fourcc = int(value) if wire.mjpeg and value == MJPEG else 0
            return bool(self._fourcc)
        if key in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT):
            self._values[cv2.CAP_PROP_CONVERT_RGB] = 1
            wanted = (int(value), self._size[1]) if key == cv2.CAP_PROP_FRAME_WIDTH else (self._size[0], int(value))
            fitting = [size for size in wire.sizes if size[0] == wanted[0] and size[1] == wanted[1]]
            self._size = fitting[0] if fitting else wanted if key == cv2.CAP_PROP_FRAME_WIDTH else wire.sizes[-1]
            return True
        if key == cv2.CAP_PROP_BUFFERSIZE:
            return 1 <= value <= 10
        if key == cv2.CAP_PROP_CONVERT_RGB:
            self._values[key] = value
            return True
        if key not in wire.settable:
            return False
        self._values[key] = wire.settable[key](value)
        return True

    def get(self, key: int) -> float:
        if key == cv2.CAP_PROP_POS_MSEC:
            return self._now[0] * 1000 if self._now is not None and self._wire.timed and not self._stream else 0.0
        if key == cv2.CAP_PROP_FRAME_WIDTH:
            return float(self._size[0])
        if key == cv2.CAP_PROP_FRAME_HEIGHT:
            return float(self._size[1])
        return self._values.get(key, -1.0)

    def grab(self) -> bool:
        wire = self._wire
        if wire.pulled or wire.crowded or not self._open:
            return False
        if self._queue:
            self._now = self._queue.pop(0)
            return True
        if wire.stalled:
            wire.now += SELECT_S
            return False
        wire.now += FRAME_S
        self._now = wire.now - FRAME_S / 2, self._take()
        return True

    def retrieve(self) -> tuple[bool, Any]:
        if self._now is None:
            return False, None
        image = self._now[1]
        if not self._fourcc:
            return True, image.copy()
        data = np.frombuffer(cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, 97))[1].tobytes() + b"\0" * 64, np.uint8)
        ends = self._wire.truncated > 0
        self._wire.truncated -= ends
        if self._values[cv2.CAP_PROP_CONVERT_RGB]:
            # Many versions decode what there is: a truncated picture is grey from some line on.
            image = image.copy()
            image[image.shape[0] // 2 if ends else image.shape[0] :] = 128
            return True, image
        return True, data[: len(data) // 2 if ends else len(data)].reshape(1, -1)

    def release(self) -> None:
        self._open = False

    def _fill(self) -> None:
        for _ in range(self._wire.buffered):
            self._wire.now += FRAME_S
            self._queue.append((self._wire.now - FRAME_S / 2, self._take()))

    def _take(self) -> Image:
        if self._wire.frozen and self._last is not None:
            return self._last
        wrong = [key for key, value in self._wire.right.items() if self._values.get(key) != value]
        self._last = np.asarray(cv2.convertScaleAbs(self._wire.scene, alpha=1.5 if wrong else 1.0), np.uint8)
        return self._last
