"""Painting a board at its own scale: what is there, before lens, light and sensor.

A painter knows the items of a scene, each with a key and a rectangle; only rectangles whose items changed are painted
again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.layout import Layout, Rect
from vision.synthetic.scene import Scene

DICTIONARY = cv2.aruco.DICT_4X4_100


@dataclass(frozen=True, slots=True)
class PxRect:
    """A rectangle of raster pixels; right and bottom are the first ones outside."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.right - self.left, self.bottom - self.top

    def meets(self, other: PxRect) -> bool:
        return self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom

    def joined(self, other: PxRect) -> PxRect:
        """The smallest rectangle around both."""
        return PxRect(
            min(self.left, other.left), min(self.top, other.top), max(self.right, other.right), max(self.bottom, other.bottom)
        )

    def grown(self, by: int) -> PxRect:
        """The rectangle with a rim of so many pixels."""
        return PxRect(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def within(self, other: PxRect) -> PxRect:
        """What both have in common; may be empty."""
        left, top = max(self.left, other.left), max(self.top, other.top)
        return PxRect(left, top, max(left, min(self.right, other.right)), max(top, min(self.bottom, other.bottom)))

    def relative_to(self, other: PxRect) -> PxRect:
        """The same rectangle, counted from the corner of another one."""
        return PxRect(self.left - other.left, self.top - other.top, self.right - other.left, self.bottom - other.top)

    def clipped(self, width: int, height: int) -> PxRect:
        """What of it lies in a raster; may be empty."""
        return self.within(PxRect(0, 0, width, height))

    @property
    def empty(self) -> bool:
        return self.right <= self.left or self.bottom <= self.top

    def of(self, canvas: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The part of a canvas."""
        return canvas[self.top : self.bottom, self.left : self.right]


@dataclass(frozen=True, slots=True)
class Item:
    """Something on the board."""

    key: Hashable
    """Equal keys paint equal pixels."""
    rect: PxRect
    paint: Callable[[Image, PxRect], None]
    """Paints into the part of the canvas that the rectangle names."""


class Painter(ABC):
    """The raster of one board."""

    def __init__(self, layout: Layout, px_per_mm: float) -> None:
        self.layout = layout
        self.px_per_mm = px_per_mm
        self.origin_mm = (layout.extent.x, layout.extent.y)
        self.width = round(layout.extent.width * px_per_mm)
        self.height = round(layout.extent.height * px_per_mm)
        self._base: Image | None = None
        self.canvas: Image = np.zeros((self.height, self.width, 3), np.uint8)
        self._shown: tuple[tuple[Hashable, PxRect], ...] = ()
        """Keys and places of what the canvas shows; not how it is painted, or painter and pictures would hold each other."""

    @abstractmethod
    def base(self) -> Image:
        """The board with nothing on it."""

    @abstractmethod
    def items(self, scene: Scene) -> tuple[Item, ...]:
        """What lies on it, lowest first as the camera sees it."""

    def px(self, rect: Rect) -> PxRect:
        """A rectangle in pixels."""
        left, top = ((rect.x - self.origin_mm[0]) * self.px_per_mm, (rect.y - self.origin_mm[1]) * self.px_per_mm)
        return PxRect(
            round(left), round(top), round(left + rect.width * self.px_per_mm), round(top + rect.height * self.px_per_mm)
        )

    def show(self, scene: Scene) -> tuple[PxRect, ...]:
        """Bring the canvas up to date; the rectangles that changed, none of them overlapping."""
        scene.check(self.layout)
        if self._base is None:
            self._base = self.base()
            self.canvas[:] = self._base
            dirty: tuple[PxRect, ...] = (PxRect(0, 0, self.width, self.height),)
            items = self.items(scene)
        else:
            items = self.items(scene)
            dirty = self._changed(items)
        for rect in dirty:
            rect.of(self.canvas)[:] = rect.of(self._base)
            for item in items:
                if item.rect.meets(rect):
                    item.paint(self.canvas, rect)
        self._shown = tuple((item.key, item.rect) for item in items)
        return dirty

    def _changed(self, items: tuple[Item, ...]) -> tuple[PxRect, ...]:
        fresh = tuple((item.key, item.rect) for item in items)
        before, now = Counter(key for key, _ in self._shown), Counter(key for key, _ in fresh)
        changed = {key for key in before.keys() | now.keys() if before[key] != now[key]}
        # where things only changed their order, everything from there on is new
        rest_before = [key for key, _ in self._shown if key not in changed]
        rest_now = [key for key, _ in fresh if key not in changed]
        if rest_before != rest_now:
            changed |= set(rest_now)
        rects = [rect.clipped(self.width, self.height) for key, rect in (*self._shown, *fresh) if key in changed]
        return merged(tuple(rect for rect in rects if not rect.empty))

    def draw_markers(self, canvas: Image, rim_mm: float) -> None:
        """Print the board's markers on a white rim."""
        dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
        for marker in self.layout.markers:
            square = marker.square
            around = Rect(square.x - rim_mm, square.y - rim_mm, square.width + 2 * rim_mm, square.height + 2 * rim_mm)
            self.px(around).clipped(self.width, self.height).of(canvas)[:] = 232
            place = self.px(square)
            pattern = cv2.aruco.generateImageMarker(dictionary, marker.id, place.size[0])
            # printed black still returns some light
            ink = np.where(pattern > 127, 232, 30).astype(np.uint8)
            place.of(canvas)[:] = cv2.resize(ink, place.size, interpolation=cv2.INTER_AREA)[..., None]


def merged(rects: tuple[PxRect, ...]) -> tuple[PxRect, ...]:
    """Join rectangles until none overlap."""
    todo, done = list(dict.fromkeys(rects)), list[PxRect]()
    while todo:
        rect = todo.pop()
        for other in done:
            if rect.meets(other):
                done.remove(other)
                todo.append(rect.joined(other))
                break
        else:
            done.append(rect)
    return tuple(done)
