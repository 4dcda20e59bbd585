"""Setting up a camera of the Pi's own connector, on the stand-in: what is locked, how, and how often."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

import firmware.camera_picamera2
from firmware.camera import CameraPlan, Locks, Shot
from firmware.camera_setup import SettableCamera
from firmware.errors import CameraError, CameraRefusedError
from firmware.walking import AskingStage, set_up
from tests.firmware.cameras.fake_picamera2 import Machine, Sensor
from vision.calibration.controls import Controls, Ranges
from vision.layout import mat_layout
from vision.synthetic.optical_bench import BenchCamera
from vision.synthetic.target_walk import mat_lens, mat_optics, mat_pose, plate_sheet

NOW = datetime(2026, 11, 30, 20, 15, tzinfo=UTC)
MINE = "/base/axi/pcie@120000/rp1/i2c@80000/imx708@1a"
SIZE = (1152, 216)
RIGHT = {"ExposureTime": 20_000, "AnalogueGain": 1.0, "ColourGains": (1.9, 1.6), "LensPosition": 4.4}
PLAN = CameraPlan("mat1", "picamera2", MINE, SIZE, mirror=True)


def scene(shown):
    """What the sensor of mat 1 sees when everything is set right."""
    camera = BenchCamera(replace(mat_optics(mat_lens(SIZE)), fall=(0.1, 0.0), vignette=0.0), seed=4)
    camera._set = Controls(20_000, 1.0, (1.9, 1.6), 4.3)
    camera.show(plate_sheet(mat_layout(1), shown), mat_pose(mat_layout(1)))
    return camera.take().image


@pytest.fixture(scope="module")
def scenes():
    return {shown: scene(shown) for shown in ("focus", "blank", "empty")}


@pytest.fixture
def machine(scenes, monkeypatch):
    machine = Machine([Sensor(MINE, 0, scenes["focus"], dict(RIGHT))])
    for name, module in machine.modules().items():
        monkeypatch.setitem(__import__("sys").modules, name, module)
    return machine


def opened(machine):
    camera = firmware.camera_picamera2.open_camera(replace(PLAN, locks=Locks()), lambda: machine.now)
    return SettableCamera(PLAN, camera)


def test_ranges_are_those_of_the_camera(machine):
    camera = opened(machine)
    assert camera.ranges() == Ranges((1, 1_000_000), (1.0, 16.0), (0.3, 6.0), (0.0, 15.0))
    camera.close()


def test_a_lens_that_does_not_move_has_no_range(machine):
    machine.sensors[0].lens_moves = False
    camera = opened(machine)
    assert camera.ranges().lens_position is None
    with pytest.raises(CameraRefusedError, match=r"^mat1: lens = 3, but this camera's lens does not move$"):
        camera.lock(Controls(lens_position=3.0), 3.0)
    camera.close()


def test_every_picture_is_taken_with_what_was_locked_last(machine, scenes):
    """The stand-in's controls count three pictures late, as real ones do."""
    camera = opened(machine)
    dark, light = (
        camera.lock(Controls(exposure, 1.0, (1.9, 1.6), 4.4), 3.0).image for exposure in (5_000, 20_000)
    )
    assert np.abs(light.astype(int) - scenes["focus"]).mean() < 1.5
    assert dark.mean() == pytest.approx(light.mean() / 4, rel=0.05)
    assert machine.sensors[0].configured == 1
    camera.close()
    with pytest.raises(CameraError, match="it is closed"):
        camera.lock(Controls(20_000, 1.0), 1.0)


def test_a_camera_is_set_up_with_one_configuration(machine, scenes):
    shown = []

    def ask(sentence):
        shown.append(sentence)
        if sentence.startswith("Chessboard"):
            return False
        step = "focus" if "focus card" in sentence else "blank" if "blank" in sentence else "empty"
        machine.sensors[0].scene = scenes[step]
        return True

    camera = opened(machine)
    walk = set_up(camera, mat_layout(1), AskingStage(ask))
    assert machine.sensors[0].configured == 1
    camera.close()
    assert shown == [
        "Put the plate in its place, and a focus card, print down, into every slot.",
        "Put a blank white card into every slot.",
        "Take all cards off the plate.",
        "Chessboard, picture 1 of 12: take the plate off and lay the board flat in its place.",
    ]
    found = walk.calibration
    assert found.mirrored is True and found.missing == ()
    assert found.controls.lens_position == pytest.approx(4.4, abs=0.3)
    assert found.controls.colour_gains == pytest.approx((1.9, 1.6), rel=0.05)
    assert found.controls.exposure_us % 10_000 == 0
    assert found.flat is not None and found.error_mm < 0.2


class Still:
    """A camera whose values stand when it is opened."""

    def __init__(self, image):
        self.image, self.closed = image, False

    def grab(self, timeout):
        return Shot(self.image, 7.0)

    def close(self):
        self.closed = True


def test_a_camera_without_settings_gives_its_pictures_as_the_sensor_sees_them(scenes):
    still = Still(scenes["empty"])
    camera = SettableCamera(replace(PLAN, crop=(100, 8, 1000, 200)), still)
    assert camera.ranges() == Ranges()
    frame = camera.lock(Controls(exposure_us=1), 1.0)
    assert (frame.camera, frame.time, frame.number) == ("mat1", 7.0, 1)
    # Cut in the picture the right way round, and flipped back.
    assert (frame.image == scenes["empty"][8:208, 1152 - 1100 : 1152 - 100]).all()
    camera.close()
    assert still.closed
