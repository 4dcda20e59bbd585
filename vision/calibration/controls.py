"""What can be set on a camera, and the small face that a camera shows to whoever sets it up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from vision.frame import Frame


@dataclass(frozen=True, slots=True)
class Controls:
    """Values to lock; None leaves a thing as the camera has it."""

    exposure_us: int | None = None
    gain: float | None = None
    """Analogue gain."""
    colour_gains: tuple[float, float] | None = None
    """Of red and blue, against green."""
    lens_position: float | None = None
    """Dioptres, as the motor counts them; units differ between two cameras of one kind."""


@dataclass(frozen=True, slots=True)
class Ranges:
    """From where to where things can be set; None: this camera has no such control."""

    exposure_us: tuple[int, int] | None = None
    gain: tuple[float, float] | None = None
    colour_gains: tuple[float, float] | None = None
    lens_position: tuple[float, float] | None = None


class AdjustableCamera(Protocol):
    """A camera that can be set up."""

    name: str

    def ranges(self) -> Ranges: ...

    def lock(self, controls: Controls, timeout: float) -> Frame:
        """Lock these values and give the first frame that was taken with them, as its own data say.

        A picture is as the sensor sees it: a mirror's flip is not undone.  Raise an error of the caller's tree where the camera
        does not follow within `timeout` seconds.
        """
        ...
