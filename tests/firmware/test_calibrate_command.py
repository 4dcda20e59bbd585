"""`viewmat calibrate` as people call it."""

from __future__ import annotations

import json
import re
import shutil

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from firmware.calibrations import load_stored
from firmware.cli import main
from firmware.walking import BenchStage
from vision.layout import mat_layout
from vision.synthetic.optical_bench import BenchCamera
from vision.synthetic.target_walk import mat_lens, mat_optics, mat_pose, plate_sheet


@pytest.fixture
def viewmat(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def run(*arguments, input=None):
        return CliRunner().invoke(main, ["calibrate", *map(str, arguments)], prog_name="viewmat", input=input)

    return run


@pytest.fixture(scope="module")
def frames(tmp_path_factory):
    """The plate alone, empty and with blank cards: no chessboard, which takes longer."""
    folder = tmp_path_factory.mktemp("frames")
    camera = BenchCamera(mat_optics(mat_lens((1152, 216))), seed=2)
    stage = BenchStage(camera, mat_layout(1))
    camera._set = camera._set.__class__(20_000, 1.0, (1.9, 1.6), 4.3)
    for step in ("plate", "blank"):
        stage.show(step, 0)
        for number in range(2):
            cv2.imwrite(str(folder / f"{number}-{step}.png"), camera.take().image)
    return folder


def test_targets_are_written(viewmat, tmp_path):
    out = tmp_path / "sheets" / "targets.pdf"
    done = viewmat("targets", "--out", out, "--paper", "letter", "--mat", 2, "--mat", 4, "--no-tray")
    assert (done.exit_code, done.output) == (
        0, f"{out}: 5 pages of 279.4 x 215.9 mm. Print at 100 %, not fitted to the page, and check the rulers.\n"
    )  # fmt: skip
    data = out.read_bytes()
    assert data.startswith(b"%PDF-1.6") and data.endswith(b"%%EOF\n")
    assert data.count(b"/Type /Page ") == 5
    assert b"Mat 2: markers 8 to 15" in data and b"Mat 4: markers 24 to 31" in data


def test_a_camera_is_set_up_from_a_folder_and_checked_afterwards(viewmat, frames, tmp_path):
    done = viewmat("camera", "2", "--frames", frames, "--json")
    told = json.loads(done.stdout)
    assert (done.exit_code, told["place"], told["camera"], told["grade"]) == (0, "2", "mat1", "weak")
    weak = {figure["kind"] for figure in told["figures"] if figure["grade"] != "ok"}
    assert weak == {"lens", "scale"} or weak == {"lens"}
    stored = load_stored("mat1")
    assert stored.calibration.mirrored is True
    assert told["stored"] == str(tmp_path / "data" / "viewmat" / "cameras" / "mat1.json")

    upright = tmp_path / "now.png"
    cv2.imwrite(str(upright), cv2.imread(str(frames / "0-plate.png"))[:, ::-1])
    done = viewmat("check", "2", upright, "--json")
    assert (done.exit_code, json.loads(done.stdout)) == (
        0, {"place": "2", "made": stored.made, "shift_mm": json.loads(done.stdout)["shift_mm"], "markers": 8, "problem": ""}
    )  # fmt: skip
    assert json.loads(done.stdout)["shift_mm"] < 0.2
    moved = viewmat("check", "2", frames / "0-plate.png")
    assert (moved.exit_code, moved.output) == (1, "The picture is mirrored: the camera's flip was changed.\n")


def test_a_plate_that_was_pushed_is_told(viewmat, frames, tmp_path):
    viewmat("camera", "2", "--frames", frames)
    camera = BenchCamera(mat_optics(mat_lens((1152, 216)), mirrored=False), seed=2)
    camera._set = camera._set.__class__(20_000, 1.0, (1.9, 1.6), 4.3)
    pose = BenchStage(camera, mat_layout(1)).pose
    camera.show(plate_sheet(mat_layout(1)), mat_pose(mat_layout(1), pose.turn_deg, (pose.at_mm[0] + 3.0, pose.at_mm[1])))
    cv2.imwrite(str(tmp_path / "now.png"), camera.take().image)
    done = viewmat("check", "2", tmp_path / "now.png")
    assert done.exit_code == 1
    assert re.fullmatch(r"The camera or the plate has moved by (2\.9|3\.0)\d? mm: set it up again\.\n", done.output)


def test_pictures_that_show_nothing_are_named(viewmat, tmp_path):
    (tmp_path / "frames").mkdir()
    cv2.imwrite(str(tmp_path / "frames" / "wall.png"), np.full((100, 300, 3), 120, np.uint8))
    done = viewmat("camera", "1", "--frames", tmp_path / "frames")
    assert done.exit_code == 1
    assert done.stderr == (
        "wall.png: shows neither the chessboard nor the markers of mat0; it is left out\n"
        "Error: mat0: no picture shows the markers 0 to 7 of mat0: 0 show the chessboard, 1 nothing that is known\n"
    )


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("camera", "1", "--frames", ".", "--virtual", "1"), 2, "either --frames FOLDER or --virtual SEED is expected, not"),
        (("camera", "1", "--config", "/nowhere.toml"), 2, "Error: /nowhere.toml: cannot be read: No such file or directory\n"),
        (("camera", "7", "--virtual", "1"), 2, "'7' is not one of '1', '2', '3', '4', '5', '6', 'tray'"),
        (("check", "3", "x.png"), 1, "Error: the camera of place 3 was never set up: viewmat calibrate camera 3\n"),
        (("camera", "1", "--frames", "/nowhere"), 1, "Error: /nowhere is no folder: expected one with the recorded pictures\n"),
    ],
)
def test_what_cannot_be_is_said(viewmat, arguments, status, words):
    done = viewmat(*arguments)
    assert done.exit_code == status
    assert words in done.output


def test_a_place_without_a_camera_in_the_settings_is_told(viewmat, tmp_path):
    config = tmp_path / "table.toml"
    config.write_text('[[seat]]\nname = "Ann"\n')
    done = viewmat("camera", "3", "--config", config)
    told = f"Error: {config}: no [[camera]] looks at place 3; --frames FOLDER sets one up from pictures\n"
    assert (done.exit_code, done.output) == (2, told)


def test_the_camera_of_the_settings_is_set_up_step_by_step(viewmat, frames, tmp_path):
    """A recording of the plate stands in for the camera; somebody answers that there is no chessboard."""
    recorded = tmp_path / "recorded"
    recorded.mkdir()
    for number, name in enumerate(("0-blank", "1-blank", "1-blank", "0-plate", "1-plate", "1-plate")):
        shutil.copy(frames / f"{name}.png", recorded / f"{number}.png")
    config = tmp_path / "table.toml"
    text = '[[seat]]\nname = "Ann"\n[[camera]]\nplace = 2\nkind = "replay"\nmirror = true\npath = '
    config.write_text(text + json.dumps(str(recorded)) + "\n")
    done = viewmat("camera", "2", "--config", config, "--json", input="y\ny\ny\nn\n")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout.splitlines()[-1])["grade"] == "weak"
    assert load_stored("mat1").calibration.mirrored is True


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_virtual_cameras_of_full_size_are_set_up_as_they_are(viewmat, seed):
    done = viewmat("camera", "3", "--virtual", seed, "--json")
    told = json.loads(done.stdout)
    assert (done.exit_code, told["grade"]) == (0, "ok")
    truth = told["truth"]
    assert truth["windows_mm"] < 0.1
    assert abs(truth["focal_share"]) < 0.001
    assert abs(truth["lens_position"] - truth["sharp_at"]) < 0.1
    assert truth["mirrored"] is True
    assert told["stored"] is None
