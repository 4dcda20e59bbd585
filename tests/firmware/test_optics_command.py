"""`viewmat optics`."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from firmware.commands import optics
from vision.enclosure import Enclosure
from vision.raytrace import Fault, trace


def test_one_mat_as_json() -> None:
    done = CliRunner().invoke(optics.command, ["--camera", "cm3", "--window", "standard", "--card", "poker", "--json"])
    assert done.exit_code == 0
    assert json.loads(done.stdout) == {
        "camera": "cm3", "window": "standard", "card": "poker", "path_mm": 234.0, "px_per_mm": 7.58, "frame_px_per_mm": 4.99,
        "spare_mm": 6.0, "steepest_deg": 32.1, "eyes_mm": [290.0, 400.0], "outside_mm": [359.0, 313.9, 54.4], "rays": 700,
        "faults": [],
    }  # fmt: skip


def test_every_mat_that_can_be_built_is_followed() -> None:
    done = CliRunner().invoke(optics.command, ["--json"])
    built = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.exit_code == 0
    assert len({(one["camera"], one["window"], one["card"]) for one in built}) == len(built) == 3 * 2 * 3
    assert [one["faults"] for one in built] == [[]] * len(built)


def test_what_is_hidden_is_said_and_the_status_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    hidden = replace(trace(Enclosure()), eyes_mm=None, faults=(Fault("window 1", "the floor is in the way"),))
    monkeypatch.setattr(optics, "trace", lambda _: hidden)
    done = CliRunner().invoke(optics.command, ["--camera", "cm3", "--window", "standard", "--card", "poker"])
    assert done.exit_code == 1
    assert done.stdout.splitlines()[1:] == ["  the owner sees nothing whole", "  window 1: the floor is in the way"]


def test_a_camera_that_there_is_not_is_refused() -> None:
    done = CliRunner().invoke(optics.command, ["--camera", "cm4"])
    assert done.exit_code == 2
    assert "'cm4' is not one of 'cm3', 'cm3-wide', 'uvc'" in done.output
