"""What is being chosen in the setup wizard, screen by screen.  Nothing of it touches the table before somebody begins."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic

from companion.choices import Choices

MOST_DRAFTS = 12
"""So many are kept; the one that was left alone longest makes room."""
BEGUN_S = 60.0
"""Seconds for which a second "begin" leads to the table, too: it was tapped twice, or the answer was lost."""
MOST_FORMER = 40
"""So many former names of a draft's people are kept."""
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
    formerly: tuple[tuple[str, str], ...] = ()
    """What those were called before who were renamed, and their names now: a page may not know yet."""
    mark: str = ""
    """That of the last choice which was taken; a page whose answer was lost sends it again."""

    def seat_of(self, who: str) -> int | None:
        """The seat of somebody by a name, also by the one before; None where nobody of that name sits here any more."""
        names = self.choices.names
        now = who if who in names else dict(self.formerly).get(who)
        return names.index(now) if now in names else None

    def renamed(self, seat: int, name: str) -> Draft:
        """The same with another name for somebody, who is found by the old one, too, until somebody else has it."""
        choices = self.choices.renamed(seat, name)
        before, now = self.choices.names[seat], choices.names[seat]
        known = {old: now if new == before else new for old, new in self.formerly} | {before: now}
        return replace(self, choices=choices, formerly=tuple(known.items())[-MOST_FORMER:])

    def cleared(self) -> Draft:
        """Without the former names that mean nobody, or somebody else, by now."""
        names = self.choices.names
        return replace(self, formerly=tuple((old, new) for old, new in self.formerly if old not in names and new in names))


class Drafts:
    """Every wizard that is open.  Safe from any thread."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        """`clock` in seconds."""
        self._clock = clock
        self._lock = threading.Lock()
        self._drafts: dict[int, tuple[float, Draft]] = {}
        self._last = 0
        self._begun = 0
        self._over: deque[tuple[float, int]] = deque(maxlen=MOST_DRAFTS)

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
            self._over.append((self._clock(), number))

    def just_begun(self, number: int) -> bool:
        """Whether the table was set up by this one a moment ago."""
        with self._lock:
            return any(one == number and self._clock() - when < BEGUN_S for when, one in self._over)
