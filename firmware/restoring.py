"""Restoring a backup: everything is checked before anything is written, and nothing that is there is written over."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from companion.errors import ArchiveError, JournalBusyError, JournalError
from companion.journal.places import ENDING, WriterLock, in_words, make_folder, sync_folder
from companion.journal.reading import read_beside_writer, read_walk
from companion.seal import KEY_FILE
from companion.verification import verify
from firmware.archive import CACHE
from firmware.backup import (
    APART,
    ASIDE,
    FORM,
    LIST,
    SETTINGS,
    STAGING,
    Contents,
    Part,
    check_room,
    chunks,
    is_record,
    is_safe,
    is_transient,
    tidy,
)
from firmware.keeping import CURRENT

LONGEST_LIST = 32 * 2**20
"""Bytes of the list; a real one has some 200 for each file."""
POINTER = f"games/{CURRENT}"
"""It only says which game goes on: one that is there stays."""


@dataclass(frozen=True, slots=True)
class Item:
    """A file of a backup, and how it stands against what is here."""

    path: str
    state: str
    """``new``, ``same``, ``differs`` or ``kept`` (`POINTER`, where there is one here)."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a restore would do."""

    contents: Contents
    items: tuple[Item, ...]

    def of(self, state: str) -> tuple[str, ...]:
        """The files in this state."""
        return tuple(item.path for item in self.items if item.state == state)

    @property
    def other_key(self) -> bool:
        """Sealed parts of the backup's games cannot be opened with the key that is here."""
        return KEY_FILE in self.of("differs")


class Restoring:
    """A backup that was checked, and lies ready to be put in its place."""

    def __init__(self, folder: Path, settings: Path | None, staged: Path, contents: Contents) -> None:
        self._folder, self._settings, self._staged, self._contents = folder, settings, staged, contents

    def plan(self) -> Plan:
        """How the backup stands against what is here now."""
        return Plan(self._contents, tuple(Item(part.path, self._state(part)) for part in self._contents.parts))

    def _place(self, path: str) -> Path | None:
        return self._settings if path == SETTINGS else self._folder / path

    def _state(self, part: Part) -> str:
        place = self._place(part.path)
        if place is None:
            return "kept"
        if not place.exists() and not place.is_symlink():
            return "new"
        if part.path == POINTER:
            return "kept"
        return "same" if self._is_same(part, place) else "differs"

    def _is_same(self, part: Part, place: Path) -> bool:
        if place.is_symlink() or not place.is_file():
            return False
        if is_record(part.path) and part.sound:
            try:
                return read_beside_writer(place).entries == read_walk(self._staged / part.path).entries
            except JournalError:
                return False
        return place.stat().st_size == part.size and _hash_of(place) == part.sha256

    def write(self, keep: bool = False) -> Plan:
        """Put everything that is new in its place; `keep`: leave what differs here as it is.

        Raise `ArchiveError` where something differs otherwise, before anything is written.
        """
        plan = self.plan()
        differs = plan.of("differs")
        if differs and not keep:
            raise ArchiveError(f"nothing was restored: {_some(differs)} here and in the backup are not the same")
        try:
            # The key before what it opens, records after their pictures; what goes on last of all.
            for path in sorted(plan.of("new"), key=lambda path: (path == POINTER, is_record(path), path != KEY_FILE, path)):
                self._put(path)
        except OSError as error:
            raise ArchiveError(
                f"not everything could be restored: {in_words(error)}; restore once more, what is there already is left alone"
            ) from error
        return plan

    def _put(self, path: str) -> None:
        place = self._place(path)
        if place is None:
            return
        make_folder(place.parent)
        source = self._staged / path
        # A link takes only a name that is free; from another disk the file is copied beside its place first.
        try:
            os.link(source, place)
        except OSError:
            if place != self._settings or place.exists():
                raise
            _copy_beside(source, place)
        sync_folder(place.parent)

    def set_aside(self) -> Path | None:
        """Move all that is here into a folder of its own, which is a whole data folder again; None where nothing is here.

        Raise `ArchiveError` while a game is being written.
        """
        _check_idle(self._folder)
        there = [
            path for path in sorted(self._folder.iterdir())
            if path.name not in APART and not path.name.startswith((ASIDE, STAGING))
        ]  # fmt: skip
        if not there:
            return None
        number = 1
        while (aside := self._folder / f"{ASIDE}{number}").exists():
            number += 1
        try:
            aside.mkdir(mode=0o700)
            for path in there:
                path.rename(aside / path.name)
            sync_folder(self._folder)
        except OSError as error:
            raise ArchiveError(f"what is here cannot be put aside into {aside.name}: {in_words(error)}") from error
        for file in (self._folder / CACHE).glob("*.json"):
            file.unlink(missing_ok=True)
        return aside


def _check_idle(folder: Path) -> None:
    for path in sorted((folder / "games").glob(f"*{ENDING}")):
        try:
            WriterLock(path).release()
        except JournalBusyError as error:
            raise ArchiveError(f"game {path.stem} is being written: end the program that plays it first") from error


def _copy_beside(source: Path, place: Path) -> None:
    """The same from another disk; a name that is taken is taken here, too."""
    fresh = place.with_name(f".{place.name}.part")
    try:
        fresh.write_bytes(source.read_bytes())
        os.link(fresh, place)
    finally:
        fresh.unlink(missing_ok=True)


def _some(paths: tuple[str, ...]) -> str:
    more = len(paths) - 3
    return ", ".join(paths[:3]) + (f" and {more} more" if more > 0 else "")


def _hash_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# ---- checking -----------------------------------------------------------------------------------------------------


@contextmanager
def examined(file: Path, folder: Path, settings: Path | None) -> Iterator[Restoring]:
    """Check a backup wholly, and lay its files ready beside their places as long as the block runs.

    Raise `ArchiveError` for what is no backup, damaged, foreign or newer, naming what was found.
    """
    try:
        make_folder(folder)
        tidy(folder)
        check_room(folder, file.stat().st_size)
        with TemporaryDirectory(prefix=f"{STAGING}restore-", dir=folder) as staging, _opened(file) as archive:
            contents = _contents(archive, file.stat().st_size)
            for part in contents.parts:
                _lay_ready(archive, part, Path(staging) / part.path)
            for part in contents.parts:
                if is_record(part.path) and part.sound:
                    _check_record(Path(staging) / part.path)
            yield Restoring(folder, settings, Path(staging), contents)
    except (zipfile.BadZipFile, NotImplementedError, EOFError) as error:
        # The second is what `zipfile` raises for a file that asks for a later version of the format than it knows.
        raise ArchiveError(f"the backup is damaged: {error}") from error
    except OSError as error:
        raise ArchiveError(f"the backup cannot be restored: {in_words(error)}") from error


@contextmanager
def _opened(file: Path) -> Iterator[zipfile.ZipFile]:
    try:
        archive = zipfile.ZipFile(file)
    except zipfile.BadZipFile as error:
        raise ArchiveError("this is no backup, or its end is missing: expected a zip file") from error
    with archive:
        yield archive


def _contents(archive: zipfile.ZipFile, size: int) -> Contents:
    """The list of the backup, which has to name its members, all of them and each once."""
    names = archive.namelist()
    if LIST not in names:
        raise ArchiveError(f"this is no backup of this program: a zip file without {LIST}")
    twice = next((name for name in names if names.count(name) > 1), None) if len(set(names)) < len(names) else None
    if twice is not None:
        raise ArchiveError(f"the backup holds {twice!r} more than once")
    for info in archive.infolist():
        _check_member(info)
    if sum(info.file_size for info in archive.infolist()) > size:
        raise ArchiveError("the members of the backup are larger than the backup itself")
    contents = _listed(archive)
    listed = [part.path for part in contents.parts]
    missing, extra = set(listed) - set(names), set(names) - set(listed) - {LIST}
    if missing or extra or len(set(listed)) < len(listed):
        found = sorted(missing) or sorted(extra) or ["a file twice"]
        raise ArchiveError(f"the list and the members of the backup are not the same: {_some(tuple(found))}")
    return contents


def _check_member(info: zipfile.ZipInfo) -> None:
    name, kind = info.filename, stat.S_IFMT(info.external_attr >> 16)
    if not is_safe(name) or name != info.orig_filename:
        raise ArchiveError(f"the backup holds {name[:80]!r}: that is no name of a file inside the data folder")
    if kind not in (0, stat.S_IFREG) or info.is_dir():
        raise ArchiveError(f"the backup holds {name!r} as something else than a plain file")
    if info.compress_type != zipfile.ZIP_STORED or info.flag_bits & 1 or info.file_size != info.compress_size:
        raise ArchiveError(f"the backup holds {name!r} compressed or encrypted: a backup of this program never is")
    if name != LIST and name != SETTINGS and is_transient(PurePosixPath(name)):
        raise ArchiveError(f"the backup holds {name!r}: such a file belongs to a running program alone")


def _listed(archive: zipfile.ZipFile) -> Contents:
    if archive.getinfo(LIST).file_size > LONGEST_LIST:
        raise ArchiveError(f"{LIST} is longer than any list of a backup")
    try:
        found = json.loads(archive.read(LIST))
        if not isinstance(found, dict) or found.get("viewmat") != "backup":
            raise ValueError
    except (ValueError, RecursionError) as error:
        raise ArchiveError(f"this is no backup of this program: {LIST} does not say so") from error
    if found.get("form") != FORM:
        program = str(found.get("program", ""))[:20]
        raise ArchiveError(
            f"this backup has form {found.get('form')!r}, made by version {program}; this version reads form {FORM}"
        )
    try:
        parts = tuple(_part(one) for one in found["parts"])
        left_out = tuple(map(str, found["left_out"]))
        return Contents(str(found["made"]), str(found["program"]), bool(found["whole"]), parts, left_out)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ArchiveError(f"the backup is damaged: {LIST} does not say what a list of this form says") from error


def _part(found: Any) -> Part:
    kinds = {"path": str, "size": int, "sha256": str, "changed": int, "sound": bool}
    if {field.name for field in fields(Part)} != found.keys() or any(type(found[name]) is not kinds[name] for name in kinds):
        raise ValueError
    return Part(**found)


def _lay_ready(archive: zipfile.ZipFile, part: Part, place: Path) -> None:
    """Write a member out and compare it with the list."""
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    digest, size = hashlib.sha256(), 0
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as file, archive.open(part.path) as member:
        for chunk in chunks(member):
            digest.update(chunk)
            size += len(chunk)
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    if (size, digest.hexdigest()) != (part.size, part.sha256):
        raise ArchiveError(f"the backup is damaged: {part.path} is not as it was backed up")
    os.utime(place, (part.changed, part.changed))


def _check_record(place: Path) -> None:
    try:
        found = verify(read_walk(place), name=place.stem)
    except JournalError as error:
        raise ArchiveError(f"games/{place.name} in the backup is no record that this version can read") from error
    if found.altered is not None:
        raise ArchiveError(f"games/{place.name} in the backup was changed: entry {found.altered.number} is not as it was written")
