"""What is printed to set a camera up: a chessboard for the lens, markers for mats and tray, cards for focus and light.

Every page has rulers of 100 mm, across and down, that show whether the printer kept the scale.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import cos, pi, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.sheet import PAPERS, Fill, Line, Mark, Page, Paper, Point, Words, rectangle
from vision.layout import CARD_MM, MARKER_MM, WINDOW_MM, Layout, Rect, mat_layout, tray_layout

RULER_MM = 100.0
MARGIN_MM = 8.0
"""Printers leave so much of the paper's rim alone."""
RIM_MM = 1.5
"""White paper about a marker; without it none is found."""
STAR_MM, SPOKES = 13.0, 18
BARS_MM = (1.0, 0.7, 0.5, 0.35, 0.25)
"""Widths of the bars, from the coarsest to the finest."""
MATS = 6
"""Boards 0 to 4 are the mats of five places; 5 is a tray that is a mat."""


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """The chessboard with markers (ChArUco) for the lens.

    An odd number of rows: with an even one the pattern differs between versions of OpenCV.  Its markers are of another
    family than those of mats and tray, so that neither is taken for the other.
    """

    columns: int = 11
    rows: int = 7
    square_mm: float = 20.0
    marker_mm: float = 15.0
    dictionary: int = cv2.aruco.DICT_5X5_100

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height."""
        return self.columns * self.square_mm, self.rows * self.square_mm

    def made(self) -> cv2.aruco.CharucoBoard:
        """The board as OpenCV knows it, in millimetres."""
        family = cv2.aruco.getPredefinedDictionary(self.dictionary)
        return cv2.aruco.CharucoBoard((self.columns, self.rows), self.square_mm, self.marker_mm, family)


BOARD = BoardPlan()


def target_pages(paper: Paper, mats: Sequence[int] = (0,), tray: bool = True) -> tuple[Page, ...]:
    """All targets on `paper`: chessboard, a page for each mat (numbers from 0), tray, focus cards, blank cards."""
    pages = [board_page(paper), *(mat_page(paper, number) for number in mats)]
    if tray:
        pages.append(tray_page(paper))
    return (*pages, focus_page(paper), blank_page(paper))


# ---- pages -------------------------------------------------------------------------------------------------------------


def board_page(paper: Paper, plan: BoardPlan = BOARD) -> Page:
    """The chessboard, on the middle of the page."""
    left, top = board_origin(paper, plan)
    hint = "Take the mat's top plate off and show this board to the camera: flat, then tilted to every side, near every edge."
    marks = (*_titled("Lens: chessboard with markers", hint, paper), *_board(plan, left, top), *rulers(paper))
    return Page("lens", paper, marks)


def board_origin(paper: Paper, plan: BoardPlan = BOARD) -> Point:
    """Where the chessboard's top left corner lies on the page."""
    return (PAPERS[paper][0] - plan.size_mm[0]) / 2, 24.0


def mat_page(paper: Paper, number: int) -> Page:
    """The markers of one mat as two strips that overlap at the middle window: 308 mm are longer than the paper."""
    layout = mat_layout(number)
    hint = (
        "Cut out; glue to the UNDERSIDE of the plate, print towards the camera, dashed frames on the windows; then cut those out."
    )
    marks: list[Mark] = [*_titled(f"Mat {number + 1}: markers {_ids(layout)}", hint, paper)]
    for part in range(2):
        marks += _strip(layout, part, strip_origin(paper, part))
    return Page(f"mat {number + 1}", paper, (*marks, *rulers(paper)))


def strip_origin(paper: Paper, part: int) -> Point:
    """Where the layout's origin of a strip (0: windows 5 to 3, 1: windows 3 to 1) lies on the page."""
    first = mat_layout(0).windows[4 if part == 0 else 2]
    width = 2 * 69.0 + WINDOW_MM[0]
    return (PAPERS[paper][0] - width) / 2 - first.x, 34.0 + 64.0 * part


def _strip(layout: Layout, part: int, origin: Point) -> Iterator[Mark]:
    numbers = (5, 4, 3) if part == 0 else (3, 2, 1)
    windows = [layout.windows[number - 1] for number in numbers]
    gaps = layout.markers[4 * part : 4 * part + 4]
    for number, window in zip(numbers, windows, strict=True):
        yield from _frame(_moved(window, origin), 1.5)
        yield Words((origin[0] + window.x + 2.0, origin[1] + window.y + 6.0), f"window {number}", 2.0)
    for marker in gaps:
        yield from _marker(cv2.aruco.DICT_4X4_100, marker.id, _moved(marker.square, origin))
    left, right = origin[0] + windows[0].x - 6.0, origin[0] + windows[-1].x + WINDOW_MM[0] + 6.0
    yield from _frame(Rect(left, origin[1] - 6.0, right - left, WINDOW_MM[1] + 12.0), 0.0)
    side = "left" if part == 0 else "right"
    yield Words((left + 1.0, origin[1] - 2.5), f"mat {layout.markers[0].id // 8 + 1}, {side} as the camera sees it", 2.4)


def tray_page(paper: Paper) -> Page:
    """The eight markers of the tray to cut out; each says where its top left corner belongs."""
    layout = tray_layout()
    hint = "Glue each where it says: millimetres right of and below the corner of the first outlined card (minus: left, above)."
    marks: list[Mark] = [*_titled(f"Tray: markers {_ids(layout)}", hint, paper)]
    for index, marker in enumerate(layout.markers):
        x, y = tray_spot(paper, index)
        marks += _marker(cv2.aruco.DICT_4X4_100, marker.id, Rect(x, y, MARKER_MM, MARKER_MM))
        marks += _frame(Rect(x - 6.0, y - 6.0, MARKER_MM + 12.0, MARKER_MM + 12.0), 0.0)
        marks.append(Words((x - 6.0, y + MARKER_MM + 11.0), f"{marker.id}: {marker.square.x:g}, {marker.square.y:g}", 3.0))
    return Page("tray", paper, (*marks, *rulers(paper)))


def tray_spot(paper: Paper, index: int) -> Point:
    """Where a marker of the tray lies on the page."""
    return PAPERS[paper][0] / 2 - 90.0 + 54.0 * (index % 4), 46.0 + 54.0 * (index // 4)


def focus_page(paper: Paper) -> Page:
    """Five cards with a star and bars where an index is: sharp to the middle of the star, bars apart, is in focus."""
    hint = "Cut out and lay one into every slot, print down. In focus, the star is sharp to its middle and fine bars stand apart."
    marks: list[Mark] = [*_titled("Focus: test cards", hint, paper)]
    for x, y in card_spots(paper):
        marks += [*_frame(Rect(x, y, *CARD_MM), 0.0), *_test_corner(x, y, 1.0)]
        marks += _test_corner(x + CARD_MM[0], y + CARD_MM[1], -1.0)
    return Page("focus", paper, (*marks, *rulers(paper)))


def blank_page(paper: Paper) -> Page:
    """Five blank cards: what they show of the light is taken out of every picture."""
    hint = "Cut out and lay one into every slot (backs of plain white cards do as well)."
    marks: list[Mark] = [*_titled("Light: blank cards", hint, paper)]
    for x, y in card_spots(paper):
        marks += _frame(Rect(x, y, *CARD_MM), 0.0)
    return Page("light", paper, (*marks, *rulers(paper)))


def card_spots(paper: Paper) -> tuple[Point, ...]:
    """Top left corners of five cards: three above, two below them; the rulers have the rest."""
    left = 42.0
    width, height = CARD_MM[0] + 4.0, CARD_MM[1] + 3.0
    return tuple((left + index % 3 * width, 17.0 + index // 3 * height) for index in range(5))


# ---- pieces ------------------------------------------------------------------------------------------------------------


def _titled(title: str, hint: str, paper: Paper) -> Iterator[Mark]:
    yield Words(
        (MARGIN_MM + 2.0, 11.0), f"{title}   (print at 100 %, not fitted to the page; check the rulers: {RULER_MM:g} mm)", 3.2
    )
    yield Words((MARGIN_MM + 2.0, 15.0), hint, 2.3)


def _ids(layout: Layout) -> str:
    return f"{layout.markers[0].id} to {layout.markers[-1].id}"


def ruler_origins(paper: Paper) -> tuple[Point, Point]:
    """Where the rulers begin: the one across runs right from the first point, the one down runs down from the second."""
    height = PAPERS[paper][1]
    return (PAPERS[paper][0] - MARGIN_MM - RULER_MM - 12.0, height - MARGIN_MM - 8.0), (MARGIN_MM + 4.0, 60.0)


def rulers(paper: Paper) -> tuple[Mark, ...]:
    """Two rulers of 100 mm with a tick for every millimetre."""
    (x0, y0), (x1, y1) = ruler_origins(paper)
    marks: list[Mark] = []
    for step in range(int(RULER_MM) + 1):
        long = 5.0 if step % 10 == 0 else 3.5 if step % 5 == 0 else 2.2
        marks.append(Line((x0 + step, y0), (x0 + step, y0 - long), 0.12))
        marks.append(Line((x1, y1 + step), (x1 + long, y1 + step), 0.12))
    marks.append(Words((x0 - 1.0, y0 + 4.0), "0", 2.4))
    marks.append(Words((x0 + RULER_MM - 3.0, y0 + 4.0), f"{RULER_MM:g} mm", 2.4))
    marks.append(Words((x1 + 6.0, y1 + 1.0), "0", 2.4))
    marks.append(Words((x1 + 6.0, y1 + RULER_MM + 1.0), f"{RULER_MM:g} mm", 2.4))
    return tuple(marks)


def _moved(rect: Rect, by: Point) -> Rect:
    return Rect(rect.x + by[0], rect.y + by[1], rect.width, rect.height)


def _frame(rect: Rect, dash: float) -> Iterator[Mark]:
    corners = rectangle(rect.x, rect.y, rect.width, rect.height)
    for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
        yield Line(start, end, 0.15, dash)


def _board(plan: BoardPlan, left: float, top: float) -> Iterator[Mark]:
    """Black squares, and a marker in every white one, numbered along the rows as OpenCV does."""
    side, inset = plan.square_mm, (plan.square_mm - plan.marker_mm) / 2
    number = 0
    blacks = []
    for row in range(plan.rows):
        for column in range(plan.columns):
            x, y = left + column * side, top + row * side
            if (row + column) % 2 == 0:
                blacks.append(rectangle(x, y, side, side))
                continue
            yield from _marker(plan.dictionary, number, Rect(x + inset, y + inset, plan.marker_mm, plan.marker_mm))
            number += 1
    yield Fill(tuple(blacks))


def _marker(dictionary: int, id_: int, square: Rect) -> Iterator[Mark]:
    """A marker as one black square with its white modules upon it."""
    modules = marker_modules(dictionary, id_)
    step = square.width / len(modules)
    yield Fill((rectangle(square.x, square.y, square.width, square.width),))
    white = tuple(
        rectangle(square.x + first * step, square.y + row * step, (last - first) * step, step)
        for row, line in enumerate(modules)
        for first, last in _runs(line)
    )
    yield Fill(white, 1.0)


def marker_modules(dictionary: int, id_: int) -> NDArray[np.bool_]:
    """Which modules of a marker are white, its black rim included; square."""
    family = cv2.aruco.getPredefinedDictionary(dictionary)
    side = int(family.markerSize) + 2
    return np.asarray(cv2.aruco.generateImageMarker(family, id_, side) > 127)


def _runs(line: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """First and one past the last of each run of white modules."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], line.astype(np.int8), [0]))))
    yield from ((int(first), int(last)) for first, last in edges.reshape(-1, 2))


def _test_corner(x: float, y: float, way: float) -> Iterator[Mark]:
    """A star above bars, within the window of the corner at x, y; `way` is -1 for the opposite corner, turned half round."""
    centre = (x + way * WINDOW_MM[0] / 2, y + way * 10.0)
    radius = STAR_MM / 2
    wedges = []
    for spoke in range(SPOKES):
        first, last = (2 * pi * (spoke + share) / SPOKES for share in (0.0, 0.5))
        wedges.append((centre, *((centre[0] + radius * cos(a), centre[1] + radius * sin(a)) for a in (first, last))))
    yield Fill(tuple(wedges))
    at, bars = 2.0, []
    for width in BARS_MM:
        for _ in range(2):
            left = x + way * at if way > 0 else x + way * (at + width)
            bars.append(rectangle(left, y + 19.0 if way > 0 else y - 29.0, width, 10.0))
            at += 2 * width
    yield Fill(tuple(bars))
