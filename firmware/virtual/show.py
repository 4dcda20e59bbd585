"""The virtual table for people to look at: games in real time, one after another, on one page with lamps."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic
from typing import Any

from companion.cards import Card, Seen
from companion.cues import cues
from companion.disputes import Dispute, TurnLine
from companion.games import find_game
from companion.games.base import Game
from companion.inbox import Receipt
from companion.observation import Declaration
from companion.sitting import Offer, Seat, Sitting
from companion.table import Place
from companion.views import Role, View
from firmware.board import Board, NoBoard
from firmware.table import ReadingTable, open_table
from firmware.virtual.measure import LoggedAction
from firmware.virtual.play import Settings, play_game
from firmware.virtual.rendered import RenderedTable, direct_link
from firmware.virtual.scenes import sloppy_pose
from firmware.virtual.server import packaged_classifier
from firmware.virtual.strings import PuppetStrings
from firmware.virtual.world import Pose, World
from vision.classifier import Classifier
from vision.synthetic.scene import Difficulty

NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eve")


class StoppedError(Exception):
    """Somebody ended the show; not an error, it only leaves the game quickly."""


class Showcase:
    """What the page follows: the sitting of the game that is played now.  Safe from any thread."""

    def __init__(self, settings: Settings, classifier: Classifier | None = None, phone_peek: bool = False) -> None:
        """`classifier` None: the packaged model."""
        self._classifier = classifier
        self._phone_peek = phone_peek
        self._lock = threading.Lock()
        self._offset = 0
        self._sitting = self._open(settings, 0, lambda: 0.0).sitting

    def build(self, settings: Settings, seed: int, clock: Callable[[], float]) -> ReadingTable:
        """A fresh table for the next game; from now on the page follows it."""
        table = self._open(settings, seed, clock)
        with self._lock:
            # A page only takes what is newer than what it has, so versions go on growing from game to game.
            before = self._sitting
            own = (before.view(Role.SEAT, seat).version for seat in range(len(before.seats)))
            self._offset += max(before.view().version, *own)
            self._sitting = table.sitting
        return table

    def _open(self, settings: Settings, seed: int, clock: Callable[[], float]) -> ReadingTable:
        classifier = self._classifier if self._classifier is not None else packaged_classifier(settings.profile)
        seats = tuple(Seat(NAMES[number], source) for number, source in enumerate(settings.all_sources))
        game = find_game(settings.game)
        return open_table(
            game, seats, classifier, settings.options, settings.row_sight, seed=seed, clock=clock, phone_peek=self._phone_peek
        )

    def _now(self) -> tuple[Sitting, int]:
        with self._lock:
            return self._sitting, self._offset

    def view(self, role: Role = Role.SPECTATOR, seat: int | None = None, /) -> View:
        sitting, offset = self._now()
        return _shifted(sitting.view(role, seat), offset)

    def wait(self, version: int, timeout: float, role: Role = Role.SPECTATOR, seat: int | None = None, /) -> View:
        sitting, offset = self._now()
        return _shifted(sitting.wait(version - offset, timeout, role, seat), offset)

    def now(self) -> float:
        return self._now()[0].now()

    def post(self, event: Declaration, /) -> Receipt:
        return self._now()[0].post(event)

    def offers(self, seat: int, /) -> tuple[Offer, ...]:
        return self._now()[0].offers(seat)

    def claim(self, seat: int, offer_id: int, /) -> Receipt:
        return self._now()[0].claim(seat, offer_id)

    def timeline(self) -> tuple[TurnLine, ...]:
        return self._now()[0].timeline()

    def dispute(self, number: int, place: Place | None = None, /) -> Dispute:
        return self._now()[0].dispute(number, place)

    def likely(self, place: Place, /) -> tuple[Card, ...]:
        return self._now()[0].likely(place)


def _shifted(view: View, offset: int) -> View:
    return replace(view, version=view.version + offset)


class PacedTable:
    """A rendered table whose clock is the one on the wall; it sets the lamps as it goes."""

    def __init__(self, inner: RenderedTable, board: Board, stop: threading.Event, speed: float) -> None:
        """`speed` 2 plays twice as fast as people would."""
        self._inner, self._board, self._stop, self._speed = inner, board, stop, speed
        self._began = monotonic()

    def step(self, time: float, world: World, said: Sequence[Declaration]) -> View:
        if self._stop.wait(max(0.0, self._began + time / self._speed - monotonic())):
            raise StoppedError
        view = self._inner.step(time, world, said)
        self._board.show(cues(view), time)
        return view

    def readings(self) -> Sequence[tuple[Place, Seen]]:
        return ()

    def log(self) -> Sequence[LoggedAction]:
        return self._inner.log()

    @property
    def frames(self) -> int:
        return self._inner.frames

    def close(self) -> None:
        self._inner.close()


class Show:
    """Plays games until it is stopped."""

    def __init__(
        self, settings: Settings, showcase: Showcase, stop: threading.Event, board: Board | None = None, speed: float = 1.0,
        pause: float = 15.0, strings: PuppetStrings | None = None,
    ) -> None:
        """`pause`: seconds on the wall that a result stays on the page.  `strings`: the puppeteer's, where there is one."""
        self._guest = None if strings is None else strings.play
        self._settings, self._showcase, self._stop = settings, showcase, stop
        self._board = board if board is not None else NoBoard()
        self._speed, self._pause = speed, pause
        self.played = 0
        """Games that came to their end."""

    def run(self, games: int | None = None) -> None:
        """Play `games` games, or go on until stopped (None)."""
        link = direct_link(self._showcase.build)

        def open_paced(game: Game[Any], settings: Settings, world: World, rng: random.Random) -> PacedTable:
            return PacedTable(RenderedTable(link, settings, world, rng), self._board, self._stop, self._speed)

        number = 0
        while not self._stop.is_set() and (games is None or number < games):
            try:
                # The first seat moves on by one from game to game.
                settings = replace(self._settings, first_seat=number % self._settings.seats)
                _, script = play_game(
                    find_game(settings.game), settings, number, open_paced, self._pose, guest=self._guest
                )
            except StoppedError:
                return
            self.played += int(script.record.finished)
            number += 1
            self._stop.wait(self._pause / self._speed)

    def _pose(self, rng: random.Random) -> Pose:
        difficulty: Difficulty = self._settings.difficulty  # type: ignore[assignment]  # checked by the command line
        return sloppy_pose(difficulty, rng)
