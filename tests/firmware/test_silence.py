"""Cameras that fall silent are noticed by the clock; what observers find comes with the seat."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from companion.observation import Trouble, TroubleKind
from companion.picture import RowSight
from firmware.rig import mat_station, stations
from firmware.silence import CameraWatch

PLAN = stations(("mat", "tap", "mat"), RowSight.OVERHEAD)
NOTICED_S = 2.0
"""So soon a silence has to be noticed."""


@dataclass
class Eye:
    """What a camera watch asks of an observer."""

    trouble_kind: TroubleKind | None = None
    trouble_since: float = 0.0
    other_board: int | None = None


def a_watch() -> tuple[CameraWatch, dict[str, Eye]]:
    eyes = {station.camera: Eye() for station in PLAN}
    return CameraWatch(PLAN, eyes), eyes  # type: ignore[arg-type]


def fed(watch: CameraWatch, start: float, end: float, period: float, lost: int = 0, without: str = "") -> float:
    """Frames of every camera from `start` to `end`, but for each `lost`-th and for one camera; the time of the last one."""
    time, number = start, 0
    while time <= end:
        number += 1
        for station in PLAN:
            if station.camera != without and not (lost and number % lost == 0):
                watch.hear(station.camera, time)
        assert watch.troubles(time) == () or without
        last, time = time, time + period
    return last


def first_noticed(watch: CameraWatch, time: float) -> float:
    while not watch.troubles(time):
        time += 0.05
    return time


def test_cameras_that_send_are_in_no_trouble() -> None:
    watch, _ = a_watch()
    fed(watch, 0.0, 30.0, 0.1)
    fed(watch, 30.0, 60.0, 0.1, lost=3)


def test_silence_is_noticed_by_the_clock_alone() -> None:
    watch, _ = a_watch()
    last = fed(watch, 0.0, 5.0, 0.1)
    noticed = first_noticed(watch, last)
    assert 1.0 < noticed - last <= NOTICED_S
    assert watch.troubles(noticed) == tuple(Trouble(TroubleKind.SILENT, seat, last) for seat in (0, 2, None))


def test_one_silent_camera_is_the_only_one_named() -> None:
    watch, _ = a_watch()
    last = fed(watch, 0.0, 5.0, 0.1)
    fed(watch, 5.1, 8.0, 0.1, without="mat2")
    assert watch.troubles(8.0) == (Trouble(TroubleKind.SILENT, 2, last),)
    watch.hear("mat2", 8.1)
    assert watch.troubles(8.1) == ()


def test_a_camera_that_never_sends_is_silent() -> None:
    watch, _ = a_watch()
    assert watch.troubles(3.0) == ()
    assert {each.seat for each in watch.troubles(3.0 + NOTICED_S)} == {0, 2, None}


@pytest.mark.parametrize("period", [0.5, 1.0, 2.0])
def test_slow_cameras_are_given_time(period: float) -> None:
    watch, _ = a_watch()
    last = fed(watch, 0.0, 60.0, period, lost=5)
    assert watch.troubles(last + 2.9 * period) == ()
    assert len(watch.troubles(last + max(NOTICED_S, 5 * period))) == 3


def test_a_long_silence_is_no_habit() -> None:
    watch, _ = a_watch()
    fed(watch, 0.0, 5.0, 0.1)
    last = fed(watch, 100.0, 101.0, 0.1)
    assert first_noticed(watch, last) - last <= NOTICED_S


def test_a_frame_that_comes_late_is_as_old_as_its_picture() -> None:
    watch, _ = a_watch()
    fed(watch, 0.0, 5.0, 0.1)
    for _ in range(10):
        watch.hear("mat0", 5.0)
    assert watch.troubles(8.0)[0] == Trouble(TroubleKind.SILENT, 0, 5.0)


def test_what_an_observer_finds_comes_with_the_seat() -> None:
    watch, eyes = a_watch()
    fed(watch, 0.0, 5.0, 0.1)
    eyes["mat2"] = Eye(TroubleKind.DARK, 4.0)
    watch, _ = CameraWatch(PLAN, eyes), eyes  # type: ignore[arg-type]
    assert watch.troubles(5.0) == (Trouble(TroubleKind.DARK, 2, 4.0),)


def test_another_board_is_named_by_its_seat_if_it_is_one() -> None:
    eyes = {station.camera: Eye() for station in PLAN}
    eyes["mat0"] = Eye(TroubleKind.OTHER_BOARD, 4.0, 2)
    eyes["mat2"] = Eye(TroubleKind.OTHER_BOARD, 4.0, 4)
    watch = CameraWatch(PLAN, eyes)  # type: ignore[arg-type]
    assert [(each.seat, each.other) for each in watch.troubles(5.0)] == [(0, 2), (2, None)]
    assert mat_station(4).camera not in eyes
