"""One taught window as it may look another day: laid aside, turned, in other light, out of focus."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.classifier import Patches
from vision.frame import Image
from vision.layout import WINDOW_MM, WINDOW_PX

PX_PER_MM = WINDOW_PX[0] / WINDOW_MM[0]
ASIDE_MM, TURNED_DEG = 4.5, 7.0
_X, _Y = 24, 40
"""Room about the window, in pixels."""


def variations(window: Image, count: int, rng: np.random.Generator) -> Patches:
    """`count` variations of one upright window of 96 x 48 x 3, after the window itself."""
    return np.stack([window, *(_variation(window, rng) for _ in range(count))])


def _variation(window: Image, rng: np.random.Generator) -> Image:
    lit = _lit(_moved(window, rng), rng)
    return np.clip(lit + rng.normal(0, rng.uniform(1, 7), lit.shape), 0, 255).astype(np.uint8)


def _moved(window: Image, rng: np.random.Generator) -> NDArray[np.float32]:
    """The card laid aside and turned; beyond its edges at the rail the room shows."""
    width, height = WINDOW_PX
    around = cv2.copyMakeBorder(window, _Y, _Y, _X, _X, cv2.BORDER_REPLICATE).astype(np.float32)
    room = rng.uniform(10, 170) * rng.uniform(0.8, 1.2, 3)
    around[:_Y] = room
    around[:, :_X] = room
    turn = cv2.getRotationMatrix2D((_X, _Y), rng.uniform(-TURNED_DEG, TURNED_DEG), 1.0)
    aside = rng.uniform(-ASIDE_MM, ASIDE_MM, 2) * PX_PER_MM
    turn = np.column_stack([turn[:, :2], turn[:, 2] + aside])
    size = (around.shape[1], around.shape[0])
    moved = cv2.warpAffine(around, turn, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved[_Y : _Y + height, _X : _X + width], np.float32)


def _lit(picture: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Another focus, exposure and white balance, and sometimes the lamp's reflection."""
    blur = rng.uniform(0, 1.2)
    if blur > 0.3:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.float32)
    lit = picture.astype(np.float64) * (rng.uniform(0.65, 1.25) * rng.uniform(0.9, 1.1, 3)) + rng.uniform(-10, 15)
    if rng.random() < 0.4:
        height, width = picture.shape[:2]
        y, x = np.mgrid[0:height, 0:width]
        away = (x - rng.uniform(0, width)) ** 2 + (y - rng.uniform(0, height)) ** 2
        lit = lit + (rng.uniform(30, 170) * np.exp(-away / rng.uniform(12, 40) ** 2))[..., None]
    return np.asarray(lit, np.float32)
