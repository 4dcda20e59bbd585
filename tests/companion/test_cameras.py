"""A sitting whose cameras fail and come back: what is said, how the game goes on, and that nobody is accused."""

from __future__ import annotations

import pytest

from companion.cards import DECK, Mark
from companion.errors import DeclarationError
from companion.games.steal_state import Draw, StealCard
from companion.observation import Answer, Call, Claim, Entry, Press, TroubleKind
from companion.sitting import RowSight
from companion.table import Place, row, slot
from companion.views import SlotShows, TroubleView
from tests.companion.told import Told

LONG = 7.0
"""Seconds after which a seat has gone by hand."""


def begun(**given) -> Told:
    """Ann has drawn, and her turn stands; Ben is to act."""
    table = Told(**given)
    table.draw(0, 1, 6.0)
    assert table.view.current == 1
    return table


def accusations(table: Told) -> int:
    return table.kinds.count("violation")


def shows(table: Told, seat: int) -> set[SlotShows]:
    return {each.shows for each in table.view.seats[seat].slots}


def unseen(table: Told, changes: dict[Place, object]) -> None:
    """Cards are moved where no camera looks."""
    table.shown.update(changes)  # type: ignore[arg-type]


# ---- saying it, and going on -----------------------------------------------------------------------------------------


def test_a_camera_that_fails_is_said_at_once_and_its_mat_is_not_shown_as_live() -> None:
    table = begun().fail(2, kind=TroubleKind.FROZEN, seconds=1.2)
    assert table.view.troubled == (TroubleView("frozen", 2),)
    assert shows(table, 2) == {SlotShows.UNWATCHED}
    assert shows(table, 1) == {SlotShows.LYING}
    assert not table.view.seats[2].by_hand


@pytest.mark.parametrize("ago", [0.0, 1.5, 3.0])
def test_what_was_read_of_a_mat_before_is_not_kept(ago: float) -> None:
    """A silence, or a picture that stands still, is known only a while after it began."""
    table = begun().fail(2, seconds=1.3, ago=ago)
    assert {place.seat for place, _ in table.sitting.readings() if place.seat >= 0} == {0, 1}


def test_after_a_while_the_seat_goes_by_hand_and_taps() -> None:
    table = begun().fail(1, seconds=LONG)
    assert table.view.troubled == (TroubleView("silent", 1, by_hand=True),)
    assert [seat.by_hand for seat in table.view.seats] == [False, True, False]
    assert table.view.seats[1].taps
    assert table.sitting.offers(1)
    old, new = table.shown[slot(1, 3)], table.pile.pop(0)
    table.say(1, Claim(Draw(1, 3)))
    unseen(table, {slot(1, 3): new})
    table.lie({row(2): old})
    assert table.actions[-1] == Draw(1, 3)
    assert table.view.current == 2
    assert table.view.awaiting == ()
    assert accusations(table) == 0


def test_the_others_are_judged_while_a_seat_goes_by_hand() -> None:
    table = begun().fail(0, seconds=LONG)
    table.draw(1, 2, 6.0)
    table.draw(2, 2, 6.0)
    assert table.actions[1:] == [Draw(1, 2), Draw(2, 2)]
    table.say(0, Claim(Draw(0, None))).discard(4)
    table.exchange(slot(1, 1), slot(1, 2), 8.0)
    assert table.view.violation is not None
    assert table.view.violation.error == "positions_changed"


def test_a_tray_that_fails_makes_the_row_blind() -> None:
    table = begun().fail(None, seconds=LONG)
    assert table.view.blind == ("discards",)
    unseen(table, {row(2): table.pile.pop(0)})
    table.say(1, Press(), 2.0)
    assert table.actions[-1] == Draw(1, None)
    table.heal()
    assert table.view.blind == ()
    assert table.view.question is None
    assert table.view.row[1] is not None, "what lies there is read again"
    assert accusations(table) == 0


def test_a_hidden_card_of_a_seat_by_hand_is_not_found_out_by_guessing() -> None:
    table = begun().fail(1, seconds=LONG)
    table.say(1, Entry(slot(1, 1), DECK[5])).say(1, Entry(slot(1, 1), DECK[20]))
    assert shows(table, 1) == {SlotShows.UNWATCHED}
    assert table.view.seats[1].slots[0].card is None


def test_at_the_reveal_a_seat_by_hand_enters_its_cards() -> None:
    table = Told(sources=("mat", "mat", "tap"))
    table.say(2, Call("leave")).fail(1, seconds=LONG)
    assert table.view.phase == "over"
    table.lie({slot(0, k): Mark.BACK for k in range(1, 6)})
    for k in range(1, 6):
        table.say(1, Entry(slot(1, k), DECK[4 + k]), 0.2).say(2, Entry(slot(2, k), DECK[30 + k]), 0.2)
    assert all(shows(table, seat) == {SlotShows.REVEALED} for seat in (0, 1, 2))
    assert table.wait(3.0).kinds.count("result") == 1


# ---- coming back -----------------------------------------------------------------------------------------------------


def test_a_mat_that_is_as_agreed_is_watched_again_without_a_word() -> None:
    table = begun().fail(2, seconds=LONG).heal()
    assert table.view.troubled == ()
    assert table.view.question is None
    assert not table.view.seats[2].by_hand
    assert shows(table, 2) == {SlotShows.LYING}
    table.draw(1, 2, 6.0)
    table.exchange(slot(2, 1), slot(2, 2), 8.0)
    assert table.view.violation is not None, "and judged again"


def test_a_move_that_nobody_tapped_is_taken_for_what_it_is() -> None:
    table = begun().fail(1, seconds=LONG)
    old = table.shown[slot(1, 2)]
    unseen(table, {slot(1, 2): table.pile.pop(0)})
    table.heal(0.5).lie({row(2): old}, 4.0)
    assert table.actions[-1] == Draw(1, 2)
    assert "question" not in table.kinds


def changed_meanwhile(restart: bool = False) -> Told:
    """Two cards of Cat have changed places while her camera was away."""
    table = begun().fail(2, seconds=LONG)
    unseen(table, {slot(2, 1): table.shown[slot(2, 4)], slot(2, 4): table.shown[slot(2, 1)]})
    return table.heal(6.0)


def test_what_differs_is_asked_by_its_place() -> None:
    table = changed_meanwhile()
    question = table.view.question
    assert question is not None
    assert (question.kind, question.seat, question.places, question.row) == ("differs", None, ((2, 1), (2, 4)), False)
    assert len(question.choices) == 2
    assert accusations(table) == 0


def test_the_table_may_be_right() -> None:
    table = changed_meanwhile()
    lying = {place: seen for place, seen in table.shown.items() if place.seat == 2}
    table.say(0, Answer(table.view.question.id, 0), 8.0)
    assert (table.view.question, table.view.violation, table.view.awaiting) == (None, None, ())
    assert table.kinds[-2:] == ["answer", "corrected"]
    table.draw(1, 2, 6.0)
    first = table.shown[slot(2, 4)]
    table.exchange(slot(2, 1), slot(2, 4), 8.0)
    assert table.view.violation is not None, "what was taken over is what counts from now on"
    table.exchange(slot(2, 1), slot(2, 4), 4.0)
    assert table.view.violation is None
    assert table.shown[slot(2, 4)] == first == lying[slot(2, 4)]


def test_the_screen_may_be_right_and_ticks_off_what_is_put_back() -> None:
    table = changed_meanwhile()
    table.say(0, Answer(table.view.question.id, 1))
    assert [(line.kind, line.place, line.done) for line in table.view.awaiting] == [
        ("return_card", (2, 1), False), ("return_card", (2, 4), False),
    ]  # fmt: skip
    first, fourth = table.shown[slot(2, 4)], table.shown[slot(2, 1)]
    table.lie({slot(2, 1): Mark.EMPTY, slot(2, 4): Mark.EMPTY}).lie({slot(2, 1): first})
    assert [line.done for line in table.view.awaiting] == [True, False]
    table.lie({slot(2, 4): fourth}, 3.0)
    assert table.view.awaiting == ()
    assert accusations(table) == 0
    table.draw(1, 2, 6.0)
    assert table.actions[-1] == Draw(1, 2)


def test_putting_it_back_unasked_takes_the_question_away() -> None:
    table = changed_meanwhile()
    table.exchange(slot(2, 1), slot(2, 4), 3.0)
    assert table.view.question is None
    assert accusations(table) == 0


def test_a_hand_over_the_slots_does_not_take_the_question_away() -> None:
    table = changed_meanwhile()
    before = table.view.question
    lying = {place: table.shown[place] for place in (slot(2, 1), slot(2, 4))}
    table.lie(dict.fromkeys(lying, Mark.COVERED), 3.0)
    assert table.view.question == before
    table.lie(lying, 5.0)  # type: ignore[arg-type]
    assert table.view.question == before


def test_a_row_that_differs_is_asked_about_and_can_be_taken_over() -> None:
    table = begun().fail(None, seconds=LONG)
    unseen(table, {row(2): table.pile.pop(0), row(3): table.pile.pop(0)})
    table.heal(6.0)
    question = table.view.question
    assert question is not None
    assert (question.kind, question.places, question.row) == ("differs", (), True)
    table.say(0, Answer(question.id, 0), 4.0)
    assert table.view.row == tuple(str(table.shown[row(number)]) for number in (1, 2, 3))
    assert accusations(table) == 0


def test_a_gap_leaves_only_the_way_back() -> None:
    table = begun().fail(2, seconds=LONG)
    card = table.shown[slot(2, 2)]
    unseen(table, {slot(2, 2): Mark.EMPTY})
    table.heal(55.0)
    question = table.view.question
    assert question is not None
    assert (question.places, len(question.choices)) == (((2, 2),), 1)
    table.say(0, Answer(question.id, 0)).lie({slot(2, 2): card}, 3.0)
    assert (table.view.awaiting, accusations(table)) == ((), 0)


def test_more_that_is_found_joins_the_question() -> None:
    table = changed_meanwhile()
    before = table.view.question
    table.exchange(slot(2, 2), slot(2, 3), 6.0)
    after = table.view.question
    assert before is not None
    assert after is not None
    assert after.id == before.id
    assert after.places == ((2, 1), (2, 2), (2, 3), (2, 4))


def test_answers_that_there_are_not_are_refused_without_harm() -> None:
    table = changed_meanwhile()
    question = table.view.question
    assert question is not None
    table.say(0, Answer(question.id, 2)).say(0, Answer(question.id + 1, 0)).say(0, Answer(question.id, -1))
    assert table.view.question == question
    referee = table.sitting._referee
    with pytest.raises(DeclarationError, match="has choices 0 to 1, not 2"):
        referee.settle_difference(table.sitting._picture(), question.id, 2, table.time)
    with pytest.raises(DeclarationError, match=f"question {question.id + 1} is not open"):
        referee.settle_difference(table.sitting._picture(), question.id + 1, 0, table.time)


def test_a_move_of_somebody_else_does_not_turn_the_returning_mat_into_a_fault() -> None:
    table = begun().fail(2, seconds=LONG)
    unseen(table, {slot(2, 1): table.shown[slot(2, 4)], slot(2, 4): table.shown[slot(2, 1)]})
    table.heal(0.0)
    table.draw(1, 2, 0.5)
    table.wait(12.0)
    assert accusations(table) == 0
    assert table.view.question is not None


def test_a_theft_from_a_seat_by_hand_is_tapped_and_found_when_its_camera_is_back() -> None:
    table = begun().fail(2, seconds=LONG)
    table.say(1, Claim(StealCard(1, 2, 3, 5)))
    taken, given = table.shown[slot(2, 3)], table.shown[slot(1, 5)]
    unseen(table, {slot(2, 3): given})
    table.lie({slot(1, 5): taken}, 3.0)
    table.heal()
    assert table.actions[-1] == StealCard(1, 2, 3, 5)
    assert table.view.question is None
    assert accusations(table) == 0


def test_setting_up_goes_on_whatever_the_cameras_do() -> None:
    table = Told().fail(1, seconds=LONG)
    unseen(table, {slot(1, 1): table.shown[slot(1, 2)], slot(1, 2): table.shown[slot(1, 1)]})
    table.heal(6.0)
    assert table.view.question is None
    table.draw(0, 1, 6.0)
    assert table.actions == [Draw(0, 1)]
    assert accusations(table) == 0


@pytest.mark.parametrize("seconds", [0.3, 0.8])
def test_a_flicker_changes_nothing(seconds: float) -> None:
    table = begun()
    version = table.view.version
    table.fail(0, 1, 2, None, seconds=seconds).heal()
    assert table.view.version == version


def test_a_violation_during_a_short_flicker_is_still_one() -> None:
    table = begun()
    table.fail(0, seconds=0.5).heal(2.0)
    table.exchange(slot(2, 1), slot(2, 2), 6.0)
    assert table.view.violation is not None


# ---- after a restart -------------------------------------------------------------------------------------------------


def test_after_a_restart_what_was_moved_is_asked_about_and_nobody_accused() -> None:
    table = begun(sight=RowSight.OVERHEAD)
    table.sitting.doubt()
    table.sitting._tracker = type(table.sitting._tracker)()
    unseen(table, {slot(0, 2): table.shown[slot(0, 3)], slot(0, 3): table.shown[slot(0, 2)]})
    table.wait(8.0)
    assert table.view.question is not None
    assert table.view.question.places == ((0, 2), (0, 3))
    assert accusations(table) == 0
