"""Index windows as if printed dark on white paper and lit by white light: what the net was trained on."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.classifier import Patches

PAPER_PERCENTILE = 80
"""Paper is the larger part of an index corner, and brighter than its print."""
PAPER_LEVEL = 235.0
STRONGEST_GAIN = 5.0
"""More would only lift the noise."""
FAINT = 40.0
"""A colour of which the paper shows less than this is too weak to be lifted: the light has next to nothing of it."""
DARK_STOCK = 1.6
"""Print is lighter than its stock where the brightest parts are so many times further from the middle than the darkest."""
DARKEST_PAPER = 130.0
"""Stock brighter than this (after the picture's own light was taken out) is never taken for dark."""

INDEX = (slice(4, 64), slice(6, 28))
"""Rows and columns of a window in which an index stands, be the window small or large."""
INK_PERCENTILE = 4
LEAST_DEPTH = 70.0
"""Print is so much darker than its paper at least; without it nothing is print."""
_LEVELS = np.arange(256, dtype=np.float64)
INK_SHARE, PAPER_SHARE = 0.1, 0.65
"""Of the way from print to paper: when it is bleached, darker than the first is all ink, lighter than the second all paper."""


def on_white_paper(patches: Patches) -> Patches:
    """The patches with dark stock turned light, and paper near white."""
    if len(patches) == 0:
        return patches
    upright = patches.copy()
    dark = on_dark_stock(patches)
    upright[dark] = turned_over(patches[dark])
    return _whitened(upright)


def on_dark_stock(patches: Patches) -> NDArray[np.bool_]:
    """Which of the patches show light print on dark stock."""
    bright = _sampled(patches).max(axis=2)
    low, middle, high = np.percentile(bright, (4, 50, 96), axis=1)
    return np.asarray((high - middle > DARK_STOCK * (middle - low)) & (middle < 0.5 * high) & (middle < DARKEST_PAPER), np.bool_)


def turned_over(patches: Patches) -> Patches:
    """Light for dark and dark for light; colours keep their hue."""
    values = patches.astype(np.float32)
    top = np.percentile(_sampled(patches).reshape(len(patches), -1), 99, axis=1) if len(patches) else np.empty(0)
    values = np.minimum(values * (255.0 / np.maximum(top, 40.0))[:, None, None, None].astype(np.float32), 255.0)
    shift = 255.0 - values.max(axis=3) - values.min(axis=3)
    return np.asarray(np.clip(values + shift[..., None], 0, 255), np.uint8)


def _whitened(patches: Patches) -> Patches:
    """Every colour scaled so that the paper has all of them alike; one that the light lacks is taken from the next."""
    paper = np.percentile(_sampled(patches), PAPER_PERCENTILE, axis=1)
    gain = np.clip(PAPER_LEVEL / np.maximum(paper, 1.0), 0.9, STRONGEST_GAIN)
    tables = np.clip(gain[:, None, :] * _LEVELS[None, :, None] + 0.5, 0, 255).astype(np.uint8)
    # Print that is dark in green is dark in blue as well, be it red or black.
    trust = np.clip(paper[:, 0] / FAINT, 0.0, 1.0)
    white = np.empty_like(patches)
    for number, patch in enumerate(patches):
        cv2.LUT(patch, tables[number][:, None], dst=white[number])
        if trust[number] < 1.0:
            blue, green = (np.ascontiguousarray(white[number, :, :, colour]) for colour in (0, 1))
            white[number, :, :, 0] = cv2.addWeighted(blue, float(trust[number]), green, 1.0 - float(trust[number]), 0.0)
    return white


def _sampled(patches: Patches) -> NDArray[np.uint8]:
    """Some pixels of each patch, count x pixels x 3."""
    return patches[:, ::5, 1::4].reshape(len(patches), -1, 3)


def bleached(patches: Patches) -> Patches:
    """As `on_white_paper`, with stains, grain and pale patterns of the paper taken out: what is not clearly print turns white."""
    if len(patches) == 0:
        return patches
    white = np.stack([cv2.medianBlur(patch, 3) for patch in on_white_paper(patches)])
    light = white.astype(np.float32) @ np.array((0.114, 0.587, 0.299), np.float32)
    paper = np.percentile(light[:, ::2, ::2].reshape(len(patches), -1), 55, axis=1).astype(np.float32)[..., None, None]
    # Beyond the card's edge a dark table shows, and measured by that pale print would pass for a stain.
    dark = np.percentile(light[:, INDEX[0], INDEX[1]].reshape(len(patches), -1), INK_PERCENTILE, axis=1).astype(np.float32)
    dark = dark[..., None, None]
    depth = np.maximum(paper - dark, LEAST_DEPTH)
    wanted = np.clip((light - paper + (1.0 - INK_SHARE) * depth) / ((PAPER_SHARE - INK_SHARE) * depth), 0.0, 1.0) * 225.0 + 15.0
    return np.asarray(np.clip(white + (wanted - light)[..., None], 0, 255), np.uint8)
