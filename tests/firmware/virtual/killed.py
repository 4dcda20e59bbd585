"""A table in a process of its own that is killed without warning, again and again, and started anew on the same record."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time as clocks
from collections.abc import Sequence
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from companion.cards import Seen
from companion.chronicle import Chronicle
from companion.crops import Crop
from companion.evidence import SEALED, Evidence
from companion.games import find_game
from companion.games.base import Game
from companion.journal import Journal, Stamp, game_file
from companion.observation import Declaration, EvidenceRef, Observation, Sighting, Tick
from companion.picturefile import PictureFile, picture_file
from companion.seal import Seal
from companion.sitting import RowSight, Seat, Sitting
from companion.table import Place
from companion.views import View
from firmware.virtual.measure import LoggedAction
from firmware.virtual.play import Settings
from firmware.virtual.world import World

GAME = "fedcba9876543210"
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.firmware.virtual.killed"])


def stamp(time: float) -> Stamp:
    return Stamp(time, datetime.now(UTC))


class NoPictures:
    """Perfect cameras have none; every piece is kept all the same."""

    def crop(self, ref: EvidenceRef, /) -> Crop | None:
        return None


def pictures_in(folder: Path) -> PictureFile:
    return PictureFile(picture_file(folder, GAME), SEALED, free=lambda _: 2**40)


def serve(connection: Connection, folder: Path, settings: Settings, seed: int) -> None:
    """The whole program on the table's side: it goes on from the record, if there is one."""
    path = game_file(folder, GAME)
    journal = Journal.open(path) if path.exists() else Journal.create(path, GAME, {"game": settings.game}, stamp(0.0))
    now = [0.0]
    seats = [Seat(f"Seat {number + 1}", source) for number, source in enumerate(settings.all_sources)]
    seal = Seal.load_or_create(folder)
    sitting = Sitting(
        find_game(settings.game), seats, settings.options, RowSight(settings.tray), seed=seed, clock=lambda: now[0],
        chronicle=Chronicle(journal, seal, stamp), evidence=Evidence(NoPictures(), pictures_in(folder), seal, GAME),
    )  # fmt: skip
    connection.send(sitting.view())
    while True:
        try:
            said = connection.recv()
        except EOFError:
            return
        if said is None:
            log = [(entry.kind, entry.action) for entry in sitting.log()]
            connection.send((log, sitting.readings()))
            continue
        now[0], events = said
        for event in events:
            sitting.post(event)
        sitting.work()
        connection.send(sitting.view())


class KilledTable:
    """A table for `play_game` with perfect cameras.  `kills` moments of the game, chosen by chance, are its process's last."""

    def __init__(self, game: Game[Any], settings: Settings, folder: Path, rng: random.Random, share: float) -> None:
        self.frames = 0
        self.kills = 0
        self.faults: list[str] = []
        self._game, self._settings, self._folder, self._rng, self._share = game, settings, folder, rng, share
        self._seed = rng.randrange(2**31)
        self.view = self._start()

    def _start(self) -> View:
        self._line, theirs = CONTEXT.Pipe()
        self._process = CONTEXT.Process(target=serve, args=(theirs, self._folder, self._settings, self._seed), daemon=True)
        self._process.start()
        theirs.close()
        view: View = self._line.recv()
        return view

    def step(self, time: float, world: World, said: Sequence[Declaration]) -> View:
        events: list[object] = [*said]
        for board in world.boards:
            sightings = tuple(Sighting(place, world.ideal(place), 1.0) for place in board.places)
            events.append(Observation(time, board.places, sightings))
            self.frames += 1
        request = (time, (*events, Tick(time)))
        self._line.send(request)
        if self._rng.random() < self._share:
            self._kill()
            # Whoever got no answer does it again.
            self._line.send(request)
        self.view = self._line.recv()
        return self.view

    def _kill(self) -> None:
        """Somewhere within the work of one step: before it, during it, or after it before anybody has heard of it."""
        clocks.sleep(self._rng.random() * 0.012)
        assert self._process.pid is not None
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.join()
        self._line.close()
        self.kills += 1
        before, again = self.view, self._start()
        if again.turn < before.turn:
            self.faults.append(f"turn {before.turn} was seen, and {again.turn} after the restart")
        if again.turn > before.turn + 1:
            self.faults.append(f"turn {again.turn} after {before.turn}: something was doubled")
        if again.turn == before.turn and (again.row, again.current, again.locks) != (before.row, before.current, before.locks):
            self.faults.append(f"turn {again.turn} looks otherwise after the restart")

    def _ask(self) -> tuple[list[tuple[str, Any]], Sequence[tuple[Place, Seen]]]:
        self._line.send(None)
        answer: tuple[list[tuple[str, Any]], Sequence[tuple[Place, Seen]]] = self._line.recv()
        return answer

    def readings(self) -> Sequence[tuple[Place, Seen]]:
        return self._ask()[1]

    def log(self) -> Sequence[LoggedAction]:
        return [(kind, None if action is None else self._game.action_to_json(action)) for kind, action in self._ask()[0]]

    def close(self) -> None:
        self._line.close()
        self._process.join(5.0)
