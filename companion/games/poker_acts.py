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
