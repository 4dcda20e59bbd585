"""One bench for each kind of camera: the means to put something before it and to break it."""

from __future__ import annotations

import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import Any, NoReturn

import cv2
import numpy as np
import pytest

import firmware.camera_picamera2
import firmware.camera_replay
import firmware.camera_url
import firmware.camera_uvc
import firmware.camera_virtual
from firmware.camera import Camera, CameraPlan, Locks
from tests.firmware.cameras.fake_capture import Wire
from tests.firmware.cameras.fake_picamera2 import FakePicamera2, Machine, Sensor
from tests.firmware.cameras.scenes import FIRST, SIZE, board
from tests.firmware.cameras.webcam import WebcamServer

MINE, OTHER = "/base/axi/pcie@120000/rp1/i2c@80000/imx708@1a", "/base/axi/pcie@120000/rp1/i2c@88000/imx708@1a"
PATH = "/dev/v4l/by-path/platform-xhci-hcd.0-usb-0:1:1.0-video-index0"
Cards = tuple[str | None, ...]


class Bench(ABC):
    """What the contract asks of every kind of camera.  What a kind cannot have is in `cannot`, and never asked for."""

    plan: CameraPlan
    cannot: frozenset[str] = frozenset()
    timeout = 0.25

    def __init__(self, module: ModuleType) -> None:
        self.module = module

    def open(self, plan: CameraPlan | None = None) -> Camera:
        return self.module.open_camera(plan or self.plan)  # type: ignore[no-any-return]

    @abstractmethod
    def pull(self) -> None: ...

    @abstractmethod
    def plug(self) -> None: ...

    def show(self, cards: Cards) -> None:
        self._lacks("show")

    def stall(self) -> None:
        self._lacks("stall")

    def heal(self) -> None:
        """Whatever was wrong is right again; a process that hung has been ended."""
        self._lacks("stall")

    def freeze(self) -> None:
        self._lacks("freeze")

    def truncate(self) -> None:
        """The next picture ends in the middle."""
        self._lacks("truncate")

    def _lacks(self, what: str) -> NoReturn:
        raise AssertionError(f"{type(self).__name__} has no way to {what}: its `cannot` has to say so")

    def now(self) -> float:
        """The clock of `Shot.time`."""
        return monotonic()

    def close(self) -> None:
        """Most have nothing to put away."""
        return


class PicameraBench(Bench):
    """A Raspberry Pi with two cameras; the other one would be the first by libcamera's own number."""

    cannot = frozenset({"truncate"})

    def __init__(self, module: ModuleType) -> None:
        super().__init__(module)
        self.plan = CameraPlan(
            "mat0", "picamera2", OTHER, size=SIZE, mirror=True, locks=Locks(8_000, 2.0, (1.8, 1.9), lens=4.4)
        )
        right = {"ExposureTime": 8_000, "AnalogueGain": 2.0, "ColourGains": (1.8, 1.9), "LensPosition": 4.4}
        self.sensor = Sensor(OTHER, 0, _flipped(FIRST), right)
        self.other = Sensor(MINE, 1, np.zeros((SIZE[1], SIZE[0], 3), np.uint8))
        self.machine = Machine([self.sensor, self.other])
        self._patch = pytest.MonkeyPatch()
        for name, fake in self.machine.modules().items():
            self._patch.setitem(sys.modules, name, fake)

    def open(self, plan: CameraPlan | None = None) -> Camera:
        return self.module.open_camera(plan or self.plan, self.now)  # type: ignore[no-any-return]

    def now(self) -> float:
        return self.machine.now

    def show(self, cards: Cards) -> None:
        self.machine.pass_time()
        self.sensor.scene = _flipped(cards)

    def stall(self) -> None:
        self.sensor.stalled = True

    def heal(self) -> None:
        self.sensor.stalled = False
        self.sensor.taken, self.sensor.configured = False, 0

    def pull(self) -> None:
        # Nobody tells of a ribbon that was pulled: pictures stop, and the next process does not find the camera.
        self.sensor.pulled = True

    def plug(self) -> None:
        self.sensor.pulled = False
        self.heal()

    def freeze(self) -> None:
        self.sensor.frozen = True

    def close(self) -> None:
        self._patch.undo()


class UvcBench(Bench):
    """A camera on USB."""

    def __init__(self, module: ModuleType, mjpeg: bool = True, timed: bool = True) -> None:
        super().__init__(module)
        self.cannot = frozenset() if mjpeg else frozenset({"truncate"})
        self.plan = CameraPlan("mat0", "uvc", PATH, size=SIZE, mirror=True, locks=Locks(8_000, 20.0, None, 4600, 120.0))
        keys = {
            cv2.CAP_PROP_AUTO_EXPOSURE: 1.0, cv2.CAP_PROP_EXPOSURE: 80.0, cv2.CAP_PROP_GAIN: 20.0, cv2.CAP_PROP_AUTO_WB: 0.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600.0, cv2.CAP_PROP_AUTOFOCUS: 0.0, cv2.CAP_PROP_FOCUS: 120.0,
        }  # fmt: skip
        self.wire = Wire(_flipped(FIRST), mjpeg=mjpeg, timed=timed, settable=dict.fromkeys(keys, round), right=keys)

    def open(self, plan: CameraPlan | None = None) -> Camera:
        there: Callable[[str], bool] = lambda path: path == PATH and not self.wire.pulled  # noqa: E731
        return self.module.open_camera(plan or self.plan, self.wire, there, self.now)  # type: ignore[no-any-return]

    def now(self) -> float:
        return self.wire.now

    def show(self, cards: Cards) -> None:
        self.wire.scene = _flipped(cards)

    def stall(self) -> None:
        self.wire.stalled = True

    def heal(self) -> None:
        self.wire.stalled = False

    def pull(self) -> None:
        self.wire.pulled = True

    def plug(self) -> None:
        self.wire.pulled = False

    def freeze(self) -> None:
        self.wire.frozen = True

    def truncate(self) -> None:
        self.wire.truncated = 1


class RtspBench(UvcBench):
    """A stream over RTSP."""

    def __init__(self, module: ModuleType) -> None:
        super().__init__(module, mjpeg=False)
        self.plan = CameraPlan("mat0", "url", "rtsp://player:s3cret@10.0.0.7:8554/live?token=s3cret")
        self.wire = Wire(board(FIRST), mjpeg=False, buffered=9)

    def open(self, plan: CameraPlan | None = None) -> Camera:
        return self.module.open_camera(plan or self.plan, self.wire, self.now)  # type: ignore[no-any-return]

    def show(self, cards: Cards) -> None:
        self.wire.scene = board(cards)


class WebBench(Bench):
    """A phone on the network."""

    def __init__(self, module: ModuleType, path: str, lengths: bool = True) -> None:
        super().__init__(module)
        self.server = WebcamServer(board(FIRST))
        self.server.secret, self.server.lengths = "player:s3cret", lengths
        self.server.plug()
        self.plan = CameraPlan("mat0", "url", f"http://player:s3cret@127.0.0.1:{self.server.port}{path}?token=s3cret")
        self.cannot = frozenset({"freeze"}) if path == "/shot.jpg" else frozenset()

    def show(self, cards: Cards) -> None:
        self.server.show(board(cards))

    def stall(self) -> None:
        self.server.stalled.set()

    def heal(self) -> None:
        self.server.stalled.clear()

    def pull(self) -> None:
        self.server.pull()

    def plug(self) -> None:
        self.server.plug()

    def freeze(self) -> None:
        """It sends the same picture anyway: the scene has no noise."""

    def truncate(self) -> None:
        self.server.truncated = 1

    def close(self) -> None:
        self.server.pull()


class ReplayBench(Bench):
    """A folder of pictures; it cannot hang, and its pictures are what they are."""

    cannot = frozenset({"stall", "show", "freeze"})

    def __init__(self, module: ModuleType, folder: Path, video: bool) -> None:
        super().__init__(module)
        self._folder, self._video = folder, video
        self.plan = CameraPlan("mat0", "replay", str(folder / "film.avi" if video else folder / "pictures"))
        if video:
            self.cannot |= {"truncate"}
        self.plug()

    def plug(self) -> None:
        path = Path(self.plan.at)
        if self._video:
            writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, SIZE)
            for _ in range(14):
                writer.write(board(FIRST))
            writer.release()
            return
        path.mkdir(exist_ok=True)
        for number in range(14):
            cv2.imwrite(str(path / f"mat0-{number:03d}.jpg"), board(FIRST), (cv2.IMWRITE_JPEG_QUALITY, 97))
            (path / f"mat1-{number:03d}.jpg").write_bytes(b"another camera's")

    def pull(self) -> None:
        path = Path(self.plan.at)
        for file in [path] if self._video else list(path.iterdir()):
            file.unlink()
        if not self._video:
            path.rmdir()

    def truncate(self) -> None:
        path = Path(self.plan.at) / "mat0-000.jpg"
        path.write_bytes(path.read_bytes()[:20_000])


class VirtualBench(Bench):
    """The camera that draws what it sees."""

    cannot = frozenset({"truncate"})

    def __init__(self, module: ModuleType, folder: Path) -> None:
        super().__init__(module)
        self._file = folder / "mat0.json"
        self.plan = CameraPlan("mat0", "virtual", str(self._file), mirror=True)
        self._told: dict[str, Any] = {"cards": list(FIRST)}
        self._tell()

    def show(self, cards: Cards) -> None:
        self._tell(cards=list(cards))

    def stall(self) -> None:
        self._tell(fault="stall")

    def heal(self) -> None:
        self._tell(fault=None)

    def pull(self) -> None:
        self._tell(fault="gone")

    def plug(self) -> None:
        self.heal()

    def freeze(self) -> None:
        self._tell(fault="frozen")

    def _tell(self, **told: Any) -> None:
        self._told |= told
        self._file.write_text(json.dumps(self._told))


def _flipped(cards: Cards) -> Any:
    return np.ascontiguousarray(board(cards)[:, ::-1])


BENCHES: dict[str, Callable[[Path], Bench]] = {
    "picamera2": lambda folder: PicameraBench(firmware.camera_picamera2),
    "uvc": lambda folder: UvcBench(firmware.camera_uvc),
    "uvc without times": lambda folder: UvcBench(firmware.camera_uvc, timed=False),
    "uvc without jpeg": lambda folder: UvcBench(firmware.camera_uvc, mjpeg=False),
    "snapshot": lambda folder: WebBench(firmware.camera_url, "/shot.jpg"),
    "mjpeg stream": lambda folder: WebBench(firmware.camera_url, "/video"),
    "mjpeg stream without lengths": lambda folder: WebBench(firmware.camera_url, "/video", lengths=False),
    "rtsp": lambda folder: RtspBench(firmware.camera_url),
    "folder": lambda folder: ReplayBench(firmware.camera_replay, folder, video=False),
    "video": lambda folder: ReplayBench(firmware.camera_replay, folder, video=True),
    "virtual": lambda folder: VirtualBench(firmware.camera_virtual, folder),
}


@contextmanager
def bench_of(name: str, folder: Path) -> Iterator[Bench]:
    """The bench called `name`, put away afterwards."""
    bench = BENCHES[name](folder)
    try:
        yield bench
    finally:
        bench.close()


__all__ = ["BENCHES", "MINE", "OTHER", "PATH", "Bench", "FakePicamera2", "PicameraBench", "UvcBench", "bench_of", "replace"]
