"""Where a point of the board falls in the picture of one particular, slightly askew camera with a real lens."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import Layout
from vision.optics import OPTICS, STANDARD
from vision.synthetic.condition import Condition
from vision.synthetic.pen import Points

MAT_PATH_MM, TRAY_PATH_MM = OPTICS.camera["cm3"].path_mm[STANDARD], OPTICS.tray.path_mm
"""Length of the (folded) optical path from lens to board."""
_GRID = 16


class Lens:
    """Maps between millimetres of a board and pixels of its upright frame.

    A camera's own pose and distortion are drawn once from its seed, within the condition's limits.
    """

    def __init__(self, layout: Layout, condition: Condition, seed: int) -> None:
        rng = np.random.default_rng((seed, 11))
        extent, field = layout.extent, layout.field_mm
        self._half_mm = field[0] / 2
        self._middle_mm = np.array([extent.x + extent.width / 2, extent.y + extent.height / 2])
        self._frame_px = layout.frame_px
        self._half_px = layout.frame_px[0] / 2
        # a row of pixels is not exactly as many millimetres as a column
        self._stretch = np.array([1.0, field[1] / field[0] * layout.frame_px[0] / layout.frame_px[1]])
        self._focal = (MAT_PATH_MM if layout.mirrored else TRAY_PATH_MM) / self._half_mm
        tilt = np.radians(rng.uniform(-1, 1, 3) * condition.tilt_deg * np.array([1.0, 0.6, 0.4]))
        # The board is tilted before the camera, and turned within its own plane before that.
        self._turn = cv2.Rodrigues(tilt)[0] @ cv2.Rodrigues(np.array([0.0, 0.0, np.radians(layout.turn_deg)]))[0]
        self._shift_mm = rng.uniform(-1, 1, 2) * condition.shift_mm
        self.distortion = float(rng.uniform(*condition.distortion))
        """Share by which the lens pulls in the left and right edges of the picture."""

    def to_mm(self, pixels: Points) -> Points:
        """Points of the board (n x 2) that the pixels show."""
        flat = (pixels + 0.5 - np.asarray(self._frame_px) / 2) / self._half_px * self._stretch
        flat = flat * (1.0 + self.distortion * (flat**2).sum(axis=1, keepdims=True))
        rays = np.concatenate([flat, np.full((len(flat), 1), self._focal)], axis=1)
        normal = self._turn[:, 2]
        away = np.array([0.0, 0.0, self._focal])
        on_board = rays * (normal @ away / (rays @ normal))[:, None] - away
        return np.asarray((on_board @ self._turn)[:, :2] * self._half_mm + self._middle_mm + self._shift_mm, dtype=np.float64)

    def to_px(self, points: Points) -> Points:
        """Pixels (n x 2) at which the points of the board show; the inverse of `to_mm`."""
        on_board = np.zeros((len(points), 3))
        on_board[:, :2] = (points - self._middle_mm - self._shift_mm) / self._half_mm
        rays = on_board @ self._turn.T + np.array([0.0, 0.0, self._focal])
        wanted = rays[:, :2] / rays[:, 2:] * self._focal
        flat = wanted.copy()
        for _ in range(12):
            flat = wanted / (1.0 + self.distortion * (flat**2).sum(axis=1, keepdims=True))
        return np.asarray(flat / self._stretch * self._half_px + np.asarray(self._frame_px) / 2 - 0.5, dtype=np.float64)

    def maps(self, origin_mm: tuple[float, float], px_per_mm: float) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
        """Fixed-point maps for `cv2.remap` from a board raster to the frame.

        The raster's pixel 0, 0 covers the square millimetres that begin at `origin_mm`.
        """
        width, height = self._frame_px
        # the maps are smooth: a coarse grid, stretched, is as good and far quicker
        columns, rows = width // _GRID + 2, height // _GRID + 2
        y, x = np.mgrid[0:rows, 0:columns] * float(_GRID)
        points = self.to_mm(np.stack([x.ravel(), y.ravel()], axis=1)).reshape(rows, columns, 2)
        coarse = ((points - np.asarray(origin_mm)) * px_per_mm - 0.5).astype(np.float32)
        steps_y, steps_x = np.mgrid[0:height, 0:width].astype(np.float32) / _GRID
        fine = cv2.remap(coarse, steps_x, steps_y, cv2.INTER_LINEAR)
        first, second = cv2.convertMaps(fine[..., 0], fine[..., 1], cv2.CV_16SC2)
        return np.asarray(first, dtype=np.int16), np.asarray(second, dtype=np.uint16)
