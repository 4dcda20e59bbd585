"""Who sits where, and where a seat's cards come from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.errors import DeclarationError

SOURCES = ("mat", "tap", "bot")
LONGEST_NAME = 40
"""Letters of a player's name."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits there, and where the seat's cards come from."""

    name: str
    source: str = "mat"
    """``mat`` (a camera reads its cards), ``tap`` (its moves are tapped) or ``bot`` (the companion chooses its moves)."""


def check_seats(seats: Iterable[Seat]) -> None:
    """Raise `DeclarationError` for a seat whose cards come from nowhere."""
    for seat in seats:
        if seat.source not in SOURCES:
            raise DeclarationError(f"seat {seat.name}: source {seat.source!r} is none of {', '.join(SOURCES)}")
