"""All cameras of a table together: who delivers what when, whose turn it is, and when the lamps burn."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np

from firmware.camera import CameraPlan
from firmware.camera_rig import CameraRig, Turn
from firmware.capture import CaptureSchedule
from vision.frame import Frame, Light


class Source:
    """A camera that gives a frame whenever it is let."""

    def __init__(self, plan: CameraPlan, light: Callable[[], bool] = lambda: False) -> None:
        self.name, self._light = plan.name, light
        self.fault: str | None = None
        self.fault_kind: str | None = None
        self.let = threading.Semaphore(0)
        self.asked = threading.Semaphore(0)
        self.number = 0
        self.closed = False

    def next(self, timeout: float) -> Frame | None:
        self.asked.release()
        if not self.let.acquire(timeout=timeout) or self.closed:
            return None
        self.number += 1
        level = 200 if self._light() else 10
        return Frame(self.name, 100.0 + self.number, self.number, np.full((4, 4, 3), level, np.uint8))

    def close(self) -> None:
        self.closed = True
        self.let.release(9)


class Table:
    """A rig of such cameras, with a lamp whose whole history is kept."""

    def __init__(self, *plans: CameraPlan) -> None:
        self.sources: dict[str, Source] = {}
        self.lamp: list[bool] = []
        self.arrived = threading.Semaphore(0)

        def open_one(plan: CameraPlan, turn: Turn) -> Source:
            self.sources[plan.name] = Source(plan, lambda: bool(self.lamp and self.lamp[-1]))
            return self.sources[plan.name]

        self.rig = CameraRig(plans, open_one, clock=lambda: 200.0)
        deliver = self.rig._deliver

        def delivered(*frames: Frame) -> None:
            deliver(*frames)
            self.arrived.release(len(frames))

        self.rig._deliver = delivered  # type: ignore[method-assign]

    def start(self) -> None:
        self.rig.start(self.lamp.append)

    def let(self, camera: str, pictures: int = 1, arriving: int = 1) -> None:
        self.sources[camera].let.release(pictures)
        for _ in range(arriving):
            assert self.arrived.acquire(timeout=20)


def plan(name: str, pulsed: bool = False) -> CameraPlan:
    return CameraPlan(name, "virtual", period=0.0, pulsed=pulsed)


def test_frames_come_in_the_order_in_which_they_were_taken_on_the_clock_of_the_game() -> None:
    table = Table(plan("mat0"), plan("mat1"))
    table.start()
    table.let("mat0")
    table.let("mat1")
    table.let("mat0")
    frames = table.rig.take(1200.0)
    assert [(frame.camera, frame.time, frame.number) for frame in frames] == [
        ("mat0", 1101.0, 1), ("mat1", 1101.0, 1), ("mat0", 1102.0, 2),
    ]  # fmt: skip
    assert table.rig.take(1200.0) == []
    newest = table.rig.newest("mat0")
    assert newest is not None and newest.number == 2 and table.rig.newest("tray") is None
    table.rig.close()


def test_a_dead_camera_keeps_nobody_waiting_and_is_named() -> None:
    table = Table(plan("mat0"), plan("mat1"))
    table.sources["mat0"].fault, table.sources["mat0"].fault_kind = "mat0: it was unplugged", "gone"
    table.start()
    table.let("mat1", 3, arriving=3)
    assert [frame.camera for frame in table.rig.take(200.0)] == ["mat1", "mat1", "mat1"]
    assert {name: (fault.kind, fault.said) for name, fault in table.rig.faults().items()} == {
        "mat0": ("gone", "mat0: it was unplugged")
    }
    table.rig.close()


def test_a_pulse_is_one_picture_with_the_lamp_and_one_without() -> None:
    table = Table(plan("mat0", pulsed=True))
    table.start()
    table.let("mat0", 2)
    (frame,) = table.rig.take(200.0)
    assert frame.light is Light.PULSED and frame.dark is not None
    assert (int(frame.image[0, 0, 0]), int(frame.dark[0, 0, 0])) == (200, 10)
    assert table.lamp == [True, False]
    table.rig.close()
    assert table.lamp == [True, False]


def test_a_camera_that_fails_in_a_pulse_leaves_no_lamp_burning() -> None:
    table = Table(plan("mat0", pulsed=True))
    table.start()
    assert table.sources["mat0"].asked.acquire(timeout=20)
    table.rig.close()
    assert table.lamp == [True, False] and table.rig.take(200.0) == []


def test_turns_go_round() -> None:
    turn, order = Turn(), []
    assert turn.acquire(1.0)
    waiting = []
    for name in ("mat0", "mat1", "mat2"):

        def wait(name: str = name) -> None:
            if turn.acquire(20.0):
                order.append(name)
                turn.release()

        waiting.append(threading.Thread(target=wait))
        waiting[-1].start()
        while len(turn._waiting) < len(waiting) + 1:
            threading.Event().wait(0.001)
    assert not turn.acquire(0.0)
    turn.release()
    for thread in waiting:
        thread.join()
    assert order == ["mat0", "mat1", "mat2"]
    assert turn.acquire(0.0)
    turn.close()
    assert not turn.acquire(1.0)


def test_a_rig_without_switched_lamps_has_nothing_to_schedule() -> None:
    assert CaptureSchedule(()).cameras == ()
    assert Table(plan("mat0")).rig.pulsed is False
