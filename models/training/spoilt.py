"""Cards laid down well and then spoilt by a known amount, and windows without a card: what is refused, what is guessed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.cards import DECK
from models.training.artwork import DESIGNS, GNOME, Design, collect, cut_sheet
from models.training.backs import draw_back
from models.training.drawn import draw_deck
from models.training.glyphs import LETTERS
from models.training.others import EMPTY_PLACES, draw_foreign
from models.training.split import part_of
from models.training.tiles import PX_PER_MM, TILE_PX, Box, Picture, Tile, corner
from vision.classifier import Patches
from vision.layout import WINDOW_MM, WINDOW_PX

BoxPx = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels of a window."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile in its window, as a good camera sees it."""

    patch: Picture
    truth: int
    """The card's index in the deck, -1 for what is no card."""
    rank: BoxPx
    suit: BoxPx

    @property
    def index(self) -> BoxPx:
        """Rank and suit together."""
        pairs = zip(self.rank, self.suit, strict=True)
        left, top, right, bottom = (min(pair) if i < 2 else max(pair) for i, pair in enumerate(pairs))
        return left, top, right, bottom


def lay(tile: Tile, rng: Generator) -> Laid:
    """The window of a tile: within a millimetre and two degrees of its place, large enough for its whole index."""
    scale = max(1.0, (tile.suit_box[3] + 2.0) / WINDOW_MM[1])
    at_mm = rng.uniform(-0.3, 1.0, 2) if tile.edge else rng.uniform((1.0, 1.0), (16.0, 22.0))
    px = WINDOW_MM[0] * scale / WINDOW_PX[0]
    angle = np.radians(rng.uniform(-2, 2))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    to_tile = np.column_stack([turn * px * PX_PER_MM, (at_mm + px / 2) * PX_PER_MM - 0.5])
    soft = cv2.GaussianBlur(tile.picture, (0, 0), 0.5 * px * PX_PER_MM)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(soft, to_tile, WINDOW_PX, flags=flags, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    patch = patch * rng.uniform(0.65, 1.0) * rng.uniform(0.92, 1.0, 3) + rng.normal(0, 2.5, patch.shape)
    boxes = [_in_window(box, at_mm, px) for box in (tile.rank_box, tile.suit_box)]
    truth = DECK.index(tile.card) if tile.card is not None else -1
    return Laid(np.clip(patch, 0, 255).astype(np.uint8), truth, boxes[0], boxes[1])


def _in_window(box: Box, at_mm: NDArray[np.float64], px: float) -> BoxPx:
    left, top, right, bottom = (round((value - at_mm[i % 2]) / px) for i, value in enumerate(box))
    return max(0, left), max(0, top), min(WINDOW_PX[0], right), min(WINDOW_PX[1], bottom)


def good(laid: Laid, rng: Generator) -> Picture:
    """Nothing is done to it."""
    return laid.patch


def covered(share: float) -> Callable[[Laid, Generator], Picture]:
    """Paper, skin or a dark sleeve with a straight edge hides `share` of the index from one of four sides."""

    def spoil(laid: Laid, rng: Generator) -> Picture:
        left, top, right, bottom = laid.index
        side = int(rng.integers(4))
        colour = ((235, 238, 240), (120, 150, 205), (45, 40, 40))[rng.integers(3)]
        out = laid.patch.copy()
        across, down = round((right - left) * share), round((bottom - top) * share)
        part = (
            (slice(None), slice(0, left + across)), (slice(None), slice(right - across, None)),
            (slice(0, top + down), slice(None)), (slice(bottom - down, None), slice(None)),
        )[side]
        out[part] = np.clip(np.float32(colour) + rng.normal(0, 3, out[part].shape), 0, 255).astype(np.uint8)
        return out

    return spoil


def moved(length_mm: float) -> Callable[[Laid, Generator], Picture]:
    """Moved by so many millimetres while the picture was taken, in any direction."""

    def spoil(laid: Laid, rng: Generator) -> Picture:
        length = length_mm * WINDOW_PX[0] / WINDOW_MM[0]
        size = 2 * round(length / 2) + 3
        kernel = np.zeros((size, size), np.float32)
        half = np.array([np.cos(angle := rng.uniform(0, np.pi)), np.sin(angle)]) * length / 2
        ends = [tuple(int(v) for v in np.round((size // 2 + sign * half) * 16)) for sign in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_8, 4)
        return np.asarray(cv2.filter2D(laid.patch, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE), np.uint8)

    return spoil


def over_exposed(gain: float) -> Callable[[Laid, Generator], Picture]:
    """So much too much light, and half of it spread over the picture as flare."""

    def spoil(laid: Laid, rng: Generator) -> Picture:
        bright = laid.patch.astype(np.float32) * gain + (gain - 1) * 60
        return np.clip(bright + rng.normal(0, 2, bright.shape), 0, 255).astype(np.uint8)

    return spoil


def glare(share: float) -> Callable[[Laid, Generator], Picture]:
    """A lamp's reflection that burns out a disc as large as `share` of the index's height, on rank or on suit."""

    def spoil(laid: Laid, rng: Generator) -> Picture:
        box = (laid.rank, laid.suit)[rng.integers(2)]
        x, y = (box[0] + box[2]) / 2 + rng.normal(0, 2), (box[1] + box[3]) / 2 + rng.normal(0, 3)
        rows, columns = np.mgrid[0 : WINDOW_PX[1], 0 : WINDOW_PX[0]]
        radius = share * (laid.index[3] - laid.index[1]) / 2
        light = 600 / (1 + np.exp((np.hypot(columns - x, rows - y) - radius) * 0.7))
        return np.clip(laid.patch + light[..., None], 0, 255).astype(np.uint8)

    return spoil


SPOILT: dict[str, Callable[[Laid, Generator], Picture]] = {
    "good windows": good,
    "a third of the index covered": covered(0.33),
    "half of the index covered": covered(0.5),
    "two thirds covered": covered(0.67),
    "moved by 2 mm": moved(2.0),
    "moved by 4 mm": moved(4.0),
    "moved by 7 mm": moved(7.0),
    "2 x too much light": over_exposed(2.0),
    "4 x too much light": over_exposed(4.0),
    "glare on half the index": glare(0.5),
    "glare on the whole index": glare(1.0),
}


def cards_of_the_test(cache: Path, seed: int, families: tuple[str, ...], decks: int = 12) -> list[tuple[str, Tile]]:
    """Every card of the designs of the test and of `decks` decks drawn with `families`, and which sort of deck it is of."""
    rng = np.random.default_rng((seed, 5))
    tiles = [("installed designs", tile) for design in _of_the_test() for tile in collect(design, cache) if tile.card is not None]
    for number in range(decks):
        dark = number % 6 == 5
        sort = "drawn, light on dark" if dark else "drawn, dark on light"
        tiles += [(sort, tile) for tile in draw_deck(rng, families, tuple(LETTERS)[number % len(LETTERS)], dark)]
    return tiles


def spoilt_windows(tiles: list[Tile], seed: int) -> Iterator[tuple[str, Patches, NDArray[np.int64]]]:
    """For every kind of spoiling its name, the windows and the true cards; every kind starts from the same windows."""
    rng = np.random.default_rng((seed, 6))
    laid = [lay(tile, rng) for tile in tiles]
    truth = np.array([one.truth for one in laid], np.int64)
    for name, spoil in SPOILT.items():
        yield name, np.stack([spoil(one, rng) for one in laid]), truth


def no_cards(cache: Path, seed: int, families: tuple[str, ...], count: int = 60) -> dict[str, list[Tile]]:
    """What is no card of a deck: drawn by the program, and what packages install, of designs that never trained."""
    rng = np.random.default_rng((seed, 7))
    installed = [tile for design in _of_the_test() for tile in collect(design, cache)]
    groups = {
        "jokers of installed designs": [tile for tile in installed if tile.kind == "foreign"],
        "backs of installed designs": [tile for tile in installed if tile.kind == "back"],
        "middles of installed cards": [tile for tile in installed if tile.kind == "unreadable"],
        "Swiss suits (swiss-xvii)": _other_suits("swiss-xvii"),
        "jokers, cards of other games, print": [draw_foreign(rng, families) for _ in range(count * 3)],
        "drawn backs": [draw_back(rng) for _ in range(count)],
        "blank cards": [_blank(rng) for _ in range(count)],
    }
    for name, draw in EMPTY_PLACES.items():
        groups[name] = [Tile(np.clip(draw(rng), 0, 255).astype(np.uint8), "empty", edge=False) for _ in range(count)]
    return {name: tiles for name, tiles in groups.items() if tiles}


def no_card_windows(tiles: list[Tile], seed: int, times: int = 4) -> Patches:
    """Windows of such tiles, each a few times at other places."""
    rng = np.random.default_rng((seed, 8))
    return np.stack([lay(tile, rng).patch for tile in tiles for _ in range(times)])


def _of_the_test() -> list[Design]:
    return [design for design in DESIGNS if part_of(design) == "test"]


def _other_suits(name: str) -> list[Tile]:
    faces, _ = cut_sheet(GNOME / f"{name}.svgz")
    return [Tile(corner(face), "foreign") for face in faces.values()]


def _blank(rng: Generator) -> Tile:
    colour = rng.uniform(200, 255) - rng.uniform(0, 30, 3)
    return Tile(np.broadcast_to(colour, (TILE_PX[1], TILE_PX[0], 3)).astype(np.uint8), "unreadable")
