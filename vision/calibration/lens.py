"""A lens as it was measured: where an ideal picture's points really show.

Sources of the two models: OpenCV's documentation of `calibrateCamera` (radial and tangential) and of `fisheye` (angle).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan, degrees
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from vision.calibrate import Points
from vision.errors import CalibrationError

LensKind = Literal["plain", "fisheye"]
COEFFICIENTS: dict[LensKind, int] = {"plain": 5, "fisheye": 4}


@dataclass(frozen=True, slots=True)
class MeasuredLens:
    """Focal lengths, middle and bending, in pixels of pictures of one size.

    Raises `CalibrationError` for numbers that no lens has.
    """

    kind: LensKind
    focal_px: tuple[float, float]
    """Along x and y."""
    middle_px: tuple[float, float]
    bends: tuple[float, ...]
    """``plain``: k1 k2 p1 p2 k3; ``fisheye``: k1 k2 k3 k4."""
    size_px: tuple[int, int]
    """Width and height of the pictures it was measured in."""

    def __post_init__(self) -> None:
        if self.kind not in COEFFICIENTS:
            raise CalibrationError(f"a lens of kind {self.kind!r}: expected one of {', '.join(COEFFICIENTS)}")
        if len(self.bends) != COEFFICIENTS[self.kind]:
            raise CalibrationError(
                f"a {self.kind} lens has {COEFFICIENTS[self.kind]} numbers for its bending, found {len(self.bends)}"
            )
        numbers = (*self.focal_px, *self.middle_px, *self.bends)
        if not all(np.isfinite(numbers)) or min(self.focal_px) <= 0 or min(self.size_px) <= 0:
            raise CalibrationError(
                f"a lens with focal lengths {self.focal_px} for pictures of {self.size_px} pixels: not possible"
            )

    @property
    def matrix(self) -> NDArray[np.float64]:
        """The camera matrix, 3 x 3."""
        (fx, fy), (cx, cy) = self.focal_px, self.middle_px
        return np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])

    def angle_deg(self) -> float:
        """What it sees from left to right."""
        ends = self.rays(np.array([[-0.5, self.middle_px[1]], [self.size_px[0] - 0.5, self.middle_px[1]]]))
        return float(sum(degrees(atan(abs(x))) for x in ends[:, 0]))

    def bend(self, points_px: Points, size_px: tuple[int, int]) -> Points:
        """Move points of an ideal picture to where this lens shows them; count x 2 in and out.

        Raise `CalibrationError` for pictures of another size than it was measured in.
        """
        if size_px != self.size_px:
            raise CalibrationError(
                f"the lens was measured in pictures of {self.size_px[0]} x {self.size_px[1]} pixels, "
                f"this one has {size_px[0]} x {size_px[1]}: set the camera as it was, or measure it anew"
            )
        return self.shown((points_px - np.array(self.middle_px)) / np.array(self.focal_px))

    def shown(self, rays: Points) -> Points:
        """Pixels that show directions x / z, y / z; count x 2."""
        bent = self._plain(rays) if self.kind == "plain" else self._fisheye(rays)
        return np.asarray(bent * np.array(self.focal_px) + np.array(self.middle_px))

    def rays(self, points_px: Points) -> Points:
        """Directions x / z, y / z that pixels show: the inverse of `shown`."""
        wanted = (points_px - np.array(self.middle_px)) / np.array(self.focal_px)
        if self.kind == "fisheye":
            return self._unbent_fisheye(wanted)
        found = wanted.copy()
        for _ in range(30):
            found = found - (self._plain(found) - wanted)
        return np.asarray(found)

    def _plain(self, rays: Points) -> Points:
        k1, k2, p1, p2, k3 = self.bends
        x, y = rays[:, :1], rays[:, 1:]
        square = x * x + y * y
        radial = 1 + square * (k1 + square * (k2 + square * k3))
        return np.hstack(
            [
                x * radial + 2 * p1 * x * y + p2 * (square + 2 * x * x),
                y * radial + p1 * (square + 2 * y * y) + 2 * p2 * x * y,
            ]
        )

    def _fisheye(self, rays: Points) -> Points:
        radius = np.maximum(np.linalg.norm(rays, axis=1, keepdims=True), 1e-12)
        angle = np.arctan(radius)
        return np.asarray(rays / radius * self._bent_angle(angle))

    def _bent_angle(self, angle: NDArray[np.float64]) -> NDArray[np.float64]:
        k1, k2, k3, k4 = self.bends
        square = angle * angle
        return np.asarray(angle * (1 + square * (k1 + square * (k2 + square * (k3 + square * k4)))))

    def _unbent_fisheye(self, wanted: Points) -> Points:
        radius = np.maximum(np.linalg.norm(wanted, axis=1, keepdims=True), 1e-12)
        angle = radius.copy()
        for _ in range(30):
            angle = angle - (self._bent_angle(angle) - radius)
        # Beyond a right angle there is no direction x / z.
        return np.asarray(wanted / radius * np.tan(np.minimum(angle, np.pi / 2 - 1e-6)))
