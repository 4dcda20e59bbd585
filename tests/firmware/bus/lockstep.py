"""The virtual table with real nodes: five programs `viewmat node`, a real broker, and the hub, on the virtual table's own clock.

Virtual time goes on only when everything that was sent has arrived, so a game takes as little time as the machine allows, and
what comes of it does not depend on how fast that is.  Nodes have clocks of their own, which are wrong.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection, Listener
from pathlib import Path
from threading import Event, Lock
from time import monotonic

from companion.cues import cues
from companion.games import find_game
from companion.observation import Declaration, Press
from companion.views import View
from firmware.bus.hub import Hub, camera_name
from firmware.bus.link import Link, Said
from firmware.bus.messages import Ping, ping_bytes, pong_from
from firmware.bus.topics import Topics
from firmware.camera_feed import PICTURE, PRESS, TIME
from firmware.table import ReadingTable
from firmware.virtual.measure import LoggedAction, logged
from firmware.virtual.play import Settings
from firmware.virtual.server import Log, LogReply, Open, Readings, Refused, Reply, Request, Shot, Step, build_table
from tests.firmware.bus.brokers import Mosquitto
from vision.frame import Frame, Image

TABLE = "t"
ARRIVES_S = 60.0
"""What has not arrived after so long never will."""
ASKS_S = 0.3
FRAMING = 40 + 12 + 7 + 44
"""Bytes beside topic and payload: TCP and IP with time stamps, MQTT's heads, and the acknowledgement's way back."""


class EnoughError(Exception):
    """So much of the game is played as is wanted."""


@dataclass(slots=True)
class NodeProgram:
    """A node as a process, and the socket from which it gets its pictures."""

    name: str
    settings: Path
    address: str
    ahead: float
    """So many seconds its clock is ahead of the table's."""
    process: subprocess.Popen[bytes] | None = None
    feed: Connection | None = None
    _listener: Listener | None = None
    given: dict[int, Image] = field(default_factory=dict)
    known: set[int] = field(default_factory=set)

    def start(self) -> None:
        self._listener = Listener(self.address, "AF_UNIX")
        self.process = subprocess.Popen([sys.executable, "-m", "firmware", "node", "--config", str(self.settings)])
        self.known.clear()

    def ready(self) -> None:
        """Wait until it wants a picture, which it does when the one before is done with."""
        if self.feed is None:
            assert self._listener is not None
            self.feed = self._listener.accept()
        assert self.feed.poll(ARRIVES_S), f"{self.name} does not look any more"
        assert self.feed.recv() == "next"

    def show(self, shot: Shot, time: float) -> None:
        assert self.feed is not None
        if shot.image is not None:
            self.given[shot.variant] = shot.image
            self.known.discard(shot.variant)
        picture = None if shot.variant in self.known else self.given[shot.variant]
        self.known.add(shot.variant)
        self.feed.send((PICTURE, time + self.ahead, shot.variant, picture))

    def say(self, kind: str, time: float) -> None:
        """The button is pressed, or time has gone on."""
        if self.feed is not None:
            self.feed.send((kind, time + self.ahead))
            self.ready()

    def kill(self) -> None:
        """End it as a power cut does."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        if self.feed is not None:
            self.feed.close()
        if self._listener is not None:
            self._listener.close()
        self.process = self.feed = self._listener = None


class Mixed:
    """Messages arrive twice and out of order, pictures and presses alike."""

    def __init__(self, heard: Callable[[str, bytes], None], rng: random.Random) -> None:
        self._heard, self._rng = heard, rng
        self._late: list[tuple[str, bytes]] = []
        self.doubled = self.swapped = 0

    def __call__(self, topic: str, payload: bytes) -> None:
        event = "/camera/" in topic or topic.endswith("/press")
        if event and not self._late and self._rng.random() < 0.2:
            self._late.append((topic, payload))
            self.swapped += 1
            return
        if topic.endswith("/pong"):
            self._release()
        self._heard(topic, payload)
        self._release()
        if event and self._rng.random() < 0.2:
            self.doubled += 1
            self._heard(topic, payload)

    def _release(self) -> None:
        late, self._late = self._late, []
        for each in late:
            self._heard(*each)


class Network:
    """A `Link` of the virtual table whose mats are nodes on a broker.  `disturb` is called before every step, with its time."""

    def __init__(
        self, folder: Path, mosquitto: Mosquitto, port: int, disturb: Callable[[Network, float], None],
        until: float = float("inf"), mix: random.Random | None = None,
    ) -> None:  # fmt: skip
        self._folder, self._mosquitto, self._port = folder, mosquitto, port
        self._disturb, self._until, self._mix = disturb, until, mix
        self.nodes: dict[str, NodeProgram] = {}
        self.mixed: Mixed | None = None
        self.table: ReadingTable | None = None
        self.hub: Hub | None = None
        self.time = 0.0
        self.heard: list[tuple[float, int]] = []
        """Of every message to the hub when it came, and its bytes with what TCP and MQTT put around them."""
        self._settings = Settings()
        self._pictures: dict[tuple[str, int], Image] = {}
        self._arrived = Event()
        self._lock = Lock()
        self._waiting: set[str] = set()
        self._rounds = 0
        self._token = -1.0

    # ---- a game ------------------------------------------------------------------------------------------------------

    def ask(self, request: Request) -> Reply:
        if isinstance(request, Open):
            self._open(request)
            return None
        assert self.table is not None
        if isinstance(request, Step):
            return self._step(request)
        if isinstance(request, Readings):
            return self.table.sitting.readings()
        if isinstance(request, Refused):
            return ()
        assert isinstance(request, Log)
        return LogReply(self.actions(), 0.0)

    def actions(self) -> tuple[LoggedAction, ...]:
        assert self.table is not None
        return logged(find_game(self._settings.game), self.table.sitting.log())

    def _open(self, request: Open) -> None:
        self._settings = request.settings
        self.table = build_table(request.settings, request.seed, lambda: self.time)
        mats = [seat for seat, source in enumerate(request.settings.all_sources) if source == "mat"]
        for number, seat in enumerate(mats):
            self._add_node(camera_name(seat), 1000.0 * (number + 1) + 0.37)

        def connect(heard: Callable[[str, bytes], None], will: Said) -> Link:
            if self._mix is not None:
                self.mixed = Mixed(heard, self._mix)
            login = self._mosquitto.login(f"hub-{TABLE}", self._port)
            through = heard if self.mixed is None else self.mixed
            return Link(login, f"hub-{TABLE}", Topics(TABLE).for_hub(), partial(self._hear, through), will, session_s=120)

        self.hub = Hub(Topics(TABLE), connect, {camera_name(seat): seat for seat in mats}, lambda: self.time)
        for node in self.nodes.values():
            node.start()
        for node in self.nodes.values():
            node.ready()
        self._meet()

    def _add_node(self, name: str, ahead: float) -> None:
        file, address = self._folder / f"{name}.toml", str(self._folder / f"{name}.socket")
        login = self._mosquitto.login(f"node-{TABLE}-{name}", self._port)
        file.write_text(
            f'name = "{name}"\ntable = "{TABLE}"\npins = "none"\n[camera]\nkind = "feed"\nat = "{address}"\nmirror = false\n'
            f'[broker]\nhost = "127.0.0.1"\nport = {login.port}\nuser = "{login.user}"\npassword = "{login.password}"\n'
        )
        self.nodes[name] = NodeProgram(name, file, address, ahead)

    def _meet(self) -> None:
        """Wait until the hub has taken every node that runs."""
        assert self.hub is not None
        until = monotonic() + ARRIVES_S
        while True:
            self._settle()
            there = {node.name for node in self.hub.nodes() if node.accepted and node.here}
            if there >= {node.name for node in self.nodes.values() if node.process is not None}:
                return
            assert monotonic() < until, f"the hub has taken {sorted(there)} alone"

    def restart(self, name: str) -> None:
        """A node that was killed is back."""
        node = self.nodes[name]
        node.start()
        node.ready()
        self._meet()

    # ---- a step ------------------------------------------------------------------------------------------------------

    def _step(self, step: Step) -> View:
        assert self.table is not None and self.hub is not None
        self.time = step.time
        self._disturb(self, step.time)
        if step.time > self._until:
            raise EnoughError
        for node in self.nodes.values():
            node.say(TIME, self.time)
        for declaration in step.said:
            self._say(declaration)
        self._shoot(step)
        self._settle()
        frames, presses, reached = self.hub.work(step.time)
        for press in presses:
            self.table.hear(press)
        for frame in frames:
            self.table.look(frame)
            self.hub.locate(frame.camera, self.table.observers[frame.camera].registration)
        view = self.table.work(reached)
        self.hub.publish(view)
        self.hub.light(cues(view))
        return view

    def _say(self, declaration: Declaration) -> None:
        assert self.table is not None
        node = self.nodes.get(camera_name(declaration.seat))
        if node is not None and isinstance(declaration.what, Press):
            node.say(PRESS, self.time)
        else:
            self.table.hear(declaration)

    def _shoot(self, step: Step) -> None:
        assert self.table is not None
        looked = []
        for shot in step.shots:
            if shot.image is not None:
                self._pictures[shot.camera, shot.variant] = shot.image
            node = self.nodes.get(shot.camera)
            if node is None:
                self.table.look(Frame(shot.camera, step.time, shot.number, self._pictures[shot.camera, shot.variant]))
            elif node.feed is not None:
                node.given[shot.variant] = self._pictures[shot.camera, shot.variant]
                node.show(shot, step.time)
                looked.append(node)
        for node in looked:
            node.ready()

    def _settle(self) -> None:
        """Wait until everything that the nodes have sent is here: what a node answers comes after what it sent before."""
        assert self.hub is not None
        self._rounds += 1
        # A number that is no time twice, and as good as now.
        asked = self.time - 1e-9 * (self._rounds % 1000)
        with self._lock:
            self._token, self._waiting = asked, {node.name for node in self.nodes.values() if node.process is not None}
        self._arrived.clear()
        until = monotonic() + ARRIVES_S
        while self._waiting and not self._arrived.is_set():
            for name in tuple(self._waiting):
                self.hub.link.mention(Topics(TABLE).ping(name), ping_bytes(Ping(asked)))
            self._arrived.wait(ASKS_S)
            assert monotonic() < until, f"at {self.time:.1f} nothing comes from {sorted(self._waiting)}"

    def _hear(self, through: Callable[[str, bytes], None], topic: str, payload: bytes) -> None:
        self.heard.append((self.time, FRAMING + len(topic) + len(payload)))
        through(topic, payload)
        if topic.endswith("/pong") and pong_from(payload).asked == self._token:
            with self._lock:
                self._waiting.discard(topic.split("/")[-2])
                if not self._waiting:
                    self._arrived.set()

    def close(self) -> None:
        for node in self.nodes.values():
            node.kill()
        if self.hub is not None:
            self.hub.close()
