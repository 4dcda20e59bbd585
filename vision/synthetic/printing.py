"""Printing the faces and the back of a deck in a given style."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.cards import Card, Rank, Suit
from vision.frame import Image
from vision.layout import CARD_MM
from vision.synthetic.art import CARD_PX, PX_PER_MM
from vision.synthetic.backs import draw_back
from vision.synthetic.courts import court_figure
from vision.synthetic.glyphs import JOKER_WORD, LETTERS, glyph_mask
from vision.synthetic.pen import Bgr, Mask, ink, line, oval, trace
from vision.synthetic.styles import BLUE, DeckStyle
from vision.synthetic.suits import suit_mask

# per rank the pips of the upper half and the middle: column, height in parts of the card
_TOP, _UPPER, _MIDDLE = 0.2, 0.4, 0.5
_PIPS: dict[Rank, tuple[tuple[int, float], ...]] = {
    Rank.TWO: ((1, _TOP),),
    Rank.THREE: ((1, _TOP), (1, _MIDDLE)),
    Rank.FOUR: ((0, _TOP), (2, _TOP)),
    Rank.FIVE: ((0, _TOP), (2, _TOP), (1, _MIDDLE)),
    Rank.SIX: ((0, _TOP), (2, _TOP), (0, _MIDDLE), (2, _MIDDLE)),
    Rank.SEVEN: ((0, _TOP), (2, _TOP), (0, _MIDDLE), (2, _MIDDLE), (1, -0.35)),
    Rank.EIGHT: ((0, _TOP), (2, _TOP), (0, _MIDDLE), (2, _MIDDLE), (1, 0.35)),
    Rank.NINE: ((0, _TOP), (2, _TOP), (0, _UPPER), (2, _UPPER), (1, _MIDDLE)),
    Rank.TEN: ((0, _TOP), (2, _TOP), (0, _UPPER), (2, _UPPER), (1, 0.3)),
}


class Printer:
    """Draws the pictures of one style; keeps its letters and signs."""

    def __init__(self, style: DeckStyle) -> None:
        self.style = style
        self._signs: dict[tuple[Suit, float], Mask] = {}
        self._letters: dict[Rank, Mask] = {}
        self._rim: NDArray[np.float32] | None = None
        self._blank = np.full((CARD_PX[1], CARD_PX[0], 3), style.stock, np.uint8)
        self._rng = np.random.default_rng(style.seed)
        self._grain = self._rng.normal(0, 1, (CARD_PX[1] // 2 + 1, CARD_PX[0] // 2 + 1)).astype(np.float32)

    def _sign(self, suit: Suit, height_mm: float) -> Mask:
        key = (suit, height_mm)
        if key not in self._signs:
            self._signs[key] = suit_mask(suit, self.style.shapes, height_mm * PX_PER_MM)
        return self._signs[key]

    def _greasy_rim(self) -> NDArray[np.float32]:
        """How much darker fingers have made the rim."""
        if self._rim is None:
            y, x = np.mgrid[0 : CARD_PX[1], 0 : CARD_PX[0]].astype(np.float32)
            inwards = np.minimum(np.minimum(x, CARD_PX[0] - x), np.minimum(y, CARD_PX[1] - y)) / PX_PER_MM
            self._rim = np.asarray(0.16 * np.exp(-inwards / 1.4), dtype=np.float32)
        return self._rim

    def _letter(self, rank: Rank) -> Mask:
        if rank not in self._letters:
            self._letters[rank] = glyph_mask(self.style.font, LETTERS[rank], self.style.index_mm * PX_PER_MM)
        return self._letters[rank]

    def _paper(self) -> Image:
        return self._blank.copy()

    def _pips(self, page: Image, card: Card) -> None:
        colour = self.style.colour(card.suit)
        mask = self._sign(card.suit, 34.0 if card.suit is Suit.SPADES else 22.0) if card.rank is Rank.ACE else None
        if mask is not None:
            _centred(page, mask, CARD_PX[0] / 2, CARD_PX[1] / 2, colour)
            return
        mask = self._sign(card.suit, self.style.pip_mm)
        # pips stand at three tenths of the width, further in where a large index needs the room
        index_edge = self.style.index_x_mm * 2 + self.style.pip_mm * 0.45
        left = float(np.clip(index_edge / CARD_MM[0], 0.295, 0.37))
        columns = (left, 0.5, 1.0 - left)
        for column, height in _PIPS[card.rank]:
            x, y = columns[column] * CARD_PX[0], abs(height) * CARD_PX[1]
            _centred(page, mask, x, y, colour)
            # a height below zero marks the lone upper pip of the seven
            if 0 < height < _MIDDLE:
                _centred(page, mask, x, y, colour, turned=True)

    def _court(self, page: Image, card: Card) -> None:
        style = self.style
        colour = style.colour(card.suit)
        # the figure leaves the index column free
        x, y = round(max(9.5, style.index_x_mm * 2 - 1.2) * PX_PER_MM), round((7.5 if style.frame else 5.0) * PX_PER_MM)
        width, height = CARD_PX[0] - 2 * x, CARD_PX[1] - 2 * y
        figure = court_figure(card, style.court, colour, style.stock, (width / PX_PER_MM, height / PX_PER_MM), PX_PER_MM)
        page[y : y + height, x : x + width] = figure
        sign = self._sign(card.suit, style.pip_mm * 0.8)
        inset = 1.2 * PX_PER_MM
        for turned in (False, True):
            _centred(page, sign, x + inset + sign.shape[1] / 2, y + inset + sign.shape[0] / 2, colour, turned)
        if style.frame:
            corners = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], dtype=np.float64)
            line(page, corners - 0.5, style.black if style.court != "line" else colour, 0.35 * PX_PER_MM, closed=True)

    def _indices(self, page: Image, letter: Mask, sign: Mask, colour: Bgr) -> None:
        style = self.style
        x = style.index_x_mm * PX_PER_MM
        y = (style.index_y_mm + style.index_mm / 2) * PX_PER_MM
        below = (style.index_y_mm + style.index_mm * 1.13 + style.index_sign_mm / 2) * PX_PER_MM
        for mask, height in ((letter, y), (sign, below)):
            # a wide 10 keeps its distance from the edge
            inked = np.flatnonzero(mask.any(axis=0))
            at = max(x, 1.3 * PX_PER_MM + mask.shape[1] / 2 - float(inked[0]))
            for place in [at] if style.indices == 2 else [at, CARD_PX[0] - at]:
                _centred(page, mask, place, height, colour)
                _centred(page, mask, place, height, colour, turned=True)

    def _worn(self, page: Image, number: int) -> Image:
        wear = self.style.wear
        if wear <= 0:
            return page
        rng = np.random.default_rng((self.style.seed, number))
        # ink rubs off where the paper is rough; every card has its own spots of the deck's grain
        grain = np.roll(self._grain, tuple(int(n) for n in rng.integers(0, 200, 2)), axis=(0, 1))
        fine = cv2.resize(grain, CARD_PX, interpolation=cv2.INTER_LINEAR)
        coarse = cv2.resize(grain[:24, :17] if number % 2 else grain[24:48, :17], CARD_PX, interpolation=cv2.INTER_CUBIC)
        rubbed = np.clip((fine + 0.7 * coarse - (2.6 - 1.5 * wear)) * 1.5, 0, 0.75 * wear).astype(np.float32)
        faded = cv2.blendLinear(page, self._paper(), 1.0 - rubbed, rubbed)
        dirt = (1.0 - wear * (self._greasy_rim() + 0.03 * np.clip(coarse, 0, 1))).astype(np.float32)
        worn_page = np.asarray(cv2.multiply(faded, cv2.merge([dirt, dirt, dirt]), dtype=cv2.CV_8U), dtype=np.uint8)
        for _ in range(int(rng.integers(0, 1 + round(4 * wear)))):
            ends = rng.uniform(0, 1, (2, 2)) * np.asarray(CARD_PX)
            line(worn_page, ends, tuple(int(c * 0.93) for c in self.style.stock), 1)  # type: ignore[arg-type]  # three numbers
        return worn_page

    def face(self, card: Card) -> Image:
        page = self._paper()
        colour = self.style.colour(card.suit)
        if Rank.JACK <= card.rank <= Rank.KING:
            self._court(page, card)
        else:
            self._pips(page, card)
        self._indices(page, self._letter(card.rank), self._sign(card.suit, self.style.index_sign_mm), colour)
        return self._worn(page, int(card.suit) * 13 + int(card.rank))

    def back(self) -> Image:
        style = self.style
        return self._worn(draw_back(style.back, style.back_colour, style.stock, CARD_PX, PX_PER_MM), 90)

    def joker(self) -> Image:
        """A star or a word for an index, and a fool's cap in the middle."""
        page = self._paper()
        if self.style.joker == "word":
            self._word(page)
        else:
            self._star(page)
        self._cap(page)
        return self._worn(page, 91)

    def _star(self, page: Image) -> None:
        angle = np.linspace(0, 2 * np.pi, 11)[:-1] - np.pi / 2
        ray = np.where(np.arange(10) % 2 == 0, 1.0, 0.4)
        star = np.stack([np.cos(angle) * ray, np.sin(angle) * ray], axis=1)
        for turn in (1.0, -1.0):
            middle = np.array([self.style.index_x_mm, self.style.index_y_mm + 4.0]) - np.asarray(CARD_MM) / 2
            place = (turn * (middle + star * 3.8) + np.asarray(CARD_MM) / 2) * PX_PER_MM
            cv2.fillPoly(page, [np.round(place * 16).astype(np.int32)], self.style.black, cv2.LINE_AA, 4)

    def _word(self, page: Image) -> None:
        height = self.style.index_mm * 0.5
        for i, letter in enumerate(JOKER_WORD):
            mask = glyph_mask(self.style.font, letter, height * PX_PER_MM)
            y = self.style.index_y_mm + height * (0.5 + 1.18 * i)
            for turned in (False, True):
                _centred(page, mask, self.style.index_x_mm * PX_PER_MM, y * PX_PER_MM, self.style.black, turned)

    def _cap(self, page: Image) -> None:
        middle = np.asarray(CARD_MM) / 2
        colours = (self.style.red, BLUE, (60, 190, 240))
        caps = (
            "M -11 8 C -20 -6 -14 -20 -20 -14 C -22 -20 -10 -26 -3 -6 Z",
            "M 11 8 C 20 -6 14 -20 20 -14 C 22 -20 10 -26 3 -6 Z",
            "M -11 8 C -6 -12 -4 -18 0 -24 C 4 -18 6 -12 11 8 Z",
        )
        for path, colour in zip(caps, colours, strict=True):
            shape = np.round((trace(path)[0] + middle) * PX_PER_MM * 16).astype(np.int32)
            cv2.fillPoly(page, [shape], colour, cv2.LINE_AA, 4)
            cv2.polylines(page, [shape], True, self.style.black, 3, cv2.LINE_AA, 4)
        for x, y in ((-20.5, -13.0), (20.5, -13.0), (0.0, -25.0)):
            bell = np.round((oval(x, y, 2.4, 2.4) + middle) * PX_PER_MM * 16).astype(np.int32)
            cv2.fillPoly(page, [bell], (60, 190, 240), cv2.LINE_AA, 4)
            cv2.polylines(page, [bell], True, self.style.black, 3, cv2.LINE_AA, 4)


def _centred(page: Image, mask: Mask, x: float, y: float, colour: Bgr, turned: bool = False) -> None:
    """Lay a sign with its middle at x, y; `turned` lays it where that comes to be when the card is turned by 180 degrees."""
    # a view of the turned page: both ends get exactly the same print
    ink(page[::-1, ::-1] if turned else page, mask, round(x - mask.shape[1] / 2), round(y - mask.shape[0] / 2), colour)
