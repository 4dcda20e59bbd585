"""Reads photographs in a process of its own, one at a time and behind everything else that the machine has to do.

What people send is decoded there and nowhere else: a picture that upsets the decoder, or takes too long, ends that process, and
the table goes on.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

import cv2
import numpy as np

from firmware.profiles import open_classifier
from vision.classifier import Classifier
from vision.errors import PictureError
from vision.frame import Image
from vision.photo import Glimpse, glimpse_of
from vision.picturefile import decode_picture

LOG = logging.getLogger(__name__)
SHOWN_PX = 1600
"""The longer side of a picture as the page shows it."""
JPEG_QUALITY = 82
NICENESS = 10
"""So much the reader stands back behind the table."""
PATIENCE_S = 120.0
"""Seconds that one picture may take; ten times what a Raspberry Pi needs for twenty cards."""


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """A picture that was read."""

    glimpse: Glimpse
    jpeg: bytes
    """The picture as the page shows it: upright, smaller, and without anything that the camera wrote beside it."""
    width: int
    height: int
    """Of `jpeg`, in pixels."""
    scale: float
    """Pixels of `jpeg` for one of the file."""


def take(data: bytes, classifier: Classifier) -> Taken:
    """Read the content of a picture file; raise `PictureError` for one that cannot be read."""
    image, grain = decode_picture(data, "the picture")
    shown = _shown(image)
    height, width = shown.shape[:2]
    done, jpeg = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not done:
        raise PictureError("the picture cannot be shown: it cannot be written as JPEG", "unreadable")
    return Taken(glimpse_of(image, grain, classifier), jpeg.tobytes(), width, height, width / (image.shape[1] * grain))


def _shown(image: Image) -> Image:
    height, width = image.shape[:2]
    factor = SHOWN_PX / max(height, width)
    if factor >= 1:
        return image
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


# ---- the process ---------------------------------------------------------------------------------------------------


def serve(connection: Connection, profile: str | None) -> None:
    """Read what comes, until the other side hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the table, which then hangs up
    os.nice(NICENESS)
    cv2.setNumThreads(1)
    classifier = open_classifier(profile)
    while True:
        try:
            data: bytes = connection.recv_bytes()
        except (EOFError, OSError):
            return
        connection.send(_answer(data, classifier))


def _answer(data: bytes, classifier: Classifier) -> Taken | PictureError:
    try:
        return take(data, classifier)
    except PictureError as error:
        return error
    except Exception as error:
        # The outermost loop: one strange picture must not take the reader from everybody.
        LOG.error("%s while a picture was read", type(error).__name__)
        return PictureError("the picture cannot be read", "unreadable")


class PhotoReader:
    """The way to that process, which is there as long as it has something to do.  Used by one thread, `close` apart."""

    def __init__(self, profile: str | None = None, patience: float = PATIENCE_S) -> None:
        """`profile`: the taught deck to read with; `patience` in seconds."""
        self._profile = profile
        self._patience = patience
        self._lock = threading.Lock()
        self._closed = False
        self._process: BaseProcess | None = None
        self._line: Connection | None = None

    def read(self, data: bytes) -> Taken:
        """Read the content of a picture file; raise `PictureError` where it cannot be read, or takes too long."""
        line = self._open()
        try:
            line.send_bytes(data)
            if not line.poll(self._patience):
                self.rest()
                raise PictureError(f"the picture took longer than {self._patience:g} seconds to read", "slow")
            answer: Any = line.recv()
        except (EOFError, OSError) as fault:
            self.rest()
            raise PictureError("the picture cannot be read: the reader has ended over it", "unreadable") from fault
        if isinstance(answer, PictureError):
            raise answer
        assert isinstance(answer, Taken)
        return answer

    def rest(self) -> None:
        """End the process; the next picture starts it anew."""
        with self._lock:
            process, line, self._process, self._line = self._process, self._line, None, None
        if process is not None and line is not None:
            process.kill()
            process.join()
            line.close()

    def close(self) -> None:
        """End the process for good, also while it reads: then `read` raises.  Callable from any thread."""
        with self._lock:
            self._closed = True
            process = self._process
        if process is not None:
            process.kill()

    def _open(self) -> Connection:
        with self._lock:
            if self._closed:
                raise PictureError("the picture cannot be read: the program is ending", "unreadable")
            if self._line is not None:
                return self._line
            context = multiprocessing.get_context("spawn")
            mine, theirs = context.Pipe()
            process = context.Process(target=serve, args=(theirs, self._profile), daemon=True, name="viewmat-photo")
            process.start()
            theirs.close()
            self._process, self._line = process, mine
            return mine
