"""Taps: what is taken is posted as a declaration; everything else is refused with a sentence, and nothing is posted."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cards import Card
from companion.errors import DeclarationError
from companion.observation import Answer, Call, Declaration, Entry, Press
from companion.table import row, slot
from companion.views import MoveView, View
from companion.web import create_app
from tests.companion import tables
from tests.companion.tables import FakeOffer, FakeSitting

ROUTES = ("/press/0", "/answer", "/act", "/enter", "/call")


def refusal(answer: Any, status: int = 400) -> tuple[str, str]:
    assert answer.status_code == status, answer.data
    body = json.loads(answer.data)
    assert body["message"].endswith((".", "possible; please choose again.")) or ":" in body["message"]
    return body["error"], body["message"]


# ---- what is taken -----------------------------------------------------------------------------------------------


def test_a_press(sitting: FakeSitting) -> None:
    client = create_app(sitting, buttons=True).test_client()
    assert client.post("/press/1", json={}).json == {"ok": True}
    assert sitting.posted == [Declaration(12.5, 1, Press())]
    assert refusal(client.post("/press/9", json={})) == ("no_seat", "There is no seat 10; the seats are 1 to 4.")


@pytest.mark.parametrize(
    ("view", "heard"),
    [
        (tables.dealing(), (0, 1, 2)),
        (tables.playing(), (1,)),
        (tables.stolen(), (0, 1)),  # who stole may say that he is done
        (tables.asked(), (1,)),
        (tables.confirming(), (2, 3)),  # the bot's button says that the cards lie
        (tables.won(), ()),
    ],
)
def test_a_press_that_says_nothing_is_refused(view: View, heard: tuple[int, ...]) -> None:
    sitting = FakeSitting(view)
    client = create_app(sitting, buttons=True).test_client()
    taken = [seat for seat in range(len(view.seats)) if client.post(f"/press/{seat}", json={}).status_code == 200]
    assert tuple(taken) == heard
    assert [one.seat for one in sitting.posted] == taken
    for seat in set(range(len(view.seats))) - set(heard):
        kind, message = refusal(client.post(f"/press/{seat}", json={}))
        assert (kind, message) == ("no_press", f"Nothing waits for {tables.NAMES[seat]}'s button now.")


def test_no_press_where_the_table_has_buttons_of_its_own(client: FlaskClient, sitting: FakeSitting) -> None:
    assert refusal(client.post("/press/2", json={}))[0] == "no_buttons"
    assert sitting.posted == []


def test_an_answer(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.show(tables.asked())
    assert client.post("/answer", json={"question": 7, "choice": 2}).status_code == 200
    assert client.post("/answer", json={"question": 7, "choice": 0, "seat": 3}).status_code == 200
    assert sitting.posted == [Declaration(12.5, 1, Answer(7, 2)), Declaration(12.5, 3, Answer(7, 0))]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"question": 6, "choice": 0}, "no_question"),
        ({"question": 7, "choice": 3}, "no_choice"),
        ({"question": 7, "choice": -1}, "no_choice"),
        ({"question": 7, "choice": 0, "seat": 4}, "no_seat"),
        ({"question": "7", "choice": 0}, "bad_form"),
        ({"question": True, "choice": 0}, "bad_form"),
        ({"question": 7}, "bad_form"),
    ],
)
def test_a_wrong_answer(client: FlaskClient, sitting: FakeSitting, body: dict[str, Any], kind: str) -> None:
    sitting.show(tables.asked())
    assert refusal(client.post("/answer", json=body))[0] == kind
    assert sitting.posted == []


def test_an_answer_without_a_question(client: FlaskClient) -> None:
    assert refusal(client.post("/answer", json={"question": 7, "choice": 0})) == (
        "no_question",
        "This question is no longer open.",
    )


def test_offers_are_steps_and_acting_claims_one(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.choices = (FakeOffer(3, MoveView("discard", 1)), FakeOffer(4, MoveView("steal", 1, 2, 0, 5)))
    sitting.show(tables.tapped())
    assert client.get("/offers/1").json == {
        "seat": 1,
        "name": "Ben",
        "turn": tables.tapped().turn,
        "offers": [
            {"id": 3, "steps": ["Draw from the pile", "Lay it on the row"], "pictures": ["pile", "row"]},
            {
                "id": 4,
                "steps": ["Steal", "From Anna", "Take slot 5", "Give slot 2"],
                "pictures": ["steal", "seat-0", "slot-0-5", "slot-1-2"],
            },
        ],
    }
    assert client.post("/act", json={"seat": 1, "offer": 4}).status_code == 200
    assert sitting.claimed == [(1, 4)]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"seat": 1, "offer": 5}, "no_offer"),
        ({"seat": 0, "offer": 3}, "not_by_tap"),
        ({"seat": 2, "offer": 3}, "by_itself"),
        ({"seat": 7, "offer": 3}, "no_seat"),
        ({"seat": 1}, "bad_form"),
        ({"seat": 1, "offer": 2.5}, "bad_form"),
        ({"seat": 1, "offer": 10**30}, "bad_form"),
    ],
)
def test_a_wrong_move(client: FlaskClient, sitting: FakeSitting, body: dict[str, Any], kind: str) -> None:
    sitting.choices = (FakeOffer(3, MoveView("discard", 1)),)
    sitting.show(tables.tapped())
    assert refusal(client.post("/act", json=body))[0] == kind
    assert sitting.claimed == []


def test_a_seat_whose_camera_has_failed_taps_its_moves(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.choices = (FakeOffer(3, MoveView("discard", 1)),)
    sitting.show(tables.by_hand())
    assert client.get("/offers/1").status_code == 200
    assert client.post("/act", json={"seat": 1, "offer": 3}).status_code == 200
    assert sitting.claimed == [(1, 3)]


def test_a_difference_is_answered_like_every_question(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.show(tables.differing())
    assert client.post("/answer", json={"question": 9, "choice": 1}).status_code == 200
    assert sitting.posted[-1].what == Answer(9, 1)
    assert refusal(client.post("/answer", json={"question": 9, "choice": 2}))[0] == "no_choice"


def test_offers_of_a_seat_that_does_not_tap(client: FlaskClient) -> None:
    assert refusal(client.get("/offers/0")) == ("not_by_tap", "Anna does not play by tap: the cameras watch the cards.")
    assert refusal(client.get("/offers/8"))[0] == "no_seat"


def test_offers_of_a_bot(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.show(tables.tapped())
    assert refusal(client.get("/offers/2")) == ("by_itself", "Cleo plays by itself.")


def test_offers_of_a_seat_that_is_not_in_turn(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.choices = (FakeOffer(3, MoveView("discard", 1)),)
    sitting.show(replace(tables.tapped(), current=3))
    assert refusal(client.get("/offers/1")) == ("not_now", "Ben has no move to make now.")


def test_a_move_that_the_sitting_refuses_is_told(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.choices = (FakeOffer(99, MoveView("discard", 1)),)
    sitting.show(tables.tapped())
    kind, message = refusal(client.post("/act", json={"seat": 1, "offer": 99}), 409)
    assert (kind, message) == ("no_offer", "This move is no longer possible; please choose again.")
    sitting.fault = DeclarationError("seat 1 holds the Kh")
    kind, message = refusal(client.post("/call", json={"name": "undo"}), 409)
    assert (kind, message) == ("impossible", "This is not possible now."), "the sentence of the kind, not the table's own words"


def test_a_card_is_entered(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.show(tables.revealing((5, 3, 0, 0)))
    assert client.post("/enter", json={"seat": 1, "slot": 4, "card": "8s"}).status_code == 200
    sitting.show(tables.tapped())
    assert client.post("/enter", json={"row": 2, "card": "10h"}).status_code == 200
    assert [declared.what for declared in sitting.posted] == [
        Entry(slot(1, 4), Card.parse("8s")),
        Entry(row(2), Card.parse("Th")),
    ]
    assert [declared.seat for declared in sitting.posted] == [1, 0]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"seat": 1, "slot": 3, "card": "8s"}, "no_place"),  # it is open already
        ({"seat": 1, "slot": 6, "card": "8s"}, "no_place"),
        ({"seat": 5, "slot": 1, "card": "8s"}, "no_seat"),
        ({"row": 1, "card": "8s"}, "no_place"),
        ({"row": 77, "card": "8s"}, "no_place"),
        ({"seat": 1, "slot": 4, "card": "1s"}, "no_card"),
        ({"seat": 1, "slot": 4, "card": "joker" * 90}, "no_card"),
        ({"seat": 1, "slot": 4, "card": None}, "bad_form"),
        ({"seat": 1, "slot": 4, "card": "Kh"}, "card_elsewhere"),  # Anna shows it
        ({"seat": 1, "slot": 4, "card": "8d"}, "card_elsewhere"),  # it lies in the row
    ],
)
def test_a_wrong_entry(client: FlaskClient, sitting: FakeSitting, body: dict[str, Any], kind: str) -> None:
    sitting.show(tables.revealing((5, 3, 0, 0)))
    assert refusal(client.post("/enter", json=body))[0] == kind
    assert sitting.posted == []


def test_no_card_is_entered_for_a_slot_before_the_reveal(client: FlaskClient) -> None:
    assert refusal(client.post("/enter", json={"seat": 1, "slot": 4, "card": "8s"}))[0] == "no_place"


def test_calls(client: FlaskClient, sitting: FakeSitting) -> None:
    playing, away = tables.playing(), replace(tables.seat(2), away=True)
    calls: tuple[tuple[View, dict[str, Any]], ...] = (
        (tables.dealing(), {"name": "misdeal"}),
        (playing, {"name": "pause"}),
        (replace(playing, paused=True), {"name": "resume"}),
        (playing, {"name": "undo"}),
        (playing, {"name": "leave", "seat": 2}),
        (replace(playing, seats=(*playing.seats[:2], away, playing.seats[3])), {"name": "return", "seat": 2}),
    )
    for view, body in calls:
        sitting.show(view)
        assert client.post("/call", json=body).status_code == 200, body
    assert [(one.seat, one.what) for one in sitting.posted] == [
        *((0, Call(name)) for name in ("misdeal", "pause", "resume", "undo")),
        (2, Call("leave")),
        (2, Call("return")),
    ]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"name": "dance"}, "no_call"),
        ({"name": 3}, "bad_form"),
        ({}, "bad_form"),
        ({"name": "leave"}, "bad_form"),
        ({"name": "leave", "seat": 9}, "no_seat"),
        ({"name": "leave", "seat": -1}, "no_seat"),
        # What would change nothing is not called done.
        ({"name": "resume"}, "not_paused"),
        ({"name": "misdeal"}, "begun"),
        ({"name": "return", "seat": 2}, "not_away"),
    ],
)
def test_a_wrong_call(client: FlaskClient, sitting: FakeSitting, body: dict[str, Any], kind: str) -> None:
    assert refusal(client.post("/call", json=body))[0] == kind
    assert sitting.posted == []


def test_calls_that_change_nothing_are_refused_in_words(client: FlaskClient, sitting: FakeSitting) -> None:
    dealing = tables.dealing()
    away = replace(dealing, paused=True, seats=(replace(dealing.seats[0], away=True), *dealing.seats[1:]))
    sitting.show(away)
    assert refusal(client.post("/call", json={"name": "pause"})) == ("is_paused", "The table pauses already.")
    assert refusal(client.post("/call", json={"name": "undo"})) == ("no_undo", "There is no move to undo.")
    assert refusal(client.post("/call", json={"name": "leave", "seat": 0})) == ("is_away", "Anna has left already.")
    assert sitting.posted == []


# ---- at the door -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.test"},
        {"Origin": "null"},
        {"Origin": "http://[broken"},
        {"Origin": ""},
        {"Origin": "http://viewmat.test:81"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://viewmat.test"},
    ],
)
def test_another_site_may_not_tap(sitting: FakeSitting, route: str, headers: dict[str, str]) -> None:
    client = create_app(sitting, buttons=True).test_client()
    answer = client.post(route, json={"name": "pause"}, headers={"Host": "viewmat.test", **headers})
    assert refusal(answer, 403) == ("other_site", "Only the table's own page may do this.")
    assert sitting.posted == []


@pytest.mark.parametrize("host", ["viewmat.test", "viewmat.test:8080", "192.168.1.7:8080", "[fe80::1]:8080", "VIEWMAT.local"])
def test_the_own_page_may_tap_under_any_host_name(client: FlaskClient, sitting: FakeSitting, host: str) -> None:
    headers = {"Host": host, "Origin": f"http://{host.lower()}", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/call", json={"name": "pause"}, headers=headers).status_code == 200
    assert len(sitting.posted) == 1


def test_a_program_without_a_browser_may_tap(client: FlaskClient) -> None:
    assert client.post("/call", json={"name": "pause"}).status_code == 200


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    ("data", "content_type", "kind", "status"),
    [
        (b"{", "application/json", "bad_form", 400),
        (b"[1]", "application/json", "bad_form", 400),
        (b"[" * 1900, "application/json", "bad_form", 400),
        (b"\xff\xfe", "application/json", "bad_form", 400),
        (b"null", "application/json", "bad_form", 400),
        (b'{"seat": 1}', "text/plain", "bad_form", 400),
        (b"seat=1", "application/x-www-form-urlencoded", "bad_form", 400),
        (b" " * 3000, "application/json", "too_big", 413),
    ],
)
def test_a_malformed_request(
    sitting: FakeSitting, route: str, data: bytes, content_type: str, kind: str, status: int
) -> None:
    client = create_app(sitting, buttons=True).test_client()
    assert refusal(client.post(route, data=data, content_type=content_type), status)[0] == kind
    assert sitting.posted == []


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
keys = st.sampled_from(["seat", "slot", "row", "card", "offer", "question", "choice", "name"])


SITTINGS = (tables.revealing(), tables.asked(), tables.tapped())
CLIENTS = [create_app(FakeSitting(view), buttons=True).test_client() for view in SITTINGS]


@settings(max_examples=150, deadline=None)
@given(
    client=st.sampled_from(CLIENTS),
    route=st.sampled_from(ROUTES),
    body=st.dictionaries(keys, anything | st.integers(-2, 8), max_size=4),
)
def test_no_request_breaks_the_page(client: FlaskClient, route: str, body: dict[str, Any]) -> None:
    answer = client.post(route, json=body)
    assert answer.status_code in (200, 400)
    assert answer.json is not None


def test_wrong_ways(client: FlaskClient) -> None:
    for answer in (client.get("/answer"), client.post("/", json={}), client.put("/call", json={})):
        assert refusal(answer, 405) == ("no_method", "This address cannot be used in this way.")
        assert answer.headers["Allow"]
    assert refusal(client.post("/press/x", json={}), 404) == ("no_page", "There is no such page.")
    assert refusal(client.get("/press"), 404)[0] == "no_page"
