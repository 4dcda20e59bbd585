"""The pins of this machine, or of the desk."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from gpiozero import Factory, GPIOZeroError
from gpiozero.pins.mock import MockFactory, MockPWMPin
from gpiozero.pins.pi import PiBoardInfo

from firmware.errors import PinError, RigError
from firmware.pins import PinMap
from firmware.spiwire import SpiWire

log = logging.getLogger(__name__)
PI_5 = "d04170"
"""Revision code that the desk pretends to be, so that it refuses what a Pi would refuse."""


HEADER_LABEL = "pinctrl-"
"""So begins the label of the chip behind the header: pinctrl-rp1 on a Pi 5, pinctrl-bcm2711 on a Pi 4."""


class Wire(Protocol):
    """One data line."""

    def send(self, data: bytes, /) -> None:
        """Send `data` in one piece."""
        ...

    def close(self) -> None: ...


OpenWire = Callable[[int], Wire]
"""Opens the data line of SPI 0 at a speed in bits a second; raises `RigError` where that cannot be."""


@dataclass(frozen=True, slots=True)
class Factories:
    """Where devices get their pins: single pins, the pins of the bus, and its data line alone.

    On a Pi the first two are one and the same.
    """

    pins: Factory
    bus: Factory
    wire: OpenWire = SpiWire

    def close(self) -> None:
        """Let go of every pin."""
        self.pins.close()
        if self.bus is not self.pins:
            self.bus.close()


class DeskBus(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """A bus that only remembers what was sent.

    gpiozero's own stand-in drives clock and data pin by pin, for which it wants to be the default of the whole process.
    """

    def __init__(self) -> None:
        super().__init__(revision=PI_5)
        self.sent: list[tuple[int, ...]] = []
        """The words of every transfer that changed anything, the first sent first; like the states of a pin."""

    def spi(self, **_spi_args: object) -> DeskBus:
        return self

    def transfer(self, data: Iterable[int]) -> None:
        words = tuple(data)
        if self.sent[-1:] != [words]:
            self.sent.append(words)


class DeskWire:
    """A data line that only remembers what was sent."""

    def __init__(self) -> None:
        self.opened: list[int] = []
        """The speeds at which it was opened."""
        self.sent: list[bytes] = []
        """As the bus remembers it."""

    def __call__(self, speed_hz: int) -> DeskWire:
        self.opened.append(speed_hz)
        return self

    def send(self, data: bytes, /) -> None:
        if self.sent[-1:] != [data]:
            self.sent.append(data)

    def close(self) -> None:
        """Nothing is open."""


def desk_factories() -> Factories:
    """Pins, a bus and a wire that only remember, for desks and tests."""
    return Factories(MockFactory(revision=PI_5, pin_class=MockPWMPin), DeskBus(), DeskWire())


def check_header(pins: PinMap, board: Any) -> None:
    """Raise `PinError` for a pin that this board has not; `board` is what gpiozero tells of it."""
    known = {name for header in board.headers.values() for pin in header.pins.values() for name in pin.names}
    missing = [f"{use} is on GPIO {pin}" for use, pin in pins.uses() if f"GPIO{pin}" not in known]
    if missing:
        raise PinError(f"pin map {pins.name}: {' and '.join(missing)}, which a Raspberry Pi {board.model} does not have")


def pin_faults() -> tuple[type[Exception], ...]:
    """What may be raised where a machine has other pins than are asked for, or lends them to another program."""
    # lgpio has an error of its own, which is not even one of the system's.
    lgpio = sys.modules.get("lgpio")
    own = () if lgpio is None else (lgpio.error,)
    return (GPIOZeroError, PinError, RigError, OSError, *own)


def pi_factories(chip: int | None = None) -> Factories | None:
    """The pins of the Pi this runs on, or None, with one line in the log, where there are none.

    `chip` is the number of the gpiochip; None looks for the one that drives the header.
    """
    try:
        lgpio = import_module("lgpio")
        driver = import_module("gpiozero.pins.lgpio")
    except ImportError as error:
        log.warning("no lamps, buttons and buzzer: %s (on a Pi: apt install python3-lgpio)", error)
        return None
    try:
        factory = driver.LGPIOFactory(chip=find_chip(lgpio) if chip is None else chip)
    except pin_faults() as error:
        log.warning("no lamps, buttons and buzzer: %s", error)
        return None
    return Factories(factory, factory)


def find_chip(lgpio: ModuleType, dev: Path = Path("/dev")) -> int:
    """The number of the gpiochip behind the header; it differs with kernel and board, its label does not.

    Raises `RigError` when no chip has such a label.
    """
    seen = chips(lgpio, dev)
    header = next((number for number, label in seen if label.startswith(HEADER_LABEL)), None)
    if header is None:
        found = ", ".join(f"{number} ({label})" for number, label in seen) or "none at all"
        raise RigError(f"no gpiochip drives a header: expected one labelled {HEADER_LABEL}..., found {found}")
    return header


def chips(lgpio: ModuleType, dev: Path = Path("/dev")) -> tuple[tuple[int, str], ...]:
    """The gpiochips of this machine, by number, with their labels."""
    found = []
    for number in sorted(int(path.name.removeprefix("gpiochip")) for path in dev.glob("gpiochip*")):
        handle = lgpio.gpiochip_open(number)
        try:
            found.append((number, str(lgpio.gpio_get_chip_info(handle)[3])))
        finally:
            lgpio.gpiochip_close(handle)
    return tuple(found)


def header_of(revision: int) -> Any:
    """What gpiozero tells of the board with this revision code; None for one that it does not know."""
    try:
        return PiBoardInfo.from_revision(revision)
    except GPIOZeroError:
        return None
