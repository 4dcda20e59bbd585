"""From what lies there to what a hand-held camera delivers: light, lens, sensor, compression."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.frame import Image


def exposed(rng: Generator, canvas: NDArray[np.float32], rough: bool) -> Image:
    """The photograph of a `canvas` (0 to 255); `rough` for cheap cameras with a colour cast and more blur."""
    picture: NDArray[np.float32] = canvas * _light(rng, canvas.shape[:2])[..., None] * _cast(rng, rough)
    if rng.random() < (0.7 if rough else 0.5):
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.4, 1.6 if rough else 1.1))), np.float32)
    if rng.random() < 0.12:
        picture = _shaken(rng, picture)
    grain = rng.uniform(0.5, 9.0) if rng.random() < 0.6 else 1.0
    noise = rng.normal(0, grain, picture.shape).astype(np.float32)
    if rng.random() < 0.4:
        noise = cv2.GaussianBlur(noise, (0, 0), 0.8) * 1.6
    data = np.clip(picture + noise, 0, 255).astype(np.uint8)
    done, packed = cv2.imencode(".jpg", data, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(55, 96))])
    if not done:
        raise ValueError(f"a picture of {data.shape} could not be compressed")
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _light(rng: Generator, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Brightness over the picture: a slope, now and then a shadow's edge, a corner in the dark or a reflection."""
    height, width = shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = x / width - 0.5, y / height - 0.5
    angle = rng.uniform(0, 2 * np.pi)
    along = x * np.cos(angle) + y * np.sin(angle)
    light = np.exp(along * rng.uniform(0, 0.7)) * (rng.uniform(0.75, 1.08) if rng.random() < 0.75 else rng.uniform(0.22, 0.75))
    if rng.random() < 0.2:
        edge = 1 / (1 + np.exp(-(along - rng.uniform(-0.3, 0.3)) * rng.uniform(15, 120)))
        light = light * (1 - edge * rng.uniform(0.25, 0.6))
    if rng.random() < 0.3:
        light = light * (1 - rng.uniform(0.2, 0.7) * (x * x + y * y))
    if rng.random() < 0.12:
        far = np.hypot(x - rng.uniform(-0.4, 0.4), y - rng.uniform(-0.4, 0.4))
        light = light + np.exp(-((far / rng.uniform(0.05, 0.25)) ** 2)) * rng.uniform(0.2, 0.8)
    return np.asarray(light, np.float32)


def _cast(rng: Generator, rough: bool) -> NDArray[np.float32]:
    """How strongly blue, green and red come through."""
    kind = rng.random()
    if kind < (0.3 if rough else 0.6):
        return np.asarray(rng.uniform(0.93, 1.05, 3), np.float32)
    if kind < 0.85:
        warm = rng.uniform(0.1, 1.0)
        return np.array((1 - 0.75 * warm, 1 - 0.22 * warm, 1.0), np.float32)
    return np.array((1.0, rng.uniform(0.8, 1.0), rng.uniform(0.55, 0.95)), np.float32)


def _shaken(rng: Generator, picture: NDArray[np.float32]) -> NDArray[np.float32]:
    length = int(rng.integers(2, 7))
    kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
    angle = rng.uniform(0, np.pi)
    ends = [(round(length + s * length / 2 * np.cos(angle)), round(length + s * length / 2 * np.sin(angle))) for s in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0)
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.float32)
