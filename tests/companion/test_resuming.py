"""The table as it is seen, taken over: every card once, what is seen where it is, the rest as it was as far as that goes."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cards import DECK, Card, Mark, Seen, Unknown
from companion.resuming import faces_only, laid_as_seen
from companion.rulings import Change
from companion.table import SLOTS, TableState, row, slot


def a_table(seed: int = 1, unknown_hand: int | None = None) -> TableState:
    """Three hands, three cards on the row, two out of the game; the pile is unknown, and one hand may be."""
    cards = list(DECK)
    random.Random(seed).shuffle(cards)
    hands = [tuple(cards[5 * seat : 5 * seat + 5]) for seat in range(3)]
    if unknown_hand is not None:
        hands[unknown_hand] = tuple(Unknown(100 + n) for n in range(5))
    return TableState(tuple(hands), tuple(Unknown(n) for n in range(32)), tuple(cards[15:18]), tuple(cards[18:20]))


def seen_of(table: TableState) -> Change:
    """What cameras see of it when everything lies as it should."""
    mats = tuple(tuple(Mark.UNREADABLE if isinstance(c, Unknown) else c or Mark.EMPTY for c in hand) for hand in table.hands)
    return Change(mats, tuple(c if isinstance(c, Card) else Mark.BACK for c in table.row))


def showing(change: Change, seat: int, number: int, seen: Seen | None) -> Change:
    mat = change.mats[seat]
    mats = (*change.mats[:seat], (*mat[: number - 1], seen, *mat[number:]), *change.mats[seat + 1 :])
    return replace(change, mats=mats)


def whole(table: TableState, before: TableState) -> None:
    """Every card once, and as many as before."""
    cards = list(table.cards())
    assert len(cards) == len(set(cards)) == len(list(before.cards()))


def stranger(table: TableState) -> Card:
    return next(card for card in DECK if table.find(card) is None)


def test_what_is_as_agreed_stays() -> None:
    table = a_table()
    assert laid_as_seen(seen_of(table), table) == table


def test_two_cards_that_changed_places() -> None:
    table = a_table()
    first, second = table.hands[0][1], table.hands[2][3]
    change = showing(showing(seen_of(table), 0, 2, second), 2, 4, first)  # type: ignore[arg-type]
    assert laid_as_seen(change, table) == table.with_slot(0, 2, second).with_slot(2, 4, first)


def test_a_card_that_nobody_knew_comes_from_the_pile_and_the_old_one_goes_there() -> None:
    table = a_table()
    new, old = stranger(table), table.hands[1][0]
    laid = laid_as_seen(showing(seen_of(table), 1, 1, new), table)
    assert laid is not None
    whole(laid, table)
    assert laid.at(slot(1, 1)) == new
    assert old in laid.pile
    assert (len(laid.pile), laid.row, laid.removed) == (len(table.pile), table.row, table.removed)


def test_a_draw_that_the_row_shows() -> None:
    table = a_table()
    new, old = stranger(table), table.hands[1][0]
    change = showing(seen_of(table), 1, 1, new)
    laid = laid_as_seen(replace(change, row=(*(change.row or ()), old)), table)  # type: ignore[arg-type]
    assert laid is not None
    whole(laid, table)
    assert (laid.at(slot(1, 1)), laid.at(row(4))) == (new, old)
    assert len(laid.pile) == len(table.pile) - 1


def test_a_card_taken_from_a_mat_that_nobody_looks_at_is_exchanged() -> None:
    table = a_table()
    stolen, given = table.hands[2][4], table.hands[0][0]
    change = replace(showing(seen_of(table), 0, 1, stolen), mats=(  # type: ignore[arg-type]
        (stolen, *table.hands[0][1:]), seen_of(table).mats[1], (None,) * 5,
    ))  # fmt: skip
    laid = laid_as_seen(change, table)
    assert laid is not None
    whole(laid, table)
    assert (laid.at(slot(0, 1)), laid.at(slot(2, 5))) == (stolen, given)


def test_a_removed_card_may_be_taken_back() -> None:
    table = a_table()
    back = table.removed[0]
    laid = laid_as_seen(showing(seen_of(table), 1, 3, back), table)  # type: ignore[arg-type]
    assert laid is not None
    whole(laid, table)
    assert (laid.at(slot(1, 3)), laid.removed) == (back, table.removed[1:])


def test_an_unread_hand_keeps_its_cards() -> None:
    table = a_table(unknown_hand=1)
    new = stranger(table)
    assert laid_as_seen(showing(seen_of(table), 1, 3, new), table) == table, "it is only read for the first time"


def test_a_longer_row_of_backs_takes_unknown_cards() -> None:
    table = a_table()
    change = seen_of(table)
    laid = laid_as_seen(replace(change, row=(*(change.row or ()), Mark.BACK)), table)
    assert laid is not None
    whole(laid, table)
    assert (laid.row[:3], isinstance(laid.row[3], Unknown)) == (table.row, True)


@pytest.mark.parametrize("seen", [Mark.EMPTY, Mark.FOREIGN, Mark.BACK])
def test_what_is_no_whole_table_cannot_be_taken_over(seen: Mark) -> None:
    table = a_table()
    assert laid_as_seen(showing(seen_of(table), 1, 3, seen), table) is None


def test_one_card_in_two_places_cannot_be_taken_over() -> None:
    table = a_table()
    new = stranger(table)
    assert laid_as_seen(showing(showing(seen_of(table), 1, 3, new), 0, 1, new), table) is None


def test_after_the_end_only_faces_count() -> None:
    table = a_table()
    change = showing(showing(seen_of(table), 1, 3, Mark.BACK), 0, 1, Mark.EMPTY)
    assert faces_only(change).mats[1][2] is None
    assert laid_as_seen(faces_only(change), table) == table
    assert faces_only(showing(change, 1, 3, Mark.FOREIGN)).mats[1][2] is Mark.FOREIGN


sights = st.one_of(st.none(), st.sampled_from(DECK), st.sampled_from([Mark.COVERED, Mark.EMPTY, Mark.UNREADABLE]))
mats = st.lists(st.lists(sights, min_size=5, max_size=5), min_size=3, max_size=3)
rows = st.one_of(st.none(), st.lists(st.one_of(st.sampled_from(DECK), st.just(Mark.BACK)), max_size=9))


@given(mats, rows, st.integers(0, 5), st.one_of(st.none(), st.integers(0, 2)), st.booleans())
def test_whatever_is_seen_no_card_is_lost_or_doubled(
    shown: list[list[Seen | None]], line: list[Seen] | None, seed: int, unknown: int | None, mostly: bool
) -> None:
    table = a_table(seed, unknown)
    honest = seen_of(table)
    if mostly:
        # Few of random sights are a whole table; these are so more often.
        shown = [[honest.mats[s][k] if (s + k) % 4 else shown[s][k] for k in range(5)] for s in range(3)]
    change = Change(tuple(map(tuple, shown)), None if line is None else tuple(line))
    laid = laid_as_seen(change, table)
    if laid is None:
        return
    whole(laid, table)
    for seat in range(3):
        for number in SLOTS:
            seen = change.mats[seat][number - 1]
            held = laid.at(slot(seat, number))
            assert not isinstance(seen, Card) or held == seen or isinstance(held, Unknown)
    if change.row is not None:
        assert len(laid.row) == len(change.row)
