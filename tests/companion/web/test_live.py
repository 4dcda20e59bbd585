"""The event stream: the newest state at once and after every change, to a bounded number of pages."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection
from typing import Any

import pytest
from flask import Flask

from companion.views import Role
from companion.web import create_app
from companion.web.live import BEAT_SECONDS, Stream, Streams
from companion.web.serve import Patience, Server
from tests.companion import tables
from tests.companion.tables import FakeSitting
from tests.companion.web.conftest import served


def frame(text: str) -> dict[str, str]:
    """The fields of one server-sent event; comments under an empty name."""
    assert text.endswith("\n\n")
    return dict(line.split(": ", 1) if not line.startswith(":") else ("", line) for line in text.strip().split("\n"))


class Waits(FakeSitting):
    """A sitting in which no time passes: every wait that would time out returns at once."""

    asked: list[tuple[int, float]]

    def wait(self, version: int, timeout: float, role: Role = Role.SPECTATOR, seat: int | None = None, /) -> tables.View:
        self.asked.append((version, timeout))
        return self.shown


@pytest.fixture
def quiet() -> Waits:
    table = Waits()
    table.asked = []
    return table


def open_stream(table: FakeSitting, streams: Streams | None = None) -> Stream:
    streams = streams or Streams(4)
    assert streams.enter()
    return Stream(table, streams, lambda view: json.dumps({"version": view.version}))


def test_a_stream_begins_with_the_current_state(quiet: Waits) -> None:
    quiet.show(tables.stolen())
    assert frame(next(open_stream(quiet))) == {"retry": "1000", "id": "2", "data": '{"version": 2}'}
    assert quiet.asked == []


def test_a_slow_page_gets_only_the_newest(quiet: Waits) -> None:
    stream = open_stream(quiet)
    next(stream)
    for _ in range(5):
        quiet.show(tables.stolen())
    assert frame(next(stream))["id"] == "6"
    assert frame(next(stream))["event"] == "beat"


def test_a_stream_without_news_beats(quiet: Waits) -> None:
    stream = open_stream(quiet)
    next(stream)
    beat = next(stream)
    assert beat.startswith(":")
    assert sum(timeout for _, timeout in quiet.asked) == BEAT_SECONDS
    assert {version for version, _ in quiet.asked} == {1}
    assert frame(beat)["event"] == "beat"


def test_a_table_that_starts_again_from_the_first_version_is_followed(quiet: Waits) -> None:
    """A page tells the id that it saw last; whatever it is, it gets the state of now."""
    client = create_app(quiet).test_client()
    answer = client.get("/events", headers={"Last-Event-ID": "4711"}, buffered=False)
    assert answer.mimetype == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-store"
    first = next(iter(answer.response))
    answer.close()
    assert b"id: 1\n" in (first if isinstance(first, bytes) else first.encode())


def test_streams_are_counted_and_given_back(quiet: Waits) -> None:
    app = create_app(quiet, streams=2)
    streams: Streams = app.extensions["viewmat_streams"]
    client = app.test_client()
    first, second = client.get("/events"), client.get("/events")
    third = client.get("/events")
    assert (first.status_code, second.status_code, third.status_code) == (200, 200, 503)
    assert third.json == {"error": "busy", "message": "Too many pages are open at once; this one updates more slowly."}
    assert client.get("/state.json").status_code == 200, "such a page still gets its state"
    first.close()
    first.close()
    assert streams.open == 1
    fourth = client.get("/events")
    assert fourth.status_code == 200
    for answer in (second, fourth):
        answer.close()
    assert streams.open == 0


def test_a_closing_server_ends_its_streams(quiet: Waits) -> None:
    streams = Streams(2)
    stream = open_stream(quiet, streams)
    next(stream)
    streams.closing.set()
    with pytest.raises(StopIteration):
        next(stream)
    assert not streams.enter()


def test_a_state_is_rendered_once_for_all_pages(quiet: Waits, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.web import live

    drawn: list[int] = []
    draw = live.arranged_for

    def counting(visitor: Any, view: tables.View, say: Any) -> Any:
        drawn.append(view.version)
        return draw(visitor, view, say)

    monkeypatch.setattr(live, "arranged_for", counting)
    client = create_app(quiet).test_client()
    states = {client.get("/state.json").data for _ in range(3)}
    quiet.show(tables.stolen())
    states |= {client.get("/state.json").data for _ in range(3)}
    assert drawn == [1, 2]
    assert len(states) == 2


# ---- over a real server ------------------------------------------------------------------------------------------


class Reader:
    """Reads server-sent events from a real server."""

    def __init__(self, port: int) -> None:
        self.connection = HTTPConnection("127.0.0.1", port, timeout=10)
        self.connection.request("GET", "/events")
        self.socket = self.connection.sock
        self.answer = self.connection.getresponse()

    def next(self) -> dict[str, str]:
        lines = b""
        while not lines.endswith(b"\n\n"):
            line = self.answer.readline()
            if not line:
                raise EOFError
            lines += line
        return frame(lines.decode())

    def close(self) -> None:
        self.answer.close()
        self.connection.close()


def test_changes_reach_every_page(sitting: FakeSitting, serving: Callable[[Flask], Server]) -> None:
    server = serving(create_app(sitting))
    readers = [Reader(server.port) for _ in range(5)]
    for reader in readers:
        assert json.loads(reader.next()["data"])["words"]["headline"] == "Ben to play"
    sitting.show(tables.won())
    for reader in readers:
        event = reader.next()
        assert event["id"] == "2"
        assert json.loads(event["data"])["words"]["headline"] == "Anna wins!"
        reader.close()


def test_full_of_streams_the_server_still_answers(sitting: FakeSitting, serving: Callable[[Flask], Server]) -> None:
    server = serving(create_app(sitting, streams=3))
    readers = [Reader(server.port) for _ in range(6)]
    assert sorted(reader.answer.status for reader in readers) == [200, 200, 200, 503, 503, 503]
    connection = HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("POST", "/call", json.dumps({"name": "pause"}), {"Content-Type": "application/json"})
    assert connection.getresponse().status == 200
    connection.close()
    for reader in readers:
        reader.close()


def test_a_page_that_never_reads_holds_up_nobody(sitting: FakeSitting, serving: Callable[[Flask], Server]) -> None:
    """Its unread events fill a small buffer and no more; the others go on."""
    server = serving(create_app(sitting))
    deaf = socket.create_connection(("127.0.0.1", server.port))
    deaf.sendall(b"GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
    reader = Reader(server.port)
    reader.next()
    for version in range(2, 60):
        sitting.show(tables.won())
        assert reader.next()["id"] == str(version)
    reader.close()
    deaf.close()


def test_a_page_that_has_gone_gives_its_place_back_though_nothing_happens(
    sitting: FakeSitting, serving: Callable[[Flask], Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nothing is sent to the page that would fail: that it has gone is noticed without.
    monkeypatch.setattr("companion.web.live.BEAT_SECONDS", 3600.0)
    app = create_app(sitting, streams=2)
    server, streams = serving(app), app.extensions["viewmat_streams"]
    goes, stays = Reader(server.port), Reader(server.port)
    for reader in (goes, stays):
        reader.next()
        # Whatever else is asked on a stream's connection.
        for _ in range(3):
            reader.socket.sendall(b"GET /state.json HTTP/1.1\r\nHost: x\r\n\r\n")
    goes.close()
    until(streams, 1)
    sitting.show(tables.stolen())
    assert stays.next()["id"] == "2"
    stays.close()


def test_a_page_that_sleeps_gives_its_place_back_and_is_not_held_megabytes_for(sitting: FakeSitting) -> None:
    app = create_app(sitting, streams=2)
    streams: Streams = app.extensions["viewmat_streams"]
    with served(app, patience=Patience(unread_s=1.0)) as server:
        asleep = socket.create_connection(("127.0.0.1", server.port), timeout=20)
        asleep.sendall(b"GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
        until(streams, 1)
        for _ in range(3000):
            sitting.show(tables.won())
            if streams.open == 0:
                break
            threading.Event().wait(0.02)
        assert streams.open == 0
        held = 0
        with suppress(ConnectionError):
            while piece := asleep.recv(1 << 16):
                held += len(piece)
        assert held < 4_000_000
        asleep.close()


def until(streams: Streams, count: int) -> None:
    for _ in range(3000):
        if streams.open == count:
            return
        threading.Event().wait(0.02)
    assert streams.open == count


def test_closing_ends_open_streams_and_frees_the_port(sitting: FakeSitting) -> None:
    with served(create_app(sitting)) as server:
        port = server.port
        reader = Reader(port)
        reader.next()
    with pytest.raises((EOFError, ConnectionError, OSError)):
        reader.next()
    reader.close()
    with served(create_app(sitting), port) as again:
        assert again.port == port
    assert [thread.name for thread in threading.enumerate() if "waitress" in thread.name] == []


def test_a_port_that_is_taken_is_an_error(sitting: FakeSitting, serving: Callable[[Flask], Server]) -> None:
    server = serving(create_app(sitting))
    with pytest.raises(OSError, match="in use"):
        Server(create_app(sitting), "127.0.0.1", server.port)


def closed(connection: socket.socket) -> bool:
    """Whether the server has closed a connection on which it had nothing to say; waits for it up to the connection's timeout."""
    try:
        return connection.recv(100) == b""
    except ConnectionError:
        return True


HALF = (b"", b"GET / HTTP/1.1\r\nHost: x\r\n", b"POST /call HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{")
"""Nothing, half a head, half a body."""


def test_connections_that_ask_nothing_make_room_in_some_seconds_and_streams_go_on(sitting: FakeSitting) -> None:
    with served(create_app(sitting), patience=Patience(connections=20, idle_s=1, look_s=1)) as server:
        reader = Reader(server.port)
        reader.next()
        idle = [socket.create_connection(("127.0.0.1", server.port), timeout=20) for _ in range(40)]
        for number, connection in enumerate(idle):
            connection.sendall(HALF[number % len(HALF)])
        # More than may be open at once: who comes now waits until the idle ones are gone, and no longer.
        page = HTTPConnection("127.0.0.1", server.port, timeout=20)
        page.request("GET", "/state.json")
        assert page.getresponse().status == 200
        page.close()
        assert all(closed(connection) for connection in idle)
        sitting.show(tables.won())
        assert reader.next()["id"] == "2", "a stream that has had nothing to tell for longer is not idle"
        reader.close()
        for connection in idle:
            connection.close()


def test_a_request_that_drips_is_not_waited_for(sitting: FakeSitting) -> None:
    with (
        served(create_app(sitting), patience=Patience(idle_s=30, request_s=0.5, look_s=1)) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=0.1) as dripping,
    ):
        dripping.sendall(b"GET / HTTP/1.1\r\nX: ")
        for _ in range(200):
            try:
                dripping.sendall(b"x")
                if dripping.recv(100) == b"":
                    break
            except TimeoutError:
                continue
            except ConnectionError:
                break
        else:
            raise AssertionError("it was waited for")


def test_the_places_fit_the_files_that_a_process_may_open() -> None:
    """1024 are usual; others than connections need some."""
    assert Patience().connections + 100 <= 1024
    assert Patience().idle_s + Patience().look_s <= 10 < Patience().request_s + Patience().look_s <= 20
