"""What a lamp that can be switched tells: with and without it, a window with something over it differs, an empty one does not.

No classifier is needed for that, and the light of the room cancels out.  Between two pulses of the lamp the room's own light
still tells whether anything stirs.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Image
from vision.windows import ChangeWatch, Thumbs

PRESENT = 20.0
"""Grey levels that the lamp adds to a window with a card over it; a dark back adds three times as much."""
STIRRED = 3.0
"""A window's mean or one of its cells' has changed by so many grey levels: something else lies there, or moves."""
OPEN = 8.0
"""A window that was covered and has become so much brighter in the room's light has nothing over it any more."""


def lamp_alone(frame: Frame) -> Image:
    """What the lamp by itself shows: the room's light is taken out.  A frame without a dark one is left as it is."""
    return frame.image if frame.dark is None else np.asarray(cv2.subtract(frame.image, frame.dark), np.uint8)


def present(watch: ChangeWatch, frame: Frame) -> NDArray[np.bool_] | None:
    """Per window whether anything lies over it; None for a frame that does not tell."""
    if frame.dark is None:
        return None
    added = watch.look(frame.image).mean(axis=(1, 2)) - watch.look(frame.dark).mean(axis=(1, 2))
    return np.asarray(added >= PRESENT)


@dataclass(frozen=True, slots=True, eq=False)
class RoomLook:
    """What one frame in the room's light tells of each window."""

    same: NDArray[np.bool_]
    """As at the last pulse."""
    moving: NDArray[np.bool_]
    """Otherwise than a moment ago."""
    opened: NDArray[np.bool_]
    """Something lay over it at the last pulse, and the room's light comes in now."""
    bare: bool
    """Nothing lies over any window."""


class RoomWatch:
    """The windows of one board in the room's light, from one pulse of the lamp to the next."""

    def __init__(self, watch: ChangeWatch, dark: Image, covered: NDArray[np.bool_]) -> None:
        """`dark` is the picture without the lamp at the pulse, `covered` what was found over the windows then."""
        self._watch, self._covered = watch, covered
        self._then = self._before = watch.look(dark)

    def look(self, image: Image) -> RoomLook:
        """The windows now."""
        now = self._watch.look(image)
        changed, moving = _stirred(now, self._then), _stirred(now, self._before)
        brighter = now.mean(axis=(1, 2)) - self._then.mean(axis=(1, 2)) >= OPEN
        self._before = now
        opened = self._covered & brighter & ~moving
        return RoomLook(~changed, moving, opened, bool((opened | ~(self._covered | changed)).all()))


def _stirred(now: Thumbs, then: Thumbs) -> NDArray[np.bool_]:
    change = np.abs(now - then)
    # The mean catches light that comes or goes; the largest cells catch an edge that moves in one corner.
    return np.asarray((change.mean(axis=(1, 2)) >= STIRRED) | (np.quantile(change, 0.97, axis=(1, 2)) >= 4 * STIRRED))
