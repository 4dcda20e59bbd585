"""Hands put in their order one below the other, and by what each loses to the next better one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.cards import Card, Rank, Suit
from companion.games.hands import HandValue, highest_card, order_hands, value_of


@dataclass(frozen=True, slots=True)
class Margin:
    """What decides between two hands."""

    kind: str
    """``category``, ``rank`` (of the cards that make the hand), ``side`` (of a card beside them), ``suit`` or ``tie``."""
    better: Rank | Suit | None = None
    """Of ranks and suits: what the better hand has there."""
    worse: Rank | Suit | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A hand in its place."""

    hand: int
    """Index of the hand, as they were given."""
    place: int
    """1 for the best; equal hands share a place."""
    margin: Margin | None
    """By what it loses to the hand before it in the order; None for the first."""


def rank_hands(hands: Sequence[Sequence[Card]], tie_break: str = "suit_significant") -> tuple[Ranked, ...]:
    """The hands in their order, best first; `tie_break` as in `order_hands`."""
    found: list[Ranked] = []
    for number, index in enumerate(order_hands(hands, tie_break).order, 1):
        if not found:
            found.append(Ranked(index, 1, None))
            continue
        before = found[-1]
        margin = margin_of(value_of(hands[before.hand]), value_of(hands[index]), tie_break)
        found.append(Ranked(index, before.place if margin.kind == "tie" else number, margin))
    return tuple(found)


def margin_of(better: HandValue, worse: HandValue, tie_break: str) -> Margin:
    """What decides between two hands of which the first is not the worse one."""
    if better.strength[0] != worse.strength[0]:
        return Margin("category")
    for position, (one, other) in enumerate(zip(better.ranks, worse.ranks, strict=True)):
        if one != other:
            return Margin("side" if _is_side_card(better, position) else "rank", Rank(one), Rank(other))
    if tie_break == "share":
        return Margin("tie")
    if tie_break == "suit_highest_card":
        return Margin("suit", highest_card(better).suit, highest_card(worse).suit)
    suits = zip(better.cards, worse.cards, strict=True)
    return next((Margin("suit", one.suit, other.suit) for one, other in suits if one.suit != other.suit), Margin("tie"))


def _is_side_card(value: HandValue, position: int) -> bool:
    """Whether the rank at `position` belongs to a card that stands alone beside a pair, three or four of a kind."""
    counts = [sum(card.rank == rank for card in value.cards) for rank in value.ranks]
    return counts[0] > 1 and counts[position] == 1
