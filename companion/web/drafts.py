"""What is being chosen in the setup wizard, screen by screen.  Nothing of it touches the table before somebody begins."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from companion.choices import Choices

MOST_DRAFTS = 12
"""So many are kept; the one that was left alone longest makes room."""
BUSY_S = 90.0
"""Seconds after the last thing that somebody did with a draft for which others are told that he is there."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What one screen has chosen so far."""

    number: int
    choices: Choices
    based_on: int
    """How often the table had been set up when this began."""
    heard: int | None = None
    """Up to which press of the places' buttons it has listened; None before it does."""
    lamp: int | None = None
    """The place whose lamp is being tried; as many as there are places: all were."""
    dark: tuple[int, ...] = ()
    """The places whose lamps stayed dark."""


class Drafts:
    """Every wizard that is open.  Safe from any thread."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        """`clock` in seconds."""
        self._clock = clock
        self._lock = threading.Lock()
        self._drafts: dict[int, tuple[float, Draft]] = {}
        self._last = 0
        self._begun = 0

    def open(self, choices: Choices) -> Draft:
        """A new one that begins with these."""
        with self._lock:
            self._last += 1
            draft = Draft(self._last, choices, self._begun)
            self._drafts[draft.number] = self._clock(), draft
            while len(self._drafts) > MOST_DRAFTS:
                del self._drafts[min(self._drafts, key=lambda number: self._drafts[number][0])]
            return draft

    def find(self, number: int) -> Draft | None:
        """None for one that is over, or was left alone too long."""
        return self.change(number, lambda draft: draft)

    def change(self, number: int, how: Callable[[Draft], Draft]) -> Draft | None:
        """Change a draft; what `how` raises leaves it as it is."""
        with self._lock:
            found = self._drafts.get(number)
            if found is None:
                return None
            fresh = how(found[1])
            self._drafts[number] = self._clock(), fresh
            return fresh

    def busy(self) -> bool:
        """Whether somebody is at it."""
        return self.others(0)

    def others(self, number: int) -> bool:
        """Whether another screen is at it, too."""
        with self._lock:
            now = self._clock()
            return any(one != number and now - touched < BUSY_S for one, (touched, _) in self._drafts.items())

    def overtaken(self, draft: Draft) -> bool:
        """Whether another screen has set up the table since this draft began."""
        with self._lock:
            return draft.based_on != self._begun

    def done(self, number: int) -> None:
        """The table was set up by this one."""
        with self._lock:
            self._begun += 1
            self._drafts.pop(number, None)
