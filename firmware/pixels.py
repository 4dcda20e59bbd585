"""Lamps on a string of WS2812 pixels ("NeoPixel"): every lamp of a board on one wire, the data line of SPI 0.

A pixel takes 24 bits, green first, at 800 000 a second, and tells them apart by how long the line is high: about 0.3 microseconds
are a 0, about 0.8 a 1.  (Data sheets of the WS2812B and its successors want 0.22 to 0.38, or 0.25 to 0.55, and 0.58 to 1.)
SPI imitates that with several bits of its own for each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware.errors import RigError
from firmware.gpio import OpenWire
from firmware.lights import Colour, Picture

LATCH_S = 0.0003
"""A string takes what it was sent when the line has rested so long; newer pixels want 0.28 milliseconds."""
LONGEST = 4096
"""Bytes that the SPI driver sends without a pause.  A pause of a fraction of that rest would cut a picture in two."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """How SPI imitates a string's bits."""

    zero: int
    one: int
    bits: int
    """Bits of SPI for each bit of a pixel."""
    speed_hz: int

    @property
    def rest(self) -> bytes:
        """The line low for as long as the string needs to take what it was sent."""
        return bytes(-(-int(LATCH_S * self.speed_hz) // 8))

    def encoded(self, data: bytes) -> bytes:
        """`data` as it goes over the wire, the highest bit first."""
        word = 0
        for byte in data:
            for bit in range(7, -1, -1):
                word = word << self.bits | (self.one if byte >> bit & 1 else self.zero)
        return word.to_bytes(len(data) * self.bits, "big")


ENCODINGS = {3: Encoding(0b100, 0b110, 3, 2_400_000), 8: Encoding(0b11000000, 0b11111000, 8, 6_400_000)}
"""By their `bits`.  Three are the fewest, and send least; with eight every byte ends low, so that short pauses between
bytes, which some SPI drivers make, do no harm."""


class PixelString:
    """`count` pixels.  Colours are red, green, blue, each 0 to 255."""

    def __init__(self, count: int, open_wire: OpenWire, encoding: Encoding = ENCODINGS[3]) -> None:
        """Raise `RigError` where there is no SPI, or where so many pixels are more than it sends without a pause."""
        self._count, self._encoding = count, encoding
        size = len(self._frame([(0, 0, 0)] * count))
        if size > LONGEST:
            raise RigError(f"a string of {count} pixels takes {size} bytes of SPI; at most {LONGEST} go without a pause")
        self._wire = open_wire(encoding.speed_hz)
        # A string burns on as whoever had it before has left it.
        self.show([(0, 0, 0)] * count)

    def show(self, colours: Sequence[tuple[int, int, int]]) -> None:
        """Burn like this: one colour for each pixel, the one next to the Pi first."""
        if len(colours) != self._count:
            raise ValueError(f"{len(colours)} colours for {self._count} pixels")
        self._wire.send(self._frame(colours))

    def _frame(self, colours: Sequence[tuple[int, int, int]]) -> bytes:
        data = bytes(part for red, green, blue in colours for part in (green, red, blue))
        # The line may be high between two frames; low before the first bit, and a rest so that the string takes them.
        return bytes(1) + self._encoding.encoded(data) + self._encoding.rest

    def close(self) -> None:
        """Go dark and let go of the bus."""
        self.show([(0, 0, 0)] * self._count)
        self._wire.close()


class PixelLights:
    """All lamps of a board on one string: for each place its seat lamp and then those of its slots."""

    def __init__(self, places: int, lamps: int, open_wire: OpenWire, brightness: float = 1.0, bits: int = 3) -> None:
        """`lamps`: how many slot lamps a place has; `bits` names one of `ENCODINGS`.  Raises what `PixelString` raises."""
        self._string = PixelString(places * (1 + lamps), open_wire, ENCODINGS[bits])
        self._brightness = brightness

    def show(self, picture: Picture, /) -> None:
        colours = (
            colour for seat, slots in zip(picture.seats, picture.slots, strict=True) for colour in (seat, *slots)
        )  # fmt: skip
        self._string.show([self._bytes(colour) for colour in colours])

    def _bytes(self, colour: Colour) -> tuple[int, int, int]:
        red, green, blue = (round(part * self._brightness * 255) for part in colour.rgb)
        return red, green, blue

    def close(self) -> None:
        self._string.close()
