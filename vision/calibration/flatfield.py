"""The light over a mat: how uneven it is on blank cards, and pictures as they were under even light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibrate import Registration, marker_corners_mm
from vision.errors import CalibrationError
from vision.frame import Image
from vision.layout import Rect

TERMS = 9
"""Of a surface of second degree each way."""
SHINE = 0.10
"""A spot of blank paper that is brighter than the smooth light by so much shines."""
WASHED = 250.0
PAPER = 0.6
"""A window whose paper is darker than this share of the plate's white is not covered by a blank card."""
RIM_MM = 0.75
STRONGEST = 4.0
"""More than this is not lifted: it would be noise."""


@dataclass(frozen=True, slots=True)
class FlatField:
    """The light over a picture as a smooth surface for each colour."""

    size_px: tuple[int, int]
    surface: tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]
    """Blue, green, red: factors of 1 x x2 y xy x2y y2 xy2 x2y2, with x and y from -1 to 1; levels of 255."""
    evenness: float
    """Darkest light over a window as a share of the brightest."""
    glare: float
    """Share of the blank paper that shines or is washed out."""

    def light(self) -> NDArray[np.float32]:
        """Height x width x 3: the light as a share of the brightest of its colour."""
        width, height = self.size_px
        x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
        terms = _terms(x.ravel(), y.ravel())
        shown = np.stack([(terms @ np.array(part)).reshape(height, width) for part in self.surface], axis=-1)
        return np.asarray(np.maximum(shown / shown.max(axis=(0, 1)), 1 / STRONGEST), np.float32)

    def corrected(self, image: Image) -> Image:
        """The picture as it was under even light; raise `CalibrationError` for one of another size."""
        if (image.shape[1], image.shape[0]) != self.size_px:
            raise CalibrationError(f"the light was measured in pictures of {self.size_px}, this one is {image.shape[1::-1]}")
        return np.asarray(cv2.divide(image, self.light(), dtype=cv2.CV_8U), np.uint8)


def measure_light(blanks: Sequence[Image], registration: Registration) -> FlatField:
    """The light over a mat with a blank card on every window; pictures the right way round.

    Raise `CalibrationError` where a window is not covered by white paper.
    """
    picture = np.asarray(np.mean(np.stack(blanks), axis=0), np.float32)
    rims = _rims(picture, registration)
    windows = [_sampled(picture, registration, window) for window in registration.layout.windows]
    usual = float(np.median(rims[1][:, 1]))
    for number, (_, levels) in enumerate(windows, 1):
        if float(np.median(levels[:, 1])) < PAPER * usual:
            raise CalibrationError(
                f"{registration.layout.name}: window {number} shows no blank card: its level is "
                f"{float(np.median(levels[:, 1])):.0f}, that of the white around the markers {usual:.0f}"
            )
    points = np.concatenate([places for places, _ in windows])
    levels = np.concatenate([found for _, found in windows])
    terms = _terms(*_normal(points, registration.size_px))
    # The rims hold the surface between the windows, but they are other paper: only their run counts.
    rim_terms = _terms(*_normal(rims[0], registration.size_px))
    surface, keep = [], np.ones(len(levels), bool)
    for _ in range(3):
        surface = [_fitted(terms[keep], levels[keep, c], rim_terms, rims[1][:, c]) for c in range(3)]
        smooth = terms @ surface[1]
        shines = (levels[:, 1] > smooth * (1 + SHINE)) | (levels.max(axis=1) >= WASHED)
        keep = ~shines if (~shines).sum() > len(levels) // 2 else keep
    lit = terms @ surface[1]
    blue, green, red = (tuple(float(value) for value in part) for part in surface)
    return FlatField(
        registration.size_px, (blue, green, red), float(max(lit.min(), 0.0) / max(lit.max(), 1.0)), float(shines.mean())
    )


def _fitted(
    terms: NDArray[np.float64], levels: NDArray[np.float64], rim_terms: NDArray[np.float64], rims: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Least squares over paper and rims, whose whiteness against the paper is one unknown more."""
    scale = float(np.median(levels) / max(float(np.median(rims)), 1.0))
    rows = np.concatenate([terms, 0.5 * rim_terms])
    wanted = np.concatenate([levels, 0.5 * scale * rims])
    # A weak pull to a plain level steadies the corners that no sample reaches.
    steady = np.diag([0.0, 0.02, 0.3, 0.02, 0.3, 0.6, 0.3, 0.6, 0.6]) * np.sqrt(len(levels)) * 0.1
    rows, wanted = np.concatenate([rows, steady]), np.concatenate([wanted, np.zeros(TERMS)])
    return np.asarray(np.linalg.lstsq(rows, wanted, rcond=None)[0], np.float64)


def _terms(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    one = np.ones_like(x)
    return np.stack([one, x, x * x, y, x * y, x * x * y, y * y, x * y * y, x * x * y * y], axis=1)


def _normal(points: NDArray[np.float64], size_px: tuple[int, int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return points[:, 0] / (size_px[0] - 1) * 2 - 1, points[:, 1] / (size_px[1] - 1) * 2 - 1


def _sampled(
    picture: NDArray[np.float32], registration: Registration, window: Rect
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Pixels over a window and their levels, away from its wall; those outside the picture are left out."""
    x = window.x + window.width * np.linspace(0.12, 0.88, 10)
    y = window.y + window.height * np.linspace(0.08, 0.92, 18)
    return _levels(picture, registration, np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2))


def _rims(picture: NDArray[np.float32], registration: Registration) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The same for the white around the markers."""
    places = []
    for marker in registration.layout.markers:
        corners = marker_corners_mm(marker)
        middle = corners.mean(axis=0)
        grown = middle + (corners - middle) * (1 + 2 * RIM_MM / marker.square.width)
        places += [start + share * (end - start) for start, end in zip(grown, np.roll(grown, -1, axis=0), strict=True)
                   for share in (0.25, 0.5, 0.75)]  # fmt: skip
    return _levels(picture, registration, np.array(places))


def _levels(
    picture: NDArray[np.float32], registration: Registration, places_mm: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    px = registration.to_px(places_mm)
    inside = (px >= 0).all(axis=1) & (px <= np.array(registration.size_px) - 1).all(axis=1)
    px = px[inside]
    points = px.astype(np.float32)
    soft = cv2.remap(picture, points[:, 0].copy(), points[:, 1].copy(), cv2.INTER_LINEAR)
    return px, np.asarray(soft, np.float64).reshape(-1, 3)
