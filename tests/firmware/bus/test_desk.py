"""A table on the bus: frames and presses in, cues and views out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from companion.choices import NodeMat
from companion.cues import Cue, Meaning
from companion.observation import Declaration, Press
from firmware.bus.desk import DISPLACED, Announced, Desk
from firmware.bus.hub import NodeState
from firmware.camera import CameraPlan
from firmware.camera_mqtt import NodeSource, open_camera
from firmware.camera_rig import Turn
from firmware.errors import CameraRefusedError
from tests.companion import tables
from vision.frame import Frame

CUES = (Cue(Meaning.TURN, 1),)
HERE = NodeState("left", True, 1, True, place=0)
FRAME = Frame("mat0", 50.0, 1, np.zeros((2, 2, 3), np.uint8))


class FakeHub:
    def __init__(self) -> None:
        self.done: list[Any] = []
        self.frames: tuple[Frame, ...] = (FRAME, replace(FRAME, camera="mat3"))
        self.state = HERE
        self.displaced = False

    def light(self, cues: Any) -> None:
        self.done.append(("light", tuple(cues)))

    def locate(self, camera: str, registration: object) -> None:
        self.done.append(("locate", camera))

    def work(self, now: float) -> Any:
        return self.frames, (Declaration(now - 0.5, 4, Press(), "button"),), now

    def nodes(self) -> tuple[NodeState, ...]:
        return (self.state, NodeState("new", True, 2, False))

    def place(self, name: str, place: int | None) -> None:
        self.done.append(("place", name, place))

    def publish(self, view: Any) -> None:
        self.done.append(("publish", view))

    def close(self) -> None:
        self.done.append("close")


class FakeBoard:
    def __init__(self) -> None:
        self.done: list[Any] = []

    def show(self, cues: Any, time: float) -> None:
        self.done.append((tuple(cues), time))

    def light_mats(self, on: bool) -> None:
        self.done.append(on)

    def close(self) -> None:
        self.done.append("close")


def table() -> tuple[Desk, Any, FakeBoard, list[Declaration], NodeSource]:
    desk, hub, board, pressed = Desk(lambda: 100.0), FakeHub(), FakeBoard(), []
    source = desk.open_source(CameraPlan("mat0", "mqtt"), Turn())
    assert isinstance(source, NodeSource)
    desk.connect(hub, board, pressed.append, lambda: {"mat0": None})  # type: ignore[arg-type]
    return desk, hub, board, pressed, source


def test_everything_passes_at_each_look() -> None:
    desk, hub, board, pressed, source = table()
    assert source.fault == "mat0: its node has not been heard of"
    desk.show(CUES, 7.0)
    assert hub.done == [("light", CUES), ("locate", "mat0")]
    assert board.done == [(CUES, 7.0)]
    assert pressed == [Declaration(6.5, 4, Press(), "button")], "half a second ago, on the clock of the record"
    assert source.next(0.0) is FRAME
    assert source.fault is None
    assert source.next(0.0) is None


def test_a_camera_says_why_nothing_comes() -> None:
    desk, hub, _, _, source = table()
    hub.frames, hub.state = (), replace(HERE, here=False)
    desk.show((), 0.0)
    assert source.fault == "mat0: node left is not there"
    hub.state = replace(HERE, accepted=False, speaks=3)
    desk.show((), 0.0)
    expected = "mat0: node left speaks protocol 3, another one than this hub: install the same version on both"
    assert source.fault == expected
    hub.displaced = True
    desk.show((), 0.0)
    assert source.fault == f"mat0: {DISPLACED}"


def test_the_wizard_finds_nodes_and_lays_them() -> None:
    desk, hub, *_ = table()
    assert desk.mats() == (NodeMat("left", 0, True, True), NodeMat("new", None, True, False))
    desk.lay("new", 3)
    assert hub.done == [("place", "new", 3)]
    assert Desk().mats() == ()


def test_everything_is_closed_and_whoever_waits_goes_on() -> None:
    desk, hub, board, _, source = table()
    desk.light_mats(True)
    desk.close()
    source.close()
    source.give(FRAME)
    assert (hub.done, board.done, source.next(10.0)) == (["close"], [True, "close"], None)


def test_the_view_is_published_beside_the_voice() -> None:
    desk, hub, *_ = table()

    class Voice:
        def show(self, view: Any) -> None:
            hub.done.append("said")

        def close(self) -> None:
            hub.done.append("silent")

    voice = desk.announced(Voice())
    assert isinstance(voice, Announced)
    voice.show(tables.playing())
    voice.close()
    assert hub.done == [("publish", tables.playing()), "said", "silent"]
    plain = Voice()
    assert Desk().announced(plain) is plain


def test_a_nodes_camera_cannot_be_opened_by_itself() -> None:
    with pytest.raises(CameraRefusedError, match="mat0: a node's camera needs a table on the bus"):
        open_camera(CameraPlan("mat0", "mqtt"))
