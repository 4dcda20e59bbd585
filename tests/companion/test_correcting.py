"""Corrections and the two ways out where table and screen differ, as people meet them at the table."""

from __future__ import annotations

from companion.cards import DECK, Card, Mark
from companion.cues import Cue, Meaning, cues
from companion.games.steal_state import Draw, StealCard
from companion.observation import Call, Correct, Declaration, Entry, OwnEntry, Press, Reseat
from companion.sitting import RowSight
from companion.table import Place, row, slot
from tests.companion.amended import agree, call, ended, tap, taps
from tests.companion.told import Told

# ---- the two ways out ---------------------------------------------------------------------------------------------


def swapped() -> Told:
    """Cat has changed the places of two of her cards in the middle of the game."""
    table = Told()
    table.draw(0, 1, 6.0)
    table.exchange(slot(2, 1), slot(2, 2), 8.0)
    assert table.view.violation is not None
    assert table.view.disagrees
    return table


def test_the_table_is_right_takes_the_cards_as_they_lie() -> None:
    table = call(swapped(), "table_right", 0, 1, 2)
    assert (table.view.violation, table.view.current) == (None, 1)
    table.wait(6.0)
    assert table.view.violation is None
    entry = next(entry for entry in table.sitting.log() if entry.kind == "as_it_lies")
    assert entry.places == (slot(2, 1), slot(2, 2))
    table.exchange(slot(1, 4), slot(2, 1))
    assert table.actions[-1] == StealCard(1, 2, 1, 4)


def test_taking_the_table_as_it_lies_can_be_taken_back() -> None:
    table = call(swapped(), "table_right", 0, 1, 2)
    table.say(0, Call("undo"))
    assert {line.place for line in table.view.awaiting} == {(2, 1), (2, 2)}
    table.exchange(slot(2, 1), slot(2, 2), 3.0)
    assert (table.view.awaiting, table.view.violation, table.view.current) == ((), None, 1)
    table.say(0, Call("redo")).exchange(slot(2, 1), slot(2, 2), 3.0)
    assert (table.view.awaiting, table.view.violation) == ((), None)


def test_the_table_is_right_names_the_move_where_one_explains_it() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.say(0, Call("undo"))
    call(table, "table_right", 0, 1, 2)
    assert (table.view.current, table.view.awaiting) == (1, ())
    assert table.actions == [Draw(0, 1), Draw(0, 1)]


def test_a_table_without_one_of_its_cards_is_not_taken() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.lie({slot(2, 1): Mark.EMPTY}, 60.0)
    assert table.view.violation is not None
    table.say(0, Call("table_right"))
    assert table.view.proposal is None, "nobody is asked about what cannot be done"


def test_the_screen_is_right_where_a_camera_misreads() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    true = table.shown[slot(2, 1)]
    table.shown[slot(2, 1)] = table.pile[-1]
    table.wait(10.0)
    assert table.view.violation is not None
    call(table, "screen_right", 0, 1, 2).wait(10.0)
    assert table.view.violation is None
    table.draw(1, 2)
    assert table.actions[-1] == Draw(1, 2), "the game goes on beside it"
    table.lie({slot(2, 1): Mark.EMPTY}, 1.0).lie({slot(2, 1): true}, 6.0)
    assert table.view.violation is None
    table.exchange(slot(2, 1), slot(2, 4), 10.0)
    assert table.view.violation is not None, "since its card was moved, the camera is believed again"


def test_the_screen_cannot_be_right_about_an_empty_slot() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.lie({slot(2, 1): Mark.EMPTY}, 60.0).say(0, Call("screen_right"))
    assert table.view.proposal is None


def test_loose_cards_are_led_home_one_by_one() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    fallen: dict[Place, Card] = {slot(0, 3): table.shown[slot(0, 3)], slot(1, 2): table.shown[slot(1, 2)]}  # type: ignore[dict-item]
    table.lie(dict.fromkeys(fallen, Mark.EMPTY), 60.0)
    assert table.view.disagrees
    table.lie({slot(0, 3): fallen[slot(1, 2)]}, 3.0)
    assert [(home.place, home.kind, home.home) for home in table.view.homes] == [((0, 3), "slot", (1, 2))]
    assert Cue(Meaning.HOME, 1, 2) in cues(table.view)
    table.lie({slot(0, 3): Mark.EMPTY, slot(1, 2): fallen[slot(1, 2)]}, 3.0)
    assert table.view.homes == ()
    assert [line.place for line in table.view.violation.remedy if line.done] == [(1, 2)]
    table.lie({slot(0, 3): fallen[slot(0, 3)]}, 3.0)
    assert table.view.violation is None


def test_a_card_whose_like_is_at_home_is_not_led_anywhere() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.lie({slot(2, 1): table.shown[slot(1, 2)]}, 8.0)
    assert table.view.violation is not None
    assert table.view.homes == (), "it would tell whose card it is like"


# ---- corrections --------------------------------------------------------------------------------------------------


def test_a_misread_discard_is_corrected_and_stays_so() -> None:
    table = Told()
    read = table.discard(1, 6.0)
    true = table.pile[5]
    table.say(1, Correct(row(1), true, "look at it"), 8.0)
    assert table.view.row == (str(true),)
    assert table.view.violation is None
    entry = table.sitting.log()[-1]
    assert (entry.kind, entry.old, entry.new, entry.reason) == ("corrected", read, true, "look at it")
    table.draw(1, 2)
    assert table.view.row[0] == str(true)


def test_the_answer_to_a_correction_does_not_depend_on_hidden_hands() -> None:
    shown = []
    for card in (DECK[12], DECK[40]):  # one that Cat holds, one in the pile
        table = Told(sight=RowSight.NONE)
        table.say(0, Press(), 2.0)
        table.say(0, Entry(row(1), card), 8.0)
        shown.append((table.view.row == (str(card),), table.kinds, table.view.violation))
    assert shown[0] == shown[1] == (True, ["action", "entered"], None)


def test_a_card_that_lies_open_is_not_entered_twice() -> None:
    table = taps()
    for seat in (0, 1):
        tap(table, seat, Draw(seat, None))
    table.say(0, Entry(row(1), DECK[3]), 0.2).say(0, Entry(row(2), DECK[3]), 0.2)
    assert table.view.row == (str(DECK[3]), None)


def test_a_mistyped_hand_is_corrected_and_the_winner_with_it() -> None:
    table = ended(taps())
    for number in range(15):
        table.say(0, Entry(slot(number // 5, number % 5 + 1), DECK[number * 2]), 0.1)
    before = table.view.result
    assert before is not None
    table.say(2, Correct(slot(2, 1), DECK[51]), 0.3)
    after = table.view.result
    assert after is not None
    assert after.hands[2][0] == str(DECK[51])
    assert after.hands[:2] == before.hands[:2]
    entry = next(entry for entry in table.sitting.log() if entry.kind == "corrected")
    assert (entry.old, entry.new) == (DECK[20], DECK[51])


def test_a_hidden_card_is_not_corrected_but_laid_anew() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.say(1, Correct(slot(1, 2), DECK[50]), 1.0)
    assert "corrected" not in table.kinds
    agree(table.say(1, Reseat(slot(1, 2))), 0, 1, 2)
    assert table.view.reseat == ((1, 2),)
    face = table.pile[3]
    table.lie({slot(1, 2): Mark.EMPTY}, 1.0).lie({slot(1, 2): face}, 3.0)
    assert (table.view.reseat, table.view.violation) == ((), None)
    assert table.kinds[-1] == "reread"
    table.exchange(slot(1, 2), slot(2, 1))
    assert table.actions[-1] == StealCard(1, 2, 1, 2), "the new reading is the one that holds"


def test_laying_a_card_anew_is_no_peek_in_hard_mode() -> None:
    table = Told(hard_mode=True)
    table.draw(0, 1, 6.0)
    agree(table.say(1, Reseat(slot(1, 2))), 0, 1, 2)
    face = table.shown[slot(1, 2)]
    table.lie({slot(1, 2): Mark.EMPTY}, 1.0).lie({slot(1, 2): face}, 10.0)
    assert table.view.violation is None


def test_only_its_owner_enters_a_hidden_card_and_nobody_sees_it() -> None:
    table = Told(sources=("mat", "tap", "mat"))
    before = table.view
    table.say(0, OwnEntry(slot(1, 2), DECK[50]), 0.3)
    assert "entered_hidden" not in table.kinds
    table.say(1, OwnEntry(slot(1, 2), DECK[50]), 0.3)
    assert table.kinds[-1] == "entered_hidden"
    assert str(DECK[50]) not in repr(table.view)
    assert table.view.seats == before.seats


def test_nobody_gives_a_card_that_a_camera_has_read_another_name() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.say(1, OwnEntry(slot(1, 2), DECK[50]), 0.3)
    assert "entered_hidden" not in table.kinds
    table.say(1, OwnEntry(row(1), DECK[50]), 0.3).say(1, OwnEntry(slot(7, 2), DECK[50]), 0.3)
    assert "entered_hidden" not in table.kinds


def test_likely_faces_are_told_of_open_cards_alone() -> None:
    table = Told()
    table.likely = dict.fromkeys((row(1), slot(0, 1)), ((DECK[30], 0.6), (DECK[31], 0.3), (DECK[32], 0.1)))
    table.discard(1)
    assert table.sitting.likely(row(1)) == (DECK[30], DECK[31], DECK[32])
    assert table.sitting.likely(slot(0, 1)) == ()
    assert "likely" not in repr(table.view)


def test_who_enters_a_card_that_lies_open_already_is_told_where() -> None:
    table = ended(taps()).say(0, Entry(row(1), Card.parse("As")), 0.2)
    refused = []
    for place, card in ((slot(0, 1), "As"), (slot(0, 1), "Kd"), (slot(1, 1), "Kd")):
        receipt = table.sitting.post(Declaration(table.time, 0, Entry(place, Card.parse(card))))
        table.wait(0.2)
        refused.append(receipt.refusal)
    assert refused == ["lies_in_row", "", "lies_in_hand"]
