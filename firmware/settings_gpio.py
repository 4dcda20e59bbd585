"""``[gpio]`` of the settings file: lamps, buttons and buzzer, on a pin map of ours or of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from firmware.errors import PinError
from firmware.pins import PIN_MAPS, PinMap, SeatPins, find_pins
from firmware.settingspart import Part, Problem, not_among, wrong

NONE, OWN = "none", "own"
"""No pins, and those of ``[gpio.map]``."""


class MapSeatPart(Part):
    """``[[gpio.map.seat]]``: the pins of one seat, by their BCM numbers."""

    button: int
    lamp: list[int] = Field(default_factory=list)
    """Red and green, or red, green and blue."""
    slots: list[int] = Field(default_factory=list)
    """Of the five slot lamps."""


class MapPart(Part):
    """``[gpio.map]``: a pin map of one's own."""

    seat: Annotated[list[MapSeatPart], Field(min_length=1, max_length=6)]
    buzzer: int | None = None
    light: int | None = None
    camera: int | None = None
    slots: Literal["pins", "chain", "pixels"] = "pins"
    """What the slot lamps hang on; on a string of pixels the seat lamps do, too."""
    gives_up: list[str] = Field(default_factory=list)


class GpioPart(Part):
    """``[gpio]``: lamps, buttons and buzzer."""

    pins: str = NONE
    """Name of a pin map, ``own``, or ``none``."""
    chip: Annotated[int, Field(ge=0)] | None = None
    """Number of the gpiochip behind the header; without it, it is looked for."""
    brightness: Annotated[int, Field(ge=1, le=100)] = 100
    """Of seat and slot lamps, per cent; lamps on a chain only burn or not."""
    pixel_bits: Literal[3, 8] = 3
    """Bits of SPI for each bit of a string of pixels."""
    map: MapPart | None = None

    def pin_map(self) -> PinMap | None:
        """The pin map that is chosen; None without pins.  Raise `PinError` for one that cannot be."""
        if self.pins == NONE:
            return None
        return own_map(self.map) if self.pins == OWN and self.map is not None else find_pins(self.pins)


def own_map(part: MapPart) -> PinMap:
    """The pin map that somebody has written; raise `PinError` for pins that are reserved, doubled or not there."""
    seats = tuple(SeatPins(tuple(seat.lamp), seat.button, tuple(seat.slots)) for seat in part.seat)
    return PinMap(
        OWN, seats, part.buzzer, part.light, part.slots == "chain", tuple(part.gives_up), part.slots == "pixels", part.camera
    )


def gpio_problems(gpio: GpioPart) -> Iterator[Problem]:
    """What one key of ``[gpio]`` alone does not tell."""
    place = ("gpio", "pins")
    if gpio.pins not in (*PIN_MAPS, OWN, NONE):
        yield not_among(place, gpio.pins, "pin map", (*PIN_MAPS, OWN, NONE))
    elif gpio.pins == OWN and gpio.map is None:
        yield wrong(place, OWN, "there is no [gpio.map] that says which pins")
    elif gpio.map is not None and gpio.pins != OWN:
        yield wrong(place, gpio.pins, f"[gpio.map] is written, and this does not take it; allowed beside it: {OWN}")
    if gpio.map is not None:
        try:
            own_map(gpio.map)
        except PinError as error:
            for line in str(error).splitlines():
                why = line.removeprefix(f"pin map {OWN}").removeprefix(": ").removeprefix(", ")
                yield Problem(("gpio", "map"), f"gpio.map: {why}", "other", {"why": why})
