"""Card corners as training material: pictures at four pixels a millimetre, and where their index stands."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.cards import RANK_LETTERS, Card, Rank, Suit

Picture = NDArray[np.uint8]

PX_PER_MM = 4
TILE_MM = (34, 56)
"""Width and height of what is kept of a card, from its top left corner: the index, and the print beside it."""
TILE_PX = (TILE_MM[0] * PX_PER_MM, TILE_MM[1] * PX_PER_MM)
CARD_HEIGHT_PX = round(88.9 * PX_PER_MM)

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in millimetres from the card's corner."""
NOWHERE: Box = (0.0, 0.0, 0.0, 0.0)

READABLE, GONE = 0.85, 0.6
"""At least this much of rank and suit is visible in a window that is called a card; less than that, and it is not."""
ENOUGH_SUIT_MM = 6.0
"""Of a larger suit sign this much of its upper part tells which it is; a mat's window shows no more of some decks'."""
KINDS = ("card", "empty", "back", "covered", "unreadable", "foreign")


@dataclass(frozen=True, slots=True)
class Tile:
    """One picture of the material."""

    picture: Picture
    """`TILE_PX[1]` x `TILE_PX[0]` x 3, blue green red."""
    kind: str
    """One of `KINDS`; ``inside`` in `design` parts without an index are "unreadable"."""
    card: Card | None = None
    rank_box: Box = NOWHERE
    suit_box: Box = NOWHERE
    edge: bool = True
    """The top left corner of the picture is the corner of a card; otherwise the picture goes on in every direction."""


def flatten(picture: NDArray[np.uint8], stock: tuple[int, int, int] = (255, 255, 255)) -> Picture:
    """Lay a picture with transparency on `stock`."""
    if picture.ndim == 2:
        return cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    if picture.shape[2] == 3:
        return picture
    alpha = picture[..., 3:].astype(np.float32) / 255
    return (picture[..., :3] * alpha + np.array(stock, np.float32) * (1 - alpha) + 0.5).astype(np.uint8)


def opaque_box(picture: NDArray[np.uint8]) -> tuple[slice, slice]:
    """Rows and columns between the first and the last pixel that is not transparent; everything where there is none."""
    if picture.ndim == 2 or picture.shape[2] < 4:
        return slice(None), slice(None)
    rows = np.flatnonzero((picture[..., 3] > 128).mean(axis=1) > 0.3)
    columns = np.flatnonzero((picture[..., 3] > 128).mean(axis=0) > 0.3)
    if not len(rows) or not len(columns):
        return slice(None), slice(None)
    return slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)


def whole_card(picture: NDArray[np.uint8], height: int = CARD_HEIGHT_PX) -> Picture:
    """A card's face without its surroundings, `height` pixels high (bridge cards stay narrower)."""
    cut = flatten(picture[opaque_box(picture)])
    width = round(cut.shape[1] * height / cut.shape[0])
    return cv2.resize(cut, (width, height), interpolation=cv2.INTER_AREA)


def corner(face: Picture) -> Picture:
    """The part of a face that a tile keeps."""
    return np.ascontiguousarray(face[: TILE_PX[1], : TILE_PX[0]])


def inside(face: Picture) -> Picture:
    """The part of a face at its lower right, where no index stands upright."""
    return np.ascontiguousarray(face[-TILE_PX[1] :, -TILE_PX[0] :])


def card_of(rank: str, suit: str) -> Card:
    """The card of a rank letter or ``10`` and a suit letter."""
    letter = "T" if rank == "10" else rank
    return Card(Rank(RANK_LETTERS.index(letter) + 2), Suit("cdhs".index(suit)))


def index_boxes(faces: dict[Card, Picture], reach_mm: float) -> dict[Card, tuple[Box, Box]]:
    """Where rank and suit stand in the corner of each card, found from the print in the first `reach_mm` of its width.

    The two to nine say where the deck has its rank and its suit (their index is the same everywhere, and no court
    figure disturbs); every card of the deck shares the answer.  Cards of a deck whose index cannot be found are left out.
    """
    left, right = round(1.2 * PX_PER_MM), round(reach_mm * PX_PER_MM)
    columns = np.zeros(right - left, bool)
    rows_seen = np.zeros((TILE_PX[1],), np.int32)
    used = 0
    for card, face in faces.items():
        if not Rank.TWO <= card.rank <= Rank.NINE:
            continue
        strip = face[: TILE_PX[1], left:right].astype(np.int32)
        stock = np.median(strip.reshape(-1, 3), axis=0)
        marked = np.abs(strip - stock).max(axis=2) > 70
        marked[: round(1.2 * PX_PER_MM)] = False
        rows_seen += marked.any(axis=1)
        columns |= marked[: round(20 * PX_PER_MM)].any(axis=0)
        used += 1
    if not used:
        return {}
    ink = rows_seen >= max(1, used // 10)
    runs = _runs(ink, round(0.25 * PX_PER_MM))
    runs = [run for run in runs if run[1] - run[0] >= 1.8 * PX_PER_MM]
    if len(runs) < 2:
        return {}
    xs = np.flatnonzero(columns)
    x0, x1 = (left + xs[0]) / PX_PER_MM, (left + xs[-1] + 1) / PX_PER_MM
    (r0, r1), (s0, s1) = runs[0], runs[1]
    rank_box = (x0, r0 / PX_PER_MM, x1, r1 / PX_PER_MM)
    suit_box = (x0, s0 / PX_PER_MM, x1, s1 / PX_PER_MM)
    return dict.fromkeys(faces, (rank_box, suit_box))


def _runs(flags: NDArray[np.bool_], gap: int) -> list[tuple[int, int]]:
    """Stretches of true values; those nearer to each other than `gap` are one."""
    runs: list[tuple[int, int]] = []
    for at in np.flatnonzero(flags):
        if runs and at - runs[-1][1] <= gap:
            runs[-1] = (runs[-1][0], int(at) + 1)
        else:
            runs.append((int(at), int(at) + 1))
    return runs
