"""Reading a journal without writing anything, also while its game goes on, after a power cut, or from a read-only disk."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from companion.errors import JournalDamagedError, JournalError
from companion.journal import schema
from companion.journal.entries import Entry, Row, Walk, walk
from companion.journal.places import beside

T = TypeVar("T")
ATTEMPTS = 5
"""How often a reading is begun anew because the file changed under it."""


def read_walk(path: Path) -> Walk:
    """The chain of a journal as far as it holds; raise `JournalError` for a file that cannot be read as a journal at all."""
    schema.check_start(path)
    with schema.told(path, "cannot be read"):
        return walk(_undisturbed(path, lambda: _read_rows(path)))


def read_entries(path: Path) -> tuple[Entry, ...]:
    """Every entry; raise `JournalError` where one was changed, or the file cannot be read."""
    found = read_walk(path)
    if found.fault is not None:
        raise JournalError(f"{path}: {found.fault}")
    return found.entries


def salvage(path: Path) -> tuple[Entry, ...]:
    """What can be read of a damaged journal: the entries from the first one on, up to the last whole append.

    The file is read from a copy.  Raise `JournalError` where not even the copy can be made.
    """
    with schema.told(path, "cannot be read"), TemporaryDirectory(prefix="viewmat-") as folder:
        copy = copied(path, Path(folder))
        _fill_up(copy)
        found: list[Row] = []
        with suppress(sqlite3.Error, JournalError, UnicodeDecodeError), closing(schema.connect(copy)) as connection:
            found.extend(schema.rows_one_by_one(connection, copy))
    entries = list(walk(found).entries)
    while entries and entries[-1].more:
        entries.pop()
    return tuple(entries)


def has_log(path: Path) -> bool:
    """Whether part of the journal stands in a file beside it, because it is being written or was not closed."""
    log, _, rollback = beside(path)
    return any(file.exists() and file.stat().st_size > 0 for file in (log, rollback))


def _undisturbed(path: Path, read: Callable[[], T]) -> T:
    """The outcome of a reading during which nobody else changed the file."""
    for _ in range(ATTEMPTS):
        before = _state(path)
        try:
            found = read()
        except (sqlite3.Error, OSError, UnicodeDecodeError):
            if _state(path) == before:
                raise
            continue
        if _state(path) == before:
            return found
    raise JournalError(f"{path} cannot be read: it is being written all the time; try again")


def _state(path: Path) -> tuple[tuple[int, int], ...]:
    found = []
    for file in (path, *beside(path)[:1]):
        with suppress(FileNotFoundError):
            status = file.stat()
            found.append((status.st_size, status.st_mtime_ns))
    return tuple(found)


def _read_rows(path: Path) -> list[Row]:
    if not has_log(path):
        # The file is all there is.  SQLite is told so, lest it put a log beside it.
        schema.check_pages(path)
        return _rows(path, "mode=ro&immutable=1")
    _, index, _ = beside(path)
    if index.exists():
        with suppress(sqlite3.Error):
            return _rows(path, "mode=ro")
    # The writer is gone and left a log: read a copy in which SQLite may put things right.
    with TemporaryDirectory(prefix="viewmat-") as folder:
        return _rows(copied(path, Path(folder)), "mode=rw")


def _rows(path: Path, query: str) -> list[Row]:
    with closing(schema.connect(path, query)) as connection:
        return list(schema.rows(connection, path))


def copied(path: Path, folder: Path) -> Path:
    """A copy of a journal in another folder, with what SQLite keeps beside it; raise `OSError`."""
    log, _, rollback = beside(path)
    for file in (path, log, rollback):
        with suppress(FileNotFoundError):
            shutil.copyfile(file, folder / file.name)
    return folder / path.name


def _fill_up(copy: Path) -> None:
    """Make a torn copy as long as its first page says; without that SQLite does not look at any page of it."""
    try:
        schema.check_pages(copy)
    except JournalDamagedError:
        pages, size = schema.pages(copy)
        # A first page that is damaged itself may claim more than any disk has.
        with copy.open("r+b") as file, suppress(OSError):
            file.truncate(pages * size)
