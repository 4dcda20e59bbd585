"""Slot lamps on a chain of 74HC595 shift registers: 25 lamps on three pins."""

from __future__ import annotations

from collections.abc import Sequence

from gpiozero import Factory, SPIDevice

from firmware.lights import DARK, Picture

CLOCK, DATA, UNUSED, LATCH = 11, 10, 9, 8


class SlotChain(SPIDevice):  # type: ignore[misc]  # gpiozero has no types
    """`lamps` lamps; lamp 0 is output A of the register next to the Pi."""

    def __init__(self, lamps: int, factory: Factory) -> None:
        super().__init__(clock_pin=CLOCK, mosi_pin=DATA, miso_pin=UNUSED, select_pin=LATCH, pin_factory=factory)
        self._registers = -(-lamps // 8)
        self._lamps = lamps
        self.show([False] * lamps)

    def show(self, lit: Sequence[bool]) -> None:
        """Light the lamps: one value each.  The latch takes all of them at once when the bus lets go of it."""
        if len(lit) != self._lamps:
            raise ValueError(f"{len(lit)} values for {self._lamps} slot lamps")
        word = sum(1 << lamp for lamp, on in enumerate(lit) if on)
        # What is sent first is pushed on to the register farthest away.
        self._spi.transfer(list(word.to_bytes(self._registers, "big")))

    def close(self) -> None:
        """Put the lamps out and let go of the bus."""
        if not self.closed:
            self.show([False] * self._lamps)
        super().close()


class ChainLights:
    """The slot lamps of all places on one chain, place by place.  They have one colour, and burn or not."""

    def __init__(self, places: int, lamps: int, factory: Factory) -> None:
        """`lamps`: how many each place has."""
        self._chain = SlotChain(places * lamps, factory)

    def show(self, picture: Picture, /) -> None:
        self._chain.show([colour != DARK for place in picture.slots for colour in place])

    def close(self) -> None:
        self._chain.close()
