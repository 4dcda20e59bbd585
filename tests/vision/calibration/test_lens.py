"""The lens against OpenCV's own projection, which it does not use."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.calibration.lens import MeasuredLens
from vision.errors import CalibrationError

PLAIN = MeasuredLens("plain", (900.0, 910.0), (770.0, 141.0), (-0.11, 0.03, 0.001, -0.002, 0.004), (1536, 288))
WIDE = MeasuredLens("fisheye", (520.0, 522.0), (790.0, 500.0), (-0.02, 0.004, -0.001, 0.0002), (1600, 1000))
RAYS = np.random.default_rng(4).uniform(-0.7, 0.7, (50, 2))


def by_opencv(lens, rays):
    points = np.column_stack([rays, np.ones(len(rays))]).reshape(-1, 1, 3)
    nothing, bends = np.zeros(3), np.array(lens.bends)
    if lens.kind == "fisheye":
        return cv2.fisheye.projectPoints(points, nothing, nothing, lens.matrix, bends)[0].reshape(-1, 2)
    return cv2.projectPoints(points, nothing, nothing, lens.matrix, bends)[0].reshape(-1, 2)


@pytest.mark.parametrize("lens", [PLAIN, WIDE])
def test_directions_show_where_opencv_shows_them(lens):
    assert np.abs(lens.shown(RAYS) - by_opencv(lens, RAYS)).max() < 1e-6
    assert np.abs(lens.rays(lens.shown(RAYS)) - RAYS).max() < 1e-6


@pytest.mark.parametrize("lens", [PLAIN, WIDE])
def test_points_of_an_ideal_picture_are_bent(lens):
    ideal = RAYS * np.array(lens.focal_px) + np.array(lens.middle_px)
    assert np.abs(lens.bend(ideal, lens.size_px) - by_opencv(lens, RAYS)).max() < 1e-6


def test_the_angle_counts_both_sides():
    straight = MeasuredLens("plain", (500.0, 500.0), (499.5, 300.0), (0.0,) * 5, (1000, 600))
    assert straight.angle_deg() == pytest.approx(90.0)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"kind": "round"}, "a lens of kind 'round': expected one of plain, fisheye"),
        ({"bends": (0.0, 0.0)}, "a plain lens has 5 numbers for its bending, found 2"),
        (
            {"focal_px": (0.0, 5.0)},
            "a lens with focal lengths (0.0, 5.0) for pictures of (1536, 288) pixels: not possible",
        ),
    ],
)
def test_what_is_no_lens_is_refused(changed, message):
    fields = {name: getattr(PLAIN, name) for name in MeasuredLens.__slots__}
    with pytest.raises(CalibrationError) as caught:
        MeasuredLens(**{**fields, **changed})
    assert str(caught.value) == message


def test_pictures_of_another_size_are_refused():
    with pytest.raises(CalibrationError) as caught:
        PLAIN.bend(RAYS, (768, 144))
    assert str(caught.value) == (
        "the lens was measured in pictures of 1536 x 288 pixels, this one has 768 x 144: "
        "set the camera as it was, or measure it anew"
    )
