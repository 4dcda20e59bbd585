"""Light through every mat: all is seen whole, and whatever would hide a part is found."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import isclose
from types import MappingProxyType
from typing import Any

import pytest

from vision.enclosure import Blinker, Enclosure, Mirror, Strip
from vision.optics import OPTICS, Optics
from vision.raytrace import Fault, met, mirrored, share_seen, trace

WINDOWS = tuple(f"window {number}" for number in range(1, 6))
OWNERS = tuple(f"the owner's window {number}" for number in range(1, 6))


def part(name: str, **changes: Any) -> Optics:
    """The table's sizes with one part changed."""
    return replace(OPTICS, **{name: replace(getattr(OPTICS, name), **changes)})


def entry(name: str, key: str, **changes: Any) -> Optics:
    """The table's sizes with one of several windows or cameras changed."""
    table = getattr(OPTICS, name)
    return replace(OPTICS, **{name: MappingProxyType({**table, key: replace(table[key], **changes)})})


def hidden(optics: Optics, camera: str = "cm3", window: str = "standard") -> dict[str, set[str]]:
    """Reason to what is hidden for it."""
    found: dict[str, set[str]] = {}
    for fault in trace(Enclosure(camera, window, optics=optics)).faults:
        found.setdefault(fault.why, set()).add(fault.what)
    return found


@pytest.mark.parametrize(("camera", "window"), tuple(product(OPTICS.camera, OPTICS.window)))
def test_every_window_marker_and_the_owners_view_are_seen_whole(camera: str, window: str) -> None:
    sight = trace(Enclosure(camera, window))
    assert sight.faults == ()
    assert sight.rays == 25 * (5 + 8 + 3 * 5)
    assert sight.px_per_mm > 6.0
    assert sight.spare_mm >= OPTICS.aim.slack_mm


@pytest.mark.long
@pytest.mark.parametrize("names", tuple(product(OPTICS.camera, OPTICS.window, ("bridge", "sleeved"))))
def test_so_are_they_for_every_kind_of_card(names: tuple[str, str, str]) -> None:
    assert trace(Enclosure(*names)).faults == ()


def test_without_a_bevel_the_plate_hides_the_inner_edges_of_the_outer_windows() -> None:
    found = hidden(part("plate", bevel_mm=0.0))["the edge of the plate hides a part"]
    assert found & set(WINDOWS) == {"window 1", "window 2", "window 4", "window 5"}


def test_the_wide_camera_needs_a_thinner_plate_than_the_other() -> None:
    thick = part("plate", thickness_mm=4.0)
    assert hidden(thick, "cm3") == {}
    assert hidden(thick, "cm3-wide") == {"the edge of the plate hides a part": {"window 1", "window 5"}}


@pytest.mark.parametrize("size", [(300.0, 38.0), (270.0, 45.0)])
def test_a_mirror_that_is_too_small_is_found(size: tuple[float, float]) -> None:
    found = hidden(entry("window", "standard", mirror_mm=size))
    assert found.keys() == {"the camera's mirror is too small"}
    assert {"window 1", "window 5"} <= found["the camera's mirror is too small"]


def test_an_owners_mirror_that_is_too_small_hides_the_owners_windows_alone() -> None:
    found = hidden(entry("window", "standard", peek_mirror_mm=(300.0, 30.0)))
    assert found == {"the owner's mirror is too small": set(OWNERS)}


def test_a_box_that_is_too_low_is_found() -> None:
    found = hidden(entry("window", "standard", inner_height_mm=38.0))
    assert found["the floor is in the way"] == {*WINDOWS, *OWNERS}
    assert found["a mirror reaches through it"] == {"the floor"}


def test_a_lamp_that_hangs_into_the_beam_is_found() -> None:
    found = hidden(part("lamp", depth_mm=16.0))
    assert set(WINDOWS) <= found["the lip of a light channel is in the way"]


def test_an_owners_mirror_that_lies_too_high_looks_against_the_plate() -> None:
    found = hidden(entry("window", "standard", peek_depth_mm=15.0))
    assert found["the plate is in the way"] == set(OWNERS)


def test_a_path_that_is_too_short_loses_the_outermost_windows() -> None:
    found = hidden(entry("camera", "cm3", path_mm={"standard": 225.0, "large": 238.0}))
    assert found == {"outside the camera's field of view, its aim's slack included": {"window 1", "window 5"}}


def test_a_camera_that_cannot_focus_so_near_is_found() -> None:
    found = hidden(entry("camera", "cm3", nearest_mm=1000.0))
    assert found == {"nearer than the 1000 mm at which the camera begins to focus": {"every window"}}


def test_a_bevel_that_reaches_a_marker_is_found() -> None:
    assert hidden(part("plate", bevel_mm=12.0))["a window's bevel cuts into it"] == {f"marker {id_}" for id_ in range(8)}


def test_a_thicker_mirror_reaches_through_the_wall() -> None:
    assert hidden(part("mirror", thickness_mm=6.0), window="large") == {
        "the camera's mirror reaches through it": {"the wall between camera and owner"}
    }


def test_the_owner_sees_all_between_two_heights_and_nothing_from_far_above() -> None:
    assert trace(Enclosure()).eyes_mm == (290.0, 400.0)
    assert trace(Enclosure(optics=part("eye", height_mm=600.0))).eyes_mm is None


def test_blinkers_hide_the_owners_windows_from_a_neighbour_and_not_from_the_owner() -> None:
    class Open(Enclosure):
        """Without them."""

        @property
        def blinkers(self) -> tuple[Blinker, ...]:
            return ()

    height, front = OPTICS.eye.height_mm, OPTICS.eye.front_mm
    assert [share_seen(Enclosure(), aside, front, height) for aside in (0.0, 60.0, 800.0)] == [1.0, 1.0, 0.008]
    assert share_seen(Open(), 800.0, front, height) > 0.5


def test_a_blinker_in_front_of_a_window_is_found() -> None:
    class Crossed(Enclosure):
        @property
        def blinkers(self) -> tuple[Blinker, ...]:
            return (replace(super().blinkers[0], x=self.peeks[2].x + 8.0),)

    assert Fault("the owner's window 3", "a blinker is in the way") in trace(Crossed()).faults


def test_strips_of_leds_are_hidden_from_glossy_cards_by_how_they_lie() -> None:
    class Upright(Enclosure):
        """The strip of the far channel stands on edge, in sight of the mirror, and its lip is gone."""

        @property
        def lamps(self) -> tuple[Strip, ...]:
            return (Strip("a strip of LEDs", (-14.0, -9.0), (-14.0, -1.0)),)

        @property
        def obstacles(self) -> tuple[Strip, ...]:
            return tuple(strip for strip in super().obstacles if "channel" not in strip.name)

    shown = [fault for fault in trace(Upright()).faults if fault.why == "a glossy card would show the strip of LEDs"]
    assert shown == [Fault(window, "a glossy card would show the strip of LEDs") for window in WINDOWS]


def test_a_ray_over_a_mirror_is_as_long_as_the_straight_one_to_the_image() -> None:
    mirror = Mirror(Strip("a mirror", (0.0, -10.0), (10.0, 0.0)), (0.0, 10.0))
    assert mirrored((3.0, -90.0, -5.0), mirror) == (3.0, 5.0, -100.0)
    turn = met((3.0, 5.0, 2.0), mirror, (3.0, -90.0, -5.0))
    assert turn is not None
    assert turn[0] == 3.0
    assert isclose(turn[1], 5.0)
    assert isclose(turn[2], -5.0)
    assert isclose((2.0 - turn[2]) + (turn[1] + 90.0), 102.0)
