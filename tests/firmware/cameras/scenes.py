"""Boards for cameras to look at: as they should come out, and as sensors see them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from companion.cards import Card
from vision.frame import Image
from vision.layout import mat_layout
from vision.synthetic.condition import condition
from vision.synthetic.decks import STYLES, draw_deck
from vision.synthetic.optics import BoardCamera
from vision.synthetic.scene import LyingCard, Scene

FIRST, SECOND = ("Ah", "Kd", "Qh", "7d", "2h"), (None, "Kd", "3c", None, "2h")
"""Two things that may lie on a mat; red cards show colours that were exchanged."""
SIZE = (1536, 288)


@lru_cache(maxsize=1)
def _camera() -> BoardCamera:
    return BoardCamera(mat_layout(0), draw_deck(STYLES[0]), 1, condition("normal", np.random.default_rng(1)))


@lru_cache(maxsize=8)
def board(cards: tuple[str | None, ...]) -> Image:
    """Mat 0 with these cards, upright, blue green red."""
    stacks = tuple(() if card is None else (LyingCard(Card.parse(card)),) for card in cards)
    picture = _camera().render(Scene(stacks), 0.0)
    picture.setflags(write=False)
    return picture


def distance(one: Image, other: Image) -> float:
    """Mean difference in grey levels; infinite for pictures of different shapes."""
    return float(np.abs(one.astype(int) - other.astype(int)).mean()) if one.shape == other.shape else float("inf")


def looks_like(image: Image, cards: tuple[str | None, ...]) -> bool:
    """Whether it is this board: upright, not mirrored, its colours in their places, and lit as it should be."""
    true = board(cards)
    strange = [true[:, ::-1], true[::-1], true[::-1, ::-1], true[:, :, ::-1], board(SECOND if cards == FIRST else FIRST)]
    near = distance(image, true)
    return near < 12.0 and all(distance(image, other) > near + 0.5 for other in strange)
