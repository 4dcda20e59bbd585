"""Hands that are played for chips, for twins: told step by step, each with the name of its moment."""

from __future__ import annotations

from collections.abc import Iterator

from companion.cards import Mark
from companion.games.poker_acts import BringIn, Check, Fold, Wager
from companion.games.poker_acts import Call as Calls
from companion.observation import Call, Claim, Entry, Press
from companion.rulings import Action
from companion.table import SLOTS, slot
from tests.firmware.twins.pairs import HAND
from tests.firmware.twins.stories import agree
from tests.firmware.twins.table import Twin


def taps(twin: Twin, *actions: Action, seconds: float = 0.6) -> None:
    """Bets, one after another."""
    for action in actions:
        assert action.seat is not None
        twin.say(action.seat, Claim(action), seconds)
        assert twin.now.last is not None and twin.now.last.seat == action.seat


def offered(twin: Twin, seat: int, kind: str, amount: int) -> None:
    """What the seat is offered, tapped."""
    offers = twin.sitting.offers(seat)
    offer = next(one for one in offers if (one.move.kind, one.move.amount) == (kind, amount))
    twin.sitting.claim(seat, offer.id)
    twin.wait(0.6)


def throws(twin: Twin, seat: int, *numbers: int, seconds: float = 3.0) -> None:
    """Cards of these slots are laid aside, and as many from the pile come there."""
    twin.lie({slot(seat, number): Mark.EMPTY for number in numbers}, 0.6)
    twin.lie({slot(seat, number): twin.top() for number in numbers}, seconds)


def gives_up(twin: Twin, seat: int) -> None:
    """All five cards are taken away, and the button says that this is meant."""
    twin.lie({slot(seat, number): Mark.EMPTY for number in SLOTS}, 1.5)
    twin.say(seat, Press(), 4.0)


def draw_with_mats(twin: Twin) -> Iterator[str]:
    """Five-Card Draw on mats: bets by tap, cards under cameras, and a hand that nobody has to show."""
    twin.wait(1.0)
    yield "nothing lies there"
    twin.deal(0, 1)
    twin.deal(2, seconds=3.0)
    assert twin.now.current == 0
    yield "dealt"
    twin.lie({slot(1, 1): twin.lies[slot(1, 2)], slot(1, 2): twin.lies[slot(1, 1)]}, 3.0)
    yield "sorted"
    taps(twin, Wager(0, 5, "bet"), Calls(1))
    yield "a bet, and a call"
    gives_up(twin, 2)
    assert twin.now.chips is not None and twin.now.chips.folded == (2,), twin.now
    yield "a hand is given up"
    assert twin.now.chips.drawing and twin.now.current == 0
    offered(twin, 0, "announce", 2)
    yield "two are announced"
    first = {number: twin.lies[slot(0, number)] for number in (1, 2, 3)}
    throws(twin, 0, 1, 2, 3, seconds=8.0)
    assert twin.now.violation is not None and twin.now.violation.error == "wrong_count", twin.now
    yield "three are exchanged"
    twin.lie({slot(0, number): lies for number, lies in first.items()}, 3.0)
    assert twin.now.violation is None
    throws(twin, 0, 1, 4, seconds=8.0)
    assert twin.now.current == 1, twin.now
    yield "exchanged"
    throws(twin, 1, 5, seconds=8.0)
    assert twin.now.current == 0 and not twin.now.chips.drawing
    yield "one more"
    twin.say(0, Call("stop"), 0.2)
    yield "stopped"
    twin.say(0, Call("go_on"), 1.0)
    agree(twin, 0, 1, 2)
    taps(twin, Wager(0, 10, "bet"))
    twin.say(0, Call("undo"), 1.0)
    yield "taken back"
    taps(twin, Wager(0, 20, "bet"))
    gives_up(twin, 1)
    assert twin.now.result is not None and twin.now.result.reason == "folded", twin.now
    yield "won without a showdown"


def reads(twin: Twin, number: int) -> None:
    """The open cards of who is still in are tapped in."""
    for seat in range(3):
        if twin.now.chips is not None and seat not in twin.now.chips.folded:
            token = HAND * seat + number - 1
            twin.opened.add(token)
            twin.say(seat, Entry(slot(seat, number), twin.faces[token]), 0.3)


def in_turn(twin: Twin) -> int:
    seat = twin.now.current
    assert seat is not None
    return seat


def stud_by_tap(twin: Twin) -> Iterator[str]:
    """Five-Card Stud without a camera: open cards are tapped in; nobody is ever called."""
    twin.wait(1.0)
    assert twin.now.waits == "upcards"
    yield "nobody has read the open cards"
    reads(twin, 2)
    yield "the first open cards"
    for _ in range(3):
        taps(twin, Check(in_turn(twin)))
    yield "checked"
    reads(twin, 3)
    taps(twin, Wager(in_turn(twin), 5, "bet"))
    yield "a bet"
    taps(twin, Fold(in_turn(twin)))
    yield "one is out"
    taps(twin, Calls(in_turn(twin)))
    yield "a call"
    reads(twin, 4)
    taps(twin, Wager(in_turn(twin), 10, "bet"))
    yield "a big bet"
    taps(twin, Fold(in_turn(twin)))
    assert twin.now.result is not None
    yield "won"


def casino_by_tap(twin: Twin) -> Iterator[str]:
    """The casino's: the lowest open card brings in, and everybody else gives up in turn."""
    twin.wait(1.0)
    yield "nobody has read the open cards"
    reads(twin, 2)
    yield "the first open cards"
    taps(twin, BringIn(in_turn(twin)))
    yield "brought in"
    for _ in range(2):
        taps(twin, Calls(in_turn(twin)))
        yield "called"
    reads(twin, 3)
    for _ in range(2):
        taps(twin, Check(in_turn(twin)))
        yield "checked"
    taps(twin, Wager(in_turn(twin), 5, "bet"))
    yield "a bet"
    for _ in range(2):
        taps(twin, Fold(in_turn(twin)))
        yield "one is out"
    assert twin.now.result is not None


def turned_up(twin: Twin, seat: int, number: int, seconds: float = 2.0) -> None:
    """A card is dealt face up: held face down over its slot, so that the camera reads it, and then turned."""
    token = HAND * seat + number - 1
    twin.opened.add(token)
    twin.lie({slot(seat, number): token}, 1.0)
    twin.lie({slot(seat, number): Mark.BACK}, seconds)


def stud_with_mats(twin: Twin) -> Iterator[str]:
    """Five-Card Stud on mats: hole cards read from below, open cards scanned and turned, or tapped in."""
    twin.wait(1.0)
    yield "nothing lies there"
    for seat in range(3):
        twin.lie({slot(seat, 1): HAND * seat}, 0.6)
    for seat in range(2):
        turned_up(twin, seat, 2, 0.6)
    twin.opened.add(HAND * 2 + 1)
    twin.lie({slot(2, 2): Mark.BACK}, 4.0)
    assert twin.now.waits == "upcards" and twin.now.seats[0].slots[1].card == str(twin.faces[1])
    yield "one open card is not read"
    twin.say(2, Entry(slot(2, 2), twin.faces[HAND * 2 + 1]), 1.0)
    first = in_turn(twin)
    yield "all open cards are read"
    for _ in range(3):
        taps(twin, Check(in_turn(twin)))
    assert [line.kind for line in twin.now.awaiting] == ["lay_card"] * 3
    yield "the third cards are to be dealt"
    for seat in range(3):
        turned_up(twin, seat, 3, 0.6)
    twin.wait(3.0)
    second = in_turn(twin)
    assert not twin.now.awaiting
    yield "dealt"
    twin.lie({slot(second, 3): Mark.EMPTY}, 1.0)
    twin.lie({slot(second, 3): Mark.BACK}, 6.0)
    assert twin.now.violation is not None and twin.now.violation.error == "upcard_moved", twin.now
    yield "an open card was lifted"
    turned_up(twin, second, 3, 3.0)
    assert twin.now.violation is None, twin.now
    taps(twin, Wager(second, 5, "bet"))
    yield "a bet"
    taps(twin, Fold(in_turn(twin)))
    assert {line.kind for line in twin.now.awaiting} == {"clear_slot"}
    folded = twin.now.chips.folded[0] if twin.now.chips is not None else 0
    yield "the cards of who has folded are to be taken away"
    twin.lie({slot(folded, number): Mark.EMPTY for number in (1, 2, 3)}, 2.0)
    assert not twin.now.awaiting and first is not None
    taps(twin, Calls(in_turn(twin)))
    yield "called"
    left = [seat for seat in range(3) if seat != folded]
    for seat in left:
        turned_up(twin, seat, 4, 0.6)
    twin.wait(3.0)
    taps(twin, Wager(in_turn(twin), 10, "bet"))
    taps(twin, Fold(in_turn(twin)))
    assert twin.now.result is not None
    yield "won"
