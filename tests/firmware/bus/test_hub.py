"""The hub and its nodes without a network: who is taken, which press counts, and what a node is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.cues import Cue, Meaning
from companion.observation import Declaration, Press
from companion.views import View
from firmware.bus.hub import CLAIM_S, LATE_PRESS_S, WISH_S, Hub, NodeState
from firmware.bus.link import Said
from firmware.bus.messages import (
    Answer,
    Box,
    Claim,
    CropOf,
    Hello,
    Lit,
    Pong,
    Pressed,
    Shown,
    answer_from,
    claim_bytes,
    hello_bytes,
    hello_from,
    lit_from,
    pong_bytes,
    pressed_bytes,
    shown_bytes,
    wanted_from,
)
from firmware.bus.public import alert_bytes, context_of, public_view
from firmware.bus.topics import PROTOCOL, Topics
from firmware.errors import BusError
from tests.companion import tables

TOPICS = Topics("t")
AHEAD = 900.0
SINCE = 1_800_000_000.0
"""So many seconds the hub's clock is ahead of the node's."""


class FakeLink:
    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.mentioned: list[str] = []
        self.closed = self.left = False
        self.renewed = 0

    def keep(self, topic: str, payload: bytes) -> None:
        self.kept[topic] = payload

    def mention(self, topic: str, payload: bytes) -> None:
        self.mentioned.append(topic)

    def again(self) -> None:
        self.renewed += 1

    def leave(self) -> None:
        self.left = True

    def close(self) -> None:
        self.closed = True


class Table:
    """A hub, and somebody who plays its nodes."""

    def __init__(self, **places: int) -> None:
        self.now = 1000.0
        self.link = FakeLink()
        self.will: Said | None = None
        self.tell: Callable[[str, bytes], None] = lambda topic, payload: None
        self.hub = Hub(TOPICS, self._connect, places, lambda: self.now, "h0b", SINCE)

    def _connect(self, heard: Callable[[str, bytes], None], will: Said) -> Any:
        self.tell, self.will = heard, will
        return self.link

    def greet(self, node: str, boot: str = "b1", protocol: int = PROTOCOL, here: bool = True) -> None:
        self.tell(TOPICS.hello(node), hello_bytes(Hello(protocol, boot, here, "0.1.0", True)))

    def meet(self, node: str, boot: str = "b1") -> None:
        """The node is here, and its clock is known."""
        self.greet(node, boot)
        self.tell(TOPICS.pong(node), pong_bytes(Pong(boot, self.now, self.now - AHEAD)))

    def press(self, node: str, number: int, age: float = 0.0, context: str = "", boot: str = "b1") -> None:
        self.tell(TOPICS.press(node), pressed_bytes(Pressed(boot, number, self.now - AHEAD - age, context)))

    def see(self, node: str, number: int, age: float = 0.0, plate: bool = False, boot: str = "b1") -> None:
        image = np.full((20, 40, 3), number, np.uint8)
        crops = (CropOf(Box(0, 0, 40, 20), bytes(cv2.imencode(".png", image)[1])),) if plate else ()
        shown = Shown(boot, number, self.now - AHEAD - age, number, (40, 20), crops, plate)
        self.tell(TOPICS.camera(node), shown_bytes(shown))

    def answer(self, node: str) -> Answer:
        return answer_from(self.link.kept[TOPICS.answer(node)])

    def wish(self, node: str) -> str:
        return wanted_from(self.link.kept[TOPICS.windows(node)]).plate

    def presses(self) -> tuple[Declaration, ...]:
        return self.hub.work(self.now)[1]


def test_a_node_with_a_place_is_taken_and_told_where_to_look() -> None:
    table = Table(left=2)
    table.meet("left")
    assert table.answer("left") == Answer("b1", True, "", PROTOCOL)
    (state,) = table.hub.nodes()
    assert state == NodeState("left", True, PROTOCOL, True, "0.1.0", 2, pytest.approx(0.0, abs=1e-9), True)
    assert table.wish("left") == "h0b-0"
    assert hello_from(table.link.kept[TOPICS.hub]).here
    assert table.will == Said(TOPICS.hub, hello_bytes(Hello(PROTOCOL, "h0b", False)))


def test_a_new_node_waits_until_it_is_given_a_place() -> None:
    table = Table(left=2)
    table.meet("new")
    table.press("new", 1)
    assert table.answer("new") == Answer("b1", False, "unknown", PROTOCOL)
    assert table.presses() == ()
    table.hub.place("new", 2)
    assert table.answer("new") == Answer("b1", True, "", PROTOCOL)
    assert [(node.name, node.place) for node in table.hub.nodes()] == [("left", None), ("new", 2)]
    table.press("new", 2)
    assert [press.seat for press in table.presses()] == [2]


def test_another_version_is_refused_politely_and_said() -> None:
    table = Table(left=2)
    table.greet("left", protocol=PROTOCOL + 1)
    assert table.answer("left") == Answer("b1", False, "protocol", PROTOCOL)
    table.press("left", 1)
    assert table.presses() == ()
    table.greet("left", boot="b2")
    assert table.answer("left") == Answer("b2", True, "", PROTOCOL)


def test_a_press_counts_once_however_often_it_comes() -> None:
    table = Table(left=2)
    table.meet("left")
    table.press("left", 1, age=0.25)
    table.press("left", 1, age=0.25)
    assert table.presses() == (Declaration(pytest.approx(999.75), 2, Press(), "button"),)
    table.press("left", 1, age=0.25)
    assert table.presses() == ()


def test_a_press_of_a_program_that_has_ended_does_not_count() -> None:
    table = Table(left=2)
    table.meet("left")
    table.press("left", 1)
    table.meet("left", "b2")
    table.press("left", 1, boot="b2")
    table.press("left", 2, boot="b1")
    assert len(table.presses()) == 2


def test_a_late_press_counts_only_if_the_lamps_are_still_about_the_same() -> None:
    table = Table(left=2)
    table.meet("left")
    table.hub.publish(tables.playing())
    now = context_of(tables.playing())
    late = LATE_PRESS_S + 1
    table.press("left", 1, late, now)
    assert table.presses() == (Declaration(1000.0, 2, Press(), "button"),), "it is of now: what came since is not undone"
    table.press("left", 2, late, "something else")
    table.press("left", 3, LATE_PRESS_S - 1, "something else")
    assert table.presses() == (Declaration(pytest.approx(1000.0 - LATE_PRESS_S + 1), 2, Press(), "button"),)


def frames(table: Table) -> list[tuple[str, int]]:
    return [(frame.camera, frame.number) for frame in table.hub.work(table.now)[0]]


def test_frames_come_in_the_order_of_time_and_none_before_a_whole_one() -> None:
    table = Table(left=0, right=1)
    for node in ("left", "right"):
        table.meet(node)
        table.see(node, 1, age=0.5)
    assert frames(table) == []
    table.see("right", 2, age=0.3, plate=True)
    table.see("left", 2, age=0.4, plate=True)
    table.see("left", 3, age=0.2)
    assert frames(table) == [("mat0", 2), ("mat1", 2)], "the right one may have seen something before 0.2 seconds ago"
    table.see("right", 3, age=0.1)
    assert frames(table) == [("mat0", 3)]
    table.now += 2
    assert frames(table) == [("mat1", 3)]


def test_what_is_missing_is_wished_for() -> None:
    table = Table(left=0)
    table.meet("left")
    table.see("left", 1, plate=True)
    assert frames(table) == [("mat0", 1)]
    table.see("left", 3)
    table.now += 1.5
    assert frames(table) == []
    assert table.wish("left") == "h0b-1"
    table.now += WISH_S
    assert frames(table) == []
    assert table.wish("left") == "h0b-2"
    table.see("left", 4, plate=True)
    assert frames(table) == [("mat0", 4)]


def test_a_node_that_starts_anew_has_to_show_everything_again() -> None:
    table = Table(left=0)
    table.meet("left")
    table.see("left", 1, plate=True)
    table.meet("left", "b2")
    table.see("left", 1, boot="b2")
    table.see("left", 2, plate=True, boot="b2")
    assert frames(table) == [("mat0", 1), ("mat0", 2)]


def test_every_node_is_told_of_its_own_place_alone() -> None:
    table = Table(left=0, right=1)
    table.greet("left")
    table.greet("right")
    table.hub.publish(tables.playing())
    table.hub.light((Cue(Meaning.QUESTION), Cue(Meaning.ASKED, 1), Cue(Meaning.PUT_BACK, 0, 3)))
    told = {node: lit_from(table.link.kept[TOPICS.cues(node)], seat=0) for node in ("left", "right")}
    context = context_of(tables.playing())
    assert told == {
        "left": Lit(context, (Cue(Meaning.QUESTION), Cue(Meaning.PUT_BACK, 0, 3))),
        "right": Lit(context, (Cue(Meaning.QUESTION), Cue(Meaning.ASKED, 0))),
    }


def test_rubbish_is_refused_and_strangers_are_not_heard() -> None:
    table = Table(left=0)
    table.meet("left")
    with pytest.raises(BusError, match="pictures: JSON is expected"):
        table.tell(TOPICS.camera("left"), b"\xff\xd8")
    table.tell("viewmat/other/node/left/hello", b"rubbish")
    table.tell("viewmat/club/round", b"rubbish")
    with pytest.raises(BusError, match="rules: JSON is expected, found b'rubbish'"):
        table.tell("viewmat/club/rules", b"rubbish")
    assert [node.name for node in table.hub.nodes()] == ["left"]
    for number in range(200):
        table.greet(f"node-{number}")
    assert len(table.hub.nodes()) == 64


@pytest.mark.parametrize(("view", "asks"), [
    (tables.playing(), None), (tables.stopped(), "stopped"), (replace(tables.playing(), stopped=True), "stopped"),
])  # fmt: skip
def test_the_referee_is_rung_while_something_has_to_be_decided(view: View, asks: str | None) -> None:
    told = alert_bytes(view)
    assert (told == b"") is (asks is None)
    assert asks is None or f'"asks":"{asks}"' in told.decode()


def test_the_public_view_is_that_of_a_spectator_in_plain_json() -> None:
    found = public_view(tables.playing())
    assert found["seats"][0]["slots"][0] == {"number": 1, "shows": "lying", "card": None, "open": False, "bare": False}
    assert "version" not in found and "time" not in found


def test_a_hub_that_leaves_says_so() -> None:
    table = Table()
    table.hub.close()
    assert not hello_from(table.link.kept[TOPICS.hub]).here
    assert table.link.closed


@pytest.mark.parametrize("name", ["", "Left", "a/b", "+", "#", "-a", "a" * 33, "a b"])
def test_a_table_has_a_name_that_can_stand_in_a_topic(name: str) -> None:
    with pytest.raises(BusError, match="1 to 32 small letters, digits and hyphens are expected"):
        Topics(name)


# ---- two programs that are the hub of one table --------------------------------------------------------------------------


def test_the_hub_says_that_it_is_there_again_and_again() -> None:
    table = Table(left=2)
    for _ in range(50):
        table.hub.work(table.now)
        table.now += 0.1
    assert table.link.mentioned == [TOPICS.claim] * 3


@pytest.mark.parametrize("later", [Claim(SINCE + 1.0, "a"), Claim(SINCE, "z")])
def test_one_that_came_later_is_the_hub_from_then_on(later: Claim) -> None:
    table = Table(left=2)
    table.tell(TOPICS.claim, claim_bytes(later))
    assert (table.hub.displaced, table.link.left) == (True, True)


@pytest.mark.parametrize("earlier", [Claim(SINCE - 1.0, "z"), Claim(SINCE, "a"), Claim(SINCE + 5.0, "h0b")])
def test_one_that_came_earlier_is_waited_for_and_what_it_wrote_is_mended(earlier: Claim) -> None:
    """Its own voice is nobody else's, whatever the clock says by now."""
    table = Table(left=2)
    table.tell(TOPICS.claim, claim_bytes(earlier))
    assert not (table.hub.displaced or table.link.left)
    table.now += CLAIM_S
    table.hub.work(table.now)
    assert table.link.renewed == 0
    table.now += CLAIM_S
    table.hub.work(table.now)
    table.hub.work(table.now)
    assert table.link.renewed == (0 if earlier.boot == "h0b" else 1)
