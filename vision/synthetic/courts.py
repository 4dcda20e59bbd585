"""Court figures of our own drawing: half a figure in a frame, mirrored about the middle of the card.

Coordinates are millimetres from the middle of the card, y down; the upper half is drawn, then turned by 180 degrees.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.cards import Card, Rank, Suit
from vision.synthetic.pen import Bgr, Points, fill, line, oval, trace

Canvas = NDArray[np.uint8]

COURT_STYLES = ("classic", "flat", "line")
"""Many colours with outlines, a few flat colours, or black lines with one colour."""


@dataclass(frozen=True, slots=True)
class Palette:
    """The inks of a court figure."""

    line: Bgr
    first: Bgr
    second: Bgr
    third: Bgr
    skin: Bgr
    hair: Bgr


def court_palette(style: str, suit: Suit, rank: Rank, ink: Bgr) -> Palette:
    """The inks for one figure of a deck with court figures in `style`."""
    if style == "line":
        return Palette(ink, ink, (250, 250, 250), (205, 205, 205), (250, 250, 250), (250, 250, 250))
    red, blue, gold, black = (40, 36, 196), (150, 78, 30), (40, 190, 245), (38, 34, 32)
    inks = (red, gold, blue) if (suit in (Suit.HEARTS, Suit.SPADES)) == (rank is not Rank.QUEEN) else (blue, gold, red)
    if style == "flat":
        pale = tuple(int(0.45 * c + 0.55 * 235) for c in ink)
        dark = tuple(int(0.55 * c) for c in ink)
        return Palette(black, ink, (pale[0], pale[1], pale[2]), (dark[0], dark[1], dark[2]), (196, 214, 240), black)
    hair = gold if suit in (Suit.HEARTS, Suit.DIAMONDS) else (60, 90, 140)
    return Palette(black, *inks, (225, 234, 248), hair)


Weave = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.bool_]]
"""Says for x, y in millimetres where the second ink of a pattern goes."""


class _Sheet:
    """Half a figure being drawn: a canvas whose millimetres count from the middle of its bottom edge."""

    def __init__(self, width_mm: float, height_mm: float, px_per_mm: float, paper: Bgr, palette: Palette) -> None:
        self.scale = px_per_mm
        self.palette = palette
        self.canvas: Canvas = np.full((round(height_mm * px_per_mm), round(width_mm * px_per_mm), 3), paper, np.uint8)
        self.origin = np.array([width_mm / 2, height_mm])

    def at(self, points: Points) -> Points:
        return np.asarray((points + self.origin) * self.scale, dtype=np.float64)

    def area(self, points: Points, colour: Bgr, outline: float = 0.32) -> None:
        """Fill a shape and draw its outline, `outline` millimetres thick."""
        fill(self.canvas, self.at(points), colour, smooth=True)
        if outline:
            line(self.canvas, self.at(points), self.palette.line, outline * self.scale, closed=True)

    def shape(self, path: str, colour: Bgr, outline: float = 0.32) -> None:
        for points in trace(path):
            self.area(points, colour, outline)

    def pair(self, path: str, colour: Bgr, outline: float = 0.32) -> None:
        """A shape and its reflection."""
        for points in trace(path):
            self.area(points, colour, outline)
            self.area(points * np.array([-1.0, 1.0]), colour, outline)

    def lines(self, path: str, thickness: float = 0.32, colour: Bgr | None = None) -> None:
        for points in trace(path):
            line(self.canvas, self.at(points), colour or self.palette.line, thickness * self.scale)

    def disc(self, x: float, y: float, radius: float, colour: Bgr, outline: float = 0.25) -> None:
        self.area(oval(x, y, radius, radius, steps=28), colour, outline)

    def woven(self, path: str, weave: Weave, inks: tuple[Bgr, Bgr]) -> None:
        """Fill a shape with a pattern of two inks."""
        for points in trace(path):
            mask = np.zeros(self.canvas.shape[:2], np.uint8)
            fill(mask, self.at(points), 255)
            rows, columns = np.nonzero(mask)
            x, y = columns / self.scale - self.origin[0], rows / self.scale - self.origin[1]
            self.canvas[rows, columns] = np.where(weave(x, y)[:, None], inks[1], inks[0]).astype(np.uint8)
            line(self.canvas, self.at(points), self.palette.line, 0.32 * self.scale, closed=True)

_WEAVES: tuple[Weave, ...] = (
    lambda x, y: (np.floor((x + y) / 1.5) % 2) == 0,
    lambda x, y: np.hypot((x % 3.0) - 1.5, (y % 3.0) - 1.5) < 0.8,
    lambda x, y: (np.floor((x + y) / 2.2) + np.floor((x - y) / 2.2)) % 2 == 0,
    lambda x, y: (np.floor((y + np.abs(x) * 0.8) / 1.6) % 2) == 0,
    lambda x, y: (np.floor(x / 1.2) % 3) == 0,
)


def _robe(sheet: _Sheet, rank: Rank, weave: int) -> None:
    ink = sheet.palette
    body = "M -6 -17 C -12 -16 -18 -14 -19.5 -9 L -20.5 3 L 20.5 3 L 19.5 -9 C 18 -14 12 -16 6 -17 Z"
    sheet.woven(body, _WEAVES[weave % len(_WEAVES)], (ink.second, ink.first))
    sheet.pair("M -6 -17 L -2.5 3 L -9 3 L -11.5 -15.5 Z", ink.third)
    panel = {Rank.KING: "M -4 -17 L 4 -17 L 3.4 3 L -3.4 3 Z", Rank.QUEEN: "M -5 -17 L 5 -17 L 0 2 Z"}
    sheet.shape(panel.get(rank, "M -5 -17 L 5 -17 L 5 -11 L 2 3 L -2 3 L -5 -11 Z"), ink.first)
    for y in np.arange(-14.0, 0.0, 3.2):
        sheet.disc(0.0, float(y), 0.95, ink.second)
    # sleeves with cuffs
    sheet.pair("M -20 -9 C -15 -8 -13.5 -5 -13 3 L -20.8 3 Z", ink.first)
    sheet.lines("M -19.6 -5.5 L -14 -3.6 M -20 -2.5 L -13.4 -1 M 19.6 -5.5 L 14 -3.6 M 20 -2.5 L 13.4 -1", 0.5, ink.second)


def _collar(sheet: _Sheet, rank: Rank) -> None:
    ink = sheet.palette
    if rank is Rank.QUEEN:
        for angle in np.linspace(0.15, np.pi - 0.15, 9):
            sheet.disc(8.4 * float(np.cos(angle)), -19.5 + 4.2 * float(np.sin(angle)), 1.45, ink.second)
    elif rank is Rank.KING:
        sheet.shape("M -8.5 -19 L 8.5 -19 L 11 -14.5 L 0 -11.5 L -11 -14.5 Z", (238, 238, 238))
        for x in (-8.0, -5.0, 5.0, 8.0):
            sheet.disc(x, -15.6, 0.55, ink.line, 0)
    else:
        sheet.shape("M -7 -19.5 L 7 -19.5 L 9.5 -14.5 L 4.5 -16 L 0 -12.5 L -4.5 -16 L -9.5 -14.5 Z", ink.second)


def _hair(sheet: _Sheet, rank: Rank) -> None:
    ink = sheet.palette
    low = {Rank.KING: -17.5, Rank.QUEEN: -14.0, Rank.JACK: -18.0}[rank]
    wide = {Rank.KING: 8.6, Rank.QUEEN: 9.2, Rank.JACK: 8.4}[rank]
    fall = f"C {wide} -32 {wide + .6} -26 {wide} {low - 2}"
    curl = f"C {wide + 1.2} {low} {wide - 3} {low + 1} {wide - 4.4} {low - 1.4}"
    sheet.pair(f"M 0 -31.5 {fall} {curl} L 0 -26 Z", ink.hair)
    for i in range(3):
        y = low - 1.8 - 2.9 * i
        for s in (1, -1):
            sheet.lines(f"M {5.6 * s} {y} C {(wide - .5) * s} {y - 1.5} {(wide - .3) * s} {y + 1.4} {(wide - 2) * s} {y + .6}")


def _face(sheet: _Sheet, rank: Rank) -> None:
    ink = sheet.palette
    chin = -17.6 if rank is not Rank.KING else -17.0
    cheeks = f"C 6.1 -22.5 4.6 {chin - .6} 0 {chin} C -4.6 {chin - .6} -6.1 -22.5 -5.4 -28.5"
    sheet.shape(f"M -5.4 -28.5 L 5.4 -28.5 {cheeks} Z", ink.skin)
    sheet.lines("M -4.2 -26.6 C -3.4 -27.4 -2 -27.3 -1.2 -26.6 M 4.2 -26.6 C 3.4 -27.4 2 -27.3 1.2 -26.6", 0.4)
    sheet.lines("M -4 -25 C -3.2 -25.8 -2 -25.7 -1.3 -24.9 M 4 -25 C 3.2 -25.8 2 -25.7 1.3 -24.9", 0.35)
    for x in (-2.5, 2.7):
        sheet.disc(x, -24.9, 0.5, ink.line, 0)
    sheet.lines("M .9 -25.4 L 1.3 -22.6 C 1.1 -22 .1 -22 -.5 -22.4", 0.32)
    if rank is Rank.KING:
        cheeks = "M -5.2 -22.6 C -4 -20.8 -2 -21.4 0 -21.4 C 2 -21.4 4 -20.8 5.2 -22.6"
        sheet.shape(f"{cheeks} C 5.6 -18 4 -15.5 0 -14 C -4 -15.5 -5.6 -18 -5.2 -22.6 Z", ink.hair)
        sheet.lines("M -2.8 -18.8 C -2.6 -17.6 -2 -16.6 -1.2 -15.8 M 0 -18.6 L 0 -15 M 2.8 -18.8 C 2.6 -17.6 2 -16.6 1.2 -15.8")
        right, left = "C 1.5 -22.4 3.6 -21.8 4.2 -20.6 C 2.6 -20.4 1 -20.4 0 -20.9", "C -1 -20.4 -2.6 -20.4 -4.2 -20.6"
        sheet.shape(f"M 0 -21.6 {right} {left} C -3.6 -21.8 -1.5 -22.4 0 -21.6 Z", ink.hair)
    sheet.lines("M -1.5 -20.2 C -.6 -19.7 .6 -19.7 1.5 -20.2", 0.55, (60, 50, 190) if ink.first != ink.line else ink.line)


def _crown(sheet: _Sheet, rank: Rank, kind: int) -> None:
    ink = sheet.palette
    if rank is Rank.KING:
        points = 5 if kind % 2 else 3
        step = 15.0 / points
        valleys = [-31.6] * (points - 1) + [-34.5]
        zigzag = " ".join(f"L {-7.5 + (i + .5) * step} -37 L {-7.5 + (i + 1) * step} {y}" for i, y in enumerate(valleys))
        sheet.shape(f"M -6.6 -28.6 L -7.5 -34.5 {zigzag} L 6.6 -28.6 Z", ink.second)
        for i in range(points):
            sheet.disc(-7.5 + (i + 0.5) * step, -37.0, 0.8, ink.first)
        sheet.shape("M -6.8 -30.8 L 6.8 -30.8 L 6.5 -28.2 L -6.5 -28.2 Z", ink.first)
        for x in (-4.2, -1.4, 1.4, 4.2):
            sheet.disc(x, -29.5, 0.55, ink.second, 0)
    elif rank is Rank.QUEEN:
        sheet.shape("M -6.6 -28.4 C -8 -33 -4 -35.5 0 -35.5 C 4 -35.5 8 -33 6.6 -28.4 C 3 -30 -3 -30 -6.6 -28.4 Z", ink.third)
        for angle in np.linspace(0.5, np.pi - 0.5, 5 + kind % 2):
            sheet.disc(7.4 * float(np.cos(angle)), -29.6 - 5.8 * float(np.sin(angle)), 1.0, ink.second)
        sheet.lines("M -6.2 -29.2 C -3 -30.8 3 -30.8 6.2 -29.2", 0.7, ink.second)
    else:
        sheet.shape("M -8 -28 L 8 -28 L 8.6 -31 C 6 -35.4 -7 -35.4 -8.6 -31 Z", ink.first)
        sheet.shape("M -8.2 -28 L 8.2 -28 L 8.4 -29.8 L -8.4 -29.8 Z", ink.second)
        if kind % 2:
            sheet.shape("M 6 -31 C 10 -34 12.5 -37.5 11 -38.5 C 7.5 -38 5 -35 4.2 -31.4 Z", ink.third)
            sheet.lines("M 5 -31.4 L 10.6 -37.8")
        else:
            for x in (-5.0, 0.0, 5.0):
                sheet.disc(x, -31.8, 0.9, ink.third)


def _emblem(sheet: _Sheet, rank: Rank, suit: Suit) -> None:
    """What the figure holds: a sword, a flower, a pole."""
    ink = sheet.palette
    side = 1.0 if suit in (Suit.CLUBS, Suit.HEARTS) else -1.0

    def turned(path: str) -> list[Points]:
        return [points * np.array([side, 1.0]) for points in trace(path)]

    if rank is Rank.KING:
        blade, guard = "M 13.8 -12 L 13.8 -33 L 15 -36 L 16.2 -33 L 16.2 -12 Z", "M 11 -13 L 19 -13 L 19 -11.4 L 11 -11.4 Z"
        parts = ((blade, (232, 226, 222)), (guard, ink.second))
    elif rank is Rank.QUEEN:
        stem = "M 14.6 -20 L 15.4 -20 L 15.8 -8 L 14.2 -8 Z"
        leaf = "M 15 -16 C 17 -18 18.5 -17.5 18.6 -16 C 17.5 -14.8 16 -15 15 -16 Z"
        parts = ((stem, (70, 120, 40)), (leaf, (70, 120, 40)))
    else:
        pole, axe = "M 14.5 -36 L 15.5 -36 L 15.5 3 L 14.5 3 Z", "M 15.4 -36 C 19.6 -34 19.6 -28 15.4 -26 Z"
        parts = ((pole, ink.third), (axe, (225, 220, 216)))
    for path, colour in parts:
        for points in turned(path):
            sheet.area(points, colour if ink.first != ink.line else ink.second)
    if rank is Rank.QUEEN:
        for angle in np.linspace(0, 2 * np.pi, 6)[:-1]:
            sheet.disc(side * (15 + 1.7 * float(np.cos(angle))), -21.6 + 1.7 * float(np.sin(angle)), 1.25, ink.first)
        sheet.disc(side * 15.0, -21.6, 1.1, ink.second)
    for points in turned("M 12.4 -10.6 C 13 -12 17 -12 17.6 -10.6 L 17.2 -7.4 L 13 -7.4 Z"):
        sheet.area(points, ink.skin)
    for points in turned("M 12.2 -7.6 L 17.8 -7.6 L 18.4 -5 L 12 -5 Z"):
        sheet.area(points, ink.second)


def court_figure(card: Card, style: str, ink: Bgr, paper: Bgr, size_mm: tuple[float, float], px_per_mm: float) -> Canvas:
    """The two-headed figure of a court card, `size_mm` wide and high."""
    width, height = size_mm
    palette = court_palette(style, card.suit, card.rank, ink)
    scale = px_per_mm * 2
    sheet = _Sheet(width, height / 2, scale, paper, palette)
    # figures were drawn for a half of 40 mm; smaller frames shrink them
    sheet.scale = scale * min(height / 2 / 39.5, width / 42.5)
    sheet.origin = np.array([width / 2, height / 2]) * scale / sheet.scale
    kind = int(card.suit) + int(card.rank)
    _hair(sheet, card.rank)
    _robe(sheet, card.rank, kind)
    _collar(sheet, card.rank)
    _face(sheet, card.rank)
    _crown(sheet, card.rank, kind)
    _emblem(sheet, card.rank, card.suit)
    half = sheet.canvas
    whole = np.concatenate([half, half[::-1, ::-1]])
    return np.asarray(cv2.resize(whole, (round(width * px_per_mm), round(height * px_per_mm)), interpolation=cv2.INTER_AREA))
