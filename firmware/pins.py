"""Which pin does what: maps of the 40-pin header as data, checked when they are made.  BCM numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from firmware.errors import PinError

HEADER = range(28)
"""The GPIO numbers that the 40-pin header has."""

BUSES = {
    "eeprom": frozenset({0, 1}),
    "i2c": frozenset({2, 3}),
    "spi": frozenset({7, 8, 9, 10, 11}),
    "serial": frozenset({14, 15}),
}
"""Pins that belong to something else unless a map says that it gives that up."""
GIVEN_UP = ("i2c", "spi", "serial")
"""Buses that can be switched off.  Not the EEPROM's: the Pi itself asks there, at every start, what is plugged on to it."""
SLOT_LAMPS = 5


@dataclass(frozen=True, slots=True)
class SeatPins:
    """The pins of one seat."""

    lamp: tuple[int, ...]
    """Red, green and blue of the seat lamp, or red and green of a bi-colour one; empty where it is a pixel of the string."""
    button: int
    """To ground; the pull-up is internal."""
    slots: tuple[int, ...] = ()
    """The five slot lamps, slot 1 first; empty where they hang on chain or string, or are not built."""


@dataclass(frozen=True, slots=True)
class PinMap:
    """The pins of one board; raises `PinError` for a pin that cannot be used so."""

    name: str
    seats: tuple[SeatPins, ...]
    buzzer: int | None = None
    light: int | None = None
    """Switches the light under the cards."""
    chain: bool = False
    """All slot lamps hang on a chain of 74HC595 at SPI 0 (data 10, clock 11, latch 8)."""
    gives_up: tuple[str, ...] = ()
    """Buses whose pins this map takes; that bus has to be switched off on the Pi."""
    pixels: bool = False
    """All lamps of seats and slots are pixels (WS2812) of one string at SPI 0 (data 10)."""
    camera: int | None = None
    """The lamp that burns while a camera looks."""

    def __post_init__(self) -> None:
        problems = dict.fromkeys(self._problems())
        if problems:
            raise PinError("\n".join(problems))

    def _problems(self) -> Iterator[str]:
        name = f"pin map {self.name}"
        for bus in self.gives_up:
            if bus not in GIVEN_UP:
                yield f"{name}: gives up {bus!r}, but the buses that can be given up are {', '.join(GIVEN_UP)}"
        if self.chain and self.pixels:
            yield f"{name}: lamps hang on the chain or on the string of pixels, not on both"
        for bus_user, taken in (("the chain of slot lamps", self.chain), ("the string of pixels", self.pixels)):
            if taken and "spi" in self.gives_up:
                yield f"{name}: {bus_user} needs spi, which the map gives up"
        for seat, pins in enumerate(self.seats):
            yield from _counts(f"{name}, seat {seat + 1}", pins, self)
        yield from (f"{name}: {problem}" for problem in self._pin_problems())

    def _pin_problems(self) -> Iterator[str]:
        uses = self.uses()
        count = Counter(pin for _, pin in uses)
        for use, pin in uses:
            if pin not in HEADER:
                yield f"{use} is on GPIO {pin}, but the header has GPIO 0 to {HEADER[-1]}"
            if count[pin] > 1:
                shared = " and ".join(other for other, found in uses if found == pin)
                yield f"GPIO {pin} is used {count[pin]} times, by {shared}"
            for bus, pins in BUSES.items():
                if pin in pins and bus not in self.gives_up:
                    yield f"{use} is on GPIO {pin}, which belongs to {bus}"

    def uses(self) -> tuple[tuple[str, int], ...]:
        """Every pin that the map takes for itself, with what it is for; pins of the bus that chain or string hang on are not."""
        found: list[tuple[str, int]] = []
        for number, seat in enumerate(self.seats, 1):
            colours = zip(("red", "green", "blue"), seat.lamp, strict=False)
            found += [(f"{colour} of seat {number}", pin) for colour, pin in colours]
            found.append((f"the button of seat {number}", seat.button))
            found += [(f"slot lamp {slot} of seat {number}", pin) for slot, pin in enumerate(seat.slots, 1)]
        others = (("the buzzer", self.buzzer), ("the light", self.light), ("the camera lamp", self.camera))
        found += [(use, pin) for use, pin in others if pin is not None]
        return tuple(found)


def _counts(where: str, pins: SeatPins, board: PinMap) -> Iterator[str]:
    if board.pixels:
        if pins.lamp or pins.slots:
            yield f"{where}: with a string of pixels, lamps of seats and slots have no pins of their own"
        return
    if len(pins.lamp) not in (2, 3):
        yield f"{where}: a seat lamp has 2 pins (red, green) or 3 (red, green, blue), not {len(pins.lamp)}"
    if len(pins.slots) not in (0, SLOT_LAMPS):
        yield f"{where}: a mat has {SLOT_LAMPS} slot lamps or none, not {len(pins.slots)}"
    if pins.slots and board.chain:
        yield f"{where}: slot lamps hang on pins or on the chain, not on both"


NODE = PinMap("N", (SeatPins((16, 20, 21), 5, (17, 27, 22, 23, 24)),), buzzer=13, light=18, camera=25)
"""One mat with a Pi of its own: slot lamps on pins, one RGB seat lamp, no bus used."""

HUB = PinMap(
    "A",
    (
        SeatPins((22, 23), 4),
        SeatPins((24, 25), 5),
        SeatPins((12, 16), 6),
        SeatPins((20, 21), 17),
        SeatPins((19, 26), 27),
    ),
    buzzer=13,
    light=18,
    chain=True,
)
"""One Pi for five seats: bi-colour seat lamps, every bus kept, slot lamps on the chain."""

COLOUR_HUB = PinMap(
    "B",
    (
        SeatPins((22, 23, 24), 2),
        SeatPins((25, 12, 16), 3),
        SeatPins((20, 21, 26), 4),
        SeatPins((19, 6, 5), 14),
        SeatPins((17, 27, 18), 15),
    ),
    buzzer=13,
    chain=True,
    gives_up=("i2c", "serial"),
)
"""One Pi for five seats with RGB seat lamps.  A press at seat 2 (GPIO 3) also wakes a halted Pi, and the lamps on
GPIO 5 and 6 may glow while it starts."""

PIXEL_HUB = PinMap(
    "P", tuple(SeatPins((), button) for button in (4, 5, 6, 17, 27)), buzzer=13, light=18, pixels=True, camera=25
)
"""One Pi for five seats with every lamp on one wire: 30 pixels, for each seat its own and then those of its five slots."""

PIN_MAPS = {pins.name: pins for pins in (NODE, HUB, COLOUR_HUB, PIXEL_HUB)}


def find_pins(name: str) -> PinMap:
    """The pin map called `name`; raise `PinError` for any other."""
    if name not in PIN_MAPS:
        raise PinError(f"there is no pin map {name!r}; the pin maps are {', '.join(PIN_MAPS)}")
    return PIN_MAPS[name]
