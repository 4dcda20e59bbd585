"""Reading with a taught deck: what the model says, weighed with how like the taught windows a window is."""

from __future__ import annotations

import threading
from collections import deque

import numpy as np
from numpy.typing import NDArray

from companion.cards import DECK, Mark
from vision.classifier import LABELS, Patches, Reading
from vision.deckprofile import DeckProfile
from vision.features import FeatureModel
from vision.likeness import Likeness

CARDS = len(DECK)
UNREADABLE = LABELS.index(Mark.UNREADABLE)
FACE = [*range(CARDS), UNREADABLE]
"""Labels that say: a face shows."""
TEMPER = 8.0
"""Log likelihoods are divided by it: the values of a window are far from independent of each other."""
MODEL_WEIGHT = 0.7
LEAST_ODDS = 1e-3
"""The model rules no card out by more than this."""
FARTHEST = 1.0
"""Windows that lie farther from every taught card (see `Likeness.weigh`) show something else, or too little.  From 1.15 on
half an index is now and then taken for another card of the deck."""
FARTHEST_BACKED, BACKED, BACKED_LEAD = 1.6, 0.5, 20.0
"""Up to this distance a taught card is believed where the model itself gives it so much, and it leads by so much."""
LEAD = 8.0
"""By so much in log likelihood the likest card has to lead before anything is changed."""
STEEP = 6.0
"""How quickly nearness to a taught card speaks for a face being in sight."""

SURE = 0.97
"""From this probability on the model alone is believed when the deck itself is judged."""
WITNESSES, FEWEST_WITNESSES = 60, 20
"""Surely read windows by which it is judged whether this is the taught deck."""
AGREEING = 0.75
"""Share of them that has to be likest to the taught card of that name."""
OWN_DISTANCE = 1.2
"""Their median distance (see `Likeness.weigh`) is less than this with the taught deck even in bad light, and more with a deck
that is printed clearly otherwise.  Putting the right profile aside would be worse than reading a like deck with it."""


def weighed(reading: Reading, features: NDArray[np.float32], likeness: Likeness) -> Reading:
    """Readings (n x 57) after the taught deck was asked.

    Only where the model sees a face, read or not, is anything changed: an empty window, a back, a hand, a joker stay what
    they are.  A window that is like no taught card, or like two of them, stays as well.
    """
    likelihood, distance = likeness.weigh(features)
    told = reading.astype(np.float64)
    face = told[:, FACE].sum(axis=1)
    among = told[:, :CARDS] + 1e-12
    among /= among.sum(axis=1, keepdims=True)
    log = MODEL_WEIGHT * np.log(np.maximum(among, LEAST_ODDS)) + likelihood / TEMPER
    card = np.exp(log - log.max(axis=1, keepdims=True))
    card /= card.sum(axis=1, keepdims=True)
    ordered = np.sort(likelihood, axis=1)
    leads = (ordered[:, -1] - ordered[:, -2] >= LEAD) & (likelihood.argmax(axis=1) == card.argmax(axis=1))
    near = distance < FARTHEST
    given = np.take_along_axis(told, card.argmax(axis=1)[:, None], axis=1)[:, 0]
    backed = (distance < FARTHEST_BACKED) & (given >= BACKED) & (ordered[:, -1] - ordered[:, -2] >= BACKED_LEAD)
    asked = (face > 0.5) & leads & (near | backed)
    gain = np.exp(np.clip((np.where(near, FARTHEST, FARTHEST_BACKED) - distance) * STEEP, 0.0, 8.0))
    seen = np.maximum(face, 1e-3) * gain
    seen /= seen + 1.0 - face
    changed = told * ((1.0 - seen) / np.maximum(1.0 - face, 1e-9))[:, None]
    changed[:, :CARDS] = card * seen[:, None]
    changed[:, UNREADABLE] = 0.0
    changed /= changed.sum(axis=1, keepdims=True)
    return np.where(asked[:, None], changed, told).astype(np.float32)


class TaughtClassifier:
    """The model and a taught deck as one `Classifier`; safe to use from several threads.

    It watches whether the deck on the table is the taught one: where too few surely read cards look as they were taught,
    the profile is put aside and `trouble` says so.
    """

    def __init__(self, model: FeatureModel, profile: DeckProfile) -> None:
        self._model = model
        self._profile = profile
        self._lock = threading.Lock()
        self._witnesses: deque[tuple[bool, float]] = deque(maxlen=WITNESSES)
        self._strange = False

    @property
    def trouble(self) -> str | None:
        """Says that the profile is not used, because another deck lies on the table; None while it is used."""
        if not self._strange:
            return None
        return f"the cards on the table do not look like the taught deck {self._profile.name!r}; it is not used"

    def classify(self, patches: Patches) -> Reading:
        """Read count x 96 x 48 x 3 bytes as count x 57 probabilities over `LABELS`."""
        reading, features = self._model.see(patches)
        if not len(reading):
            return reading
        likeness = self._profile.likeness
        sure = (reading.argmax(axis=1) < CARDS) & (reading.max(axis=1) >= SURE)
        if sure.any():
            likelihood, distance = likeness.weigh(features[sure])
            self._hear(likelihood.argmax(axis=1) == reading[sure].argmax(axis=1), distance)
        return reading if self._strange else weighed(reading, features, likeness)

    def _hear(self, agreeing: NDArray[np.bool_], distance: NDArray[np.float64]) -> None:
        with self._lock:
            self._witnesses.extend(zip(agreeing.tolist(), distance.tolist(), strict=True))
            if len(self._witnesses) >= FEWEST_WITNESSES:
                like = float(np.mean([one for one, _ in self._witnesses]))
                far = float(np.median([away for _, away in self._witnesses]))
                self._strange = like < AGREEING or far > OWN_DISTANCE
