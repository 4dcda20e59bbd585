"""The pictures of a deck: drawn by us, or loaded from a folder."""

from __future__ import annotations

from collections.abc import Callable

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

    def outline(self) -> Mask:
        """Where the card is: 255 inside its rounded outline; read-only."""
        return self._other("outline", lambda: rounded_outline(self._corner_mm))
