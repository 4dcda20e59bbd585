"""What windows are believed to show: over frames of one still scene, and softly over all places in view."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.cards import DECK, Card, Mark, Seen
from companion.table import Place
from vision.classifier import LABELS

Posterior = NDArray[np.float64]
"""57 probabilities over `LABELS` that sum to one."""

LOOKS = 5
"""So many frames of one still scene are read; more would only repeat the same mistakes."""
REPEAT_WEIGHT = 0.075
"""What each further look adds to the first one's weight.  Looks at a still scene err together: they steady the
reading against noise, and may not add up as if they were independent."""
SMALLEST = 1e-6
"""No single look rules anything out."""
CARDS = len(DECK)
FOREIGN_LIKELY, NO_CARD = 0.5, 0.02
"""A strange face that is none of the 52 cards is foreign even where it might also be hidden or unreadable: the prints of
jokers are countless, and the model has met few of them."""
HIDDEN = [LABELS.index(Mark.COVERED), LABELS.index(Mark.UNREADABLE)]
"""Labels that tell nothing of what lies there."""


class Scene:
    """The looks at one window since it last moved."""

    def __init__(self) -> None:
        self.looks = 0
        self._told = 0
        """Looks that told something."""
        self._sum = np.zeros(len(LABELS))
        self._continued = False

    def go_on(self) -> None:
        """The light changed, not what lies there: what is known counts as two looks, and more may follow."""
        if self.looks:
            self._sum = 2 * np.log(np.maximum(self.posterior(), SMALLEST))
            self.looks = self._told = 2
            self._continued = True

    @property
    def complete(self) -> bool:
        """Enough looks were taken."""
        return self.looks >= LOOKS

    def add(self, reading: NDArray[np.float32]) -> None:
        """Take in one look: 57 probabilities."""
        self.looks += 1
        # A light too bad to read in does not unsay what was read in a better one.
        if self._continued and reading[HIDDEN].sum() > 0.5:
            return
        self._sum += np.log(np.maximum(reading.astype(np.float64), SMALLEST))
        self._told += 1

    def posterior(self) -> Posterior:
        """The looks together; flat before the first."""
        if not self._told:
            return np.full(len(LABELS), 1 / len(LABELS))
        weight = 1 + REPEAT_WEIGHT * (self._told - 1)
        log = self._sum * (weight / self._told)
        odds = np.exp(log - log.max())
        return np.asarray(odds / odds.sum())


class TableBelief:
    """Shared by the observers of all boards: what each place shows *now*, weighed softly against all others.

    A card that is surely in one place is unlikely in another at the same time: its probability elsewhere is multiplied by
    what is left of it, but never by less than `floor`, so that two strong readings of one card both stand - a double card
    is a fact to be seen, not to be hidden.  Nothing is known here of rules, or of cards that should be gone.
    Safe to use from several threads.
    """

    def __init__(self, floor: float = 0.05, fresh_s: float = 5.0) -> None:
        self._floor = floor
        self._fresh_s = fresh_s
        self._lock = threading.Lock()
        self._shown: dict[Place, _Shown] = {}
        self._solved: dict[Place, Posterior] = {}

    def weigh(self, shown: Mapping[Place, Posterior | None], time: float) -> dict[Place, Posterior]:
        """Say what places show at `time` by themselves; what they show weighed against all that was seen within `fresh_s`.

        None: nothing is claimed of a place any more - it is hidden, moving, or not looked at.
        """
        with self._lock:
            dirty = False
            for place, posterior in shown.items():
                before = self._shown.get(place)
                if posterior is None:
                    dirty |= self._shown.pop(place, None) is not None
                else:
                    self._shown[place] = _Shown(posterior, time)
                    dirty |= before is None or before.posterior is not posterior
            for other in [other for other, seen in self._shown.items() if abs(time - seen.time) > self._fresh_s]:
                del self._shown[other]
                dirty = True
            if dirty:
                self._solved = self._solve()
            return {place: self._solved[place] for place, posterior in shown.items() if posterior is not None}

    def _solve(self) -> dict[Place, Posterior]:
        places = sorted(self._shown)
        if not places:
            return {}
        alone = np.stack([self._shown[place].posterior for place in places])
        together = alone.copy()
        for _ in range(6):
            factor = np.maximum(self._floor, 1 - _most_elsewhere(together[:, :CARDS]))
            weighed = alone.copy()
            weighed[:, :CARDS] *= factor
            weighed /= weighed.sum(axis=1, keepdims=True)
            # Half a step at a time, or two equal rivals would swap roles for ever.
            together = (together + weighed) / 2
        return {place: row / row.sum() for place, row in zip(places, together, strict=True)}


@dataclass(frozen=True, slots=True, eq=False)
class _Shown:
    posterior: Posterior
    time: float


def _most_elsewhere(cards: NDArray[np.float64]) -> NDArray[np.float64]:
    """For every place and card the largest probability of that card in any other place; places x 52."""
    if len(cards) == 1:
        return np.zeros_like(cards)
    ordered = np.partition(cards, len(cards) - 2, axis=0)
    first, second = ordered[-1], ordered[-2]
    return np.asarray(np.where(cards >= first, second, first))


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From which probability on something is claimed.

    The one for cards holds for three or more looks together and stands above the surest mistake that those made on rendered
    mats of the hardest kind with the designs of validation and random styles: 0.87 for a card that lies (one that was held
    four centimetres above its window was misread at 0.98).  It is not a classifier's `min_confidence`, which holds for a single
    look at any window.
    """

    card: float = 0.95
    mark: float = 0.8
    """For EMPTY, BACK and FOREIGN."""


def claim(posterior: Posterior, thresholds: Thresholds) -> tuple[Seen, float]:
    """What may be claimed, and its probability.  A doubtful card is UNREADABLE; a doubtful emptiness is COVERED."""
    best = int(posterior.argmax())
    label, sure = LABELS[best], float(posterior[best])
    if isinstance(label, Card):
        if sure >= thresholds.card:
            return label, sure
    elif label in (Mark.COVERED, Mark.UNREADABLE) or sure >= thresholds.mark or _is_strange(posterior, label, sure):
        return label, sure
    face = float(posterior[:CARDS].sum()) + _of(posterior, Mark.UNREADABLE) + _of(posterior, Mark.FOREIGN)
    present = face + _of(posterior, Mark.BACK)
    if present >= 0.5:
        return Mark.UNREADABLE, present
    return Mark.COVERED, 1 - present


def _is_strange(posterior: Posterior, label: Seen, sure: float) -> bool:
    return label is Mark.FOREIGN and sure >= FOREIGN_LIKELY and float(posterior[:CARDS].sum()) <= NO_CARD


def _of(posterior: Posterior, mark: Mark) -> float:
    return float(posterior[LABELS.index(mark)])


def likeliest(posterior: Posterior, count: int = 3, least: float = 0.001) -> tuple[tuple[Card, float], ...]:
    """The `count` faces that are most likely, with their probabilities, best first; none below `least`."""
    best = np.argsort(posterior[:CARDS])[::-1][:count]
    return tuple((DECK[index], float(posterior[index])) for index in best if posterior[index] >= least)
