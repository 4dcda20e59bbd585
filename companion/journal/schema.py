"""The file of a journal: its tables and their versions, how it is connected to, and what SQLite's errors mean."""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from companion.errors import JournalDamagedError, JournalError
from companion.journal.entries import COLUMNS, Entry, Row, row_of
from companion.journal.places import in_words

VERSION = 2
"""Of the tables; version 1 did not keep how many entries one append had."""
APPLICATION = 0x564D4A31
"""Marks an SQLite file as a journal of ours."""
MAGIC = b"SQLite format 3\x00"
BUSY_S = 5.0
"""How long a statement waits for a program that ignores our lock."""

_ENTRIES = """CREATE TABLE entries(
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    time REAL NOT NULL,
    wall TEXT NOT NULL,
    clock_set INTEGER NOT NULL,
    body TEXT NOT NULL,
    sealed BLOB,
    previous BLOB NOT NULL,
    hash BLOB NOT NULL,
    form INTEGER NOT NULL,
    more INTEGER NOT NULL
) STRICT"""
_FIXED = """CREATE TRIGGER fixed BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'an entry of a journal cannot be changed'); END"""
_KEPT = """CREATE TRIGGER kept BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'an entry of a journal cannot be deleted'); END"""
# Without this one, INSERT OR REPLACE would get past the other two.
_GROWING = """CREATE TRIGGER growing BEFORE INSERT ON entries
WHEN NEW.number IS NOT (SELECT ifnull(max(number), 0) + 1 FROM entries)
BEGIN SELECT RAISE(ABORT, 'a journal grows at its end'); END"""

MIGRATIONS: dict[int, tuple[str, ...]] = {
    1: (
        "ALTER TABLE entries ADD COLUMN form INTEGER NOT NULL DEFAULT 1",
        "ALTER TABLE entries ADD COLUMN more INTEGER NOT NULL DEFAULT 0",
        _GROWING,
    ),
}
"""What turns the tables of a version into those of the next; what is hashed of old entries stays as it was."""

_INSERT = f"INSERT INTO entries({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
_SELECT = f"SELECT {', '.join(COLUMNS)} FROM entries ORDER BY number"
_SELECT_1 = f"SELECT {', '.join(COLUMNS[:-2])}, 1, 0 FROM entries ORDER BY number"
_FORBIDDEN = {sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE, sqlite3.SQLITE_ALTER_TABLE, sqlite3.SQLITE_ATTACH}


def connect(path: Path, query: str = "mode=rw") -> sqlite3.Connection:
    """A connection in which nothing commits by itself; raise `sqlite3.Error`."""
    found = sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?{query}",
        uri=True, isolation_level=None, check_same_thread=False, timeout=BUSY_S,
    )  # fmt: skip
    # A changed byte may be no UTF-8 any more; then the chain says so, not the decoder.
    found.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    return found


def make_durable(connection: sqlite3.Connection, path: Path) -> None:
    """Let every commit return only when it is on the disk: a write-ahead log that is synced at each (decision 0014)."""
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise JournalError(f"{path}: expected a folder in which SQLite can keep a write-ahead log; it offers {mode!r}")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA wal_autocheckpoint = 256")


def make_tables(connection: sqlite3.Connection) -> None:
    """The tables of the newest version, inside the caller's transaction."""
    marks = (f"PRAGMA application_id = {APPLICATION}", f"PRAGMA user_version = {VERSION}")
    for statement in (_ENTRIES, _FIXED, _KEPT, _GROWING, *marks):
        connection.execute(statement)


def forbid_changes(connection: sqlite3.Connection) -> None:
    """From now on this connection can add entries and read them, and nothing else; not even remove the triggers."""

    def allowed(action: int, *_about: str | None) -> int:
        return sqlite3.SQLITE_DENY if action in _FORBIDDEN else sqlite3.SQLITE_OK

    connection.set_authorizer(allowed)


def insert(connection: sqlite3.Connection, entries: tuple[Entry, ...]) -> None:
    """All the entries, or with a `sqlite3.Error` none of them."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for entry in entries:
            connection.execute(_INSERT, row_of(entry))
        connection.execute("COMMIT")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def rows(connection: sqlite3.Connection, path: Path) -> Iterator[Row]:
    """Every entry as it stands there; raise `JournalError` for a file that holds none of our versions."""
    found = version(connection, path)
    yield from connection.execute(_SELECT_1 if found == 1 else _SELECT)


def rows_one_by_one(connection: sqlite3.Connection, path: Path) -> Iterator[Row]:
    """The same, up to the first entry that cannot be read; only then raise `sqlite3.Error`, or end where none follows."""
    statement = (_SELECT_1 if version(connection, path) == 1 else _SELECT).replace("ORDER BY number", "WHERE number = ?")
    number = 1
    while (row := connection.execute(statement, (number,)).fetchone()) is not None:
        yield row
        number += 1


def version(connection: sqlite3.Connection, path: Path) -> int:
    """Version of the tables; raise `JournalError` for a newer one, and for what is no journal."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise JournalError(f"{path} is no journal: an SQLite file, but one of another program")
    if found > VERSION:
        raise JournalError(
            f"{path} was written by a newer version of this program: it has tables of version {found}, known are 1 to {VERSION}"
        )
    if found < 1:
        raise JournalError(f"{path} is damaged: expected tables of version 1 to {VERSION}, found {found}")
    return int(found)


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring older tables to the newest version, all steps or none."""
    found = version(connection, path)
    if found == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in range(found, VERSION):
            for statement in MIGRATIONS[step]:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def check_start(path: Path) -> None:
    """Raise `JournalError` for what is not even the beginning of an SQLite file."""
    try:
        with path.open("rb") as file:
            start = file.read(len(MAGIC))
    except FileNotFoundError as error:
        raise JournalError(f"{path}: there is no such journal") from error
    except OSError as error:
        raise JournalError(f"{path} cannot be read: {in_words(error)}") from error
    if start != MAGIC:
        found = "something else" if start else "an empty file"
        raise JournalError(f"{path} is no journal: expected an SQLite file, found {found}")


def pages(path: Path) -> tuple[int, int]:
    """How many pages the first page of the file claims, and their size in bytes; raise `OSError`."""
    with path.open("rb") as file:
        start = file.read(100).ljust(100, b"\0")
    (size,), (count,) = struct.unpack_from(">H", start, 16), struct.unpack_from(">I", start, 28)
    return count, 65536 if size == 1 else size


def check_pages(path: Path) -> None:
    """Raise `JournalDamagedError` where the file is shorter than its first page says, which holds while no log is beside it."""
    count, size = pages(path)
    found = path.stat().st_size
    if found < count * size:
        raise JournalDamagedError(f"{path} is torn: expected {count} pages of {size} bytes, found {found} bytes")


def check_sound(connection: sqlite3.Connection, path: Path) -> None:
    """Raise `JournalDamagedError` where the pages of the file do not fit each other."""
    (result,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if result != "ok":
        raise JournalDamagedError(f"{path} is damaged: its pages do not fit each other")


_MEANINGS = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_NOTADB": "it is no SQLite file, or its beginning is damaged",
    "SQLITE_CORRUPT": "it is damaged: pages are missing or do not fit each other",
    "SQLITE_READONLY": "it may not be written: the folder or the file is read-only",
    "SQLITE_CANTOPEN": "it, or its log beside it, cannot be opened; look at the rights of the folder and at the room on the disk",
    "SQLITE_BUSY": "another program holds it",
    "SQLITE_IOERR": "the disk reports an error",
}


@contextmanager
def told(path: Path, doing: str) -> Iterator[None]:
    """Turn the errors of SQLite and of the system into sentences: which file, what was tried, what was found."""
    try:
        yield
    except JournalError:
        raise
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", None) or "SQLITE_ERROR"
        meaning = next((words for start, words in _MEANINGS.items() if name.startswith(start)), None)
        kind = JournalDamagedError if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")) else JournalError
        raise kind(f"{path} {doing}: {meaning or 'SQLite refuses it'} ({name}: {error})") from error
    except UnicodeDecodeError as error:
        # Names of columns, and what SQLite says of a spoilt schema, are decoded strictly.
        raise JournalDamagedError(f"{path} {doing}: its tables are spoilt") from error
    except OSError as error:
        raise JournalError(f"{path} {doing}: {in_words(error)}") from error
