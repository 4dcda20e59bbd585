"""A real table's cameras and its games: what is read, what the wizard may show, and what the health page is told."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from companion.cards import Card, Mark
from companion.games import find_game
from companion.limits import Rig
from companion.table import slot
from firmware.camera_rig import DeviceFault
from firmware.eyes import Dealt, Eyes
from firmware.settings import Settings, checked_settings
from firmware.settings_camera import camera_plans
from firmware.virtual.server import packaged_classifier
from tests.firmware.cameras.scenes import FIRST, board
from vision.frame import Frame

ROOT = Path(__file__).parents[3]
TEXT = """rig = "cameras"
record = false
[[seat]]
name = "Ann"
source = "mat"
[[seat]]
name = "Bob"
[[seat]]
name = "Cid"
[[camera]]
place = 1
kind = "virtual"
path = "mat0.json"
"""


class StillRig:
    """Cameras whose frames the test hands over."""

    def __init__(self, settings: Settings) -> None:
        self.plans = camera_plans(settings.camera)
        self.pulsed = False
        self.frames: list[Frame] = []
        self.last: Frame | None = None
        self.told: list[int] = []
        self.broken: dict[str, DeviceFault] = {}

    def take(self, now: float) -> list[Frame]:
        frames, self.frames = self.frames, []
        self.last = frames[-1] if frames else self.last
        return frames

    def newest(self, camera: str) -> Frame | None:
        return self.last if self.last is not None and self.last.camera == camera else None

    def tell(self, observer: object, frame: Frame) -> None:
        self.told.append(frame.number)

    def faults(self) -> dict[str, DeviceFault]:
        return self.broken


def opened() -> tuple[Eyes, StillRig, Any, list[float]]:
    settings = checked_settings(TEXT, Path("table.toml"))
    rig, now = StillRig(settings), [0.0]
    eyes = Eyes(settings, rig, packaged_classifier())  # type: ignore[arg-type]
    game = find_game("steal")
    table = eyes.open(settings, Dealt(game, {}, None, lambda: now[0]))
    return eyes, rig, table, now


def show(eyes: Eyes, rig: StillRig, now: list[float], cards: tuple[str | None, ...], camera: str = "mat0") -> None:
    """Ten frames of a mat, each a little noisier than none."""
    for _ in range(10):
        now[0] = round(now[0] + 0.1, 3)
        number = round(now[0] * 10)
        image = board(cards).copy()
        image[::7, ::5] += number % 2
        rig.frames.append(Frame(camera, now[0], number, image))
        eyes.look(now[0])


def test_a_mat_is_read_and_the_wizard_shows_it_only_when_it_is_empty() -> None:
    eyes, rig, table, now = opened()
    assert eyes.preview(0) is None and eyes.figures(0) is None
    show(eyes, rig, now, (None,) * 5)
    picture = eyes.preview(0)
    assert picture is not None and picture.startswith(b"\x89PNG")
    assert eyes.preview(1) is None
    figures = eyes.figures(0)
    assert figures is not None and figures.marker_mm is not None and figures.marker_mm < 0.3
    show(eyes, rig, now, FIRST)
    assert eyes.preview(0) is None
    read = dict(table.sitting.readings())
    assert [read[slot(0, number)] for number in range(1, 6)] == [Card.parse(card) for card in FIRST if card]
    assert Mark.EMPTY not in read.values()
    assert rig.told == list(range(1, 21))


def test_frames_of_a_place_at_which_nobody_sits_are_left_out() -> None:
    eyes, rig, _, now = opened()
    show(eyes, rig, now, (None,) * 5, camera="mat3")
    assert rig.told == [] and eyes.preview(3) is None


def test_what_is_wrong_with_a_device_is_told_with_its_figures() -> None:
    eyes, rig, _, now = opened()
    show(eyes, rig, now, (None,) * 5)
    rig.broken = {"mat0": DeviceFault("gone", "mat0: it was unplugged")}
    (figures,) = eyes.gauges.cameras(False)
    assert (figures.name, figures.device) == ("mat0", "gone")
    assert eyes.places == (0,) and eyes.rig("none") == Rig(0.1, "none")


# ---- a whole program ---------------------------------------------------------------------------------------------------


@contextmanager
def running(folder: Path) -> Iterator[tuple[str, int]]:
    """The address of a table with one drawn camera, and its process."""
    (folder / "table.toml").write_text(TEXT)
    command = [sys.executable, "-m", "firmware", "run", "--port", "0"]
    surroundings = {**os.environ, "XDG_DATA_HOME": str(folder / "data"), "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True, env=surroundings) as ran:
        try:
            assert ran.stdout is not None
            found = None
            while found is None:
                found = re.search(r"localhost:(\d+)", ran.stdout.readline())
            yield f"http://127.0.0.1:{found[1]}/", ran.pid
        finally:
            ran.terminate()
            assert ran.wait(timeout=60) == 0


def until(address: str, words: str) -> str:
    """The health page once it has these words."""
    for _ in range(600):
        with urlopen(address + "health/state.json", timeout=20) as answer:
            page = str(json.load(answer)["figures"])
        if words in page:
            return page
        time.sleep(0.1)
    raise AssertionError(f"the health page never says {words!r}: {page}")


def children(pid: int) -> list[int]:
    """The processes of its cameras; Python has a helper beside them."""
    found = [int(one) for file in Path(f"/proc/{pid}/task").glob("*/children") for one in file.read_text().split()]
    return [one for one in found if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]


@pytest.mark.long
def test_a_camera_hangs_or_is_killed_and_the_table_goes_on(tmp_path: Path) -> None:
    scene = tmp_path / "mat0.json"
    scene.write_text(json.dumps({"cards": list(FIRST)}))
    with running(tmp_path) as (address, pid):
        until(address, "Pictures a second")
        until(address, " mm<")
        scene.write_text(json.dumps({"cards": list(FIRST), "fault": "hang"}))
        page = until(address, "hung and was ended")
        assert "Each camera looks every 0.1 seconds." in page and "mat0: no picture within 3 s; its process was ended" in page
        with urlopen(address + "state.json", timeout=20) as answer:
            assert json.load(answer)["view"]["phase"] == "setup", "the table answers meanwhile"
        scene.write_text(json.dumps({"cards": list(FIRST)}))
        until(address, "mat0 sends again")
        (before,) = children(pid)
        os.kill(before, 9)
        until(address, "its process has ended")
        for _ in range(600):
            if children(pid) not in ([], [before]):
                return
            time.sleep(0.1)
        raise AssertionError("nobody started it anew")
