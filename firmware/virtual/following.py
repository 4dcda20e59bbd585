"""The players follow the page back and forth: after undo and redo they lay the cards as it lists them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from companion.observation import Call
from companion.table import slot
from companion.views import View
from firmware.virtual.measure import Turn
from firmware.virtual.stage import Act, Until
from firmware.virtual.talking import PATIENCE, Talk
from firmware.virtual.tidying import lay_as_true
from firmware.virtual.truth import Truth, layout, matches
from firmware.virtual.world import World

MOVES = ("draw", "discard", "steal", "take")
"""Kinds of move on the page that a player makes with cards."""
DELIBERATION = 3600.0
"""Seconds that people may think about what was proposed."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The table at rest, as the players remember it."""

    state: Any
    peak: int
    turns: tuple[Turn, ...]
    """The turns that were made until then."""


def _made_last(moment: Moment, view: View) -> bool:
    """Whether the page's last move is the last one of that moment, as far as it names a move."""
    known = not moment.turns or view.last is None or view.last.seat is None or view.last.kind not in MOVES
    return known or matches(moment.turns[-1].action, view.last)


@dataclass(slots=True)
class Following:
    """What people know of the table as it was, and how they get back to it.

    All that they learn of an undo stands on the page; that they find the cards again is because they moved them.
    """

    truth: Truth
    world: World
    talk: Talk
    turns: list[Turn]
    """The turns made so far; those that were taken back are forgotten."""
    _moments: dict[int, Moment] = field(default_factory=dict)
    """The table by the number of actions that stood then."""
    _standing: int = 0
    """So many actions stood when the cards last lay as the page has them."""
    _most: int = 0
    """The most actions that have stood on the page since nothing waits there any more to be done again."""
    reopened: bool = False
    """A game that was broken off goes on: somebody has come back."""
    _broken: bool = False
    _taken_back: bool = False
    """Moves were taken back on the page since the cards were laid so last; it may have gone on meanwhile."""
    _stood: int = 0
    """So many actions stand on the page now."""

    @property
    def _view(self) -> View | None:
        return self.talk.stage.view

    @property
    def rewound(self) -> bool:
        """Whether the page wants cards moved because somebody took moves back, or did them again."""
        view = self._view
        if view is None:
            return False
        return bool(view.steps) or view.turn_down or view.undo < self._most or self._taken_back

    @property
    def broken_off(self) -> bool:
        """Whether the game has ended because players have left."""
        return self._view is not None and self._view.unranked

    @property
    def deciding(self) -> bool:
        """Whether people are asked to agree with something."""
        return self._view is not None and self._view.proposal is not None

    def see(self, view: View) -> None:
        """A new view of the page.  Players who take a move back with their cards leave nothing to be done again."""
        self._most = max(self._most, view.undo) if view.redo else view.undo
        self._taken_back = self._taken_back or (view.redo > 0 and view.undo < self._stood)
        self._stood = view.undo
        if self._broken and not view.unranked:
            self.reopened = True
        self._broken = view.unranked

    def note(self) -> None:
        """The cards lie as the page has them: remember how, for whoever takes moves back later."""
        view = self._view
        if view is None or self.rewound or view.turn < self.truth.state.turn:
            return
        self.heed_leavers()
        # What was only announced, for a bot or by a tap, nobody has carried out yet.
        announced = view.turn > self.truth.state.turn
        self._standing = view.undo - announced
        if not view.redo:
            self._moments = {number: moment for number, moment in self._moments.items() if number < self._standing}
        self._remember(self._standing)

    def made(self) -> None:
        """A move was made; the page may have taken it already, and somebody may have taken it back."""
        self._remember(self._standing + 1)

    def _remember(self, standing: int) -> None:
        self._moments[standing] = Moment(self.truth.state, self.truth.peak, tuple(self.turns))

    def heed_leavers(self, but: int | None = None) -> None:
        """Whoever has left is passed over, and whoever is back has his turns; not `but`, who still makes a move."""
        for seat in () if self._view is None or self.broken_off else self._view.seats:
            if seat.seat != but:
                self.truth.state = self.truth.game.seated(self.truth.state, seat.seat, seat.away)

    def seats_differ(self, but: int | None = None) -> bool:
        """Whether somebody else than `but` has left or is back, and that was not heeded yet."""
        if self._view is None or self.broken_off:
            return False
        away = {seat.seat for seat in self._view.seats if seat.away}
        return away - {but} != set(self.truth.game.public(self.truth.state).away) - {but}

    def follow(self) -> Act:
        """Lay the cards as the page lists them, until it lists nothing any more."""
        while self.rewound:
            yield from self.talk.hands.pause(1.5, 2.5)
            yield Until(lambda: not self.deciding, DELIBERATION)
            view = self._view
            if view is None or not self.rewound:
                break
            self._taken_back = False
            moment = self._recall(view)
            if moment is None and not view.steps and not view.turn_down:
                # Somebody came or went, and what was announced meanwhile nobody has carried out yet.
                self._most = view.undo
                continue
            who = next((step.move.seat for step in view.steps if step.move.seat is not None), 0)
            if moment is not None:
                self.truth.state, self.truth.peak = moment.state, moment.peak
                self.turns[:] = moment.turns
                self._standing = self._most = view.undo
                yield from lay_as_true(who, self.truth, self.world, self.talk.hands)
                if self._view is not None and self._view.confirm:
                    self.talk.stage.say(who, Call("laid"))
            if not (yield Until(self._news(view), PATIENCE)):
                # Nobody remembers how it lay, or the page does not see it: then it counts as it lies.
                yield from self.talk.take_the_table(who)
                yield Until(lambda: not self.rewound, PATIENCE)
                self.taken_as_it_lies()
                break

    def _news(self, before: View) -> Callable[[], bool]:
        return lambda: not self.rewound or (self._view is not None and self._view.undo != before.undo)

    def _recall(self, view: View) -> Moment | None:
        """How the table lay when as many actions stood as stand now; who came and went between them moved no card."""
        exact = self._moments.get(view.undo)
        if exact is not None and exact.state.turn == view.turn and _made_last(exact, view):
            return exact
        announced = self._moments.get(view.undo - 1)
        if announced is not None and announced.state.turn == view.turn - 1 and not view.steps and view.awaiting:
            # What was taken back is done, and a bot has chosen a move that nobody has carried out yet.
            return announced
        found = [number for number, moment in self._moments.items() if moment.state.turn == view.turn]
        nearest = min(found, key=lambda number: abs(number - view.undo), default=None)
        return None if nearest is None else self._moments[nearest]

    def taken_as_it_lies(self) -> bool:
        """Whether people have said meanwhile that the table is right, though the rules do not: then that is how it is."""
        view = self._view
        if view is None or view.undo <= self._standing or view.violation is not None:
            return False
        made = next((action for action in self.truth.legal() if matches(action, view.last)), None)
        if made is not None:
            self.truth.do(made)
        elif view.last is None or view.last.kind != "as_it_lies":
            return False
        self.truth.state = self.truth.game.laid(self.truth.state, layout(self.world, self.truth.state.table))
        self.truth.peak = max(self.truth.peak, len(self.truth.state.table.row))
        self.note()
        return True

    def lay_anew(self, busy: set[int]) -> Act:
        """Lift the cards that the page wants to read once more, and lay them back."""
        for seat, number in () if self._view is None else self._view.reseat:
            if seat in busy:
                continue
            busy.add(seat)
            place = slot(seat, number)
            piece = self.world.top(place)
            yield from self.talk.hands.lift(seat, place, piece)
            yield from self.talk.hands.pause(1.0, 1.5)
            yield from self.talk.hands.lay(piece, place)
            yield from self.talk.hands.pause(1.0, 1.5)
            busy.discard(seat)


