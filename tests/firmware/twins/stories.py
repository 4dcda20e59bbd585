"""Games for twins, told step by step.  Each yields the name of every moment at which the twins have to look alike."""

from __future__ import annotations

from collections.abc import Iterator

from companion.cards import Card, Mark
from companion.observation import Agree, Answer, Call, Correct, Entry, OwnEntry, Press, Reseat, Rewind
from companion.table import SLOTS, row, slot
from tests.firmware.twins.table import Twin


def agree(twin: Twin, *seats: int, yes: bool = True) -> None:
    for seat in seats:
        proposal = twin.window.view().proposal
        assert proposal is not None
        twin.say(seat, Agree(proposal.id, yes), 0.3)


def evening(twin: Twin) -> Iterator[str]:
    """Mats, and a camera above the tray: a game in which everything happens that happens on an evening."""
    twin.wait(1.0)
    yield "nothing lies there"
    twin.deal(0)
    twin.deal(1, seconds=0.5)
    yield "half of it is dealt"
    twin.deal(2, seconds=3.0)
    assert twin.window.view().current == 0
    yield "dealt"
    twin.exchange(slot(1, 1), slot(1, 4), 3.0)
    yield "sorted"
    yield from _first_turns(twin)
    yield from _a_violation(twin)
    yield from _a_stop(twin)
    yield from _there_and_back(twin)
    yield from _a_correction(twin)
    yield from _a_camera_fails(twin)
    yield from _to_the_end(twin)


def _first_turns(twin: Twin) -> Iterator[str]:
    twin.draw(0, 2, 0.6)
    yield "drawn, and it may still be taken back"
    twin.exchange(slot(1, 1), slot(2, 4), 1.5)
    assert twin.window.view().locks
    yield "stolen, a lock runs"
    twin.lie({slot(2, 1): Mark.EMPTY, slot(2, 2): Mark.EMPTY}, 1.0)
    yield "two cards are in a hand"
    twin.lie({slot(2, 1): twin.dealt(2)[0], slot(2, 2): twin.dealt(2)[1]}, 1.0)
    twin.take(2, 5, 6.0)
    assert twin.window.view().turn == 3
    yield "taken, and it stands"
    twin.say(0, Call("pause"), 0.5)
    yield "paused"
    twin.say(0, Call("resume"), 0.5)


def _a_violation(twin: Twin) -> Iterator[str]:
    """Seat 1 steals although it is the turn of seat 0; then a card is put back into a wrong slot."""
    a, b = slot(1, 3), slot(2, 1)
    twin.exchange(a, b, 8.0)
    assert twin.window.view().violation is not None
    yield "a violation"
    one, other = twin.lies[a], twin.lies[b]
    twin.lie({a: Mark.EMPTY, b: Mark.EMPTY}, 1.0)
    twin.lie({a: one}, 1.0)
    yield "a violation, one card lies in the other's slot"
    twin.lie({a: other, b: one}, 2.0)
    assert twin.window.view().violation is None
    yield "put back"


def _a_stop(twin: Twin) -> Iterator[str]:
    twin.say(1, Call("stop"), 0.5)
    assert twin.window.view().stopped
    yield "stopped"
    twin.exchange(slot(0, 1), slot(1, 5), 2.0)
    yield "stopped, and two cards were exchanged meanwhile"
    twin.exchange(slot(0, 1), slot(1, 5), 2.0)
    twin.say(0, Call("go_on"), 0.3)
    assert twin.window.view().proposal is not None
    yield "going on is proposed"
    agree(twin, 0, 1)
    yield "going on is proposed, two agree"
    agree(twin, 2)
    twin.wait(1.5)
    assert not twin.window.view().stopped
    twin.say(0, Reseat(slot(2, 3)), 0.3)
    yield "reading a card anew is proposed"
    agree(twin, 0, 1, 2)
    yield "a card is to be read anew"
    card = twin.lies[slot(2, 3)]
    twin.lie({slot(2, 3): Mark.EMPTY}, 1.0)
    twin.lie({slot(2, 3): card}, 2.0)
    yield "a card was read anew"


def _there_and_back(twin: Twin) -> Iterator[str]:
    turns = twin.window.view().undo
    twin.draw(0, 1, 6.0)
    old, new = twin.lies[row(1)], twin.lies[slot(0, 1)]
    twin.say(0, Call("undo"), 0.5)
    assert twin.window.view().undo == turns
    yield "taken back by word, the cards have to follow"
    twin.lie({slot(0, 1): old, row(1): Mark.EMPTY}, 2.0)
    yield "taken back"
    twin.say(0, Call("redo"), 0.5)
    yield "done again by word"
    twin.lie({slot(0, 1): new, row(1): old}, 2.0)
    twin.say(0, Rewind(1), 0.5)
    yield "three moves are taken back by word"
    twin.say(0, Rewind(turns + 1), 2.0)
    assert twin.window.view().undo == turns + 1 and not twin.window.view().steps
    yield "there and back again"


def _a_correction(twin: Twin) -> Iterator[str]:
    """The first card of the row is called by the name of one that lies hidden."""
    twin.say(0, Correct(row(1), named_card(twin), "badly printed"), 1.0)
    assert twin.window.view().row[0] == str(named_card(twin))
    yield "a card of the row is called by another name"
    twin.say(0, Call("stop"), 0.5)
    yield "stopped after a correction"
    twin.say(0, Call("go_on"), 0.3)
    agree(twin, 0, 1, 2)
    twin.wait(2.0)
    right = twin.faces[0] if not isinstance(twin.lies[row(1)], int) else twin.faces[twin.lies[row(1)]]
    twin.say(0, Correct(row(1), right, ""), 1.0)
    yield "it is called by its own name again"


def _a_camera_fails(twin: Twin) -> Iterator[str]:
    twin.fail(1, seconds=2.0)
    yield "a camera is silent"
    twin.wait(5.0)
    assert twin.window.view().seats[1].by_hand
    yield "a seat goes by hand"
    twin.draw(1, 2, 1.0)
    yield "a move that nobody sees whole"
    twin.heal(8.0)
    yield "the camera sees again"
    if twin.window.view().question is None and twin.window.view().turn == 4:
        twin.wait(4.0)
    twin.exchange(slot(2, 2), slot(0, 3), 6.0)
    yield "play goes on"
    twin.close_and_open = True  # type: ignore[attr-defined]
    twin.restart()
    twin.wait(0.3)
    yield "after a restart"
    twin.exchange(slot(1, 1), slot(1, 2), 0.2)
    twin.wait(6.0)
    yield "after a restart, two cards were exchanged meanwhile"
    question = twin.window.view().question
    if question is not None:
        twin.say(0, Answer(question.id, len(question.choices) - 1), 1.0)
        yield "the screen is right"
    twin.exchange(slot(1, 1), slot(1, 2), 4.0)
    yield "after a restart, all as agreed"


def _to_the_end(twin: Twin) -> Iterator[str]:
    while twin.window.view().phase == "play":
        twin.discard(5.0)
    yield "the final turns begin"
    twin.discard(5.0)
    yield "one more final turn"
    while twin.window.view().phase == "final":
        twin.discard(5.0)
    assert twin.window.view().phase == "over"
    yield "the end, and no card is turned over yet"
    twin.lie({slot(2, 1): Mark.COVERED}, 0.3)
    yield "a hand is over the first card"


def named_card(twin: Twin) -> Card:
    """A card that lies hidden, and lies elsewhere in the other game."""
    from tests.firmware.twins.outlets import named

    return Card.parse(named(twin)[0])


__all__ = ["SLOTS", "Entry", "OwnEntry", "Press", "agree", "evening"]
