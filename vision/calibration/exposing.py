"""Setting exposure, gain and white balance once, so that white paper is light grey and nothing is washed out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.calibration.controls import AdjustableCamera, Controls
from vision.errors import CalibrationError
from vision.frame import Image

WHITE = 200.0
"""Grey level at which white paper is wanted: room above for reflections."""
CLOSE = 8.0
"""Near enough, in levels."""
TRIES = 12
USUAL_BEND = 0.55
"""Twice the light is less than twice the level: cameras bend levels by about this power, until two pictures tell better."""
MAINS_US = {50: 10_000, 60: 8_333}
"""Lamps on the mains flicker with this period; exposures of whole periods do not see it."""
LONGEST_US = 60_000
WAIT_S = 5.0
TINT = 0.02
"""White is white where its colours differ by less than this."""

WhiteOf = Callable[[Image], NDArray[np.float64]]
"""Levels of white paper in a picture: blue, green, red."""


@dataclass(frozen=True, slots=True)
class Exposed:
    """What was locked, and how white paper looks with it."""

    controls: Controls
    white: tuple[float, float, float]
    """Blue, green, red; 0..255."""


def brightest_paper(image: Image) -> NDArray[np.float64]:
    """Levels of the lighter part of a picture that is mostly paper: its 80th percentile of each colour."""
    return np.asarray(np.percentile(image.reshape(-1, 3)[::7], 80, axis=0), np.float64)


def expose(camera: AdjustableCamera, start: Controls, mains_hz: int = 50, white_of: WhiteOf = brightest_paper) -> Exposed:
    """Lock the light of a camera that looks at white paper.

    Exposures are whole periods of the mains.  Raise `CalibrationError` where white paper cannot be made light grey.
    """
    if mains_hz not in MAINS_US:
        raise CalibrationError(f"mains of {mains_hz} Hz: expected {' or '.join(map(str, MAINS_US))}")
    ranges = camera.ranges()
    if ranges.exposure_us is None:
        raise CalibrationError(f"{camera.name}: its exposure cannot be locked; light that changes will change its pictures")
    controls = replace(start, exposure_us=MAINS_US[mains_hz], gain=None if ranges.gain is None else ranges.gain[0])
    if ranges.colour_gains is not None and controls.colour_gains is None:
        controls = replace(controls, colour_gains=(1.5, 1.5))
    light = float((controls.exposure_us or 1) * (controls.gain or 1.0))
    white = np.zeros(3)
    before: tuple[float, float] | None = None
    bend, washed = USUAL_BEND, float("inf")
    for _ in range(TRIES):
        white = white_of(camera.lock(controls, WAIT_S).image)
        level = float(white[1])
        bend = _bend(before, (light, level), bend)
        before = light, level
        if abs(level - WHITE) <= CLOSE and _neutral(white, ranges.colour_gains is not None):
            return Exposed(controls, (float(white[0]), level, float(white[2])))
        if level > 250:
            # From a washed-out picture there is only a guess.
            washed, light = min(washed, light), light * 0.4
        else:
            wanted = light * float(np.clip((WHITE / max(level, 2.0)) ** (1 / bend), 0.1, 8.0))
            light = min(wanted, float(np.sqrt(light * washed)))
        controls = _with_light(controls, light, mains_hz, camera)
        light = float((controls.exposure_us or 1) * (controls.gain or 1.0))
        if ranges.colour_gains is not None and white.min() > 20 and white.max() < 250:
            gains = controls.colour_gains or (1.5, 1.5)
            controls = replace(controls, colour_gains=_balanced(gains, white, ranges.colour_gains, bend))
    raise CalibrationError(
        f"{camera.name}: white paper has level {white[1]:.0f} of 255 (blue {white[0]:.0f}, red {white[2]:.0f}), "
        f"{WHITE:.0f} expected, at {controls.exposure_us} us and gain {controls.gain}: "
        f"{'give more light' if white[1] < WHITE else 'dim the lamp'}"
    )


def _bend(before: tuple[float, float] | None, now: tuple[float, float], usual: float) -> float:
    """The power with which levels follow the light, by the last two pictures; `usual` where they do not tell."""
    if before is None or max(before[1], now[1]) > 250 or min(before[1], now[1]) < 5:
        return usual
    step = float(np.log(now[0] / before[0]))
    if abs(step) < 0.05:
        return usual
    return float(np.clip(np.log(now[1] / before[1]) / step, 0.3, 1.2))


def _neutral(white: NDArray[np.float64], balanced: bool) -> bool:
    return not balanced or float(np.abs(white / white[1] - 1.0).max()) < TINT


def _balanced(
    gains: tuple[float, float], white: NDArray[np.float64], way: tuple[float, float], bend: float
) -> tuple[float, float]:
    red, blue = (
        float(np.clip(gain * (white[1] / level) ** (1 / bend), *way))
        for gain, level in ((gains[0], white[2]), (gains[1], white[0]))
    )
    return round(red, 3), round(blue, 3)


def _with_light(controls: Controls, light: float, mains_hz: int, camera: AdjustableCamera) -> Controls:
    """Exposure and gain that together let in so much light: whole periods of the mains first, gain for the rest."""
    ranges = camera.ranges()
    assert ranges.exposure_us is not None
    shortest, longest = ranges.exposure_us[0], min(ranges.exposure_us[1], LONGEST_US)
    lowest, highest = ranges.gain if ranges.gain is not None else (1.0, 1.0)
    period = MAINS_US[mains_hz]
    periods = int(light / lowest // period)
    if periods < 1:
        # Too bright for a whole period: flicker of the mains is the smaller evil, and the lamp is none of it.
        return replace(controls, exposure_us=int(max(shortest, light / lowest)), gain=ranges.gain and lowest)
    exposure = int(min(periods * period, longest // period * period))
    gain = None if ranges.gain is None else round(float(np.clip(light / exposure, lowest, highest)), 3)
    return replace(controls, exposure_us=exposure, gain=gain)
