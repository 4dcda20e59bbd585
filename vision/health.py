"""Is a camera still telling the truth?  Dark, blinded and frozen pictures, found from a few samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame

STEP_PX = 16
DARK, BLINDING = 10.0, 250.0
"""Mean grey levels beyond which nothing can be read."""
FROZEN_LOOKS = 60
"""So many identical pictures in a row are a fault even if their times stand still."""


class Health:
    """Watches the frames of one camera."""

    def __init__(self, frozen_s: float = 3.0) -> None:
        self._frozen_s = frozen_s
        self._last: NDArray[np.uint8] | None = None
        self._same_since = 0.0
        self._same_looks = 0

    def trouble(self, frame: Frame) -> str | None:
        """What is wrong with the camera, in words; None when nothing is."""
        sample = np.ascontiguousarray(frame.image[STEP_PX // 2 :: STEP_PX, STEP_PX // 2 :: STEP_PX])
        mean = float(sample.mean())
        if mean < DARK:
            return f"{frame.camera}: the picture is dark (mean {mean:.0f} of 255); is the lamp lit, the lens free?"
        if mean > BLINDING:
            return f"{frame.camera}: the picture is all white (mean {mean:.0f} of 255); less light or a shorter exposure"
        # Two true pictures are never equal: a sensor has noise.
        if self._last is None or self._last.shape != sample.shape or not np.array_equal(self._last, sample):
            self._last, self._same_since, self._same_looks = sample, frame.time, 0
            return None
        self._same_looks += 1
        standing_s = frame.time - self._same_since
        if standing_s > self._frozen_s or self._same_looks >= FROZEN_LOOKS:
            return f"{frame.camera}: the picture stands still for {standing_s:.0f} s; the camera repeats itself"
        return None
