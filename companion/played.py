"""A game that is over, as everybody may know it: who sat where, what was done, and the hands that were shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from fractions import Fraction

from companion.cards import Card
from companion.views import MoveView

DAY_BEGINS = timedelta(hours=6)
"""An evening goes on after midnight: a game belongs to the day before until six in the morning."""


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move that stood in the end.  Cards are None where nobody has read them, or where they were never shown."""

    kind: str
    """As `MoveView.kind`."""
    seat: int
    time: float
    """Seconds of the sitting."""
    slot: int | None = None
    """The mover's own slot."""
    victim: int | None = None
    victim_slot: int | None = None
    got: Card | None = None
    """What came into the own slot."""
    gave: Card | None = None
    """What left it; of a card that went from the pile to the row, that card."""
    amount: int = 0
    """As `MoveView.amount`."""

    @property
    def view(self) -> MoveView:
        """The move by its places alone."""
        return MoveView(self.kind, self.seat, self.slot, self.victim, self.victim_slot, amount=self.amount)


@dataclass(frozen=True, slots=True)
class PlayedSeat:
    """A seat and what its player held in the end."""

    name: str
    """Empty for somebody whose name was deleted."""
    source: str
    """``mat``, ``tap`` or ``bot``."""
    hand: tuple[Card, ...] = ()
    """Five cards in the order of the slots; none where they were never shown."""
    dealt: tuple[Card | None, ...] = ()
    """What lay in the slots before the first move, None for what nobody has read; nothing where the record's key is not here."""
    category: str = ""
    """Name of the hand's kind; empty without a hand."""
    violations: int | None = None
    """How often the table told this seat to put something right; None where the record's key is not here."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game with its result."""

    game: str
    """Its random name."""
    rules: str
    """What was played, such as ``steal``."""
    began: str
    """ISO 8601, UTC; empty where the clock was not set."""
    seconds: float
    """From the beginning of the sitting to the result."""
    seats: tuple[PlayedSeat, ...]
    order: tuple[int, ...]
    """Seats, the winner first."""
    winners: tuple[int, ...]
    reason: str
    """As `Result.reason`."""
    moves: tuple[PlayedMove, ...]
    options: tuple[tuple[str, bool | int | str | None], ...] = ()
    """The house rules by their names, in the order of the alphabet."""
    head: str = ""
    """Hash of the newest entry of the record, 64 hexadecimal digits; empty where there is no record any more."""
    won: tuple[int, ...] = ()
    """Chips that each seat has got out of the middle; nothing in games without chips."""
    stacks: tuple[int, ...] = ()
    """Chips of each seat afterwards."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of the seats, seat 0 first."""
        return tuple(seat.name for seat in self.seats)

    @property
    def proven(self) -> bool:
        """There is a record that `viewmat verify` can check."""
        return bool(self.head)

    def share(self, seat: int) -> Fraction:
        """What the seat has won: the game, or its part where equal hands share it."""
        return Fraction(1, len(self.winners)) if seat in self.winners else Fraction(0)

    def evening(self, zone: tzinfo | None = None) -> str:
        """The day on whose evening it was played, ``2027-03-01``; empty where the clock was not set.

        `zone` None: that of this machine.
        """
        if not self.began:
            return ""
        return (datetime.fromisoformat(self.began).astimezone(zone) - DAY_BEGINS).date().isoformat()

    def without(self, name: str) -> PlayedGame:
        """The same with the player of this name unnamed, and unproven: a record that names him cannot stand behind it."""
        seats = tuple(replace(seat, name="") if seat.name == name else seat for seat in self.seats)
        return replace(self, seats=seats, head="")


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game without a result: it is going on, or was given up.  Nothing of it is told but who sat there and when."""

    game: str
    names: tuple[str, ...]
    began: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A record of which nothing is told."""

    game: str
    why: str
    """``damaged`` (it cannot be read), ``changed`` (it is not as it was written) or ``unknown`` (of a game or a version that this
    program does not know)."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """All games of a table, the newest first."""

    games: tuple[PlayedGame, ...] = ()
    unfinished: tuple[Unfinished, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()


@dataclass(frozen=True, slots=True)
class Deletion:
    """What deleting a player's data would delete."""

    name: str
    games: tuple[str, ...]
    """Games in which he sat, finished or not, that can be deleted."""
    others: tuple[str, ...]
    """The other people who sat there."""
    busy: tuple[str, ...]
    """Games in which he sits that are on the table now: they stay."""
    unknown: int
    """Records that cannot be read: nobody knows whether they name him; they stay."""
    mark: str
    """Stands for this list: whoever confirms it shows that it is the one that he has read."""
