"""The cutting plan: true to scale, on the page, and with windows that show everything."""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import product
from math import hypot
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.cutting import MARGIN_MM, PAGE_MM, CuttingError, Panel, arranged, foam_mat, free_height, panels, plans
from hardware.parts import STRIP_MM
from vision.enclosure import Enclosure
from vision.layout import Rect
from vision.optics import OPTICS
from vision.raytrace import trace


def named(mat: Enclosure) -> str:
    return f"{mat.camera_name}-{mat.window_name}"


MATS = [Enclosure(camera, window) for camera, window in product(OPTICS.camera, OPTICS.window)]


@pytest.mark.parametrize("mat", MATS, ids=named)
def test_a_mat_of_foam_board_shows_all_too(mat: Enclosure) -> None:
    assert trace(foam_mat(mat)).faults == ()


@pytest.mark.parametrize("mat", MATS, ids=named)
def test_every_panel_lies_on_a_page_and_on_no_other_panel(mat: Enclosure) -> None:
    placed = arranged(panels(mat))
    assert len(placed) == sum(panel.count for panel in panels(mat))
    spans = [(one.page, *one.at, one.at[0] + one.panel.size[0], one.at[1] + one.panel.size[1]) for one in placed]
    for page, left, top, right, bottom in spans:
        assert left >= MARGIN_MM <= top
        assert right <= PAGE_MM[0] - MARGIN_MM
        assert bottom <= PAGE_MM[1] - MARGIN_MM
        overlapping = [
            other for other in spans
            if other[0] == page and other[1] < right and left < other[3] and other[2] < bottom and top < other[4]
        ]  # fmt: skip
        assert overlapping == [(page, left, top, right, bottom)]


def test_the_holes_of_the_plate_are_the_windows_and_a_little_more() -> None:
    mat = Enclosure()
    plate = panels(mat)[0]
    left, rim = foam_mat(mat).sides_x[0], 1.3
    expected = [
        Rect(one.x - rim - left, one.y - rim + STRIP_MM, one.width + 2 * rim, one.height + 2 * rim)
        for one in (*mat.layout.windows, *mat.peeks)
    ]
    assert list(plate.holes) == expected


def test_the_plate_has_a_hole_for_every_lamp_where_the_printed_one_has_it() -> None:
    mat = MATS[0]
    plate, left = panels(mat)[0], foam_mat(mat).sides_x[0]
    scad = (Path(__file__).parents[2] / "hardware" / "mat.scad").read_text()
    behind, slot, seat = (float(found) for found in re.search(
        r"// slot lamp\n.*?, -(\d+), -1\]\) cylinder\(d = ([\d.]+),.*?slot_x\(3\) \+ card_mm\[0\] / 2 - (\d+),", scad, re.S
    ).groups())  # type: ignore[union-attr]  # fmt: skip
    inside, camera = re.search(r"right_x - (\d+), -\d+, -1\]\) cylinder\(d = ([\d.]+)", scad).groups()  # type: ignore[union-attr]
    y = STRIP_MM - behind
    middles = [window.x + mat.card_mm[0] / 2 - left for window in mat.layout.windows]
    assert list(plate.rounds[5:]) == [
        *((x, y, slot / 2) for x in (*middles, middles[2] - seat)),
        (plate.size[0] - float(inside), y, float(camera) / 2),
    ]  # fmt: skip


@pytest.mark.parametrize("mat", MATS, ids=named)
def test_the_slanted_sides_are_as_long_as_the_floors_edges(mat: Enclosure) -> None:
    named_panels = {panel.name: panel for panel in panels(mat)}
    back_left, back_right, wide_right, *_, wide_left = named_panels["floor, foam"].outline
    left = hypot(back_left[0] - wide_left[0], back_left[1] - wide_left[1])
    right = hypot(back_right[0] - wide_right[0], back_right[1] - wide_right[1])
    found = [named_panels[f"slanted side, {which}, foam"].size[0] for which in ("left", "right")]
    assert found == pytest.approx([left, right])


@pytest.mark.parametrize("mat", MATS, ids=named)
def test_mirrors_fit_between_the_sides(mat: Enclosure) -> None:
    foam = foam_mat(mat)
    left, right = foam.sides_x
    for mirror in (foam.camera_mirror, foam.peek_mirror):
        assert left + 5 <= mirror.x[0]
        assert mirror.x[1] <= right - 5


def test_a_panel_that_fits_no_page_is_refused() -> None:
    with pytest.raises(CuttingError) as caught:
        arranged([Panel("a bench", ((0, 0), (900, 0), (900, 300), (0, 300)))])
    assert str(caught.value) == "a bench is 900 x 300 mm: larger than a page of 700 x 500 mm"


def test_a_page_is_as_large_as_it_says_and_one_unit_is_a_millimetre() -> None:
    for content in plans(Enclosure()).values():
        assert re.search(r'width="700mm" height="500mm" viewBox="0 0 700 500"', content)


@pytest.mark.skipif(shutil.which("rsvg-convert") is None, reason="rsvg-convert is missing (apt install librsvg2-bin)")
def test_windows_measure_right_on_the_rasterised_page(tmp_path: Path) -> None:
    mat = Enclosure()
    (plate,) = (one for one in arranged(panels(mat)) if one.panel.name.startswith("plate"))
    (tmp_path / "page.svg").write_text(plans(mat)[f"foam-{plate.page}.svg"])
    per_mm = 4
    dpi = str(per_mm * 25.4)
    subprocess.run(["rsvg-convert", "-d", dpi, "-p", dpi, "-o", tmp_path / "page.png", tmp_path / "page.svg"], check=True)
    picture = cv2.imread(str(tmp_path / "page.png"))
    assert picture is not None
    assert picture.shape[:2] == (500 * per_mm, 700 * per_mm)
    red = (picture[..., 2].astype(int) - picture[..., 1] > 60).astype(np.uint8)
    for hole in plate.panel.holes:
        x, y = plate.at[0] + hole.x, plate.at[1] + hole.y
        # Through the middle of the hole, where no text stands: the first red pixels to the left, right, above and below.
        column, row = round((x + hole.width / 2) * per_mm), round((y + hole.height / 3) * per_mm)
        across, along = np.flatnonzero(red[row]), np.flatnonzero(red[:, column])
        width = across[across > column].min() - across[across < column].max()
        height = along[along > row].min() - along[along < row].max()
        assert abs(width / per_mm - hole.width) < 0.5
        assert abs(height / per_mm - hole.height) < 0.5


def test_names_stand_beside_windows_and_lines() -> None:
    plate = panels(MATS[0])[0]
    base = free_height(plate, 4.0)
    half = 0.3 * 4.0 * len(plate.name)
    middle = plate.size[0] / 2
    for hole in plate.holes:
        beside = hole.x > middle + half or hole.x + hole.width < middle - half
        assert beside or hole.y > base or hole.y + hole.height < base - 4.0
    assert free_height(Panel("back", plate.outline), 4.0) == plate.size[1] / 2 + 1.5
