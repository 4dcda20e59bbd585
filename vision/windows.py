"""Windows of a board: cut out upright, and watched cheaply for changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.classifier import Patches
from vision.frame import Image
from vision.layout import WINDOW_PX, Layout, Rect

if TYPE_CHECKING:
    # A mat node has no scipy; it looks for changes in places that the hub found for it.
    from vision.calibrate import Registration

THUMB_PX = (12, 24)
"""Width and height of the little picture by which a window's changes are noticed."""

Thumbs = NDArray[np.float32]
"""windows x 3 x values: the little pictures of all windows, colour by colour, in grey levels."""

Differences = NDArray[np.float32]
"""windows: how much each one differs from another look, in grey levels."""

LEAST_GAIN, LARGEST_GAIN = 0.7, 1.45
LARGEST_OFFSET = 25.0
"""Within these a change of the light is taken out of each colour before two looks are compared; beyond them it is a change."""
PLAIN = 15.0
"""Contrast (grey levels) below which a window tells little of how the light changed."""
WHITE, CLIPPED = 170.0, 240.0
"""Where a light surface (`WHITE` in both looks) is over-exposed in one of them, its brightness says nothing."""


SHIFTS_MM = ((0.0, 0.0), (0.8, 0.8), (-0.8, -0.8), (0.8, -0.8), (-0.8, 0.8))
"""Right and down: where the window is cut at the first, second ... look at one still scene.

Pictures of a still scene repeat the same mistakes; the same scene moved a little makes other ones, which then do not add up.
On rendered mats this saves a third of the wrong first choices, where five equal looks save none.
"""


class WindowCutter:
    """Cuts the windows of one registered board; the maps are computed once."""

    def __init__(self, layout: Layout, registration: Registration) -> None:
        width, height = WINDOW_PX
        grids = [_grid_mm(window, shift) for shift in SHIFTS_MM for window in layout.windows]
        map_px = registration.to_px(np.concatenate(grids)).reshape(-1, width, 2).astype(np.float32)
        whole, fraction = cv2.convertMaps(map_px, None, cv2.CV_16SC2)  # type: ignore[call-overload]
        self._whole = whole.reshape(len(SHIFTS_MM), len(layout.windows), height, width, 2)
        self._fraction = fraction.reshape(len(SHIFTS_MM), len(layout.windows), height, width)

    def cut(self, image: Image, which: Sequence[int] | None = None, looks: Sequence[int] | None = None) -> Patches:
        """Upright patches, count x 96 x 48 x 3, of all windows or of those with the indices `which`.

        `looks` says for each of them how often its scene was looked at before: every look is cut a little aside.
        """
        width, height = WINDOW_PX
        chosen = list(range(self._whole.shape[1])) if which is None else list(which)
        shifts = [0] * len(chosen) if looks is None else [look % len(SHIFTS_MM) for look in looks]
        flat = cv2.remap(
            image,
            self._whole[shifts, chosen].reshape(-1, width, 2),
            self._fraction[shifts, chosen].reshape(-1, width),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return np.asarray(flat, np.uint8).reshape(-1, height, width, 3)


def _grid_mm(window: Rect, shift_mm: tuple[float, float]) -> NDArray[np.float64]:
    """The middles of a patch's pixels on the board."""
    width, height = WINDOW_PX
    x = window.x + shift_mm[0] + (np.arange(width) + 0.5) * window.width / width
    y = window.y + shift_mm[1] + (np.arange(height) + 0.5) * window.height / height
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


class ChangeWatch:
    """Little pictures of the windows of one registered board, straight from the frame and without a map.

    A rectangle of whole pixels about each window is averaged down: noise averages out with it.
    """

    def __init__(self, layout: Layout, registration: Registration) -> None:
        self._boxes = tuple(_box_px(window, registration) for window in layout.windows)

    def look(self, image: Image) -> Thumbs:
        """The little pictures as they are now."""
        thumbs = np.empty((len(self._boxes), THUMB_PX[1], THUMB_PX[0], 3), np.uint8)
        for thumb, (top, bottom, left, right) in zip(thumbs, self._boxes, strict=True):
            cv2.resize(image[top:bottom, left:right], THUMB_PX, dst=thumb, interpolation=cv2.INTER_AREA)
        values = thumbs.reshape(len(self._boxes), -1, 3)
        return np.ascontiguousarray(values.transpose(0, 2, 1), np.float32)


def _box_px(window: Rect, registration: Registration) -> tuple[int, int, int, int]:
    """Top, bottom, left and right of a box within the picture whose sides are multiples of the thumb's."""
    corners = np.array(
        [[window.x + dx * window.width, window.y + dy * window.height] for dx in (0.0, 0.5, 1.0) for dy in (0.0, 0.5, 1.0)]
    )
    px = registration.to_px(corners)
    (left, top), (right, bottom) = px.min(axis=0), px.max(axis=0)
    columns, x = _span(left, right, THUMB_PX[0], registration.size_px[0])
    rows, y = _span(top, bottom, THUMB_PX[1], registration.size_px[1])
    return y, y + rows, x, x + columns


def _span(low: float, high: float, cells: int, limit: int) -> tuple[int, int]:
    length = max(cells, round((high - low) / cells) * cells)
    length = min(length, limit // cells * cells)
    start = round((low + high - length) / 2)
    return length, min(max(start, 0), limit - length)


def difference(now: Thumbs, then: Thumbs) -> Differences:
    """How much each window changed between two looks, in grey levels; the light's own drift is taken out.

    The fourth power makes a changed index in one corner count, where the mean of the whole would drown it.
    """
    now_mean, then_mean = now.mean(axis=2, keepdims=True), then.mean(axis=2, keepdims=True)
    new, old = now - now_mean, then - then_mean
    # Light works by factors, so where a window has too little contrast to tell, the ratio of the means does.
    ratio = np.clip(now_mean / (then_mean + 1.0), LEAST_GAIN, LARGEST_GAIN)[..., 0]
    plain = now.shape[2] * PLAIN**2
    gain = (np.einsum("ijk,ijk->ij", new, old) + plain * ratio) / (np.einsum("ijk,ijk->ij", old, old) + plain)
    gain = np.clip(gain, LEAST_GAIN, LARGEST_GAIN)[..., None]
    shift = now_mean - gain * then_mean
    rest = new - gain * old + (shift - np.clip(shift, -LARGEST_OFFSET, LARGEST_OFFSET))
    rest[(np.maximum(now, then) > CLIPPED) & (np.minimum(now, then) > WHITE)] = 0.0
    rest *= rest
    return np.asarray(np.sqrt(np.sqrt(np.einsum("ijk,ijk->i", rest, rest) / (rest.shape[1] * rest.shape[2]))), np.float32)
