"""Cameras on USB, through OpenCV and Video4Linux.

Not tried with a real camera so far.  Gain and lens are in the camera's own units, as ``v4l2-ctl -L`` shows them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import cv2
import numpy as np

from firmware.camera import CameraPlan, Locks, Shot
from firmware.errors import CameraError, CameraGoneError, CameraRefusedError, CameraStalledError
from vision.errors import PictureError
from vision.frame import Image
from vision.picturefile import decode_picture

USUAL_SIZE = (1920, 1080)
MJPEG = cv2.VideoWriter.fourcc(*"MJPG")
BUFFERS = 2
OLD_PICTURES = 6
"""Where a driver gives no times, so many pictures may still be on their way from before the call."""
MANUAL, BY_APERTURE = 1, 3
"""Video4Linux's words for an exposure that stands still, and for one that the camera chooses."""
EXPOSURE_STEP_US = 100
LONGEST_WAIT_S = 60.0
"""A picture older than that lies in no buffer: its driver counts by another clock."""
BY_PATH = Path("/dev/v4l/by-path")
VERSIONED = re.compile(r"-usbv[0-9]+-")

OpenCapture = Callable[[str, int], Any]


class UvcCamera:
    """One camera on USB."""

    def __init__(
        self, plan: CameraPlan, capture: OpenCapture, exists: Callable[[str], bool], clock: Callable[[], float]
    ) -> None:
        self._plan, self._clock = plan, clock
        if not exists(plan.at):
            told = ", ".join(found_cameras()) or "none at all"
            raise CameraGoneError(f"{plan.name}: nothing is plugged in at {plan.at}; found: {told}")
        self._exists = exists
        self._device = capture(plan.at, cv2.CAP_V4L2)
        try:
            if not self._device.isOpened():
                raise CameraError(f"{plan.name}: the camera at {plan.at} cannot be opened; does another program use it?")
            self._configure()
            _lock(self._device, plan)
        except BaseException:
            self._device.release()
            raise

    def grab(self, timeout: float) -> Shot:
        """A picture that was taken after the call; raises as `Camera.grab` says."""
        called = self._clock()
        end, number = called + timeout, 0
        while self._next(number, end):
            begun = self._device.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
            timed = begun > 0 and called - LONGEST_WAIT_S < begun <= self._clock()
            if (begun >= called) if timed else (number >= OLD_PICTURES):
                image = self._picture()
                # A picture that came in halves is left out; the next one is as good.
                if image is not None:
                    return Shot(image, begun if timed else self._clock())
            number += 1
            if self._clock() >= end:
                break
        raise CameraStalledError(f"{self._plan.name}: the camera at {self._plan.at} gave no whole picture within {timeout:g} s")

    def close(self) -> None:
        """Let go of the device."""
        self._device.release()

    def _configure(self) -> None:
        device, (width, height) = self._device, self._plan.size or USUAL_SIZE
        # Each of these may begin the stream anew, so what it delivers is chosen last.
        self._mjpeg = bool(device.set(cv2.CAP_PROP_FOURCC, MJPEG))
        device.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        device.set(cv2.CAP_PROP_BUFFERSIZE, BUFFERS)
        found = int(device.get(cv2.CAP_PROP_FRAME_WIDTH)), int(device.get(cv2.CAP_PROP_FRAME_HEIGHT))
        if found != (width, height):
            raise CameraRefusedError(
                f"{self._plan.name}: size = [{width}, {height}] was asked for, the camera gives {found[0]} x {found[1]}"
            )
        if self._mjpeg:
            # The compressed picture itself: OpenCV would make a grey half of a truncated one and say nothing.
            device.set(cv2.CAP_PROP_CONVERT_RGB, 0)

    def _next(self, number: int, end: float) -> bool:
        """Whether one more picture is there; False when none was to be had before `end`."""
        if self._device.grab():
            return True
        if not self._exists(self._plan.at):
            raise CameraGoneError(f"{self._plan.name}: the camera at {self._plan.at} was unplugged")
        if self._clock() >= end:
            return False
        why = "its stream has ended" if number else "is there room for it on the bus? `turns` opens cameras one after another"
        raise CameraError(f"{self._plan.name}: the camera at {self._plan.at} gives no picture: {why}")

    def _picture(self) -> Image | None:
        done, data = self._device.retrieve()
        if not done:
            return None
        if not self._mjpeg:
            return np.asarray(data, np.uint8)
        try:
            # Some cameras fill their buffers up with zeros.
            return decode_picture(np.asarray(data, np.uint8).tobytes().rstrip(b"\0"), self._plan.name)[0]
        except PictureError:
            return None


def _lock(device: Any, plan: CameraPlan) -> None:
    locks: Locks = plan.locks
    if locks.red_blue is not None:
        raise CameraRefusedError(f"{plan.name}: a camera on USB takes white_k, not red_blue")
    if (locks.exposure_us is None) is not (locks.gain is None):
        raise CameraRefusedError(f"{plan.name}: exposure and gain are locked together or not at all")
    wanted: list[tuple[str, int, float]] = []
    if locks.exposure_us is not None and locks.gain is not None:
        wanted += [
            ("exposure by hand", cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL),
            ("exposure_us", cv2.CAP_PROP_EXPOSURE, max(1, round(locks.exposure_us / EXPOSURE_STEP_US))),
            ("gain", cv2.CAP_PROP_GAIN, locks.gain),
        ]
    if locks.white_k is not None:
        wanted += [("white balance by hand", cv2.CAP_PROP_AUTO_WB, 0), ("white_k", cv2.CAP_PROP_WB_TEMPERATURE, locks.white_k)]
    if locks.lens is not None:
        wanted += [("focus by hand", cv2.CAP_PROP_AUTOFOCUS, 0), ("lens", cv2.CAP_PROP_FOCUS, locks.lens)]
    for what, key, value in wanted:
        # A driver may say yes and round, clamp or forget the value.
        taken, found = device.set(key, value), device.get(key)
        if not taken or round(found) != round(value):
            raise CameraRefusedError(f"{plan.name}: {what}: {value:g} was asked for, the camera at {plan.at} has {found:g}")


def found_cameras(folder: Path = BY_PATH) -> list[str]:
    """The paths of all cameras on USB by the socket that they are plugged into: cheap ones share one serial number."""
    # Each camera has a second node, for what it says about its pictures; parts of the processor have nodes, too.
    names = sorted(path.name for path in folder.glob("*-usb*-video-index0"))
    # Newer systems have the same socket once more, under a name that tells the version of the bus.
    plain = [name for name in names if "-usb-" in name]
    others = [name for name in names if name not in plain and VERSIONED.sub("-usb-", name) not in plain]
    return [str(folder / name) for name in sorted(plain + others)]


def open_camera(
    plan: CameraPlan, capture: OpenCapture = cv2.VideoCapture, exists: Callable[[str], bool] = lambda path: Path(path).exists(),
    clock: Callable[[], float] = monotonic,
) -> UvcCamera:  # fmt: skip
    """Open the camera at the path ``plan.at``; raise `CameraError` where that is impossible."""
    return UvcCamera(plan, capture, exists, clock)
