"""What everybody on the bus may know of a table: the view of a spectator, and what somebody has to decide."""

from __future__ import annotations

import json
from dataclasses import asdict
from enum import Enum
from typing import Any

from companion.views import View

HIDDEN = ("version", "time")
"""Of the view: counters of this program, which say nothing to others."""


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    raise TypeError(f"{type(value).__name__} has no place in a public view")


def public_view(view: View) -> dict[str, Any]:
    """The spectator's view as JSON has it."""
    found: dict[str, Any] = json.loads(json.dumps(asdict(view), default=_plain))
    return {key: value for key, value in found.items() if key not in HIDDEN}


def view_bytes(view: View) -> bytes:
    """The retained message with the view."""
    return json.dumps(public_view(view), separators=(",", ":"), sort_keys=True).encode()


def asks(view: View) -> str:
    """What the table waits for somebody to decide: ``stopped``, ``violation``, ``question``, ``proposal``, or nothing."""
    if view.stopped:
        return "stopped"
    if view.violation is not None:
        return "violation"
    if view.question is not None:
        return "question"
    return "" if view.proposal is None else "proposal"


def alert_bytes(view: View) -> bytes:
    """The retained message that rings the referee's phone; empty, which takes it away, while nothing has to be decided."""
    what = asks(view)
    if not what:
        return b""
    kind = view.violation.error if what == "violation" and view.violation else ""
    number = 0
    if what == "question" and view.question:
        kind, number = view.question.kind, view.question.id
    if what == "proposal" and view.proposal:
        kind, number = view.proposal.kind, view.proposal.id
    seats = () if view.violation is None else view.violation.seats
    told = {"game": view.game, "turn": view.turn, "asks": what, "kind": kind, "number": number, "seats": seats}
    return json.dumps(told, separators=(",", ":"), sort_keys=True).encode()


def context_of(view: View) -> str:
    """What the lamps of this view are about: a press for another context answers something else."""
    question = 0 if view.question is None else view.question.id
    return f"{view.turn}/{view.current}/{question}/{asks(view)}/{view.phase}"
