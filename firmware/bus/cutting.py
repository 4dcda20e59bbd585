"""What a node sends of its pictures: the windows that changed, within what the air carries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.observation import TroubleKind
from firmware.bus.messages import Box, CropOf, Shown, Wanted
from vision.frame import Frame, Image
from vision.health import Health
from vision.windows import THUMB_PX, Thumbs, difference

NEWS = 4.0
"""A window that differs so much (grey levels, see `difference`) from what was sent is sent again: less than what the reader calls
a change, so that the reader never misses one."""
MOVED = 10.0
"""A marker that differs so much does not look as it did."""
LOOKS = 4
"""After its last change a window is sent so often again: every look is a picture of its own, with noise of its own."""
PULSE_S = 0.25
"""Without any news the node says so often that it sees."""
BYTES_PER_S = 20_000
"""Five mats at full speed stay below 1 Mb/s: 5 x 20 kB/s = 0.8 Mb/s, the rest is for frames of Wi-Fi and TCP."""
BURST = 200_000
"""A whole picture has to fit, twice."""
TALLEST_PX = 192
"""A crop is made smaller until it is no taller: twice what the reader looks at."""
QUALITY, PLATE_QUALITY = 82, 88
"""Of JPEG.  Plates are for finding markers to a fraction of a pixel."""
UNSETTLED_FRAMES = 3
"""So many frames in a row most markers have to look otherwise, before a whole picture is sent: hands go by."""

SAME_S = 0.1
"""Pictures that have been equal for longer are not vouched for; the hub says when that is a fault."""


class Allowance:
    """So many bytes a second, and a burst of them; on the clock of the pictures."""

    def __init__(self, rate: float = BYTES_PER_S, burst: float = BURST) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._at = burst, 0.0

    def spend(self, count: int, time: float) -> bool:
        """Whether there are so many; then they are gone."""
        if time > self._at:
            self._left = min(self._burst, self._left + (time - self._at) * self._rate)
        self._at = time
        if count > self._left:
            return False
        self._left -= count
        return True


@dataclass(frozen=True, slots=True)
class News:
    """What is worth sending of a frame; without `crops` only that the camera sees."""

    crops: tuple[CropOf, ...] = ()
    plate: bool = False
    trouble: TroubleKind | None = None

    def shown(self, boot: str, number: int, frame: Frame) -> Shown:
        """As the message number `number` of this boot."""
        height, width = frame.image.shape[:2]
        return Shown(boot, number, frame.time, frame.number, (width, height), self.crops, self.plate, self.trouble)


class Cutter:
    """Decides for every frame of one camera what is sent of it.  Knows no cards: only where to look, as the hub has told it."""

    def __init__(self, allowance: Allowance | None = None) -> None:
        self._allowance = allowance if allowance is not None else Allowance()
        self._health = Health(frozen_s=SAME_S)
        self._wanted = Wanted()
        self._plate_due = True
        self._sent: Thumbs | None = None
        self._marks: Thumbs | None = None
        self._looks: list[int] = []
        self._unsettled = 0
        self._spoke = float("-inf")

    def follow(self, wanted: Wanted) -> None:
        """The hub says where to look, or wishes for a whole picture."""
        if wanted.plate != self._wanted.plate:
            self._plate_due = True
        if (wanted.windows, wanted.marks) != (self._wanted.windows, self._wanted.marks):
            self._sent = self._marks = None
        self._wanted = wanted

    def look(self, frame: Frame) -> News | None:
        """What is to be sent of this frame; None for nothing."""
        self._health.trouble(frame)
        if self._health.kind is not None:
            return self._pulse(frame.time, News(trouble=self._health.kind))
        if self._moved(frame.image):
            self._plate_due = True
        if self._plate_due:
            return self._plate(frame)
        return self._windows(frame)

    def _plate(self, frame: Frame) -> News | None:
        height, width = frame.image.shape[:2]
        jpeg = _jpeg(frame.image, PLATE_QUALITY)
        if not self._allowance.spend(len(jpeg), frame.time):
            return None
        self._plate_due, self._unsettled, self._spoke = False, 0, frame.time
        if _fits(self._wanted, frame.image):
            self._sent = _thumbs(frame.image, self._wanted.windows)
            self._marks = _thumbs(frame.image, self._wanted.marks)
            self._looks = [LOOKS] * len(self._wanted.windows)
        return News((CropOf(Box(0, 0, width, height), jpeg),), plate=True)

    def _moved(self, image: Image) -> bool:
        if not self._wanted.marks or not _fits(self._wanted, image):
            return False
        now = _thumbs(image, self._wanted.marks)
        if self._marks is None:
            self._marks = now
        otherwise = int(np.count_nonzero(difference(now, self._marks) > MOVED))
        self._unsettled = self._unsettled + 1 if 2 * otherwise > len(now) else 0
        # A whole picture each time that a hand lingers would cost too much: once, and again when something else shows.
        return self._unsettled == UNSETTLED_FRAMES

    def _windows(self, frame: Frame) -> News | None:
        wanted, image = self._wanted, frame.image
        if not wanted.windows or not _fits(wanted, image):
            return self._pulse(frame.time, News())
        thumbs = _thumbs(image, wanted.windows)
        if self._sent is None:
            changed = np.ones(len(thumbs), bool)
            self._sent, self._looks = thumbs.copy(), [0] * len(thumbs)
        else:
            changed = difference(thumbs, self._sent) > NEWS
        due = [index for index in range(len(thumbs)) if changed[index] or self._looks[index]]
        if not due:
            return self._pulse(frame.time, News())
        crops = tuple(_crop(image, wanted.windows[index]) for index in due)
        if not self._allowance.spend(sum(len(crop.jpeg) for crop in crops), frame.time):
            return None
        for index in due:
            self._looks[index] = LOOKS if changed[index] else self._looks[index] - 1
            self._sent[index] = thumbs[index]
        self._spoke = frame.time
        return News(crops)

    def _pulse(self, time: float, news: News) -> News | None:
        if time - self._spoke < PULSE_S - 1e-6:
            return None
        self._spoke = time
        return news


def _fits(wanted: Wanted, image: Image) -> bool:
    """Whether the hub's boxes are of pictures like this one."""
    height, width = image.shape[:2]
    return all(box.x + box.width <= width and box.y + box.height <= height for box in (*wanted.windows, *wanted.marks))


def _part(image: Image, box: Box) -> Image:
    return image[box.y : box.y + box.height, box.x : box.x + box.width]


def _thumbs(image: Image, boxes: Sequence[Box]) -> Thumbs:
    """Little pictures of the boxes, as `vision.windows.ChangeWatch` makes them."""
    thumbs = np.empty((len(boxes), THUMB_PX[1], THUMB_PX[0], 3), np.uint8)
    for thumb, box in zip(thumbs, boxes, strict=True):
        cv2.resize(_part(image, box), THUMB_PX, dst=thumb, interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(thumbs.reshape(len(boxes), THUMB_PX[0] * THUMB_PX[1], 3).transpose(0, 2, 1), np.float32)


def _crop(image: Image, box: Box) -> CropOf:
    part = _part(image, box)
    if box.height > TALLEST_PX:
        size = (max(1, round(box.width * TALLEST_PX / box.height)), TALLEST_PX)
        part = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
    return CropOf(box, _jpeg(part, QUALITY))


def _jpeg(image: Image, quality: int) -> bytes:
    made, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert made, "a picture in memory can be coded"
    return bytes(coded)
