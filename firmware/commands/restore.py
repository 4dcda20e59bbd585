"""`viewmat restore`: a backup back in its place."""

from __future__ import annotations

import json
from pathlib import Path

import click

from companion.words.history import restore_words
from firmware.backup import is_record
from firmware.datafolder import data_folder
from firmware.printing import echo
from firmware.restoring import Plan, examined


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--config", type=click.Path(path_type=Path), default="table.toml", show_default=True, help="The settings file.")
@click.option("--dry-run", is_flag=True, help="Check the backup and say what would happen; write nothing.")
@click.option("--keep", is_flag=True, help="Leave what is different here as it is here, and restore the rest.")
@click.option("--aside", is_flag=True, help="Put all that is here into a folder of its own first, and the backup in its place.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on standard output.")
def command(file: Path, config: Path, dry_run: bool, keep: bool, aside: bool, as_json: bool) -> None:
    """Check the backup FILE wholly, and then put everything in its place that is not there yet.

    Nothing is written over. Where a file here differs from that of the backup, nothing is restored without --keep or --aside.
    """
    if keep and aside:
        raise click.UsageError("--keep and --aside do not go together")
    with examined(file, data_folder(), config) as restoring:
        moved = restoring.set_aside() if aside and not dry_run else None
        plan = restoring.plan() if dry_run else restoring.write(keep or aside)
    _tell(plan, moved, not dry_run, as_json)


def _tell(plan: Plan, moved: Path | None, done: bool, as_json: bool) -> None:
    new = plan.of("new")
    if as_json:
        states = {state: list(plan.of(state)) for state in ("new", "same", "differs", "kept")}
        echo(json.dumps({"done": done, "made": plan.contents.made, "aside": moved and str(moved), **states}))
        return
    lines = restore_words(
        done, sum(map(is_record, new)), len(new), len(plan.of("same")), plan.of("differs"), plan.of("kept"), plan.other_key,
        plan.contents.left_out,
    )  # fmt: skip
    echo("\n".join(lines))
    if moved is not None:
        echo(f"What was here before is in {moved}.")
