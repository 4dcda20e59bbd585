"""Candidates that were read, sorted into cards: one per place, one per name, in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.cards import DECK, Card
from vision.classifier import Reading
from vision.evidence import Verdict, weigh
from vision.layout import CARD_MM
from vision.outlines import Quad

Axes = NDArray[np.float64]
"""2 x 2"""

MIN_CONFIDENCE = 0.965
"""Below it a card is reported as unknown."""
ALONE_SURE, FROM = 0.9, 0.91
"""Where an outline was found and one corner alone is so sure, the card is named from the second on: the other corner, worn,
covered or half in shadow, takes away more than it should."""
CONTRADICTS = 0.6
"""A corner that gives so much to another card does not only doubt."""
SAME_PLACE = 0.5
"""Outlines that share so much of the smaller one are about one card."""
APART = 0.2
"""Two cards of one name are in the same place where they share more than this of the smaller one."""
OTHER_INDICES_MM = ((52.0, 0.0, 1.0), (-52.0, 0.0, 1.0), (0.0, 65.0, -1.0), (52.0, 65.0, -1.0), (-52.0, 65.0, -1.0))
"""From one index of a card to the others: to the right, down, and 1 where both stand the same way up, -1 where not."""
STRAY = 0.3
"""Share of that distance by which the other index may be off: the scale of a lone index is a guess."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundCard:
    """A card in a photograph."""

    corners: Quad
    """Clockwise from the top left corner of the card as it lies upright, in pixels."""
    verdict: Verdict
    places: Reading
    """What each of its index corners reads."""
    outlined: bool
    """Its outline was found; otherwise its corners are guessed from an index."""
    weight: float
    """Share of the passes that met its outline, 0 where there is none."""
    anchor: tuple[float, float]
    """A point of the index that it was found by, or the middle of its outline."""
    letter: str | None = None
    """Which letter a court card or an ace bears, where that could be told."""

    @property
    def card(self) -> Card:
        return self.verdict.card

    @property
    def confidence(self) -> float:
        """Probability that it is this card: the verdict's, which is too careful where one corner of an outline is sure."""
        told = self.verdict.confidence
        if not self.outlined or told < FROM or not self._surely_in_one_corner():
            return told
        return 1.0 - (1.0 - told) * (1.0 - MIN_CONFIDENCE) / (1.0 - FROM)

    def _surely_in_one_corner(self) -> bool:
        cards = self.places[:, : len(DECK)].max(axis=0)
        others = np.delete(cards, DECK.index(self.card))
        return bool(cards[DECK.index(self.card)] >= ALONE_SURE and others.max() < CONTRADICTS)

    @property
    def sure(self) -> bool:
        return self.confidence >= MIN_CONFIDENCE

    @property
    def axes(self) -> Axes:
        """Columns: what a millimetre to the right, and one down the card, is in pixels."""
        right, down = self.corners[1] - self.corners[0], self.corners[3] - self.corners[0]
        return np.stack((right / CARD_MM[0], down / CARD_MM[1]), axis=1).astype(np.float64)


def sort_cards(found: Iterable[FoundCard]) -> tuple[FoundCard, ...]:
    """The cards behind `found`, rows from the top, each from left to right."""
    found = list(found)
    outlined = _apart([card for card in found if card.outlined])
    spots = _joined([card for card in found if not card.outlined])
    spots = [spot for spot in spots if not any(_explains(card, spot) for card in outlined)]
    kept = [card for card in outlined if card.sure or not any(spot.sure and _holds(card, spot.anchor) for spot in spots)]
    cards = _named_once([*kept, *(spot for spot in spots if spot.sure)])
    return tuple(_in_reading_order([replace(card, corners=_heads_up(card.corners)) for card in cards]))


def _heads_up(corners: Quad) -> Quad:
    """A card reads the same either way round: of both, the one whose head is higher in the picture."""
    rise = corners[2:, 1].sum() - corners[:2, 1].sum()
    return corners if rise >= 0 else np.ascontiguousarray(np.roll(corners, -2, axis=0))


def _apart(cards: Sequence[FoundCard]) -> list[FoundCard]:
    """Of outlines in one place the one that reads best: both corners agree, then surest, then best supported."""
    kept: list[FoundCard] = []
    for card in sorted(cards, key=_worth, reverse=True):
        if all(shared(card.corners, other.corners) < SAME_PLACE for other in kept):
            kept.append(card)
    return kept


def _worth(card: FoundCard) -> tuple[float, ...]:
    area = cv2.contourArea(card.corners)
    return (card.sure, card.verdict.corners, round(card.confidence, 1), round(card.weight, 1), area, card.confidence)


def shared(one: Quad, other: Quad) -> float:
    """Common area as a share of the smaller."""
    common, _ = cv2.intersectConvexConvex(one, other)
    return float(common) / max(min(cv2.contourArea(one), cv2.contourArea(other)), 1.0)


def _joined(spots: Sequence[FoundCard]) -> list[FoundCard]:
    """Indices near each other that name the same card are those of one card: they vouch for it together."""
    groups: list[list[FoundCard]] = []
    for spot in sorted(spots, key=lambda spot: spot.confidence, reverse=True):
        same = [group for group in groups if group[0].card == spot.card]
        if any(_offset_mm(group[0], spot) < 12.0 for group in same):
            continue
        group = next((group for group in same if all(_of_one_card(other, spot) for other in group)), None)
        if group is None:
            groups.append([spot])
        else:
            group.append(spot)
    return [_vouched(group) for group in groups]


def _between(one: FoundCard, other: FoundCard) -> NDArray[np.float64]:
    """From one index to the other, in millimetres of the first card."""
    way = np.array(other.anchor) - np.array(one.anchor)
    return np.asarray(np.linalg.solve(one.axes, way), np.float64)


def _offset_mm(one: FoundCard, other: FoundCard) -> float:
    return float(np.hypot(*_between(one, other)))


def _of_one_card(one: FoundCard, other: FoundCard) -> bool:
    """Their indices lie to each other as two of one card do."""
    between = _between(one, other)
    down, other_down = one.axes[:, 1], other.axes[:, 1]
    same_way = float(down @ other_down) / float(np.hypot(*down) * np.hypot(*other_down))
    return any(
        same_way * way > 0.8 and np.hypot(between[0] - x, between[1] - y) < STRAY * np.hypot(x, y)
        for x, y, way in OTHER_INDICES_MM
    )


def _vouched(group: Sequence[FoundCard]) -> FoundCard:
    places = np.concatenate([spot.places for spot in group])
    return replace(group[0], places=places, verdict=weigh(places))


def _explains(card: FoundCard, spot: FoundCard) -> bool:
    """An index inside a surely read outline is its own, or a pip, unless it is vouched for twice."""
    if not card.sure or not _holds(card, spot.anchor):
        return False
    return spot.card == card.card or len(spot.places) < 2


def _holds(card: FoundCard, point: tuple[float, float]) -> bool:
    return cv2.pointPolygonTest(card.corners.reshape(-1, 1, 2), point, False) >= 0


def _named_once(cards: Sequence[FoundCard]) -> list[FoundCard]:
    """A card lies in one place only: a second one of its name, unless read as surely from both corners, is doubtful."""
    kept: list[FoundCard] = []
    for card in sorted(cards, key=_worth, reverse=True):
        twin = next((other for other in kept if other.card == card.card and other.sure), None)
        apart = twin is None or shared(card.corners, twin.corners) < APART
        if twin is None or (apart and card.sure and card.outlined and card.verdict.corners >= 2):
            kept.append(card)
        elif card.outlined and apart:
            kept.append(replace(card, verdict=replace(card.verdict, confidence=0.0)))
    return kept


def _in_reading_order(cards: Sequence[FoundCard]) -> list[FoundCard]:
    """A row is what lies no more than half a card lower than its highest card."""
    left = sorted(cards, key=lambda card: float(card.corners[:, 1].mean()))
    ordered: list[FoundCard] = []
    while left:
        top = float(left[0].corners[:, 1].mean())
        half = float(np.ptp(left[0].corners[:, 1])) / 2
        row = [card for card in left if float(card.corners[:, 1].mean()) - top <= half]
        left = left[len(row) :]
        ordered += sorted(row, key=lambda card: float(card.corners[:, 0].mean()))
    return ordered
