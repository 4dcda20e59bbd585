"""One of two twin games: everything that the program is, on a fixed clock, with cameras that read perfectly."""

from __future__ import annotations

import copy
import io
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from companion.cards import DECK, Card, Mark, Seen
from companion.chronicle import Chronicle, Noted
from companion.crops import Crop
from companion.cues import cues
from companion.evidence import SEALED, Evidence
from companion.games import find_game
from companion.inbox import Inbox, Receipt
from companion.journal import Draft, Entry, Journal, Stamp, game_file
from companion.keyring import Keyring
from companion.keys import Pin, _scrypt
from companion.observation import CameraReport, Declaration, EvidenceRef, Observation, Sighting, Tick, Trouble, TroubleKind
from companion.picturefile import PictureFile, PicturesInMemory, PictureStore, picture_file
from companion.seal import KEY, ROOM, About, Seal
from companion.sitting import Offer, RowSight, Seat, Sitting
from companion.table import SLOTS, Area, Place, row, slot
from companion.views import Role, View
from companion.watch import station_of
from companion.web import create_app
from companion.web.bench import TaskView, bench_pages
from companion.web.gate import Access, Preset
from companion.web.strings import string_pages
from firmware.board import PinBoard
from firmware.gpio import desk_factories
from firmware.pins import HUB
from tests.firmware.twins.pairs import HAND, Pair, Token

GAME = "0123456789abcdef"
NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve")
PIN = "738291"
CHEAP = (16, 8, 1)
BEGAN = datetime(2027, 3, 1, 18, 30, tzinfo=UTC)
STEP = 0.1


def stamp(time: float) -> Stamp:
    return Stamp(time, BEGAN + timedelta(seconds=time))


@dataclass(frozen=True)
class Setting:
    """What kind of table is played at."""

    sources: tuple[str, ...] = ("mat", "mat", "mat")
    sight: RowSight = RowSight.OVERHEAD
    preset: Preset = Preset.HOME
    phone_peek: bool = False
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def seats(self) -> int:
        return len(self.sources)


class Idle:
    """A task of the workbench, and the ends of the puppeteer's strings: nothing is done with either."""

    def view(self) -> TaskView:
        return TaskView(words="Nothing is done.")

    def start(self, name: str, /) -> None:
        return

    def confirm(self) -> None:
        return

    def stop(self) -> None:
        return

    def pull(self, name: str, seat: int, slot: int, /) -> None:
        return


class Window:
    """What the page looks at: the game itself, or for a while one that is only tried out."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.offset = 0
        self.posted: list[Declaration] | None = None
        """Where declarations are kept instead of being handed in; None: they are handed in."""
        self.tried: Callable[[], Sitting] = lambda: self.sitting
        """Makes the copy of the game that answers declarations which are kept."""

    def view(self, role: Role = Role.SPECTATOR, seat: int | None = None, /) -> View:
        view = self.sitting.view(role, seat)
        return replace(view, version=view.version + self.offset)

    def wait(self, version: int, timeout: float, role: Role = Role.SPECTATOR, seat: int | None = None, /) -> View:
        # Nothing happens while somebody waits: the one thread that there is asks.
        return self.view(role, seat)

    def now(self) -> float:
        return self.sitting.now()

    def post(self, event: Declaration, /) -> Receipt:
        if self.posted is None:
            return self.sitting.post(event)
        self.posted.append(event)
        trial = self.tried()
        receipt = trial.post(event)
        trial.work()
        return receipt

    def offers(self, seat: int, /) -> tuple[Offer, ...]:
        return self.sitting.offers(seat)

    def claim(self, seat: int, offer: int, /) -> Receipt:
        before = self.sitting.post
        self.sitting.post = self.post  # type: ignore[method-assign,assignment]
        try:
            return self.sitting.claim(seat, offer)
        finally:
            self.sitting.post = before  # type: ignore[method-assign]

    def timeline(self) -> Any:
        return self.sitting.timeline()

    def dispute(self, number: int, place: Place | None = None, /) -> Any:
        return self.sitting.dispute(number, place)

    def noted(self) -> Noted:
        """What changes with every commitment is compared as these are: not at all."""
        noted = self.sitting.noted()
        assert noted is not None
        return replace(noted, head="0" * 64)

    def next_game(self) -> Receipt:
        receipt = Receipt()
        receipt.settle()
        return receipt

    def likely(self, place: Place, /) -> tuple[Card, ...]:
        return self.sitting.likely(place)

    def proofs(self, number: int, /) -> Any:
        return self.sitting.proofs(number)

    def picture(self, number: int, /) -> bytes | None:
        return self.sitting.picture(number)


class Scales(Seal):
    """A seal that notes how long everything is that it hides."""

    def __init__(self) -> None:
        super().__init__(bytes(range(KEY)))
        self.weighed: list[tuple[int, str, int, int]] = []

    def encrypt(self, data: bytes, about: About, room: int = ROOM) -> bytes:
        self.weighed.append((about.number, about.kind, len(data), room))
        return super().encrypt(data, about, room)


class Notebook:
    """A journal that is not kept: it goes on from where the real one is."""

    def __init__(self, journal: Journal | Notebook) -> None:
        self.game, self.head, self.path = journal.game, journal.head, journal.path
        self.next_number = journal.next_number
        self._journal = journal
        self.drafts: list[Draft] = []

    def append(self, drafts: Any) -> tuple[Entry, ...]:
        added = tuple(drafts)
        self.drafts += added
        self.next_number += len(added)
        return ()

    def entries(self) -> tuple[Entry, ...]:
        return self._journal.entries()

    @property
    def newest(self) -> Entry:
        return self._journal.newest


class Sketchbook:
    """Pictures that are not kept: what is new lies in front of what is there."""

    def __init__(self, store: PictureStore) -> None:
        self._store, self._fresh = store, PicturesInMemory()

    def put(self, number: int, sealed: bytes, /) -> None:
        self._fresh.put(number, sealed)

    def get(self, number: int, /) -> bytes | None:
        return self._fresh.get(number) or self._store.get(number)

    def drop(self, number: int, /) -> None:
        self._fresh.drop(number)


class Painter:
    """The cameras' pictures: of one colour for each card, so that whoever sees one knows the card."""

    def crop(self, ref: EvidenceRef, /) -> Crop | None:
        return Crop(4, 8, 5, 5, bytes([ref.frame]) * 480)


class Played:
    """Cards that lie on a table, cameras that look at them, and the sitting that is told."""

    def __init__(self, setting: Setting, faces: tuple[Card, ...]) -> None:
        self.setting, self.faces = setting, faces
        self.time = 0.0
        self.lies: dict[Place, Token | Mark] = {}
        self.unread: set[Token] = set()
        """Cards whose face the cameras cannot read."""
        self.blind: set[int | None] = set()
        self.sitting: Sitting

    def seen(self, place: Place) -> Seen:
        lies = self.lies[place]
        if isinstance(lies, Mark):
            return lies
        return Mark.UNREADABLE if lies in self.unread else self.faces[lies]

    def _sighting(self, place: Place) -> Sighting:
        seen, likely = self.seen(place), ()
        if isinstance(seen, Card):
            # What else the reader takes a card for follows from the card's picture, and is as hidden as the card.
            likely = ((seen, 0.7), (DECK[(DECK.index(seen) + 17) % len(DECK)], 0.2))
        return Sighting(place, seen, 0.99, EvidenceRef("test", DECK.index(seen) if isinstance(seen, Card) else 99, 1), likely)

    def look(self) -> None:
        """One moment more."""
        self.time = round(self.time + STEP, 3)
        sightings = tuple(self._sighting(place) for place in self.lies if station_of(place) not in self.blind)
        if sightings:
            self.sitting.post(Observation(self.time, tuple(each.place for each in sightings), sightings))
        self.sitting.post(Tick(self.time))
        self.sitting.work()
        self.looked()

    def looked(self) -> None:
        """Called after every moment."""

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP)):
            self.look()

    def say(self, seat: int, what: Any, seconds: float = 1.5) -> None:
        self.sitting.post(Declaration(self.time, seat, what))
        self.wait(seconds)


class Trial(Played):
    """A game that goes on from a moment of another one, and leaves that one as it was."""

    def __init__(self, of: Played) -> None:
        super().__init__(of.setting, of.faces)
        self.time, self.lies, self.unread, self.blind = of.time, dict(of.lies), set(of.unread), set(of.blind)
        self.sitting = sitting = copy.copy(of.sitting)
        sitting._changed = threading.Condition()
        sitting._inbox, sitting._own_views = Inbox(), dict(sitting._own_views)
        sitting.now = lambda: self.time
        sitting._ledger = ledger = copy.copy(of.sitting._ledger)
        assert ledger._chronicle is not None
        assert ledger._evidence is not None
        ledger._chronicle = chronicle = copy.copy(ledger._chronicle)
        self.notes = Notebook(chronicle._journal)
        chronicle._journal, chronicle._seal = self.notes, Scales()  # type: ignore[assignment]
        ledger._evidence = evidence = copy.copy(ledger._evidence)
        evidence._recent = copy.deepcopy(evidence._recent)
        evidence._store, evidence._seal = Sketchbook(evidence._store), Scales()


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
            find_game("steal"), seats, setting.options, setting.sight, clock=lambda: self.time, seed=7,
            decides="referee" if setting.preset is Preset.CLUB else "table", phone_peek=setting.phone_peek,
            chronicle=Chronicle(journal, self.scales, stamp), evidence=Evidence(Painter(), store, self.scales, GAME),
        )  # fmt: skip

    def _app(self) -> Flask:
        access = Access(self.setting.preset, self.ring, address=lambda: "192.168.1.7")
        idle = Idle()
        pages = [bench_pages({"teach": idle, "check": idle}), string_pages(self.window, idle)]
        return create_app(
            self.window, pages, buttons=True, access=access, next_game=self.window.next_game, noted=self.window.noted
        )

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


Story = Callable[[Twin], Iterator[str]]
"""A game, told step by step: it yields the name of every moment at which the twins are compared."""
