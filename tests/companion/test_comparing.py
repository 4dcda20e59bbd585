"""What is seen, held against what should lie there."""

from dataclasses import replace

import pytest

from companion.cards import DECK, Card, Mark, Unknown
from companion.comparing import (
    agrees,
    concerned_seats,
    differing_slots,
    exactly_as_agreed,
    fits,
    placed_cards,
    readings_to_learn,
    remedy,
    row_agrees,
)
from companion.rulings import Change, Placement
from companion.table import TableState, row, slot

HANDS = (tuple(DECK[:5]), (*DECK[5:9], Unknown(1)), tuple(DECK[10:15]))
TABLE = TableState(HANDS, (), (DECK[20], Unknown(2)), (DECK[30],))
NEW = DECK[50]
SEEN = Change((HANDS[0], (*HANDS[1][:4], NEW), HANDS[2]), (DECK[20], Mark.BACK))


def showing(seat: int, number: int, seen, change: Change = SEEN) -> Change:
    mat = change.mats[seat]
    changed = (*mat[: number - 1], seen, *mat[number:])
    return replace(change, mats=(*change.mats[:seat], changed, *change.mats[seat + 1 :]))


@pytest.mark.parametrize(
    ("seen", "held", "expected"),
    [
        (None, DECK[0], True),
        (Mark.COVERED, None, True),
        (Mark.EMPTY, None, True),
        (Mark.EMPTY, DECK[0], False),
        (Mark.EMPTY, Unknown(3), False),
        (DECK[0], DECK[0], True),
        (DECK[1], DECK[0], False),
        (NEW, Unknown(3), True),
        (DECK[0], Unknown(3), False),
        (Mark.BACK, DECK[0], False),
        (Mark.FOREIGN, Unknown(3), False),
        (Mark.UNREADABLE, DECK[0], False),
        (Mark.UNREADABLE, Unknown(3), True),
    ],
)
def test_what_a_place_may_show(seen, held, expected) -> None:
    assert fits(seen, held, placed_cards(TABLE)) is expected


def test_an_unread_card_seen_for_the_first_time_is_no_difference() -> None:
    assert agrees(SEEN, TABLE)
    assert not exactly_as_agreed(SEEN, TABLE), "it has to be learned first"
    assert list(readings_to_learn(SEEN, TABLE)) == [(Unknown(1), NEW)]


def test_a_card_that_lies_elsewhere_is_not_learned_twice() -> None:
    double = showing(1, 5, DECK[0])
    assert differing_slots(double, TABLE) == (slot(1, 5),)
    assert list(readings_to_learn(double, TABLE)) == []


def test_a_row_is_learned_position_by_position() -> None:
    read = replace(SEEN, row=(DECK[20], DECK[51]))
    assert (Unknown(2), DECK[51]) in list(readings_to_learn(read, TABLE))


def test_the_row_agrees_by_number_and_faces() -> None:
    assert row_agrees(replace(SEEN, row=None), TABLE)
    assert row_agrees(replace(SEEN, row=(Mark.UNREADABLE, DECK[51])), TABLE)
    assert not row_agrees(replace(SEEN, row=(DECK[20],)), TABLE)
    assert not row_agrees(replace(SEEN, row=(DECK[21], Mark.BACK)), TABLE)


def test_a_lift_is_not_exactly_as_agreed() -> None:
    known = TableState((HANDS[0], HANDS[0], HANDS[2]), (), (), ())
    still = Change(known.hands, ())
    assert exactly_as_agreed(still, known)
    assert not exactly_as_agreed(replace(still, returned=(slot(0, 1),)), known)


def test_the_seat_that_a_card_came_from_is_concerned() -> None:
    wandered = showing(0, 2, HANDS[2][0])
    assert concerned_seats(wandered, TABLE) == {0, 2}
    assert concerned_seats(showing(0, 2, NEW), TABLE) == {0}


def test_the_remedy_lists_slots_and_then_the_row() -> None:
    wrong = replace(showing(0, 2, Mark.EMPTY), row=())
    assert remedy(wrong, TABLE) == (Placement(slot(0, 2), HANDS[0][1]), Placement(row(1), None))
    assert remedy(SEEN, TABLE) == ()
    assert isinstance(HANDS[0][1], Card)
