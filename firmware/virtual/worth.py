"""What a card is worth to a hand, for players who want to win and think no further than the next card."""

from __future__ import annotations

from collections.abc import Sequence

from companion.cards import Card
from companion.games.hands import HandValue, value_of
from companion.table import SLOTS


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
