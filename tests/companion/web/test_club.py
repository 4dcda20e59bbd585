"""The club's page."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion.choices import ASKED
from companion.web.club import create_club_app
from tests.companion.web.floors import KEY, FakeClub


def browser(club: FakeClub) -> FlaskClient:
    client = create_club_app(club, KEY, lambda: 1000.0).test_client()
    assert client.get(f"/?key={KEY}").status_code == 302
    return client


@pytest.mark.parametrize("path", ["/", "/tables", "/results.csv", "/results.json", "/?key=wrong", "/?key=%C3%A9"])
def test_nobody_without_the_key_sees_anything(path: str) -> None:
    assert create_club_app(FakeClub(), KEY, lambda: 0.0).test_client().get(path).status_code == 403


def test_every_table_is_there_with_its_turn_and_what_it_asks() -> None:
    page = browser(FakeClub()).get("/").get_data(as_text=True)
    assert "Turn 5, Ben is up" in page
    assert "(mats and taps): Ann, Ben, Bot" in page
    assert "(mats): Ann, Ben, Bot" in page
    assert "<h2>green – not there</h2>" in page
    assert "The game is over" in page
    assert 'data-needs="Table blue, turn 5: A rule was broken."' in page
    assert page.count("data-needs=") == 1
    assert "Ben won at table green" in page


@pytest.mark.parametrize(("language", "words"), [("de", "Die Tische des Clubs"), ("hu", "A klub asztalai")])
def test_it_speaks_other_languages(language: str, words: str) -> None:
    assert words in browser(FakeClub()).get("/", headers={"Accept-Language": language}).get_data(as_text=True)


def test_a_round_is_begun_and_counted_down() -> None:
    club = FakeClub()
    client = browser(club)
    assert client.post("/round", data={"minutes": "45"}).status_code == 303
    assert club.rounds == [45]
    assert "Round 1: 45 min left" in client.get("/tables").get_data(as_text=True)
    for wrong in ("", "0", "1441", "x", "-1", "²"):
        assert client.post("/round", data={"minutes": wrong}).status_code == 400


def test_house_rules_go_to_all_tables() -> None:
    club = FakeClub()
    client = browser(club)
    last = {name: str(len(values) - 1) for name, values in ASKED["steal"].items()}
    assert client.post("/rules", data={"game": "steal", **last}).status_code == 303
    assert club.pushed == [("steal", {name: values[-1] for name, values in ASKED["steal"].items()})]
    assert client.post("/rules", data={"game": "steal"}).status_code == 400
    assert client.post("/rules", data={"game": "whist"}).status_code == 400


def test_results_are_files() -> None:
    client = browser(FakeClub())
    assert client.get("/results.csv").get_data(as_text=True).splitlines()[1] == "1,0,green,steal,9,Ben,Ben; Ann; Bot,"
    answer = client.get("/results.json")
    assert answer.get_json()["roster"] == ["Ann", "Ben", "Bot"], "the bot of one table is a mat at another"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="results.json"'
