"""Light, lens and sensor of one camera on one day."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.errors import SceneError
from vision.synthetic.scene import DIFFICULTIES, Difficulty


@dataclass(frozen=True, slots=True)
class HotSpot:
    """The lamp's reflection in glossy cards."""

    x: float
    """In parts of the board's width."""
    y: float
    """In parts of its height."""
    radius_mm: float
    strength: float
    """Brightness it adds, 0..255."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Everything about a picture that is not the cards.

    `easy` is an ideal camera; `normal` a well-built mat; `hard` a badly lit, badly focused one.
    """

    difficulty: Difficulty
    lamp: tuple[float, float] = (0.0, 0.0)
    """Fall of the light from left to right and from top to bottom, in parts of the mean."""
    vignette: float = 0.0
    """Loss of light in the corners of the picture."""
    hot_spots: tuple[HotSpot, ...] = ()
    stray: float = 0.15
    """Brightness of the room through an empty window, in parts of a white card."""
    room: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Tint of the room light: blue, green, red."""
    exposure: float = 1.0
    white: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Gains of blue, green, red."""
    drift: float = 0.0
    """The exposure wanders by this part of itself, up and down."""
    white_drift: float = 0.0
    drift_seconds: float = 40.0
    drift_phase: float = 0.0
    blur_px: float = 0.0
    """Sigma of the lens's blur."""
    noise: float = 0.0
    """Sigma of the sensor's noise, in levels of 255."""
    drops: float = 0.0
    """Share of frames that never arrive."""
    jpeg: int | None = None
    """Quality of the compression on the way, or None for none."""
    tilt_deg: float = 0.0
    """Most that the camera looks askew."""
    shift_mm: float = 0.0
    """Most that it is off its place."""
    distortion: tuple[float, float] = (0.0, 0.0)
    """Range of the lens's radial distortion: share by which the picture's edge is pulled in."""


def _spots(
    rng: np.random.Generator, count: int, strength: tuple[float, float], radius: tuple[float, float]
) -> tuple[HotSpot, ...]:
    return tuple(
        HotSpot(
            x=float(rng.uniform(0.05, 0.95)),
            y=float(rng.uniform(0.1, 0.9)),
            radius_mm=float(rng.uniform(*radius)),
            strength=float(rng.uniform(*strength)),
        )
        for _ in range(count)
    )


def _gains(rng: np.random.Generator, spread: float) -> tuple[float, float, float]:
    blue, red = rng.uniform(1 - spread, 1 + spread, 2)
    return float(blue), 1.0, float(red)


def condition(difficulty: Difficulty, rng: np.random.Generator) -> Condition:
    """Light, lens and sensor of one camera; raise `SceneError` for an unknown difficulty."""
    if difficulty not in DIFFICULTIES:
        raise SceneError(f"{difficulty!r} is no difficulty: expected one of {', '.join(DIFFICULTIES)}")
    level: Difficulty = difficulty
    if level == "easy":
        return Condition(level, distortion=(0.004, 0.008), tilt_deg=0.3, shift_mm=0.3, noise=0.8, blur_px=0.4)
    hard = level == "hard"
    lamp = 0.3 if hard else 0.12
    return Condition(
        level,
        lamp=(float(rng.uniform(-lamp, lamp)), float(rng.uniform(-lamp, lamp))),
        vignette=float(rng.uniform(0.1, 0.35) if hard else rng.uniform(0.03, 0.15)),
        hot_spots=_spots(rng, 3, (60, 170), (5, 14)) if hard else _spots(rng, 1, (10, 35), (8, 20)),
        stray=float(rng.uniform(0.03, 0.55) if hard else rng.uniform(0.05, 0.3)),
        room=_gains(rng, 0.3),
        exposure=float(rng.uniform(0.65, 1.2) if hard else rng.uniform(0.85, 1.05)),
        white=_gains(rng, 0.16 if hard else 0.06),
        drift=0.1 if hard else 0.025,
        white_drift=0.04 if hard else 0.01,
        drift_seconds=float(rng.uniform(15, 60)),
        drift_phase=float(rng.uniform(0, 2 * np.pi)),
        blur_px=float(rng.uniform(0.8, 1.5) if hard else rng.uniform(0.4, 0.7)),
        noise=float(rng.uniform(4, 9) if hard else rng.uniform(1.2, 2.5)),
        drops=0.05 if hard else 0.0,
        jpeg=int(rng.integers(60, 85)) if hard else None,
        tilt_deg=2.0 if hard else 1.2,
        shift_mm=1.5 if hard else 1.0,
        distortion=(-0.01, 0.022) if hard else (0.004, 0.014),
    )
