"""Finding the record that a command names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from companion.errors import MALFORMED, CompanionError, JournalError, OptionError, RecordError, SealError
from companion.journal import game_file
from firmware.datafolder import data_folder, demo_folder, games_folder
from vision.errors import VisionError


def record_file(game: str, folder: Path | None = None) -> tuple[Path, str | None]:
    """The file itself, whichever game it holds; or the journal of the game of this name, and the name.

    Games of the virtual table are found as well, unless a `folder` is named.  Raise `click.BadParameter` where there is no game
    of that name, and `RecordError` for what can only be a file and is none.
    """
    path = Path(game)
    with suppress(OSError):
        # A name may be too long for any file.
        if path.is_file():
            return path, None
    folders = (games_folder(), demo_folder() / "games") if folder is None else (folder,)
    try:
        files = [game_file(each, game) for each in folders]
    except JournalError:
        # Only a file can be called so, and a file that cannot be read is no wrong use of the command.
        raise RecordError(f"{game!r} cannot be read: there is no such file, and no game has such a name") from None
    for file in files:
        if file.is_file():
            return file, game
    raise click.BadParameter(f"{game!r} is no file, and there is no game of this name in {folders[0]}", param_hint="GAME")


@contextmanager
def of_a_record(file: Path) -> Iterator[None]:
    """Whatever comes of a record that says what no table writes is told as that, with its file; raise `RecordError`."""
    try:
        yield
    except OptionError:
        raise
    except (RecordError, JournalError, SealError) as error:
        if str(file) in str(error):
            raise
        raise type(error)(f"{file}: {error}") from error
    except (CompanionError, VisionError):
        raise
    except MALFORMED as error:
        # Not what was found: that may be a hidden card.
        raise RecordError(f"{file}: expected the record of a game; found one that tells of things that cannot be") from error


def key_folder(file: Path) -> Path:
    """Where the key of a record lies: the games of the virtual table have one of their own."""
    return demo_folder() if file.resolve().parent == (demo_folder() / "games").resolve() else data_folder()
