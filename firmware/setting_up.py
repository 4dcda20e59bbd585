"""How good a calibration is: ok, weak or bad for every figure, and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.announcements import ENGLISH, Translator
from companion.health import BLUR_PX, MARKER_MM, MARKERS_MISSING
from companion.words.calibration import advice_words, name_words, value_words
from firmware.checking import Grade, Limit
from vision.calibration.camera import Calibration
from vision.calibration.exposing import MAINS_US
from vision.calibration.focusing import FocusCurve
from vision.calibration.lens import MeasuredLens

MORE_IS_WORSE: dict[str, Limit] = {
    "lens_error": Limit(0.5, 1.5),
    "lens_spread": Limit(0.01, 0.04),
    "marker_error": Limit(*MARKER_MM),
    "missing": Limit(*MARKERS_MISSING),
    "blur": Limit(*BLUR_PX),
    "glare": Limit(0.01, 0.06),
}
"""Pixels, shares, millimetres, counts, pixels, shares."""
LESS_IS_WORSE: dict[str, Limit] = {
    "views": Limit(8, 5),
    "coverage": Limit(0.5, 0.25),
    "tilt": Limit(20.0, 8.0),
    "scale": Limit(4.5, 3.5),
    "evenness": Limit(0.7, 0.5),
}
"""Counts, shares, degrees, pixels to the millimetre, shares: below the first weak, below the second bad."""
TURNED_DEG = 8.0
"""A board farther askew than this in the picture loses its ends."""
WORDS = ("ok", "weak", "bad")


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a calibration."""

    kind: str
    value: str | float
    grade: Grade
    problem: str = ""
    """Which advice belongs to it; empty where it is well."""

    def line(self, say: Translator = ENGLISH) -> str:
        """``ok    sharpness: 0.7 px``, and what to do where it is not ok."""
        told = f"{WORDS[self.grade]:<5} {name_words(self.kind, say)}: {value_words(self.kind, self.value, say)}"
        return told + (f". {advice_words(self.problem, say)}" if self.problem else "")

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind, "value": self.value, "grade": WORDS[self.grade],
            "advice": advice_words(self.problem) if self.problem else "",
        }  # fmt: skip


def judge_calibration(calibration: Calibration, curve: FocusCurve | None = None) -> tuple[Figure, ...]:
    """Every figure of a calibration; `curve` is that of its focus sweep, if there was one."""
    return tuple(_figures(calibration, curve))


def worst_of(figures: tuple[Figure, ...]) -> Grade:
    """The worst grade of them."""
    return max((figure.grade for figure in figures), default=Grade.GOOD)


def _figures(calibration: Calibration, curve: FocusCurve | None) -> Iterator[Figure]:
    yield Figure("mirror", "yes" if calibration.mirrored else "no", Grade.GOOD)
    yield from _lens(calibration)
    yield _rising("marker_error", calibration.error_mm, 3)
    yield _rising("missing", float(len(calibration.missing)))
    yield _falling("scale", calibration.px_per_mm, 2)
    yield _turned(calibration.turned_deg)
    yield _rising("blur", calibration.edge_px, 2)
    if curve is not None:
        grade = Grade.WEAK if curve.at_end else Grade.GOOD
        yield Figure("focus", curve.best, grade, "focus" if curve.at_end else "")
    yield from _light(calibration)


def _lens(calibration: Calibration) -> Iterator[Figure]:
    fit = calibration.fit
    if fit is None or not isinstance(calibration.lens, MeasuredLens):
        yield Figure("lens", "guessed", Grade.WEAK, "lens")
        return
    yield Figure("lens", calibration.lens.kind, Grade.GOOD)
    yield Figure("angle", round(calibration.lens.angle_deg(), 1), Grade.GOOD)
    yield _rising("lens_error", fit.rms_px, 3)
    yield _rising("lens_spread", fit.spread, 4)
    yield _falling("views", float(fit.views))
    yield _falling("coverage", fit.coverage, 2)
    yield _falling("tilt", fit.tilt_deg, 1)


def _turned(degrees: float) -> Figure:
    # A camera that hangs upside down sees as well as any other.
    askew = abs((degrees + 90.0) % 180.0 - 90.0)
    grade = Grade.WEAK if askew > TURNED_DEG else Grade.GOOD
    return Figure("turned", degrees, grade, "turned" if grade else "")


def _light(calibration: Calibration) -> Iterator[Figure]:
    exposure = calibration.controls.exposure_us
    if exposure is not None:
        whole = any(exposure % period == 0 for period in MAINS_US.values())
        yield Figure("exposure", float(exposure), Grade.GOOD if whole else Grade.WEAK, "" if whole else "exposure")
    flat = calibration.flat
    if flat is None:
        yield Figure("light", "unknown", Grade.WEAK, "light")
        return
    yield _falling("evenness", flat.evenness, 2)
    yield _rising("glare", flat.glare, 3)


def _rising(kind: str, value: float, digits: int = 0) -> Figure:
    grade = MORE_IS_WORSE[kind].grade(value)
    return Figure(kind, round(value, digits), grade, kind if grade else "")


def _falling(kind: str, value: float, digits: int = 0) -> Figure:
    limit = LESS_IS_WORSE[kind]
    grade = Grade.BAD if value < limit.bad else Grade.WEAK if value < limit.weak else Grade.GOOD
    return Figure(kind, round(value, digits), grade, kind if grade else "")
