"""Card outlines in a photograph: every closed shape that could be a card in perspective.

Nothing here reads a card.  Thresholds at many levels over several views of the colours, and edges, give closed
contours; those that are four-sided with the proportions of a card become outlines.  Too many are better than too few:
an outline whose corners do not read as indices is dropped later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

Quad = NDArray[np.float32]
"""4 x 2: corners in pixels, clockwise as one sees them, starting anywhere."""

Mask = NDArray[np.uint8]

Points = NDArray[np.float32]
"""n x 2, in pixels"""

WORKING_SIDE = 1000
"""Outlines are looked for in a picture whose longer side has at most so many pixels."""
LEVELS = 14
"""Thresholds per view of the colours."""
SMALLEST_SHARE = 0.002
"""An outline encloses at least this share of the picture."""
PROPORTIONS = (1.0, 3.6)
"""Longer over shorter side of what may be a card: 1.40 lying flat, anything near it in perspective."""


DETAIL_SHARE = 0.05
"""What is so much smaller than an outline around it comes last: pips have corners, too."""
SHORTEST_PX = 30
"""A card whose shorter side has fewer pixels cannot be read."""
FRAME_MARGINS = (0.17, 0.1)
"""From a court card's frame to the card's edge, as shares of the frame's width and height."""
REFINED = 4
"""In one place so many contours are fitted exactly; further ones only count as votes."""
ROUGH = 0.05
"""Stands for the misfit of an outline that was not fitted."""
_NEXT = [1, 2, 3, 0]
_TURNS = ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2))


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """Four corners, and how often the passes met them."""

    corners: Quad
    votes: int
    """Passes that found this outline: a real edge is found at many levels."""
    misfit: float
    """Mean distance of the contour from the four sides, as a share of the shorter side."""


def find_outlines(image: Image, most: int = 30) -> tuple[Outline, ...]:
    """The `most` likeliest outlines of cards in `image`, the best supported first, corners in its pixels."""
    height, width = image.shape[:2]
    scale = min(1.0, WORKING_SIDE / max(height, width))
    size = (round(width * scale), round(height * scale))
    small = image if scale == 1.0 else np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    met: Counter[tuple[int, ...]] = Counter()
    found = [outline for mask, inset in _passes(small) for outline in _from_mask(mask, inset, SHORTEST_PX * scale, met)]
    return tuple(Outline(((o.corners + 0.5) / scale - 0.5).astype(np.float32), o.votes, o.misfit) for o in _merged(found)[:most])


def _views(image: Image) -> Iterator[Mask]:
    """One-channel pictures in which paper stands out from its surroundings in one way or another."""
    smooth = cv2.GaussianBlur(image, (0, 0), 1.2)
    lab = cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB)
    yield np.ascontiguousarray(lab[:, :, 0])
    yield smooth.min(axis=2)
    offset = lab[:, :, 1:].astype(np.float32) - 128.0
    yield np.clip(np.hypot(offset[:, :, 0], offset[:, :, 1]) * 3.0, 0, 255).astype(np.uint8)


def _passes(image: Image) -> Iterator[tuple[Mask, float]]:
    """Masks, and how many pixels their regions are smaller all round than what they stand for."""
    for view in _views(image):
        low, high = np.percentile(view[::3, ::3], (2, 98))
        levels = sorted({int(level) for level in np.linspace(low, high, LEVELS + 2)[1:-1]})
        for level in levels:
            yield np.asarray(view > level, np.uint8), 0.0
    yield from _edge_passes(image)


def _edge_passes(image: Image) -> Iterator[tuple[Mask, float]]:
    """Closed regions between edges, for paper on a background of its own brightness."""
    smooth = cv2.GaussianBlur(image, (0, 0), 1.5)
    kernel = np.ones((3, 3), np.uint8)
    for low, high in ((15, 40), (30, 80), (60, 150)):
        edges = np.max([cv2.Canny(np.ascontiguousarray(smooth[:, :, c]), low, high) for c in range(3)], axis=0)
        for wider in (1, 3):
            yield np.asarray(cv2.dilate(edges, kernel, iterations=wider) == 0, np.uint8), wider + 0.5


def _from_mask(mask: Mask, inset: float, shortest: float, met: Counter[tuple[int, ...]]) -> Iterator[Outline]:
    """Outlines of the regions of a mask, and of the holes in them; `met` counts where rough ones were seen before."""
    smallest = max(SMALLEST_SHARE * mask.size, shortest**2)
    framed = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    contours, tree = cv2.findContours(framed, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for number, contour in enumerate(contours):
        if len(contour) < 4 * shortest:
            continue
        hull = cv2.convexHull(contour)
        area = cv2.contourArea(hull)
        # More than that is the picture's own rim, which is no outline.
        if not smallest < area < 0.97 * mask.size or abs(cv2.contourArea(contour)) < 0.8 * area:
            continue
        # A contour runs through the middles of the region's own pixels: inside its edge, or round a hole outside of it.
        grow = (0.5 + inset) * (1.0 if tree[0, number, 3] < 0 else -1.0)
        rough = _rough_quad(hull.reshape(-1, 2).astype(np.float32))
        if rough is None:
            continue
        place = (*(int(x) for x in rough.mean(axis=0) / (0.2 * shortest)), round(6 * np.log(area)))
        met[place] += 1
        if met[place] > REFINED:
            yield Outline(rough - 1.0, 1, ROUGH)
            continue
        outline = _four_sides(rough, contour.reshape(-1, 2).astype(np.float32), hull, grow)
        if outline is not None:
            yield Outline(outline.corners - 1.0, outline.votes, outline.misfit)


def _four_sides(rough: Quad, points: Points, hull: cv2.typing.MatLike, grow: float) -> Outline | None:
    """The quadrilateral along the sides of a contour, `grow` pixels outside of it; None where it has not four sides."""
    corners = _refined(rough, points, grow)
    if corners is None or not is_cardlike(corners):
        return None
    misfit = _misfit(corners, points)
    if misfit > 0.03 or cv2.contourArea(hull) < 0.88 * cv2.contourArea(corners):
        return None
    return Outline(corners, 1, misfit)


def _rough_quad(hull: Points) -> Quad | None:
    length = cv2.arcLength(hull, True)
    for share in (0.02, 0.03, 0.04, 0.05, 0.07, 0.09):
        rough = cv2.approxPolyDP(hull, share * length, True)
        if len(rough) == 4:
            return clockwise(rough.reshape(4, 2).astype(np.float32))
        if len(rough) < 4:
            return None
    return None


def _refined(rough: Quad, points: Points, grow: float) -> Quad | None:
    """Lines through the middle parts of the sides meet in the sharp corners that a card's round ones hide."""
    lines = []
    for here, there in zip(rough, rough[_NEXT], strict=True):
        along = there - here
        length = float(np.hypot(*along))
        if length < 8:
            return None
        unit = along / length
        across = np.array((-unit[1], unit[0]), np.float32)
        position, distance = (points - here) @ unit / length, np.abs((points - here) @ across)
        near = points[(position > 0.12) & (position < 0.88) & (distance < 0.06 * length + 2)]
        if len(near) < 8:
            return None
        vx, vy, x, y = cv2.fitLine(near[:: 1 + len(near) // 80], cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        x, y = x + grow * unit[1], y - grow * unit[0]
        lines.append((vy, -vx, vx * y - vy * x))
    return _meeting_points(np.array(lines, np.float64))


def _meeting_points(lines: NDArray[np.float64]) -> Quad | None:
    """Where each of four lines (rows a, b, c of ax + by + c = 0) meets the one before it."""
    (a, b, c), (d, e, f) = lines[[3, 0, 1, 2]].T, lines.T
    depth = a * e - b * d
    if np.abs(depth).min() < 1e-9:
        return None
    return np.asarray(np.stack(((b * f - c * e) / depth, (c * d - a * f) / depth), axis=1), np.float32)


def _misfit(corners: Quad, points: Points) -> float:
    distances = []
    for here, there in zip(corners, corners[_NEXT], strict=True):
        along = there - here
        distances.append(np.abs((points - here) @ np.array((-along[1], along[0]))) / max(float(np.hypot(*along)), 1e-6))
    return float(np.mean(np.min(distances, axis=0)) / max(side_lengths(corners).min(), 1.0))


def clockwise(corners: Quad) -> Quad:
    """The same corners in clockwise order as one sees them (y down)."""
    turn = cv2.contourArea(corners.astype(np.float32), oriented=True)
    return corners if turn > 0 else np.ascontiguousarray(corners[::-1])


def side_lengths(corners: Quad) -> NDArray[np.float32]:
    """Lengths of the four sides in pixels, the one from the first to the second corner first."""
    return np.asarray(np.hypot(*(corners[_NEXT] - corners).T), np.float32)


def proportion(corners: Quad) -> float:
    """Mean of one pair of opposite sides over that of the other; the longer pair on top."""
    sides = side_lengths(corners)
    first, second = float(sides[0] + sides[2]), float(sides[1] + sides[3])
    return max(first, second) / max(min(first, second), 1e-6)


def outside_of_frame(frame: Outline) -> Outline:
    """Where the edge of a court card runs whose ruled frame was found, as if every deck had the same margins."""
    sides = side_lengths(frame.corners)
    upright = sides[0] + sides[2] <= sides[1] + sides[3]
    x, y = FRAME_MARGINS if upright else FRAME_MARGINS[::-1]
    square = np.array(((0, 0), (1, 0), (1, 1), (0, 1)), np.float32)
    wider = np.array(((-x, -y), (1 + x, -y), (1 + x, 1 + y), (-x, 1 + y)), np.float32)
    corners = cv2.perspectiveTransform(wider[:, None], cv2.getPerspectiveTransform(square, frame.corners))
    return Outline(np.asarray(corners, np.float32).reshape(4, 2), frame.votes, frame.misfit)


def is_cardlike(corners: Quad) -> bool:
    """Convex, corners not far from square, opposite sides of like length, proportions of a card in perspective."""
    if not cv2.isContourConvex(corners.reshape(-1, 1, 2).astype(np.float32)):
        return False
    sides = side_lengths(corners)
    if max(sides[0] / sides[2], sides[2] / sides[0], sides[1] / sides[3], sides[3] / sides[1]) > 1.6:
        return False
    along = (corners[_NEXT] - corners) / sides[:, None]
    cosines = np.abs(np.sum(along * along[_NEXT], axis=1))
    return float(cosines.max()) < 0.6 and PROPORTIONS[0] <= proportion(corners) <= PROPORTIONS[1]


def _merged(found: list[Outline], nearness: float = 0.04) -> list[Outline]:
    """Outlines that are the same within `nearness` become the best fitting of them, with their votes added."""
    kept: list[Outline] = []
    places = np.empty((0, 4, 2), np.float32)
    for outline in sorted(found, key=lambda o: o.misfit):
        limit = nearness * float(side_lengths(outline.corners).min())
        shifts = [np.hypot(*(places - outline.corners[list(turn)]).transpose(2, 0, 1)).max(axis=1) for turn in _TURNS]
        distance = np.min(shifts, axis=0)
        if len(kept) and distance.min() < limit:
            twin = int(distance.argmin())
            kept[twin] = Outline(kept[twin].corners, kept[twin].votes + outline.votes, kept[twin].misfit)
        else:
            kept.append(outline)
            places = np.concatenate([places, outline.corners[None]])
    kept = [outline for outline in kept if outline.misfit < ROUGH]
    return sorted(kept, key=lambda o: (_is_detail(o, kept), -o.votes, o.misfit))


def _is_detail(outline: Outline, others: list[Outline]) -> bool:
    """Small inside of another one: rather a pip than a card."""
    middle = outline.corners.mean(axis=0)
    area = cv2.contourArea(outline.corners)
    return any(
        other.votes >= 3
        and area < DETAIL_SHARE * cv2.contourArea(other.corners)
        and cv2.pointPolygonTest(other.corners.reshape(-1, 1, 2), (float(middle[0]), float(middle[1])), False) > 0
        for other in others
    )
