"""Hands on a photographed table: rows however the camera was held, and groups that lie towards their owners."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from companion.cards import DECK, Card
from tests.photographs import Laid
from vision.grouping import as_they_lie, grouped, hands, merged, rows
from vision.photo import PhotoCard


def seen(card: Card | None, x: float, y: float, degrees: float = 0.0) -> PhotoCard:
    corners = tuple((float(cx), float(cy)) for cx, cy in Laid("As", (x, y), degrees, 1.0).corners())
    return PhotoCard(card, 1.0, corners)  # type: ignore[arg-type]


def named(cards: str) -> tuple[PhotoCard, ...]:
    return tuple(seen(None if text == "?" else Card.parse(text), 70.0 * i, 0.0) for i, text in enumerate(cards.split()))


def texts(groups: Sequence[Sequence[PhotoCard]]) -> list[list[str]]:
    return [["?" if card.card is None else str(card.card) for card in group] for group in groups]


def turned(cards: Sequence[PhotoCard], degrees: float) -> list[PhotoCard]:
    angle = np.radians(degrees)
    matrix = np.array(((np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))))
    return [PhotoCard(c.card, c.confidence, tuple(map(tuple, (np.array(c.corners) @ matrix).tolist()))) for c in cards]  # type: ignore[arg-type]


def laid_rows(count: int, spacing: float = 100.0) -> list[PhotoCard]:
    random = np.random.default_rng(4)
    return [
        seen(DECK[5 * row + i], 70.0 * i + random.uniform(-4, 4), spacing * row + random.uniform(-6, 6), random.uniform(-5, 5))
        for row in range(count) for i in range(5)
    ]


@pytest.mark.parametrize("tilt", [0, -25, 18, 35])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_rows_are_found_however_the_camera_was_held(tilt: int, count: int) -> None:
    cards = turned(laid_rows(count), tilt)
    shuffled = [cards[i] for i in np.random.default_rng(1).permutation(len(cards))]
    assert texts(rows(shuffled)) == [[str(DECK[5 * row + i]) for i in range(5)] for row in range(count)]


def test_a_short_row_stays_a_row() -> None:
    cards = laid_rows(3)
    del cards[7]
    assert [len(row) for row in rows(cards)] == [5, 4, 5]


def test_no_cards_make_no_groups() -> None:
    assert rows([]) == hands([]) == merged([]) == ()


def round_table(seats: int, radius: float) -> list[PhotoCard]:
    """Seat 0 at the bottom, clockwise as one looks down; each owner's cards from his left to his right."""
    random = np.random.default_rng(seats)
    cards = []
    for seat in range(seats):
        angle = 2 * np.pi * seat / seats
        outward = np.array((-np.sin(angle), np.cos(angle)))
        right = np.array((outward[1], -outward[0]))
        for i in range(5):
            x, y = outward * radius + right * 68.0 * (i - 2) + random.uniform(-4, 4, 2)
            cards.append(seen(DECK[5 * seat + i], float(x), float(y), float(np.degrees(angle)) + random.uniform(-6, 6)))
    return cards


@pytest.mark.parametrize(("seats", "radius"), [(2, 120), (3, 190), (4, 260), (5, 330)])
def test_hands_lie_towards_their_owners(seats: int, radius: float) -> None:
    cards = round_table(seats, radius)
    shuffled = [cards[i] for i in np.random.default_rng(2).permutation(len(cards))]
    assert texts(hands(shuffled)) == [[str(DECK[5 * seat + i]) for i in range(5)] for seat in range(seats)]


def test_a_card_that_cannot_be_read_stays_in_its_hand() -> None:
    cards = round_table(3, 190)
    cards[6] = PhotoCard(None, 0.4, cards[6].corners)
    groups = texts(hands(cards))
    assert [len(group) for group in groups] == [5, 5, 5]
    assert groups[1][1] == "?"


def test_pictures_of_one_table_complete_each_other() -> None:
    first = [named("As Ks ? 2c 3c"), named("9h 9d 4c 4s ?")]
    second = [named("9h 9d 4c ? Td"), named("As Ks 7d ? 3c")]
    found = merged([first, second])
    whole = [{"As", "Ks", "7d", "2c", "3c"}, {"9h", "9d", "4c", "4s", "Td"}]
    assert [{*group} for group in texts([cards for _, cards in found])] == whole


def test_a_hand_that_one_picture_alone_shows_is_kept() -> None:
    found = merged([[named("As Ks Qd 2c 3c")], [named("9h 9d 4c 4s Td"), named("As Ks Qd 2c 3c")]])
    assert texts([cards for _, cards in found]) == [["As", "Ks", "Qd", "2c", "3c"], ["9h", "9d", "4c", "4s", "Td"]]
    assert [picture for picture, _ in found] == [0, 1]


def test_two_equal_hands_in_one_picture_stay_two() -> None:
    twice = named("As Ks Qd 2c 3c")
    assert len(merged([[twice, twice]])) == 2


def test_readings_that_contradict_are_not_thrown_away() -> None:
    found = merged([[named("As Ks Qd 2c 3c")], [named("As Ks Qd 2c 4c")]])
    assert texts([cards for _, cards in found]) == [["As", "Ks", "Qd", "2c", "3c", "4c"]]


@pytest.mark.parametrize("degrees", [0, 30, 90, -75, 180])
@pytest.mark.parametrize("count", [2, 4])
def test_cards_that_lie_in_rows_are_taken_for_rows_however_the_telephone_was_held(count: int, degrees: int) -> None:
    cards = turned(laid_rows(count, spacing=80.0), degrees)
    found = as_they_lie([cards[i] for i in np.random.default_rng(3).permutation(len(cards))])
    assert {frozenset(group) for group in texts(found)} == {
        frozenset(str(DECK[5 * row + i]) for i in range(5)) for row in range(count)
    }
    assert all(card in cards for group in found for card in group), "the cards lie where the picture has them"


@pytest.mark.parametrize(("seats", "radius"), [(2, 120), (3, 190), (4, 260), (5, 330)])
def test_hands_round_a_table_are_not_taken_for_rows(seats: int, radius: float) -> None:
    cards = round_table(seats, radius)
    assert {frozenset(group) for group in texts(as_they_lie(cards))} == {frozenset(group) for group in texts(hands(cards))}


def test_a_row_that_lacks_a_card_stays_a_row() -> None:
    cards = laid_rows(4)
    del cards[12]
    assert [len(group) for group in as_they_lie(cards)] == [5, 5, 4, 5]


def test_what_makes_no_rows_of_five_is_grouped_by_nearness() -> None:
    six = [*laid_rows(1), seen(Card.parse("9c"), 70.0 * 5, 0.0)]
    assert as_they_lie(six) == hands(six)


def test_the_ways_to_make_hands() -> None:
    table = laid_rows(2)
    assert [number for number, _ in grouped([table, table[:5]], "photo")] == [0, 1]
    assert [len(cards) for _, cards in grouped([table, table[:5]], "rows")] == [5, 5, 5]
    assert [len(cards) for _, cards in grouped([table, table[:5]], "auto")] == [5, 5]
