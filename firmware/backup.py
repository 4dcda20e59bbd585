"""A backup: one zip file, stored and not compressed, with a list of what is in it and the hash of each part."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO

from companion.errors import ArchiveError, JournalError
from companion.history import told
from companion.journal import Walk
from companion.journal.places import ENDING, in_words
from companion.journal.reading import copied_whole, read_beside_writer, read_walk
from companion.picturefile import ENDING as PICTURES
from companion.picturefile import RESERVE
from companion.played import PlayedGame
from companion.seal import KEY_FILE
from firmware.archive import CACHE, REMAINDER
from firmware.keeping import CURRENT

FORM = 1
"""Of the list; a newer one is refused."""
LIST = "viewmat-backup.json"
"""The member with the list."""
SETTINGS = "settings/table.toml"
"""Where the settings file is in a backup; it lies elsewhere on the machine."""
KEYS_FILE = "keys.json"
"""Who has joined, and the referee's PIN, both as hashes."""
APART = (CACHE, "demo", "https")
"""Folders that are in no backup: what can be told again, the show of the virtual table, and the key that vouches for pages."""
ASIDE = "replaced-"
"""How a folder begins into which a restore has put what was there before."""
STAGING = ".viewmat-"
"""How folders begin that last as long as a backup or a restore."""
OLDEST = (1980, 1, 1, 0, 0, 0)
CHUNK = 2**20
DAY_S = 86400.0


@dataclass(frozen=True, slots=True)
class Part:
    """A file in a backup."""

    path: str
    """In the data folder, or `SETTINGS`."""
    size: int
    sha256: str
    changed: int
    """When the file was last written: seconds since 1970.  Pictures are kept for so many days since then."""
    sound: bool = True
    """False for a record that could not be read when it was backed up; it is in the backup as it was."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The list of a backup."""

    made: str
    """ISO 8601, UTC."""
    program: str
    """Version of the program that has made it."""
    whole: bool
    """Made at the machine, with everything; otherwise what may leave through the page."""
    parts: tuple[Part, ...]
    left_out: tuple[str, ...] = ()
    """Files that are not in it on purpose."""

    @property
    def keyed(self) -> bool:
        """With it, sealed parts can be read."""
        return any(part.path == KEY_FILE for part in self.parts)


def is_transient(path: PurePosixPath) -> bool:
    """Whether a file belongs to a running program alone: locks, logs of SQLite, files that are only being written."""
    if path.parts[0] in APART or path.parts[0].startswith(ASIDE) or any(part.startswith(".") for part in path.parts):
        return True
    return path.name.endswith((".lock", "-wal", "-shm", "-journal"))


def make_backup(
    folder: Path, settings: Path | None, target: IO[bytes], whole: bool = True, key: bool = True,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Contents:  # fmt: skip
    """Write a backup of a data folder and perhaps a settings file into `target`; games may be going on meanwhile.

    `whole` False leaves out what must not leave through the page: the key, who has joined, and every game that has no result.
    `key` False leaves out the key alone.  Raise `ArchiveError` where something cannot be read or written.
    """
    parts: list[Part] = []
    left_out: list[str] = []
    made = now()
    try:
        tidy(folder)
        with (
            TemporaryDirectory(prefix=f"{STAGING}backup-", dir=folder) as staging,
            zipfile.ZipFile(target, "w", zipfile.ZIP_STORED, allowZip64=True) as archive,
        ):
            for path, source in _files(folder, settings):
                kept = _copied(path, source, Path(staging))
                secret = path == KEY_FILE and not key
                if secret or not (whole or _may_leave(path, kept, source)):
                    left_out.append(path)
                    continue
                parts.append(_added(archive, path, kept, source, _is_sound(path, kept)))
            contents = Contents(made.isoformat(timespec="seconds"), _version(), whole, tuple(parts), tuple(left_out))
            listed = json.dumps({"viewmat": "backup", "form": FORM, **asdict(contents)}, indent=1)
            archive.writestr(_info(LIST, made.timestamp()), listed)
    except OSError as error:
        raise ArchiveError(f"the backup cannot be made: {in_words(error)}") from error
    return contents


def check_room(folder: Path, size: int) -> None:
    """Raise `ArchiveError` where `size` bytes would take the room that is left to the record of a game."""
    free = os.statvfs(folder)
    if free.f_bavail * free.f_frsize < RESERVE + size:
        raise ArchiveError(f"there is not enough room on the disk: {(RESERVE + size) // 2**20 + 1} MB have to be free")


def tidy(folder: Path) -> None:
    """Take away what a backup or a restore that was killed has left behind a day ago or longer."""
    for left in folder.glob(f"{STAGING}*"):
        if time.time() - left.stat().st_mtime <= DAY_S:
            continue
        if left.is_dir():
            shutil.rmtree(left, ignore_errors=True)
        else:
            left.unlink(missing_ok=True)


def _version() -> str:
    try:
        return metadata.version("viewmat")
    except metadata.PackageNotFoundError:
        return ""


def _files(folder: Path, settings: Path | None) -> Iterator[tuple[str, Path]]:
    """Everything that is worth keeping, by its path in a backup.

    Raise `ArchiveError` for what cannot be in one: it would be lost without anybody knowing.
    """
    for path in sorted(folder.rglob("*")):
        inside = PurePosixPath(path.relative_to(folder).as_posix())
        if is_transient(inside) or (path.is_dir() and not path.is_symlink()):
            continue
        if path.is_symlink() or not path.is_file():
            raise ArchiveError(f"{inside} is no plain file, and only those are backed up: take it out of the data folder first")
        if not is_safe(str(inside)):
            raise ArchiveError(f"{inside} has a name that no restore would take; rename it, or take it out of the data folder")
        yield str(inside), path
    if settings is not None:
        yield SETTINGS, settings


def is_safe(path: str) -> bool:
    """Whether a path of a backup stays inside the folder into which it is restored, and is spelt in one way only."""
    parts = path.split("/")
    return 1 <= len(parts) <= 5 and len(path) <= 200 and all(_is_name(part) for part in parts)


def _is_name(part: str) -> bool:
    known = part.isascii() and all(letter.isalnum() or letter in "._- " for letter in part)
    return known and part[:1] not in ("", ".", "-", " ") and not part.endswith((".", " "))


def _copied(path: str, source: Path, staging: Path) -> Path:
    """The file itself, or a copy of a journal that holds what stands in its log as well."""
    if not is_record(path):
        return source
    copy = staging / "record"
    copy.unlink(missing_ok=True)
    try:
        copied_whole(source, copy)
    except JournalError:
        # A damaged one is kept as it is: perhaps somebody can rescue more of it one day.
        shutil.copyfile(source, copy)
    return copy


def is_record(path: str) -> bool:
    """Whether it is the journal of a game."""
    return path.startswith("games/") and path.endswith(ENDING)


def _is_sound(path: str, kept: Path) -> bool:
    if not is_record(path):
        return True
    try:
        return read_walk(kept).fault is None
    except JournalError:
        return False


def _may_leave(path: str, kept: Path, source: Path) -> bool:
    """Whether a file may leave through the page: nothing that is secret, or that will be known only later."""
    if path in (KEY_FILE, KEYS_FILE, f"games/{CURRENT}"):
        return False
    if not path.startswith("games/") or path.endswith(REMAINDER):
        return path == SETTINGS or path.startswith(("games/", "decks/"))
    if is_record(path):
        return _is_over(kept, source.stem, read_walk)
    return path.endswith(PICTURES) and _is_over(source.with_suffix(ENDING), source.stem, read_beside_writer)


def _is_over(record: Path, game: str, read: Callable[[Path], Walk]) -> bool:
    try:
        return isinstance(told(read(record), game), PlayedGame)
    except JournalError:
        return False


def _added(archive: zipfile.ZipFile, path: str, kept: Path, source: Path, sound: bool) -> Part:
    digest, size = hashlib.sha256(), 0
    changed = source.stat().st_mtime
    with kept.open("rb") as file, archive.open(_info(path, changed), "w", force_zip64=True) as member:
        for chunk in chunks(file):
            digest.update(chunk)
            size += len(chunk)
            member.write(chunk)
    return Part(path, size, digest.hexdigest(), int(changed), sound)


def chunks(file: IO[bytes]) -> Iterable[bytes]:
    """What is left of a file, a megabyte at a time."""
    return iter(lambda: file.read(CHUNK), b"")


def _info(path: str, changed: float) -> zipfile.ZipInfo:
    found = zipfile.ZipInfo(path, max(OLDEST, time.gmtime(changed)[:6]))
    found.external_attr = (stat.S_IFREG | 0o600) << 16
    found.compress_type = zipfile.ZIP_STORED
    return found


def write_backup(folder: Path, settings: Path | None, file: Path, key: bool = True) -> Contents:
    """A whole backup as a new file that only its owner may read; raise `ArchiveError`, also where there is one already."""
    fresh = file.with_name(f".{file.name}.part")
    try:
        if file.exists() or file.is_symlink():
            raise ArchiveError(f"{file} is there already: choose another name, or take it away")
        if not folder.is_dir():
            raise ArchiveError(f"{folder} is not there: nothing was kept by this user so far")
        handle = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            with os.fdopen(handle, "w+b") as target:
                contents = make_backup(folder, settings, target, key=key)
                target.flush()
                os.fsync(target.fileno())
            # Only a name that is still free is taken.
            os.link(fresh, file)
        finally:
            fresh.unlink(missing_ok=True)
    except OSError as error:
        raise ArchiveError(f"{file} cannot be written: {in_words(error)}") from error
    return contents
