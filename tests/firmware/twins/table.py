"""One of two twin games: everything that the program is, on a fixed clock, with cameras that read perfectly."""

from __future__ import annotations

import io
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask
from flask.testing import FlaskClient

from companion.cards import Mark
from companion.chronicle import Chronicle
from companion.cues import cues
from companion.evidence import SEALED, Evidence
from companion.games import find_game
from companion.health import ProgramFigures
from companion.journal import Journal, Stamp, game_file
from companion.keyring import Keyring
from companion.keys import Pin, _scrypt
from companion.observation import CameraReport, Observation, Trouble, TroubleKind
from companion.picturefile import PictureFile, picture_file
from companion.sitting import RowSight, Seat, Sitting
from companion.table import SLOTS, Area, Place, row, slot
from companion.views import Role, View
from companion.watch import station_of
from companion.web import create_app
from companion.web.bench import bench_pages
from companion.web.drafts import Drafts
from companion.web.gate import Access, Preset
from companion.web.health import health_pages
from companion.web.history import history_pages
from companion.web.install import install_pages
from companion.web.mending import mending_pages
from companion.web.photo import PhotoPage
from companion.web.puppet import puppet_pages
from companion.web.setup import Setup
from companion.web.strings import string_pages
from firmware.archive import Archive
from firmware.board import PinBoard
from firmware.bundle import Contents
from firmware.exchange import Exchange
from firmware.gauges import Gauges, Look
from firmware.gpio import desk_factories
from firmware.healthpage import TableHealth
from firmware.logtail import LogTail
from firmware.pins import HUB
from firmware.rig import stations
from tests.companion.web.mended import FakeFile
from tests.companion.web.outfitted import FakeOutfit
from tests.companion.web.pretended import Pretended
from tests.companion.web.puppets import StillPuppet, laid_out
from tests.firmware.photographed import written_desk
from tests.firmware.twins.pairs import HAND, Pair, Token
from tests.firmware.twins.played import Idle, Painter, Played, Scales, Setting, StillMachine, Trial, Window

GAME = "0123456789abcdef"
NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve")
PIN = "738291"
CHEAP = (16, 8, 1)
BEGAN = datetime(2027, 3, 1, 18, 30, tzinfo=UTC)


def stamp(time: float) -> Stamp:
    return Stamp(time, BEGAN + timedelta(seconds=time))


class Watching(FakeOutfit):
    """A wizard's table whose cameras really look at what lies there; a next game never begins."""

    def __init__(self, twin: Twin) -> None:
        super().__init__(refuses="no_next")
        self._twin = twin

    def preview(self, place: int, /) -> bytes | None:
        places = [slot(place, number) for number in SLOTS]
        return repr([self._twin.seen(one) for one in places if one in self._twin.lies]).encode()


class Twin(Played):
    """One of the two games, with page, lamps, log and record."""

    def __init__(self, folder: Path, setting: Setting, pair: Pair, number: int) -> None:
        super().__init__(setting, faces := (pair.one, pair.other)[number])
        self.folder, self.pair = folder, pair
        self.moment = 0
        """How many moments were compared."""
        self.scales = Scales()
        self.heard: list[str] = []
        """What was logged and printed."""
        self.threads: list[str] = []
        self.lamps: list[tuple[float, Any]] = []
        self.cued: list[tuple[float, Any]] = []
        self.streamed: dict[str, list[str]] = {}
        self.owned: dict[int, set[Token]] = {seat: set() for seat in range(setting.seats)}
        """Every card that a seat has ever held."""
        self.opened: set[Token] = set()
        """Every card that has lain open."""
        self.pile: list[Token] = list(range(HAND * setting.seats, len(faces)))
        for seat, source in enumerate(setting.sources):
            if source == "mat":
                self.lies.update({slot(seat, number): Mark.EMPTY for number in SLOTS})
            self.owned[seat] |= set(self.dealt(seat))
        if setting.sight is not RowSight.NONE:
            places = 9 if setting.sight is RowSight.OVERHEAD else 5
            self.lies.update({row(number): Mark.EMPTY for number in range(1, places + 1)})
        self._tokens = count(1)
        self.ring = Keyring(clock=lambda: 0.0, token=lambda: f"token-{next(self._tokens):04d}")
        self.ring._keys = replace(self.ring.keys, pin=Pin("00" * 16, _scrypt(PIN, "00" * 16, CHEAP), CHEAP))
        self.gauges = Gauges(lambda: self.time)
        self.gauges.begin(stations(setting.sources, setting.sight))
        self._open()
        self.window = Window(self.sitting)
        self.window.tried = lambda: Trial(self).sitting
        self.app = self._app()
        self.desk = desk_factories()
        self.board = PinBoard(HUB, self.desk, self.sitting.post, lambda: self.time)
        self.clients = dict(self._clients())
        self.keys = self.ring.keys
        self._streams: dict[str, tuple[Iterator[bytes], Role, int | None, list[int]]] = {}

    # ---- the program ----------------------------------------------------------------------------------------------

    def _open(self) -> None:
        path = game_file(self.folder / "games", GAME)
        there = path.exists()
        journal = Journal.open(path) if there else Journal.create(path, GAME, {"game": "steal"}, stamp(0.0))
        self.journal = journal
        setting = self.setting
        store = PictureFile(picture_file(self.folder / "games", GAME), SEALED, free=lambda _: 2**40)
        seats = [Seat(name, source) for name, source in zip(NAMES, setting.sources, strict=False)]
        self.sitting = Sitting(
            find_game(setting.game), seats, setting.options, setting.sight, clock=lambda: self.time, seed=7,
            decides="referee" if setting.preset is Preset.CLUB else "table", phone_peek=setting.phone_peek,
            chronicle=Chronicle(journal, self.scales, stamp), evidence=Evidence(Painter(), store, self.scales, GAME),
        )  # fmt: skip

    def _app(self) -> Flask:
        access = Access(self.setting.preset, self.ring, address=lambda: "192.168.1.7")
        idle = Idle()
        photos = PhotoPage(written_desk(), self.window).routes()
        pages = [
            photos,
            bench_pages({"teach": idle, "check": idle}), string_pages(self.window, idle), self._health(), self._by_hand(),
            history_pages(Archive(self.folder), Exchange(self.folder, now=lambda: BEGAN)),
            Setup(self.window, Watching(self), access, Drafts(lambda: 0.0)).routes(),
            install_pages(Pretended()), mending_pages(FakeFile()),
        ]  # fmt: skip
        return create_app(
            self.window, pages, buttons=True, access=access, next_game=self.window.next_game, noted=self.window.noted
        )

    def _by_hand(self) -> Blueprint:
        """A virtual table that shows every face to who moves its cards."""
        faces = [str(face) for face in self.faces]
        table = laid_out(self.setting.seats, faces)
        return puppet_pages(self.window, StillPuppet(table=table, picture=" ".join(faces).encode()))

    def _health(self) -> Blueprint:
        """The health page of a machine that does not change, with gauges that hear what the cameras see."""
        tail = Told(self.heard)
        machine, program = StillMachine(lambda: stamp(self.time).wall), ProgramFigures("1", "3", "cards.onnx")
        names = [seat.name for seat in self.sitting.seats]
        contents = Contents({}, self.folder, (self.folder / "games",), tail.lines, lambda: names)
        health = TableHealth(self.window, machine, program, self.gauges, tail, contents, True)
        return health_pages(self.window, health, lambda: True)

    def restart(self) -> None:
        """The program ends and begins again, with the same page and lamps for the sake of the comparison."""
        self.journal.close()
        self._open()
        self.window.sitting = self.sitting
        self.window.offset += 1000

    def close(self) -> None:
        for stream, *_ in self._streams.values():
            stream.close()  # type: ignore[attr-defined]
        self.board.close()
        self.desk.close()
        self.journal.close()

    # ---- who looks ------------------------------------------------------------------------------------------------

    def _clients(self) -> Iterator[tuple[str, tuple[FlaskClient, str | None, Role, int | None]]]:
        """Who looks: by a name, with his secret, role and seat."""
        yield "nobody", (self.app.test_client(), None, Role.TABLE if self.setting.preset is Preset.HOME else Role.SPECTATOR, None)
        yield "stale", (self.app.test_client(), "nobody's", Role.SPECTATOR, None)
        for seat, source in enumerate(self.setting.sources):
            if source != "bot":
                secret, _ = self.ring.join(self.ring.invite(Role.SEAT, seat, NAMES[seat]))
                yield f"seat {seat}", (self.app.test_client(), secret, Role.SEAT, seat)
        for role in (Role.TABLE, Role.REFEREE, Role.PUPPETEER):
            yield role.value, (self.app.test_client(), self.ring.admit(role)[0], role, None)

    def follow(self, who: str) -> None:
        """Keep an event stream of this visitor open from now on."""
        client, _, role, seat = self.as_it_is(who)
        answer = client.get("/events", buffered=False)
        self._streams[who] = (iter(answer.response), role, seat, [-1])  # type: ignore[arg-type]
        self.streamed[who] = []
        self._listen(who)

    def as_it_is(self, who: str) -> tuple[FlaskClient, str | None, Role, int | None]:
        """The visitor, with the secret that he has had from the beginning, and all keys as they were then."""
        client, secret, role, seat = self.clients[who]
        self.ring._keys = getattr(self, "keys", self.ring.keys)
        self._tokens = count(500)
        client.delete_cookie("viewmat")
        if secret is not None:
            client.set_cookie("viewmat", secret)
        return client, secret, role, seat

    def _listen(self, who: str) -> None:
        stream, role, seat, last = self._streams[who]
        version = self.window.view(role, seat).version
        if version != last[0]:
            last[0] = version
            said = next(stream)
            self.streamed[who].append(said.decode() if isinstance(said, bytes) else said)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Whatever is logged or printed inside, on any level, and every thread that is started, is this twin's."""
        root, out, err = logging.getLogger(), io.StringIO(), io.StringIO()
        heard = _Heard(self.heard)
        level, start = root.level, threading.Thread.start

        def started(thread: threading.Thread) -> None:
            self.threads.append(thread.name)
            start(thread)

        root.addHandler(heard)
        root.setLevel(logging.DEBUG)
        threading.Thread.start = started  # type: ignore[method-assign]
        try:
            with redirect_stdout(out), redirect_stderr(err):
                yield
        finally:
            threading.Thread.start = start  # type: ignore[method-assign]
            root.setLevel(level)
            root.removeHandler(heard)
            self.heard += [f"stdout: {out.getvalue()}"] if out.getvalue() else []
            self.heard += [f"stderr: {err.getvalue()}"] if err.getvalue() else []

    def looked(self) -> None:
        self._gauge()
        view = self.window.view()
        shown = cues(view)
        self.board.show(shown, self.time)
        burning = tuple((number, _level(self.desk, number)) for _, number in HUB.uses())
        now = (burning, tuple(self.desk.bus.sent[-1:]))  # type: ignore[attr-defined]
        if not self.lamps or self.lamps[-1][1] != now:
            self.lamps.append((self.time, now))
        if not self.cued or self.cued[-1][1] != shown:
            self.cued.append((self.time, shown))
        for who in self._streams:
            self._listen(who)

    def _gauge(self) -> None:
        """The gauges hear of a frame of every camera that sees."""
        for station in stations(self.setting.sources, self.setting.sight):
            if station_of(station.places[0]) not in self.blind:
                sightings = tuple(self._sighting(place) for place in station.places if place in self.lies)
                covered = tuple(each.place for each in sightings)
                self.gauges.hear(station.camera, Observation(self.time, covered, sightings), Look(None, 0.05, 0, 0.7))

    # ---- what people do -------------------------------------------------------------------------------------------

    def dealt(self, seat: int) -> tuple[Token, ...]:
        """What is dealt to a seat, whether or not a camera sees it."""
        return tuple(range(HAND * seat, HAND * seat + HAND))

    def deal(self, *seats: int, seconds: float = 1.0) -> None:
        """Lay these seats' cards, where a camera looks."""
        self.lie({slot(seat, number): token for seat in seats for number, token in zip(SLOTS, self.dealt(seat), strict=True)
                  if slot(seat, number) in self.lies}, seconds)  # fmt: skip

    def lie(self, changes: dict[Place, Token | Mark], seconds: float = 1.5) -> None:
        """A hand comes over the places, and then this lies there."""
        self.lies.update(dict.fromkeys(changes, Mark.COVERED))
        self.wait(0.4)
        self.lies.update(changes)
        for place, lies in changes.items():
            if not isinstance(lies, Mark):
                (self.owned[place.seat] if place.area is Area.SLOT else self.opened).add(lies)
        self.wait(seconds)

    @property
    def length(self) -> int:
        """How many cards lie on the row, as far as a camera sees it."""
        return sum(place.area is Area.ROW and lies is not Mark.EMPTY for place, lies in self.lies.items())

    @property
    def now(self) -> View:
        return self.window.view()

    def top(self) -> Token:
        return self.pile.pop(0)

    def draw(self, seat: int, number: int, seconds: float = 1.5) -> None:
        """The pile's top card comes into a slot, the old one onto the row."""
        place, old = slot(seat, number), self.lies[slot(seat, number)]
        row_too = {row(self.length + 1): old} if self.setting.sight is RowSight.OVERHEAD else {}
        if isinstance(old, int):
            self.opened.add(old)
        self.lie({place: self.top(), **row_too}, seconds)

    def discard(self, seconds: float = 1.5) -> None:
        """The pile's top card comes onto the row; a sixth mat is shown its face before it lies there."""
        place, card = row(self.length + 1), self.top()
        self.lie({place: card}, seconds)
        if self.setting.sight is RowSight.SCAN:
            self.lie({place: Mark.BACK}, seconds)

    def take(self, seat: int, number: int, seconds: float = 1.5) -> None:
        """The newest card of the row comes into a slot; the old one leaves the game."""
        last = row(self.length)
        self.lie({slot(seat, number): self.lies[last], last: Mark.EMPTY}, seconds)

    def exchange(self, a: Place, b: Place, seconds: float = 1.5) -> None:
        self.lie({a: self.lies[b], b: self.lies[a]}, seconds)

    def fail(self, *stations: int | None, seconds: float) -> None:
        """The cameras of these seats (None: of the tray) see nothing from now on."""
        self.blind |= set(stations)
        self._report()
        self.wait(seconds)

    def heal(self, seconds: float = 4.0) -> None:
        self.blind.clear()
        self._report()
        self.wait(seconds)

    def _report(self) -> None:
        blind = sorted(self.blind, key=lambda station: (station is None, station))
        troubles = tuple(Trouble(TroubleKind.SILENT, station, self.time) for station in blind)
        self.sitting.post(CameraReport(self.time, troubles))


class _Heard(logging.Handler):
    """Keeps what was said, without the time."""

    def __init__(self, kept: list[str]) -> None:
        super().__init__(logging.DEBUG)
        self._kept = kept
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s %(funcName)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self._kept.append(self.format(record))


def _level(desk: Any, number: int) -> Any:
    pin = desk.pins.pin(number)
    return (pin.function, pin.state)


class Told(LogTail):
    """The last lines, out of what this twin has said."""

    def __init__(self, heard: list[str]) -> None:
        super().__init__()
        self._heard = heard

    def lines(self, count: int | None = None) -> tuple[str, ...]:
        return tuple(self._heard[-count:] if count else self._heard)


Story = Callable[[Twin], Iterator[str]]
"""A game, told step by step: it yields the name of every moment at which the twins are compared."""
