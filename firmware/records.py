"""Finding the record of a game by what people type."""

from __future__ import annotations

from pathlib import Path

import click

from companion.errors import JournalError
from companion.journal import game_file


def record_of(game: str, folder: Path) -> tuple[Path, str | None]:
    """The file itself, whichever game it holds; or the journal of the game of this name, and the name.

    Raise `click.BadParameter` for what is neither.
    """
    path = Path(game)
    if path.is_file():
        return path, None
    try:
        kept = game_file(folder, game)
    except JournalError:
        raise click.BadParameter(f"{game!r} is no file, and names no game", param_hint="GAME") from None
    if not kept.is_file():
        raise click.BadParameter(f"{game!r} is no file, and there is no game of this name in {folder}", param_hint="GAME")
    return kept, game
