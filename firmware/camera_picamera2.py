"""Cameras on a Raspberry Pi's own connector, through picamera2.

Not tried on a Pi so far: what it relies on was read in picamera2's source, and the tests hold it against a stand-in that has the
same quirks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from time import monotonic
from typing import Any

from firmware.camera import CameraPlan, Locks, Shot
from firmware.errors import CameraError, CameraGoneError, CameraRefusedError, CameraStalledError
from vision.calibration.controls import Ranges

USUAL_SIZE = (2304, 1296)
"""The binned mode of Camera Module 3: 7.6 pixels to the millimetre; full size needs too much memory."""
FORMAT = "RGB888"
"""What libcamera calls so lies in memory as blue, green, red: just what `Image` is."""
BUFFERS = 2
FRAME_US = 33_333
"""A pulse of the lamp should not have to wait for a slow sensor."""
WEAKEST_TINT, STRONGEST_TINT = 0.3, 6.0
"""Gains of red and blue that any lamp can want; the driver's own range also holds what no lamp wants."""
PATIENCE_S = 2.0
"""New controls count some frames later; a camera that has not taken them after so long does not take them."""
TOLERANCE: Mapping[str, tuple[float, float]] = {
    "ExposureTime": (0.02, 60.0), "AnalogueGain": (0.03, 0.02), "ColourGains": (0.01, 0.01), "LensPosition": (0.01, 0.05),
}  # fmt: skip
"""How far the picture's own word may be from what was asked for, as a share and beside it: sensors count in lines and steps."""


class PiCamera:
    """One camera with one configuration for life: changing modes runs out of memory sooner or later (picamera2#1102)."""

    def __init__(self, plan: CameraPlan, picamera2: Any, libcamera: Any, clock: Callable[[], float]) -> None:
        self._plan, self._clock, self._libcamera = plan, clock, libcamera
        self._device: Any = None
        number = _number(plan, picamera2.Picamera2.global_camera_info())
        try:
            self._device = picamera2.Picamera2(number)
            self._wanted = _controls(plan, libcamera, self._device.camera_controls)
            config = self._device.create_video_configuration(
                main={"size": plan.size or USUAL_SIZE, "format": FORMAT}, buffer_count=BUFFERS, controls=self._wanted
            )
            self._device.configure(config)
            self._check_format()
            self._device.start()
        except (RuntimeError, OSError) as error:
            if isinstance(error, CameraError):
                raise
            raise CameraError(f"{plan.name}: the camera {plan.at} cannot be started: {error}") from error

    def grab(self, timeout: float) -> Shot:
        """A picture that was begun after the call, with everything as it was locked; raises as `Camera.grab` says."""
        if self._device is None:
            raise CameraError(f"{self._plan.name}: it is closed")
        end = self._clock() + timeout
        patience = min(end, self._clock() + PATIENCE_S)
        while True:
            request = self._request(max(end - self._clock(), 0.001))
            try:
                facts = request.get_metadata()
                odd = _odd(self._wanted, facts)
                if odd is None:
                    return Shot(request.make_array("main"), _begun(facts, self._clock()))
            finally:
                request.release()
            # The controls arrive frames late, or something has changed them.
            if self._clock() >= patience:
                raise CameraRefusedError(f"{self._plan.name}: {odd}")

    def relock(self, locks: Locks) -> None:
        """Lock other values without another configuration; the next picture is one that was taken with them."""
        if self._device is None:
            raise CameraError(f"{self._plan.name}: it is closed")
        self._wanted = _controls(replace(self._plan, locks=locks), self._libcamera, self._device.camera_controls)
        try:
            self._device.set_controls(self._wanted)
        except (RuntimeError, OSError) as error:
            raise CameraError(f"{self._plan.name}: the camera {self._plan.at} failed: {error}") from error

    def ranges(self) -> Ranges:
        """From where to where things can be set, as the camera itself says."""
        known = {} if self._device is None else self._device.camera_controls
        exposure, gain, lens = (known.get(key) for key in ("ExposureTime", "AnalogueGain", "LensPosition"))
        return Ranges(
            None if exposure is None else (int(exposure[0]), int(exposure[1])),
            None if gain is None else (max(1.0, float(gain[0])), float(gain[1])),
            (WEAKEST_TINT, STRONGEST_TINT) if "ColourGains" in known else None,
            None if lens is None else (float(lens[0]), float(lens[1])),
        )

    def close(self) -> None:
        """Let go of the camera, unless it hangs: then only the end of the process lets go of it."""
        device, self._device = self._device, None
        if device is not None:
            device.close()

    def _request(self, wait: float) -> Any:
        try:
            # A number makes it raise; everything else may wait for ever.  Without `flush` it may be a picture from before.
            return self._device.capture_request(wait=wait, flush=True)
        except TimeoutError:
            # Closing waits for the same thread that just did not answer.
            self._device = None
            said = f"{self._plan.name}: the camera {self._plan.at} gave no picture within {wait:.1f} s"
            raise CameraStalledError(said) from None
        except (RuntimeError, OSError) as error:
            raise CameraError(f"{self._plan.name}: the camera {self._plan.at} failed: {error}") from error

    def _check_format(self) -> None:
        found = self._device.camera_configuration()["main"]["format"]
        if found != FORMAT:
            raise CameraRefusedError(f"{self._plan.name}: pictures as {FORMAT} were asked for, but the camera gives {found}")


def _number(plan: CameraPlan, found: list[dict[str, Any]]) -> int:
    """Where in picamera2's own order the camera stands; the field ``Num`` counts by another one."""
    ids = [str(one["Id"]) for one in found]
    if plan.at not in ids:
        told = ", ".join(ids) or "none at all"
        raise CameraGoneError(f"{plan.name}: no camera has the Id {plan.at!r}; found: {told}")
    return ids.index(plan.at)


def _controls(plan: CameraPlan, libcamera: Any, known: Mapping[str, Any]) -> dict[str, Any]:
    """What is set at the start and never again."""
    locks: Locks = plan.locks
    frame_us = max(FRAME_US, locks.exposure_us or 0)
    controls: dict[str, Any] = {"FrameDurationLimits": (frame_us, frame_us)}
    if (locks.exposure_us is None) is not (locks.gain is None):
        raise CameraRefusedError(f"{plan.name}: exposure and gain are locked together or not at all")
    if locks.exposure_us is not None:
        controls |= {"AeEnable": False, "ExposureTime": locks.exposure_us, "AnalogueGain": locks.gain}
    if locks.white_k is not None:
        raise CameraRefusedError(f"{plan.name}: a camera of this kind takes red_blue, not white_k")
    if locks.red_blue is not None:
        controls |= {"AwbEnable": False, "ColourGains": locks.red_blue}
    if locks.lens is not None:
        if "LensPosition" not in known:
            raise CameraRefusedError(f"{plan.name}: lens = {locks.lens:g}, but this camera's lens does not move")
        # The position alone is ignored as long as the camera may focus by itself.
        controls |= {"AfMode": libcamera.controls.AfModeEnum.Manual, "LensPosition": locks.lens}
    return controls


def _odd(wanted: Mapping[str, Any], facts: Mapping[str, Any]) -> str | None:
    """What the picture says about itself that was not asked for; None where all is as it should be."""
    for key, (share, beside) in TOLERANCE.items():
        if key not in wanted:
            continue
        asked, found = _numbers(wanted[key]), _numbers(facts.get(key))
        if len(asked) != len(found) or any(abs(a - f) > share * a + beside for a, f in zip(asked, found, strict=True)):
            return f"{key} = {wanted[key]} was asked for, the picture was taken with {facts.get(key)}"
    return None


def _numbers(value: Any) -> tuple[float, ...]:
    if value is None:
        return ()
    return tuple(map(float, value)) if isinstance(value, (tuple, list)) else (float(value),)


def _begun(facts: Mapping[str, Any], now: float) -> float:
    """When the exposure began; the driver's own clock is that of `monotonic` on a Pi, which never sleeps."""
    begun = float(facts.get("SensorTimestamp", 0)) / 1e9 - float(facts.get("ExposureTime", 0)) / 1e6
    return begun if now - 10.0 < begun <= now else now


def found_cameras() -> list[str]:
    """The Ids of all cameras that libcamera knows here; none where there is no picamera2."""
    try:
        picamera2 = import_module("picamera2")
    except ImportError:
        return []
    return [str(one["Id"]) for one in picamera2.Picamera2.global_camera_info()]


def open_camera(plan: CameraPlan, clock: Callable[[], float] = monotonic) -> PiCamera:
    """Open the camera with the Id ``plan.at``; raise `CameraError` where that is impossible."""
    try:
        libraries = import_module("picamera2"), import_module("libcamera")
    except ImportError as error:
        said = f"{plan.name}: cameras of this kind need picamera2 (on a Pi: apt install python3-picamera2): {error}"
        raise CameraRefusedError(said) from error
    return PiCamera(plan, *libraries, clock)
