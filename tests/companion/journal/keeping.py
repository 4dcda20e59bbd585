"""Small journals for tests."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from companion.journal import Draft, Entry, Journal, Stamp, game_file
from companion.journal.entries import START, _canonical

WALL = datetime(2027, 3, 1, 18, 30, tzinfo=UTC)
STAMP = Stamp(12.5, WALL)
GAME = "0123456789abcdef"


def draft(kind: str = "turn", sealed: bytes | None = None, **body: Any) -> Draft:
    return Draft(kind, STAMP, body, sealed)


def begun(folder: Path, *appends: list[Draft], game: str = GAME) -> Path:
    """The file of a journal with these appends after its header, closed."""
    path = game_file(folder, game)
    with Journal.create(path, game, {"seats": 3}, STAMP) as journal:
        for drafts in appends:
            journal.append(drafts)
    return path


def set_field(path: Path, number: int, column: str, value: object) -> None:
    """What somebody does who has the file, SQLite and no respect."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER IF EXISTS fixed")
        connection.execute(f"UPDATE entries SET {column} = ? WHERE number = ?", (value, number))


def replace(path: Path, entry: Entry) -> None:
    """Put another entry, hash and all, in the place of the one with its number."""
    columns = ("kind", "time", "wall", "body", "sealed", "previous", "hash", "form", "more")
    values = (entry.kind, entry.time, entry.wall, entry.text, entry.sealed, entry.previous, entry.hash, entry.form, entry.more)
    for column, value in zip(columns, values, strict=True):
        set_field(path, entry.number, column, value)


def listed(folder: Path) -> Mapping[str, bytes]:
    """Every file of a folder with its content."""
    return {name: (folder / name).read_bytes() for name in sorted(os.listdir(folder))}


VERSION_1 = """
CREATE TABLE entries(
    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, time REAL NOT NULL, wall TEXT NOT NULL, clock_set INTEGER NOT NULL,
    body TEXT NOT NULL, sealed BLOB, previous BLOB NOT NULL, hash BLOB NOT NULL
) STRICT;
CREATE TRIGGER fixed BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'an entry of a journal cannot be changed'); END;
CREATE TRIGGER kept BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'an entry of a journal cannot be deleted'); END;
PRAGMA application_id = 1447905841;
PRAGMA user_version = 1;
"""


def begun_in_version_1(folder: Path, *bodies: str) -> Path:
    """The file of a journal as the first version of the tables kept it."""
    path = game_file(folder, GAME)
    previous = START
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(VERSION_1)
        header = f'{{"game":"{GAME}","header":{{}}}}'
        for number, body in enumerate((header, *bodies), 1):
            kind = "header" if number == 1 else "turn"
            fields = (number, kind, 12.5, WALL.isoformat(timespec="microseconds"), 1, body, None, previous)
            previous = sha256(_canonical(("viewmat journal entry 1", *fields))).digest()
            connection.execute(f"INSERT INTO entries VALUES ({', '.join('?' * 9)})", (*fields, previous))
    return path
