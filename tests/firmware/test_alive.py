"""Signs of life, heard on a real socket as systemd would."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading

import pytest

from companion.games import find_game
from companion.sitting import Seat, Sitting
from firmware.alive import Alive
from firmware.board import NoBoard
from firmware.serving import keep_table


class Manager:
    """The end of the socket on which systemd listens."""

    def __init__(self, address):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.setblocking(False)

    def heard(self):
        found = []
        while True:
            try:
                found.append(self.socket.recv(4096).decode())
            except BlockingIOError:
                return found


@pytest.fixture(params=["path", "abstract"])
def manager(request, tmp_path):
    name = str(tmp_path / "notify") if request.param == "path" else f"\0viewmat-test-{os.getpid()}"
    manager = Manager(name)
    manager.address = name.replace("\0", "@")
    yield manager
    manager.socket.close()


def surroundings(manager, **more):
    return {"NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid()), **more}


def test_every_word_arrives_in_its_order_and_beats_are_spaced(manager):
    now = [0.0]
    alive = Alive(surroundings(manager), lambda: now[0])
    alive.ready()
    alive.status("the table is open\nsecond line")
    for step in range(100):
        now[0] = step * 0.5
        alive.beat()
    alive.stopping()
    alive.close()
    alive.ready()
    assert manager.heard() == ["READY=1", "STATUS=the table is open", *["WATCHDOG=1"] * 5, "STOPPING=1"]


@pytest.mark.parametrize(
    "more", [{"WATCHDOG_PID": "1"}, {"WATCHDOG_USEC": "0"}, {"WATCHDOG_USEC": "soon"}, {"WATCHDOG_USEC": "-5"}]
)
def test_nobody_hears_beats_that_are_not_expected(manager, more):
    alive = Alive(surroundings(manager, **more))
    assert not alive.watched
    alive.beat()
    alive.ready()
    alive.close()
    assert manager.heard() == ["READY=1"]


def test_outside_systemd_nothing_is_told_and_nothing_fails():
    alive = Alive({})
    assert not alive.watched
    alive.ready()
    alive.beat()
    alive.stopping()
    alive.close()


def test_a_manager_that_went_away_does_no_harm(tmp_path):
    alive = Alive({"NOTIFY_SOCKET": str(tmp_path / "gone"), "WATCHDOG_USEC": "1000"})
    alive.ready()
    alive.beat()
    alive.close()


def test_a_manager_that_does_not_read_does_not_hold_the_game(manager):
    alive = Alive(surroundings(manager))
    for _ in range(5000):
        alive.ready()
    alive.close()
    assert set(manager.heard()) == {"READY=1"}


class Beats:
    def __init__(self):
        self.count = 0

    def beat(self):
        self.count += 1


def test_the_table_beats_once_for_each_round_of_its_loop(monkeypatch):
    sitting = Sitting(find_game("steal"), [Seat("Ann", "tap"), Seat("Bo", "tap"), Seat("Cy", "tap")])
    worked, beats, stop = [], Beats(), threading.Event()

    def work():
        worked.append(beats.count)
        if len(worked) == 5:
            stop.set()

    monkeypatch.setattr(sitting, "work", work)
    monkeypatch.setattr("firmware.serving.BEAT", 0.0)
    keep_table(sitting, NoBoard(), stop, alive=beats)
    # Only what was worked is told: a loop that hangs in its work falls silent.
    assert worked == [0, 1, 2, 3, 4]
    assert beats.count == 5


@pytest.mark.long
@pytest.mark.parametrize("text", ['[[seat]]\nname = "Ann"\n[[seat]]\nname = "Bo"\n[[seat]]\nname = "Cy"\n', "game = 3\n"])
def test_the_program_itself_gives_signs_of_life(tmp_path, text):
    """As a table, and as the page that mends a settings file that is not right."""
    manager = Manager(str(tmp_path / "notify"))
    manager.socket.setblocking(True)
    manager.socket.settimeout(120)
    (tmp_path / "table.toml").write_text(text)
    told = {
        **os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "300000",
        "XDG_DATA_HOME": str(tmp_path / "data"),
    }  # fmt: skip
    program = subprocess.Popen(
        [sys.executable, "-m", "firmware", "run", "--port", "0"], cwd=tmp_path, env=told | {"PYTHONPATH": os.getcwd()},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        heard = [manager.socket.recv(4096).decode() for _ in range(5)]
        status = [word for word in heard if word.startswith("STATUS=")]
        assert [word for word in heard if word not in status] == ["READY=1", *["WATCHDOG=1"] * (4 - len(status))]
        assert bool(status) == (text == "game = 3\n")
        program.send_signal(signal.SIGTERM)
        assert program.wait(60) == 0
    finally:
        program.kill()
        program.wait()
        manager.socket.close()
