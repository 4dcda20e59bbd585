"""Indices in a photograph without any card outline: a rank sign with a suit sign below it, printed on paper.

Cards that overlap show no closed outline, yet their index corner is there to be read.  Print is darker than the paper
around it and the paper next to it is even; two such blobs of like size and colour, one next to the other, may be an
index in either direction.  Pips pair up as well: reading tells them apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

WORKING_SIDE = 1600
"""Blobs are looked for in a picture whose longer side has about so many pixels; small pictures are enlarged, twofold at most."""
BLOCKS = (15, 41)
"""Sides in pixels of the neighbourhoods whose mean print is compared with."""
CONTRAST = 14
"""Print is at least so many grey levels darker than that mean."""
PAPER_PX = 61
"""Paper is as bright as the brightest that lies within a square of so many pixels round about, darker specks closed."""
SHADE = 0.55
"""Solid print is darker than so much of the paper, in the dimmest light; thin lines, blurred, mostly are not."""
SIGN_PX = (7.0, 130.0)
"""Smallest and largest size of a sign at the working scale."""
MOST_SIGNS = 900
"""So many blobs are paired, those on the evenest paper."""
SAME_SIGN = 0.15
"""Blobs of two views are one sign where centre and size differ by less than so much of the size."""

Floats = NDArray[np.float64]
Mask = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class IndexSpot:
    """A place that may be an index: centres of what would be its rank and suit, in pixels of the picture."""

    rank: tuple[float, float]
    suit: tuple[float, float]
    size: float
    """Size of the rank sign in pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class _Blobs:
    """Columns of equal length."""

    centre: Floats
    """n x 2"""
    size: Floats
    """Geometric mean of width and height."""
    colour: Floats
    """n x 2: mean Lab a and b of the print."""
    evenness: Floats
    """Spread of the paper around it, as a share of its brightness: small on paper."""

    def __len__(self) -> int:
        return len(self.size)

    def chosen(self, which: NDArray[np.intp]) -> _Blobs:
        return _Blobs(self.centre[which], self.size[which], self.colour[which], self.evenness[which])


def find_index_spots(image: Image, most: int = 500) -> tuple[IndexSpot, ...]:
    """At most `most` places in `image` that may be an index, those on the evenest paper first, both directions of each."""
    scale = min(2.0, WORKING_SIDE / max(image.shape[:2]))
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    working = image if scale == 1 else np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=method), np.uint8)
    green = np.asarray(cv2.GaussianBlur(working[:, :, 1], (0, 0), 0.8), np.uint8)
    signs = _once([_signs(working, green, print_mask, largest) for print_mask, largest in _print(green)])
    spots = sorted(_pairs(signs, scale), key=lambda found: found[0])
    return _distinct([spot for _, spot in spots], most)


def _print(green: Mask) -> Iterator[tuple[Mask, float]]:
    """What may be print, seen in three ways, and how large a sign each way shows whole.

    Red print is dark in green light, and paper stays bright in it even under a warm lamp.
    """
    for block in BLOCKS:
        dark = cv2.adaptiveThreshold(green, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, block, CONTRAST)
        yield np.asarray(dark, np.uint8), 6.0 * block
    paper = cv2.morphologyEx(green, cv2.MORPH_CLOSE, np.ones((PAPER_PX, PAPER_PX), np.uint8))
    solid = np.asarray(green < SHADE * paper, np.uint8)
    # A court's frame often runs through the sign beside it.
    yield np.asarray(cv2.morphologyEx(solid, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8), 2.0 * PAPER_PX


def _signs(image: Image, green: Mask, print_mask: Mask, largest: float) -> _Blobs:
    """Blobs of print, at the working scale."""
    count, labels, stats, centres = cv2.connectedComponentsWithStats(print_mask, connectivity=8)
    width, height = stats[:, cv2.CC_STAT_WIDTH].astype(float), stats[:, cv2.CC_STAT_HEIGHT].astype(float)
    size = np.sqrt(width * height)
    fill = stats[:, cv2.CC_STAT_AREA] / (width * height)
    fine = (size > SIGN_PX[0]) & (size < min(SIGN_PX[1], largest)) & (fill > 0.12) & (fill < 0.95)
    fine &= (np.maximum(width, height) < 3.2 * np.minimum(width, height)) & (np.arange(count) > 0)
    which = np.flatnonzero(fine)
    evenness, bright = _paper(green, print_mask, stats[which].astype(np.int64))
    good = (evenness < 0.14) & (bright > 40)
    which, evenness = which[good], evenness[good]
    colours = _colours(image, np.asarray(labels, np.int32), count)
    return _Blobs(centres[which].astype(np.float64), size[which], colours[which], evenness)


def _paper(green: Mask, print_mask: Mask, stats: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Spread over brightness, and brightness, of what is not print in a blob's box and a little around it."""
    paper = (cv2.dilate(print_mask, np.ones((3, 3), np.uint8)) == 0).astype(np.uint8)
    totals, squares = cv2.integral2(green * paper)
    height, width = green.shape
    margin = np.maximum(2, stats[:, 2:4].min(axis=1) // 4)
    left, top = np.maximum(stats[:, 0] - margin, 0), np.maximum(stats[:, 1] - margin, 0)
    right = np.minimum(stats[:, 0] + stats[:, 2] + margin, width)
    bottom = np.minimum(stats[:, 1] + stats[:, 3] + margin, height)

    def box_sum(total: NDArray[np.generic]) -> Floats:
        return np.asarray(total[bottom, right] - total[top, right] - total[bottom, left] + total[top, left], np.float64)

    number = np.maximum(box_sum(cv2.integral(paper)), 1.0)
    mean = box_sum(totals) / number
    spread = np.sqrt(np.maximum(box_sum(squares) / number - mean**2, 0.0))
    return spread / np.maximum(mean, 1.0), mean


def _once(views: Sequence[_Blobs]) -> _Blobs:
    """The signs of several views, those that more than one view shows only once, on the evenest paper first."""
    joined = _Blobs(*(np.concatenate([getattr(view, field.name) for view in views]) for field in fields(_Blobs)))
    signs = joined.chosen(np.argsort(joined.evenness, kind="stable")[:MOST_SIGNS])
    apart = np.hypot(*(signs.centre[None, :, :] - signs.centre[:, None, :]).transpose(2, 0, 1))
    same = (apart < SAME_SIGN * signs.size[:, None]) & (np.abs(np.log(signs.size[None, :] / signs.size[:, None])) < SAME_SIGN)
    return signs.chosen(np.flatnonzero(~np.tril(same, -1).any(axis=1)))


def _colours(image: Image, labels: NDArray[np.int32], count: int) -> Floats:
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    inside = labels > 0
    which = labels[inside]
    number = np.maximum(np.bincount(which, minlength=count), 1)
    return np.stack([np.bincount(which, weights=lab[:, :, c][inside], minlength=count) / number for c in (1, 2)], axis=1)


def _pairs(blobs: _Blobs, scale: float) -> list[tuple[float, IndexSpot]]:
    """Neighbours that may be a rank over a suit, with the unevenness of their paper; tens count with both their digits."""
    if len(blobs) < 2:
        return []
    between = blobs.centre[None, :, :] - blobs.centre[:, None, :]
    distance = np.hypot(between[:, :, 0], between[:, :, 1])
    size_here, size_there = blobs.size[:, None], blobs.size[None, :]
    alike = np.hypot(*(blobs.colour[None, :, :] - blobs.colour[:, None, :]).transpose(2, 0, 1)) < 28
    near = (distance > 0.7 * size_here) & (distance < 2.4 * size_here)
    ratio = size_there / size_here
    found = []
    for here, there in np.argwhere(near & alike & (ratio > 0.45) & (ratio < 1.35)):
        found.append((here, there, blobs.centre[here], float(blobs.size[here])))
    found += _tens(blobs, distance, alike)
    result = []
    for here, there, rank, size in found:
        suit = blobs.centre[there]
        unevenness = float(blobs.evenness[here] + blobs.evenness[there])
        points = tuple((float(p[0] + 0.5) / scale - 0.5, float(p[1] + 0.5) / scale - 0.5) for p in (rank, suit))
        result.append((unevenness, IndexSpot(points[0], points[1], size / scale)))
    return result


def _tens(blobs: _Blobs, distance: Floats, alike: NDArray[np.bool_]) -> list[tuple[int, int, Floats, float]]:
    """A 1 and a 0 side by side are one sign when a third blob lies square to them."""
    size = blobs.size
    ratio = size[None, :] / size[:, None]
    near = (distance > 0) & (distance < 1.3 * np.maximum(size[None, :], size[:, None]))
    beside = near & alike & (ratio > 0.4) & (ratio <= 1.05)
    found = []
    for zero, one in np.argwhere(beside):
        middle = (blobs.centre[zero] + blobs.centre[one]) / 2
        across = (blobs.centre[one] - blobs.centre[zero]) / distance[zero, one]
        to_third = blobs.centre - middle
        reach = np.hypot(to_third[:, 0], to_third[:, 1])
        square = np.abs(to_third @ across) < 0.35 * reach
        fits = square & alike[zero] & (reach > 0.8 * size[zero]) & (reach < 2.2 * size[zero])
        fits &= (size > 0.4 * size[zero]) & (size < 1.4 * size[zero])
        fits[[zero, one]] = False
        found += [(int(zero), int(third), middle, float(size[zero])) for third in np.flatnonzero(fits)]
    return found


def _distinct(spots: list[IndexSpot], most: int) -> tuple[IndexSpot, ...]:
    kept: list[IndexSpot] = []
    taken = np.empty((0, 4))
    for spot in spots:
        place = np.array((*spot.rank, *spot.suit))
        if len(taken) and np.abs(taken - place).max(axis=1).min() < 0.3 * spot.size:
            continue
        kept.append(spot)
        taken = np.vstack([taken, place])
        if len(kept) == most:
            break
    return tuple(kept)
