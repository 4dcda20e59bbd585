"""Cues of the table -> the buzzer.  It sounds once when something begins; what lasts is shown by lamps and page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gpiozero import Buzzer as BuzzerPin

from companion.cues import Cue, Meaning
from firmware.gpio import Factories

SOUNDS: Mapping[Meaning, tuple[tuple[float, float], ...]] = {
    Meaning.STOPPED: ((0.0, 0.75),),
    Meaning.VIOLATION: ((0.0, 0.125), (0.25, 0.375), (0.5, 0.625)),
    Meaning.QUESTION: ((0.0, 0.5),),
    Meaning.OVER: ((0.0, 0.5), (0.625, 0.75), (0.875, 1.0)),
    Meaning.FINAL_TURNS: ((0.0, 0.125), (0.25, 0.75)),
    Meaning.TROUBLE: ((0.0, 0.0625),),
}
"""When the buzzer sounds, in seconds from the beginning of what it tells; the more important first."""


class Buzzer:
    """An active buzzer: it only needs to be switched."""

    def __init__(self, pin: int, factories: Factories) -> None:
        self._pin = BuzzerPin(pin, pin_factory=factories.pins)
        self._before: frozenset[Meaning] = frozenset()
        self._sound: tuple[tuple[float, float], ...] = ()
        self._since = 0.0

    def show(self, cues: Iterable[Cue], time: float) -> None:
        """Begin a sound when `cues` tell something new, and go on with the one that is under way at `time` (seconds)."""
        now = frozenset(cue.meaning for cue in cues)
        new = [meaning for meaning in SOUNDS if meaning in now - self._before]
        self._before = now
        if new:
            self._sound, self._since = SOUNDS[new[0]], time
        self._pin.value = any(start <= time - self._since < end for start, end in self._sound)

    def close(self) -> None:
        """Fall silent and let go of the pin."""
        self._pin.close()
