"""Which record a table goes on with: that of the game that was not finished, or a new one."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_bytes
from time import monotonic
from typing import Any

from companion.chronicle import SHOWN, Chronicle
from companion.errors import JournalError, SealError
from companion.evidence import SEALED, Evidence
from companion.games.base import Game
from companion.journal import HEADER, Entry, Journal, Stamp, game_file, new_game, read_walk
from companion.journal.places import sync_folder
from companion.picturefile import PictureFile, PicturesInMemory, picture_file
from companion.seal import KEY, KEY_FILE, Seal
from companion.seats import Seat
from firmware.datafolder import data_folder, games_folder
from firmware.table import KeepEvidence

CURRENT = "current"
"""File in the games' folder that names the game that was begun last: clocks may be wrong, so no date decides that."""
WAY_OUT = "; `viewmat run --fresh` leaves it as it is and begins a new game"


@dataclass(frozen=True, slots=True)
class Kept:
    """A game that is recorded."""

    chronicle: Chronicle
    clock: Callable[[], float]
    """Seconds of the sitting; after a restart they go on from where the record ends."""
    game: str
    """Its name."""
    resumed: bool


def open_record(header: Mapping[str, Any], fresh: bool = False) -> Kept:
    """The record for a table with this header: game, seats, options.

    The game that was begun last goes on if it has the same header and was not finished, unless `fresh` asks for a new one.
    Raise `JournalError` where its record is damaged or in use, or no new one can be made; `SealError` without its key.
    """
    folder = games_folder()
    left = None if fresh else unfinished(folder, header)
    if left is not None and not (data_folder() / KEY_FILE).exists():
        raise SealError(f"{data_folder() / KEY_FILE} is missing, and without it {left.name} cannot be read{WAY_OUT}")
    seal = Seal.load_or_create(data_folder())
    if left is None:
        kept = begin_record(header, seal)
        _note_current(folder, kept.game)
        return kept
    journal = Journal.open(left)
    began = journal.entries()[-1].time
    start = monotonic()
    return Kept(Chronicle(journal, seal, _stamp), lambda: began + monotonic() - start, journal.game, True)


def begin_record(header: Mapping[str, Any], seal: Seal) -> Kept:
    """The record of a new game, which is not the one to go on with after a restart; raise `JournalError` as `open_record`."""
    name = new_game()
    journal = Journal.create(game_file(games_folder(), name), name, header, _stamp(0.0))
    start = monotonic()
    return Kept(Chronicle(journal, seal, _stamp), lambda: monotonic() - start, name, False)


def table_header(game: Game[Any], seats: Sequence[Seat], options: Mapping[str, Any], tray: str) -> dict[str, Any]:
    """What makes a table's game this game."""
    told = [{"name": seat.name, "source": seat.source} for seat in seats]
    return {"game": game.name, "seats": told, "options": asdict(game.options(options)), "tray": tray}


def recorded_evidence(chronicle: Chronicle) -> KeepEvidence:
    """Keeps the pictures of a recorded game in a file beside its journal."""
    file = PictureFile(picture_file(games_folder(), chronicle.game), SEALED)
    return lambda album: Evidence(album, file, chronicle.seal, chronicle.game)


def passing_evidence() -> KeepEvidence:
    """Keeps the pictures of a game that is not recorded, as long as it lasts."""
    return lambda album: Evidence(album, PicturesInMemory(), Seal(token_bytes(KEY)), "unrecorded")


def unfinished(folder: Path, header: Mapping[str, Any]) -> Path | None:
    """The record of the game that was begun last, if it has this header and no result was announced in it.

    Raise `JournalError` where that record cannot be read.
    """
    try:
        path = game_file(folder, (folder / CURRENT).read_text(encoding="ascii").strip())
    except (OSError, ValueError):
        return None
    if not path.exists():
        return None
    try:
        walk = read_walk(path)
    except JournalError as error:
        raise JournalError(f"{error}{WAY_OUT}") from error
    if walk.fault is not None:
        raise JournalError(f"{path}: {walk.fault}{WAY_OUT}")
    return path if _is_of(walk.entries, header) and not _is_finished(walk.entries) else None


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
    return bool(entries) and entries[0].kind == HEADER and entries[0].body["header"] == dict(header)


def _is_finished(entries: tuple[Entry, ...]) -> bool:
    shown = [entry.body["finished"] for entry in entries if entry.kind == SHOWN]
    return bool(shown) and bool(shown[-1])


def _stamp(time: float) -> Stamp:
    return Stamp(time, datetime.now(UTC))
