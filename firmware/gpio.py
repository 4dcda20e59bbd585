"""The pins of this machine, or of the desk."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

from gpiozero import Factory, GPIOZeroError
from gpiozero.pins.mock import MockFactory, MockPWMPin

from firmware.errors import RigError

log = logging.getLogger(__name__)

PI_5 = "d04170"
"""Revision code that the desk pretends to be, so that it refuses what a Pi would refuse."""


@dataclass(frozen=True, slots=True)
class Factories:
    """Where devices get their pins: single pins, and the pins of the bus.  On a Pi these are one and the same."""

    pins: Factory
    bus: Factory

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


def desk_factories() -> Factories:
    """Pins and a bus that only remember, for desks and tests."""
    return Factories(MockFactory(revision=PI_5, pin_class=MockPWMPin), DeskBus())


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
    except (lgpio.error, GPIOZeroError, OSError, RigError) as error:
        log.warning("no lamps, buttons and buzzer: %s", error)
        return None
    return Factories(factory, factory)


def find_chip(lgpio: ModuleType, dev: Path = Path("/dev")) -> int:
    """The number of the gpiochip behind the header; it differs with kernel and board, its label does not.

    Raises `RigError` when no chip has such a label.
    """
    seen = []
    for number in sorted(int(path.name.removeprefix("gpiochip")) for path in dev.glob("gpiochip*")):
        handle = lgpio.gpiochip_open(number)
        try:
            label = str(lgpio.gpio_get_chip_info(handle)[3])
        finally:
            lgpio.gpiochip_close(handle)
        if label.startswith("pinctrl-"):
            return number
        seen.append(f"{number} ({label})")
    raise RigError(f"no gpiochip drives a header: expected one labelled pinctrl-..., found {', '.join(seen) or 'none at all'}")
