"""Card backs of every kind that we could think of: nobody can know the one that will lie on the table."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.training.drawn import INKS
from models.training.tiles import PX_PER_MM, TILE_PX, Tile

Floats = NDArray[np.float32]
Painted = tuple[Floats, Floats, Floats]
"""A picture, and the colours of its border and of the line along it."""


def _two_colours(rng: Generator) -> tuple[Floats, Floats]:
    """A light and a dark colour."""
    dark = np.float32(rng.uniform(0, 150, 3)) if rng.random() < 0.3 else np.float32(INKS[rng.integers(len(INKS))])
    light = np.float32(rng.uniform(150, 255, 3)) if rng.random() < 0.3 else np.full(3, rng.uniform(215, 255), np.float32)
    return light, dark


def _diamonds(rng: Generator, x: Floats, y: Floats) -> Painted:
    """A harlequin's dress in two to four colours, sometimes with lines between."""
    light, dark = _two_colours(rng)
    wide, high = rng.uniform(2, 9), rng.uniform(2, 14)
    across, down = x / wide + y / high, x / wide - y / high
    colours = np.stack([light, dark, *np.float32(rng.uniform(0, 255, (2, 3)))])[: int(rng.integers(2, 5))]
    if rng.random() < 0.3:
        colours = np.float32(rng.uniform(60, 255, colours.shape))
    canvas = colours[(np.floor(across) + 2 * np.floor(down)).astype(int) % len(colours)]
    if rng.random() < 0.4:
        canvas[np.minimum(across % 1, down % 1) < rng.uniform(0.03, 0.12)] = light
    return canvas, light, dark


def _plaid(rng: Generator, x: Floats, y: Floats) -> Painted:
    """Stripes of several colours and widths that cross each other, each letting something of the others through."""
    light, dark = _two_colours(rng)
    canvas = np.broadcast_to(light, (*x.shape, 3)).copy()
    lean = rng.choice([0.0, rng.uniform(0.3, 1.3)])
    for _ in range(int(rng.integers(2, 6))):
        colour = dark if rng.random() < 0.4 else np.float32(rng.uniform(0, 230, 3))
        for sign in (-1, 1):
            along = np.cos(sign * lean) * x + np.sin(sign * lean) * y if lean else (x if sign < 0 else y)
            period, at, share = rng.uniform(2, 12), rng.uniform(0, 10), rng.uniform(0.08, 0.5)
            stripe = ((along + at) / period % 1 < share)[..., None] * rng.uniform(0.2, 0.8)
            canvas = canvas * (1 - stripe) + colour * stripe
    return canvas.astype(np.float32), light, dark


def _scrolls(rng: Generator, x: Floats, y: Floats) -> Painted:
    """Curls, rings and leaves in one or two inks on a flat ground, the same on both sides of some line."""
    light, dark = _two_colours(rng)
    ground, ink = (dark, light) if rng.random() < 0.6 else (light, dark)
    canvas = np.broadcast_to(ground, (*x.shape, 3)).copy()
    second = np.float32(rng.uniform(0, 255, 3)) if rng.random() < 0.5 else ink
    for number in range(int(rng.integers(25, 90))):
        colour = tuple(float(v) for v in (ink if number % 3 else second))
        middle = (int(rng.integers(0, x.shape[1])), int(rng.integers(0, x.shape[0])))
        axes = (int(rng.integers(2, 22)), int(rng.integers(2, 22)))
        turn, start, thick = float(rng.uniform(0, 180)), float(rng.uniform(0, 360)), int(rng.choice([-1, 1, 1, 2, 3]))
        cv2.ellipse(canvas, middle, axes, turn, start, start + float(rng.uniform(90, 360)), colour, thick, cv2.LINE_AA)
    if rng.random() < 0.6:
        half = canvas.shape[1] // 2
        canvas[:, half : 2 * half] = canvas[:, :half][:, ::-1]
    return canvas, light, dark


def _scene(rng: Generator, x: Floats, y: Floats) -> Painted:
    """A flat or shaded colour with a swoosh and a few figures, such as a company or a tourist office prints."""
    light, dark = _two_colours(rng)
    first, second = dark, np.float32(rng.uniform(0, 255, 3))
    bend = np.sin(x / rng.uniform(6, 20) + rng.uniform(0, 6)) * rng.uniform(0, 10)
    above = first * rng.uniform(0.6, 1.0) + second * rng.uniform(0, 0.3)
    canvas = np.where((y + bend > rng.uniform(5, 50))[..., None], first, above)
    canvas = np.ascontiguousarray(canvas * (1 + (x / 34 - 0.5)[..., None] * rng.uniform(-0.4, 0.4)), np.float32)
    for _ in range(int(rng.integers(0, 7))):
        points = rng.uniform((0, 0), x.shape[::-1], (1, 2)) + rng.normal(0, rng.uniform(6, 35), (int(rng.integers(3, 9)), 2))
        cv2.fillPoly(canvas, [cv2.convexHull(np.int32(points))], tuple(float(v) for v in rng.uniform(0, 255, 3)), cv2.LINE_AA)
    return canvas, light, dark


def _two_coloured(rng: Generator, x: Floats, y: Floats) -> Painted:
    """Waves that cross each other, more or less sharply."""
    light, dark = _two_colours(rng)
    period, angle = rng.uniform(1.2, 6.0), rng.uniform(0, np.pi)
    u, v = x * np.cos(angle) + y * np.sin(angle), -x * np.sin(angle) + y * np.cos(angle)
    waves = np.sin(2 * np.pi * u / period), np.sin(2 * np.pi * v / (period * rng.uniform(0.6, 1.6)))
    pattern = (
        np.maximum(*waves),
        waves[0] * waves[1],
        np.sin(2 * np.pi * np.hypot(x - rng.uniform(10, 34), y - rng.uniform(10, 56)) / period),
        waves[0] + np.sin(2 * np.pi * v / 9 + 3 * waves[1]),
        np.maximum(waves[0], -waves[1]) + 0.6 * np.sin(x * y / 20),
    )[rng.integers(5)]
    ink = np.clip((pattern - rng.uniform(-0.5, 0.5)) * rng.uniform(1.5, 12) + 0.5, 0, 1)[..., None]
    return (dark * ink + light * (1 - ink)).astype(np.float32), light, dark


def _bundles(rng: Generator, x: Floats, y: Floats) -> Painted:
    """Bundles of parallel lines that run in a few directions over a ground."""
    light, dark = _two_colours(rng)
    ground = light if rng.random() < 0.75 else dark
    canvas = np.broadcast_to(ground, (*x.shape, 3)).copy()
    lean, spread = rng.uniform(0, np.pi), rng.uniform(0.3, np.pi / 2)
    for number in range(int(rng.integers(2, 7))):
        angle = lean + (spread if number % 2 else -spread) + rng.normal(0, 0.05)
        across = np.cos(angle) * x + np.sin(angle) * y + rng.uniform(0, 40)
        period, pitch = rng.uniform(6, 30), rng.uniform(0.7, 2.5)
        inside = across % period < rng.uniform(0.15, 0.7) * period
        line = inside & (across % pitch < rng.uniform(0.2, 0.5) * pitch)
        colour = dark if number % 3 == 0 and ground is light else np.float32(rng.uniform(0, 255, 3))
        canvas = np.where(line[..., None], canvas * rng.uniform(0, 0.4) + colour * rng.uniform(0.6, 1.0), canvas)
    return canvas.astype(np.float32), light, dark


def _plain(rng: Generator, x: Floats, y: Floats) -> Painted:
    """One colour, or two that pass into each other."""
    light, dark = _two_colours(rng)
    angle = rng.uniform(0, 2 * np.pi)
    share = np.clip((np.cos(angle) * x + np.sin(angle) * y) / 50 + 0.5, 0, 1)[..., None] * rng.choice([0.0, rng.uniform(0, 1)])
    return (dark * (1 - share) + np.float32(rng.uniform(0, 255, 3)) * share).astype(np.float32), light, dark


def _tiled(rng: Generator, x: Floats, y: Floats) -> Painted:
    """One small ornament, mirrored into every direction and repeated."""
    light, dark = _two_colours(rng)
    ground, ink = (dark, light) if rng.random() < 0.5 else (light, dark)
    side = int(rng.integers(8, 40))
    tile = np.broadcast_to(ground, (side, side, 3)).copy()
    colours = [ink, np.float32(rng.uniform(0, 255, 3)), ink]
    for number in range(int(rng.integers(2, 7))):
        colour = tuple(float(v) for v in colours[number % 3])
        points = np.int32(rng.uniform(-0.2 * side, 1.2 * side, (int(rng.integers(2, 6)), 2)))
        if rng.random() < 0.5:
            cv2.polylines(tile, [points], rng.random() < 0.5, colour, int(rng.integers(1, 3)), cv2.LINE_AA)
        else:
            middle = (int(points[0, 0]), int(points[0, 1]))
            cv2.circle(tile, middle, int(rng.integers(1, side)), colour, int(rng.choice([-1, 1, 2])), cv2.LINE_AA)
    half = np.concatenate([tile, tile[:, ::-1]], axis=1)
    whole = np.concatenate([half, half[::-1]], axis=0)
    if rng.random() < 0.4:
        whole = np.concatenate([whole, np.roll(whole, side, axis=1)], axis=0)
    canvas = np.tile(whole, (-(-x.shape[0] // whole.shape[0]), -(-x.shape[1] // whole.shape[1]), 1))
    return np.ascontiguousarray(canvas[: x.shape[0], : x.shape[1]]), light, dark


def _dreamt(rng: Generator, x: Floats, y: Floats) -> Painted:
    """Waves of waves in every direction, coloured by chance: prints that none of the other kinds thinks of."""
    light, dark = _two_colours(rng)
    scale = rng.uniform(0.08, 1.2)
    across = np.abs(x - 31.75) if rng.random() < 0.5 else x
    values = np.stack([across * scale, y * scale, np.hypot(across - 32, y - 44) * scale * rng.uniform(0, 1), np.ones_like(x)], -1)
    for _ in range(2):
        values = np.sin(values @ rng.normal(0, 1.2, (values.shape[-1], 6)).astype(np.float32) * rng.uniform(0.6, 1.8))
    shares = 1 / (1 + np.exp(-values[..., :2] * rng.uniform(1, 14)))
    third = np.float32(rng.uniform(0, 255, 3))
    canvas = dark + (light - dark) * shares[..., :1]
    canvas = canvas + (third - canvas) * shares[..., 1:] * rng.choice([0.0, rng.uniform(0.2, 1)])
    return canvas.astype(np.float32), light, dark


PRINTS = (_two_coloured, _two_coloured, _diamonds, _plaid, _scrolls, _scene, _bundles, _plain, _tiled, _dreamt)


def draw_back(rng: Generator) -> Tile:
    """The corner of a back, with or without a border and a line along it."""
    width, height = TILE_PX
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / PX_PER_MM
    canvas, light, dark = PRINTS[rng.integers(len(PRINTS))](rng, x, y)
    if rng.random() < 0.65:
        border = rng.uniform(0.4, 6.0)
        canvas[(x < border) | (y < border)] = light
        if rng.random() < 0.4:
            canvas[((abs(x - border) < 0.3) & (y > border)) | ((abs(y - border) < 0.3) & (x > border))] = dark
    return Tile(np.clip(canvas, 0, 255).astype(np.uint8), "back")
