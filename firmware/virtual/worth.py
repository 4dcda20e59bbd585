"""What a card is worth to a hand, for players who want to win and think no further than the next card."""

from __future__ import annotations

import random
from collections.abc import Sequence

from companion.cards import Card
from companion.games.hands import HandValue, value_of
from companion.table import SLOTS, slot
from companion.views import MoveView
from firmware.virtual.layouts import newest_of_row
from firmware.virtual.world import World

OVERLOOKED = 0.3
"""How often somebody does not see what the row's newest card is worth to him."""


def _value(hand: Sequence[Card]) -> HandValue | None:
    return value_of(hand) if len(set(hand)) == len(SLOTS) == len(hand) else None


def _with(hand: Sequence[Card], number: int, face: Card) -> HandValue | None:
    return _value([*hand[: number - 1], face, *hand[number:]])


def best_slot(hand: Sequence[Card], face: Card | None) -> int | None:
    """The slot whose card is best replaced by `face`; None where the hand is not the better for it."""
    now = _value(hand)
    if now is None or face is None or face in hand:
        return None
    worth = {number: value.strength for number in SLOTS if (value := _with(hand, number, face)) is not None}
    best = max(worth, key=lambda number: worth[number])
    return best if worth[best] > now.strength else None


def raises(hand: Sequence[Card], number: int, face: Card) -> bool:
    """Whether `face` in that slot makes a hand of a better kind."""
    now, then = _value(hand), _with(hand, number, face)
    return now is not None and then is not None and then.category > now.category


def spared(hand: Sequence[Card]) -> int:
    """The slot of the card that the hand misses least."""
    if len(hand) != len(SLOTS):
        return SLOTS[0]
    return min(SLOTS, key=lambda number: (sum(card.rank is hand[number - 1].rank for card in hand), hand[number - 1].rank))


def hand_of(world: World, seat: int) -> list[Card]:
    """The cards that the player of `seat` knows: his own."""
    lying = [world.lying(slot(seat, number)) for number in SLOTS]
    return [face for lies in lying if lies and (face := lies[-1].piece.face) is not None]


def good_take(world: World, seat: int, takes: Sequence[MoveView], rng: random.Random) -> MoveView | None:
    """The one of `takes` that makes a hand of a better kind; None where none does, or he does not see it."""
    newest, hand = newest_of_row(world), hand_of(world, seat)
    face = None if newest is None else world.top(newest).face
    number = best_slot(hand, face)
    if face is None or number is None or not raises(hand, number, face) or rng.random() < OVERLOOKED:
        return None
    return next((move for move in takes if move.slot == number), None)
