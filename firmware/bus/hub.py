"""The hub's end of the bus: the only authority.  Nodes say what they see and what was pressed, and show what they are told."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from secrets import token_hex
from time import time

from companion.choices import Value
from companion.cues import Cue
from companion.observation import Declaration, Press
from companion.views import View
from firmware.bus.canvas import Canvas, mark_boxes, window_boxes
from firmware.bus.clock import ClockMap
from firmware.bus.club import rules_from
from firmware.bus.link import Link, Said
from firmware.bus.messages import (
    Answer,
    Claim,
    Hello,
    Lit,
    Ping,
    Pressed,
    Shown,
    Wanted,
    answer_bytes,
    claim_bytes,
    claim_from,
    hello_bytes,
    hello_from,
    lit_bytes,
    ping_bytes,
    pong_from,
    pressed_from,
    shown_from,
    wanted_bytes,
)
from firmware.bus.order import LowWater, Sequence
from firmware.bus.public import alert_bytes, context_of, view_bytes
from firmware.bus.topics import PROTOCOL, RULES, Topics
from firmware.version import version
from vision.calibrate import Registration
from vision.frame import Frame

LOG = logging.getLogger(__name__)
PING_S = 2.0
"""So often a node's clock is asked for."""
FIRST_PING_S = 0.2
"""The same until it is known."""
WISH_S = 3.0
"""A whole picture that does not come is wished for anew after that."""
LATE_PRESS_S = 3.0
"""A press that is older counts only if the lamps are still about the same."""
SESSION_S = 120
"""So long the broker keeps events for a hub whose connection was cut."""
MOST_NODES = 64
CLAIM_S = 2.0
"""So often the hub says that it is there, to any other one."""
Connect = Callable[[Callable[[str, bytes], None], Said], Link]
"""Makes the connection to the broker; gets what hears messages, and the last will."""


@dataclass(frozen=True, slots=True)
class NodeState:
    """A node as people are told of it."""

    name: str
    here: bool
    speaks: int
    """Its protocol."""
    accepted: bool
    version: str = ""
    place: int | None = None
    """From 0; None: nobody has given it one."""
    uncertainty: float | None = None
    """Seconds by which the times of its pictures may be wrong; None while its clock is not known."""
    lamps: bool = False


@dataclass(slots=True)
class _Node:
    """What the hub keeps of one node."""

    name: str
    place: int | None = None
    hello: Hello | None = None
    clock: ClockMap = field(default_factory=ClockMap)
    sequence: Sequence[Shown] = field(default_factory=Sequence)
    presses: Sequence[Pressed] = field(default_factory=Sequence)
    canvas: Canvas | None = None
    pinged: float = float("-inf")
    wish: int = 0
    wished: float = float("-inf")
    registration: Registration | None = None
    refused: str = ""

    @property
    def accepted(self) -> bool:
        return self.hello is not None and self.hello.protocol == PROTOCOL and self.place is not None


class Hub:
    """One table on the bus.  Messages come on the thread of the connection; everything else is called by the table's own."""

    def __init__(
        self, topics: Topics, connect: Connect, places: Mapping[str, int], clock: Callable[[], float], boot: str = "",
        since: float | None = None,
    ) -> None:  # fmt: skip
        """`places` says for each node, by its name, which place of the table it is in front of, from 0.

        `boot` names this start of the program among all others, and `since` is its time in seconds since 1970; without them one
        is drawn, and it is now.
        """
        self._topics, self._clock = topics, clock
        self._lock = threading.Lock()
        self._boot = boot or token_hex(4)
        self._claim = Claim(time() if since is None else since, self._boot)
        self._claimed, self._renew, self._displaced = float("-inf"), float("inf"), False
        self._nodes: dict[str, _Node] = {}
        self._water = LowWater()
        self._frames: list[Frame] = []
        self._pressed: list[Declaration] = []
        self._context = ""
        self._club_rules: Mapping[str, Mapping[str, Value]] = {}
        for name, place in places.items():
            self._node(name).place = place
        gone = Said(topics.hub, hello_bytes(Hello(PROTOCOL, self._boot, False)))
        self._link = connect(self._heard, gone)
        self._link.keep(topics.hub, hello_bytes(Hello(PROTOCOL, self._boot, True, version())))
        with self._lock:
            for node in self._nodes.values():
                self._tell(node)

    @property
    def link(self) -> Link:
        return self._link

    @property
    def displaced(self) -> bool:
        """Whether another program has come as the hub of this table; this one has left the bus then."""
        return self._displaced

    # ---- nodes and places --------------------------------------------------------------------------------------------

    def nodes(self) -> tuple[NodeState, ...]:
        """Every node that was heard of, by name."""
        now = self._clock()
        with self._lock:
            return tuple(_state(node, now) for _, node in sorted(self._nodes.items()))

    def place(self, name: str, place: int | None) -> None:
        """The node `name` is in front of this place from now on, and in front of no other one."""
        with self._lock:
            for node in self._nodes.values():
                if place is not None and node.place == place and node.name != name:
                    self._move(node, None)
            if name in self._nodes or place is not None:
                self._move(self._node(name), place)

    def _move(self, node: _Node, place: int | None) -> None:
        if node.place == place:
            return
        node.place, node.registration = place, None
        node.canvas = None if place is None else Canvas(camera_name(place))
        self._water.gone(node.name)
        self._wish(node, self._clock())
        self._answer(node)
        self._tell(node)

    def _node(self, name: str) -> _Node:
        if name not in self._nodes:
            self._nodes[name] = _Node(name)
        return self._nodes[name]

    def house_rules(self, game: str) -> Mapping[str, Value]:
        """What the club wants of this game; nothing where there is no club."""
        with self._lock:
            return dict(self._club_rules.get(game, {}))

    # ---- for the table -----------------------------------------------------------------------------------------------

    def work(self, now: float) -> tuple[tuple[Frame, ...], tuple[Declaration, ...], float]:
        """The frames and presses up to the moment that is returned, in the order of time; `now` is by the table's clock."""
        with self._lock:
            self._mind(now)
            reached = self._water.reached(now)
            ready = sorted((frame for frame in self._frames if frame.time <= reached), key=lambda frame: frame.time)
            self._frames = [frame for frame in self._frames if frame.time > reached]
            pressed = sorted((press for press in self._pressed if press.time <= reached), key=lambda press: press.time)
            self._pressed = [press for press in self._pressed if press.time > reached]
        return tuple(ready), tuple(pressed), reached

    def locate(self, camera: str, registration: Registration | None) -> None:
        """Where the board lies in the pictures of a camera now, as the table's observer found it."""
        with self._lock:
            node = next((one for one in self._nodes.values() if one.place is not None and camera_name(one.place) == camera), None)
            if node is None or registration is node.registration or registration is None:
                return
            node.registration = registration
            self._tell(node)

    def light(self, cues: Iterable[Cue]) -> None:
        """Tell every node what its lamps say.  The seats of `cues` are places of the table."""
        said = tuple(cues)
        with self._lock:
            for node in self._nodes.values():
                if node.accepted:
                    own = tuple(cue for cue in said if cue.seat in (None, node.place))
                    self._link.keep(self._topics.cues(node.name), lit_bytes(Lit(self._context, own)))

    def publish(self, view: View) -> None:
        """Tell everybody what spectators see, and what somebody has to decide."""
        with self._lock:
            self._context = context_of(view)
        self._link.keep(self._topics.view, view_bytes(view))
        self._link.keep(self._topics.alert, alert_bytes(view))

    def close(self) -> None:
        """Say good-bye and leave."""
        self._link.keep(self._topics.hub, hello_bytes(Hello(PROTOCOL, self._boot, False)))
        self._link.close()

    def _insist(self, now: float) -> None:
        """Say who is the hub, and mend what another one wrote before it left."""
        if now - self._claimed >= CLAIM_S:
            self._claimed = now
            self._link.mention(self._topics.claim, claim_bytes(self._claim))
        if now >= self._renew:
            self._renew = float("inf")
            self._link.again()

    def _mind(self, now: float) -> None:
        self._insist(now)
        for node in self._nodes.values():
            if node.hello is None or not node.hello.here:
                continue
            if now - node.pinged >= (PING_S if node.clock.known else FIRST_PING_S):
                node.pinged = now
                self._link.mention(self._topics.ping(node.name), ping_bytes(Ping(now)))
            if not node.accepted:
                continue
            waited = node.sequence.waited(now)
            self._pour(node, waited.items, waited.gap, now)
            if node.canvas is not None and not node.canvas.whole and now - node.wished >= WISH_S:
                self._wish(node, now)
                self._tell(node)

    def _wish(self, node: _Node, now: float) -> None:
        node.wish, node.wished = node.wish + 1, now

    def _tell(self, node: _Node) -> None:
        """Where to look, and which whole picture is wished for."""
        found = node.registration
        windows, marks = ((), ()) if found is None else (window_boxes(found), mark_boxes(found))
        wanted = Wanted(windows, marks, f"{self._boot}-{node.wish}")
        self._link.keep(self._topics.windows(node.name), wanted_bytes(wanted))

    # ---- on the thread of the connection -----------------------------------------------------------------------------

    def _heard(self, topic: str, payload: bytes) -> None:
        if topic == RULES:
            rules = rules_from(payload)
            with self._lock:
                self._club_rules = rules
            return
        if topic == self._topics.claim:
            self._rival(claim_from(payload))
            return
        sender = self._topics.sender(topic)
        if sender is None:
            return
        name, kind = sender
        now = self._clock()
        with self._lock:
            if name not in self._nodes and len(self._nodes) >= MOST_NODES:
                return
            node = self._node(name)
            if kind == "hello":
                self._greet(node, payload, now)
            elif kind == "pong":
                pong = pong_from(payload)
                if node.hello is not None and pong.boot == node.hello.boot and pong.asked <= now:
                    node.clock = node.clock.after(pong.asked, pong.node, now)
            elif node.accepted and kind == "camera":
                self._see(node, shown_from(payload), now)
            elif node.accepted and kind == "press":
                self._press(node, pressed_from(payload), now)

    def _rival(self, claim: Claim) -> None:
        if claim.boot == self._boot or self._displaced:
            return
        if not self._claim.before(claim):
            # It leaves when it hears of this one.
            self._renew = self._clock() + 2 * CLAIM_S
            return
        LOG.warning("another program has come as the hub of table %s; this one leaves the bus until it is started anew",
                    self._topics.table)  # fmt: skip
        self._displaced = True
        self._link.leave()

    def _greet(self, node: _Node, payload: bytes, now: float) -> None:
        if not payload:
            node.hello = None  # Somebody took the node away from the broker.
            self._water.gone(node.name)
            return
        hello = hello_from(payload)
        anew = node.hello is None or node.hello.boot != hello.boot
        node.hello = hello
        if anew:
            node.clock = ClockMap()
        if not hello.here:
            self._water.gone(node.name)
        else:
            node.pinged = float("-inf") if anew else node.pinged
            self._answer(node)

    def _answer(self, node: _Node) -> None:
        hello = node.hello
        if hello is None:
            return
        why = "protocol" if hello.protocol != PROTOCOL else "unknown" if node.place is None else ""
        if why and why != node.refused:
            said = f"speaks protocol {hello.protocol}, this hub {PROTOCOL}" if why == "protocol" else "has no place yet"
            LOG.warning("node %s is not taken: it %s", node.name, said)
        node.refused = why
        if node.canvas is None and node.place is not None:
            node.canvas = Canvas(camera_name(node.place))
        self._link.keep(self._topics.answer(node.name), answer_bytes(Answer(hello.boot, not why, why, PROTOCOL)))

    def _see(self, node: _Node, shown: Shown, now: float) -> None:
        taken = node.sequence.take(shown.boot, shown.number, shown, now)
        if taken.fresh and node.canvas is not None:
            node.canvas.lose()
        self._pour(node, taken.items, taken.gap, now)

    def _pour(self, node: _Node, items: tuple[Shown, ...], gap: bool, now: float) -> None:
        canvas = node.canvas
        if canvas is None:
            return
        if gap:
            canvas.lose()
        for shown in items:
            if not node.clock.known or node.hello is None or shown.boot != node.hello.boot:
                # Its time cannot be told yet: what it shows is kept, but not as something of this moment.
                canvas.take(shown, now)
                continue
            time = node.clock.to_hub(shown.time, now).time
            frame = canvas.take(shown, time)
            if frame is not None:
                self._frames.append(frame)
                self._water.heard(node.name, time)
        if not canvas.whole and now - node.wished >= WISH_S:
            self._wish(node, now)
            self._tell(node)

    def _press(self, node: _Node, pressed: Pressed, now: float) -> None:
        for one in node.presses.take(pressed.boot, pressed.number, pressed, now).items:
            time = now
            if node.clock.known and node.hello is not None and one.boot == node.hello.boot:
                time = node.clock.to_hub(one.time, now).time
            late = now - time > LATE_PRESS_S
            if late and one.context != self._context:
                LOG.info("a press of node %s came %.1f s late and is about something else by now", node.name, now - time)
                continue
            assert node.place is not None
            self._pressed.append(Declaration(now if late else time, node.place, Press(), "button"))


def camera_name(place: int) -> str:
    """The camera of the mat at a place, as `firmware.rig.mat_station` calls it."""
    return f"mat{place}"


def _state(node: _Node, now: float) -> NodeState:
    hello = node.hello
    state = NodeState(node.name, False, 0, False, place=node.place)
    if hello is None:
        return state
    uncertainty = node.clock.to_hub(0.0, now).uncertainty if node.clock.known else None
    return replace(state, here=hello.here, speaks=hello.protocol, accepted=node.accepted, version=hello.version,
                   uncertainty=uncertainty, lamps=hello.lamps)  # fmt: skip
