"""What the page says, step by step, while people lay cards where they belong."""

from __future__ import annotations

from companion.announcements import announce
from companion.cards import Mark
from companion.observation import Call, Rewind
from companion.table import row, slot
from tests.companion.amended import call
from tests.companion.told import Told

LOOSE = "Cards that lie loose: lay any of them into any free slot, and its lamp leads it home."


def three_moves() -> Told:
    table = Told()
    table.exchange(slot(0, 4), slot(1, 2), 6.0)
    table.draw(1, 3, 6.0)
    table.discard(2, 6.0)
    return table


def listed(table: Told) -> dict[str, bool]:
    """What is listed, and what of it is ticked off."""
    view, words = table.view, announce(table.view)
    if view.violation is not None:
        return dict(zip(words.remedy, (line.done for line in view.violation.remedy), strict=True))
    return dict(zip(words.awaiting, (line.done for line in view.awaiting), strict=True))


def test_an_undo_is_ticked_off_card_by_card_and_a_forgotten_one_stays_on_the_list() -> None:
    table = three_moves().say(0, Rewind(0))
    given, stolen, old = table.shown[slot(1, 2)], table.shown[slot(0, 4)], table.shown[row(1)]
    back = "Put the card back into slot {} of {}."
    ann, bens, drawn = back.format(4, "Ann"), back.format(2, "Ben"), back.format(3, "Ben")
    the_row = "Lay the row as it is shown here."
    assert listed(table) == {ann: False, bens: False, drawn: False, the_row: False}
    table.lie({slot(1, 3): old, row(1): Mark.EMPTY, row(2): Mark.EMPTY}, 2.0)
    assert listed(table) == {ann: False, bens: False, drawn: True}
    assert announce(table.view).homes == (
        "The card in slot 4 of Ann belongs in slot 2 of Ben.", "The card in slot 2 of Ben belongs in slot 4 of Ann.",
    )  # fmt: skip
    table.lie({slot(0, 4): Mark.EMPTY, slot(1, 2): Mark.EMPTY}, 2.0)
    assert (listed(table), announce(table.view).loose) == ({ann: False, bens: False, drawn: True}, LOOSE)
    table.lie({slot(1, 2): stolen}, 60.0)
    assert listed(table) == {ann: False, bens: True, drawn: True}, "one was forgotten"
    table.lie({slot(0, 4): given}, 2.0)
    assert (announce(table.view).headline, listed(table)) == ("Ann to play", {})


def test_nothing_is_said_of_loose_cards_where_every_slot_has_one() -> None:
    table = three_moves().say(0, Call("undo"))
    assert (listed(table), announce(table.view).loose) == ({"Lay the row as it is shown here.": False}, "")
    table = three_moves().exchange(slot(2, 1), slot(2, 2), 6.0)
    assert table.view.violation is not None and announce(table.view).loose == ""


def test_what_is_done_again_is_laid_and_not_put_back() -> None:
    table = three_moves().say(0, Rewind(0), 0.3).say(0, Rewind(1), 2.0)
    assert [line for line in listed(table) if "slot" in line] == ["Put the card back into slot 3 of Ben."]
    table = three_moves()
    taken = table.shown[row(2)]
    table.say(0, Call("undo")).lie({row(2): Mark.EMPTY}, 2.0).say(0, Rewind(3))
    assert announce(table.view).steps == ("Cat: the top card of the pile goes face up onto the row.",)
    assert announce(table.lie({row(2): taken}, 3.0).view).headline == "Ann to play"


def test_a_slot_is_called_empty_only_while_one_is() -> None:
    """Three cards fell on the floor; each is laid into a free slot, and all of them into wrong ones."""
    table = three_moves()
    places = (slot(0, 1), slot(2, 1), slot(2, 2))
    cards = [table.shown[place] for place in places]
    table.say(0, Call("stop")).lie(dict.fromkeys(places, Mark.EMPTY), 3.0)
    call(table, "go_on", 0, 1, 2).wait(60.0)
    empty = "These slots are empty: slot 1 of Ann, slot 1 of Cat and slot 2 of Cat. Every slot needs its card."
    assert (announce(table.view).violation, announce(table.view).loose) == (empty, LOOSE)
    table.lie({places[1]: cards[2]}, 3.0)
    assert announce(table.view).violation.startswith("These slots are empty: slot 1 of Ann and slot 2 of Cat.")
    assert announce(table.view).homes == ("The card in slot 1 of Cat belongs in slot 2 of Cat.",)
    table.lie({places[0]: cards[1], places[2]: cards[0]}, 3.0)
    assert announce(table.view).violation == "Table and screen do not agree."
    assert len(announce(table.view).homes) == 3
    table.lie(dict(zip(places, cards, strict=True)), 3.0)
    assert (table.view.violation, announce(table.view).headline) == (None, "Ann to play")
