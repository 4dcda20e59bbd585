"""A camera's own process: what comes through, what hangs, what is killed, and what is started anew."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from multiprocessing import Pipe
from pathlib import Path

import cv2
import numpy as np
import pytest

import firmware.camera_process as camera_process
from firmware.camera import CameraPlan, Shot
from firmware.camera_process import CameraProcess, CameraWorker, Pauses, serve_camera
from firmware.errors import CameraError, CameraGoneError, CameraStalledError
from vision.frame import Frame

PLAN = CameraPlan("mat0", "replay", timeout=0.1)
QUICK = 0.01


class Scripted:
    """A camera that does what its script says, picture by picture: a number, an error, or an event to wait for."""

    def __init__(self, script: list[object]) -> None:
        self.script = script
        self.closed = 0

    def grab(self, timeout: float) -> Shot:
        deed = self.script.pop(0)
        if isinstance(deed, threading.Event):
            deed.wait(30)
            raise ConnectionError("its process was killed")
        if isinstance(deed, Exception):
            raise deed
        assert isinstance(deed, int)
        return Shot(np.full((4, 6, 3), deed, np.uint8), float(deed))

    def close(self) -> None:
        self.closed += 1


class ThreadWorker:
    """A camera's process, but in a thread; killing it lets go whoever hangs in it."""

    def __init__(self, plan: CameraPlan, camera: Scripted | Exception) -> None:
        self.connection, theirs = Pipe()
        self.camera = camera
        self._hung = [one for one in getattr(camera, "script", ()) if isinstance(one, threading.Event)]

        def open_one(plan: CameraPlan) -> Scripted:
            if isinstance(camera, Exception):
                raise camera
            return camera

        def run() -> None:
            try:
                serve_camera(theirs, plan, open_one)
            finally:
                theirs.close()

        self.thread = threading.Thread(target=run, name="camera of a test")
        self.thread.start()

    def kill(self) -> None:
        for event in self._hung:
            event.set()
        self.connection.close()
        self.thread.join()


def a_camera(
    *cameras: Scripted | Exception, plan: CameraPlan = PLAN, wrap: Callable[[ThreadWorker], None] = lambda worker: None
) -> CameraProcess:
    """Each start takes the next one."""
    left = list(cameras)

    def start(plan: CameraPlan) -> ThreadWorker:
        worker = ThreadWorker(plan, left.pop(0))
        wrap(worker)
        return worker

    return CameraProcess(plan, start, pauses=Pauses(QUICK, 4 * QUICK))


def told(frame: Frame | None) -> tuple[int, int] | None:
    """Number and grey level."""
    return None if frame is None else (frame.number, int(frame.image[0, 0, 0]))


def test_pictures_come_with_their_times_and_growing_numbers() -> None:
    camera = a_camera(Scripted([7, 8]))
    assert camera.fault == "mat0: it is being started"
    first, second = camera.next(5.0), camera.next(5.0)
    camera.close()
    assert first is not None and (first.camera, first.time, first.image.shape) == ("mat0", 7.0, (4, 6, 3))
    assert (told(first), told(second)) == ((1, 7), (2, 8))
    assert camera.fault is None


def test_a_camera_that_hangs_is_killed_and_started_anew(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(camera_process, "GRACE_S", 0.05)
    camera = a_camera(Scripted([1, threading.Event()]), Scripted([3]))
    with caplog.at_level(logging.WARNING):
        assert told(camera.next(5.0)) == (1, 1)
        assert camera.next(5.0) is None
        assert camera.fault == "mat0: no picture within 0.1 s; its process was ended"
        assert told(camera.next(5.0)) == (2, 3)
    camera.close()
    assert camera.starts == 2 and camera.fault is None
    assert caplog.messages == [
        "mat0: no picture within 0.1 s; its process was ended; the next attempt follows in 0.01 s", "mat0 sends again",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (CameraGoneError("mat0: it was unplugged"), "gone", "mat0: it was unplugged"),
        (CameraStalledError("mat0: nothing came"), "stalled", "mat0: nothing came"),
        (CameraError("mat0: broken"), "failed", "mat0: broken"),
        (ArithmeticError("http://player:s3cret@phone/"), "failed", "mat0: its driver failed with ArithmeticError"),
    ],
)
def test_what_a_camera_says_of_itself_is_said(error: Exception, kind: str, said: str) -> None:
    cameras = Scripted([1, error]), Scripted([2])
    camera = a_camera(*cameras)
    camera.next(5.0)
    assert camera.next(5.0) is None
    assert (camera.fault_kind, camera.fault) == (kind, said)
    assert told(camera.next(5.0)) == (2, 2)
    camera.close()
    assert cameras[0].closed == 1


def test_a_camera_that_cannot_be_opened_is_tried_again_after_longer_and_longer_pauses() -> None:
    gone = [CameraGoneError("mat0: nothing is plugged in") for _ in range(4)]
    camera = a_camera(*gone, Scripted([5]))
    found = [camera.next(5.0) for _ in range(5)]
    camera.close()
    assert [told(frame) for frame in found] == [None, None, None, None, (1, 5)]
    pauses = Pauses(1.0, 6.0)
    assert [pauses.take() for _ in range(5)] == [1.0, 2.0, 4.0, 6.0, 6.0]
    pauses.ran(5.9)
    assert pauses.take() == 6.0, "a recording of one picture, for one, begins again and again"
    pauses.ran(6.0)
    assert pauses.take() == 1.0


def test_while_it_waits_nothing_comes_and_nobody_is_kept_longer_than_he_wants() -> None:
    camera = CameraProcess(PLAN, lambda plan: ThreadWorker(plan, CameraGoneError("mat0: gone")), pauses=Pauses(1000.0, 1000.0))
    assert [camera.next(5.0), camera.next(0.01), camera.next(0.01)] == [None, None, None]
    assert camera.starts == 1
    camera.close()


def test_in_turns_it_is_open_for_a_burst_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_process, "BURST_S", 0.0)
    scripted = Scripted([1, 2, 3, 4, 5, 6, 7, 8])
    camera = a_camera(scripted, plan=CameraPlan("mat0", "uvc", turns=True))
    found = [[told(frame) for frame in camera.look(5.0)] for _ in range(2)]
    assert found == [[(1, 1), (2, 2), (3, 3), (4, 4)], [(5, 5), (6, 6), (7, 7), (8, 8)]]
    camera.close()
    assert scripted.closed == 2


def test_it_can_be_closed_while_somebody_waits_for_it() -> None:
    asked = threading.Event()
    camera = a_camera(Scripted([1, threading.Event()]), plan=CameraPlan("mat0", "replay", timeout=60.0))
    camera.next(5.0)
    found: list[object] = []

    def wait() -> None:
        asked.set()
        found.append(camera.next(60.0))

    waiting = threading.Thread(target=wait)
    waiting.start()
    asked.wait()
    camera.close()
    waiting.join()
    assert found == [None] and camera.next(1.0) is None
    camera.close()


# ---- true processes ----------------------------------------------------------------------------------------------------


def pictures(folder: Path) -> CameraPlan:
    for number in range(40):
        cv2.imwrite(str(folder / f"{number:02}.png"), np.full((32, 32, 3), number, np.uint8))
    return CameraPlan("mat0", "replay", str(folder))


def test_a_process_that_is_killed_is_started_anew(tmp_path: Path) -> None:
    workers: list[CameraWorker] = []

    def start(plan: CameraPlan) -> CameraWorker:
        workers.append(CameraWorker(plan))
        return workers[-1]

    camera = CameraProcess(pictures(tmp_path), start, pauses=Pauses(QUICK, QUICK))
    try:
        assert told(camera.next(60.0)) == (1, 0)
        assert workers[0].process.pid is not None
        os.kill(workers[0].process.pid, 9)
        assert camera.next(60.0) is None
        assert camera.fault == "mat0: its process has ended"
        assert told(camera.next(60.0)) == (2, 0)
    finally:
        camera.close()
    assert [worker.process.exitcode for worker in workers] == [-9, -9]


@pytest.mark.long
def test_a_driver_that_hangs_for_ever_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_process, "OPENING_S", 6.0)
    fifo = tmp_path / "film.avi"
    os.mkfifo(fifo)
    workers: list[CameraWorker] = []

    def start(plan: CameraPlan) -> CameraWorker:
        workers.append(CameraWorker(plan))
        return workers[-1]

    # Whoever opens a pipe to which nobody writes waits in the kernel until he is killed.
    camera = CameraProcess(CameraPlan("mat0", "replay", str(fifo)), start, pauses=Pauses(1000.0, 1000.0))
    assert camera.next(60.0) is None
    assert camera.fault == "mat0: it was not open within 6 s; its process was ended"
    assert workers[0].process.exitcode == -9
    camera.close()
