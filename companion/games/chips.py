"""Chips on the table: pots by level, and how a pot is shared out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pot:
    """Chips that the same seats can win."""

    amount: int
    eligible: tuple[int, ...]
    """Seats that are still in and have put in as much as this pot asks."""


@dataclass(frozen=True, slots=True)
class Award:
    """A pot, or the half of one, and who got it."""

    amount: int
    eligible: tuple[int, ...]
    winners: tuple[int, ...]
    paid: tuple[int, ...]
    """Chips per winner, in the order of `winners`."""
    back: bool = False
    """Nobody has matched these chips: they are not won, they come back."""


def pots_by_level(put: Sequence[int], live: Sequence[bool], carried: int = 0) -> tuple[Pot, ...]:
    """The main pot and the side pots, the main one first.

    `put`: chips of each seat in this hand.  `live`: who is still in.  `carried`: chips that were in the middle before.
    What nobody else has matched is a pot of its own, which its owner alone may win.
    """
    levels = sorted({amount for amount, is_in in zip(put, live, strict=True) if is_in})
    pots, below = [], 0
    for level in levels:
        amount = sum(min(each, level) - min(each, below) for each in put)
        eligible = tuple(seat for seat, each in enumerate(put) if live[seat] and each >= level)
        pots.append(Pot(amount, eligible))
        below = level
    # Who leaves may have put in more than anybody who stays: no chip is lost.
    over = carried + sum(max(each - below, 0) for each in put)
    return tuple(
        Pot(pot.amount + (over if number == 0 else 0), pot.eligible) for number, pot in enumerate(pots) if pot.amount or over
    )


def shares(amount: int, winners: Sequence[int], odd_chip: str = "closest") -> tuple[int, ...]:
    """Chips per winner, who are given in their order from the dealer's left.

    `odd_chip`: what cannot be shared goes wholly to the ``closest`` of them, or ``one_each`` from there on.
    """
    part, odd = divmod(amount, len(winners))
    if odd_chip == "closest":
        return tuple(part + (odd if place == 0 else 0) for place in range(len(winners)))
    return tuple(part + (place < odd) for place in range(len(winners)))
