"""Wiring diagrams: every pin of every map, on the right number, and no pin loaded beyond what it may give."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from firmware.pins import PIN_MAPS, PinMap, SeatPins
from hardware.wiring import HEADER, OHMS, PIN_MA, Wire, chain_diagram, current_ma, diagram, drawings, kind, pixel_diagram, wires


def words_of(drawing: str) -> list[str]:
    """Every text of a drawing, in the order in which it is drawn."""
    return [unescape(found) for found in re.findall(r">([^<]+)</text>", drawing)]


@pytest.fixture
def header_of_gpiozero() -> Iterator[dict[int, str]]:
    """Number on the board to name, as gpiozero has it for a Pi 4."""
    before, Device.pin_factory = Device.pin_factory, MockFactory(revision="c03114")
    pins = Device.pin_factory.board_info.headers["J8"].pins
    yield {number: pin.name for number, pin in pins.items()}
    Device.pin_factory.close()
    Device.pin_factory = before


def test_the_header_is_that_of_the_board(header_of_gpiozero: dict[int, str]) -> None:
    assert dict(enumerate(HEADER, 1)) == header_of_gpiozero


def test_the_wires_of_a_node() -> None:
    assert wires(PIN_MAPS["N"])[:4] == (
        Wire(11, 17, "slot lamp 1 of seat 1"),
        Wire(12, 18, "the light"),
        Wire(13, 27, "slot lamp 2 of seat 1"),
        Wire(15, 22, "slot lamp 3 of seat 1"),
    )
    assert [wire.pin for wire in wires(PIN_MAPS["N"])] == [11, 12, 13, 15, 16, 18, 22, 29, 33, 36, 38, 40]


@pytest.mark.parametrize("pins", PIN_MAPS.values(), ids=list(PIN_MAPS))
def test_a_diagram_shows_every_use_of_its_map_once(pins: PinMap) -> None:
    drawn = words_of(diagram(pins))
    for use, gpio in pins.uses():
        assert drawn.count(use) == 1
        assert drawn.count(f"GPIO{gpio}") == 1
    resistors = [OHMS[kind(use)] for use, _ in pins.uses() if kind(use) in OHMS]
    assert sorted(int(word) for word in drawn if word in ("100", "330")) == sorted(resistors)
    assert ("the chain's data (SER)" in drawn) == pins.chain
    assert ("the pixels' data (DIN)" in drawn) == pins.pixels
    told = " ".join(drawn)
    assert ("chain.svg" in told, "pixels.svg" in told) == (pins.chain, pins.pixels)
    assert ("No pin is left for the light" in told) == (pins.light is None)


@pytest.mark.parametrize("lamp", OHMS)
def test_no_lamp_takes_more_than_a_pin_may_give(lamp: str) -> None:
    assert 0 < current_ma(lamp) <= PIN_MA


def test_a_map_of_ones_own_is_drawn_too() -> None:
    own = PinMap("own", (SeatPins((22, 23), 4),), light=18)
    drawn = words_of(diagram(own))
    assert [word for word in drawn if "seat 1" in word or word == "the light"] == [
        "the button of seat 1", "the light", "red of seat 1", "green of seat 1",
    ]  # fmt: skip


def test_the_chain_counts_as_the_program_does() -> None:
    drawn = words_of(chain_diagram())
    outputs = [word for word in drawn if re.fullmatch(r"\d\.\d", word)]
    # Lamp 0 is output A of the register next to the Pi; slot 1 of seat 1 comes first.
    assert outputs == [f"{seat}.{slot}" for seat in range(1, 6) for slot in range(1, 6)]
    assert sum(word.startswith("74HC595 no.") for word in drawn) == 4
    assert [word for word in drawn if word.startswith("QA")] == ["QA (15)"] * 4


def test_the_pixels_worst_case_is_worked_out() -> None:
    assert "In full white 30 pixels take 1.8 A" in pixel_diagram()
    assert "In full white 18 pixels take 1.1 A" in pixel_diagram(18)


def test_there_is_a_drawing_for_every_map() -> None:
    assert set(drawings()) == {f"map-{name}.svg" for name in PIN_MAPS} | {"chain.svg", "pixels.svg"}
