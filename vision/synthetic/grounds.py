"""What cards lie on: felt, wood, woven and printed cloth, stone, plain boards, pages of print.

Everything is drawn at random from a generator, so that no two pictures share a table.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.frame import Image

Size = tuple[int, int]
"""Width and height in pixels."""
Canvas = NDArray[np.float32]
"""height x width x 3, 0 to 255."""


def ground(rng: Generator, size: Size) -> Image:
    """A table top of `size`, of any kind but a page of print."""
    draw = GROUNDS[tuple(GROUNDS)[int(rng.integers(len(GROUNDS)))]]
    return finished(draw(rng, size))


def finished(canvas: Canvas) -> Image:
    """A canvas as bytes."""
    return np.asarray(np.clip(canvas, 0, 255), np.uint8)


def _grid(size: Size) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    y, x = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    return x, y


def _noise(rng: Generator, size: Size, grain_px: float) -> NDArray[np.float32]:
    """Smooth noise of unit spread whose lumps are about `grain_px` wide."""
    small = (max(2, round(size[0] / grain_px)), max(2, round(size[1] / grain_px)))
    lumps = rng.normal(0, 1, (small[1], small[0])).astype(np.float32)
    return np.asarray(cv2.resize(lumps, size, interpolation=cv2.INTER_CUBIC), np.float32)


def _colour(rng: Generator, low: float = 10, high: float = 245) -> NDArray[np.float32]:
    """A colour of any brightness between the two, not very saturated."""
    base = rng.uniform(low, high)
    return np.asarray(np.clip(base + rng.normal(0, 30, 3), 4, 250), np.float32)


def felt(rng: Generator, size: Size) -> Canvas:
    """Felt or baize in a strong or dark colour."""
    colour = np.asarray(rng.uniform(8, 150, 3), np.float32)
    grain = _noise(rng, size, rng.uniform(1.5, 4)) * rng.uniform(2, 14) + _noise(rng, size, 180) * rng.uniform(0, 10)
    return np.asarray(colour + grain[..., None], np.float32)


def plain(rng: Generator, size: Size) -> Canvas:
    """A painted board, a sheet of paper, a dark screen."""
    colour = _colour(rng, 5, 252)
    return np.asarray(colour + _noise(rng, size, 250)[..., None] * rng.uniform(0, 8), np.float32)


def wood(rng: Generator, size: Size) -> Canvas:
    """Boards with a grain, light or dark."""
    x, y = _grid(size)
    if rng.random() < 0.5:
        x, y = y, x
    tone = rng.uniform(0.25, 1.25)
    colour = np.array((rng.uniform(40, 130), rng.uniform(80, 160), rng.uniform(130, 210)), np.float32) * np.float32(tone)
    bend = _noise(rng, size, 160) * rng.uniform(2, 20)
    rings = np.sin((x + bend) / rng.uniform(5, 25)) + 0.5 * np.sin((x + 1.8 * bend) / rng.uniform(1.5, 5))
    canvas = colour + (rings * rng.uniform(3, 20) * tone)[..., None] + _noise(rng, size, 3)[..., None] * 3
    board = rng.uniform(80, 400)
    canvas[(x % board) < 2] *= np.float32(0.6)
    return np.asarray(canvas, np.float32)


def checks(rng: Generator, size: Size) -> Canvas:
    """Chequered cloth."""
    x, y = _turned(rng, size)
    period = rng.uniform(14, 140)
    first, second = _colour(rng), _colour(rng)
    share = (((x % period) < period / 2).astype(np.float32) + ((y % period) < period / 2)) / 2
    return np.asarray(first * share[..., None] + second * (1 - share[..., None]), np.float32)


def stripes(rng: Generator, size: Size) -> Canvas:
    """Striped cloth of three colours."""
    x, _ = _turned(rng, size)
    period = rng.uniform(10, 160)
    colours = np.stack([_colour(rng) for _ in range(3)])
    bands = np.floor((x % period) / period * 3).astype(int).clip(0, 2)
    return np.asarray(colours[bands], np.float32)


def flowers(rng: Generator, size: Size) -> Canvas:
    """Cloth printed with blossoms, spots and leaves."""
    canvas = np.empty((size[1], size[0], 3), np.float32)
    canvas[:] = _colour(rng)
    colours = [tuple(float(v) for v in _colour(rng)) for _ in range(4)]
    pitch = rng.uniform(25, 110)
    for row in np.arange(0, size[1] + pitch, pitch):
        for column in np.arange(0, size[0] + pitch, pitch):
            x, y = np.array((column, row)) + rng.normal(0, pitch * 0.12, 2)
            petals, radius = int(rng.integers(1, 7)), pitch * rng.uniform(0.08, 0.2)
            for petal in range(petals):
                angle = 2 * np.pi * petal / petals
                middle = (round(x + radius * np.cos(angle)), round(y + radius * np.sin(angle)))
                axes = (max(1, round(radius)), max(1, round(radius * 0.6)))
                cv2.ellipse(canvas, middle, axes, float(np.degrees(angle)), 0, 360, colours[petals % 3], -1, cv2.LINE_AA)
            cv2.circle(canvas, (round(x), round(y)), max(1, round(radius * 0.5)), colours[3], -1, cv2.LINE_AA)
    return canvas


def stone(rng: Generator, size: Size) -> Canvas:
    """Marble or granite."""
    veins = np.abs(_noise(rng, size, rng.uniform(40, 160)) + 0.5 * _noise(rng, size, 12))
    share = np.exp(-veins * rng.uniform(1, 6))[..., None]
    grain = _noise(rng, size, 2)[..., None] * rng.uniform(1, 9)
    return np.asarray(_colour(rng) * (1 - share) + _colour(rng) * share + grain, np.float32)


def _turned(rng: Generator, size: Size) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    x, y = _grid(size)
    angle = rng.uniform(0, np.pi)
    cosine, sine = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    return x * cosine + y * sine + 1000, y * cosine - x * sine + 1000


GROUNDS: dict[str, Callable[[Generator, Size], Canvas]] = {
    "felt": felt,
    "plain": plain,
    "wood": wood,
    "checks": checks,
    "stripes": stripes,
    "flowers": flowers,
    "stone": stone,
}
"""Every kind of table top, by its name."""
