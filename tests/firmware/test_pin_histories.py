"""A stretch of play on every pin map: the whole history of every pin, word and frame from the board's opening on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest

from companion.cues import Cue, Meaning
from companion.observation import Declaration, Press
from companion.table import SLOTS
from firmware.board import open_board
from firmware.gpio import DeskBus, DeskWire, Factories
from firmware.pins import COLOUR_HUB, HUB, NODE, PIXEL_HUB, PinMap, SeatPins

OWN = PinMap(
    "own", (SeatPins((22, 23), 4, (17, 27, 24, 25, 5)), SeatPins((12, 16, 20), 6)), buzzer=13, camera=14, gives_up=("serial",)
)
"""Bi-colour and RGB, with slot lamps and without, no light: as somebody may have soldered it."""
Shown = tuple[float, ...]
Histories = Mapping[str, Shown]


def scenes(last: int) -> Iterator[tuple[Cue, ...]]:
    """A second each; `last` is the board's last seat."""
    yield (Cue(Meaning.TURN, 0),)
    yield Cue(Meaning.VIOLATION), Cue(Meaning.BROKE, 0), Cue(Meaning.PUT_BACK, 0, 2)
    yield Cue(Meaning.QUESTION), Cue(Meaning.ASKED, 0), Cue(Meaning.ASKED, 0, 3)
    yield Cue(Meaning.TURN, last), Cue(Meaning.TOUCHED, 0, 1), Cue(Meaning.TOUCHED, last, 4)
    yield Cue(Meaning.OVER), Cue(Meaning.WINNER, last), *(Cue(Meaning.WINNER, last, slot) for slot in SLOTS)
    yield ()


@dataclass(frozen=True)
class Played:
    pins: Histories
    words: tuple[tuple[int, ...], ...] = ()
    """What went over the bus to the chain."""
    frames: tuple[str, ...] = ()
    """What went over the wire to the string, each pixel by a letter."""
    presses: tuple[Declaration, ...] = ()


def play(pins: PinMap, desk: Factories, brightness: float = 1.0, pixel_bits: int = 3) -> Played:
    """The scenes; at the end of each one a seat presses, seat by seat, and the last one's contact bounces."""
    assert isinstance(desk.bus, DeskBus) and isinstance(desk.wire, DeskWire)
    time, inbox = [0.0], list[Declaration]()
    board = open_board(pins, desk, inbox.append, lambda: time[0], 0, brightness, pixel_bits)
    devices = {use: desk.pins.pin(number) for use, number in pins.uses()}
    board.watch(True)
    for second, shown in enumerate(scenes(len(pins.seats) - 1)):
        for eighth in range(8):
            time[0] = second + eighth / 8
            board.show(shown, time[0])
        if second < len(pins.seats):
            button = devices[f"the button of seat {second + 1}"]
            for _ in range(3 if second == len(pins.seats) - 1 else 1):
                button.drive_low()
                button.drive_high()
    board.watch(False)
    histories = {use: tuple(float(entry.state) for entry in device.states) for use, device in devices.items()}
    board.close()
    frames = tuple(pixels_of(frame, pixel_bits) for frame in desk.wire.sent)
    return Played(histories, tuple(desk.bus.sent), frames, tuple(inbox))


LETTERS = {
    (0, 0, 0): ".", (0, 255, 0): "g", (255, 0, 0): "r", (0, 0, 255): "b", (255, 255, 255): "w",
}  # fmt: skip


def pixels_of(frame: bytes, bits: int) -> str:
    """How a string of pixels takes a frame: by how long the line is high, the green byte first, until it rests."""
    line = "".join(f"{byte:08b}" for byte in frame)
    highs = [len(high) for high in line.replace("0", " ").split()]
    assert len(line) - len(line.rstrip("0")) >= 0.00028 * 800_000 * bits, "the line rests, so that the string takes what it got"
    ones = [{3: {1: 0, 2: 1}, 8: {2: 0, 5: 1}}[bits][high] for high in highs]
    data = [int("".join(map(str, ones[start : start + 8])), 2) for start in range(0, len(ones), 8)]
    return "".join(LETTERS[red, green, blue] for green, red, blue in zip(*(iter(data),) * 3, strict=True))


def expected(pins: PinMap, lit: Histories) -> Histories:
    """What is not in `lit` stayed dark; a button pulls its pin down, which floats high when it is released."""
    buttons = {f"the button of seat {number}": rested(seat.button, 1) for number, seat in enumerate(pins.seats, 1)}
    last = len(pins.seats)
    buttons[f"the button of seat {last}"] = rested(pins.seats[-1].button, 3)
    return {**{use: (0.0,) for use, _ in pins.uses()}, **buttons, **lit}


def rested(pin: int, times: int) -> Shown:
    """GPIO 2 and 3 have a pull-up of their own, others get one when the button is made."""
    return (*(() if pin in (2, 3) else (0.0,)), 1.0, *(0.0, 1.0) * times)


def presses(seats: int) -> tuple[Declaration, ...]:
    return tuple(Declaration(second + 0.875, second, Press(), "button") for second in range(seats))


def blinks(times: int, level: float = 1.0) -> Shown:
    return (0.0, *(level, 0.0) * times)


BUZZER = blinks(3 + 1 + 3)
"""Three short ones for the violation, a long one for the question, one long and two short ones for the end."""
BROKE, ASKED, DOUBLE, STEADY = 4, 1, 2, 1
"""So often a lamp burns in a second that shows this."""
CHAIN = (
    (0, 0, 0, 0), *((0, 0, 0, 2), (0, 0, 0, 0)) * BROKE, *((0, 0, 0, 4), (0, 0, 0, 0)) * DOUBLE,
    (0, 128, 0, 1), *((1, 240, 0, 0), (0, 0, 0, 0)) * DOUBLE,
)  # fmt: skip
"""Four registers, the farthest first: slot 2, then slot 3 of seat 1; slots 1 and 24 of all 25; the five of the winner."""


@pytest.mark.parametrize("level", [1.0, 0.5])
def test_a_node_of_one_mat(desk: Factories, level: float) -> None:
    assert play(NODE, desk, level) == Played(
        expected(NODE, {
            "red of seat 1": blinks(BROKE + STEADY, level),
            "green of seat 1": blinks(STEADY + STEADY, level),
            "blue of seat 1": blinks(ASKED + STEADY, level),
            "slot lamp 1 of seat 1": blinks(DOUBLE, level),
            "slot lamp 2 of seat 1": blinks(BROKE + DOUBLE, level),
            "slot lamp 3 of seat 1": blinks(DOUBLE + DOUBLE, level),
            "slot lamp 4 of seat 1": blinks(DOUBLE, level),
            "slot lamp 5 of seat 1": blinks(DOUBLE, level),
            "the buzzer": BUZZER,
            "the light": (0.0, 1.0),
            "the camera lamp": blinks(1),
        }),
        presses=presses(1),
    )  # fmt: skip


@pytest.mark.parametrize("level", [1.0, 0.5])
def test_a_hub_with_bi_colour_lamps_and_a_chain(desk: Factories, level: float) -> None:
    assert play(HUB, desk, level) == Played(
        expected(HUB, {
            "red of seat 1": blinks(BROKE + ASKED, level),
            "green of seat 1": blinks(STEADY + ASKED, level),
            "green of seat 5": blinks(STEADY, level),
            "the buzzer": BUZZER,
            "the light": (0.0, 1.0),
        }),
        words=CHAIN, presses=presses(5),
    )  # fmt: skip


def test_a_hub_with_coloured_lamps_and_a_chain(desk: Factories) -> None:
    assert play(COLOUR_HUB, desk) == Played(
        expected(COLOUR_HUB, {
            "red of seat 1": blinks(BROKE), "green of seat 1": blinks(STEADY), "blue of seat 1": blinks(ASKED),
            "red of seat 5": blinks(STEADY), "green of seat 5": blinks(STEADY), "blue of seat 5": blinks(STEADY),
            "the buzzer": BUZZER,
        }),
        words=CHAIN, presses=presses(5),
    )  # fmt: skip


def test_a_map_of_ones_own(desk: Factories) -> None:
    assert play(OWN, desk) == Played(
        expected(OWN, {
            "red of seat 1": blinks(BROKE + ASKED), "green of seat 1": blinks(STEADY + ASKED),
            "red of seat 2": blinks(STEADY), "green of seat 2": blinks(STEADY), "blue of seat 2": blinks(STEADY),
            "slot lamp 1 of seat 1": blinks(STEADY), "slot lamp 2 of seat 1": blinks(BROKE),
            "slot lamp 3 of seat 1": blinks(DOUBLE),
            "the buzzer": BUZZER, "the camera lamp": blinks(1),
        }),
        presses=presses(2),
    )  # fmt: skip


DARK = "." * 30
STRING = (
    DARK, "g" + "." * 29, *("r.r..." + "." * 24, DARK) * BROKE,
    # The seat blinks slowly, its third slot twice a second.
    "b..b.." + "." * 24, "b....." + "." * 24, "b..b.." + "." * 24, "b....." + "." * 24, DARK,
    ".w...." + "." * 18 + "g...w.",
    *("." * 24 + "wwwwww", "." * 24 + "w.....") * DOUBLE, DARK,
)  # fmt: skip
"""For each seat its lamp and its five slots."""


@pytest.mark.parametrize("bits", [3, 8])
def test_a_hub_with_a_string_of_pixels(desk: Factories, bits: int) -> None:
    assert play(PIXEL_HUB, desk, pixel_bits=bits) == Played(
        expected(PIXEL_HUB, {"the buzzer": BUZZER, "the light": (0.0, 1.0), "the camera lamp": blinks(1)}),
        frames=STRING, presses=presses(5),
    )  # fmt: skip
    assert isinstance(desk.wire, DeskWire) and desk.wire.opened == [800_000 * bits]
