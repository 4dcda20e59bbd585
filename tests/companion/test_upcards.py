"""Open cards: the back seen from below and the face seen from above are one card; where they contradict, people are asked."""

import pytest

from companion.cards import Card, Mark
from companion.games import find_game
from companion.games.poker_acts import Check
from companion.observation import CameraReport, Claim, Declaration, Entry, Trouble, TroubleKind
from companion.picture import RowSight, Sight
from companion.sitting import Seat, Sitting
from companion.table import above, slot
from companion.watch import Watch
from companion.words.remedies import remedy_words
from companion.words.rules import error_words
from tests.companion.looking import Looking

AH, KD, QS, JC, TD = (Card.parse(text) for text in ("Ah", "Kd", "Qs", "Jc", "Td"))
HOLES = (AH, KD)
UP = (QS, JC)


class Table(Looking):
    """Two players of stud with a mat each, and, unless told otherwise, a camera above."""

    def __init__(self, upcards=True):
        super().__init__()
        self.upcards = upcards
        self.sitting = Sitting(
            find_game("stud"), (Seat("Anna", "mat"), Seat("Ben", "mat")), row_sight=RowSight.NONE, clock=lambda: self.time,
            upcards=upcards,
        )
        self.seen = {slot(seat, number): Mark.EMPTY for seat in range(2) for number in range(1, 6)}
        if upcards:
            self.seen |= {above(place.seat, place.number): Mark.EMPTY for place in tuple(self.seen)}

    def lie(self, seat, number, below, top, seconds=1.0):
        self.seen[slot(seat, number)] = below
        if self.upcards:
            self.seen[above(seat, number)] = top
        return self.wait(seconds)

    def lifted(self, top=QS, seconds=1.0):
        """The open card of seat 0 goes up and comes down again; `top` is what is seen from above afterwards."""
        self.lie(0, 2, Mark.EMPTY, Mark.EMPTY, 0.8)
        return self.lie(0, 2, Mark.BACK, top, seconds)

    def say(self, place, card):
        receipt = self.sitting.post(Declaration(self.time, place.seat, Entry(place, card)))
        self.sitting.work()
        return receipt.refusal

    @property
    def faces(self):
        return [seat.slots[1].card for seat in self.sitting.view().seats]


def dealt(upcards=True, tops=UP):
    table = Table(upcards)
    table.wait(1.0)
    for seat in range(2):
        table.lie(seat, 1, HOLES[seat], Mark.BACK, 0.5)
        table.lie(seat, 2, Mark.BACK, tops[seat], 0.5)
    table.wait(4.0)
    return table


def begun(upcards=True):
    """The same after the first bet was checked; before that nobody is accused of anything that is done with cards."""
    table = dealt(upcards)
    if not upcards:
        for seat in range(2):
            assert table.say(slot(seat, 2), UP[seat]) == ""
        table.wait(1.0)
    return checked(table)


def checked(table):
    table.sitting.post(Declaration(table.time, 0, Claim(Check(0))))
    assert table.wait(2.0).turn == 1
    assert (table.faces, table.sitting.view().violation) == (["Qs", "Jc"], None)
    return table


def test_open_cards_are_read_from_above_and_the_round_begins():
    table = dealt()
    view = table.sitting.view()
    assert (table.faces, view.waits, view.violation, view.question) == (["Qs", "Jc"], "", None, None)
    assert view.current == 0


def test_what_is_not_read_from_above_is_waited_for_and_tapped_in():
    table = dealt(tops=(QS, Mark.UNREADABLE))
    assert (table.faces, table.sitting.view().waits) == (["Qs", None], "upcards")
    assert table.say(slot(1, 2), JC) == ""
    assert (table.faces, table.wait(1.0).waits) == (["Qs", "Jc"], "")


def test_the_face_of_a_hidden_card_that_is_seen_from_above_is_not_used():
    table = begun()
    before = table.sitting.view()
    table.lie(0, 1, Mark.EMPTY, TD, 1.0)
    table.lie(0, 1, AH, Mark.BACK, 2.0)
    after = table.sitting.view()
    assert (after.violation, after.question, after.seats[0]) == (None, None, before.seats[0])
    assert not any(held == TD for held in table.sitting.agreement.state.table.cards())


def test_a_lifted_card_that_is_read_again_from_above_is_the_same_one():
    table = begun()
    view = table.lifted(seconds=6.0)
    assert (view.violation, view.question, table.faces) == (None, None, ["Qs", "Jc"])
    # A hand over it afterwards, for however long, changes nothing about that.
    view = table.lie(0, 2, Mark.BACK, Mark.COVERED, 12.0)
    assert (view.violation, table.faces) == (None, ["Qs", "Jc"])


def test_a_lifted_card_that_cannot_be_read_from_above_has_to_be_shown_again():
    table = begun()
    assert table.lifted(Mark.COVERED, 2.5).violation is None, "as a rule the hand goes away"
    view = table.wait(6.0)
    assert view.violation is not None and (view.violation.error, view.violation.seat) == ("upcard_moved", 0)
    assert table.lie(0, 2, Mark.BACK, QS, 3.0).violation is None


def test_a_face_that_was_seen_before_the_lift_alone_vouches_for_nothing():
    """The camera above stands still at the moment of the lift: what it has seen is no reading of what lies there now."""
    table = begun()
    del table.seen[above(0, 2)]
    table.seen[slot(0, 2)] = Mark.EMPTY
    table.wait(1.0)
    table.seen[slot(0, 2)] = Mark.BACK
    assert table.wait(1.2).violation is None
    report = CameraReport(table.time, (Trouble(TroubleKind.SILENT, None, table.time - 1.5),))
    table.sitting.post(report)
    view = table.wait(12.0)
    assert view.violation is None, "after a failure nobody is accused"
    assert view.question is not None and (view.question.kind, view.question.places) == ("differs", ((0, 2),))


def test_another_card_in_the_place_of_an_open_one_is_named():
    table = begun()
    view = table.lifted(TD, 6.0)
    assert view.violation is not None and (view.violation.error, view.violation.places) == ("unexplained_change", ((0, 2),))
    assert table.lifted(QS, 4.0).violation is None


# Contradictions -------------------------------------------------------------------------------------------------------


def unclear(view):
    assert view.violation is not None
    return view.violation.error, view.violation.seat, view.violation.seats, view.violation.places


UNCLEAR = ("upcard_unclear", None, (), ((0, 2),))


def test_another_face_from_above_without_any_lift_is_asked_about_and_accuses_nobody():
    table = begun()
    assert table.lie(0, 2, Mark.BACK, TD, 1.0).violation is None, "one misread moment is none"
    assert unclear(table.wait(5.0)) == UNCLEAR
    assert table.faces == ["Qs", "Jc"], "nothing is guessed"
    assert table.lie(0, 2, Mark.BACK, QS, 2.0).violation is None


@pytest.mark.parametrize(("below", "top"), [(Mark.BACK, Mark.BACK), (TD, QS)], ids=["two backs", "two faces"])
def test_two_cards_in_one_slot_are_asked_about(below, top):
    table = begun()
    assert unclear(table.lie(0, 2, below, top, 6.0)) == UNCLEAR


def test_a_scan_that_the_camera_above_contradicts_is_asked_about():
    table = Table()
    table.wait(1.0)
    for seat in range(2):
        table.lie(seat, 1, HOLES[seat], Mark.BACK, 0.5)
        table.lie(seat, 2, UP[seat], Mark.BACK, 1.0)
        table.lie(seat, 2, Mark.BACK, UP[seat], 0.5)
    table.wait(3.0)
    checked(table)
    assert unclear(table.lie(0, 2, Mark.BACK, TD, 6.0)) == UNCLEAR


@pytest.mark.parametrize("said", [QS, TD], ids=["as before", "another one"])
def test_people_say_which_one_it_is_and_are_believed_until_it_is_lifted(said):
    table = begun()
    table.lie(0, 2, Mark.BACK, TD, 5.0)
    assert table.say(slot(0, 2), said) == ""
    view = table.wait(6.0)
    assert (view.violation, table.faces[0]) == (None, str(said))
    view = table.lifted(QS if said == TD else TD, 8.0)
    assert view.violation is not None


def test_an_open_card_that_the_cameras_vouch_for_cannot_be_entered_anew():
    table = begun()
    assert table.say(slot(0, 2), TD) == "was_read"


# Lifts without a camera above -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", [QS, TD], ids=["the same", "another one"])
def test_a_tapped_card_that_was_lifted_is_named_so_and_cleared_by_a_tap(said):
    table = begun(upcards=False)
    view = table.lifted(seconds=4.0)
    assert (view.violation.error, view.violation.seat) == ("upcard_moved", 0)
    assert table.say(slot(0, 2), said) == ""
    view = table.wait(2.0)
    assert (view.violation, table.faces[0]) == (None, str(said))
    entry = [entry for entry in table.sitting.log() if entry.places == (slot(0, 2),)][-1]
    assert (entry.kind, entry.old, entry.new) == ("entered" if said == QS else "corrected", QS, said)
    # And the next lift counts again.
    assert table.lifted(seconds=4.0).violation.error == "upcard_moved"


def test_a_card_that_is_lifted_before_the_first_bet_is_only_waited_for():
    table = dealt()
    view = table.lifted(Mark.COVERED, 8.0)
    assert (view.violation, view.waits, table.faces) == (None, "upcards", [None, "Jc"])
    view = table.lie(0, 2, Mark.BACK, TD, 4.0)
    assert (view.violation, view.waits, table.faces) == (None, "", ["Td", "Jc"])


def test_a_lifted_card_cannot_be_called_like_one_that_lies_open_elsewhere():
    table = begun(upcards=False)
    table.lifted(seconds=4.0)
    assert table.say(slot(0, 2), JC) == "lies_in_hand"
    assert table.sitting.view().violation.error == "upcard_moved"


def test_the_words_tell_what_to_do_and_blame_nobody():
    assert error_words("upcard_unclear") == "Two cameras do not agree about an open card. Nobody has done anything wrong."
    assert remedy_words("upcard_unclear") == "Tap the card and say which one it is. If two cards lie in its slot, take one away."


# What is left when cameras fail ---------------------------------------------------------------------------------------


def test_after_a_restart_the_camera_above_has_to_find_what_was_agreed():
    sight = Sight((True, False), RowSight.NONE, upcards=True)
    assert Watch.after_restart(sight).unproven == frozenset({0, None})
    assert Watch.after_restart(Sight((True, False), RowSight.NONE)).unproven == frozenset({0})


def test_without_the_camera_above_open_cards_go_by_scan_or_tap():
    watch = Watch(20.0).heard(CameraReport(20.0, (Trouble(TroubleKind.SILENT, None, 1.0),)))
    sight = Sight((True, True), RowSight.OVERHEAD, upcards=True)
    assert watch.narrowed(sight) == Sight((True, True), RowSight.NONE)
    assert Watch(20.0).narrowed(sight) == sight


def test_a_place_seen_from_above_holds_what_lies_in_its_slot():
    table = begun().sitting.agreement.state.table
    assert (table.at(above(0, 2)), table.at(above(0, 3))) == (QS, None)
