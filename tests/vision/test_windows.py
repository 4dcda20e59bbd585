"""Cutting windows out and noticing that they changed."""

from __future__ import annotations

import numpy as np
import pytest

from companion.cards import DECK, Mark
from vision.calibrate import register
from vision.classifier import LABELS
from vision.layout import Rect, mat_layout, tray_layout
from vision.windows import SHIFTS_MM, THUMB_PX, ChangeWatch, WindowCutter, _box_px, difference

CARDS = DECK[3:8]


@pytest.fixture
def seen(board):
    """A drawn mat, its registration and a frame of five cards."""
    drawn = board(mat_layout(0), tilt=(0.08, -0.06))
    frame = drawn.frame(0.0, CARDS)
    return drawn, register(frame.image, drawn.layout), frame


def test_every_window_is_cut_upright_and_in_its_order(seen, ideal):
    drawn, registration, frame = seen
    patches = WindowCutter(drawn.layout, registration).cut(frame.image)
    assert patches.shape == (5, 96, 48, 3)
    assert patches.dtype == np.uint8
    assert [LABELS[i] for i in ideal().classify(patches).argmax(axis=1)] == list(CARDS)


def test_chosen_windows_are_the_same_as_among_all(seen):
    drawn, registration, frame = seen
    cutter = WindowCutter(drawn.layout, registration)
    assert (cutter.cut(frame.image, [4, 1]) == cutter.cut(frame.image)[[4, 1]]).all()


def test_every_look_is_cut_a_little_aside(seen, ideal):
    drawn, registration, frame = seen
    cutter = WindowCutter(drawn.layout, registration)
    looks = [cutter.cut(frame.image, [2], [look])[0] for look in range(len(SHIFTS_MM) + 1)]
    assert (looks[0] == cutter.cut(frame.image, [2])[0]).all()
    assert (looks[-1] == looks[0]).all()
    right, down = round(0.8 * 3), round(0.8 * 3)
    moved = looks[0][down:, right:].astype(int) - looks[1][:-down, :-right]
    assert np.abs(moved).mean() < 6 < np.abs(looks[0].astype(int) - looks[1]).mean()
    mixed = cutter.cut(frame.image, [1, 3], [2, 0])
    assert (mixed[0] == cutter.cut(frame.image, [1], [2])[0]).all()
    assert (mixed[1] == cutter.cut(frame.image)[3]).all()
    assert {int(ideal().classify(look[None]).argmax()) for look in looks} == {LABELS.index(CARDS[2])}


def test_the_edges_of_a_patch_are_the_edges_of_the_window(board):
    """All cells bright on a bright board would hide an offset; dark cells must fill the patch to its rim."""
    drawn = board(mat_layout(0), tilt=(0.1, 0.1), k1=-0.1)
    frame = drawn.frame(0.0, [Mark.EMPTY] * 5, noise=0.0)
    patches = WindowCutter(drawn.layout, register(frame.image, drawn.layout)).cut(frame.image)
    assert patches[:, 2:-2, 2:-2].max() < 90


def test_a_window_at_the_edge_of_the_picture_is_watched_inside_it(seen):
    _, registration, _ = seen
    top, bottom, left, right = _box_px(Rect(-30.0, -30.0, 16.0, 32.0), registration)
    assert (top, left) == (0, 0)
    assert (right - left) % THUMB_PX[0] == (bottom - top) % THUMB_PX[1] == 0
    assert right > left
    assert bottom > top


@pytest.mark.parametrize("layout", [mat_layout(0), tray_layout()])
def test_thumbs_hold_one_row_per_window(board, layout):
    drawn = board(layout)
    frame = drawn.frame(0.0, [DECK[k] for k in range(len(layout.windows))])
    thumbs = ChangeWatch(layout, register(frame.image, layout)).look(frame.image)
    assert thumbs.shape == (len(layout.windows), 3, THUMB_PX[0] * THUMB_PX[1])


def changes(seen, contents, **how):
    drawn, registration, frame = seen
    watch = ChangeWatch(drawn.layout, registration)
    return difference(watch.look(drawn.frame(0.1, contents, **how).image), watch.look(frame.image))


@pytest.mark.parametrize("noise", [2.0, 6.0])
def test_noise_is_no_change(seen, noise):
    assert changes(seen, CARDS, noise=noise).max() < 3


@pytest.mark.parametrize(("gain", "offset"), [(1.2, 0.0), (0.8, 0.0), (1.0, 15.0), (1.0, -15.0), (0.9, 12.0)])
def test_a_change_of_the_light_is_no_change(seen, gain, offset):
    assert changes(seen, CARDS, gain=gain, offset=offset).max() < 5


def test_a_changed_window_stands_out_alone(seen):
    found = changes(seen, (*CARDS[:3], DECK[40], CARDS[4]), gain=1.1)
    assert found[3] > 20
    assert np.delete(found, 3).max() < 5


def test_a_small_mark_in_one_corner_counts(seen):
    drawn, registration, frame = seen
    watch = ChangeWatch(drawn.layout, registration)
    before = watch.look(frame.image)
    window = drawn.layout.windows[2]
    corner = drawn.project(np.array([[window.x + 2.0, window.y + 3.0], [window.x + 6.0, window.y + 9.0]])).astype(int)
    frame.image[corner[0, 1] : corner[1, 1], corner[0, 0] : corner[1, 0]] ^= 90
    assert difference(watch.look(frame.image), before)[2] > 15


def test_plain_surfaces_of_other_brightness_are_a_change():
    dark, bright = np.full((1, 3, 288), 20, np.float32), np.full((1, 3, 288), 120, np.float32)
    assert difference(bright, dark)[0] > 50
    assert difference(dark, bright)[0] > 30
    assert difference(dark, dark + 3)[0] < 1


def test_a_colour_with_little_contrast_follows_the_light_too(seen):
    """Red print on white hardly shows in the red channel, and over-exposure bends what is left of it."""
    drawn, registration, frame = seen
    watch = ChangeWatch(drawn.layout, registration)
    pictures = []
    for gains in ((1.0, 1.0, 1.0), (1.08, 1.0, 0.92)):
        image = np.where(frame.image > 120, np.array([230, 230, 240]), np.array([40, 35, 215])) * np.array(gains)
        pictures.append(watch.look(np.clip(image, 0, 252).astype(np.uint8)))
    assert difference(*pictures).max() < 5
