"""Focus and light of cameras that answer by a formula: the way to the outcome is checked, not only the outcome."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from vision.calibration.controls import Controls, Ranges
from vision.calibration.exposing import expose
from vision.calibration.focusing import sharpness, sweep_focus
from vision.errors import CalibrationError
from vision.frame import Frame

STRIPES = np.tile(np.repeat(np.array([30, 220], np.uint8), 8), (40, 10))


LIMITS = Ranges((100, 100_000), (1.0, 8.0), (0.5, 4.0), (0.0, 12.0))


@dataclass
class FormulaCamera:
    """Stripes, sharp at one lens position; paper whose level follows light and colour gains."""

    sharp_at: float = 6.2
    power: float = 1.0
    limits: Ranges = LIMITS
    edges: bool = True
    name: str = "mat0"
    locked: list = field(default_factory=list)

    def ranges(self):
        return self.limits

    def lock(self, controls, timeout):
        assert timeout > 0
        self.locked.append(controls)
        grey = STRIPES if self.edges else np.full((40, 160), 200, np.uint8)
        if controls.lens_position is not None:
            grey = cv2.GaussianBlur(grey, (0, 0), 0.5 + 1.5 * abs(controls.lens_position - self.sharp_at))
        light = self.power * (controls.exposure_us or 0) * (controls.gain or 1.0) / 20_000
        red, blue = controls.colour_gains or (2.0, 1.6)
        tint = np.array([blue / 1.6, 1.0, red / 2.0])
        linear = (grey[..., None] / 255.0) ** 2.2 * tint * (light if controls.exposure_us else 1.0)
        image = np.clip(255 * np.clip(linear, 0, 1) ** (1 / 2.2), 0, 255).astype(np.uint8)
        return Frame(self.name, 0.0, len(self.locked), image)


@pytest.mark.parametrize("sharp_at", [0.9, 4.3, 6.2, 11.1])
def test_the_sweep_finds_the_sharpest_position(sharp_at):
    camera = FormulaCamera(sharp_at)
    curve = sweep_focus(camera, Controls(exposure_us=20_000))
    assert curve.best == pytest.approx(sharp_at, abs=0.1)
    assert not curve.at_end
    positions = [controls.lens_position for controls in camera.locked]
    assert positions[:13] == [float(value) for value in range(13)]
    assert len(set(positions)) == len(positions) <= 20
    assert {controls.exposure_us for controls in camera.locked} == {20_000}
    assert curve.tried == tuple(sorted(curve.tried))


@pytest.mark.parametrize(("sharp_at", "end"), [(14.0, 12.0), (-1.0, 0.0)])
def test_an_end_of_the_way_is_told(sharp_at, end):
    curve = sweep_focus(FormulaCamera(sharp_at), Controls(exposure_us=20_000))
    assert (curve.best, curve.at_end) == (end, True)


def test_without_edges_there_is_no_focus():
    with pytest.raises(CalibrationError) as caught:
        sweep_focus(FormulaCamera(edges=False), Controls(exposure_us=20_000))
    assert str(caught.value) == (
        "mat0: no lens position is sharper than the others (best 0.00 times the typical one, at least 1.5 expected): "
        "see that the lamp is on and markers or focus cards are in view"
    )


def test_a_camera_without_a_motor_is_turned_by_hand():
    with pytest.raises(CalibrationError) as caught:
        sweep_focus(FormulaCamera(limits=Ranges()), Controls())
    assert str(caught.value) == "mat0: has no focus motor: turn its lens by hand until the focus card is sharp"


def test_sharpness_is_the_same_in_less_light():
    assert sharpness(STRIPES // 2) == pytest.approx(sharpness(STRIPES), rel=0.1)
    assert sharpness(cv2.GaussianBlur(STRIPES, (0, 0), 3.0)) < 0.5 * sharpness(STRIPES)


@pytest.mark.parametrize("power", [0.4, 1.0, 1.6])
@pytest.mark.parametrize("mains", [50, 60])
def test_white_becomes_light_grey_and_neutral_in_whole_periods(power, mains):
    exposed = expose(FormulaCamera(power=power), Controls(lens_position=6.2), mains)
    assert exposed.white[1] == pytest.approx(200.0, abs=8.0)
    assert max(abs(level / exposed.white[1] - 1) for level in exposed.white) < 0.02
    assert exposed.controls.exposure_us % {50: 10_000, 60: 8_333}[mains] == 0
    assert exposed.controls.colour_gains == pytest.approx((2.0, 1.6), rel=0.06)
    assert exposed.controls.lens_position == 6.2


def test_little_light_is_made_up_by_gain_after_the_longest_exposure():
    controls = expose(FormulaCamera(power=0.12), Controls(lens_position=6.2)).controls
    assert controls.exposure_us == 60_000
    assert 1.0 < controls.gain < 8.0


def test_a_strong_lamp_gets_less_than_a_period():
    controls = expose(FormulaCamera(power=6.0), Controls(lens_position=6.2)).controls
    assert controls.exposure_us < 10_000
    assert controls.gain == 1.0


def test_too_little_light_is_said():
    with pytest.raises(CalibrationError) as caught:
        expose(FormulaCamera(power=0.001), Controls(lens_position=6.2))
    assert str(caught.value).startswith("mat0: white paper has level ")
    assert str(caught.value).endswith(", 200 expected, at 60000 us and gain 8.0: give more light")


@pytest.mark.parametrize(
    ("camera", "mains", "message"),
    [
        (FormulaCamera(), 55, "mains of 55 Hz: expected 50 or 60"),
        (
            FormulaCamera(limits=Ranges()), 50,
            "mat0: its exposure cannot be locked; light that changes will change its pictures",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_locked_is_said(camera, mains, message):
    with pytest.raises(CalibrationError) as caught:
        expose(camera, Controls(), mains)
    assert str(caught.value) == message
