"""The seats' big buttons: a press becomes a declaration in the inbox, and that is all."""

from __future__ import annotations

from collections.abc import Callable

from gpiozero import Button

from companion.observation import Declaration, Press
from firmware.gpio import Factories
from firmware.pins import PinMap

BOUNCE_SECONDS = 0.03
ONE_PRESS_SECONDS = 0.3
"""Presses of one seat that follow each other sooner are one press: a nervous finger means "done" once."""
LET_GO_SECONDS = 0.1
"""A press so soon after the button was let go is its contact that bounces, however long it had been held."""

NEVER = float("-inf")


class Buttons:
    """The buttons of one board.

    gpiozero calls back on a thread of its own, so a press is only handed to `post`, which has to be safe for that.
    """

    def __init__(
        self,
        pins: PinMap,
        factories: Factories,
        post: Callable[[Declaration], object],
        clock: Callable[[], float],
        first_seat: int = 0,
    ) -> None:
        """`clock` is the table's monotonic clock; `first_seat` the seat (from 0) of the board's first button."""
        self._post = post
        self._clock = clock
        self._pressed: dict[int, float] = {}
        self._let_go: dict[int, float] = {}
        self._buttons = []
        for seat, seat_pins in enumerate(pins.seats, first_seat):
            button = Button(seat_pins.button, bounce_time=BOUNCE_SECONDS, pin_factory=factories.pins)
            button.when_pressed = self._presser(seat)
            button.when_released = self._releaser(seat)
            self._buttons.append(button)

    def _presser(self, seat: int) -> Callable[[], None]:
        def pressed() -> None:
            now = self._clock()
            new = now - self._pressed.get(seat, NEVER) >= ONE_PRESS_SECONDS
            if new and now - self._let_go.get(seat, NEVER) >= LET_GO_SECONDS:
                self._pressed[seat] = now
                self._post(Declaration(now, seat, Press(), "button"))

        return pressed

    def _releaser(self, seat: int) -> Callable[[], None]:
        def released() -> None:
            self._let_go[seat] = self._clock()

        return released

    def close(self) -> None:
        """Let go of the pins."""
        for button in self._buttons:
            button.close()
