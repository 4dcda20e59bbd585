"""From what a node sends back to whole frames, so that the very same reader reads them as those of any camera."""

from __future__ import annotations

import cv2
import numpy as np

from companion.observation import TroubleKind
from firmware.bus.messages import Box, Shown
from firmware.errors import BusError
from vision.calibrate import Points, Registration, marker_corners_mm
from vision.frame import Frame, Image
from vision.layout import Rect
from vision.picturefile import picture_size

WINDOW_MARGIN_MM = 1.5
"""The reader looks up to 0.8 mm beside a window, and a board creeps a little before it is found anew."""
FLAT = {TroubleKind.DARK: 0, TroubleKind.BRIGHT: 255}
"""Grey level of the picture that stands for one of which the node says only this."""


class Canvas:
    """The newest picture of one node's camera, as far as it is known; the parts arrive one by one."""

    def __init__(self, camera: str) -> None:
        self._camera = camera
        self._image: Image | None = None
        self.whole = False
        """Nothing that is shown is older than it may be."""

    def lose(self) -> None:
        """Parts are missing: nothing is shown until a whole picture has come."""
        self.whole = False

    def take(self, shown: Shown, time: float) -> Frame | None:
        """The frame of `time` (hub) that this makes; None while parts are missing.  Raise `BusError` for what is no JPEG."""
        if shown.trouble in FLAT:
            flat = np.full((shown.size[1], shown.size[0], 3), FLAT[shown.trouble], np.uint8)
            return Frame(self._camera, time, shown.frame, flat)
        if shown.plate:
            self._start(shown)
        elif not self._suits(shown):
            self.whole = False
        if not self.whole or self._image is None:
            return None
        if shown.crops and not shown.plate:
            image = self._image.copy()
            for crop in shown.crops:
                box = crop.box
                image[box.y : box.y + box.height, box.x : box.x + box.width] = _picture(crop.jpeg, box, self._camera)
            self._image = image
        return Frame(self._camera, time, shown.frame, self._image, vouched=shown.trouble is None)

    def _start(self, shown: Shown) -> None:
        width, height = shown.size
        if [crop.box for crop in shown.crops] != [Box(0, 0, width, height)]:
            raise BusError(f"{self._camera}: a whole picture of {width} x {height} is expected, found parts")
        self._image = _picture(shown.crops[0].jpeg, shown.crops[0].box, self._camera)
        self.whole = True

    def _suits(self, shown: Shown) -> bool:
        return self._image is not None and (self._image.shape[1], self._image.shape[0]) == shown.size


def _picture(jpeg: bytes, box: Box, camera: str) -> Image:
    told = picture_size(jpeg)
    if told is None:
        raise BusError(f"{camera}: a JPEG is expected, found {jpeg[:8]!r}")
    if told[0] > box.width or told[1] > box.height:
        # A few bytes can claim to be a picture of gigabytes.
        raise BusError(f"{camera}: a picture of at most {box.width} x {box.height} is expected, found {told[0]} x {told[1]}")
    decoded = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if decoded is None:
        raise BusError(f"{camera}: a JPEG is expected, found {jpeg[:8]!r}")
    if decoded.shape[:2] != (box.height, box.width):
        decoded = cv2.resize(decoded, (box.width, box.height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(decoded, np.uint8)


def window_boxes(registration: Registration) -> tuple[Box, ...]:
    """What a node has to cut out so that every window can be read."""
    return tuple(_box(_sides(window, WINDOW_MARGIN_MM), registration) for window in registration.layout.windows)


def mark_boxes(registration: Registration) -> tuple[Box, ...]:
    """Where the markers are of which most are wholly in the picture."""
    found = (marker for marker in registration.layout.markers if marker.id in registration.found)
    return tuple(_box(marker_corners_mm(marker), registration) for marker in found)


def _sides(window: Rect, margin: float) -> Points:
    left, top = window.x - margin, window.y - margin
    right, bottom = window.x + window.width + margin, window.y + window.height + margin
    middle = (left + right) / 2
    return np.array([[x, y] for x in (left, middle, right) for y in (top, bottom)])


def _box(corners_mm: Points, registration: Registration) -> Box:
    px = registration.to_px(corners_mm)
    width, height = registration.size_px
    left, top = (int(np.clip(np.floor(low), 0, size - 1)) for low, size in zip(px.min(axis=0), (width, height), strict=True))
    right, bottom = (int(np.clip(np.ceil(high), 1, size)) for high, size in zip(px.max(axis=0), (width, height), strict=True))
    return Box(left, top, max(1, right - left), max(1, bottom - top))
