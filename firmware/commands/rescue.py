"""`viewmat rescue`: go on with a record that was damaged."""

from __future__ import annotations

import json
from pathlib import Path

import click

from companion.errors import JournalError
from companion.journal import rescue
from companion.words.verify import rescued_words
from firmware.printing import echo
from firmware.recordfile import record_file


@click.command()
@click.argument("game")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Where games are kept, if elsewhere.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on standard output.")
@click.pass_context
def command(context: click.Context, game: str, folder: Path | None, as_json: bool) -> None:
    """Save what can still be read of the damaged record of GAME, and put it in its place.

    GAME is a file, or the name of a game that was played here.  The damaged file is kept beside it.  What is saved ends with the
    last turn that was written whole.  A record that is whole is left as it is.
    """
    file, _ = record_file(game, folder)
    try:
        kept, saved = rescue(file)
    except JournalError as error:
        echo(str(error), err=True)
        if as_json:
            echo(json.dumps({"file": str(file), "error": str(error)}))
        context.exit(1)
    if as_json:
        echo(json.dumps({"file": str(file), "damaged": None if kept is None else str(kept), "entries": saved}))
    else:
        echo(rescued_words(str(file), None if kept is None else str(kept), saved))
