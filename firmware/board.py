"""Lamps, buttons and buzzer of one board together, or their absence."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from companion.cues import Cue
from companion.observation import Declaration
from firmware.buttons import Buttons
from firmware.buzzer import Buzzer
from firmware.gpio import Factories
from firmware.lamps import Lamps
from firmware.pins import PinMap


class Board(Protocol):
    """What shows cues."""

    def show(self, cues: Iterable[Cue], time: float) -> None:
        """Show `cues` as they look and sound at `time` (seconds of the table's clock)."""
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
    ) -> None:
        """`post` takes the presses, with times of `clock`; it is called from gpiozero's thread."""
        self._lamps = Lamps(pins, factories, first_seat)
        self._buttons = Buttons(pins, factories, post, clock, first_seat)
        self._buzzer = None if pins.buzzer is None else Buzzer(pins.buzzer, factories)
        self._factories = factories

    def show(self, cues: Iterable[Cue], time: float) -> None:
        """Set lamps and buzzer to what `cues` say at `time`."""
        cues = tuple(cues)
        self._lamps.show(cues, time)
        if self._buzzer:
            self._buzzer.show(cues, time)

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
) -> LitBoard:
    """The board on `factories`, or one that does nothing where there are no pins."""
    return NoBoard() if factories is None else PinBoard(pins, factories, post, clock, first_seat)
