"""A series of games on the virtual table, in one process or several."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import threading
import time as clocks
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from companion.cards import Card
from companion.errors import OptionError
from companion.games import find_game
from companion.games.base import Game
from firmware.errors import RigError
from firmware.outfolder import writing_to
from firmware.virtual.kinds import kind_of
from firmware.virtual.measure import Figures
from firmware.virtual.play import Settings, play_game
from firmware.virtual.rendered import Link, ProcessLink, RenderedTable, Tamper, open_deck, save_png
from firmware.virtual.scenes import sloppy_pose
from firmware.virtual.world import Board, Pose, World
from vision.frame import Image
from vision.synthetic.scene import Difficulty


@dataclass(frozen=True, slots=True)
class Saver:
    """Keeps the first picture of every scene, and the truth beside it."""

    folder: Path

    def begin(self) -> None:
        """Forget the truth of an earlier run into the same folder."""
        (self.folder / "truth.jsonl").unlink(missing_ok=True)

    def keep(self, board: Board, number: int, time: float, image: Image, world: World) -> None:
        name = f"{board.name}-{number:06d}.png"
        seen = [world.ideal(place) for place in board.places]
        windows = [str(one) if isinstance(one, Card) else one.value for one in seen]
        line = {"image": name, "camera": board.name, "time": round(time, 3), "windows": windows}
        with writing_to(self.folder):
            save_png(self.folder / name, image)
            with (self.folder / "truth.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")


def run_games(
    settings: Settings,
    games: int,
    jobs: int = 1,
    save: Path | None = None,
    *,
    open_link: Callable[[], Link] = ProcessLink,
    tamper: Tamper | None = None,
) -> Figures:
    """Play `games` games and sum their figures; the outcome does not depend on `jobs`.

    `open_link` and `tamper` put something else than the shipped table at the other end, or something between.
    Raise `OptionError`, `StyleError` or `DeckError` for settings that name what there is not, and `RigError` when the
    table's process dies; `RecordingError` when pictures cannot be saved.
    """
    check(settings)
    if jobs <= 1:
        return _some_games(settings, range(games), save, open_link, tamper)
    total = Figures()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, games), mp_context=context, initializer=_end_with, initargs=(os.getpid(),)) as pool:
        shares = [range(start, games, jobs) for start in range(min(jobs, games))]
        for figures in pool.map(_share, [(settings, share, save) for share in shares]):
            total.add(figures)
    total.notes.sort(key=_game_of)
    return total


def _end_with(parent: int) -> None:
    """Let this worker end when its parent is gone: a pool whose owner was killed would play on for nobody."""

    def watch() -> None:
        while os.getppid() == parent:
            clocks.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, name="parent watch", daemon=True).start()


def _game_of(note: str) -> int:
    return int(note.split(":")[0].removeprefix("game "))


def check(settings: Settings) -> None:
    """Refuse settings before any process is started."""
    game = find_game(settings.game)
    if settings.hard_mode and "hard_mode" not in settings.options:
        raise OptionError(f"{game.name} has no hard mode: cards may be looked at in it")
    game.start(settings.seats, game.options(settings.options))
    open_deck(settings.deck, settings.art)


def _share(work: tuple[Settings, range, Path | None]) -> Figures:
    settings, numbers, save = work
    return _some_games(settings, numbers, save, ProcessLink, None)


def _some_games(
    settings: Settings, numbers: Sequence[int], save: Path | None, open_link: Callable[[], Link], tamper: Tamper | None
) -> Figures:
    cv2.setNumThreads(1)
    total = Figures()
    link = open_link()
    try:
        for number in numbers:
            total.add(_one_game(settings, number, save, link, tamper))
    except ConnectionError as fault:
        raise RigError(str(fault)) from fault
    finally:
        link.close()
    return total


def _saver(folder: Path, sitting: int, session: bool) -> Saver:
    """For one sitting; the hands of a session have folders of their own, since each begins to count its frames anew."""
    own = folder / f"hand{sitting:02d}" if session else folder
    with writing_to(own):
        own.mkdir(parents=True, exist_ok=True)
        saver = Saver(own)
        saver.begin()
    return saver


def _one_game(settings: Settings, number: int, save: Path | None, link: Link, tamper: Tamper | None) -> Figures:
    started = clocks.process_time()
    opened: list[RenderedTable] = []

    def open_table(game: Game[Any], settings: Settings, world: World, rng: random.Random) -> RenderedTable:
        saver = None if save is None else _saver(save / f"game{number:03d}", len(opened), kind_of(game).session)
        opened.append(RenderedTable(link, settings, world, rng, tamper=tamper, keep=None if saver is None else saver.keep))
        return opened[-1]

    def make_pose(rng: random.Random) -> Pose:
        difficulty: Difficulty = settings.difficulty  # type: ignore[assignment]  # checked by the command line
        return sloppy_pose(difficulty, rng)

    game = find_game(settings.game)
    # Games that are played at the same time know nothing of each other.
    figures, _ = play_game(game, settings, number, open_table, make_pose, cheats=kind_of(game).leaning(number))
    figures.cpu_seconds = clocks.process_time() - started + sum(table.cpu_seconds for table in opened)
    figures.notes = [f"game {number}: {note}" for note in figures.notes]
    return figures
