"""What happened in a game, as its record tells everybody: moves and calls in their order, and never a card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.chronicle import MINUTE, RESTARTED, SETTINGS
from companion.journal import Walk
from companion.particulars import CAMERAS, DECLARED, UNHEARD
from companion.views import MoveView


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
    """Who declared it, or whose camera it was."""
    what: str = ""
    """What was declared and not taken, or the troubles of cameras."""


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
        wall = entry.wall if entry.clock_set else ""
        for kind, told in _things(entry.kind, entry.body):
            number = 0
            if kind in ("action", "redone"):
                standing = number = standing + 1
            elif kind == "undone":
                standing = max(0, standing - 1)
            time = told.get("time", entry.time)
            lines.append(
                StoryLine(
                    entry.number, float(time), wall, kind, number, _move(told.get("move")), told.get("seat"), told.get("what", "")
                )
            )
    return Story(_names(walk), tuple(lines))


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
    if not isinstance(told, list) or len(told) != 5:
        return None
    kind, seat, slot, victim, victim_slot = told
    return MoveView(kind, seat, slot, victim, victim_slot)


def _names(walk: Walk) -> tuple[str, ...]:
    header = walk.entries[0].body.get("header", {}) if walk.entries else {}
    seats = header.get("seats") if isinstance(header, dict) else None
    return tuple(str(seat.get("name", "")) for seat in seats if isinstance(seat, dict)) if isinstance(seats, list) else ()
