"""The others at a table that is played by hand: they play whole games, wait for the person, and help to put right."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.observation import Agree, Call, Declaration, Rewind
from companion.table import REMOVED, slot
from companion.tutorial import Lesson
from companion.views import MoveView, View
from companion.words.tutorial import lesson_words
from firmware.virtual.world import HandOf
from tests.firmware.virtual.handplayed import HandTable, hand_table


def my_turn(view: View) -> bool:
    quiet = not (view.violation or view.question or view.awaiting or view.steps or view.turn_down or view.proposal)
    return view.current == 0 and quiet and not view.stopped


def begin(table: HandTable) -> None:
    table.do("deal_all")
    table.until(my_turn)
    table.run(10.0)


def draw(table: HandTable, seat: int = 0) -> None:
    """Draw and lay the card on the row."""
    turn = table.view.turn
    table.do("move", "pile", "row", seat)
    table.until(lambda view: view.turn > turn)


def to_the_end(table: HandTable, act: Callable[[HandTable], None] = draw) -> View:
    """Play on until all hands lie open."""
    while table.until(lambda view: my_turn(view) or view.phase == "over").phase != "over":
        act(table)
    table.until(lambda view: view.revealing)
    table.do("show")
    return table.until(lambda view: view.result is not None)


def lies(table: HandTable) -> dict[object, list[str]]:
    """What lies in every slot and on the row."""
    world = table.world
    places = [place for board in world.boards for place in board.places]
    return {place: [str(laid.piece.face) for laid in world.lying(place)] for place in places}


@pytest.mark.parametrize(("seats", "seed"), [(3, 1), (4, 2), (5, 3), (5, 4)])
def test_a_whole_game_comes_to_the_right_end(seats: int, seed: int) -> None:
    with hand_table(seats, seed=seed) as table:
        begin(table)
        view = to_the_end(table)
        assert view.result is not None
        assert view.question is None
        hands = [[str(table.world.top(slot(seat, number)).face) for number in range(1, 6)] for seat in range(seats)]
        assert [list(hand) for hand in view.result.hands] == hands, "what was shown is what lies there"
        assert not any(table.world.lying(HandOf(seat)) for seat in range(seats))


def test_they_wait_as_long_as_the_person_holds_a_card_that_is_not_his_to_look_at() -> None:
    with hand_table() as table:
        begin(table)
        draw(table)
        table.do("lift", "pile")
        turn = table.view.turn
        table.run(60.0)
        assert table.view.turn <= turn + 1, "whoever was about to move may have"
        turn = table.view.turn
        table.run(60.0)
        assert table.view.turn == turn
        table.do("move", table.held()[0], "pile")
        table.until(lambda view: view.turn > turn)


def test_they_play_on_while_he_looks_at_his_own() -> None:
    with hand_table() as table:
        begin(table)
        draw(table)
        table.do("lift", "slot-0-1 slot-0-2")
        table.until(lambda view: view.turn >= 3)
        table.do("back")
        assert table.view.violation is None


def test_his_move_stays_his_for_a_while() -> None:
    """He gives another card instead, before anybody else has touched one."""
    with hand_table() as table:
        begin(table)
        table.do("move", "slot-1-2", "slot-0-1")
        table.do("move", table.held()[0], "slot-1-2")
        table.until(lambda view: view.turn == 1)
        table.do("lift", "slot-1-2 slot-0-3")
        mine, other = table.held()
        table.do("move", mine, "slot-0-1", on_top=True)
        table.do("lift", "slot-0-1")
        assert table.world.lying(slot(1, 2)) == ()
        assert other in table.held()


def test_a_violation_of_the_person_waits_for_him_and_is_put_right_on_request() -> None:
    with hand_table() as table:
        begin(table)
        draw(table)
        table.until(my_turn)
        table.run(4.0)
        before = lies(table)
        table.do("move", "slot-1-1", "slot-2-1")
        table.do("move", table.held()[0], "slot-1-1")
        table.until(lambda view: view.violation is not None)
        table.run(30.0)
        assert table.view.violation is not None, "nobody else puts right what he has done"
        table.do("restore")
        table.until(lambda view: view.violation is None and not view.awaiting)
        assert lies(table) == before
        draw(table)


def test_a_card_from_nowhere_goes_away_again() -> None:
    with hand_table() as table:
        begin(table)
        draw(table)
        table.until(my_turn)
        table.run(4.0)
        table.do("move", "joker", "slot-0-4")
        table.until(lambda view: view.violation is not None)
        table.do("restore")
        table.until(my_turn)
        joker = next(piece for piece in table.world.pieces if piece.face is None)
        assert table.world.where(joker) == REMOVED


def test_undo_is_carried_out_by_those_whose_moves_they_were() -> None:
    with hand_table(seed=5) as table:
        begin(table)
        before = lies(table)
        draw(table)
        table.until(my_turn)
        table.run(4.0)
        assert table.view.turn == 3
        table.evening.post(Declaration(table.evening.now(), 0, Rewind(0)))
        table.until(lambda view: view.undo == 0)
        assert [step.move.seat for step in table.view.steps] == [2, 1, 0]
        table.until(lambda view: len([line for line in view.awaiting if not line.done]) <= 1)
        table.run(30.0)
        assert table.view.steps, "the last of them is his own"
        table.do("move", "row", "pile")
        table.until(my_turn)
        assert lies(table) == before
        table.evening.post(Declaration(table.evening.now(), 0, Rewind(1)))
        table.until(lambda view: view.undo == 1 and bool(view.steps))
        table.do("restore")
        table.until(lambda view: not view.steps)
        assert table.view.row != ()


def test_after_the_end_everybody_turns_his_cards_down_and_plays_on() -> None:
    with hand_table() as table:
        begin(table)
        to_the_end(table)
        first = table.view.result
        moves = table.view.undo
        table.evening.post(Declaration(table.evening.now(), 0, Call("undo")))
        proposal = table.until(lambda view: view.proposal is not None and view.proposal.waiting == (0,)).proposal
        table.evening.post(Declaration(table.evening.now(), 0, Agree(proposal.id, True)))
        table.until(lambda view: view.undo == moves - 1)
        table.do("restore")
        view = table.until(lambda view: not view.steps and not view.turn_down and view.phase == "final")
        assert view.result is None
        again = to_the_end(table).result
        assert again is not None and first is not None


def test_what_people_propose_they_agree_to_also_while_play_is_stopped() -> None:
    with hand_table() as table:
        begin(table)
        table.evening.post(Declaration(table.evening.now(), 0, Call("stop")))
        table.until(lambda view: view.stopped)
        table.evening.post(Declaration(table.evening.now(), 0, Call("go_on")))
        proposal = table.until(lambda view: view.proposal is not None and view.proposal.waiting == (0,)).proposal
        table.evening.post(Declaration(table.evening.now(), 0, Agree(proposal.id, True)))
        table.until(my_turn)


def test_nobody_but_the_person_moves_while_play_is_stopped() -> None:
    with hand_table() as table:
        begin(table)
        draw(table)
        table.evening.post(Declaration(table.evening.now(), 0, Call("stop")))
        table.until(lambda view: view.stopped)
        before = lies(table)
        table.run(30.0)
        assert lies(table) == before
        table.do("lift", "slot-0-1")
        assert len(table.held()) == 1
        table.do("back")


def test_the_others_let_a_newcomer_look_at_his_cards_before_they_begin() -> None:
    with hand_table(tutorial=True, first_seat=1) as table:

        def told() -> tuple[str, ...]:
            assert table.puppet.tutorial is not None
            return lesson_words(table.puppet.tutorial, table.view)

        table.do("deal_all")
        table.until(lambda view: told()[1] == "Look at your cards" and view.current == 1)
        table.run(30.0)
        assert table.view.turn == 0
        assert told()[3] == "Then Seat 2 begins; the others wait until you have looked."
        table.do("lift", "slot-0-1")
        table.do("back")
        table.until(lambda view: view.turn > 0)
        assert told()[1] == "Draw a card"


def test_the_tutorial_is_walked_with_company_that_plays_along() -> None:
    with hand_table(4, seed=3, tutorial=True) as table:
        seen: list[Lesson] = []

        def lesson() -> Lesson:
            assert table.puppet.tutorial is not None
            seen.append(table.puppet.tutorial.lesson)
            return seen[-1]

        table.do("deal_all")
        table.until(lambda view: lesson() is Lesson.LOOK)
        table.do("lift", "slot-0-1")
        table.do("back")
        table.until(lambda view: lesson() is Lesson.DRAW and my_turn(view))
        draw(table)
        table.until(lambda view: lesson() is Lesson.STEAL and my_turn(view))
        steal(table, MoveView("steal", 0, 1, 2, 3))
        table.until(lambda view: lesson() is Lesson.LOCK and my_turn(view) and view.turn > 5)
        assert table.puppet.tutorial is not None
        robbed = table.puppet.tutorial.robbed_by(table.view)
        assert robbed is not None, "somebody has stolen from the person, as the lesson needs it"
        steal(table, MoveView("steal", 0, 4, *robbed))
        table.until(lambda view: view.violation is not None)
        assert table.view.violation.error == "steal_back_locked"
        table.do("restore")
        table.until(lambda view: lesson() is Lesson.TAKE and my_turn(view))
        assert 1 <= len(table.view.row) <= 3
        table.do("move", "row", "slot-0-5")
        table.do("move", table.held()[0], "away")
        table.until(lambda view: lesson() is Lesson.END)
        to_the_end(table)
        table.until(lambda view: lesson() is Lesson.DONE)
        assert list(dict.fromkeys(seen)) == [one for one in Lesson if one not in (Lesson.DEAL, Lesson.REVEAL)]
        assert table.time < 300.0, "five minutes"


def steal(table: HandTable, move: MoveView) -> None:
    table.do("move", f"slot-{move.victim}-{move.victim_slot}", f"slot-0-{move.slot}")
    table.do("move", table.held()[0], f"slot-{move.victim}-{move.victim_slot}")
