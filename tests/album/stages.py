"""Tables on which every page of the program can be looked at: each on a real server, under a name of its own.

A new page needs its blueprint in `home_pages` here and a line in `leaves.py`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
from flask import Blueprint, Flask

from companion.announcements import Translator
from companion.cards import DECK
from companion.crops import Crop, png_of
from companion.inbox import Receipt
from companion.observation import Call, EvidenceRef
from companion.played import Shelf
from companion.table import slot
from companion.views import HardCase, Role
from companion.web import create_app
from companion.web.bench import Remark, TaskView, bench_pages
from companion.web.club import create_club_app
from companion.web.drafts import Drafts
from companion.web.gate import Access
from companion.web.health import health_pages
from companion.web.history import history_pages
from companion.web.install import install_pages
from companion.web.mending import mending_pages
from companion.web.photo import PhotoPage
from companion.web.ports import Ports, set_ports
from companion.web.puppet import puppet_pages
from companion.web.serve import Server
from companion.web.setup import Setup
from companion.web.strings import string_pages
from firmware.virtual.outfit import EmptyMats
from tests.album.photographed import drawn_desk
from tests.companion import tables
from tests.companion.filmed import Film, three_moves
from tests.companion.retold import story
from tests.companion.tables import FakeSitting
from tests.companion.told import Told
from tests.companion.web.floors import KEY, FakeClub
from tests.companion.web.healthy import ILL, Healthy
from tests.companion.web.mended import FakeFile
from tests.companion.web.outfitted import FakeOutfit
from tests.companion.web.pretended import Pretended
from tests.companion.web.puppets import StillPuppet, under_hands
from tests.companion.web.shelved import Shelved, played
from tests.companion.web.visitors import club, home, keyring_of, secret_for
from tests.photographs import deck

WINDOW = (48, 96)
"""Size of a window's picture, in pixels."""


@dataclass
class Stage:
    """A table with its pages."""

    app: Flask
    sitting: FakeSitting | None
    """What is shown; None where a real game stands still."""
    port: int = 0

    @property
    def name(self) -> str:
        """The host under which it is opened; without a port, so that addresses and codes on pages are always the same."""
        return f"{self.app.config['STAGE']}.test"

    def secret(self, role: Role, seat: int | None) -> str:
        return secret_for(self.app, role, seat)


class Shown:
    """A task of the workbench that stands where a picture wants it."""

    def __init__(self, shown: TaskView) -> None:
        self._shown = shown

    def view(self, say: Translator, /) -> TaskView:
        return self._shown

    def start(self, name: str, /) -> None:
        return

    def confirm(self) -> None:
        return

    def stop(self) -> None:
        return


class Loose:
    """Strings to which nothing is tied."""

    def pull(self, name: str, seat: int, slot: int, /) -> None:
        return


def shelf() -> Shelf:
    """Four evenings of three friends."""
    names = ("Anna", "Ben", "Cleo")
    times = [f"2027-03-{3 * (number // 2) + 5:02}T19:{6 * number:02}:00+00:00" for number in range(8)]
    games = [played(number, names, began=began) for number, began in enumerate(times)]
    return replace(Shelved().found, games=tuple(reversed(games)))


def window_of(card: str, blur: float = 0.0) -> Crop:
    """Five looks at the window over a card of one of our decks."""
    art = deck()
    found = next(one for one in DECK if str(one) == card)
    corner = art.face(found)[: round(art.face(found).shape[0] * 0.42), : round(art.face(found).shape[1] * 0.3)]
    picture = cv2.resize(corner, WINDOW, interpolation=cv2.INTER_AREA)
    if blur:
        picture = cv2.GaussianBlur(picture, (0, 0), blur)
    return Crop(*WINDOW, 5, 5, picture.tobytes() * 5)


class Drawn(Told):
    """A table whose cameras' pictures look like pictures."""

    def crop(self, ref: EvidenceRef, /) -> Crop | None:
        if self.painted is None or ref not in self.painted:
            return None
        return window_of(str(DECK[ref.frame])) if ref.frame < len(DECK) else Crop(*WINDOW, 5, 5, b"\x28\x30\x24" * (48 * 96 * 5))


class Equipped(FakeOutfit):
    """A table with mats on which nothing lies, each seen once: the same picture at every look."""

    def preview(self, place: int, /) -> bytes | None:
        return _empty_mat()


class Alone(Drafts):
    """Every screen of the album has the wizard to itself."""

    def others(self, number: int) -> bool:
        return False


@cache
def _empty_mat() -> bytes | None:
    return EmptyMats(deck, "normal", 1).preview(0)


def _taken() -> Receipt:
    receipt = Receipt()
    receipt.settle()
    return receipt


def home_pages(sitting: FakeSitting, access: Access) -> list[Blueprint]:
    """Every page that `viewmat run` and `viewmat demo` have; the one that mends the settings file is served alone."""
    running = TaskView(running=True, words="Lay the seven of hearts on any window.", done=17, total=104, asks=True)
    over = TaskView(
        words="Two things are not well.", passed=False, done=52,
        remarks=(
            Remark("Mat of Ben", "a lamp is mirrored in slot 3", "Turn the lamp, or hang a cloth over it.", "bad"),
            Remark("Tray", "it is rather dark", "More light from above.", "weak"),
        ),
    )  # fmt: skip
    shelved = Shelved()
    shelved.found = shelf()
    return [
        bench_pages({"teach": Shown(running), "check": Shown(over)}), string_pages(sitting, Loose()),
        health_pages(sitting, Healthy(ILL), lambda: True), history_pages(shelved, Shelved()),
        PhotoPage(drawn_desk(), sitting).routes(), install_pages(Pretended()),
        Setup(sitting, Equipped(), access, Alone()).routes(), puppet_pages(sitting, StillPuppet(table=under_hands())),
        mending_pages(FakeFile()),
    ]  # fmt: skip


def _home(folder: Path) -> Stage:
    sitting = FakeSitting()
    hard = HardCase((0, 3), (1, 3), "Ad", "unread", 7, 0.62, (("Ad", 0.62), ("4d", 0.31)), 5, 3)
    sitting.pictures = {7: png_of(window_of("Ad", 2.5)), 8: png_of(window_of("9d", 1.5))}
    saw = replace(
        tables.won(),
        hard=(hard, replace(hard, home=(0, 4), card="9d", why="corrected", picture=8, likely=(("9d", 0.58), ("8d", 0.4)))),
    )
    sitting.story = story(("Anna", "Ben", "Cleo"))
    # A table that does not know the day: the picture is the same on every one.
    tables_too = {"saw": saw, "told": replace(tables.won(), clock_unset=True), "betting": tables.betting()}
    access = home()
    app = create_app(sitting, home_pages(sitting, access), buttons=True, access=access, next_game=_taken)
    app.config["VIEWS"] = {**tables.SITUATIONS, **tables_too}
    return Stage(app, sitting)


def _club(folder: Path) -> Stage:
    sitting = FakeSitting()
    access = club()
    return Stage(create_app(sitting, home_pages(sitting, access), access=access, next_game=_taken), sitting)


def _pinned(folder: Path) -> Stage:
    """A club whose referee has a PIN."""
    stage = _club(folder)
    keyring_of(stage.app).set_pin("846210")
    return stage


def _disputed(folder: Path) -> Stage:
    """A game that was stopped after something was done wrong, with what the camera above the tray saw."""
    table = Film(folder)
    told = Drawn(chronicle=table.chronicle(), evidence=table.keep)
    three_moves(told)
    told.exchange(slot(1, 2), slot(2, 2), 4.0)
    told.say(0, Call("stop"))
    return Stage(create_app(told.sitting, access=Access(address=lambda: "192.168.1.7")), None)


def _evening(folder: Path) -> Stage:
    """The page of `viewmat club` in its first round."""
    evening = FakeClub()
    evening.begin_round(45)
    return Stage(create_club_app(evening, KEY, lambda: 1000.0), None)


STAGES: Mapping[str, object] = {
    "home": _home, "club": _club, "pinned": _pinned, "disputed": _disputed, "evening": _evening,
}  # fmt: skip


@contextmanager
def staged() -> Iterator[Mapping[str, Stage]]:
    """All tables, open, by their names."""
    with ExitStack() as stack:
        made: dict[str, Stage] = {}
        for name, build in STAGES.items():
            assert callable(build)
            stage: Stage = build(Path(stack.enter_context(TemporaryDirectory())))
            stage.app.config["STAGE"] = name
            stack.enter_context(_serving(stage))
            made[name] = stage
        yield made


@contextmanager
def _serving(stage: Stage) -> Iterator[None]:
    server = Server(stage.app, "127.0.0.1", 0)
    stage.port = server.port
    set_ports(stage.app, Ports(80, 8443))
    thread = threading.Thread(target=server.run, name=stage.name)
    thread.start()
    try:
        yield
    finally:
        server.close()
        thread.join()


def resolver_rules(stages: Mapping[str, Stage]) -> str:
    """What makes a browser find them."""
    return "--host-resolver-rules=" + ",".join(f"MAP {stage.name} 127.0.0.1:{stage.port}" for stage in stages.values())
