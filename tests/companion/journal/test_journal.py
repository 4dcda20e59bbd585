"""The journal as its callers see it: creating, appending, opening again, and what cannot be done with it."""

from __future__ import annotations

import math
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from companion.errors import JournalBusyError, JournalError
from companion.journal import Draft, Journal, Stamp, checked_game, game_file, new_game, read_entries, schema
from tests.companion.journal.keeping import GAME, STAMP, WALL, begun, draft, listed

ROOT = Path(__file__).parents[3]


def test_a_game_from_its_header_to_its_end(tmp_path: Path) -> None:
    path = game_file(tmp_path, GAME)
    with Journal.create(path, GAME, {"seats": 3, "options": {"hard_mode": True}}, STAMP) as journal:
        assert (journal.game, journal.next_number) == (GAME, 2)
        first = journal.append([draft("turn", seat=1)])
        second = journal.append([draft("ruling", b"hidden", error=None), draft("question", choices=[1, None])])
        found = journal.entries()
        assert found == (journal.first, *first, *second)
        assert journal.head == found[-1].hash
    assert [(entry.number, entry.kind, entry.more) for entry in found] == [
        (1, "header", 0), (2, "turn", 0), (3, "ruling", 1), (4, "question", 0),
    ]  # fmt: skip
    assert found[0].body == {"game": GAME, "header": {"seats": 3, "options": {"hard_mode": True}}}
    assert [entry.body for entry in found[1:]] == [{"seat": 1}, {"error": None}, {"choices": [1, None]}]
    assert [entry.sealed for entry in found] == [None, None, b"hidden", None]
    assert [entry.previous for entry in found[1:]] == [entry.hash for entry in found[:-1]]
    assert {(entry.time, entry.wall, entry.clock_set) for entry in found} == {(12.5, "2027-03-01T18:30:00.000000+00:00", True)}
    assert read_entries(path) == found


def test_a_game_goes_on_where_it_was(tmp_path: Path) -> None:
    path = begun(tmp_path, [draft(n=1)], [draft(n=2), draft(n=3)])
    before = read_entries(path)
    with Journal.open(path) as journal:
        assert (journal.game, journal.next_number, journal.head) == (GAME, 5, before[-1].hash)
        (added,) = journal.append([draft(n=4)])
        assert (added.number, added.previous) == (5, before[-1].hash)
    assert read_entries(path) == (*before, added)


def test_one_closed_game_is_one_file_for_its_owner_alone(tmp_path: Path) -> None:
    path = begun(tmp_path / "games" / "of" / "ours", [draft()])
    assert os.listdir(path.parent) == [f"{GAME}.sqlite"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_folder_may_be_called_anything(tmp_path: Path) -> None:
    path = begun(tmp_path / "a b#c?mode=ro&d%41ä", [draft()])
    assert path.is_file()
    with Journal.open(path) as journal:
        assert len(read_entries(path)) == 2
        journal.append([draft()])
    assert len(read_entries(path)) == 3


def test_every_commit_waits_for_the_disk(tmp_path: Path) -> None:
    path = begun(tmp_path)
    for opened in (Journal.open(path), Journal.create(game_file(tmp_path, "another"), "another", {}, STAMP)):
        with opened as journal:
            connection = journal._open_connection()
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_nothing_is_appended_by_an_empty_append(tmp_path: Path) -> None:
    with Journal.create(game_file(tmp_path, GAME), GAME, {}, STAMP) as journal:
        assert journal.append([]) == ()
        assert len(journal.entries()) == 1


def test_a_closed_journal_is_closed(tmp_path: Path) -> None:
    journal = Journal.create(game_file(tmp_path, GAME), GAME, {}, STAMP)
    journal.close()
    journal.close()
    for use in (journal.entries, lambda: journal.append([draft()])):
        with pytest.raises(JournalError, match=r"0123456789abcdef\.sqlite is closed"):
            use()


def test_any_thread_may_append(tmp_path: Path) -> None:
    with Journal.create(game_file(tmp_path, GAME), GAME, {}, STAMP) as journal:
        def append(thread: int) -> None:
            for number in range(5):
                journal.append([draft(thread=thread, number=number), draft(thread=thread, number=number)])

        threads = [threading.Thread(target=append, args=(thread,)) for thread in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        found = journal.entries()
    assert [entry.number for entry in found] == list(range(1, 42))
    pairs = [tuple(entry.body.values()) for entry in found[1:]]
    assert pairs[::2] == pairs[1::2], "an append was torn apart by another thread"
    for thread in range(4):
        assert [entry.body["number"] for entry in found[1::2] if entry.body["thread"] == thread] == [0, 1, 2, 3, 4]


# ---- names --------------------------------------------------------------------------------------------------------


def test_a_new_game_has_a_name_that_tells_nothing() -> None:
    names = {new_game() for _ in range(100)}
    assert len(names) == 100
    assert {len(checked_game(name)) for name in names} == {16}


@pytest.mark.parametrize("name", ["", "abc", "ABCD", "-abcd", "../../etc", "a/bcd", "abcd\n", "a" * 41, "spiel ä"])
def test_a_name_that_names_no_game(name: str, tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="names no game: expected 4 to 40 of a-z, 0-9 and -, not beginning with -"):
        game_file(tmp_path, name)


def test_the_file_is_named_after_the_game(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"other\.sqlite: the journal of game abcd has to be called abcd\.sqlite"):
        Journal.create(tmp_path / "other.sqlite", "abcd", {}, STAMP)
    assert os.listdir(tmp_path) == []


def test_a_game_has_one_journal(tmp_path: Path) -> None:
    path = begun(tmp_path, [draft()])
    before = listed(tmp_path)
    with pytest.raises(JournalError, match="is there already: every game has a journal of its own"):
        Journal.create(path, GAME, {}, STAMP)
    assert listed(tmp_path) == before


def test_what_was_left_of_a_journal_that_never_began_is_cleared_away(tmp_path: Path) -> None:
    for ending in (".new", ".new-wal", ".new-journal", ".lock"):
        (tmp_path / f"{GAME}.sqlite{ending}").write_bytes(b"left over")
    begun(tmp_path)
    assert os.listdir(tmp_path) == [f"{GAME}.sqlite"]


# ---- entries ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (Draft("Turn", STAMP), "entry 2: a kind is up to 40 of a-z, 0-9 and _, beginning with a letter; found 'Turn'"),
        (Draft("", STAMP), "entry 2: a kind is up to 40 of a-z"),
        (Draft("t" * 41, STAMP), "entry 2: a kind is up to 40 of a-z"),
        (Draft("turn", Stamp(math.nan, WALL)), "entry 2 (turn): expected a time in seconds; found nan"),
        (Draft("turn", Stamp(1.0, datetime(2027, 1, 1))), "entry 2 (turn): expected a wall time with its zone; found one witho"),
        (Draft("turn", STAMP, {"a": math.inf}), "entry 2 (turn): its body is nothing that JSON can say: "),
        (Draft("turn", STAMP, {"a": {1, 2}}), "entry 2 (turn): its body is nothing that JSON can say: "),
        (Draft("turn", STAMP, {}, bytes(2**24 + 1)), "entry 2 (turn): its sealed part has 16777217 bytes; at most 16777216 are"),
        (Draft("turn", STAMP, {"a": "x" * 2**24}), "entry 2 (turn): its body has 16777224 bytes; at most 16777216 are kept"),
        (Draft("turn", STAMP, {}, b"", 3), "entry 2 (turn) was sealed for number 3: seal it anew"),
    ],
    ids=range(10),
)
def test_what_cannot_be_an_entry_is_refused_with_its_whole_append(wrong: Draft, message: str, tmp_path: Path) -> None:
    with Journal.create(game_file(tmp_path, GAME), GAME, {}, STAMP) as journal:
        for drafts in ([wrong], [wrong, draft()]):
            with pytest.raises(JournalError) as caught:
                journal.append(drafts)
            assert str(caught.value).startswith(message)
        assert len(journal.entries()) == 1
        (added,) = journal.append([Draft("turn", STAMP, {}, b"sealed", 2)])
        assert added.number == 2


@pytest.mark.parametrize(
    ("wall", "told", "expected"),
    [
        (WALL, True, ("2027-03-01T18:30:00.000000+00:00", True)),
        (WALL, False, ("2027-03-01T18:30:00.000000+00:00", False)),
        (datetime(1970, 1, 1, tzinfo=UTC), True, ("1970-01-01T00:00:00.000000+00:00", False)),
        (datetime(2025, 12, 31, 23, 59, tzinfo=UTC), True, ("2025-12-31T23:59:00.000000+00:00", False)),
        (datetime(2027, 1, 1, tzinfo=timezone(timedelta(hours=2))), True, ("2026-12-31T22:00:00.000000+00:00", True)),
    ],
)
def test_a_clock_that_nobody_set_is_noticed(wall: datetime, told: bool, expected: tuple[str, bool], tmp_path: Path) -> None:
    with Journal.create(game_file(tmp_path, GAME), GAME, {}, Stamp(1.0, wall, told)) as journal:
        assert (journal.first.wall, journal.first.clock_set) == expected


@pytest.mark.parametrize("body", [{}, {"é": "\ud800", "\0": "\x00'\""}, {"a": [1, 2.5, None, True, {"b": []}]}, {"n": 10**30}])
def test_bodies_come_back_as_they_were(body: dict[str, Any], tmp_path: Path) -> None:
    path = begun(tmp_path, [Draft("turn", STAMP, body)])
    assert read_entries(path)[1].body == body


# ---- what cannot be done ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET kind = 'x'",
        "UPDATE entries SET hash = hash WHERE number = 2",
        "DELETE FROM entries WHERE number = 2",
        "INSERT OR REPLACE INTO entries SELECT * FROM entries WHERE number = 2",
        "INSERT INTO entries SELECT 9, kind, time, wall, clock_set, body, sealed, previous, hash, form, more FROM entries",
        "DROP TRIGGER kept",
        "DROP TABLE entries",
        "ALTER TABLE entries RENAME TO others",
        "ATTACH ':memory:' AS other",
    ],
)
def test_nothing_but_appending_is_possible_through_the_connection(statement: str, tmp_path: Path) -> None:
    with Journal.create(game_file(tmp_path, GAME), GAME, {}, STAMP) as journal:
        journal.append([draft(n=1)])
        before = journal.entries()
        with pytest.raises(sqlite3.Error):
            journal._open_connection().execute(statement)
        assert journal.entries() == before


@pytest.mark.parametrize(
    "statement", ["UPDATE entries SET kind = 'x'", "DELETE FROM entries", "REPLACE INTO entries SELECT * FROM entries"]
)
def test_other_programs_meet_the_triggers(statement: str, tmp_path: Path) -> None:
    path = begun(tmp_path, [draft(n=1)])
    connection = sqlite3.connect(path, isolation_level=None)
    with pytest.raises(sqlite3.IntegrityError, match=r"a journal grows at its end|an entry of a journal cannot be"):
        connection.execute(statement)
    connection.close()


def test_a_transaction_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    with Journal.create(game_file(tmp_path, GAME), GAME, {}, STAMP) as journal:
        (good,) = journal.append([draft(n=1)])
        connection = journal._open_connection()
        with pytest.raises(sqlite3.IntegrityError):
            schema.insert(connection, (replace(good, number=3), replace(good, number=3)))
        assert not connection.in_transaction
        assert journal.entries()[1:] == (good,)
        assert [entry.number for entry in journal.append([draft(n=2)])] == [3]


# ---- one writer ---------------------------------------------------------------------------------------------------

WRITER = """
import sys
from pathlib import Path
from companion.journal import Journal
with Journal.open(Path(sys.argv[1])):
    print("open", flush=True)
    sys.stdin.readline()
"""


def test_a_journal_has_one_writer(tmp_path: Path) -> None:
    path = begun(tmp_path, [draft()])
    arguments = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(arguments, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        message = rf"is being written by another program \(process {other.pid}\): a journal has one writer; end that one first"
        with pytest.raises(JournalBusyError, match=message):
            Journal.open(path)
        assert len(read_entries(path)) == 2, "reading is always possible"
        other.kill()
    with Journal.open(path) as journal:
        journal.append([draft()])
    assert os.listdir(tmp_path) == [path.name]


def test_the_same_program_cannot_write_twice_either(tmp_path: Path) -> None:
    path = begun(tmp_path)
    with Journal.open(path) as journal:
        with pytest.raises(JournalBusyError):
            Journal.open(path)
        with pytest.raises(JournalBusyError):
            Journal.create(path, GAME, {}, STAMP)
        journal.append([draft()])
    Journal.open(path).close()


def test_a_program_that_ignores_the_lock_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "BUSY_S", 0.0)
    path = begun(tmp_path)
    with Journal.open(path) as journal:
        rude = sqlite3.connect(path, isolation_level=None)
        rude.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match=r"could not keep entry 2; nothing before it is lost: another program holds it"):
            journal.append([draft()])
        rude.execute("ROLLBACK")
        rude.close()
        assert [entry.number for entry in journal.append([draft()])] == [2]
