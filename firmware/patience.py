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


def patient(timing: Timing, period: float) -> Timing:
    """The same patience, counted from when every camera has looked at what came of the last motion."""
    if period <= QUICK_S:
        return timing
    assert set(STILL) <= {field.name for field in fields(Timing)}
    return replace(timing, **{name: getattr(timing, name) + period for name in STILL})
