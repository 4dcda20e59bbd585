"""Cards typed at the reveal that go against what everybody has seen: they are asked about, and nobody is accused."""

from __future__ import annotations

import pytest

from companion.announcements import announce
from companion.cards import DECK, Card
from companion.games.steal_state import Draw, StealCard, Take
from companion.observation import Answer, Call, Declaration, Entry, Press
from companion.sitting import RowSight
from companion.table import Place, row, slot
from tests.companion.amended import tap, taps
from tests.companion.told import Told

ACE = Card.parse("As")
OTHER = Card.parse("Kd")


def to_the_end(table: Told) -> Told:
    while table.view.phase != "over":
        seat = table.view.current
        assert seat is not None
        tap(table, seat, Draw(seat, None))
    return table


def taken() -> Told:
    """A table of taps at its end: the ace of spades lay in the row, and Ben took it into slot 2."""
    table = tap(taps(), 0, Draw(0, None)).say(0, Entry(row(1), ACE), 0.2)
    return to_the_end(tap(table, 1, Take(1, 2)))


def enter(table: Told, place: Place, card: Card) -> str:
    """Type a card; why it was not taken, if it was not."""
    receipt = table.sitting.post(Declaration(table.time, 0, Entry(place, card)))
    table.wait(0.2)
    return receipt.refusal


def answer(table: Told, choice: int) -> Told:
    assert table.view.question is not None
    return table.say(0, Answer(table.view.question.id, choice), 0.2)


def shown(table: Told, seat: int, number: int) -> str | None:
    return table.view.seats[seat].slots[number - 1].card


def test_a_card_that_has_been_seen_going_elsewhere_is_asked_about_before_it_counts() -> None:
    table = taken()
    assert enter(table, slot(2, 1), ACE) == ""
    question = table.view.question
    assert question is not None
    assert (question.kind, question.places, question.card) == ("seen_elsewhere", ((2, 1), (1, 2)), "As")
    assert (shown(table, 2, 1), table.view.violation) == (None, None)
    words = announce(table.view)
    assert words.question == "The ace of spades has been seen going to slot 2 of Ben. Is it really the card of slot 1 of Cat?"
    assert words.choices == ("Yes, it is this card", "No, it is typed anew")
    answer(table, 1)
    assert (table.view.question, shown(table, 2, 1)) == (None, None)
    assert enter(table, slot(2, 1), OTHER) == ""
    assert shown(table, 2, 1) == "Kd"
    assert enter(table, slot(1, 2), ACE) == ""
    assert (table.view.question, shown(table, 1, 2)) == (None, "As")


def test_another_card_where_one_has_been_seen_going_is_asked_about_and_taken_when_people_are_sure() -> None:
    table = taken()
    assert enter(table, slot(1, 2), OTHER) == ""
    question = table.view.question
    assert question is not None and (question.kind, question.places, question.card) == ("seen_other", ((1, 2),), "Kd")
    assert announce(table.view).question == (
        "Another card has been seen going to slot 2 of Ben. Is it really the king of diamonds?"
    )
    answer(table, 0)
    assert (table.view.question, shown(table, 1, 2)) == (None, "Kd")
    assert table.kinds[-3:] == ["question", "answer", "corrected"]


def test_the_card_is_followed_through_thefts_and_out_of_the_game() -> None:
    table = tap(taps(), 0, Draw(0, None)).say(0, Entry(row(1), ACE), 0.2)
    tap(tap(table, 1, Take(1, 2)), 2, StealCard(2, 1, 2, 4))
    tap(tap(table, 0, Draw(0, None)), 1, Draw(1, None))
    tap(table, 2, Take(2, 4))
    to_the_end(table)
    assert enter(table, slot(0, 3), ACE) == ""
    assert announce(table.view).question == (
        "The ace of spades has been seen leaving the game. Is it really the card of slot 3 of Ann?"
    )
    answer(table, 0)
    assert shown(table, 0, 3) == "As"


def test_which_slot_of_one_hand_it_is_is_not_asked() -> None:
    table = taken()
    assert enter(table, slot(1, 4), ACE) == ""
    assert (table.view.question, shown(table, 1, 4)) == (None, "As")


def test_the_question_has_to_be_answered_before_the_next_card_is_doubted_and_another_card_there_settles_it() -> None:
    table = taken()
    enter(table, slot(2, 1), ACE)
    assert enter(table, slot(0, 1), OTHER) == "question_first"
    assert enter(table, slot(2, 1), DECK[3]) == ""
    assert (table.view.question, shown(table, 2, 1)) == (None, str(DECK[3]))


def test_the_whole_reveal_comes_to_its_result_after_a_question() -> None:
    table = taken()
    cards = [card for card in DECK if card != ACE][:15]
    cards[6] = ACE
    enter(table, slot(0, 1), ACE)
    answer(table, 1)
    for number, card in enumerate(cards):
        assert enter(table, slot(number // 5, number % 5 + 1), card) == ""
    assert table.view.result is not None and table.view.result.hands[1][1] == "As"


def test_a_question_is_gone_when_the_end_is_taken_back() -> None:
    table = taken()
    enter(table, slot(2, 1), ACE)
    table.say(0, Call("undo"), 0.3)
    assert (table.view.question, table.view.phase) == (None, "final")


def play_on(table: Told) -> None:
    """To the end: Ann presses, the others draw onto the row."""
    while table.view.phase != "over":
        seat = table.view.current
        assert seat is not None
        if seat:
            tap(table, seat, Draw(seat, None))
        else:
            table.say(0, Press(), 3.0)


@pytest.mark.parametrize("card", [DECK[0], DECK[40]], ids=["one that Ann holds", "one of the pile"])
def test_nothing_is_asked_of_what_only_a_camera_knows(card: Card) -> None:
    """Ben steals a card of Ann, which her camera has read; what he types for it at the reveal tells nobody what it was."""
    table = Told(("mat", "tap", "tap"), RowSight.NONE)
    table.say(0, Press(), 3.0)
    tap(table, 1, StealCard(1, 0, 3, 2)).lie({slot(0, 3): table.pile.pop(0)}, 6.0)
    play_on(table)
    assert enter(table, slot(1, 2), card) == ""
    assert (table.view.question, shown(table, 1, 2)) == (None, str(card))


def test_a_card_that_was_read_in_the_row_only_counts_as_seen_where_the_table_saw_it_there() -> None:
    """Nothing looks at the row: a card of the pile that Ann takes from it is read by her camera alone."""
    table = Told(("mat", "tap", "tap"), RowSight.NONE)
    table.say(0, Press(), 3.0)
    tap(tap(table, 1, Draw(1, None)), 2, Draw(2, None))
    taken_card = table.pile.pop(0)
    table.lie({slot(0, 2): taken_card}, 6.0)
    question = table.view.question
    assert question is not None
    wanted = next(number for number, choice in enumerate(question.choices) if choice is not None and choice.kind == "take")
    answer(table, wanted).wait(3.0)
    assert table.actions[-1] == Take(0, 2)
    play_on(table)
    assert enter(table, slot(1, 1), taken_card) == ""
    assert table.view.question is None
