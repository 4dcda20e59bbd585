"""What a table's cameras cannot see, however well they see: said beforehand, not found out in a quarrel."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

QUICK_S = 0.4
"""Cameras that look at least so often see every hand on its way."""
KEPT_S = 45.0
"""A card that is out of its slot for so long is missed, also where everybody may hold and look at his cards."""
LOOKS = 2
"""So many looks a lift has to last to be seen for what it is."""
TOLD_LATER = 3
"""A ruling waits for so many looks at most: one at the mat, one at the others, and one that may have come to nothing."""


@dataclass(frozen=True, slots=True)
class Rig:
    """A table's cameras, as far as that bears on what they can see."""

    period_s: float
    """Seconds between two looks of the slowest camera."""
    row: str = "overhead"
    """What sees the row of discards: ``overhead``, ``mat`` or ``none``."""

    @property
    def seen_lift_s(self) -> float:
        """A card that is out of its slot for so long is missed by no look."""
        return LOOKS * self.period_s

    @property
    def late_s(self) -> float:
        """A ruling comes at most so much later than at a table whose cameras look all the time."""
        return TOLD_LATER * self.period_s if self.period_s > QUICK_S else 0.0

    @property
    def kept_s(self) -> float:
        """A card that its player kept when he pressed the button is missed after so long at the latest."""
        return KEPT_S + self.late_s


class Limit(Enum):
    """What cannot be seen; each has a sentence of its own."""

    SHORT_LIFT = "short_lift"
    """A card that is lifted and laid back between two looks."""
    BETWEEN = "between"
    """Two moves between two looks: neither which came first, nor what lay there meanwhile."""
    KEPT = "kept"
    """Whether a card was kept when the button was pressed, or was taken up afterwards to look at it."""
    LATE = "late"
    """Rulings come late, so everybody has to wait for the lamp."""
    ROW = "row"
    """Nobody looks at the row."""


def limits(rig: Rig) -> tuple[Limit, ...]:
    """What this rig cannot see."""
    slow = (Limit.SHORT_LIFT, Limit.BETWEEN, Limit.KEPT, Limit.LATE) if rig.period_s > QUICK_S else ()
    return (*slow, *((Limit.ROW,) if rig.row == "none" else ()))


def missable(rig: Rig, shortest_lift_s: float) -> frozenset[str]:
    """The kinds of violations that may pass unseen where people wait for the lamp after each move.

    `shortest_lift_s`: nobody who peeks, or lifts an open card, holds it up for a shorter time than that.  All other kinds leave
    the cards otherwise than the rules allow, so that whoever looks later sees it.
    """
    return frozenset({"peek", "upcard_moved"}) if shortest_lift_s < rig.seen_lift_s else frozenset()
