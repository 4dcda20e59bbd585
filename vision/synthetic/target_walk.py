"""The targets as a careful person shows them to a camera: chessboard in many poses, then the plate, empty and with cards."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from vision.calibration.lens import MeasuredLens
from vision.calibration.targets import BOARD, RIM_MM, STAR_MM, BoardPlan
from vision.frame import Image
from vision.layout import Layout
from vision.synthetic.lens import MAT_PATH_MM
from vision.synthetic.optical_bench import Optics, Pose, Sheet

SCALE = 10.0
"""Pixels of a sheet to the millimetre."""
PLATE, HOLE, PAPER = 205, 18, 240
SHADE = 0.6
WALK = (
    (0, 0, 0, 0, 0, 1.0), (22, 0, 0, -0.5, 0, 1.0), (-22, 0, 0, 0.5, 0, 1.0), (0, 24, 0, 0, 0.4, 1.05),
    (0, -24, 0, 0, -0.4, 1.05), (18, 18, 4, 0.8, 0.5, 1.2), (-18, 18, -4, -0.8, 0.5, 1.2), (18, -18, 8, 0.8, -0.5, 1.2),
    (-18, -18, -8, -0.8, -0.5, 1.2), (8, -26, 90, 0.2, 0, 1.25), (28, 6, 45, -0.2, 0, 1.25), (-10, 8, 180, 0, 0, 0.85),
)  # fmt: skip
"""Rotation vector in degrees, share of the way to the edge across and down, and distance against the mat's own."""


def chessboard_sheet(plan: BoardPlan = BOARD) -> Sheet:
    """The chessboard as OpenCV draws it; its own first corner is the origin."""
    width, height = plan.size_mm
    drawn = plan.made().generateImage((round(width * SCALE), round(height * SCALE)), marginSize=0)
    inked = np.where(np.asarray(drawn) > 127, PAPER, HOLE).astype(np.uint8)
    paper = cv2.copyMakeBorder(inked, 80, 80, 80, 80, cv2.BORDER_CONSTANT, value=(PAPER,))
    return Sheet(np.asarray(paper, np.uint8), SCALE, (-8.0, -8.0))


def plate_sheet(layout: Layout, shown: str = "empty", shine: float = 0.0) -> Sheet:
    """The underside of a plate; on its windows nothing, blank cards (``blank``) or focus cards (``focus``).

    `shine` is how much a reflection adds to the middle of the third window, in shares of white; all else is darker then, so that
    there is room above paper.
    """
    extent = layout.extent
    canvas = np.full((round(extent.height * SCALE), round(extent.width * SCALE)), PLATE, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100)
    for marker in layout.markers:
        square = marker.square
        _part(canvas, layout, square.x - RIM_MM, square.y - RIM_MM, square.width + 2 * RIM_MM)[:] = PAPER
        spot = _part(canvas, layout, square.x, square.y, square.width)
        pattern = cv2.aruco.generateImageMarker(dictionary, marker.id, spot.shape[0])
        spot[:] = np.where(np.asarray(pattern) > 127, PAPER, HOLE)
    for window in layout.windows:
        hole = _part(canvas, layout, window.x, window.y, window.width, window.height)
        hole[:] = HOLE if shown == "empty" else PAPER
        if shown == "focus":
            _star(hole)
    if shine:
        canvas = np.asarray(canvas * SHADE, np.uint8)
        window = layout.windows[2]
        hole = _part(canvas, layout, window.x, window.y, window.width, window.height)
        y, x = np.mgrid[0 : hole.shape[0], 0 : hole.shape[1]].astype(np.float32)
        spot_of = np.exp(-(((x - hole.shape[1] / 2) / 30) ** 2 + ((y - hole.shape[0] / 2) / 30) ** 2))
        hole[:] = np.clip(hole + 255 * shine * spot_of, 0, 255)
    return Sheet(canvas, SCALE, (extent.x, extent.y))


def _part(canvas: Image, layout: Layout, x: float, y: float, width: float, height: float | None = None) -> Image:
    left, top = round((x - layout.extent.x) * SCALE), round((y - layout.extent.y) * SCALE)
    return canvas[top : top + round((height or width) * SCALE), left : left + round(width * SCALE)]


def _star(hole: Image) -> None:
    y, x = np.mgrid[0 : hole.shape[0], 0 : hole.shape[1]] / SCALE
    dx, dy = x - 8.0, y - 10.0
    inked = (np.sin(9 * np.arctan2(dy, dx)) > 0) & (np.hypot(dx, dy) < STAR_MM / 2)
    hole[inked] = HOLE


def mat_pose(layout: Layout, tilt_deg: tuple[float, float, float] = (0.0, 0.0, 0.0), shift_mm: tuple[float, float] = (0.0, 0.0),
             distance_mm: float = MAT_PATH_MM) -> Pose:  # fmt: skip
    """The plate at the end of the folded path, a little askew and aside."""
    extent = layout.extent
    middle = (extent.x + extent.width / 2, extent.y + extent.height / 2)
    return Pose(tilt_deg, middle, (*shift_mm, distance_mm))


def board_poses(lens: MeasuredLens, distance_mm: float = MAT_PATH_MM, plan: BoardPlan = BOARD) -> Iterator[Pose]:
    """Poses of the chessboard: flat and leaning to all sides, in the middle and towards every edge of the picture."""
    width, height = plan.size_mm
    (fx, fy), (size_x, size_y) = lens.focal_px, lens.size_px
    for turn_x, turn_y, turn_z, across, down, far in WALK:
        away = distance_mm * far
        half_x, half_y = size_x / 2 / fx * away, size_y / 2 / fy * away
        yield Pose(
            (float(turn_x), float(turn_y), float(turn_z)), (width / 2, height / 2),
            (across * max(half_x - 40.0, 20.0), down * max(half_y - 20.0, 15.0), away),
        )  # fmt: skip


def mat_lens(
    size_px: tuple[int, int] = (1536, 288), angle_deg: float = 66.0, k1: float = -0.05, k2: float = 0.012
) -> MeasuredLens:
    """A lens of a mat's camera whose ideal picture has this angle across."""
    focal = size_px[0] / 2 / float(np.tan(np.radians(angle_deg / 2)))
    middle = (size_px[0] / 2 + 4.3, size_px[1] / 2 - 2.6)
    return MeasuredLens("plain", (focal, focal * 1.001), middle, (k1, k2, 0.0004, -0.0003, 0.0), size_px)


def mat_optics(lens: MeasuredLens | None = None, mirrored: bool = True) -> Optics:
    """A mat's camera as it is built: behind a mirror, with a lamp that is weaker at one end."""
    return Optics(lens if lens is not None else mat_lens(), mirrored, fall=(0.18, 0.06), vignette=0.12)
