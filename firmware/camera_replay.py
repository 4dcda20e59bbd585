"""A camera that shows what was recorded: the pictures of a folder, by their names, or a video file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import cv2
import numpy as np

from firmware.camera import CameraPlan, Shot
from firmware.errors import CameraError, CameraGoneError, CameraRefusedError
from vision.errors import PictureError
from vision.frame import Image
from vision.picturefile import load_picture

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp")


class ReplayCamera:
    """Picture after picture, each once; then it is gone, as a camera is whose plug was pulled."""

    def __init__(self, plan: CameraPlan, pictures: Iterator[Image]) -> None:
        self._plan = plan
        self._pictures: Iterator[Image] | None = pictures

    def grab(self, timeout: float) -> Shot:
        """The next picture, as if it were taken now; `CameraGoneError` after the last one."""
        if self._pictures is None:
            raise CameraError(f"{self._plan.name}: it is closed")
        try:
            image = next(self._pictures, None)
        except PictureError as error:
            raise CameraError(f"{self._plan.name}: {error}") from error
        if image is None:
            raise CameraGoneError(f"{self._plan.name}: the recording {self._plan.at} is over")
        return Shot(image, monotonic())

    def close(self) -> None:
        """Put the recording away."""
        self._pictures = None


def pictures_of(folder: Path, camera: str) -> list[Path]:
    """The pictures that a camera has in a folder: those that begin with its name (as `viewmat simulate --save` writes them),
    or, where there is none such, all of them."""
    every = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
    own = [path for path in every if path.name.startswith(f"{camera}-")]
    return own or every


def _of_folder(paths: list[Path]) -> Iterator[Image]:
    for path in paths:
        yield load_picture(path)[0]


def _of_video(path: Path) -> Iterator[Image]:
    video = cv2.VideoCapture(str(path))
    try:
        while True:
            done, image = video.read()
            if not done:
                return
            yield np.asarray(image, np.uint8)
    finally:
        video.release()


def open_camera(plan: CameraPlan) -> ReplayCamera:
    """Open the folder or the video ``plan.at``; raise `CameraError` where there is no picture in it."""
    path = Path(plan.at)
    if not path.exists():
        raise CameraGoneError(f"{plan.name}: the recording {path} is missing")
    if path.is_dir():
        paths = pictures_of(path, plan.name)
        if not paths:
            raise CameraRefusedError(f"{plan.name}: no picture lies in {path}")
        return ReplayCamera(plan, _of_folder(paths))
    video = cv2.VideoCapture(str(path))
    known = video.isOpened()
    video.release()
    if not known:
        raise CameraRefusedError(f"{plan.name}: {path} is neither a folder of pictures nor a video that can be read")
    return ReplayCamera(plan, _of_video(path))
