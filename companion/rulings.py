"""What happened, in the game's words, and what the rules say of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.cards import Held, Seen
from companion.table import Place


@dataclass(frozen=True, slots=True)
class Action:
    """Base of what a game's players can do; every game has frozen subclasses of its own.

    `seat` is the acting seat, or None where the table as a whole acts (the start).
    """

    seat: int | None


@dataclass(frozen=True, slots=True)
class Change:
    """From one quiet picture to the next: what lies where now, and what was lifted and returned in between."""

    mats: tuple[tuple[Seen | None, ...], ...]
    """Per seat and slot what is seen; None where nobody looks (a seat that plays by tap)."""
    row: tuple[Seen, ...] | None
    """The row, oldest first, without empty positions; None where nothing sees it.
    UNREADABLE is a card whose face nobody could read; BACK one whose face the tray cannot see."""
    returned: tuple[Place, ...] = ()
    """Slots that were seen empty since the last quiet picture and hold the same card again."""
    untouched: tuple[Place, ...] = ()
    """Slots whose card cannot be read now, but that nobody has touched: they hold what they held."""
    doubtful: tuple[Place, ...] = ()
    """Slots of open cards of which one camera says another thing than the other one, or than was known: nobody can tell."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A paragraph of the game's rules, such as ``STEAL-1.5``, with the values that its sentence needs."""

    id: str
    parameters: tuple[tuple[str, int | str], ...] = ()


@dataclass(frozen=True, slots=True)
class Placement:
    """One thing to put back: whatever belongs at `place` has to lie there again.

    The card is kept for the referee's own check; nobody words it while it is hidden.
    """

    place: Place
    card: Held | None
    """What has to lie there; None: nothing."""


class Verdict(Enum):
    """What a ruling says."""

    NOTHING = "nothing"
    """Nothing happened that the rules know of."""
    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNSURE = "unsure"
    """More than one thing may have happened; `Ruling.choices` lists them."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the rules say of an action or of a change."""

    verdict: Verdict
    action: Action | None = None
    """The action that was recognised: legal, or illegal at this time (then with `error`)."""
    error: str | None = None
    """Kind of violation, one of the names of the rules specification."""
    rule: Rule | None = None
    seat: int | None = None
    """Who broke the rule, where that can be known."""
    seats: tuple[int, ...] = ()
    """All seats concerned where no single one can be named."""
    card: Held | Seen | None = None
    """The card concerned; never worded while it is hidden."""
    places: tuple[Place, ...] = ()
    choices: tuple[Action | None, ...] = ()
    """UNSURE: what may have happened; None stands for "nothing happened"."""
