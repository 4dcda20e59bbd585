"""Reading machines: roots that are laid out as on a Pi, on a PC, and where next to nothing is told."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.health import LIVE_FLAGS, Room, Throttling
from firmware.machine import FRESH_S, Machine, run_command, switch_off, throttling_of

NOON = datetime(2027, 3, 1, 12, 0, tzinfo=UTC)
PI = {
    "proc/device-tree/model": b"Raspberry Pi 5 Model B Rev 1.0\0",
    "proc/meminfo": b"MemTotal:        4131456 kB\nMemFree:      211000 kB\nMemAvailable:    2904112 kB\nHugePages_Free:  0\n",
    "proc/uptime": b"7300.21 28011.93\n",
    "proc/loadavg": b"0.82 0.60 0.41 2/190 4711\n",
    "etc/os-release": b'NAME="Debian GNU/Linux"\nPRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nID=debian\n',
    "sys/class/thermal/thermal_zone0/type": b"cpu-thermal\n",
    "sys/class/thermal/thermal_zone0/temp": b"48312\n",
}
TOLD = {"vcgencmd": "throttled=0x50000\n", "timedatectl": "yes\n"}


def rooted(root: Path, files: Mapping[str, bytes]) -> Path:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    return root


def machine(root: Path, told: Mapping[str, str] = TOLD, clock: Callable[[], float] = lambda: 0.0) -> Machine:
    def run(arguments: Sequence[str]) -> str | None:
        return told.get(arguments[0])

    return Machine(root / "data", root, run, cores=4, clock=clock, wall=lambda: NOON)


def test_a_pi(tmp_path: Path) -> None:
    found, age = machine(rooted(tmp_path, PI)).read()
    assert age == 0.0
    assert (found.board, found.system) == ("Raspberry Pi 5 Model B Rev 1.0", "Debian GNU/Linux 13 (trixie)")
    assert (found.heat_c, found.uptime_s, found.load) == (48.312, 7300.21, pytest.approx(0.205))
    assert found.throttling == Throttling((), ("undervoltage", "throttled"))
    assert found.memory == Room(2904112 * 1024, 4131456 * 1024)
    assert (found.wall, found.clock_set, found.read_only) == (NOON, True, False)
    assert found.disk is not None and 0 < found.disk.free < found.disk.total


def test_a_machine_that_tells_nothing(tmp_path: Path) -> None:
    found, _ = machine(tmp_path, {}).read()
    known = {name for name in found.__slots__ if getattr(found, name) is not None}
    assert known == {"wall", "disk", "read_only"}


@pytest.mark.parametrize(
    ("zones", "heat"),
    [
        ([("acpitz", b"27800\n"), ("x86_pkg_temp", b"61000\n"), ("iwlwifi_1", b"40000\n")], 61.0),
        ([("iwlwifi_1", b"40000\n"), ("battery", b"31000\n")], None),
        ([("cpu-thermal", b"-274000\n"), ("acpitz", b"30000\n")], 30.0),
        ([("cpu-thermal", b"")], None),
        ([("cpu-thermal", b"nan\n")], None),
        ([("cpu-thermal", None)], None),
        ([("cpu_thermal", b"50464\n")], 50.464),
    ],
)
def test_the_processors_zone_is_found_among_others(
    tmp_path: Path, zones: list[tuple[str, bytes | None]], heat: float | None
) -> None:
    for number, (kind, content) in enumerate(zones):
        place = f"sys/class/thermal/thermal_zone{number}"
        rooted(tmp_path, {f"{place}/type": kind.encode() + b"\n"})
        if content is None:
            # A sensor that is off answers with an error: as a folder does where a file is read.
            (tmp_path / place / "temp").mkdir()
        else:
            rooted(tmp_path, {f"{place}/temp": content})
    assert machine(tmp_path).read()[0].heat_c == heat


@pytest.mark.parametrize(
    ("content", "memory"),
    [
        (b"MemTotal: 100 kB\nMemFree: 10 kB\nBuffers: 5 kB\nCached: 25 kB\n", Room(40 * 1024, 100 * 1024)),
        (b"MemTotal: 100 kB\n", None),
        (b"MemAvailable: 100 kB\n", None),
        (b"MemTotal: lots\nMemFree: inf kB\n", None),
        (b"\xff\xfe", None),
    ],
)
def test_memory_of_odd_systems(tmp_path: Path, content: bytes, memory: Room | None) -> None:
    assert machine(rooted(tmp_path, {"proc/meminfo": content})).read()[0].memory == memory


@pytest.mark.parametrize(
    ("told", "flags"),
    [
        ("throttled=0x0\n", Throttling((), ())),
        ("throttled=0x50005\n", Throttling(("undervoltage", "throttled"), ("undervoltage", "throttled"))),
        ("throttled=0xe0008", Throttling(("soft_limit",), ("capped", "throttled", "soft_limit"))),
        ("throttled=0x1", Throttling(("undervoltage",), ("undervoltage",))),
        ("throttled=0xf000f", Throttling(LIVE_FLAGS, LIVE_FLAGS)),
        ("throttled=", None),
        ("throttled=-1", None),
        ("error=2 error_msg=\"Invalid arguments\"", None),
        ("temp=48.3'C", None),
        ("", None),
    ],
)  # fmt: skip
def test_what_the_firmware_says_of_power(told: str, flags: Throttling | None) -> None:
    assert throttling_of(told) == flags


@pytest.mark.parametrize(
    ("told", "synchronised", "is_set"),
    [("yes\n", False, True), ("no\n", False, False), ("NTPSynchronized=no\n", False, False), ("", False, None),
     ("Failed to connect\n", False, None), ("", True, True), ("no\n", True, False)],
)  # fmt: skip
def test_whether_another_clock_has_set_this_one(tmp_path: Path, told: str, synchronised: bool, is_set: bool | None) -> None:
    if synchronised:
        rooted(tmp_path, {"run/systemd/timesync/synchronized": b""})
    assert machine(tmp_path, {"timedatectl": told}).read()[0].clock_set is is_set


@pytest.mark.parametrize("line", ["PRETTY_NAME='Arch'", 'PRETTY_NAME="Arch"', "PRETTY_NAME=Arch"])
def test_the_system_is_named_however_it_is_quoted(tmp_path: Path, line: str) -> None:
    assert machine(rooted(tmp_path, {"etc/os-release": line.encode()})).read()[0].system == "Arch"


def test_a_folder_that_is_not_there_yet_lies_on_the_disk_of_the_one_above(tmp_path: Path) -> None:
    far = Machine(tmp_path / "not" / "yet", tmp_path, lambda _: None, wall=lambda: NOON).read()[0]
    here = Machine(tmp_path, tmp_path, lambda _: None, wall=lambda: NOON).read()[0]
    assert far.disk is not None and here.disk is not None
    assert far.disk.total == here.disk.total


def test_many_who_ask_cost_one_reading(tmp_path: Path) -> None:
    times, asked = [0.0], []

    def run(arguments: Sequence[str]) -> str | None:
        asked.append(arguments[0])
        return None

    probe = Machine(tmp_path, tmp_path, run, clock=lambda: times[0], wall=lambda: NOON)
    for times[0], age in ((5.0, 0.0), (6.0, 1.0), (5.0 + FRESH_S, 0.0)):
        assert probe.read()[1] == age
    assert asked == ["vcgencmd", "timedatectl"] * 2


def test_this_machine_can_be_read(tmp_path: Path) -> None:
    found, _ = Machine(tmp_path).read()
    assert found.memory is not None and found.uptime_s is not None and found.wall.tzinfo is not None


def test_commands_are_run_without_a_shell_and_not_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_command((sys.executable, "-c", "print('a', flush=True)")) == "a\n"
    assert run_command((sys.executable, "-c", "raise SystemExit(3)")) is None
    assert run_command(("no-such-command-here",)) is None
    monkeypatch.setattr("firmware.machine.COMMAND_S", 0.01)
    assert run_command((sys.executable, "-c", "import time; time.sleep(30)")) is None


class Systemctl:
    def __init__(self, code: int = 0, error: Exception | None = None) -> None:
        self.asked: list[tuple[str, ...]] = []
        self.code, self.error = code, error

    def __call__(self, arguments: tuple[str, ...], **_: object) -> subprocess.CompletedProcess[str]:
        self.asked.append(arguments)
        if self.error is not None:
            raise self.error
        said = "Interactive authentication required.\n" if self.code else ""
        return subprocess.CompletedProcess(arguments, self.code, "", said)


def test_the_machine_is_switched_off_by_its_system() -> None:
    systemctl = Systemctl()
    assert switch_off(systemctl)
    assert systemctl.asked == [("systemctl", "poweroff")]


@pytest.mark.parametrize(
    ("systemctl", "why"),
    [
        (Systemctl(1), "Interactive authentication required."),
        (Systemctl(error=FileNotFoundError(2, "No such file", "systemctl")), "No such file"),
        (Systemctl(error=subprocess.TimeoutExpired("systemctl", 20)), "timed out"),
    ],
)
def test_why_it_cannot_be_switched_off_is_in_the_log(systemctl: Systemctl, why: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        assert not switch_off(systemctl)
    assert why in caplog.text
