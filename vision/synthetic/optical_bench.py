"""A camera with known optics before printed targets, with everything on it that can be set: the truth for calibration.

Rays come from OpenCV's own undistortion, so that nothing of what is tested here draws what it is tested with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.controls import Controls, Ranges
from vision.calibration.lens import MeasuredLens
from vision.frame import Frame, Image
from vision.synthetic.pen import Points

_GRID = 8
_GAMMA = 1 / 2.2


@dataclass(frozen=True, slots=True)
class Optics:
    """Lens, sensor and lamp of one camera."""

    lens: MeasuredLens
    mirrored: bool = False
    """The path holds a mirror."""
    sharp_at: float = 4.3
    """Lens position at which it is sharp."""
    smear_px: float = 1.4
    """Blur for each dioptre beside that; sigma."""
    blur_px: float = 0.45
    """Blur that is left in focus."""
    noise: float = 1.2
    """Sigma, levels of 255."""
    white_light: float = 26_000.0
    """Exposure in microseconds, times gain, at which white paper is full white."""
    tint: tuple[float, float] = (1.9, 1.6)
    """Gains of red and blue that make white paper white."""
    fall: tuple[float, float] = (0.0, 0.0)
    """How much of the light is lost at the right and at the lower edge, against the other one."""
    vignette: float = 0.0
    """Share of light that the corners lack."""
    lag: int = 2
    """Pictures that are still taken with the former settings."""


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """Something flat and printed: grey levels of 255 as shares of white paper."""

    raster: Image
    """Height x width."""
    px_per_mm: float
    origin_mm: tuple[float, float] = (0.0, 0.0)
    """Of the raster's corner, in the sheet's own coordinates."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a sheet lies before the camera: turned about its point `about_mm`, which lies at `at_mm` from the lens."""

    turn_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Rotation vector."""
    about_mm: tuple[float, float] = (0.0, 0.0)
    at_mm: tuple[float, float, float] = (0.0, 0.0, 234.0)

    def turn(self) -> NDArray[np.float64]:
        """Rotation from the sheet to the camera, 3 x 3."""
        return np.asarray(cv2.Rodrigues(np.radians(np.array(self.turn_deg)))[0], np.float64)

    def move(self) -> NDArray[np.float64]:
        """Translation from the sheet to the camera."""
        return np.asarray(np.array(self.at_mm) - self.turn() @ np.array([*self.about_mm, 0.0]), np.float64)


RANGES = Ranges(exposure_us=(100, 200_000), gain=(1.0, 16.0), colour_gains=(0.1, 8.0), lens_position=(0.0, 12.0))
OPENED = Controls(exposure_us=20_000, gain=1.0, colour_gains=(1.0, 1.0), lens_position=1.0)


@dataclass
class BenchCamera:
    """Sees one sheet at a time.  The same calls give the same pictures."""

    optics: Optics
    name: str = "bench"
    seed: int = 0
    limits: Ranges = RANGES
    sheet: Sheet | None = None
    pose: Pose = field(default_factory=Pose)
    _set: Controls = OPENED
    _taken: int = 0
    _rays: Points = field(init=False, repr=False)

    def __post_init__(self) -> None:
        width, height = self.optics.lens.size_px
        columns, rows = width // _GRID + 2, height // _GRID + 2
        y, x = np.mgrid[0:rows, 0:columns] * float(_GRID)
        self._rays = rays_of(self.optics.lens, np.stack([x.ravel(), y.ravel()], axis=1)).reshape(rows, columns, 2)

    def ranges(self) -> Ranges:
        return self.limits

    def show(self, sheet: Sheet, pose: Pose) -> None:
        """Lay something before the camera."""
        self.sheet, self.pose = sheet, pose

    def lock(self, controls: Controls, timeout: float) -> Frame:
        """Set what is given, let the late pictures pass, and take one."""
        given: Mapping[str, object] = {
            name: value for name in Controls.__slots__ if (value := getattr(controls, name)) is not None
        }
        merged = {name: given.get(name, getattr(self._set, name)) for name in Controls.__slots__}
        self._set = Controls(**merged)  # type: ignore[arg-type]  # the same names
        self._taken += self.optics.lag
        return self.take()

    def take(self) -> Frame:
        """The next picture, as the sensor sees it."""
        self._taken += 1
        return Frame(self.name, self._taken / 10, self._taken, self._picture())

    def to_px(self, points_mm: Points) -> Points:
        """Where points of the sheet show in the picture the right way round: the truth; count x 2."""
        return projected(self.optics.lens, self.pose, points_mm)

    def _picture(self) -> Image:
        assert self.sheet is not None, "nothing lies before the camera"
        optics, settings = self.optics, self._set
        paper = self._seen(self.sheet).astype(np.float32) / 255
        light = (settings.exposure_us or 1) * (settings.gain or 1.0) / optics.white_light
        red, blue = settings.colour_gains or (1.0, 1.0)
        tint = np.array([blue / optics.tint[1], 1.0, red / optics.tint[0]], np.float32)
        linear = np.asarray(paper[..., None] * self._lamp()[..., None] * tint * np.float32(light), np.float32)
        sigma = float(np.hypot(optics.blur_px, optics.smear_px * ((settings.lens_position or 0.0) - optics.sharp_at)))
        if sigma > 0:
            linear = np.asarray(cv2.GaussianBlur(linear, (0, 0), sigma), np.float32)
        grain = np.random.default_rng((self.seed, self._taken)).normal(0, optics.noise, linear.shape).astype(np.float32)
        levels = 255 * np.power(np.clip(linear, 0, 1), np.float32(_GAMMA)) + grain
        picture = np.clip(np.rint(levels), 0, 255).astype(np.uint8)
        return np.ascontiguousarray(picture[:, ::-1]) if optics.mirrored else picture

    def _lamp(self) -> NDArray[np.float32]:
        width, height = self.optics.lens.size_px
        x, y = np.meshgrid(np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32))
        fall = 1 - self.optics.fall[0] * (x + 1) / 2 - self.optics.fall[1] * (y + 1) / 2
        return np.asarray(fall * (1 - self.optics.vignette * (x**2 + y**2) / 2), np.float32)

    def _seen(self, sheet: Sheet) -> Image:
        turn, move = self.pose.turn(), self.pose.move()
        to_plane = np.linalg.inv(np.column_stack([turn[:, :2], move]))
        rows, columns = self._rays.shape[:2]
        x, y, scale = to_plane @ np.column_stack([self._rays.reshape(-1, 2), np.ones(rows * columns)]).T
        mm = np.column_stack([x / scale, y / scale]).reshape(rows, columns, 2)
        spots = ((mm - np.array(sheet.origin_mm)) * sheet.px_per_mm - 0.5).astype(np.float32)
        width, height = self.optics.lens.size_px
        steps_y, steps_x = np.mgrid[0:height, 0:width].astype(np.float32) / _GRID
        fine = cv2.remap(spots, steps_x, steps_y, cv2.INTER_LINEAR)
        return np.asarray(cv2.remap(sheet.raster, fine, None, cv2.INTER_LINEAR, borderValue=(60,)), np.uint8)  # type: ignore[call-overload]  # one map with two channels


def rays_of(lens: MeasuredLens, points_px: Points) -> Points:
    """Directions x / z, y / z that pixels show, by OpenCV; count x 2."""
    ideal = (np.asarray(points_px, np.float64) - np.array(lens.middle_px)) / np.array(lens.focal_px)
    found = ideal.copy() if lens.kind == "plain" else ideal * (np.tan(_angle(ideal)) / np.maximum(_angle(ideal), 1e-12))
    # Versions of OpenCV undo the bending under different names and to different limits; all of them bend alike.
    for _ in range(40):
        found = found - (projected(lens, FRONTAL, found) - points_px) / np.array(lens.focal_px)
    return np.asarray(found, np.float64)


def _angle(ideal: Points) -> NDArray[np.float64]:
    return np.asarray(np.minimum(np.linalg.norm(ideal, axis=1, keepdims=True), 1.4))


FRONTAL = Pose(at_mm=(0.0, 0.0, 1.0))
"""A sheet one unit before the lens: its points are directions."""


def projected(lens: MeasuredLens, pose: Pose, points_mm: Points) -> Points:
    """Pixels that show points of a sheet, by OpenCV; count x 2."""
    points = np.column_stack([points_mm, np.zeros(len(points_mm))]).reshape(-1, 1, 3)
    turn, move = np.radians(np.array(pose.turn_deg)), pose.move()
    if lens.kind == "fisheye":
        found, _ = cv2.fisheye.projectPoints(points, turn, move, lens.matrix, np.array(lens.bends))
    else:
        found, _ = cv2.projectPoints(points, turn, move, lens.matrix, np.array(lens.bends))
    return np.asarray(found, np.float64).reshape(-1, 2)
