"""The lens out of views of the chessboard whose corners OpenCV's own projection has placed, with noise on them."""

from __future__ import annotations

import numpy as np
import pytest

from vision.calibration.chessboard import View, corner_mm, coverage, find_board, measure_lens
from vision.calibration.lens import MeasuredLens
from vision.calibration.targets import BOARD
from vision.errors import CalibrationError
from vision.synthetic.optical_bench import Pose, projected
from vision.synthetic.target_walk import board_poses, chessboard_sheet, mat_lens

ALL = tuple(range((BOARD.columns - 1) * (BOARD.rows - 1)))
WIDE = MeasuredLens("fisheye", (640.0, 640.0), (801.0, 602.0), (-0.01, 0.003, -0.001, 0.0003), (1600, 1200))


def seen_by(lens, poses, noise_px=0.1):
    """Views that hold the corners inside the picture."""
    rng = np.random.default_rng(5)
    views = []
    for pose in poses:
        px = projected(lens, pose, corner_mm(ALL)[:, :2])
        inside = ((px > 3) & (px < np.array(lens.size_px) - 4)).all(axis=1)
        ids = tuple(id_ for id_, kept in zip(ALL, inside, strict=True) if kept)
        if len(ids) > 20:
            views.append(View(ids, px[inside] + rng.normal(0, noise_px, (len(ids), 2)), False))
    return tuple(views)


@pytest.mark.parametrize(("angle", "k1", "k2"), [(66.0, -0.05, 0.012), (66.0, 0.0, 0.0), (62.0, -0.12, 0.03)])
def test_a_lens_is_measured(angle, k1, k2):
    lens = mat_lens((2304, 1296), angle, k1, k2)
    fit = measure_lens(seen_by(lens, board_poses(lens)), lens.size_px)
    assert fit.lens.kind == "plain"
    assert fit.lens.focal_px == pytest.approx(lens.focal_px, rel=0.001)
    assert fit.lens.middle_px == pytest.approx(lens.middle_px, abs=1.0)
    assert fit.lens.bends[:2] == pytest.approx((k1, k2), abs=0.005)
    assert fit.rms_px == pytest.approx(0.14, abs=0.03)
    assert fit.spread < 0.001
    assert fit.coverage > 0.9
    assert 40 < fit.tilt_deg < 60
    # What counts in the end: where directions show.
    rays = np.random.default_rng(1).uniform((-0.6, -0.3), (0.6, 0.3), (200, 2))
    assert np.abs(fit.lens.shown(rays) - lens.shown(rays)).max() < 1.0


def test_a_fisheye_is_measured_by_angles():
    assert WIDE.angle_deg() > 125
    turns = [
        (0, 0, 0),
        (25, 0, 0),
        (-25, 0, 0),
        (0, 28, 0),
        (0, -28, 0),
        (20, 20, 5),
        (-20, 20, -5),
        (20, -20, 9),
        (-20, -20, 40),
    ]
    poses = [
        Pose(tuple(float(value) for value in turn), (110.0, 70.0), (30.0 * (index % 3 - 1), 20.0 * (index // 3 - 1), 90.0))
        for index, turn in enumerate(turns)
    ]
    fit = measure_lens(seen_by(WIDE, poses), WIDE.size_px)
    assert fit.lens.kind == "fisheye"
    assert fit.lens.focal_px == pytest.approx(WIDE.focal_px, rel=0.003)
    assert fit.lens.middle_px == pytest.approx(WIDE.middle_px, abs=1.5)
    assert fit.lens.angle_deg() == pytest.approx(WIDE.angle_deg(), abs=1.5)
    assert fit.rms_px < 0.25


def test_boards_that_never_lean_leave_the_focal_length_open():
    lens = mat_lens((2304, 1296))
    poses = [Pose((0.3 * step, 0.0, 0.0), (110.0, 70.0), (8.0 * step - 16, 4.0, 234.0)) for step in range(6)]
    fit = measure_lens(seen_by(lens, poses), lens.size_px)
    # The solver is sure of a wrong one; that they never leaned is what tells.
    assert abs(fit.lens.focal_px[0] / lens.focal_px[0] - 1) > 0.05
    assert fit.tilt_deg < 8


def test_too_few_views_are_counted():
    lens = mat_lens((2304, 1296))
    with pytest.raises(CalibrationError) as caught:
        measure_lens(seen_by(lens, board_poses(lens))[:4], lens.size_px)
    assert str(caught.value) == "the chessboard was found in 4 pictures: expected at least 5"


def test_the_board_is_found_right_and_mirrored():
    raster = chessboard_sheet().raster[::2, ::2]
    straight, flipped = find_board(raster), find_board(np.ascontiguousarray(raster[:, ::-1]))
    assert straight is not None and flipped is not None
    assert (straight.mirrored, flipped.mirrored) == (False, True)
    assert straight.ids == flipped.ids == ALL
    expected = (corner_mm(ALL)[:, :2] + 8.0) * 5.0 - 0.5
    for view in (straight, flipped):
        assert np.abs(view.corners_px - expected).max() < 0.6


def test_nothing_is_found_on_plain_paper():
    assert find_board(np.full((300, 400), 230, np.uint8)) is None


def test_corners_on_one_row_are_no_view():
    raster = chessboard_sheet().raster[::2, ::2]
    assert find_board(np.ascontiguousarray(raster[60:220])) is None


def test_coverage_counts_cells():
    corners = np.array([[10.0, 10.0], [12.0, 11.0], [590.0, 390.0], [700.0, 10.0]])
    assert coverage([corners], (600, 400)) == pytest.approx(2 / 24)
