"""Where plate, mirrors, lens, lamps and walls of one mat are; millimetres.

x and y are those of `vision.layout`: y grows towards the owner.  z points up and is 0 at the underside of the plate, so a card's
face lies at z = `plate.thickness_mm` and everything inside the box has a negative z.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import cos, radians, sin, tan

from vision.layout import Layout, Rect, mat_layout
from vision.optics import OPTICS, STANDARD, CameraChoice, Optics, WindowSize

Point = tuple[float, float, float]
Flat = tuple[float, float]
"""y and z: nearly everything in the box has the same section from end to end."""


@dataclass(frozen=True, slots=True)
class Strip:
    """A flat thing that runs along the mat: a mirror, a wall, a floor.  Its section is a line from `start` to `end`."""

    name: str
    start: Flat
    end: Flat


@dataclass(frozen=True, slots=True)
class Mirror:
    """A plane mirror that runs along the mat."""

    section: Strip
    x: Flat
    """Where along the mat it begins and ends."""


@dataclass(frozen=True, slots=True)
class Blinker:
    """A thin wall across the mat, in the owner's half."""

    x: float
    corners: tuple[Flat, ...]
    """Of a convex outline, in order."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """One mat, built for a camera, a size of window and a kind of card."""

    camera_name: str = "cm3"
    window_name: str = STANDARD
    card_name: str = "poker"
    optics: Optics = OPTICS

    @property
    def camera(self) -> CameraChoice:
        return self.optics.find_camera(self.camera_name)

    @property
    def window(self) -> WindowSize:
        return self.optics.find_window(self.window_name)

    @property
    def card_mm(self) -> Flat:
        return self.optics.find_card(self.card_name).size_mm

    @property
    def layout(self) -> Layout:
        return mat_layout(0, self.window_name)

    @property
    def path_mm(self) -> float:
        """From lens to card face."""
        return self.camera.path_mm[self.window_name]

    @property
    def peeks(self) -> tuple[Rect, ...]:
        """The owner's windows, slot 1 first."""
        (width, height), (across, along) = self.window.peek_mm, self.card_mm
        return tuple(Rect(one.x + across - width, along - height, width, height) for one in self.layout.windows)

    @property
    def middle_x(self) -> float:
        """Middle of the row of windows, where the lens is."""
        return ((self.optics.mat.slots - 1) * self.optics.mat.pitch_mm + self.window.size_mm[0]) / 2

    @property
    def reach_mm(self) -> float:
        """How much wider than its window a hole is at the underside, on each side."""
        return self.optics.plate.rim_mm + self.optics.plate.bevel_mm

    @property
    def axis(self) -> Flat:
        """Where the camera's axis meets the plane of its mirror."""
        return self.window.size_mm[1] / 2, -self.window.axis_depth_mm

    @property
    def lens(self) -> Point:
        y, z = self.axis
        return self.middle_x, y - (self.path_mm - self.window.axis_depth_mm - self.optics.plate.thickness_mm), z

    @property
    def camera_mirror(self) -> Mirror:
        """It rises towards the owner."""
        (length, width), rise = self.window.mirror_mm, self.window.mirror_rise_mm
        angle = radians(self.optics.mirror.camera_deg)
        y, z = self.axis[0] + rise / tan(angle), self.axis[1] + rise
        half = (width / 2 * cos(angle), width / 2 * sin(angle))
        section = Strip("the camera's mirror", (y - half[0], z - half[1]), (y + half[0], z + half[1]))
        return Mirror(section, (self.middle_x - length / 2, self.middle_x + length / 2))

    @property
    def peek_mirror(self) -> Mirror:
        """It falls towards the owner, from just before the owner's windows."""
        length, width = self.window.peek_mirror_mm
        angle = radians(self.optics.mirror.peek_deg)
        y, z = self.peeks[0].y - PEEK_LEAD_MM, -self.window.peek_depth_mm
        section = Strip("the owner's mirror", (y, z), (y + width * cos(angle), z - width * sin(angle)))
        middle = self.peeks[-1].x + ((self.optics.mat.slots - 1) * self.optics.mat.pitch_mm + self.window.peek_mm[0]) / 2
        return Mirror(section, (middle - length / 2, middle + length / 2))

    @property
    def blinkers(self) -> tuple[Blinker, ...]:
        """One in the middle of each gap between the owner's windows, from the mirror up to the plate."""
        peeks = sorted(self.peeks, key=lambda one: one.x)
        middles = ((one.x + one.width + other.x) / 2 for one, other in pairwise(peeks))
        (y0, z0), (y1, z1) = self.peek_mirror.section.start, self.peek_mirror.section.end
        end = min(y1, self.front_y - self.optics.box.wall_mm - BLINKER_GAP_MM)
        low = z0 + (z1 - z0) * (end - y0) / (y1 - y0)
        corners = ((y0, 0.0), (end, 0.0), (end, low + BLINKER_GAP_MM), (y0, z0 + BLINKER_GAP_MM))
        return tuple(Blinker(x, corners) for x in middles)

    @property
    def cheeks(self) -> tuple[Blinker, ...]:
        """The inner sides of the box, in the owner's half."""
        back, low, front = self.wall_y, self.floor_z, self.front_y
        corners = ((back, 0.0), (front, 0.0), (front, low), (back, low))
        wall = self.optics.box.wall_mm
        return Blinker(self.sides_x[0] + wall, corners), Blinker(self.sides_x[1] - wall, corners)

    @property
    def front_y(self) -> float:
        """The near edge of plate and box."""
        return self.card_mm[1] + self.optics.box.front_mm

    @property
    def wall_y(self) -> float:
        """Middle of the wall between the camera's half of the box and the owner's."""
        return self.peeks[0].y - PARTITION_GAP_MM - self.optics.box.partition_mm / 2

    @property
    def floor_z(self) -> float:
        return -self.window.inner_height_mm

    @property
    def back_y(self) -> float:
        """Inside of the back wall."""
        return self.lens[1] - self.optics.box.behind_mm

    @property
    def sides_x(self) -> Flat:
        """The outer ends of the mat, along x."""
        mat, side = self.optics.mat, self.optics.box.side_mm
        return -side, (mat.slots - 1) * mat.pitch_mm + max(self.card_mm[0], mat.pitch_mm - self.optics.plate.rail_mm) + side

    @property
    def outside_mm(self) -> tuple[float, float, float]:
        """Width, depth and height of the whole mat, rails apart."""
        box = self.optics.box
        height = self.window.inner_height_mm + box.floor_mm + self.optics.plate.thickness_mm
        return self.sides_x[1] - self.sides_x[0], self.front_y - self.back_y + box.wall_mm + box.ledge_mm, height

    @property
    def lamp_edges(self) -> tuple[float, ...]:
        """y of the lip of each light channel: the far one, and the near one where the wall leaves room for it."""
        lamp = self.optics.lamp
        beside = self.reach_mm + lamp.gap_mm
        near = self.window.size_mm[1] + beside
        room = self.wall_y - self.optics.box.partition_mm / 2 - near
        return (-beside, near) if room >= lamp.channel_mm else (-beside,)

    @property
    def lamps(self) -> tuple[Strip, ...]:
        """The strips of LEDs."""
        lamp, found = self.optics.lamp, []
        for lip, away in self._lips():
            rest = lip + away * (lamp.channel_mm - lamp.strip_mm) / 2
            found.append(Strip("a strip of LEDs", (rest, -lamp.depth_mm), (rest + away * lamp.strip_mm, -lamp.depth_mm)))
        return tuple(found)

    @property
    def obstacles(self) -> tuple[Strip, ...]:
        """What no ray may touch on its way, mirrors, windows and plate apart."""
        lamp, box, front = self.optics.lamp, self.optics.box, self.front_y
        depth, walls = lamp.depth_mm + lamp.wall_mm, []
        for lip, away in self._lips():
            outer = lip - away * lamp.wall_mm
            walls += [
                Strip("the lip of a light channel", (outer, -depth), (outer, lamp.lip_mm - lamp.depth_mm)),
                Strip("the floor of a light channel", (outer, -depth), (lip + away * lamp.channel_mm, -depth)),
            ]
        half = box.partition_mm / 2
        return (
            *walls,
            Strip("the floor", (self.back_y, self.floor_z), (self.front_y, self.floor_z)),
            Strip("the wall between camera and owner", (self.wall_y - half, self.floor_z), (self.wall_y - half, 0.0)),
            Strip("the wall between camera and owner", (self.wall_y + half, self.floor_z), (self.wall_y + half, 0.0)),
            Strip("the brow of the owner's opening", (front, -box.brow_mm), (front, self.optics.plate.thickness_mm)),
            Strip("the sill of the owner's opening", (front, self.floor_z), (front, self.floor_z + box.sill_mm)),
        )

    @property
    def plate(self) -> Strip:
        """The underside of plate and lid: what left through one hole passes no other, for a card lies on it."""
        return Strip("the plate", (self.back_y, 0.0), (self.front_y, 0.0))

    def _lips(self) -> tuple[tuple[float, int], ...]:
        """The lip of each channel, and on which side of it the channel lies: -1 away from the owner, 1 towards."""
        return tuple((edge, -1 if edge < 0 else 1) for edge in self.lamp_edges)


PARTITION_GAP_MM = 3.8
"""From the wall between both halves to the owner's windows; more than their bevel."""
BLINKER_GAP_MM = 0.3
"""Between blinker and mirror, and between blinker and front wall."""
PEEK_LEAD_MM = 2.5
"""The owner's mirror begins so far before the owner's windows."""
