"""Figures of a calibration, their grades at the limits, and what is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.words import calibration as words
from firmware.checking import Grade
from firmware.setting_up import LESS_IS_WORSE, MORE_IS_WORSE, judge_calibration, worst_of
from tests.firmware.test_calibrations import GUESSED, KEPT
from vision.calibration.controls import Controls
from vision.calibration.flatfield import FlatField
from vision.calibration.focusing import FocusCurve

GOOD = replace(KEPT, missing=())


def grades(calibration, curve=None):
    return {figure.kind: figure.grade.name.lower() for figure in judge_calibration(calibration, curve) if figure.grade}


def test_a_good_calibration_has_nothing_to_say():
    figures = judge_calibration(GOOD, FocusCurve(((4.0, 1.0), (4.3, 5.0)), 4.31, False))
    assert [figure.line() for figure in figures] == [
        "ok    mirror in the way of the light: yes",
        "ok    lens: measured",
        "ok    angle that the lens sees: 67.10 degrees",
        "ok    corners of the chessboard against the lens: 0.14 px",
        "ok    uncertainty of the focal length: 0.20%",
        "ok    pictures of the chessboard: 11",
        "ok    share of the picture in which the chessboard was seen: 75%",
        "ok    leaning of the chessboard: 48.00 degrees",
        "ok    markers against their plan: 0.06 mm",
        "ok    markers not found: 0",
        "ok    pixels to the millimetre: 5.05",
        "ok    turn of the board in the picture: 0.6 degrees",
        "ok    width of edges: 0.72 px",
        "ok    sharpest lens position: 4.31",
        "ok    exposure: 20000 microseconds",
        "ok    darkest light as a share of the brightest: 91%",
        "ok    share of blank paper that shines: 0.40%",
    ]
    assert worst_of(figures) is Grade.GOOD


def test_what_was_not_measured_is_weak_and_says_what_to_do():
    found = {figure.kind: figure.line() for figure in judge_calibration(GUESSED) if figure.grade}
    assert found == {
        "lens": "weak  lens: guessed from the markers. "
        "Take the plate off and show the chessboard in at least five pictures, leaning to every side.",
        "light": "weak  light over the mat: not measured. Lay a blank white card on every window and take two pictures.",
    }


FIELDS = {
    "lens_error": lambda value: replace(GOOD, fit=replace_fit(rms_px=value)),
    "lens_spread": lambda value: replace(GOOD, fit=replace_fit(spread=value)),
    "views": lambda value: replace(GOOD, fit=replace_fit(views=value)),
    "coverage": lambda value: replace(GOOD, fit=replace_fit(coverage=value)),
    "tilt": lambda value: replace(GOOD, fit=replace_fit(tilt_deg=value)),
    "marker_error": lambda value: replace(GOOD, error_mm=value),
    "missing": lambda value: replace(GOOD, missing=tuple(range(int(value)))),
    "scale": lambda value: replace(GOOD, px_per_mm=value),
    "blur": lambda value: replace(GOOD, edge_px=value),
    "glare": lambda value: replace(GOOD, flat=replace_flat(glare=value)),
    "evenness": lambda value: replace(GOOD, flat=replace_flat(evenness=value)),
}


def replace_fit(**changed):
    return replace(GOOD.fit, **changed)


def replace_flat(**changed) -> FlatField:
    return replace(GOOD.flat, **changed)


def test_every_limit_has_a_case():
    assert set(FIELDS) == set(MORE_IS_WORSE) | set(LESS_IS_WORSE)


@pytest.mark.parametrize("kind", MORE_IS_WORSE)
def test_more_is_worse_from_the_limit_on(kind):
    limit, step = MORE_IS_WORSE[kind], 1 if kind == "missing" else 1e-2 * MORE_IS_WORSE[kind].weak
    found = [grades(FIELDS[kind](value)).get(kind) for value in (limit.weak - step, limit.weak, limit.bad - step, limit.bad)]
    assert found == [None, "weak", "weak", "bad"]


@pytest.mark.parametrize("kind", LESS_IS_WORSE)
def test_less_is_worse_below_the_limit(kind):
    limit = LESS_IS_WORSE[kind]
    step = 1 if kind == "views" else 0.02
    found = [grades(FIELDS[kind](value)).get(kind) for value in (limit.weak, limit.weak - step, limit.bad, limit.bad - step)]
    assert found == [None, "weak", "weak", "bad"]


@pytest.mark.parametrize(
    ("degrees", "grade"), [(0.0, None), (-7.9, None), (8.1, "weak"), (180.0, None), (-172.5, None), (90.0, "weak")]
)
def test_upside_down_is_as_good_as_upright(degrees, grade):
    assert grades(replace(GOOD, turned_deg=degrees)).get("turned") == grade


def test_the_end_of_the_focus_way_is_weak():
    assert grades(GOOD, FocusCurve(((0.0, 1.0),), 12.0, True)) == {"focus": "weak"}


@pytest.mark.parametrize(("exposure", "grade"), [(20_000, None), (8_333, None), (16_666, None), (4_000, "weak"), (None, None)])
def test_exposures_of_whole_periods_are_good(exposure, grade):
    assert grades(replace(GOOD, controls=Controls(exposure_us=exposure))).get("exposure") == grade


def test_every_figure_that_can_be_bad_has_advice():
    assert set(words._ADVICE) == set(FIELDS) | {"lens", "turned", "focus", "exposure", "light"}
    assert words.outcome_words(2) == "The camera is not fit to play: put right what is bad, and set it up again."
