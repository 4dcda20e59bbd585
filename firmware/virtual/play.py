"""One whole game: the script, the clock and a table that must find out what happened."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.cards import Seen
from companion.games.base import Game
from companion.observation import Declaration
from companion.picture import RowSight
from companion.table import Place
from companion.views import View
from firmware.virtual.acting import Manners
from firmware.virtual.cheats import Cheat
from firmware.virtual.measure import KINDS, Figures, LoggedAction, Witness, count_reads, right_turns
from firmware.virtual.players import Script
from firmware.virtual.stage import Act, Stage
from firmware.virtual.truth import Truth, right_result
from firmware.virtual.world import Pose, World

LONGEST_GAME = 4 * 3600.0
"""Seconds of virtual time after which a game counts as stuck."""
LONGEST_STEP = 0.1
"""Presses and views travel at least so often, however seldom the cameras look."""
AT_REST = 0.8
"""A reading is compared with the truth when nothing has moved at its place for so many seconds."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What kind of games are played."""

    game: str = "steal"
    seats: int = 4
    seed: int = 0
    hard_mode: bool = False
    difficulty: str = "normal"
    cheat: float = 0.0
    habits: float = 0.0
    tray: str = "overhead"
    period: float = 0.1
    sources: tuple[str, ...] = ()
    """Per seat; empty: every seat has a mat."""
    deck: str | None = None
    art: str | None = None
    profile: str | None = None
    """The taught deck that the table reads with."""
    first_seat: int = 0
    persons: tuple[int, ...] = ()
    """Seats whose actions somebody taps on the page; the script only moves the cards for them."""
    names: tuple[str, ...] = ()
    """Per seat; empty: the usual ones."""
    places: tuple[int, ...] = ()
    """Per seat the place of the table, with its mat, lamp and button, that is in front of it; empty: that of its own number."""
    rules: tuple[tuple[str, Any], ...] = ()
    """House rules that are not the usual ones."""
    club: bool = False
    """A referee decides, not everybody at the table."""

    @property
    def row_sight(self) -> RowSight:
        return RowSight(self.tray)

    @property
    def all_sources(self) -> tuple[str, ...]:
        return self.sources or ("mat",) * self.seats

    @property
    def options(self) -> dict[str, Any]:
        return {**dict(self.rules), "first_seat": self.first_seat, "hard_mode": self.hard_mode}


class Table(Protocol):
    """A table companion as the script meets it."""

    def step(self, time: float, world: World, said: Sequence[Declaration]) -> View:
        """Let the cameras look at `world` at this moment, hand over what was declared, and see the page."""
        ...

    def readings(self) -> Sequence[tuple[Place, Seen]]:
        """For measuring only: what is held to lie at each watched place."""
        ...

    def log(self) -> Sequence[LoggedAction]:
        """For measuring only: what was ruled."""
        ...

    @property
    def frames(self) -> int:
        """How many frames were looked at."""
        ...

    def close(self) -> None: ...


OpenTable = Callable[[Game[Any], Settings, World, random.Random], Table]
"""Makes the table for one game."""
MakePose = Callable[[random.Random], Pose]


def play_game(
    game: Game[Any], settings: Settings, number: int, open_table: OpenTable, make_pose: MakePose = lambda rng: Pose(),
    cheats: dict[str, int] | None = None, kinds: tuple[str, ...] = KINDS, guest: Callable[[Script], Act] | None = None,
    stays: Callable[[Script], bool] = lambda script: False,
) -> tuple[Figures, Script]:
    """Play game `number` of a series and measure it.

    `cheats` holds how often each kind was committed in games before; `kinds` are those that may be committed.
    `guest` is somebody else at the table, who knows the script and keeps out of its way.  While `stays` holds the people
    sit on when their game is over, and play on if the page goes back behind the end or somebody who had left comes back.
    """
    rng = random.Random(f"{settings.seed}/{number}/script")
    stage = Stage()
    truth = Truth(game, settings.seats, settings.options, random.Random(f"{settings.seed}/{number}/deck"))
    sources = settings.all_sources
    slop = random.Random(f"{settings.seed}/{number}/slop")
    world = World(
        settings.seats, truth.deck, settings.tray, tuple(source == "mat" for source in sources),
        pose=lambda: make_pose(slop), clock=lambda: stage.now,
    )  # fmt: skip
    figures = Figures(games=1)
    witness = Witness(figures)
    cheat = Cheat(settings.cheat, random.Random(f"{settings.seed}/{number}/cheat"), {} if cheats is None else cheats, kinds)
    lively = tuple(rng.random() < settings.habits for _ in range(settings.seats))
    table = open_table(game, settings, world, random.Random(f"{settings.seed}/{number}/rig"))
    script = Script(
        truth, world, stage, Manners(sources, lively, settings.hard_mode, settings.persons), witness, cheat, rng,
        quiet_moment=lambda: _compare(figures, world, table, stage.now),
    )  # fmt: skip
    if guest is not None:
        stage.enter(guest(script))
    try:
        _run(script, stage, world, table, witness, settings.period, stays)
        _conclude(figures, script, table)
    finally:
        table.close()
    return figures, script


def _run(
    script: Script, stage: Stage, world: World, table: Table, witness: Witness, period: float, stays: Callable[[Script], bool]
) -> None:
    over: list[bool] = []

    def whole(act: Act) -> Act:
        yield from act
        over.append(True)

    stage.enter(whole(script.play()))
    tick, step = 0, min(period, LONGEST_STEP)
    while stage.now < LONGEST_GAME:
        if over and (script.page.rewound or script.page.reopened):
            over.clear()
            stage.enter(whole(script.go_on()))
        if over and not stays(script):
            break
        tick += 1
        said = stage.advance(tick * step)
        stage.view = table.step(stage.now, world, said)
        witness.see(stage.view)
        script.page.see(stage.view)


def _compare(figures: Figures, world: World, table: Table, now: float) -> None:
    pairs = []
    places = []
    for place, seen in table.readings():
        if now - world.moved_at(place) >= AT_REST and not world.is_covered(place):
            pairs.append((world.ideal(place), seen))
            places.append(place)
    for truth, reading in count_reads(figures, pairs):
        figures.notes.append(f"{now:.1f}: {truth} was read as {reading}")


def _conclude(figures: Figures, script: Script, table: Table) -> None:
    turns = script.record.turns
    figures.turns = len(turns)
    figures.turns_right = right_turns(turns, table.log())
    figures.reveals = 1
    figures.reveals_right = int(script.record.finished and right_result(script.truth, script.stage.view))
    if not figures.reveals_right:
        figures.notes.append(f"{script.stage.now:.1f}: the reveal is not right")
    if script.stage.view is not None and script.stage.view.deck == "other":
        figures.notes.append(f"{script.stage.now:.1f}: the taught deck does not lie on the table; it was not used")
    figures.frames = table.frames
