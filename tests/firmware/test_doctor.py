"""`viewmat doctor` on machines whose files and outputs are as those machines have them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest

from firmware.calibrations import store_calibration
from firmware.commands.doctor import look
from firmware.doctor import BAD, OK, WARN, Line
from firmware.doctorprobe import LIST_CAMERAS, READ_WINDOWS, Surroundings, bind, own_groups, reach, stored_marks
from firmware.doctorreport import report_of
from tests.firmware.test_board import Chips
from tests.firmware.test_calibrations import KEPT
from tests.firmware.test_machine import rooted
from vision.onnx_classifier import checked_model

SEATS = "".join(f'[[seat]]\nname = "{name}"\n' for name in ("Ann", "Bob", "Cid"))
NOW = datetime(2027, 3, 1, 12, 0, tzinfo=UTC)


def system(board: str, revision: int, codename: str, number: int, heat: str, memory_kb: int) -> dict[str, bytes]:
    """Files of a Raspberry Pi."""
    release = f'PRETTY_NAME="Debian GNU/Linux {number} ({codename})"\nVERSION_ID="{number}"\nVERSION_CODENAME={codename}\n'
    return {
        "proc/device-tree/model": board.encode() + b"\0",
        "proc/device-tree/system/linux,revision": revision.to_bytes(4, "big"),
        "proc/meminfo": f"MemTotal: {memory_kb} kB\nMemFree: 20000 kB\nMemAvailable: {memory_kb // 2} kB\n".encode(),
        "etc/os-release": release.encode(),
        "sys/class/thermal/thermal_zone0/type": b"cpu-thermal\n",
        "sys/class/thermal/thermal_zone0/temp": heat.encode() + b"\n",
    }


PI_5 = system("Raspberry Pi 5 Model B Rev 1.0", 0xD04170, "trixie", 13, "48312", 8258688)
PI_4 = system("Raspberry Pi 4 Model B Rev 1.4", 0xC03114, "bookworm", 12, "61342", 3884408)
ZERO = system("Raspberry Pi Zero 2 W Rev 1.0", 0x902120, "trixie", 13, "77400", 426764)
PC = {"etc/os-release": b'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_CODENAME=bookworm\n'}
DEVICES = ("dev/gpiochip0", "dev/gpiochip4", "dev/gpiochip10", "dev/spidev0.0", "dev/spidev0.1")
RP1 = {"chip0": "pinctrl-rp1", "chip4": "pinctrl-rp1", "chip10": "gpio-brcmstb@107d508500"}
"""Of a Pi 5: a newer kernel has chip 4 as another name of chip 0."""


@dataclass
class Fake:
    """A machine."""

    root: Path
    files: Mapping[str, bytes]
    devices: Sequence[str] = ()
    told: dict[str, str] = field(default_factory=dict)
    """What commands answer, by their name or by what they run."""
    chips: Mapping[str, str] | None = None
    modules: tuple[str, ...] = ("spidev",)
    groups: tuple[frozenset[str], frozenset[str], bool] = (frozenset(), frozenset(), False)
    taken: Mapping[int, str] = field(default_factory=dict)
    deaf: str = ""
    marks: Mapping[str, float | None] = field(default_factory=dict)
    processor: str = "aarch64"
    bits: int = 64
    python: tuple[int, ...] = (3, 13, 5)

    def surroundings(self) -> Surroundings:
        rooted(self.root, {**self.files, **dict.fromkeys(self.devices, b"")})
        return Surroundings(
            self.root, self._run, self._module, lambda: self.groups, self._bind, self._reach, lambda: self.marks, self.python,
            self.bits, self.processor,
        )  # fmt: skip

    def _run(self, arguments: Sequence[str]) -> str | None:
        if arguments[0] == sys.executable:
            return self.told.get({LIST_CAMERAS: "cameras", READ_WINDOWS: "read"}[arguments[2]])
        return self.told.get(arguments[0])

    def _module(self, name: str) -> ModuleType:
        if name == "lgpio" and self.chips is not None:
            return Chips(**self.chips)
        if name in self.modules:
            return ModuleType(name)
        raise ImportError(f"No module named {name!r}")

    def _bind(self, host: str, port: int) -> None:
        if port in self.taken:
            raise OSError(98, self.taken[port])

    def _reach(self, host: str, port: int) -> None:
        if self.deaf:
            raise ConnectionRefusedError(111, self.deaf)


Reader = Callable[[Fake], dict[str, Line]]


@pytest.fixture
def doctor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, Line]]:
    """The lines of a machine by their names, without those of this one's disk and clock."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def asked(fake: Fake, settings: str | None = None, broker: tuple[str, int] | None = None) -> dict[str, Line]:
        config = tmp_path / "table.toml"
        if settings is not None:
            config.write_text(settings)
        lines = {line.name: line for line in look(config, broker, fake.surroundings())}
        for name in ("room left for records", "clock"):
            del lines[name]
        return lines

    return asked


def model() -> str:
    facts, _ = checked_model()
    return f"{facts.file} {facts.sha256[:12]}"


PINS = {"gpio", "video", "spi", "users"}


def pi_5(root: Path) -> Fake:
    return Fake(
        root, PI_5, DEVICES,
        {"vcgencmd": "throttled=0x0\n",
         "cameras": '[["imx708_wide", "/base/axi/a"], ["imx708", "/base/axi/b"]]\n',
         "read": "4.25\n", "timedatectl": "yes\n"}, RP1,
        groups=(frozenset({"ann", "gpio", "video", "spi"}), frozenset(PINS), False),
        marks={"mat0": 0.08, "mat1": 0.42, "tray": 0.7, "mat2": None},
    )  # fmt: skip


def test_a_pi_5_with_trixie(tmp_path: Path, doctor: Callable[..., dict[str, Line]]) -> None:
    found = doctor(pi_5(tmp_path / "pi"), SEATS + '[gpio]\npins = "P"\n', ("10.0.0.7", 1883))
    board, release = "Raspberry Pi 5 Model B Rev 1.0", "Debian GNU/Linux 13 (trixie)"
    todo = "Set the camera up again: it has been moved, or its lens turned."
    assert list(found.values()) == [
        Line("board", OK, board, "", board),
        Line("system", OK, release, "", release),
        Line("64-bit", OK, "64-bit Python on aarch64", "", "64-bit Python on aarch64"),
        Line("python", OK, "3.13.5", "", "3.13.5"),
        Line("heat of the processor", OK, "48 °C", "", "48 °C"),
        Line("slowed down now", OK, "no", "", "no"),
        Line("since it was switched on", OK, "no", "", "no"),
        Line("memory left", OK, "4.2 of 8.5 GB", "", "ok"),
        Line("cameras", OK, "imx708_wide at /base/axi/a, imx708 at /base/axi/b", "", "imx708_wide, imx708"),
        Line("gpio chip", OK, "0 (pinctrl-rp1)", "", "0 (pinctrl-rp1)"),
        Line("pins", OK, "map P, 8 pins", "", "map P, 8 pins"),
        Line("spi", OK, "/dev/spidev0.0", "", "there"),
        Line("groups", OK, "gpio, video, spi", "", "ok"),
        Line("reader", OK, f"{model()}, five windows in 4.2 ms", "", f"{model()}, five windows in 4.2 ms"),
        Line("marks of mat0", OK, "off by 0.08 mm", "", "off by 0.08 mm"),
        Line("marks of mat1", WARN, "off by 0.42 mm", todo, "off by 0.42 mm"),
        Line("marks of mat2", BAD, "its calibration cannot be read", "Set the camera up again.", "not readable"),
        Line("marks of tray", BAD, "off by 0.70 mm", todo, "off by 0.70 mm"),
        Line("port 8080", OK, "free", "", "free"),
        Line("port 8443", OK, "free", "", "free"),
        Line("broker", OK, "answers", "", "answers"),
        Line("settings", OK, "all is well", "", "ok"),
    ]


def test_a_pi_4_with_bookworm_that_is_not_well(tmp_path: Path, doctor: Callable[..., dict[str, Line]]) -> None:
    """A supply that is too weak, a user without groups, SPI off, a reader that ends with an illegal instruction."""
    fake = Fake(
        tmp_path / "pi", PI_4, ("dev/gpiochip0", "dev/gpiochip1"), {"vcgencmd": "throttled=0x50005\n"},
        {"chip0": "pinctrl-bcm2711", "chip1": "raspberrypi-exp-gpio"}, (), (frozenset({"pi"}), frozenset(PINS), False),
        {8080: "Address already in use"}, "Connection refused", python=(3, 11, 2),
    )  # fmt: skip
    found = doctor(fake, SEATS + '[gpio]\npins = "A"\n', ("localhost", 1883))
    wrong = {name: (line.grade, line.found, line.todo) for name, line in found.items() if line.grade != OK}
    assert wrong == {
        "system": (
            WARN, "Debian GNU/Linux 12 (bookworm)",
            "It may work; this is made for Trixie. Never let pip install numpy or OpenCV over apt's (docs/decisions/0007).",
        ),
        "slowed down now": (
            BAD, "too little voltage and throttled",
            "The power supply or its cable is too weak: use the one made for this machine, with a short cable.",
        ),
        "since it was switched on": (WARN, "too little voltage and throttled", ""),
        "spi": (
            BAD, "/dev/spidev0.0 is not there",
            "Switch SPI on: raspi-config, Interface Options, SPI; then start the machine again.",
        ),
        "groups": (BAD, "not in gpio, video, spi", "sudo usermod -aG gpio,video,spi THE_USER, then sign in again."),
        "reader": (
            BAD, f"{model()}, but it does not run",
            "Try another version of onnxruntime; some end on a Pi 4 with an illegal instruction.",
        ),
        "port 8080": (
            WARN, "cannot be had: Address already in use",
            "If the table itself runs, all is well; otherwise take another one in [page].",
        ),
        "broker": (BAD, "does not answer: Connection refused", "Start it, or mend its host and port."),
    }  # fmt: skip
    assert (found["gpio chip"].found, found["cameras"].found) == ("0 (pinctrl-bcm2711)", "none; none is needed")


def test_a_zero_2_w_that_was_hot(tmp_path: Path, doctor: Callable[..., dict[str, Line]]) -> None:
    fake = Fake(
        tmp_path / "pi", ZERO, ("dev/gpiochip0",),
        {"vcgencmd": "throttled=0xe0000\n", "cameras": '[["imx708", "/base/soc/c"]]\n', "read": "38.0\n"},
        {"chip0": "pinctrl-bcm2835"}, (), (frozenset({"gpio", "video"}), frozenset(PINS), False),
    )  # fmt: skip
    found = doctor(fake, SEATS + '[gpio]\npins = "N"\n')
    wrong = {name: (line.grade, line.found) for name, line in found.items() if line.grade != OK}
    assert wrong == {
        "heat of the processor": (WARN, "77 °C"),
        "since it was switched on": (WARN, "its clock held down, throttled and limited by heat"),
        "groups": (WARN, "not in spi"),
    }
    assert found["since it was switched on"].todo == (
        "The processor was slowed down, most often by heat: give it air, or a cooler."
    )  # fmt: skip


def test_a_pc_needs_nothing_that_only_a_pi_has(tmp_path: Path, doctor: Callable[..., dict[str, Line]]) -> None:
    by_path = [
        "pci-0000:00:14.0-usb-0:6:1.0-video-index0", "pci-0000:00:14.0-usb-0:6:1.0-video-index1",
        "pci-0000:00:14.0-usbv2-0:6:1.0-video-index0", "platform-1000880000.pisp_be-video-index0",
    ]  # fmt: skip
    fake = Fake(
        tmp_path / "pc", PC, [f"dev/v4l/by-path/{name}" for name in by_path], {"read": "2.1\n"}, None, (), processor="x86_64",
        groups=(frozenset({"ann"}), frozenset({"video", "users"}), False),
    )  # fmt: skip
    found = doctor(fake)
    assert {name: line.found for name, line in found.items() if line.grade == OK} == {
        "board": "no Raspberry Pi (x86_64)", "system": "Debian GNU/Linux 12 (bookworm)", "64-bit": "64-bit Python on x86_64",
        "python": "3.13.5", "heat of the processor": "not known here", "slowed down now": "not known here",
        "since it was switched on": "not known here", "memory left": "not known here",
        "cameras": f"USB camera at {tmp_path}/pc/dev/v4l/by-path/{by_path[0]}",
        "gpio chip": "lgpio is not there; none is needed", "reader": f"{model()}, five windows in 2.1 ms", "port 8080": "free",
        "port 8443": "free", "settings": "no file yet: the page of viewmat run asks for everything",
    }  # fmt: skip
    assert [line.name for line in found.values() if line.grade != OK] == ["groups"]


def test_a_pc_that_is_to_drive_lamps(tmp_path: Path, doctor: Callable[..., dict[str, Line]]) -> None:
    fake = Fake(tmp_path / "pc", PC, (), {"read": "2.1\n"}, None, (), processor="x86_64")
    found = doctor(fake, SEATS + '[gpio]\npins = "A"\n')
    assert {name: line.todo for name, line in found.items() if line.grade == BAD} == {
        "board": 'The settings want lamps and buttons, which need one: set pins = "none" in [gpio].',
        "gpio chip": "apt install python3-lgpio.",
        "pins": "The board's header is not known here.",
        "spi": "Switch SPI on: raspi-config, Interface Options, SPI; then start the machine again.",
    }


def test_settings_that_are_not_right_are_a_line_of_their_own(tmp_path: Path, doctor: Callable[..., dict[str, Line]]) -> None:
    found = doctor(Fake(tmp_path / "pc", PC), SEATS + "[page]\nport = 0\npotr = 3\n")
    assert found["settings"] == Line(
        "settings", BAD, "page.port = 0: input should be greater than or equal to 1; and 1 more",
        "viewmat settings check says everything; viewmat run has a page to mend it.", "not right",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "named", "asked"),
    [
        ("", None, []),
        ('[broker]\nhost = "hub"\n', None, []),
        ("[bus]\n", None, [("localhost", 1883)]),
        ('[bus]\n[broker]\nhost = "hub"\nport = 8883\n', None, [("hub", 8883)]),
        ('[bus]\n[broker]\nhost = "hub"\n', ("10.0.0.7", 1884), [("10.0.0.7", 1884)]),
    ],
)
def test_the_broker_of_the_settings_is_asked_unless_another_is_named(
    tmp_path: Path, doctor: Callable[..., dict[str, Line]], settings: str, named: tuple[str, int] | None, asked: list[object]
) -> None:
    reached: list[object] = []
    fake = Fake(tmp_path / "pc", PC)
    fake._reach = lambda host, port: reached.append((host, port))  # type: ignore[method-assign]
    assert ("broker" in doctor(fake, SEATS + settings, named)) == bool(asked)
    assert reached == asked


def test_the_report_tells_nothing_of_anybody(tmp_path: Path, doctor: Callable[..., dict[str, Line]]) -> None:
    """What could name a person, an address or a serial number is put everywhere where it could come from."""
    fake = pi_5(tmp_path / "ann-pi")
    fake.files = {**fake.files, "proc/device-tree/serial-number": b"10000000deadbeef\0", "etc/hostname": b"annspi\n"}
    fake.taken, fake.deaf = {8080: "by annspi at 10.0.0.7"}, "10.0.0.7 says no to ann"
    fake.groups = (frozenset({"ann"}), frozenset({*PINS, "ann"}), False)
    settings = SEATS.replace("Ann", "ann") + 'colour = "10.0.0.7"\n'
    told = report_of(tuple(doctor(fake, settings, ("10.0.0.7", 1883)).values()))
    assert [secret for secret in ("ann", "10.0.0.7", "deadbeef", str(tmp_path), "Bob") if secret in told] == []
    assert "| gpio chip                | ok    | 0 (pinctrl-rp1) |" in told.splitlines()
    assert "| settings                 | bad   | not right |" in told.splitlines()


def test_this_machine_answers_whatever_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    config = tmp_path / "table.toml"
    config.write_text(SEATS + "[page]\nport = 49151\nhttps_port = 0\nhost = '127.0.0.1'\n")
    lines = look(config, None, Surroundings(run=lambda _: None))
    assert [line.name for line in lines if not line.found] == []
    assert {line.grade for line in lines} <= {OK, WARN, BAD}


def test_marks_of_cameras_that_were_set_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert stored_marks() == {}
    folder = tmp_path / "viewmat" / "cameras"
    folder.mkdir(parents=True)
    store_calibration(replace(KEPT, error_mm=0.25), NOW)
    store_calibration(replace(KEPT, error_mm=0.125), NOW)
    (folder / "mat0.json").write_text('{"calibration": {"error_mm": 0.125}}')
    (folder / "tray.json").write_text("no JSON")
    assert stored_marks() == {"mat0": None, "mat1": 0.125, "tray": None}


def test_ports_and_groups_of_this_machine() -> None:
    bind("127.0.0.1", 0)
    with pytest.raises(OSError):
        reach("127.0.0.1", 1)
    own, every, _ = own_groups()
    assert own <= every
