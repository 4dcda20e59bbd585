"""The colour of an index's print, which the net sometimes overlooks where its shape is stylised."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.cards import DECK, Suit
from vision.classifier import Patches, Reading

INDEX = (slice(4, 52), slice(4, 24))
"""Rows and columns of a window in which an index stands and hardly anything else, be the window small or large."""
INK = 0.45
"""Of the way from print to paper: darker is ink."""
RED = 40.0
"""Red print, on white paper, has so much more red than green and blue."""
PRINTED = 50.0
"""Less contrast is no print."""
RED_SHARE = 0.7
"""Of the ink."""
BELIEF = 0.02
"""How often a window with red print may hold a card of spades or clubs all the same."""
WORTH_A_LOOK = 0.1
"""The colour matters where spades and clubs are given so much."""

_BLACK = np.array([card.suit in (Suit.CLUBS, Suit.SPADES) for card in DECK])


def in_red(patches: Patches) -> NDArray[np.bool_]:
    """Which windows (count x 96 x 48 x 3, on white paper) show an index that is printed in red."""
    if len(patches) == 0:
        return np.zeros(0, np.bool_)
    values = patches[:, INDEX[0], INDEX[1]].reshape(len(patches), -1, 3)[:, ::2].astype(np.float32)
    light = values.max(axis=2) * 0.5 + values.min(axis=2) * 0.5
    dark, paper = np.percentile(light, (2, 75), axis=1)[..., None]
    ink = light < dark + INK * (paper - dark)
    red = values[..., 2] - np.maximum(values[..., 0], values[..., 1]) > RED
    printed = paper[:, 0] - dark[:, 0] > PRINTED
    return np.asarray(printed & ((red & ink).sum(axis=1) > RED_SHARE * np.maximum(ink.sum(axis=1), 1)), np.bool_)


def minding_colour(readings: Reading, patches: Patches) -> Reading:
    """The readings with spades and clubs made unlikely where the print is red; what they lose goes to no card at all."""
    black = np.flatnonzero(readings[:, : len(DECK)] @ _BLACK > WORTH_A_LOOK)
    which = black[in_red(patches[black])]
    changed = readings.copy()
    changed[which, : len(DECK)] *= np.where(_BLACK, BELIEF, 1.0).astype(np.float32)
    lost = (readings[which] - changed[which]).sum(axis=1, keepdims=True)
    changed[which, len(DECK) :] += lost / (readings.shape[1] - len(DECK))
    return changed
