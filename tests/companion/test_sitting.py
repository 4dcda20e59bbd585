"""The sitting as people meet it: cards laid, lifted, held and exchanged, and what is said of it."""

from __future__ import annotations

import pytest

from companion.cards import DECK, Mark
from companion.games.steal_state import Draw, StealCard, Take
from companion.observation import Call, Press
from companion.table import row, slot
from companion.views import SlotShows
from tests.companion.told import Told

JOKER = Mark.FOREIGN


def test_setting_up_is_a_free_zone() -> None:
    table = Told(deal=False)
    cards = list(DECK)
    for k in (3, 1, 5):
        table.lie({slot(0, k): cards.pop(0)}, 0.5)
    table.lie({slot(s, k): cards.pop(0) for s in range(3) for k in range(1, 6)}, 3.0)
    table.exchange(slot(0, 1), slot(0, 2)).exchange(slot(2, 4), slot(2, 5))
    table.lie({slot(1, k): Mark.EMPTY for k in range(1, 6)}, 8.0)
    assert table.view.violation is None
    assert table.view.question is None
    assert table.kinds == []


def test_the_first_action_is_the_start_and_one_tap_undoes_it() -> None:
    table = Told()
    assert (table.view.phase, table.view.current) == ("setup", 0)
    table.draw(0, 2)
    assert (table.view.phase, table.view.current) == ("play", 1)
    table.say(0, Call("undo"))
    assert table.view.phase == "setup"


def changed_his_mind_and_held_it(table: Told) -> Mark | object:
    """Ann discards what she drew, then takes it up and uses it, and looks at it while Ben takes her old card."""
    drawn = table.discard(1, 1.0)
    assert table.actions == [Draw(0, None)]
    old = table.shown[slot(0, 2)]
    table.lie({row(1): Mark.EMPTY, slot(0, 2): Mark.EMPTY}, 0.3)
    table.lie({slot(0, 2): drawn, row(1): old}, 0.0)
    table.lie({slot(0, 2): Mark.EMPTY}, 1.0)
    assert table.actions == [Draw(0, None)], "whether she holds her own card or the drawn one cannot be seen yet"
    ben = table.shown[slot(1, 4)]
    table.lie({row(1): Mark.EMPTY, slot(1, 4): Mark.EMPTY}, 0.3)
    table.lie({slot(0, 2): drawn, slot(1, 4): old}, 0.3)
    return ben


def test_who_has_changed_his_mind_may_hold_the_card_while_the_next_one_moves() -> None:
    table = Told()
    changed_his_mind_and_held_it(table)
    table.say(1, Press(), 6.0)
    assert (table.view.violation, table.view.question, table.view.current) == (None, None, 2)
    assert table.actions[1:] == [Draw(0, 2), Take(1, 4)]


def test_who_has_pressed_has_not_changed_his_mind() -> None:
    table = Told()
    drawn = table.discard(1, 1.0)
    table.say(0, Press(), 2.0)
    old = table.shown[slot(0, 2)]
    table.lie({row(1): Mark.EMPTY, slot(0, 2): drawn, slot(1, 4): old}, 9.0)
    assert table.view.violation is not None
    assert table.actions == [Draw(0, None)]


def test_a_steal_after_a_discard_is_no_steal_before_the_next_ones_discard() -> None:
    """The same cards would lie there if the next player had discarded; but nobody has touched the row since."""
    table = Told()
    table.discard(1, 1.0)
    table.exchange(slot(0, 1), slot(2, 1), 4.0)
    assert table.view.violation is not None
    assert table.actions == [Draw(0, None)]


def test_cards_that_are_sorted_after_a_steal_are_no_two_other_steals() -> None:
    """The same cards would lie there if another card had been given, and the victim had stolen that one back from elsewhere."""
    table = Told()
    table.exchange(slot(0, 1), slot(1, 1), 1.0)
    assert table.actions == [StealCard(0, 1, 1, 1)]
    table.exchange(slot(0, 1), slot(0, 2), 9.0)
    assert table.actions == [StealCard(0, 1, 1, 1)]
    assert table.view.violation is not None
    assert table.view.violation.error == "positions_changed"


def test_a_turn_may_be_changed_while_it_is_provisional() -> None:
    table = Told()
    card = table.discard(1)
    assert table.view.last is not None
    assert table.view.last.provisional
    old = table.shown[slot(0, 4)]
    table.lie({row(1): Mark.EMPTY}, 0.6).lie({slot(0, 4): card, row(1): old})
    assert table.sitting.log()[-1].action == Draw(0, 4)
    assert table.view.violation is None
    assert table.view.turn == 1


def test_a_turn_may_be_taken_back_while_it_is_provisional() -> None:
    table = Told()
    table.exchange(slot(0, 1), slot(2, 2))
    assert table.view.current == 1
    table.exchange(slot(0, 1), slot(2, 2), 2.5)
    assert (table.view.phase, table.view.violation) == ("setup", None)


def test_a_theft_given_back_after_a_press_is_stealing_back() -> None:
    table = Told()
    table.exchange(slot(0, 1), slot(1, 2))
    table.say(0, Press())
    table.exchange(slot(0, 1), slot(1, 2), 3.0)
    assert table.view.violation is not None
    assert table.view.violation.error == "steal_back_locked"


def test_a_second_action_after_a_while_is_one() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.draw(0, 2, 9.0)
    assert table.view.violation is not None
    assert table.view.violation.error == "acted_twice"


def test_two_replacements_in_one_go_are_two_actions() -> None:
    table = Told()
    table.draw(0, 1, 1.0)
    table.draw(0, 2, 4.0)
    assert table.view.violation is not None
    assert table.view.violation.error == "two_actions"
    assert table.view.turn == 0, "both have to be put back"


def test_a_first_turn_right_after_somebody_sorted_his_cards_is_no_part_of_the_deal() -> None:
    table = Told()
    table.exchange(slot(1, 1), slot(1, 4), 0.4)
    table.exchange(slot(0, 2), slot(2, 5), 4.0)
    assert table.actions == [StealCard(0, 2, 5, 2)]
    assert (table.view.violation, table.view.turn, table.view.current) == (None, 1, 1)


def test_an_exchange_long_after_the_last_turn_is_none_of_it() -> None:
    table = Told()
    for position in range(1, 8):
        table.discard(position, 6.0)
    assert (table.view.phase, table.actions[-1].seat) == ("over", 0)
    table.exchange(slot(0, 4), slot(2, 1), 3.0)
    assert table.view.violation is not None
    assert table.view.violation.error == "game_over"
    table.exchange(slot(0, 4), slot(2, 1), 3.0)
    assert (table.view.violation, len(table.actions)) == (None, 7)


def test_own_cards_sorted_right_after_a_theft_go_back_and_the_theft_stands() -> None:
    table = Told()
    table.exchange(slot(0, 2), slot(1, 5))
    assert table.view.last is not None
    assert table.view.last.provisional
    table.exchange(slot(0, 3), slot(0, 5), 3.0)
    violation = table.view.violation
    assert violation is not None
    assert violation.error == "positions_changed"
    assert [line.place for line in violation.remedy] == [(0, 3), (0, 5)]
    table.exchange(slot(0, 3), slot(0, 5))
    assert (table.view.violation, table.view.turn) == (None, 1)


def test_a_violation_is_put_back_line_by_line() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.exchange(slot(2, 1), slot(2, 2), 3.0)
    violation = table.view.violation
    assert violation is not None
    assert violation.error == "positions_changed"
    assert [(line.place, line.done) for line in violation.remedy] == [((2, 1), False), ((2, 2), False)]
    right = table.shown[slot(2, 2)]
    table.lie({slot(2, 2): Mark.EMPTY}, 0.6).lie({slot(2, 2): table.shown[slot(2, 1)], slot(2, 1): Mark.EMPTY}, 0.6)
    assert table.view.violation is not None
    assert [line.done for line in table.view.violation.remedy] == [False, True]
    table.lie({slot(2, 1): right})
    assert table.view.violation is None
    assert table.kinds[-2:] == ["violation", "cleared"]


def test_other_players_may_hold_their_cards_while_one_acts() -> None:
    table = Told()
    table.lie({slot(1, k): Mark.EMPTY for k in range(1, 6)}, 0.5)
    table.draw(0, 2)
    assert table.actions == [Draw(0, 2)]
    assert table.view.seats[1].slots[0].shows is SlotShows.OUT
    assert table.view.violation is None


def test_a_card_that_stays_away_is_missed_after_a_long_while_or_a_press() -> None:
    table = Told()
    table.draw(0, 2, 6.0)
    table.lie({slot(1, 3): Mark.EMPTY}, 20.0)
    assert table.view.violation is None
    table.say(1, Press(), 3.0)
    assert table.view.violation is not None
    assert table.view.violation.error == "slot_empty"


def test_a_hand_over_the_mat_is_nobodys_fault() -> None:
    table = Told()
    table.draw(0, 2)
    table.shown[slot(2, 2)] = Mark.COVERED
    table.wait(30.0)
    assert table.view.violation is None
    assert table.view.question is None


def test_a_joker_gets_a_second_look_before_it_is_said() -> None:
    table = Told()
    old = table.shown[slot(0, 1)]
    table.lie({slot(0, 1): JOKER, row(1): old}, 2.0)
    assert table.view.violation is None
    table.wait(2.0)
    assert table.view.violation is not None
    assert table.view.violation.error == "foreign_card"


def test_a_peek_in_hard_mode() -> None:
    table = Told(hard_mode=True)
    table.draw(0, 1, 6.0)
    card = table.shown[slot(2, 4)]
    table.lie({slot(2, 4): Mark.EMPTY}, 0.5).lie({slot(2, 4): card}, 4.0)
    assert table.view.violation is not None
    assert (table.view.violation.error, table.view.violation.seat) == ("peek", 2)
    table.wait(4.0)
    assert table.view.violation is None


def test_a_broken_rule_costs_the_turn_where_the_house_says_so() -> None:
    table = Told(penalty="lose_turn")
    table.draw(0, 1, 6.0)
    table.exchange(slot(1, 1), slot(1, 2), 3.0)
    assert table.view.violation is not None
    table.exchange(slot(1, 1), slot(1, 2))
    assert (table.view.violation, table.view.current) == (None, 2)


def test_a_bump_in_hard_mode_is_no_peek() -> None:
    table = Told(hard_mode=True)
    table.draw(0, 1, 6.0)
    table.lie({slot(2, 4): table.shown[slot(2, 4)]}, 8.0)
    assert table.view.violation is None


def test_a_hand_that_stays_over_cards_in_hard_mode_is_no_peek() -> None:
    table = Told(hard_mode=True)
    table.draw(0, 1, 6.0)
    seen = dict(table.shown)
    table.shown.update({slot(2, k): Mark.COVERED for k in (2, 3, 4)})
    table.wait(20.0).lie({slot(2, k): seen[slot(2, k)] for k in (2, 3, 4)}, 10.0)
    assert (table.view.violation, table.view.question) == (None, None)


def test_a_theft_that_was_given_up_in_hard_mode_is_no_peek_and_hides_none() -> None:
    table = Told(hard_mode=True)
    table.draw(0, 1, 6.0)
    own, theirs, third = slot(1, 2), slot(2, 4), slot(0, 3)
    seen = dict(table.shown)
    table.lie({theirs: Mark.EMPTY}, 0.6).lie({own: Mark.EMPTY}, 1.5).lie({own: seen[own]}, 0.6).lie({theirs: seen[theirs]}, 9.0)
    assert (table.view.violation, table.view.question, len(table.actions)) == (None, None, 1)
    table.lie({third: Mark.EMPTY}, 0.6).lie({third: seen[third]}, 4.0)
    assert table.view.violation is not None
    assert (table.view.violation.error, table.view.violation.seat) == ("peek", 0)


@pytest.mark.parametrize("gap", [2.5, 4.0])
def test_whoever_is_about_to_act_hides_no_peek_of_somebody_else(gap: float) -> None:
    table = Told(hard_mode=True)
    table.draw(0, 1, 6.0)
    mine, theirs = slot(1, 5), slot(2, 1)
    seen = dict(table.shown)
    table.lie({mine: Mark.EMPTY}, 0.6).lie({mine: seen[mine]}, gap)
    assert table.view.violation is None, "it is his turn, and he may still act"
    table.lie({theirs: Mark.EMPTY}, 0.6).lie({theirs: seen[theirs]}, 3.0)
    assert table.view.violation is not None
    assert (table.view.violation.error, table.view.violation.seat) == ("peek", 2)


def test_cards_that_were_lifted_shortly_one_after_the_other_are_a_theft_that_was_given_up() -> None:
    table = Told(hard_mode=True)
    table.draw(0, 1, 6.0)
    seen = dict(table.shown)
    for place in (slot(2, 4), slot(1, 2)):
        table.lie({place: Mark.EMPTY}, 0.6).lie({place: seen[place]}, 0.9)
    table.wait(8.0)
    assert (table.view.violation, table.view.question) == (None, None)


def test_a_dull_card_that_nobody_touched_is_not_taken_for_stolen() -> None:
    table = Told(deal=False)
    table.lie({slot(seat, k): table.pile.pop(0) for seat in range(3) for k in range(1, 6)}, 0.1)
    table.lie({slot(1, 4): Mark.UNREADABLE}, 4.0)
    new, old = table.pile.pop(0), table.shown[slot(0, 2)]
    table.lie({slot(0, 2): new}, 3.0)
    assert table.actions == [], "a theft of the dull card would look like this if its slot counted as covered"
    table.lie({row(1): old})
    assert table.actions == [Draw(0, 2)]


@pytest.mark.parametrize("call", ["undo", "redo"])
def test_going_back_does_not_get_around_what_a_broken_rule_costs(call: str) -> None:
    table = Told(penalty="lose_turn")
    table.draw(0, 1, 6.0)
    if call == "redo":
        table.draw(1, 3, 2.0)
        table.say(0, Call("undo"))
        table.lie({slot(1, 3): table.shown[row(2)], row(2): Mark.EMPTY}, 4.0)
        assert (table.view.undo, table.view.redo, table.view.awaiting) == (1, 1, ())
    table.exchange(slot(1, 1), slot(1, 2), 3.0)
    assert table.view.violation is not None
    before = table.view.undo
    table.say(1, Call(call), 0.3)
    assert table.view.violation is not None and table.view.undo == before, "first the cards have to be put back"
    table.exchange(slot(1, 1), slot(1, 2))
    assert (table.view.violation, table.view.current) == (None, 2)


def test_a_pause_stops_the_time_after_which_somebody_is_accused_or_asked() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.exchange(slot(0, 1), slot(2, 2), 0.6)
    table.say(1, Call("pause"), 30.0).say(1, Call("resume"), 1.0)
    assert table.view.violation is None, "the pause does not count"
    table.wait(2.0)
    assert table.view.violation is not None


# ---- hands that are sorted until the first move -------------------------------------------------------------------


@pytest.mark.parametrize("what", ["steal", "draw", "discard"])
def test_the_first_move_is_seen_though_hands_were_sorted_just_before(what: str) -> None:
    """Nobody has seen the sorted hands lie still; the move is told from the exchange of one card all the same."""
    table = Told()
    mine, theirs, new = ([table.shown[slot(seat, k)] for k in range(1, 6)] for seat in (0, 2, 1))
    mine, theirs = mine[::-1], [*theirs[2:], *theirs[:2]]
    new = table.pile[0]
    moved = {slot(0, 4): theirs[1], slot(2, 2): mine[3]} if what == "steal" else {row(1): new}
    moved = {slot(0, 4): new, row(1): mine[3]} if what == "draw" else moved
    lying = {slot(seat, k): hand[k - 1] for seat, hand in ((0, mine), (2, theirs)) for k in range(1, 6)}
    table.lie({**lying, **moved}, 3.0)
    expected = {"steal": StealCard(0, 2, 2, 4), "draw": Draw(0, 4), "discard": Draw(0, None)}
    assert table.actions == [expected[what]]
    assert (table.view.violation, table.view.current) == (None, 1)
    assert table.sitting.agreement.turns[0].before.table.hands[0] == tuple(mine)
