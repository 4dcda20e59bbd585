"""A stand-in for picamera2 and libcamera that has their quirks, as their source and their issues tell of them.

Nothing here waits: time is that of the stand-in's own clock.  Where the real one would wait for ever, `NeverReturns` is raised.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np

from vision.frame import Image

FRAME_S = 1 / 30
LATE_FRAMES = 3
"""So many pictures are taken before new controls count."""
LINE_US, GAIN_STEP = 18.904, 1 / 128
USUAL = {"ExposureTime": 30_000, "AnalogueGain": 4.0, "ColourGains": (1.0, 2.6), "LensPosition": 1.0}
"""What the camera chooses by itself in this light: wrong in everything, as far as our cards are concerned."""


class NeverReturns(BaseException):  # it is no error: nothing would happen any more
    """The real one would wait here until somebody ends its process."""


@dataclass
class Sensor:
    """One camera on the machine, and what is in front of it."""

    id: str
    num: int
    """libcamera's own number, which is no index."""
    scene: Image
    """As the sensor sees it when exposure, gain, colours and lens are as `right` says: mirrored where a mirror is in the way."""
    right: dict[str, Any] = field(default_factory=dict)
    lens_moves: bool = True
    stalled: bool = False
    pulled: bool = False
    frozen: bool = False
    configured: int = 0
    """How often it was configured since the machine was started: the second time there is no memory left."""
    taken: bool = False


@dataclass
class Machine:
    """Everything that the two modules know."""

    sensors: list[Sensor]
    """In the order of libcamera's own numbers."""
    now: float = 1000.0
    running: list[FakePicamera2] = field(default_factory=list)

    def pass_time(self) -> None:
        """Sensors take pictures whether anybody asks for them or not."""
        for device in self.running:
            device.run(2)

    def modules(self) -> dict[str, Any]:
        """What `sys.modules` should have."""
        machine = self

        class Picamera2(FakePicamera2):
            _machine = machine

        enum = SimpleNamespace(Manual=0, Auto=1, Continuous=2)
        libcamera = SimpleNamespace(controls=SimpleNamespace(AfModeEnum=enum), Transform=lambda **flips: flips)
        return {"picamera2": SimpleNamespace(Picamera2=Picamera2), "libcamera": libcamera}


class Request:
    """One completed request: its buffer belongs to whoever holds it until it is released."""

    def __init__(self, device: FakePicamera2, scene: Image, facts: dict[str, Any]) -> None:
        self._device, self._scene, self._facts = device, scene, facts
        self._held = True

    def get_metadata(self) -> dict[str, Any]:
        assert self._held, "it was released"
        return dict(self._facts)

    def make_array(self, name: str) -> Image:
        assert self._held and name == "main"
        return self._device.developed(self._scene, self._facts)

    def release(self) -> None:
        assert self._held, "it was released before"
        self._held = False
        self._device.free += 1


class FakePicamera2:
    """As much of `Picamera2` as an adapter could want, right or wrong."""

    _machine: Machine

    @staticmethod
    def _sorted(machine: Machine) -> list[Sensor]:
        # By Id, those on USB last; not by number.
        plugged = [sensor for sensor in machine.sensors if not sensor.pulled]
        return sorted(plugged, key=lambda sensor: ("usb" in sensor.id, sensor.id))

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        sensors = cls._sorted(cls._machine)
        return [{"Id": one.id, "Num": one.num, "Model": "imx708", "Location": 2, "Rotation": 180} for one in sensors]

    def __init__(self, camera_num: int = 0) -> None:
        found = self._sorted(self._machine)
        if not isinstance(camera_num, int) or not 0 <= camera_num < len(found) or found[camera_num].taken:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self._sensor = found[camera_num]
        self._sensor.taken = True
        self._open, self._started = True, False
        self._config: dict[str, Any] | None = None
        self._applied: dict[str, Any] = {}
        self._underway: list[tuple[int, dict[str, Any]]] = []
        self._kept: Request | None = None
        self._frame = 0
        self._last: Image | None = None
        self.free = 0
        self.jobs = 0
        """Those that timed out wait on, and take the next pictures."""

    @property
    def camera_controls(self) -> dict[str, Any]:
        known = {"ExposureTime": (1, 10**6, 0), "AnalogueGain": (1.0, 16.0, 1.0), "ColourGains": (0.0, 32.0, 0.0)}
        return known | ({"LensPosition": (0.0, 15.0, 1.0), "AfMode": (0, 2, 0)} if self._sensor.lens_moves else {})

    @property
    def sensor_modes(self) -> list[dict[str, Any]]:
        for size in ((1536, 864), (2304, 1296), (4608, 2592)):
            self.configure(self.create_video_configuration(main={"size": size}))
        return []

    def create_video_configuration(
        self, main: dict[str, Any] | None = None, buffer_count: int = 6, controls: dict[str, Any] | None = None,
        queue: bool = True, transform: dict[str, int] | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        stream = {"format": "XBGR8888", "size": (1280, 720), **(main or {})}
        return {"main": stream, "buffer_count": buffer_count, "controls": dict(controls or {}), "queue": queue,
                "transform": transform or {}}  # fmt: skip

    def create_still_configuration(self, main: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        return self.create_video_configuration({"format": "BGR888", **(main or {})}, **{"buffer_count": 1, **more})

    create_preview_configuration = create_video_configuration

    def configure(self, config: dict[str, Any]) -> None:
        if self._started:
            raise RuntimeError("Camera must be stopped before configuring")
        self._sensor.configured += 1
        if self._sensor.configured > 1:
            raise OSError(errno.ENOMEM, "Cannot allocate memory")
        self._config = config
        self._underway = [(0, config["controls"])]
        self.free = config["buffer_count"]

    def camera_configuration(self) -> dict[str, Any] | None:
        return self._config

    def set_controls(self, controls: dict[str, Any]) -> None:
        unknown = set(controls) - set(self.camera_controls) - {"AeEnable", "AwbEnable", "FrameDurationLimits"}
        if unknown:
            raise RuntimeError(f"Control {', '.join(unknown)} is not advertised by libcamera")
        self._underway.append((self._frame, dict(controls)))

    def start(self) -> None:
        if self._config is None:
            raise RuntimeError("Camera has not been configured")
        self.set_controls(self._underway.pop()[1])
        self._started = True
        self._machine.running.append(self)
        self.run(1)

    # ---- pictures ----------------------------------------------------------------------------------------------------

    def capture_request(self, wait: Any = None, signal_function: Any = None, flush: Any = None) -> Request:
        after = self._machine.now if flush is True else (flush or 0) / 1e9
        end = None if wait is None or wait is True else self._machine.now + wait
        if not self._started:
            raise RuntimeError("Camera is not running")
        while True:
            kept, self._kept = self._kept, None
            if kept is not None:
                facts = kept.get_metadata()
                if facts["SensorTimestamp"] / 1e9 - facts["ExposureTime"] / 1e6 >= after - 1e-6:
                    if not self.jobs:
                        return kept
                    # A job from before takes it, and nobody will ever release it.
                    self.jobs -= 1
                else:
                    kept.release()
            if self._sensor.stalled or self._sensor.pulled or not self.free:
                if end is None:
                    raise NeverReturns
                self._machine.now = end
            else:
                self.run(1)
            if end is not None and self._machine.now >= end:
                self.jobs += 1
                raise TimeoutError

    def capture_array(self, name: str = "main", wait: Any = None, signal_function: Any = None) -> Image:
        request = self.capture_request(wait)
        try:
            return request.make_array(name)
        finally:
            request.release()

    def run(self, frames: int) -> None:
        """The sensor goes on by so many pictures; one of them is kept."""
        for _ in range(frames):
            self._machine.now += FRAME_S
            self._frame += 1
            if self._kept is not None:
                kept, self._kept = self._kept, None
                kept.release()
            if not self.free:
                return
            for since, controls in [one for one in self._underway if self._frame - one[0] > LATE_FRAMES]:
                self._applied |= controls
                self._underway.remove((since, controls))
            self.free -= 1
            self._kept = Request(self, self._sensor.scene, self._facts())

    def _facts(self) -> dict[str, Any]:
        applied, facts = self._applied, dict(USUAL)
        if applied.get("AeEnable") is False:
            facts["ExposureTime"] = int(applied["ExposureTime"] // LINE_US * LINE_US)
            facts["AnalogueGain"] = round(applied["AnalogueGain"] / GAIN_STEP) * GAIN_STEP
        if applied.get("AwbEnable") is False:
            facts["ColourGains"] = tuple(applied["ColourGains"])
        if not self._sensor.lens_moves:
            del facts["LensPosition"]
        elif applied.get("AfMode") == 0:
            facts["LensPosition"] = applied.get("LensPosition", 1.0)
        facts["SensorTimestamp"] = round(self._machine.now * 1e9)
        return facts

    def developed(self, scene: Image, facts: dict[str, Any]) -> Image:
        """What a scene looks like with these settings."""
        if self._sensor.frozen and self._last is not None:
            return self._last.copy()
        right = self._sensor.right
        image = scene.astype(np.float32)
        if "ExposureTime" in right:
            image *= facts["ExposureTime"] * facts["AnalogueGain"] / (right["ExposureTime"] * right["AnalogueGain"])
        if "ColourGains" in right:
            red, blue = (found / asked for found, asked in zip(facts["ColourGains"], right["ColourGains"], strict=True))
            image *= np.array([blue, 1.0, red], np.float32)
        if "LensPosition" in right and self._sensor.lens_moves:
            miss = abs(facts["LensPosition"] - right["LensPosition"])
            image = cv2.GaussianBlur(image, (0, 0), 6 * miss) if miss > 0.2 else image
        self._last = self._stream(np.clip(image, 0, 255).astype(np.uint8))
        return self._last.copy()

    def _stream(self, image: Image) -> Image:
        assert self._config is not None
        stream = self._config["main"]
        if stream["size"] != (image.shape[1], image.shape[0]):
            image = np.asarray(cv2.resize(image, stream["size"]), np.uint8)
        if self._config["transform"].get("hflip"):
            image = image[:, ::-1]
        # What is called RGB lies in memory as blue, green, red.
        if stream["format"] == "BGR888":
            image = image[:, :, ::-1]
        if stream["format"] == "XBGR8888":
            image = np.dstack([image[:, :, ::-1], np.full(image.shape[:2], 255, np.uint8)])
        return np.ascontiguousarray(image)

    # ---- the end -----------------------------------------------------------------------------------------------------

    def cancel_all_and_flush(self) -> None:
        self.jobs = 0

    def stop(self) -> None:
        if self._sensor.stalled:
            raise NeverReturns
        self._started = False
        if self in self._machine.running:
            self._machine.running.remove(self)

    def close(self) -> None:
        if not self._open:
            return
        self.stop()
        self._open = False
        self.end_of_process()

    def end_of_process(self) -> None:
        """What the kernel does when the process has gone: the camera can be taken and configured again."""
        self._sensor.taken, self._sensor.configured = False, 0
