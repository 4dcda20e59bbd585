"""The virtual table for people to look at: games in real time, one after another, on one page with lamps."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from math import inf
from time import monotonic
from typing import Any

from companion.cards import Seen
from companion.choices import HARD, Choices
from companion.cues import cues
from companion.errors import JournalError, SealError
from companion.games import find_game
from companion.games.base import Game
from companion.inbox import Receipt
from companion.observation import Declaration
from companion.sitting import Seat
from companion.table import Place
from companion.views import View
from firmware.board import Board, NoBoard
from firmware.evening import Evening
from firmware.gauges import Gauges
from firmware.keeping import Kept, demo_record, evidence_of, table_header
from firmware.rig import stations
from firmware.table import ReadingTable, open_table
from firmware.virtual.byhand import ByHand, play_by_hand
from firmware.virtual.consent import Consent
from firmware.virtual.kinds import kind_of
from firmware.virtual.measure import LoggedAction
from firmware.virtual.play import OpenTable, Settings, play_game
from firmware.virtual.players import Script
from firmware.virtual.puppet import VirtualPuppet
from firmware.virtual.rendered import RenderedTable, direct_link
from firmware.virtual.scenes import sloppy_pose
from firmware.virtual.server import packaged_classifier
from firmware.virtual.strings import PuppetStrings
from firmware.virtual.world import Board as WatchedBoard
from firmware.virtual.world import Pose, World
from vision.classifier import Classifier
from vision.frame import Image
from vision.synthetic.scene import Difficulty

LOG = logging.getLogger(__name__)
NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eve")
LOOKED_AWAY_S = 1.0
"""A game that nobody has asked about for so long, by its own clock, has gone on meanwhile."""
PATIENCE_S = 180.0
"""Seconds on the wall that a game which is over waits for people who are still settling something."""


class StoppedError(Exception):
    """Somebody ended the show, wants another game or takes a seat; not an error, it only leaves the game quickly."""


class Showcase(Evening):
    """What the page follows: the sitting of the game that is played now, and its record.  Safe from any thread."""

    def __init__(
        self, settings: Settings, classifier: Classifier | None = None, phone_peek: bool = False, record: bool = False
    ) -> None:
        """`classifier` None: the packaged model.  `record`: keep what is played, apart from real games."""
        self._classifier = classifier
        self._phone_peek = phone_peek
        self._record = record
        self._ordered: Choices | None = None
        self.begun: Choices | None = None
        """What was chosen for the game that is played now; None where nobody has chosen anything yet."""
        self.kept: Kept | None = None
        self.gauges = Gauges()
        """How the cameras of all its games do."""
        super().__init__(self._open(settings, 0, lambda: 0.0).sitting)

    def build(self, settings: Settings, seed: int, clock: Callable[[], float]) -> ReadingTable:
        """A fresh table for the next game; from now on the page follows it."""
        self.close()
        if self._record:
            try:
                self.kept = demo_record(self._header(settings), clock)
            except (JournalError, SealError) as error:
                # A show without a record is better than none.
                LOG.warning("this game is not recorded: %s", error)
        table = self._open(settings, seed, clock)
        self.begin(table.sitting)
        return table

    def order(self, choices: Choices) -> Receipt:
        """Have a game begun with what was chosen, whatever is being played; callable from any thread."""
        self._ordered = choices
        return self.ask_next()

    @property
    def ordered(self) -> bool:
        """Whether somebody waits for a game of other choices."""
        return self._ordered is not None

    def take_order(self) -> Choices | None:
        """What was chosen for the game that begins now, told once."""
        ordered, self._ordered = self._ordered, None
        self.begun = ordered if ordered is not None else self.begun
        return ordered

    def close(self) -> None:
        """End the record of the game that is played now."""
        if self.kept is not None:
            self.kept.chronicle.close()
            self.kept = None

    def _header(self, settings: Settings) -> dict[str, Any]:
        told = {"rig": "virtual", "seed": settings.seed, "cheat": settings.cheat, "habits": settings.habits}
        header = table_header(find_game(settings.game), _seats(settings), settings.options, settings.tray)
        return {**header, "settings": told}

    def _open(self, settings: Settings, seed: int, clock: Callable[[], float]) -> ReadingTable:
        classifier = self._classifier if self._classifier is not None else packaged_classifier(settings.profile)
        return open_table(
            find_game(settings.game), _seats(settings), classifier, settings.options, settings.row_sight, seed=seed,
            cameras=stations(settings.all_sources, settings.row_sight, settings.places, settings.overhead),
            decides="referee" if settings.club else "table",
            clock=clock, phone_peek=self._phone_peek, chronicle=None if self.kept is None else self.kept.chronicle,
            keep=evidence_of(self.kept), gauges=self.gauges,
        )  # fmt: skip


def _seats(settings: Settings) -> tuple[Seat, ...]:
    names = settings.names or NAMES
    return tuple(Seat(names[number], source) for number, source in enumerate(settings.all_sources))


class PacedTable:
    """A rendered table whose clock is the one on the wall; it sets the lamps as it goes."""

    def __init__(
        self, inner: RenderedTable, board: Board, stop: threading.Event, speed: float, leave: Callable[[], bool] = lambda: False,
        consent: Consent | None = None,
    ) -> None:  # fmt: skip
        """`speed` 2 plays twice as fast as people would; `leave` says that the game is given up.  `consent`: of those who play
        by a script."""
        self._consent = consent if consent is not None else Consent(())
        self._view: View | None = None
        self._inner, self._board, self._stop, self._speed, self._leave = inner, board, stop, speed, leave
        self._began = monotonic()

    def step(self, time: float, world: World, said: Sequence[Declaration]) -> View:
        if self._stop.wait(max(0.0, self._began + time / self._speed - monotonic())) or self._leave():
            raise StoppedError
        agreed = () if self._view is None else self._consent.said(self._view, time)
        view = self._view = self._inner.step(time, world, (*said, *agreed))
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


class Parting:
    """How long a game that is over stays on the page: for disputes too, until its time is up or somebody wants the next one."""

    def __init__(self, showcase: Showcase, pause: float, setting_up: Callable[[], bool] = lambda: False) -> None:
        """`pause`: seconds on the wall that a result stays where nobody is settling anything, or `setting_up` the next table."""
        self._showcase, self._pause, self._setting_up = showcase, pause, setting_up
        self._until = 0.0
        self._seen: tuple[float, int] = (-inf, -1)
        """The game's time when it was looked at last, and the version of the page then."""

    def stays(self, script: Script) -> bool:
        """Whether people sit on; asked again and again, from the end of a game on."""
        view, now, (before, version) = script.stage.view, monotonic(), self._seen
        if view is None:
            return False
        if not before <= script.stage.now <= before + LOOKED_AWAY_S:
            # Another game, or this one went on after all and has ended once more.
            self._until = now + self._pause
        # A game that its players gave up has no result to wait for.
        unsettled = (script.record.finished and view.result is None) or view.stopped or view.proposal is not None
        if unsettled and view.version != version:
            self._until = now + PATIENCE_S
        self._seen = script.stage.now, view.version
        return not self._showcase.next_asked and (now < self._until or self._setting_up())


def settings_with(settings: Settings, choices: Choices) -> Settings:
    """The games that were chosen: a seat of taps is played by somebody at the page."""
    sources = tuple(chair.source for chair in choices.chairs)
    rules = choices.rules
    return replace(
        settings, game=choices.game, seats=len(sources), sources=sources, names=choices.names, places=choices.places,
        persons=tuple(seat for seat, source in enumerate(sources) if source == "tap"), hard_mode=bool(rules.pop(HARD, False)),
        rules=tuple(rules.items()), club=choices.preset == "club", profile=choices.deck or None,
    )  # fmt: skip


class Show:
    """Plays games until it is stopped."""

    def __init__(
        self, settings: Settings, showcase: Showcase, stop: threading.Event, board: Board | None = None, speed: float = 1.0,
        pause: float = 15.0, strings: PuppetStrings | None = None, puppet: VirtualPuppet | None = None,
        arrange: Callable[[Choices], None] = lambda choices: None, setting_up: Callable[[], bool] = lambda: False,
    ) -> None:
        """`pause`: seconds on the wall that a result stays on the page.  `strings`: the puppeteer's, where there is one.

        `puppet`: what moves cards in the games that a person plays by hand.  `arrange` is told of other choices when their game
        begins; while somebody is `setting_up` the next table, a game that is over stays.
        """
        self._puppet = puppet if puppet is not None else VirtualPuppet()
        self._puppet.restarts(showcase.ask_next)
        self._guest = None if strings is None else strings.play
        self._arrange, self._setting_up = arrange, setting_up
        self._settings, self._showcase, self._stop = settings, showcase, stop
        self._board = board if board is not None else NoBoard()
        self._speed, self._pause = speed, pause
        self._carried: tuple[tuple[str, Any], ...] = ()
        """Where a session of hands stands: stacks, the dealer, its log."""
        self.played = 0
        """Games, or hands of a session, that came to their end."""

    def run(self, games: int | None = None) -> None:
        """Play `games` games, or go on until stopped (None)."""
        def build(settings: Settings, seed: int, clock: Callable[[], float]) -> ReadingTable:
            table = self._showcase.build(settings, seed, clock)
            self._showcase.answer_next()
            return table

        link = direct_link(build)

        def open_paced(game: Game[Any], settings: Settings, world: World, rng: random.Random) -> PacedTable:
            by_hand = self._puppet.playing
            inner = RenderedTable(link, settings, world, rng, keep=self._filmed if by_hand else None)

            def leave() -> bool:
                """Another table was ordered, or somebody takes a seat in the middle of a show."""
                return self._showcase.ordered or (self._puppet.playing and not by_hand)

            # At a table that is played by hand the others have a say of their own (`Company.votes`).
            scripted = () if by_hand else set(range(settings.seats)) - set(settings.persons)
            return PacedTable(inner, self._board, self._stop, self._speed, leave, Consent(scripted))

        number = first = 0
        parting = Parting(self._showcase, self._pause, self._setting_up)
        while not self._stop.is_set() and (games is None or number < games):
            chosen = self._showcase.take_order()
            if chosen is not None:
                self._settings, first, self._carried = settings_with(self._settings, chosen), number, ()
                self._arrange(chosen)
            # The first seat moves on by one from game to game.
            settings = replace(
                self._settings, first_seat=(number - first) % self._settings.seats, hands=1,
                rules=self._carried or self._settings.rules,
            )  # fmt: skip
            # Those at a table of chips play by the script: nobody there knows yet how to play beside a person who moves cards.
            self._puppet.fit(settings.seats, not kind_of(find_game(settings.game)).session)
            with suppress(StoppedError):
                if self._puppet.playing:
                    self._by_hand(settings, number, open_paced)
                else:
                    self._script(settings, number, open_paced, parting if games is None or number + 1 < games else None)
                self._carried = self._following(settings)
            number += 1

    def _following(self, settings: Settings) -> tuple[tuple[str, Any], ...]:
        """What the next hand of a session begins with; games that are whole by themselves carry nothing."""
        game = find_game(settings.game)
        if not kind_of(game).session:
            return ()
        return tuple(asdict(game.next_options(self._showcase.sitting.agreement.state)).items())

    def _script(self, settings: Settings, number: int, open_paced: OpenTable, parting: Parting | None) -> None:
        _, script = play_game(
            find_game(settings.game), settings, number, open_paced, self._pose, guest=self._guest,
            stays=parting.stays if parting is not None else lambda script: False,
        )  # fmt: skip
        self.played += int(script.record.finished)

    def _by_hand(self, settings: Settings, number: int, open_paced: OpenTable) -> None:
        self._puppet.frames.clear()
        given = ByHand(self._puppet, self._showcase.offers, lambda: not self._showcase.next_asked, self._pose)
        play_by_hand(replace(settings, tray="overhead", sources=(), places=(), persons=()), number, open_paced, given)
        self.played += 1

    def _filmed(self, board: WatchedBoard, number: int, time: float, picture: Image, world: World) -> None:
        self._puppet.frames.take(board.name, picture)

    def _pose(self, rng: random.Random) -> Pose:
        difficulty: Difficulty = self._settings.difficulty  # type: ignore[assignment]  # checked by the command line
        return sloppy_pose(difficulty, rng)
