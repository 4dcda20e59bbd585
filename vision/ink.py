"""The colour of an index's print, which the net sometimes overlooks where its shape is stylised."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.cards import DECK, Suit
from vision.classifier import Patches, Reading

INDEX = (slice(4, 72), slice(4, 30))
"""Rows and columns of a window in which an index stands."""
INK = 0.45
"""Of the way from print to paper: darker is ink."""
RED = 60.0
"""Red print, on white paper, has so much more red than green and blue."""
PRINTED = 50.0
"""Less contrast is no print."""
RED_SHARE = 0.7
"""Of the ink."""
BELIEF = 0.02
"""How often a window with red print may hold a card of spades or clubs all the same."""

_BLACK = np.array([card.suit in (Suit.CLUBS, Suit.SPADES) for card in DECK])


def in_red(patches: Patches) -> NDArray[np.bool_]:
    """Which windows (count x 96 x 48 x 3, on white paper) show an index that is printed in red."""
    values = patches[:, INDEX[0], INDEX[1]].reshape(len(patches), -1, 3).astype(np.float32)
    light = values.max(axis=2) * 0.5 + values.min(axis=2) * 0.5
    dark, paper = np.percentile(light, (2, 75), axis=1)[..., None] if len(patches) else np.empty((2, 0, 1))
    ink = light < dark + INK * (paper - dark)
    red = values[..., 2] - np.maximum(values[..., 0], values[..., 1]) > RED
    printed = paper[:, 0] - dark[:, 0] > PRINTED
    return np.asarray(printed & ((red & ink).sum(axis=1) > RED_SHARE * np.maximum(ink.sum(axis=1), 1)), np.bool_)


def minding_colour(readings: Reading, patches: Patches) -> Reading:
    """The readings with spades and clubs made unlikely where the print is red; what they lose goes to no card at all."""
    factors = np.where(in_red(patches)[:, None] & _BLACK, BELIEF, 1.0)
    changed = readings.copy()
    changed[:, : len(DECK)] *= factors
    lost = (readings - changed).sum(axis=1, keepdims=True)
    changed[:, len(DECK) :] += (lost / (readings.shape[1] - len(DECK))).astype(np.float32)
    return changed
