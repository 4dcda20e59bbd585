"""When the referee waits: moves in hand that can still become legal, and pictures that cannot."""

from __future__ import annotations

import pytest

from companion.games.steal_state import Draw, StealCard
from companion.rulings import Verdict
from tests.companion.games.stealing import GAME, dealt, final, hidden, lock, play, position, shown, unwatched

ROW = position(row="9c 9d 9h")

OPEN = {
    "a card is in the hand": {"s1_2": "-"},
    "all cards of a seat are in the hand": {f"s1_{n}": "-" for n in range(1, 6)},
    "the new card lies in its slot, the old one is still in the hand": {"s0_2": "Kd"},
    "the old card is out, the new one not yet in": {"s0_2": "-", "row": "9c 9d 9h 3c"},
    "the drawn card was laid down and is picked up again": {"s0_2": "-", "row": "9c 9d 9h Kd"},
    "the drawn card lies on the row, the old one in the hand": {"s0_2": "-", "row": "9c 9d 9h #"},
    "the newest card of the row is in the hand": {"row": "9c 9d"},
    "an older card of the row is lifted and may be laid back": {"row": "9d 9h"},
    "the newest card is in the hand, a slot is empty": {"row": "9c 9d", "s0_4": "-"},
    "the taken card lies in its slot, the camera above has not looked": {"s0_4": "9h"},
    "the victim's slot is empty": {"s2_3": "-"},
    "both slots of a steal are empty": {"s2_3": "-", "s0_1": "-"},
    "the stolen card lies, the given one is in the hand": {"s2_3": "-", "s0_1": "4h"},
    "the given card lies, the stolen one is in the hand": {"s2_3": "2c", "s0_1": "-"},
    "cards are sorted, one is still in the hand": {"s1_1": "5d", "s1_4": "-"},
    "a card lies in a wrong slot and its neighbour is in the hand": {"s1_1": "3d", "s1_2": "-"},
}

CLOSED = {
    "own cards exchanged": {"s0_1": "3c", "s0_2": "2c"},
    "an exchange of two others": {"s1_1": "2h", "s2_1": "2d"},
    "two cards too many on the row": {"row": "9c 9d 9h Kd Qd"},
    "two replacements": {"s0_1": "Kd", "s0_2": "Qd"},
    "another seat replaced a card": {"s1_1": "Kd", "row": "9c 9d 9h 2d"},
    "a stolen card in a wrong slot": {"s0_1": "3c", "s0_2": "4d", "s1_3": "2c"},
    "an older card of the row taken": {"s0_1": "9c", "row": "9d 9h"},
    "a foreign card": {"s0_1": "x", "s0_2": "-"},
    "a card twice": {"s0_1": "4h", "s0_2": "-"},
    "another card on top of the row": {"row": "9c 9d Kd"},
    "another seat's card on the row": {"s1_2": "-", "row": "9c 9d 9h 3d"},
    "a wrong card on the row beside a full hand": {"s0_1": "Kd", "row": "9c 9d 9h 3c"},
}


@pytest.mark.parametrize("name", OPEN)
def test_worth_waiting(name: str) -> None:
    assert GAME.could_become(ROW, shown(ROW, **OPEN[name]))


@pytest.mark.parametrize("name", CLOSED)
def test_not_worth_waiting(name: str) -> None:
    change = shown(ROW, **CLOSED[name])
    assert GAME.explain(ROW, change).verdict is Verdict.ILLEGAL
    assert not GAME.could_become(ROW, change)


def test_a_removed_card_is_never_on_its_way() -> None:
    state = position(row="9c", removed="9s")
    assert not GAME.could_become(state, shown(state, s0_1="9s", s0_2="-"))


def test_a_locked_card_half_way_back() -> None:
    state = position(locks=(lock(0, 2, "4h", 2),))
    assert GAME.could_become(state, shown(state, s2_3="-")), "another card may have been meant"
    assert not GAME.could_become(state, shown(state, s2_3="2c", s0_1="4h"))


def test_everything_legal_can_be_waited_for() -> None:
    for action in (Draw(0, 1), Draw(0, None), StealCard(0, 1, 2, 3)):
        assert GAME.could_become(ROW, shown(play(ROW, action)))


def test_without_a_tray() -> None:
    assert GAME.could_become(ROW, shown(ROW, row=None, s0_2="-"))
    assert not GAME.could_become(ROW, shown(ROW, row=None, s1_2="Kd"))


def test_a_steal_from_a_seat_without_a_mat_in_the_middle() -> None:
    tap = hidden(ROW, "2h", "3h", "4h", "5h", "6h")
    assert GAME.could_become(tap, unwatched(shown(tap, s0_2="-"), 2))
    assert GAME.could_become(tap, unwatched(shown(tap, s0_2="Kd"), 2))


def test_before_the_start_cards_out_of_their_slots_are_nothing_to_hurry_about() -> None:
    state = dealt()
    other = [str(card) for card in state.table.hands[1]]
    assert GAME.could_become(state, shown(state, s0_1="-"))
    assert GAME.could_become(state, shown(state, s0_1="-", s1_1=other[1], s1_2="-"))
    assert GAME.could_become(state, shown(state, s0_1="-", row=str(state.table.hands[0][0])))
    first, second = str(state.table.hands[1][0]), str(state.table.hands[2][0])
    assert not GAME.could_become(state, shown(state, s1_1=second, s2_1=first))


def test_at_the_end() -> None:
    over = position(phase="over", current=None, ender=2)
    assert GAME.could_become(over, shown(over, s0_1="-")), "a card is picked up to be shown"
    assert not GAME.could_become(over, shown(over, s0_1="2d", s1_1="2c"))
    state = final()
    assert GAME.could_become(state, shown(state, row="9c 9d 9h 9s Tc 2c", s0_1="-"))
