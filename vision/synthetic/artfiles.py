"""Card faces from a folder of pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.cards import DECK, Card
from vision.errors import DeckError
from vision.frame import Image
from vision.layout import CARD_MM
from vision.synthetic.art import CARD_PX, DeckArt
from vision.synthetic.printing import Printer
from vision.synthetic.styles import DeckStyle

SHAPES = (0.60, 0.82)
"""Width by height that passes for a playing card (5:7 is 0.714, bridge cards 0.64)."""
_SMALLEST, _LARGEST = 40, 8000
_CORNER_MM = 3.2


def load_art(directory: Path) -> DeckArt:
    """A deck from 52 pictures ``As.png`` ... ``2c.png`` and, where there is one, ``back.png``.

    Pictures of any size with nearly the shape of a card are scaled; transparent parts become white.  Raise
    `DeckError` that lists every picture that is missing, cannot be read, or has the wrong shape.
    """
    if not directory.is_dir():
        raise DeckError(f"{directory} is no folder: expected one with 52 card faces As.png ... 2c.png")
    faces: dict[Card, Image] = {}
    missing: list[str] = []
    faults: list[str] = []
    for card in DECK:
        path = directory / f"{card}.png"
        if not path.exists():
            missing.append(path.name)
            continue
        try:
            faces[card] = _read(path)
        except DeckError as fault:
            faults.append(str(fault))
    back: Image | None = None
    if (directory / "back.png").exists():
        try:
            back = _read(directory / "back.png")
        except DeckError as fault:
            faults.append(str(fault))
    if missing:
        faults.insert(0, f"missing {', '.join(missing)}")
    if faults:
        raise DeckError(f"{directory} makes no deck: {'; '.join(faults)}")
    ours = Printer(DeckStyle(directory.name))
    own_back = back
    return DeckArt(directory.name, faces.__getitem__, ours.back if own_back is None else lambda: own_back, ours.joker, _CORNER_MM)


def _read(path: Path) -> Image:
    try:
        data = np.fromfile(path, np.uint8)
    except OSError as error:
        raise DeckError(f"{path.name} cannot be read ({error.strerror})") from error
    picture = cv2.imdecode(data, cv2.IMREAD_UNCHANGED) if len(data) else None
    if picture is None:
        raise DeckError(f"{path.name} is no picture that can be read ({len(data)} bytes)")
    height, width = picture.shape[:2]
    if not (_SMALLEST <= width <= _LARGEST and _SMALLEST <= height <= _LARGEST):
        raise DeckError(f"{path.name} has {width} x {height} pixels: expected {_SMALLEST} to {_LARGEST} each way")
    if not SHAPES[0] <= width / height <= SHAPES[1]:
        wanted = f"{CARD_MM[0]} x {CARD_MM[1]} mm"
        raise DeckError(f"{path.name} has {width} x {height} pixels: expected nearly the shape of a card ({wanted}, upright)")
    shrinking = width > CARD_PX[0]
    flat = _without_alpha(picture)
    return np.asarray(cv2.resize(flat, CARD_PX, interpolation=cv2.INTER_AREA if shrinking else cv2.INTER_CUBIC), dtype=np.uint8)


def _without_alpha(picture: NDArray[Any]) -> Image:
    """Any depth and number of channels -> 8 bits, blue green red, on white."""
    top = {np.dtype(np.uint8): 255.0, np.dtype(np.uint16): 65535.0}.get(picture.dtype, 1.0)
    values = picture.astype(np.float32) / top
    if values.ndim == 2:
        values = values[:, :, None]
    channels = values.shape[2]
    colour = np.repeat(values[:, :, :1], 3, axis=2) if channels < 3 else values[:, :, :3]
    if channels in (2, 4):
        alpha = values[:, :, -1:]
        colour = colour * alpha + (1.0 - alpha)
    return np.asarray(np.clip(colour * 255 + 0.5, 0, 255).astype(np.uint8))
