"""Follows light through a mat: from each window and marker over its mirror to the lens or to the owner's eye.

A ray starts at a point that has to be seen, leaves the plate through its hole, meets its mirror and ends at the lens or the eye;
whatever else it meets on the way is said.  Holes, mirrors and walls are those of `vision.enclosure`; nothing is taken for
granted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import atan2, degrees, hypot, radians, sin, tan

from vision.enclosure import Blinker, Enclosure, Flat, Mirror, Point, Strip
from vision.layout import Rect

STEPS = 4
"""Into so many pieces the sides of a window are cut; every corner of a piece sends a ray."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that hides a part of what has to be seen."""

    what: str
    """What is not seen whole: ``window 1``, ``marker 3``, ``the owner's window 2``."""
    why: str


@dataclass(frozen=True, slots=True)
class Sight:
    """What came of one mat."""

    enclosure: Enclosure
    px_per_mm: float
    """Of the sensor; the same all over the strip, as a lens without distortion shows a flat thing."""
    spare_mm: float
    """What the picture shows beyond the outermost window, to the left and right."""
    steepest_deg: float
    """The largest angle of a ray at the card, against the plate's normal."""
    rays: int
    eyes_mm: Flat | None
    """Lowest and highest place above the plate from which an eye sees the owner's windows whole; None where there is none."""
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class _Inside:
    """What a ray may meet in an enclosure, worked out once."""

    enclosure: Enclosure
    strips: tuple[Strip, ...]
    plate: Strip
    camera_mirror: Mirror
    peek_mirror: Mirror
    blinkers: tuple[Blinker, ...]
    field_mm: Flat
    """Half of what the lens sees, wide and high, for a depth of one."""


def _inside(enclosure: Enclosure) -> _Inside:
    wide, high = (tan(radians(angle / 2)) for angle in enclosure.camera.field_deg)
    return _Inside(
        enclosure,
        enclosure.obstacles,
        enclosure.plate,
        enclosure.camera_mirror,
        enclosure.peek_mirror,
        (*enclosure.blinkers, *enclosure.cheeks),
        (wide, high),
    )


def trace(enclosure: Enclosure) -> Sight:
    """Follow every ray of a mat."""
    inside = _inside(enclosure)
    layout, top = enclosure.layout, enclosure.optics.plate.thickness_mm
    aim, lens, mirror = enclosure.optics.aim.slack_mm, enclosure.lens, inside.camera_mirror
    faults: list[Fault] = []
    rays, steepest = 0, 0.0
    for number, window in enumerate(layout.windows, 1):
        for point in _points(window, top):
            rays += 1
            faults += (Fault(f"window {number}", why) for why in _to_camera(inside, point, lens, aim, window))
            steepest = max(steepest, _slant(point, mirrored(lens, mirror)))
    for marker in layout.markers:
        for point in _points(marker.square, 0.0):
            rays += 1
            faults += (Fault(f"marker {marker.id}", why) for why in _to_camera(inside, point, lens, aim, None))
        faults += (Fault(f"marker {marker.id}", why) for why in _cut_into(enclosure, marker.square))
    for number, window in enumerate(enclosure.peeks, 1):
        for eye in _eyes(enclosure):
            for point in _points(window, top):
                rays += 1
                why_not = _past(inside, point, inside.peek_mirror, eye, window)
                faults += (Fault(f"the owner's window {number}", why) for why in why_not)
    faults += _shine(inside) + _walled_off(enclosure) + _focus(enclosure)
    half_mm = enclosure.path_mm * tan(radians(enclosure.camera.field_deg[0] / 2))
    outermost = max(abs(x - enclosure.middle_x) for one in layout.windows for x in (one.x, one.x + one.width))
    return Sight(
        enclosure,
        px_per_mm=enclosure.camera.px_per_mm(enclosure.path_mm),
        spare_mm=half_mm - outermost,
        steepest_deg=steepest,
        rays=rays,
        eyes_mm=_eye_heights(inside),
        faults=tuple(dict.fromkeys(faults)),
    )


def mirrored(point: Point, mirror: Mirror) -> Point:
    """The image of a point behind a mirror."""
    (y0, z0), (y1, z1) = mirror.section.start, mirror.section.end
    along, up = y1 - y0, z1 - z0
    square = along**2 + up**2
    share = ((point[1] - y0) * along + (point[2] - z0) * up) / square
    foot = y0 + share * along, z0 + share * up
    return point[0], 2 * foot[0] - point[1], 2 * foot[1] - point[2]


def met(point: Point, mirror: Mirror, target: Point) -> Point | None:
    """Where the ray from `point` over the mirror to `target` meets the mirror's plane; None where it never does."""
    image = mirrored(target, mirror)
    share = _crossing((point[1], point[2]), (image[1], image[2]), mirror.section.start, mirror.section.end)
    if share is None:
        return None
    return _between(point, image, share[0])


def _to_camera(inside: _Inside, point: Point, lens: Point, aim_mm: float, window: Rect | None) -> Iterator[str]:
    """Why the camera does not see a point."""
    yield from _past(inside, point, inside.camera_mirror, lens, window)
    image = mirrored(lens, inside.camera_mirror)
    depth = point[2] - image[2]
    wide, high = (depth * share for share in inside.field_mm)
    if abs(point[0] - image[0]) + aim_mm > wide or abs(point[1] - image[1]) + aim_mm > high:
        yield "outside the camera's field of view, its aim's slack included"


def _past(inside: _Inside, point: Point, mirror: Mirror, target: Point, window: Rect | None) -> Iterator[str]:
    """Why a point is not seen from `target`: the plate, the mirror's end, or whatever stands in the way."""
    image = mirrored(target, mirror)
    if window is not None and not _through(inside.enclosure, point, image, window):
        yield "the edge of the plate hides a part"
    turn = met(point, mirror, target)
    if turn is None or not (mirror.x[0] <= turn[0] <= mirror.x[1]) or not _on(mirror.section, (turn[1], turn[2])):
        yield f"{mirror.section.name} is too small"
        return
    # A marker is printed on the plate, and a window's rim is a part of it: both begin just below it.
    start = _between(point, turn, 1e-3) if window is None else _at_height(point, turn, -1e-6)
    for leg, strips in (((start, turn), inside.strips), ((turn, target), (*inside.strips, inside.plate))):
        yield from (f"{strip.name} is in the way" for strip in strips if _hits(leg, strip))
    if any(_stopped(leg, wall) for leg in ((start, turn), (turn, target)) for wall in inside.blinkers):
        yield "a blinker is in the way"
    for other in (inside.camera_mirror, inside.peek_mirror):
        if other != mirror and (_hits((start, turn), other.section) or _hits((turn, target), other.section)):
            yield f"{other.section.name} is in the way"


def _through(enclosure: Enclosure, point: Point, image: Point, window: Rect) -> bool:
    """Whether the straight ray stays inside the hole, which grows with depth."""
    plate = enclosure.optics.plate
    levels = (
        (plate.thickness_mm, plate.rim_mm),
        (plate.thickness_mm - plate.lip_mm, plate.rim_mm),
        (0.0, plate.rim_mm + plate.bevel_mm),
    )
    for height, wider in levels:
        x, y, _ = _at_height(point, image, height)
        inside_x = window.x - wider <= x <= window.x + window.width + wider
        if not (inside_x and window.y - wider <= y <= window.y + window.height + wider):
            return False
    return True


def _cut_into(enclosure: Enclosure, square: Rect) -> Iterator[str]:
    """Holes of the underside that take a piece out of a marker."""
    reach = enclosure.reach_mm
    for hole in (*enclosure.layout.windows, *enclosure.peeks):
        apart_x = square.x + square.width <= hole.x - reach or square.x >= hole.x + hole.width + reach
        apart_y = square.y + square.height <= hole.y - reach or square.y >= hole.y + hole.height + reach
        if not (apart_x or apart_y):
            yield "a window's bevel cuts into it"


def _shine(inside: _Inside) -> list[Fault]:
    """Windows whose glossy card would show a strip of LEDs to the camera: the ray is followed on from the card."""
    found, enclosure, lamps = [], inside.enclosure, inside.enclosure.lamps
    image = mirrored(enclosure.lens, inside.camera_mirror)
    for number, window in enumerate(enclosure.layout.windows, 1):
        for point in _points(window, enclosure.optics.plate.thickness_mm):
            away = (point[0] + point[0] - image[0], point[1] + point[1] - image[1], image[2])
            start = _at_height(point, away, -1e-6)
            if any(_lit(inside, start, away, lamp) for lamp in lamps):
                found.append(Fault(f"window {number}", "a glossy card would show the strip of LEDs"))
    return found


def _lit(inside: _Inside, start: Point, away: Point, lamp: Strip) -> bool:
    """Whether a ray that goes down from a card ends on a strip of LEDs, directly or over the camera's mirror."""
    section = inside.camera_mirror.section
    share = _crossing((start[1], start[2]), (away[1], away[2]), section.start, section.end)
    if share is None or not 0 < share[0] < 1 or not 0 <= share[1] <= 1:
        return _first(inside, start, away, lamp)
    turn = _between(start, away, share[0])
    onward = mirrored(away, inside.camera_mirror)
    beyond = _between(turn, onward, 1e-6)
    return _first(inside, beyond, onward, lamp)


def _first(inside: _Inside, start: Point, end: Point, lamp: Strip) -> bool:
    """Whether the strip is the first thing that a leg meets; it lies on its channel's floor, which does not count."""
    reached = _share(start, end, lamp)
    if reached is None:
        return False
    others = (_share(start, end, strip) for strip in inside.strips if strip.name != "the floor of a light channel")
    return all(other is None or other > reached for other in others)


def _walled_off(enclosure: Enclosure) -> list[Fault]:
    """Parts that stand in each other's place: the mirrors' backs reach to the other side of the wall."""
    found = []
    half, thick = enclosure.optics.box.partition_mm / 2, enclosure.optics.mirror.thickness_mm
    back = thick * sin(radians(enclosure.optics.mirror.camera_deg))
    highest_y = enclosure.camera_mirror.section.end[0] + back
    if highest_y > enclosure.wall_y - half:
        found.append(Fault("the wall between camera and owner", f"{enclosure.camera_mirror.section.name} reaches through it"))
    if enclosure.peek_mirror.section.start[0] < enclosure.wall_y + half:
        found.append(Fault("the wall between camera and owner", f"{enclosure.peek_mirror.section.name} reaches through it"))
    lowest = min(enclosure.camera_mirror.section.start[1], enclosure.peek_mirror.section.end[1]) - thick
    if lowest < enclosure.floor_z:
        found.append(Fault("the floor", "a mirror reaches through it"))
    return found


def _focus(enclosure: Enclosure) -> list[Fault]:
    near = enclosure.camera.nearest_mm
    if enclosure.path_mm >= near:
        return []
    return [Fault("every window", f"nearer than the {near:g} mm at which the camera begins to focus")]


def _points(rect: Rect, z: float) -> Iterator[Point]:
    """A grid over a rectangle, its rim included."""
    for across in range(STEPS + 1):
        for along in range(STEPS + 1):
            yield rect.x + rect.width * across / STEPS, rect.y + rect.height * along / STEPS, z


def _eyes(enclosure: Enclosure) -> Iterator[Point]:
    """The eye in the middle of the mat, and at both ends of its reach."""
    eye, optics = enclosure.optics.eye, enclosure.optics
    middle = ((optics.mat.slots - 1) * optics.mat.pitch_mm + enclosure.card_mm[0]) / 2
    for aside in (-eye.reach_mm, 0.0, eye.reach_mm):
        yield middle + aside, enclosure.card_mm[1] + eye.front_mm, optics.plate.thickness_mm + eye.height_mm


EYE_HEIGHTS = range(200, 601, 10)
"""Where an eye is looked for, in millimetres above the plate."""


def _eye_heights(inside: _Inside) -> Flat | None:
    """The heights that are good together with the planned one, in front of the middle of the mat."""
    enclosure = inside.enclosure
    _, (x, y, planned), _ = _eyes(enclosure)
    plate = enclosure.optics.plate.thickness_mm
    peeks = enclosure.peeks
    corners = [
        ((rect.x + across * rect.width, rect.y + along * rect.height, plate), rect)
        for rect in (peeks[0], peeks[-1])
        for across in (0, 1)
        for along in (0, 1)
    ]

    def good(height: float) -> bool:
        eye = (x, y, plate + height)
        return not any(any(_past(inside, point, inside.peek_mirror, eye, rect)) for point, rect in corners)

    found = [float(height) for height in EYE_HEIGHTS if good(height)]
    return (min(found), max(found)) if good(planned - plate) and found else None


def _slant(point: Point, image: Point) -> float:
    return degrees(atan2(hypot(point[0] - image[0], point[1] - image[1]), point[2] - image[2]))


def _between(start: Point, end: Point, share: float) -> Point:
    x, y, z = (one + (other - one) * share for one, other in zip(start, end, strict=True))
    return x, y, z


def _at_height(start: Point, end: Point, z: float) -> Point:
    return _between(start, end, (z - start[2]) / (end[2] - start[2]))


def _on(strip: Strip, at: Flat) -> bool:
    """Whether a point of the strip's line lies between its ends."""
    (y0, z0), (y1, z1) = strip.start, strip.end
    share = ((at[0] - y0) * (y1 - y0) + (at[1] - z0) * (z1 - z0)) / ((y1 - y0) ** 2 + (z1 - z0) ** 2)
    return 0.0 <= share <= 1.0


def _stopped(leg: tuple[Point, Point], wall: Blinker) -> bool:
    """Whether a leg goes through a wall that stands across the mat."""
    (x0, y0, z0), (x1, y1, z1) = leg
    if (x0 - wall.x) * (x1 - wall.x) >= 0:
        return False
    share = (wall.x - x0) / (x1 - x0)
    y, z = y0 + (y1 - y0) * share, z0 + (z1 - z0) * share
    corners = wall.corners
    turns = [
        (b[0] - a[0]) * (z - a[1]) - (b[1] - a[1]) * (y - a[0]) for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)
    ]
    return all(turn <= 0 for turn in turns) or all(turn >= 0 for turn in turns)


def share_seen(enclosure: Enclosure, aside_mm: float, front_mm: float, height_mm: float) -> float:
    """How much of the owner's windows an eye sees, 0 to 1: `aside_mm` to the owner's left of the middle (or to the right, below
    zero), `front_mm` in front of the cards' near edge, `height_mm` above the plate.
    """
    inside, top = _inside(enclosure), enclosure.optics.plate.thickness_mm
    mat = enclosure.optics.mat
    eye = (
        ((mat.slots - 1) * mat.pitch_mm + enclosure.card_mm[0]) / 2 + aside_mm, enclosure.card_mm[1] + front_mm, top + height_mm
    )  # fmt: skip
    points = [(point, window) for window in enclosure.peeks for point in _points(window, top)]
    seen = sum(not any(_past(inside, point, inside.peek_mirror, eye, window)) for point, window in points)
    return seen / len(points)


def _hits(leg: tuple[Point, Point], strip: Strip) -> bool:
    return _share(*leg, strip) is not None


def _share(start: Point, end: Point, strip: Strip) -> float | None:
    """How far along a leg it meets a strip, 0 to 1, or None where it does not."""
    found = _crossing((start[1], start[2]), (end[1], end[2]), strip.start, strip.end)
    if found is None or not (1e-9 < found[0] < 1 - 1e-9 and 0.0 <= found[1] <= 1.0):
        return None
    return found[0]


def _crossing(a: Flat, b: Flat, c: Flat, d: Flat) -> tuple[float, float] | None:
    """Where the lines a-b and c-d cross, as shares of both; None for parallel ones."""
    run, rise, along, up = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
    turn = run * up - rise * along
    if abs(turn) < 1e-12:
        return None
    y, z = c[0] - a[0], c[1] - a[1]
    return (y * up - z * along) / turn, (y * rise - z * run) / turn


def trace_all(enclosures: Iterable[Enclosure]) -> tuple[Sight, ...]:
    """One sight for each mat."""
    return tuple(trace(one) for one in enclosures)
