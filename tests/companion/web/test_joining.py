"""Links and PINs as browsers use them."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.keyring import Keyring
from companion.keys import LINK_SECONDS
from companion.views import Role
from companion.web import create_app
from companion.web.gate import Access, Preset
from companion.web.serve import Server
from tests.companion import tables
from tests.companion.tables import FakeSitting
from tests.companion.web.visitors import client_of, club, home, keyring_of

PIN = "846210"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(sitting: FakeSitting, clock: Clock) -> Flask:
    """A club's table whose PIN is made."""
    ring = Keyring(None, clock)
    ring.set_pin(PIN)
    return create_app(sitting, access=Access(Preset.CLUB, ring, address=lambda: "192.168.1.7"))


@pytest.fixture
def at_home(sitting: FakeSitting) -> Flask:
    return create_app(sitting, access=home())


def token_in(answer: Any) -> str:
    assert answer.status_code == 200, answer.json
    return str(answer.json["link"]).split("#")[1]


def join(client: FlaskClient, token: str) -> Any:
    return client.post("/join", json={"token": token})


def cookie_of(answer: Any) -> str:
    found: str = answer.headers["Set-Cookie"]
    return found


# ---- a seat's link -----------------------------------------------------------------------------------------------


def test_a_phone_joins_by_the_link_that_the_table_shows(at_home: Flask, sitting: FakeSitting) -> None:
    shown = at_home.test_client().post("/link", json={"seat": 1})
    assert shown.json["words"] == {
        "link": "Link for Ben's phone",
        "link_lead": "Ben scans this with the phone's camera. It works once and for 10 minutes.",
        "link_note": "Whoever had Ben's link before is signed off.",
    }
    assert re.fullmatch(r"http://192\.168\.1\.7/join#[\w-]{22}", shown.json["link"]), "a phone cannot reach localhost"
    assert shown.json["picture"].startswith("data:image/svg+xml")
    phone = at_home.test_client()
    assert phone.get("/join").status_code == 200
    joined = join(phone, token_in(shown))
    assert joined.json == {"ok": True, "role": "seat", "seat": 1}
    assert phone.post("/press/1", json={}).json["error"] == "no_buttons", "it is past the gate"
    assert phone.get("/state.json").json["role"] == "seat-1"


def test_the_link_names_the_host_that_the_table_goes_by(at_home: Flask) -> None:
    client = at_home.test_client()
    links = [
        client.post("/link", json={"seat": 0}, headers={"Host": host}).json["link"].split("/join")[0]
        for host in ("127.0.0.1:8080", "[::1]:8080", "viewmat.local:8080", "192.168.1.20")
    ]
    assert links == ["http://192.168.1.7:8080"] * 2 + ["http://viewmat.local:8080", "http://192.168.1.20"]


def test_a_link_works_once(at_home: Flask) -> None:
    token = token_in(at_home.test_client().post("/link", json={"seat": 1}))
    first, second = at_home.test_client(), at_home.test_client()
    assert join(first, token).status_code == 200
    refused = join(second, token)
    assert (refused.status_code, refused.json["error"]) == (403, "bad_link")
    assert refused.json["message"] == "This link is no longer good. Ask at the table for a new one."
    assert "Set-Cookie" not in refused.headers
    assert first.get("/state.json").json["role"] == "seat-1"


def test_a_substitutes_link_replaces_and_revokes_the_leavers(at_home: Flask, sitting: FakeSitting) -> None:
    table, leaver, substitute = (at_home.test_client() for _ in range(3))
    join(leaver, token_in(table.post("/link", json={"seat": 1})))
    sitting.show(tables.tapped())
    assert leaver.post("/call", json={"name": "pause"}).status_code == 200
    token = token_in(table.post("/link", json={"seat": 1}))
    refused = leaver.post("/call", json={"name": "pause"})
    assert (refused.status_code, refused.json["error"]) == (403, "not_yours")
    assert join(substitute, token).status_code == 200
    assert substitute.post("/call", json={"name": "pause"}).status_code == 200
    assert len(sitting.posted) == 2


def test_a_phone_that_moves_to_another_seat_leaves_the_first(at_home: Flask) -> None:
    table, phone, copy = (at_home.test_client() for _ in range(3))
    first = cookie_of(join(phone, token_in(table.post("/link", json={"seat": 1})))).split(";")[0].split("=")[1]
    assert join(phone, token_in(table.post("/link", json={"seat": 3}))).json["seat"] == 3
    copy.set_cookie("viewmat", first)
    assert copy.get("/state.json").json["role"] == "spectator-stale"
    assert phone.get("/state.json").json["role"] == "seat-3"


def test_a_renewed_link_makes_the_one_on_the_screen_worthless(at_home: Flask) -> None:
    table = at_home.test_client()
    first = token_in(table.post("/link", json={"seat": 1}))
    second = token_in(table.post("/link", json={"seat": 1}))
    assert join(at_home.test_client(), first).status_code == 403
    assert join(at_home.test_client(), second).status_code == 200


def test_a_link_waits_ten_minutes(app: Flask, clock: Clock) -> None:
    table = client_of(app, Role.TABLE)
    token = token_in(table.post("/link", json={"seat": 1}))
    clock.now += LINK_SECONDS + 1
    assert join(app.test_client(), token).status_code == 403


@pytest.mark.parametrize(
    ("seat", "kind"),
    [(4, "no_seat"), (-1, "no_seat"), ("1", "bad_form"), (None, "bad_form"), (True, "bad_form"), (2, "by_itself")],
)
def test_no_link_for_what_is_no_persons_seat(at_home: Flask, sitting: FakeSitting, seat: Any, kind: str) -> None:
    sitting.show(tables.tapped())
    before = keyring_of(at_home).keys
    assert at_home.test_client().post("/link", json={"seat": seat}).json["error"] == kind
    assert keyring_of(at_home).keys == before


@pytest.mark.parametrize("token", ["", "x", "A" * 22, "A" * 65, "A" * 1500, None, 7, ["x"], "ü" * 22, "\ud800"])
def test_a_made_up_token_opens_nothing(at_home: Flask, token: Any) -> None:
    at_home.test_client().post("/link", json={"seat": 1})
    answer = join(at_home.test_client(), token)
    assert answer.status_code in (400, 403)
    assert "Set-Cookie" not in answer.headers
    assert keyring_of(at_home).keys.bearers == ()


def test_the_cookie_is_hardened_and_says_nothing(at_home: Flask) -> None:
    table = at_home.test_client()
    tokens = [token_in(table.post("/link", json={"seat": seat})) for seat in (1, 2)]
    cookies = [cookie_of(join(at_home.test_client(), token)) for token in tokens]
    for cookie in cookies:
        assert re.fullmatch(r"viewmat=[\w-]{22}; Expires=[^;]+; Max-Age=2592000; HttpOnly; Path=/; SameSite=Strict", cookie)
    assert cookies[0].split(";")[0] != cookies[1].split(";")[0]
    secure = table.post("/link", json={"seat": 1})
    over_tls = at_home.test_client().post("/join", json={"token": token_in(secure)}, base_url="https://viewmat.local")
    assert "; Secure;" in cookie_of(over_tls)


def test_a_role_begins_with_a_secret_of_its_own(app: Flask) -> None:
    """A cookie that somebody planted before is not what gets the rights."""
    client = app.test_client()
    client.set_cookie("viewmat", "planted-by-somebody-els")
    answer = client.post("/referee/enter", json={"pin": PIN})
    assert answer.status_code == 200
    assert "planted" not in cookie_of(answer)
    assert keyring_of(app).bearer("planted-by-somebody-els") is None


def test_signing_off(at_home: Flask) -> None:
    phone = at_home.test_client()
    assert phone.post("/leave", json={}).json["error"] == "not_joined"
    join(phone, token_in(at_home.test_client().post("/link", json={"seat": 1})))
    gone = phone.post("/leave", json={})
    assert "Max-Age=0" in cookie_of(gone)
    assert keyring_of(at_home).keys.bearers == ()


def test_no_secret_stands_in_a_log(sitting: FakeSitting, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    app = create_app(sitting, access=club())
    keyring_of(app).set_pin(PIN)
    table, phone, referee = client_of(app, Role.TABLE), app.test_client(), app.test_client()
    token = token_in(table.post("/link", json={"seat": 1}))
    secret = cookie_of(join(phone, token)).split(";")[0].split("=")[1]
    join(app.test_client(), token)
    referee.post("/referee/enter", json={"pin": PIN})
    phone.post("/referee/enter", json={"pin": "135799"})
    assert not any(hidden in caplog.text for hidden in (token, secret, PIN, "135799"))


def test_a_secret_of_the_wrong_form_is_not_said_back(app: Flask) -> None:
    sent: tuple[tuple[str, dict[str, Any]], ...] = (
        ("/join", {"token": ["s3cret"]}), ("/referee/enter", {"pin": 846211}), ("/join", {"token": "s3cret" * 20}),
    )  # fmt: skip
    for address, body in sent:
        answer = app.test_client().post(address, json=body)
        assert answer.json["error"] == "bad_form"
        assert "s3cret" not in answer.get_data(as_text=True) and "846211" not in answer.get_data(as_text=True)


def test_a_link_reaches_the_server_in_a_body_alone(at_home: Flask, serving: Callable[[Flask], Server]) -> None:
    """What stands behind the ``#`` is not sent; an address with a token in its path or query is no route at all."""
    token = token_in(at_home.test_client().post("/link", json={"seat": 1}))
    client = at_home.test_client()
    assert client.get(f"/join/{token}").status_code == 404
    client.get(f"/join?token={token}")
    assert client.get("/state.json").json["role"] == "table"
    assert len(keyring_of(at_home).keys.links) == 1


# ---- the referee -------------------------------------------------------------------------------------------------


def test_the_referee_enters_with_the_pin_and_gives_the_table_its_screen(app: Flask, sitting: FakeSitting) -> None:
    phone, tablet = app.test_client(), app.test_client()
    assert "Enter the PIN" in phone.get("/referee").get_data(as_text=True)
    assert phone.post("/referee/enter", json={"pin": PIN}).json == {"ok": True, "role": "referee"}
    assert "This screen is the referee" in phone.get("/referee").get_data(as_text=True)
    assert phone.post("/call", json={"name": "undo"}).status_code == 200
    tablet.post("/referee/enter", json={"pin": PIN})
    assert tablet.post("/referee/table", json={}).json["role"] == "table"
    assert tablet.get("/state.json").json["role"] == "table"
    assert tablet.post("/call", json={"name": "undo"}).status_code == 403
    assert tablet.post("/call", json={"name": "pause"}).status_code == 200
    assert len(sitting.posted) == 2


def test_the_referee_pairs_his_phone_by_a_link(app: Flask) -> None:
    phone = app.test_client()
    assert join(phone, keyring_of(app).invite(Role.REFEREE)).json == {"ok": True, "role": "referee", "seat": None}
    assert phone.post("/referee/pin", json={"pin": "975308"}).json == {"ok": True, "message": "The PIN is set."}
    other = app.test_client()
    assert other.post("/referee/enter", json={"pin": PIN}).json["error"] == "wrong_pin"
    assert other.post("/referee/enter", json={"pin": "975308"}).status_code == 200


def test_there_is_no_pin_before_one_is_made(sitting: FakeSitting) -> None:
    app = create_app(sitting, access=club())
    client = app.test_client()
    assert "viewmat referee pair" in client.get("/referee").get_data(as_text=True)
    for guess in ("000000", "123456", "", "846210"):
        assert client.post("/referee/enter", json={"pin": guess}).json["error"] == "no_pin"
    assert keyring_of(app).keys.failed == 0


def test_guessing_is_slow_and_does_not_keep_the_paired_phone_out(app: Flask, clock: Clock) -> None:
    paired, guesser = client_of(app, Role.REFEREE), app.test_client()
    for _ in range(3):
        assert guesser.post("/referee/enter", json={"pin": "846211"}).status_code == 403
    # The right one has to wait as well, from every browser.
    for client in (guesser, app.test_client()):
        waits = client.post("/referee/enter", json={"pin": PIN})
        assert (waits.status_code, waits.json["error"], waits.headers["Retry-After"]) == (429, "too_many", "6")
        assert waits.json["message"] == "Too many wrong PINs. The next try is possible in 6 seconds."
    assert paired.post("/call", json={"name": "undo"}).status_code == 200
    clock.now += 6.0
    assert guesser.post("/referee/enter", json={"pin": "846212"}).status_code == 403
    clock.now += 6.0
    assert guesser.post("/referee/enter", json={"pin": PIN}).status_code == 429, "the second wait is twice as long"
    clock.now += 5.0
    assert guesser.post("/referee/enter", json={"pin": PIN}).status_code == 200
    assert keyring_of(app).keys.failed == 0


@pytest.mark.parametrize("pin", ["84621", "111111", "123456", "letters", ""])
def test_a_poor_pin_is_refused(app: Flask, pin: str) -> None:
    referee = client_of(app, Role.REFEREE)
    before = keyring_of(app).keys
    assert referee.post("/referee/pin", json={"pin": pin}).json["error"] == "poor_pin"
    assert keyring_of(app).keys == before


def test_at_home_there_is_no_referee(at_home: Flask) -> None:
    client = at_home.test_client()
    assert "everybody at it agrees with a tap" in client.get("/referee").get_data(as_text=True)
    for address in ("enter", "pin", "table"):
        answer = client.post(f"/referee/{address}", json={"pin": PIN})
        assert (answer.status_code, answer.json["error"]) == (400, "no_referee")
    assert keyring_of(at_home).keys.pin is None


def test_recovery_at_the_machine_signs_the_referee_off(app: Flask) -> None:
    referee = client_of(app, Role.REFEREE)
    keyring_of(app).reset()
    assert referee.post("/call", json={"name": "undo"}).status_code == 403
    assert app.test_client().post("/referee/enter", json={"pin": PIN}).json["error"] == "no_pin"
