"""What open cards are worth before a hand is whole: who brings in, who acts first, and whether a pair shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from companion.cards import Card, Rank

Key = tuple[int, ...]


def low_card(boards: Mapping[int, Sequence[Card]]) -> int:
    """The seat of the lowest open card: the two is low, the ace high, and among equals clubs are the lowest suit."""
    return min(boards, key=lambda seat: (boards[seat][0].rank, boards[seat][0].suit))


def best_board(boards: Mapping[int, Sequence[Card]], suits: bool = False) -> int:
    """The seat whose open cards are the best: pairs, two pairs, three and four of a kind count, then the high cards.

    Straights and flushes do not.  Among equals the one nearest the dealer's left, or where `suits` count the higher suit.
    """
    return max(boards, key=lambda seat: (_high(boards[seat]), _suit(boards[seat]) if suits else 0, -seat))


def lowest_board(boards: Mapping[int, Sequence[Card]], aces_low: bool = True) -> int:
    """The seat whose open cards are the best low ones: pairs are bad; among equals the one nearest the dealer's left."""
    return min(boards, key=lambda seat: (_grouped(boards[seat], aces_low), seat))


def shows_pair(board: Sequence[Card]) -> bool:
    """Whether two open cards have the same rank."""
    return len({card.rank for card in board}) < len(board)


def _high(board: Sequence[Card]) -> Key:
    return _grouped(board, aces_low=False)


def _grouped(board: Sequence[Card], aces_low: bool) -> Key:
    """The sizes of the groups of equal ranks, largest first, then their ranks in that order."""
    counts = Counter(1 if aces_low and card.rank == Rank.ACE else int(card.rank) for card in board)
    groups = sorted(counts, key=lambda rank: (-counts[rank], -rank))
    # Boards of one size are compared: more or larger groups come first.
    sizes = [counts[rank] for rank in groups] + [0] * (len(board) - len(groups))
    return (*sizes, *groups)


def _suit(board: Sequence[Card]) -> int:
    """The suit of the most important open card: of the highest group the highest suit."""
    counts = Counter(card.rank for card in board)
    return max(board, key=lambda card: (counts[card.rank], card.rank, card.suit)).suit
