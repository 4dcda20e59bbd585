"""`viewmat first-light`: the recording kit for a real mat, and what is made of a recording."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from firmware.firstlight import load_recording, write_kit
from firmware.firstlight_report import figures, measure, worse_than_baseline, write_regression, write_report
from firmware.outfolder import made_folder
from firmware.profiles import open_classifier, profile_option
from firmware.virtual.recorder import record
from firmware.virtual.rendered import open_deck
from firmware.virtual.teacher import as_difficulty
from vision.synthetic.scene import DIFFICULTIES
from vision.synthetic.styles import STYLES

_folder = click.argument("folder", type=click.Path(file_okay=False, path_type=Path))


@click.group()
def command() -> None:
    """Record a real mat for the first time, measure it, and keep the frames as a regression set."""


@command.command()
@_folder
def new(folder: Path) -> None:
    """Make FOLDER with a form to fill and a place for every shot."""
    write_kit(made_folder(folder, "FOLDER"))
    click.echo(f"{folder / 'recording.toml'} says what to record; then: viewmat first-light report {folder}")


@command.command()
@_folder
@click.option("--deck", type=click.Choice([style.name for style in STYLES]), help="One of the decks that we draw.")
@click.option("--art", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Folder with As.png ... 2c.png.")
@click.option("--difficulty", type=click.Choice(DIFFICULTIES), default="normal", show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
def virtual(folder: Path, deck: str | None, art: Path | None, difficulty: str, seed: int) -> None:
    """Fill FOLDER with a recording of the virtual table, to try the kit."""
    record(made_folder(folder, "FOLDER"), open_deck(deck, None if art is None else str(art)), as_difficulty(difficulty), seed)
    click.echo(f"recorded: {folder}")


@command.command()
@_folder
@profile_option
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Where the report goes.  [default: FOLDER/report]")
@click.option("--set", "kept", type=click.Path(file_okay=False, path_type=Path), help="Keep a regression set there.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on standard output.")
def report(folder: Path, profile: str | None, out: Path | None, kept: Path | None, as_json: bool) -> None:
    """Check the recording in FOLDER, read it, and write what was measured.  Exit status 1 where anything was read wrong."""
    recording = load_recording(folder)
    out = made_folder(folder / "report" if out is None else out, "--out")
    if kept is not None:
        made_folder(kept, "--set")
    measured = measure(recording, open_classifier(profile))
    page = write_report(measured, out)
    if kept is not None:
        write_regression(measured, kept)
    told = figures(measured)
    cards = told["cards"]
    words = f"{cards['right']} cards right, {cards['wrong']} wrong, {cards['unknown']} unknown; the report is {page}"
    click.echo(json.dumps(told) if as_json else words)
    sys.exit(1 if cards["wrong"] or told["others"]["named_as_card"] else 0)


@command.command()
@_folder
@profile_option
def verify(folder: Path, profile: str | None) -> None:
    """Read the regression set in FOLDER again.  Exit status 1 where a window is read worse than when it was kept."""
    worse = worse_than_baseline(folder, open_classifier(profile))
    for line in worse:
        click.echo(line)
    if not worse:
        click.echo("nothing is read worse than before")
    sys.exit(1 if worse else 0)
