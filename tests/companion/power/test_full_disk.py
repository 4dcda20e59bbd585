"""A disk that is full, or fails: a clear message, nothing lost, and play goes on when there is room again."""

from __future__ import annotations

from pathlib import Path

from tests.companion.power.disk import record

STARTS = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from companion.errors import JournalError
from companion.journal import Draft, Journal, Stamp, game_file, read_entries

folder, stamp = Path(sys.argv[1]), Stamp(1.0, datetime(2027, 1, 1, tzinfo=UTC))
path = game_file(folder, "game")

def refused(do):
    try:
        do()
    except JournalError as error:
        return str(error)
    raise AssertionError("nothing was refused")
"""


def test_an_append_on_a_full_disk_changes_nothing(recorder: Path, tmp_path: Path) -> None:
    """The disk fills up after any number of bytes of an append that takes several pages."""
    (tmp_path / "disk").mkdir()
    program = STARTS + """
journal = Journal.create(path, "game", {}, stamp)
history = list(journal.append([Draft("turn", stamp, {"n": 0})]))
big = [Draft("turn", stamp, {"text": "x" * 6000}), Draft("turn", stamp, {"n": 1})]
refusals = 0
for room in range(0, 20000, 700):
    os.environ["DISKRECORD_ROOM"] = str(room)
    try:
        history += journal.append(big)
        assert refusals > 3, room
        break
    except JournalError as error:
        number, refusals = len(history) + 2, refusals + 1
        expected = f"{path} could not keep entry {number}; nothing before it is lost: the disk is full (SQLITE_FULL"
        assert str(error).startswith(expected), error
    assert journal.entries()[1:] == tuple(history)
    assert journal.next_number == number
    if room % 1400 == 0:
        del os.environ["DISKRECORD_ROOM"]
        history += journal.append([Draft("turn", stamp, {"room": room})])
        assert journal.entries()[1:] == tuple(history)
else:
    raise AssertionError("the disk was never large enough")
del os.environ["DISKRECORD_ROOM"]
journal.close()
assert read_entries(path)[1:] == tuple(history)
"""
    record(recorder, tmp_path / "disk", program)


def test_a_journal_is_not_begun_on_a_full_disk(recorder: Path, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    program = STARTS + """
for room in (0, 100, 600, 5000, 9000, 13000):
    os.environ["DISKRECORD_ROOM"] = str(room)
    said = refused(lambda: Journal.create(path, "game", {}, stamp))
    assert said.startswith(f"{path} cannot be made: ") and "full" in said, said
    assert os.listdir(folder) == [], os.listdir(folder)
del os.environ["DISKRECORD_ROOM"]
Journal.create(path, "game", {}, stamp).close()
"""
    record(recorder, tmp_path / "disk", program)


def test_a_sync_that_fails_is_no_acknowledgement(recorder: Path, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    program = STARTS + """
journal = Journal.create(path, "game", {}, stamp)
history = list(journal.append([Draft("turn", stamp, {"n": 0})]))
for again in range(3):
    os.environ["DISKRECORD_SYNC"] = "fails"
    said = refused(lambda: journal.append([Draft("turn", stamp, {"lost": again})]))
    assert "nothing before it is lost: the disk reports an error (SQLITE_IOERR" in said, said
    del os.environ["DISKRECORD_SYNC"]
    assert journal.entries()[1:] == tuple(history)
    history += journal.append([Draft("turn", stamp, {"kept": again})])
journal.close()
assert read_entries(path)[1:] == tuple(history)
"""
    record(recorder, tmp_path / "disk", program)
