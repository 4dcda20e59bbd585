"""What windows say together: corners that agree strengthen each other, corners that contradict leave doubt."""

from __future__ import annotations

import numpy as np
import pytest

from companion.cards import DECK, Card, Mark
from vision.classifier import LABELS, Reading
from vision.evidence import odds, weigh


def reading(**shares: float) -> Reading:
    """A row that gives these shares to cards or marks, and the rest evenly to everything."""
    marks = {mark.value: mark for mark in Mark}
    named = {LABELS.index(marks.get(name) or Card.parse(name)): share for name, share in shares.items()}
    row = np.full(len(LABELS), (1 - sum(named.values())) / len(LABELS), np.float32)
    for label, share in named.items():
        row[label] += share
    return row


def test_corners_that_agree_are_surer_than_one() -> None:
    one = weigh(reading(Kh=0.9)[None])
    both = weigh(np.stack((reading(Kh=0.9), reading(Kh=0.9))))
    assert (one.card, both.card) == (Card.parse("Kh"), Card.parse("Kh"))
    assert one.confidence < 0.95 < 0.99 < both.confidence
    assert (one.corners, both.corners) == (1, 2)


def test_corners_that_contradict_leave_doubt() -> None:
    verdict = weigh(np.stack((reading(Kh=0.97), reading(Qh=0.97))))
    assert verdict.confidence < 0.7
    assert verdict.corners == 1


def test_a_hidden_corner_takes_nothing_from_the_other() -> None:
    alone = weigh(reading(Kh=0.98)[None])
    for mark in ("covered", "empty", "unreadable"):
        both = weigh(np.stack((reading(Kh=0.98), reading(**{mark: 0.95}))))
        assert both.confidence == pytest.approx(alone.confidence, abs=0.005)


def test_two_weak_readings_do_not_make_a_sure_one() -> None:
    verdict = weigh(np.stack((reading(Kh=0.66, unreadable=0.3), reading(Kh=0.61, unreadable=0.3))))
    assert verdict.card == Card.parse("Kh")
    assert 0.6 < verdict.confidence < 0.7


def test_no_single_window_is_certain() -> None:
    certain = np.zeros(len(LABELS), np.float32)
    certain[LABELS.index(Card.parse("2c"))] = 1.0
    assert 0.98 < weigh(certain[None]).confidence < 0.997


def test_presence_is_what_the_best_corner_gives_to_cards() -> None:
    verdict = weigh(np.stack((reading(back=0.95), reading(Kh=0.3, Qh=0.3))))
    assert 0.6 < verdict.presence < 0.99
    assert weigh(reading(back=0.97)[None]).presence < 0.1


def test_odds_are_over_cards_alone() -> None:
    shares = odds(reading(empty=0.9, Kh=0.05))
    assert shares.shape == (52,)
    assert shares.sum() == pytest.approx(1.0)
    assert DECK[int(shares.argmax())] == Card.parse("Kh")
