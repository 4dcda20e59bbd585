"""What one role may know of the table: the only door to page, bus, voice, lamps and log."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Role(Enum):
    """Who looks.  Nobody but a seat itself, and only by house rule, sees a hidden card before the reveal."""

    SPECTATOR = "spectator"
    SEAT = "seat"
    REFEREE = "referee"


class SlotShows(Enum):
    """What the table may say of one slot of a mat, without naming a card."""

    UNWATCHED = "unwatched"
    """Nobody looks: the seat plays by tap."""
    LYING = "lying"
    OUT = "out"
    """Lifted, held or empty."""
    BUSY = "busy"
    """A hand or a moving card is over it."""
    UNCERTAIN = "uncertain"
    """A card lies there and cannot be read."""
    REVEALED = "revealed"


@dataclass(frozen=True, slots=True)
class SlotView:
    number: int
    shows: SlotShows
    card: str | None = None
    """Card text, only when it may be known."""


@dataclass(frozen=True, slots=True)
class SeatView:
    seat: int
    name: str
    source: str
    """``mat``, ``tap`` or ``bot``."""
    slots: tuple[SlotView, ...]
    away: bool = False
    """The player has left (his turns are passed over)."""
    category: str | None = None
    """Name of the hand's category once all of it is revealed."""


@dataclass(frozen=True, slots=True)
class LockView:
    """A running steal-back lock, by place and never by card."""

    victim: int
    thief: int
    slot: int | None
    """The thief's slot in which the card lies, None where it has moved on."""
    turns_left: int


@dataclass(frozen=True, slots=True)
class MoveView:
    """The last accepted action by places: an arrow between them."""

    kind: str
    seat: int | None
    words: str
    places: tuple[tuple[int, int], ...]
    """(seat, slot) of every slot that it touched."""
    provisional: bool
    """It may still be taken back: the next player has touched nothing yet."""


@dataclass(frozen=True, slots=True)
class QuestionView:
    id: int
    words: str
    choices: tuple[str, ...]
    seat: int | None
    """Whose button answers the first choice; None: anybody taps."""


@dataclass(frozen=True, slots=True)
class PlacementView:
    words: str
    place: tuple[int, int] | None
    """(seat, slot); None: pile or row."""
    done: bool


@dataclass(frozen=True, slots=True)
class ViolationView:
    error: str
    words: str
    rule: str
    seat: int | None
    remedy: tuple[PlacementView, ...]


@dataclass(frozen=True, slots=True)
class ResultView:
    order: tuple[int, ...]
    winners: tuple[int, ...]
    words: str
    reason: str


@dataclass(frozen=True, slots=True)
class View:
    """The table as one role may know it; a pure function of the sitting's state."""

    version: int
    """Grows with every change; pages use it to know that they are up to date."""
    time: float
    game: str
    phase: str
    turn: int
    current: int | None
    seats: tuple[SeatView, ...]
    row: tuple[str | None, ...]
    """Card texts, oldest first; None where nobody has read the card."""
    pile: int
    removed: int
    ender: int | None
    final_left: tuple[int, ...]
    locks: tuple[LockView, ...]
    last: MoveView | None
    headline: str
    """One sentence: whose turn it is, or what everybody waits for."""
    question: QuestionView | None
    violation: ViolationView | None
    awaiting: tuple[PlacementView, ...]
    """Cards that a declared action still has to move (a tapped steal, a bot's move)."""
    revealing: bool
    result: ResultView | None
    paused: bool
    notes: tuple[str, ...] = ()
    """What this rig cannot see, and which sources are in trouble."""
