"""Files that are no journals, torn, of other versions, read-only: what is said, what is kept, what can be rescued."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.errors import JournalError
from companion.journal import Journal, game_file, read_entries, read_walk, rescue, schema
from companion.journal.reading import salvage
from tests.companion.journal.keeping import GAME, begun, begun_in_version_1, draft, listed, set_field


def both_refuse(path: Path) -> tuple[str, str]:
    """What opening and reading say; neither changes a byte."""
    before = listed(path.parent)
    with pytest.raises(JournalError) as opened:
        Journal.open(path)
    with pytest.raises(JournalError) as read:
        read_entries(path)
    assert listed(path.parent) == before
    return str(opened.value), str(read.value)


@pytest.mark.parametrize(
    ("content", "found"),
    [(b"", "an empty file"), *((start, "something else") for start in (b"\x89PNG", b"SQLite format 3", bytes(8192)))],
)
def test_a_file_that_is_no_journal(content: bytes, found: str, tmp_path: Path) -> None:
    path = tmp_path / "game.sqlite"
    path.write_bytes(content)
    expected = f"{path} is no journal: expected an SQLite file, found {found}"
    assert both_refuse(path) == (expected, expected)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "game.sqlite"
    assert both_refuse(path) == (f"{path}: there is no such journal",) * 2
    folder = tmp_path / "folder.sqlite"
    folder.mkdir()
    with pytest.raises(JournalError, match="cannot be read: Is a directory"):
        Journal.open(folder)


def test_a_database_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "game.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE entries(number INTEGER PRIMARY KEY)")
    assert both_refuse(path) == (f"{path} is no journal: an SQLite file, but one of another program",) * 2


def test_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = begun(tmp_path, [draft()])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 3")
    expected = f"{path} was written by a newer version of this program: it has tables of version 3, known are 1 to 2"
    assert both_refuse(path) == (expected, expected)


def test_an_older_version_is_migrated(tmp_path: Path) -> None:
    path = begun_in_version_1(tmp_path, '{"n":1}', '{"n":2}')
    before = read_entries(path)
    assert [(entry.number, entry.kind, entry.form, entry.more) for entry in before] == [
        (1, "header", 1, 0), (2, "turn", 1, 0), (3, "turn", 1, 0),
    ]  # fmt: skip
    with Journal.open(path) as journal:
        assert journal.entries() == before
        added = journal.append([draft(n=3), draft(n=4)])
        assert [entry.form for entry in added] == [2, 2]
    assert read_entries(path) == (*before, *added)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
        with pytest.raises(sqlite3.IntegrityError, match="a journal grows at its end"):
            connection.execute("REPLACE INTO entries SELECT * FROM entries")


def test_a_migration_that_breaks_off_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = begun_in_version_1(tmp_path, '{"n":1}')
    before = read_entries(path)
    broken = (*schema.MIGRATIONS[1], "CREATE TABLE entries(number)")
    monkeypatch.setitem(schema.MIGRATIONS, 1, broken)
    with pytest.raises(JournalError, match="cannot be opened for writing: SQLite refuses it"):
        Journal.open(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    assert read_entries(path) == before


def test_tables_of_no_version(tmp_path: Path) -> None:
    path = begun(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 0")
    assert both_refuse(path) == (f"{path} is damaged: expected tables of version 1 to 2, found 0",) * 2


# ---- torn files ---------------------------------------------------------------------------------------------------


def long_game(folder: Path) -> Path:
    """A journal of many pages, some of whose entries take several."""
    rng = random.Random(3)
    appends = [[draft("turn", rng.randbytes(rng.choice([10, 100, 9000])), n=n), draft("ruling", n=n)] for n in range(40)]
    return begun(folder, *appends)


@pytest.mark.parametrize("lost", [1, 100, 4096, 5000, 20_000, 60_000])
def test_a_file_without_its_end(lost: int, tmp_path: Path) -> None:
    path = long_game(tmp_path)
    whole, size = read_entries(path), path.stat().st_size
    os.truncate(path, size - lost)
    opened, read = both_refuse(path)
    torn = f"{path} is torn: expected {size // 4096} pages of 4096 bytes, found {size - lost} bytes"
    assert read == torn
    saved = salvage(path)
    assert opened == f"{torn}; {len(saved)} whole entries can still be read from it"
    assert saved == whole[: len(saved)]
    assert saved[-1].more == 0
    # An entry takes up to three pages of its own.
    assert len(saved) >= len(whole) * (size - lost) / size - 20


def test_a_torn_journal_is_rescued_and_kept(tmp_path: Path) -> None:
    path = long_game(tmp_path)
    os.truncate(path, path.stat().st_size - 5000)
    torn, saved = path.read_bytes(), salvage(path)
    kept, count = rescue(path)
    assert kept is not None
    assert (kept.name, count) == (f"{GAME}.sqlite.damaged-1", len(saved))
    assert kept.read_bytes() == torn
    assert sorted(os.listdir(tmp_path)) == [path.name, kept.name]
    with Journal.open(path) as journal:
        assert journal.entries() == saved
        (added,) = journal.append([draft("rescued", entries=count)])
    assert read_entries(path) == (*saved, added)
    os.truncate(path, path.stat().st_size - 5000)
    again, _ = rescue(path)
    assert again is not None and again.name == f"{GAME}.sqlite.damaged-2"


def test_a_whole_journal_is_not_rescued(tmp_path: Path) -> None:
    path = long_game(tmp_path / "whole")
    before = listed(path.parent)
    assert rescue(path) == (None, len(read_entries(path)))
    assert listed(path.parent) == before
    with Journal.open(path) as journal:
        journal.append([draft("last")])
        shutil.copytree(tmp_path / "whole", tmp_path / "cut", ignore=shutil.ignore_patterns("*-shm", "*.lock"))
    cut = game_file(tmp_path / "cut", GAME)
    left = listed(cut.parent)
    assert rescue(cut) == (None, len(read_entries(path))), "a log that a power cut has left is no damage"
    assert listed(cut.parent) == left


def test_a_journal_with_a_changed_entry_is_rescued_up_to_there(tmp_path: Path) -> None:
    path = begun(tmp_path, [draft(n=1)], [draft(n=2)], [draft(n=3)])
    set_field(path, 3, "body", "{}")
    kept, count = rescue(path)
    assert kept is not None and count == 2


def test_the_log_of_a_damaged_journal_is_kept_with_it(tmp_path: Path) -> None:
    """Left by a power cut, the log holds entries that the file does not; and then the file was damaged."""
    path = game_file(tmp_path / "left", GAME)
    with Journal.open(long_game(tmp_path / "whole")) as journal:
        journal.append([draft("last")])
        shutil.copytree(tmp_path / "whole", tmp_path / "left", ignore=shutil.ignore_patterns("*-shm", "*.lock"))
    whole = read_entries(path)
    assert whole[-1].kind == "last"
    with path.open("r+b") as file:
        file.seek(4096 * 12)
        file.write(bytes(4096 * 5))
    kept, count = rescue(path)
    assert kept is not None
    assert sorted(os.listdir(tmp_path / "left")) == [path.name, kept.name, f"{kept.name}-wal"]
    assert read_entries(path) == whole[:count]
    assert 0 < count < len(whole)


def test_what_is_no_journal_is_not_rescued(tmp_path: Path) -> None:
    """Also where the bytes would tell of a file that no disk can hold."""
    path = tmp_path / "game.sqlite"
    path.write_bytes(b"no record, no picture, no JSON" + b"\xff" * 100)
    with pytest.raises(JournalError, match="is no journal: expected an SQLite file, found something else"):
        rescue(path)
    path.write_bytes(schema.MAGIC + b"\xff" * 100)
    with pytest.raises(JournalError, match="cannot be rescued: not even its first entry can be read"):
        rescue(path)
    assert os.listdir(tmp_path) == ["game.sqlite"]


def test_nothing_can_be_rescued_where_nothing_is_left(tmp_path: Path) -> None:
    path = begun(tmp_path, [draft()])
    os.truncate(path, 4096)
    before = listed(tmp_path)
    with pytest.raises(JournalError, match="cannot be rescued: not even its first entry can be read"):
        rescue(path)
    assert listed(tmp_path) == before


def test_any_spoilt_byte_of_the_file_is_found_or_harmless(tmp_path: Path) -> None:
    """Wherever the disk turns a byte, nobody is told other entries than were written."""
    path = begun(tmp_path, *([draft("turn", bytes([n]) * 300, n=n)] for n in range(30)))
    whole, content = read_entries(path), path.read_bytes()
    rng = random.Random(5)
    found = 0
    for position in sorted(rng.sample(range(len(content)), 400)):
        spoilt = bytearray(content)
        spoilt[position] ^= 1 << rng.randrange(8)
        path.write_bytes(spoilt)
        try:
            walk = read_walk(path)
        except JournalError:
            found += 1
            continue
        assert walk.entries == whole[: len(walk.entries)]
        assert walk.fault is not None or walk.entries == whole
        found += walk.fault is not None
    assert found > 200


# ---- folders that may not be written --------------------------------------------------------------------------------


@pytest.fixture
def frozen_game() -> Iterator[Path]:
    """The journal of a game in a folder in which this process may only read, whoever it is."""
    with tempfile.TemporaryDirectory(prefix="viewmat-test-") as folder:
        path = begun(Path(folder), [draft()])
        path.chmod(0o444)
        Path(folder).chmod(0o555)
        user = os.geteuid()
        if user == 0:
            # Root may write everywhere: be somebody else meanwhile.
            os.seteuid(65534)
        yield path
        os.seteuid(user)
        Path(folder).chmod(0o700)


def test_a_folder_that_may_not_be_written(frozen_game: Path) -> None:
    assert len(read_entries(frozen_game)) == 2
    with pytest.raises(JournalError, match=r"cannot be opened for writing: .*Permission denied"):
        Journal.open(frozen_game)
    with pytest.raises(JournalError, match=r"cannot be opened for writing: .*Permission denied"):
        Journal.create(game_file(frozen_game.parent, "other"), "other", {}, draft().stamp)
    with pytest.raises(JournalError, match=r"cannot be made: Permission denied"):
        Journal.create(game_file(frozen_game.parent / "new", "other"), "other", {}, draft().stamp)


def test_what_a_killed_game_left_on_a_read_only_disk_can_be_read(tmp_path: Path) -> None:
    with Journal.open(begun(tmp_path / "whole")) as journal:
        journal.append([draft("last")])
        shutil.copytree(tmp_path / "whole", tmp_path / "left", ignore=shutil.ignore_patterns("*-shm", "*.lock"))
    before = listed(tmp_path / "left")
    assert len(before) == 2
    assert read_entries(game_file(tmp_path / "left", GAME))[-1].kind == "last"
    assert listed(tmp_path / "left") == before


def test_reading_leaves_no_trace(tmp_path: Path) -> None:
    path = begun(tmp_path, [draft()])
    before = {name: (tmp_path / name).stat().st_mtime_ns for name in os.listdir(tmp_path)}
    read_entries(path)
    read_walk(path)
    assert {name: (tmp_path / name).stat().st_mtime_ns for name in os.listdir(tmp_path)} == before


def test_a_game_that_is_being_played_can_be_read(tmp_path: Path) -> None:
    path = begun(tmp_path)
    with Journal.open(path) as journal:
        for number in range(3):
            journal.append([draft(n=number)])
            assert read_entries(path) == journal.entries()


def test_a_file_that_changes_all_the_time_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = begun(tmp_path)
    real = schema.rows

    def meddling(connection: sqlite3.Connection, file: Path) -> object:
        yield from real(connection, file)
        os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))

    monkeypatch.setattr(schema, "rows", meddling)
    with pytest.raises(JournalError, match="is being written all the time; try again"):
        read_entries(path)


def test_a_changed_entry_stops_the_game(tmp_path: Path) -> None:
    path = begun(tmp_path, [draft(n=1)], [draft(n=2)])
    set_field(path, 2, "body", '{"n":7}')
    opened, read = both_refuse(path)
    changed = f"{path}: entry 2 (turn, 2027-03-01T18:30:00.000000+00:00) was changed: its hash does not fit what it says"
    assert opened == f"{changed}; the 1 entries before it are as they were written"
    assert read == changed
