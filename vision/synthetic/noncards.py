"""Pictures without a playing card that could be named: backs, jokers, blank and business cards, hands, tables, cloth, print."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import cv2
import numpy as np
from numpy.random import Generator

from vision.frame import Image
from vision.synthetic.art import CARD_PX
from vision.synthetic.decks import STYLES, draw_deck, random_style
from vision.synthetic.exposure import exposed
from vision.synthetic.grounds import checks, finished, flowers, ground, plain, stripes
from vision.synthetic.photographs import Print, photograph
from vision.synthetic.scene import SKINS, SLEEVES, HandShadow
from vision.synthetic.sprites import Sprites, lay, warp

_FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_COMPLEX_SMALL,
)
_SYLLABLES = ("ka", "7", "ro", "Qu", "den", "A", "li", "10", "Jo", "ster", "2", "mo", "K", "tan", "9", "vi", "the", "5", "ber")
_SCENES = ("single", "several", "fan", "crop")


def noncards(seed: int, each: int = 8) -> Iterator[tuple[str, Image]]:
    """`each` pictures of every kind, with the kind's name."""
    for number, (kind, draw) in enumerate(KINDS.items()):
        for turn in range(each):
            yield kind, draw(np.random.default_rng((seed, number, turn)))


def _scene(rng: Generator, draw: Callable[[Generator], Image]) -> Image:
    """Some of what `draw` draws, lying about as cards do."""
    scene = _SCENES[int(rng.integers(len(_SCENES)))]
    return photograph(rng, [Print(draw(rng), None) for _ in range(int(rng.integers(1, 5)))], scene).image


def _back(rng: Generator) -> Image:
    style = STYLES[int(rng.integers(len(STYLES)))] if rng.random() < 0.3 else random_style(rng)
    return draw_deck(style).back()


def _joker(rng: Generator) -> Image:
    style = STYLES[int(rng.integers(len(STYLES)))] if rng.random() < 0.3 else random_style(rng)
    return draw_deck(replace(style, joker=("word", "star")[int(rng.integers(2))])).joker()


def _blank(rng: Generator) -> Image:
    card = np.empty((CARD_PX[1], CARD_PX[0], 3), np.uint8)
    card[:] = np.clip(rng.uniform(215, 255) + rng.normal(0, 6, 3), 0, 255)
    if rng.random() < 0.4:
        inset = int(rng.integers(15, 50))
        cv2.rectangle(card, (inset, inset), (CARD_PX[0] - inset, CARD_PX[1] - inset), _ink(rng), int(rng.integers(1, 6)))
    return card


def _business(rng: Generator) -> Image:
    """A name, a title, numbers; across the card, as most are, or along it."""
    across = bool(rng.random() < 0.7)
    size = (CARD_PX[1], CARD_PX[0]) if across else CARD_PX
    card = np.empty((size[1], size[0], 3), np.uint8)
    card[:] = np.clip(rng.uniform(210, 255) + rng.normal(0, 8, 3), 0, 255)
    if rng.random() < 0.6:
        middle = (int(rng.integers(60, size[0] - 60)), int(rng.integers(60, 160)))
        cv2.circle(card, middle, int(rng.integers(20, 60)), _ink(rng), -1)
    y = int(rng.integers(40, 120))
    for _ in range(int(rng.integers(3, 8))):
        height = rng.uniform(0.6, 2.2)
        _write(card, _words(rng, 3), (int(rng.integers(10, 60)), y), height, _ink(rng), _font(rng))
        y += round(40 * height)
    return np.ascontiguousarray(np.rot90(card)) if across else card


def _page(rng: Generator) -> Image:
    """A page of a book or a newspaper, held straight or askew."""
    page = finished(plain(rng, (900, 1200)) * 0.1 + 225)
    size, font, ink = rng.uniform(0.45, 1.2), _font(rng), (int(rng.integers(10, 70)),) * 3
    for column in range(columns := int(rng.integers(1, 4))):
        for y in np.arange(60, 1150, 38 * size):
            words = _words(rng, round(16 / size / columns))
            _write(page, words, (50 + column * 820 // columns, round(float(y))), size, ink, font)
    if rng.random() < 0.6:
        _write(page, _words(rng, 3), (60, 50), rng.uniform(1.5, 2.5), ink, font)
    turn = cv2.getRotationMatrix2D((450, 600), rng.uniform(0, 360), rng.uniform(0.7, 1.4))
    return exposed(rng, cv2.warpAffine(page, turn, (1000, 1000), borderMode=cv2.BORDER_REPLICATE).astype(np.float32), rough=False)


def _hand(rng: Generator) -> Image:
    """A hand on a table, with or without a card's back below it."""
    below = [Print(_back(rng), None)] if rng.random() < 0.5 else []
    table = photograph(rng, below, "single").image if below else ground(rng, (900, 700))
    table = table.copy()
    scale = rng.uniform(2.0, 4.5)
    sprites = Sprites(draw_deck(STYLES[0]), scale, scale)
    for _ in range(int(rng.integers(1, 3))):
        at = rng.uniform((0.3, 0.3), (0.7, 0.7)) * (table.shape[1], table.shape[0]) / scale
        skin, sleeve = int(rng.integers(len(SKINS))), int(rng.integers(len(SLEEVES)))
        shape = HandShadow(float(at[0]), float(at[1]), rng.uniform(0, 360), skin=skin, sleeve=sleeve)
        lay(table, warp(sprites.hand(shape, 0.0), sprites.hand_matrix(shape, (0.0, 0.0)), (table.shape[1], table.shape[0])))
    return exposed(rng, table.astype(np.float32), rough=False)


def _table(rng: Generator) -> Image:
    return exposed(rng, ground(rng, (1000, 750)).astype(np.float32), rough=bool(rng.random() < 0.3))


def _cloth(rng: Generator) -> Image:
    draw = (checks, stripes, flowers)[int(rng.integers(3))]
    return exposed(rng, draw(rng, (1000, 750)), rough=False)


def _keys(rng: Generator) -> Image:
    """A keyboard, a calendar, a sheet of tickets: single signs in rows of boxes."""
    dark = bool(rng.random() < 0.5)
    board = np.full((700, 1000, 3), 40 if dark else 200, np.uint8)
    wide, font = int(rng.integers(50, 110)), _font(rng)
    for y in range(10, 690, wide + 10):
        for x in range(10, 990, wide + 10):
            corner = (x + wide, y + wide)
            cv2.rectangle(board, (x, y), corner, (70, 70, 70) if dark else (245, 245, 245), -1)
            sign = _SYLLABLES[int(rng.integers(len(_SYLLABLES)))]
            _write(board, sign, (x + 6, y + round(wide * 0.55)), wide / 60, (230, 230, 230) if dark else _ink(rng), font)
    turn = cv2.getRotationMatrix2D((500, 350), rng.normal(0, 25), rng.uniform(0.9, 1.3))
    return exposed(rng, cv2.warpAffine(board, turn, (1000, 700), borderMode=cv2.BORDER_REPLICATE).astype(np.float32), rough=False)


def _ink(rng: Generator) -> tuple[int, int, int]:
    dark, light = int(rng.integers(20, 60)), int(rng.integers(150, 220))
    return (dark, dark, light) if rng.random() < 0.3 else (dark, dark, dark)


def _font(rng: Generator) -> int:
    return _FONTS[int(rng.integers(len(_FONTS)))]


def _words(rng: Generator, count: int) -> str:
    words = ("".join(rng.choice(_SYLLABLES, int(rng.integers(1, 4)))) for _ in range(count))
    return " ".join(words)


def _write(picture: Image, text: str, at: tuple[int, int], size: float, ink: tuple[int, ...], font: int) -> None:
    cv2.putText(picture, text, at, font, size, ink, max(1, round(size * 1.6)), cv2.LINE_AA)


KINDS: dict[str, Callable[[Generator], Image]] = {
    "back": lambda rng: _scene(rng, _back),
    "joker": lambda rng: _scene(rng, _joker),
    "blank card": lambda rng: _scene(rng, _blank),
    "business card": lambda rng: _scene(rng, _business),
    "hand": _hand,
    "empty table": _table,
    "patterned cloth": _cloth,
    "book page": _page,
    "keys and tickets": _keys,
}
"""Every kind of picture, by its name."""
