"""Teaching a deck over one window: asks for a card, waits until one lies still, and says what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from companion.cards import DECK, Card, Mark
from vision.classifier import LABELS, Patches
from vision.errors import LayoutError, ProfileError
from vision.features import FeatureModel, Features
from vision.frame import Frame, Image
from vision.health import Health
from vision.layout import Layout
from vision.registrar import Registrar
from vision.windows import ChangeWatch, Thumbs, WindowCutter, difference

LOOKS = 4
"""So many still frames of a card are averaged."""
CHANGED = 10.0
"""Grey levels of `difference` beyond which a window shows something else."""
SURE_CARD, SURE_MARK = 0.9, 0.6
"""Probabilities from which the model is believed."""
WEAK = 0.9
"""A card that the model alone reads with less than this is one that the profile is for."""
SAME = 0.985
"""Likeness (cosine of the features) from which two windows are taken to show one card."""


class Told(Enum):
    """What the lesson has to say after a frame."""

    LAY = "lay"
    """The asked card is waited for."""
    HOLD = "hold"
    """Something moves, or the card is being looked at."""
    TAKEN = "taken"
    """The card was taken in; it may be lifted, and the next one laid."""
    OTHER = "other"
    """The card is read as another one: the wrong card, or one that the reader does not know well."""
    AGAIN = "again"
    """A card that was shown before lies there."""
    JOKER = "joker"
    BACK = "back"
    DOUBT = "doubt"
    """Something lies there without moving that is not recognised as a card."""
    BLIND = "blind"
    """The camera or the board cannot be seen; `trouble` says why."""
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be laid next."""

    card: Card
    turned: bool
    """The same card once more, head to foot: many decks differ there."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Where a lesson stands."""

    told: Told
    asked: Asked | None
    """None when the lesson is over."""
    found: Card | None = None
    """Of OTHER and AGAIN: the card that seems to lie there."""
    trouble: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Taken:
    asked: Asked
    window: Image
    features: NDArray[np.float32]
    sure: float
    """What the model alone gives to the card."""


UNUSUAL = {Mark.BACK: Told.BACK, Mark.FOREIGN: Told.JOKER, Mark.COVERED: Told.DOUBT}
"""What is said of a still window that does not seem to hold one of the 52 cards; a person may know better."""
PATIENCE = 3
"""Looks at a hidden window before it is thought that nobody's hand hides it."""


class Lesson:
    """Takes frames of one board and collects the windows of a deck.  Frames have to come in their order."""

    def __init__(self, layout: Layout, window: int, model: FeatureModel, *, both_ways: bool = True) -> None:
        """`window` is counted from 0.  `both_ways`: every card is asked for a second time, turned round."""
        if not 0 <= window < len(layout.windows):
            raise LayoutError(f"{layout.name} has {len(layout.windows)} windows; there is no window {window + 1}")
        self._layout, self._window, self._model = layout, window, model
        ways = (False, True) if both_ways else (False,)
        self._course = tuple(Asked(card, turned) for card in DECK for turned in ways)
        self._taken: list[_Taken] = []
        self._registrar = Registrar(layout)
        self._health = Health()
        self._looks: list[Image] = []
        self._before: Thumbs | None = None
        self._judged: Thumbs | None = None
        """What was judged last; nothing is judged twice."""
        self._answer = Answer(Told.LAY, self._course[0])
        self._hidden = 0
        """Judgements in a row that found the window hidden, though nothing moves there."""
        self._shown: tuple[Image, Features, float] | None = None
        """The window that lies there unaccepted, for `confirm`."""

    @property
    def answer(self) -> Answer:
        return self._answer

    @property
    def progress(self) -> tuple[int, int]:
        """Windows taken, and windows to take."""
        return len(self._taken), len(self._course)

    @property
    def weak(self) -> tuple[Card, ...]:
        """Cards that the model alone does not read well."""
        found = dict.fromkeys(one.asked.card for one in self._taken if one.sure < WEAK)
        return tuple(found)

    def look(self, frame: Frame) -> Answer:
        """Take in one frame."""
        if self._answer.told is Told.DONE:
            return self._answer
        trouble = self._health.trouble(frame)
        registration = None if trouble else self._registrar.update(frame.image, frame.time)
        if registration is None:
            self._before, self._looks = None, []
            return self._say(Told.BLIND, trouble=trouble or self._registrar.trouble)
        thumbs = ChangeWatch(self._layout, registration).look(frame.image)[self._window : self._window + 1]
        if self._judged is not None and difference(thumbs, self._judged)[0] <= CHANGED:
            self._before = thumbs
            return self._answer
        # Once it has changed, even the same card again is something new.
        self._judged = None
        if self._before is None or difference(thumbs, self._before)[0] > CHANGED:
            self._before, self._looks, self._hidden = thumbs, [], 0
        patch = WindowCutter(self._layout, registration).cut(frame.image, [self._window])[0]
        self._looks.append(patch)
        if len(self._looks) < LOOKS:
            return self._say(Told.HOLD)
        window = np.clip(np.rint(np.mean(self._looks, axis=0)), 0, 255).astype(np.uint8)
        self._judged, self._looks = thumbs, []
        return self._judge(window)

    def confirm(self) -> Answer:
        """A person says that the card lying there is the asked one, whatever it is read as."""
        if self._shown is not None:
            return self._take(*self._shown)
        return self._answer

    def undo(self) -> Answer:
        """The card taken last is asked for again."""
        if self._taken:
            self._taken.pop()
            self._judged = None
        return self._say(Told.LAY)

    def windows(self) -> tuple[tuple[Card, ...], Patches]:
        """The cards and their windows; raise `ProfileError` before the lesson is over."""
        if len(self._taken) < len(self._course):
            raise ProfileError(f"the lesson is not over: {len(self._taken)} of {len(self._course)} windows were taken")
        return tuple(one.asked.card for one in self._taken), np.stack([one.window for one in self._taken])

    def _judge(self, window: Image) -> Answer:
        readings, features = self._model.see(window[None])
        reading = readings[0]
        best = int(reading.argmax())
        seen, sure = LABELS[best], float(reading[best])
        asked = self._course[len(self._taken)]
        self._shown = None
        if seen is Mark.EMPTY and sure >= SURE_MARK:
            return self._say(Told.LAY)
        if seen is Mark.COVERED and sure >= SURE_MARK and self._hidden < PATIENCE:
            self._judged = None
            self._hidden += 1
            return self._say(Told.HOLD)
        self._shown = window, features, float(reading[DECK.index(asked.card)])
        if seen in UNUSUAL and sure >= SURE_MARK:
            return self._say(UNUSUAL[seen])
        if isinstance(seen, Card) and sure >= SURE_CARD and seen != asked.card:
            again = any(one.asked.card == seen for one in self._taken)
            return self._say(Told.AGAIN if again else Told.OTHER, seen)
        twin = self._twin(features[0], asked)
        if twin is not None and self._shown[2] < SURE_CARD:
            return self._say(Told.AGAIN, twin)
        return self._take(*self._shown)

    def _twin(self, features: NDArray[np.float32], asked: Asked) -> Card | None:
        """A card taken before of which this window is a copy."""
        others = [one for one in self._taken if one.asked.card != asked.card]
        if not others:
            return None
        known = np.stack([one.features for one in others])
        cosine = known @ features / (np.linalg.norm(known, axis=1) * np.linalg.norm(features) + 1e-6)
        best = int(cosine.argmax())
        return others[best].asked.card if cosine[best] >= SAME else None

    def _take(self, window: Image, features: Features, sure: float) -> Answer:
        self._taken.append(_Taken(self._course[len(self._taken)], window, features[0], sure))
        self._shown = None
        return self._say(Told.DONE if len(self._taken) == len(self._course) else Told.TAKEN)

    def _say(self, told: Told, found: Card | None = None, trouble: str | None = None) -> Answer:
        asked = self._course[len(self._taken)] if len(self._taken) < len(self._course) else None
        self._answer = Answer(told, asked, found, trouble)
        return self._answer
