"""The lens, from pictures of the chessboard with markers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibrate import Points
from vision.calibration.lens import LensKind, MeasuredLens
from vision.calibration.targets import BOARD, BoardPlan
from vision.errors import CalibrationError
from vision.frame import Image

FEWEST_CORNERS = 8
"""Of a view; fewer say little about the lens."""
FEWEST_LINES = 2
"""Rows and columns of a view: corners on one line say nothing."""
FEWEST_VIEWS = 5
WIDE_DEG = 110.0
"""A lens that sees more is described by angles (fisheye): the other model cannot reach the edge."""
ASK_FISHEYE_DEG = 95.0
"""From here on both models are tried."""
CLEARLY = 0.7
"""The fisheye model is taken below its angle where it leaves less than this share of the other one's error."""
CELLS = (6, 4)
"""The picture is cut into so many cells, to see whether the board was shown everywhere."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The chessboard in one picture."""

    ids: tuple[int, ...]
    """Its inner corners, numbered along the rows."""
    corners_px: Points
    mirrored: bool
    """Its markers can be read in the flipped picture alone; the corners are those of the flipped one then."""


@dataclass(frozen=True, slots=True, eq=False)
class LensFit:
    """A lens with what there is to say for it."""

    lens: MeasuredLens
    rms_px: float
    """Root mean square distance between the corners and where the lens puts them."""
    spread: float
    """Standard deviation of the focal length, in parts of it."""
    coverage: float
    """Share of the picture's cells in which a corner was seen."""
    tilt_deg: float
    """Angle between the two boards that lean apart most; without any the focal length is guesswork."""
    views: int


def find_board(image: Image, plan: BoardPlan = BOARD) -> View | None:
    """The chessboard in a picture, the right way round or mirrored; None where there is none."""
    for mirrored in (False, True):
        picture = np.ascontiguousarray(image[:, ::-1]) if mirrored else image
        found = _detected(picture, plan)
        if found is not None:
            return View(*found, mirrored)
    return None


def _detected(image: Image, plan: BoardPlan) -> tuple[tuple[int, ...], Points] | None:
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(plan.made()).detectBoard(grey)
    if ids is None or len(ids) < FEWEST_CORNERS:
        return None
    numbers = tuple(int(id_) for id_ in np.asarray(ids).ravel())
    rows, columns = np.divmod(np.array(numbers), plan.columns - 1)
    if min(len(set(rows.tolist())), len(set(columns.tolist()))) < FEWEST_LINES:
        return None
    return numbers, np.asarray(corners, np.float64).reshape(-1, 2)


def corner_mm(ids: Sequence[int], plan: BoardPlan = BOARD) -> NDArray[np.float64]:
    """Inner corners on the board, count x 3, z 0; the first one lies one square right of and below its corner."""
    across = plan.columns - 1
    rows, columns = np.divmod(np.asarray(ids), across)
    return np.stack([(columns + 1) * plan.square_mm, (rows + 1) * plan.square_mm, np.zeros(len(ids))], axis=1)


def measure_lens(views: Sequence[View], size_px: tuple[int, int], plan: BoardPlan = BOARD) -> LensFit:
    """The lens that explains these views of pictures of `size_px`.

    Raise `CalibrationError` where there are too few views, or no lens explains them.
    """
    if len(views) < FEWEST_VIEWS:
        raise CalibrationError(f"the chessboard was found in {len(views)} pictures: expected at least {FEWEST_VIEWS}")
    flat = [corner_mm(view.ids, plan) for view in views]
    seen = [view.corners_px for view in views]
    best = _plain(flat, seen, size_px)
    if best.lens.angle_deg() > ASK_FISHEYE_DEG or best.rms_px > 1.0:
        wide = _fisheye(flat, seen, size_px)
        if wide is not None and (
            wide.rms_px < CLEARLY * best.rms_px or (wide.lens.angle_deg() > WIDE_DEG and wide.rms_px <= best.rms_px * 1.1)
        ):
            best = wide
    return best


def _plain(flat: list[NDArray[np.float64]], seen: list[Points], size_px: tuple[int, int]) -> LensFit:
    objects, images = _as_cv(flat, seen)
    try:
        # k3 runs wild in a strip that sees little of the corners.
        start: Any = None  # what its stubs do not know
        found = cv2.calibrateCameraExtended(objects, images, size_px, start, start, flags=cv2.CALIB_FIX_K3)
    except cv2.error as error:
        raise CalibrationError(f"no lens explains these pictures of the chessboard: {error.err}") from error
    rms, matrix, bends, turns, _, deviations = found[:6]
    lens = _lens("plain", matrix, np.asarray(bends).ravel()[:5], size_px)
    spread = float(np.asarray(deviations).ravel()[0] / matrix[0, 0])
    return _fit(lens, rms, spread, seen, turns, size_px)


def _fisheye(flat: list[NDArray[np.float64]], seen: list[Points], size_px: tuple[int, int]) -> LensFit | None:
    objects = [np.asarray(points, np.float64).reshape(1, -1, 3) for points in flat]
    images = [np.asarray(points, np.float64).reshape(1, -1, 2) for points in seen]
    # OpenCV 5 has moved these names, and given them other values.
    names: Any = cv2.fisheye if hasattr(cv2.fisheye, "CALIB_FIX_SKEW") else cv2
    flags = names.CALIB_RECOMPUTE_EXTRINSIC | names.CALIB_FIX_SKEW | names.CALIB_USE_INTRINSIC_GUESS
    start = np.array([[size_px[0] / 2.2, 0, size_px[0] / 2], [0, size_px[0] / 2.2, size_px[1] / 2], [0, 0, 1]], np.float64)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 200, 1e-8)
    try:
        rms, matrix, bends, turns, _ = cv2.fisheye.calibrate(
            objects, images, size_px, start, np.zeros((4, 1)), flags=flags, criteria=stop
        )
    except cv2.error:
        return None
    try:
        lens = _lens("fisheye", matrix, np.asarray(bends).ravel()[:4], size_px)
    except CalibrationError:
        return None
    return _fit(lens, rms, 0.0, seen, turns, size_px)


def _as_cv(flat: list[NDArray[np.float64]], seen: list[Points]) -> tuple[list[Any], list[Any]]:
    return (
        [np.asarray(points, np.float32).reshape(-1, 1, 3) for points in flat],
        [np.asarray(points, np.float32).reshape(-1, 1, 2) for points in seen],
    )


def _lens(kind: LensKind, matrix: Any, bends: Any, size_px: tuple[int, int]) -> MeasuredLens:
    return MeasuredLens(
        kind, (float(matrix[0, 0]), float(matrix[1, 1])), (float(matrix[0, 2]), float(matrix[1, 2])),
        tuple(float(value) for value in bends), size_px,
    )  # fmt: skip


def _fit(
    lens: MeasuredLens, rms: float, spread: float, seen: list[Points], turns: Sequence[Any], size_px: tuple[int, int]
) -> LensFit:
    return LensFit(lens, float(rms), spread, coverage(seen, size_px), _apart_deg(turns), len(seen))


def coverage(seen: Sequence[Points], size_px: tuple[int, int]) -> float:
    """Share of the picture's cells that hold a corner."""
    cells = np.floor(np.concatenate(seen) / np.array(size_px) * np.array(CELLS)).astype(int)
    inside = ((cells >= 0) & (cells < np.array(CELLS))).all(axis=1)
    return len({(int(x), int(y)) for x, y in cells[inside]}) / (CELLS[0] * CELLS[1])


def _apart_deg(turns: Sequence[Any]) -> float:
    """The largest angle between the directions that two boards face."""
    normals = np.stack([cv2.Rodrigues(np.asarray(turn, np.float64).reshape(3))[0][:, 2] for turn in turns])
    return float(np.degrees(np.arccos(np.clip((normals @ normals.T).min(), -1.0, 1.0))))
