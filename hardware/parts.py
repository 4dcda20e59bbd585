"""The parts of the model: which there are, how large each one is, and how OpenSCAD renders them."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from vision.enclosure import Enclosure

HERE = Path(__file__).parent
MODEL = HERE / "mat.scad"
BED_MM = 220.0
"""Side of the smallest printer's bed that every part has to fit."""

# As in mat.scad, which has them for itself: what the optics do not care about.
STRIP_MM, DIGIT_MM, BACK_HALF_MM = 28.0, 1.0, 104.0
FLAP_OVERLAP_MM, FLAP_MM, FLAP_GAP_MM = 20.0, 2.0, 2.5
POD_MM, TRAY_MM, FOOT_MM = 50.0, (71.0, 40.0, 6.0), (48.0, 20.0)


class ModelError(Exception):
    """OpenSCAD is missing or refuses the model; the message holds what it says."""


@dataclass(frozen=True, slots=True)
class Part:
    """Something to print."""

    name: str
    count: int
    size_mm: tuple[float, float, float]
    """Width, depth and height of what surrounds it, as it stands in the model."""
    what_for: str


def parts(mat: Enclosure) -> tuple[Part, ...]:
    """Every part of one mat, with the size that it must have."""
    box, plate, lamp = mat.optics.box, mat.optics.plate, mat.optics.lamp
    left, right = mat.sides_x
    cut, box_cut = _cuts(mat)
    deep, front, behind = mat.front_y + STRIP_MM, mat.front_y + box.ledge_mm + STRIP_MM, -STRIP_MM - mat.back_y + box.wall_mm
    tall, raised = mat.window.inner_height_mm + box.floor_mm, plate.thickness_mm + plate.rail_height_mm
    half = (right - left) / 2 - FLAP_GAP_MM
    channel = (lamp.channel_mm + 2 * lamp.wall_mm, lamp.depth_mm + lamp.wall_mm)
    flap = (half + FLAP_OVERLAP_MM / 2, mat.window.inner_height_mm, FLAP_MM)
    return (
        Part("plate_left", 1, (cut - left, deep, raised), "the plate under the cards, the owner's right half"),
        Part("plate_right", 1, (right - cut, deep, raised), "the plate, the owner's left half"),
        Part("lid_left", 1, (cut - left, behind, plate.thickness_mm), "covers the camera's half of the box"),
        Part("lid_right", 1, (right - cut, behind, plate.thickness_mm), "the same, other half"),
        Part("front_left", 1, (box_cut - left, front, tall), "box under the cards: both mirrors, the wall between them"),
        Part("front_right", 1, (right - box_cut, front, tall), "the same, other half"),
        Part("back_left", 1, (box_cut - left, behind, tall), "box behind the cards: the camera"),
        Part("back_right", 1, (right - box_cut, behind, tall), "box behind the cards: the node"),
        Part("lamp_far", len(mat.lamp_edges), (200.0, *channel), "light channel, long piece"),
        Part("lamp_near", len(mat.lamp_edges), (100.0, *channel), "light channel, short piece"),
        Part("camera_mount", 1, (*FOOT_MM, mat.window.inner_height_mm - 3.0), "holds the camera upright at its path"),
        Part("node_tray", 1, TRAY_MM, "holds the Zero 2 W"),
        Part("button_pod", 1, (POD_MM, POD_MM, tall), "holds the big button, left or right of the mat"),
        Part("flap_left", 1, flap, "shuts the owner's opening in hard mode"),
        Part("flap_right", 1, flap, "the same, other half"),
        Part("blinker", len(mat.blinkers), blinker_mm(mat), "stands between the owner's windows: neighbours see nothing"),
    )  # fmt: skip


def blinker_mm(mat: Enclosure) -> tuple[float, float, float]:
    """Size of a blinker as it is printed, lying."""
    ys, zs = zip(*mat.blinkers[0].corners, strict=True)
    return max(ys) - min(ys), max(zs) - min(zs), mat.optics.box.blinker_mm


def _cuts(mat: Enclosure) -> tuple[float, float]:
    """Where plate and box are cut in two."""
    pitch, wide = mat.optics.mat.pitch_mm, mat.window.size_mm[0]
    return 2 * pitch + wide + (pitch - wide) / 4 - 7.5, 2 * pitch + 36.0


def openscad() -> str:
    """Path of the program; raise `ModelError` where it is missing."""
    found = shutil.which("openscad")
    if found is None:
        raise ModelError("openscad is missing; on Debian: apt install openscad")
    return found


def render(name: str, mat: Enclosure, to: Path, smoothness: int = 32, options: Iterable[str] = ()) -> str:
    """Render a part of one mat into the file `to`, whose ending says the kind (``.stl``, ``.png``); what OpenSCAD said of it.

    `smoothness` is how many sides a circle has.  Raise `ModelError` when it fails.
    """
    chosen = {"part": name, "camera": mat.camera_name, "window": mat.window_name, "card": mat.card_name}
    words = [f'{key}="{value}"' for key, value in chosen.items()] + [f"$fn={smoothness}"]
    # A picture wants a screen.
    screen = ["xvfb-run", "-a"] if to.suffix == ".png" and not os.environ.get("DISPLAY") else []
    command = [*screen, openscad(), "-o", str(to), *options, *(item for word in words for item in ("-D", word)), str(MODEL)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode != 0 or not to.is_file():
        raise ModelError(f"openscad cannot render {name}: {done.stderr.strip()}")
    return done.stderr


def render_all(mat: Enclosure, folder: Path) -> Iterator[Path]:
    """Render every part of one mat into `folder`, as STL."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in parts(mat):
        to = folder / f"{part.name}.stl"
        render(part.name, mat, to)
        yield to
