"""What happened in a game, as its record tells everybody: moves and calls in their order, and never a card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.chronicle import MINUTE, RESTARTED, SETTINGS
from companion.errors import MALFORMED, RecordError
from companion.journal import Entry, Walk
from companion.particulars import CAMERAS, DECLARED, UNHEARD
from companion.plain import LONGEST_NAME, name_in, printable
from companion.views import MoveView

MOST_SEATS, MOST_CARDS = 10, 52
LONGEST_S = 1e9
"""Thirty years: what is said to have happened later has not."""


@dataclass(frozen=True, slots=True)
class StoryLine:
    """One thing that happened."""

    entry: int
    """Number of the record's entry."""
    time: float
    """Seconds of the sitting."""
    wall: str
    """ISO 8601, UTC; empty where the clock was not set."""
    kind: str
    """As `LogEntry.kind`, or the kind of the record's entry; ``declined`` for a declaration that was not taken."""
    number: int = 0
    """How many moves stand with this one; 0 for what is no move."""
    move: MoveView | None = None
    seat: int | None = None
    """Who declared it, who has left or come back, or whose camera it was."""
    what: str = ""
    """What was declared and not taken, or the troubles of cameras."""
    place: tuple[int, int] | None = None
    """(seat, slot) of the card that it is about, the seat -1 for the row; None where the record does not tell it."""


@dataclass(frozen=True, slots=True)
class Story:
    """The public part of a record."""

    names: tuple[str, ...]
    """Of the seats; empty where the record does not tell them."""
    lines: tuple[StoryLine, ...]

    @property
    def restarts(self) -> int:
        """How often the program began anew."""
        return sum(line.kind == RESTARTED for line in self.lines)


def tell(walk: Walk) -> Story:
    """The story as far as the record holds.  Entries that do not say what one of their kind says are passed over."""
    lines: list[StoryLine] = []
    standing = 0
    for entry in walk.entries:
        for line in _lines_of(entry):
            number = 0
            if line.kind in ("action", "redone"):
                standing = number = standing + 1
            elif line.kind == "undone":
                standing = max(0, standing - 1)
            lines.append(replace(line, number=number))
    return Story(_names(walk), tuple(lines))


def _lines_of(entry: Entry) -> tuple[StoryLine, ...]:
    """What one entry tells, not numbered yet; nothing where it is not of the form that this program writes."""
    wall = entry.wall if entry.clock_set else ""
    try:
        return tuple(
            StoryLine(
                entry.number, _time(told.get("time", entry.time)), wall, kind, 0, _move(told.get("move")),
                _number(told.get("seat")), printable(str(told.get("what", "")))[:LONGEST_NAME], _place(told.get("place")),
            )
            for kind, told in _things(entry.kind, entry.body)
        )  # fmt: skip
    except MALFORMED:
        return ()


def _number(told: Any) -> int | None:
    """A seat or slot, or none."""
    if told is not None and type(told) is not int:
        raise TypeError(f"expected a number or nothing; found {told!r}")
    return told


def _place(told: Any) -> tuple[int, int] | None:
    """A slot by its seat, or a card of the row, or none."""
    if told is None:
        return None
    seat, number = told
    if type(seat) is not int or type(number) is not int or not (-1 <= seat <= MOST_SEATS and 1 <= number <= MOST_CARDS):
        raise ValueError(f"expected a seat and the number of a slot or a card of the row; found {told!r}")
    return seat, number


def _time(told: Any) -> float:
    """Seconds of the sitting."""
    seconds = float(told)
    if not 0 <= seconds <= LONGEST_S:
        raise ValueError(f"expected seconds of a sitting; found {seconds}")
    return seconds


def _body(walk: Walk) -> Any:
    try:
        return walk.entries[0].body if walk.entries else {}
    except RecordError:
        return {}


def _things(kind: str, body: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    if kind == MINUTE:
        return [(str(said["kind"]), said) for said in body.get("said", ())]
    if kind == DECLARED and body.get("refused"):
        return [("declined", {"seat": body.get("seat"), "what": body.get("name") or body.get("what", "")})]
    if kind == CAMERAS:
        troubles = body.get("troubles", ())
        if not troubles:
            return [(CAMERAS, {})]
        return [(CAMERAS, {"seat": trouble.get("seat"), "what": trouble.get("kind", "")}) for trouble in troubles]
    return [(kind, {})] if kind in (RESTARTED, SETTINGS, UNHEARD) else []


def _move(told: Any) -> MoveView | None:
    if not isinstance(told, list) or len(told) not in (5, 6):
        return None
    kind, *numbers = told
    seat, slot, victim, victim_slot, *amount = map(_number, numbers)
    return MoveView(str(kind), seat, slot, victim, victim_slot, amount=(amount[0] or 0) if amount else 0)


def _names(walk: Walk) -> tuple[str, ...]:
    body = _body(walk)
    header = body.get("header", {}) if isinstance(body, dict) else {}
    seats = header.get("seats") if isinstance(header, dict) else None
    return tuple(name_in(seat.get("name")) for seat in seats if isinstance(seat, dict)) if isinstance(seats, list) else ()
