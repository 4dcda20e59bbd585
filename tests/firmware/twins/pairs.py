"""Two deals that differ in hidden cards alone.

A game is written down with tokens, 0 to 51, instead of cards: which one lies where, and when.  A twin gives every token a face.
Twins agree on the tokens whose faces everybody sees, and differ in the others.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from companion.cards import DECK, Card

Token = int
HAND = 5


@dataclass(frozen=True, slots=True)
class Pair:
    """The faces of the tokens in two games."""

    one: tuple[Card, ...]
    other: tuple[Card, ...]

    @property
    def moved(self) -> frozenset[Token]:
        """The tokens that have another face in the other game."""
        return frozenset(token for token in range(len(DECK)) if self.one[token] != self.other[token])


def all_hidden(hidden: Sequence[Token], seats: int, rng: random.Random) -> Mapping[Token, Token]:
    """Every hidden card lies elsewhere."""
    order = list(hidden)
    rng.shuffle(order)
    return dict(zip(order, order[1:] + order[:1], strict=True))


def two_seats(hidden: Sequence[Token], seats: int, rng: random.Random) -> Mapping[Token, Token]:
    """Two players hold each other's cards."""
    hands = [[token for token in hidden if token // HAND == seat] for seat in range(seats)]
    one, other = rng.sample([hand for hand in hands if hand], 2)
    pairs = list(zip(one, other, strict=False))
    return dict(pairs) | {b: a for a, b in pairs}


def the_pile(hidden: Sequence[Token], seats: int, rng: random.Random) -> Mapping[Token, Token]:
    """The pile lies in another order."""
    return all_hidden([token for token in hidden if token >= HAND * seats], seats, rng)


def one_hand(hidden: Sequence[Token], seats: int, rng: random.Random) -> Mapping[Token, Token]:
    """One player has dealt himself the same cards in another order."""
    hands = [[token for token in hidden if token // HAND == seat] for seat in range(seats)]
    return all_hidden(rng.choice([hand for hand in hands if len(hand) > 1]), seats, rng)


def hand_and_pile(hidden: Sequence[Token], seats: int, rng: random.Random) -> Mapping[Token, Token]:
    """What a player holds in one game lies in the pile to its end in the other."""
    held = [token for token in hidden if token < HAND * seats]
    rest = list(reversed([token for token in hidden if token >= HAND * seats]))[: len(held)]
    pairs = list(zip(held, rest, strict=False))
    return dict(pairs) | {b: a for a, b in pairs}


KINDS: Mapping[str, Callable[[Sequence[Token], int, random.Random], Mapping[Token, Token]]] = {
    "all": all_hidden, "seats": two_seats, "pile": the_pile, "hand": one_hand, "hand and pile": hand_and_pile,
}  # fmt: skip
"""How twins differ, by name."""


def make_pair(kind: str, public: Collection[Token], seats: int, seed: int) -> Pair:
    """Twins that differ in one of these ways; the tokens in `public` have the same face in both."""
    rng = random.Random(f"{kind}/{seed}")
    one = rng.sample(DECK, len(DECK))
    hidden = [token for token in range(len(DECK)) if token not in public]
    swaps = KINDS[kind](hidden, seats, rng)
    return Pair(tuple(one), tuple(one[swaps.get(token, token)] for token in range(len(DECK))))
