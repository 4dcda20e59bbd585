"""What a cheat knows when he is tempted, and what he makes of it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.cards import Card
from companion.table import SLOTS, Place, slot
from firmware.virtual.moves import Hands
from firmware.virtual.stage import Act
from firmware.virtual.world import Piece, World, row_place


@dataclass(frozen=True, slots=True)
class Situation:
    """What a cheat knows when he is tempted."""

    state: Any
    """The true state of the game; it equals what lies on the table."""
    world: World
    hands: Hands
    rng: random.Random
    hard: bool
    known: frozenset[Card]
    """Faces that a camera has seen lying still during this game."""
    last_places: frozenset[Place] = frozenset()
    """Slots that the turn before has touched."""

    @property
    def seat(self) -> int:
        """The seat to act, or the first one in the setting up."""
        return int(self.state.options.first_seat if self.state.current is None else self.state.current)

    @property
    def tray(self) -> str:
        return self.world.tray

    @property
    def sees_row(self) -> bool:
        return self.tray == "overhead"

    @property
    def row(self) -> tuple[Card, ...]:
        return tuple(self.state.table.row)

    @property
    def watched(self) -> list[int]:
        return [seat for seat, seen in enumerate(self.world.watched) if seen]

    def others(self, *seats: int) -> list[int]:
        """Watched seats that are none of `seats`."""
        return [seat for seat in self.watched if seat not in seats]

    def own(self, count: int = 1, seat: int | None = None) -> list[Place]:
        """Some slots of a seat, in no order."""
        return [slot(self.seat if seat is None else seat, number) for number in self.rng.sample(SLOTS, count)]

    def at(self, place: Place) -> Piece:
        return self.world.top(place)

    def next_row(self, more: int = 1) -> Place:
        return row_place(self.tray, len(self.row) + more)

    def at_row(self, index: int) -> Place:
        return row_place(self.tray, index + 1)


@dataclass(frozen=True, slots=True)
class Plan:
    """A violation about to be committed."""

    kind: str
    act: Act
    who: int
    press: bool = False
    """The culprit presses his button afterwards, as if nothing were wrong."""
    turn: Mapping[str, Any] | None = None
    """Set where this rig cannot see the violation (1.11): the honest turn that it looks like."""
    invisible: bool = False
    anew: tuple[Place, ...] = ()
    """Open cards that have to be shown to their windows again."""
    tapped: bool = False
    """It is a tap and nothing else: a refusal is all that has to come of it."""
