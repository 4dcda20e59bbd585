"""The program on a mat's own computer: it shows its camera's windows to the hub, and its place what the hub says.

It imports neither the reader's model nor any rule: camera, JPEG, transport and pins are all (`tests/firmware/test_node.py`).
"""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from secrets import token_hex
from time import monotonic

from companion.observation import Declaration
from firmware.board import Board, NoBoard
from firmware.bus.cutting import Cutter
from firmware.bus.link import Broker, Link, Said
from firmware.bus.messages import (
    Answer,
    Hello,
    Lit,
    Pong,
    Pressed,
    Wanted,
    answer_from,
    hello_bytes,
    hello_from,
    lit_from,
    ping_from,
    pong_bytes,
    pressed_bytes,
    shown_bytes,
    wanted_from,
)
from firmware.bus.topics import PROTOCOL, Topics
from firmware.camera import Camera, CameraPlan, upright
from firmware.errors import CameraError
from firmware.version import version
from vision.frame import Frame

LOG = logging.getLogger(__name__)
WELL_S = 60.0
"""A camera whose pictures come for so long is well again; one that fails now and then is told of once."""
PAUSE_S = 2.0
"""Before a camera that failed is opened anew."""
OWN = 0
"""What a node calls its own place on its board."""


class Node:
    """A node of the bus.  `look` is called by one thread, `light` by another; messages come on a third."""

    def __init__(self, name: str, topics: Topics, broker: Broker, clock: Callable[[], float] = monotonic) -> None:
        """`clock` is that of the pictures and presses, in seconds; it only runs forward."""
        self._name, self._topics, self._clock = name, topics, clock
        self._boot = token_hex(4)
        self._cutter = Cutter()
        self._wanted: SimpleQueue[Wanted] = SimpleQueue()
        self._lock = threading.Lock()
        self._shown = self._presses = 0
        self._lit = Lit("", ())
        self._taken = self._hub = self._met = False
        self._earlier: set[str] = set()
        self.displaced = False
        """The hub has begun to listen to another program of this name."""
        self._hub_ahead = 0.0
        self.lost = 0
        """So many pictures and presses could not wait any longer for a connection."""
        gone = Said(topics.hello(name), hello_bytes(Hello(PROTOCOL, self._boot, False)))
        self._link = Link(broker, f"node-{topics.table}-{name}", topics.for_node(name), self._heard, gone)

    @property
    def boot(self) -> str:
        return self._boot

    @property
    def link(self) -> Link:
        return self._link

    @property
    def taken(self) -> bool:
        """Whether a hub that is there takes this node."""
        with self._lock:
            return self._taken and self._hub

    def greet(self, lamps: bool) -> None:
        """Say that this node is here; `lamps`: it has a lamp and a button."""
        self._link.keep(self._topics.hello(self._name), hello_bytes(Hello(PROTOCOL, self._boot, True, version(), lamps)))

    def look(self, frame: Frame) -> None:
        """Send what is new in this picture."""
        try:
            while True:
                self._cutter.follow(self._wanted.get_nowait())
        except Empty:
            pass
        if not self.taken:
            return
        news = self._cutter.look(frame)
        if news is None:
            return
        self._shown += 1
        shown = news.shown(self._boot, self._shown, frame)
        if not self._link.send(self._topics.camera(self._name), shown_bytes(shown)):
            # The number is missing now, so the hub will wish for a whole picture.
            self.lost += 1

    def press(self, time: float) -> None:
        """The button was pressed at `time`, seconds of the node's clock."""
        with self._lock:
            self._presses += 1
            pressed = Pressed(self._boot, self._presses, time, self._lit.context)
        if not self._link.send(self._topics.press(self._name), pressed_bytes(pressed)):
            self.lost += 1

    def light(self, board: Board) -> None:
        """Show on `board` what the hub said last; nothing while no hub is there.  Lamps of all nodes blink in step."""
        with self._lock:
            lit = self._lit if self._taken and self._hub else Lit("", ())
            time = self._clock() + self._hub_ahead
        board.show(lit.cues, time)

    def close(self) -> None:
        """Say good-bye and leave."""
        self._link.keep(self._topics.hello(self._name), hello_bytes(Hello(PROTOCOL, self._boot, False)))
        self._link.close()

    # ---- on the thread of the connection -----------------------------------------------------------------------------

    def _heard(self, topic: str, payload: bytes) -> None:
        topics, name = self._topics, self._name
        if topic == topics.ping(name):
            ping = ping_from(payload)
            now = self._clock()
            self._link.mention(topics.pong(name), pong_bytes(Pong(self._boot, ping.asked, now)))
            with self._lock:
                self._hub_ahead = ping.asked - now
        elif topic == topics.windows(name):
            self._wanted.put(wanted_from(payload))
        elif topic == topics.cues(name):
            lit = lit_from(payload, OWN)
            with self._lock:
                self._lit = lit
        elif topic == topics.answer(name):
            self._answered(answer_from(payload))
        elif topic == topics.hub:
            self._hub_said(payload)

    def _answered(self, answer: Answer) -> None:
        if answer.boot != self._boot:
            # To this node's program as it ran before; or to another one of this name, which the hub hears instead from now on.
            self.displaced = self.displaced or (self._met and answer.boot not in self._earlier)
            self._earlier.add(answer.boot)
            return
        with self._lock:
            self._met, self._taken = True, answer.accepted
        if answer.why == "protocol":
            LOG.warning("the hub speaks protocol %s, this node %s: install the same version on both", answer.protocol, PROTOCOL)
        elif answer.why == "unknown":
            LOG.warning("the hub has no place for this node yet: give it one on the table's page, under Setup")

    def _hub_said(self, payload: bytes) -> None:
        hub = hello_from(payload) if payload else None
        here = hub is not None and hub.here and hub.protocol == PROTOCOL
        if hub is not None and hub.here and hub.protocol != PROTOCOL:
            LOG.warning("the hub speaks protocol %s, this node %s: install the same version on both", hub.protocol, PROTOCOL)
        with self._lock:
            self._hub = here


class Eye:
    """The node's camera, opened anew whenever it fails."""

    def __init__(
        self, plan: CameraPlan, opener: Callable[[CameraPlan], Camera], camera: Camera | None = None,
        tell: Callable[[bool], None] = lambda on: None,
    ) -> None:  # fmt: skip
        """`tell` hears True before the camera is opened and False once it is closed."""
        self._plan, self._opener, self._camera, self._tell = plan, opener, camera, tell
        self._number = 0
        self._said, self._well_since = "", 0.0

    def watch(self, see: Callable[[Frame], None], stop: threading.Event) -> None:
        """Hand every picture to `see` until `stop` is set."""
        if self._camera is not None:
            self._tell(True)
        while not stop.is_set():
            try:
                if self._camera is None:
                    self._tell(True)
                    self._camera = self._opener(self._plan)
                self._once(self._camera, see)
            except CameraError as error:
                self._say(str(error))
                self.close()
                stop.wait(PAUSE_S)

    def _say(self, trouble: str) -> None:
        """Log a trouble once for as long as it lasts: a camera may be away all night, and memory cards wear out."""
        if trouble != self._said:
            LOG.warning("%s", trouble)
        self._said, self._well_since = trouble, math.inf

    def _once(self, camera: Camera, see: Callable[[Frame], None]) -> None:
        shot = camera.grab(self._plan.timeout)
        self._well_since = min(self._well_since, shot.time)
        if self._said and shot.time - self._well_since >= WELL_S:
            LOG.warning("%s: pictures come again", self._plan.name)
            self._said = ""
        self._number += 1
        see(Frame(self._plan.name, shot.time, self._number, upright(shot.image, self._plan)))

    def close(self) -> None:
        """Let go of the camera."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.close()
        self._tell(False)


def presser(node: Node) -> Callable[[Declaration], None]:
    """What the buttons of the node's board call."""
    return lambda declaration: node.press(declaration.time)


def lamps_of(board: Board) -> bool:
    """Whether the board has a lamp and a button."""
    return not isinstance(board, NoBoard)
