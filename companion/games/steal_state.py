"""Where a game of Five Card Steal stands, and what can be done in it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.cards import Card, Held, Unknown
from companion.games.steal_options import StealOptions
from companion.rulings import Action
from companion.table import TableState


@dataclass(frozen=True, slots=True)
class Draw(Action):
    """The top card of the pile goes to the own slot `use`, the card from there to the row; or straight to the row (None)."""

    seat: int
    use: int | None


@dataclass(frozen=True, slots=True)
class StealCard(Action):
    """The card in slot `slot` of `victim` changes places with the own card in slot `give`."""

    seat: int
    victim: int
    slot: int
    give: int


@dataclass(frozen=True, slots=True)
class Take(Action):
    """The newest card of the row goes to the own slot `slot`; the card from there leaves the game."""

    seat: int
    slot: int


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Nothing, where the house rules allow it."""

    seat: int


@dataclass(frozen=True, slots=True)
class Arrange(Action):
    """Before the start: slot i gets the card that lay in slot ``perm[i - 1]``."""

    seat: int
    perm: tuple[int, ...]
    closes: bool = True
    """It was the seat's one rearrangement.  False while the player still sorts: more may follow until the start."""


@dataclass(frozen=True, slots=True)
class ArrangeAll(Action):
    """Several seats sorted their cards between two quiet pictures before the start; `seat` is None."""

    seat: int | None = None
    perms: tuple[tuple[int, ...], ...] = ()
    """Per seat as in `Arrange`; it closes nobody's rearrangement."""


@dataclass(frozen=True, slots=True)
class Start(Action):
    """The setting up is over: all positions are fixed and the first seat is to act."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Leave(Action):
    """A player leaves.  Cards that he lifted go home; `drawn`: he holds an unused card of the pile, which goes to the row."""

    seat: int
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class Return(Action):
    """A player who had left, or a substitute, takes the seat as it is."""

    seat: int


@dataclass(frozen=True, slots=True)
class Misdeal(Action):
    """Somebody calls a misdeal before the first action: shuffle and deal again, same first seat."""

    seat: int | None = None
    deck: tuple[Held, ...] | None = None
    """The new deck, its top first, where an engine knows it."""


@dataclass(frozen=True, slots=True)
class Forfeit(Action):
    """The turn is lost for an illegal act, where the house rules say so."""

    seat: int


@dataclass(frozen=True, slots=True)
class Lock:
    """After a steal: who may not take which card from whom, and since which turn."""

    victim: int
    thief: int
    card: Held
    turn: int
    kind: str = "stolen"
    """``stolen``, or ``given`` for the card that the thief gave (only by option)."""


@dataclass(frozen=True, slots=True)
class StealState:
    """A position of the game; `companion.games.steal_rules.after` makes the next one."""

    options: StealOptions
    table: TableState
    phase: str = "setup"
    """``setup``, ``play``, ``final`` or ``over``."""
    turn: int = 0
    """Number of completed turns, turns that were passed over included."""
    current: int | None = None
    ender: int | None = None
    """The seat that caused the end."""
    final_left: tuple[int, ...] = ()
    """Seats that still have their final turn, in order; the first is the current one."""
    locks: tuple[Lock, ...] = ()
    last_actor: int | None = None
    arranged: tuple[bool, ...] = ()
    """Per seat: its one rearrangement is closed."""
    away: tuple[int, ...] = ()
    """Seats whose players have left."""
    discards: int = 0
    """How many cards were ever laid on the row."""
    unranked: bool = False
    """The game was broken off: nobody wins."""

    @property
    def seats(self) -> int:
        """How many seats are in the game, left or not."""
        return len(self.table.hands)


def lock_ends(state: StealState, lock: Lock) -> int:
    """The first turn in which `lock` no longer binds."""
    if state.options.steal_back_wait == "rotation":
        return lock.turn + state.seats
    return (lock.turn // state.seats + 2) * state.seats


def renamed_locks(locks: tuple[Lock, ...], unknown: Unknown, card: Card) -> tuple[Lock, ...]:
    """The locks after `unknown` was read as `card`; the two names change places, as in `TableState.learned`."""
    names: dict[Held, Held] = {unknown: card, card: unknown}
    return tuple(Lock(lock.victim, lock.thief, names.get(lock.card, lock.card), lock.turn, lock.kind) for lock in locks)
