"""Ranking of five-card hands: high hands with suits, the two low rankings, and Sökö."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from companion.cards import Card, Rank
from companion.errors import HandError

WHEEL = (14, 5, 4, 3, 2)
"""The ranks of the lowest straight, in which the ace counts as one."""


class Category(IntEnum):
    """Kinds of hand, lowest first.  The two kinds of four cards only count in Sökö."""

    HIGH_CARD = 0
    ONE_PAIR = 1
    FOUR_STRAIGHT = 2
    FOUR_FLUSH = 3
    TWO_PAIR = 4
    THREE_OF_A_KIND = 5
    STRAIGHT = 6
    FLUSH = 7
    FULL_HOUSE = 8
    FOUR_OF_A_KIND = 9
    STRAIGHT_FLUSH = 10
    ROYAL_FLUSH = 11

    @property
    def title(self) -> str:
        """The name that records and pages use, such as ``one pair``."""
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True, slots=True)
class HandValue:
    """What a hand is worth."""

    category: Category
    ranks: tuple[int, ...]
    """The ranks that count, the most important first; the ace of a wheel is 1."""
    cards: tuple[Card, ...]
    """The five cards in the order of their importance."""

    @property
    def strength(self) -> tuple[int, ...]:
        """Compares without suits.  A royal flush is the highest straight flush, not a kind above it."""
        return (min(self.category, Category.STRAIGHT_FLUSH), *self.ranks)

    @property
    def suits(self) -> tuple[int, ...]:
        """The suits in the order of importance: they decide between hands of equal strength."""
        return tuple(card.suit for card in self.cards)


@dataclass(frozen=True, slots=True)
class Standing:
    """Hands in their order."""

    order: tuple[int, ...]
    """Indexes, best first; equal hands in the order in which they were given."""
    winners: tuple[int, ...]
    categories: tuple[str, ...]
    """Per hand, in the order given."""
    reason: str
    """What decided between the best two: ``category``, ``rank`` (the first rank), ``kicker/rank position 2`` .. 5, ``suit``
    or ``tie``."""

    @property
    def decided_by(self) -> str:
        """`reason` told in one word: ``category``, ``rank``, ``suit`` or ``tie``."""
        return "rank" if self.reason.startswith("kicker") else self.reason


def check_hand(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The five cards; raise `HandError` where there are not five or one of them comes twice."""
    hand = tuple(cards)
    if len(hand) != 5:
        raise HandError(f"a hand has five cards; found {len(hand)}: {' '.join(map(str, hand))}")
    twice = next((card for card in hand if hand.count(card) > 1), None)
    if twice is not None:
        raise HandError(f"the card {twice} comes twice in the hand {' '.join(map(str, hand))}")
    return hand


@lru_cache(maxsize=8192)
def rank_pattern(ranks: tuple[int, ...], flush: bool) -> tuple[Category, tuple[int, ...]]:
    """Category and counting ranks of five ranks (2..14), highest first, and whether all suits are one."""
    counts = Counter(ranks)
    groups = sorted(counts, key=lambda rank: (-counts[rank], -rank))
    shape = tuple(counts[rank] for rank in groups)
    kinds = {(4, 1): Category.FOUR_OF_A_KIND, (3, 2): Category.FULL_HOUSE, (3, 1, 1): Category.THREE_OF_A_KIND}
    kinds |= {(2, 2, 1): Category.TWO_PAIR, (2, 1, 1, 1): Category.ONE_PAIR}
    if shape in kinds:
        return kinds[shape], tuple(groups)
    if ranks == WHEEL:
        return (Category.STRAIGHT_FLUSH if flush else Category.STRAIGHT), (5, 4, 3, 2, 1)
    if ranks[0] - ranks[4] == 4:
        top = Category.ROYAL_FLUSH if ranks[0] == Rank.ACE else Category.STRAIGHT_FLUSH
        return (top if flush else Category.STRAIGHT), ranks
    return (Category.FLUSH if flush else Category.HIGH_CARD), ranks


def value_of(cards: Iterable[Card]) -> HandValue:
    """The high value of five cards; raise `HandError` for anything else."""
    hand = check_hand(cards)
    category, ranks = rank_pattern(_ranks(hand), len({card.suit for card in hand}) == 1)
    return HandValue(category, ranks, _by_importance(hand, ranks))


def _ranks(hand: Sequence[Card]) -> tuple[int, ...]:
    return tuple(sorted((int(card.rank) for card in hand), reverse=True))


def _by_importance(hand: Sequence[Card], ranks: Sequence[int]) -> tuple[Card, ...]:
    def place(card: Card) -> tuple[int, int]:
        rank = card.rank if card.rank in ranks else 1
        return ranks.index(rank), -card.suit

    return tuple(sorted(hand, key=place))


def soko_value(cards: Iterable[Card]) -> HandValue:
    """The value in Sökö, where four to a straight and four to a flush stand between a pair and two pairs."""
    plain = value_of(cards)
    if plain.category > Category.FOUR_FLUSH:
        return plain
    return _four_flush(plain.cards) or _four_straight(plain.cards) or plain


def _four_flush(hand: Sequence[Card]) -> HandValue | None:
    for odd in hand:
        four = [card for card in hand if card != odd]
        if len({card.suit for card in four}) == 1:
            four.sort(key=lambda card: -card.rank)
            cards = (*four, odd)
            return HandValue(Category.FOUR_FLUSH, tuple(int(card.rank) for card in cards), cards)
    return None


def _four_straight(hand: Sequence[Card]) -> HandValue | None:
    found: list[HandValue] = []
    for odd in hand:
        four = sorted((card for card in hand if card != odd), key=lambda card: -card.rank)
        ranks = [int(card.rank) for card in four]
        if ranks == [14, 4, 3, 2]:
            four, ranks = [*four[1:], four[0]], [4, 3, 2, 1]
        if len(set(ranks)) == 4 and ranks[0] - ranks[3] == 3:
            # The top of the four tells all of them; then the fifth card decides.
            found.append(HandValue(Category.FOUR_STRAIGHT, (ranks[0], int(odd.rank)), (*four, odd)))
    return max(found, key=lambda value: (value.strength, value.suits), default=None)


def low_27(cards: Iterable[Card]) -> tuple[int, ...]:
    """Deuce to seven: the smallest is the best.  Aces are high; straights and flushes count against the hand."""
    hand = check_hand(cards)
    ranks = _ranks(hand)
    flush = len({card.suit for card in hand}) == 1
    if ranks == WHEEL:
        return (Category.FLUSH if flush else Category.HIGH_CARD, *ranks)
    category, counting = rank_pattern(ranks, flush)
    return (category, *counting)


def low_a5(cards: Iterable[Card]) -> tuple[int, ...]:
    """Ace to five: the smallest is the best.  Aces are low; straights and flushes do not matter."""
    counts = Counter(1 if card.rank == Rank.ACE else int(card.rank) for card in check_hand(cards))
    groups = sorted(counts, key=lambda rank: (-counts[rank], -rank))
    category = {5: 0, 4: 1, 3: 2 if max(counts.values()) == 2 else 3, 2: 4 if max(counts.values()) == 3 else 5}[len(counts)]
    return (category, *groups)


LOW: dict[str, Callable[[Iterable[Card]], tuple[int, ...]]] = {"27": low_27, "a5": low_a5}
"""The low rankings by name; the smallest tuple is the best hand."""


def _suit_key(value: HandValue, tie_break: str) -> tuple[int, ...]:
    if tie_break == "share":
        return ()
    if tie_break == "suit_significant":
        return value.suits
    return (highest_card(value).suit,)


def highest_card(value: HandValue) -> Card:
    """The highest card by rank alone, and of several by suit; in a wheel the ace is the lowest card."""
    highest = max(zip(value.cards, _counted(value), strict=True), key=lambda pair: (pair[1], pair[0].suit))
    return highest[0]


def _counted(value: HandValue) -> tuple[int, ...]:
    """Per card of `value.cards` the rank that it counts as."""
    return tuple(int(card.rank) if card.rank in value.ranks else 1 for card in value.cards)


def order_hands(hands: Sequence[Sequence[Card]], tie_break: str = "suit_significant") -> Standing:
    """The order of high hands.  `tie_break`: ``suit_significant`` (suits in the order of importance), ``suit_highest_card``
    (the suit of the highest card by rank alone) or ``share``."""
    values = [value_of(hand) for hand in hands]
    keys = [(value.strength, _suit_key(value, tie_break)) for value in values]
    return _standing([value.category.title for value in values], keys, [value.strength for value in values])


def order_soko(hands: Sequence[Sequence[Card]]) -> Standing:
    """The order in Sökö; equal hands share."""
    values = [soko_value(hand) for hand in hands]
    strengths = [value.strength for value in values]
    return _standing([value.category.title for value in values], [(strength, ()) for strength in strengths], strengths)


def order_low(hands: Sequence[Sequence[Card]], low: str) -> Standing:
    """The order of low hands, lowest (best) first; `low` is ``27`` or ``a5``.  Equal hands share."""
    strengths = [tuple(-part for part in LOW[low](hand)) for hand in hands]
    titles = [_low_title(hand, low) for hand in hands]
    return _standing(titles, [(strength, ()) for strength in strengths], strengths)


def _low_title(hand: Sequence[Card], low: str) -> str:
    if low == "27":
        return Category(low_27(hand)[0]).title
    kinds = (Category.HIGH_CARD, Category.ONE_PAIR, Category.TWO_PAIR, Category.THREE_OF_A_KIND)
    return (*kinds, Category.FULL_HOUSE, Category.FOUR_OF_A_KIND)[low_a5(hand)[0]].title


Key = tuple[tuple[int, ...], tuple[int, ...]]


def _standing(categories: Sequence[str], keys: Sequence[Key], strengths: Sequence[tuple[int, ...]]) -> Standing:
    order = sorted(range(len(keys)), key=lambda index: keys[index], reverse=True)
    winners = tuple(index for index in range(len(keys)) if keys[index] == keys[order[0]]) if order else ()
    reason = _reason(keys, strengths, order) if len(order) > 1 else "category"
    return Standing(tuple(order), winners, tuple(categories), reason)


def _reason(keys: Sequence[Key], strengths: Sequence[tuple[int, ...]], order: Sequence[int]) -> str:
    first, second = order[0], order[1]
    if keys[first] == keys[second]:
        return "tie"
    pairs = zip(strengths[first], strengths[second], strict=False)
    position = next((index for index, (one, other) in enumerate(pairs) if one != other), None)
    if position is None:
        return "suit"
    return ("category", "rank")[position] if position < 2 else f"kicker/rank position {position}"
