"""Which record a table goes on with: that of the game that was not finished, or a new one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any

from companion.chronicle import SHOWN, Chronicle
from companion.errors import JournalBusyError, JournalError
from companion.journal import HEADER, Entry, Journal, Stamp, game_file, new_game, read_walk
from companion.seal import Seal
from firmware.datafolder import data_folder, games_folder


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

    The newest game with the same header that was not finished goes on, unless `fresh` asks for a new one.  Raise
    `JournalError` where that record is damaged or in use, or no new one can be made; raise `SealError` without a usable key.
    """
    folder = games_folder()
    seal = Seal.load_or_create(data_folder())
    left = None if fresh else unfinished(folder, header)
    if left is None:
        name = new_game()
        journal = Journal.create(game_file(folder, name), name, header, _stamp(0.0))
    else:
        journal = Journal.open(left)
    began = journal.entries()[-1].time
    start = monotonic()
    return Kept(Chronicle(journal, seal, _stamp), lambda: began + monotonic() - start, journal.game, left is not None)


def unfinished(folder: Path, header: Mapping[str, Any]) -> Path | None:
    """The newest record with this header whose result was not announced; damaged ones are left alone."""
    found = []
    for path in folder.glob("*.sqlite") if folder.is_dir() else ():
        try:
            entries = read_walk(path).entries
        except (JournalBusyError, JournalError):
            continue
        if entries and _is_of(entries, header) and not _is_finished(entries):
            found.append((entries[-1].wall, path))
    return max(found)[1] if found else None


def _is_of(entries: tuple[Entry, ...], header: Mapping[str, Any]) -> bool:
    return entries[0].kind == HEADER and entries[0].body["header"] == dict(header)


def _is_finished(entries: tuple[Entry, ...]) -> bool:
    shown = [entry.body["finished"] for entry in entries if entry.kind == SHOWN]
    return bool(shown) and bool(shown[-1])


def _stamp(time: float) -> Stamp:
    return Stamp(time, datetime.now(UTC))
