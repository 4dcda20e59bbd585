"""Frames and where they come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""height x width x 3, blue green red, 8 bits."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of one camera, already turned the right way round (a mirror's flip undone)."""

    camera: str
    time: float
    """Seconds of the table's monotonic clock at the capture."""
    number: int
    image: Image


class FrameSource(Protocol):
    """A camera, a folder of pictures, or the virtual table."""

    name: str

    def next(self, timeout: float) -> Frame | None:
        """The next frame, or None when none came within `timeout` seconds."""
        ...

    def close(self) -> None: ...
