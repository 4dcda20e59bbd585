"""Views -> what lamps and buzzer have to say, by place and pattern.  No colours, no pins, no words.

A cue never depends on a card, only on places, so lamps tell nothing that the page may not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from companion.views import MoveView, SlotShows, View


class Pattern(Enum):
    """How a lamp burns.  The value is the period in seconds and the lit stretches of it."""

    OFF = (1.0, ())
    STEADY = (1.0, ((0.0, 1.0),))
    SLOW = (1.0, ((0.0, 0.5),))
    FAST = (0.25, ((0.0, 0.125),))
    DOUBLE = (1.0, ((0.0, 0.125), (0.25, 0.375)))

    def lit(self, time: float) -> bool:
        """Whether the lamp burns at `time` seconds; every lamp of one pattern blinks in step."""
        period, stretches = self.value
        return any(start <= time % period < end for start, end in stretches)


class Meaning(Enum):
    """What a cue says; at one place the first of those that apply is shown."""

    STOPPED = "stopped"
    """Every seat: somebody wants something settled."""
    PAUSED = "paused"
    """Every seat: the sitting is paused."""
    BROKE = "broke"
    """Seat: broke a rule, or is concerned where no single seat can be named."""
    PUT_BACK = "put_back"
    """Slot: something has to be put back (or taken away) here."""
    HOME = "home"
    """Slot: a loose card that lies elsewhere belongs here."""
    ASKED = "asked"
    """Seat: its button answers the open question.  Slot: the question is about it."""
    WINNER = "winner"
    """Seat and its slots: won."""
    LAY_HERE = "lay_here"
    """Slot: a declared action still has to move a card here."""
    LAST_TURN = "last_turn"
    """Seat: to act, for the last time in this game."""
    TURN = "turn"
    """Seat: to act."""
    TOUCHED = "touched"
    """Slot: the latest action changed it."""
    REVEALED = "revealed"
    """Slot: its card has been revealed."""
    # The table as a whole has no lamp; the buzzer and the page take these.
    VIOLATION = "violation"
    QUESTION = "question"
    TROUBLE = "trouble"
    """Table: a camera is silent or lost its markers."""
    FINAL_TURNS = "final_turns"
    REVEALING = "revealing"
    OVER = "over"


_PATTERNS = {
    Meaning.STOPPED: Pattern.DOUBLE,
    Meaning.PAUSED: Pattern.SLOW,
    Meaning.BROKE: Pattern.FAST,
    Meaning.PUT_BACK: Pattern.FAST,
    Meaning.HOME: Pattern.DOUBLE,
    Meaning.LAY_HERE: Pattern.SLOW,
    Meaning.LAST_TURN: Pattern.DOUBLE,
    Meaning.TURN: Pattern.STEADY,
    Meaning.TOUCHED: Pattern.STEADY,
    Meaning.REVEALED: Pattern.STEADY,
}


@dataclass(frozen=True, slots=True)
class Cue:
    """One meaning at one place: the table (no seat), a seat (no slot) or a slot."""

    meaning: Meaning
    seat: int | None = None
    slot: int | None = None
    """1..5."""

    @property
    def pattern(self) -> Pattern:
        """How the lamp of that place burns.  At one kind of place no two meanings of one situation share a pattern."""
        if self.meaning is Meaning.ASKED:
            return Pattern.SLOW if self.slot is None else Pattern.DOUBLE
        if self.meaning is Meaning.WINNER:
            return Pattern.STEADY if self.slot is None else Pattern.DOUBLE
        return _PATTERNS.get(self.meaning, Pattern.OFF)


def cues(view: View) -> tuple[Cue, ...]:
    """What the lamps and the buzzer say of `view`: the table's cues first, then at most one for each seat and slot."""
    first: dict[tuple[int, int], Cue] = {}
    for cue in _in_order(view):
        if cue.seat is not None:
            first.setdefault((cue.seat, cue.slot or 0), cue)
    return (*_table(view), *(first[place] for place in sorted(first)))


def _table(view: View) -> Iterator[Cue]:
    said = {
        Meaning.STOPPED: view.stopped,
        Meaning.PAUSED: view.paused,
        Meaning.VIOLATION: view.violation is not None,
        Meaning.QUESTION: view.question is not None,
        Meaning.TROUBLE: bool(view.troubled),
        Meaning.FINAL_TURNS: view.phase == "final",
        Meaning.REVEALING: view.revealing and view.result is None,
        Meaning.OVER: view.result is not None or view.unranked,
    }
    return (Cue(meaning) for meaning, so in said.items() if so)


def _in_order(view: View) -> Iterator[Cue]:
    """Every cue of a seat or slot, the more important first."""
    if view.stopped:
        yield from (Cue(Meaning.STOPPED, seat.seat) for seat in view.seats)
        return
    if view.paused:
        yield from (Cue(Meaning.PAUSED, seat.seat) for seat in view.seats)
        return
    # One lamp leads one loose card home; the next one follows when that lies.
    leads = next((home.home for home in view.homes if home.home is not None), None)
    if leads is not None:
        yield Cue(Meaning.HOME, *leads)
    yield from _violation(view)
    yield from _question(view)
    yield from _end(view)
    for placement in view.awaiting:
        if placement.place is not None and not placement.done:
            yield Cue(Meaning.LAY_HERE, *placement.place)
    if view.violation is None:
        for seat in view.actors if view.current is None else (view.current,):
            yield Cue(Meaning.LAST_TURN if view.phase == "final" else Meaning.TURN, seat)
    if view.last is not None and not view.revealing and view.result is None:
        yield from _touched(view.last)


def _violation(view: View) -> Iterator[Cue]:
    if view.violation is None:
        return
    named = view.violation.seats if view.violation.seat is None else (view.violation.seat,)
    yield from (Cue(Meaning.BROKE, seat) for seat in named)
    for placement in view.violation.remedy:
        if placement.place is not None and not placement.done:
            yield Cue(Meaning.PUT_BACK, *placement.place)


def _question(view: View) -> Iterator[Cue]:
    if view.question is None:
        return
    if view.question.seat is not None:
        yield Cue(Meaning.ASKED, view.question.seat)
    yield from (Cue(Meaning.ASKED, *place) for place in view.question.places)


def _end(view: View) -> Iterator[Cue]:
    winners = () if view.result is None else view.result.winners
    for seat in winners:
        yield Cue(Meaning.WINNER, seat)
        yield from (Cue(Meaning.WINNER, seat, slot.number) for slot in view.seats[seat].slots)
    for held in view.seats:
        for slot in held.slots:
            if slot.shows is SlotShows.REVEALED and view.phase == "over":
                yield Cue(Meaning.REVEALED, held.seat, slot.number)


def _touched(move: MoveView) -> Iterator[Cue]:
    for seat, slot in ((move.seat, move.slot), (move.victim, move.victim_slot)):
        if seat is not None and slot is not None:
            yield Cue(Meaning.TOUCHED, seat, slot)
