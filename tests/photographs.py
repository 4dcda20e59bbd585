"""Photographs for tests, rendered from decks of our own: cards laid on a background at any angle."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from companion.cards import Card
from vision.frame import Image
from vision.layout import CARD_MM
from vision.outlines import Quad
from vision.synthetic.decks import CARD_PX, DeckArt, draw_deck, find_style

Point = tuple[float, float]


@cache
def deck(name: str = "club") -> DeckArt:
    return draw_deck(find_style(name))


@dataclass(frozen=True)
class Laid:
    """A card on the table: its middle in pixels, clockwise turn, size, and how much the far end is narrower."""

    what: str
    middle: Point
    degrees: float = 0.0
    px_per_mm: float = 3.0
    tilt: float = 0.0

    def corners(self) -> Quad:
        half = np.array(CARD_MM) / 2
        square = np.array(((-half[0], -half[1]), (half[0], -half[1]), (half[0], half[1]), (-half[0], half[1])))
        angle = np.radians(self.degrees)
        turned = square @ np.array(((np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))))
        nearness = 1.0 + self.tilt * turned[:, 1:] / 100.0
        return np.asarray(turned * nearness * self.px_per_mm + self.middle, np.float32)


def cloth(width: int, height: int, colour: tuple[int, int, int] = (60, 110, 40), seed: int = 1, grain: float = 6.0) -> Image:
    """A background with grain and a slope of light."""
    random = np.random.default_rng(seed)
    noise = cv2.GaussianBlur(random.normal(0, grain * 2, (height, width, 1)).astype(np.float32), (0, 0), 1.0)[..., None]
    slope = np.linspace(0.85, 1.1, width, dtype=np.float32)[None, :, None]
    return np.clip((np.array(colour, np.float32) + noise) * slope, 0, 255).astype(np.uint8)


def lay(table: Image, cards: Sequence[Laid], art: DeckArt | None = None, noise: float = 2.0, seed: int = 2) -> Image:
    """The table with the cards on it, later ones over earlier ones, seen by a camera with a little noise and blur."""
    art = art or deck()
    picture = table.astype(np.float32)
    source = np.array(((0, 0), (CARD_PX[0], 0), CARD_PX, (0, CARD_PX[1])), np.float32) - 0.5
    for laid in cards:
        face = art.back() if laid.what == "back" else art.joker() if laid.what == "joker" else art.face(Card.parse(laid.what))
        shrink = max(1.0, CARD_PX[0] / CARD_MM[0] / laid.px_per_mm)
        matrix = cv2.getPerspectiveTransform(source, laid.corners())
        size = (table.shape[1], table.shape[0])
        soft, edge = (cv2.GaussianBlur(np.asarray(part), (0, 0), 0.4 * shrink) for part in (face, art.outline()))
        shown = cv2.warpPerspective(soft, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        share = cv2.warpPerspective(edge, matrix, size, flags=cv2.INTER_LINEAR).astype(np.float32)[..., None] / 255
        shadow = cv2.GaussianBlur(share, (0, 0), 2.0 * laid.px_per_mm / 3)[..., None] * 0.35
        picture = picture * (1 - shadow) * (1 - share) + shown * share
    random = np.random.default_rng(seed)
    picture += random.normal(0, noise, picture.shape).astype(np.float32)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.6), 0, 255).astype(np.uint8)


def relettered(art: DeckArt, letters: dict[str, str]) -> DeckArt:
    """The deck with other court letters, as other languages have them; for decks whose index stands where "club" has it."""

    def face(card: Card) -> Image:
        picture = art.face(card).copy()
        letter = letters.get(str(card)[0])
        if letter is None:
            return picture
        print_px = picture[24:102, 12:80].reshape(-1, 3).astype(int)
        colour = tuple(int(value) for value in print_px[print_px.sum(axis=1).argmin()])
        for _ in range(2):
            picture[24:102, 12:80] = picture[10, 10]
            (width, _), _ = cv2.getTextSize(letter, cv2.FONT_HERSHEY_DUPLEX, 2.6, 8)
            cv2.putText(picture, letter, (45 - width // 2, 98), cv2.FONT_HERSHEY_DUPLEX, 2.6, colour, 8, cv2.LINE_AA)
            picture = np.ascontiguousarray(picture[::-1, ::-1])
        return picture

    return DeckArt(art.name, face, art.back, art.joker, 3.2)


def right_handed(art: DeckArt) -> DeckArt:
    """The deck with its indices at the other two corners: upper right and lower left."""

    def face(card: Card) -> Image:
        picture = art.face(card).copy()
        for _ in range(2):
            index = picture[12:200, 12:88].copy()
            picture[12:200, 12:88] = picture[10, 10]
            picture[12:200, -88:-12] = index
            picture = np.ascontiguousarray(picture[::-1, ::-1])
        return picture

    return DeckArt(art.name, face, art.back, art.joker, 3.2)


def apart_mm(found: Quad, laid: Laid) -> float:
    """Largest distance of a corner from where the card's corner is, whichever way round the corners are listed."""
    shifts = [np.hypot(*(np.roll(found, turn, axis=0) - laid.corners()).T).max() for turn in range(4)]
    return float(min(shifts)) / laid.px_per_mm


def with_orientation(data: bytes, orientation: int) -> bytes:
    """A JPEG with an EXIF block that holds nothing but the orientation."""
    entry = struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0)
    block = b"Exif\0\0" + b"II*\0" + struct.pack("<IH", 8, 1) + entry + struct.pack("<I", 0)
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + data[2:]
