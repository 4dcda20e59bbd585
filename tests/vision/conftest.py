"""A small table of our own for the reader's tests: boards drawn through a real camera model, and windows that carry a code
which an ideal classifier can decode.  It shares no code with the renderer or with the registration that it tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.cards import Mark, Seen
from tests.vision.session import Session
from vision.classifier import LABELS, Patches, Reading
from vision.frame import Frame, Image
from vision.layout import Layout, Rect, mat_layout

CANVAS_PX_PER_MM = 8
BITS = 6


@dataclass
class DrawnBoard:
    """A board before a camera with perspective and a bent lens; `frame` makes one picture."""

    layout: Layout
    tilt: tuple[float, float] = (0.05, -0.04)
    """Radians about the x and the y axis."""
    k1: float = -0.06
    shift_mm: tuple[float, float] = (0.0, 0.0)
    seed: int = 1
    camera: str = "camera0"
    number: int = 0
    _noise: NDArray[np.float32] = field(init=False, repr=False)
    _maps: dict[tuple[float, float], NDArray[np.float32]] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        width, height = self.layout.frame_px
        self._noise = np.random.default_rng(self.seed).normal(0, 1, (height, width, 3)).astype(np.float32)

    def _optics(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        width, height = self.layout.frame_px
        extent = self.layout.extent
        distance = extent.width
        focal = 0.96 * width / extent.width * distance
        matrix = np.array([[focal, 0, width / 2 + 3.0], [0, focal, height / 2 - 2.0], [0, 0, 1]])
        turn = np.array([self.tilt[0], self.tilt[1], 0.006])
        middle = np.array([extent.x + extent.width / 2, extent.y + extent.height / 2, 0.0])
        rotation, _ = cv2.Rodrigues(turn)
        move = np.array([*self.shift_mm, distance]) - rotation @ middle
        return matrix, np.array([self.k1, 0.004, 0.0, 0.0]), turn, move

    def project(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """The truth: millimetres to pixels."""
        matrix, bend, turn, move = self._optics()
        points = np.column_stack([points_mm, np.zeros(len(points_mm))])
        return cv2.projectPoints(points, turn, move, matrix, bend)[0].reshape(-1, 2)

    def _map(self) -> NDArray[np.float32]:
        matrix, bend, turn, move = self._optics()
        width, height = self.layout.frame_px
        px = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 1, 2).astype(np.float64)
        rays = cv2.undistortPoints(px, matrix, bend, None, None, None).reshape(-1, 2)
        rotation, _ = cv2.Rodrigues(turn)
        to_plane = np.linalg.inv(np.column_stack([rotation[:, :2], move]))
        x, y, scale = to_plane @ np.column_stack([rays, np.ones(len(rays))]).T
        extent = self.layout.extent
        mm = np.column_stack([x / scale - extent.x, y / scale - extent.y]) * CANVAS_PX_PER_MM - 0.5
        return mm.reshape(height, width, 2).astype(np.float32)

    def frame(
        self,
        time: float,
        contents: Sequence[Seen],
        *,
        gain: float = 1.0,
        offset: float = 0.0,
        noise: float = 2.0,
        hidden: Sequence[int] = (),
        mirrored: bool = False,
        smeared: Sequence[int] = (),
    ) -> Frame:
        """One picture.  `hidden` markers are covered; `smeared` windows hold something that moves from frame to frame."""
        extent = self.layout.extent
        size = (round(extent.height * CANVAS_PX_PER_MM), round(extent.width * CANVAS_PX_PER_MM))
        canvas = np.full((*size, 3), 215, np.uint8)
        for marker in self.layout.markers:
            if marker.id not in hidden:
                _draw_marker(_part(canvas, marker.square, extent), marker.id)
        for index, (window, seen) in enumerate(zip(self.layout.windows, contents, strict=True)):
            part = _part(canvas, window, extent)
            if index in smeared:
                seen = LABELS[(self.number * 11 + index) % 52]
                part[:] = 120
                _draw_code(part[: part.shape[0] // 2], seen)
            else:
                _draw_code(part, seen)
        if self.shift_mm not in self._maps:
            self._maps[self.shift_mm] = self._map()
        image = cv2.remap(canvas, self._maps[self.shift_mm], None, cv2.INTER_LINEAR, borderValue=(90, 90, 90))
        grain = np.roll(self._noise, 1009 * self.number, axis=1)
        lit = image * np.float32(gain) + np.float32(offset) + np.float32(noise) * grain
        image = np.clip(np.rint(lit), 0, 255).astype(np.uint8)
        self.number += 1
        return Frame(self.camera, time, self.number, np.ascontiguousarray(image[:, ::-1]) if mirrored else image)


def _part(canvas: Image, rect: Rect, extent: Rect) -> Image:
    left, top = ((rect.x - extent.x) * CANVAS_PX_PER_MM, (rect.y - extent.y) * CANVAS_PX_PER_MM)
    return canvas[
        round(top) : round(top + rect.height * CANVAS_PX_PER_MM), round(left) : round(left + rect.width * CANVAS_PX_PER_MM)
    ]


def _draw_marker(part: Image, number: int) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100)
    part[:] = cv2.aruco.generateImageMarker(dictionary, number, part.shape[0])[:, :, None]


def _cells(height: int, width: int) -> list[tuple[slice, slice]]:
    return [
        (slice(row * height // 3, (row + 1) * height // 3), slice(column * width // 2, (column + 1) * width // 2))
        for row in range(3)
        for column in range(2)
    ]


def _draw_code(part: Image, seen: Seen) -> None:
    code = 0 if seen is Mark.EMPTY else LABELS.index(seen) + 1
    for bit, cell in enumerate(_cells(*part.shape[:2])):
        part[cell] = 190 if code >> bit & 1 else 50


class IdealClassifier:
    """Decodes the code in a window; `twist` changes what it says, `asked` counts the windows that it was asked about.

    `spread` is the probability that it leaves for all other labels together.
    """

    def __init__(self, twist: Callable[[int, int], int] | None = None, spread: float = 0.002) -> None:
        self.asked = 0
        self._twist = twist
        self._spread = spread

    def classify(self, patches: Patches) -> Reading:
        readings = np.full((len(patches), len(LABELS)), self._spread / (len(LABELS) - 1), np.float32)
        for patch, reading in zip(patches, readings, strict=True):
            label = self._decode(patch)
            self.asked += 1
            if self._twist is not None:
                label = self._twist(self.asked, label)
            reading[label] = 1 - self._spread
        return readings

    @staticmethod
    def _decode(patch: NDArray[np.uint8]) -> int:
        code = 0
        for bit, cell in enumerate(_cells(*patch.shape[:2])):
            values = patch[cell][6:-6, 4:-4]
            bright = float(values.mean())
            if values.std() > 25:
                return LABELS.index(Mark.UNREADABLE)
            code |= int(bright > 115) << bit
        return LABELS.index(Mark.EMPTY) if code == 0 else min(code - 1, len(LABELS) - 1)


@pytest.fixture
def board() -> Callable[..., DrawnBoard]:
    """Makes a drawn board for a layout."""
    return DrawnBoard


@pytest.fixture
def ideal() -> Callable[..., IdealClassifier]:
    """Makes an ideal classifier."""
    return IdealClassifier


@pytest.fixture
def session(board, ideal):
    def make(twist=None, spread=0.002, **settings):
        return Session(board(mat_layout(0)), ideal(twist, spread), **settings)

    return make
