"""The desk on which photographs are put right: how much it takes, how long it keeps it, and who reads."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from companion.cards import Card
from companion.errors import SheetError
from companion.photosheet import Sheet
from firmware import photodesk
from firmware.photodesk import IDLE_S, KEPT_S, MOST_PICTURES, MOST_SHEETS, PhotoDesk
from tests.firmware.photographed import FOUR, WrittenReader, written, written_desk


class Clock:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(clock: Clock) -> Iterator[PhotoDesk]:
    with closing(written_desk(clock)) as opened:
        yield opened


def texts(sheet: Sheet | None) -> list[str]:
    assert sheet is not None
    return [" ".join(str(card or "?") for card in sheet.cards(hand)) for hand in range(len(sheet.hands))]


def test_a_picture_is_read_and_sorted_into_hands(desk: PhotoDesk) -> None:
    key = desk.begin()
    sheet = desk.add(key, written(FOUR))
    assert texts(sheet) == ["As Ks Qs Js 9s", "Kh Kd 4c 5d 6h", "7d 7c 7h ? 2c", "2d 3d 5h 9c Td"]
    unknown = next(spot for spot in sheet.spots if spot.card is None)
    assert unknown.likely == (Card.parse("8s"), Card.parse("8c"))
    assert (unknown.number, unknown.picture) == (1013, 1)
    picture = desk.picture(key, 1)
    assert picture is not None and picture.startswith(b"\xff\xd8")
    assert desk.picture(key, 2) is None and desk.picture("another", 1) is None


def test_pictures_of_one_table_complete_each_other(desk: PhotoDesk) -> None:
    key = desk.begin()
    desk.add(key, written("As Ks ?2c2s 4c 5d"))
    sheet = desk.add(key, written("As Ks 2c 4c 5d"))
    assert texts(sheet) == ["As Ks 2c 4c 5d"]
    assert len(sheet.spots) == 10 and sum(sheet.hand_of(spot.number) is None for spot in sheet.spots) == 5


def test_the_same_picture_twice_is_one_hand(desk: PhotoDesk) -> None:
    key = desk.begin()
    for _ in range(2):
        sheet = desk.add(key, written("As Ks 2c 4c 5d"))
    assert texts(sheet) == ["As Ks 2c 4c 5d"]


def test_what_people_said_outlives_another_picture_and_another_way_to_sort(desk: PhotoDesk) -> None:
    key = desk.begin()
    desk.add(key, written("As Ks ?2c2s 4c 5d"))
    desk.amend(key, lambda sheet: sheet.named(1002, Card.parse("2s")).without(1004).with_card(0, Card.parse("9h")))
    sheet = desk.add(key, written("Qh Qd Qs 3c 3d"))
    assert texts(sheet) == ["As Ks 2s 4c 9h", "Qh Qd Qs 3c 3d"]
    assert texts(desk.sort(key, "photo")) == ["As Ks 2s 4c 9h", "Qh Qd Qs 3c 3d"]


def test_ways_to_sort(desk: PhotoDesk) -> None:
    key = desk.begin()
    desk.add(key, written("As Ks 2c 4c 5d/Qh Qd Qs 3c"))
    assert texts(desk.sort(key, "photo")) == ["As Ks 2c 4c 5d Qh Qd Qs 3c"]
    assert texts(desk.sort(key, "rows")) == ["As Ks 2c 4c 5d", "Qh Qd Qs 3c"]


@pytest.mark.parametrize(
    ("data", "kind"),
    [(b"", "empty"), (b"plain text", "strange"), (b"\xff\xd8\xff\xe0 cut off", "damaged"), (b"GIF89a....", "strange")],
)
def test_what_is_no_picture_is_refused_and_the_others_are_read(desk: PhotoDesk, data: bytes, kind: str) -> None:
    key = desk.begin()
    sheet = desk.add(key, data)
    assert [(snap.state, snap.kind) for snap in sheet.snaps] == [("refused", kind)]
    assert texts(desk.add(key, written("As Ks 2c 4c 5d"))) == ["As Ks 2c 4c 5d"]


def test_a_reader_that_fails_refuses_one_picture_only(desk: PhotoDesk, caplog: pytest.LogCaptureFixture) -> None:
    reader = desk._reader
    assert isinstance(reader, WrittenReader)
    key = desk.begin()

    def fail() -> None:
        raise MemoryError("As Ks")

    reader.before = fail
    assert desk.add(key, written("As")).snaps[0].kind == "unreadable"
    assert "MemoryError" in caplog.text and "As" not in caplog.text
    reader.before = lambda: None
    assert texts(desk.add(key, written("As"))) == ["As"]


# ---- bounds --------------------------------------------------------------------------------------------------------


def test_sheets_are_deleted_half_an_hour_after_the_last_touch(desk: PhotoDesk, clock: Clock) -> None:
    key = desk.begin()
    desk.add(key, written("As"))
    clock.time = KEPT_S - 1
    desk.amend(key, lambda sheet: sheet)
    clock.time = 2 * KEPT_S - 2
    assert desk.picture(key, 1) is not None, "looking keeps nothing alive, and it is not yet time"
    clock.time = 2 * KEPT_S - 1
    assert desk.sheet(key) is None and desk.picture(key, 1) is None
    with pytest.raises(SheetError) as refused:
        desk.amend(key, lambda sheet: sheet)
    assert refused.value.kind == "photo_gone"


def test_too_many_sheets(desk: PhotoDesk, clock: Clock) -> None:
    keys = [desk.begin() for _ in range(MOST_SHEETS)]
    with pytest.raises(SheetError) as refused:
        desk.begin()
    assert refused.value.kind == "photo_busy"
    clock.time = IDLE_S
    desk.amend(keys[0], lambda sheet: sheet)
    desk.begin()
    assert desk.sheet(keys[0]) is not None and desk.sheet(keys[1]) is None, "the one that was idle longest gives way"


def test_too_many_pictures(desk: PhotoDesk) -> None:
    key = desk.begin()
    for _ in range(MOST_PICTURES):
        desk.add(key, b"")
    with pytest.raises(SheetError) as refused:
        desk.add(key, b"")
    assert refused.value.kind == "photo_many"


def test_a_sheet_that_is_forgotten_is_gone(desk: PhotoDesk) -> None:
    key = desk.begin()
    desk.add(key, written("As"))
    desk.forget(key)
    assert desk.sheet(key) is None and desk.picture(key, 1) is None
    desk.forget(key)


# ---- the worker ----------------------------------------------------------------------------------------------------


class Held:
    """A reader that reads when it is let."""

    def __init__(self) -> None:
        self.inner = WrittenReader()
        self.begun = threading.Semaphore(0)
        self.may = threading.Semaphore(0)
        self.rested = threading.Event()

    def read(self, data: bytes, /):
        self.begun.release()
        assert self.may.acquire(timeout=20)
        return self.inner.read(data)

    def rest(self) -> None:
        self.rested.set()

    def close(self) -> None:
        self.may.release(100)


def until(met) -> None:
    """Wait for another thread; a minute is far more than it needs."""
    pause = threading.Event()
    for _ in range(6000):
        if met():
            return
        pause.wait(0.01)
    raise AssertionError("nothing happens")


def test_one_picture_at_a_time_is_read_in_the_order_in_which_they_came() -> None:
    reader = Held()
    with closing(PhotoDesk(reader)) as desk:
        one, other = desk.begin(), desk.begin()
        desk.add(one, written("As"))
        assert reader.begun.acquire(timeout=20)
        desk.add(one, written("Ks"))
        sheet = desk.add(other, written("Qs"))
        assert (sheet.waiting, desk.ahead(one), desk.ahead(other)) == (1, 0, 1)
        first = desk.sheet(one)
        assert first is not None and [snap.state for snap in first.snaps] == ["reading", "waiting"]
        reader.may.release(3)
        until(lambda: (found := desk.sheet(other)) is not None and not found.waiting)
        assert reader.inner.read_so_far == [written("As"), written("Ks"), written("Qs")]
        assert desk.ahead(other) == 0


def test_what_waits_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photodesk, "WAITING_BYTES", 100)
    reader = Held()
    with closing(PhotoDesk(reader)) as desk:
        key = desk.begin()
        desk.add(key, bytes(60))
        assert reader.begun.acquire(timeout=20)
        desk.add(key, bytes(60))
        with pytest.raises(SheetError) as refused:
            desk.add(key, bytes(60))
        assert refused.value.kind == "photo_busy"


def test_a_sheet_may_go_while_its_picture_is_read() -> None:
    reader = Held()
    with closing(PhotoDesk(reader)) as desk:
        key = desk.begin()
        desk.add(key, written("As"))
        assert reader.begun.acquire(timeout=20)
        desk.add(key, written("Ks"))
        desk.forget(key)
        reader.may.release()
        until(lambda: desk._worker is None)
        assert reader.inner.read_so_far == [written("As")], "what is forgotten is not read"
        assert reader.rested.is_set(), "without sheets nothing is kept running"


def test_the_worker_deletes_what_is_old_by_itself(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photodesk, "REST_S", 0.01)
    reader = Held()
    with closing(PhotoDesk(reader, clock)) as desk:
        key = desk.begin()
        reader.may.release()
        desk.add(key, written("As"))
        assert reader.rested.wait(20), "after a while without pictures the reader's process ends"
        clock.time = KEPT_S
        desk._changed.acquire()
        desk._changed.notify_all()
        desk._changed.release()
        until(lambda: desk._worker is None)
        assert desk._kept == {}
