"""Cards in a photograph: outlines and index spots, read through their corner windows, sorted into cards.

An outline is believed when its corners read as indices; of outlines inside each other the one that reads best is kept,
so that a court's frame or a pip is not taken for a card.  Index spots add the cards that overlap and show no outline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.cards import DECK
from vision.classifier import Classifier, Patches, Reading
from vision.corners import (
    NUDGES,
    SPOT_SIZES,
    WINDOW_SIZES,
    Nudge,
    Pyramid,
    SpotInPlane,
    Window,
    corner_window,
    nudged,
    right_window,
    spot_card,
    spot_window,
    uprights,
)
from vision.courtletters import LETTERS, letter_of
from vision.evidence import weigh
from vision.focus import BLURRED_PX, MOST_PX, refocused, smear_px
from vision.frame import Image
from vision.indices import IndexSpot, find_index_spots
from vision.ink import minding_colour
from vision.outlines import Outline, Quad, find_outlines, outside_of_frame, proportion
from vision.paper import bleached, on_dark_stock, on_white_paper, turned_over
from vision.sorting import SAME_PLACE, FoundCard, shared, sort_cards

PROMISING = 0.3
"""Candidates none of whose windows gives at least so much to cards are not looked at again."""
CARD_PRESENCE = 0.5
"""An outline none of whose corners gives at least so much to being an index is a back, or no card at all."""
SPOT_PRESENCE = 0.8
"""An index without an outline needs so much."""
SPOT_CONFIDENCE = 0.5
"""And has to be so sure: what may be an index of any card is mostly print of another kind."""
MOST_SPOTS = 160
"""So many of those are looked at, those on the evenest paper first."""
MOST_BLURRED = 24
"""So many ways of lying are read again in focus, those with the best outlines first."""
REFOCUSED = 0.6
"""Where blur was undone, all that was read in one place, through several outlines, has to give so much to one card."""
FURTHER = 1.2
"""The second look at a blurred window undoes so many times the blur that was measured."""
SHARPNESS = 4
"""Power of a look's surest card with which the look counts."""
FRAMES = 12
"""So many outlines may be the ruled frames of court cards that lie on paper of their own colour, or cards whose indices stand
at the right."""
RIVAL = 0.6
"""Where windows of other sizes give so much to another card, at every index of a candidate, neither is believed."""
UNDECIDED = 0.5
"""Confidence of a candidate on which two judgements name different cards."""
PLAIN_PROPORTION = 1.15
"""Outlines squarer than this may lie either way."""
Prepare = Callable[[Patches], Patches]
"""What is done to windows before they are read."""
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
    eyes = _Eyes(Pyramid(image), classifier)
    outlines = find_outlines(image)
    candidates = [way for outline in (*outlines, *_whole(image)) for way in _ways(outline)]
    outlined = _read(eyes, candidates, on_white_paper, bleached)
    outlined += _read(eyes, _apart_from(outlined, candidates), bleached, on_white_paper)
    right = [way for outline in (*outlines[:FRAMES], *_whole(image)) for way in _ways(outline, right_window)]
    outlined += _read(eyes, _apart_from(outlined, right), on_white_paper, bleached)
    framed = [way for outline in outlines[:FRAMES] for way in _ways(outside_of_frame(outline))]
    outlined += _read(eyes, _apart_from(outlined, framed), on_white_paper, bleached)
    outlined += _agreed(_read(eyes, eyes.out_of_focus(_apart_from(outlined, candidates)), in_focus, in_focus_twice))
    spots = _read(eyes, _from_spots(find_index_spots(image), outlined), on_white_paper)
    dark_deck = eyes.on_dark_stock(outlined)
    if dark_deck or not any(card.sure for card in (*outlined, *spots)):
        light = _read(eyes, _from_spots(find_index_spots(turned_over(image[None])[0]), outlined), on_white_paper, bleached)
        # A dark deck comes as several cards; one lone index of that kind is rather a pattern.
        if dark_deck or len({card.card for card in light if card.sure}) > 1:
            spots += light
    return tuple(replace(card, letter=eyes.letter(card)) for card in sort_cards([*outlined, *spots]))


def _read(eyes: _Eyes, candidates: Sequence[_Candidate], prepare: Prepare, doubly: Prepare | None = None) -> list[FoundCard]:
    """The candidates that read as cards: all at a glance, and the promising ones closely; what then is a card, doubly.

    The paper is prepared in one way for glance and close look, and in another for the second one.
    """
    glances = eyes.glance([place for candidate in candidates for place in candidate.places], prepare)
    promising, glanced, torn = [], [], []
    for candidate in candidates:
        seen = [next(glances) for _ in candidate.places]
        if max(glance.share for glance in seen) >= PROMISING:
            promising.append((candidate, [glance.window for glance in seen]))
            glanced.append(np.stack([glance.reading for glance in seen]))
            torn.append(all(glance.rival >= RIVAL for glance in seen))
    looks = eyes.look_closely([window for _, windows in promising for window in windows], NUDGES, prepare)
    first = [np.stack([next(looks) for _ in windows]) for _, windows in promising]
    if doubly is not None:
        likely = [number for number, (candidate, _) in enumerate(promising) if _judged(candidate, first[number]) is not None]
        again = eyes.look_closely([window for number in likely for window in promising[number][1]], NUDGES[::2], doubly)
        second = [np.stack([next(again) for _ in promising[number][1]]) for number in likely]
        judged = [
            _less_sure(*(_judged(promising[number][0], _together(promising[number][0], looks)) for looks in (
                (first[number], twice), (first[number], twice, glanced[number])
            )))
            for number, twice in zip(likely, second, strict=True)
        ]
        torn = [torn[number] for number in likely]
    else:
        judged = [_judged(candidate, places) for (candidate, _), places in zip(promising, first, strict=True)]
    return [_doubted(card) if doubt else card for card, doubt in zip(judged, torn, strict=True) if card is not None]


def _doubted(card: FoundCard) -> FoundCard:
    """The card with too little confidence to be named."""
    return replace(card, verdict=replace(card.verdict, confidence=min(card.confidence, UNDECIDED)))


def _agreed(cards: Sequence[FoundCard]) -> list[FoundCard]:
    """Cards read where blur was undone, unsure where outlines of one place do not agree: what blur has eaten, sharpening only
    guesses, and both corners of a card guess alike."""
    agreed = []
    for card in cards:
        here = [other.places for other in cards if other is card or shared(other.corners, card.corners) > SAME_PLACE]
        share = float(np.concatenate(here)[:, DECK.index(card.card)].mean())
        agreed.append(card if share >= REFOCUSED else _doubted(card))
    return agreed


def _less_sure(one: FoundCard | None, other: FoundCard | None) -> FoundCard | None:
    """Of two judgements on one candidate the more careful; where they name different cards nothing is sure."""
    if one is None or other is None:
        return None
    lower = min(one, other, key=lambda card: card.confidence)
    return lower if one.card == other.card else _doubted(lower)


def _together(candidate: _Candidate, looks: Sequence[Reading]) -> Reading:
    """Several looks at each place as one: closely on paper prepared in two ways, and the glance at windows of all sizes.

    Inside an outline the sharper counts most, so that only sharp ones can contradict each other.  Without one the first two
    count alike: what looks like an index on paper prepared in one way only is none.
    """
    return _sharpest(np.stack(looks)) if candidate.outlined else np.asarray(np.mean(looks[:2], axis=0), np.float32)


def _sharpest(looks: Reading) -> Reading:
    """The mean of looks (first axis), each with the weight of how sure it is of one card."""
    weights = looks[..., : len(DECK)].max(axis=-1, keepdims=True) ** SHARPNESS + 1e-9
    return np.asarray((looks * weights).sum(axis=0) / weights.sum(axis=0), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Glance:
    """A quick look at one place through windows of several sizes."""

    window: Window
    """The surest of them."""
    share: float
    """How much it gives to cards at all."""
    reading: Reading
    """What all of them say."""
    rival: float
    """The most that one of them gives to a card that is not the surest one's."""


@dataclass(frozen=True, slots=True, eq=False)
class _Eyes:
    """Reads windows of one picture."""

    pyramid: Pyramid
    classifier: Classifier

    def glance(self, places: Sequence[tuple[Window, ...]], prepare: Prepare) -> Iterator[_Glance]:
        """A glance at each of the places."""
        readings = self.classifier.classify(prepare(self.pyramid.cut([window for place in places for window in place])))
        start = 0
        for place in places:
            of_place = readings[start : start + len(place)]
            start += len(place)
            cards = of_place[:, : len(DECK)]
            best = int(cards.max(axis=1).argmax())
            rival = float(np.delete(cards.max(axis=0), int(cards[best].argmax())).max())
            yield _Glance(place[best], float(cards[best].sum()), _sharpest(of_place), rival)

    def look_closely(self, windows: Sequence[Window], nudges: Sequence[Nudge], prepare: Prepare) -> Iterator[Reading]:
        """The mean of what each window and its neighbours read: a chance likeness does not outlast a small shift."""
        patches = prepare(self.pyramid.cut([nudged(window, nudge) for window in windows for nudge in nudges]))
        readings = minding_colour(self.classifier.classify(patches), patches)
        yield from readings.reshape(len(windows), len(nudges), -1).mean(axis=1)

    def out_of_focus(self, candidates: Sequence[_Candidate]) -> list[_Candidate]:
        """Those of the candidates all of whose places are smeared."""
        if not candidates:
            return []
        smears = iter(smear_px(on_white_paper(self.pyramid.cut([place[0] for way in candidates for place in way.places]))))
        least = [min(next(smears) for _ in way.places) for way in candidates]
        return [way for way, smear in zip(candidates, least, strict=True) if BLURRED_PX < smear < MOST_PX][:MOST_BLURRED]

    def on_dark_stock(self, cards: Sequence[FoundCard]) -> bool:
        """Whether one of the sure cards is printed light on dark."""
        windows = [corner_window(card.corners, 1.0) for card in cards if card.sure]
        return bool(on_dark_stock(self.pyramid.cut(windows)).any()) if windows else False

    def letter(self, card: FoundCard) -> str | None:
        """The letter that a card bears in its two corners."""
        if not card.sure or card.card.rank not in LETTERS:
            return None
        ways = (card.corners, np.ascontiguousarray(np.roll(card.corners, -2, axis=0)))
        windows = [corner_window(corners, size) for corners in ways for size in (WINDOW_SIZES[0], WINDOW_SIZES[-1])]
        return letter_of(card.card.rank, on_white_paper(self.pyramid.cut(windows)))


def in_focus(patches: Patches) -> Patches:
    """Windows on white paper whose blur is undone."""
    return refocused(on_white_paper(patches))


def in_focus_twice(patches: Patches) -> Patches:
    """The same, a little further."""
    return refocused(on_white_paper(patches), FURTHER)


def _whole(image: Image) -> Iterator[Outline]:
    """The whole picture as one card."""
    height, width = image.shape[:2]
    for inset in INSETS:
        x, y = inset * width, inset * height
        yield Outline(np.array(((x, y), (width - x, y), (width - x, height - y), (x, height - y)), np.float32) - 0.5, 0, 0.0)


def _apart_from(found: Sequence[FoundCard], candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """The candidates that lie where no card is sure."""
    sure = [card.corners for card in found if card.sure]
    return [way for way in candidates if not any(shared(way.corners, corners) > SAME_PLACE for corners in sure)]


def _ways(outline: Outline, window: Callable[[Quad, float], Window] = corner_window) -> Iterator[_Candidate]:
    """The ways round in which a card can fill an outline, with `window` at its corner and at the opposite one."""
    turns = uprights(outline.corners, both_ways=proportion(outline.corners) < PLAIN_PROPORTION or outline.votes == 0)
    for upright, opposite in zip(turns[::2], turns[1::2], strict=True):
        places = tuple(tuple(window(corners, size) for size in WINDOW_SIZES) for corners in (upright, opposite))
        middle = upright.mean(axis=0)
        yield _Candidate(upright, places, True, min(outline.votes, 10) / 10, (float(middle[0]), float(middle[1])))


def _from_spots(spots: Iterable[IndexSpot], outlined: Sequence[FoundCard]) -> list[_Candidate]:
    """Lone indices outside of the sure outlines, seen from straight above and in the plane of the nearest of those."""
    sure = [card.corners for card in outlined if card.sure and card.verdict.corners == 2]
    candidates: list[_Candidate] = []
    for spot in spots:
        if len(candidates) == MOST_SPOTS:
            break
        if any(cv2.pointPolygonTest(corners.reshape(-1, 1, 2), spot.rank, False) >= 0 for corners in sure):
            continue
        windows = [spot_window(spot, size) for size in SPOT_SIZES]
        corners = spot_card(spot)
        if sure:
            nearest = min(sure, key=lambda quad: float(np.hypot(*(quad.mean(axis=0) - spot.rank))))
            level = SpotInPlane.of(spot, nearest)
            if level is None:
                continue
            windows += [level.window(size) for size in SPOT_SIZES]
            corners = level.card()
        candidates.append(_Candidate(corners, (tuple(windows),), False, 0.0, spot.rank))
    return candidates


def _judged(candidate: _Candidate, places: Reading) -> FoundCard | None:
    verdict = weigh(places)
    if verdict.presence < (CARD_PRESENCE if candidate.outlined else SPOT_PRESENCE):
        return None
    if not candidate.outlined and verdict.confidence < SPOT_CONFIDENCE:
        return None
    return FoundCard(candidate.corners, verdict, places, candidate.outlined, candidate.weight, candidate.anchor)
