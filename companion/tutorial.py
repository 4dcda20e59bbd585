"""A first game: which step a newcomer is at.  A step is done when the table has seen it, not when somebody has clicked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from companion.views import SlotShows, View


class Lesson(Enum):
    """The steps, in their order."""

    DEAL = "deal"
    LOOK = "look"
    DRAW = "draw"
    STEAL = "steal"
    LOCK = "lock"
    TAKE = "take"
    END = "end"
    REVEAL = "reveal"
    DONE = "done"


LESSONS = tuple(Lesson)
STEAL_BACK = "steal_back_locked"


@dataclass(frozen=True, slots=True)
class Tutorial:
    """How far the person at `seat` has come."""

    seat: int
    lesson: Lesson = Lesson.DEAL
    lifted: bool = False
    """He has had a card in his hand since the step began."""
    barred: bool = False
    """The table has told him that a stolen card may not be stolen back yet."""
    since: int = 0
    """Turns that were over when the step began."""

    def after(self, view: View) -> Tutorial:
        """The tutorial after the table has been seen like this."""
        if self.lesson is Lesson.DONE:
            return self
        seen = replace(self, lifted=self.lifted or self._holds(view), barred=self.barred or self._is_barred(view))
        if view.phase == "over" and self.lesson not in (Lesson.END, Lesson.REVEAL):
            # The game has outrun the lessons; what is left of it is still worth a look.
            return replace(seen, lesson=Lesson.REVEAL)
        if not seen._learnt(view):
            return seen
        # Who plays before he has looked at his cards has still made the move that comes next.
        since = self.since if self.lesson is Lesson.LOOK else view.turn
        return Tutorial(self.seat, LESSONS[LESSONS.index(self.lesson) + 1], since=since)

    def _learnt(self, view: View) -> bool:
        last, quiet = view.last, view.violation is None
        own = last is not None and last.seat == self.seat and view.turn > self.since and quiet
        tests = {
            Lesson.DEAL: lambda: all(slot.shows is SlotShows.LYING for seat in view.seats for slot in seat.slots),
            Lesson.LOOK: lambda: (self.lifted and not self._holds(view) and quiet) or own,
            Lesson.DRAW: lambda: own and last is not None and last.kind in ("draw", "discard"),
            Lesson.STEAL: lambda: own and last is not None and last.kind == "steal",
            Lesson.LOCK: lambda: quiet and (self.barred or own),
            Lesson.TAKE: lambda: own and last is not None and last.kind == "take",
            Lesson.END: lambda: view.phase == "over",
            Lesson.REVEAL: lambda: view.result is not None,
        }
        return tests[self.lesson]()

    def _holds(self, view: View) -> bool:
        return any(slot.shows is SlotShows.OUT for slot in view.seats[self.seat].slots)

    def _is_barred(self, view: View) -> bool:
        violation = view.violation
        return violation is not None and violation.error == STEAL_BACK and violation.seat == self.seat

    @property
    def number(self) -> int:
        """Of the step, from 1."""
        return LESSONS.index(self.lesson) + 1

    def waits(self, view: View) -> bool:
        """Whether others are at play now, so that the person can do nothing for his step."""
        begun = self.lesson in (Lesson.DRAW, Lesson.STEAL, Lesson.LOCK, Lesson.TAKE, Lesson.END)
        return begun and view.current != self.seat and view.violation is None

    @property
    def keeps_waiting(self) -> bool:
        """Whether the others let the person do his step before they play on: nobody looks at his cards while one is stolen."""
        return self.lesson is Lesson.LOOK

    def robbed_by(self, view: View) -> tuple[int, int] | None:
        """(seat, slot) where a card lies that was stolen from the person and may not be stolen back yet."""
        return next(((lock.thief, lock.slot) for lock in view.locks if lock.victim == self.seat and lock.slot is not None), None)

    def wish(self, view: View) -> str:
        """What a player across the table does for the lesson: ``draw``, ``discard``, ``steal`` from another, or ``rob`` the
        person."""
        if self.lesson in (Lesson.END, Lesson.REVEAL, Lesson.DONE):
            return "discard"
        if self.lesson is Lesson.LOCK and self.robbed_by(view) is None:
            return "rob"
        # Something has to lie on the row for the lessons to come, and not so much that the end comes before them.
        return "draw" if len(view.row) < 2 else "steal"
