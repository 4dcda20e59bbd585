"""How patient the referee has to be with cameras that look seldom."""

from __future__ import annotations

from dataclasses import fields, replace

from companion.limits import QUICK_S
from companion.sitting import Timing
from firmware.camera import BURST

STILL = (
    "confirm", "finish", "undone", "tidy", "accuse", "second_look", "patience", "peek", "peek_current", "ask", "dealt", "begin",
    "press", "press_lapses",
)  # fmt: skip
"""Patience that is counted from the last motion that was seen: what happened since then may not have been looked at yet."""


IN_TURNS_S = 1.0
"""Mats that are looked at less often have cameras that are opened in turns."""


def looks_at_once(period: float) -> int:
    """How many pictures a camera takes each time, where every `period` seconds it is its turn."""
    return BURST if period >= IN_TURNS_S else 1


class Round:
    """When it is the turn of one camera: every `period` seconds from `first` on, for as many pictures as it takes then."""

    def __init__(self, period: float, first: float) -> None:
        self._period, self._due, self._left = period, first, 0

    def looks(self, time: float) -> bool:
        """Whether it takes a picture at `time`; asked once for each moment."""
        if self._left:
            self._left -= 1
            return True
        if time < self._due - 1e-9:
            return False
        self._due = max(self._due + self._period, time)
        self._left = looks_at_once(self._period) - 1
        return True


def patient(timing: Timing, period: float) -> Timing:
    """The same patience, counted from when every camera has looked at what came of the last motion."""
    if period <= QUICK_S:
        return timing
    assert set(STILL) <= {field.name for field in fields(Timing)}
    later = {name: getattr(timing, name) + period for name in STILL}
    # Between two looks in turns a card can be laid back, the button pressed, and the card taken up again to look at it.
    kept = timing.hold if period >= IN_TURNS_S else timing.hold_pressed
    return replace(timing, **later, hold_pressed=kept)
