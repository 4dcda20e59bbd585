"""Cards, and what can be claimed of a place where a card may lie."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

from companion.errors import CardTextError

LONGEST_FOUND = 24
"""More of a text that is no card is not said back."""
RANK_LETTERS = "23456789TJQKA"
SUIT_LETTERS = "cdhs"


class Rank(IntEnum):
    """Ranks in their order, the ace high."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        return RANK_LETTERS[self - 2]


class Suit(IntEnum):
    """Suits in the order that breaks ties, lowest first."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        return SUIT_LETTERS[self]


@dataclass(frozen=True, slots=True, repr=False)
class Card:
    """A real face of the deck of 52, written like ``Td``."""

    rank: Rank
    suit: Suit

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read ``Td``, ``as`` or ``10h``; raise `CardTextError` for anything else."""
        found = text.strip()
        short = f"T{found[2:]}" if found.startswith("10") else found
        if len(short) == 2:
            rank, suit = RANK_LETTERS.find(short[0].upper()), SUIT_LETTERS.find(short[1].lower())
            if rank >= 0 and suit >= 0:
                return cls(Rank(rank + 2), Suit(suit))
        told = text if len(text) <= LONGEST_FOUND else f"{text[: LONGEST_FOUND - 1]}…"
        raise CardTextError(f"{told!r} is no card: expected a rank of {RANK_LETTERS} and a suit of {SUIT_LETTERS}, like Td")

    def __str__(self) -> str:
        return self.rank.letter + self.suit.letter

    def __repr__(self) -> str:
        return f"Card.parse('{self}')"


@dataclass(frozen=True, slots=True, repr=False)
class Shadow(Card):
    """The face that a camera reads, of a card other than the one that people call so.

    It is written like that face and equal to no `Card`: a table on which somebody has given a hidden card's face to another card
    goes on exactly as if that face lay nowhere else.
    """

    def __repr__(self) -> str:
        return f"Shadow.parse('{self}')"


DECK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
"""The 52 cards, clubs first, each suit from the two up."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A certain card whose face the table has not been told.

    It is one card, not a wildcard: it moves with every action, can be locked, and becomes a `Card` by
    ``learn`` when somebody reads it.
    """

    number: int
    """Any number; unique among the unknown cards of a game."""


class Mark(Enum):
    """What a camera can claim of a place where it names no card."""

    EMPTY = "empty"
    """No card lies there."""
    BACK = "back"
    """A card's back shows."""
    COVERED = "covered"
    """A hand, a moving card or something else hides the place; nothing is claimed."""
    UNREADABLE = "unreadable"
    """A card lies there and its face cannot be read with confidence."""
    FOREIGN = "foreign"
    """A joker, or a card that is not of this deck."""


def is_named(held: object) -> bool:
    """Whether everybody may call it by its face: no `Unknown`, and no `Shadow`, whose face another card bears."""
    return isinstance(held, Card) and not isinstance(held, Shadow)


Held = Card | Unknown
"""One of the 52 cards, known or not."""

Seen = Card | Mark
"""What a camera can claim of a place."""
