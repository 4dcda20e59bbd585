"""The page on which photographs are scored, by what a browser can send."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.views import Role
from companion.web import create_app
from companion.web.gate import Access
from companion.web.photo import LARGEST_PICTURE, PhotoPage
from companion.web.photo_app import create_photo_app
from firmware.photodesk import PhotoDesk
from tests.companion import tables
from tests.companion.tables import FakeSitting
from tests.companion.web.visitors import client_of, club
from tests.firmware.photographed import FOUR, written, written_desk

OCTETS = "application/octet-stream"


@pytest.fixture
def desk() -> Iterator[PhotoDesk]:
    with closing(written_desk()) as opened:
        yield opened


@pytest.fixture
def app(desk: PhotoDesk) -> Flask:
    return create_photo_app(desk)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def take(client: FlaskClient, data: bytes, kind: str = OCTETS) -> Any:
    return client.post("/photo/pictures", data=data, content_type=kind)


def state(client: FlaskClient) -> dict[str, Any]:
    found = client.get("/photo/state.json").get_json()
    assert isinstance(found, dict)
    return found


def test_the_page_alone(client: FlaskClient) -> None:
    assert client.get("/").location == "/photo"
    page = client.get("/photo")
    assert page.status_code == 200
    assert b'capture="environment"' in page.data and b"multiple" in page.data
    assert b'href="/"' not in page.data, "there is no table to go to"
    assert "style=" not in page.text and "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert client.get("/state.json").status_code == 404
    assert "Set-Cookie" not in page.headers
    assert state(client)["parts"]["pictures"] == ""


def test_four_hands_an_unknown_card_and_the_winner(client: FlaskClient) -> None:
    answer = take(client, written(FOUR))
    assert answer.status_code == 202
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and "Path=/photo" in cookie
    told = answer.get_json()["state"]
    assert told["parts"]["status"] == "20 cards were found. One of them cannot be read: tap it, and say which card it is."
    assert "One card of hand 3 cannot be read. Nothing is awarded." in told["parts"]["result"]
    assert told["spots"]["1013"] == {
        "words": "Hand 3: a card that cannot be read", "hand": 2, "picture": 1, "gone": False,
        "likely": [{"card": "8s", "words": "eight of spades"}, {"card": "8c", "words": "eight of clubs"}],
        "corners": [[214.0, 224.0], [274.0, 224.0], [274.0, 314.0], [214.0, 314.0]],
    }  # fmt: skip
    told = client.post("/photo/card", json={"spot": 1013, "card": "8c"}).get_json()["state"]
    assert told["parts"]["status"] == "20 cards were found."
    assert "Hand 1 wins with a flush, ace high. That beats Hand 3" in told["parts"]["result"]
    assert "three of a kind, sevens" in told["parts"]["hands"]
    assert client.get("/photo/picture/1.jpg").mimetype == "image/jpeg"


@pytest.mark.parametrize(
    ("ranking", "winner", "hand"),
    [
        ("suits", "Hand 4 wins with ace high.", "ace high"),
        ("high", "Hand 1 and Hand 4 share the win: their hands are equal, ace high.", "ace high"),
        ("27", "Hand 2 is lowest with 8-5-4-3-2.", "A-9-4-3-2"),
        ("a5", "Hand 2 is lowest with 8-5-4-3-2.", "9-4-3-2-A"),
        (
            "hilo",
            "Hand 1 and Hand 4 share the win: their hands are equal, ace high. Hand 2 is lowest with 8-5-4-3-2.",
            "ace high; 9-4-3-2-A",
        ),
        ("soko", "Hand 3 wins with four to a straight.", "four to a straight"),
    ],
)
def test_hands_are_compared_as_people_say(client: FlaskClient, ranking: str, winner: str, hand: str) -> None:
    take(client, written("Ac 9d 4h 3c 2d/8s 5d 4c 3d 2c/Kh Qd Jc Th 5c/As 9h 4s 3h 2h"))
    told = client.post("/photo/sort", json={"ranking": ranking}).get_json()["state"]
    assert winner in told["parts"]["result"]
    assert hand in told["parts"]["hands"]
    assert f'<option value="{ranking}" selected>' in told["parts"]["hands"]
    assert ranking == "suits" or state(client)["parts"]["result"] == told["parts"]["result"]


def test_hands_are_compared_as_the_game_at_the_table_compares_them(desk: PhotoDesk) -> None:
    app = create_app(FakeSitting(), [PhotoPage(desk, FakeSitting(), ranking=lambda: "a5").routes()])
    told = take(app.test_client(), written("Ac 9d 4h 3c 2d/8s 5d 4c 3d 2c")).get_json()["state"]
    assert "Hand 2 is lowest with 8-5-4-3-2." in told["parts"]["result"]


def test_cards_are_added_moved_and_taken_out(client: FlaskClient) -> None:
    take(client, written("As Ks Qs Js/2d 3d 5h 9c Td"))
    told = client.post("/photo/sort", json={"way": "rows"}).get_json()["state"]
    assert ">Hand 1 lacks one card: tap + to add it.<" in told["parts"]["result"]
    told = client.post("/photo/move", json={"spot": 1008, "hand": 0}).get_json()["state"]
    assert "Hand 2 lacks one card: tap + to add it." in told["parts"]["result"]
    told = client.post("/photo/add", json={"hand": 1, "card": "4c"}).get_json()["state"]
    assert "Hand 1 wins with a straight to the ace." in told["parts"]["result"]
    told = client.post("/photo/gone", json={"spot": 1008}).get_json()["state"]
    assert told["spots"]["1008"]["words"] == "Taken out: ten of diamonds"
    assert "Taken out" in told["parts"]["hands"]
    told = client.post("/photo/add", json={"hand": 0, "card": "Ts"}).get_json()["state"]
    assert "Hand 1 wins with a royal flush." in told["parts"]["result"]
    told = client.post("/photo/add", json={"hand": 0, "card": "Ks"}).get_json()["state"]
    assert "The king of spades appears 2 times: in hand 1." in told["parts"]["result"]


def test_one_browser_does_not_see_the_pictures_of_another(app: Flask) -> None:
    one, other = app.test_client(), app.test_client()
    take(one, written("As Ks Qs Js Ts"))
    assert state(other)["spots"] == {} and "ace" not in other.get("/photo").text
    assert other.get("/photo/picture/1.jpg").status_code == 404
    assert other.post("/photo/gone", json={"spot": 1000}).get_json()["error"] == "photo_gone"
    other.set_cookie("photo", "sheet-1", path="/photo")
    assert state(other)["spots"] == {}


def test_start_over(client: FlaskClient) -> None:
    take(client, written("As Ks Qs Js Ts"))
    answer = client.post("/photo/again", json={})
    assert answer.get_json()["state"]["spots"] == {}
    assert client.get("/photo/picture/1.jpg").status_code == 404
    take(client, written("2s"))
    assert list(state(client)["spots"]) == ["1000"]


# ---- bad uploads ---------------------------------------------------------------------------------------------------


def bomb() -> bytes:
    """A PNG of a few bytes that says it is 100,000 pixels wide and high."""
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBBI", 13, b"IHDR", 100_000, 100_000, 8, 2, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "Picture 1 is empty."),
        (b"Dear Sir or Madam", "File 1 is no picture that can be read here: it has to be JPEG, PNG, WebP or BMP."),
        (b"\x00\x00\x00\x18ftypheic", "File 1 is no picture that can be read here"),
        (bomb(), "Picture 1 is too large: 100000 × 100000 pixels, at most 60 million can be read."),
    ],
    ids=["empty", "text", "heic", "bomb"],
)
def test_what_is_no_picture_is_said(client: FlaskClient, data: bytes, words: str) -> None:
    told = take(client, data).get_json()["state"]
    assert words in told["parts"]["progress"]
    assert told["parts"]["status"] == "No card was found."


def test_a_picture_without_cards_gets_advice_and_nothing_to_sort(client: FlaskClient) -> None:
    parts = take(client, written("")).get_json()["state"]["parts"]
    assert parts["status"].startswith("No card was found. Take another picture: closer")
    assert (parts["hands"], parts["result"]) == ("", "")


def test_with_a_picture_missing_nothing_is_awarded(client: FlaskClient) -> None:
    take(client, written("As Ks Qs Js Ts"))
    told = take(client, b"half a picture").get_json()["state"]
    assert told["parts"]["result"] == '<p class="open">Nothing is awarded.</p>'


def test_a_file_that_is_too_large_or_comes_as_a_form_is_refused(client: FlaskClient) -> None:
    size = {"CONTENT_LENGTH": str(LARGEST_PICTURE + 1)}
    big = client.post("/photo/pictures", data=b"x", content_type=OCTETS, environ_overrides=size)
    assert (big.status_code, big.get_json()["error"]) == (413, "photo_big")
    assert big.get_json()["message"] == "This file is too large: at most 24 million bytes can be sent."
    for kind in ("multipart/form-data; boundary=x", "text/plain", "image/jpeg", ""):
        assert take(client, b"x", kind).get_json()["error"] == "bad_form"
    strange = client.post("/photo/pictures", data=b"x", content_type=OCTETS, headers={"Origin": "http://elsewhere.example"})
    assert strange.get_json()["error"] == "other_site"
    assert state(client)["spots"] == {}


def test_other_routes_take_no_more_than_before(client: FlaskClient) -> None:
    answer = client.post("/photo/card", data=b'{"card": "' + b"x" * 5000 + b'"}', content_type="application/json")
    assert (answer.status_code, answer.get_json()["error"]) == (413, "too_big")


def test_more_pictures_than_are_put_together(client: FlaskClient) -> None:
    for _ in range(6):
        assert take(client, written("As")).status_code == 202
    refused = take(client, written("As"))
    assert (refused.status_code, refused.get_json()["error"]) == (409, "photo_many")


@pytest.mark.parametrize(
    ("route", "body", "error"),
    [
        ("card", {"spot": 1000, "card": "Zz"}, "no_card"),
        ("card", {"spot": "x", "card": "As"}, "bad_form"),
        ("card", {"spot": 9, "card": "As"}, "photo_no_card"),
        ("gone", {}, "bad_form"),
        ("add", {"hand": 4, "card": "As"}, "photo_no_hand"),
        ("move", {"spot": 1000, "hand": -1}, "photo_no_hand"),
        ("sort", {"way": "piles"}, "bad_form"),
        ("reveal", {"seats": [0]}, "photo_not_now"),
    ],
)
def test_deeds_that_make_no_sense(client: FlaskClient, route: str, body: dict[str, Any], error: str) -> None:
    take(client, written("As Ks Qs Js Ts"))
    before = state(client)
    answer = client.post(f"/photo/{route}", json=body)
    assert answer.get_json()["error"] == error
    assert state(client) == before


# ---- beside a table ------------------------------------------------------------------------------------------------


def beside(desk: PhotoDesk, sitting: FakeSitting, access: Access | None = None) -> Flask:
    return create_app(sitting, [PhotoPage(desk, sitting).routes()], access=access)


def test_the_table_page_leads_to_it(desk: PhotoDesk) -> None:
    sitting = FakeSitting()
    client = beside(desk, sitting).test_client()
    assert '<a href="/photo">Score a photo</a>' in client.get("/").text
    assert '<a href="/photo">' not in create_app(sitting).test_client().get("/").text
    assert 'href="/">To the table' in client.get("/photo").text


def test_while_a_game_goes_on_only_what_is_in_the_picture_is_shown() -> None:
    for name, view in tables.SITUATIONS.items():
        if view.revealing:
            continue
        sitting = FakeSitting(view)
        client = beside(written_desk(), sitting).test_client()
        take(client, written("Kh 9c Ks 9d 4s"))
        told = state(client)
        assert told["parts"]["reveal"] == "", name
        assert client.post("/photo/reveal", json={"seats": [0]}).get_json()["error"] == "photo_not_now", name
        assert sitting.posted == []


@pytest.mark.parametrize(("role", "seat"), [(Role.SPECTATOR, None), (Role.SEAT, 1), (Role.TABLE, None), (Role.REFEREE, None)])
def test_everybody_may_score_a_photo(desk: PhotoDesk, role: Role, seat: int | None) -> None:
    client = client_of(beside(desk, FakeSitting(), club()), role, seat)
    assert client.get("/photo").status_code == 200
    assert take(client, written("As Ks Qs Js Ts")).status_code == 202
    assert "royal flush" in state(client)["parts"]["result"]


def test_cards_have_the_colours_that_were_chosen(client: FlaskClient) -> None:
    for cookie, media in (("", "not all"), ("suits-two", "all")):
        client.set_cookie("viewmat-looks", cookie)
        page = client.get("/photo").get_data(as_text=True)
        assert f'media="{media}"' in page and page.count("suits.css") == 2
