"""What is no readable card, backs apart: jokers and other prints, empty windows, hands."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from models.training.drawn import (
    GREEN_INKS,
    INKS,
    SUIT_VARIANTS,
    Colour,
    blank,
    draw_style,
    index_layout,
    own_suits,
    stamp,
)
from models.training.glyphs import Face, Mask, text_masks
from models.training.tiles import PX_PER_MM, TILE_PX, Picture, Tile

YELLOWS: tuple[Colour, ...] = ((40, 200, 240), (30, 170, 220), *GREEN_INKS)
"""What the suits of other games are mostly filled with."""
WORDS = (
    "JOKER", "Joker", "JOLLY", "RULES", "Hello", "Open", "Score", "GUARANTEE", "No. 808", "Poker", "Bridge", "info", "Tel. 555",
    "www",
)
STRANGE = (*"CEGHIMNOPSUWXYZ?!%&+=@#", "11", "12", "13", "14", "15", "0", "C1", "+4", "+2", "SKIP", "III", "XX", "Fn")
SHAPES = ("★", "☆", "●", "■", "▲", "☀", "♫", "☺", "✚", "◆◆", "☂", "✿", "❄")


@cache
def _words(family: str, words: tuple[str, ...]) -> tuple[Mask, ...]:
    return text_masks(words, Face(family, "bold", "normal"))


def draw_foreign(rng: Generator, families: tuple[str, ...]) -> Tile:
    """A joker, a card of another game, a printed card: letters, but no rank with a suit."""
    style = draw_style(rng)
    ink: Colour = INKS[rng.integers(len(INKS))]
    canvas = blank(style.stock)
    family = families[rng.integers(len(families))]
    for _ in range(int(rng.integers(0, 4))):
        at = rng.uniform((14, 16), (30, 50))
        middle, colour = (round(at[0] * 4), round(at[1] * 4)), tuple(float(v) for v in rng.uniform(0, 255, 3))
        cv2.circle(canvas, middle, int(rng.integers(10, 50)), colour, -1, cv2.LINE_AA)
    print_something = (_joker_column, _joker_word, _other_game, _lines)[rng.choice(4, p=(0.36, 0.2, 0.26, 0.18))]
    print_something(canvas, rng, family, ink)
    return Tile(np.clip(canvas, 0, 255).astype(np.uint8), "foreign")


def draw_half_index(rng: Generator, families: tuple[str, ...]) -> Tile:
    """A rank whose suit is not in sight, or a suit alone: a card, but not one that can be told."""
    style = draw_style(rng)
    canvas = blank(style.stock)
    ink: Colour = INKS[rng.integers(len(INKS))]
    words = (*map(str, range(2, 10)), "A", "K", "Q", "J", "10")
    mask = _words(families[rng.integers(len(families))], words)[rng.integers(len(words))]
    rank_box, suit_box = index_layout(style, mask, ten=True)
    if rng.random() < 0.6:
        stamp(canvas, mask, rank_box, ink)
    else:
        lift = rng.uniform(0, rank_box[3] - rank_box[1])
        left, top, right, bottom = suit_box
        stamp(canvas, own_suits(int(rng.integers(SUIT_VARIANTS)))[rng.integers(4)], (left, top - lift, right, bottom - lift), ink)
    return Tile(np.clip(canvas, 0, 255).astype(np.uint8), "unreadable")


def _joker_column(canvas: NDArray[np.float32], rng: Generator, family: str, ink: Colour) -> None:
    word = "JOKER" if rng.random() < 0.8 else "JOLLY"
    masks = _words(family, tuple("JOKERLY"))
    size, x, y = rng.uniform(2.6, 6.5), rng.uniform(2, 5), rng.uniform(2.5, 5)
    for letter in word:
        mask = masks["JOKERLY".index(letter)]
        width = min(size, size * mask.shape[1] / mask.shape[0])
        stamp(canvas, mask, (x + size / 2 - width / 2, y, x + size / 2 + width / 2, y + size), ink)
        y += size * rng.uniform(1.1, 1.3)
    if rng.random() < 0.4:
        _symbol(canvas, rng, (x, y, x + size, y + size), ink)


def _joker_word(canvas: NDArray[np.float32], rng: Generator, family: str, ink: Colour) -> None:
    mask = _words(family, WORDS)[rng.integers(len(WORDS))]
    height, x, y = rng.uniform(2.5, 7), rng.uniform(1.5, 6), rng.uniform(2, 8)
    if rng.random() < 0.4:
        mask = np.ascontiguousarray(mask.T[:, ::-1])
        stamp(canvas, mask, (x, y, x + height, y + height * mask.shape[0] / mask.shape[1]), ink)
        return
    stamp(canvas, mask, (x, y, x + height * mask.shape[1] / mask.shape[0], y + height), ink)
    if rng.random() < 0.5:
        _symbol(canvas, rng, (x, y + height + 1, x + height * 1.3, y + 1 + height * 2.3), ink)


def _symbol(canvas: NDArray[np.float32], rng: Generator, box: tuple[float, float, float, float], ink: Colour) -> None:
    mask = _words("DejaVu Sans", SHAPES)[rng.integers(len(SHAPES))]
    stamp(canvas, mask, box, ink)


def _other_game(canvas: NDArray[np.float32], rng: Generator, family: str, ink: Colour) -> None:
    """An index like a card's, with a letter that is no rank or a sign that is no suit."""
    style = draw_style(rng)
    strange_rank = rng.random() < 0.5
    words = STRANGE if strange_rank else ("2", "5", "7", "9", "A", "K", "10")
    mask = _words(family, words)[rng.integers(len(words))]
    rank_box, suit_box = index_layout(style, mask, ten=True)
    stamp(canvas, mask, rank_box, ink)
    if strange_rank and rng.random() < 0.4:
        stamp(canvas, own_suits(int(rng.integers(SUIT_VARIANTS)))[rng.integers(4)], suit_box, ink)
    elif rng.random() < 0.5:
        _arms(canvas, rng, suit_box)
    else:
        _symbol(canvas, rng, suit_box, ink)


def _arms(canvas: NDArray[np.float32], rng: Generator, box: tuple[float, float, float, float]) -> None:
    """A suit of another game: a rounded or cornered sign in two or three colours, such as a shield, a bell or a leaf."""
    x0, y0, x1, y1 = (value * PX_PER_MM for value in box)
    count = int(rng.integers(5, 10))
    around = (np.arange(count) + rng.uniform(-0.3, 0.3, count)) * 2 * np.pi / count
    far = rng.uniform(0.3, 0.5, count)
    hull = np.stack([(x0 + x1) / 2 + far * np.cos(around) * (x1 - x0), (y0 + y1) / 2 + far * np.sin(around) * (y1 - y0)], axis=1)
    if rng.random() < 0.5:
        hull = np.float64(cv2.approxPolyDP(np.float32(_rounded(hull)), 0.3, True).reshape(-1, 2))
    rim = tuple(float(v) for v in rng.uniform(0, 120, 3))
    fill = YELLOWS[rng.integers(len(YELLOWS))] if rng.random() < 0.4 else tuple(float(v) for v in rng.uniform(30, 240, 3))
    cv2.fillPoly(canvas, [np.int32(hull)], fill, cv2.LINE_AA)
    inner = np.int32(hull.mean(axis=0) + (hull - hull.mean(axis=0)) * rng.uniform(0.2, 0.7) * rng.uniform(0.5, 1.0, 2))
    cv2.fillPoly(canvas, [inner], tuple(float(v) for v in rng.uniform(0, 255, 3)), cv2.LINE_AA)
    cv2.polylines(canvas, [np.int32(hull)], True, rim, int(rng.integers(1, 3)), cv2.LINE_AA)


def _rounded(corners: NDArray[np.float64], rounds: int = 3) -> NDArray[np.float64]:
    """A polygon with its corners cut off again and again."""
    for _ in range(rounds):
        after = np.roll(corners, -1, axis=0)
        corners = np.stack([0.75 * corners + 0.25 * after, 0.25 * corners + 0.75 * after], axis=1).reshape(-1, 2)
    return corners


def _lines(canvas: NDArray[np.float32], rng: Generator, family: str, ink: Colour) -> None:
    masks, height = _words(family, WORDS), rng.uniform(1.2, 3.5)
    y, left = rng.uniform(2, 8), rng.uniform(1, 6)
    while y < 54:
        x = left
        while x < 34:
            mask = masks[rng.integers(len(masks))]
            width = height * mask.shape[1] / mask.shape[0]
            stamp(canvas, mask, (x, y, x + width, y + height), ink)
            x += width + height * 0.6
        y += height * rng.uniform(1.4, 2.4)


def draw_empty(rng: Generator) -> Tile:
    """What an empty place shows: a dim or bright room out of focus, felt, wood, cloth, a printed outline."""
    canvas = tuple(EMPTY_PLACES.values())[rng.integers(len(EMPTY_PLACES))](rng)
    return Tile(np.clip(canvas, 0, 255).astype(np.uint8), "empty", edge=False)


def _blobs(rng: Generator, grid: tuple[int, int], low: float, high: float) -> NDArray[np.float32]:
    coarse = rng.uniform(low, high, (*grid, 1)) + rng.normal(0, (high - low) * 0.12, (*grid, 3))
    return cv2.resize(coarse.astype(np.float32), TILE_PX, interpolation=cv2.INTER_CUBIC)


def _room(rng: Generator) -> NDArray[np.float32]:
    base = rng.uniform(0, 235)
    span = rng.uniform(2, 90)
    canvas = _blobs(rng, (int(rng.integers(2, 6)), int(rng.integers(2, 5))), base - span / 2, base + span / 2)
    if rng.random() < 0.35:
        at = rng.uniform((0, 0), TILE_PX)
        y, x = np.mgrid[0 : TILE_PX[1], 0 : TILE_PX[0]]
        far = np.hypot(x - at[0], y - at[1]) / rng.uniform(10, 60)
        canvas += rng.uniform(60, 255) * np.exp(-(far[..., None] ** rng.uniform(1, 4)))
    return canvas


def _felt(rng: Generator) -> NDArray[np.float32]:
    colour = rng.uniform(10, 160, 3).astype(np.float32)
    noise = cv2.GaussianBlur(rng.normal(0, 1, (TILE_PX[1], TILE_PX[0])).astype(np.float32), (0, 0), rng.uniform(0.6, 2.0))
    return colour + _blobs(rng, (3, 2), -12, 12) + noise[..., None] * rng.uniform(8, 60)


def _wood(rng: Generator) -> NDArray[np.float32]:
    colour = np.float32([rng.uniform(20, 90), rng.uniform(50, 130), rng.uniform(80, 190)])
    y, x = np.mgrid[0 : TILE_PX[1], 0 : TILE_PX[0]].astype(np.float32) / PX_PER_MM
    if rng.random() < 0.5:
        x, y = y, x
    bend = cv2.resize(rng.normal(0, 4, (4, 4)).astype(np.float32), TILE_PX, interpolation=cv2.INTER_CUBIC)
    grain = np.sin((x + bend) * rng.uniform(0.6, 3)) + 0.5 * np.sin((x + bend * 1.7) * rng.uniform(3, 9))
    canvas = colour + grain[..., None] * rng.uniform(4, 22)
    if rng.random() < 0.4:
        canvas[:, : int(rng.integers(TILE_PX[0])) if rng.random() < 0.5 else 3] *= 0.6
    return canvas


def _cloth(rng: Generator) -> NDArray[np.float32]:
    """A woven or chequered pattern."""
    y, x = np.mgrid[0 : TILE_PX[1], 0 : TILE_PX[0]].astype(np.float32) / PX_PER_MM
    period = rng.uniform(1.0, 14)
    first, second = rng.uniform(20, 240, 3).astype(np.float32), rng.uniform(20, 240, 3).astype(np.float32)
    share = ((np.sin(2 * np.pi * x / period) > 0).astype(np.float32) + (np.sin(2 * np.pi * y / period) > 0)) / 2
    return first * share[..., None] + second * (1 - share[..., None])


def _outline(rng: Generator) -> NDArray[np.float32]:
    canvas = _felt(rng) if rng.random() < 0.5 else np.full((TILE_PX[1], TILE_PX[0], 3), rng.uniform(10, 240), np.float32)
    shade = rng.uniform(0, 255)
    corner = (int(rng.integers(0, 60)), int(rng.integers(0, 60)))
    cv2.rectangle(canvas, corner, (400, 600), (shade, shade, shade), int(rng.integers(1, 8)), cv2.LINE_AA)
    return canvas


EMPTY_PLACES: dict[str, Callable[[Generator], NDArray[np.float32]]] = {
    "rooms out of focus": _room, "felt": _felt, "wood": _wood, "patterned cloth": _cloth, "printed outlines": _outline,
}
"""What an empty place shows; each draws a picture as large as a tile, not yet cut to bytes."""


def draw_hands(rng: Generator, count: int) -> Picture:
    """Textures of skin, sleeves and moving things, `count` x `TILE_PX[1]` x `TILE_PX[0]` x 3."""
    out = np.empty((count, TILE_PX[1], TILE_PX[0], 3), np.uint8)
    for i in range(count):
        if rng.random() < 0.6:
            tone = rng.uniform(0.25, 1.0)
            colour = np.float32([150, 175, 225]) * tone * rng.uniform(0.85, 1.1, 3).astype(np.float32)
        else:
            colour = rng.uniform(5, 230, 3).astype(np.float32)
        canvas = colour + _blobs(rng, (int(rng.integers(2, 6)), int(rng.integers(2, 5))), -35, 25)
        out[i] = np.clip(canvas, 0, 255)
    return out
