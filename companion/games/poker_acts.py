"""What players do in draw and stud."""

from __future__ import annotations

from dataclasses import dataclass

from companion.cards import Held
from companion.rulings import Action


@dataclass(frozen=True, slots=True)
class Check(Action):
    """Stays in without a chip."""


@dataclass(frozen=True, slots=True)
class Fold(Action):
    """Gives the hand up."""


@dataclass(frozen=True, slots=True)
class Call(Action):
    """Matches the highest wager, or puts in all that is left."""


@dataclass(frozen=True, slots=True)
class BringIn(Action):
    """Makes the forced bet."""


@dataclass(frozen=True, slots=True)
class Wager(Action):
    """A bet, a raise or a completion."""

    total: int
    """Chips of the seat in this round after it."""
    kind: str = ""
    """``bet``, ``raise`` or ``complete``, as the moment has it; empty where that is not said."""


@dataclass(frozen=True, slots=True)
class Exchange(Action):
    """Throws cards away and gets as many from the pile; none is to stand pat."""

    thrown: tuple[Held, ...] = ()
    received: tuple[Held, ...] | None = None
    """What comes from the pile, as far as it is known; None: whatever lies on top."""


@dataclass(frozen=True, slots=True)
class Declare(Action):
    """Goes for the high or the low half."""

    side: str
    """``high`` or ``low``."""


@dataclass(frozen=True, slots=True)
class Announce(Action):
    """Says how many cards will be exchanged, before a camera sees which."""

    count: int


@dataclass(frozen=True, slots=True)
class Discard(Action):
    """The cards in these own slots are thrown away, and as many come from the pile into the same slots; none is to stand pat."""

    slots: tuple[int, ...] = ()
    """1..5, ascending."""


@dataclass(frozen=True, slots=True)
class Split(Action):
    """Says that he is going to throw away cards without which his hand does not hold openers any more; they lie aside."""


@dataclass(frozen=True, slots=True)
class Sort(Action):
    """Cards of one's own hand change places, which no rule minds: slot i gets the card that lay in slot ``perm[i - 1]``."""

    perm: tuple[int, ...]
