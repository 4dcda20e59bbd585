"""A string of pixels: what goes over the wire, bit by bit, and what is refused."""

from __future__ import annotations

import sys

import pytest

from firmware.errors import RigError
from firmware.gpio import DeskWire
from firmware.pixels import ENCODINGS, LONGEST, PixelString
from firmware.spiwire import SpiWire
from tests.firmware.fake_spidev import FakeSpidev


@pytest.fixture
def spidev(monkeypatch: pytest.MonkeyPatch) -> FakeSpidev:
    module = FakeSpidev()
    monkeypatch.setitem(sys.modules, "spidev", module)
    return module


def test_three_bits_for_each_bit() -> None:
    # 0xA5 is 1010 0101.
    assert ENCODINGS[3].encoded(b"\xa5") == int("110 100 110 100 100 110 100 110".replace(" ", ""), 2).to_bytes(3, "big")


def test_a_byte_for_each_bit() -> None:
    high, low = 0b11111000, 0b11000000
    assert ENCODINGS[8].encoded(b"\xa5\x01") == bytes((high, low, high, low, low, high, low, high, *(low,) * 7, high))


@pytest.mark.parametrize("bits", ENCODINGS)
def test_the_line_is_high_as_long_as_the_data_sheets_say(bits: int) -> None:
    encoding = ENCODINGS[bits]
    zero, one = (bin(code).count("1") / encoding.speed_hz * 1e6 for code in (encoding.zero, encoding.one))
    assert 0.25 <= zero <= 0.45 and 0.65 <= one <= 0.95
    assert encoding.bits / encoding.speed_hz == 1 / 800_000


def test_a_whole_frame_over_spidev(spidev: FakeSpidev) -> None:
    string = PixelString(2, SpiWire)
    string.show([(255, 0, 0), (0, 128, 1)])
    string.close()
    ones, zeros = "110" * 8, "100" * 8
    rest = "0" * 720
    dark = "0" * 8 + zeros * 6 + rest
    frame = "0" * 8 + zeros + ones + zeros + "110" + "100" * 7 + zeros + "100" * 7 + "110" + rest
    assert [(mode, speed, "".join(f"{byte:08b}" for byte in sent)) for mode, speed, sent in spidev.transfers] == [
        (0, 2_400_000, dark), (0, 2_400_000, frame), (0, 2_400_000, dark),
    ]  # fmt: skip
    assert spidev.open == []


def test_as_many_pixels_as_go_in_one_piece_and_no_more(spidev: FakeSpidev) -> None:
    most = (LONGEST - 1 - 90) // 9
    string = PixelString(most, SpiWire)
    string.close()
    assert [len(sent) for _, _, sent in spidev.transfers] == [1 + 9 * most + 90] * 2
    with pytest.raises(RigError, match=r"^a string of 446 pixels takes 4105 bytes of SPI; at most 4096 go without a pause$"):
        PixelString(most + 1, SpiWire)


def test_every_pixel_gets_its_colour() -> None:
    string = PixelString(3, DeskWire())
    with pytest.raises(ValueError, match=r"^2 colours for 3 pixels$"):
        string.show([(0, 0, 0)] * 2)


def test_a_machine_without_spidev(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(RigError, match=r"^a string of pixels needs spidev: .* \(on a Pi: apt install python3-spidev\)$"):
        PixelString(1, SpiWire)


@pytest.mark.parametrize(
    ("module", "why"),
    [(FakeSpidev(()), "No such file or directory"), (FakeSpidev(locked=((0, 0),)), "Permission denied")],
    ids=["switched off", "not ours"],
)
def test_a_bus_that_cannot_be_had(monkeypatch: pytest.MonkeyPatch, module: FakeSpidev, why: str) -> None:
    monkeypatch.setitem(sys.modules, "spidev", module)
    with pytest.raises(RigError) as refused:
        SpiWire(2_400_000)
    assert str(refused.value) == (
        f"SPI cannot be had (/dev/spidev0.0): {why};"
        " switch it on with raspi-config, and let the program's user be in the group spi"
    )
    assert module.open == []
