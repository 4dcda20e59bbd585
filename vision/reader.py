"""From frames of a located board to what each window is believed to show by itself."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.cards import Mark
from companion.crops import Crop
from companion.observation import EvidenceRef
from vision.belief import LOOKS, Posterior, Scene
from vision.calibrate import Registration
from vision.classifier import LABELS, Classifier, Patches
from vision.frame import Frame
from vision.lamplight import RoomLook, RoomWatch, lamp_alone, present
from vision.layout import Layout
from vision.windows import ChangeWatch, Thumbs, WindowCutter, difference

CHANGED = 10.0
"""A window that differs so much (grey levels, see `difference`) from a look shows something else or moves."""
GAP_S = 0.4
"""After a longer pause two frames do not tell whether something moved in between or still moves."""
SURE_LOOKS = 3
"""A new scene is believed after so many looks, one a frame, so that one misread frame claims nothing.  Where frames are
more than `GAP_S` apart the first one is looked at so often: the next would come too late."""
EARLY_LOOKS, EARLY_SURE = 2, 0.95
"""After so many looks a scene is believed already if one label has at least this probability."""
SURE_EMPTY_LOOKS = 2
"""Looks in a row that have to find a restless window empty."""
RESTLESS_FRAMES = 5
"""After so many frames of steady motion a window is read now and then: shadows play on an empty one for ever."""
RESTLESS_EVERY = 3
KEPT_SCENES = 8
"""So many still scenes of one window are remembered with their looks, the newest last."""
EMPTY = LABELS.index(Mark.EMPTY)
EMPTY_SURE = 0.8
"""From this probability on a restless window counts as empty."""


@dataclass(frozen=True, slots=True, eq=False)
class WindowView:
    """What one window shows by itself."""

    posterior: Posterior | None
    """None while something moves there, and until a new scene was read."""
    evidence: EvidenceRef | None
    """The last frame that was read for it."""
    restless_empty: bool = False
    """Something keeps moving there, and yet it was found empty again and again."""


@dataclass(slots=True, eq=False)
class _Look:
    """One look at a still window."""

    frame: int
    patch: Patches
    """height x width x 3."""
    label: int
    """What it names by itself."""


class _Window:
    """What is remembered of one window."""

    def __init__(self) -> None:
        self.scenes: deque[list[_Look]] = deque(maxlen=KEPT_SCENES)
        """The looks at the last still scenes, each list in the order of time."""
        self.scene: Scene | None = None
        """The still scene that the reference picture shows; None before the first one."""
        self.posterior: Posterior | None = None
        """What is believed of that scene, once it was read often enough."""
        self.evidence: EvidenceRef | None = None
        self.hurry = False
        """The next frame may be long in coming."""
        self.moving = 0
        """Frames of motion in a row."""
        self.emptiness = 0
        """Looks in a row that found it empty in spite of motion."""

    def due(self) -> range:
        """Numbers of the looks that this frame is good for."""
        if self.scene is None or self.moving:
            return range(1)
        first = self.scene.looks
        return range(first, SURE_LOOKS if self.hurry and first < SURE_LOOKS else first + 1)

    def begin(self, crept: bool, dense: bool) -> None:
        """The picture changed and stands still.  If it only `crept` there the same thing lies there in another light."""
        if crept and self.scene is not None:
            self.scene.go_on()
            return
        self.scene, self.posterior = Scene(), None
        self.scenes.append([])
        self.hurry = not dense

    def rest(self) -> None:
        self.moving = self.emptiness = 0

    def restless(self) -> bool:
        """One more frame of motion; whether it is time for a look all the same."""
        self.moving += 1
        return self.moving > RESTLESS_FRAMES and self.moving % RESTLESS_EVERY == 0

    def take(self, reading: NDArray[np.float32], patch: Patches, evidence: EvidenceRef) -> None:
        """One more look at it: 57 probabilities, and the patch that was read."""
        if self.moving:
            self.emptiness = self.emptiness + 1 if reading[EMPTY] >= EMPTY_SURE else 0
            return
        assert self.scene is not None
        self.scene.add(reading)
        self._remember(_Look(evidence.frame, patch.copy(), int(reading.argmax())))
        believed = self.scene.posterior()
        if self.scene.looks >= SURE_LOOKS or (self.scene.looks >= EARLY_LOOKS and believed.max() >= EARLY_SURE):
            self.posterior, self.evidence = believed, evidence

    def _remember(self, look: _Look) -> None:
        looks = self.scenes[-1]
        if len(looks) >= LOOKS:
            # The scene went on in another light: the first looks were made in the one that it was read in.
            del looks[EARLY_LOOKS]
        looks.append(look)

    def looks(self, frame: int) -> list[_Look]:
        """The looks at the scene that was looked at in this frame; none where they are forgotten."""
        return next((looks for looks in reversed(self.scenes) if any(look.frame == frame for look in looks)), [])

    def uncover(self) -> WindowView:
        """In the room's light nothing lies over it any more, and it is still."""
        return WindowView(None, None, restless_empty=True)

    def view(self) -> WindowView:
        if self.moving:
            return WindowView(None, None, self.emptiness >= SURE_EMPTY_LOOKS)
        return WindowView(self.posterior, self.evidence)


class WindowReader:
    """Reads the windows of one board, each only when it changed, and until its scene is known.

    What was believed of a window is kept while something hides it: when the same picture shows again it holds again.
    """

    def __init__(self, layout: Layout, classifier: Classifier) -> None:
        self._layout = layout
        self._classifier = classifier
        self._windows = tuple(_Window() for _ in layout.windows)
        self._registration: Registration | None = None
        self._cutter: WindowCutter | None = None
        self._watch: ChangeWatch | None = None
        self._references: Thumbs | None = None
        """Per window the picture of the scene that is being read or was read."""
        self._before: Thumbs | None = None
        self._time: float | None = None
        self._followed = False
        """The frame before was seen."""
        self._room: RoomWatch | None = None
        """Since the last pulse of a lamp that is switched."""
        self.lit: bool | None = None
        """At that pulse something lay there; None before the first one."""
        self.room: RoomLook | None = None
        """What was seen in the room's light since then; None for nothing yet."""

    def skip(self, time: float) -> None:
        """A frame came in which nothing could be seen."""
        self._before, self._time, self._followed = None, time, False
        self._room = None

    def watch(self, frame: Frame) -> tuple[WindowView, ...] | None:
        """What is still believed after a frame in the room's light; None before the first pulse of the lamp."""
        if self._room is None:
            return None
        look = self.room = self._room.look(frame.image)
        views = []
        for window, same, opened in zip(self._windows, look.same, look.opened, strict=True):
            views.append(window.view() if same else window.uncover() if opened else WindowView(None, None))
        return tuple(views)

    def read(self, frame: Frame, registration: Registration) -> tuple[WindowView, ...]:
        """What every window shows, after this frame."""
        if registration is not self._registration:
            self._refit(registration)
        assert self._watch is not None
        lies = present(self._watch, frame)
        if lies is not None and frame.dark is not None:
            # What the lamp alone shows, once; whatever moved since the last pulse is long over.
            self._room = RoomWatch(self._watch, frame.dark, lies)
            self.lit, self.room = bool(lies.any()), None
            self._before, self._time = None, None
            frame = replace(frame, image=lamp_alone(frame))
        unread = self._sort_windows(frame, hurry=lies is not None)
        if unread:
            assert self._cutter is not None
            pairs = [(index, look) for index in unread for look in self._windows[index].due()]
            which, looks = zip(*pairs, strict=True)
            patches = self._cutter.cut(frame.image, which, looks)
            readings = self._readings(patches, None if lies is None else lies[list(which)])
            for index, reading, patch in zip(which, readings, patches, strict=True):
                self._windows[index].take(reading, patch, EvidenceRef(frame.camera, frame.number, index + 1))
        return tuple(window.view() for window in self._windows)

    def _readings(self, patches: Patches, lies: NDArray[np.bool_] | None) -> NDArray[np.float32]:
        """57 probabilities for each patch.  Where the lamp told that nothing lies, nobody has to look at it."""
        if lies is None:
            return self._classifier.classify(patches)
        readings = np.zeros((len(patches), len(LABELS)), np.float32)
        readings[~lies, EMPTY] = 1.0
        if lies.any():
            seen = self._classifier.classify(patches[lies])
            seen[:, EMPTY] = 0.0
            readings[lies] = seen / np.maximum(seen.sum(axis=1, keepdims=True), 1e-6)
        return readings

    def crop(self, ref: EvidenceRef) -> Crop | None:
        """The looks at the scene to which `ref` of this board's camera belongs; None where they are forgotten."""
        looks = self._windows[ref.number - 1].looks(ref.frame)
        if not looks:
            return None
        height, width = looks[0].patch.shape[:2]
        named = Counter(look.label for look in looks)
        pixels = np.stack([look.patch for look in looks]).tobytes()
        return Crop(width, height, len(looks), named.most_common(1)[0][1], pixels)

    def _refit(self, registration: Registration) -> None:
        """The board lies elsewhere in the picture now: what is believed stands, but everything is read again."""
        self._registration = registration
        self._cutter = WindowCutter(self._layout, registration)
        self._watch = ChangeWatch(self._layout, registration)
        self._references = self._before = None

    def _sort_windows(self, frame: Frame, hurry: bool = False) -> list[int]:
        """Tell still, moving and new windows apart; the indices of those that need a look.

        `hurry`: the next frame of this kind may be long in coming.
        """
        assert self._watch is not None
        thumbs = self._watch.look(frame.image)
        dense = not hurry and (self._time is None or frame.time - self._time <= GAP_S)
        changed = self._changed(thumbs, self._references)
        # Whether something moves matters only where something changed: a quiet frame costs one comparison.
        known = dense and self._before is not None and bool(changed.any())
        moving = self._changed(thumbs, self._before) if known else np.zeros(len(thumbs), bool)
        if self._references is None:
            self._references = thumbs.copy()
        unread = []
        for index, window in enumerate(self._windows):
            if changed[index] and moving[index]:
                if window.restless():
                    unread.append(index)
                continue
            if changed[index]:
                window.begin(crept=dense and self._followed and not window.moving, dense=dense)
                self._references[index] = thumbs[index]
            window.rest()
            if window.scene is not None and not window.scene.complete:
                unread.append(index)
        self._before, self._time, self._followed = thumbs, frame.time, True
        return unread

    @staticmethod
    def _changed(thumbs: Thumbs, then: Thumbs | None) -> NDArray[np.bool_]:
        """Per window whether it differs from another look; all of them where there is none."""
        return np.ones(len(thumbs), bool) if then is None else np.asarray(difference(thumbs, then) > CHANGED)
