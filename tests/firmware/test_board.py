"""A board as a whole, and a table without one."""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.cues import Cue, Meaning
from companion.observation import Declaration, Press
from firmware.board import NoBoard, open_board
from firmware.errors import RigError
from firmware.gpio import DeskBus, Factories, desk_factories, find_chip, pi_factories
from firmware.pins import PIN_MAPS, PinMap


@pytest.mark.parametrize("pins", PIN_MAPS.values(), ids=PIN_MAPS)
def test_a_board_shows_sounds_and_listens(desk: Factories, pins: PinMap) -> None:
    inbox: list[Declaration] = []
    board = open_board(pins, desk, inbox.append, lambda: 3.5)
    devices = {name: desk.pins.pin(number) for name, number in pins.uses()}
    board.show(iter((Cue(Meaning.VIOLATION), Cue(Meaning.BROKE, 0))), 8.0)
    devices["the button of seat 1"].drive_low()
    burning = {name for name, pin in devices.items() if pin.function == "output" and pin.state}
    assert burning - {"the light"} == {"the buzzer"} | (set() if pins.pixels else {"red of seat 1"})
    assert inbox == [Declaration(3.5, 0, Press())]
    board.close()
    assert {pin.function for pin in devices.values()} == {"input"}


def test_a_table_without_pins_plays_on(caplog: pytest.LogCaptureFixture) -> None:
    board = open_board(PIN_MAPS["A"], None, print, lambda: 0.0)
    board.show((Cue(Meaning.TURN, 0),), 0.0)
    board.close()
    assert isinstance(board, NoBoard)


def test_a_table_plays_on_when_something_else_has_its_pins(desk: Factories, caplog: pytest.LogCaptureFixture) -> None:
    board = open_board(PIN_MAPS["A"], desk, print, lambda: 0.0)
    assert isinstance(open_board(PIN_MAPS["A"], desk, print, lambda: 0.0), NoBoard)
    assert [record.getMessage() for record in caplog.records] == [
        "no lamps, buttons and buzzer: pin GPIO22 is already in use by"
        " <gpiozero.LED object on pin GPIO22, active_high=True, is_active=False>"
    ]
    board.close()


def test_pixels_without_spi_leave_the_table_without_lamps(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    desk = desk_factories()
    pins = desk.pins
    assert isinstance(open_board(PIN_MAPS["P"], Factories(pins, desk.bus), print, lambda: 0.0), NoBoard)
    assert caplog.records[0].getMessage().startswith("no lamps, buttons and buzzer: a string of pixels needs spidev: ")
    assert pins.pins == {}, "every pin is free again"


def test_an_old_board_has_too_few_pins(caplog: pytest.LogCaptureFixture) -> None:
    old = Factories(MockFactory(revision="000e", pin_class=MockPWMPin), DeskBus())
    assert isinstance(open_board(PIN_MAPS["N"], old, print, lambda: 0.0), NoBoard)
    assert caplog.records[0].getMessage() == (
        "no lamps, buttons and buzzer: pin map N: red of seat 1 is on GPIO 16 and green of seat 1 is on GPIO 20 and"
        " blue of seat 1 is on GPIO 21 and the button of seat 1 is on GPIO 5 and the buzzer is on GPIO 13, which a Raspberry Pi B"
        " does not have"
    )


def test_a_desk_says_in_one_line_that_it_has_no_pins(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    assert pi_factories() is None
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage().startswith("no lamps, buttons and buzzer: ")
    assert record.getMessage().endswith("(on a Pi: apt install python3-lgpio)")


class Chips(ModuleType):
    """Stands in for lgpio: knows the labels of the chips and which of them are open."""

    error = OSError

    def __init__(self, **labels: str) -> None:
        super().__init__("lgpio")
        self.labels = {int(name.removeprefix("chip")): label for name, label in labels.items()}
        self.open: list[int] = []

    def gpiochip_open(self, number: int) -> int:
        self.open.append(number)
        return number

    def gpiochip_close(self, handle: int) -> None:
        self.open.remove(handle)

    def gpio_get_chip_info(self, handle: int) -> list[int | str]:
        return [0, 54, f"gpiochip{handle}", self.labels[handle]]


@dataclass
class Case:
    labels: dict[str, str]
    chip: int


@pytest.mark.parametrize(
    "case",
    [
        Case({"chip0": "pinctrl-bcm2711", "chip1": "raspberrypi-exp-gpio"}, 0),
        Case({"chip0": "gpio-brcmstb@107d508500", "chip4": "pinctrl-rp1"}, 4),
        Case({"chip10": "gpio-brcmstb@107d508500", "chip11": "gpio-brcmstb@107d517c00", "chip15": "pinctrl-rp1"}, 15),
    ],
    ids=["Pi 4", "Pi 5", "Pi 5 with a new kernel"],
)
def test_the_chip_of_the_header_is_found_by_its_label(tmp_path: Path, case: Case) -> None:
    chips = Chips(**case.labels)
    for number in chips.labels:
        (tmp_path / f"gpiochip{number}").touch()
    assert find_chip(chips, tmp_path) == case.chip
    assert chips.open == []


def test_no_chip_has_a_header(tmp_path: Path) -> None:
    (tmp_path / "gpiochip0").touch()
    with pytest.raises(RigError, match=r"expected one labelled pinctrl-\.\.\., found 0 \(gpio-sim\)$"):
        find_chip(Chips(chip0="gpio-sim"), tmp_path)
    with pytest.raises(RigError, match=r"found none at all$"):
        find_chip(Chips(), tmp_path / "empty")
