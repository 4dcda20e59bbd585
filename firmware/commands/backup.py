"""`viewmat backup`: everything that is kept for this user's table, as one file."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from firmware.backup import is_record, write_backup
from firmware.datafolder import data_folder
from firmware.printing import echo


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--config", type=click.Path(path_type=Path), default="table.toml", show_default=True, help="The settings file.")
@click.option("--without-key", is_flag=True, help="Leave out the key that opens sealed parts, for a file that others may get.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on standard output.")
def command(file: Path, config: Path, without_key: bool, as_json: bool) -> None:
    """Write records, pictures, taught decks, keys and settings into FILE, a zip file.

    The table may be playing meanwhile. Whoever has FILE can read every hidden card in it, unless --without-key was given.
    """
    contents = write_backup(data_folder(), config if config.is_file() else None, file, key=not without_key)
    if as_json:
        echo(json.dumps({"file": str(file), "key": contents.keyed, **asdict(contents)}))
        return
    games = sum(is_record(part.path) for part in contents.parts)
    echo(f"{file}: {games} games, {len(contents.parts)} files in all.")
    for path in contents.left_out:
        echo(f"Left out: {path}")
    for part in contents.parts:
        if not part.sound:
            echo(f"{part.path} cannot be read as a record; it is in the backup as it is.", err=True)
    if not config.is_file():
        echo(f"Without settings: there is no {config}; --config names another file.")
    if contents.keyed:
        echo("The key is in it: keep it where nobody takes it who must not see hidden cards.")
