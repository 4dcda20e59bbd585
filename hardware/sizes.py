"""The numbers of the model: `sizes.scad`, written from the optics file by way of `vision.enclosure`."""

from __future__ import annotations

from itertools import product

from vision.enclosure import Enclosure
from vision.optics import OPTICS

HEAD = """\
// Written by `./run hardware` from vision/optics.toml; do not edit.  Millimetres; the axes are those of vision/enclosure.py.
// One row for each mat that can be built: camera, window, card, and then the numbers in the order of `names`.
"""


def numbers(mat: Enclosure) -> dict[str, object]:
    """Everything that the model takes of one mat."""
    optics, lamp, plate, box = mat.optics, mat.optics.lamp, mat.optics.plate, mat.optics.box
    camera, peek = mat.camera_mirror, mat.peek_mirror
    return {
        "slots": optics.mat.slots,
        "pitch": optics.mat.pitch_mm,
        "card": mat.card_mm,
        "window": mat.window.size_mm,
        "peek": mat.window.peek_mm,
        "plate": (plate.thickness_mm, plate.rim_mm, plate.lip_mm, plate.bevel_mm),
        "rail": (plate.rail_mm, plate.rail_height_mm),
        "lens": mat.lens,
        "camera_mirror": (*camera.section.start, *camera.section.end, *camera.x),
        "peek_mirror": (*peek.section.start, *peek.section.end, *peek.x),
        "mirror_thick": optics.mirror.thickness_mm,
        "floor_z": mat.floor_z,
        "back_y": mat.back_y,
        "front_y": mat.front_y,
        "sides_x": mat.sides_x,
        "wall_y": mat.wall_y,
        "box": (box.wall_mm, box.partition_mm, box.floor_mm, box.brow_mm, box.sill_mm, box.ledge_mm),
        "lamp": (lamp.strip_mm, lamp.channel_mm, lamp.depth_mm, lamp.lip_mm, lamp.wall_mm),
        "lamp_edges": mat.lamp_edges,
        "camera_board": mat.camera.board_mm,
        "blinker": (box.blinker_mm, mat.blinkers[0].corners),
        "blinkers_x": tuple(wall.x for wall in mat.blinkers),
    }


def sizes_scad() -> str:
    """The text of `sizes.scad`."""
    mats = [Enclosure(*names) for names in product(OPTICS.camera, OPTICS.window, OPTICS.card)]
    names = ", ".join(f'"{name}"' for name in numbers(mats[0]))
    rows = (
        f'  ["{mat.camera_name}", "{mat.window_name}", "{mat.card_name}", [{", ".join(map(_scad, numbers(mat).values()))}]],'
        for mat in mats
    )
    return "\n".join([HEAD + f"names = [{names}];", "mats = [", *rows, "];", ""])


def _scad(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_scad, value))}]"
    return f"{round(value, 4):g}" if isinstance(value, float) else str(value)
