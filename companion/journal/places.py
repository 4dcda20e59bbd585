"""Where journals lie, made so that a power cut leaves either all of a file or none of it."""

from __future__ import annotations

import fcntl
import os
import re
import secrets
from contextlib import suppress
from pathlib import Path

from companion.errors import JournalBusyError, JournalError

ENDING = ".sqlite"
_GAME = re.compile(r"[a-z0-9][a-z0-9-]{3,39}")


def new_game() -> str:
    """A name for a game that tells nothing: 64 random bits."""
    return secrets.token_hex(8)


def checked_game(game: str) -> str:
    """The name itself; raise `JournalError` for what cannot name a game and its file."""
    if not _GAME.fullmatch(game):
        raise JournalError(f"{game!r} names no game: expected 4 to 40 of a-z, 0-9 and -, not beginning with -")
    return game


def game_file(folder: Path, game: str) -> Path:
    """The journal of a game in a folder; raise `JournalError` for what cannot name a game."""
    return folder / f"{checked_game(game)}{ENDING}"


def sync_folder(folder: Path) -> None:
    """Return when the names in a folder are durable; raise `OSError`."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_folder(folder: Path) -> None:
    """Make a folder that only its owner can enter, and those above it, durably; raise `OSError`."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    sync_folder(folder.parent)


def beside(path: Path) -> tuple[Path, ...]:
    """What SQLite keeps next to an open file: its log, the index of the log, and the journal of other modes."""
    return tuple(path.with_name(path.name + ending) for ending in ("-wal", "-shm", "-journal"))


def in_words(error: OSError) -> str:
    """What an error of the system says, without the file that the caller names anyway."""
    return error.strerror or str(error)


class WriterLock:
    """The right to write one journal.  It ends with the process, however that ends."""

    def __init__(self, path: Path) -> None:
        """Take it; raise `JournalBusyError` where somebody else has it, `JournalError` where it cannot be taken."""
        self._path = path.with_name(path.name + ".lock")
        handle = None
        while handle is None:
            handle = self._try(path)
        self._handle = handle
        # Only for the message to somebody else; a full disk has no room even for that.
        with suppress(OSError):
            os.ftruncate(handle, 0)
            os.pwrite(handle, str(os.getpid()).encode(), 0)

    def _try(self, path: Path) -> int | None:
        try:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise JournalError(f"{path} cannot be opened for writing: {self._path.name}: {in_words(error)}") from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(handle), self._path.stat()):
                return handle
        except FileNotFoundError:
            pass
        except BlockingIOError as error:
            holder = os.pread(handle, 20, 0).decode("ascii", "replace").strip() or "another one"
            os.close(handle)
            raise JournalBusyError(
                f"{path} is being written by another program (process {holder}): a journal has one writer; end that one first"
            ) from error
        except OSError as error:
            os.close(handle)
            raise JournalError(f"{path} cannot be locked: {in_words(error)}") from error
        # Whoever had it before has removed the file that was just opened.
        os.close(handle)
        return None

    def release(self) -> None:
        """Give it back."""
        with suppress(OSError):
            self._path.unlink()
        os.close(self._handle)
