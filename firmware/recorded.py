"""Recorded frames of one camera: a folder of pictures, in the order of their names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from firmware.errors import RecordingError
from vision.frame import Frame
from vision.picturefile import load_picture

ENDINGS = (".png", ".jpg", ".jpeg", ".bmp", ".webp")
PERIOD_S = 0.1
"""Between two frames, where nothing tells their times."""


def picture_files(folder: Path) -> tuple[Path, ...]:
    """The pictures of a folder in the order of the numbers in their names; raise `RecordingError` where there are none."""
    if not folder.is_dir():
        raise RecordingError(f"{folder} is no folder: expected one with the recorded pictures")
    found = [path for path in folder.iterdir() if path.suffix.lower() in ENDINGS and not path.name.startswith(".")]
    if not found:
        raise RecordingError(f"{folder} holds no pictures: expected files that end with {', '.join(ENDINGS)}")
    return tuple(sorted(found, key=_counted))


def _counted(path: Path) -> tuple[object, ...]:
    """``frame9`` before ``frame10``."""
    parts = re.split(r"(\d+)", path.name)
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts)


def recorded_frames(folder: Path, camera: str = "camera", period: float = PERIOD_S) -> Iterator[Frame]:
    """The frames of a folder; raise `RecordingError` or `PictureError` for what cannot be read."""
    for number, path in enumerate(picture_files(folder), 1):
        image, _ = load_picture(path)
        yield Frame(camera, number * period, number, image)
