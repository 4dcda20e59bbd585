"""Pin maps: the three that we ship, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gpiozero.pins.pi import PiBoardInfo

from firmware.errors import PinError
from firmware.gpio import check_header
from firmware.pins import BUSES, COLOUR_HUB, HUB, NODE, PIN_MAPS, PIXEL_HUB, PinMap, SeatPins, find_pins

SEAT = SeatPins((22, 23), 4)
PIXEL = SeatPins((), 4)


@pytest.mark.parametrize("name", PIN_MAPS)
def test_a_map_is_found_by_its_name(name: str) -> None:
    assert find_pins(name).name == name


def test_a_map_that_is_not_there() -> None:
    with pytest.raises(PinError, match=r"^there is no pin map 'Z'; the pin maps are N, A, B, P$"):
        find_pins("Z")


def test_how_many_pins_each_map_takes() -> None:
    assert {name: len(pins.uses()) for name, pins in PIN_MAPS.items()} == {"N": 12, "A": 17, "B": 21, "P": 8}


@pytest.mark.parametrize(
    ("pins", "seats", "colours", "slots"), [(NODE, 1, 3, 5), (HUB, 5, 2, 0), (COLOUR_HUB, 5, 3, 0), (PIXEL_HUB, 5, 0, 0)]
)
def test_what_each_map_drives(pins: PinMap, seats: int, colours: int, slots: int) -> None:
    assert [(len(seat.lamp), len(seat.slots)) for seat in pins.seats] == [(colours, slots)] * seats
    assert (pins.chain, pins.pixels) == (pins in (HUB, COLOUR_HUB), pins is PIXEL_HUB)
    assert (pins.camera is None) is (pins in (HUB, COLOUR_HUB)), "they have no pin left for it"


@pytest.mark.parametrize("pins", PIN_MAPS.values(), ids=PIN_MAPS)
@pytest.mark.parametrize("revision", [0xD04170, 0xC03114, 0x902120], ids=["Pi 5", "Pi 4", "Zero 2 W"])
def test_every_pin_is_on_the_header_of_every_board(pins: PinMap, revision: int) -> None:
    board = PiBoardInfo.from_revision(revision)
    assert all(board.find_pin(f"GPIO{pin}") for _, pin in pins.uses())


def test_the_hub_leaves_every_bus_alone() -> None:
    assert {pin for _, pin in HUB.uses()} & frozenset().union(*BUSES.values()) == set()


@pytest.mark.parametrize(
    ("seats", "more", "sentence"),
    [
        ((SEAT, replace(SEAT, lamp=(24, 25))), {}, "GPIO 4 is used 2 times, by the button of seat 1 and the button of seat 2"),
        ((SEAT,), {"buzzer": 23}, "GPIO 23 is used 2 times, by green of seat 1 and the buzzer"),
        ((SEAT,), {"light": 28}, "the light is on GPIO 28, but the header has GPIO 0 to 27"),
        ((SEAT,), {"buzzer": 2}, "the buzzer is on GPIO 2, which belongs to i2c"),
        ((SEAT,), {"buzzer": 0, "gives_up": ("i2c",)}, "the buzzer is on GPIO 0, which belongs to eeprom"),
        ((replace(SEAT, button=10),), {}, "the button of seat 1 is on GPIO 10, which belongs to spi"),
        ((SEAT,), {"gives_up": ("usb",)}, "gives up 'usb', but the buses that can be given up are i2c, spi, serial"),
        ((SEAT,), {"gives_up": ("eeprom",)}, "gives up 'eeprom', but the buses that can be given up are i2c, spi, serial"),
        ((SEAT,), {"camera": 23}, "GPIO 23 is used 2 times, by green of seat 1 and the camera lamp"),
        ((SEAT,), {"camera": 7, "chain": True}, "the camera lamp is on GPIO 7, which belongs to spi"),
        ((PIXEL,), {"pixels": True, "gives_up": ("spi",)}, "the string of pixels needs spi, which the map gives up"),
        ((PIXEL,), {"pixels": True, "chain": True}, "lamps hang on the chain or on the string of pixels, not on both"),
        ((SEAT,), {"gives_up": ("spi",), "chain": True}, "the chain of slot lamps needs spi, which the map gives up"),
    ],
)
def test_what_a_map_may_not_do(seats: tuple[SeatPins, ...], more: dict[str, object], sentence: str) -> None:
    with pytest.raises(PinError) as refused:
        PinMap("X", seats, **more)  # type: ignore[arg-type]
    assert str(refused.value) == f"pin map X: {sentence}"


@pytest.mark.parametrize(
    ("seat", "chain", "sentence"),
    [
        (SeatPins((22,), 4), False, "a seat lamp has 2 pins (red, green) or 3 (red, green, blue), not 1"),
        (SeatPins((22, 23), 4, (17, 27)), False, "a mat has 5 slot lamps or none, not 2"),
        (SeatPins((), 4), False, "a seat lamp has 2 pins (red, green) or 3 (red, green, blue), not 0"),
        (SeatPins((22, 23), 4, (17, 27, 24, 25, 5)), True, "slot lamps hang on pins or on the chain, not on both"),
    ],
)
def test_what_a_seat_may_not_have(seat: SeatPins, chain: bool, sentence: str) -> None:
    with pytest.raises(PinError) as refused:
        PinMap("X", (seat,), chain=chain)
    assert str(refused.value) == f"pin map X, seat 1: {sentence}"


def test_a_bus_that_is_given_up_is_free() -> None:
    assert PinMap("X", (replace(SEAT, button=3),), gives_up=("i2c",)).seats[0].button == 3


def test_a_seat_of_the_string_has_no_pins_of_its_own() -> None:
    with pytest.raises(PinError) as refused:
        PinMap("X", (SEAT,), pixels=True)
    assert str(refused.value) == (
        "pin map X, seat 1: with a string of pixels, lamps of seats and slots have no pins of their own"
    )


def test_everything_that_is_wrong_is_said_at_once_and_once() -> None:
    with pytest.raises(PinError) as refused:
        PinMap("X", (SeatPins((22, 22), 0), SeatPins((24,), 40)), gives_up=("usb",))
    assert str(refused.value).splitlines() == [
        "pin map X: gives up 'usb', but the buses that can be given up are i2c, spi, serial",
        "pin map X, seat 2: a seat lamp has 2 pins (red, green) or 3 (red, green, blue), not 1",
        "pin map X: GPIO 22 is used 2 times, by red of seat 1 and green of seat 1",
        "pin map X: the button of seat 1 is on GPIO 0, which belongs to eeprom",
        "pin map X: the button of seat 2 is on GPIO 40, but the header has GPIO 0 to 27",
    ]


@pytest.mark.parametrize("pins", PIN_MAPS.values(), ids=PIN_MAPS)
@pytest.mark.parametrize("revision", [0xD04170, 0xC03114, 0x902120], ids=["Pi 5", "Pi 4", "Zero 2 W"])
def test_the_header_of_every_board_takes_every_map(pins: PinMap, revision: int) -> None:
    check_header(pins, PiBoardInfo.from_revision(revision))


def test_a_pin_that_the_board_has_not_got_is_refused_with_the_board() -> None:
    with pytest.raises(PinError) as refused:
        check_header(HUB, PiBoardInfo.from_revision(0x0002))
    assert str(refused.value) == (
        "pin map A: the button of seat 2 is on GPIO 5 and red of seat 3 is on GPIO 12 and green of seat 3 is on GPIO 16 and the"
        " button of seat 3 is on GPIO 6 and red of seat 4 is on GPIO 20 and red of seat 5 is on GPIO 19 and green of seat 5 is on"
        " GPIO 26 and the button of seat 5 is on GPIO 27 and the buzzer is on GPIO 13, which a Raspberry Pi B does not have"
    )
