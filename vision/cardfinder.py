"""Cards in a photograph: outlines and index spots, read through their corner windows, sorted into cards.

An outline is believed when its corners read as indices; of outlines inside each other the one that reads best is kept,
so that a court's frame or a pip is not taken for a card.  Index spots add the cards that overlap and show no outline.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.cards import Card
from vision.classifier import Classifier, Reading
from vision.corners import SPOT_SIZES, WINDOW_SIZES, Pyramid, Window, corner_window, spot_card, spot_window, uprights
from vision.evidence import Verdict, surest, weigh
from vision.frame import Image
from vision.indices import find_index_spots
from vision.outlines import Outline, Quad, find_outlines, proportion

MIN_CONFIDENCE = 0.97
"""Below it a card is reported as unknown."""
CARD_PRESENCE = 0.5
"""An outline none of whose corners gives at least so much to being an index is a back, or no card at all."""
SPOT_PRESENCE = 0.9
"""An index without an outline needs so much."""
PLAIN_PROPORTION = 1.15
"""Outlines squarer than this may lie either way."""
INSETS = (0.0, 0.03)
"""The whole picture, and a little less of it, are tried as a card: tight crops show no outline."""
SAME_PLACE = 0.5
"""Outlines that share so much of the smaller one are about one card."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundCard:
    """A card in a photograph."""

    corners: Quad
    """Clockwise from the top left corner of the card as it lies upright, in pixels."""
    verdict: Verdict
    outlined: bool
    """Its outline was found; otherwise its corners are guessed from an index."""
    weight: float
    """Share of the passes that met its outline, 0 where there is none."""

    @property
    def card(self) -> Card:
        return self.verdict.card

    @property
    def confidence(self) -> float:
        return self.verdict.confidence

    @property
    def anchor(self) -> tuple[float, float]:
        """A point of its index corner."""
        inward = self.corners[0] + 0.1 * (self.corners[2] - self.corners[0])
        return float(inward[0]), float(inward[1])


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    """A way for a card to lie, with places to look at and several windows for each."""

    corners: Quad
    places: tuple[tuple[Window, ...], ...]
    outlined: bool
    weight: float
    """What speaks for it before reading."""


def find_cards(image: Image, classifier: Classifier) -> tuple[FoundCard, ...]:
    """Every card in `image` that shows an index; those that cannot be told surely have a low confidence."""
    candidates = [*_from_outlines(image), *_from_spots(image)]
    found = [card for card in _read(image, classifier, candidates) if card is not None]
    cards = _apart([card for card in found if card.outlined])
    cards += _beyond(cards, _one_each([card for card in found if not card.outlined]))
    return tuple(_in_reading_order(_without_doubles(cards)))


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
        yield _Candidate(upright, places, True, min(outline.votes, 10) / 10)


def _from_spots(image: Image) -> Iterator[_Candidate]:
    for spot in find_index_spots(image):
        windows = tuple(spot_window(spot, size) for size in SPOT_SIZES)
        yield _Candidate(spot_card(spot), (windows,), False, 0.0)


def _read(image: Image, classifier: Classifier, candidates: list[_Candidate]) -> Iterator[FoundCard | None]:
    windows = [window for candidate in candidates for place in candidate.places for window in place]
    if not windows:
        return
    readings = classifier.classify(Pyramid(image).cut(windows))
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
    return FoundCard(_heads_up(candidate.corners), verdict, candidate.outlined, candidate.weight)


def _heads_up(corners: Quad) -> Quad:
    """A card reads the same either way round: of both, the one whose head is higher in the picture."""
    rise = corners[2:, 1].sum() - corners[:2, 1].sum()
    return corners if rise >= 0 else np.ascontiguousarray(np.roll(corners, -2, axis=0))


def _apart(cards: list[FoundCard]) -> list[FoundCard]:
    """Of outlines in one place the one that reads best: both corners agree, then surest, then best supported."""
    kept: list[FoundCard] = []
    for card in sorted(cards, key=_worth, reverse=True):
        if all(_shared(card.corners, other.corners) < SAME_PLACE for other in kept):
            kept.append(card)
    return kept


def _worth(card: FoundCard) -> tuple[float, ...]:
    return (card.verdict.corners, round(card.verdict.confidence, 2), round(card.weight, 1), cv2.contourArea(card.corners))


def _shared(one: Quad, other: Quad) -> float:
    """Common area as a share of the smaller."""
    common, _ = cv2.intersectConvexConvex(one, other)
    return float(common) / max(min(cv2.contourArea(one), cv2.contourArea(other)), 1.0)


def _beyond(cards: list[FoundCard], spots: list[FoundCard]) -> list[FoundCard]:
    """Spots that lie outside every outline that both its corners vouch for."""
    sure = [card for card in cards if card.verdict.corners >= 2 or card.confidence >= MIN_CONFIDENCE]
    return [spot for spot in spots if not any(_inside(spot.anchor, card.corners) for card in sure)]


def _inside(point: tuple[float, float], corners: Quad) -> bool:
    return cv2.pointPolygonTest(corners.reshape(-1, 1, 2), point, False) >= 0


def _one_each(spots: list[FoundCard]) -> list[FoundCard]:
    """Indices that name the same card are taken for the corners of one card: the surest stands for it."""
    best: dict[Card, FoundCard] = {}
    for spot in spots:
        if spot.card not in best or spot.confidence > best[spot.card].confidence:
            best[spot.card] = spot
    return list(best.values())


def _without_doubles(cards: list[FoundCard]) -> list[FoundCard]:
    """A card lies in one place only: of two of the same name, the one that only a spot or one corner names goes."""
    kept: list[FoundCard] = []
    for card in sorted(cards, key=_worth, reverse=True):
        twin = next((other for other in kept if other.card == card.card), None)
        if twin is None or card.verdict.corners >= 2:
            kept.append(card)
        elif card.outlined:
            kept.append(replace(card, verdict=replace(card.verdict, confidence=0.0)))
    return kept


def _in_reading_order(cards: list[FoundCard]) -> list[FoundCard]:
    """Rows from the top, each from left to right; a row is what overlaps the highest card by half of its height."""
    left = sorted(cards, key=lambda card: float(card.corners[:, 1].mean()))
    ordered: list[FoundCard] = []
    while left:
        top = float(left[0].corners[:, 1].mean())
        half = float(np.ptp(left[0].corners[:, 1])) / 2
        row = [card for card in left if float(card.corners[:, 1].mean()) - top <= half]
        left = left[len(row):]
        ordered += sorted(row, key=lambda card: float(card.corners[:, 0].mean()))
    return ordered
