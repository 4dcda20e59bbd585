"""A damaged journal: its whole entries go on in a new file, and the damaged one is kept."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from companion.errors import JournalError
from companion.journal import schema
from companion.journal.places import WriterLock, beside, sync_folder
from companion.journal.reading import copied, salvage
from companion.journal.writing import Journal, prepared


def rescue(path: Path) -> tuple[Path | None, int]:
    """Put a journal with every whole append that can still be read in the damaged one's place.

    Gives the place where the damaged file is kept, and the number of entries that were saved; None and the number of its
    entries where the journal is whole, and nothing was written.  Raise `JournalError` where not even the first append can be
    read, the file is no journal, or the disk refuses; then everything is as before.
    """
    schema.check_start(path)
    with schema.told(path, "cannot be rescued"):
        lock = WriterLock(path)
        try:
            whole = _whole(path)
            if whole:
                return None, whole
            saved = salvage(path)
            if not saved:
                raise JournalError(f"{path} cannot be rescued: not even its first entry can be read")
            kept = _free_name(path)
            with prepared(path, saved) as fresh:
                for file, name in zip((path, *beside(path)), (kept, *beside(kept)), strict=True):
                    if file.exists():
                        name.hardlink_to(file)
                sync_folder(path.parent)
                # The old log must be gone before the new file has the name: SQLite would play it into that one.
                for file in beside(path):
                    file.unlink(missing_ok=True)
                sync_folder(path.parent)
                fresh.rename(path)
                sync_folder(path.parent)
            return kept, len(saved)
        finally:
            lock.release()


def _whole(path: Path) -> int:
    """How many entries a journal has with which a game goes on as it is; 0 for a damaged one.  A copy of it is opened."""
    with TemporaryDirectory(prefix="viewmat-") as folder:
        copy = copied(path, Path(folder))
        try:
            with Journal.open(copy) as journal:
                return journal.newest.number
        except JournalError:
            return 0


def _free_name(path: Path) -> Path:
    number = 1
    while (kept := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    return kept
