"""Cues -> seat lamps and slot lamps.

Blinking is a function of the time that is handed in: no thread of its own, so all lamps blink in step and what they did can be
compared exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gpiozero import LED, RGBLED, DigitalOutputDevice, Factory, LEDBoard

from companion.cues import Cue, Meaning
from companion.table import SLOTS
from firmware.gpio import Factories
from firmware.pins import PinMap
from firmware.slotchain import SlotChain


@dataclass(frozen=True, slots=True)
class Colour:
    """The colour of a meaning; it only helps, place and pattern tell the meaning."""

    rgb: tuple[float, float, float]
    two: tuple[bool, bool]
    """The same on a bi-colour lamp: red and green."""


DARK = Colour((0, 0, 0), (False, False))
RED = Colour((1, 0, 0), (True, False))
GREEN = Colour((0, 1, 0), (False, True))
AMBER = Colour((1, 0.4, 0), (True, True))
BLUE = Colour((0, 0, 1), (True, True))
WHITE = Colour((1, 1, 1), (False, True))

COLOURS: Mapping[Meaning, Colour] = {
    Meaning.STOPPED: BLUE,
    Meaning.PAUSED: BLUE,
    Meaning.BROKE: RED,
    Meaning.ASKED: BLUE,
    Meaning.WINNER: WHITE,
    Meaning.LAST_TURN: AMBER,
    Meaning.TURN: GREEN,
}
"""Every meaning that a seat lamp can show."""


class SeatLamp:
    """One seat's lamp: three pins for red, green and blue, or two for a bi-colour one."""

    def __init__(self, pins: Sequence[int], factory: Factory) -> None:
        self._rgb = RGBLED(*pins, pin_factory=factory) if len(pins) == 3 else None
        self._two = () if self._rgb else tuple(LED(pin, pin_factory=factory) for pin in pins)

    def show(self, colour: Colour) -> None:
        """Burn in `colour` until told otherwise."""
        if self._rgb:
            self._rgb.value = colour.rgb
        for led, on in zip(self._two, colour.two, strict=False):
            led.value = on

    def close(self) -> None:
        """Go dark and let go of the pins."""
        for device in (self._rgb, *self._two):
            if device is not None:
                device.close()


class Lamps:
    """The lamps of one board, and the light under its cards, which burns from the start on unless somebody switches it."""

    def __init__(self, pins: PinMap, factories: Factories, first_seat: int = 0) -> None:
        """`first_seat` is the seat at the table (counted from 0) that the board's first seat stands at."""
        self._seats = {first_seat + n: SeatLamp(seat.lamp, factories.pins) for n, seat in enumerate(pins.seats)}
        self._boards = {
            first_seat + n: LEDBoard(*seat.slots, pin_factory=factories.pins) for n, seat in enumerate(pins.seats) if seat.slots
        }
        self._chain = SlotChain(len(pins.seats) * len(SLOTS), factories.bus) if pins.chain else None
        self._light = None
        if pins.light is not None:
            self._light = DigitalOutputDevice(pins.light, initial_value=True, pin_factory=factories.pins)

    def show(self, cues: Iterable[Cue], time: float) -> None:
        """Set every lamp to what `cues` say at `time` (seconds).  Call it often enough for the fastest pattern to show."""
        lit = {(cue.seat, cue.slot): cue.meaning for cue in cues if cue.pattern.lit(time)}
        for seat, lamp in self._seats.items():
            meaning = lit.get((seat, None))
            lamp.show(DARK if meaning is None else COLOURS[meaning])
        for seat, board in self._boards.items():
            board.value = tuple((seat, slot) in lit for slot in SLOTS)
        if self._chain:
            self._chain.show([(seat, slot) in lit for seat in self._seats for slot in SLOTS])

    def light(self, on: bool) -> None:
        """Switch the light under the cards; on or off and nothing between, since a dimmed one shows as stripes."""
        if self._light is not None:
            self._light.value = on

    def close(self) -> None:
        """Go dark and let go of the pins."""
        for device in (*self._seats.values(), *self._boards.values(), self._chain, self._light):
            if device is not None:
                device.close()
