"""Frames and where they come from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""height x width x 3, blue green red, 8 bits."""


class Light(Enum):
    """What lit the board while a frame was taken."""

    STEADY = "steady"
    """Whatever lights it burns all the time, or nothing but the room does and that is enough."""
    ROOM = "room"
    """The board's lamp was off.  Such a frame only tells whether something stirs: cards and markers may lie in the dark."""
    PULSED = "pulsed"
    """The board's lamp was on for this frame alone; `Frame.dark` shows the same moments after without it."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of one camera, already turned the right way round (a mirror's flip undone)."""

    camera: str
    time: float
    """Seconds of the table's monotonic clock at the capture."""
    number: int
    image: Image
    light: Light = Light.STEADY
    dark: Image | None = None
    """Of a PULSED frame: the same view with the same exposure and without the lamp; of the same shape as `image`."""
    vouched: bool = False
    """It was put together from parts, and whoever saw the whole has made sure that the camera lives."""


class FrameSource(Protocol):
    """A camera, a folder of pictures, or the virtual table.  One thread asks; any may read `fault` and `close`.

    A camera that fails is no error here: nothing comes any more, `fault` says why, and it is started anew by itself.
    """

    name: str

    @property
    def fault(self) -> str | None:
        """Why nothing comes, in words without a password; None while it sends."""
        ...

    def next(self, timeout: float) -> Frame | None:
        """A frame whose exposure began after the call; None when none came within `timeout` seconds.

        Frame numbers grow from frame to frame, also over a restart of the device.
        """
        ...

    def close(self) -> None:
        """Let go of the device; `next` gives None at once from then on, also to whoever is waiting in it."""
        ...
