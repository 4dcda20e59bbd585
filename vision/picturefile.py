"""Picture files: refused with a clear sentence before anything large is decoded, and decoded the right way up.

Only headers are looked at before decoding, so that a small file that claims a huge picture costs nothing.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from vision.errors import PictureError
from vision.frame import Image

LARGEST_FILE = 64 * 1024 * 1024
"""Bytes."""
LARGEST_PIXELS = 60_000_000
"""Width times height: a phone's largest pictures have 50 million."""
SMALLEST_SIDE = 32
"""A card with fewer pixels cannot be read by anybody."""
HALVED_ABOVE = 8_000_000
"""JPEG pictures with more pixels are decoded at half their size: it is quicker, and enough for any card."""


def load_picture(path: Path) -> tuple[Image, float]:
    """The picture in a file as one looks at it, and the size of its pixels in pixels of the file.

    Raises `PictureError` for a file that is missing, empty, truncated, no picture or absurdly large.
    """
    return decode_picture(_content(path), str(path))


def decode_picture(data: bytes, name: str) -> tuple[Image, float]:
    """As `load_picture`, of a file's content; `name` stands in the messages."""
    if not data:
        raise PictureError(f"{name} is empty: expected a JPEG, PNG, WebP or BMP picture", "empty")
    kind = _kind(data)
    if kind is None:
        found = _beginning(data)
        raise PictureError(f"{name} is no picture that can be read: expected JPEG, PNG, WebP or BMP, found {found}", "strange")
    width, height, whole = _READERS[kind](data)
    if width <= 0 or height <= 0:
        raise PictureError(f"{name} is a damaged {kind} picture: its size cannot be found in its header", "damaged")
    if width * height > LARGEST_PIXELS:
        most = LARGEST_PIXELS // 1_000_000
        told = f"{name} is too large: {width} x {height} pixels, at most {most} million can be read"
        raise PictureError(told, "too_large", width=width, height=height, most=most)
    if not whole:
        raise PictureError(f"{name} is truncated: the {kind} picture ends before its end mark", "truncated")
    if min(width, height) < SMALLEST_SIDE:
        told = f"{name} is too small: {width} x {height} pixels, expected at least {SMALLEST_SIDE} on either side"
        raise PictureError(told, "too_small", width=width, height=height, least=SMALLEST_SIDE)
    factor = 2 if kind == "JPEG" and width * height > HALVED_ABOVE else 1
    try:
        flags = cv2.IMREAD_REDUCED_COLOR_2 if factor == 2 else cv2.IMREAD_COLOR
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error as problem:
        raise PictureError(f"{name} is a damaged {kind} picture: {problem.err}", "damaged") from problem
    if image is None:
        raise PictureError(f"{name} is a damaged {kind} picture: its content cannot be decoded", "damaged")
    return np.ascontiguousarray(image, np.uint8), max(width, height) / max(image.shape[:2])


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Width and height that a picture's header tells, before anything is made of it; None for what is none of our kinds."""
    kind = _kind(data)
    width, height, _ = (0, 0, False) if kind is None else _READERS[kind](data)
    return (width, height) if width > 0 and height > 0 else None


def _content(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise PictureError(f"{path} is a folder: expected a picture")
        if path.exists() and not path.is_file():
            # Reading a device or a pipe may never end.
            raise PictureError(f"{path} is no ordinary file: expected a picture")
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise PictureError(f"{path} is too large: {size} bytes, at most {LARGEST_FILE} can be read")
        return path.read_bytes()
    except FileNotFoundError as problem:
        raise PictureError(f"{path} is missing: there is no such file") from problem
    except OSError as problem:
        raise PictureError(f"{path} cannot be read: {problem.strerror or problem}") from problem


def _kind(data: bytes) -> str | None:
    if data[:3] == b"\xff\xd8\xff":
        return "JPEG"
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return "PNG"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WebP"
    if data[:2] == b"BM" and len(data) > 26 and data[14:18] in (b"\x28\0\0\0", b"\x6c\0\0\0", b"\x7c\0\0\0"):
        return "BMP"
    return None


def _beginning(data: bytes) -> str:
    names = {b"GIF8": "a GIF", b"%PDF": "a PDF", b"II*\0": "a TIFF", b"MM\0*": "a TIFF", b"PK\3\4": "a ZIP file"}
    if data[4:8] == b"ftyp":
        return "an HEIC, AVIF or video file"
    return names.get(data[:4], f"a file that begins with {data[:8]!r}")


def _jpeg(data: bytes) -> tuple[int, int, bool]:
    """Width, height, and whether the end mark is reached; walks the segments, so that thumbnails do not count."""
    width = height = 0
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return width, height, False
        mark = data[at + 1]
        if mark == 0xD9:
            return width, height, True
        if mark == 0xFF or mark == 0x01 or 0xD0 <= mark <= 0xD7:
            at += 1 if mark == 0xFF else 2
            continue
        if 0xC0 <= mark <= 0xCF and mark not in (0xC4, 0xC8, 0xCC) and at + 9 <= len(data):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if mark == 0xDA:
            at = _after_scan(data, at)
    return width, height, data[at : at + 2] == b"\xff\xd9"


def _after_scan(data: bytes, at: int) -> int:
    """Where the next mark after compressed pixels stands, or the end of the data."""
    while True:
        at = data.find(b"\xff", at)
        if at < 0 or at + 1 >= len(data):
            return len(data)
        if data[at + 1] == 0 or data[at + 1] == 0xFF or 0xD0 <= data[at + 1] <= 0xD7:
            at += 1 if data[at + 1] == 0xFF else 2
            continue
        return at


def _png(data: bytes) -> tuple[int, int, bool]:
    if len(data) < 24:
        return 0, 0, False
    width, height = struct.unpack(">II", data[16:24])
    at = 8
    while at + 12 <= len(data):
        if data[at + 4 : at + 8] == b"IEND":
            return width, height, True
        at += 12 + int.from_bytes(data[at : at + 4], "big")
    return width, height, False


def _webp(data: bytes) -> tuple[int, int, bool]:
    whole = len(data) >= 8 + int.from_bytes(data[4:8], "little")
    form = data[12:16]
    if form == b"VP8X" and len(data) >= 30:
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little"), whole
    if form == b"VP8L" and len(data) >= 25:
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF), whole
    if form == b"VP8 " and len(data) >= 30:
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF, whole
    return 0, 0, whole


def _bmp(data: bytes) -> tuple[int, int, bool]:
    width, height = struct.unpack("<ii", data[18:26])
    return width, abs(height), len(data) >= int.from_bytes(data[2:6], "little")


_READERS: dict[str, Callable[[bytes], tuple[int, int, bool]]] = {"JPEG": _jpeg, "PNG": _png, "WebP": _webp, "BMP": _bmp}
