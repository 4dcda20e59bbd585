"""What every lamp of one board shows at a moment, and the lamps that have pins of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from gpiozero import LED, PWMLED, RGBLED, Factory, LEDBoard


@dataclass(frozen=True, slots=True)
class Colour:
    """The colour of a meaning; it only helps, place and pattern tell the meaning."""

    rgb: tuple[float, float, float]
    """Red, green and blue, each from 0 to 1."""
    two: tuple[bool, bool]
    """The same on a bi-colour lamp: red and green."""


DARK = Colour((0, 0, 0), (False, False))


@dataclass(frozen=True, slots=True)
class Picture:
    """What the lamps of one board show, place by place as they are wired."""

    seats: tuple[Colour, ...]
    slots: tuple[tuple[Colour, ...], ...]
    """Of each place its five slot lamps, slot 1 first."""


class Lights(Protocol):
    """Some or all of a board's lamps, however they are wired; it takes from the picture what it has lamps for."""

    def show(self, picture: Picture, /) -> None:
        """Burn like this until told otherwise."""
        ...

    def close(self) -> None:
        """Go dark and let go of pins and buses."""
        ...


class SeatLamp:
    """One seat's lamp: three pins for red, green and blue, or two for a bi-colour one."""

    def __init__(self, pins: Sequence[int], factory: Factory, brightness: float = 1.0) -> None:
        self._rgb = RGBLED(*pins, pin_factory=factory) if len(pins) == 3 else None
        kind = LED if brightness == 1.0 else PWMLED
        self._two = () if self._rgb else tuple(kind(pin, pin_factory=factory) for pin in pins)
        self._brightness = brightness

    def show(self, colour: Colour) -> None:
        """Burn in `colour` until told otherwise."""
        if self._rgb:
            self._rgb.value = tuple(part * self._brightness for part in colour.rgb)
        for led, on in zip(self._two, colour.two, strict=False):
            led.value = on * self._brightness

    def close(self) -> None:
        """Go dark and let go of the pins."""
        for device in (self._rgb, *self._two):
            if device is not None:
                device.close()


class SeatLights:
    """The lamps of all seats of a board."""

    def __init__(self, seats: Sequence[Sequence[int]], factory: Factory, brightness: float = 1.0) -> None:
        """`seats`: the pins of each seat's lamp."""
        self._lamps = tuple(SeatLamp(pins, factory, brightness) for pins in seats)

    def show(self, picture: Picture, /) -> None:
        for lamp, colour in zip(self._lamps, picture.seats, strict=True):
            lamp.show(colour)

    def close(self) -> None:
        for lamp in self._lamps:
            lamp.close()


class SlotLights:
    """Slot lamps on pins; they have one colour, and burn or not."""

    def __init__(self, places: Sequence[Sequence[int]], factory: Factory, brightness: float = 1.0) -> None:
        """`places`: of each place the pins of its five slot lamps, or none."""
        self._brightness = brightness
        self._boards = tuple(
            LEDBoard(*pins, pwm=brightness != 1.0, pin_factory=factory) if pins else None for pins in places
        )  # fmt: skip

    def show(self, picture: Picture, /) -> None:
        for board, colours in zip(self._boards, picture.slots, strict=True):
            if board is not None:
                board.value = tuple((colour != DARK) * self._brightness for colour in colours)

    def close(self) -> None:
        for board in self._boards:
            if board is not None:
                board.close()
