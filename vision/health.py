"""Is a camera still telling the truth?  Dark, blinded and frozen pictures, found from a few samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.observation import TroubleKind
from vision.frame import Frame, Light

STEP_PX = 16
DARK, BLINDING = 10.0, 250.0
"""Mean grey levels beyond which nothing can be read."""
FROZEN_S = 1.5
"""Identical pictures for longer than this are a fault: it has to be said within two seconds."""
FEWEST_SAME = 2
"""So many pictures have to be like the first one, however seldom they come."""
FROZEN_LOOKS = 60
"""So many identical pictures in a row are a fault even if their times stand still."""


class Health:
    """Watches the frames of one camera."""

    def __init__(self, frozen_s: float = FROZEN_S) -> None:
        self.kind: TroubleKind | None = None
        """What was wrong with the last frame; None when nothing was."""
        self._frozen_s = frozen_s
        self._last: NDArray[np.uint8] | None = None
        self._same_since = 0.0
        self._same_looks = 0

    def trouble(self, frame: Frame) -> str | None:
        """What is wrong with the camera, in words; None when nothing is."""
        self.kind, words = self._find(frame)
        return words

    @property
    def same_since(self) -> float:
        """The time of the first of the pictures that have been like the last one."""
        return self._same_since

    def _find(self, frame: Frame) -> tuple[TroubleKind | None, str | None]:
        sample = np.ascontiguousarray(frame.image[STEP_PX // 2 :: STEP_PX, STEP_PX // 2 :: STEP_PX])
        # Without its lamp a mat may lie in the dark, and in full sun.
        mean = float(sample.mean()) if frame.light is not Light.ROOM else (DARK + BLINDING) / 2
        if mean < DARK:
            words = f"{frame.camera}: the picture is dark (mean {mean:.0f} of 255); is the lamp lit, the lens free?"
            return TroubleKind.DARK, words
        if mean > BLINDING:
            words = f"{frame.camera}: the picture is all white (mean {mean:.0f} of 255); less light or a shorter exposure"
            return TroubleKind.BRIGHT, words
        if frame.vouched:
            self._last = None
            return None, None
        # Two true pictures are never equal: a sensor has noise.
        if self._last is None or self._last.shape != sample.shape or not np.array_equal(self._last, sample):
            self._last, self._same_since, self._same_looks = sample, frame.time, 0
            return None, None
        self._same_looks += 1
        standing_s = frame.time - self._same_since
        standing = standing_s > self._frozen_s and self._same_looks >= FEWEST_SAME
        if standing or self._same_looks >= FROZEN_LOOKS:
            words = f"{frame.camera}: the picture stands still for {standing_s:.0f} s; the camera repeats itself"
            return TroubleKind.FROZEN, words
        return None, None
