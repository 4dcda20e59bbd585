"""Photographs of cards, rendered with their truth: one card or many, apart, overlapping or cropped, by good and bad cameras.

What a reader may be held to is known exactly: a card counts when one of its indices is in the picture and uncovered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.cards import Card
from vision.frame import Image
from vision.layout import CARD_MM
from vision.synthetic.art import rounded_outline
from vision.synthetic.exposure import exposed
from vision.synthetic.grounds import Canvas, Size, ground

SCENES = ("single", "several", "fan", "crop", "rig")
"""One card; up to seven apart or touching; a fan; a crop to the card's edge; a small picture from a fixed camera."""

INDEX_MM = (13.0, 25.0)
"""Width and height of a corner that holds the index."""
_SHOWN = 0.98
"""So much of that corner has to be in sight."""

Quad = NDArray[np.float32]
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """A face or a back to be laid down."""

    picture: Image
    """Upright, of any size; as high as a card is."""
    card: Card | None
    """None for what is no card of the 52."""


@dataclass(frozen=True, slots=True, eq=False)
class Photograph:
    """A picture and what it shows."""

    image: Image
    scene: str
    readable: tuple[Card, ...]
    """Cards of which an index shows."""
    hidden: tuple[Card, ...]
    """Cards that lie there, but whose indices are covered or cut off."""


def photograph(rng: Generator, prints: Sequence[Print], scene: str) -> Photograph:
    """A photograph of `prints` (the first of them, where the scene shows one card only) of one of the `SCENES`."""
    if scene == "crop":
        return _crop(rng, prints[0])
    size: Size = ((640, 480), (1000, 750), (1280, 960), (900, 1200))[int(rng.integers(4))]
    if scene == "rig":
        size = (640, 480)
    shown = prints[:1] if scene in ("single", "rig") else prints
    placed, width_mm = _lying(rng, len(shown), scene)
    view = _view(rng, size, width_mm, steepest=8.0 if scene == "rig" else 42.0)
    canvas = ground(rng, size).astype(np.float32)
    owner = np.full((size[1], size[0]), -1, np.int16)
    for number, (thing, place) in enumerate(zip(shown, placed, strict=True)):
        _lay(canvas, owner, thing.picture, view @ place, number)
    seen = [_index_shows(owner, view @ place, number) for number, place in enumerate(placed)]
    image = exposed(rng, canvas, rough=scene == "rig")
    return Photograph(image, scene, *_split(shown, seen))


def _split(shown: Sequence[Print], seen: Sequence[bool]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    pairs = [(thing.card, there) for thing, there in zip(shown, seen, strict=True) if thing.card is not None]
    return tuple(card for card, there in pairs if there), tuple(card for card, there in pairs if not there)


def _lying(rng: Generator, count: int, scene: str) -> tuple[list[Matrix], float]:
    """Millimetres of each card to millimetres of the table round its middle, and how much of the table is to be seen."""
    width, height = CARD_MM
    if scene in ("single", "rig"):
        return [_place(rng.normal(0, 8, 2), rng.uniform(0, 360))], float(rng.uniform(120, 260))
    if scene == "fan":
        step, turn = rng.uniform(16, 34), rng.uniform(0, 14)
        lean = rng.uniform(0, 360)
        whole = _place(np.zeros(2), lean)
        offsets = np.arange(count) - (count - 1) / 2
        cards = [whole @ _place(np.array((o * step, abs(o) * turn * 0.5)), o * turn + rng.normal(0, 1.5)) for o in offsets]
        return cards, step * count + height * rng.uniform(1.2, 2.2)
    columns = int(np.ceil(np.sqrt(count)))
    pitch = np.array((width, height)) * rng.uniform(1.0, 1.35)
    loose = pitch[0] > width * 1.15
    wild = rng.random() < 0.5
    cards = []
    for number in range(count):
        at = (np.array((number % columns, number // columns)) - (columns - 1) / 2) * pitch + rng.normal(0, 2 if loose else 0.4, 2)
        if wild:
            at *= 1.45
        cards.append(_place(at, rng.uniform(0, 360) if wild else rng.normal(0, 4 if loose else 0.5) + 180 * int(rng.integers(2))))
    whole = _place(np.zeros(2), rng.uniform(0, 360))
    return [whole @ card for card in cards], columns * max(pitch) * rng.uniform(0.95, 1.4) * (1.45 if wild else 1.0)


def _place(middle: NDArray[np.float64], degrees: float) -> Matrix:
    """From millimetres of a card (from its top left corner) to where its middle lies turned by so much."""
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    turn = np.array(((cosine, -sine), (sine, cosine)))
    shift = middle - turn @ (np.array(CARD_MM) / 2)
    return np.array(((*turn[0], shift[0]), (*turn[1], shift[1]), (0.0, 0.0, 1.0)))


def _view(rng: Generator, size: Size, width_mm: float, steepest: float) -> Matrix:
    """Millimetres of the table to pixels, for a camera that looks at its middle from any side."""
    tilt, roll = np.radians(min(abs(rng.normal(0, steepest / 2)), steepest)), np.radians(rng.uniform(0, 360))
    around = np.radians(rng.uniform(0, 360))
    focal = 1.1 * max(size)
    distance = focal * width_mm / min(size)
    spin = np.array(((np.cos(around), -np.sin(around), 0), (np.sin(around), np.cos(around), 0), (0, 0, 1)))
    lean = np.array(((1, 0, 0), (0, np.cos(tilt), -np.sin(tilt)), (0, np.sin(tilt), np.cos(tilt))))
    turn = np.array(((np.cos(roll), -np.sin(roll), 0), (np.sin(roll), np.cos(roll), 0), (0, 0, 1)))
    pose = turn @ lean @ spin
    lens = np.array(((focal, 0, size[0] / 2), (0, focal, size[1] / 2), (0, 0, 1)))
    return np.asarray(lens @ np.column_stack((pose[:, 0], pose[:, 1], (0, 0, distance))), np.float64)


def _through(matrix: Matrix, points: NDArray[np.float64]) -> Quad:
    return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), matrix), np.float32).reshape(-1, 2)


def _lay(canvas: Canvas, owner: NDArray[np.int16], picture: Image, matrix: Matrix, number: int) -> None:
    """Put a card and its shadow on the canvas; `owner` remembers who covers which pixel."""
    corners = _through(matrix, np.array(((0, 0), (CARD_MM[0], 0), CARD_MM, (0, CARD_MM[1])), np.float64))
    sides = np.hypot(*(corners - np.roll(corners, -1, axis=0)).T)
    height_px = max(8, round(float(max(sides[1], sides[3])) * 1.3))
    shape = (max(6, round(height_px * CARD_MM[0] / CARD_MM[1])), height_px)
    smaller = shape[1] < picture.shape[0]
    face = cv2.resize(picture, shape, interpolation=cv2.INTER_AREA if smaller else cv2.INTER_CUBIC)
    cut = cv2.resize(rounded_outline(3.2), shape, interpolation=cv2.INTER_AREA)
    scale = np.diag((CARD_MM[0] / shape[0], CARD_MM[1] / shape[1], 1.0)) @ np.array(((1, 0, 0.5), (0, 1, 0.5), (0, 0, 1)))
    from_face = np.array(((1, 0, -0.5), (0, 1, -0.5), (0, 0, 1))) @ matrix @ scale
    size = (canvas.shape[1], canvas.shape[0])
    warped = cv2.warpPerspective(face, from_face, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    share = cv2.warpPerspective(cut, from_face, size, flags=cv2.INTER_LINEAR).astype(np.float32) / 255
    shadow = cv2.GaussianBlur(share, (0, 0), max(1.0, height_px / 80)) * 0.3
    canvas *= (1 - shadow * (share < 0.5))[..., None]
    canvas *= (1 - share)[..., None]
    canvas += warped * share[..., None]
    owner[share > 0.5] = number


def _index_shows(owner: NDArray[np.int16], matrix: Matrix, number: int) -> bool:
    width, height = INDEX_MM
    grid = np.stack(np.meshgrid(np.linspace(1.5, width, 8), np.linspace(1.5, height, 12)), axis=-1).reshape(-1, 2)
    for points in (grid, np.array(CARD_MM) - grid):
        px = np.round(_through(matrix, points)).astype(int)
        inside = (px >= 0).all(axis=1) & (px[:, 0] < owner.shape[1]) & (px[:, 1] < owner.shape[0])
        kept = px[inside]
        if np.count_nonzero(owner[kept[:, 1], kept[:, 0]] == number) >= _SHOWN * len(px):
            return True
    return False


def _crop(rng: Generator, thing: Print) -> Photograph:
    """A scan or a picture cut out along the card, not always exactly; sometimes turned, sometimes squeezed."""
    height = int(rng.integers(200, 700))
    width = round(height * rng.uniform(0.66, 0.76)) if rng.random() < 0.6 else round(height * rng.uniform(0.9, 1.1))
    face = cv2.resize(thing.picture, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)
    margins = np.round(np.array((width, height, width, height)) * rng.uniform(-0.035, 0.04, 4)).astype(int)
    around = np.asarray(rng.uniform(0, 255, 3), np.float32) if rng.random() < 0.5 else face[height // 2, 2]
    canvas = np.empty((height + margins[1] + margins[3], width + margins[0] + margins[2], 3), np.float32)
    canvas[:] = around
    left, top = max(0, margins[0]), max(0, margins[1])
    part = face[max(0, -margins[1]) : height + min(0, margins[3]), max(0, -margins[0]) : width + min(0, margins[2])]
    canvas[top : top + part.shape[0], left : left + part.shape[1]] = part
    canvas = np.ascontiguousarray(np.rot90(canvas, int(rng.integers(4)) if rng.random() < 0.4 else 0))
    image = exposed(rng, canvas, rough=False)
    return Photograph(image, "crop", *_split((thing,), (True,)))
