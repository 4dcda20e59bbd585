"""The printed targets, measured in what a PDF viewer makes of the file: millimetres on paper, not numbers in our code."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.calibrate import find_markers, marker_corners_mm
from vision.calibration.chessboard import corner_mm, find_board
from vision.calibration.sheet import PAPERS, pdf
from vision.calibration.targets import BOARD, board_origin, card_spots, ruler_origins, strip_origin, target_pages, tray_spot
from vision.layout import CARD_MM, mat_layout, tray_layout

DPI = 254
PX = DPI / 25.4
"""Ten pixels to the millimetre."""
CLOSE_MM = 0.1


@pytest.fixture(scope="module", params=["a4", "letter"])
def printed(request, tmp_path_factory):
    """Paper, and its pages as grey pictures, by title."""
    if shutil.which("pdftoppm") is None:
        pytest.skip("pdftoppm is missing (on Debian: apt install poppler-utils)")
    folder = tmp_path_factory.mktemp(request.param)
    pages = target_pages(request.param, (2,))
    (folder / "targets.pdf").write_bytes(pdf(pages))
    done = subprocess.run(
        ["pdftoppm", "-r", str(DPI), "-gray", folder / "targets.pdf", folder / "page"], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    pictures = [cv2.imread(str(path), cv2.IMREAD_GRAYSCALE) for path in sorted(folder.glob("page-*.pgm"))]
    assert len(pictures) == len(pages) == 5
    return request.param, {page.title: picture for page, picture in zip(pages, pictures, strict=True)}


def in_mm(px: np.ndarray) -> np.ndarray:
    """Pixel centres as millimetres from the paper's corner."""
    return (np.asarray(px, float) + 0.5) / PX


def test_pages_have_the_size_of_the_paper(printed):
    paper, pictures = printed
    width, height = PAPERS[paper]
    for picture in pictures.values():
        assert picture.shape == (pytest.approx(height * PX, abs=1), pytest.approx(width * PX, abs=1))


def ticks(line: np.ndarray) -> np.ndarray:
    """Middles of the dark stretches of a line of pixels, in millimetres from its start, weighted by their darkness."""
    dark = 255.0 - line.astype(float)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], (dark > 60).astype(int), [0])))).reshape(-1, 2)
    return np.array([np.average(np.arange(a - 1, b + 1), weights=dark[a - 1 : b + 1] + 1e-9) for a, b in edges]) / PX + 0.5 / PX


def test_both_rulers_are_a_hundred_millimetres_with_a_tick_for_each(printed):
    paper, pictures = printed
    (across_x, across_y), (down_x, down_y) = ruler_origins(paper)
    for picture in pictures.values():
        row = picture[round((across_y - 1.0) * PX), round((across_x - 1) * PX) : round((across_x + 101) * PX)]
        column = picture[round((down_y - 1) * PX) : round((down_y + 101) * PX), round((down_x + 1.0) * PX)]
        for line, start in ((row, round((across_x - 1) * PX) / PX - across_x), (column, round((down_y - 1) * PX) / PX - down_y)):
            found = ticks(line) + start
            assert len(found) == 101
            assert np.abs(found - np.arange(101)).max() < CLOSE_MM
            assert found[-1] - found[0] == pytest.approx(100.0, abs=0.05)


def test_the_chessboard_is_found_where_it_was_drawn(printed):
    paper, pictures = printed
    view = find_board(pictures["lens"])
    assert view is not None and not view.mirrored
    assert len(view.ids) == (BOARD.columns - 1) * (BOARD.rows - 1)
    expected = corner_mm(view.ids)[:, :2] + np.array(board_origin(paper))
    assert np.abs(in_mm(view.corners_px) - expected).max() < CLOSE_MM


def marker_miss(picture, expected):
    """The largest distance of a marker's corners from `expected` (id to 4 x 2 mm); all and no others are there."""
    found = find_markers(picture)
    assert set(found) == set(expected)
    return max(np.abs(in_mm(found[id_]) - corners).max() for id_, corners in expected.items())


def test_the_markers_of_a_mat_measure_right_and_lie_right(printed):
    paper, pictures = printed
    layout = mat_layout(2)
    expected = {
        marker.id: marker_corners_mm(marker) + np.array(strip_origin(paper, index // 4))
        for index, marker in enumerate(layout.markers)
    }
    picture = pictures["mat 3"]
    assert marker_miss(picture, expected) < CLOSE_MM
    sides = [np.linalg.norm(np.diff(in_mm(quad)[[0, 1, 2, 3, 0]], axis=0), axis=1) for quad in find_markers(picture).values()]
    assert np.abs(np.array(sides) - 12.0).max() < CLOSE_MM


def test_the_frames_of_the_windows_are_where_the_plate_has_its_holes(printed):
    paper, pictures = printed
    layout, picture = mat_layout(2), pictures["mat 3"]
    for part, numbers in enumerate(((5, 4, 3), (3, 2, 1))):
        x0, y0 = strip_origin(paper, part)
        for number in numbers:
            window = layout.windows[number - 1]
            for edge in (window.x, window.x + window.width):
                # Dashes: somewhere along the frame's edge there is ink, and a millimetre aside there is none.
                top, bottom = round((y0 + 8) * PX), round((y0 + window.height - 1) * PX)
                columns = [picture[top:bottom, round((x0 + edge + aside) * PX)] for aside in (0.0, -0.6, 0.6)]
                assert [int(column.min()) < 120 for column in columns] == [True, False, False]


def test_the_markers_of_the_tray_measure_right(printed):
    paper, pictures = printed
    layout = tray_layout()
    expected = {
        marker.id: np.array(tray_spot(paper, index)) + np.array([[0, 0], [12, 0], [12, 12], [0, 12]])
        for index, marker in enumerate(layout.markers)
    }
    assert marker_miss(pictures["tray"], expected) < CLOSE_MM


@pytest.mark.parametrize("title", ["focus", "light"])
def test_test_cards_have_the_size_of_a_card(printed, title):
    paper, pictures = printed
    for x, y in card_spots(paper):
        row = pictures[title][round((y + 45) * PX), round((x - 1) * PX) : round((x + CARD_MM[0] + 1) * PX)]
        column = pictures[title][round((y - 1) * PX) : round((y + CARD_MM[1] + 1) * PX), round((x + 32) * PX)]
        assert np.ptp(ticks(row)) == pytest.approx(CARD_MM[0], abs=CLOSE_MM)
        assert np.ptp(ticks(column)) == pytest.approx(CARD_MM[1], abs=CLOSE_MM)


def test_nothing_lies_in_the_rim_that_printers_leave_alone(printed):
    _, pictures = printed
    rim = round(6 * PX)
    for picture in pictures.values():
        inner = picture[rim:-rim, rim:-rim]
        assert int((picture < 200).sum()) == int((inner < 200).sum())


def test_viewers_are_asked_not_to_scale(tmp_path: Path):
    data = pdf(target_pages("a4", (0,)))
    assert b"/PrintScaling /None" in data
    assert data == pdf(target_pages("a4", (0,)))
