"""An evening of recorded games, one after another, with pages that follow: memory, threads and files stay flat.

``python -m tests.firmware.virtual.test_evening`` plays the eight hours and prints the figures of every hour.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import tempfile
import threading
import tracemalloc
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.cards import DECK
from companion.chronicle import Chronicle
from companion.games import find_game
from companion.inbox import Receipt
from companion.journal import Journal, Stamp, game_file, new_game
from companion.observation import CameraReport, Declaration, Trouble, TroubleKind
from companion.seal import Seal
from companion.sitting import Offer, Sitting
from companion.views import Role, View
from companion.web.app import create_app
from firmware.serving import served
from firmware.virtual.ideal import IdealTable
from firmware.virtual.play import Settings, play_game
from firmware.virtual.rendered import RenderedTable, direct_link, open_deck
from firmware.virtual.scenes import sloppy_pose
from firmware.virtual.server import build_table
from vision.synthetic.mat import MAT_SCALE
from vision.synthetic.tray import TRAY_SCALE

HOST = "127.0.0.1"
HOURS = 3600.0
BETWEEN_GAMES_S = 180.0
"""People shuffle, deal and talk."""
ALLOWED_KB = 400
"""What may be more in use after an evening than after its first games: caches fill up to their size."""
ALLOWED_BLOCKS = 4000
"""The same in pieces of memory, where they are only counted: to trace each of them takes four times as long."""
RECORD_KB = 100
"""What the record of a game may need at most for each turn."""


@dataclass
class Follower:
    """What a page follows: the sitting of the game that is played now."""

    sitting: Sitting

    def view(self, role: Role = Role.SPECTATOR, seat: int | None = None, /) -> View:
        return self.sitting.view(role, seat)

    def wait(self, version: int, timeout: float, role: Role = Role.SPECTATOR, seat: int | None = None, /) -> View:
        return self.sitting.wait(version, timeout, role, seat)

    def now(self) -> float:
        return self.sitting.now()

    def post(self, event: Declaration, /) -> Receipt:
        return self.sitting.post(event)

    def offers(self, seat: int, /) -> tuple[Offer, ...]:
        return self.sitting.offers(seat)

    def claim(self, seat: int, offer_id: int, amount: int | None = None, /) -> Receipt:
        return self.sitting.claim(seat, offer_id, amount)


@dataclass
class Use:
    """What the process holds at one moment."""

    traced_kb: int = 0
    """0 where nothing is traced."""
    blocks: int = 0
    resident_kb: int = 0
    threads: int = 0
    files: int = 0
    hours: float = 0.0
    games: int = 0
    records_kb: int = 0

    @classmethod
    def now(cls, hours: float = 0.0, games: int = 0, records_kb: int = 0) -> Use:
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        resident = pages * os.sysconf("SC_PAGE_SIZE") // 1024
        traced = tracemalloc.get_traced_memory()[0] // 1024
        files = len(os.listdir("/proc/self/fd"))
        return cls(traced, sys.getallocatedblocks(), resident, threading.active_count(), files, hours, games, records_kb)


@dataclass
class Evening:
    """Game after game, each with a record; cameras fail now and then, and a page looks in."""

    settings: Settings
    port: int
    page: Follower
    folder: Path
    """Where the records are."""
    time: float = 0.0
    games: int = 0
    right: int = 0
    uses: list[Use] = field(default_factory=list)
    turn_kb: float = 0.0
    """The most that a game's record needed for each turn."""

    def play(self) -> None:
        tables: list[IdealTable] = []
        path = game_file(self.folder, name := new_game())
        journal = Journal.create(path, name, {"game": "steal"}, stamp(0.0))
        chronicle = Chronicle(journal, Seal.load_or_create(self.folder), stamp)

        def open_ideal(game, settings, world, rng):
            tables.append(IdealTable(game, settings, rng.randrange(2**31), chronicle))
            self.page.sitting = tables[0].sitting
            return tables[0]

        with closing(chronicle):
            figures, script = play_game(find_game("steal"), self.settings, self.games, open_ideal)
            self.right += figures.reveals_right
            self.look()
            self.time += script.stage.now + self.linger(tables[0], script)
        self.games += 1
        self.turn_kb = max(self.turn_kb, path.stat().st_size / 1024 / figures.turns)

    def linger(self, table: IdealTable, script) -> float:
        """The result stays on the page for a while; a camera is unplugged meanwhile, and another one comes and goes."""
        start = script.stage.now
        for step in range(0, int(BETWEEN_GAMES_S), 2):
            now = start + step
            troubles = [Trouble(TroubleKind.SILENT, 0, now)] if 20 < step < 60 else []
            troubles += [Trouble(TroubleKind.DARK, 1, now)] if step % 3 == 0 else []
            table.sitting.post(CameraReport(now, tuple(troubles)))
            table.step(now, script.world, ())
        return BETWEEN_GAMES_S

    def look(self) -> None:
        """A page is opened, asks for the state, follows for a moment and is closed."""
        with urllib.request.urlopen(f"http://{HOST}:{self.port}/state.json", timeout=30) as answer:
            assert len(json.load(answer)["view"]["seats"]) == self.settings.seats
        with urllib.request.urlopen(f"http://{HOST}:{self.port}/events", timeout=30) as stream:
            assert stream.readline().startswith(b"retry")

    def note(self) -> Use:
        kept = sum(path.stat().st_size for path in self.folder.iterdir()) // 1024
        self.uses.append(Use.now(round(self.time / HOURS, 2), self.games, kept))
        return self.uses[-1]

    def last_until(self, hours: float) -> Iterator[Use]:
        """Play on, and tell what is held after two games and then after every hour."""
        while self.time < hours * HOURS:
            self.play()
            if self.games == 2 or (self.games > 2 and self.time >= (self.uses[-1].hours // 1 + 1) * HOURS):
                yield self.note()


def stamp(time: float) -> Stamp:
    return Stamp(time, datetime.now(UTC))


@contextmanager
def an_evening(folder: Path, trace: bool = True, **given) -> Iterator[Evening]:
    settings = Settings(seed=4, habits=0.3, **given)
    game = find_game("steal")
    page = Follower(IdealTable(game, settings, 1).sitting)
    if trace:
        tracemalloc.start()
    try:
        with served(create_app(page), HOST, 0) as server:
            yield Evening(settings, server.port, page, folder)
    finally:
        tracemalloc.stop()


def flat(uses: list[Use]) -> None:
    """From the end of the first games on, nothing grows."""
    before, after = uses[0], uses[-1]
    assert after.blocks - before.blocks < ALLOWED_BLOCKS, uses
    assert after.traced_kb - before.traced_kb < ALLOWED_KB, uses
    assert {use.threads for use in uses} == {before.threads}, uses
    # A connection that the page has closed may be open at the server for a moment.
    assert max(use.files for use in uses) - min(use.files for use in uses) <= 3, uses


def recorded(evening: Evening) -> None:
    """Every game has left one file, closed, of the size of a game."""
    names = sorted(path.suffix for path in evening.folder.iterdir())
    assert names.count(".sqlite") == evening.games
    assert set(names) <= {".sqlite", ".key", ".lock"}, names
    assert 0 < evening.turn_kb < RECORD_KB


@pytest.mark.long
def test_some_games_one_after_another_hold_on_to_nothing(tmp_path: Path):
    with an_evening(tmp_path, trace=False, seats=3) as evening:
        for _ in range(3):
            evening.play()
            evening.note()
    assert evening.right == 3
    flat(evening.uses)
    recorded(evening)


@pytest.mark.long
def test_an_evening_of_eight_hours_holds_on_to_nothing(tmp_path: Path):
    with an_evening(tmp_path, trace=False, seats=4) as evening:
        assert len(list(evening.last_until(8.0))) >= 8
        evening.note()
    assert evening.right == evening.games >= 60
    flat(evening.uses)
    recorded(evening)
    assert evening.uses[-1].resident_kb - evening.uses[1].resident_kb < 12_000, evening.uses


def draw_whole_deck() -> None:
    """The deck keeps each picture of a card from the first time that one lies there, for as long as the program runs.

    Some cards come only after many games; then that is no growth.
    """
    art = open_deck(None, None)
    for scale in (MAT_SCALE, TRAY_SCALE):
        for face in (*DECK, "joker", None):
            art.sprite(face, scale)


@pytest.mark.long
def test_games_through_the_cameras_hold_on_to_nothing():
    """The same for what has pixels: few frames, so that games are many."""
    link = direct_link(build_table)
    settings = Settings(seats=3, seed=10, period=0.5)

    def open_rendered(game, settings, world, rng):
        return RenderedTable(link, settings, world, rng)

    uses = []
    tracemalloc.start()
    try:
        draw_whole_deck()
        for number in range(10):
            play_game(find_game("steal"), settings, number, open_rendered, lambda rng: sloppy_pose("normal", rng))
            if number >= 2:
                uses.append(Use.now())
    finally:
        tracemalloc.stop()
    flat(uses)
    assert uses[-1].resident_kb - uses[1].resident_kb < 30_000, uses


def test_a_table_that_is_left_alone_for_hours_holds_on_to_nothing():
    """Nobody plays on, the cameras look, and one of them fails again and again."""
    settings = Settings(seats=3, seed=4)
    tables = []

    def open_ideal(game, settings, world, rng):
        tables.append(IdealTable(game, settings, 1))
        return tables[0]

    _, script = play_game(find_game("steal"), settings, 0, open_ideal)
    table, start = tables[0], script.stage.now
    uses = []
    tracemalloc.start()
    try:
        for step in range(800):
            now = start + 3.0 * step
            failing = (Trouble(TroubleKind.SILENT, 2, now),) if step % 7 < 4 else ()
            table.sitting.post(CameraReport(now, failing))
            table.step(now, script.world, ())
            if step % 200 == 199:
                uses.append(Use.now())
    finally:
        tracemalloc.stop()
    assert uses[-1].traced_kb - uses[0].traced_kb < 40, uses
    assert len(table.sitting.log()) < 200


def main() -> None:
    """The figures of an evening, a line for every hour."""
    with tempfile.TemporaryDirectory() as folder, an_evening(Path(folder), trace=False, seats=4) as evening:
        print("hours games resident_kb  blocks threads files records_kb", flush=True)
        for use in evening.last_until(8.0):
            print(
                f"{use.hours:5.2f} {use.games:5} {use.resident_kb:11} {use.blocks:7} {use.threads:7} {use.files:5} "
                f"{use.records_kb:10}", flush=True,
            )  # fmt: skip
        last = evening.note()
        print(last, f"at most {evening.turn_kb:.0f} KB a turn, {evening.right} of {evening.games} results right")


if __name__ == "__main__":
    main()
