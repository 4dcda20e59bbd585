"""A sitting that shows what a test wants, and the page on top of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.web import create_app
from companion.web.serve import PATIENCE, Patience, Server
from tests.companion.tables import FakeSitting


@pytest.fixture
def sitting() -> FakeSitting:
    return FakeSitting()


@pytest.fixture
def client(sitting: FakeSitting) -> FlaskClient:
    return create_app(sitting).test_client()


@contextmanager
def served(app: Flask, port: int = 0, patience: Patience = PATIENCE) -> Iterator[Server]:
    """A real server on a thread of its own."""
    server = Server(app, "127.0.0.1", port, patience)
    thread = threading.Thread(target=server.run, name="server")
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join(10)
        assert not thread.is_alive()


@pytest.fixture
def serving() -> Iterator[Callable[[Flask], Server]]:
    """Opens real servers that are closed when the test ends."""
    with ExitStack() as stack:
        yield lambda app: stack.enter_context(served(app))
