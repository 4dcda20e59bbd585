"""Cues -> seat lamps and slot lamps.

Blinking is a function of the time that is handed in: no thread of its own, so all lamps blink in step and what they did can be
compared exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from gpiozero import DigitalOutputDevice

from companion.cues import Cue, Meaning
from companion.table import SLOTS
from firmware.gpio import Factories
from firmware.lights import DARK, Colour, Lights, Picture, SeatLights, SlotLights
from firmware.pins import PinMap
from firmware.pixels import PixelLights
from firmware.slotchain import ChainLights

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

SLOT_COLOURS: Mapping[Meaning, Colour] = {
    Meaning.PUT_BACK: RED,
    Meaning.HOME: AMBER,
    Meaning.ASKED: BLUE,
    Meaning.WINNER: WHITE,
    Meaning.LAY_HERE: GREEN,
    Meaning.TOUCHED: WHITE,
    Meaning.REVEALED: WHITE,
}
"""Every meaning that a slot lamp can show; only pixels have its colour."""


class Lamps:
    """The lamps of one board, the lamp of its cameras, and the light under its cards, which burns unless somebody switches it."""

    def __init__(
        self, pins: PinMap, factories: Factories, first_seat: int = 0, brightness: float = 1.0, pixel_bits: int = 3
    ) -> None:
        """`first_seat` is the seat at the table (counted from 0) that the board's first seat stands at.

        `brightness`, from 0 to 1, is that of seat and slot lamps; lamps on a chain only burn or not, and the light under the
        cards is never dimmed, since cameras would see it flicker.  Raises `RigError` where pixels have no SPI.
        """
        self._seats = range(first_seat, first_seat + len(pins.seats))
        self._lights: list[Lights] = []
        self._light = self._camera = None
        try:
            self._lights += _lights(pins, factories, brightness, pixel_bits)
            if pins.light is not None:
                self._light = DigitalOutputDevice(pins.light, initial_value=True, pin_factory=factories.pins)
            if pins.camera is not None:
                self._camera = DigitalOutputDevice(pins.camera, pin_factory=factories.pins)
        except BaseException:
            self.close()
            raise

    def show(self, cues: Iterable[Cue], time: float) -> None:
        """Set every lamp to what `cues` say at `time` (seconds).  Call it often enough for the fastest pattern to show."""
        lit = {(cue.seat, cue.slot): cue.meaning for cue in cues if cue.pattern.lit(time)}
        picture = Picture(
            tuple(_colour(COLOURS, lit.get((seat, None))) for seat in self._seats),
            tuple(tuple(_colour(SLOT_COLOURS, lit.get((seat, slot))) for slot in SLOTS) for seat in self._seats),
        )
        for lights in self._lights:
            lights.show(picture)

    def watch(self, on: bool) -> None:
        """Whether a camera of this board is on: its lamp says so, where there is one."""
        if self._camera is not None:
            self._camera.value = on

    def light(self, on: bool) -> None:
        """Switch the light under the cards; on or off and nothing between, since a dimmed one shows as stripes."""
        if self._light is not None:
            self._light.value = on

    def close(self) -> None:
        """Go dark and let go of the pins."""
        for device in (*self._lights, self._light, self._camera):
            if device is not None:
                device.close()


def _colour(colours: Mapping[Meaning, Colour], meaning: Meaning | None) -> Colour:
    return DARK if meaning is None else colours[meaning]


def _lights(pins: PinMap, factories: Factories, brightness: float, pixel_bits: int) -> Iterator[Lights]:
    """What the lamps of a map hang on."""
    if pins.pixels:
        yield PixelLights(len(pins.seats), len(SLOTS), factories.wire, brightness, pixel_bits)
        return
    yield SeatLights([seat.lamp for seat in pins.seats], factories.pins, brightness)
    yield SlotLights([seat.slots for seat in pins.seats], factories.pins, brightness)
    if pins.chain:
        yield ChainLights(len(pins.seats), len(SLOTS), factories.bus)
