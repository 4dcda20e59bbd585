"""The health page of `viewmat run` and of the virtual table."""

from __future__ import annotations

import io
import json
import logging
import threading
import zipfile
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from click.testing import CliRunner
from flask import Flask

from companion.web import create_app
from firmware.cli import main
from firmware.commands import run
from firmware.gauges import Gauges
from firmware.healthpage import open_health
from firmware.logtail import LogTail
from firmware.virtual.play import Settings
from firmware.virtual.show import Show, Showcase
from tests.companion.web.visitors import home
from tests.firmware.test_run import TAPS, table


class CaughtError(Exception):
    """The page was made; nothing is served."""


def app_of(monkeypatch: pytest.MonkeyPatch, folder: Path, more: str = "") -> Flask:
    """The application that `viewmat run` would serve."""
    made: list[Flask] = []

    def catch(*given: Any, **named: Any) -> Flask:
        made.append(create_app(*given, **named))
        raise CaughtError

    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    monkeypatch.setattr(run, "create_app", catch)
    monkeypatch.setattr(run, "switch_off", lambda: True)
    (folder / "table.toml").write_text(TAPS + more)
    ended = CliRunner().invoke(main, ["run", "--config", str(folder / "table.toml"), "--port", "0"])
    assert isinstance(ended.exception, CaughtError), ended.output
    return made[0]


def test_a_table_is_switched_off_only_where_its_settings_allow_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for more, status in (("", 404), ("[page]\nshutdown = false\n", 404), ("[page]\nshutdown = true\n", 200)):
        client = app_of(monkeypatch, tmp_path, more).test_client()
        assert client.post("/health/off", json={"sure": True}).status_code == status
        assert ('id="off"' in client.get("/health").text) is (status == 200)


@pytest.mark.parametrize(("record", "said"), [("true", "goes on at the next start"), ("false", "will be lost")])
def test_what_becomes_of_the_game_follows_the_settings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, record: str, said: str
) -> None:
    monkeypatch.setattr("tests.firmware.test_healthpage.TAPS", f"record = {record}\n" + TAPS)
    assert said in app_of(monkeypatch, tmp_path, "[page]\nshutdown = true\n").test_client().get("/health").text


@pytest.mark.parametrize("value", ['"yes"', "1"])
def test_a_wrong_setting_is_refused(tmp_path: Path, value: str) -> None:
    (tmp_path / "table.toml").write_text(TAPS + f"[page]\nshutdown = {value}\n")
    ended = CliRunner().invoke(main, ["run", "--no-safe-mode", "--config", str(tmp_path / "table.toml")])
    assert ended.exit_code == 2
    assert "page.shutdown" in ended.output


def test_a_running_table_tells_how_it_does(tmp_path: Path) -> None:
    with table(tmp_path, TAPS) as page:
        told = page.get("health/state.json")
        assert "This table has no cameras." in told["figures"]
        with urlopen(page.address + "health/bundle.zip", timeout=20) as answer:
            bundle = zipfile.ZipFile(io.BytesIO(answer.read()))
        settings = json.loads(bundle.read("settings.json"))
        assert [seat["name"] for seat in settings["seat"]] == ["(name)"] * 3
        assert sum(name.startswith("records/") for name in bundle.namelist()) == 1


def test_the_virtual_tables_cameras_are_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Real frames, read as on a real table; the game is left after some seconds."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    settings = Settings(seats=3, seed=4)
    showcase, tail, stop = Showcase(settings), LogTail(), threading.Event()
    page = open_health(showcase, tail, {}, recorded=False, gauges=showcase.gauges, demo=True)
    client = create_app(showcase, [page], access=home()).test_client()
    show = threading.Thread(target=Show(settings, showcase, stop, speed=50.0).run, args=(1,))
    show.start()
    try:
        for _ in range(600):
            if all(camera.blur_px for camera in showcase.gauges.cameras(False)) or stop.wait(0.1):
                break
    finally:
        stop.set()
        show.join()
    cameras = showcase.gauges.cameras(False)
    assert [camera.name for camera in cameras] == ["mat0", "mat1", "mat2", "tray"]
    for camera in cameras:
        assert camera.rate_hz is not None and camera.rate_hz > 0
        assert camera.blur_px is not None and 0.3 < camera.blur_px < 1.2
        assert camera.marker_mm is not None and camera.marker_mm < 0.2
        assert camera.unread is None, "the cards were not shown"
    with tail.listening():
        logging.getLogger("firmware.virtual").warning("a lamp is broken")
    text = client.get("/health").text
    assert "Camera of the mat of Anna" in text and "a lamp is broken" in text
    assert client.post("/health/off", json={"sure": True}).status_code == 404


def test_gauges_are_no_part_of_a_table_that_nobody_asks() -> None:
    assert Gauges().cameras(True) == ()
