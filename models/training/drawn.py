"""Decks that the recipe draws itself: any system font, any index size, two or four colours, courts of plain shapes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.cards import DECK, Card
from models.training.glyphs import LETTERS, SYMBOL_FONTS, Face, Mask, font_suits, suit_masks, text_masks
from models.training.tiles import PX_PER_MM, TILE_PX, Box, Tile

Colour = tuple[float, float, float]
SUIT_VARIANTS = 160
SPOKEN = (0.52, 0.09, 0.07, 0.12, 0.08, 0.12)
"""Share of each language of `LETTERS`."""
DARK = 0.13
"""Share of decks with light print on dark stock."""

RED_INKS: tuple[Colour, ...] = ((30, 20, 200), (40, 30, 170), (60, 50, 225), (20, 0, 235), (70, 60, 190))
BLACK_INKS: tuple[Colour, ...] = ((15, 15, 15), (40, 35, 35), (60, 40, 30), (25, 30, 25), (50, 50, 50))
GREEN_INKS: tuple[Colour, ...] = ((40, 120, 20), (60, 140, 40), (90, 150, 60), (30, 90, 0))
BLUE_INKS: tuple[Colour, ...] = ((200, 60, 20), (170, 90, 40), (220, 40, 30), (190, 120, 100), (130, 40, 10))
INKS = RED_INKS + BLACK_INKS + BLUE_INKS
GOLD_INKS: tuple[Colour, ...] = ((60, 190, 230), (40, 150, 220), (30, 110, 230), (40, 170, 200))


@dataclass(frozen=True, slots=True)
class Style:
    """How one deck looks."""

    stock: Colour
    inks: tuple[Colour, Colour, Colour, Colour]
    rank_mm: tuple[float, float]
    """Width (of a single letter, at most) and height."""
    suit_mm: tuple[float, float]
    at_mm: tuple[float, float]
    """Middle of the index column, top of the letter."""
    gap_mm: float
    pip_mm: float
    pip_column_mm: float
    frame: bool
    courts: int
    four_corners: bool
    suit_dx_mm: float = 0.0
    """The suit stands so much to the right of the middle of its rank."""
    rim: float = 0.0
    """Share of a sign's height that is its outline; the rest is filled with `fill`. 0: signs are solid."""
    fill: Colour = (255.0, 255.0, 255.0)
    rim_rank: bool = True
    """Whether ranks are outlines, too."""
    line_mm: float = 0.0
    """A line so far within the card's edge runs round it; 0: none."""


def draw_style(rng: Generator) -> Style:
    large = rng.random() < 0.3
    height = rng.uniform(8.5, 15.0) if large else rng.uniform(5.0, 9.5)
    odd = rng.random() < 0.25
    suit = height * (rng.uniform(0.4, 1.5) if odd else rng.uniform(0.5, 1.05))
    suit = min(max(suit, 2.8 if odd else 3.4), 12.0)
    middle = rng.uniform(4.0, 6.5) if not large else rng.uniform(6.0, 9.5)
    rim = rng.random() < 0.18
    return Style(
        stock=_stock(rng),
        inks=_inks(rng),
        rank_mm=(height * rng.uniform(0.5, 0.95), height),
        suit_mm=(suit * rng.uniform(0.8, 1.05), suit),
        at_mm=(middle, rng.uniform(0.8, 7.0) if odd else rng.uniform(2.2, 5.5)),
        gap_mm=rng.uniform(0.5, 2.2),
        pip_mm=rng.uniform(8.0, 13.0),
        pip_column_mm=rng.uniform(15.5, 20.0) if not large else rng.uniform(19.0, 24.0),
        frame=rng.random() < 0.45,
        courts=int(rng.integers(1 << 30)),
        four_corners=rng.random() < 0.1,
        suit_dx_mm=float(rng.uniform(-1.5, 2.0)) if odd else 0.0,
        rim=float(rng.uniform(0.02, 0.07)) if rim else 0.0,
        fill=tuple(float(v) for v in (rng.uniform(0, 255, 3) if rng.random() < 0.4 else np.full(3, 240.0))),  # type: ignore[arg-type]
        rim_rank=rng.random() < 0.6,
        line_mm=float(rng.uniform(0.4, 1.8)) if rng.random() < 0.15 else 0.0,
    )


def _stock(rng: Generator) -> Colour:
    base = rng.uniform(225, 255) if rng.random() < 0.75 else rng.uniform(190, 240)
    tint = rng.uniform(0, 26) if rng.random() < 0.4 else 0.0
    return (base - tint, base - tint * 0.4, base)


def _inks(rng: Generator) -> tuple[Colour, Colour, Colour, Colour]:
    pick = lambda inks: inks[rng.integers(len(inks))]  # noqa: E731
    red, black = pick(RED_INKS), pick(BLACK_INKS)
    kind = rng.random()
    if kind < 0.66:
        return black, red, red, black
    if kind < 0.82:
        return pick(GREEN_INKS), pick(BLUE_INKS), red, black
    if kind < 0.9:
        return pick(GREEN_INKS), pick(GOLD_INKS), red, pick(BLUE_INKS)
    if kind < 0.94:
        return black, pick(GOLD_INKS), red, pick(GREEN_INKS)
    one = pick(BLACK_INKS + BLUE_INKS + RED_INKS + GREEN_INKS)
    return one, one, one, one


@cache
def _rank_masks(face: Face, language: str) -> tuple[Mask, ...]:
    jack, queen, king, ace = LETTERS[language]
    return text_masks((*map(str, range(2, 11)), jack, queen, king, ace), face)


@cache
def own_suits(variant: int) -> tuple[Mask, ...]:
    return suit_masks(variant)


@cache
def _font_suits(family: str) -> tuple[Mask, ...]:
    return font_suits(family)


def draw_deck(
    rng: Generator, families: tuple[str, ...], language: str | None = None, dark: bool | None = None
) -> tuple[Tile, ...]:
    """The 52 corners of one deck of its own style; in `language` and on `dark` stock where that is given."""
    languages = tuple(LETTERS)
    language = language or languages[rng.choice(len(languages), p=SPOKEN)]
    weight, style_name = ("normal", "bold")[rng.integers(2)], "italic" if rng.random() < 0.06 else "normal"
    face = Face(families[rng.integers(len(families))], weight, style_name)
    ranks = _rank_masks(face, language)
    suits = own_suits(int(rng.integers(SUIT_VARIANTS)))
    if rng.random() < 0.35:
        found = _font_suits(SYMBOL_FONTS[rng.integers(len(SYMBOL_FONTS))])
        suits = found if min(mask.size for mask in found) > 400 else suits
    if min(mask.size for mask in ranks) < 200:
        return ()
    style = draw_style(rng)
    inverted = rng.random() < DARK if dark is None else dark
    tiles = [_corner(card, style, ranks[card.rank - 2], suits[card.suit]) for card in DECK]
    if not inverted:
        return tuple(tiles)
    stock, keep = tuple(float(v) for v in rng.uniform(0, 45) + rng.uniform(0, 30, 3)), float(rng.uniform(0.2, 1.0))
    return tuple(_inverted(tile, stock, keep) for tile in tiles)


def _inverted(tile: Tile, stock: Colour, keep: float) -> Tile:
    """Light print on dark stock: brightness is turned over, colours stay; `keep` of it is left to saturated colours."""
    picture = tile.picture.astype(np.float32)
    brightness = picture @ np.float32([0.114, 0.587, 0.299])
    colourful = (picture.max(axis=2) - picture.min(axis=2)) / 255
    turned = picture + ((255 - 2 * brightness) * (1 - keep * colourful))[..., None]
    dark = np.float32(stock)
    turned = dark + np.clip(turned, 0, 255) * (1 - dark / 255)
    return Tile(turned.astype(np.uint8), tile.kind, tile.card, tile.rank_box, tile.suit_box)


def blank(stock: Colour) -> NDArray[np.float32]:
    return np.full((TILE_PX[1], TILE_PX[0], 3), stock, np.float32)


def stamp(canvas: NDArray[np.float32], mask: Mask, box_mm: Box, ink: Colour, turned: bool = False) -> None:
    """Print a mask into a box of the canvas; what lies outside is cut off."""
    x0, y0, x1, y1 = (round(v * PX_PER_MM) for v in box_mm)
    if x1 <= x0 or y1 <= y0:
        return
    scaled = cv2.resize(mask[::-1, ::-1] if turned else mask, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
    left, top = max(0, x0), max(0, y0)
    right, bottom = min(canvas.shape[1], x1), min(canvas.shape[0], y1)
    if right <= left or bottom <= top:
        return
    alpha = scaled[top - y0 : bottom - y0, left - x0 : right - x0, None].astype(np.float32) / 255
    canvas[top:bottom, left:right] = canvas[top:bottom, left:right] * (1 - alpha) + np.float32(ink) * alpha


def index_layout(style: Style, rank: Mask, ten: bool) -> tuple[Box, Box]:
    """Where rank and suit stand: one under the other, both on the middle of the index column."""
    width = min(style.rank_mm[1] * rank.shape[1] / rank.shape[0], style.rank_mm[0] * (1.3 if ten else 1.0))
    middle = max(style.at_mm[0], width / 2 + 1.2)
    top, bottom = style.at_mm[1], style.at_mm[1] + style.rank_mm[1]
    suit_top = bottom + style.gap_mm
    rank_box = (middle - width / 2, top, middle + width / 2, bottom)
    left = max(0.6, middle + style.suit_dx_mm - style.suit_mm[0] / 2)
    return rank_box, (left, suit_top, left + style.suit_mm[0], suit_top + style.suit_mm[1])


def _corner(card: Card, style: Style, rank: Mask, suit: Mask) -> Tile:
    canvas = blank(style.stock)
    ink = style.inks[card.suit]
    if 11 <= card.rank <= 13:
        _court(canvas, card, style, suit)
    else:
        _pips(canvas, card, style, suit)
    if style.line_mm:
        _edge_line(canvas, style)
    rank_box, suit_box = index_layout(style, rank, card.rank == 10)
    for mask, box, outlined in ((rank, rank_box, style.rim_rank), (suit, suit_box, True)):
        stamp(canvas, mask, box, ink)
        if style.rim and outlined:
            stamp(canvas, _core(mask, style.rim), box, style.fill)
    return Tile(np.clip(canvas, 0, 255).astype(np.uint8), "card", card, rank_box, suit_box)


def _edge_line(canvas: NDArray[np.float32], style: Style) -> None:
    """A line along the card's edge, round at the corner as the card is."""
    at, bend = round(style.line_mm * PX_PER_MM), round(3.0 * PX_PER_MM)
    grey = 40.0 + 100.0 * (style.courts % 2)
    ends = ((at, at + bend), (at, canvas.shape[0])), ((at + bend, at), (canvas.shape[1], at))
    for start, end in ends:
        cv2.line(canvas, start, end, (grey, grey, grey), 1 + style.courts % 3 // 2, cv2.LINE_AA)
    cv2.ellipse(canvas, (at + bend, at + bend), (bend, bend), 0, 180, 270, (grey, grey, grey), 1, cv2.LINE_AA)


def _core(mask: Mask, rim: float) -> Mask:
    """A sign without its outline."""
    reach = max(1, round(rim * mask.shape[0]))
    return np.asarray(cv2.erode(mask, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8), borderValue=0), np.uint8)


def _pips(canvas: NDArray[np.float32], card: Card, style: Style, suit: Mask) -> None:
    if style.frame and card.suit % 2 == style.courts % 2:
        x = style.pip_column_mm - style.pip_mm / 2 - 1.5
        cv2.rectangle(canvas, (round(x * 4), 24), (300, 400), (120, 120, 120), 1)
    half = style.pip_mm / 2
    rows = {4: (16,), 5: (16,), 6: (16, 44.5), 7: (16, 44.5), 8: (16, 44.5), 9: (16, 35), 10: (16, 35)}.get(card.rank, ())
    spots = [(style.pip_column_mm, y) for y in rows]
    if card.rank in (2, 3):
        spots.append((31.7, 16))
    if card.rank in (3, 5, 9, 14):
        spots.append((31.7, 44.5))
    for x, y in spots:
        stamp(canvas, suit, (x - half, y - half, x + half, y + half), style.inks[card.suit])


def _court(canvas: NDArray[np.float32], card: Card, style: Style, suit: Mask) -> None:
    """A frame with a figure of plain shapes, different for every card, the same for a style."""
    rng = np.random.default_rng((style.courts, card.rank, card.suit))
    x = style.pip_column_mm - rng.uniform(2.0, 5.0)
    left, top = round(x * PX_PER_MM), round(rng.uniform(4, 9) * PX_PER_MM)
    if style.frame:
        cv2.rectangle(canvas, (left, top), (400, 400), (90, 60, 60), 1 + int(rng.integers(2)))
    colours = [tuple(float(v) for v in rng.uniform(20, 235, 3)) for _ in range(5)]
    for colour in colours * 2:
        points = rng.uniform((left + 6, top + 8), (left + 110, top + 190), (int(rng.integers(3, 6)), 2)).astype(np.int32)
        cv2.fillPoly(canvas, [points], colour, cv2.LINE_AA)
    cv2.circle(canvas, (left + 60, top + 70), 26, (170, 205, 240), -1, cv2.LINE_AA)
    half, px = style.pip_mm / 2, x + style.pip_mm / 2 + 1
    stamp(canvas, suit, (px - half, 12 - half + 4, px + half, 12 + half + 4), style.inks[card.suit])
