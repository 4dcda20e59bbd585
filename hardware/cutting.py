"""The cutting plan for foam board: the same box with a knife instead of a printer, at true scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import cos, hypot, radians, sin

from hardware.drawing import Spot, line, page, text
from hardware.parts import BACK_HALF_MM, STRIP_MM
from vision.enclosure import Enclosure, Mirror
from vision.layout import Rect
from vision.optics import OPTICS

FOAM_MM = 5.0
SHEET_MM = 1.0
"""Of the plate: card or polystyrene."""
HOLE_RIM_MM = 1.3
"""A knife cuts no bevel: the holes of the plate are so much wider than the windows instead, on every side."""
SIDE_MM = 12.0
"""Foam is thick: the sides stand further out, so that both mirrors fit between them."""
PAGE_MM = (700.0, 500.0)
"""A common size of foam board."""
MARGIN_MM, APART_MM = 12.0, 8.0
CUT, MARK = "#c62828", "#1565c0"
LAMP_MM, CAMERA_LAMP_MM = 5.1, 3.1
"""Holes of slot and seat lamps, and of the lamp that says that the camera is on; as in ``mat.scad``, like where they are."""
LAMPS_BEHIND_MM, SEAT_LAMP_ASIDE_MM, CAMERA_LAMP_IN_MM = 21.0, 24.0, 12.0
"""How far they are behind the cards' far edge, beside the middle slot's lamp, and from the end of the plate."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One piece; x to the right and y down from its upper left corner."""

    name: str
    outline: tuple[Spot, ...]
    holes: tuple[Rect, ...] = ()
    rounds: tuple[tuple[float, float, float], ...] = ()
    """x, y and radius."""
    marks: tuple[tuple[Spot, Spot], ...] = ()
    """Lines to draw, not to cut: where another piece is glued."""
    count: int = 1

    @property
    def size(self) -> Spot:
        """Width and height of what surrounds it."""
        xs, ys = zip(*self.outline, strict=True)
        return max(xs) - min(xs), max(ys) - min(ys)


class CuttingError(ValueError):
    """A panel that does not fit the page."""


def foam_mat(mat: Enclosure) -> Enclosure:
    """The same mat with a thin plate without bevel, and a thin wall between camera and owner."""
    plate = replace(OPTICS.plate, thickness_mm=SHEET_MM, lip_mm=SHEET_MM, rim_mm=HOLE_RIM_MM, bevel_mm=0.0)
    optics = replace(mat.optics, plate=plate, box=replace(OPTICS.box, partition_mm=SHEET_MM, side_mm=SIDE_MM))
    return replace(mat, optics=optics)


def _rect(width: float, height: float) -> tuple[Spot, ...]:
    return (0.0, 0.0), (width, 0.0), (width, height), (0.0, height)


def panels(mat: Enclosure) -> tuple[Panel, ...]:
    """Every piece; windows and everything else that light passes are those of `foam_mat`."""
    foam = foam_mat(mat)
    left, right = foam.sides_x
    width, inner = right - left, foam.window.inner_height_mm
    front_deep = foam.front_y + STRIP_MM
    sill = foam.optics.box.sill_mm
    board = foam.camera.board_mm
    axis = -foam.window.axis_depth_mm - foam.floor_z
    return (
        _plate(foam),
        Panel("floor, foam", _outline(foam, whole=True), marks=_floor_marks(foam)),
        Panel("lid, foam or sheet", _outline(foam, whole=False)),
        Panel("side, foam", _rect(front_deep - FOAM_MM, inner), count=2),
        *(Panel(f"slanted side, {which}, foam", _rect(slope, inner)) for which, slope in _slopes(foam).items()),
        Panel("back, foam", _rect(2 * BACK_HALF_MM, inner), holes=(Rect(2 * BACK_HALF_MM - 40, inner - 16, 24, 12),)),
        Panel("front, foam", _rect(width, sill)),
        Panel("wall between camera and owner, sheet", _rect(width - 2 * FOAM_MM, inner)),
        Panel("rib of the camera's mirror, foam", _rib(foam.camera_mirror, foam), count=4),
        Panel("rib of the owner's mirror, foam", _rib(foam.peek_mirror, foam), count=4),
        Panel("camera wall, foam", _rect(48.0, inner - 3), rounds=((24.0, inner - 3 - axis, (min(board) - 8) / 2),)),
        Panel("light channel, sheet: fold", _rect(300.0, _channel(foam)), marks=_folds(foam), count=len(foam.lamp_edges)),
        Panel("blinker, sheet", _blinker(foam), count=len(foam.blinkers)),
        Panel("flap, sheet", _rect(width - 2.0, inner)),
    )


def _plate(foam: Enclosure) -> Panel:
    left, right = foam.sides_x
    rim = foam.optics.plate.rim_mm

    def placed(one: Rect) -> Rect:
        return Rect(one.x - rim - left, one.y - rim + STRIP_MM, one.width + 2 * rim, one.height + 2 * rim)

    notches = tuple(
        (one.x + (foam.card_mm[0] - foam.window.peek_mm[0]) / 2 - left, foam.front_y + 3 + STRIP_MM, 12.0)
        for one in foam.layout.windows
    )
    rails = tuple(
        ((one.x - 1 - left, STRIP_MM), (one.x - 1 - left, STRIP_MM + foam.card_mm[1] * 0.7)) for one in foam.layout.windows
    )
    lamp_y = STRIP_MM - LAMPS_BEHIND_MM
    middles = tuple(one.x + foam.card_mm[0] / 2 - left for one in foam.layout.windows)
    lamps = (
        *((x, lamp_y, LAMP_MM / 2) for x in (*middles, middles[len(middles) // 2] - SEAT_LAMP_ASIDE_MM)),
        (right - left - CAMERA_LAMP_IN_MM, lamp_y, CAMERA_LAMP_MM / 2),
    )
    far = ((0.0, STRIP_MM - 1), (right - left, STRIP_MM - 1))
    holes = tuple(placed(one) for one in (*foam.layout.windows, *foam.peeks))
    return Panel(
        "plate, 1 mm sheet, seen from below", _rect(right - left, foam.front_y + STRIP_MM), holes, (*notches, *lamps),
        (*rails, far),
    )  # fmt: skip


def _outline(foam: Enclosure, whole: bool) -> tuple[Spot, ...]:
    """Floor (`whole`) or lid, from the back wall on."""
    left, right = foam.sides_x
    deep = -STRIP_MM - foam.back_y
    back = (foam.lens[0] - BACK_HALF_MM - left, 0.0), (foam.lens[0] + BACK_HALF_MM - left, 0.0)
    wide = (right - left, deep), (0.0, deep)
    if not whole:
        return *back, *wide
    front = deep + STRIP_MM + foam.front_y
    return *back, wide[0], (right - left, front), (0.0, front), wide[1]


def _slopes(foam: Enclosure) -> dict[str, float]:
    """Lengths of the slanted sides, left and right as the plan of the floor shows them; the camera is not in the middle."""
    left, right = foam.sides_x
    deep = -STRIP_MM - foam.back_y
    return {
        "left": hypot(foam.lens[0] - BACK_HALF_MM - left, deep), "right": hypot(right - foam.lens[0] - BACK_HALF_MM, deep),
    }  # fmt: skip


def _floor_marks(foam: Enclosure) -> tuple[tuple[Spot, Spot], ...]:
    left, right = foam.sides_x

    def across(y: float, x: Spot) -> tuple[Spot, Spot]:
        return (x[0] - left, y - foam.back_y), (x[1] - left, y - foam.back_y)

    camera, peek = foam.camera_mirror, foam.peek_mirror
    return (
        across(foam.wall_y, (left, right)),
        across(foam.lens[1], (foam.lens[0] - 24, foam.lens[0] + 24)),
        across(camera.section.start[0], camera.x), across(camera.section.end[0], camera.x),
        across(peek.section.start[0], peek.x), across(peek.section.end[0], peek.x),
    )  # fmt: skip


def _rib(mirror: Mirror, foam: Enclosure) -> tuple[Spot, ...]:
    """Stands on the floor; its slanted edge carries the mirror's back."""
    thick = foam.optics.mirror.thickness_mm
    (y0, z0), (y1, z1) = mirror.section.start, mirror.section.end
    size = hypot(y1 - y0, z1 - z0)
    back = ((z1 - z0) / size * thick, -(y1 - y0) / size * thick)
    low = -foam.floor_z
    heights = low + z0 + back[1], low + z1 + back[1]
    top = max(heights)
    return (0.0, top - heights[0]), (y1 - y0, top - heights[1]), (y1 - y0, top), (0.0, top)


def _blinker(foam: Enclosure) -> tuple[Spot, ...]:
    corners = foam.blinkers[0].corners
    return tuple((y - corners[0][0], -z) for y, z in corners)


def _channel(foam: Enclosure) -> float:
    lamp = foam.optics.lamp
    return lamp.lip_mm + lamp.channel_mm + lamp.depth_mm


def _folds(foam: Enclosure) -> tuple[tuple[Spot, Spot], ...]:
    lamp = foam.optics.lamp
    return tuple(((0.0, y), (300.0, y)) for y in (lamp.lip_mm, lamp.lip_mm + lamp.channel_mm))


@dataclass(frozen=True, slots=True)
class Placed:
    """A panel on a page."""

    panel: Panel
    page: int
    at: Spot


def arranged(pieces: Sequence[Panel]) -> tuple[Placed, ...]:
    """All pieces in rows on as many pages as they need, the highest first; raise `CuttingError` for one that fits no page."""
    todo = sorted((piece for piece in pieces for _ in range(piece.count)), key=lambda piece: -piece.size[1])
    found, number, x, y, row = [], 1, MARGIN_MM, MARGIN_MM + 10, 0.0
    for piece in todo:
        wide, high = piece.size
        if wide > PAGE_MM[0] - 2 * MARGIN_MM or high > PAGE_MM[1] - 2 * MARGIN_MM - 10:
            raise CuttingError(
                f"{piece.name} is {wide:g} x {high:g} mm: larger than a page of {PAGE_MM[0]:g} x {PAGE_MM[1]:g} mm"
            )
        if x + wide > PAGE_MM[0] - MARGIN_MM:
            x, y, row = MARGIN_MM, y + row + APART_MM, 0.0
        if y + high > PAGE_MM[1] - MARGIN_MM:
            number, x, y, row = number + 1, MARGIN_MM, MARGIN_MM + 10, 0.0
        found.append(Placed(piece, number, (x, y)))
        x, row = x + wide + APART_MM, max(row, high)
    return tuple(found)


def plans(mat: Enclosure) -> dict[str, str]:
    """File name to content of every page."""
    placed = arranged(panels(mat))
    title = f"{mat.camera.name}, {mat.window_name} windows, {mat.card_name} cards"
    pages = range(1, max(one.page for one in placed) + 1)
    return {f"foam-{number}.svg": _page([one for one in placed if one.page == number], number, title) for number in pages}


def _page(placed: Sequence[Placed], number: int, title: str) -> str:
    drawn = [
        text((MARGIN_MM, 9), f"Foam board, page {number}: {title}. Red: cut. Blue: draw only. At 100 % the ruler is 100 mm.", 4),
        line([(PAGE_MM[0] - 120, 12), (PAGE_MM[0] - 20, 12)], MARK, 0.4),
        *(line([(PAGE_MM[0] - 120 + tick, 10), (PAGE_MM[0] - 120 + tick, 14)], MARK, 0.3) for tick in range(0, 101, 10)),
    ]
    for one in placed:
        drawn += _drawn(one)
    return page(PAGE_MM, drawn, f"Cutting plan, page {number}")


def _arc(panel: Panel, x: float, y: float, radius: float) -> list[Spot]:
    """What of a circle lies on the panel: a whole one, or the notch in its lower edge."""
    around = [(x + radius * cos(radians(angle)), y + radius * sin(radians(angle))) for angle in range(90, 451, 3)]
    return [spot for spot in around if spot[1] <= panel.size[1]]


def free_height(panel: Panel, size: float) -> float:
    """Where the name of a panel, in letters of this size, crosses nothing; its middle where there is no such place."""
    wide, high = panel.size
    half = 0.3 * size * len(panel.name)
    lines = [(hole.x, hole.y, hole.x + hole.width, hole.y + hole.height) for hole in panel.holes]
    lines += [(min(a, c), min(b, d), max(a, c), max(b, d)) for (a, b), (c, d) in panel.marks]
    lines += [(x - radius, y - radius, x + radius, y + radius) for x, y, radius in panel.rounds]
    for share in (0.5, 0.1, 0.3, 0.7, 0.9):
        base = min(high - 1, high * share + 1.5)
        crossed = (
            left < wide / 2 + half and right > wide / 2 - half and top < base + 1 and bottom > base - size
            for left, top, right, bottom in lines
        )
        if not any(crossed):
            return base
    return min(high - 1, high / 2 + 1.5)


def _drawn(one: Placed) -> list[str]:
    x, y = one.at
    panel = one.panel
    drawn = [line([(x + a, y + b) for a, b in panel.outline], CUT, 0.3, closed=True)]
    for hole in panel.holes:
        corners = ((hole.x, hole.y), (hole.x + hole.width, hole.y), (hole.x + hole.width, hole.y + hole.height),
                   (hole.x, hole.y + hole.height))  # fmt: skip
        drawn.append(line([(x + a, y + b) for a, b in corners], CUT, 0.3, closed=True))
    drawn += [line([(x + a, y + b) for a, b in _arc(panel, *round_)], CUT, 0.3) for round_ in panel.rounds]
    drawn += [line([(x + a, y + b), (x + c, y + d)], MARK, 0.25, dashed=True) for (a, b), (c, d) in panel.marks]
    wide, size = panel.size[0], min(4.0, panel.size[0] / (0.6 * len(panel.name)))
    drawn.append(text((x + wide / 2, y + free_height(panel, size)), panel.name, size, "middle", "#616161"))
    return drawn
