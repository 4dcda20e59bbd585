"""Bets and exchanges that were taken back on the page, or done again: the people at the table follow."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from firmware.virtual.hand_choices import is_told_as
from firmware.virtual.hand_dealing import HandDealing
from firmware.virtual.hand_truth import HandTruth
from firmware.virtual.measure import Turn
from firmware.virtual.stage import Act, Until
from firmware.virtual.talking import PATIENCE, Talk
from firmware.virtual.tidying import lay_as_true
from firmware.virtual.world import World


@dataclass(slots=True)
class HandFollowing:
    """What people know of the hand as it was, by the number of turns that were over."""

    truth: HandTruth
    world: World
    talk: Talk
    dealing: HandDealing
    turns: list[Turn]
    """The turns that stand."""
    _moments: dict[int, tuple[Any, tuple[Turn, ...]]] = field(default_factory=dict)

    def note(self) -> None:
        """Remember the hand before somebody acts; what was taken back before cannot be done again after that."""
        turn = int(self.truth.state.turn)
        self._moments = {number: moment for number, moment in self._moments.items() if number < turn}
        self._moments[turn] = (self.truth.state, tuple(self.turns))

    def made(self) -> None:
        """Remember the hand after an act, which may be taken back and done again."""
        self._moments[int(self.truth.state.turn)] = (self.truth.state, tuple(self.turns))

    @property
    def deciding(self) -> bool:
        """Whether people are asked to agree with something."""
        view = self.talk.stage.view
        return view is not None and view.proposal is not None

    def taken_as_it_lies(self) -> bool:
        """Nobody declares such a table right: cards that lie wrong are laid back."""
        return False

    @property
    def rewound(self) -> bool:
        """Whether the page stands at another moment of this hand than people do: moves were taken back, or done again."""
        view = self.talk.stage.view
        if view is None or view.proposal is not None or view.turn not in self._moments:
            return False
        turn = int(self.truth.state.turn)
        if view.turn < turn:
            return view.redo > 0
        _, turns = self._moments[view.turn]
        return view.turn > turn and bool(turns) and is_told_as(self.truth.game, turns[-1].action, view.last)

    def follow(self) -> Act:
        """Lay the cards as they lay then, and play on from there."""
        while self.rewound:
            yield from self.talk.hands.pause(1.0, 2.0)
            view = self.talk.stage.view
            if view is None or not self.rewound:
                continue
            shown = self.truth.game.shown(self.truth.state)
            self.truth.state, turns = self._moments[view.turn]
            self.turns[:] = turns
            yield from lay_as_true(0, self.truth, self.world, self.talk.hands)
            for place in sorted(self.truth.game.shown(self.truth.state) - shown):
                if self.dealing.scans(place.seat) and self.world.lying(place):
                    yield from self.dealing.scan_anew(place)
            yield Until(lambda: not self.talk.putting_back, PATIENCE)

    def heed_leavers(self) -> None:
        """Whoever has left acts no more; whoever is back does."""
        for seat in () if self.talk.stage.view is None else self.talk.stage.view.seats:
            self.truth.state = self.truth.game.seated(self.truth.state, seat.seat, seat.away)
