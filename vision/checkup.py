"""A walk through one board: empty first, then with card after card.  It collects facts; others judge them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.cards import Card, Mark, Seen
from companion.table import Place
from vision.classifier import Classifier
from vision.frame import Frame, Image
from vision.inspection import BoardFacts, inspect
from vision.layout import Layout
from vision.observe import Observer
from vision.windows import WindowCutter

EMPTY_FRAMES = 6
"""So many frames of the empty board are measured together."""
STEADY_FRAMES = 6
"""A window has to say the same for so many frames before it counts."""
GONE_FRAMES = 3
"""So soon an empty window is believed: what comes next is another card."""
PRESENT_FRAMES = 10
"""What covered a window for so many frames and never said anything was a card that cannot be read."""
SIGNS_PX = ((5, 36, 3, 33), (40, 78, 3, 33))
"""Top, bottom, left and right of where rank and suit stand in a window."""
INK_PERCENTILE = 2
"""The darkest pixels of a sign are its ink."""


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """One card, or what should have been one, at one window."""

    place: Place
    seen: Seen
    confidence: float
    ink: float
    """Grey level of the paler of its two signs, in its darkest colour: a reflection washes ink out."""
    patch: Image


class Checkup:
    """Takes the frames of one board, in their order.  Every observer of a table has its own, so that one card at two places
    is seen twice."""

    def __init__(self, layout: Layout, places: Sequence[Place], classifier: Classifier) -> None:
        self.layout = layout
        self.places = tuple(places)
        self.frames = 0
        self.trouble: str | None = None
        """What keeps the camera from seeing, now; None while it sees."""
        self.facts: BoardFacts | None = None
        """Of the empty board; None until it was seen."""
        self.shown: list[Shown] = []
        self.picture: Image | None = None
        """The empty board."""
        self._observer = Observer(layout, places, classifier)
        self._empty: list[Image] = []
        self._runs: list[tuple[Seen, int]] = [(Mark.COVERED, 0)] * len(self.places)
        self._counted: list[Seen | None] = [None] * len(self.places)
        self._present = [0] * len(self.places)
        self._doubtful: list[Shown | None] = [None] * len(self.places)
        """Per window a picture of what lies there, in case that it never can be read."""

    def look(self, frame: Frame) -> None:
        """Take in one frame."""
        self.frames += 1
        observation = self._observer.observe(frame)
        self.trouble = self._observer.trouble
        if self.trouble or not observation.sightings:
            self._empty.clear()
            return
        seen = [(sighting.seen, sighting.confidence) for sighting in observation.sightings]
        if all(mark is Mark.EMPTY for mark, _ in seen):
            self._look_at_empty(frame.image)
        else:
            self._empty.clear()
        for index, (mark, confidence) in enumerate(seen):
            self._follow(index, mark, confidence, frame.image)

    @property
    def idle(self) -> bool:
        """Every window has said the same for a while."""
        return all(count >= STEADY_FRAMES for _, count in self._runs)

    def _look_at_empty(self, image: Image) -> None:
        if self.facts is not None:
            return
        self._empty.append(image)
        if len(self._empty) >= EMPTY_FRAMES:
            self.facts = inspect(self._empty, self.layout)
            self.picture = self._empty[-1]

    def _follow(self, index: int, seen: Seen, confidence: float, image: Image) -> None:
        before, count = self._runs[index]
        count = count + 1 if seen == before else 1
        self._runs[index] = seen, count
        if seen is not Mark.EMPTY:
            self._present[index] += 1
            if self._present[index] == PRESENT_FRAMES:
                self._doubtful[index] = self._shown(index, Mark.UNREADABLE, 1.0, image)
        if count != (GONE_FRAMES if seen is Mark.EMPTY else STEADY_FRAMES) or seen is Mark.COVERED:
            return
        if seen is Mark.EMPTY:
            doubtful = self._doubtful[index]
            if self._counted[index] is None and doubtful is not None:
                self.shown.append(doubtful)
            self._counted[index] = self._doubtful[index] = None
            self._present[index] = 0
        elif self._counted[index] != seen:
            # The same card laid again at once is no second card; what was unread a moment ago is read now.
            if self._counted[index] is Mark.UNREADABLE:
                self.shown.remove(next(one for one in reversed(self.shown) if one.place == self.places[index]))
            self._counted[index] = seen
            self.shown.append(self._shown(index, seen, confidence, image))

    def _shown(self, index: int, seen: Seen, confidence: float, image: Image) -> Shown:
        registration = self._observer.registration
        assert registration is not None
        patch = WindowCutter(self.layout, registration).cut(image, [index])[0]
        return Shown(self.places[index], seen, confidence, _ink(patch), patch)


def _ink(patch: Image) -> float:
    darkest = patch.min(axis=2)
    return max(float(np.percentile(darkest[top:bottom, left:right], INK_PERCENTILE)) for top, bottom, left, right in SIGNS_PX)


def cards_of(shown: Sequence[Shown]) -> dict[Card, int]:
    """How often each card was shown."""
    counted: dict[Card, int] = {}
    for one in shown:
        if isinstance(one.seen, Card):
            counted[one.seen] = counted.get(one.seen, 0) + 1
    return counted
