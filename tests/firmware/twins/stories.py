"""Games for twins, told step by step.  Each yields the name of every moment at which the twins have to look alike."""

from __future__ import annotations

from collections.abc import Iterator

from companion.cards import Card, Mark
from companion.games.steal_state import Draw, StealCard
from companion.observation import Agree, Answer, Call, Claim, Correct, Entry, OwnEntry, Press, Reseat, Rewind
from companion.table import SLOTS, row, slot
from tests.firmware.twins.outlets import named
from tests.firmware.twins.table import Twin


def agree(twin: Twin, *seats: int, yes: bool = True) -> None:
    for seat in seats:
        proposal = twin.now.proposal
        assert proposal is not None
        twin.say(seat, Agree(proposal.id, yes), 0.3)


def a_few_moves(twin: Twin) -> Iterator[str]:
    """A deal, a draw, a steal and a violation: enough for a leak to show."""
    twin.deal(0, 1, 2, seconds=2.5)
    yield "dealt"
    twin.draw(0, 2, 0.6)
    twin.exchange(slot(1, 1), slot(2, 4), 0.6)
    yield "stolen"
    twin.exchange(slot(1, 3), slot(0, 1), 4.0)
    assert twin.now.violation is not None
    yield "a violation"
    twin.say(0, Call("stop"), 0.2)
    yield "stopped"


def evening(twin: Twin) -> Iterator[str]:
    """Mats, and a camera above the tray: a game in which everything happens that happens on an evening."""
    twin.wait(1.0)
    yield "nothing lies there"
    twin.deal(0)
    twin.deal(1, seconds=0.5)
    yield "half of it is dealt"
    twin.deal(2, seconds=3.0)
    assert twin.now.current == 0
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
    assert twin.now.locks
    yield "stolen, a lock runs"
    twin.lie({slot(2, 1): Mark.EMPTY, slot(2, 2): Mark.EMPTY}, 1.0)
    yield "two cards are in a hand"
    twin.lie({slot(2, 1): twin.dealt(2)[0], slot(2, 2): twin.dealt(2)[1]}, 1.0)
    twin.take(2, 5, 6.0)
    assert twin.now.turn == 3
    yield "taken, and it stands"
    twin.say(0, Call("pause"), 0.5)
    yield "paused"
    twin.say(0, Call("resume"), 0.5)


def _a_violation(twin: Twin) -> Iterator[str]:
    """Seat 1 steals although it is the turn of seat 0; then a card is put back into a wrong slot."""
    a, b = slot(1, 3), slot(2, 1)
    twin.exchange(a, b, 8.0)
    assert twin.now.violation is not None
    yield "a violation"
    one, other = twin.lies[a], twin.lies[b]
    twin.lie({a: Mark.EMPTY, b: Mark.EMPTY}, 1.0)
    twin.lie({a: one}, 1.0)
    yield "a violation, one card lies in the other's slot"
    twin.lie({a: other, b: one}, 2.0)
    assert twin.now.violation is None
    yield "put back"


def _a_stop(twin: Twin) -> Iterator[str]:
    twin.say(1, Call("stop"), 0.5)
    assert twin.now.stopped
    yield "stopped"
    twin.exchange(slot(0, 1), slot(1, 5), 2.0)
    yield "stopped, and two cards were exchanged meanwhile"
    twin.exchange(slot(0, 1), slot(1, 5), 2.0)
    twin.say(0, Call("go_on"), 0.3)
    assert twin.now.proposal is not None
    yield "going on is proposed"
    agree(twin, 0, 1)
    yield "going on is proposed, two agree"
    agree(twin, 2)
    twin.wait(1.5)
    assert not twin.now.stopped
    twin.say(0, Reseat(slot(2, 3)), 0.3)
    yield "reading a card anew is proposed"
    agree(twin, 0, 1, 2)
    yield "a card is to be read anew"
    card = twin.lies[slot(2, 3)]
    twin.lie({slot(2, 3): Mark.EMPTY}, 1.0)
    twin.lie({slot(2, 3): card}, 2.0)
    yield "a card was read anew"


def _there_and_back(twin: Twin) -> Iterator[str]:
    turns = twin.now.undo
    twin.draw(0, 1, 6.0)
    old, new = twin.lies[row(1)], twin.lies[slot(0, 1)]
    twin.say(0, Call("undo"), 0.5)
    assert twin.now.undo == turns
    yield "taken back by word, the cards have to follow"
    twin.lie({slot(0, 1): old, row(1): Mark.EMPTY}, 2.0)
    yield "taken back"
    twin.say(0, Call("redo"), 0.5)
    yield "done again by word"
    twin.lie({slot(0, 1): new, row(1): old}, 2.0)
    twin.say(0, Rewind(1), 0.5)
    yield "three moves are taken back by word"
    twin.say(0, Rewind(turns + 1), 2.0)
    assert twin.now.undo == turns + 1 and not twin.now.steps
    yield "there and back again"


def _a_correction(twin: Twin) -> Iterator[str]:
    """The first card of the row is called by the name of one that lies hidden."""
    twin.say(0, Correct(row(1), named_card(twin), "badly printed"), 1.0)
    assert twin.now.row[0] == str(named_card(twin))
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
    assert twin.now.seats[1].by_hand
    yield "a seat goes by hand"
    twin.draw(1, 2, 1.0)
    yield "a move that nobody sees whole"
    twin.heal(8.0)
    yield "the camera sees again"
    if twin.now.question is None and twin.now.turn == 4:
        twin.wait(4.0)
    twin.exchange(slot(2, 2), slot(0, 3), 6.0)
    yield "play goes on"
    twin.restart()
    twin.wait(0.3)
    yield "after a restart"
    twin.exchange(slot(1, 1), slot(1, 2), 0.2)
    twin.wait(6.0)
    yield "after a restart, two cards were exchanged meanwhile"
    question = twin.now.question
    if question is not None:
        twin.say(0, Answer(question.id, len(question.choices) - 1), 1.0)
        yield "the screen is right"
    twin.exchange(slot(1, 1), slot(1, 2), 4.0)
    yield "after a restart, all as agreed"


def _to_the_end(twin: Twin) -> Iterator[str]:
    while twin.now.phase == "play":
        twin.discard(5.0)
    yield "the final turns begin"
    twin.discard(5.0)
    yield "one more final turn"
    while twin.now.phase == "final":
        twin.discard(5.0)
    assert twin.now.phase == "over"
    yield "the end, and no card is turned over yet"
    twin.lie({slot(2, 1): Mark.COVERED}, 0.3)
    yield "a hand is over the first card"


def without_a_tray(twin: Twin) -> Iterator[str]:
    """Two mats, a seat that taps, no camera above the row; phones may show their owner's cards.  Cards are named by people."""
    twin.deal(0, 2, seconds=3.0)
    yield "dealt"
    twin.draw(0, 2, 8.0)
    assert twin.now.question is not None
    yield "was it drawn, or stolen where no camera looks?"
    twin.say(0, Answer(twin.now.question.id, 0), 6.0)
    assert twin.now.turn == 1
    yield "drawn, the old card lies open"
    twin.say(1, OwnEntry(slot(1, 2), named_card(twin)), 0.5)
    yield "somebody without a mat names a card of his"
    twin.say(1, Claim(Draw(1, None)), 6.0)
    assert twin.now.row[1] is None
    yield "a card of the row that nobody has read"
    twin.say(0, Entry(row(2), named_card(twin, 1)), 0.5)
    assert twin.now.row[1] == str(named_card(twin, 1))
    yield "it is named"
    twin.exchange(slot(2, 1), slot(0, 4), 8.0)
    assert twin.now.turn == 3
    yield "stolen"
    twin.say(0, Press(), 3.0)
    yield "somebody presses who has not moved a card"
    yield from _an_unread_card(twin)
    yield from _a_question(twin)
    twin.restart()
    twin.wait(6.0)
    yield "after a restart"
    for name in ("undo", "undo", "redo"):
        twin.say(0, Call(name), 0.5)
        yield f"after {name}"
    twin.say(0, Rewind(0), 0.5)
    yield "all was taken back"


def _an_unread_card(twin: Twin) -> Iterator[str]:
    """A card is laid anew so badly that no camera reads it, and its owner names it."""
    place = slot(2, 5)
    card = twin.lies[place]
    assert isinstance(card, int)
    twin.lie({place: Mark.EMPTY}, 1.0)
    twin.unread.add(card)
    twin.lie({place: card}, 4.0)
    yield "a card that cannot be read"
    twin.say(2, Reseat(place), 0.3)
    if twin.now.proposal is not None:
        agree(twin, 0, 1, 2)
    twin.lie({place: Mark.EMPTY}, 1.0)
    twin.lie({place: card}, 3.0)
    yield "it cannot be read again"
    twin.say(2, OwnEntry(place, named_card(twin, 2)), 1.0)
    yield "its owner has named it"
    twin.say(1, Call("stop"), 0.5)
    yield "stopped after that"
    twin.say(1, Call("go_on"), 0.5)
    if twin.now.proposal is not None:
        agree(twin, 0, 1, 2)
    twin.wait(2.0)
    yield "play goes on after that"


def _a_question(twin: Twin) -> Iterator[str]:
    """The seat in turn does something that leaves no trace, and then the next one acts."""
    seat = twin.now.current
    assert seat is not None
    twin.draw(2 if seat != 2 else 0, 4, 10.0)
    yield "something that has to be asked or put back"
    if twin.now.question is not None:
        twin.say(0, Answer(twin.now.question.id, 0), 2.0)
        yield "answered"


def in_a_club(twin: Twin) -> Iterator[str]:
    """Hard mode, a referee who decides, a bot, and the turn is lost by what is illegal."""
    twin.deal(0, 1, seconds=10.0)
    yield "dealt"
    twin.draw(0, 3, 6.0)
    yield "drawn"
    card = twin.lies[slot(0, 1)]
    twin.lie({slot(0, 1): Mark.EMPTY}, 1.2)
    twin.lie({slot(0, 1): card}, 3.0)
    assert twin.now.violation is not None and twin.now.violation.error == "peek"
    yield "a peek"
    twin.wait(6.0)
    yield "the peek was said"
    twin.exchange(slot(1, 2), slot(0, 5), 8.0)
    yield "stolen"
    twin.wait(6.0)
    assert twin.now.last is not None and twin.now.last.seat == 2
    yield "a bot has announced its move"
    twin.say(2, Press(), 2.0)
    yield "its button was pressed"
    twin.say(0, Rewind(1), 1.0)
    yield "the referee goes back to the first move"
    twin.say(0, Correct(row(1), named_card(twin)), 1.0)
    yield "the referee calls a card of the row by another name"
    twin.say(0, Call("table_right"), 1.0)
    yield "the table is right"
    twin.say(0, Reseat(slot(1, 4)), 1.0)
    yield "a card is to be read anew"
    twin.say(0, Call("misdeal"), 1.0)
    yield "a misdeal is called too late"
    twin.say(1, Call("leave"), 2.0)
    yield "somebody has left"


def with_a_sixth_mat(twin: Twin) -> Iterator[str]:
    """A mat under the tray: it is shown what is laid there."""
    twin.deal(0, 1, 2, seconds=3.0)
    twin.discard(4.0)
    assert twin.now.turn == 1
    yield "the first discard"
    twin.exchange(slot(1, 1), slot(0, 2), 6.0)
    yield "stolen"
    twin.fail(None, seconds=7.0)
    yield "the tray's camera fails"
    twin.say(2, Claim(StealCard(2, 1, 1, 3)), 2.0)
    yield "somebody with a mat taps"
    twin.heal(6.0)
    yield "the tray's camera sees again"
    twin.exchange(slot(0, 1), slot(2, 2), 9.0)
    yield "a violation or a question"
    twin.say(0, Call("misdeal"), 0.5)
    twin.say(0, Rewind(0), 0.5)
    yield "all was taken back"
    twin.say(0, Call("misdeal"), 3.0)
    yield "a misdeal"


def by_tap(twin: Twin) -> Iterator[str]:
    """No cameras at all; players name their cards on their phones."""
    yield "before the first move"
    for seat in range(3):
        for number in SLOTS:
            twin.say(seat, OwnEntry(slot(seat, number), twin.faces[twin.dealt(seat)[number - 1]]), 0.1)
    yield "all hands are named"
    twin.say(0, Claim(StealCard(0, 2, 1, 1)), 0.5)
    # Each has the other's first card now, and may look at it.
    twin.owned[0].add(twin.dealt(2)[0])
    twin.owned[2].add(twin.dealt(0)[0])
    yield "stolen"
    twin.say(1, OwnEntry(slot(1, 2), named_card(twin)), 0.5)
    yield "a card is named otherwise"
    twin.say(1, Claim(Draw(1, None)), 0.5)
    twin.say(0, Entry(row(1), named_card(twin, 1)), 0.5)
    yield "a card of the row is named"
    twin.say(0, Correct(row(1), named_card(twin, 2)), 0.5)
    yield "and named otherwise"
    twin.say(2, Call("stop"), 0.5)
    yield "stopped"
    twin.say(0, Call("go_on"), 0.5)
    agree(twin, 0, 1, 2)
    for name in ("undo", "undo", "redo"):
        twin.say(0, Call(name), 0.3)
        yield f"after {name}"
    twin.say(0, Call("laid"), 0.5)
    yield "laid"
    twin.restart()
    twin.wait(1.0)
    yield "after a restart"
    while (seat := twin.now.current) is not None:
        twin.say(seat, Claim(Draw(seat, None)), 0.5)
    assert twin.now.phase == "over"
    yield "the end, and nothing is shown yet"


def named_card(twin: Twin, which: int = 0) -> Card:
    """A card that lies hidden, and lies elsewhere in the other game."""
    return Card.parse(named(twin)[which])
