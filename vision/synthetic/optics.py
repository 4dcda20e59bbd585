"""A camera that looks at a drawn board: lens, light and sensor.

Work is done only where something changed: the painter repaints rectangles of the board, the camera develops the
pixels that show them, and a quiet frame costs nothing but fresh noise.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import Image
from vision.layout import Layout
from vision.synthetic.art import DeckArt
from vision.synthetic.board import Painter, PxRect
from vision.synthetic.condition import Condition
from vision.synthetic.lens import Lens
from vision.synthetic.mat import MatPainter
from vision.synthetic.pen import Points
from vision.synthetic.scene import Scene
from vision.synthetic.tray import TrayPainter

_NOISE_SLACK = 61
"""The noise bank is larger than a frame by this; every frame shows another part of it."""
_GAIN_STEP = 0.004
"""Drift is followed in steps too small to see."""


class BoardCamera:
    """What one camera delivers of one board.

    The same layout, art, seed and condition give the same pictures for the same scenes and times, whatever was
    rendered before.
    """

    def __init__(self, layout: Layout, art: DeckArt, seed: int, condition: Condition, lamp: bool = True) -> None:
        """Without `lamp` a mat shows what the room's light shows alone; the tray has none but the room's."""
        self.layout = layout
        self.condition = condition
        self._seed = seed
        self._lens = Lens(layout, condition, seed)
        self._painter: Painter = (
            MatPainter(layout, art, condition, seed, lamp) if layout.mirrored else TrayPainter(layout, art, condition, seed)
        )
        self._map, self._fraction = self._lens.maps(self._painter.origin_mm, self._painter.px_per_mm)
        self._width, self._height = layout.frame_px
        self._light = self._lighting()
        self._noise = self._noise_bank()
        self._scene: Scene | None = None
        self._lit: Image = np.zeros((self._height, self._width, 3), np.uint8)
        self._graded = self._lit
        self._grade: tuple[int, int, int] | None = None

    def render(self, scene: Scene, time: float, raw: bool = False) -> Image:
        """The frame at `time` seconds: height x width x 3, blue green red.

        `raw` gives the sensor's own picture, which a mat's mirror has flipped; otherwise the flip is undone, as the
        rig's camera adapter does.  Raise `SceneError` for a scene of another board.
        """
        frame = self._exposed(scene, time)
        if self.condition.jpeg is not None:
            packed = cv2.imencode(".jpg", frame, (cv2.IMWRITE_JPEG_QUALITY, self.condition.jpeg))[1]
            frame = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)
        return np.ascontiguousarray(frame[:, ::-1]) if raw and self.layout.mirrored else frame

    def jpeg(self, scene: Scene, time: float, quality: int | None = None) -> bytes:
        """The frame as a camera on the network sends it, upright; by default in the condition's quality, or 90."""
        level = quality or self.condition.jpeg or 90
        return bytes(cv2.imencode(".jpg", self._exposed(scene, time), (cv2.IMWRITE_JPEG_QUALITY, level))[1])

    def delivers(self, number: int) -> bool:
        """Whether the frame with this number arrives at all."""
        if self.condition.drops <= 0:
            return True
        return _scrambled(self._seed, number) / 2**64 >= self.condition.drops

    def to_px(self, points_mm: Points) -> Points:
        """Where points of the board (n x 2 millimetres) show in the upright frame: the truth for tests and saved sets."""
        return self._lens.to_px(points_mm)

    def _exposed(self, scene: Scene, time: float) -> Image:
        dirty: tuple[PxRect, ...] = ()
        if scene != self._scene:
            dirty = self._painter.show(scene)
            self._scene = scene
        regions = [self._develop(rect) for rect in dirty]
        self._follow_drift(time, regions)
        if self.condition.noise <= 0:
            return self._graded.copy()
        number = _scrambled(self._seed, round(time * 10_000))
        x, y = number % _NOISE_SLACK, number // _NOISE_SLACK % _NOISE_SLACK
        grain = self._noise[y : y + self._height, x : x + self._width]
        return np.asarray(cv2.addWeighted(self._graded, 1.0, grain, 1.0, -128.0), dtype=np.uint8)

    def _develop(self, rect: PxRect) -> PxRect:
        """Bring the pixels that show a rectangle of the board up to date; say which ones."""
        region = self._seen(rect)
        # the blur reaches over the rectangle's rim
        sigma = self.condition.blur_px
        reach = int(np.ceil(3 * sigma)) if sigma > 0 else 0
        around = region.grown(reach).clipped(self._width, self._height)
        picture = cv2.remap(
            self._painter.canvas,
            around.of(self._map),  # type: ignore[arg-type]  # a map, not a picture
            around.of(self._fraction),  # type: ignore[arg-type]
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        if sigma > 0:
            picture = cv2.GaussianBlur(picture, (2 * reach + 1, 2 * reach + 1), sigma)
        inner = region.relative_to(around)
        light = region.of(self._light)  # type: ignore[arg-type]  # gains, not a picture
        region.of(self._lit)[:] = cv2.multiply(inner.of(np.asarray(picture, dtype=np.uint8)), light, dtype=cv2.CV_8U)
        return region

    def _seen(self, rect: PxRect) -> PxRect:
        """The pixels of the frame that show a rectangle of the board."""
        if rect.size == (self._painter.width, self._painter.height):
            return PxRect(0, 0, self._width, self._height)
        x, y = np.linspace(rect.left, rect.right, 9), np.linspace(rect.top, rect.bottom, 9)
        rim = np.concatenate(
            [np.stack([x, np.full(9, side)], axis=1) for side in (rect.top, rect.bottom)]
            + [np.stack([np.full(9, side), y], axis=1) for side in (rect.left, rect.right)]
        )
        pixels = self._lens.to_px(rim / self._painter.px_per_mm + np.asarray(self._painter.origin_mm))
        low, high = np.floor(pixels.min(axis=0)).astype(int), np.ceil(pixels.max(axis=0)).astype(int)
        slack = 2 + int(np.ceil(3 * self.condition.blur_px))
        found = PxRect(int(low[0]), int(low[1]), int(high[0]) + 1, int(high[1]) + 1).grown(slack)
        return found.clipped(self._width, self._height)

    def _lighting(self) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        """Gain per pixel and colour: lamp, vignette, exposure, white balance."""
        condition = self.condition
        x = np.linspace(-1, 1, self._width, dtype=np.float32)[None, :]
        y = np.linspace(-1, 1, self._height, dtype=np.float32)[:, None]
        lamp = 1.0 + condition.lamp[0] / 2 * x + condition.lamp[1] / 2 * y
        corner = 1.0 - condition.vignette * (x**2 + 0.4 * y**2) / 1.4
        gains = np.asarray(condition.white, dtype=np.float32) * np.float32(condition.exposure)
        return np.ascontiguousarray((lamp * corner)[..., None] * gains, dtype=np.float32)

    def _noise_bank(self) -> Image:
        rng = np.random.default_rng((self._seed, 31))
        shape = (self._height + _NOISE_SLACK, self._width + _NOISE_SLACK, 3)
        bank = rng.standard_normal(shape, dtype=np.float32) * np.float32(self.condition.noise) + np.float32(128.5)
        return np.asarray(np.clip(bank, 0, 255).astype(np.uint8))

    def _follow_drift(self, time: float, regions: list[PxRect]) -> None:
        condition = self.condition
        wave = float(np.sin(2 * np.pi * time / condition.drift_seconds + condition.drift_phase))
        slow = float(np.sin(2 * np.pi * time / condition.drift_seconds / 1.7 + 2 * condition.drift_phase))
        level, tint = condition.drift * wave, condition.white_drift * slow
        grade = (round((level + tint) / _GAIN_STEP), round(level / _GAIN_STEP), round((level - tint) / _GAIN_STEP))
        table = _table(grade)
        if grade != self._grade:
            self._graded = self._lit if table is None else np.asarray(cv2.LUT(self._lit, table), dtype=np.uint8)
            self._grade = grade
            return
        if table is None:
            self._graded = self._lit
            return
        for region in regions:
            region.of(self._graded)[:] = cv2.LUT(np.ascontiguousarray(region.of(self._lit)), table)


def _table(grade: tuple[int, int, int]) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]] | None:
    """Levels after a gain per colour; None where nothing changes."""
    if grade == (0, 0, 0):
        return None
    gains = 1.0 + np.asarray(grade) * _GAIN_STEP
    return np.asarray(np.clip(np.arange(256)[:, None] * gains + 0.5, 0, 255).astype(np.uint8)[None])


def _scrambled(seed: int, number: int) -> int:
    """A 64-bit number that looks random and depends on both alone."""
    value = (seed * 0x9E3779B97F4A7C15 + number * 0xD1B54A32D192ED03 + 0x632BE59BD9B4E019) % 2**64
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        value = (value ^ value >> shift) * factor % 2**64
    return value
