"""Which record a table goes on with: that of the game that was begun last, or a new one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_bytes
from time import monotonic
from typing import Any

from companion.chronicle import RESTARTED, SETTINGS, Chronicle
from companion.errors import CompanionError, JournalError, OptionError, RecordError, SealError
from companion.evidence import SEALED, Evidence
from companion.games import find_game
from companion.games.base import Game
from companion.header import game_of
from companion.journal import Draft, Entry, Journal, Stamp, game_file, new_game, read_walk
from companion.journal.places import beside, sync_folder
from companion.picturefile import PictureFile, PicturesInMemory, picture_file
from companion.seal import KEY, KEY_FILE, Seal
from companion.seats import Seat
from firmware.datafolder import data_folder, demo_folder, games_folder
from firmware.recordfile import of_a_record
from firmware.table import KeepEvidence

CURRENT = "current"
"""File in the games' folder that names the game that was begun last: clocks may be wrong, so no date decides that."""
WAY_OUT = "; `viewmat run --fresh` leaves it as it is and begins a new game"
NEEDED = 4 * 2**20
"""Bytes that have to be free for a game to begin: what the record of a long one takes.  With less it might begin and then
wait, an empty record, while the one that is over is gone from the page."""
DEMO_GAMES = 5
"""So many games of the virtual table are kept; older ones are deleted."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A game that is recorded."""

    chronicle: Chronicle
    clock: Callable[[], float]
    """Seconds of the sitting; after a restart they go on from where the record ends."""
    game: str
    """Its name."""
    header: Mapping[str, Any]
    """What the record says it is: game, seats, options and tray."""
    resumed: bool
    path: Path
    before: str = ""
    """The name of the game that was begun before it at this table, as `CURRENT` had it."""

    @property
    def left(self) -> bool:
        """Whether that game does not go on: another was asked for, or the settings make another table now."""
        return not self.resumed and bool(self.before) and game_file(self.path.parent, self.before).exists()

    def forget(self) -> None:
        """Take away the record of a game that could not even begin.  One that went on is left alone."""
        self.discard()
        if not self.resumed:
            _note_current(self.path.parent, self.before)

    def discard(self) -> None:
        """The same, for a record that was never noted as the one that goes on."""
        self.chronicle.close()
        if self.resumed:
            return
        for file in (self.path, *beside(self.path), picture_file(self.path.parent, self.game)):
            file.unlink(missing_ok=True)


def open_record(header: Mapping[str, Any], fresh: bool = False, settings: Mapping[str, Any] | None = None) -> Kept:
    """The record for a table with this header: game, seats, options, tray.

    The game that was begun last goes on if it is one of this table, also when it is over: it stays until somebody begins the
    next one.  `fresh` asks for a new one.  `settings` is what else the table was told, for the record.  Raise `JournalError`
    where the record is damaged or in use, or no new one can be made; `SealError` without its key.
    """
    folder = games_folder()
    left = None if fresh else left_behind(folder, header)
    if left is not None and not (data_folder() / KEY_FILE).exists():
        raise SealError(f"{data_folder() / KEY_FILE} is missing, and without it {left.name} cannot be read{WAY_OUT}")
    seal = Seal.load_or_create(data_folder())
    if left is not None:
        return _reopened(left, seal, settings or {})
    before = _current(folder)
    kept = _new_record(folder, {**header, "settings": dict(settings or {})}, seal)
    try:
        _note_current(folder, kept.game)
    except JournalError:
        kept.discard()
        raise
    return Kept(kept.chronicle, kept.clock, kept.game, header, False, kept.path, before)


def demo_record(header: Mapping[str, Any], clock: Callable[[], float]) -> Kept:
    """A new record for a game of the virtual table, in a folder of its own; only the last few are kept there."""
    games = demo_folder() / "games"
    seal = Seal.load_or_create(demo_folder())
    try:
        _make_room(games)
    except OSError as error:
        raise JournalError(f"{games} cannot be tidied: {error.strerror or error}") from error
    kept = _new_record(games, header, seal)
    return Kept(kept.chronicle, clock, kept.game, header, False, kept.path)


def _make_room(games: Path) -> None:
    """Delete the oldest games that nobody writes any more, so that one more makes `DEMO_GAMES`."""
    if not games.is_dir():
        return
    ended = [path for path in games.glob("*.sqlite") if not path.with_name(path.name + ".lock").exists()]
    ended.sort(key=lambda path: path.stat().st_mtime)
    for path in ended[: max(0, len(ended) - DEMO_GAMES + 1)]:
        for file in (path, *beside(path), picture_file(games, path.stem)):
            file.unlink(missing_ok=True)


def _new_record(folder: Path, header: Mapping[str, Any], seal: Seal) -> Kept:
    name = new_game()
    path = game_file(folder, name)
    free = _free(next(each for each in path.parents if each.is_dir()))
    if free < NEEDED:
        raise JournalError(f"{path} cannot be made: expected {NEEDED // 1024} KB of free room for a game, found {free // 1024}")
    journal = Journal.create(path, name, header, _stamp(0.0))
    start = monotonic()
    return Kept(Chronicle(journal, seal, _stamp), lambda: monotonic() - start, name, header, False, path)


def _free(folder: Path) -> int:
    """Bytes that are left on the disk of a folder."""
    status = os.statvfs(folder)
    return status.f_bavail * status.f_frsize


def table_header(game: Game[Any], seats: Sequence[Seat], options: Mapping[str, Any], tray: str) -> dict[str, Any]:
    """What makes a table's game this game."""
    told = [{"name": seat.name, "source": seat.source} for seat in seats]
    return {"game": game.name, "seats": told, "options": asdict(game.options(options)), "tray": tray}


def evidence_of(kept: Kept | None) -> KeepEvidence:
    """Keeps the pictures of a game in a file beside its journal; those of a game that is not recorded as long as it lasts."""
    if kept is None:
        return lambda album: Evidence(album, PicturesInMemory(), Seal(token_bytes(KEY)), "unrecorded")
    file, seal = PictureFile(picture_file(kept.path.parent, kept.game), SEALED), kept.chronicle.seal
    return lambda album: Evidence(album, file, seal, kept.game)


def _reopened(path: Path, seal: Seal, settings: Mapping[str, Any]) -> Kept:
    journal = Journal.open(path)
    entries = journal.entries()
    began, header = entries[-1].time, _table_of(entries[0].body["header"])
    told = [Draft(RESTARTED, _stamp(began))]
    if dict(settings) != _settings_of(entries):
        told.append(Draft(SETTINGS, _stamp(began), {"settings": dict(settings)}))
    journal.append(told)
    start = monotonic()
    return Kept(Chronicle(journal, seal, _stamp), lambda: began + monotonic() - start, journal.game, header, True, path)


def left_behind(folder: Path, header: Mapping[str, Any]) -> Path | None:
    """The record of the game that was begun last, if it is one of the table with this header.

    Raise `JournalError` where that record cannot be read.
    """
    try:
        path = game_file(folder, _current(folder))
    except JournalError:
        return None
    if not path.exists():
        return None
    try:
        walk = read_walk(path)
    except JournalError as error:
        raise JournalError(f"{error}{WAY_OUT}") from error
    if walk.fault is not None:
        raise JournalError(f"{path}: {walk.fault}{WAY_OUT}")
    try:
        if game_of(walk.entries) != path.stem:
            raise RecordError(f"expected the record of game {path.stem}; found that of game {game_of(walk.entries)}")
        return path if _is_of(walk.entries, header) else None
    except RecordError as error:
        raise JournalError(f"{path}: {error}{WAY_OUT}") from error


@contextmanager
def going_on_with(path: Path) -> Iterator[None]:
    """Whatever comes of a record with which a table cannot go on is told with its file and the way out; raise `JournalError`."""
    try:
        with of_a_record(path):
            yield
    except CompanionError as error:
        told = str(error) if str(path) in str(error) else f"{path}: {error}"
        raise JournalError(f"{told}{WAY_OUT}") from error


def _current(folder: Path) -> str:
    try:
        return (folder / CURRENT).read_text(encoding="ascii").strip() if (folder / CURRENT).is_file() else ""
    except (OSError, ValueError):
        return ""


def _note_current(folder: Path, name: str) -> None:
    fresh = folder / f".{CURRENT}"
    try:
        with fresh.open("w", encoding="ascii") as file:
            file.write(f"{name}\n")
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(folder / CURRENT)
        sync_folder(folder)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink()
        raise JournalError(f"{folder / CURRENT} cannot be written: {error.strerror or error}") from error


def _is_of(entries: tuple[Entry, ...], header: Mapping[str, Any]) -> bool:
    found = entries[0].body.get("header")
    if not isinstance(found, dict) or not isinstance(found.get("options", {}), dict):
        raise RecordError("entry 1 (header): expected game, seats, options and tray of a table")
    return _at_any_time(_table_of(found)) == _at_any_time(header)


def _table_of(header: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in header.items() if name != "settings"}


def _at_any_time(header: Mapping[str, Any]) -> dict[str, Any]:
    """The header without what changes from game to game of the same table."""
    session: tuple[str, ...] = ()
    with suppress(OptionError, AttributeError):
        session = find_game(header.get("game", "")).session
    options = {name: value for name, value in header.get("options", {}).items() if name not in session}
    return {**header, "options": options}


def _settings_of(entries: tuple[Entry, ...]) -> dict[str, Any]:
    """What the table was told last, beside what makes the game."""
    told = [entry.body.get("settings") for entry in entries if entry.kind == SETTINGS]
    found = told[-1] if told else entries[0].body["header"].get("settings")
    return found if isinstance(found, dict) else {}


def _stamp(time: float) -> Stamp:
    return Stamp(time, datetime.now(UTC))
