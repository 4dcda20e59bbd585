"""The plots show what they are given."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'viewmat[train]'")

from models.training.plots import RIGHT, WRONG, Claims, honesty_plot, threshold_plot


def made(wrong: int) -> Claims:
    """A hundred cards claimed with 0.9, the first `wrong` of them falsely; fifty others, ten of them named with 0.4."""
    truth = np.concatenate([np.arange(100) % 52, np.full(50, -1)])
    found = np.concatenate([truth[:100], np.full(10, 3), np.full(40, 52)])
    found[:wrong] = (found[:wrong] + 1) % 52
    sure = np.concatenate([np.full(100, 0.9), np.full(50, 0.4)]).astype(np.float32)
    return Claims(truth, found, sure, np.zeros(150, np.int64))


def test_a_tally_counts_every_window_once() -> None:
    everything = np.ones(150, bool)
    assert made(7).tally(0.5, everything) == "100 cards: right 93, wrong 7, unknown 0; 50 others: named 0"
    assert made(7).tally(0.3, everything) == "100 cards: right 93, wrong 7, unknown 0; 50 others: named 10"
    assert made(7).tally(0.95, everything) == "100 cards: right 0, wrong 0, unknown 100; 50 others: named 0"
    assert made(7).tally(0.5, np.arange(150) < 7) == "7 cards: right 0, wrong 7, unknown 0; 0 others: named 0"


def drawn(canvas: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    return np.argwhere((canvas == colour).all(axis=2))


def test_wrong_cards_lift_the_red_line() -> None:
    few, many = (drawn(threshold_plot(made(wrong), 0.6), WRONG)[:, 0].min() for wrong in (1, 9))
    assert many < few


def test_an_honest_model_lies_on_the_diagonal() -> None:
    honest, boastful = (drawn(honesty_plot(made(wrong)), RIGHT)[:, 0].mean() for wrong in (10, 60))
    assert honest < boastful
