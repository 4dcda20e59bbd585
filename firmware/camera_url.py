"""Cameras on the network: a phone, for instance, as the camera of the tray.

Its address may hold a user and a password; no message and no log line has them, nor anything behind a question mark.
"""

from __future__ import annotations

import http.client
import os
import select
import socket
import ssl
from base64 import b64encode
from collections.abc import Callable
from time import monotonic
from typing import Any, cast
from urllib.parse import SplitResult, unquote, urlsplit

import cv2
import numpy as np

from firmware.camera import Camera, CameraPlan, Shot
from firmware.errors import CameraError, CameraGoneError, CameraRefusedError, CameraStalledError
from firmware.mjpeg import MjpegParts, boundary_of
from vision.errors import PictureError
from vision.frame import Image
from vision.picturefile import LARGEST_FILE, decode_picture

CHUNK = 65_536
DRAINED_S = 0.004
"""A picture for which one had to wait at least so long was not lying in a buffer."""
MOST_BUFFERED = 250
WEB, STREAM = ("http", "https"), ("rtsp", "rtsps")


def open_camera(
    plan: CameraPlan, capture: Callable[..., Any] = cv2.VideoCapture, clock: Callable[[], float] = monotonic
) -> Camera:
    """The camera at the address ``plan.at``: a JPEG picture, a stream of JPEG pictures, or RTSP.

    Raise `CameraRefusedError` for an address of another kind.  Whether anybody answers there shows at the first picture.
    """
    try:
        address = urlsplit(plan.at)
        port = address.port
    except ValueError:
        raise CameraRefusedError(f"{plan.name}: its address is none") from None
    if address.scheme not in (*WEB, *STREAM) or not address.hostname:
        found = address.scheme or "nothing"
        raise CameraRefusedError(f"{plan.name}: its address begins with {found}:, expected http, https or rtsp")
    if plan.locks != type(plan.locks)():
        raise CameraRefusedError(f"{plan.name}: exposure, white balance and lens of a camera on the network are set there")
    if address.scheme in STREAM:
        return RtspCamera(plan, address, capture, clock)
    return WebCamera(plan, address, port)


def without_secrets(address: SplitResult) -> str:
    """The address as it may be shown."""
    port = f":{address.port}" if address.port else ""
    host = f"[{address.hostname}]" if ":" in (address.hostname or "") else address.hostname
    return f"{address.scheme}://{host}{port}{address.path}"


def _any_certificate() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


class WebCamera:
    """One address that gives a picture each time it is asked, or picture after picture for as long as one listens."""

    def __init__(self, plan: CameraPlan, address: SplitResult, port: int | None) -> None:
        self._plan, self._address, self._port = plan, address, port
        self._shown = without_secrets(address)
        self._closed = False
        self._line: http.client.HTTPConnection | None = None
        self._answer: http.client.HTTPResponse | None = None
        self._socket: socket.socket | None = None
        self._stream: tuple[http.client.HTTPResponse, MjpegParts] | None = None

    def grab(self, timeout: float) -> Shot:
        """The first picture that begins to arrive after the call; raises as `Camera.grab` says."""
        if self._closed:
            raise CameraError(f"{self._plan.name}: it is closed")
        end = monotonic() + timeout
        try:
            return self._grab(end)
        except TimeoutError:
            self._hang_up()
            raise CameraStalledError(f"{self._plan.name}: {self._shown} gave no whole picture within {timeout:g} s") from None
        except CameraError:
            self._hang_up()
            raise
        except (OSError, http.client.HTTPException) as error:
            self._hang_up()
            why = getattr(error, "strerror", None) or type(error).__name__
            raise CameraGoneError(f"{self._plan.name}: {self._shown} does not answer: {why}") from None

    def close(self) -> None:
        """Hang up."""
        self._closed = True
        self._hang_up()

    def _hang_up(self) -> None:
        self._stream = None
        ends = self._answer, self._line, self._socket
        self._answer = self._line = self._socket = None
        for end in ends:
            if end is not None:
                end.close()

    def _grab(self, end: float) -> Shot:
        if self._stream is not None:
            return self._next_part(end)
        called = monotonic()
        response = self._ask(end)
        kind = response.headers.get_content_type()
        if kind == "multipart/x-mixed-replace":
            boundary = boundary_of(response.headers.get_param("boundary"))
            self._stream = response, MjpegParts(boundary)
            return self._next_part(end, fresh=True)
        if kind == "text/html":
            raise CameraRefusedError(f"{self._plan.name}: {self._shown} is a page, not a picture or a stream of JPEG pictures")
        data = self._whole(response, end)
        self._hang_up()
        image = self._decoded(data)
        if image is None:
            raise CameraError(f"{self._plan.name}: {self._shown} gave something that is no whole picture ({len(data)} bytes)")
        return Shot(image, called)

    def _ask(self, end: float) -> http.client.HTTPResponse:
        address, left = self._address, self._left(end)
        secure = address.scheme == "https"
        # At home such a camera has at best a certificate of its own; no secret of ours goes there but its own password.
        context = _any_certificate() if secure else None
        host = cast(str, address.hostname)
        self._line = (
            http.client.HTTPSConnection(host, self._port, timeout=left, context=context)
            if secure else http.client.HTTPConnection(host, self._port, timeout=left)
        )  # fmt: skip
        headers = {"Accept": "image/jpeg, multipart/x-mixed-replace", "Connection": "close"}
        if address.username is not None:
            pair = f"{unquote(address.username)}:{unquote(address.password or '')}"
            headers["Authorization"] = "Basic " + b64encode(pair.encode()).decode()
        self._line.connect()
        # With "Connection: close" the connection forgets it as soon as the answer begins.
        self._socket = self._line.sock
        self._limit(end)
        self._line.request("GET", (address.path or "/") + (f"?{address.query}" if address.query else ""), headers=headers)
        self._limit(end)
        response = self._answer = self._line.getresponse()
        if response.status in (401, 403):
            said = f"{self._plan.name}: {self._shown} wants another user or password (status {response.status})"
            raise CameraRefusedError(said)
        if response.status != 200:
            raise CameraError(f"{self._plan.name}: {self._shown} answers with status {response.status}")
        return response

    def _whole(self, response: http.client.HTTPResponse, end: float) -> bytes:
        parts: list[bytes] = []
        size = 0
        # The time limit is that of the whole: somebody who sends a byte a second stays within every single wait.
        while True:
            self._limit(end)
            chunk = response.read1(CHUNK)
            if not chunk:
                return b"".join(parts)
            parts.append(chunk)
            size += len(chunk)
            if size > LARGEST_FILE:
                raise CameraError(f"{self._plan.name}: {self._shown} sends more than {LARGEST_FILE} bytes")

    def _next_part(self, end: float, fresh: bool = False) -> Shot:
        assert self._stream is not None, "a stream is open"
        response, parts = self._stream
        called = monotonic()
        while not fresh and self._waiting(0.0):
            # What lies in the buffers was sent before the call, whenever it is read.
            self._feed(response, parts, called - 1e-6)
        while True:
            for begun, data in parts.take():
                image = self._decoded(data) if fresh or begun >= called else None
                if image is not None:
                    return Shot(image, begun)
            if self._waiting(self._left(end)):
                self._feed(response, parts, monotonic())

    def _feed(self, response: http.client.HTTPResponse, parts: MjpegParts, time: float) -> None:
        chunk = response.read1(CHUNK)
        if not chunk:
            raise CameraGoneError(f"{self._plan.name}: {self._shown} has ended its stream")
        try:
            parts.feed(chunk, time)
        except ValueError as error:
            raise CameraError(f"{self._plan.name}: {self._shown} sends no stream of pictures: {error}") from None

    def _waiting(self, timeout: float) -> bool:
        """Whether something can be read now, or within so many seconds."""
        wire = self._socket
        assert wire is not None, "a stream is open"
        if isinstance(wire, ssl.SSLSocket) and wire.pending():
            return True
        return bool(select.select([wire], [], [], timeout)[0])

    def _limit(self, end: float) -> None:
        """No single wait lasts longer than all of them may."""
        if self._socket is not None:
            self._socket.settimeout(self._left(end))

    def _left(self, end: float) -> float:
        left = end - monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def _decoded(self, data: bytes) -> Image | None:
        try:
            return decode_picture(data, self._plan.name)[0]
        except PictureError:
            return None


class RtspCamera:
    """A stream over RTSP, decoded by the FFmpeg that is part of OpenCV."""

    def __init__(
        self, plan: CameraPlan, address: SplitResult, capture: Callable[..., Any], clock: Callable[[], float]
    ) -> None:
        self._plan, self._capture, self._clock = plan, capture, clock
        self._shown = without_secrets(address)
        self._device: Any = None
        # Its own messages may show the address as it is.
        os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)

    def grab(self, timeout: float) -> Shot:
        """The first picture for which one has to wait; raises as `Camera.grab` says."""
        end = self._clock() + timeout
        if self._device is None:
            self._open(timeout)
        for _ in range(MOST_BUFFERED):
            before = self._clock()
            if before >= end:
                break
            if not self._device.grab():
                if self._clock() >= end:
                    break
                raise CameraGoneError(f"{self._plan.name}: {self._shown} has ended its stream")
            if self._clock() - before >= DRAINED_S:
                done, image = self._device.retrieve()
                if done:
                    return Shot(np.asarray(image, np.uint8), before)
        raise CameraStalledError(f"{self._plan.name}: {self._shown} gave no new picture within {timeout:g} s")

    def close(self) -> None:
        """Hang up."""
        device, self._device = self._device, None
        if device is not None:
            device.release()

    def _open(self, timeout: float) -> None:
        limit = max(1, round(timeout * 1000))
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, limit, cv2.CAP_PROP_READ_TIMEOUT_MSEC, limit]
        device = self._capture(self._plan.at, cv2.CAP_FFMPEG, limits)
        if not device.isOpened():
            device.release()
            raise CameraGoneError(f"{self._plan.name}: {self._shown} does not answer")
        self._device = device
