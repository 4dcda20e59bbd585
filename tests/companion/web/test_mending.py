"""The page of a settings file that is not right: what it shows, what it takes, and whom it answers."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.views import Role
from companion.web.gate import Access
from companion.web.mending import LARGEST, Saved, create_mending_app
from companion.words.mending import fault_kinds, fault_words
from tests.companion.web.mended import BROKEN, FakeFile
from tests.companion.web.visitors import client_of, club, home

TEXT = "text/plain"
ALL = {"limit": "3", "allowed": "a, b", "why": "so"}


def app_of(file: FakeFile, access: Access | None = None) -> Flask:
    return create_mending_app(file, access if access is not None else home())


@pytest.fixture
def file() -> FakeFile:
    return FakeFile()


@pytest.fixture
def client(file: FakeFile) -> FlaskClient:
    return app_of(file).test_client()


def test_the_first_page_leads_there(client: FlaskClient) -> None:
    answer = client.get("/")
    assert (answer.status_code, answer.location) == (302, "/settings")


def test_the_page_shows_the_text_and_what_is_wrong_with_it(client: FlaskClient) -> None:
    page = client.get("/settings").get_data(as_text=True)
    assert "something in its settings file table.toml is not right" in page
    assert BROKEN.replace('"', "&#34;") in page
    assert '<b>Line 16</b> <code>page.port</code> <span>It has to be 65535 or less.</span>' in page
    assert 'data-mark="0123abcd"' in page


@pytest.mark.parametrize(
    ("language", "said"),
    [("de", "Zeile 16"), ("hu", "16. sor")],
)
def test_it_speaks_the_browsers_language(client: FlaskClient, language: str, said: str) -> None:
    page = client.get("/settings", headers={"Accept-Language": language}).get_data(as_text=True)
    assert f'<html lang="{language}">' in page and said in page


def test_what_is_in_the_file_is_text_and_nothing_else() -> None:
    page = app_of(FakeFile('</textarea><script>alert(1)</script>')).test_client().get("/settings").get_data(as_text=True)
    assert "&lt;/textarea&gt;&lt;script&gt;" in page and "<script>alert" not in page


def test_a_file_that_is_no_text_is_not_shown() -> None:
    page = app_of(FakeFile(None)).test_client().get("/settings").get_data(as_text=True)
    assert "The file is no text, so it cannot be mended here." in page and "<textarea" not in page


def test_checking_saves_nothing(client: FlaskClient, file: FakeFile) -> None:
    bad = client.post("/settings?mark=0123abcd", data="port = 3", content_type=TEXT)
    good = client.post("/settings?mark=0123abcd", data="good", content_type=TEXT)
    assert bad.status_code == good.status_code == 200
    assert bad.json is not None and (bad.json["saved"], bad.json["html"].count('class="bad"')) == (False, 3)
    assert good.json is not None and good.json["saved"] is False
    assert good.json["html"].strip() == '<p class="well">Nothing is wrong with it any more.</p>'
    assert file.saved == []


def test_what_is_not_right_is_not_saved(client: FlaskClient, file: FakeFile) -> None:
    answer = client.post("/settings?mark=0123abcd&save=1", data="port = 3", content_type=TEXT)
    assert answer.json is not None and answer.json["saved"] is False
    assert file.saved == []


def test_what_is_right_is_saved(client: FlaskClient, file: FakeFile) -> None:
    answer = client.post("/settings?mark=0123abcd&save=1", data="good = 'é'".encode(), content_type=TEXT)
    assert answer.json == {
        "message": "Saved. The file as it was is kept as table.toml.old1. The table starts …", "saved": True,
    }  # fmt: skip
    assert file.saved == [("good = 'é'", "0123abcd")]


@pytest.mark.parametrize(
    ("saved", "message"),
    [
        (Saved(refusal="changed"), "The file has been changed meanwhile. Load this page again, and look at it first."),
        (Saved(refusal="not_written", why="Read-only file system"), "The file cannot be written: Read-only file system"),
    ],
)
def test_what_cannot_be_saved_says_why(client: FlaskClient, file: FakeFile, saved: Saved, message: str) -> None:
    file.answer = saved
    answer = client.post("/settings?mark=0&save=1", data="good", content_type=TEXT)
    assert (answer.status_code, answer.json) == (409, {"error": saved.refusal, "message": message})


@pytest.mark.parametrize(
    ("data", "kind", "status"),
    [(b"x" * (LARGEST + 1), TEXT, 413), (b"good", "application/json", 400), (b"\xff", TEXT, 400), (b"good", "", 400)],
)
def test_other_things_are_turned_away(client: FlaskClient, file: FakeFile, data: bytes, kind: str, status: int) -> None:
    answer = client.post("/settings?save=1", data=data, content_type=kind)
    assert (answer.status_code, file.saved) == (status, [])


def test_another_sites_page_cannot_save(client: FlaskClient, file: FakeFile) -> None:
    answer = client.post(
        "/settings?save=1", data="good", content_type=TEXT, headers={"Origin": "http://elsewhere.example"}
    )  # fmt: skip
    assert (answer.status_code, file.saved) == (403, [])


@pytest.mark.parametrize(
    ("preset", "role", "status"),
    [
        ("home", None, 200), ("home", Role.SEAT, 403), ("home", Role.SPECTATOR, 403),
        ("club", None, 403), ("club", Role.SEAT, 403), ("club", Role.TABLE, 403), ("club", Role.REFEREE, 200),
    ],
)  # fmt: skip
def test_it_answers_whoever_decides_at_the_table(preset: str, role: Role | None, status: int) -> None:
    file = FakeFile()
    app = app_of(file, home() if preset == "home" else club())
    visitor = app.test_client() if role is None else client_of(app, role, 1 if role is Role.SEAT else None)
    assert visitor.get("/settings").status_code == status
    answer = visitor.post("/settings?save=1", data="good", content_type=TEXT)
    assert (answer.status_code, bool(file.saved)) == (status, status == 200)


def test_every_kind_of_fault_is_a_sentence() -> None:
    assert all(fault_words(kind, ALL)[0].isupper() for kind in fault_kinds())


def test_nothing_else_is_served(client: FlaskClient) -> None:
    assert {rule.rule for rule in client.application.url_map.iter_rules()} == {"/", "/settings", "/static/<path:filename>"}
