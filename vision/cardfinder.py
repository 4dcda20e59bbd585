"""Cards in a photograph: outlines and index spots, read through their corner windows, sorted into cards.

An outline is believed when its corners read as indices; of outlines inside each other the one that reads best is kept,
so that a court's frame or a pip is not taken for a card.  Index spots add the cards that overlap and show no outline.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vision.classifier import Classifier, Reading
from vision.corners import (
    SPOT_SIZES,
    WINDOW_SIZES,
    Pyramid,
    Window,
    corner_window,
    on_white_paper,
    spot_card,
    spot_window,
    uprights,
)
from vision.evidence import surest, weigh
from vision.frame import Image
from vision.indices import find_index_spots
from vision.outlines import Outline, Quad, find_outlines, proportion
from vision.sorting import FoundCard, sort_cards

CARD_PRESENCE = 0.5
"""An outline none of whose corners gives at least so much to being an index is a back, or no card at all."""
SPOT_PRESENCE = 0.9
"""An index without an outline needs so much."""
SPOT_CONFIDENCE = 0.5
"""And has to be so sure: what may be an index of any card is mostly print of another kind."""
PLAIN_PROPORTION = 1.15
"""Outlines squarer than this may lie either way."""
INSETS = (0.0, 0.03)
"""The whole picture, and a little less of it, are tried as a card: tight crops show no outline."""


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    """A way for a card to lie, with places to look at and several windows for each."""

    corners: Quad
    places: tuple[tuple[Window, ...], ...]
    outlined: bool
    weight: float
    """What speaks for it before reading."""
    anchor: tuple[float, float]
    """A point of its index, or the middle of its outline."""


def find_cards(image: Image, classifier: Classifier) -> tuple[FoundCard, ...]:
    """Every card in `image` that shows an index; those that cannot be told surely have a low confidence."""
    candidates = [*_from_outlines(image), *_from_spots(image)]
    return sort_cards(card for card in _read(image, classifier, candidates) if card is not None)


def _from_outlines(image: Image) -> Iterator[_Candidate]:
    for outline in find_outlines(image):
        yield from _ways(outline, both_ways=proportion(outline.corners) < PLAIN_PROPORTION)
    height, width = image.shape[:2]
    for inset in INSETS:
        x, y = inset * width, inset * height
        edges = np.array(((x, y), (width - x, y), (width - x, height - y), (x, height - y)), np.float32) - 0.5
        yield from _ways(Outline(edges, 0, 0.0), both_ways=True)


def _ways(outline: Outline, both_ways: bool) -> Iterator[_Candidate]:
    turns = uprights(outline.corners, both_ways)
    for upright, opposite in zip(turns[::2], turns[1::2], strict=True):
        places = tuple(tuple(corner_window(corners, size) for size in WINDOW_SIZES) for corners in (upright, opposite))
        middle = upright.mean(axis=0)
        yield _Candidate(upright, places, True, min(outline.votes, 10) / 10, (float(middle[0]), float(middle[1])))


def _from_spots(image: Image) -> Iterator[_Candidate]:
    for spot in find_index_spots(image):
        windows = tuple(spot_window(spot, size) for size in SPOT_SIZES)
        yield _Candidate(spot_card(spot), (windows,), False, 0.0, spot.rank)


def _read(image: Image, classifier: Classifier, candidates: list[_Candidate]) -> Iterator[FoundCard | None]:
    windows = [window for candidate in candidates for place in candidate.places for window in place]
    if not windows:
        return
    readings = classifier.classify(on_white_paper(Pyramid(image).cut(windows)))
    start = 0
    for candidate in candidates:
        places = []
        for place in candidate.places:
            places.append(surest(readings[start : start + len(place)]))
            start += len(place)
        yield _judged(candidate, np.stack(places))


def _judged(candidate: _Candidate, places: Reading) -> FoundCard | None:
    verdict = weigh(places)
    if verdict.presence < (CARD_PRESENCE if candidate.outlined else SPOT_PRESENCE):
        return None
    if not candidate.outlined and verdict.confidence < SPOT_CONFIDENCE:
        return None
    return FoundCard(candidate.corners, verdict, places, candidate.outlined, candidate.weight, candidate.anchor)
