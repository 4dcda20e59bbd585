"""Wiring diagrams, drawn from the pin maps of the program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from firmware.pins import PIN_MAPS, PinMap
from firmware.slotchain import CLOCK, DATA, LATCH
from hardware.drawing import INK, Spot, box, circle, line, page, text

HEADER = (
    "3V3", "5V", "GPIO2", "5V", "GPIO3", "GND", "GPIO4", "GPIO14", "GND", "GPIO15", "GPIO17", "GPIO18", "GPIO27", "GND", "GPIO22",
    "GPIO23", "3V3", "GPIO24", "GPIO10", "GND", "GPIO9", "GPIO25", "GPIO11", "GPIO8", "GND", "GPIO7", "GPIO0", "GPIO1", "GPIO5",
    "GND", "GPIO6", "GPIO12", "GPIO13", "GND", "GPIO19", "GPIO16", "GPIO26", "GPIO20", "GND", "GPIO21",
)  # fmt: skip
"""What the 40 pins carry, in the order of their numbers on the board."""

SUPPLY_V = 3.3
OHMS = {"red": 330, "green": 100, "blue": 100, "slot": 330, "other": 330}
"""The resistor of each lamp on a pin."""
FORWARD_V = {"red": 2.0, "green": 2.6, "blue": 2.6, "slot": 2.0, "other": 2.0}
"""The least voltage that drops over a lamp of this colour; the least makes the largest current."""
PIN_MA = 8.0
"""What a pin may give."""
CHAIN_LAMPS = 8
"""Of one 74HC595."""


def physical(gpio: int) -> int:
    """The number on the board, 1 to 40, of a GPIO."""
    return HEADER.index(f"GPIO{gpio}") + 1


def kind(use: str) -> str:
    """What hangs on a pin, from what the map says it is for: a lamp's colour, ``button``, ``buzzer`` or ``light``."""
    for word in ("button", "buzzer", "light", "slot", "red", "green", "blue"):
        if word in use:
            return word
    return "other"


def current_ma(lamp: str) -> float:
    """The most that a lamp on a pin takes."""
    return (SUPPLY_V - FORWARD_V[lamp]) / OHMS[lamp] * 1000


@dataclass(frozen=True, slots=True)
class Wire:
    """One pin of a map with what hangs on it."""

    pin: int
    gpio: int
    use: str


def wires(pins: PinMap) -> tuple[Wire, ...]:
    """Every wire of a map, those to chain or pixels included, in the order of the board's pins."""
    uses = list(pins.uses())
    if pins.chain:
        chain = (("the chain's data (SER)", DATA), ("the chain's clock (SRCLK)", CLOCK), ("the chain's latch (RCLK)", LATCH))
        uses += [use for use in chain if use not in uses]
    if pins.pixels:
        uses.append(("the pixels' data (DIN)", DATA))
    return tuple(sorted((Wire(physical(gpio), gpio, use) for use, gpio in uses), key=lambda wire: wire.pin))


Outwards = Callable[[float], float]
"""Millimetres away from the header to x."""

ROW, TOP, HALF = 9.0, 34.0, 14.0
WIDTH = 300.0
FILLS = {"GND": "#424242", "3V3": "#e57373", "5V": "#e57373"}
COLOURS = {"red": "#c62828", "green": "#2e7d32", "blue": "#1565c0", "slot": "#b26a00", "button": "#5d4037", "buzzer": "#6a1b9a",
           "light": "#00838f", "other": "#37474f"}  # fmt: skip


def diagram(pins: PinMap) -> str:
    """The header in the middle, every part beside the pin that it hangs on."""
    height = TOP + 20 * ROW + 46
    middle = WIDTH / 2
    drawn = [
        text((10, 12), f"Pin map {pins.name}", 7, weight="bold"),
        text((10, 20), "The 40-pin header from above, pin 1 at the upper left. What ends in GND goes to any pin GND.", 4),
        box((middle - HALF, TOP - ROW / 2), (2 * HALF, 20 * ROW), "#f2f2f2"),
    ]
    found = {wire.pin: wire for wire in wires(pins)}
    for pin in range(1, 41):
        side = -1 if pin % 2 else 1
        y = TOP + (pin - 1) // 2 * ROW
        used = pin in found
        fill = "#ffd54f" if used else FILLS.get(HEADER[pin - 1], "#ffffff")
        drawn.append(circle((middle + side * 5, y), 2.6, fill))
        drawn.append(text((middle + side * 5, y + 1), str(pin), 2.6, "middle", "#ffffff" if fill == "#424242" else INK))
        if used:
            drawn += _part(found[pin], (middle + side * 7.6, y), side)
        else:
            drawn.append(text((middle + side * (HALF + 2), y + 1.2), HEADER[pin - 1], 3, _anchor(side), "#8a8a8a"))
    return page((WIDTH, height), drawn + _notes(pins, TOP + 20 * ROW + 6), f"Wiring, pin map {pins.name}")


def _anchor(side: int) -> str:
    return "end" if side < 0 else "start"


def _part(wire: Wire, at: Spot, side: int) -> list[str]:
    """A wire from the pin outwards through its parts."""
    onwards = "chain" in wire.use or "pixels" in wire.use
    what = "other" if onwards else kind(wire.use)
    colour = COLOURS[what]
    x, y = at

    def out(mm: float) -> float:
        return x + side * mm

    drawn = [
        line([(x, y), (out(28), y)], colour, 0.5),
        text((out(8), y - 1), f"GPIO{wire.gpio}", 2.8, _anchor(side), colour),
    ]
    label = out(72)
    if onwards:
        drawn.append(line([(out(28), y), (out(66), y)], colour, 0.5))
    elif what == "button":
        drawn.append(line([(out(28), y), (out(32), y), (out(39), y - 2.4)], colour, 0.5))
        drawn.append(line([(out(40), y), (out(46), y)], colour, 0.5))
        drawn += _ground(out(46), y, side, colour)
    elif what in ("buzzer", "light"):
        drawn += _switch(out, y, what, side, colour)
    else:
        drawn += _resistor(out, y, OHMS[what], colour)
        drawn += _lamp(out(48), y, side, colour)
        drawn += [line([(out(52), y), (out(58), y)], colour, 0.5), *_ground(out(58), y, side, colour)]
    return [*drawn, text((label, y + 1.2), wire.use, 3.4, _anchor(side))]


def _resistor(out: Outwards, y: float, ohms: int, colour: str) -> list[str]:
    left = min(out(28), out(40))
    return [
        box((left, y - 1.8), (12, 3.6), "#ffffff", colour, 0.4),
        text((left + 6, y + 1), f"{ohms}", 2.6, "middle", colour),
        line([(out(40), y), (out(46), y)], colour, 0.5),
    ]


def _lamp(x: float, y: float, side: int, colour: str) -> list[str]:
    return [
        line([(x - 2 * side, y - 2), (x - 2 * side, y + 2), (x + 2 * side, y)], colour, 0.4, closed=True),
        line([(x + 2 * side, y - 2), (x + 2 * side, y + 2)], colour, 0.5),
        line([(x + 2 * side, y), (x + 4 * side, y)], colour, 0.5),
    ]


def _ground(x: float, y: float, side: int, colour: str) -> list[str]:
    return [
        line([(x, y - 1.6), (x, y + 1.6)], colour, 0.6), text((x + side * 1.5, y + 1.1), "GND", 2.8, _anchor(side), colour),
    ]  # fmt: skip


def _switch(out: Outwards, y: float, what: str, side: int, colour: str) -> list[str]:
    """A logic-level MOSFET between the pin and what needs more than a pin gives."""
    left = min(out(28), out(50))
    load = "5 V buzzer" if what == "buzzer" else "5 V light"
    return [
        box((left, y - 2.6), (22, 5.2), "#ffffff", colour, 0.4),
        text((left + 11, y + 1), "MOSFET, 10k", 2.6, "middle", colour),
        line([(out(50), y), (out(54), y)], colour, 0.5),
        text((out(55), y + 1.1), load, 2.6, _anchor(side), colour),
    ]


def _notes(pins: PinMap, y: float) -> list[str]:
    told = [
        "Resistors in ohms. Lamps: long leg to the resistor. RGB lamps with a common cathode: one GND for all three colours.",
        f"Most current of a pin: red {current_ma('red'):.1f} mA, green or blue {current_ma('green'):.1f} mA; "
        f"a pin may give {PIN_MA:g} mA.",
        "MOSFET: logic level (AO3400, IRLZ44N); gate to the pin and over 10 kOhm to GND, source to GND, drain to the load.",
        "The load's plus goes to 5 V over the fuse of the bill, not to the header.",
    ]
    if pins.chain:
        told.append("The chain of slot lamps has a drawing of its own: chain.svg.")
    if pins.pixels:
        told.append("The row of pixels, seat lamps and slot lamps, has a drawing of its own: pixels.svg.")
    if pins.light is None:
        told.append("No pin is left for the light: LED strips and camera lamp burn as long as they have 5 V, without a MOSFET.")
    if pins.gives_up:
        told.append(f"This map takes the pins of {' and '.join(pins.gives_up)}: both have to be switched off on the Pi.")
    return [text((10, y + 6 * n), words, 3.6) for n, words in enumerate(told, 1)]


def chain_diagram(seats: int = 5, slots: int = 5) -> str:
    """The shift registers of a hub; lamp 1 is slot 1 of seat 1."""
    lamps = seats * slots
    registers = -(-lamps // CHAIN_LAMPS)
    each = 66.0
    drawn = [
        text((10, 12), f"Slot lamps on a chain: {registers} x 74HC595, {lamps} lamps", 7, weight="bold"),
        text((10, 20), "All chips: VCC (16) and SRCLR (10) to 3V3, GND (8) and OE (13) to GND, 100 nF at each.", 4),
    ]
    for number in range(registers):
        drawn += _register(number, 34 + number * each, lamps, slots)
    right = 34 + registers * each
    for y, gpio, name in ((96.0, CLOCK, "SRCLK (11)"), (106.0, LATCH, "RCLK (12)")):
        drawn.append(line([(8, y), (right - 26, y)], COLOURS["other"], 0.5))
        drawn.append(text((8, y - 1.4), f"GPIO{gpio}, pin {physical(gpio)}", 3))
        drawn.append(text((66, y - 1.4), f"{name} of every chip", 3))
    drawn.append(line([(8, 60), (34, 60)], COLOURS["other"], 0.5))
    drawn.append(text((8, 58.6), f"GPIO{DATA}, pin {physical(DATA)}", 3.0))
    each_ma, all_ma = current_ma("slot"), CHAIN_LAMPS * current_ma("slot")
    told = f"Every lamp: output, {OHMS['slot']} ohms, lamp, GND: {each_ma:.1f} mA; all of a chip: {all_ma:.0f} mA of 70."
    drawn.append(text((10, 120), told, 3.6))
    return page((right + 4, 128), drawn, "Wiring, chain of slot lamps")


def _register(number: int, x: float, lamps: int, slots: int) -> list[str]:
    drawn = [
        box((x, 34), (40, 54), "#eceff1"),
        text((x + 20, 41), f"74HC595 no. {number + 1}", 4, "middle", weight="bold"),
        text((x + 2, 61.2), "SER (14)", 3),
        text((x + 38, 86), "QH' (9)", 3, "end"),
        line([(x + 10, 88), (x + 10, 96)], COLOURS["other"], 0.5),
        line([(x + 30, 88), (x + 30, 106)], COLOURS["other"], 0.5),
    ]
    for output in range(CHAIN_LAMPS):
        lamp, y = number * CHAIN_LAMPS + output, 46 + output * 5.0
        if lamp < lamps:
            drawn.append(line([(x + 40, y - 1), (x + 44, y - 1)], COLOURS["slot"], 0.5))
            drawn.append(text((x + 45, y), f"{lamp // slots + 1}.{lamp % slots + 1}", 3, colour=COLOURS["slot"]))
            pin = 15 if output == 0 else output
            drawn.append(text((x + 38, y), f"Q{'ABCDEFGH'[output]} ({pin})", 3, "end"))
    if (number + 1) * CHAIN_LAMPS < lamps:
        drawn.append(line([(x + 40, 85), (x + 54, 85), (x + 54, 60), (x + 66, 60)], COLOURS["other"], 0.5))
    else:
        drawn.append(text((x + 20, 30), "seat.slot at every output", 3, "middle", COLOURS["slot"]))
    return drawn


PIXEL_MA = 60.0
"""A WS2812 in full white."""


def pixel_diagram(pixels: int = 30) -> str:
    """A row of WS2812 on SPI 0: slot lamps and seat lamps on one wire."""
    data = COLOURS["other"]
    drawn = [
        text((10, 12), f"Slot and seat lamps as a row of {pixels} WS2812", 7, weight="bold"),
        box((14, 30), (46, 40), "#f2f2f2"), text((37, 40), "Raspberry Pi", 4, "middle", weight="bold"),
        text((58, 50), f"GPIO{DATA} (pin {physical(DATA)})", 3.2, "end"), text((58, 64), "GND (pin 6)", 3.2, "end"),
        line([(60, 49), (90, 49)], data, 0.5),
        box((90, 36), (44, 30), "#eceff1"), text((112, 44), "74AHCT125", 4, "middle", weight="bold"),
        text((92, 50), "1A (2)", 3), text((132, 50), "1Y (3)", 3, "end"), text((112, 58), "VCC (14): 5 V", 3, "middle"),
        text((112, 63), "GND (7), 1OE (1): GND", 3, "middle"),
        line([(134, 49), (146, 49)], data, 0.5), box((146, 47), (14, 4), "#ffffff", data),
        text((153, 50.2), "330", 2.8, "middle"),
        line([(160, 49), (176, 49)], data, 0.5),
    ]  # fmt: skip
    for number in range(4):
        x = 176 + number * 22
        drawn += [box((x, 42), (14, 14), "#fff8e1"), text((x + 7, 50.5), ("1", "2", "...", str(pixels))[number], 4, "middle")]
        if number < 3:
            drawn.append(line([(x + 14, 49), (x + 22, 49)], data, 0.5))
        drawn += [line([(x + 4, 28), (x + 4, 42)], "#c62828", 0.5), line([(x + 10, 56), (x + 10, 76)], INK, 0.5)]
    amps = pixels * PIXEL_MA / 1000
    drawn += [
        line([(60, 63), (80, 63), (80, 76), (252, 76)], INK, 0.6), text((255, 77.2), "GND of Pi, chip, pixels and supply", 3),
        line([(176, 28), (250, 28)], "#c62828", 0.6), text((252, 29.2), "5 V of the lamp supply, fused", 3),
        text((14, 92), f"1000 uF between 5 V and GND at the first pixel. In full white {pixels} pixels take {amps:.1f} A: "
             "the program's brightness keeps them far below; the fuse is for the worst case.", 3.6),
    ]  # fmt: skip
    return page((320, 100), drawn, "Wiring, row of pixels")


def drawings() -> dict[str, str]:
    """File name to content of every wiring diagram."""
    maps = {f"map-{name}.svg": diagram(pins) for name, pins in PIN_MAPS.items()}
    return {**maps, "chain.svg": chain_diagram(), "pixels.svg": pixel_diagram()}
