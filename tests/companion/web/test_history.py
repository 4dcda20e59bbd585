"""The pages of history: what they show, to whom, and what only the one who decides may do."""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from html.parser import HTMLParser

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.export import game_from_json
from companion.played import Shelf
from companion.views import Role
from companion.web import create_app
from companion.web.gate import Access
from companion.web.history import PIECE, history_pages
from tests.companion.tables import FakeSitting
from tests.companion.web.shelved import DAMAGED, GONE, Shelved
from tests.companion.web.visitors import client_of, club, home

GAME = "0000000000000003"
LOOKS = (
    "/history", "/history.json", "/history.csv", f"/history/{GAME}", f"/history/{GAME}.phh", f"/history/{GAME}.json",
    "/history/player/Ann",
)  # fmt: skip


def app_of(shelved: Shelved, access: Access | None = None) -> Flask:
    return create_app(FakeSitting(), [history_pages(shelved, shelved)], access=access or home())


@pytest.fixture
def shelved() -> Shelved:
    return Shelved()


@pytest.fixture
def page(shelved: Shelved) -> FlaskClient:
    return app_of(shelved).test_client()


class Text(HTMLParser):
    """What a reader sees, and every address."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words, self.links, self.styles = "", [], 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.links += [given["href"]] if tag == "a" else []
        self.styles += "style" in given or tag == "style"

    def handle_data(self, data: str) -> None:
        self.words += data


def read(page: FlaskClient, address: str) -> Text:
    answer = page.get(address)
    assert answer.status_code == 200, answer.text
    return Text(answer.text)


# ---- looking ------------------------------------------------------------------------------------------------------


def test_the_page_has_players_games_and_what_cannot_be_told(page: FlaskClient) -> None:
    found = read(page, "/history")
    words = " ".join(found.words.split())
    for part in (
        "Ann", "Cleo <i>&amp;</i>", "Dan", "of 5 games", "better than", "Thursday, March 4, 2027", "without a date",
        "somebody", "Eve, Ann", f"{DAMAGED} is not as it was written", "plays by itself",
    ):  # fmt: skip
        assert part in words, part
    assert GONE not in found.words
    assert f"/history/{GAME}" in found.links and "/history/player/Ann" in found.links
    assert found.styles == 0


def test_every_link_of_every_page_leads_somewhere(page: FlaskClient) -> None:
    seen, waiting = set[str](), ["/history"]
    while waiting:
        address = waiting.pop()
        answer = page.get(address)
        assert answer.status_code == 200, address
        seen.add(address)
        if answer.mimetype == "text/html" and address != "/":
            waiting += [link for link in Text(answer.text).links if link and link[0] != "#" and link not in seen]
        answer.close()
    assert len(seen) > 14


def test_the_table_s_page_offers_history_only_where_there_is_one(shelved: Shelved) -> None:
    assert "/history" in Text(app_of(shelved).test_client().get("/").text).links
    assert "/history" not in Text(create_app(FakeSitting(), access=home()).test_client().get("/").text).links
    for role, offered in ((Role.SPECTATOR, False), (Role.REFEREE, True)):
        found = Text(client_of(app_of(shelved, club()), role).get("/").text)
        assert ("/history" in found.links) is offered, "nobody is sent to a page that he may not see"


def test_a_game_shows_hands_moves_and_unusual_rules(page: FlaskClient) -> None:
    found = " ".join(read(page, f"/history/{GAME}").words.split())
    game = Shelved().found.games[1]
    assert game.game == GAME
    assert len(re.findall("better than", found)) == 3
    for part in (
        "Ann drew into slot 2; the old card went to the row. In came the",
        "stole from slot 5 of Ann and gave slot 4. In came the",
        "It was the", "Out went the", "passed.", "allow_pass = true", "max_turns = 40", "ab" * 32,
    ):  # fmt: skip
        assert part in found, part
    assert "first_seat" not in found
    assert "The record of this game was deleted" in read(page, "/history/0000000000000005").words


def test_a_player_has_statistics_and_what_would_be_deleted(page: FlaskClient) -> None:
    found = " ".join(read(page, "/history/player/Ann").words.split())
    for part in (
        "of 5 games", "Final hands", "high card", "The records of 5 games in which Ann sat are deleted",
        "Ben sat there as well", "The game on the table now stays", "2 records cannot be read", GAME,
    ):  # fmt: skip
        assert part in found, part
    assert read(page, "/history/player/Cleo%20%3Ci%3E%26amp%3B%3C/i%3E").words


NOWHERE = (
    "/history/player/Zoe", "/history/player/", f"/history/{GONE}", f"/history/{DAMAGED}", f"/history/{GONE}.phh",
    "/history/x.json",
)  # fmt: skip


@pytest.mark.parametrize("address", NOWHERE)
def test_what_is_not_there_or_not_over_is_no_page(page: FlaskClient, address: str) -> None:
    assert page.get(address).status_code == 404


def test_an_empty_shelf_says_so(shelved: Shelved, page: FlaskClient) -> None:
    shelved.found = Shelf()
    assert "No game has been played to its end yet." in read(page, "/history").words
    assert page.get("/history.csv").text.count("\n") == 1


# ---- files --------------------------------------------------------------------------------------------------------


def test_files_are_read_again(page: FlaskClient, shelved: Shelved) -> None:
    games = list(shelved.found.games)
    told = json.loads(page.get("/history.json").text)
    assert [game_from_json(game) for game in told["games"]] == games
    assert len(list(csv.reader(io.StringIO(page.get("/history.csv").text)))) == 1 + 3 * len(games)
    answer = page.get(f"/history/{GAME}.phh")
    assert tomllib.loads(answer.text)["hand"] == GAME
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{GAME}.phh"'
    assert game_from_json(json.loads(page.get(f"/history/{GAME}.json").text)) == games[1]


# ---- who may ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", LOOKS)
def test_at_home_everybody_may_look_in_a_club_those_who_play(shelved: Shelved, address: str) -> None:
    for access, role, status in (
        (home(), Role.SPECTATOR, 200), (home(), Role.SEAT, 200), (home(), Role.TABLE, 200), (club(), Role.SPECTATOR, 403),
        (club(), Role.SEAT, 200), (club(), Role.TABLE, 200), (club(), Role.REFEREE, 200),
    ):  # fmt: skip
        client = client_of(app_of(shelved, access), role, 1 if role is Role.SEAT else None)
        assert client.get(address).status_code == status, (role, status)


DEEDS = (
    ("GET", "/history/backup.zip", b"", ""),
    ("POST", "/history/delete", b'{"name": "Ann", "mark": "mark of Ann", "keep": true}', "application/json"),
    ("POST", "/history/restore/piece?at=0", b"PK", "application/octet-stream"),
    ("POST", "/history/restore", b'{"write": false, "keep": false}', "application/json"),
)


@pytest.mark.parametrize(
    ("access", "role", "may"),
    [
        (home, Role.TABLE, True), (home, Role.SEAT, False), (home, Role.SPECTATOR, False), (home, Role.PUPPETEER, True),
        (club, Role.REFEREE, True), (club, Role.TABLE, False), (club, Role.SEAT, False), (club, Role.SPECTATOR, False),
    ],
)  # fmt: skip
def test_only_the_one_who_decides_deletes_backs_up_and_restores(shelved: Shelved, access: object, role: Role, may: bool) -> None:
    client = client_of(app_of(shelved, access()), role, 1 if role is Role.SEAT else None)  # type: ignore[operator]
    for method, address, data, kind in DEEDS:
        answer = client.open(address, method=method, data=data, content_type=kind)
        assert answer.status_code == (200 if may else 403), (address, answer.text[:200])
    assert bool(shelved.forgotten and shelved.pieces and shelved.restored) is may
    if client.get("/history").status_code == 200:
        assert ("Take a backup" in client.get("/history").text) is may
        assert ("Delete what is kept" in client.get("/history/player/Ann").text) is may


# ---- deciding -----------------------------------------------------------------------------------------------------


def test_deleting_says_how_much_was_deleted_and_why_not(page: FlaskClient, shelved: Shelved) -> None:
    said = page.post("/history/delete", json={"name": "Ann", "mark": "mark of Ann", "keep": False})
    assert said.get_json() == {"ok": True, "message": "3 games were deleted."}
    said = page.post("/history/delete", json={"name": "Ann", "mark": "old", "keep": False})
    assert said.status_code == 409 and "has changed meanwhile" in said.get_json()["message"]
    for body in ({"name": "Ann", "mark": "x"}, {"name": "Ann", "mark": "x", "keep": 1}, {"mark": "x", "keep": True}):
        assert page.post("/history/delete", json=body).status_code == 400
    assert shelved.forgotten == [("Ann", False)]


def test_a_backup_is_a_file_of_its_whole_length(page: FlaskClient) -> None:
    answer = page.get("/history/backup.zip")
    assert answer.data == b"PK" * 40_000 and answer.headers["Content-Length"] == "80000"
    assert re.fullmatch(r'attachment; filename="viewmat-\d{4}-\d\d-\d\d\.zip"', answer.headers["Content-Disposition"])


def test_a_backup_comes_in_piece_by_piece(page: FlaskClient, shelved: Shelved) -> None:
    kind = "application/octet-stream"
    assert page.post("/history/restore", json={"write": False, "keep": False}).status_code == 409
    assert page.post("/history/restore/piece?at=0", data=b"a" * PIECE, content_type=kind).status_code == 200
    assert page.post(f"/history/restore/piece?at={PIECE}", data=b"b", content_type=kind).status_code == 200
    assert shelved.pieces == [(0, b"a" * PIECE), (PIECE, b"b")]
    for query, data, given, status in (
        (f"?at={PIECE + 1}", b"a" * (PIECE + 1), kind, 413), ("?at=7", b"x", kind, 409), ("", b"x", kind, 400),
        ("?at=-1", b"x", kind, 400), ("?at=²", b"x", kind, 400), ("?at=1", b"", kind, 400), ("?at=1", b"x", "text/plain", 400),
        ("?at=" + "9" * 20, b"x", kind, 400),
    ):  # fmt: skip
        assert page.post(f"/history/restore/piece{query}", data=data, content_type=given).status_code == status, query
    assert len(shelved.pieces) == 2
    looked = page.post("/history/restore", json={"write": False, "keep": False}).get_json()
    assert (looked["done"], looked["differs"], looked["new"]) == (False, 1, 5)
    assert looked["lines"] == [
        "The backup is sound. New here: 2 games; files in all: 5.", "1 file is here already, the same.",
        "1 file here is different, and stays as it is here: keys.json.", "Not taken over: games/current.",
        "The key here is another one: sealed parts and pictures of the backup's games cannot be opened with it.",
        "When the backup was made, 1 file was left out of it.",
    ]  # fmt: skip
    done = page.post("/history/restore", json={"write": True, "keep": True}).get_json()
    assert done["lines"][0] == "Restored: 2 games; files in all: 5." and shelved.restored == [(False, False), (True, True)]
    for body in ({}, {"write": 1, "keep": False}, {"write": True}):
        assert page.post("/history/restore", json=body).status_code == 400


def test_another_site_can_do_none_of_it(page: FlaskClient, shelved: Shelved) -> None:
    for method, address, data, kind in DEEDS[1:]:
        answer = page.open(address, method=method, data=data, content_type=kind, headers={"Origin": "http://elsewhere.example"})
        assert answer.status_code == 403
    assert not (shelved.forgotten or shelved.pieces or shelved.restored)
