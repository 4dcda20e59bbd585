"""`viewmat run`, two programs `viewmat node` and a broker, as people start them; the cameras draw what they see."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Condition
from typing import Any

import pytest

from firmware.bus.broker import Table
from firmware.bus.link import Link
from tests.firmware.bus.brokers import Mosquitto, needs_mosquitto

pytestmark = [needs_mosquitto, pytest.mark.long]
NODES = ("left", "right")
SOON_S = 90.0


class Display:
    """Shows what stands on the bus for everybody."""

    def __init__(self, mosquitto: Mosquitto) -> None:
        self._changed = Condition()
        self._views: list[dict[str, Any]] = []
        self._link = Link(mosquitto.login("display"), "test-display", ("viewmat/+/public/view",), self._hear)

    def _hear(self, topic: str, payload: bytes) -> None:
        with self._changed:
            self._views.append(json.loads(payload))
            self._changed.notify_all()

    def until(self, test: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first view of which `test` holds."""
        with self._changed:
            assert self._changed.wait_for(lambda: bool(self._views) and test(self._views[-1]), SOON_S), self._views[-1:]
            return self._views[-1]

    def close(self) -> None:
        self._link.close()


@contextmanager
def program(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    environment = {**os.environ, "XDG_DATA_HOME": str(folder / "data")}
    started = subprocess.Popen(
        [sys.executable, "-m", "firmware", *arguments], cwd=folder, env=environment, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield started
    finally:
        started.terminate()
        started.wait(20)


def shows(view: dict[str, Any], seat: int) -> list[str]:
    return [slot["shows"] for slot in view["seats"][seat]["slots"]]


def write_settings(folder: Path, broker: Path) -> None:
    seats = "".join(f'[[seat]]\nname = "{name}"\nsource = "{source}"\n' for name, source in
                    (("Ann", "mat"), ("Ben", "mat"), ("Cat", "tap")))  # fmt: skip
    places = "".join(f"{name} = {number}\n" for number, name in enumerate(NODES, 1))
    hub = (broker / "hub-t.toml").read_text()
    (folder / "table.toml").write_text(f'rig = "cameras"\n{seats}{hub}\n[bus.nodes]\n{places}')
    for number, name in enumerate(NODES, 1):
        (folder / f"{name}.json").write_text("{}")
        login = (broker / f"node-t-{name}.toml").read_text().split("[broker]")[1]
        (folder / f"{name}.toml").write_text(
            f'name = "{name}"\ntable = "t"\npins = "none"\n[camera]\nkind = "virtual"\nat = "{folder / f"{name}.json"}"\n'
            f"board = {number}\nmirror = true\n[broker]{login}"
        )


def test_a_mat_with_a_computer_of_its_own_is_seen_and_missed_and_seen_again(tmp_path: Path) -> None:
    mosquitto = Mosquitto(tmp_path / "broker", [Table("t", NODES)])
    write_settings(tmp_path, tmp_path / "broker")
    display = Display(mosquitto)
    try:
        with program(tmp_path, "run", "--port", "0"), program(tmp_path, "node", "--config", "left.toml"):
            with program(tmp_path, "node", "--config", "right.toml"):
                display.until(lambda view: not view["troubled"] and shows(view, 1) == ["out"] * 5)
                (tmp_path / "left.json").write_text(json.dumps({"cards": ["As", "Kd", None, "7h", "2c"]}))
                seen = display.until(lambda view: sorted(shows(view, 0)) == ["lying"] * 4 + ["out"])
                assert {slot["card"] for slot in seen["seats"][0]["slots"]} == {None}
            gone = display.until(lambda view: bool(view["troubled"]))
            assert [(trouble["kind"], trouble["seat"]) for trouble in gone["troubled"]] == [("silent", 1)]
            with program(tmp_path, "node", "--config", "right.toml"):
                display.until(lambda view: not view["troubled"])
    finally:
        display.close()
        mosquitto.kill()
