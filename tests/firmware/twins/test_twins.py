"""Two games that differ in hidden cards alone look alike to everybody who may not know, until a card is turned over."""

from __future__ import annotations

import re
import socket
from contextlib import closing
from pathlib import Path

import pytest

from companion.games import GAMES as KNOWN
from companion.sitting import Sitting
from companion.views import Role
from tests.companion.web.conftest import served
from tests.firmware.twins.doors import requests
from tests.firmware.twins.outlets import ASKED, FOR_SEALED_STORAGE, MAY_KNOW, TELLS_NOTHING, Doors, asked, lookers
from tests.firmware.twins.pairs import KINDS
from tests.firmware.twins.playing import play
from tests.firmware.twins.randomness import commitments_of, openings_of, repeated, unbalanced
from tests.firmware.twins.table import Twin
from tests.firmware.twins.tables import GAMES, SHORT

SHORTLY = (
    ("in a club", "hand and pile", 13), ("by tap", "all", 12), ("draw", "all", 24),
    ("stud on mats", "all", 22), ("casino-stud", "all", 18),
)  # fmt: skip
"""What is played in every run of the tests: the table, what the twins differ in, and in how many moments all routes are asked.

The hands of the games with chips end after half of so many; in the long run they are asked everything."""

LONGER = (("an evening", "all", 40), ("without a tray", "seats", 16), ("with a sixth mat", "pile", 8))
"""The same for the long run."""


def check(name: str, kind: str, seed: int, doors: Doors, folder: Path) -> None:
    """Play twins, and look at the commitments of both."""
    game = GAMES[name]
    played = play(game, game.pair(kind, seed), folder, doors)
    assert len(played.moments) > 7
    commitments = [commitments_of(twin) for twin in played.twins]
    assert not repeated((*commitments[0], *commitments[1])), "one a slot and turn, whether or not the card changed"
    for twin, made in zip(played.twins, commitments, strict=True):
        assert unbalanced(made) == ""
        assert not repeated(opening.salt for _, opening in openings_of(twin))
    everybody = {(rule, method, who) for twin in played.twins for rule, method in requests(twin.app, asked(twin))
                 for who in lookers(twin)}  # fmt: skip
    if len(played.moments) >= doors.share:
        assert everybody <= doors.asked, "every route and method was tried by everybody"


@pytest.mark.parametrize(("name", "kind", "share"), SHORTLY, ids=lambda value: str(value))
def test_twins_look_alike(name: str, kind: str, share: int, tmp_path: Path) -> None:
    check(name, kind, 1, Doors(share), tmp_path)


@pytest.mark.long
@pytest.mark.parametrize(("name", "kind", "share"), LONGER, ids=lambda value: str(value))
def test_twins_of_other_tables_look_alike(name: str, kind: str, share: int, tmp_path: Path) -> None:
    check(name, kind, 1, Doors(share), tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("seed", (2, 3))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", GAMES)
def test_twins_look_alike_in_many_ways(name: str, kind: str, seed: int, tmp_path: Path) -> None:
    check(name, kind, seed, Doors(4, 4, 3), tmp_path)


def test_every_game_has_its_twins_in_every_run() -> None:
    """A new game fails this test until somebody has told a hand of it."""
    assert {GAMES[name].setting.game for name, _, _ in SHORTLY} == {game.name for game in KNOWN}


def test_every_role_is_compared_or_may_know_for_a_reason(tmp_path: Path) -> None:
    for name, game in GAMES.items():
        with closing(Twin(tmp_path / name, game.setting, game.pair("all", 1), 0)) as twin:
            roles = {twin.clients[who][2] for who in lookers(twin)}
            peeking = {Role.SEAT} if game.setting.phone_peek else set()
            assert roles | MAY_KNOW.keys() | peeking == set(Role), name
            assert all(MAY_KNOW.values())


def test_a_phone_that_may_peek_is_compared_where_its_own_cards_are_the_same(tmp_path: Path) -> None:
    game = GAMES["without a tray"]
    found = set()
    for seed in range(6):
        with closing(Twin(tmp_path / str(seed), game.setting, game.pair("seats", seed), 0)) as twin:
            found.add(tuple(who for who in lookers(twin) if who.startswith("seat")))
    assert found <= {("seat 0",), ("seat 1",), ("seat 2",)} and len(found) > 1


def test_everything_that_a_sitting_tells_is_compared_or_is_for_sealed_storage() -> None:
    """A new method fails this test until somebody has thought about it."""
    public = {name for name in dir(Sitting) if not name.startswith("_")} | {"seats", "now", "rulebook"}
    assert public == {*ASKED, *TELLS_NOTHING, *FOR_SEALED_STORAGE}


# ---- a real server -------------------------------------------------------------------------------------------------

BLANK = b"\r\n\r\n"
RAW = (
    b"GET / HTTP/1.0\r\nHost: localhost" + BLANK,
    b"GET /state.json HTTP/1.0\r\nHost: localhost\r\nCookie: viewmat=nobody's" + BLANK,
    b"GET /disputes?move=1&seat=2&slot=1 HTTP/1.0\r\nHost: localhost" + BLANK,
    b"GET /nowhere HTTP/1.0\r\nHost: localhost" + BLANK,
    b"DELETE / HTTP/1.0\r\nHost: localhost" + BLANK,
    b"POST /stop HTTP/1.0\r\nHost: localhost\r\nContent-Length: 99999999" + BLANK,
    b"POST /stop HTTP/1.0\r\nHost: localhost\r\nContent-Length: x" + BLANK,
    b"nonsense" + BLANK,
)
"""What is written to the server as it stands here; the last three it answers by itself."""


def test_a_real_server_tells_the_twins_apart_neither(tmp_path: Path) -> None:
    told = []
    for number in (0, 1):
        with closing(Twin(tmp_path / str(number), SHORT.setting, SHORT.pair("all", 5), number)) as twin, twin.listening():
            for _ in SHORT.story(twin):
                pass
            with served(twin.app) as server:
                said = [re.sub(rb"Date: [^\r]+", b"", _answer(server.port, raw)) for raw in RAW]
            # How many requests wait for a thread tells of this machine's load alone.
            heard = [re.sub(r"\d{4,}", "", line) for line in twin.heard if "Task queue depth" not in line]
            told.append((said, twin.threads, heard))
    assert told[0] == told[1]
    assert all(said.startswith(b"HTTP/1.") for said in told[0][0])
    assert "server" in told[0][1]


def _answer(port: int, raw: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        line.sendall(raw)
        found = b""
        while part := line.recv(65536):
            found += part
    return found
