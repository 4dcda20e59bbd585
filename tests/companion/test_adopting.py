"""The table as it lies: 52 cards, each once, wherever they are seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.adopting import as_it_lies, changed_since, check_adoptable, faces_to_learn, masked
from companion.cards import DECK, Card, Mark, Unknown
from companion.errors import DeclarationError
from companion.rulings import Change
from companion.table import TableState, row, slot

HANDS = tuple(DECK[5 * seat : 5 * seat + 5] for seat in range(3))
TABLE = TableState(HANDS, tuple(Unknown(n) for n in range(35)), DECK[15:17], ())
LYING = Change(HANDS, DECK[15:17])


def seen(**slots: Card | Mark | None) -> Change:
    """What lies as agreed, except for the slots named like ``s12`` (seat 1, slot 2), and the row."""
    mats = [list(hand) for hand in HANDS]
    for name, claim in slots.items():
        mats[int(name[1])][int(name[2]) - 1] = claim  # type: ignore[call-overload]
    return Change(tuple(map(tuple, mats)), DECK[15:17])


def taken(table: TableState, change: Change) -> TableState:
    check_adoptable(table, change)
    for unknown, card in faces_to_learn(table, change):
        table = table.learned(unknown, card)
    return as_it_lies(table, change)


def test_a_table_as_agreed_stays() -> None:
    assert taken(TABLE, LYING) == TABLE


def test_a_hand_that_was_given_up_stays_away() -> None:
    table = TableState((HANDS[0], (None,) * 5, HANDS[2]), TABLE.pile, (), (*HANDS[1], *DECK[15:17]))
    mats = (HANDS[0], (Mark.EMPTY,) * 5, (HANDS[0][0], *HANDS[2][1:]))
    after = as_it_lies(table, Change(((HANDS[2][0], *HANDS[0][1:]), *mats[1:]), None))
    assert after.hands[1] == (None,) * 5 and after.hands[0][0] == HANDS[2][0]


def test_two_cards_that_changed_places() -> None:
    after = taken(TABLE, seen(s01=HANDS[2][3], s24=HANDS[0][0]))
    assert after.at(slot(0, 1)) == HANDS[2][3]
    assert after.at(slot(2, 4)) == HANDS[0][0]
    assert (after.pile, after.row, after.removed) == (TABLE.pile, TABLE.row, ())


def test_a_card_that_nobody_knew_comes_from_the_pile_and_the_old_one_is_gone() -> None:
    after = taken(TABLE, seen(s01=DECK[40]))
    assert after.at(slot(0, 1)) == DECK[40]
    assert len(after.pile) == 34
    assert after.removed == (HANDS[0][0],)


def test_an_unread_card_that_is_read_now_is_the_one_that_lay_there() -> None:
    unread = TABLE.renamed(HANDS[1][1], Unknown(99))
    assert faces_to_learn(unread, LYING) == ((Unknown(99), HANDS[1][1]),)
    assert taken(unread, LYING) == TABLE


def test_a_card_that_was_stolen_from_a_seat_that_nobody_watches_left_the_other_there() -> None:
    blind = Change((HANDS[0], (None,) * 5, HANDS[2]), DECK[15:17])
    moved = Change(((HANDS[1][2], *HANDS[0][1:]), (None,) * 5, HANDS[2]), DECK[15:17])
    assert taken(TABLE, blind) == TABLE
    assert taken(TABLE, moved).at(slot(1, 3)) == HANDS[0][0]


def test_a_longer_row_takes_what_is_loose_and_then_the_pile() -> None:
    change = Change(seen(s01=DECK[40]).mats, (*DECK[15:17], Mark.BACK, Mark.UNREADABLE))
    after = taken(TABLE, change)
    assert after.row == (*DECK[15:17], HANDS[0][0], Unknown(1))
    assert after.removed == ()


def test_a_shorter_row_has_lost_its_card() -> None:
    after = taken(TABLE, Change(HANDS, DECK[15:16]))
    assert (after.row, after.removed) == (DECK[15:16], (DECK[16],))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (seen(s01=Mark.FOREIGN), "outside this deck"),
        (seen(s01=Mark.EMPTY), "a slot is empty"),
        (seen(s01=HANDS[1][0]), "one card is seen in two places"),
    ],
)
def test_what_can_be_no_table_is_refused_and_no_card_is_named(change: Change, words: str) -> None:
    with pytest.raises(DeclarationError, match=words) as refusal:
        taken(TABLE, change)
    assert not any(str(card) in str(refusal.value).split() for card in DECK)


claims = st.sampled_from([*DECK, Mark.COVERED, Mark.UNREADABLE, None])


@given(st.lists(st.lists(claims, min_size=5, max_size=5), min_size=3, max_size=3), st.none() | st.lists(claims, max_size=7))
def test_whatever_is_seen_the_table_keeps_its_cards(mats: list[list[Card | Mark | None]], line: list[Card | Mark] | None) -> None:
    change = Change(tuple(map(tuple, mats)), None if line is None else tuple(Mark.BACK if c is None else c for c in line))
    try:
        after = taken(TABLE, change)
    except DeclarationError:
        return
    cards = list(after.cards())
    assert len(cards) == len(set(cards)) == 52
    assert all(len(hand) == 5 and None not in hand for hand in after.hands)
    for seat, mat in enumerate(change.mats):
        for number, claim in enumerate(mat, 1):
            assert not isinstance(claim, Card) or after.at(slot(seat, number)) == claim
    if change.row is not None:
        assert len(after.row) == len(change.row)


def test_masked_places_are_not_looked_at() -> None:
    change = Change(HANDS, DECK[15:17], returned=(slot(0, 1), slot(1, 1)))
    hidden = masked(change, frozenset((slot(0, 1), row(2))))
    assert hidden.mats == ((Mark.COVERED, *HANDS[0][1:]), *HANDS[1:])
    assert hidden.row == (DECK[15], Mark.UNREADABLE)
    assert hidden.returned == (slot(1, 1),)


def test_only_what_was_quiet_before_and_now_has_changed() -> None:
    now = seen(s01=HANDS[0][1], s02=HANDS[0][0], s23=Mark.COVERED, s24=Mark.UNREADABLE, s25=Mark.EMPTY)
    assert changed_since(LYING, now) == {slot(0, 1), slot(0, 2), slot(2, 5)}
    assert changed_since(now, LYING) == {slot(0, 1), slot(0, 2), slot(2, 5)}
    assert changed_since(LYING, Change(HANDS, DECK[15:16])) == {row(2)}
    assert changed_since(LYING, Change(HANDS, None)) == frozenset()
