"""A reader of photographs that are only written down, so that tests of the page need no model and no time."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from companion.cards import DECK, Card
from firmware.photodesk import PhotoDesk
from firmware.photoreader import Taken
from vision.evidence import weigh
from vision.photo import Glimpse
from vision.picturefile import decode_picture
from vision.sorting import FoundCard

WRITTEN = b"cards:"
CARD, GAP = (60.0, 90.0), (70.0, 110.0)
"""Size of a card, and from one to the next, in pixels."""
FOUR = "As Ks Qs Js 9s/Kh Kd 4c 5d 6h/7d 7c 7h ?8s8c 2c/2d 3d 5h 9c Td"
"""Four hands in rows; one card may be the eight of spades or of clubs."""


def written(text: str) -> bytes:
    """A picture: rows of cards, parted by ``/``; ``?8s8c`` is a card that may be either of two."""
    return WRITTEN + text.encode()


class WrittenReader:
    """Reads what `written` makes; anything else as the real reader refuses it."""

    def __init__(self) -> None:
        self.read_so_far: list[bytes] = []
        self.rests = 0
        self.before: Callable[[], None] = lambda: None
        """Done before each picture."""

    def read(self, data: bytes, /) -> Taken:
        self.before()
        self.read_so_far.append(data)
        if not data.startswith(WRITTEN):
            image, grain = decode_picture(data, "the picture")
            return Taken(Glimpse((), grain, 1.0), _jpeg(image.shape[1], image.shape[0]), image.shape[1], image.shape[0], 1.0)
        rows = [row.split() for row in data[len(WRITTEN) :].decode().split("/")]
        width = round(GAP[0] * max(1, *(len(row) for row in rows)))
        height = round(GAP[1] * len(rows))
        found = tuple(_found(text, x, y) for y, row in enumerate(rows) for x, text in enumerate(row))
        return Taken(Glimpse(found, 1.0, 1.0), _jpeg(width, height), width, height, 1.0)

    def rest(self) -> None:
        self.rests += 1

    def close(self) -> None:
        return


def written_desk(clock: Callable[[], float] = lambda: 0.0) -> PhotoDesk:
    """A desk that has read a picture when it has taken it in, with keys that can be told beforehand."""
    keys = iter(range(10_000))
    return PhotoDesk(WrittenReader(), clock, lambda: f"sheet-{next(keys)}", background=False)


def _found(text: str, x: int, y: int) -> FoundCard:
    left, top = GAP[0] * x + 4, GAP[1] * y + 4
    right, low = left + CARD[0], top + CARD[1]
    corners = np.array(((left, top), (right, top), (right, low), (left, low)), np.float32)
    names = [text] if text[0] != "?" else [text[1:3], text[3:5]]
    reading = np.zeros((2, 57), np.float32)
    for share, name in zip((1.0,) if len(names) == 1 else (0.55, 0.45), names, strict=True):
        reading[:, DECK.index(Card.parse(name))] = share
    return FoundCard(corners, weigh(reading), reading, True, 1.0, (left, top))


def _jpeg(width: int, height: int) -> bytes:
    done, data = cv2.imencode(".jpg", np.full((height, width, 3), 90, np.uint8))
    assert done
    return data.tobytes()
