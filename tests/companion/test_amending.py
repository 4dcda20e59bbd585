"""Undo, redo and stops, as people meet them at the table."""

from __future__ import annotations

import pytest

from companion.cards import DECK, Mark
from companion.cues import Cue, Meaning, cues
from companion.errors import DeclarationError
from companion.games import find_game
from companion.games.steal_state import Draw, StealCard, Take
from companion.observation import Call, Claim, Declaration, Entry, Press, Rewind
from companion.sitting import RowSight, Seat, Sitting
from companion.table import row, slot
from companion.views import SlotShows
from companion.words.disputes import steps_words
from tests.companion.amended import agree, call, ended, tap, taps, turned
from tests.companion.told import Told

# ---- undo and redo ------------------------------------------------------------------------------------------------


def test_any_number_of_moves_is_taken_back_and_done_again() -> None:
    table = taps()
    for seat, action in ((0, StealCard(0, 1, 2, 4)), (1, Draw(1, 3)), (2, Take(2, 1))):
        tap(table, seat, action)
    before = table.view
    table.say(0, Rewind(0), 0.2)
    assert (table.view.phase, table.view.undo, table.view.redo) == ("setup", 0, 3)
    table.say(0, Rewind(2), 0.2).say(0, Call("redo"), 0.2)
    assert (table.view.current, table.view.row, table.view.locks) == (before.current, before.row, before.locks)
    assert (table.view.removed, table.view.undo, table.view.redo) == (1, 3, 0)
    assert table.view.steps == (), "every card is again where it lay"


def test_a_new_move_drops_what_could_be_done_again() -> None:
    table = tap(tap(taps(), 0, Draw(0, 1)), 1, Draw(1, 1))
    table.say(0, Call("undo"), 0.2)
    assert table.view.redo == 1
    tap(table, 1, Draw(1, None))
    assert table.view.redo == 0
    table.say(0, Call("redo"), 0.2)
    assert table.actions[-1] == Draw(1, None)
    assert table.view.undo == 2


def test_without_cameras_an_undo_says_what_to_put_back() -> None:
    table = tap(tap(taps(), 0, StealCard(0, 1, 2, 4)), 1, Draw(1, 3))
    table.say(2, Rewind(0), 0.2)
    assert steps_words(table.view) == (
        "Ben: the newest card of the row goes back into slot 3, and the card from there face down onto the pile.",
        "Slot 4 of Ann and slot 2 of Ben: the two cards change places again.",
    )
    assert table.view.confirm
    table.say(2, Call("laid"), 0.2)
    assert (table.view.steps, table.view.confirm) == ((), False)
    table.say(2, Call("redo"), 0.2)
    assert steps_words(table.view) == ("Slot 4 of Ann and slot 2 of Ben: the two cards change places.",)


def test_whoever_plays_on_has_put_the_cards_back() -> None:
    table = tap(taps(), 0, StealCard(0, 1, 2, 4)).say(0, Call("undo"), 0.2)
    tap(table, 0, Draw(0, None))
    assert table.view.steps == ()


def test_an_undo_under_cameras_waits_for_the_cards_and_a_redo_too() -> None:
    table = Told()
    table.exchange(slot(0, 1), slot(1, 2), 6.0)
    table.say(0, Call("undo"))
    assert {line.place for line in table.view.awaiting} == {(0, 1), (1, 2)}
    table.exchange(slot(0, 1), slot(1, 2), 3.0)
    assert (table.view.awaiting, table.view.steps, table.view.redo) == ((), (), 1)
    table.say(0, Call("redo"))
    assert {line.place for line in table.view.awaiting} == {(0, 1), (1, 2)}
    table.exchange(slot(0, 1), slot(1, 2), 3.0)
    assert (table.view.awaiting, table.view.current, len(table.view.locks)) == ((), 1, 1)
    table.draw(1, 5)
    assert table.actions[-1] == Draw(1, 5)


def test_before_hands_are_shown_one_tap_undoes_the_end() -> None:
    table = ended(Told())
    table.say(0, Call("undo"))
    assert (table.view.phase, table.view.proposal) == ("final", None)
    table.lie({row(7): Mark.EMPTY})
    assert table.view.awaiting == ()


def test_once_hands_are_shown_an_undo_needs_everybody() -> None:
    table = turned(ended(Told()))
    result = table.view.result
    assert result is not None
    table.say(0, Call("undo"))
    assert (table.view.result, table.view.phase) == (result, "over")
    proposal = table.view.proposal
    assert proposal is not None
    assert (proposal.kind, proposal.turns, proposal.waiting) == ("undo", 1, (0, 1, 2))
    agree(table, 1, 0)
    assert table.view.phase == "over"
    agree(table, 2)
    assert (table.view.phase, table.view.result, table.view.proposal) == ("final", None, None)
    assert all(one.card is None for seat in table.view.seats for one in seat.slots)
    assert {line.kind for line in table.view.awaiting} == {"turn_down", "row"}
    faces = dict(zip([slot(seat, k) for seat in range(3) for k in range(1, 6)], DECK, strict=False))
    table.lie({**faces, row(7): Mark.EMPTY}, 3.0)
    assert (table.view.awaiting, table.view.violation) == ((), None)
    table.discard(7)
    assert turned(table).view.result is not None


def test_redo_across_the_end_brings_the_same_result_back() -> None:
    table = turned(ended(Told()))
    result = table.view.result
    agree(table.say(0, Call("undo")), 0, 1, 2)
    table.say(0, Call("redo"), 3.0)
    assert table.view.result == result
    assert table.view.awaiting == ()


def test_a_single_no_ends_what_was_proposed() -> None:
    table = turned(ended(Told()))
    agree(table.say(0, Call("undo")), 1)
    agree(table, 2, yes=False)
    assert (table.view.proposal, table.view.phase) == (None, "over")
    assert table.kinds[-1] == "refused"


def test_where_a_referee_decides_nobody_is_asked() -> None:
    time = [0.0]
    sitting = Sitting(
        find_game("steal"), [Seat(n, "tap") for n in "ABC"], row_sight=RowSight.NONE, clock=lambda: time[0], decides="referee"
    )

    def say(seat: int, what) -> None:
        time[0] += 1.0
        sitting.post(Declaration(time[0], seat, what))
        sitting.work()

    say(0, Call("stop"))
    assert sitting.view().stopped
    say(0, Call("go_on", "it was a bump"))
    assert not sitting.view().stopped
    assert sitting.log()[-1].reason == "it was a bump"
    with pytest.raises(DeclarationError, match="'table' or 'referee', not by 'nobody'"):
        Sitting(find_game("steal"), [Seat(n) for n in "ABC"], decides="nobody")


def test_typed_hands_are_not_typed_twice_after_an_undo_across_the_end() -> None:
    table = ended(taps())
    for number in range(15):
        table.say(0, Entry(slot(number // 5, number % 5 + 1), DECK[number]), 0.1)
    result = table.view.result
    assert result is not None
    agree(table.say(0, Call("undo")), 0, 1, 2)
    assert all(one.shows is SlotShows.UNWATCHED for seat in table.view.seats for one in seat.slots)
    assert steps_words(table.view)[0] == "Turn all hands face down again."
    tap(table, 0, Draw(0, 2))
    assert table.view.phase == "over"
    hidden = [(seat.seat, one.number) for seat in table.view.seats for one in seat.slots if one.card is None]
    assert hidden == [(0, 2)], "only the drawn card is new"
    table.say(0, Entry(slot(0, 2), DECK[30]), 0.2)
    assert table.view.result is not None


def test_a_player_who_left_by_mistake_is_back_after_an_undo_and_stays_away_otherwise() -> None:
    table = Told(sources=("tap", "tap", "tap"), sight=RowSight.NONE)
    tap(table, 0, Draw(0, None)).say(1, Call("leave"), 0.2)
    assert (table.view.phase, table.view.seats[1].away) == ("over", True)
    table.say(0, Call("undo"), 0.2)
    assert (table.view.phase, table.view.seats[1].away, table.view.undo) == ("play", False, 1)
    assert table.view.steps == (), "no card has to be moved"
    table.say(0, Call("redo"), 0.2)
    assert (table.view.phase, table.view.seats[1].away) == ("over", True)


# ---- stopping -----------------------------------------------------------------------------------------------------


def test_a_stop_stops_everything_but_settling() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.say(2, Call("stop"))
    assert table.view.stopped
    assert {cue.meaning for cue in cues(table.view)} == {Meaning.STOPPED}
    table.say(1, Press()).say(1, Claim(Draw(1, None)))
    table.exchange(slot(2, 1), slot(2, 2), 10.0)
    assert table.view.violation is None
    assert table.actions == [Draw(0, 1)]
    table.say(0, Call("undo"))
    assert table.view.phase == "setup", "putting right is what a stop is for"


def test_nobody_alone_lets_play_go_on() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    call(table.say(0, Call("stop")), "go_on", 0, 1)
    assert table.view.stopped
    agree(table, 2)
    assert not table.view.stopped
    table.wait(5.0)
    assert table.view.violation is None
    table.draw(1, 2)
    assert table.actions[-1] == Draw(1, 2)


def test_what_was_moved_meanwhile_is_compared_and_accuses_nobody() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.say(0, Call("stop"))
    table.exchange(slot(2, 1), slot(1, 2), 8.0)
    call(table, "go_on", 0, 1, 2).wait(3.0)
    violation = table.view.violation
    assert violation is not None
    assert (violation.error, violation.seat, violation.seats) == ("differs", None, ())
    assert [line.place for line in violation.remedy] == [(1, 2), (2, 1)]
    assert Cue(Meaning.PUT_BACK, 1, 2) in cues(table.view)
    table.exchange(slot(2, 1), slot(1, 2), 3.0)
    assert table.view.violation is None
    assert table.view.current == 1


def test_whoever_holds_cards_afterwards_does_not_turn_the_next_move_into_a_difference() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    call(table.say(0, Call("stop")), "go_on", 0, 1, 2)
    held = table.shown[slot(2, 3)]
    table.lie({slot(2, 3): Mark.COVERED}, 1.0)
    table.draw(1, 2, 8.0)
    assert (table.view.violation, table.actions[-1]) == (None, Draw(1, 2))
    table.lie({slot(2, 3): held}, 3.0)
    assert table.view.violation is None


def test_what_a_hand_still_covers_when_play_goes_on_accuses_nobody_either() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    one, other = table.shown[slot(2, 1)], table.shown[slot(2, 2)]
    table.say(0, Call("stop"))
    table.lie({slot(2, 1): Mark.COVERED, slot(2, 2): Mark.COVERED}, 1.0)
    call(table, "go_on", 0, 1, 2)
    table.lie({slot(2, 1): other, slot(2, 2): one}, 10.0)
    assert table.view.violation is not None and table.view.violation.error == "differs"
    table.exchange(slot(2, 1), slot(2, 2), 3.0)
    assert table.view.violation is None
    table.exchange(slot(2, 1), slot(2, 2), 10.0)
    assert table.view.violation is not None and table.view.violation.error == "positions_changed", "that was done in play"


def test_a_move_under_way_at_the_stop_is_finished_afterwards() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    old = table.shown[slot(1, 3)]
    table.lie({slot(1, 3): Mark.EMPTY}, 1.0)
    call(table.say(0, Call("stop")), "go_on", 0, 1, 2)
    table.lie({slot(1, 3): table.pile.pop(0), row(2): old}, 3.0)
    assert table.view.violation is None
    assert table.actions[-1] == Draw(1, 3)


def test_a_card_that_was_in_a_hand_at_the_stop_is_not_missing_at_once_afterwards() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    held = table.shown[slot(2, 3)]
    table.lie({slot(2, 3): Mark.EMPTY}, 2.0)
    table.say(0, Call("stop")).wait(60.0)
    call(table, "go_on", 0, 1, 2).wait(20.0)
    assert table.view.violation is None
    table.lie({slot(2, 3): held}, 3.0)
    assert table.view.violation is None
