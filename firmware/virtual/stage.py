"""Virtual time: several people act at once, each one a generator that says how long it waits."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from companion.observation import Agree, Answer, Call, Claim, Declaration, Entry, Press
from companion.views import View


@dataclass(frozen=True, slots=True)
class Until:
    """Wait until `test` holds (the answer is True) or `limit` seconds have passed (False)."""

    test: Callable[[], bool]
    limit: float


Act = Generator["float | Until", bool, Any]
"""One person's doing: yields seconds to wait, or an `Until`."""


@dataclass(slots=True)
class _Actor:
    act: Act
    wake: float
    until: Until | None = None


class Stage:
    """The clock of the virtual table and everybody who acts on it."""

    def __init__(self, slack: float = 0.0) -> None:
        self.now = 0.0
        self.slack = slack
        """So many seconds longer than elsewhere people wait for the page, at a table whose cameras look seldom."""
        self.view: View | None = None
        """The newest public view: all that scripted players see of the companion."""
        self._actors: list[_Actor] = []
        self._said: list[Declaration] = []

    def enter(self, act: Act) -> None:
        """Let somebody begin to act now."""
        self._actors.append(_Actor(act, self.now))

    def say(self, seat: int, what: Press | Claim | Answer | Entry | Call | Agree) -> None:
        """Press a button or tap, now."""
        self._said.append(Declaration(self.now, seat, what))

    def advance(self, time: float) -> tuple[Declaration, ...]:
        """Let everybody act up to `time`; return what was declared on the way, oldest first.

        While play is stopped or paused nobody moves a hand, and goes on afterwards where he was.
        """
        if self.view is not None and (self.view.stopped or self.view.paused):
            return self._hold(time)
        while True:
            due = [actor for actor in self._actors if self._due(actor, time)]
            if not due:
                break
            actor = min(due, key=lambda one: one.wake if one.until is None else max(self.now, 0.0))
            if actor.until is None:
                self.now = max(self.now, actor.wake)
            self._resume(actor)
        self.now = time
        for actor in [one for one in self._actors if one.until is not None and one.wake <= time]:
            self._resume(actor)
        said, self._said = tuple(self._said), []
        return said

    def _hold(self, time: float) -> tuple[Declaration, ...]:
        for actor in self._actors:
            actor.wake += time - self.now
        self.now = time
        said, self._said = tuple(self._said), []
        return said

    def _due(self, actor: _Actor, time: float) -> bool:
        return actor.until.test() if actor.until is not None else actor.wake <= time

    def _resume(self, actor: _Actor) -> None:
        try:
            wish = next(actor.act) if actor.until is None else actor.act.send(actor.until.test())
        except StopIteration:
            self._actors.remove(actor)
            return
        actor.until = wish if isinstance(wish, Until) else None
        actor.wake = self.now + (wish.limit if isinstance(wish, Until) else wish)

    @property
    def idle(self) -> bool:
        """Nobody acts any more."""
        return not self._actors
