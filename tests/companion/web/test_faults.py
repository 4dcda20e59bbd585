"""Errors in one form, bounded requests, and a fuzz of every route."""

from __future__ import annotations

import io
import json
import logging
import random
import socket
from collections.abc import Callable
from typing import Any

import pytest
from flask import Blueprint, Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cards import Card
from companion.views import Role, View
from companion.web import create_app
from companion.web.bench import bench_pages
from companion.web.door import LONGEST_BODY
from companion.web.gate import EVERYBODY, Preset, open_to
from companion.web.live import Stream, Streams
from companion.web.serve import LONGEST_HEAD, Server
from tests.companion import tables
from tests.companion.tables import FakeSitting
from tests.companion.web.visitors import client_of, club, home, keyring_of

PAGE = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
"""What a browser sends when a person opens an address."""
HIDDEN = Card.parse("Qs")


def broken(error: Exception) -> Blueprint:
    extra = Blueprint("extra", __name__)

    def fail() -> str:
        raise error

    extra.add_url_rule("/broken", view_func=open_to(EVERYBODY)(fail), methods=["GET", "POST"])
    return extra


# ---- one form ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "address", "status", "kind", "sentence"),
    [
        ("GET", "/nowhere", 404, "no_page", "There is no such page."),
        ("GET", "/call", 405, "no_method", "This address cannot be used in this way."),
        ("GET", "/broken", 500, "fault", "Something went wrong inside the table. The game goes on; please try again."),
    ],
)
def test_people_get_a_page_and_scripts_json(
    sitting: FakeSitting, method: str, address: str, status: int, kind: str, sentence: str
) -> None:
    client = create_app(sitting, [broken(RuntimeError("x"))]).test_client()
    told = client.open(address, method=method)
    assert (told.status_code, told.json) == (status, {"error": kind, "message": sentence})
    page = client.open(address, method=method, headers=PAGE)
    assert (page.status_code, page.mimetype) == (status, "text/html")
    assert f'<p class="lead">{sentence}</p>' in page.get_data(as_text=True)
    for answer in (told, page):
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW"])
def test_a_405_says_what_is_allowed(client: FlaskClient, method: str) -> None:
    answer = client.open("/state.json", method=method)
    assert (answer.status_code, answer.json["error"]) == (405, "no_method")
    assert "GET" in answer.headers["Allow"]


@pytest.mark.parametrize("error", [KeyError(HIDDEN), ValueError(f"{HIDDEN} lies at slot 2"), RuntimeError(repr(HIDDEN))])
def test_a_fault_tells_neither_page_nor_log_what_it_said(
    sitting: FakeSitting, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    client = create_app(sitting, [broken(error)]).test_client()
    for headers in ({}, PAGE):
        said = client.get("/broken", headers=headers).get_data(as_text=True)
        assert not any(word in said for word in ("Traceback", "Qs", "QUEEN", type(error).__name__, __file__, "test_faults"))
    assert client.post("/broken", json={}).status_code == 500
    assert type(error).__name__ in caplog.text
    assert "test_faults.py:" in caplog.text, "where it happened can be found"
    assert not any(word in caplog.text for word in ("Qs", "QUEEN", "Queen"))


def test_a_fault_in_a_stream_ends_it_and_tells_no_log_what_it_said(caplog: pytest.LogCaptureFixture) -> None:
    def fails(view: View) -> str:
        raise ValueError(f"{HIDDEN} has no form")

    streams = Streams(1)
    assert streams.enter()
    stream = Stream(FakeSitting(), streams, fails)
    with pytest.raises(StopIteration):
        next(stream)
    stream.close()
    assert streams.open == 0
    assert "ValueError in answer to events, at " in caplog.text
    assert "Qs" not in caplog.text


def test_a_redirection_is_no_error(client: FlaskClient) -> None:
    extra = Blueprint("extra", __name__)
    extra.add_url_rule("/folder/", view_func=open_to(EVERYBODY)(lambda: "in"))
    answer = create_app(FakeSitting(), [extra]).test_client().get("/folder")
    assert (answer.status_code, answer.headers["Location"]) == (308, "http://localhost/folder/")


# ---- sizes -------------------------------------------------------------------------------------------------------

POSTS = ("/press/1", "/answer", "/act", "/enter", "/call", "/join", "/link", "/leave", "/referee/enter", "/check/start")


class Counted(io.BytesIO):
    """A body that knows how much of it was read."""

    taken = 0

    def read(self, size: int | None = -1) -> bytes:
        got = super().read(size)
        self.taken += len(got)
        return got

    def readinto(self, buffer: Any) -> int:
        got = super().readinto(buffer)
        self.taken += got
        return got


@pytest.mark.parametrize("address", POSTS)
@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_is_too_long_is_not_read(sitting: FakeSitting, address: str, chunked: bool) -> None:
    app = create_app(sitting, [bench_pages({})], buttons=True)
    body = Counted(b" " * 1_000_000)
    length = {} if chunked else {"CONTENT_LENGTH": "1000000"}
    environ = {"wsgi.input": body, "wsgi.input_terminated": True, "CONTENT_TYPE": "application/json", **length}
    answer = app.test_client().open(address, method="POST", environ_overrides=environ)
    assert (answer.status_code, answer.json["error"]) == (413, "too_big"), answer.json
    assert body.taken <= (LONGEST_BODY + 1 if chunked else 0)
    assert sitting.posted == []


def test_a_body_of_the_longest_length_is_read(client: FlaskClient, sitting: FakeSitting) -> None:
    body = json.dumps({"name": "pause"}).ljust(LONGEST_BODY)
    assert client.post("/call", data=body, content_type="application/json").status_code == 200
    for longer in (body + " ", body + "  "):
        assert client.post("/call", data=longer, content_type="application/json").status_code == 413
    assert len(sitting.posted) == 1


def test_chunked_bodies_over_a_real_server(sitting: FakeSitting, serving: Callable[[Flask], Server]) -> None:
    server = serving(create_app(sitting))

    def send(chunk: bytes, times: int) -> bytes:
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as line:
            head = b"POST /call HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
            line.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n")
            try:
                for _ in range(times):
                    line.sendall(b"%x\r\n%s\r\n" % (len(chunk), chunk))
                line.sendall(b"0\r\n\r\n")
            except OSError:
                pass  # it was cut off, as it should be
            said = b""
            try:
                while piece := line.recv(4096):
                    said += piece
            except ConnectionError:
                said = said or b"HTTP/1.1 413 cut off"
            return said

    assert send(b'{"name": "pause"}', 1).startswith(b"HTTP/1.1 200")
    assert len(sitting.posted) == 1
    said = send(b" " * 1000, 10)
    assert said.startswith(b"HTTP/1.1 413") and b"too_big" in said
    assert send(b" " * 60_000, 20).startswith(b"HTTP/1.1 413")
    assert len(sitting.posted) == 1


def test_a_head_that_is_too_long_over_a_real_server(sitting: FakeSitting, serving: Callable[[Flask], Server]) -> None:
    server = serving(create_app(sitting))
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * LONGEST_HEAD + b"\r\n\r\n")
        said = line.recv(4096)
    assert said.split(b"\r\n")[0].split()[1] == b"431"
    assert b"Traceback" not in said


# ---- fuzz --------------------------------------------------------------------------------------------------------

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
near = st.integers(-2, 8) | st.sampled_from(["pause", "leave", "undo", "8s", "Kh", "846210", "x" * 22, "steal", ""])
names = st.sampled_from(["seat", "slot", "row", "card", "offer", "question", "choice", "name", "token", "pin", "link"])
bodies = st.dictionaries(names, anything | near, max_size=5) | anything
methods = st.sampled_from(["GET", "POST", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"])
types = st.sampled_from(["application/json", "application/json", "text/plain", "multipart/form-data; boundary=x", "a/b;;=", ""])


def addresses(app: Flask) -> st.SearchStrategy[str]:
    """Addresses of every route, with right and wrong values in their places."""
    pieces = st.sampled_from(["0", "1", "7", "-1", "9" * 20, "x", "teach", "check", "start", "%00", "..", "é", "table.css"])

    def filled(rule: str) -> st.SearchStrategy[str]:
        parts = rule.split("<")
        tails = [part.split(">", 1)[1] for part in parts[1:]]
        return st.tuples(*[pieces for _ in tails]).map(
            lambda values: parts[0] + "".join(value + tail for value, tail in zip(values, tails, strict=True))
        )

    rules = sorted({rule.rule for rule in app.url_map.iter_rules()})
    # What begins with two slashes names a host, and is no address of ours.
    return st.sampled_from(rules).flatmap(filled) | st.text(max_size=10).map(lambda text: "/" + text.lstrip("/"))


SITTINGS = (tables.revealing(), tables.asked(), tables.tapped(), tables.playing())
APPS = [create_app(FakeSitting(view), [bench_pages({})], buttons=True, access=club()) for view in SITTINGS]
APPS += [create_app(FakeSitting(view), [bench_pages({})], buttons=True, access=home()) for view in SITTINGS]
for _app in APPS:
    keyring_of(_app).set_pin("738291")
CLIENTS = [(app, role, client_of(app, role, 1)) for app in APPS for role in (Role.SPECTATOR, Role.SEAT)]
"""Two to a table: one who may do nothing, and one who may act for seat 1."""
KNOWN_STATUS = {200, 304, 308, 400, 403, 404, 405, 409, 413, 415, 416, 421, 429}


@settings(max_examples=200, deadline=None)
@given(
    who=st.sampled_from(CLIENTS), method=methods, address=addresses(APPS[0]), body=bodies,
    kind=types, raw=st.none() | st.binary(max_size=40),
)  # fmt: skip
def test_no_request_is_a_fault_and_none_changes_what_it_may_not(
    who: tuple[Flask, Role, FlaskClient], method: str, address: str, body: Any, kind: str, raw: bytes | None
) -> None:
    app, role, client = who
    sitting = FakeSitting()
    ring = keyring_of(app).keys
    posted = _posted(app)
    before = len(posted)
    data = raw if raw is not None else json.dumps(body).encode()
    answer = client.open(address, method=method, data=data, content_type=kind)
    status = answer.status_code
    answer.close()
    assert status in KNOWN_STATUS, (method, address, body, answer.get_data())
    assert sitting.posted == []
    new = posted[before:]
    if role is Role.SPECTATOR:
        assert new == []
    assert all(one.seat == 1 for one in new), "the phone of seat 1 acts for seat 1"
    if status >= 400:
        assert new == []
        after = keyring_of(app).keys
        assert (after.links, after.bearers, after.pin) == (ring.links, ring.bearers, ring.pin)
    if keyring_of(app).bearer(_secret(client)) is None and role is Role.SEAT:
        _join_again(app, client)


def _posted(app: Flask) -> list[Any]:
    sitting: FakeSitting = app.view_functions["taps.act"].__self__._table  # type: ignore[attr-defined]
    return sitting.posted


def _secret(client: FlaskClient) -> str:
    found = client.get_cookie("viewmat")
    return "" if found is None else found.value


def _join_again(app: Flask, client: FlaskClient) -> None:
    """It had signed itself off, as it may."""
    ring = keyring_of(app)
    client.set_cookie("viewmat", ring.join(ring.invite(Role.SEAT, 1, ""))[0])


@pytest.mark.parametrize("preset", Preset)
def test_strange_headers_are_no_fault(preset: Preset) -> None:
    """Cookies, languages, kinds and lengths that no browser sends."""
    app = create_app(FakeSitting(), access=club() if preset is Preset.CLUB else home())
    chance = random.Random(4)
    letters = "abc;=,/*\"'%\\ \t0189.-_é\x7f"
    for _ in range(400):
        name = chance.choice(["Cookie", "Accept", "Accept-Language", "Content-Type", "Origin", "Host", "Last-Event-ID", "Range"])
        value = "".join(chance.choice(letters) for _ in range(chance.randrange(12)))
        prefix = chance.choice(["", "viewmat=", "text/html;q=", "en-", "http://"])
        address = chance.choice(["/", "/state.json", "/static/table.css", "/join", "/nowhere"])
        answer = app.test_client().open(address, method=chance.choice(["GET", "POST"]), headers={name: prefix + value})
        assert answer.status_code in KNOWN_STATUS, (name, prefix + value, answer.status_code)
        answer.close()
