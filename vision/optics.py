"""The sizes and paths of the table, as `optics.toml` beside this module gives them; millimetres, degrees and pixels.

Reader, renderer, calibration and enclosure take their numbers from here, so none of them can differ from the others.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib.resources import files
from math import radians, tan
from types import MappingProxyType
from typing import Any, TypeVar

from vision.errors import LayoutError

STANDARD = "standard"
"""The window for the usual index; `large` is for large print."""


@dataclass(frozen=True, slots=True)
class CardSize:
    """A kind of card by its outer size."""

    size_mm: tuple[float, float]


@dataclass(frozen=True, slots=True)
class WindowSize:
    """One size of window, and the box that it needs."""

    size_mm: tuple[float, float]
    """What the camera sees of a card, from its corner."""
    peek_mm: tuple[float, float]
    """What the card's owner sees of the opposite corner."""
    axis_depth_mm: float
    """How far below the plate's underside the camera looks along the box."""
    inner_height_mm: float
    """From the floor of the box to the plate's underside."""
    mirror_mm: tuple[float, float]
    """The camera's mirror: along the mat, and up its slope."""
    mirror_rise_mm: float
    """How far the middle of that mirror lies above the camera's axis."""
    peek_mirror_mm: tuple[float, float]
    peek_depth_mm: float
    """How far below the underside the upper edge of the owner's mirror lies."""


@dataclass(frozen=True, slots=True)
class MatSizes:
    """The row of windows of a mat, and its picture."""

    slots: int
    pitch_mm: float
    patch_px: tuple[int, int]
    margin_mm: tuple[float, float]
    frame_px: tuple[int, int]


@dataclass(frozen=True, slots=True)
class MarkerSizes:
    """The two markers in each gap between windows."""

    side_mm: float
    per_board: int
    aside_mm: float
    """From the middle of the gap to each marker."""
    inset_mm: float
    """From the upper or lower edge of the windows."""


@dataclass(frozen=True, slots=True)
class PlateSizes:
    """The plate on which the cards lie."""

    thickness_mm: float
    rim_mm: float
    """How much wider than a window its hole is, on each side."""
    lip_mm: float
    """The straight part of a hole, directly under the card."""
    bevel_mm: float
    """How much wider a hole is at the underside than at its lip, on each side."""
    rail_mm: float
    rail_height_mm: float


@dataclass(frozen=True, slots=True)
class MirrorSizes:
    """Both mirrors; angles against the plate."""

    camera_deg: float
    peek_deg: float
    thickness_mm: float


@dataclass(frozen=True, slots=True)
class LampSizes:
    """A light channel under the plate."""

    strip_mm: float
    """Width of the strip of LEDs."""
    channel_mm: float
    depth_mm: float
    """From the underside of the plate to the channel's floor."""
    lip_mm: float
    """Height of the lip that hides the strip from mirror and windows."""
    wall_mm: float
    gap_mm: float
    """From the bevel of the windows to the lip."""


@dataclass(frozen=True, slots=True)
class BoxSizes:
    """The box under the plate."""

    wall_mm: float
    partition_mm: float
    """Thickness of the wall between the camera's half of the box and the owner's."""
    floor_mm: float
    front_mm: float
    """From the near edge of the cards to the front of the box."""
    brow_mm: float
    """From the plate's underside to the owner's opening."""
    sill_mm: float
    """From the floor to the owner's opening."""
    side_mm: float
    behind_mm: float
    """From the lens to the inside of the back wall."""
    ledge_mm: float
    """Depth of the ledge in front that holds the flap of the owner's opening."""
    blinker_mm: float
    """Thickness of what stands between the owner's windows."""


@dataclass(frozen=True, slots=True)
class Eye:
    """Where the eyes of a seated player are."""

    front_mm: float
    """In front of the near edge of the cards."""
    height_mm: float
    """Above the plate."""
    reach_mm: float
    """To either side of the middle of the mat."""


@dataclass(frozen=True, slots=True)
class Aim:
    """How well a camera is mounted."""

    slack_mm: float
    """What a picture has to show beyond the outermost windows."""


@dataclass(frozen=True, slots=True)
class CameraChoice:
    """A camera that a mat may have."""

    name: str
    field_deg: tuple[float, float]
    """Angle of view, wide and high."""
    sensor_px: tuple[int, int]
    nearest_mm: float
    """Nothing nearer than this can be in focus."""
    board_mm: tuple[float, float]
    path_mm: Mapping[str, float]
    """From the lens over the mirror to the card's face, for each size of window."""

    def px_per_mm(self, path_mm: float) -> float:
        """Pixels for a millimetre in the middle of what lies `path_mm` away, straight ahead."""
        return self.sensor_px[0] / (2 * path_mm * tan(radians(self.field_deg[0] / 2)))


@dataclass(frozen=True, slots=True)
class TraySizes:
    """The tray under an overhead camera."""

    camera: str
    path_mm: float
    columns: int
    positions: int
    line_mm: float
    """From the first line of outlines to the second."""
    frame_px: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Optics:
    """All of it."""

    card: Mapping[str, CardSize]
    window: Mapping[str, WindowSize]
    mat: MatSizes
    marker: MarkerSizes
    plate: PlateSizes
    mirror: MirrorSizes
    lamp: LampSizes
    box: BoxSizes
    eye: Eye
    aim: Aim
    camera: Mapping[str, CameraChoice]
    tray: TraySizes

    def find_card(self, name: str) -> CardSize:
        """The kind of card called `name`; raise `LayoutError` for any other."""
        return _find(self.card, "kind of card", name)

    def find_window(self, name: str) -> WindowSize:
        """The window size called `name`; raise `LayoutError` for any other."""
        return _find(self.window, "window size", name)

    def find_camera(self, name: str) -> CameraChoice:
        """The camera called `name`; raise `LayoutError` for any other."""
        return _find(self.camera, "camera", name)


_Value = TypeVar("_Value")


def _find(choices: Mapping[str, _Value], kind: str, name: str) -> _Value:
    if name not in choices:
        raise LayoutError(f"there is no {kind} {name!r}; expected {', '.join(choices)}")
    return choices[name]


def _made(kind: type[_Value], where: str, table: object) -> _Value:
    """A dataclass from a table of the file; lists become tuples, tables read-only mappings."""
    if not isinstance(table, dict):
        raise LayoutError(f"optics.toml: {where}: expected a table, found {table!r}")
    wanted = {field.name for field in fields(kind)}  # type: ignore[arg-type]  # always one of the classes above
    if table.keys() != wanted:
        wrong = ", ".join(sorted(table.keys() ^ wanted))
        raise LayoutError(f"optics.toml: {where}: expected {', '.join(sorted(wanted))}; missing or unknown: {wrong}")
    return kind(**{key: _frozen(value) for key, value in table.items()})


def _frozen(value: object) -> object:
    if isinstance(value, list):
        return tuple(value)
    return MappingProxyType(value) if isinstance(value, dict) else value


def _each(kind: type[_Value], where: str, tables: Mapping[str, Any]) -> Mapping[str, _Value]:
    return MappingProxyType({name: _made(kind, f"{where}.{name}", table) for name, table in tables.items()})


def read_optics(text: str) -> Optics:
    """The sizes that a text in TOML gives; raise `LayoutError` for a part or a key that is missing or unknown."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LayoutError(f"optics.toml: no TOML: {error}") from error
    parts = {field.name for field in fields(Optics)}
    if content.keys() != parts:
        raise LayoutError(f"optics.toml: missing or unknown parts: {', '.join(sorted(content.keys() ^ parts))}")
    found = Optics(
        card=_each(CardSize, "card", content["card"]),
        window=_each(WindowSize, "window", content["window"]),
        mat=_made(MatSizes, "mat", content["mat"]),
        marker=_made(MarkerSizes, "marker", content["marker"]),
        plate=_made(PlateSizes, "plate", content["plate"]),
        mirror=_made(MirrorSizes, "mirror", content["mirror"]),
        lamp=_made(LampSizes, "lamp", content["lamp"]),
        box=_made(BoxSizes, "box", content["box"]),
        eye=_made(Eye, "eye", content["eye"]),
        aim=_made(Aim, "aim", content["aim"]),
        camera=_each(CameraChoice, "camera", content["camera"]),
        tray=_made(TraySizes, "tray", content["tray"]),
    )
    for name, camera in found.camera.items():
        if camera.path_mm.keys() != found.window.keys():
            raise LayoutError(f"optics.toml: camera.{name}: path_mm: expected one path for each of {', '.join(found.window)}")
    return found


OPTICS = read_optics(files("vision").joinpath("optics.toml").read_text(encoding="utf-8"))
"""The sizes of this table."""
