"""Rigs: where frames and button presses come from, and which camera looks at which places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.picture import RowSight
from companion.table import SLOTS, Area, Place, above, row, slot
from vision.layout import Layout, above_layout, mat_layout, tray_layout
from vision.optics import STANDARD

TRAY_BOARD = 5
"""A tray that is a sixth mat carries the markers of this board."""


@dataclass(frozen=True, slots=True)
class Station:
    """One camera, what is in front of it, and what its windows stand for."""

    camera: str
    layout: Layout
    places: tuple[Place, ...]
    """In the order of the layout's windows."""


def mat_station(seat: int, place: int | None = None, windows: Mapping[str, str] | None = None) -> Station:
    """The view mat of a seat: that of its own number, or the one at another place of the table; `windows` as for `stations`."""
    mat = seat if place is None else place
    return Station(f"mat{mat}", mat_layout(mat, _window(f"mat{mat}", windows)), tuple(slot(seat, number) for number in SLOTS))


def tray_station(sight: RowSight, windows: Mapping[str, str] | None = None) -> Station | None:
    """The tray, seen from above or from below; None where nothing looks at it; `windows` as for `stations`."""
    if sight is RowSight.NONE:
        return None
    layout = tray_layout() if sight is RowSight.OVERHEAD else mat_layout(TRAY_BOARD, _window("tray", windows))
    return Station("tray", layout, tuple(row(number) for number in range(1, len(layout.windows) + 1)))


def above_station(seat: int, seats: int, place: int | None = None) -> Station:
    """The mat of a seat from above: its part of the picture of the camera over the table, which sees the mats in a circle."""
    mat = seat if place is None else place
    return Station(f"above{mat}", above_layout(mat, 360.0 * seat / seats), tuple(above(seat, number) for number in SLOTS))


def stations(
    sources: Sequence[str], sight: RowSight, places: Sequence[int] = (), upcards: bool = False,
    windows: Mapping[str, str] | None = None,
) -> tuple[Station, ...]:  # fmt: skip
    """Every camera of a table: a mat for each seat whose source is ``mat``, the tray, and, with `upcards`, the mats from above.

    `places` says for each seat whose mat is in front of it; without them every seat has that of its own number.
    `windows` says for a camera, by its name, which size of windows its mat has, where that is not the standard one.
    """
    at = places or range(len(sources))
    seats = [seat for seat, source in enumerate(sources) if source == "mat"]
    tray = tray_station(sight, windows)
    found = [mat_station(seat, at[seat], windows) for seat in seats]
    found += [] if tray is None else [tray]
    return (*found, *(above_station(seat, len(sources), at[seat]) for seat in seats if upcards))


def _window(camera: str, windows: Mapping[str, str] | None) -> str:
    return STANDARD if windows is None else windows.get(camera, STANDARD)


def looks_down(station: Station) -> bool:
    """Whether it is a mat from above: a part of one picture, in front of which hands and heads pass."""
    return station.places[0].area is Area.ABOVE
