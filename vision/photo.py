"""A photograph of cards, read: the functions behind ``viewmat read`` and ``viewmat score``."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.cards import Card, Rank
from vision.cardfinder import find_cards
from vision.classifier import Classifier
from vision.courtletters import meaning
from vision.evidence import likeliest
from vision.frame import Image
from vision.outlines import Quad
from vision.picturefile import decode_picture, load_picture
from vision.sorting import MIN_CONFIDENCE, FoundCard

Corner = tuple[float, float]
"""x and y in pixels of the picture as one looks at it (turned as its EXIF orientation says)."""
AMBIGUOUS = 0.5
"""Confidence of a card whose letter means two ranks alike."""
MOST_LIKELY = 5
"""So many cards are offered at most for one that is put right by hand."""


@dataclass(frozen=True, slots=True)
class PhotoCard:
    """A card in a photograph."""

    card: Card | None
    """None where a card lies that cannot be read with confidence."""
    confidence: float
    """Of `card`, or of the best guess where it is None."""
    corners: tuple[Corner, Corner, Corner, Corner]
    """Clockwise from the top left of the card as it lies upright."""
    likely: tuple[Card, ...] = ()
    """What the reader takes it for, the likeliest first."""


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """The cards of one photograph, rows from the top, each from left to right."""

    cards: tuple[PhotoCard, ...]
    ms: float
    """Milliseconds from the open file to the answer."""


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """What was found in one photograph, before the deck is asked what its letters mean."""

    found: tuple[FoundCard, ...]
    grain: float
    """Pixels of the file for one of those that were looked at."""
    ms: float

    @property
    def letters(self) -> frozenset[str]:
        """Of court cards and aces."""
        return frozenset(card.letter for card in self.found if card.letter is not None)


def read_photo(picture: Path | bytes, classifier: Classifier, min_confidence: float = MIN_CONFIDENCE) -> PhotoReading:
    """Find and read every card in a picture file, given by its path or its content.

    Raises `PictureError` for a file that is missing, empty, truncated, no picture or absurdly large.
    """
    return read_as_one_deck([glimpse(picture, classifier)], min_confidence)[0]


def glimpse(picture: Path | bytes, classifier: Classifier) -> Glimpse:
    """Find the cards of a picture; `read_as_one_deck` reads them.  Raises as `read_photo`."""
    start = time.perf_counter()
    image, grain = decode_picture(picture, "the picture") if isinstance(picture, bytes) else load_picture(picture)
    return glimpse_of(image, grain, classifier, start)


def glimpse_of(image: Image, grain: float, classifier: Classifier, start: float | None = None) -> Glimpse:
    """As `glimpse`, of a decoded picture; `start` is when the work on it began, by `time.perf_counter`."""
    start = time.perf_counter() if start is None else start
    found = find_cards(image, classifier)
    return Glimpse(found, grain, (time.perf_counter() - start) * 1000.0)


def read_as_one_deck(glimpses: Sequence[Glimpse], min_confidence: float = MIN_CONFIDENCE) -> tuple[PhotoReading, ...]:
    """Read pictures of one table: the court letters of all of them tell what each letter means in this deck."""
    letters = frozenset[str]().union(*(glimpse.letters for glimpse in glimpses))
    return tuple(
        PhotoReading(tuple(_told(card, glimpse.grain, letters, min_confidence) for card in glimpse.found), glimpse.ms)
        for glimpse in glimpses
    )


def _told(found: FoundCard, grain: float, letters: Collection[str], min_confidence: float) -> PhotoCard:
    corners = _corners(found.corners, grain)
    rank = meaning(found.card.rank, found.letter, letters)
    seen = likeliest(found.places, MOST_LIKELY)
    if rank is None:
        either = tuple(Card(rank, found.card.suit) for rank in (Rank.JACK, Rank.QUEEN))
        return PhotoCard(None, min(found.confidence, AMBIGUOUS), corners, _first(either, seen))
    card = Card(rank, found.card.suit)
    known = found.confidence >= min_confidence
    return PhotoCard(card if known else None, found.confidence, corners, _first((card,), seen))


def _first(cards: tuple[Card, ...], others: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(dict.fromkeys((*cards, *others)))[:MOST_LIKELY]


def _corners(corners: Quad, grain: float) -> tuple[Corner, Corner, Corner, Corner]:
    first, second, third, fourth = ((float((x + 0.5) * grain - 0.5), float((y + 0.5) * grain - 0.5)) for x, y in corners)
    return first, second, third, fourth
