"""How well the page's event stream holds out: a real server with a game of taps, and many pages that follow it.

The server runs in a process of its own, so that its processor time and memory are its own.  Both processes read the same
monotonic clock.
"""

from __future__ import annotations

import http.client
import multiprocessing
import os
import random
import socket
import statistics
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic, process_time
from typing import Any

from companion.games import find_game
from companion.observation import Tick
from companion.sitting import RowSight, Seat, Sitting, Timing
from companion.web.app import create_app
from firmware.errors import RigError
from firmware.evening import Evening
from firmware.serving import served

NAMES = ("Anna", "Ben", "Cleo", "Dan")
HOST = "127.0.0.1"
PATIENCE_S = 60.0
SETTLED_S = 2.0
"""After the last update every page has so long to hear of it."""


@dataclass(frozen=True, slots=True)
class Served:
    """What the server's process has seen of itself."""

    published: tuple[tuple[int, float], ...]
    """Every version of the table with the time at which it could be seen."""
    cpu_s: float
    """Processor time while it was measured."""
    wall_s: float
    rss_mb: tuple[float, ...]
    """Memory held, at every second."""


@dataclass(frozen=True, slots=True)
class Heard:
    """The versions that one page was told, with the times, in their order."""

    versions: tuple[tuple[int, float], ...]


class Follower(threading.Thread):
    """A page: one connection that reads the stream until it ends."""

    def __init__(self, port: int) -> None:
        super().__init__(name="page", daemon=True)
        self._connection = http.client.HTTPConnection(HOST, port, timeout=PATIENCE_S)
        self._connection.connect()
        # A connection lets go of its socket when an answer without an end begins.
        self._socket = self._connection.sock
        self._heard: list[tuple[int, float]] = []
        self.begun = threading.Event()

    def run(self) -> None:
        with suppress(OSError, http.client.HTTPException, ValueError):
            self._connection.request("GET", "/events", headers={"Accept": "text/event-stream"})
            answer = self._connection.getresponse()
            for line in answer:
                if line.startswith(b"id: "):
                    self._heard.append((int(line[4:]), monotonic()))
                    self.begun.set()

    def heard(self) -> Heard:
        return Heard(tuple(self._heard))

    def close(self) -> None:
        """End the connection, and with it the thread."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self.join(PATIENCE_S)
        self._socket.close()


class Game:
    """Games of taps, one after another, one action at a time."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        self.evening = Evening(self._deal())

    def _deal(self) -> Sitting:
        seats = [Seat(name, "tap") for name in NAMES]
        quick = Timing(tidy=0.001)
        return Sitting(find_game("steal"), seats, row_sight=RowSight.NONE, timing=quick, seed=self._dice.randrange(2**31))

    def step(self) -> int:
        """Make one move, or begin the next game; the version that everybody sees now."""
        sitting = self.evening.sitting
        view = sitting.view()
        offers = () if view.phase == "over" or view.current is None else sitting.offers(view.current)
        if view.turn == 0 and view.phase == "setup":
            offers = sitting.offers(0)
        if offers:
            sitting.claim(view.current or 0, self._dice.choice(offers).id)
            sitting.post(Tick(sitting.now()))
            sitting.work()
        else:
            self.evening.begin(self._deal())
        return self.evening.view().version


def serve(pipe: Connection, rate: float, seed: int) -> None:
    """The server's process: tells its port, plays from "play" to "stop", and tells what it has seen."""
    game = Game(seed)
    with served(create_app(game.evening), HOST, 0) as server:
        pipe.send(server.port)
        pipe.recv()
        pipe.send(_played(game, pipe, 1.0 / rate))
        pipe.recv()


def _played(game: Game, pipe: Connection, beat: float) -> Served:
    published: list[tuple[int, float]] = []
    memory: list[float] = []
    began, worked = monotonic(), process_time()
    due = began
    while not pipe.poll(max(0.0, due - monotonic())):
        due += beat
        published.append((game.step(), monotonic()))
        if monotonic() - began >= len(memory):
            memory.append(rss_mb())
    pipe.recv()
    return Served(tuple(published), process_time() - worked, monotonic() - began, tuple(memory))


def rss_mb(statm: Path = Path("/proc/self/statm")) -> float:
    """Memory that this process holds, in megabytes."""
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


def measure(clients: int, seconds: float, rate: float, seed: int = 1) -> dict[str, Any]:
    """Let `clients` pages follow a game for `seconds` at `rate` updates a second; raises `RigError` where none can."""
    context = multiprocessing.get_context("spawn")
    pipe, other = context.Pipe()
    process = context.Process(target=serve, args=(other, rate, seed), daemon=True)
    process.start()
    try:
        if not pipe.poll(PATIENCE_S):
            raise RigError("the server did not begin")
        port = pipe.recv()
        return figures(*_followed([Follower(port) for _ in range(clients)], pipe, seconds))
    finally:
        with suppress(OSError):
            pipe.send("end")
        process.join(PATIENCE_S)
        process.kill()


def _followed(followers: Sequence[Follower], pipe: Connection, seconds: float) -> tuple[Served, tuple[Heard, ...]]:
    for follower in followers:
        follower.start()
    for number, follower in enumerate(followers, 1):
        if not follower.begun.wait(PATIENCE_S):
            raise RigError(f"page {number} of {len(followers)} was told nothing")
    pipe.send("play")
    threading.Event().wait(seconds)
    pipe.send("stop")
    seen: Served = pipe.recv()
    threading.Event().wait(SETTLED_S)
    for follower in followers:
        follower.close()
    return seen, tuple(follower.heard() for follower in followers)


def figures(seen: Served, pages: Sequence[Heard]) -> dict[str, Any]:
    """What came of it, as JSON."""
    published = dict(seen.published)
    delays = [delay for page in pages for delay in _delays(published, page)]
    lost = sum(len(published.keys() - {version for version, _ in page.versions}) for page in pages)
    return {
        "clients": len(pages),
        "seconds": round(seen.wall_s, 1),
        "updates": len(published),
        "updates_per_second": round(len(published) / seen.wall_s, 2),
        "received": len(delays),
        "lost": lost,
        "out_of_order": sum(_disorder([version for version, _ in page.versions]) for page in pages),
        "delay_ms": {name: round(value * 1000, 1) for name, value in _percentiles(delays).items()},
        "server_cpu_fraction": round(seen.cpu_s / seen.wall_s, 3),
        "rss_mb": {"first": round(seen.rss_mb[len(seen.rss_mb) // 10], 1), "last": round(seen.rss_mb[-1], 1)},
    }


def _delays(published: Mapping[int, float], page: Heard) -> Iterator[float]:
    yield from (at - published[version] for version, at in page.versions if version in published)


def _disorder(versions: Sequence[int]) -> int:
    """How often a version came that was not newer than all before it."""
    return sum(later <= earlier for earlier, later in pairwise(versions))


def _percentiles(values: Sequence[float]) -> dict[str, float]:
    if len(values) < 2:
        return {"p50": 0.0, "p95": 0.0, "max": 0.0}
    cuts = statistics.quantiles(values, n=20, method="inclusive")
    return {"p50": cuts[9], "p95": cuts[18], "max": max(values)}
