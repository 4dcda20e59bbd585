"""Writing a journal: `Journal.create` and `Journal.open`, and appends that are durable when they return."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any

from companion.errors import JournalDamagedError, JournalError
from companion.journal import schema
from companion.journal.entries import HEADER, START, Draft, Entry, Stamp, chained, walk
from companion.journal.places import ENDING, WriterLock, beside, checked_game, make_folder, sync_folder
from companion.journal.reading import has_log, salvage


class Journal:
    """The one writer of one game's journal.  Any thread may call it."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: WriterLock, entries: tuple[Entry, ...]) -> None:
        """Use `create` or `open`."""
        self.path = path
        self.first = entries[0]
        """The header."""
        self._connection: sqlite3.Connection | None = connection
        self._lock = lock
        self._turn = Lock()
        self._last = entries[-1]
        self._doubtful = False

    @classmethod
    def create(cls, path: Path, game: str, header: Mapping[str, Any], stamp: Stamp) -> Journal:
        """Begin the journal of a game; the file appears whole, with its header, or not at all.

        `path` is ``<folder>/<game>.sqlite`` (see `game_file`).  Raise `JournalError` where it is there already or cannot be made.
        """
        if path.name != f"{checked_game(game)}{ENDING}":
            raise JournalError(f"{path}: the journal of game {game} has to be called {game}{ENDING}")
        entries = chained([Draft(HEADER, stamp, {"game": game, "header": dict(header)})], 1, START)
        with schema.told(path, "cannot be made"):
            make_folder(path.parent)
            lock = WriterLock(path)
            try:
                if path.exists():
                    raise JournalError(f"{path} is there already: every game has a journal of its own")
                with prepared(path, entries) as fresh:
                    fresh.rename(path)
                    try:
                        sync_folder(path.parent)
                        return cls(path, _connected(path), lock, entries)
                    except BaseException:
                        _remove(path)
                        raise
            except BaseException:
                lock.release()
                raise

    @classmethod
    def open(cls, path: Path) -> Journal:
        """Open a journal to go on with it, up to its last whole append.

        What a power cut left half done is undone, an older version is migrated.  Raise `JournalBusyError` where another program
        writes it, `JournalDamagedError` for a file that `rescue` may help, `JournalError` for what is missing, changed, of a
        newer version, or no journal; nothing in it is lost by that.
        """
        schema.check_start(path)
        lock = WriterLock(path)
        try:
            with schema.told(path, "cannot be opened for writing"):
                return cls(path, *_recovered(path, lock))
        except BaseException as error:
            lock.release()
            if isinstance(error, JournalDamagedError):
                raise JournalDamagedError(f"{error}; {len(salvage(path))} whole entries can still be read from it") from error
            raise

    @property
    def game(self) -> str:
        """Name of the game; raise `JournalError` where the header gives none."""
        return checked_game(str(self.first.body.get("game")))

    @property
    def next_number(self) -> int:
        """The number that the next entry will get; what is sealed for it is bound to this number."""
        return self._last.number + 1

    @property
    def newest(self) -> Entry:
        """The newest durable entry; from any thread."""
        return self._last

    @property
    def head(self) -> bytes:
        """Hash of the newest entry.  Whoever has noted it can tell later that nothing up to here was changed or taken away."""
        return self._last.hash

    def append(self, entries: Iterable[Draft]) -> tuple[Entry, ...]:
        """Add entries, all or none, and return when they would survive a power cut.

        Raise `JournalError` where that fails; then none of them counts, and the same may be tried again.
        """
        drafts = tuple(entries)
        with self._turn:
            connection = self._open_connection()
            with schema.told(self.path, f"could not keep entry {self._last.number + 1}; nothing before it is lost"):
                if self._doubtful:
                    self._look_again(connection)
                added = chained(drafts, self._last.number + 1, self._last.hash)
                if added:
                    self._doubtful = True
                    schema.insert(connection, added)
                    self._doubtful = False
                    self._last = added[-1]
            return added

    def entries(self) -> tuple[Entry, ...]:
        """Every entry; raise `JournalError` where they cannot be read any more."""
        with self._turn, schema.told(self.path, "cannot be read"):
            return _followed(self._open_connection(), self.path)

    def close(self) -> None:
        """End writing, and fold the log into the file; a second time does nothing."""
        with self._turn:
            connection, self._connection = self._connection, None
            if connection is not None:
                try:
                    connection.close()
                finally:
                    self._lock.release()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _open_connection(self) -> sqlite3.Connection:
        if self._connection is None:
            raise JournalError(f"{self.path} is closed")
        return self._connection

    def _look_again(self, connection: sqlite3.Connection) -> None:
        """After an append that failed, ask the file itself whether it took effect after all."""
        last = _followed(connection, self.path)[-1]
        if last != self._last:
            raise JournalError(f"{self.path} is at entry {last.number}, expected {self._last.number}: open it anew")


@contextmanager
def prepared(path: Path, entries: tuple[Entry, ...]) -> Iterator[Path]:
    """A whole and durable journal under another name, to be given its own inside; afterwards nothing is left of it there."""
    fresh = path.with_name(path.name + ".new")
    for left in (fresh, *beside(fresh)):
        left.unlink(missing_ok=True)
    try:
        handle = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            _fill(fresh, entries)
            os.fsync(handle)
        finally:
            os.close(handle)
        yield fresh
    finally:
        for left in (fresh, *beside(fresh)):
            with suppress(OSError):
                left.unlink(missing_ok=True)


def _remove(path: Path) -> None:
    """Take away a journal in which nothing was written yet but its header."""
    for left in (*beside(path), path):
        with suppress(OSError):
            left.unlink(missing_ok=True)


def _fill(path: Path, entries: tuple[Entry, ...]) -> None:
    """Make an empty file a journal with these entries, and leave nothing beside it; raise `sqlite3.Error`."""
    connection = schema.connect(path)
    try:
        schema.make_durable(connection, path)
        connection.execute("BEGIN IMMEDIATE")
        schema.make_tables(connection)
        connection.execute("COMMIT")
        schema.insert(connection, entries)
    finally:
        connection.close()


def _connected(path: Path) -> sqlite3.Connection:
    connection = schema.connect(path)
    try:
        schema.make_durable(connection, path)
        schema.forbid_changes(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _recovered(path: Path, lock: WriterLock) -> tuple[sqlite3.Connection, WriterLock, tuple[Entry, ...]]:
    if not has_log(path):
        schema.check_pages(path)
    connection = schema.connect(path)
    try:
        # Told before anything is written: a newer version stays untouched.
        schema.version(connection, path)
        schema.make_durable(connection, path)
        # Whole appends that stand in the log alone go into the file; only then its size says whether it is torn.
        (busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not busy:
            schema.check_pages(path)
        schema.check_sound(connection, path)
        schema.migrate(connection, path)
        schema.forbid_changes(connection)
        return connection, lock, _followed(connection, path)
    except BaseException:
        connection.close()
        raise


def _followed(connection: sqlite3.Connection, path: Path) -> tuple[Entry, ...]:
    found = walk(schema.rows(connection, path))
    if found.fault is not None:
        raise JournalError(f"{path}: {found.fault}; the {len(found.entries)} entries before it are as they were written")
    if not found.entries or found.entries[0].kind != HEADER:
        raise JournalError(f"{path} is no journal of a game: expected a {HEADER} as its first entry, found none")
    return found.entries
