"""From the frames of one camera to observations: the last place that knows pixels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.cards import Mark
from companion.observation import EvidenceRef, Observation, Sighting
from companion.table import Place
from vision.belief import Posterior, Scene, TableBelief, Thresholds, claim
from vision.calibrate import Registration
from vision.classifier import LABELS, Classifier
from vision.errors import LayoutError
from vision.frame import Frame
from vision.health import Health
from vision.layout import Layout
from vision.registrar import Registrar
from vision.windows import ChangeWatch, Thumbs, WindowCutter, difference

CHANGED = 7.0
"""A window that differs so much (grey levels, see `difference`) from a look shows something else or moves."""
GAP_S = 0.4
"""After a longer pause two frames do not tell whether something moved in between or still moves."""
SURE_LOOKS = 2
"""A new scene is claimed after so many looks, so that one misread frame claims nothing.  Where frames are more than
`GAP_S` apart one has to do: the next would come too late."""
RESTLESS_FRAMES = 5
"""After so many frames of steady motion a window is read now and then: shadows play on an empty one for ever."""
RESTLESS_EVERY = 3
EMPTY_INDEX = LABELS.index(Mark.EMPTY)


class _Window:
    """What is remembered of one window."""

    def __init__(self) -> None:
        self.scene: Scene | None = None
        """The still scene that `reference` shows; None before the first one."""
        self.posterior: Posterior | None = None
        """What that scene shows by itself, once enough looks were taken."""
        self.older: Posterior | None = None
        """What was claimed before the light crept; holds until the new scene is read."""
        self.evidence: EvidenceRef | None = None
        self.needed = SURE_LOOKS
        """Looks before the scene is claimed."""
        self.moving = 0
        """Frames of motion in a row."""
        self.emptiness = 0
        """Looks in a row that found it empty in spite of motion."""

    @property
    def shown(self) -> Posterior | None:
        return self.posterior if self.posterior is not None else self.older

    def begin(self, near: bool) -> None:
        """A new scene lies here.  If nothing was seen to move (frames are `near`), what was claimed holds until it is read."""
        self.older = self.shown if near and not self.moving else None
        self.needed = SURE_LOOKS if near else 1
        self.scene, self.posterior, self.moving, self.emptiness = Scene(), None, 0, 0


class Observer:
    """Watches one board through one camera.

    `places` names what lies over the layout's windows, in their order.  `table` is shared by all observers of a table.
    """

    def __init__(
        self,
        layout: Layout,
        places: Sequence[Place],
        classifier: Classifier,
        table: TableBelief | None = None,
        *,
        thresholds: Thresholds | None = None,
        recheck_s: float = 5.0,
        frozen_s: float = 3.0,
    ) -> None:
        if len(places) != len(layout.windows):
            raise LayoutError(f"{layout.name} has {len(layout.windows)} windows, but {len(places)} places were named for them")
        self.layout = layout
        self.places = tuple(places)
        self.trouble: str | None = None
        """What keeps this camera from seeing anything, in words; None while it sees."""
        self._classifier = classifier
        self._table = table if table is not None else TableBelief()
        self._thresholds = thresholds if thresholds is not None else Thresholds()
        self._registrar = Registrar(layout, recheck_s)
        self._health = Health(frozen_s)
        self._registration: Registration | None = None
        self._cutter: WindowCutter | None = None
        self._watch: ChangeWatch | None = None
        self._windows = tuple(_Window() for _ in self.places)
        self._references: Thumbs | None = None
        self._before: Thumbs | None = None
        self._time = float("-inf")

    @property
    def registration(self) -> Registration | None:
        """Where the board lies in the picture; None while it cannot be located."""
        return self._registrar.registration

    @property
    def moved_mm(self) -> float | None:
        """How far the board was found aside at the last check of its markers; None for less than a millimetre."""
        return self._registrar.moved_mm

    def observe(self, frame: Frame) -> Observation:
        """What this frame adds to what is known.  Nothing is `covered` while there is `trouble`."""
        self.trouble = self._health.trouble(frame)
        registration = None if self.trouble else self._registrar.update(frame.image, frame.time)
        if registration is None:
            self.trouble = self.trouble or self._registrar.trouble
            self._blind()
            return Observation(frame.time, (), ())
        if registration is not self._registration:
            self._refit(registration)
        unread = self._sort_windows(frame)
        self._read(frame, unread)
        pairs = zip(self.places, self._windows, strict=True)
        return Observation(frame.time, self.places, tuple(self._sight(place, window, frame.time) for place, window in pairs))

    def _blind(self) -> None:
        self._before = None
        for place in self.places:
            self._table.withdraw(place)

    def _refit(self, registration: Registration) -> None:
        """The board lies elsewhere in the picture now: what was claimed stands, but everything is read again."""
        self._registration = registration
        self._cutter = WindowCutter(self.layout, registration)
        self._watch = ChangeWatch(self.layout, registration)
        self._references = self._before = None

    def _sort_windows(self, frame: Frame) -> list[int]:
        """Tell still, moving and new windows apart; the indices of those that need a look."""
        assert self._watch is not None
        thumbs = self._watch.look(frame.image)
        near = frame.time - self._time <= GAP_S or self._time == float("-inf")
        fresh = self._references is None
        if self._references is None:
            self._references = thumbs.copy()
        changed = np.full(len(thumbs), fresh) if fresh else self._changed(thumbs, self._references)
        # Whether something moves matters only where something changed: a quiet frame costs one comparison.
        still = fresh or not near or self._before is None or not changed.any()
        moving = np.full(len(thumbs), False) if still else self._changed(thumbs, self._before)
        self._before, self._time = thumbs, frame.time
        unread = []
        for index, window in enumerate(self._windows):
            if changed[index] and moving[index]:
                if self._restless(window):
                    unread.append(index)
                continue
            if changed[index] or window.scene is None:
                window.begin(near)
                self._references[index] = thumbs[index]
            window.moving = window.emptiness = 0
            if window.scene is None or not window.scene.complete:
                unread.append(index)
        return unread

    @staticmethod
    def _changed(thumbs: Thumbs, then: Thumbs | None) -> NDArray[np.bool_]:
        assert then is not None
        return np.asarray(difference(thumbs, then) > CHANGED)

    @staticmethod
    def _restless(window: _Window) -> bool:
        window.moving += 1
        return window.moving > RESTLESS_FRAMES and window.moving % RESTLESS_EVERY == 0

    def _read(self, frame: Frame, unread: list[int]) -> None:
        if not unread:
            return
        assert self._cutter is not None
        readings = self._classifier.classify(self._cutter.cut(frame.image, unread))
        for index, reading in zip(unread, readings, strict=True):
            window = self._windows[index]
            if window.moving:
                window.emptiness = window.emptiness + 1 if reading[EMPTY_INDEX] >= self._thresholds.mark else 0
                continue
            assert window.scene is not None
            window.scene.add(reading)
            if window.scene.looks >= window.needed:
                window.posterior, window.older = window.scene.posterior(), None
                window.evidence = EvidenceRef(frame.camera, frame.number, index + 1)

    def _sight(self, place: Place, window: _Window, time: float) -> Sighting:
        shown = window.shown
        if window.moving or shown is None:
            self._table.withdraw(place)
            if window.emptiness >= SURE_LOOKS:
                return Sighting(place, Mark.EMPTY, self._thresholds.mark)
            return Sighting(place, Mark.COVERED, 1.0)
        seen, confidence = claim(self._table.weigh(place, shown, time), self._thresholds)
        return Sighting(place, seen, confidence, window.evidence)
