"""Requests of every kind, size and order to every route of a page with a real game behind it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.inbox import Receipt
from companion.observation import Call, Event, Tick
from companion.sitting import RowSight, Sitting
from companion.table import slot
from companion.views import Role
from companion.web import create_app
from companion.web.bench import bench_pages
from companion.web.health import health_pages
from companion.web.history import history_pages
from companion.web.install import install_pages
from companion.web.mending import mending_pages
from companion.web.photo import PhotoPage
from companion.web.puppet import puppet_pages
from companion.web.setup import Setup
from companion.web.strings import string_pages
from tests.companion.amended import ended, taps, turned
from tests.companion.chips import CHIPS, Hand
from tests.companion.told import Told
from tests.companion.web.healthy import Healthy
from tests.companion.web.mended import FakeFile
from tests.companion.web.outfitted import FakeOutfit
from tests.companion.web.pretended import Pretended
from tests.companion.web.puppets import StillPuppet
from tests.companion.web.shelved import Shelved
from tests.companion.web.visitors import client_of, club, home
from tests.firmware.photographed import written, written_desk

KNOWN = {200, 202, 302, 304, 308, 400, 403, 404, 405, 409, 413, 415, 416, 421, 429}


class Loose:
    """Strings to which nothing is tied."""

    def pull(self, name: str, seat: int, slot: int, /) -> None:
        pass


class Counting:
    """A sitting whose receipts are kept, so that a test knows what became of everything."""

    def __init__(self, sitting: Sitting) -> None:
        self.receipts: list[Receipt] = []
        self._sitting = sitting

    def post(self, event: Event) -> Receipt:
        receipt = self._sitting.post(event)
        self.receipts.append(receipt)
        return receipt

    def claim(self, seat: int, offer: int, amount: int | None = None) -> Receipt:
        receipt = self._sitting.claim(seat, offer, amount)
        self.receipts.append(receipt)
        return receipt

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sitting, name)


def stopped() -> Told:
    table = taps()
    table.sitting.claim(0, 0)
    table.wait(0.2).sitting.claim(1, 3)
    return table.wait(0.2).say(1, Call("stop"), 0.2)


def broken() -> Told:
    """Cards lie where they should not."""
    table = Told()
    table.draw(0, 1)
    return table.exchange(slot(0, 1), slot(2, 2), 4.0)


def asked() -> Told:
    """The table has a question."""
    table = Told(sight=RowSight.NONE)
    table.lie({slot(0, 2): table.pile.pop(0)}, 6.0)
    return table


def bet(game: str, steps: int) -> Hand:
    """A hand that is played for chips, after so many taps."""
    hand = Hand(game, 3, steps)
    for _ in range(steps):
        hand.step()
    return hand


TABLES: tuple[Callable[[], Told | Hand], ...] = (
    taps, Told, stopped, broken, asked, lambda: ended(taps()), lambda: turned(ended(Told())),
    *(partial(bet, game.name, steps) for game in CHIPS for steps in (2, 6, 60)),
)  # fmt: skip

junk = st.none() | st.booleans() | st.floats() | st.text(max_size=6) | st.lists(st.integers(), max_size=2) | st.integers()
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "seat": st.integers(-1, 4), "slot": st.integers(0, 6), "row": st.integers(0, 4), "offer": st.integers(0, 120),
    "amount": st.integers(-1, 250),
    "question": st.integers(0, 9), "choice": st.integers(-1, 3), "moves": st.integers(-1, 5), "proposal": st.integers(0, 12),
    "yes": st.booleans(), "card": st.sampled_from(["2c", "Kh", "Td", "1z", "10h"]),
    "name": st.sampled_from(["pause", "resume", "undo", "misdeal", "leave", "return", "stop", "go_on", "look"]),
    "reason": st.sampled_from(["", "so", "x" * 161, "\x00\ud83d", "y" * 3000]), "token": st.sampled_from(["", "x" * 22]),
    "sure": st.booleans(), "pin": st.sampled_from(["846210", "1"]), "mark": st.sampled_from(["", "0" * 16]),
    "keep": st.booleans(), "write": st.booleans(), "deed": st.sampled_from(["move", "lift", "deal", "press", "gather", "x"]),
    "what": st.lists(st.sampled_from(["pile", "slot-0-1", "slot-9-9", "held-7", "x"]), max_size=3),
    "up": st.booleans() | st.none(), "to": st.sampled_from(["row", "slot-1-2", "hand-2", "away", "x"]), "tutorial": st.booleans(),
    "spot": st.sampled_from([1, 1000, 1004, 2000, 7]), "hand": st.integers(-1, 3),
    "do": st.sampled_from(["add", "move", "remove", "rename", "source", "look", "lamp", "press", "rule", "deck", "begin", "x"]),
    "place": st.integers(-1, 6), "source": st.sampled_from(["mat", "tap", "x"]), "of": st.sampled_from(["lamps", "places"]),
    "rule": st.sampled_from(["penalty", "hard_mode", "x"]), "value": st.sampled_from(["undo", "lose_turn", "x"]),
    "way": st.sampled_from(["auto", "rows", "x"]), "seats": st.lists(st.integers(-1, 3) | st.none(), max_size=3),
}  # fmt: skip
bodies = st.fixed_dictionaries({}, optional={name: value | junk for name, value in VALUES.items()})
sound = st.fixed_dictionaries({}, optional={name: VALUES[name] for name in ("seat", "slot", "row", "card", "moves", "yes")})
pieces = st.sampled_from(["0", "1", "2", "7", "-1", "x", "seats", "ready", "teach", "start", "%00", "table.css", "look"])


def _filled(rule: str) -> st.SearchStrategy[str]:
    parts = rule.split("<")
    tails = [part.split(">", 1)[1] for part in parts[1:]]
    drawn = st.tuples(*[pieces for _ in tails])
    return drawn.map(lambda found: parts[0] + "".join(a + b for a, b in zip(found, tails, strict=True)))


def page_of(table: Told | Hand, at_home: bool) -> tuple[Flask, Counting, list[str]]:
    began: list[str] = []

    def begin() -> Receipt:
        began.append("next")
        receipt = Receipt()
        receipt.settle()
        return receipt

    counting = Counting(table.sitting)
    pages = [
        bench_pages({}), string_pages(counting, Loose()), health_pages(counting, Healthy(), lambda: True),
        history_pages(Shelved(), Shelved()), PhotoPage(written_desk(), counting).routes(), puppet_pages(counting, StillPuppet()),
        install_pages(Pretended()), mending_pages(FakeFile()),
    ]  # fmt: skip
    access = home() if at_home else club()
    pages.append(Setup(counting, FakeOutfit(refuses="no_next"), access).routes())
    return create_app(counting, pages, buttons=True, access=access, next_game=begin), counting, began


RULES = sorted({rule.rule for rule in page_of(taps(), True)[0].url_map.iter_rules()})
requests = st.tuples(
    st.sampled_from(["GET", "POST", "POST", "POST", "POST", "PUT", "HEAD", "OPTIONS"]),
    st.sampled_from(RULES).flatmap(_filled),
    bodies | sound | st.lists(junk, max_size=2) | junk,
    st.sampled_from(["application/json"] * 5 + ["text/plain", "", "application/octet-stream"]),
    st.none() | st.none() | st.binary(max_size=20) | st.just(written("Kh Qh 2c 3c ?4c4d")),
    st.sampled_from(["", "", "?row=1", "?seat=0&slot=1", "?move=1&seat=1&slot=2", "?move=99", "?seat=a", "?row=%00"]),
)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, len(TABLES) - 1), st.booleans(),
    st.sampled_from([(Role.TABLE, None), (Role.SEAT, 1), (Role.REFEREE, None), (Role.SPECTATOR, None), (Role.PUPPETEER, None)]),
    st.lists(requests, max_size=14),
)  # fmt: skip
def test_no_request_is_a_fault_and_what_is_refused_changes_nothing(
    number: int, at_home: bool, who: tuple[Role, int | None], walk: list[tuple[str, str, Any, str, bytes | None, str]]
) -> None:
    table = TABLES[number]()
    app, counting, began = page_of(table, at_home)
    client = client_of(app, *who)
    photo = client.post("/photo/pictures", data=written("As Ks Qs Js ?9s9c/2d"), content_type="application/octet-stream")
    assert photo.status_code == 202
    for method, address, body, kind, raw, query in walk:
        table.time += 0.05
        table.sitting.post(Tick(table.time))
        table.sitting.work()
        before = table.sitting.agreement
        posted, games = len(counting.receipts), len(began)
        data = raw if raw is not None else json.dumps(body).encode()
        answer = client.open(address + query, method=method, data=data, content_type=kind)
        status = answer.status_code
        answer.close()
        assert status in KNOWN, (method, address, body, status)
        table.sitting.work()
        fresh = counting.receipts[posted:]
        assert status < 400 or not fresh, "what is turned away at the door never reaches the table"
        assert method == "POST" or not fresh
        if who[0] is Role.SPECTATOR and not at_home:
            assert not fresh and len(began) == games
        if all(receipt.refusal for receipt in fresh):
            # No time has gone by, so nothing but the request could have changed anything.
            assert table.sitting.agreement == before, (method, address, body)
        cards = list(table.sitting.agreement.state.table.cards())
        assert len(cards) == len(set(cards)) == 52


def test_every_route_was_among_them() -> None:
    assert {"/act", "/answer", "/enter", "/call", "/stop", "/rewind", "/correct", "/own", "/next", "/noted", "/link"} <= set(
        RULES
    )
    assert {"/install", "/offline", "/worker.js"} <= set(RULES)
    assert {"/history", "/history/delete", "/history/restore"} <= set(RULES)
    assert {"/photo", "/photo/pictures", "/photo/card", "/photo/reveal"} <= set(RULES)
    assert {"/setup", "/setup/<int:draft>/<step>", "/setup/camera/<int:place>.png"} <= set(RULES)
    assert len(RULES) > 35
