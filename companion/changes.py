"""What each audience of a table is shown, and waiting for something newer, until nothing changes any more."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from companion.views import View

T = TypeVar("T")

HELD_S = 2.0
"""Whoever is so little behind is told every view in its order; whoever is further behind only wants the newest."""
HELD_VIEWS = 64
"""So many at most are held for that, of each audience."""


class Changes(threading.Condition):
    """A condition that can end: from then on nobody waits."""

    def __init__(self) -> None:
        super().__init__()
        self._ended = False

    def wait_for(self, predicate: Callable[[], T], timeout: float | None = None) -> T | bool:  # type: ignore[override]
        """Wait until `predicate` holds, `timeout` seconds have passed, or there is nothing to wait for."""
        return super().wait_for(lambda: self._ended or predicate(), timeout)

    def end(self) -> None:
        """Wake everybody who waits."""
        with self:
            self._ended = True
            self.notify_all()


class Publication(Changes):
    """The view of every audience: of everybody, under the key None, and of whoever may see more."""

    def __init__(self, first: Mapping[int | None, View], clock: Callable[[], float]) -> None:
        """`clock`: the table's time, in seconds."""
        super().__init__()
        self._clock = clock
        self._held = {audience: deque([(clock(), view)], HELD_VIEWS) for audience, view in first.items()}

    def view(self, audience: int | None) -> View:
        """The newest one; an audience without a view of its own has everybody's."""
        with self:
            return self._of(audience)[-1][1]

    def follow(self, audience: int | None, version: int, timeout: float) -> View:
        """The view that follows `version`, as soon as there is one, or the newest after `timeout` seconds."""
        with self:
            held = self._of(audience)
            self.wait_for(lambda: held[-1][1].version > version, timeout)
            return self.missed(audience, version) or held[-1][1]

    def missed(self, audience: int | None, version: int) -> View | None:
        """The view that follows `version`, if it is of the last moment."""
        with self:
            since = self._clock() - HELD_S
            return next((view for at, view in self._of(audience) if at >= since and view.version > version), None)

    def publish(self, fresh: Callable[[int | None], View]) -> None:
        """Show every audience its `fresh` view, under the next version, where more than the time is new."""
        with self:
            now, told = self._clock(), False
            for audience, held in self._held.items():
                shown, view = held[-1][1], fresh(audience)
                if replace(view, version=shown.version, time=shown.time) != shown:
                    held.append((now, replace(view, version=shown.version + 1)))
                    told = True
            if told:
                self.notify_all()

    def _of(self, audience: int | None) -> deque[tuple[float, View]]:
        return self._held.get(audience) or self._held[None]
