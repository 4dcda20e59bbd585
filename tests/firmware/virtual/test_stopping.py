"""Play is stopped in the middle of a move and goes on: the move is finished, and the game with it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.games.steal import Steal
from companion.observation import Agree, Call, Declaration
from companion.views import View
from firmware.virtual.ideal import IdealTable
from firmware.virtual.play import Settings, play_game
from firmware.virtual.world import World


class Stopped(IdealTable):
    """A table where somebody presses "Stop" at a moment, and everybody lets play go on after a while."""

    def __init__(self, settings: Settings, at: float, lasts: float) -> None:
        super().__init__(Steal(), settings, 1)
        self._due = [(at, "stop"), (at + lasts, "go_on")]
        self.said: list[str] = []

    def step(self, time: float, world: World, said: Sequence[Declaration]) -> View:
        view = self.sitting.view()
        if self._due and time >= self._due[0][0]:
            _, name = self._due.pop(0)
            self.said.append(name)
            said = (*said, Declaration(time, 0, Call(name)))
        elif view.proposal is not None:
            said = (*said, *(Declaration(time, seat, Agree(view.proposal.id, True)) for seat in view.proposal.waiting))
        return super().step(time, world, said)


@pytest.mark.parametrize(
    ("settings", "at"),
    [
        (Settings(seats=3, seed=7, habits=1.0), 84.2),
        pytest.param(
            Settings(seats=3, seed=7, habits=1.0, sources=("mat", "mat", "bot"), tray="mat"), 48.5, marks=pytest.mark.long
        ),
        (Settings(seats=3, seed=5, habits=1.0, sources=("mat", "mat", "bot"), tray="mat"), 63.9),
    ],
)
def test_a_stop_in_the_middle_of_a_move_leaves_nothing_differing(settings: Settings, at: float) -> None:
    tables = []

    def opened(game, settings, world, rng):
        tables.append(Stopped(settings, at, 2.2))
        return tables[-1]

    figures, script = play_game(Steal(), settings, 0, opened)
    assert tables[0].said == ["stop", "go_on"]
    assert script.record.finished and script.record.revealed, figures.notes
    assert (figures.reveals_right, figures.turns_right) == (1, figures.turns), figures.notes
    assert figures.false_accusations == 0, figures.notes
