"""Which cameras can be believed: what counts, what is waited for, what goes by hand, and the way back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.observation import CameraReport, Trouble, TroubleKind
from companion.picture import RowSight, Sight
from companion.table import row, slot
from companion.watch import BACK_S, BY_HAND_S, COUNTS_S, Watch, station_of

SIGHT = Sight((True, False, True), RowSight.OVERHEAD)


def trouble(seat: int | None = 2, since: float = 10.0, kind: TroubleKind = TroubleKind.DARK) -> Trouble:
    return Trouble(kind, seat, since)


def failing(*troubles: Trouble, at: float = 10.0) -> Watch:
    return Watch().heard(CameraReport(at, troubles or (trouble(),)))


def test_a_flicker_is_not_said() -> None:
    watch = failing().at(10.0 + COUNTS_S - 0.1)
    assert (watch.said, watch.waiting, watch.by_hand) == ((), False, frozenset())
    healed = watch.heard(CameraReport(watch.now, ())).at(20.0)
    assert healed == Watch(now=20.0)


def test_a_trouble_is_said_and_waited_for_and_then_goes_by_hand() -> None:
    watch = failing().at(10.0 + COUNTS_S)
    assert (watch.said, watch.waiting, watch.by_hand) == ((trouble(),), True, frozenset())
    assert watch.narrowed(SIGHT) == SIGHT
    watch = watch.at(10.0 + BY_HAND_S)
    assert (watch.said, watch.waiting, watch.by_hand) == ((trouble(),), False, frozenset({2}))
    assert watch.narrowed(SIGHT) == Sight((True, False, False), RowSight.OVERHEAD)


def test_a_tray_by_hand_is_a_table_whose_row_nobody_sees() -> None:
    watch = failing(trouble(None)).at(10.0 + BY_HAND_S)
    assert watch.narrowed(SIGHT) == Sight((True, False, True), RowSight.NONE)
    assert watch.unseen == {None}


def test_a_second_failure_is_waited_for_while_the_first_goes_by_hand() -> None:
    watch = failing().at(14.0).heard(CameraReport(14.0, (trouble(), trouble(0, 14.0)))).at(16.0)
    assert watch.waiting
    assert watch.by_hand == {2}
    assert [each.seat for each in watch.said] == [0, 2]


@pytest.mark.parametrize("lasted", [COUNTS_S + 0.5, BY_HAND_S + 3])
def test_a_camera_that_sees_for_a_while_is_back_and_has_to_be_proven(lasted: float) -> None:
    end = 10.0 + lasted
    watch = failing().at(end).heard(CameraReport(end, ()))
    still = watch.at(end + BACK_S - 0.1)
    assert still.unseen == {2}
    assert still.by_hand == watch.by_hand
    back = watch.at(end + BACK_S)
    assert (back.said, back.unproven) == ((), frozenset({2}))
    assert back.proven([0]).unproven == {2}
    assert back.proven([2, 0]).unproven == frozenset()


def test_one_picture_now_and_then_is_not_enough() -> None:
    watch = failing()
    for step in range(1, 60):
        at = 10.0 + 0.1 * step
        watch = watch.heard(CameraReport(at, () if step % 5 == 0 else (trouble(since=at),))).at(at)
    assert watch.by_hand == {2}, "it is the same trouble as before"


def test_the_newest_kind_of_a_lasting_trouble_is_said() -> None:
    watch = failing().heard(CameraReport(12.0, (trouble(since=12.0, kind=TroubleKind.SILENT),))).at(12.0)
    assert watch.said == (trouble(since=10.0, kind=TroubleKind.SILENT),)


def test_after_a_restart_everything_has_to_be_proven() -> None:
    assert Watch.after_restart(SIGHT).unproven == {0, 2, None}
    assert Watch.after_restart(Sight((False, True), RowSight.NONE)).unproven == {1}


def test_places_belong_to_what_their_camera_looks_at() -> None:
    assert station_of(slot(3, 1)) == 3
    assert station_of(row(2)) is None


stations = st.one_of(st.none(), st.integers(0, 4))
reports = st.lists(st.tuples(st.floats(0.0, 3.0), st.sets(stations, max_size=3)), max_size=40)


@given(reports)
def test_whatever_is_reported_the_watch_stays_sound(story: list[tuple[float, set[int | None]]]) -> None:
    watch, now = Watch(), 0.0
    for pause, blind in story:
        now += pause
        watch = watch.at(now).heard(CameraReport(now, tuple(trouble(station, now) for station in blind))).at(now)
        known = [each.trouble.seat for each in watch.blind]
        assert len(known) == len(set(known))
        assert blind <= set(known)
        assert watch.by_hand <= watch.unseen <= set(known)
        assert watch.waiting is bool(watch.unseen - watch.by_hand)
    healed = watch.heard(CameraReport(now, ())).at(now + BACK_S + 0.01)
    assert (healed.blind, healed.waiting) == ((), False)
    assert watch.unseen <= healed.unproven
