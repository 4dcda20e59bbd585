"""What the camera's lamp and the service manager hear of `viewmat run`, of its safe mode and of `viewmat node`."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from firmware.alive import BEATS
from firmware.board import NoBoard
from firmware.camera import CameraPlan, Shot
from firmware.commands import node as node_command
from firmware.errors import CameraError
from firmware.eyes import Eyes, looking
from firmware.mending import ANSWER_S, LOOK_S, mend
from firmware.node import Eye
from firmware.serving import BEAT
from firmware.settings_node import NodeSettings
from vision.frame import Frame

UNITS = Path(__file__).parents[2] / "install"


class Watched(NoBoard):
    """A board that remembers in which order it was told what."""

    def __init__(self, done: list[str]) -> None:
        self._done = done

    def watch(self, on: bool) -> None:
        self._done.append(f"lamp {'on' if on else 'off'}")

    def light_mats(self, on: bool) -> None:
        self._done.append(f"light {'on' if on else 'off'}")


def eyes_of(kinds: tuple[str, ...], done: list[str], pulsed: bool = False) -> Eyes:
    """Cameras that only say what is done to them."""
    rig = SimpleNamespace(
        plans=tuple(CameraPlan(f"mat{number}", kind) for number, kind in enumerate(kinds)), pulsed=pulsed,
        start=lambda lamp: done.append("start"), close=lambda: done.append("close"),
    )  # fmt: skip
    return Eyes(SimpleNamespace(), rig, SimpleNamespace())  # type: ignore[arg-type]  # nothing is read


@pytest.mark.parametrize(
    ("kinds", "pulsed", "expected"),
    [
        (("mqtt", "uvc"), False, ["lamp on", "start", "looked", "close", "lamp off"]),
        (("picamera2",), True, ["lamp on", "light off", "start", "looked", "close", "lamp off"]),
        (("mqtt", "replay"), False, ["lamp off", "start", "looked", "close", "lamp off"]),
    ],
)
def test_the_lamp_burns_before_the_first_camera_is_opened_and_until_the_last_is_closed(
    kinds: tuple[str, ...], pulsed: bool, expected: list[str]
) -> None:
    done: list[str] = []
    with looking(eyes_of(kinds, done, pulsed), Watched(done)):
        done.append("looked")
    assert done == expected


def test_the_lamp_goes_out_also_after_a_fault() -> None:
    done: list[str] = []
    with pytest.raises(ZeroDivisionError), looking(eyes_of(("uvc",), done), Watched(done)):
        raise ZeroDivisionError
    assert done == ["lamp on", "start", "close", "lamp off"]


def test_a_table_without_cameras_has_nothing_to_tell() -> None:
    done: list[str] = []
    with looking(None, Watched(done)):
        done.append("played")
    assert done == ["played"]


class Breaking:
    """A camera that gives one picture, and then breaks."""

    def __init__(self, done: list[str]) -> None:
        self._done, self._shots = done, 0
        done.append("open")

    def grab(self, timeout: float) -> Shot:
        self._shots += 1
        if self._shots > 1:
            raise CameraError("mat0: it broke")
        return Shot(np.zeros((4, 4, 3), np.uint8), 0.0)

    def close(self) -> None:
        self._done.append("close")


def test_a_node_s_lamp_burns_as_long_as_its_camera_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    stop = threading.Event()
    monkeypatch.setattr("firmware.node.PAUSE_S", 0.0)

    def see(frame: Frame) -> None:
        done.append("saw")
        if done.count("saw") == 2:
            stop.set()

    eye = Eye(CameraPlan("mat0", "virtual"), lambda plan: Breaking(done), tell=Watched(done).watch)
    eye.watch(see, stop)
    eye.close()
    one = ["lamp on", "open", "saw", "close", "lamp off"]
    assert done == [*one, *one]


class Scripted:
    """A camera that gives pictures of these times, and says what is wrong where a text stands."""

    def __init__(self, script: list[float | str]) -> None:
        self._script = script

    def grab(self, timeout: float) -> Shot:
        said = self._script.pop(0)
        if isinstance(said, str):
            raise CameraError(said)
        return Shot(np.zeros((4, 4, 3), np.uint8), said)

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("script", "told"),
    [
        (["away", "away", "away", 9.0], ["away"]),
        (["away", "broken", "away", 9.0], ["away", "broken", "away"]),
        (["away", 10.0, "away", 20.0, 50.0, "away", 90.0], ["away"]),
        (["away", 10.0, 69.0, 70.0, "away", 71.0], ["away", "mat0: pictures come again", "away"]),
        ([1.0, 90.0, 190.0], []),
    ],
)
def test_a_camera_that_stays_away_all_night_is_told_of_once(
    script: list[float | str], told: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("firmware.node.PAUSE_S", 0.0)
    last, stop = script[-1], threading.Event()

    def see(frame: Frame) -> None:
        if frame.time == last:
            stop.set()

    Eye(CameraPlan("mat0", "virtual"), lambda plan: Scripted(script)).watch(see, stop)
    assert caplog.messages == told


# ---- signs of life -----------------------------------------------------------------------------------------------------


class Manager:
    """What systemd hears, and what is done once it has heard enough."""

    def __init__(self, address: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(address))
        self._socket.settimeout(20)
        self.heard: list[str] = []
        for name, value in (("NOTIFY_SOCKET", str(address)), ("WATCHDOG_USEC", "3000"), ("WATCHDOG_PID", str(os.getpid()))):
            monkeypatch.setenv(name, value)

    def until(self, beats: int, then: Callable[[], None]) -> threading.Thread:
        def listen() -> None:
            try:
                while self.heard.count("WATCHDOG=1") < beats:
                    self.heard.append(self._socket.recv(4096).decode())
            finally:
                then()

        thread = threading.Thread(target=listen, name="manager")
        thread.start()
        return thread

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Manager]:
    manager = Manager(tmp_path / "notify", monkeypatch)
    yield manager
    manager.close()


def test_the_page_that_mends_the_settings_gives_signs_of_life(
    tmp_path: Path, manager: Manager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("firmware.mending.LOOK_S", 0.01)
    monkeypatch.setattr("firmware.mending.ANSWER_S", 0.0)
    config = tmp_path / "table.toml"
    config.write_text('[page]\nhost = "127.0.0.1"\nhttps_port = 0\n[access]\npreset = "home"\n')
    stop = threading.Event()

    class Stopping:
        def __enter__(self) -> threading.Event:
            return stop

        def __exit__(self, *found: object) -> None:
            return None

    monkeypatch.setattr("firmware.mending.until_stopped", Stopping)
    listening = manager.until(3, stop.set)
    assert not mend(config, 0, "seat is missing")
    listening.join()
    status = "STATUS=the settings file is not right: only the page is served that mends it"
    assert manager.heard == ["READY=1", status, *["WATCHDOG=1"] * 3]


def test_a_node_gives_signs_of_life_and_tells_that_it_leaves(
    tmp_path: Path, manager: Manager, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No broker is there: a node waits for it, and lives."""
    monkeypatch.setattr(node_command, "BEAT", 0.01)
    path = tmp_path / "mat.json"
    path.write_text("{}")
    settings = NodeSettings.model_validate(
        {
            "name": "left", "pins": "none", "broker": {"host": "127.0.0.1", "port": 9},
            "camera": {"kind": "virtual", "at": str(path)},
        }
    )  # fmt: skip
    stop = threading.Event()
    listening = manager.until(3, stop.set)
    node_command.run_node(settings, stop)
    listening.join()
    assert manager.heard == ["READY=1", *["WATCHDOG=1"] * 3]


def test_no_loop_rests_as_long_as_the_units_wait_for_a_sign() -> None:
    for name in ("viewmat.service", "viewmat-node.service"):
        (line,) = [line for line in (UNITS / name).read_text().splitlines() if line.startswith("WatchdogSec=")]
        every = float(line.removeprefix("WatchdogSec=")) / BEATS
        assert max(BEAT, LOOK_S, ANSWER_S, node_command.BEAT) < every
        # A camera that hangs is told by the node itself, which says why it ends.
        assert every * BEATS > node_command.SILENT_S + node_command.LEAVE_S
