"""Millimetres to pixels and back, for every camera that a condition can make."""

from __future__ import annotations

import numpy as np
import pytest

from vision.layout import mat_layout, tray_layout
from vision.synthetic.condition import condition
from vision.synthetic.lens import Lens
from vision.synthetic.scene import DIFFICULTIES

LAYOUTS = (mat_layout(0), tray_layout())


def corners_of(layout) -> np.ndarray:
    return np.array(
        [(w.x + dx * w.width, w.y + dy * w.height) for w in layout.windows for dx in (0, 1) for dy in (0, 1)]
        + [(m.square.x + dx * 12, m.square.y + dy * 12) for m in layout.markers for dx in (0, 1) for dy in (0, 1)]
    )


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_there_and_back(layout, difficulty):
    lens = Lens(layout, condition(difficulty, np.random.default_rng(1)), 4)
    points = corners_of(layout)
    assert np.abs(lens.to_mm(lens.to_px(points)) - points).max() < 1e-3


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_windows_and_markers_are_in_every_camera_s_picture(layout, difficulty):
    for seed in range(40):
        lens = Lens(layout, condition(difficulty, np.random.default_rng(seed)), seed)
        pixels = lens.to_px(corners_of(layout))
        assert pixels.min() >= 0
        assert (pixels < np.asarray(layout.frame_px) - 1).all()


def test_cameras_differ_and_repeat():
    layout, light = mat_layout(0), condition("normal", np.random.default_rng(0))
    points = corners_of(layout)
    one, same, other = (Lens(layout, light, seed).to_px(points) for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert np.abs(one - other).max() > 1.0


def test_the_picture_is_bent_and_not_only_in_perspective():
    layout = mat_layout(0)
    lens = Lens(layout, condition("normal", np.random.default_rng(0)), 3)
    line = np.stack([np.linspace(-5, 297, 40), np.full(40, -6.0)], axis=1)
    pixels = lens.to_px(line)
    chord = np.polyfit(pixels[[0, -1], 0], pixels[[0, -1], 1], 1)
    assert np.abs(np.polyval(chord, pixels[:, 0]) - pixels[:, 1]).max() > 0.4


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_remap_tables_agree_with_the_lens(layout):
    lens = Lens(layout, condition("hard", np.random.default_rng(7)), 7)
    scale = 4.0
    origin = (layout.extent.x, layout.extent.y)
    whole, fraction = lens.maps(origin, scale)
    width, height = layout.frame_px
    assert whole.shape == (height, width, 2) and fraction.shape == (height, width)
    spots = np.array([(5, 5), (width // 2, height // 2), (width - 7, height - 9), (333, 111)])
    fine = np.stack([fraction % 32, fraction // 32], axis=-1) / 32.0
    tabled = (whole + fine)[spots[:, 1], spots[:, 0]]
    exact = (lens.to_mm(spots.astype(float)) - np.asarray(origin)) * scale - 0.5
    assert np.abs(tabled - exact).max() < 0.1
