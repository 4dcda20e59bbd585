"""Lamps, buttons and buzzer of one board together, or their absence."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Protocol

from companion.cues import Cue
from companion.observation import Declaration
from firmware.buttons import Buttons
from firmware.buzzer import Buzzer
from firmware.gpio import Factories, check_header, pin_faults
from firmware.lamps import Lamps
from firmware.pins import PinMap

LOG = logging.getLogger(__name__)


class Board(Protocol):
    """What shows cues."""

    def show(self, cues: Iterable[Cue], time: float) -> None:
        """Show `cues` as they look and sound at `time` (seconds of the table's clock)."""
        ...

    def watch(self, on: bool) -> None:
        """Say whether a camera of this board is on."""
        ...

    def close(self) -> None: ...


class LitBoard(Board, Protocol):
    """A board that may have a light under the cards."""

    def light_mats(self, on: bool) -> None:
        """Switch that light."""
        ...


class NoBoard:
    """A table without lamps, buttons and buzzer; the page tells everything."""

    def show(self, cues: Iterable[Cue], time: float) -> None:
        """Nothing to show it with."""

    def watch(self, on: bool) -> None:
        """Nothing to say it with."""

    def light_mats(self, on: bool) -> None:
        """Nothing to switch."""

    def close(self) -> None:
        """Nothing to close."""


class PinBoard:
    """A board on real pins, or on those of the desk."""

    def __init__(
        self,
        pins: PinMap,
        factories: Factories,
        post: Callable[[Declaration], object],
        clock: Callable[[], float],
        first_seat: int = 0,
        brightness: float = 1.0,
        pixel_bits: int = 3,
    ) -> None:
        """`post` takes the presses, with times of `clock`; it is called from gpiozero's thread.

        `brightness` and `pixel_bits` are those of `Lamps`, which raises `RigError` where pixels have no SPI.
        """
        self._factories = factories
        self._lamps = Lamps(pins, factories, first_seat, brightness, pixel_bits)
        self._buttons = Buttons(pins, factories, post, clock, first_seat)
        self._buzzer = None if pins.buzzer is None else Buzzer(pins.buzzer, factories)

    def show(self, cues: Iterable[Cue], time: float) -> None:
        """Set lamps and buzzer to what `cues` say at `time`."""
        cues = tuple(cues)
        self._lamps.show(cues, time)
        if self._buzzer:
            self._buzzer.show(cues, time)

    def watch(self, on: bool) -> None:
        """Switch the lamp that tells of a camera that is on."""
        self._lamps.watch(on)

    def light_mats(self, on: bool) -> None:
        """Switch the light under the cards."""
        self._lamps.light(on)

    def close(self) -> None:
        """Go dark, fall silent and let go of every pin."""
        for device in (self._buttons, self._lamps, self._buzzer):
            if device is not None:
                device.close()
        self._factories.close()


def open_board(
    pins: PinMap,
    factories: Factories | None,
    post: Callable[[Declaration], object],
    clock: Callable[[], float],
    first_seat: int = 0,
    brightness: float = 1.0,
    pixel_bits: int = 3,
) -> LitBoard:
    """The board on `factories`.

    One that does nothing, with a word in the log, where there are no pins, or others than the map names, or where something
    else has them: the table plays on without lamps.
    """
    if factories is None:
        return NoBoard()
    try:
        check_header(pins, factories.pins.board_info)
        return PinBoard(pins, factories, post, clock, first_seat, brightness, pixel_bits)
    except pin_faults() as error:
        LOG.warning("no lamps, buttons and buzzer: %s", error)
        factories.close()
        return NoBoard()
