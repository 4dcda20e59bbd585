"""Jacks or better: what it takes to open, and the proof that whoever opened owes where nobody could look at his cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from companion.cards import Card, Held, Rank
from companion.games.hands import Category, value_of
from companion.games.poker_hand import PokerHand

HAND = 5


@dataclass(frozen=True, slots=True)
class Opener:
    """Who has opened while not all of his cards were known."""

    place: int
    """His seat of the hand."""
    held: tuple[Held, ...]
    """His cards at that moment."""
    split: bool = False
    """He has said that he throws away cards that he opened with; they lie aside, and people look at them in the end."""

    @property
    def proved(self) -> bool:
        """Whether what is known of his cards by now shows openers, or what lies aside does."""
        return self.split or has_pair_of_jacks(self.held) or are_openers(self.held) is True

    def renamed(self, names: Mapping[Held, Held]) -> Self:
        """The same, with cards under other names."""
        return replace(self, held=tuple(names.get(card, card) for card in self.held))


def opened_by(hand: PokerHand, place: int) -> Opener | None:
    """Who opens now, if he owes a proof: None where his cards are known, and have been judged."""
    held = hand.cards(place)
    return None if are_openers(held) is not None else Opener(place, held)


def are_openers(held: Sequence[Held]) -> bool | None:
    """Whether a hand holds a pair of jacks or better; None where not all of its cards are known."""
    cards = [card for card in held if isinstance(card, Card)]
    if len(cards) < HAND:
        return None
    value = value_of(cards)
    return value.category > Category.ONE_PAIR or (value.category is Category.ONE_PAIR and value.ranks[0] >= Rank.JACK)


def has_pair_of_jacks(held: Sequence[Held]) -> bool:
    """Whether some cards of a hand are openers whatever the others are: a pair of jacks or higher, two pair, three of a kind."""
    counts = Counter(card.rank for card in held if isinstance(card, Card))
    pairs = [rank for rank, count in counts.items() if count > 1]
    return len(pairs) > 1 or any(rank >= Rank.JACK or counts[rank] > 2 for rank in pairs)
