"""Decks for photographs that no model was trained on: held-out artwork and fonts, and decks of the renderer's styles.

Training sees corners only; here whole faces are needed, so drawn corners are put together to cards.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator

from companion.cards import DECK, Card
from models.training.artwork import DESIGNS, Design, collect
from models.training.drawn import draw_deck as draw_corners
from models.training.glyphs import font_families
from models.training.split import part_of, part_of_font
from models.training.tiles import CARD_HEIGHT_PX, PX_PER_MM
from vision.frame import Image
from vision.synthetic.decks import draw_deck, random_style
from vision.synthetic.photographs import Print

TREATMENTS = ("as printed", "as printed", "as printed", "old paper", "old paper", "tinted", "inverted", "outlined", "patterned")
"""What is done to the stock of a deck."""


@dataclass(frozen=True, slots=True, eq=False)
class PhotoDeck:
    """Faces that can be laid down."""

    name: str
    kind: str
    """``own``, ``artwork`` or ``drawn``."""
    cards: tuple[Card, ...]
    face: Callable[[Card], Image]

    def prints(self, rng: Generator, count: int) -> list[Print]:
        """So many different cards."""
        chosen = rng.choice(len(self.cards), size=min(count, len(self.cards)), replace=False)
        return [Print(self.face(self.cards[i]), self.cards[i]) for i in chosen]


def held_out_decks(rng: Generator, cache: Path, own: int, drawn: int) -> list[PhotoDeck]:
    """Every installed design that serves to choose (`models.training.split`), and decks of the other two kinds."""
    decks = [_own(rng, number) for number in range(own)]
    if shutil.which("rsvg-convert") is None:
        return decks
    decks += [deck for design in DESIGNS if part_of(design) == "validation" and (deck := _artwork(design, cache))]
    families = _held_out_fonts()
    return decks + [deck for number in range(drawn) if (deck := _drawn(rng, families, number))]


def treated(rng: Generator, deck: PhotoDeck) -> tuple[PhotoDeck, str]:
    """The deck on some stock, and which."""
    treatment = TREATMENTS[int(rng.integers(len(TREATMENTS)))]
    change = CHANGES.get(treatment)
    if change is None:
        return deck, treatment
    seed = int(rng.integers(1 << 31))

    def face(card: Card) -> Image:
        return change(np.random.default_rng(seed), deck.face(card))

    return PhotoDeck(deck.name, deck.kind, deck.cards, face), treatment


def _own(rng: Generator, number: int) -> PhotoDeck:
    art = draw_deck(random_style(rng))
    return PhotoDeck(f"own {number}", "own", DECK, art.face)


def _artwork(design: Design, cache: Path) -> PhotoDeck | None:
    if not collect(design, cache):
        return None
    with np.load(cache / f"{design.name}.npz") as stored:
        faces = {Card.parse(str(name)): face for name, face in zip(stored["names"], stored["faces"], strict=True)}
    cards = tuple(card for card in DECK if card in faces and not (design.skip_courts and 11 <= card.rank <= 13))
    return PhotoDeck(design.name, "artwork", cards, lambda card: _narrowed(faces[card]))


def _narrowed(face: Image) -> Image:
    """Without the columns by which the cache makes bridge cards as wide as the others."""
    tail = np.flatnonzero((face[:, 1:] != face[:, :-1]).any(axis=(0, 2)))
    return np.ascontiguousarray(face[:, : int(tail[-1]) + 2]) if len(tail) else face


def _held_out_fonts() -> tuple[str, ...]:
    """The fonts of the machine that serve to choose."""
    chosen = tuple(name for name in font_families() if part_of_font(name) == "validation")
    return chosen or font_families()[:1]


def _drawn(rng: Generator, families: tuple[str, ...], number: int) -> PhotoDeck | None:
    tiles = draw_corners(rng, families)
    if not tiles:
        return None
    four = bool(rng.random() < 0.25)
    corners = {tile.card: (tile.picture, tile.rank_box, tile.suit_box) for tile in tiles if tile.card is not None}

    def face(card: Card) -> Image:
        picture, rank, suit = corners[card]
        return _whole(picture, (max(rank[2], suit[2]), suit[3]), four)

    return PhotoDeck(f"drawn {number}", "drawn", tuple(corners), face)


def _whole(corner: Image, index_mm: tuple[float, float], four: bool) -> Image:
    """A card of two halves, each the other one turned; with `four` the index stands in every corner."""
    width, half = round(63.5 * PX_PER_MM), CARD_HEIGHT_PX // 2
    face = np.empty((2 * half, width, 3), np.uint8)
    face[:] = corner[4, 4]
    column = width // 2
    upper = face[:half]
    upper[:, :column] = corner[:half, :column]
    right, below = min(column, round((index_mm[0] + 1) * PX_PER_MM)), min(half, round((index_mm[1] + 1) * PX_PER_MM))
    upper[:, column:] = upper[:, :column][:, ::-1][:, : width - column]
    upper[:below, width - right :] = corner[:below, :right] if four else corner[4, 4]
    face[half:] = upper[::-1, ::-1]
    return face


def _old_paper(rng: Generator, face: Image) -> Image:
    """Yellow, stained, rubbed."""
    height, width = face.shape[:2]
    tone = np.array((rng.uniform(0.45, 0.75), rng.uniform(0.7, 0.9), rng.uniform(0.8, 0.97)), np.float32)
    fine = rng.normal(0, rng.uniform(0.03, 0.25), (height // 2 + 1, width // 2 + 1)).astype(np.float32)
    coarse = rng.normal(0, rng.uniform(0.02, 0.1), (9, 7)).astype(np.float32)
    grain = cv2.resize(fine, (width, height)) + cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.4:
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        waves = 8 * cv2.resize(coarse, (width, height)) / coarse.std()
        across = x * np.float32(rng.normal()) + y * np.float32(rng.normal()) + waves
        grain += np.sin(across / np.float32(rng.uniform(1.0, 4.0))) * np.float32(rng.uniform(0.03, 0.16))
    faded = face.astype(np.float32) * rng.uniform(0.75, 1.0)
    faded += 255 - 255 * (faded.max() / 255)
    return np.asarray(np.clip(faded * tone * (1 + grain)[..., None], 0, 255), np.uint8)


def _tinted(rng: Generator, face: Image) -> Image:
    tone = np.asarray(rng.uniform(0.55, 1.0, 3), np.float32)
    return np.asarray(face.astype(np.float32) * tone, np.uint8)


def _inverted(rng: Generator, face: Image) -> Image:
    """Light print on dark stock: red stays red, everything else turns over."""
    lab = cv2.cvtColor(face, cv2.COLOR_BGR2LAB)
    floor = rng.uniform(5, 45)
    lab[..., 0] = np.clip(255 - lab[..., 0].astype(np.float32) * (255 - floor) / 255, 0, 255)
    turned = cv2.cvtColor(lab, cv2.COLOR_LAB2BGR).astype(np.float32)
    glow = np.asarray((rng.uniform(0, 60), rng.uniform(0, 30), rng.uniform(0, 30)), np.float32) if rng.random() < 0.4 else 0.0
    return np.asarray(np.clip(turned + glow, 0, 255), np.uint8)


def _outlined(rng: Generator, face: Image) -> Image:
    """Only the edges of what is printed."""
    grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY)
    ink = np.asarray(grey < int(np.median(grey)) - 60, np.uint8)
    thick = max(2, round(face.shape[0] / 356 * rng.uniform(2.2, 3.6)))
    inner = cv2.erode(ink, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * thick + 1, 2 * thick + 1)))
    inner = cv2.dilate(inner, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (thick + 1, thick + 1)))
    outlined = face.copy()
    outlined[inner > 0] = np.median(face.reshape(-1, 3), axis=0)
    return outlined


def _patterned(rng: Generator, face: Image) -> Image:
    """A pale print all over the paper."""
    y, x = np.mgrid[0 : face.shape[0], 0 : face.shape[1]].astype(np.float32) * np.float32(356 / face.shape[0])
    period = rng.uniform(6, 40)
    waves = np.sin(2 * np.pi * x / period), np.sin(2 * np.pi * (y + x * np.float32(rng.uniform(-1, 1))) / period)
    share = (np.maximum(*waves) if rng.random() < 0.5 else waves[0] * waves[1]) > rng.uniform(0.2, 0.8)
    tone = np.asarray(rng.uniform(0.7, 0.97, 3), np.float32)
    return np.asarray(face * np.where(share[..., None], tone, np.float32(1)), np.uint8)


CHANGES: dict[str, Callable[[Generator, Image], Image]] = {
    "old paper": _old_paper,
    "tinted": _tinted,
    "inverted": _inverted,
    "outlined": _outlined,
    "patterned": _patterned,
}
"""What is done to every face of a deck, by the name of the treatment."""
