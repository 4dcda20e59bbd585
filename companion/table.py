"""Places on the table, and what lies where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache

from companion.cards import Card, Held, Unknown

SLOTS = (1, 2, 3, 4, 5)
"""Slot numbers of a mat; 1 is at its owner's left."""


class Area(IntEnum):
    """The kinds of place, in the order in which simultaneous moves are listed."""

    SLOT = 0
    ROW = 1
    PILE = 2
    REMOVED = 3
    ABOVE = 4
    """A slot as a camera above the table sees it: another view of it, and nowhere else for a card to lie."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a card can lie."""

    area: Area
    seat: int = -1
    """Seat of a slot, or of a view of it from above, counted from 0 clockwise; -1 elsewhere."""
    number: int = 0
    """Slot 1..5, or position 1.. of the row (1 the oldest); 0 for the pile and the removed cards."""


@cache
def slot(seat: int, number: int) -> Place:
    """Slot `number` (1..5) of the mat of `seat`."""
    return Place(Area.SLOT, seat, number)


@cache
def row(number: int) -> Place:
    """Position `number` (1.. , oldest first) of the row of discards."""
    return Place(Area.ROW, -1, number)


@cache
def above(seat: int, number: int) -> Place:
    """Slot `number` (1..5) of the mat of `seat`, as a camera above the table sees it."""
    return Place(Area.ABOVE, seat, number)


PILE = Place(Area.PILE)
REMOVED = Place(Area.REMOVED)


@dataclass(frozen=True, slots=True)
class TableState:
    """What lies where: 52 cards, each once, known or unknown."""

    hands: tuple[tuple[Held | None, ...], ...]
    """Per seat the five slots; None is an empty slot."""
    pile: tuple[Held, ...]
    """The draw pile, its top first."""
    row: tuple[Held, ...]
    """The row of discards, oldest first; the last one is its top."""
    removed: tuple[Held, ...]
    """Cards out of the game."""

    def cards(self) -> Iterator[Held]:
        """Every card of the table once."""
        for hand in self.hands:
            yield from (card for card in hand if card is not None)
        yield from self.pile
        yield from self.row
        yield from self.removed

    def at(self, place: Place) -> Held | None:
        """The card at a slot or row position, or the pile's top; None where nothing lies."""
        if place.area in (Area.SLOT, Area.ABOVE):
            return self.hands[place.seat][place.number - 1]
        cards = {Area.ROW: self.row, Area.PILE: self.pile[:1], Area.REMOVED: self.removed}[place.area]
        index = max(0, place.number - 1)
        return cards[index] if index < len(cards) else None

    def find(self, card: Held) -> Place | None:
        """Where `card` lies, or None when it is nowhere under this name."""
        for seat, hand in enumerate(self.hands):
            if card in hand:
                return slot(seat, hand.index(card) + 1)
        if card in self.row:
            return row(self.row.index(card) + 1)
        if card in self.pile:
            return PILE
        return REMOVED if card in self.removed else None

    def with_hand(self, seat: int, hand: tuple[Held | None, ...]) -> TableState:
        """The table with another hand at `seat`."""
        return replace(self, hands=(*self.hands[:seat], hand, *self.hands[seat + 1 :]))

    def with_slot(self, seat: int, number: int, card: Held | None) -> TableState:
        """The table with `card` in slot `number` (1..5) of `seat`."""
        hand = self.hands[seat]
        return self.with_hand(seat, (*hand[: number - 1], card, *hand[number:]))

    def renamed(self, old: Held, new: Held) -> TableState:
        """The table with `old` called `new` wherever it lies; used when a card is read for the first time."""

        def name(card: Held) -> Held:
            return new if card == old else card

        return TableState(
            tuple(tuple(None if card is None else name(card) for card in hand) for hand in self.hands),
            tuple(map(name, self.pile)),
            tuple(map(name, self.row)),
            tuple(map(name, self.removed)),
        )

    def learned(self, old: Unknown, card: Card) -> TableState:
        """The table after the unknown card `old` was read as `card`.

        Where `card` already stands under its own name in the pile (an engine's known pile), the two change names.
        """
        spare = Unknown(-1)
        return self.renamed(card, spare).renamed(old, card).renamed(spare, old)
