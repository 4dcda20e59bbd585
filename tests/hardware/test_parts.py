"""The model: every part is a closed solid of the size that is stated, and light passes through what is printed."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
import trimesh
from numpy.typing import NDArray

from hardware import parts as model
from hardware.parts import BED_MM, Part, parts, render, render_all
from hardware.sizes import sizes_scad
from vision.enclosure import Enclosure, Mirror, Point
from vision.layout import Rect
from vision.raytrace import met

needs_openscad = pytest.mark.skipif(shutil.which("openscad") is None, reason="openscad is missing (apt install openscad)")
MATS = (Enclosure(), Enclosure("cm3-wide", "large", "sleeved"), Enclosure("uvc", "standard", "bridge"))


def named(mat: Enclosure) -> str:
    return f"{mat.camera_name}-{mat.window_name}-{mat.card_name}"


SMALL = ("node_tray", "lamp_near", "flap_left", "blinker", "camera_mount")


def check(file: Path, part: Part) -> None:
    solid = trimesh.load(file)
    assert solid.is_watertight, part.name
    assert solid.is_winding_consistent, part.name
    assert solid.body_count == 1, part.name
    assert solid.volume > 0, part.name
    assert np.round(solid.extents, 2).tolist() == [round(side, 2) for side in part.size_mm], part.name


def test_the_numbers_of_the_model_are_those_of_the_optics_file() -> None:
    assert (model.HERE / "sizes.scad").read_text() == sizes_scad(), "run `./run hardware`"


@pytest.mark.parametrize("mat", MATS, ids=named)
def test_every_part_fits_a_bed_of_220_mm(mat: Enclosure) -> None:
    assert [part.name for part in parts(mat) if max(part.size_mm) > BED_MM] == []


@needs_openscad
@pytest.mark.parametrize("name", SMALL)
def test_small_parts_are_closed_solids_of_their_size(name: str, tmp_path: Path) -> None:
    (part,) = (one for one in parts(MATS[0]) if one.name == name)
    said = render(name, MATS[0], tmp_path / "part.stl", smoothness=8)
    assert "WARNING" not in said
    check(tmp_path / "part.stl", part)


@needs_openscad
@pytest.mark.long
@pytest.mark.parametrize("mat", MATS, ids=named)
def test_all_parts_are_closed_solids_of_their_size_and_let_the_light_through(mat: Enclosure, tmp_path: Path) -> None:
    files = list(render_all(mat, tmp_path))
    for file, part in zip(files, parts(mat), strict=True):
        check(file, part)
    seen = [trimesh.load(tmp_path / f"{name}.stl").triangles for name in IN_PLACE]
    mount = trimesh.load(tmp_path / "camera_mount.stl").triangles + np.array((mat.lens[0], mat.lens[1] - 14.0, mat.floor_z))
    walls = np.concatenate([*seen, mount])
    top = mat.optics.plate.thickness_mm
    assert _blocked(mat, mat.layout.windows, top + 0.01, mat.camera_mirror, mat.lens, walls) == []
    assert _blocked(mat, [marker.square for marker in mat.layout.markers], -0.01, mat.camera_mirror, mat.lens, walls) == []
    eye = mat.optics.eye
    middle = (mat.optics.mat.slots - 1) * mat.optics.mat.pitch_mm / 2 + mat.card_mm[0] / 2
    where = (middle, mat.card_mm[1] + eye.front_mm, top + eye.height_mm)
    assert _blocked(mat, mat.peeks, top + 0.01, mat.peek_mirror, where, walls) == []
    # The same rays do meet the model where it is in the way: from an eye far above, the plate hides all.
    above = (middle, where[1], top + 700.0)
    assert len(_blocked(mat, mat.peeks, top + 0.01, mat.peek_mirror, above, walls)) > 0


@needs_openscad
@pytest.mark.long
@pytest.mark.parametrize("mat", MATS, ids=named)
def test_windows_rails_and_slopes_measure_what_the_optics_file_says(mat: Enclosure, tmp_path: Path) -> None:
    plate, rib = mat.optics.plate, 3.0
    for name in ("plate_left", "plate_right", "front_left", "front_right"):
        render(name, mat, tmp_path / f"{name}.stl", smoothness=8)
    tops = np.concatenate([trimesh.load(tmp_path / f"plate_{side}.stl").triangles for side in ("left", "right")])
    cut = parts(mat)[0].size_mm[0] + mat.sides_x[0]
    ends = [mat.sides_x[0], cut, mat.sides_x[1]]
    rows = ((mat.layout.windows, 0.5), (mat.peeks, 0.3))
    for windows, share in rows:
        # Straight through all five holes, just under the cards.
        y = windows[0].y + share * windows[0].height
        edges = [edge for one in windows for edge in (one.x - plate.rim_mm, one.x + one.width + plate.rim_mm)]
        walls = _along(tops, (-100.0, y + 0.013, plate.thickness_mm - 0.1), 0)
        assert walls == pytest.approx(sorted([*edges, *ends]), abs=0.01)
    # Across the rails, above the plate: one beside every window, to the owner's right, and the far one's ends.
    rails = sorted(edge for one in mat.layout.windows for edge in (one.x - plate.rail_mm, one.x))
    assert _along(tops, (-100.0, 20.013, plate.thickness_mm + 1.0), 0) == pytest.approx(rails, abs=0.01)
    box = np.concatenate([trimesh.load(tmp_path / f"front_{side}.stl").triangles for side in ("left", "right")])
    for mirror in (mat.camera_mirror, mat.peek_mirror):
        (y0, z0), (y1, z1) = mirror.section.start, mirror.section.end
        size = float(np.hypot(y1 - y0, z1 - z0))
        thick = mat.optics.mirror.thickness_mm
        # The back of the glass in the middle of the slope, down onto the first rib.
        y, z = (y0 + y1) / 2 + (z1 - z0) / size * thick, (z0 + z1) / 2 - (y1 - y0) / size * thick
        assert max(_along(box, (mirror.x[0] + 4.0 + rib / 7, y, -500.0), 2)) == pytest.approx(z, abs=0.02)


def _along(triangles: NDArray[np.float64], start: Point, axis: int) -> list[float]:
    """Where a line from `start` along an axis (0 for x, 2 for z) goes through surfaces: that coordinate, in order."""
    end = np.asarray(start)
    end[axis] = 1000.0
    return sorted({round(start[axis] + share * (1000.0 - start[axis]), 3) for share in _shares(start, tuple(end), triangles)})


IN_PLACE = ("plate_left", "plate_right", "lid_left", "lid_right", "front_left", "front_right", "back_left", "back_right")


def _blocked(
    mat: Enclosure, rects: tuple[Rect, ...] | list[Rect], z: float, mirror: Mirror, target: Point, walls: NDArray[np.float64]
) -> list[Point]:
    """The corners and middles of the rectangles whose way to `target` a triangle of the printed parts crosses."""
    found = []
    for rect in rects:
        for across in (0.02, 0.5, 0.98):
            for along in (0.02, 0.5, 0.98):
                point = (rect.x + across * rect.width, rect.y + along * rect.height, z)
                turn = met(point, mirror, target)
                assert turn is not None
                if _crosses(point, turn, walls) or _crosses(turn, target, walls):
                    found.append(point)
    return found


def _crosses(start: Point, end: Point, triangles: NDArray[np.float64]) -> bool:
    """Whether a leg meets a triangle; its last and first hundredth of a millimetre do not count."""
    near = 0.01 / float(np.linalg.norm(np.asarray(end) - np.asarray(start)))
    return any(near < share < 1 - near for share in _shares(start, end, triangles))


def _shares(start: Point, end: Point, triangles: NDArray[np.float64]) -> list[float]:
    """How far along a leg it meets triangles, in shares of it."""
    a, ab, ac = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    origin, way = np.asarray(start), np.asarray(end) - np.asarray(start)
    across = np.cross(np.broadcast_to(way, ac.shape), ac)
    det = (ab * across).sum(axis=1)
    ok = np.abs(det) > 1e-12
    inverse = np.where(ok, 1.0 / np.where(ok, det, 1.0), 0.0)
    off = origin - a
    u = (off * across).sum(axis=1) * inverse
    side = np.cross(off, ab)
    v = (side * way).sum(axis=1) * inverse
    share = (side * ac).sum(axis=1) * inverse
    return [float(one) for one in share[ok & (u >= 0) & (v >= 0) & (u + v <= 1) & (share > 0) & (share < 1)]]
