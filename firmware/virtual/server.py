"""The table's side of the virtual rig: gets frames, presses and taps, gives back the page.

It runs in a process of its own (`serve`), or in this one for tests that put something of their own inside.
"""

from __future__ import annotations

import time as clocks
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing.connection import Connection
from typing import Any

from companion.cards import Seen
from companion.games import find_game
from companion.inbox import Receipt
from companion.observation import Declaration
from companion.sitting import Seat, Timing
from companion.table import Place
from companion.views import View
from firmware.capture import CaptureSchedule, Deed, tell
from firmware.patience import patient
from firmware.profiles import open_classifier
from firmware.rig import stations
from firmware.table import ReadingTable, open_table
from firmware.virtual.measure import LoggedAction, logged
from firmware.virtual.play import Settings
from vision.classifier import Classifier
from vision.frame import Frame, Image, Light


@dataclass(frozen=True, slots=True)
class Open:
    """Begin a new game."""

    settings: Settings
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One frame of one camera."""

    camera: str
    number: int
    variant: int
    """Frames of a still scene repeat a few pictures; this one's number."""
    image: Image | None
    """None: the same picture as the last shot of this camera and variant."""
    light: Light = Light.STEADY
    dark: Image | None = None
    """Of a shot with a pulse of the lamp: the same without it."""


@dataclass(frozen=True, slots=True)
class Lamps:
    """Ask which cameras of mats whose lamps are switched are to take a picture now, and how."""

    time: float


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One moment: what the cameras took, and what was declared since the last one."""

    time: float
    shots: tuple[Shot, ...]
    said: tuple[Declaration, ...]


@dataclass(frozen=True, slots=True)
class Readings:
    """Ask what is held to lie at each place; for measuring only."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Ask which of the last declarations were refused; for measuring only."""


@dataclass(frozen=True, slots=True)
class Log:
    """Ask for the record of the game; for measuring only."""


Request = Open | Step | Readings | Refused | Log | Lamps


@dataclass(frozen=True, slots=True)
class LogReply:
    entries: tuple[LoggedAction, ...]
    cpu_seconds: float
    """Processor time of the table since the game was opened."""


Deeds = tuple[tuple[str, Deed], ...]
Reply = View | tuple[tuple[Place, Seen], ...] | tuple[str, ...] | LogReply | Deeds | None
BuildTable = Callable[[Settings, int, Callable[[], float]], ReadingTable]
"""Makes the table for one game out of settings, a seed for bots, and the clock."""


@lru_cache(maxsize=2)
def packaged_classifier(profile: str | None = None) -> Classifier:
    """The shipped model, with a taught deck if one is named; loading it once is enough."""
    return open_classifier(profile)


def build_table(settings: Settings, seed: int, clock: Callable[[], float]) -> ReadingTable:
    """The table as everybody gets it."""
    seats = tuple(Seat(f"Seat {number + 1}", source) for number, source in enumerate(settings.all_sources))
    return open_table(
        find_game(settings.game), seats, packaged_classifier(settings.profile), settings.options, settings.row_sight,
        seed=seed, clock=clock, timing=patient(Timing(), settings.period), period=settings.period,
        cameras=stations(settings.all_sources, settings.row_sight, settings.places, settings.overhead),
    )


class TableServer:
    """Answers requests, one game after another."""

    def __init__(self, build: BuildTable = build_table) -> None:
        self._build = build
        self._table: ReadingTable | None = None
        self._settings = Settings()
        self._time = 0.0
        self._pictures: dict[tuple[str, int], Image] = {}
        self._started = 0.0
        self._schedule: CaptureSchedule | None = None
        self._asked: set[str] = set()
        self._receipts: list[Receipt] = []

    def handle(self, request: Request) -> Reply:
        if isinstance(request, Open):
            self._settings, self._time = request.settings, 0.0
            self._pictures.clear()
            self._table = self._build(request.settings, request.seed, lambda: self._time)
            self._started = clocks.process_time()
            mats = [name for name, observer in self._table.observers.items() if observer.layout.mirrored]
            self._schedule = CaptureSchedule(mats) if request.settings.light == "pulsed" else None
            self._asked.clear()
            return None
        table = self._table
        if table is None:
            raise RuntimeError(f"{type(request).__name__} came before any game was opened")
        if isinstance(request, Step):
            return self._step(table, request)
        if isinstance(request, Lamps):
            return self._deeds(request.time)
        if isinstance(request, Readings):
            return table.sitting.readings()
        if isinstance(request, Refused):
            return tuple(receipt.refusal for receipt in self._receipts if receipt.refusal)
        entries = logged(find_game(self._settings.game), table.sitting.log())
        return LogReply(entries, clocks.process_time() - self._started)

    def _step(self, table: ReadingTable, step: Step) -> View:
        self._time = step.time
        self._receipts = [table.hear(declaration) for declaration in step.said]
        for shot in step.shots:
            if shot.image is not None:
                self._pictures[shot.camera, shot.variant] = shot.image
            picture = self._pictures[shot.camera, shot.variant]
            frame = Frame(shot.camera, step.time, shot.number, picture, shot.light, shot.dark)
            table.look(frame)
            if self._schedule is not None and shot.camera in self._asked:
                self._asked.discard(shot.camera)
                tell(self._schedule, table.observers[shot.camera], frame)
        self._miss(step.time)
        return table.work(step.time)

    def _deeds(self, time: float) -> Deeds:
        schedule = self._schedule
        if schedule is None:
            return ()
        found = []
        for camera in schedule.cameras:
            deed = schedule.due(camera, time)
            if deed is None:
                continue
            (schedule.pulsing if deed is Deed.PULSE else schedule.watching)(camera, time)
            self._asked.add(camera)
            found.append((camera, deed))
        return tuple(found)

    def _miss(self, time: float) -> None:
        """Whoever was asked and sent nothing."""
        for camera in sorted(self._asked):
            assert self._schedule is not None
            self._schedule.failed(camera, time)
        self._asked.clear()


def serve(connection: Connection, build: BuildTable = build_table) -> None:
    """Answer requests until the other side hangs up."""
    server = TableServer(build)
    while True:
        try:
            request: Any = connection.recv()
        except EOFError:
            return
        connection.send(server.handle(request))
