"""Small PNG files: as many colours as a palette holds, chosen the same way each time."""

from __future__ import annotations

import struct
import zlib

import cv2
import numpy as np
from numpy.typing import NDArray

COLOURS = 160
"""Enough for felt and flat pages; a photograph on a page looks a little painted."""
SAMPLE = 30_000
"""Of so many colours at most the palette is made."""


def small_png(data: bytes, colours: int = COLOURS) -> bytes:
    """The same picture with at most `colours` colours (256 at most), as a PNG; raise `ValueError` for what is no picture."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError(f"no picture can be read from {len(data)} bytes")
    packed = picture.astype(np.uint32) @ np.array((1, 256, 65536), np.uint32)
    values, places, counts = np.unique(packed, return_inverse=True, return_counts=True)
    found = np.stack((values & 255, values >> 8 & 255, values >> 16), 1).astype(np.float32)
    palette = found if len(found) <= colours else _palette(found, counts, colours)
    nearest = _nearest(found, palette)
    # The most frequent colour first, and so on: long runs of small numbers pack well.
    indexes = nearest[places].reshape(picture.shape[:2])
    return _write(indexes, np.round(palette).astype(np.uint8)[:, ::-1])


def _palette(found: NDArray[np.float32], counts: NDArray[np.int64], colours: int) -> NDArray[np.float32]:
    """Common colours count more, but rare ones are not forgotten: a colour weighs the root of its area."""
    random = np.random.default_rng(1)
    weight = np.sqrt(counts)
    chosen = found[random.choice(len(found), min(SAMPLE, 4 * len(found)), p=weight / weight.sum())]
    cv2.setRNGSeed(1)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    _, _, centres = cv2.kmeans(chosen, colours, None, stop, 1, cv2.KMEANS_PP_CENTERS)  # type: ignore[call-overload]
    # What covers most of the page stays exactly what it is.
    return np.concatenate((centres[: colours - 8], found[np.argsort(-counts)[:8]])).astype(np.float32)


def _nearest(found: NDArray[np.float32], palette: NDArray[np.float32]) -> NDArray[np.uint8]:
    best = [
        np.argmin(((part[:, None] - palette[None]) ** 2).sum(2), 1) for part in np.array_split(found, max(1, len(found) // 2000))
    ]
    return np.concatenate(best).astype(np.uint8)


def _write(indexes: NDArray[np.uint8], palette: NDArray[np.uint8]) -> bytes:
    height, width = indexes.shape
    lines = np.zeros((height, width + 1), np.uint8)
    lines[:, 1:] = indexes
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", palette.tobytes()), (b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )
