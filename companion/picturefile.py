"""Where sealed pictures are kept: pieces of one size in one file beside the journal, each at the place of its number.

No database: a piece that was torn by a power cut does not fit the hash in the journal, and nothing else suffers.  Nothing
is synced: pictures may be lost, turns may not, and play waits for neither disk nor picture.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol

from companion.journal import BUILD_YEAR, checked_game

ENDING = ".pictures"
RESERVE = 64 * 2**20
"""Bytes that are left free on the disk: pictures must never take the room of the record."""
HOLE = 256
"""Zeros in a row, in bytes, by which a piece that was not written whole is known."""


class PictureStore(Protocol):
    """Keeps sealed pieces by number, from 1."""

    def put(self, number: int, sealed: bytes, /) -> None:
        """Keep a piece; raise `OSError` where that is impossible."""
        ...

    def get(self, number: int, /) -> bytes | None:
        """The piece as it was put; None where it is not there, or not any more."""
        ...

    def drop(self, number: int, /) -> None:
        """Delete a piece; raise `OSError` where that is impossible."""
        ...


def picture_file(folder: Path, game: str) -> Path:
    """The pictures of a game in a folder; raise `JournalError` for what cannot name a game."""
    return folder / f"{checked_game(game)}{ENDING}"


def _free(folder: Path) -> int:
    status = os.statvfs(folder)
    return status.f_bavail * status.f_frsize


class PictureFile:
    """The pieces of one game in a file.  It is made with the first of them."""

    def __init__(self, path: Path, size: int, free: Callable[[Path], int] = _free) -> None:
        """`size`: bytes of every piece.  `free`: bytes that are left on the disk of a folder."""
        self.path, self._size, self._free = path, size, free

    def put(self, number: int, sealed: bytes, /) -> None:
        if len(sealed) != self._size:
            raise OSError(f"a piece has {self._size} bytes; found {len(sealed)}")
        free = self._free(self.path.parent)
        if free < RESERVE + self._size:
            raise OSError(f"only {free // 2**20} MB are free; {RESERVE // 2**20} are left to the record")
        handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            written = os.pwrite(handle, sealed, self._size * (number - 1))
        finally:
            os.close(handle)
        if written != self._size:
            raise OSError(f"only {written} of {self._size} bytes could be written")

    def get(self, number: int, /) -> bytes | None:
        try:
            # A queue or a device in its place must not be waited for.
            if not self.path.is_file():
                return None
            with self.path.open("rb") as file:
                file.seek(self._size * (number - 1))
                piece = file.read(self._size)
        except OSError:
            return None
        # A write that a power cut or a kill has torn leaves a hole; nothing that is sealed has so many zeros in a row.
        torn = len(piece) < self._size or not any(piece) or bytes(HOLE) in piece
        return None if torn else piece

    def drop(self, number: int, /) -> None:
        handle = os.open(self.path, os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            if self._size * number <= os.fstat(handle).st_size:
                os.pwrite(handle, bytes(self._size), self._size * (number - 1))
        finally:
            os.close(handle)


class PicturesInMemory:
    """The pieces of a game that is not recorded; of too many the oldest go."""

    def __init__(self, most: int = 400) -> None:
        self._pieces: dict[int, bytes] = {}
        self._most = most

    def put(self, number: int, sealed: bytes, /) -> None:
        self._pieces[number] = sealed
        while len(self._pieces) > self._most:
            self._pieces.pop(next(iter(self._pieces)))

    def get(self, number: int, /) -> bytes | None:
        return self._pieces.get(number)

    def drop(self, number: int, /) -> None:
        self._pieces.pop(number, None)


def delete_old(folder: Path, days: int, now: datetime) -> int:
    """Delete the pictures of games whose last one is older than `days`; how many games that were.

    A clock that was never set deletes nothing; a file from such a time counts from the first look under a clock that is.
    """
    if now.year < BUILD_YEAR or not folder.is_dir():
        return 0
    deleted = 0
    for path in sorted(folder.glob(f"*{ENDING}")):
        with suppress(OSError):
            last = datetime.fromtimestamp(path.stat().st_mtime, UTC)
            if last.year < BUILD_YEAR:
                os.utime(path, (now.timestamp(), now.timestamp()))
            elif now - last > timedelta(days=days):
                path.unlink()
                deleted += 1
    return deleted
