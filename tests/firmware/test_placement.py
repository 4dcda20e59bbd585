"""What is kept of a camera that was set up, as a table uses it: its lens, its locks, and whether it still is where it was."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.games import find_game
from companion.picture import RowSight
from firmware.calibrations import calibration_file, load_calibration, store_calibration
from firmware.camera import CameraPlan, Locks
from firmware.camera_virtual import layout_of
from firmware.eyes import Dealt, Eyes
from firmware.placement import EVERY_S, RETRY_S, Placement, SetUp, load_setup
from firmware.rig import stations
from firmware.settings import checked_settings
from firmware.settings_camera import CameraPart, camera_plans
from firmware.virtual.server import packaged_classifier
from tests.firmware.cameras.scenes import SIZE, board
from tests.firmware.cameras.test_eyes import TEXT, StillRig
from vision.calibrate import register
from vision.calibration.camera import Calibration, Drift
from vision.calibration.controls import Controls
from vision.calibration.lens import MeasuredLens
from vision.frame import Frame, Image, Light
from vision.layout import mat_layout
from vision.optics import OPTICS

NOW = datetime(2027, 3, 1, tzinfo=UTC)
EMPTY = (None,) * 5
HERE = Drift(0.04, 8)
"""In place: the rest is what a fit of eight markers leaves."""


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    """The drawn camera of mat 1 as its own markers tell of it."""
    found = register(board(EMPTY), mat_layout(0))
    return Calibration(
        "mat0", mat_layout(0), SIZE, True, 0.0, found.lens, None, found.homography, found.error_mm, found.px_per_mm(), 0.7, (),
        None, Controls(12_000, 2.0, (1.9, 1.6), 4.31),
    )  # fmt: skip


def aside(image: Image, pixels: int) -> Image:
    """The picture of a camera that was knocked."""
    return np.roll(image, pixels, axis=1)


def frame(image: Image, time: float, light: Light = Light.STEADY) -> Frame:
    return Frame("mat0", time, round(time * 10), image, light)


def test_a_camera_that_is_where_it_was_and_one_that_was_knocked(calibration: Calibration) -> None:
    placement = Placement(SetUp({"mat0": calibration}))
    assert placement.drifts() == {}
    placement.look(frame(board(EMPTY), 0.0))
    assert placement.drifts() == {"mat0": HERE}
    moved = aside(board(EMPTY), 8)
    placement.look(frame(moved, EVERY_S - 0.1))
    assert placement.drifts() == {"mat0": HERE}, "it is not yet time"
    placement.look(frame(moved, EVERY_S))
    drift = placement.drifts()["mat0"]
    assert (drift.found, drift.problem) == (8, "moved")
    assert drift.shift_mm == pytest.approx(8 / calibration.px_per_mm, abs=0.1)
    placement.look(frame(board(EMPTY), 2 * EVERY_S))
    assert placement.drifts() == {"mat0": HERE}, "somebody put it right"


def test_what_else_may_have_become_of_a_camera(calibration: Calibration, caplog: pytest.LogCaptureFixture) -> None:
    for image, drift in (
        (board(EMPTY)[:, ::-1], Drift(None, 0, "mirrored")),
        (board(EMPTY)[:, 100:], Drift(None, 0, "size")),
    ):
        placement = Placement(SetUp({"mat0": calibration}))
        placement.look(frame(np.ascontiguousarray(image), 0.0))
        assert placement.drifts() == {"mat0": drift}
    assert [record.getMessage() for record in caplog.records] == [
        "mat0 is not as it was set up: its pictures are mirrored",
        "mat0 is not as it was set up: its pictures have another size",
    ]


def test_a_hand_in_front_of_the_lamp_is_no_alarm_and_is_soon_looked_for_again(calibration: Calibration) -> None:
    placement = Placement(SetUp({"mat0": calibration}))
    placement.look(frame(np.zeros_like(board(EMPTY)), 0.0))
    placement.look(frame(board(EMPTY), RETRY_S / 2))
    assert placement.drifts() == {}
    placement.look(frame(board(EMPTY), RETRY_S, Light.ROOM))
    assert placement.drifts() == {}, "nothing is claimed of the room's light"
    placement.look(frame(board(EMPTY), RETRY_S))
    assert placement.drifts() == {"mat0": HERE}
    other = replace(frame(board(EMPTY), 99.0), camera="mat3")
    placement.look(other)
    assert set(placement.drifts()) == {"mat0"}


def test_a_table_uses_what_is_kept_and_its_health_page_hears_of_a_knock(
    calibration: Calibration, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    lens = MeasuredLens("plain", (1300.0, 1300.0), (SIZE[0] / 2, SIZE[1] / 2), (0.0,) * 5, SIZE)
    store_calibration(replace(calibration, lens=lens), NOW)
    settings = checked_settings(TEXT, Path("table.toml"))
    rig: Any = StillRig(settings)
    eyes = Eyes(settings, rig, packaged_classifier())
    table = eyes.open(settings, Dealt(find_game("steal"), {}, None, lambda: 1.0))
    rig.frames.append(frame(aside(board(EMPTY), 8), 0.5))
    eyes.look(1.0)
    registration = table.observers["mat0"].registration
    assert registration is not None and registration.lens == lens
    (figures,) = eyes.gauges.cameras(False)
    assert figures.drift == "moved"
    assert figures.drift_mm is not None and figures.drift_mm > 1.0


def test_a_damaged_file_is_told_and_the_table_goes_on_without_it(
    calibration: Calibration, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    store_calibration(calibration, NOW)
    path = calibration_file("mat1")
    path.write_text("{}")
    setup = load_setup(("mat0", "mat1", "tray"))
    assert (set(setup.calibrations), setup.damaged, dict(setup.lenses)) == ({"mat0"}, frozenset({"mat1"}), {})
    assert [record.getMessage() for record in caplog.records] == [
        f"mat1: {path}: is no calibration; set the camera up anew"
    ]
    assert Placement(setup).drifts() == {"mat1": Drift(None, 0, "damaged")}


@pytest.mark.parametrize(
    ("kind", "own", "locks"),
    [
        ("picamera2", Locks(), Locks(12_000, 2.0, (1.9, 1.6), None, 4.31)),
        ("picamera2", Locks(exposure_us=9000, lens=3.0), Locks(9000, None, (1.9, 1.6), None, 3.0)),
        ("uvc", Locks(gain=1.5), Locks(gain=1.5)),
    ],
)
def test_locks_that_were_found_hold_where_the_settings_say_nothing(
    calibration: Calibration, kind: str, own: Locks, locks: Locks
) -> None:
    setup = SetUp({"mat0": calibration})
    assert setup.locked(CameraPlan("mat0", kind, locks=own)) == CameraPlan("mat0", kind, locks=locks)
    assert setup.locked(CameraPlan("mat1", kind, locks=own)) == CameraPlan("mat1", kind, locks=own)


# ---- large windows -----------------------------------------------------------------------------------------------------

LARGE = TEXT + 'window = "large"\n'


def test_the_settings_name_every_size_of_windows_and_no_other() -> None:
    assert set(CameraPart.model_fields["window"].annotation.__args__) == set(OPTICS.window)  # type: ignore[union-attr]


def test_large_windows_reach_the_layout_of_their_mat_and_of_no_other() -> None:
    settings = checked_settings(LARGE, Path("table.toml"))
    (plan,) = camera_plans(settings.camera)
    assert layout_of(plan.name, plan.window) == mat_layout(0, "large") != mat_layout(0)
    eyes = Eyes(settings, StillRig(settings), packaged_classifier(), SetUp())  # type: ignore[arg-type]
    table = eyes.open(settings, Dealt(find_game("steal"), {}, None, lambda: 0.0))
    assert {name: observer.layout for name, observer in table.observers.items()} == {"mat0": mat_layout(0, "large")}


def test_the_tray_s_own_mat_may_have_them_too() -> None:
    plan = stations(["mat", "mat"], RowSight.SCAN, windows={"mat1": "large", "tray": "large"})
    assert [station.layout for station in plan] == [mat_layout(0), mat_layout(1, "large"), mat_layout(5, "large")]


def test_a_calibration_of_large_windows_comes_back_as_one(calibration: Calibration, tmp_path: Path) -> None:
    store_calibration(replace(calibration, layout=mat_layout(0, "large")), NOW, tmp_path)
    found = load_calibration("mat0", tmp_path)
    assert found is not None and found.layout == mat_layout(0, "large")
