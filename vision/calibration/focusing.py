"""Finding the lens position at which a camera is sharp: modules of one kind differ, so it is tried and never computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.calibration.controls import AdjustableCamera, Controls
from vision.errors import CalibrationError
from vision.frame import Image

COARSE, FINE = 13, 7
"""Positions that are tried over the whole way, and then about the best of them."""
DECISIVE = 1.5
"""The sharpest position is at least so many times as sharp as the typical one; otherwise nothing with edges was in view."""
WAIT_S = 5.0


@dataclass(frozen=True, slots=True)
class FocusCurve:
    """How sharp the picture was at each position."""

    tried: tuple[tuple[float, float], ...]
    """Position and sharpness, by position."""
    best: float
    at_end: bool
    """The sharpest position is an end of the way: the camera is too near or too far."""

    @property
    def decisive(self) -> float:
        """Sharpness of the best position over the typical one's."""
        values = [sharp for _, sharp in self.tried]
        return max(values) / max(float(np.median(values)), 1e-9)


def sharpness(image: Image) -> float:
    """Energy of a picture's edges against its brightness: the same in more light, larger in better focus."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
    # Noise has edges, too, but finer ones than any print.
    smooth = cv2.GaussianBlur(grey, (0, 0), 1.0).astype(np.float32)
    across, down = cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    return float((across**2 + down**2).mean() / max(float(smooth.mean()) ** 2, 1.0))


def sweep_focus(camera: AdjustableCamera, controls: Controls, measure: Callable[[Image], float] = sharpness) -> FocusCurve:
    """Try the lens positions of a camera whose other `controls` stay as they are.

    Raise `CalibrationError` for a camera without a focus motor, and where no position is sharper than the others.
    """
    way = camera.ranges().lens_position
    if way is None:
        raise CalibrationError(f"{camera.name}: has no focus motor: turn its lens by hand until the focus card is sharp")
    low, high = way
    tried: dict[float, float] = {}

    def attempt(positions: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> None:
        for position in (float(round(value, 3)) for value in positions):
            if position not in tried:
                frame = camera.lock(replace(controls, lens_position=position), WAIT_S)
                tried[position] = measure(frame.image)

    attempt(np.linspace(low, high, COARSE))
    step = (high - low) / (COARSE - 1)
    middle = max(tried, key=lambda position: tried[position])
    attempt(np.linspace(max(low, middle - step), min(high, middle + step), FINE))
    curve = FocusCurve(tuple(sorted(tried.items())), *_peak(tried, low, high))
    if curve.decisive < DECISIVE:
        raise CalibrationError(
            f"{camera.name}: no lens position is sharper than the others (best {curve.decisive:.2f} times the typical one, "
            f"at least {DECISIVE} expected): see that the lamp is on and markers or focus cards are in view"
        )
    return curve


def _peak(tried: dict[float, float], low: float, high: float) -> tuple[float, bool]:
    """Where the curve is highest, between the positions that were tried, and whether that is an end of the way."""
    positions = sorted(tried)
    top = max(range(len(positions)), key=lambda index: tried[positions[index]])
    best = positions[top]
    if not 0 < top < len(positions) - 1:
        return best, True
    x = np.array(positions[top - 1 : top + 2]) - best
    # About its top the curve is a bell, whose logarithm is a parabola.
    a, b, _ = np.polyfit(x, np.log([max(tried[position], 1e-12) for position in positions[top - 1 : top + 2]]), 2)
    if a < 0:
        best += float(np.clip(-b / (2 * a), x[0], x[2]))
    margin = 0.01 * (high - low)
    return round(best, 3), not low + margin < best < high - margin
