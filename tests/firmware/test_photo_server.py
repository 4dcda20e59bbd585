"""Pictures sent to a real server: large ones, many at once, slow ones."""

from __future__ import annotations

import json
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection
from threading import Event
from typing import Any

import pytest
from flask import Flask

from companion.web import create_app
from companion.web.photo import AT_ONCE, LARGEST_PICTURE, PhotoPage
from companion.web.serve import LONGEST_BODY, Server
from firmware.photodesk import PhotoDesk
from tests.companion.tables import FakeSitting
from tests.companion.web.conftest import served
from tests.firmware.photographed import written, written_desk

OCTETS = {"Content-Type": "application/octet-stream"}
BLANK = b"\r\n\r\n"


@pytest.fixture
def server() -> Iterator[Server]:
    sitting = FakeSitting()
    with closing(written_desk()) as desk, served(app_of(desk, sitting)) as opened:
        yield opened


def app_of(desk: PhotoDesk, sitting: FakeSitting) -> Flask:
    return create_app(sitting, [PhotoPage(desk, sitting).routes()])


def ask(server: Server, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, Any]:
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=30)) as line:
        line.request(method, path, body, {**OCTETS, **headers})
        answer = line.getresponse()
        said = answer.read()
        return answer.status, json.loads(said) if answer.getheader("Content-Type", "").startswith("application/json") else said


@contextmanager
def begun(server: Server, path: str, length: int) -> Iterator[socket.socket]:
    """A request of which only the beginning has come."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\nContent-Length: {length}"
        line.sendall(head.encode() + BLANK + b"x" * 100)
        yield line


def test_a_file_of_eight_million_bytes_arrives_whole(server: Server) -> None:
    picture = written("As Ks Qs Js Ts") + b" " * 8_000_000
    status, told = ask(server, "POST", "/photo/pictures", picture)
    assert status == 202
    assert "royal flush" in told["state"]["parts"]["result"]


def test_other_addresses_take_as_little_as_before(server: Server) -> None:
    for path in ("/stop", "/photo/card", "/photo/pictures/", "//photo/pictures"):
        with begun(server, path, LONGEST_BODY + 1) as line:
            assert line.recv(100).startswith(b"HTTP/1.1 413"), path


def test_a_file_that_is_too_large_is_not_taken_in(server: Server) -> None:
    with begun(server, "/photo/pictures", LARGEST_PICTURE + 1) as line:
        assert line.recv(100).startswith(b"HTTP/1.1 413")


def test_a_file_of_unknown_length_gets_no_more_room_than_a_tap(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        head = "POST /photo/pictures HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream"
        line.sendall(head.encode() + b"\r\nTransfer-Encoding: chunked" + BLANK)
        line.sendall(f"{LONGEST_BODY:x}\r\n".encode() + b"x" * LONGEST_BODY + b"\r\n")
        assert line.recv(100).startswith(b"HTTP/1.1 413")


def test_slow_senders_hold_nobody_up_and_only_so_many_are_served(server: Server) -> None:
    with ExitStack() as stack:
        slow = [stack.enter_context(begun(server, "/photo/pictures", 1_000_000)) for _ in range(AT_ONCE)]
        stack.enter_context(begun(server, "/stop", 1000))
        until(lambda: ask(server, "GET", "/state.json")[0] == 200)
        assert ask(server, "POST", "/photo/pictures", written("As"))[0] == 202, "a small one needs no room"
        with begun(server, "/photo/pictures", 1_000_000) as further:
            assert further.recv(100).startswith(b"HTTP/1.1 503")
        slow[0].sendall(b"x" * (1_000_000 - 100))
        assert slow[0].recv(100).startswith(b"HTTP/1.1 202")
        until(lambda: ask(server, "POST", "/photo/pictures", written("As") + b" " * 1_000_000)[0] == 202)


def until(met: Callable[[], bool]) -> None:
    """Ask again until the server has noticed."""
    pause = Event()
    for _ in range(1000):
        with suppress(OSError):
            if met():
                return
        pause.wait(0.01)
    raise AssertionError("the server does not notice")


def test_a_file_may_take_its_time_but_not_for_ever(server: Server) -> None:
    server._server.next_channel_cleanup = float("inf")  # nobody else looks after them
    with begun(server, "/photo/pictures", 1_000_000), begun(server, "/stop", 1000):
        until(lambda: len([one for one in channels(server) if one.request is not None]) == 2)
        patience = {one.request.path: one for one in channels(server)}
        closed = []
        for seconds in (0, 20, 119, 121):
            server._look_after(1e9 + seconds)
            closed.append([path for path, one in patience.items() if one.will_close])
        assert closed == [[], ["/stop"], ["/stop"], ["/photo/pictures", "/stop"]]


def channels(server: Server) -> list[Any]:
    return list(server._server.active_channels.values())


def test_who_goes_away_gives_his_place_back(server: Server) -> None:
    for _ in range(3 * AT_ONCE):
        with begun(server, "/photo/pictures", 1_000_000):
            pass
    until(lambda: ask(server, "POST", "/photo/pictures", written("As") + b" " * 1_000_000)[0] == 202)


def test_nothing_touches_the_disk(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("a picture was put into a file")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    assert ask(server, "POST", "/photo/pictures", written("As") + b" " * 5_000_000)[0] == 202
