"""Backups through the page: a file that goes out, and one that comes in piece by piece."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from companion.errors import ArchiveError
from companion.journal.places import in_words, make_folder
from companion.web.history import RestoreView
from firmware.backup import STAGING, check_room, is_record, make_backup
from firmware.restoring import Plan, examined

UPLOAD = f"{STAGING}upload.zip"
"""The backup that comes in; there is one at a time."""


class Exchange:
    """What the page does with backups of one data folder.  Safe from any thread."""

    def __init__(
        self, folder: Path, settings: Path | None = None, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._folder, self._settings, self._now = folder, settings, now
        self._lock = threading.Lock()

    def backup(self) -> IO[bytes]:
        """A backup without anything secret, as a file that is gone when it is closed; raise `ArchiveError`."""
        self._enter()
        try:
            make_folder(self._folder)
            check_room(self._folder, sum(path.stat().st_size for path in self._folder.rglob("*") if path.is_file()))
            file = TemporaryFile(dir=self._folder, prefix=STAGING)  # noqa: SIM115  # whoever sends it closes it
            try:
                # A table that nobody has set up yet has no settings file.
                settings = self._settings if self._settings is not None and self._settings.exists() else None
                make_backup(self._folder, settings, file, whole=False, now=self._now)
            except BaseException:
                file.close()
                raise
            file.seek(0)
            return file
        except OSError as error:
            raise ArchiveError(f"the backup cannot be made: {in_words(error)}") from error
        finally:
            self._lock.release()

    def piece(self, at: int, data: bytes) -> None:
        """Take the piece that begins at byte `at`; 0 begins anew.  Raise `ArchiveError` for one that does not come next."""
        self._enter()
        try:
            make_folder(self._folder)
            self._add(self._folder / UPLOAD, at, data)
        except OSError as error:
            raise ArchiveError(f"the backup cannot be taken in: {in_words(error)}") from error
        finally:
            self._lock.release()

    def _add(self, file: Path, at: int, data: bytes) -> None:
        if at == 0:
            file.unlink(missing_ok=True)
        # It will be laid ready once more beside its place.
        check_room(self._folder, at + 2 * len(data))
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            if os.fstat(handle).st_size != at:
                raise ArchiveError("the pieces of the backup did not come in their order: choose the file once more")
            if os.pwrite(handle, data, at) != len(data):
                raise ArchiveError("there is not enough room on the disk for this backup")
        finally:
            os.close(handle)

    def restore(self, write: bool, keep: bool) -> RestoreView:
        """Check what came in, and with `write` put it in its place; raise `ArchiveError`."""
        self._enter()
        file = self._folder / UPLOAD
        try:
            if not file.is_file():
                raise ArchiveError("no backup has come in")
            with examined(file, self._folder, None) as restoring:
                plan = restoring.write(keep) if write else restoring.plan()
            if write:
                file.unlink(missing_ok=True)
        finally:
            self._lock.release()
        return _view(plan, write)

    def _enter(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise ArchiveError("a backup is being made or restored already: wait until it is done")


def _view(plan: Plan, done: bool) -> RestoreView:
    new = plan.of("new")
    return RestoreView(
        done, plan.contents.made, sum(map(is_record, new)), len(new), len(plan.of("same")), plan.of("differs"), plan.of("kept"),
        plan.other_key, plan.contents.left_out,
    )  # fmt: skip
