"""The file of sealed pictures, and how long it is kept."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.picturefile import ENDING, HOLE, RESERVE, PictureFile, PicturesInMemory, delete_old, picture_file

SIZE = 100
NOW = datetime(2027, 6, 1, tzinfo=UTC)


def piece(number: int) -> bytes:
    return bytes([number]) * SIZE


@pytest.fixture
def store(tmp_path: Path) -> PictureFile:
    return PictureFile(picture_file(tmp_path, "abcd"), SIZE, free=lambda _: 2 * RESERVE)


def test_pieces_come_back_by_their_numbers(store: PictureFile) -> None:
    for number in (1, 2, 5):
        store.put(number, piece(number))
    assert [store.get(number) for number in range(1, 8)] == [piece(1), piece(2), None, None, piece(5), None, None]
    assert store.path.stat().st_size == 5 * SIZE
    assert store.path.stat().st_mode & 0o077 == 0


def test_a_torn_piece_is_not_there(store: PictureFile) -> None:
    store.put(1, piece(1))
    store.put(2, piece(2))
    os.truncate(store.path, 2 * SIZE - 1)
    assert (store.get(1), store.get(2)) == (piece(1), None)


def test_a_piece_with_a_hole_was_not_written_whole(tmp_path: Path) -> None:
    store = PictureFile(picture_file(tmp_path, "abcd"), 4096, free=lambda _: 2 * RESERVE)
    whole = bytes([7]) * 4096
    for number, piece in ((1, whole), (2, whole[:1000] + bytes(HOLE) + whole[1000 + HOLE :]), (3, whole[:-HOLE] + bytes(HOLE))):
        store.put(number, piece)
    assert [store.get(number) is None for number in (1, 2, 3)] == [False, True, True]


def test_a_dropped_piece_is_gone_from_the_disk(store: PictureFile) -> None:
    store.put(1, piece(1))
    store.put(2, piece(2))
    store.drop(1)
    store.drop(9)
    assert (store.get(1), store.get(2)) == (None, piece(2))
    assert piece(1)[:8] not in store.path.read_bytes()
    assert store.path.stat().st_size == 2 * SIZE


def test_a_file_that_is_not_there_holds_nothing(store: PictureFile) -> None:
    assert store.get(1) is None
    with pytest.raises(FileNotFoundError):
        store.drop(1)


def test_the_last_room_of_the_disk_is_left_to_the_record(tmp_path: Path) -> None:
    left = [RESERVE + SIZE]
    store = PictureFile(picture_file(tmp_path, "abcd"), SIZE, free=lambda _: left[0])
    store.put(1, piece(1))
    left[0] -= 1
    with pytest.raises(OSError, match="64 MB are free"):
        store.put(2, piece(2))
    assert store.get(2) is None


def test_a_piece_of_another_size_is_refused(store: PictureFile) -> None:
    with pytest.raises(OSError, match="a piece has 100 bytes; found 99"):
        store.put(1, bytes(99))
    assert not store.path.exists()


def test_in_memory_the_oldest_go() -> None:
    store = PicturesInMemory(most=2)
    for number in (1, 2, 3):
        store.put(number, piece(number))
    store.drop(3)
    assert [store.get(number) for number in (1, 2, 3)] == [None, piece(2), None]


# ---- days ---------------------------------------------------------------------------------------------------------


def of_age(folder: Path, name: str, last: datetime) -> Path:
    path = folder / f"{name}{ENDING}"
    path.write_bytes(b"x")
    os.utime(path, (last.timestamp(), last.timestamp()))
    return path


def test_pictures_are_deleted_after_their_days_and_nothing_else(tmp_path: Path) -> None:
    old = of_age(tmp_path, "abcd", NOW - timedelta(days=30, minutes=1))
    fresh = of_age(tmp_path, "efgh", NOW - timedelta(days=29))
    journal = tmp_path / "abcd.sqlite"
    journal.write_bytes(b"x")
    os.utime(journal, (0, 0))
    assert delete_old(tmp_path, 30, NOW) == 1
    assert (old.exists(), fresh.exists(), journal.exists()) == (False, True, True)
    assert delete_old(tmp_path, 0, NOW) == 1
    assert not fresh.exists()


def test_a_clock_that_was_never_set_deletes_nothing(tmp_path: Path) -> None:
    kept = of_age(tmp_path, "abcd", NOW)
    assert delete_old(tmp_path, 0, datetime(1970, 1, 2, tzinfo=UTC)) == 0
    assert kept.exists()


def test_pictures_from_before_the_clock_was_set_count_from_now_on(tmp_path: Path) -> None:
    kept = of_age(tmp_path, "abcd", datetime(1970, 1, 2, tzinfo=UTC))
    assert delete_old(tmp_path, 30, NOW) == 0
    assert delete_old(tmp_path, 30, NOW + timedelta(days=29)) == 0
    assert delete_old(tmp_path, 30, NOW + timedelta(days=31)) == 1
    assert not kept.exists()


def test_a_folder_that_is_not_there_holds_nothing_old(tmp_path: Path) -> None:
    assert delete_old(tmp_path / "none", 30, NOW) == 0


def test_a_queue_in_place_of_the_pictures_holds_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "game.pictures")
    assert PictureFile(tmp_path / "game.pictures", 64).get(1) is None
