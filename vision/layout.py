"""The geometry of mats and tray in millimetres: one source for renderer, reader, calibration and enclosure.

Coordinates are those of an upright picture of the card faces: x to the right, y down, the origin at the top left
corner of the leftmost window (mat) or of the leftmost card (tray).  A mat is seen **from below**, so its owner's
slot 1, at the owner's left, is the *rightmost* window of the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

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
