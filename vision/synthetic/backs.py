"""Patterns for the backs of our own decks."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.pen import Bgr, fill, line, oval

BACK_PATTERNS = ("lattice", "waves", "rosette", "bricks", "dots", "plain")


def _field(pattern: str, x: NDArray[np.float32], y: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Where the pattern's ink goes, for millimetres from the middle of the card."""
    if pattern == "lattice":
        return np.asarray(((x + y) % 4.0 < 0.9) | ((x - y) % 4.0 < 0.9) | (np.hypot((x + 2) % 4 - 2, y % 4 - 2) < 0.8))
    if pattern == "waves":
        return np.asarray((y + 1.4 * np.sin(x * 1.1)) % 3.2 < 1.5)
    if pattern == "rosette":
        radius, angle = np.hypot(x, y), np.arctan2(y, x)
        return np.asarray((radius + 1.2 * np.sin(angle * 12)) % 4.0 < 2.0)
    if pattern == "bricks":
        shifted = x + np.floor(y / 3.5) % 2 * 4.0
        return np.asarray((y % 3.5 > 0.5) & (shifted % 8.0 > 0.5))
    if pattern == "dots":
        shifted = x + np.floor(y / 2.6) % 2 * 1.5
        return np.asarray(np.hypot(shifted % 3.0 - 1.5, y % 2.6 - 1.3) < 0.95)
    return np.ones_like(x, dtype=bool)


def draw_back(pattern: str, colour: Bgr, paper: Bgr, size_px: tuple[int, int], px_per_mm: float) -> NDArray[np.uint8]:
    """The back of a card, point-symmetric, `size_px` wide and high."""
    width, height = size_px[0] * 2, size_px[1] * 2
    scale = px_per_mm * 2
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = (x - (width - 1) / 2) / scale, (y - (height - 1) / 2) / scale
    # the same on both halves, turned: a back must not tell which way round the card lies
    upper = (y < 0) | ((y == 0) & (x < 0))
    ink = _field(pattern, np.where(upper, x, -x), np.where(upper, y, -y))
    half_width, half_height = size_px[0] / px_per_mm / 2, size_px[1] / px_per_mm / 2
    margin = 4.0
    inside = (np.abs(x) < half_width - margin) & (np.abs(y) < half_height - margin)
    canvas = np.full((height, width, 3), paper, np.uint8)
    canvas[ink & inside] = colour
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array([half_width - margin, half_height - margin])
    line(canvas, (corners + np.array([half_width, half_height])) * scale, colour, 0.7 * scale, closed=True)
    if pattern in ("lattice", "waves", "bricks"):
        middle = np.array([half_width, half_height])
        for radius, value in ((9.0, colour), (7.8, paper), (6.0, colour), (3.0, paper)):
            fill(canvas, (oval(0, 0, radius, radius) + middle) * scale, value, smooth=True)
    return np.asarray(cv2.resize(canvas, size_px, interpolation=cv2.INTER_AREA), dtype=np.uint8)
