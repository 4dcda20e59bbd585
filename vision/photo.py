"""A photograph of cards, read: the one function behind ``viewmat read``."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from companion.cards import Card
from vision.cardfinder import find_cards
from vision.classifier import Classifier
from vision.outlines import Quad
from vision.picturefile import decode_picture, load_picture
from vision.sorting import MIN_CONFIDENCE, FoundCard

Corner = tuple[float, float]
"""x and y in pixels of the picture as one looks at it (turned as its EXIF orientation says)."""


@dataclass(frozen=True, slots=True)
class PhotoCard:
    """A card in a photograph."""

    card: Card | None
    """None where a card lies that cannot be read with confidence."""
    confidence: float
    """Of `card`, or of the best guess where it is None."""
    corners: tuple[Corner, Corner, Corner, Corner]
    """Clockwise from the top left of the card as it lies upright."""


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """The cards of one photograph, rows from the top, each from left to right."""

    cards: tuple[PhotoCard, ...]
    ms: float
    """Milliseconds from the open file to the answer."""


def read_photo(picture: Path | bytes, classifier: Classifier, min_confidence: float = MIN_CONFIDENCE) -> PhotoReading:
    """Find and read every card in a picture file, given by its path or its content.

    Raises `PictureError` for a file that is missing, empty, truncated, no picture or absurdly large.
    """
    start = time.perf_counter()
    image, grain = decode_picture(picture, "the picture") if isinstance(picture, bytes) else load_picture(picture)
    cards = tuple(_told(card, grain, min_confidence) for card in find_cards(image, classifier))
    return PhotoReading(cards, (time.perf_counter() - start) * 1000.0)


def _told(found: FoundCard, grain: float, min_confidence: float) -> PhotoCard:
    known = found.confidence >= min_confidence
    return PhotoCard(found.card if known else None, found.confidence, _corners(found.corners, grain))


def _corners(corners: Quad, grain: float) -> tuple[Corner, Corner, Corner, Corner]:
    first, second, third, fourth = ((float((x + 0.5) * grain - 0.5), float((y + 0.5) * grain - 0.5)) for x, y in corners)
    return first, second, third, fourth
