"""Drawing with numpy and OpenCV alone: paths, strokes with a broad pen, filled shapes, and masks to lay ink with.

Paths are written in the small language ``M x y L x y C x y x y x y Z`` (move, line, cubic curve, close), y down.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""n x 2: x, y."""
Mask = NDArray[np.uint8]
"""height x width: how much ink, 0..255."""
Bgr = tuple[int, int, int]

OVERSAMPLING = 4
"""Masks are drawn this much larger, then averaged down: that makes the edges smooth."""
_SHIFT = 5
_CURVE_STEPS = 14
_CORNER_COSINE = 0.85
_SPIKE_COSINE = -0.5
"""Sharper turns than this would grow a spike, so they are rounded."""
_ARGUMENTS = {"M": 2, "L": 2, "C": 6, "Z": 0}


@lru_cache(maxsize=512)
def _parsed(text: str) -> tuple[tuple[tuple[str, tuple[float, ...]], ...], ...]:
    words = text.split()
    strokes: list[list[tuple[str, tuple[float, ...]]]] = []
    at = 0
    while at < len(words):
        command = words[at]
        count = _ARGUMENTS[command]
        numbers = tuple(float(word) for word in words[at + 1 : at + 1 + count])
        if command == "M":
            strokes.append([])
        strokes[-1].append((command, numbers))
        at += 1 + count
    return tuple(tuple(stroke) for stroke in strokes)


def cubic(start: Points, first: Points, second: Points, end: Points, steps: int = _CURVE_STEPS) -> Points:
    """Points of a cubic curve without its start."""
    t = np.linspace(0.0, 1.0, steps + 1)[1:, None]
    u = 1.0 - t
    return np.asarray(u**3 * start + 3 * u * u * t * first + 3 * u * t * t * second + t**3 * end, dtype=np.float64)


def trace(text: str, boxiness: float = 1.0) -> list[Points]:
    """The strokes of a path as polylines; `boxiness` above 1 pushes curves towards their corners."""
    strokes = []
    for commands in _parsed(text):
        points: list[Points] = []
        for command, numbers in commands:
            pairs = np.asarray(numbers, dtype=np.float64).reshape(-1, 2)
            if command == "C":
                start = points[-1][-1]
                first = start + (pairs[0] - start) * boxiness
                second = pairs[2] + (pairs[1] - pairs[2]) * boxiness
                points.append(cubic(start, first, second, pairs[2]))
            elif command == "Z":
                points.append(points[0][:1])
            else:
                points.append(pairs)
        strokes.append(np.concatenate(points))
    return strokes


def oval(cx: float, cy: float, rx: float, ry: float, power: float = 2.0, steps: int = 56) -> Points:
    """A closed oval; `power` above 2 makes it boxy."""
    angle = np.linspace(0.0, 2 * np.pi, steps + 1)
    cos, sin = np.cos(angle), np.sin(angle)
    x = cx + rx * np.sign(cos) * np.abs(cos) ** (2 / power)
    y = cy + ry * np.sign(sin) * np.abs(sin) ** (2 / power)
    return np.stack([x, y], axis=1)


def _fixed(points: Points) -> NDArray[np.int32]:
    return np.round(points * (1 << _SHIFT)).astype(np.int32)


def fill(canvas: NDArray[np.uint8], points: Points, colour: int | Bgr, smooth: bool = False) -> None:
    """Fill a polygon in pixel coordinates."""
    value = colour if isinstance(colour, tuple) else (colour,)
    cv2.fillPoly(canvas, [_fixed(points)], value, cv2.LINE_AA if smooth else cv2.LINE_8, _SHIFT)


def line(canvas: NDArray[np.uint8], points: Points, colour: int | Bgr, thickness: float, closed: bool = False) -> None:
    """Draw a smooth line of constant thickness in pixels."""
    value = colour if isinstance(colour, tuple) else (colour,)
    cv2.polylines(canvas, [_fixed(points)], closed, value, max(1, round(thickness)), cv2.LINE_AA, _SHIFT)


def stroke(mask: Mask, points: Points, half: tuple[float, float], pointed: bool = True) -> None:
    """Draw a polyline with an elliptic pen of half axes `half` (x, y) pixels: flat ends, pointed or round corners."""
    pen = np.asarray(half)
    steps = np.diff(points, axis=0)
    length = np.hypot(steps[:, 0], steps[:, 1])
    keep = length > 1e-6
    points = np.concatenate([points[:1], points[1:][keep]])
    along = steps[keep] / length[keep, None]
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1)
    offset = normal * np.linalg.norm(normal * pen, axis=1, keepdims=True)
    for i in range(len(along)):
        a, b = points[i], points[i + 1]
        fill(mask, np.stack([a + offset[i], b + offset[i], b - offset[i], a - offset[i]]), 255)
    axes = (max(1, round(half[0] * (1 << _SHIFT))), max(1, round(half[1] * (1 << _SHIFT))))
    for i in range(1, len(along)):
        cosine = float(along[i - 1] @ along[i])
        if pointed and _SPIKE_COSINE < cosine < _CORNER_COSINE:
            _fill_corner(mask, points[i], along[i - 1], along[i], offset[i - 1], offset[i])
        else:
            centre = _fixed(points[i])
            cv2.ellipse(mask, (int(centre[0]), int(centre[1])), axes, 0, 0, 360, (255,), -1, cv2.LINE_8, _SHIFT)


def _fill_corner(mask: Mask, corner: Points, before: Points, after: Points, out: Points, onward: Points) -> None:
    side = -1.0 if float(before[0] * after[1] - before[1] * after[0]) > 0 else 1.0
    p, q = corner + side * out, corner + side * onward
    # where the two outer edges meet: p + s * before == q - t * after
    s, _ = np.linalg.solve(np.stack([before, after], axis=1), q - p)
    fill(mask, np.stack([corner, p, p + s * before, q]), 255)


def shrink(mask: Mask, factor: int = OVERSAMPLING) -> Mask:
    """Average a mask down by a whole factor."""
    height, width = mask.shape
    return np.asarray(cv2.resize(mask, (width // factor, height // factor), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def ink(canvas: NDArray[np.uint8], mask: Mask, left: int, top: int, colour: Bgr) -> None:
    """Lay ink of `colour` on the canvas through a mask whose top left pixel is at (`left`, `top`); cut at the edges."""
    height, width = mask.shape
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(canvas.shape[1], left + width), min(canvas.shape[0], top + height)
    if x0 >= x1 or y0 >= y1:
        return
    part = mask[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.uint16)
    area = canvas[y0:y1, x0:x1]
    mixed = (area * (255 - part) + np.asarray(colour, dtype=np.uint16) * part + 127) // 255
    canvas[y0:y1, x0:x1] = mixed.astype(np.uint8)
