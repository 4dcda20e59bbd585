"""How the table lay when the page and the cards agreed last, and the way from there to where the page wants it."""

from __future__ import annotations

from dataclasses import replace

from companion.table import Area, Place, slot
from companion.views import MoveView, View
from firmware.virtual.layouts import Layout, captured, hidden_again, made, taken_back
from firmware.virtual.world import World


class Agreed:
    """What people remember of the table.  All that is known of undo and redo stands on the page."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.now: Layout | None = None
        """The table as it was agreed last; None before the first move."""
        self._count = 0
        """So many moves stood then."""
        self._last: MoveView | None = None
        self._before: Layout | None = None
        """How it lay before the newest of these moves."""
        self._wanted: tuple[int, Layout] | None = None
        """While moves are taken back or done again: how many stand on the page, and how the table has to lie for them."""

    def forget(self) -> None:
        """All cards were gathered."""
        self.now = self._before = self._last = self._wanted = None
        self._count = 0

    def see(self, view: View) -> bool:
        """Heed what the page says; whether a move was added, changed or taken back."""
        if view.steps:
            path = self.path(view)
            self._wanted = (view.undo, path[-1][1]) if path else None
            return False
        last = None if view.last is None else replace(view.last, provisional=False, by_hand=False)
        if (view.undo, last) == (self._count, self._last):
            self._wanted = None
            return False
        if view.violation is not None and view.undo == self._count:
            return False
        self._settle(view, last)
        self._count, self._last, self._wanted = view.undo, last, None
        return True

    def _settle(self, view: View, last: MoveView | None) -> None:
        if self._wanted is not None and self._wanted[0] == view.undo:
            self.now, self._before = self._wanted[1], None
            return
        if view.undo < self._count:
            # Taken back without a card being moved: it was only announced, or nothing lay otherwise before it.
            return
        base = self._before if view.undo == self._count else self.now
        lies = captured(self._world)
        told = None if base is None or last is None else made(base, last)
        self.now = told if told is not None and last is not None and _fits(told, lies, last) else lies
        self._before = base if base is not None or last is None else taken_back(self.now, last)

    def path(self, view: View) -> list[tuple[int | None, Layout]] | None:
        """The page's list of steps as layouts, each with the seat whose move it is; None where nobody remembers the table."""
        if self.now is None:
            return None
        layout = self.now
        path: list[tuple[int | None, Layout]] = []
        for step in view.steps:
            after = taken_back(layout, step.move) if step.back else made(layout, step.move)
            if after is None:
                return None
            layout = after
            path.append((step.move.seat, layout))
        return path

    def wanted(self, view: View) -> Layout | None:
        """How the cards have to lie for the page to be content."""
        path = self.path(view)
        layout = self.now if not path else path[-1][1]
        return hidden_again(layout) if layout is not None and view.turn_down else layout


def _fits(told: Layout, lies: Layout, move: MoveView) -> bool:
    """Whether the cards of the move really lie as it says; what else is going on at the table is no part of it."""
    places: list[Place] = [place for place in told if place.area is Area.ROW]
    if move.seat is not None and move.slot is not None:
        places.append(slot(move.seat, move.slot))
    if move.victim is not None and move.victim_slot is not None:
        places.append(slot(move.victim, move.victim_slot))
    return all([piece for piece, _ in told[place]] == [piece for piece, _ in lies[place]] for place in places)
