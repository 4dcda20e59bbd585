"""Counting what a model says, and the charts of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.training.charts import RIGHT, UNKNOWN, WRONG, bars, confusion_chart, honesty_chart, speed_chart, threshold_chart
from models.training.claims import Claims, Outcome


def made(wrong: int) -> Claims:
    """A hundred cards claimed with 0.9, the first `wrong` of them falsely; fifty others, ten of them named with 0.4."""
    truth = np.concatenate([np.arange(100) % 52, np.full(50, -1)])
    found = np.concatenate([truth[:100], np.full(10, 3), np.full(40, 52)])
    found[:wrong] = (found[:wrong] + 1) % 52
    sure = np.concatenate([np.full(100, 0.9), np.full(50, 0.4)]).astype(np.float32)
    guess = np.where(found < 52, found, 0)
    groups = np.repeat([0, 1, 2], 50)
    return Claims(truth, found, sure, guess, truth, groups, np.zeros(150, np.int64))


def test_an_outcome_counts_every_window_once() -> None:
    assert made(7).outcome(0.5) == Outcome(right=93, wrong=7, unknown=0, others=50, named=0)
    assert made(7).outcome(0.3) == Outcome(93, 7, 0, 50, 10)
    assert made(7).outcome(0.95) == Outcome(0, 0, 100, 50, 0)
    assert made(7).outcome(0.5, np.arange(150) < 7) == Outcome(0, 7, 0, 0, 0)
    assert made(7).outcome(0.5).cards == 100


def test_a_spoilt_card_that_is_read_right_is_not_misnamed() -> None:
    """Ten windows are called unreadable and named as 5c; in four of them a 5c lies."""
    told = made(0)
    lies = told.truth.copy()
    lies[100:104] = 3
    assert replace(told, lies=lies).outcome(0.3) == Outcome(100, 0, 0, 50, 6)


def test_honesty_compares_probability_and_truth() -> None:
    (_, others, count), (claimed, right, _) = made(10).honesty()
    assert (others, count) == (0.0, 10), "what is no card is never right"
    assert claimed == pytest.approx(0.9) and right == pytest.approx(0.9)
    assert made(10).gap() == pytest.approx(10 * 0.4 / 110, abs=1e-6)
    assert made(60).gap() > made(10).gap()


def test_confusion_counts_ranks_and_suits() -> None:
    told = made(1)  # the two of clubs is taken for the three
    ranks, suits = told.confusion()
    assert ranks.sum() == suits.sum() == 100
    assert ranks[0, 1] == 1 and ranks.trace() == 99 and suits.trace() == 100


def drawn(canvas: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    return np.argwhere((canvas == colour).all(axis=2))


def test_wrong_cards_lift_the_red_line() -> None:
    few, many = (drawn(threshold_chart(made(wrong), 0.6), WRONG)[:, 0].min() for wrong in (1, 9))
    assert many < few


def test_an_honest_model_lies_on_the_diagonal() -> None:
    honest, boastful = (drawn(honesty_chart(made(wrong)), RIGHT)[:, 0].mean() for wrong in (10, 60))
    assert honest < boastful


def test_bars_are_as_long_as_their_shares() -> None:
    canvas = bars({"all": Outcome(50, 25, 25), "Атласные": Outcome(100, 0, 0)}, "title")
    row = canvas[40]
    shares = [int((row == colour).all(axis=1).sum()) for colour in (RIGHT, UNKNOWN, WRONG)]
    assert shares == pytest.approx([210, 105, 105], abs=3)
    assert int((canvas[64] == RIGHT).all(axis=1).sum()) == pytest.approx(420, abs=3)


def test_a_confused_card_leaves_the_diagonal() -> None:
    clean, confused = (confusion_chart(made(wrong)) for wrong in (0, 1))
    assert not np.array_equal(clean, confused) and clean.shape == confused.shape


def test_speeds_are_shown_as_ratios() -> None:
    """The same machine twice as slow draws the same bars."""
    one = {"onnx_only_5_ms": 1.0, "mat_frame_ms": 4.0, "idle_cpu_fraction": 0.1, "photo_12mp_ms": None}
    two = {name: value and 2 * value for name, value in one.items()}
    assert np.array_equal(speed_chart(one, "onnx_only_5_ms")[30:], speed_chart(two, "onnx_only_5_ms")[30:])
    slower = one | {"mat_frame_ms": 8.0}
    assert not np.array_equal(speed_chart(one, "onnx_only_5_ms")[30:], speed_chart(slower, "onnx_only_5_ms")[30:])
