"""What is kept of a camera: the same afterwards, and no damage goes unnoticed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from firmware.calibrations import calibration_file, find_layout, known_lens, load_calibration, load_stored, store_calibration
from vision.calibrate import Lens
from vision.calibration.camera import Calibration
from vision.calibration.chessboard import LensFit
from vision.calibration.controls import Controls
from vision.calibration.flatfield import FlatField
from vision.calibration.lens import MeasuredLens
from vision.errors import CalibrationError
from vision.layout import mat_layout

NOW = datetime(2026, 11, 30, 20, 15, tzinfo=UTC)
LENS = MeasuredLens("plain", (1182.5, 1183.25), (770.0, 141.5), (-0.05, 0.01, 0.0004, -0.0003, 0.0), (1536, 288))
SURFACE = (200.0, -3.0, -7.5, -1.0, 0.5, 0.25, -2.0, 0.0, 0.125)
KEPT = Calibration(
    "mat1", mat_layout(1), (1536, 288), True, 0.62, LENS, LensFit(LENS, 0.14, 0.002, 0.75, 48.0, 11),
    np.array([[5.05, 0.01, 70.0], [0.02, 5.04, 60.0], [1e-6, 2e-6, 1.0]]), 0.061, 5.05, 0.72, (9,),
    FlatField((1536, 288), (SURFACE, SURFACE, SURFACE), 0.91, 0.004), Controls(20_000, 1.25, (1.9, 1.6), 4.31),
)  # fmt: skip
GUESSED = replace(KEPT, lens=Lens(-0.02, 0.001), fit=None, flat=None, controls=Controls(), missing=())


@pytest.mark.parametrize("calibration", [KEPT, GUESSED])
def test_what_is_kept_comes_back_as_it_was(calibration, tmp_path):
    path = store_calibration(calibration, NOW, tmp_path)
    assert path == tmp_path / "mat1.json"
    stored = load_stored("mat1", tmp_path)
    assert (stored.made, stored.version) == ("2026-11-30T20:15:00+00:00", 1)
    found = stored.calibration
    for name in Calibration.__slots__:
        if name == "homography":
            assert (found.homography == calibration.homography).all()
        elif name == "fit" and calibration.fit is not None:
            assert [getattr(found.fit, part) for part in LensFit.__slots__] == [
                getattr(calibration.fit, part) for part in LensFit.__slots__
            ]
        else:
            assert getattr(found, name) == getattr(calibration, name)


def test_a_camera_that_was_never_set_up_is_none(tmp_path):
    assert load_stored("mat0", tmp_path) is None
    assert load_calibration("tray", tmp_path) is None
    assert known_lens("tray", tmp_path) is None


def test_only_a_measured_lens_is_known(tmp_path):
    store_calibration(GUESSED, NOW, tmp_path)
    assert known_lens("mat1", tmp_path) is None
    store_calibration(KEPT, NOW, tmp_path)
    assert known_lens("mat1", tmp_path) == LENS


def test_setting_up_again_keeps_the_one_before(tmp_path):
    store_calibration(GUESSED, NOW, tmp_path)
    first = (tmp_path / "mat1.json").read_bytes()
    store_calibration(KEPT, NOW, tmp_path)
    assert load_stored("mat1", tmp_path).version == 2
    assert (tmp_path / "mat1.before.json").read_bytes() == first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mat1.before.json", "mat1.json"]


def told(path):
    return json.loads(path.read_text())


def sealed(body):
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda file: file.write_text("{"), "is no calibration: "),
        (lambda file: file.write_text("[]"), "is no calibration; set the camera up anew"),
        (lambda file: file.write_bytes(b"\xff\xfe"), "is no calibration: "),
        (
            lambda file: file.write_text(json.dumps(told(file) | {"form": 2})),
            "has form 2, this program knows 1: set the camera up anew",
        ),
        (
            lambda file: file.write_text(file.read_text().replace("0.061", "0.021")),
            "was damaged or changed since it was written; set the camera up anew",
        ),
        (lambda file: file.write_text("x" * 1_000_001), "is no calibration: it has 1000001 bytes, at most 1000000 are expected"),
    ],
)
def test_damage_is_said_and_costs_nothing_else(damage, message, tmp_path):
    path = store_calibration(KEPT, NOW, tmp_path)
    damage(path)
    with pytest.raises(CalibrationError) as caught:
        load_stored("mat1", tmp_path)
    assert str(caught.value).startswith(f"{path}: {message}")
    store_calibration(KEPT, NOW, tmp_path)
    assert load_stored("mat1", tmp_path).version == 1
    assert (tmp_path / "mat1.before.json").exists()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"board": "mat9"}, "board 'mat9': expected one of tray, mat0, mat1, mat2, mat3, mat4, mat5"),
        ({"camera": "mat3"}, "belongs to camera 'mat3'; set this one up anew"),
        ({"size_px": [1]}, "is no whole calibration: "),
        ({"size_px": [1e400, 1]}, "is no whole calibration: "),
        ({"homography": [1.0, 2.0]}, "is no whole calibration: "),
        ({"homography": [float("nan")] * 9}, "its homography is not finite"),
        (
            {"lens": {"kind": "plain", "focal_px": [1, 1], "middle_px": [0, 0], "bends": [0], "size_px": [5, 5]}},
            "bending, found 1",
        ),
    ],
)
def test_a_file_that_was_forged_with_care_is_refused_too(change, words, tmp_path):
    path = store_calibration(KEPT, NOW, tmp_path)
    body = told(path)["calibration"] | change
    path.write_text(json.dumps(told(path) | {"calibration": body, "sha256": sealed(body)}))
    with pytest.raises(CalibrationError) as caught:
        load_stored("mat1", tmp_path)
    assert words in str(caught.value)


@pytest.mark.parametrize("name", ["../keys", "mat1/..", "", "MAT1", "mat1.before", "mat 1"])
def test_names_lead_nowhere_else(name, tmp_path):
    with pytest.raises(CalibrationError) as caught:
        calibration_file(name, tmp_path)
    assert str(caught.value) == f"camera {name!r}: a name such as mat0 or tray is expected"


def test_every_board_is_found_by_its_name():
    assert [find_layout(name).name for name in ("tray", "mat0", "mat5")] == ["tray", "mat0", "mat5"]
