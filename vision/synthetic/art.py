"""The pictures of a deck: drawn by us, or loaded from a folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.cards import Card
from vision.frame import Image
from vision.layout import CARD_MM
from vision.synthetic.pen import Mask, shrink

PX_PER_MM = 8
CARD_PX = (round(CARD_MM[0] * PX_PER_MM), round(CARD_MM[1] * PX_PER_MM))
"""Width and height of a picture of a card."""


def rounded_outline(corner_mm: float) -> Mask:
    """The card's shape as a mask of `CARD_PX`."""
    width, height = CARD_PX[0] * 4, CARD_PX[1] * 4
    mask = np.zeros((height, width), np.uint8)
    radius = round(corner_mm * PX_PER_MM * 4)
    mask[:, radius : width - radius] = 255
    mask[radius : height - radius] = 255
    for x in (radius, width - radius - 1):
        for y in (radius, height - radius - 1):
            cv2.circle(mask, (x, y), radius, (255,), -1)
    return shrink(mask)


def _with_edge(opacity: Mask) -> NDArray[np.uint8]:
    """How much of a card's print shows: all, but less at the cut edge, so that white cards stand out from each other."""
    inner = cv2.erode(opacity, np.ones((3, 3), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=(0,))
    shown = np.where(inner > 128, opacity, (opacity * 0.82).astype(np.uint8))
    return np.asarray(cv2.cvtColor(shown, cv2.COLOR_GRAY2BGR), dtype=np.uint8)


class DeckArt:
    """The pictures of a deck, each drawn when it is first asked for."""

    def __init__(
        self, name: str, face: Callable[[Card], Image], back: Callable[[], Image], joker: Callable[[], Image], corner_mm: float
    ) -> None:
        self.name = name
        self._draw_face, self._draw_back, self._draw_joker = face, back, joker
        self._corner_mm = corner_mm
        self._faces: dict[Card, Image] = {}
        self._others: dict[str, NDArray[np.uint8]] = {}
        self._sprites: dict[tuple[Card | str | None, float], NDArray[np.uint8]] = {}

    def _other(self, key: str, draw: Callable[[], NDArray[np.uint8]]) -> NDArray[np.uint8]:
        if key not in self._others:
            self._others[key] = draw()
            self._others[key].setflags(write=False)
        return self._others[key]

    def face(self, card: Card) -> Image:
        """The face of a card, read-only."""
        if card not in self._faces:
            self._faces[card] = self._draw_face(card)
            self._faces[card].setflags(write=False)
        return self._faces[card]

    def back(self) -> Image:
        """The back, read-only."""
        return self._other("back", self._draw_back)

    def joker(self) -> Image:
        """A card that is not one of the 52, read-only."""
        return self._other("joker", self._draw_joker)

    def sprite(self, face: Card | Literal["joker"] | None, px_per_mm: float) -> NDArray[np.uint8]:
        """A card cut out, at another scale: height x width x 4, premultiplied blue, green, red, and opacity; read-only.

        None stands for the back.  All cameras that look at the same scale share it.
        """
        key = (face, px_per_mm)
        if key not in self._sprites:
            size = (round(CARD_MM[0] * px_per_mm), round(CARD_MM[1] * px_per_mm))
            picture = self.back() if face is None else self.joker() if face == "joker" else self.face(face)
            small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
            opacity = np.asarray(cv2.resize(self.outline(), size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
            self._sprites[key] = np.dstack([cv2.multiply(small, _with_edge(opacity), scale=1 / 255), opacity])
            self._sprites[key].setflags(write=False)
        return self._sprites[key]

    def outline(self) -> Mask:
        """Where the card is: 255 inside its rounded outline; read-only."""
        return self._other("outline", lambda: rounded_outline(self._corner_mm))
