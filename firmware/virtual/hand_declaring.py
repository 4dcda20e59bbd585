"""High or low: the page keeps to itself what bots and living people have declared until everybody has."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from companion.games.poker_acts import Declare
from companion.views import View
from firmware.virtual.hand_truth import HandTruth
from firmware.virtual.measure import Turn
from firmware.virtual.stage import Act, Stage, Until
from firmware.virtual.talking import PATIENCE

UNKNOWN = "high"
"""What is taken for declared as long as nobody may know."""


@dataclass(slots=True)
class Declaring:
    """What people know of the declarations of one hand."""

    truth: HandTruth
    stage: Stage
    turns: list[Turn]
    _base: Any = None
    """The hand before the first of them."""
    _first: int = 0
    """So many turns were over then."""
    _heard: list[int] = field(default_factory=list)
    """Seats in the order in which they have declared."""
    _actors: tuple[int, ...] = ()
    _at_once: bool = False
    """All of these may declare now; else each does in his turn."""

    @property
    def open(self) -> bool:
        """Whether it is time to declare."""
        game, state = self.truth.game, self.truth.state
        offered = (choice.action for seat in game.actors(state)[:1] for choice in game.choices(state, seat, False))
        return any(isinstance(action, Declare) for action in offered)

    def begin(self) -> None:
        """Somebody declares next."""
        if self._base is None:
            self._base, self._first = self.truth.state, len(self.turns)

    def see(self, view: View) -> None:
        """Heed who has declared: not what, but that stands on the page."""
        if self._at_once:
            now = view.actors if view.phase != "over" else ()
            fresh = [seat for seat in self._actors if seat not in now and seat not in self._heard]
            # Where several have since the page was looked at, it names the last of them.
            last = None if view.last is None else view.last.seat
            self._heard += sorted(fresh, key=lambda seat: seat == last)
        self._actors, self._at_once = view.actors, view.waits == "declare"

    def declared(self, seat: int) -> Declare | None:
        """What to take for the declaration of `seat`; None while it has made none."""
        view = self.stage.view
        made = view is not None and view.turn > self._base.turn and seat not in view.actors
        return Declare(seat, UNKNOWN) if made else None

    def settle(self) -> Act:
        """Everybody has declared, and the page tells what: so it was all along."""
        if self._base is None or self.truth.state.phase != "over":
            return
        yield Until(lambda: bool(self._told()), PATIENCE)
        told, said = self._told(), self.turns[self._first :]
        if not told:
            return
        heard = {seat: number for number, seat in enumerate(self._heard)}
        said.sort(key=lambda turn: heard.get(turn.action["seat"], len(heard)))
        self.truth.state = self._base
        for turn in said:
            turn.action = {**turn.action, "side": told[turn.action["seat"]]}
            self.truth.do(turn.action)
        self.turns[self._first :] = said
        self._base = None

    def _told(self) -> tuple[str, ...]:
        view = self.stage.view
        return view.chips.declared if view is not None and view.chips is not None else ()
