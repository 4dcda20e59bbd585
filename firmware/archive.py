"""The games that were recorded in a data folder: what history tells of them, and deleting what is kept of a player."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from companion.errors import ArchiveError, JournalBusyError, JournalError, RecordError, SealError
from companion.export import game_from_json, game_to_json
from companion.history import Told, retelling, told
from companion.journal.places import ENDING, WriterLock, beside, checked_game, make_folder, sync_folder
from companion.journal.reading import read_beside_writer
from companion.picturefile import picture_file
from companion.played import Deletion, PlayedGame, Shelf, Unfinished, Unreadable
from companion.retelling import Retelling, retold_from
from companion.seal import KEY_FILE, Seal

REMAINDER = ".played.json"
"""Ending of what stays of a game whose record was deleted: its result without the player who wanted that, and without proof."""
CACHE = "cache"
"""Folder in which told games are kept; it may be thrown away at any time."""


class Archive:
    """The games of one data folder.  Safe from any thread.  Nothing is kept but what can be told again from the records."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._games, self._cache = folder / "games", folder / CACHE
        self._lock = threading.Lock()
        self._told: dict[str, tuple[list[Any], Told]] = {}

    def shelf(self) -> Shelf:
        """Everything that there is to tell now."""
        with self._lock:
            return self._shelf()

    def _shelf(self) -> Shelf:
        found: dict[str, Told] = {}
        seal, key = self._seal()
        for path in sorted(self._games.glob(f"*{REMAINDER}")):
            game = path.name.removesuffix(REMAINDER)
            found[game] = self._remainder(path, game)
        for path in sorted(self._games.glob(f"*{ENDING}")):
            with suppress(FileNotFoundError):
                found[path.stem] = self._record(path, seal, key)
        self._told = {game: one for game, one in self._told.items() if game in found}
        for file in self._cache.glob("*.json"):
            if file.stem not in found:
                # What cannot be deleted is asked for no more.
                with suppress(OSError):
                    file.unlink()
        games = [one for one in found.values() if isinstance(one, PlayedGame)]
        games.sort(key=lambda game: (game.began, game.game), reverse=True)
        unfinished = [one for one in found.values() if isinstance(one, Unfinished)]
        unfinished.sort(key=lambda game: (game.began, game.game), reverse=True)
        return Shelf(tuple(games), tuple(unfinished), tuple(one for one in found.values() if isinstance(one, Unreadable)))

    def retelling(self, game: str) -> Retelling | None:
        """The story of a game that has a result; None for any other."""
        with self._lock:
            found = next((one for one in self._shelf().games if one.game == game), None)
            if found is None or not found.proven:
                return None if found is None else retold_from(found)
            path, (seal, _) = self._games / f"{found.game}{ENDING}", self._seal()
            # A game on the table may be taken up again at any moment: whether it is over is asked of the record itself.
            with suppress(JournalError, FileNotFoundError):
                return retelling(read_beside_writer(path), checked_game(found.game), seal)
            return None

    def _seal(self) -> tuple[Seal | None, list[int]]:
        """What opens sealed parts, if it is here, and by what one sees that it has changed.  A key is never made here."""
        try:
            status = (self.folder / KEY_FILE).stat()
            return Seal.load_or_create(self.folder), [status.st_mtime_ns]
        except (OSError, SealError):
            return None, []

    def _remainder(self, path: Path, game: str) -> Told:
        try:
            found = game_from_json(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, RecursionError):
            return Unreadable(game, "damaged")
        return found if found.game == game and not found.proven else Unreadable(game, "changed")

    # ---- telling a record only once ---------------------------------------------------------------------------------

    def _record(self, path: Path, seal: Seal | None, key: list[int]) -> Told:
        stamp = [*_state(path), *key]
        known = self._told.get(path.stem)
        if known is not None and known[0] == stamp:
            return known[1]
        cached = self._cached(path.stem, stamp)
        found = self._read(path, seal) if cached is None else cached
        if cached is None:
            self._remember(path.stem, stamp, found)
        self._told[path.stem] = stamp, found
        return found

    def _read(self, path: Path, seal: Seal | None) -> Told:
        try:
            return told(read_beside_writer(path), checked_game(path.stem), seal)
        except JournalError:
            return Unreadable(path.stem, "damaged")

    def _cached(self, game: str, stamp: list[Any]) -> PlayedGame | None:
        """What was told of the same bytes before."""
        try:
            kept = json.loads((self._cache / f"{game}.json").read_text(encoding="utf-8"))
            return game_from_json(kept["told"]) if kept["stamp"] == stamp else None
        except (OSError, ValueError, KeyError, TypeError, RecursionError, RecordError):
            return None

    def _remember(self, game: str, stamp: list[Any], found: Told) -> None:
        """Only what everybody may know is kept: of a game that goes on again, nothing."""
        file = self._cache / f"{game}.json"
        with suppress(OSError):
            if not isinstance(found, PlayedGame):
                file.unlink(missing_ok=True)
                return
            make_folder(self._cache)
            _write(file, {"stamp": stamp, "told": game_to_json(found)}, durable=False)

    # ---- deleting -------------------------------------------------------------------------------------------------

    def deletion(self, name: str) -> Deletion:
        """What `forget` would delete of the player of this name."""
        with self._lock:
            return self._deletion(name)

    def _deletion(self, name: str) -> Deletion:
        shelf = self._shelf()
        sat: tuple[PlayedGame | Unfinished, ...] = (*shelf.games, *shelf.unfinished)
        his = [game for game in sat if name and name in game.names]
        busy = tuple(game.game for game in his if self._is_written(game.game))
        games = tuple(game.game for game in his if game.game not in busy)
        others = sorted({other for game in his if game.game in games for other in game.names} - {name, ""})
        mark = hashlib.sha256("\n".join((name, *sorted(games))).encode()).hexdigest()[:16]
        return Deletion(name, games, tuple(others), busy, len(shelf.unreadable), mark)

    def _is_written(self, game: str) -> bool:
        path = self._games / f"{game}{ENDING}"
        if not path.with_name(path.name + ".lock").exists():
            return False
        try:
            WriterLock(path).release()
        except JournalBusyError:
            return True
        except JournalError:
            return False
        return False

    def forget(self, name: str, mark: str, keep: bool) -> int:
        """Delete the records, pictures and remainders of every game of `deletion`; how many games that were.

        `keep`: of a finished game leave the result, with everybody else's name and without his.  Raise `ArchiveError` where the
        list has changed since it was read, or where something cannot be deleted; then it says what is left.
        """
        with self._lock:
            plan = self._deletion(name)
            if mark != plan.mark:
                raise ArchiveError("the list of games has changed meanwhile: read it again, and confirm it then")
            finished = {game.game: game for game in self._shelf().games}
            for done, game in enumerate(plan.games):
                left = finished.get(game) if keep else None
                try:
                    self._delete(game, None if left is None else left.without(name))
                except (OSError, JournalError) as error:
                    why = "it is being written" if isinstance(error, JournalBusyError) else error.strerror or "no reason is told"
                    rest = len(plan.games) - done
                    raise ArchiveError(f"game {game} cannot be deleted: {why}; {rest} of {len(plan.games)} are left") from error
            return len(plan.games)

    def _delete(self, game: str, left: PlayedGame | None) -> None:
        """Delete a game; first of all `left` is written in its place, if anything is to be left."""
        path, remainder = self._games / f"{game}{ENDING}", self._games / f"{game}{REMAINDER}"
        lock = WriterLock(path)
        try:
            if left is not None:
                _write(remainder, game_to_json(left))
            else:
                remainder.unlink(missing_ok=True)
            # The journal before its log, which alone tells nothing, and after the pictures, which nobody finds without it.
            for file in (*self._copies(game), picture_file(self._games, game), path, *beside(path)):
                file.unlink(missing_ok=True)
            sync_folder(self._games)
        finally:
            lock.release()

    def _copies(self, game: str) -> Iterable[Path]:
        """What was told of it, and damaged files from which it was rescued."""
        return [self._cache / f"{game}.json", *self._games.glob(f"{game}{ENDING}.damaged-*")]


def _state(path: Path) -> list[int]:
    """By what one sees that a journal was written to; raise `FileNotFoundError` where it is gone."""
    found = [path.stat()]
    with suppress(FileNotFoundError):
        found.append(beside(path)[0].stat())
    return [number for status in found for number in (status.st_size, status.st_mtime_ns)]


def _write(file: Path, data: Any, durable: bool = True) -> None:
    """Write a JSON file of this user alone, whole or not at all."""
    with NamedTemporaryFile("w", dir=file.parent, prefix=".", encoding="utf-8", delete=False) as fresh:
        try:
            json.dump(data, fresh)
            fresh.flush()
            if durable:
                os.fsync(fresh.fileno())
            Path(fresh.name).replace(file)
        except BaseException:
            Path(fresh.name).unlink(missing_ok=True)
            raise
