"""Hands that somebody read, photographed or typed, put in their order: who has won, and why; or why nobody has yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from companion.cards import DECK, Card
from companion.games.hands import LOW, Standing, order_hands, order_low, order_soko

HAND = 5
"""Cards of a hand."""

ReadHand = tuple[Card | None, ...]
"""The cards of a hand as they were read; None stands for a card that lies there and is not known."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing is awarded."""

    kind: str
    """``no_hands``, ``not_five_cards``, ``unknown_card`` or ``card_twice``; the gravest where there are several."""
    short: tuple[tuple[int, int], ...] = ()
    """Hands that have not five cards, with the number of cards found."""
    unknown: tuple[tuple[int, int], ...] = ()
    """Hands with cards that could not be read, with their number."""
    twice: tuple[tuple[Card, tuple[int, ...]], ...] = ()
    """Cards that appear more than once, with the hands that hold them (a hand is named as often as it holds the card)."""

    @property
    def hands(self) -> tuple[int, ...]:
        """All hands with which something is wrong."""
        named = {hand for hand, _ in (*self.short, *self.unknown)} | {hand for _, holders in self.twice for hand in holders}
        return tuple(sorted(named))


RANKINGS = ("suits", "high", "27", "a5", "hilo", "soko")
"""How hands may be compared: as poker hands of which suits decide between equal ones, or share; by the two low orders; by the
best high and the best low hand together; by Sökö."""


def score(
    hands: Sequence[ReadHand], tie_break: str = "suit_significant", ranking: str = RANKINGS[0]
) -> Standing | Refusal:  # fmt: skip
    """The order of `hands`, or what stands in the way of one.  `tie_break` as in `order_hands`, where suits decide; of ``hilo``
    it is the order of the high hands."""
    short = tuple((number, len(hand)) for number, hand in enumerate(hands) if len(hand) != HAND)
    unknown = tuple((number, hand.count(None)) for number, hand in enumerate(hands) if None in hand)
    twice = _twice(hands)
    kinds = [("card_twice", twice), ("not_five_cards", short), ("unknown_card", unknown), ("no_hands", not hands)]
    kind = next((name for name, found in kinds if found), None)
    if kind is not None:
        return Refusal(kind, short, unknown, twice)
    whole = [[card for card in hand if card is not None] for hand in hands]
    if ranking in LOW:
        return order_low(whole, ranking)
    if ranking == "soko":
        return order_soko(whole)
    return order_hands(whole, tie_break if ranking == "suits" else "share")


def _twice(hands: Sequence[ReadHand]) -> tuple[tuple[Card, tuple[int, ...]], ...]:
    counts = Counter(card for hand in hands for card in hand if card is not None)
    double = [card for card in DECK if counts[card] > 1]
    return tuple((card, tuple(n for n, hand in enumerate(hands) for held in hand if held == card)) for card in double)
