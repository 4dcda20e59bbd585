"""Index windows in a photograph: where they lie for an outline or an index spot, and cutting them out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.classifier import Patches
from vision.frame import Image
from vision.indices import IndexSpot
from vision.layout import CARD_MM, WINDOW_MM, WINDOW_PX
from vision.outlines import Quad, proportion, side_lengths

NARROWEST_MM = 57.0
"""Width of a bridge card; its height is that of a poker card."""
WINDOW_SIZES = (1.0, 1.25, 1.5)
"""Windows are cut so many times as large as `WINDOW_MM`: large indices need the large ones."""
SPOT_RANK_MM = (5.6, 7.2)
SPOT_SUIT_MM = (5.6, 16.4)
"""Where the middle of an index's two signs usually lies in a window, from the card's corner."""
SPOT_SIZES = (0.85, 1.05)
"""Distances of the two signs that are tried, as multiples of that between the two places above."""
SIGNS_APART_MM = (5.0, 20.0)
"""From the middle of a rank to that of its suit: 9 on standard, 14 on large indices; more is allowed for perspective."""

Vector = NDArray[np.float64]

_FACE_MM = np.array(((0.0, 0.0), (CARD_MM[0], 0.0), CARD_MM, (0.0, CARD_MM[1])))

Nudge = tuple[float, float, float, float]
"""Millimetres to the right and down, degrees, scale."""
NUDGES: tuple[Nudge, ...] = (
    (0, 0, 0, 1), (1.2, 0, 0, 1), (-1.2, 0, 0, 1), (0, 1.5, 0, 1), (0, -1.5, 0, 1),
    (0, 0, 4, 1), (0, 0, -4, 1), (0, 0, 0, 1.08), (0, 0, 0, 0.93),
)
Matrix = NDArray[np.float64]
"""3 x 3, homogeneous."""


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """One upright corner window: maps pixels of the patch to pixels of the picture."""

    matrix: Matrix


def card_to_picture(corners: Quad) -> Matrix:
    """From millimetres on the card's face to picture pixels; `corners` clockwise from the upright card's top left."""
    width = _width_mm(corners)
    face = np.array(((0, 0), (width, 0), (width, CARD_MM[1]), (0, CARD_MM[1])), np.float32)
    return np.asarray(cv2.getPerspectiveTransform(face, corners.astype(np.float32)), np.float64)


def _width_mm(corners: Quad) -> float:
    """A card's width by the shape of its outline: between a bridge card's and a poker card's."""
    return float(np.clip(CARD_MM[1] / max(proportion(corners), 1e-6), NARROWEST_MM, CARD_MM[0]))


def uprights(corners: Quad, both_ways: bool) -> tuple[Quad, ...]:
    """The ways round in which a card can fill an outline: two, or four where its long side cannot be told."""
    sides = side_lengths(corners)
    first = 0 if sides[0] + sides[2] <= sides[1] + sides[3] else 1
    turns = (first, first + 2, first + 1, first + 3) if both_ways else (first, first + 2)
    return tuple(np.ascontiguousarray(np.roll(corners, -turn, axis=0)) for turn in turns)


def corner_window(corners: Quad, size: float) -> Window:
    """The window at the top left corner of a card that lies as `corners` say."""
    return Window(card_to_picture(corners) @ _patch_to_mm(size))


def right_window(corners: Quad, size: float) -> Window:
    """The window for an index at the top right corner: it stands there as far from the right edge as others from the left."""
    aside = np.array(((1.0, 0.0, _width_mm(corners) - 2 * SPOT_RANK_MM[0] * size), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    return Window(card_to_picture(corners) @ aside @ _patch_to_mm(size))


def nudged(window: Window, nudge: Nudge) -> Window:
    """The window a little to the side, turned or scaled about its middle."""
    x, y, degrees, scale = nudge
    cosine, sine = scale * np.cos(np.radians(degrees)), scale * np.sin(np.radians(degrees))
    middle = np.array((WINDOW_PX[0] / 2, WINDOW_PX[1] / 3))
    shift = middle + np.array((x, y)) * WINDOW_PX[0] / WINDOW_MM[0] - np.array(((cosine, -sine), (sine, cosine))) @ middle
    return Window(window.matrix @ np.array(((cosine, -sine, shift[0]), (sine, cosine, shift[1]), (0.0, 0.0, 1.0))))


def spot_window(spot: IndexSpot, size: float) -> Window:
    """The window round an index found without an outline, as if seen from straight above."""
    return Window(_placed(np.array(spot.rank), np.array(spot.suit), size) @ _patch_to_mm(1.0))


def spot_card(spot: IndexSpot) -> Quad:
    """Where the card of an index spot would lie, seen from straight above: corners clockwise from its top left."""
    return _through(_placed(np.array(spot.rank), np.array(spot.suit), 1.0), _FACE_MM)


def _placed(rank: Vector, suit: Vector, size: float) -> Matrix:
    """From millimetres of the card to the units of `rank` and `suit`, the places of an index's two signs."""
    down = (suit - rank) / (SPOT_SUIT_MM[1] - SPOT_RANK_MM[1]) / size
    right = np.array((down[1], -down[0]))
    origin = (rank + suit) / 2 - right * SPOT_RANK_MM[0] - down * (SPOT_RANK_MM[1] + SPOT_SUIT_MM[1]) / 2
    return np.array(((right[0], down[0], origin[0]), (right[1], down[1], origin[1]), (0.0, 0.0, 1.0)))


@dataclass(frozen=True, slots=True, eq=False)
class SpotInPlane:
    """An index spot in the plane of the table, which another card shows."""

    plane: Matrix
    """Millimetres of the table to picture pixels."""
    rank: Vector
    suit: Vector
    """In millimetres."""

    @classmethod
    def of(cls, spot: IndexSpot, neighbour: Quad) -> SpotInPlane | None:
        """The spot in the plane of a card with these corners; None where its signs are too far apart there for an index."""
        plane = card_to_picture(neighbour)
        back = np.linalg.inv(plane)
        signs = cv2.perspectiveTransform(np.array((spot.rank, spot.suit)).reshape(-1, 1, 2), back)
        rank, suit = np.asarray(signs, np.float64).reshape(2, 2)
        apart = float(np.hypot(*(suit - rank)))
        return cls(plane, rank, suit) if SIGNS_APART_MM[0] < apart < SIGNS_APART_MM[1] else None

    def window(self, size: float) -> Window:
        return Window(self.plane @ _placed(self.rank, self.suit, size) @ _patch_to_mm(1.0))

    def card(self) -> Quad:
        """Corners of the card whose index it is, clockwise from its top left."""
        return _through(self.plane @ _placed(self.rank, self.suit, 1.0), _FACE_MM)


def _through(matrix: Matrix, points: Vector) -> Quad:
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), matrix), np.float32).reshape(-1, 2)


def _patch_to_mm(size: float) -> Matrix:
    """Pixel centres of a patch to millimetres from the card's corner, for a window `size` times the usual one."""
    x, y = size * WINDOW_MM[0] / WINDOW_PX[0], size * WINDOW_MM[1] / WINDOW_PX[1]
    return np.array(((x, 0.0, x / 2), (0.0, y, y / 2), (0.0, 0.0, 1.0)))


class Pyramid:
    """A picture at falling scales, so that a patch is cut without aliasing whatever the size of its card."""

    def __init__(self, image: Image) -> None:
        self._levels: list[Image] = [image]

    def _level(self, number: int) -> Image:
        while len(self._levels) <= number:
            above = self._levels[-1]
            size = (max(1, round(above.shape[1] * 0.7071)), max(1, round(above.shape[0] * 0.7071)))
            self._levels.append(np.asarray(cv2.resize(above, size, interpolation=cv2.INTER_AREA), np.uint8))
        return self._levels[number]

    def cut(self, windows: Sequence[Window]) -> Patches:
        """Upright patches of all `windows`, in their order."""
        patches = np.empty((len(windows), WINDOW_PX[1], WINDOW_PX[0], 3), np.uint8)
        for index, window in enumerate(windows):
            patches[index] = self._patch(window.matrix)
        return patches

    def _patch(self, matrix: Matrix) -> Image:
        step = _step(matrix)
        number = int(np.clip(round(2 * np.log2(max(step, 1e-3))), 0, 12))
        level = self._level(number)
        full_height, full_width = self._levels[0].shape[:2]
        x, y = level.shape[1] / full_width, level.shape[0] / full_height
        shrink = np.array(((x, 0.0, (x - 1) / 2), (0.0, y, (y - 1) / 2), (0.0, 0.0, 1.0)))
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(
            cv2.warpPerspective(level, shrink @ matrix, WINDOW_PX, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )


def _step(matrix: Matrix) -> float:
    """Picture pixels per patch pixel in the middle of a window."""
    x, y = WINDOW_PX[0] / 2, WINDOW_PX[1] / 2
    points = np.array(((x, y), (x + 1, y), (x, y + 1))).reshape(-1, 1, 2)
    here, right, below = cv2.perspectiveTransform(points, matrix).reshape(3, 2)
    return float(np.sqrt(abs(np.linalg.det(np.stack((right - here, below - here))))))
