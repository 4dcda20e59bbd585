"""`viewmat verify`: was anything in the record of a game changed?"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from companion.announcements import ENGLISH, Translator, checked_words
from companion.errors import JournalError, RecordError
from companion.evidence import SEALED, PictureCheck, check_pictures
from companion.exhibits import EVIDENCE, Exhibit
from companion.journal import Entry, read_walk
from companion.picturefile import ENDING, PictureFile
from companion.story import Story, tell
from companion.verification import Verification, verify
from companion.words.story import line_words, story_words
from companion.words.verify import altered_words, restarts_words, verified_words
from firmware.printing import echo
from firmware.recordfile import record_file
from firmware.spoken import language_option


def noted_hash(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """At least eight hexadecimal digits, which no other entry has by chance; blanks between them, as the page shows them."""
    value = None if value is None else "".join(value.split())
    if value is not None and not re.fullmatch(r"[0-9a-fA-F]{8,64}", value):
        raise click.BadParameter(f"{value!r}: expected the first 8 to 64 hexadecimal digits of a hash")
    return value


@click.command()
@click.argument("game")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Where games are kept, if elsewhere.")
@click.option("--noted", metavar="HASH", callback=noted_hash, help="A hash noted during the game, or its first 8 digits.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on standard output.")
@language_option
@click.pass_context
def command(
    context: click.Context, game: str, folder: Path | None, noted: str | None, as_json: bool, say: Translator
) -> None:
    """Prove that nothing in the record of GAME was changed, or name the first entry that was.

    GAME is a file, or the name of a game that was played here.  Exit status 1 where something was changed or cannot be read.
    """
    file, name = record_file(game, folder)
    try:
        walk = read_walk(file)
        found, story = verify(walk, noted, name), tell(walk)
        pictures = _pictures(file, found.game, walk.entries)
    except JournalError as error:
        echo(str(error), err=True)
        if as_json:
            echo(json.dumps({"file": str(file), "intact": False, "error": str(error)}))
        context.exit(1)
    if as_json:
        echo(json.dumps(as_object(file, found, story, pictures, say)))
    checked = checked_words(pictures.kept, pictures.found, pictures.changed, say)
    if not found.intact or pictures.changed:
        echo("\n".join(filter(None, (verified_words(found, say), checked))), err=True)
        context.exit(1)
    if not as_json:
        told = (verified_words(found, say), checked, *restarts_words(story.restarts, say), *story_words(story, say))
        echo("\n".join(filter(None, told)))


def _pictures(file: Path, game: str, entries: Iterable[Entry]) -> PictureCheck:
    """How the pictures beside a record stand against it; an entry that says nothing usable of them is the chain's matter."""
    exhibits = []
    for entry in entries:
        with suppress(RecordError):
            exhibits += [Exhibit.from_public(entry.body)] if entry.kind == EVIDENCE else []
    return check_pictures(exhibits, PictureFile(file.with_name(f"{game}{ENDING}"), SEALED))


def as_object(
    file: Path, found: Verification, story: Story, pictures: PictureCheck, say: Translator = ENGLISH
) -> dict[str, Any]:
    """What ``--json`` prints."""
    altered = found.altered
    return {
        "game": found.game, "file": str(file), "intact": found.intact, "entries": found.entries, "head": found.head,
        "changed": None if altered is None else {
            "number": altered.number, "kind": altered.kind, "time": altered.time, "wall": altered.wall,
            "problem": altered.problem, "message": altered_words(altered, say),
            "seat": altered.place and altered.place[0], "slot": altered.place and altered.place[1],
        },
        "seal": found.seal, "commitments": found.committed, "opened": found.opened, "clock_set": found.clock_set,
        "noted": found.noted, "noted_missing": found.missed, "restarts": story.restarts,
        "pictures": {"kept": pictures.kept, "found": pictures.found, "changed": list(pictures.changed)},
        "story": [
            {"entry": line.entry, "time": line.time, "wall": line.wall, "kind": line.kind, "number": line.number,
             "place": line.place, "words": line_words(line, story, say)}
            for line in story.lines
        ],
    }  # fmt: skip
