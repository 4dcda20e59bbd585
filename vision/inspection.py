"""What one picture of an empty board tells about camera, lamp and markers; numbers only, no verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibrate import FEWEST_MARKERS, Points, Registration, find_markers, marker_corners_mm, own_markers, register_markers
from vision.errors import RegistrationError
from vision.frame import Image
from vision.layout import Layout, Marker, Rect

STRAY_MARKER_MM = 0.45
"""A marker that lies farther from where the others expect it is left out, so that it does not spoil them."""
_REACH_MM, _STEP_MM = 0.9, 0.05
"""Of the profiles across a marker's edge."""
_RIM_MM = 0.75
"""Middle of the white rim about a marker."""

Grey = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class MarkerFacts:
    """One marker as it was found."""

    id: int
    error_mm: float
    """Distance from where the other markers expect it."""
    edge_px: float
    """Width of its edges, as the sigma of a blur."""
    white: float
    """Grey level of the paper about it, 0..255."""
    black: float


@dataclass(frozen=True, slots=True, eq=False)
class BoardFacts:
    """One empty board, seen by its camera."""

    markers: tuple[MarkerFacts, ...]
    """Those that were found."""
    missing: tuple[int, ...]
    """Ids of the markers that were not."""
    px_per_mm: float
    noise: float
    """Sigma from frame to frame, in grey levels."""
    flicker: float
    """Largest change of the whole picture's brightness from frame to frame, in parts of it."""
    stray: tuple[float, ...]
    """Per window: brightness of the room seen through it, in parts of white paper."""
    registration: Registration

    @property
    def white(self) -> float:
        """Median grey level of the paper."""
        return float(np.median([marker.white for marker in self.markers]))

    @property
    def unevenness(self) -> float:
        """Darkest paper as a share of the brightest, taken from 1."""
        whites = [marker.white for marker in self.markers]
        return 1.0 - min(whites) / max(max(whites), 1.0)

    @property
    def edge_px(self) -> float:
        """The second widest edge: one dirty marker is no bad lens."""
        edges = sorted(marker.edge_px for marker in self.markers)
        return edges[-2] if len(edges) > 1 else edges[-1]


def inspect(frames: Sequence[Image], layout: Layout) -> BoardFacts:
    """Measure an empty board in one or more frames of the same still scene.

    Raise `RegistrationError` where the board cannot be located.
    """
    middle = np.asarray(np.mean(np.stack(frames), axis=0), np.float32)
    steady = np.clip(np.rint(middle), 0, 255).astype(np.uint8)
    seen = find_markers(steady)
    found = own_markers(seen, layout)
    if len(found) < FEWEST_MARKERS:
        # Refused with the reason: another board, a mirrored picture, or too few.
        register_markers(seen, steady, layout)
    registration, errors = _located(found, steady, layout)
    grey = np.asarray(cv2.cvtColor(middle, cv2.COLOR_BGR2GRAY), np.float32)
    by_id = {marker.id: marker for marker in layout.markers}
    markers = tuple(_marker(by_id[id_], errors[id_], grey, registration) for id_ in sorted(found))
    white = max(float(np.median([marker.white for marker in markers])), 1.0)
    return BoardFacts(
        markers, tuple(id_ for id_ in sorted(by_id) if id_ not in found), registration.px_per_mm(), _noise(frames),
        _flicker(frames), tuple(_mean_in(window, grey, registration) / white for window in layout.windows), registration,
    )  # fmt: skip


def edge_px(image: Image, registration: Registration) -> float:
    """Blur of one picture as the sigma of its markers' edges: of the second widest, as in `BoardFacts`.

    Markers are printed beside the windows, so nothing that lies on the board bears on it.
    """
    found = [marker for marker in registration.layout.markers if marker.id in registration.found]
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.float32)
    edges = sorted(_marker(marker, 0.0, grey, registration).edge_px for marker in found)
    return edges[-2] if len(edges) > 1 else edges[-1]


def _located(found: dict[int, Points], image: Image, layout: Layout) -> tuple[Registration, dict[int, float]]:
    """The map by the markers that agree with each other, and how far each one lies from where the others expect it."""
    trusted = dict(found)
    while True:
        registration = register_markers(trusted, image, layout)
        without = {id_: _without(id_, trusted, image, layout) for id_ in trusted}
        errors = {id_: 0.0 if rest is None else rest.shift_mm({id_: found[id_]}) for id_, rest in without.items()}
        if max(errors.values()) <= STRAY_MARKER_MM or len(trusted) <= FEWEST_MARKERS + 1:
            break
        # The one to blame is the one without which the others agree best, not the one that lies farthest from them.
        del trusted[min(trusted, key=lambda id_: float("inf") if (rest := without[id_]) is None else rest.error_mm)]
    for id_ in set(found) - set(errors):
        errors[id_] = registration.shift_mm({id_: found[id_]})
    return registration, errors


def _without(id_: int, corners: dict[int, Points], image: Image, layout: Layout) -> Registration | None:
    """The map by all markers but one; None where they do not suffice."""
    others = {other: quad for other, quad in corners.items() if other != id_}
    try:
        return register_markers(others, image, layout)
    except RegistrationError:
        return None


def _marker(marker: Marker, error_mm: float, grey: Grey, registration: Registration) -> MarkerFacts:
    corners = marker_corners_mm(marker)
    steps = np.arange(-_REACH_MM, _REACH_MM + _STEP_MM / 2, _STEP_MM)
    profiles = []
    for side in range(4):
        start, end = corners[side], corners[(side + 1) % 4]
        along = (end - start) / np.linalg.norm(end - start)
        # Clockwise corners: the inside lies to the right of the way.
        inward = np.array([-along[1], along[0]])
        for share in np.linspace(0.2, 0.8, 7):
            line = start + share * (end - start) + steps[:, None] * inward
            profiles.append(_sampled(grey, registration.to_px(line)))
    # Every profile is laid on its own middle, so that a marker a little aside does not look blurred.
    widths = [_edge_width(profile) for profile in profiles]
    known = [width for width in widths if width is not None]
    edge_mm = float(np.median(known)) if known else _REACH_MM
    values = np.stack(profiles)
    return MarkerFacts(
        marker.id, error_mm, edge_mm * registration.px_per_mm(), float(np.median(values[:, :6])), float(np.median(values[:, -6:]))
    )


def _edge_width(profile: NDArray[np.float64]) -> float | None:
    """Sigma of the edge in millimetres, from the way between a quarter and three quarters; None without an edge."""
    high, low = float(profile[:4].mean()), float(profile[-4:].mean())
    if high - low < 15:
        return None
    share = np.minimum.accumulate((profile - low) / (high - low))
    first, last = int(np.argmax(share < 0.75)), int(np.argmax(share < 0.25))
    if first == 0 or last == 0:
        return None
    crossings = [i - 1 + (share[i - 1] - at) / max(share[i - 1] - share[i], 1e-6) for i, at in ((first, 0.75), (last, 0.25))]
    return float((crossings[1] - crossings[0]) * _STEP_MM / 1.349)


def _sampled(grey: Grey, px: Points) -> NDArray[np.float64]:
    points = px.astype(np.float32)
    values = cv2.remap(grey, points[:, 0], points[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(values, np.float64).ravel()


def _mean_in(window: Rect, grey: Grey, registration: Registration) -> float:
    x = window.x + window.width * np.linspace(0.15, 0.85, 12)
    y = window.y + window.height * np.linspace(0.1, 0.9, 20)
    points = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    return float(_sampled(grey, registration.to_px(points)).mean())


def _noise(frames: Sequence[Image]) -> float:
    if len(frames) < 2:
        return 0.0
    difference = frames[-1].astype(np.float32) - frames[0].astype(np.float32)
    difference -= difference.mean(axis=(0, 1))
    # The median of absolute values is not moved by the few pixels where something stirs.
    return float(np.median(np.abs(difference)) / 0.6745 / np.sqrt(2))


def _flicker(frames: Sequence[Image]) -> float:
    means = [float(frame[::4, ::4].mean()) for frame in frames]
    return (max(means) - min(means)) / max(float(np.mean(means)), 1.0)
