"""Outlines: where cards lie, found to a fraction of a millimetre whatever they lie on."""

from __future__ import annotations

import numpy as np
import pytest

from tests.photographs import Laid, apart_mm, cloth, lay
from vision.outlines import Outline, clockwise, find_outlines, is_cardlike, outside_of_frame, proportion, side_lengths

BACKGROUNDS = {
    "felt": (60, 110, 40), "black": (18, 18, 20), "wood": (90, 130, 175), "grey": (120, 125, 130), "near white": (205, 210, 212),
}


@pytest.mark.parametrize("ground", BACKGROUNDS)
@pytest.mark.parametrize("degrees", [0.0, 33.0, 90.0, 151.0])
def test_a_card_is_outlined_on_any_background(ground: str, degrees: float) -> None:
    laid = Laid("Qh", (330, 300), degrees, 3.0, 0.15)
    outlines = find_outlines(lay(cloth(660, 600, BACKGROUNDS[ground]), [laid]))
    best = min(outlines, key=lambda outline: apart_mm(outline.corners, laid))
    assert apart_mm(best.corners, laid) < 1.2
    assert best.votes >= 2


def test_every_card_of_a_table_is_among_the_first_outlines() -> None:
    laid = [Laid("Kh", (250, 300), 20), Laid("7c", (600, 300), -70, 2.5, 0.2), Laid("back", (450, 560), 90, 2.0)]
    laid.append(Laid("Td", (750, 560), 5, 2.0))
    outlines = find_outlines(lay(cloth(900, 700), laid))
    for card in laid:
        assert min(apart_mm(outline.corners, card) for outline in outlines[:12]) < 1.5


def test_large_photographs_give_corners_in_their_own_pixels() -> None:
    laid = Laid("9s", (1300, 1000), 12, 12.0)
    outlines = find_outlines(lay(cloth(2600, 2000), [laid]))
    assert min(apart_mm(outline.corners, laid) for outline in outlines) < 0.8


def test_pips_come_after_cards() -> None:
    laid = Laid("Td", (300, 300), 10, 5.0)
    outlines = find_outlines(lay(cloth(600, 600), [laid]))
    sizes = [float(side_lengths(outline.corners).min()) for outline in outlines]
    pips = [position for position, size in enumerate(sizes) if size < 100]
    cards = [position for position, size in enumerate(sizes) if size > 250]
    assert cards
    assert not pips or min(pips) > min(cards)


def test_what_is_cardlike() -> None:
    card = np.array(((0, 0), (63, 0), (63, 88), (0, 88)), np.float32)
    assert is_cardlike(card)
    assert proportion(card) == pytest.approx(88 / 63)
    assert not is_cardlike(card * np.array((1, 3), np.float32)), "too long"
    assert not is_cardlike(np.array(((0, 0), (63, 0), (20, 88), (0, 88)), np.float32)), "opposite sides differ"
    assert not is_cardlike(np.array(((0, 0), (63, 0), (10, 10), (0, 88)), np.float32)), "not convex"
    assert not is_cardlike(np.array(((0, 0), (63, 0), (143, 88), (80, 88)), np.float32)), "too slanted"


def test_corners_are_put_clockwise() -> None:
    card = np.array(((0, 0), (63, 0), (63, 88), (0, 88)), np.float32)
    assert np.array_equal(clockwise(card), card)
    assert np.array_equal(clockwise(card[::-1]), card)


@pytest.mark.parametrize("degrees", [0.0, 40.0, 90.0, 200.0])
@pytest.mark.parametrize("first", range(4))
def test_the_edge_of_a_card_is_guessed_from_its_frame(degrees: float, first: int) -> None:
    laid = Laid("Qh", (330, 300), degrees, 4.0)
    shrink = np.array((1 / 1.34, 1 / 1.2))
    turn = np.radians(degrees)
    axes = np.array(((np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))))
    frame = ((laid.corners() - laid.middle) @ axes.T * shrink) @ axes + laid.middle
    outline = Outline(np.ascontiguousarray(np.roll(frame, first, axis=0), np.float32), 3, 0.01)
    assert apart_mm(outside_of_frame(outline).corners, laid) < 0.5
