"""A photograph of four hands, and a desk that has read it well: no page waits for a model then."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from companion.cards import DECK, Card
from firmware.photodesk import PhotoDesk
from firmware.photoreader import Taken
from tests.photographs import Laid, cloth, lay
from vision.evidence import weigh
from vision.photo import Glimpse
from vision.sorting import FoundCard

HANDS = ("As Ks Js 9s 4s", "Kh Kd 4c 5d 6h", "7d 7c 7h 8c 2c", "2d 3d 5h 9c Td")
SIZE = (1130, 1170)
PICTURE = b"the photograph"
"""What a browser sends in its place."""


@cache
def _laid() -> tuple[Laid, ...]:
    return tuple(
        Laid(card, (150 + 205 * place, 150 + 290 * row), 2.0 * (place - 2) + 1.5 * row, 2.8)
        for row, hand in enumerate(HANDS) for place, card in enumerate(hand.split())
    )  # fmt: skip


@cache
def four_hands() -> Taken:
    """The photograph with every card found where it lies."""
    done, jpeg = cv2.imencode(".jpg", lay(cloth(*SIZE), _laid()), [cv2.IMWRITE_JPEG_QUALITY, 88])
    assert done
    return Taken(Glimpse(tuple(map(_found, _laid())), 1.0, 1.0), jpeg.tobytes(), *SIZE, 1.0)


def _found(laid: Laid) -> FoundCard:
    reading = np.zeros((2, 57), np.float32)
    reading[:, DECK.index(Card.parse(laid.what))] = 1.0
    return FoundCard(laid.corners(), weigh(reading), reading, True, 1.0, laid.middle)


class DrawnReader:
    """Reads every picture as the four hands."""

    def read(self, data: bytes, /) -> Taken:
        return four_hands()

    def rest(self) -> None:
        return

    def close(self) -> None:
        return


def drawn_desk() -> PhotoDesk:
    """A desk that has read a picture when it has taken it in."""
    keys = iter(range(10_000))
    return PhotoDesk(DrawnReader(), lambda: 0.0, lambda: f"sheet-{next(keys)}", background=False)
