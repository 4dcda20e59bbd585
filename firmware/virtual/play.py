"""One whole game: the script, the clock and a table that must find out what happened."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Protocol, runtime_checkable

from companion.cards import Seen
from companion.games import find_game
from companion.games.base import Game
from companion.limits import QUICK_S
from companion.observation import Declaration
from companion.picture import RowSight
from companion.table import Place
from companion.views import View
from firmware.virtual.acting import Manners
from firmware.virtual.cheats import Cheat
from firmware.virtual.kinds import AnyScript, Kind, kind_of
from firmware.virtual.measure import Figures, LoggedAction, Witness, count_reads, right_turns
from firmware.virtual.stage import Act, Stage
from firmware.virtual.world import Pose, World

LONGEST_GAME = 4 * 3600.0
"""Seconds of virtual time after which a game counts as stuck."""
LONGEST_STEP = 0.1
"""Presses and views travel at least so often, however seldom the cameras look."""
SLACK = 4
"""So many looks people at a slow table wait longer than at a quick one: they know that its lamps take their time."""
PULSES_S = 1.5
"""So much later a table knows what lies where, if it first has to wait for its lamps."""
UPCARDS = ("overhead", "scan", "tap")
"""How the table learns of open cards on mats."""
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
    light: str = "steady"
    """``steady``, or ``pulsed``: the lamps of the mats only burn for single pictures."""
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
    upcards: str = "scan"
    """How the table learns of open cards on mats: a camera above reads them (``overhead``), each is shown to its window
    (``scan``), or they are tapped in (``tap``)."""
    hands: int = 3
    """How many hands are one game, where a game is a session of hands."""

    @property
    def row_sight(self) -> RowSight:
        return RowSight(self.tray)

    @property
    def overhead(self) -> bool:
        """Whether a camera above the table looks at the mats: where cards lie open there, and it is asked for."""
        return self.upcards == "overhead" and find_game(self.game).upcards

    @property
    def all_sources(self) -> tuple[str, ...]:
        return self.sources or ("mat",) * self.seats

    @property
    def options(self) -> dict[str, Any]:
        """What the game is played by; what it has no word for is left out."""
        known = {field.name for field in fields(find_game(self.game).options({}))}
        asked = {"first_seat": self.first_seat, "hard_mode": self.hard_mode}
        return {**dict(self.rules), **{name: value for name, value in asked.items() if name in known}}


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


@runtime_checkable
class TellsRefusals(Protocol):
    """A table that says what it did not take."""

    def refused(self) -> Sequence[str]:
        """For measuring only: why what was declared at the last step was refused, as the page says it."""
        ...


OpenTable = Callable[[Game[Any], Settings, World, random.Random], Table]
"""Makes the table for one game."""
MakePose = Callable[[random.Random], Pose]


def play_game(
    game: Game[Any], settings: Settings, number: int, open_table: OpenTable, make_pose: MakePose = lambda rng: Pose(),
    cheats: dict[str, int] | None = None, kinds: tuple[str, ...] | None = None, guest: Callable[[Any], Act] | None = None,
    stays: Callable[[Any], bool] = lambda script: False,
) -> tuple[Figures, Any]:
    """Play game `number` of a series and measure it; the answer is the figures and the people of its last sitting.

    `cheats` holds how often each kind was committed in games before; `kinds` are those that may be committed, None for all.
    `guest` is somebody else at the table, who knows the script and keeps out of its way.  While `stays` holds the people
    sit on when their game is over, and play on if the page goes back behind the end or somebody who had left comes back.
    """
    kind = kind_of(game)
    made: dict[str, int] = {} if cheats is None else cheats
    figures = Figures()
    for hand in range(settings.hands if kind.session else 1):
        name = f"{number}.{hand}" if kind.session else f"{number}"
        sitting = _Sitting(game, kind, settings, name, open_table, make_pose, made, kinds)
        script = sitting.play(guest, stays)
        figures.add(sitting.figures)
        if not script.record.finished or hand + 1 == settings.hands:
            break
        following = asdict(game.next_options(script.truth.state))
        settings = replace(settings, rules=tuple(following.items()))
    figures.games = 1
    return figures, script


class _Sitting:
    """One game from the deal to its result, or one hand of a session."""

    def __init__(
        self, game: Game[Any], kind: Kind, settings: Settings, name: str, open_table: OpenTable, make_pose: MakePose,
        cheats: dict[str, int], kinds: tuple[str, ...] | None,
    ) -> None:  # fmt: skip
        seed = f"{settings.seed}/{name}"
        rng = random.Random(f"{seed}/script")
        self.kind, self.period = kind, settings.period
        seldom = settings.period if settings.period > QUICK_S else 0.0
        self.stage = Stage(SLACK * seldom)
        self._at_rest = AT_REST + SLACK * seldom + (PULSES_S if settings.light == "pulsed" else 0.0)
        self.truth = kind.truth(game, settings.seats, settings.options, random.Random(f"{seed}/deck"))
        sources = settings.all_sources
        slop = random.Random(f"{seed}/slop")
        self.world = World(
            settings.seats, self.truth.deck, settings.tray, tuple(source == "mat" for source in sources),
            pose=lambda: make_pose(slop), clock=lambda: self.stage.now, upcards=settings.overhead,
        )  # fmt: skip
        self.figures = Figures(games=1)
        self.witness = Witness(self.figures)
        cheat = Cheat(
            settings.cheat, random.Random(f"{seed}/cheat"), cheats, tuple(kind.cheats) if kinds is None else kinds,
            kind.cheats, kind.seldom,
        )  # fmt: skip
        lively = tuple(rng.random() < settings.habits for _ in range(settings.seats))
        self.table = open_table(game, settings, self.world, random.Random(f"{seed}/rig"))
        self.script: AnyScript = kind.script(
            self.truth, self.world, self.stage, Manners(sources, lively, settings.hard_mode, settings.persons, settings.upcards),
            self.witness, cheat, rng, quiet_moment=self._compare,
        )  # fmt: skip

    def play(self, guest: Callable[[Any], Act] | None, stays: Callable[[Any], bool]) -> AnyScript:
        """Play it and measure it."""
        if guest is not None:
            self.stage.enter(guest(self.script))
        try:
            self._run(stays)
            self._conclude()
        finally:
            self.table.close()
        return self.script

    def _run(self, stays: Callable[[Any], bool]) -> None:
        script, stage = self.script, self.stage
        over: list[bool] = []

        def whole(act: Act) -> Act:
            yield from act
            over.append(True)

        stage.enter(whole(script.play()))
        tick, step = 0, min(self.period, LONGEST_STEP)
        while stage.now < LONGEST_GAME:
            if over and script.goes_on:
                over.clear()
                stage.enter(whole(script.go_on()))
            if over and not stays(script):
                break
            tick += 1
            said = stage.advance(tick * step)
            stage.view = self.table.step(stage.now, self.world, said)
            self.witness.see(stage.view)
            for reason in self.table.refused() if isinstance(self.table, TellsRefusals) else ():
                self.witness.refuse(reason)
            script.see(stage.view)

    def _compare(self) -> None:
        """Hold what is read of places at rest against what lies there."""
        now, pairs = self.stage.now, []
        for place, seen in self.table.readings():
            if now - self.world.moved_at(place) >= self._at_rest and not self.world.is_covered(place):
                pairs.append((self.world.ideal(place), seen))
        for truth, reading in count_reads(self.figures, pairs):
            self.figures.notes.append(f"{now:.1f}: {truth} was read as {reading}")

    def _conclude(self) -> None:
        figures, script, kind, view = self.figures, self.script, self.kind, self.stage.view
        turns = script.record.turns
        figures.turns = len(turns)
        figures.turns_right = right_turns(turns, self.table.log(), kind.turns)
        figures.reveals = 1
        figures.reveals_right = int(script.record.finished and kind.right_result(self.truth, view))
        if not figures.reveals_right:
            figures.notes.append(f"{self.stage.now:.1f}: the reveal is not right")
        if kind.right_payout is not None:
            figures.payouts = 1
            figures.payouts_right = int(script.record.finished and kind.right_payout(self.truth, view))
        if view is not None and view.deck == "other":
            figures.notes.append(f"{self.stage.now:.1f}: the taught deck does not lie on the table; it was not used")
        figures.frames = self.table.frames
