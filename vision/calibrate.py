"""Finding a board in a picture: markers to a map from millimetres to pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import RegistrationError
from vision.frame import Image
from vision.layout import MARKERS_PER_BOARD, Layout, Marker

Points = NDArray[np.float64]
"""count x 2: x and y, in the unit that the name says."""

FEWEST_MARKERS = 3
LARGEST_ERROR_MM = 1.0
"""A marker whose corners miss the fitted map by more than this is not where the layout says."""
K1_SPREAD, K2_SPREAD = 0.08, 0.02
"""How strongly lenses bend, as a prior: it steadies the fit when most markers are hidden."""
CORNER_NOISE_PX = 0.3


class Bend(Protocol):
    """How a lens moves the points of an ideal picture."""

    def bend(self, points_px: Points, size_px: tuple[int, int]) -> Points: ...


@dataclass(frozen=True, slots=True)
class Lens:
    """Radial bending about the middle of the picture; the radius is 1 half a picture's width from there."""

    k1: float = 0.0
    k2: float = 0.0

    def bend(self, points_px: Points, size_px: tuple[int, int]) -> Points:
        """Move points of an ideal picture to where this lens shows them."""
        centre = np.array(size_px, dtype=np.float64) / 2 - 0.5
        offset = (points_px - centre) / (size_px[0] / 2)
        square = (offset**2).sum(axis=1, keepdims=True)
        return np.asarray(centre + offset * (1 + square * (self.k1 + square * self.k2)) * (size_px[0] / 2))


@dataclass(frozen=True, slots=True, eq=False)
class Registration:
    """Where a board lies in the pictures of a camera."""

    layout: Layout
    homography: NDArray[np.float64]
    """3 x 3: millimetres to the pixels of an ideal lens."""
    lens: Bend
    size_px: tuple[int, int]
    """Width and height of the pictures that it holds for."""
    found: tuple[int, ...]
    """Ids of the markers that it rests on."""
    error_mm: float
    """Root mean square distance between the markers' corners and the map."""

    def to_px(self, points_mm: Points) -> Points:
        """Where the picture shows points of the board; count x 2 in and out."""
        return self.lens.bend(_project(points_mm, self.homography), self.size_px)

    def px_per_mm(self) -> float:
        """Scale in the middle of the board."""
        extent = self.layout.extent
        middle = np.array([extent.x + extent.width / 2, extent.y + extent.height / 2])
        ends = self.to_px(middle + np.array([[-5.0, 0.0], [5.0, 0.0]]))
        return float(np.linalg.norm(ends[1] - ends[0]) / 10.0)

    def shift_mm(self, corners: dict[int, Points]) -> float:
        """How far the markers in `corners` (id to 4 x 2 pixels) lie from where this map expects them: the median."""
        expected = {marker.id: self.to_px(marker_corners_mm(marker)) for marker in self.layout.markers}
        distances = [np.linalg.norm(px - expected[id_], axis=1).mean() for id_, px in corners.items() if id_ in expected]
        return float(np.median(distances)) / self.px_per_mm() if distances else float("inf")


def _project(points: Points, homography: NDArray[np.float64]) -> Points:
    x, y, scale = homography @ np.column_stack([points, np.ones(len(points))]).T
    return np.column_stack([x / scale, y / scale])


def marker_corners_mm(marker: Marker) -> Points:
    """The four corners of a marker, clockwise from the top left; 4 x 2."""
    x, y, side = marker.square.x, marker.square.y, marker.square.width
    return np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]])


def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 4
    # One window size is enough for markers of known size on a plain ground, and three would cost three times as much.
    parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = 23
    parameters.minMarkerPerimeterRate = 0.05
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100), parameters)


def find_markers(image: Image) -> dict[int, Points]:
    """Every marker in a picture: id to its corners in pixels, 4 x 2, clockwise from the marker's own top left."""
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    corners, ids, _ = _detector().detectMarkers(grey)
    if ids is None:
        return {}
    return {
        int(id_): np.asarray(quad, np.float64).reshape(4, 2) for quad, id_ in zip(corners, ids.ravel(), strict=True)
    }


def own_markers(corners: dict[int, Points], layout: Layout) -> dict[int, Points]:
    """Those of the found markers that belong to `layout`."""
    ids = {marker.id for marker in layout.markers}
    return {id_: quad for id_, quad in corners.items() if id_ in ids}


def register(image: Image, layout: Layout, lens: Bend | None = None) -> Registration:
    """Locate `layout` in a picture.

    A known `lens` is kept, which makes the fit firm when most markers are hidden.  Raises `RegistrationError` that says
    whether the picture is mirrored, shows another board, or shows too few markers.
    """
    corners = find_markers(image)
    return register_markers(corners, image, layout, lens)


def register_markers(
    corners: dict[int, Points], image: Image, layout: Layout, lens: Bend | None = None
) -> Registration:
    """`register` for markers that were found already."""
    own = own_markers(corners, layout)
    if len(own) < FEWEST_MARKERS:
        raise _why_not(image, layout, corners, own)
    size_px = (image.shape[1], image.shape[0])
    while True:
        registration, errors_mm = _fit(own, layout, size_px, lens)
        worst = max(errors_mm, key=lambda id_: errors_mm[id_])
        if errors_mm[worst] <= LARGEST_ERROR_MM:
            return registration
        if len(own) <= FEWEST_MARKERS:
            raise RegistrationError(
                f"{layout.name}: the markers do not lie as the layout says: "
                f"marker {worst} is off by {errors_mm[worst]:.1f} mm, at most {LARGEST_ERROR_MM:g} mm expected"
            )
        del own[worst]


def _why_not(image: Image, layout: Layout, corners: dict[int, Points], own: dict[int, Points]) -> RegistrationError:
    others = sorted({id_ // MARKERS_PER_BOARD for id_ in corners} - {m.id // MARKERS_PER_BOARD for m in layout.markers})
    expected = f"expected at least {FEWEST_MARKERS} of the markers {layout.markers[0].id}..{layout.markers[-1].id}"
    if len(corners) - len(own) >= FEWEST_MARKERS:
        boards = ", ".join(f"{board * MARKERS_PER_BOARD}.." for board in others)
        return RegistrationError(f"{layout.name}: this is another board (its markers: {boards}); {expected}", board=others[0])
    if len(own_markers(find_markers(np.ascontiguousarray(image[:, ::-1])), layout)) > len(own):
        return RegistrationError(
            f"{layout.name}: the picture is mirrored; the mirror's flip has to be undone once, at the camera"
        )
    found = ", ".join(map(str, sorted(own))) or "none"
    return RegistrationError(f"{layout.name}: too few markers: {expected}, found {found}")


def _fit(
    own: dict[int, Points], layout: Layout, size_px: tuple[int, int], lens: Bend | None
) -> tuple[Registration, dict[int, float]]:
    by_id = {marker.id: marker for marker in layout.markers}
    ids = tuple(sorted(own))
    mm = np.concatenate([marker_corners_mm(by_id[id_]) for id_ in ids])
    px = np.concatenate([own[id_] for id_ in ids])
    first, _ = cv2.findHomography(mm, px, 0)
    if first is None:
        raise RegistrationError(f"{layout.name}: the markers {', '.join(map(str, ids))} lie on one line; see that more show")
    start = np.append(first.ravel()[:8] / first[2, 2], (0.0, 0.0))
    scale = np.maximum(np.abs(start), 1e-6)
    scale[8:] = 0.1

    def unpack(unknowns: Points) -> tuple[NDArray[np.float64], Bend]:
        values = unknowns * scale
        bent = lens if lens is not None else Lens(float(values[8]), float(values[9]))
        return np.append(values[:8], 1.0).reshape(3, 3), bent

    def residuals(unknowns: Points) -> Points:
        homography, bent = unpack(unknowns)
        ideal = _project(mm, homography)
        # A lens that was measured leaves nothing to be guessed.
        prior = (bent.k1 / K1_SPREAD, bent.k2 / K2_SPREAD) if isinstance(bent, Lens) and lens is None else tuple(unknowns[8:])
        return np.append(((bent.bend(ideal, size_px) - px) / CORNER_NOISE_PX).ravel(), prior)

    # A third of a second, which a table of taps need not wait for at its start.
    from scipy.optimize import least_squares

    solved = least_squares(residuals, start / scale, method="lm", max_nfev=2000)
    homography, bent = unpack(solved.x)
    rough = Registration(layout, homography, bent, size_px, ids, 0.0)
    miss = np.linalg.norm(rough.to_px(mm) - px, axis=1).reshape(-1, 4) / rough.px_per_mm()
    error = float(np.sqrt((miss**2).mean()))
    return Registration(layout, homography, bent, size_px, ids, error), {
        id_: float(row.mean()) for id_, row in zip(ids, miss, strict=True)
    }
