"""What every camera is, whatever it hangs on: one plan that describes it, one interface, and the table of back ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Literal, Protocol, cast

import cv2
import numpy as np

from firmware.errors import CameraError, CameraRefusedError, RigError
from vision.frame import Image

Rotation = Literal[0, 90, 180, 270]
TURNS: Mapping[int, int] = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}
BURST, BURST_S = 4, 0.12
"""Where cameras are opened in turns each takes so many pictures at once, so many seconds apart: from a single one nobody can
tell a hand that rests from one that moves, nor a card that lies from one that is being laid."""
SLOWEST_S = 3.0
"""A picture that is not there after so long does not come any more (raspberrypi/picamera2#794)."""


@dataclass(frozen=True, slots=True)
class Locks:
    """What is set once and must not change by itself while cards are read; None leaves it to the camera."""

    exposure_us: int | None = None
    gain: float | None = None
    """Analogue gain; 1 is none."""
    red_blue: tuple[float, float] | None = None
    """Gains of red and of blue over green: the white balance."""
    white_k: int | None = None
    """White balance as a colour temperature in kelvin: what cameras on USB take instead of `red_blue`."""
    lens: float | None = None
    """Position of the lens, in dioptres as the driver counts them; found by a sweep, since modules differ."""


@dataclass(frozen=True, slots=True)
class CameraPlan:
    """One camera as the settings describe it.  It can be sent to another process."""

    name: str
    """That of its station: ``mat0`` ... ``mat5``, or ``tray``."""
    kind: str
    """A key of `BACK_ENDS`."""
    at: str = ""
    """Where it is: a libcamera Id, a path below ``/dev/v4l/by-path``, an address, a folder or file.  May hold a password."""
    size: tuple[int, int] | None = None
    """Width and height that the sensor is asked for; None takes the usual one of the back end."""
    crop: tuple[int, int, int, int] | None = None
    """Left, top, width and height of what is kept, in pixels of the upright picture."""
    mirror: bool = False
    """A mirror is in the way of the light: the picture is flipped from left to right."""
    rotation: Rotation = 0
    """Degrees clockwise by which the picture has to be turned, after the flip, to be upright."""
    period: float = 0.1
    """Seconds between two pictures, at best."""
    locks: Locks = Locks()
    timeout: float = SLOWEST_S
    """Seconds that one picture may take before the camera is given up and started anew."""
    turns: bool = False
    """It is open only while it is looked through, one camera after another: a bus that has no room for two."""

    pulsed: bool = False
    """The lamp of its mat burns for single pictures only."""
    window: str = "standard"
    """Size of the windows of its mat; only a camera that draws one has to know it."""

    @property
    def burst(self) -> int:
        """So many pictures are taken at each look."""
        return BURST if self.turns else 1


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One picture as a back end delivers it: as the sensor saw it, before mirror and mounting are undone."""

    image: Image
    time: float
    """Seconds of this machine's monotonic clock (`time.monotonic`) when the exposure began, as well as that is known."""


class Camera(Protocol):
    """One opened camera.  It may block, and is used by one thread."""

    def grab(self, timeout: float) -> Shot:
        """A picture whose exposure began after the call, as far as the device lets that be known.

        Raise `CameraStalledError` after `timeout` seconds at the latest if the device allows it at all, `CameraGoneError` where
        the device is not there any more, and another `CameraError` for what else it reports.  After an error the camera is
        closed and, later, opened anew.
        """
        ...

    def close(self) -> None:
        """Let go of the device; a second call does nothing."""
        ...


OpenCamera = Callable[[CameraPlan], Camera]
"""Opens a camera and sets what its plan locks; raises `CameraError`."""


@dataclass(frozen=True, slots=True)
class BackEnd:
    """How cameras of one kind are opened."""

    module: str
    function: str = "open_camera"
    own_process: bool = True
    """Its driver may hang, so it gets a process that can be killed; otherwise it lives in that of the table."""


BACK_ENDS: Mapping[str, BackEnd] = {
    "picamera2": BackEnd("firmware.camera_picamera2"),
    "uvc": BackEnd("firmware.camera_uvc"),
    "url": BackEnd("firmware.camera_url"),
    "replay": BackEnd("firmware.camera_replay"),
    "virtual": BackEnd("firmware.camera_virtual"),
    "mqtt": BackEnd("firmware.camera_mqtt", own_process=False),
    "feed": BackEnd("firmware.camera_feed", own_process=False),
}
"""Every kind of camera; its module is imported when the first one is opened."""


def find_back_end(kind: str) -> BackEnd:
    """The back end called `kind`; raise `RigError` for any other."""
    if kind not in BACK_ENDS:
        raise RigError(f"there is no kind of camera {kind!r}; expected one of {', '.join(BACK_ENDS)}")
    return BACK_ENDS[kind]


def open_camera(plan: CameraPlan) -> Camera:
    """Open the camera that `plan` describes, here and now; raise `CameraError` where that is impossible."""
    back_end = find_back_end(plan.kind)
    return cast(Camera, getattr(import_module(back_end.module), back_end.function)(plan))


def upright(image: Image, plan: CameraPlan) -> Image:
    """The picture with mirror and mounting undone, and cut: the one place where that is done, for every back end.

    Raise `CameraRefusedError` for a crop that lies outside.
    """
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        found = f"{image.dtype} {' x '.join(map(str, image.shape))}"
        raise CameraError(f"{plan.name}: a picture of height x width x 3 bytes was expected, found {found}")
    turned = image[:, ::-1] if plan.mirror else image
    if plan.rotation:
        turned = cast(Image, cv2.rotate(np.ascontiguousarray(turned), TURNS[plan.rotation]))
    if plan.crop is not None:
        left, top, width, height = plan.crop
        if left + width > turned.shape[1] or top + height > turned.shape[0]:
            raise CameraRefusedError(
                f"{plan.name}: crop = {list(plan.crop)} reaches beyond the picture, "
                f"which has {turned.shape[1]} x {turned.shape[0]} pixels"
            )
        turned = turned[top : top + height, left : left + width]
    return np.ascontiguousarray(turned)
