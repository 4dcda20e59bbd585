"""Windows made white: coloured light, dark stock, stained paper."""

from __future__ import annotations

import cv2
import numpy as np

from vision.classifier import Patches
from vision.frame import Image
from vision.ink import in_red, minding_colour
from vision.layout import WINDOW_PX
from vision.paper import bleached, on_dark_stock, on_white_paper, turned_over

BLACK, RED = (25, 25, 25), (30, 25, 190)


def index(ink: tuple[int, int, int], stock: tuple[int, int, int] = (245, 248, 250)) -> Image:
    patch = np.empty((WINDOW_PX[1], WINDOW_PX[0], 3), np.uint8)
    patch[:] = stock
    cv2.putText(patch, "7", (8, 30), cv2.FONT_HERSHEY_SIMPLEX, 0.9, ink, 3, cv2.LINE_AA)
    cv2.circle(patch, (16, 46), 7, ink, -1, cv2.LINE_AA)
    return patch


def lit(patch: Image, blue: float, green: float, red: float) -> Patches:
    return np.clip(patch * np.array((blue, green, red)), 0, 255).astype(np.uint8)[None]


def paper_of(patches: Patches) -> np.ndarray:
    return np.asarray(np.median(patches.reshape(-1, 3), axis=0))


def test_paper_is_white_in_any_light() -> None:
    for light in ((0.2, 0.6, 0.9), (0.9, 0.7, 0.5), (0.25, 0.25, 0.25)):
        paper = paper_of(on_white_paper(lit(index(BLACK), *light)))
        assert paper.min() > 220
        assert np.ptp(paper) < 15


def test_light_without_any_blue_leaves_red_red_and_black_black() -> None:
    red, black = (on_white_paper(lit(index(ink), 0.01, 0.55, 0.8)) for ink in (RED, BLACK))
    assert paper_of(red).min() > 215
    assert in_red(red).all()
    assert not in_red(black).any()


def test_light_print_on_dark_stock_is_turned_over() -> None:
    white_on_black, red_on_black = index((240, 240, 240), (20, 18, 18)), index((40, 30, 220), (20, 18, 18))
    assert on_dark_stock(np.stack([white_on_black, red_on_black])).all()
    turned = on_white_paper(np.stack([white_on_black, red_on_black]))
    assert paper_of(turned).min() > 215
    assert turned[0, 46, 16].max() < 60
    assert in_red(turned).tolist() == [False, True]


def test_ordinary_windows_are_not_turned_over() -> None:
    windows = np.stack([index(BLACK), index(RED), (index(BLACK) * 0.2).astype(np.uint8)])
    assert not on_dark_stock(windows).any()
    assert np.array_equal(turned_over(turned_over(windows[:1])), windows[:1]) or abs(int(turned_over(windows[:1]).min())) < 15


def test_stains_and_grain_are_bleached_and_print_stays() -> None:
    rng = np.random.default_rng(3)
    grain = rng.normal(1, 0.12, (WINDOW_PX[1], WINDOW_PX[0], 1))
    old = np.clip(index(BLACK, (120, 190, 220)) * grain, 0, 255).astype(np.uint8)[None]
    clean = bleached(old)[0]
    paper = clean[60:, 30:]
    assert paper.mean() > 225
    assert paper.std() < on_white_paper(old)[0][60:, 30:].std() / 2
    assert clean[46, 16].max() < 90


def test_blank_paper_stays_blank() -> None:
    rng = np.random.default_rng(5)
    blank = np.clip(rng.normal(200, 6, (1, WINDOW_PX[1], WINDOW_PX[0], 3)), 0, 255).astype(np.uint8)
    assert bleached(blank).min() > 215


def test_red_print_makes_black_suits_unlikely() -> None:
    reading = np.zeros((2, 57), np.float32)
    reading[:, :52] = 1 / 52
    told = minding_colour(reading, np.stack([index(RED), index(BLACK)]))
    assert np.allclose(told.sum(axis=1), 1)
    assert np.allclose(told[1], reading[1])
    assert told[0, :13].max() < 0.001 < told[0, 13:39].min()


def test_no_windows_stay_none() -> None:
    none = np.empty((0, WINDOW_PX[1], WINDOW_PX[0], 3), np.uint8)
    assert len(on_white_paper(none)) == len(bleached(none)) == 0
