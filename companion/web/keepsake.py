"""The final table as a picture to share, as numbers for a drawing: where names, hands and cards stand.  No words of its own."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from companion.cards import Card
from companion.retelling import Retelling

WIDTH = 1080
HEAD, FOOT, EDGE, GAP = 200, 64, 48, 18
ROW, WON_ROW = 168, 196
"""Heights of a hand, and of the winner's."""
TEXT = 398
"""Room for words beside the cards."""
CARD_W, CARD_H, CARD_GAP = 94, 132, 8
NARROW, BROAD = "iljtfrI.,:;'|!()[] ", "mwMWO@%&QGDHNU"


@dataclass(frozen=True, slots=True)
class DrawnCard:
    x: int
    rank: str
    suit: str


@dataclass(frozen=True, slots=True)
class DrawnHand:
    """One hand; everything in units of the picture, from the upper left corner."""

    y: int
    height: int
    place: int
    wins: bool
    name: str
    worth: tuple[str, ...]
    """In as many lines as it takes."""
    cards: tuple[DrawnCard, ...]

    @property
    def cards_y(self) -> int:
        return self.y + (self.height - CARD_H) // 2


@dataclass(frozen=True, slots=True)
class Keepsake:
    """The whole picture."""

    height: int
    hands: tuple[DrawnHand, ...]
    width: int = WIDTH


def keepsake(story: Retelling, names: Sequence[str], worths: Sequence[str]) -> Keepsake:
    """The final hands in their order, with `names` and what each hand is worth by seats."""
    y, hands = HEAD, []
    for place, seat in enumerate(story.order, 1):
        wins = seat in story.winners
        height = WON_ROW if wins else ROW
        name = fitted(names[seat], 46 if wins else 40, TEXT - 96)
        cards = tuple(
            DrawnCard(WIDTH - EDGE - 16 - (5 - number) * (CARD_W + CARD_GAP) + CARD_GAP, _rank(card), card.suit.letter)
            for number, card in enumerate(story.moments[-1].hands[seat]) if card is not None
        )  # fmt: skip
        hands.append(DrawnHand(y, height, place, wins, name, wrapped(worths[seat], 29, TEXT - 96), cards))
        y += height + GAP
    return Keepsake(y - GAP + FOOT, tuple(hands))


def _rank(card: Card) -> str:
    return "10" if card.rank.letter == "T" else card.rank.letter


def breadth(text: str, size: float) -> float:
    """About how broad `text` is in letters of `size`; rather too broad than too narrow."""
    return size * sum(map(_breadth_of, text))


def _breadth_of(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF" or ord(letter) > 0xFFFF:
        return 1.1
    return 0.36 if letter in NARROW else 0.95 if letter in BROAD else 0.64


def fitted(text: str, size: float, room: float) -> str:
    """As much of `text` as there is room for."""
    if breadth(text, size) <= room:
        return text
    while text and breadth(text + "…", size) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def wrapped(text: str, size: float, room: float) -> tuple[str, ...]:
    """The words of `text` in lines for which there is room; a word that is too long for one is cut."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and breadth(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(fitted(word, size, room))
    return tuple(lines)
