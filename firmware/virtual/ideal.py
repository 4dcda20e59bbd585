"""The virtual table with a perfect reader: no pictures, so that thousands of games try the referee.

``python -m firmware.virtual.ideal --games 100 --seats 4 --seed 1 --cheat 0.1`` prints the figures of ``viewmat simulate``.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Sequence
from typing import Any

from companion.cards import Seen
from companion.chronicle import Chronicle
from companion.games import find_game
from companion.games.base import Game
from companion.inbox import Receipt
from companion.limits import QUICK_S
from companion.observation import Declaration, Observation, Sighting, Tick
from companion.sitting import RowSight, Seat, Sitting, Timing
from companion.table import Place
from companion.views import View
from firmware.patience import Round, patient
from firmware.virtual.measure import Figures, LoggedAction, logged
from firmware.virtual.play import UPCARDS, Settings, play_game
from firmware.virtual.world import World


class IdealTable:
    """A sitting that is told exactly what lies in sight."""

    def __init__(self, game: Game[Any], settings: Settings, seed: int, chronicle: Chronicle | None = None) -> None:
        """With a `chronicle` the game is recorded; whoever gave it closes it."""
        seats = tuple(Seat(f"Seat {number + 1}", source) for number, source in enumerate(settings.all_sources))
        self.frames = 0
        self._game = game
        self._time = 0.0
        self._period = settings.period
        self._rounds: dict[int, Round] = {}
        self._receipts: list[Receipt] = []
        self.sitting = Sitting(
            game, seats, settings.options, RowSight(settings.tray), patient(Timing(), settings.period), seed=seed,
            clock=lambda: self._time, chronicle=chronicle, upcards=settings.overhead,
        )  # fmt: skip

    def step(self, time: float, world: World, said: Sequence[Declaration]) -> View:
        self._time = time
        self._receipts = [self.sitting.post(declaration) for declaration in said]
        for number, board in enumerate(world.boards):
            if not self._looks(number, len(world.boards), time):
                continue
            sightings = tuple(Sighting(place, world.ideal(place), 1.0) for place in board.places)
            self.sitting.post(Observation(time, board.places, sightings))
            self.frames += 1
        self.sitting.post(Tick(time))
        self.sitting.work()
        return self.sitting.view()

    def _looks(self, number: int, boards: int, time: float) -> bool:
        """Whether it is this camera's turn; quick cameras look all the time."""
        if self._period <= QUICK_S:
            return True
        round_ = self._rounds.setdefault(number, Round(self._period, number * self._period / boards))
        return round_.looks(time)

    def refused(self) -> Sequence[str]:
        return tuple(receipt.refusal for receipt in self._receipts if receipt.refusal)

    def readings(self) -> Sequence[tuple[Place, Seen]]:
        return self.sitting.readings()

    def log(self) -> Sequence[LoggedAction]:
        return logged(self._game, self.sitting.log())

    def close(self) -> None:
        pass


def open_ideal(game: Game[Any], settings: Settings, world: World, rng: random.Random) -> IdealTable:
    """The table for one game."""
    return IdealTable(game, settings, rng.randrange(2**31))


def run_ideal(settings: Settings, games: int, first: int = 0, trace: bool = False) -> Figures:
    """Play a series of games."""
    total = Figures()
    cheats: dict[str, int] = {}
    for number in range(first, first + games):
        figures, script = play_game(find_game(settings.game), settings, number, open_ideal, cheats=cheats)
        figures.notes = [f"game {number} {note}" for note in figures.notes]
        total.add(figures)
        if trace:
            print(*(f"game {number} {line}" for line in script.record.trace), sep="\n", file=sys.stderr)
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="steal")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first game of the series")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cheat", type=float, default=0.0)
    parser.add_argument("--habits", type=float, default=0.0)
    parser.add_argument("--tray", choices=("overhead", "mat", "none"), default="overhead")
    parser.add_argument("--sources", default="")
    parser.add_argument("--hard-mode", action="store_true")
    parser.add_argument("--period", type=float, default=0.1)
    parser.add_argument("--upcards", choices=UPCARDS, default="scan")
    parser.add_argument("--hands", type=int, default=3)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="a house rule")
    parser.add_argument("--trace", action="store_true", help="say on standard error what was really done")
    given = parser.parse_args()
    rules = tuple((name, json.loads(value)) for name, _, value in (one.partition("=") for one in given.option))
    settings = Settings(
        seats=given.seats, seed=given.seed, hard_mode=given.hard_mode, cheat=given.cheat, habits=given.habits, tray=given.tray,
        period=given.period, sources=tuple(filter(None, given.sources.split(","))), game=given.game, upcards=given.upcards,
        hands=given.hands, rules=rules,
    )  # fmt: skip
    print(json.dumps(run_ideal(settings, given.games, given.first, given.trace).to_json(), indent=1))


if __name__ == "__main__":
    main()
