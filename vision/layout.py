"""The geometry of mats and tray in millimetres: one source for renderer, reader, calibration and enclosure.

Coordinates are those of an upright picture of the card faces: x to the right, y down, the origin at the top left
corner of the leftmost window (mat) or of the leftmost card (tray).  A mat is seen **from below**, so its owner's
slot 1, at the owner's left, is the *rightmost* window of the picture.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from vision.errors import LayoutError
from vision.optics import OPTICS, STANDARD

CARD_MM = OPTICS.card["poker"].size_mm
"""Width and height of a poker card."""
WINDOW_MM = OPTICS.window[STANDARD].size_mm
"""Width and height of an index window; its top left corner is the nominal top left corner of the card's face."""
WINDOW_PX = OPTICS.mat.patch_px
"""Width and height of the patch that the classifier reads."""
PITCH_MM = OPTICS.mat.pitch_mm
"""Distance from slot to slot."""
MARKER_MM = OPTICS.marker.side_mm
MARKERS_PER_BOARD = OPTICS.marker.per_board


@dataclass(frozen=True, slots=True)
class Rect:
    """An upright rectangle in millimetres."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Marker:
    """An ArUco marker of ``DICT_4X4_100`` by its id and its square in millimetres."""

    id: int
    square: Rect


@dataclass(frozen=True, slots=True)
class Layout:
    """Where windows and markers are on one board (a mat, or the tray seen from above)."""

    name: str
    windows: tuple[Rect, ...]
    """In order of slot number, or of row position."""
    markers: tuple[Marker, ...]
    extent: Rect
    """What the camera has to see, margins included."""
    frame_px: tuple[int, int]
    """Width and height of a frame as the rig delivers it."""
    mirrored: bool
    """The optical path holds a mirror, so the raw picture is flipped."""
    turn_deg: float = 0.0
    """How far the board is turned in the frame, clockwise; the rig's own guess, for renderer and cropping.  Readers find it."""

    @property
    def field_mm(self) -> tuple[float, float]:
        """Width and height of what the frame shows: the extent, or the upright rectangle around it where it is turned."""
        cos, sin = abs(math.cos(math.radians(self.turn_deg))), abs(math.sin(math.radians(self.turn_deg)))
        width, height = self.extent.width, self.extent.height
        return width * cos + height * sin, width * sin + height * cos


def _marker_pair(board: int, gap: int, x: float, height: float) -> tuple[Marker, Marker]:
    """The markers at the middle `x` of a gap between windows of this height."""
    sizes, base = OPTICS.marker, board * MARKERS_PER_BOARD + 2 * gap
    high = Rect(x - MARKER_MM - sizes.aside_mm, sizes.inset_mm, MARKER_MM, MARKER_MM)
    low = Rect(x + sizes.aside_mm, height - MARKER_MM - sizes.inset_mm, MARKER_MM, MARKER_MM)
    return Marker(base, high), Marker(base + 1, low)


def mat_layout(board: int, window: str = STANDARD) -> Layout:
    """The mat number `board` (0..5; marker ids tell the boards apart): five windows, two markers in each gap.

    `window` is a size of window; raise `LayoutError` for one that there is not.
    """
    width, height = OPTICS.find_window(window).size_mm
    slots, (beside, above) = OPTICS.mat.slots, OPTICS.mat.margin_mm
    windows = tuple(Rect((slots - number) * PITCH_MM, 0.0, width, height) for number in range(1, slots + 1))
    middle = width + (PITCH_MM - width) / 2
    markers = tuple(m for gap in range(slots - 1) for m in _marker_pair(board, gap, gap * PITCH_MM + middle, height))
    extent = Rect(-beside, -above, (slots - 1) * PITCH_MM + width + 2 * beside, height + 2 * above)
    return Layout(f"mat{board}", windows, markers, extent, OPTICS.mat.frame_px, mirrored=True)


ROW_COLUMNS = OPTICS.tray.columns
ROW_POSITIONS = OPTICS.tray.positions
"""Five discards, and four more that final turns can add; the tray has a printed outline for each."""
ROW_LINE_MM = OPTICS.tray.line_mm
"""From the first line of the tray (positions 1..5) to the second (6..9)."""


def tray_layout() -> Layout:
    """The tray as an overhead camera sees it: nine outlines in two lines, markers at the rim and between the lines."""
    windows = tuple(
        Rect((position % ROW_COLUMNS) * PITCH_MM, (position // ROW_COLUMNS) * ROW_LINE_MM, *WINDOW_MM)
        for position in range(ROW_POSITIONS)
    )
    width = 4 * PITCH_MM + CARD_MM[0]
    height = ROW_LINE_MM + CARD_MM[1]
    base = 6 * MARKERS_PER_BOARD
    left, right, middle = -20.0, width + 8.0, (width - MARKER_MM) / 2
    spots = (
        (left, -8.0), (left, (height - MARKER_MM) / 2), (left, height - 4.0),
        (right, -8.0), (right, (height - MARKER_MM) / 2), (right, height - 4.0),
        (middle, -22.0), (middle, height + 10.0),
    )
    markers = tuple(Marker(base + i, Rect(x, y, MARKER_MM, MARKER_MM)) for i, (x, y) in enumerate(spots))
    extent = Rect(-40.0, -34.0, width + 80.0, height + 68.0)
    return Layout("tray", windows, markers, extent, OPTICS.tray.frame_px, mirrored=False)


ABOVE_PX_PER_MM = 3.4
"""Of a Camera Module 3 that shows 760 mm on the short side of its whole sensor: wide at 0.57 m, standard at 1.02 m."""
ABOVE_FIRST_BOARD = 7
ABOVE_BOARDS = 5
"""Markers of mats seen from below have the boards 0..5, those of the tray 6; the dictionary has ids for five more."""


def above_layout(mat: int, turn_deg: float = 0.0) -> Layout:
    """The upper side of the mat number `mat` (0..4), as its part of the picture of a camera above the table shows it.

    Slot 1 is at the left, as its owner sees it; windows are the index corners of cards that lie face up.  `turn_deg`: how the
    mat is turned in that picture, clockwise.  Raise `LayoutError` for a mat for which there are no markers.
    """
    if not 0 <= mat < ABOVE_BOARDS:
        raise LayoutError(f"from above the mats 0 to {ABOVE_BOARDS - 1} are told apart; found {mat}")
    windows = tuple(Rect((number - 1) * PITCH_MM, 0.0, *WINDOW_MM) for number in range(1, 6))
    base = (ABOVE_FIRST_BOARD + mat) * MARKERS_PER_BOARD
    width = 4 * PITCH_MM + CARD_MM[0]
    # Beyond the cards' far edge, and beside the outer two near their indices: no card and few hands ever lie there.
    far = [(x * (width - MARKER_MM) / 5, -20.0) for x in range(6)]
    spots = (*far, (-20.0, 24.0), (width + 8.0, 24.0))
    markers = tuple(Marker(base + i, Rect(x, y, MARKER_MM, MARKER_MM)) for i, (x, y) in enumerate(spots))
    extent = Rect(-30.0, -30.0, width + 60.0, 85.0)
    bare = Layout(f"above{mat}", windows, markers, extent, (1, 1), False, turn_deg)
    across, down = bare.field_mm
    return replace(bare, frame_px=(_even(across * ABOVE_PX_PER_MM), _even(down * ABOVE_PX_PER_MM)))


def _even(pixels: float) -> int:
    return 2 * math.ceil(pixels / 2)
