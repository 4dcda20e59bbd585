"""One camera, set up: what pictures of the targets tell of it, and whether it still is where it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.calibrate import FEWEST_MARKERS, Bend, Lens, Points, Registration, find_markers, own_markers, register
from vision.calibration.chessboard import FEWEST_VIEWS, LensFit, View, find_board, measure_lens
from vision.calibration.controls import Controls
from vision.calibration.flatfield import PAPER, FlatField, measure_light
from vision.errors import CalibrationError
from vision.frame import Image
from vision.inspection import edge_px, inspect
from vision.layout import Layout

MOVED_MM = 1.0
"""A camera whose markers lie farther from where they were is not where it was set up."""


@dataclass(frozen=True, slots=True, eq=False)
class Pictures:
    """Pictures of the targets as the sensor saw them, by what they show."""

    lens: tuple[View, ...] = ()
    plate: tuple[Image, ...] = ()
    blanks: tuple[Image, ...] = ()
    """The plate with a blank card on every window."""
    unknown: tuple[str, ...] = ()
    """Names of pictures that show no target."""
    size_px: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """How one camera sees its board; everything in pictures the right way round."""

    camera: str
    layout: Layout
    size_px: tuple[int, int]
    mirrored: bool
    """The sensor's pictures have to be flipped left to right."""
    turned_deg: float
    """How far the board is turned in the picture; 180 for a camera that hangs upside down."""
    lens: Bend
    fit: LensFit | None
    """None where no chessboard was shown: the lens is then guessed from the markers."""
    homography: NDArray[np.float64]
    error_mm: float
    px_per_mm: float
    edge_px: float
    """Width of the markers' edges, as the sigma of a blur."""
    missing: tuple[int, ...]
    """Markers that were not found."""
    flat: FlatField | None
    controls: Controls = field(default_factory=Controls)
    """What was locked when it was set up."""

    @property
    def error_px(self) -> float:
        """Root mean square distance of the markers' corners in pixels."""
        return self.error_mm * self.px_per_mm

    def registration(self) -> Registration:
        """Where the board lay."""
        ids = tuple(marker.id for marker in self.layout.markers if marker.id not in self.missing)
        return Registration(self.layout, self.homography, self.lens, self.size_px, ids, self.error_mm)

    def upright(self, raw: Image) -> Image:
        """A picture of the sensor, the right way round."""
        return np.ascontiguousarray(raw[:, ::-1]) if self.mirrored else raw


@dataclass(frozen=True, slots=True)
class Drift:
    """What one picture tells of a camera that was set up before."""

    shift_mm: float | None
    """The median way of its markers since then; None where too few were found."""
    found: int
    """Markers that were found."""
    problem: str = ""
    """``size``: other pictures than then; ``mirrored``; ``lost``: too few markers; ``moved``; empty where all is well."""


def sort_pictures(named: Sequence[tuple[str, Image]], layout: Layout) -> Pictures:
    """Tell by what they show for what pictures were taken; raise `CalibrationError` where their sizes differ."""
    sizes = {(image.shape[1], image.shape[0]) for _, image in named}
    if len(sizes) != 1:
        found = ", ".join(f"{width} x {height}" for width, height in sorted(sizes)) or "none"
        raise CalibrationError(f"pictures of one camera have one size; found {found}")
    views: list[View] = []
    plate: list[Image] = []
    blanks: list[Image] = []
    unknown: list[str] = []
    for name, image in named:
        view = find_board(image)
        if view is not None:
            views.append(view)
        elif (upright := _upright_with_markers(image, layout)) is None:
            unknown.append(name)
        elif _covered(upright, layout):
            blanks.append(image)
        else:
            plate.append(image)
    return Pictures(tuple(views), tuple(plate), tuple(blanks), tuple(unknown), sizes.pop())


def _upright_with_markers(image: Image, layout: Layout) -> Image | None:
    for candidate in (image, np.ascontiguousarray(image[:, ::-1])):
        if len(own_markers(find_markers(candidate), layout)) >= FEWEST_MARKERS:
            return candidate
    return None


def _covered(image: Image, layout: Layout) -> bool:
    """Whether every window is as light as paper."""
    return min(inspect((image,), layout).stray) > PAPER


def calibrate(camera: str, layout: Layout, pictures: Pictures, controls: Controls | None = None) -> Calibration:
    """Lens, flip, place and light of a camera that looks at `layout`.

    Without enough pictures of the chessboard the lens is guessed from the markers.  Raise `CalibrationError` where the board
    itself is in no picture or some pictures are mirrored and others are not, and `RegistrationError` where it cannot be located.
    """
    raws = (*pictures.plate, *pictures.blanks)
    if not raws:
        raise CalibrationError(
            f"{camera}: no picture shows the markers {layout.markers[0].id} to {layout.markers[-1].id} of {layout.name}: "
            f"{len(pictures.lens)} show the chessboard, {len(pictures.unknown)} nothing that is known"
        )
    mirrored = _flip(camera, layout, raws, pictures.lens)
    upright = tuple(np.ascontiguousarray(raw[:, ::-1]) if mirrored else raw for raw in raws)
    fit = measure_lens(pictures.lens, pictures.size_px) if len(pictures.lens) >= FEWEST_VIEWS else None
    middle = np.clip(np.rint(np.mean(np.stack(upright), axis=0)), 0, 255).astype(np.uint8)
    found = register(middle, layout, None if fit is None else fit.lens)
    flat = measure_light(upright[len(pictures.plate) :], found) if pictures.blanks else None
    missing = tuple(marker.id for marker in layout.markers if marker.id not in found.found)
    return Calibration(
        camera, layout, pictures.size_px, mirrored, _turned_deg(found), found.lens, fit, found.homography, found.error_mm,
        found.px_per_mm(), edge_px(middle, found), missing, flat, controls if controls is not None else Controls(),
    )  # fmt: skip


def _flip(camera: str, layout: Layout, raws: Sequence[Image], views: Sequence[View]) -> bool:
    """Whether the sensor's pictures are mirrored: markers can be read in one way only."""
    flips = [len(own_markers(find_markers(raw), layout)) < FEWEST_MARKERS for raw in raws] + [view.mirrored for view in views]
    if any(flips) and not all(flips):
        raise CalibrationError(
            f"{camera}: {sum(flips)} pictures are mirrored and {len(flips) - sum(flips)} are not: "
            "take all of them with the same setting, through the mirror"
        )
    return flips[0]


def _turned_deg(registration: Registration) -> float:
    extent = registration.layout.extent
    middle = np.array([extent.x + extent.width / 2, extent.y + extent.height / 2])
    start, end = registration.to_px(middle + np.array([[0.0, 0.0], [10.0, 0.0]]))
    return round(float(np.degrees(np.arctan2(end[1] - start[1], end[0] - start[0]))), 2)


def recheck(calibration: Calibration, image: Image) -> Drift:
    """Whether a camera still is where it was set up, by one picture the right way round."""
    if (image.shape[1], image.shape[0]) != calibration.size_px:
        return Drift(None, 0, "size")
    corners = own_markers(find_markers(image), calibration.layout)
    if len(corners) < FEWEST_MARKERS:
        flipped = own_markers(find_markers(np.ascontiguousarray(image[:, ::-1])), calibration.layout)
        return Drift(None, len(corners), "mirrored" if len(flipped) >= FEWEST_MARKERS else "lost")
    shift = calibration.registration().shift_mm(corners)
    return Drift(round(shift, 2), len(corners), "moved" if shift > MOVED_MM else "")


def window_corners(layout: Layout) -> Points:
    """The corners of all windows, millimetres, count x 2."""
    return np.array(
        [[w.x + dx * w.width, w.y + dy * w.height] for w in layout.windows for dx in (0, 1) for dy in (0, 1)], np.float64
    )


def plain_lens(lens: Bend) -> bool:
    """Whether the lens was guessed from the markers."""
    return isinstance(lens, Lens)
