"""When markers are looked for, and when not."""

from __future__ import annotations

import pytest

import vision.registrar
from companion.cards import DECK
from vision.layout import mat_layout
from vision.registrar import Registrar

CARDS = DECK[3:8]


@pytest.fixture
def searches(monkeypatch):
    """Counts how often a whole picture was searched for markers."""
    counted = []
    search = vision.registrar.find_markers

    def count(image):
        counted.append(image.shape)
        return search(image)

    monkeypatch.setattr(vision.registrar, "find_markers", count)
    return counted


def test_markers_are_looked_for_at_the_start_and_then_now_and_then(board, searches):
    drawn, registrar = board(mat_layout(0)), Registrar(mat_layout(0), recheck_s=2.0)
    for step in range(50):
        assert registrar.update(drawn.frame(step * 0.1, CARDS).image, step * 0.1) is not None
    assert len(searches) == 3


def test_other_cards_and_other_light_call_for_no_search(board, searches):
    drawn, registrar = board(mat_layout(0)), Registrar(mat_layout(0), recheck_s=60.0)
    first = registrar.update(drawn.frame(0.0, CARDS).image, 0.0)
    for step in range(1, 20):
        image = drawn.frame(step * 0.1, DECK[step : step + 5], gain=1 - 0.02 * step, noise=5.0).image
        assert registrar.update(image, step * 0.1) is first
    assert len(searches) == 1


def test_a_knock_calls_for_a_search_at_once(board, searches):
    drawn, registrar = board(mat_layout(0)), Registrar(mat_layout(0), recheck_s=60.0)
    first = registrar.update(drawn.frame(0.0, CARDS).image, 0.0)
    drawn.shift_mm = (2.0, 0.0)
    assert registrar.update(drawn.frame(0.1, CARDS).image, 0.1) is not first
    assert registrar.moved_mm == pytest.approx(2.0, abs=0.15)
    assert len(searches) == 2


def test_a_board_out_of_sight_is_searched_for_twice_a_second(board, searches):
    drawn, registrar = board(mat_layout(0)), Registrar(mat_layout(0))
    for step in range(20):
        assert registrar.update(drawn.frame(step * 0.1, CARDS, hidden=range(8)).image, step * 0.1) is None
    assert "found none" in registrar.trouble
    assert len(searches) in (4, 5)
    assert registrar.update(drawn.frame(3.0, CARDS).image, 3.0) is not None
    assert registrar.trouble is None


def test_a_picture_of_another_size_is_registered_anew(board):
    drawn, registrar = board(mat_layout(0)), Registrar(mat_layout(0))
    image = drawn.frame(0.0, CARDS).image
    first = registrar.update(image, 0.0)
    half = registrar.update(image[::2, ::2].copy(), 0.1)
    assert half is not None
    assert half.size_px == (768, 144)
    assert half.px_per_mm() == pytest.approx(first.px_per_mm() / 2, rel=0.02)
