"""Players who leave and come back: before the deal is complete, in the middle of a move, several of them."""

from __future__ import annotations

import pytest

from companion.cards import Mark
from companion.games.steal_state import Draw, StealCard
from companion.observation import Call, Claim
from companion.sitting import RowSight
from companion.table import SLOTS, row, slot
from tests.companion.told import Told

FOUR = ("mat", "mat", "mat", "mat")


def dealt_without(*seats: int) -> Told:
    """A table of four at which these seats leave before a card lies, and the others deal."""
    table = Told(FOUR, deal=False).wait(2.0)
    for seat in seats:
        table.say(seat, Call("leave"))
    table.lie({slot(seat, k): table.pile.pop(0) for seat in range(4) if seat not in seats for k in SLOTS}, 0.0)
    return table


def test_a_deal_without_a_player_who_has_left_is_taken_as_soon_as_one_with_him() -> None:
    table = dealt_without(3)
    assert not table.sitting.agreement.deal_known
    table.wait(2.0)
    assert table.sitting.agreement.deal_known
    table.exchange(slot(0, 1), slot(1, 1), 6.0)
    assert table.actions[-1] == StealCard(0, 1, 1, 1), "the first move is the first move"


def test_nobody_misses_the_cards_of_a_player_who_left_before_the_deal() -> None:
    table = dealt_without(3).wait(2.0)
    table.draw(0, 1, 120.0)
    assert table.view.violation is None
    table.say(3, Call("return")).wait(10.0)
    assert table.view.violation is None, "he may need a moment to be dealt his hand"
    table.lie({slot(3, k): table.pile.pop(0) for k in SLOTS}, 3.0)
    table.draw(1, 2, 6.0)
    assert table.actions[-1] == Draw(1, 2)


def test_a_leaver_whose_hand_is_being_dealt_is_waited_for() -> None:
    table = dealt_without(3)
    table.lie({slot(3, 1): table.pile.pop(0)}, 5.0)
    assert not table.sitting.agreement.deal_known
    table.lie({slot(3, k): table.pile.pop(0) for k in (2, 3, 4, 5)}, 3.0)
    assert table.sitting.agreement.deal_known


def test_the_cards_of_a_player_who_left_after_the_deal_are_missed() -> None:
    table = Told(FOUR)
    table.draw(0, 1, 6.0)
    table.say(3, Call("leave"))
    table.lie({slot(3, 2): Mark.EMPTY}, 60.0)
    assert table.view.violation is not None and table.view.violation.error == "slot_empty"


def test_a_move_that_the_leaver_still_finishes_comes_before_his_leaving() -> None:
    table = Told(FOUR)
    table.draw(0, 1, 6.0)
    old = table.shown[slot(1, 3)]
    table.lie({slot(1, 3): Mark.EMPTY}, 1.0)
    table.say(1, Call("leave"))
    table.lie({slot(1, 3): table.pile.pop(0), row(2): old}, 6.0)
    assert (table.view.violation, table.actions[-1]) == (None, Draw(1, 3))
    assert (table.view.last.kind, table.view.current, table.view.undo) == ("leave", 2, 3)
    table.draw(2, 1, 6.0)
    assert table.actions[-1] == Draw(2, 1)


def test_a_first_move_that_the_leaver_still_finishes_comes_before_his_leaving() -> None:
    table = Told(FOUR)
    old = table.shown[slot(0, 3)]
    table.lie({slot(0, 3): Mark.EMPTY}, 1.0)
    table.say(0, Call("leave"))
    table.lie({slot(0, 3): table.pile.pop(0), row(1): old}, 6.0)
    assert (table.view.violation, table.actions) == (None, [Draw(0, 3)])
    assert (table.view.last.kind, table.view.current, table.view.undo) == ("leave", 1, 2)
    table.draw(1, 1, 6.0)
    assert (table.actions[-1], table.view.violation) == (Draw(1, 1), None)


def test_a_theft_that_the_first_player_still_finishes_comes_before_his_leaving() -> None:
    table = Told(FOUR)
    mine, other = table.shown[slot(0, 2)], table.shown[slot(2, 5)]
    table.lie({slot(0, 2): Mark.EMPTY, slot(2, 5): Mark.EMPTY}, 1.0)
    table.say(0, Call("leave"))
    table.lie({slot(0, 2): other, slot(2, 5): mine}, 6.0)
    assert (table.view.violation, table.actions, table.view.current) == (None, [StealCard(0, 2, 5, 2)], 1)


def test_a_first_card_drawn_by_a_leaver_is_his_discard_and_one_some_time_later_the_next_players() -> None:
    for wait, actor in ((0.5, 0), (8.0, 1)):
        table = Told(FOUR).say(0, Call("leave")).wait(wait)
        table.lie({row(1): table.pile.pop(0)}, 3.0)
        assert (table.view.violation, table.actions) == (None, [Draw(actor, None)])


def test_who_left_before_the_deal_has_not_made_the_first_move() -> None:
    table = dealt_without(1).wait(2.0)
    table.exchange(slot(0, 1), slot(2, 1), 6.0)
    assert table.actions == [StealCard(0, 2, 1, 1)]


def test_of_two_who_left_before_the_first_move_the_second_still_finishes_his() -> None:
    table = Told(("mat",) * 5).say(0, Call("leave")).wait(10.0)
    old = table.shown[slot(1, 3)]
    table.lie({slot(1, 3): Mark.EMPTY}, 1.0)
    table.say(1, Call("leave"))
    table.lie({slot(1, 3): table.pile.pop(0), row(1): old}, 6.0)
    assert (table.view.violation, table.actions, table.view.current) == (None, [Draw(1, 3)], 2)


def test_a_drawn_card_that_the_leaver_has_not_used_is_his_discard() -> None:
    table = Told(FOUR)
    table.draw(0, 1, 6.0)
    table.say(1, Call("leave"))
    table.lie({row(2): table.pile.pop(0)}, 3.0)
    assert (table.actions[-1], table.view.current) == (Draw(1, None), 2)


def test_a_discard_some_time_after_somebody_left_is_the_next_players() -> None:
    table = Told(FOUR)
    table.draw(0, 1, 6.0)
    table.say(1, Call("leave")).wait(8.0)
    table.lie({row(2): table.pile.pop(0)}, 3.0)
    assert (table.actions[-1], table.view.current) == (Draw(2, None), 3)


@pytest.mark.parametrize("moves", [0, 1])
def test_the_first_of_two_leavers_comes_back_and_the_game_goes_on_without_the_second(moves: int) -> None:
    table = Told(("tap",) * 4, RowSight.NONE)
    for seat in range(moves):
        table.say(seat, Claim(Draw(seat, None)))
    table.say(0, Call("leave")).say(1, Call("leave"))
    assert (table.view.phase, table.view.unranked) == ("over", True)
    table.say(0, Call("return"))
    assert ([seat.away for seat in table.view.seats], table.view.unranked) == ([False, True, False, False], False)
    assert table.view.phase == ("play" if moves else "setup")
    table.say(1, Call("return"))
    assert not any(seat.away for seat in table.view.seats)


def test_the_second_of_two_leavers_comes_back_first() -> None:
    table = Told(("tap",) * 4, RowSight.NONE).say(0, Claim(Draw(0, None)))
    table.say(0, Call("leave")).say(1, Call("leave")).say(1, Call("return"))
    assert ([seat.away for seat in table.view.seats], table.view.unranked) == ([True, False, False, False], False)
    table.say(0, Call("return"))
    assert not any(seat.away for seat in table.view.seats)
