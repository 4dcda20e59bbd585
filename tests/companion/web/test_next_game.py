"""The way from a game that is over to the next."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from companion.inbox import Receipt
from companion.views import ProposalView, Role, View
from companion.web import create_app
from tests.companion import tables
from tests.companion.tables import FakeSitting
from tests.companion.web.visitors import client_of, club, home

ASKED: list[str] = []


def settled() -> Receipt:
    ASKED.append("next")
    receipt = Receipt()
    receipt.settle()
    return receipt


@pytest.fixture(autouse=True)
def nobody_asked() -> None:
    ASKED.clear()


def client(view: View, role: Role = Role.TABLE, at: str = "home", seat: int | None = None) -> FlaskClient:
    app = create_app(FakeSitting(view), access=home() if at == "home" else club(), next_game=settled)
    return client_of(app, role, seat)


@pytest.mark.parametrize(
    ("view", "kind"),
    [
        (tables.playing(), "not_over"),
        (replace(tables.won(), stopped=True), "first_go_on"),
        (replace(tables.won(), proposal=ProposalView(9, "undo", (1, 2), None, 1)), "proposal_first"),
    ],
)
def test_nothing_begins_while_something_is_open(view: View, kind: str) -> None:
    answer = client(view).post("/next", json={})
    assert (answer.status_code, answer.get_json()["error"], ASKED) == (409, kind, [])


@pytest.mark.parametrize(
    ("at", "role", "may"),
    [
        ("home", Role.TABLE, True), ("home", Role.SEAT, False), ("home", Role.SPECTATOR, False),
        ("club", Role.REFEREE, True), ("club", Role.TABLE, False), ("club", Role.SEAT, False), ("club", Role.SPECTATOR, False),
    ],
)  # fmt: skip
def test_who_may_begin_the_next_game_sees_the_button(at: str, role: Role, may: bool) -> None:
    browser = client(tables.won(), role, at, 1)
    page = browser.get("/").get_data(as_text=True)
    assert ("Same again" in page) is may
    decides = {"home": "begins with a tap on the table&#39;s screen", "club": "is begun by the referee"}
    assert [f"The next game {words}." in page for words in decides.values()] == [not may and at == each for each in decides]
    answer = browser.post("/next", json={})
    assert answer.status_code == (200 if may else 403)
    assert (["next"] if may else []) == ASKED


def test_hands_that_are_not_all_shown_yet_leave_the_way_in_the_menu_and_it_asks_first() -> None:
    browser = client(tables.revealing())
    page = browser.get("/").get_data(as_text=True)
    assert page.index('data-ask="next">Next game') > page.index('id="calls"')
    assert "Same again" not in page
    refused = browser.post("/next", json={})
    assert (refused.status_code, refused.get_json()["error"], ASKED) == (409, "hands_open", [])
    for sure in (False, 1, "yes"):
        assert browser.post("/next", json={"sure": sure}).status_code == 409
    assert browser.post("/next", json={"sure": True}).status_code == 200
    assert ASKED == ["next"]
    assert "Next game" not in client(tables.playing()).get("/").get_data(as_text=True)


@pytest.mark.parametrize(
    "view", [replace(tables.won(), stopped=True), replace(tables.won(), proposal=ProposalView(9, "undo", (1, 2), None, 1))]
)
def test_there_is_no_rematch_while_something_is_open(view: View) -> None:
    assert "Same again" not in client(view).get("/").get_data(as_text=True)


def test_a_table_that_plays_one_game_has_no_such_button() -> None:
    app = create_app(FakeSitting(tables.won()))
    page = app.test_client().get("/").get_data(as_text=True)
    assert "Same again" not in page and "whose-next" not in page
    assert app.test_client().post("/next", json={}).status_code == 404
