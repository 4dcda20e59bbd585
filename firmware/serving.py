"""A table that people look at: the dashboard on a thread of its own, the table and its lamps on the caller's."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from flask import Flask

from companion.cues import cues
from companion.observation import Tick
from companion.sitting import Sitting
from companion.web.hosts import own_address
from companion.web.serve import Server
from firmware.board import Board
from firmware.errors import RigError
from firmware.espeak import Silence, Voice

BEAT = 1 / 20
"""Seconds between two looks at the inbox; lamps that blink fastest change every eighth of a second."""


@contextmanager
def served(app: Flask, host: str, port: int) -> Iterator[Server]:
    """Serve `app` as long as the block runs; raise `RigError` when the port cannot be had."""
    try:
        server = Server(app, host, port)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise RigError(f"port {port} of {host} cannot be had: {why}; choose another with --port") from error
    thread = threading.Thread(target=server.run, name="dashboard")
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join()


def addresses(host: str, port: int) -> tuple[str, ...]:
    """What to type into a browser: for other machines first, if `host` lets them in."""
    if host not in ("0.0.0.0", "::", ""):
        return (f"http://{host}:{port}/",)
    found = [f"http://{near}:{port}/" for near in (own_address(),) if near]
    return (*found, f"http://localhost:{port}/")


@contextmanager
def until_stopped() -> Iterator[threading.Event]:
    """An event that Ctrl-C and a service manager's "terminate" set."""
    stop = threading.Event()
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Beat(Protocol):
    """Whoever is told that the loop goes round."""

    def beat(self) -> None: ...


def keep_table(
    sitting: Sitting, board: Board, stop: threading.Event, leave: Callable[[], bool] = lambda: False, voice: Voice | None = None,
    look: Callable[[float], object] | None = None, alive: Beat | None = None,
) -> None:  # fmt: skip
    """Work the inbox, set the lamps and speak until `stop` is set, or it is time to leave this game.

    `look` reads what cameras have sent and works the inbox; without it the table has none.  `alive` is told each time all of it
    is done.
    """
    voice = voice if voice is not None else Silence()
    while not stop.wait(BEAT) and not leave():
        now = sitting.now()
        if look is None:
            sitting.post(Tick(now))
            sitting.work()
        else:
            look(now)
        view = sitting.view()
        board.show(cues(view), now)
        voice.show(view)
        if alive is not None:
            alive.beat()
