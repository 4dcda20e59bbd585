"""What a window shows: the classifier's contract."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.cards import DECK, Mark, Seen

LABELS: tuple[Seen, ...] = (*DECK, Mark.EMPTY, Mark.BACK, Mark.COVERED, Mark.UNREADABLE, Mark.FOREIGN)
"""What the columns of a reading stand for."""

Patches = NDArray[np.uint8]
"""count x 96 x 48 x 3: upright corner windows, blue green red."""

Reading = NDArray[np.float32]
"""count x 57 probabilities over `LABELS`; every row sums to one."""


class Classifier(Protocol):
    """Anything that reads window patches."""

    def classify(self, patches: Patches) -> Reading: ...
