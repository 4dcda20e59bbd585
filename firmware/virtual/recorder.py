"""The recording kit filled at the virtual table, frame by frame into real files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.cards import Card, Mark, Seen
from firmware.errors import RecordingError
from firmware.firstlight import FEWEST_FRAMES, FORM, form_text, planned_shots, seen_of
from firmware.rig import mat_station
from firmware.virtual.rendered import save_png
from vision.synthetic.art import DeckArt
from vision.synthetic.condition import condition
from vision.synthetic.optics import BoardCamera
from vision.synthetic.scene import JOKER, Difficulty, HandShadow, LyingCard, Scene, empty_scene, slop

PERIOD_S = 0.1


def record(folder: Path, art: DeckArt, difficulty: Difficulty, seed: int, frames: int = FEWEST_FRAMES) -> None:
    """Fill a new recording: every shot of the plan, and the form; raise `RecordingError` where there is one already."""
    if (folder / FORM).exists():
        raise RecordingError(f"{folder} holds a {FORM} already; choose another folder")
    rng = np.random.default_rng(seed)
    station = mat_station(0)
    camera = BoardCamera(station.layout, art, seed, condition(difficulty, rng))
    number = 0
    cv2.setNumThreads(1)
    for name, windows, _ in planned_shots():
        (folder / name).mkdir(parents=True, exist_ok=True)
        careless = name.startswith("careless")
        scene = _scene(empty_scene(station.layout), [seen_of(text) for text in windows], "hard" if careless else "normal", rng)
        for shot in range(1, frames + 1):
            number += 1
            save_png(folder / name / f"frame{shot:03d}.png", camera.render(scene, number * PERIOD_S))
    filled = {
        "by": '"the virtual table"', "camera.model": '"rendered"', "camera.exposure_us": "10000",
        "light.lamp": '"rendered"', "deck.name": f'"{art.name}"',
    }  # fmt: skip
    (folder / FORM).write_text(form_text(filled), encoding="utf-8")


def _scene(scene: Scene, windows: list[Seen], care: Difficulty, rng: np.random.Generator) -> Scene:
    for index, seen in enumerate(windows):
        place = slop(care, rng)
        card: LyingCard | None = None
        if isinstance(seen, Card):
            card = place.lay(seen, turned=bool(rng.random() < 0.5))
        elif seen is Mark.BACK:
            card = place.lay(JOKER, "up")
        elif seen is Mark.FOREIGN:
            card = place.lay(JOKER)
        if card is not None:
            scene = scene.with_stack(index, (card,))
    # A hand lies flat over two neighbouring windows: slots 1 and 2 are the rightmost ones.
    hands = (HandShadow(284.0, -4.0, 4.0), HandShadow(215.0, -4.0, -4.0)) if Mark.COVERED in windows else ()
    return replace(scene, hands=hands)
