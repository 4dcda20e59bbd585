"""`viewmat simulate`: whole games on the virtual table, through the cameras."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from firmware.houserules import check_seats, house_rules_option
from firmware.outfolder import made_folder
from firmware.profiles import profile_option
from firmware.ranges import FiniteRange
from firmware.virtual.measure import Figures
from firmware.virtual.play import UPCARDS, Settings
from firmware.virtual.run import check, run_games
from firmware.virtual.world import TRAYS
from vision.synthetic.scene import DIFFICULTIES
from vision.synthetic.styles import STYLES

SOURCES = ("mat", "tap", "bot")
LIGHTS = ("steady", "pulsed")


def parse_sources(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[str, ...]:
    """``mat,mat,tap,bot`` -> one source per seat."""
    if value is None:
        return ()
    found = tuple(part.strip() for part in value.split(","))
    for source in found:
        if source not in SOURCES:
            raise click.BadParameter(f"{source!r} is no source of cards: expected {', '.join(SOURCES)}")
    return found


@click.command()
@click.option("--games", type=click.IntRange(1), default=1, show_default=True, help="How many games are played.")
@click.option("--seats", type=int, help="Number of players.  [default: 4, or as many as --sources]")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same games.")
@click.option("--game", default="steal", show_default=True, help="Which game is played.")
@click.option("--hands", type=click.IntRange(1), default=3, show_default=True, help="Hands of a game with chips.")
@click.option("--upcards", type=click.Choice(UPCARDS), default="scan", show_default=True, help="How open cards are read.")
@house_rules_option
@click.option("--hard-mode", is_flag=True, help="No card may be looked at after the start.")
@click.option("--deck", type=click.Choice([style.name for style in STYLES]), help="One of the decks that we draw.")
@click.option("--art", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Folder with As.png ... 2c.png.")
@click.option("--difficulty", type=click.Choice(DIFFICULTIES), default="normal", show_default=True)
@click.option("--cheat", type=FiniteRange(0, 1), default=0.0, help="Probability per turn that a rule is broken.")
@click.option("--habits", type=FiniteRange(0, 1), default=0.0, help="Share of lively players.")
@click.option("--tray", type=click.Choice(TRAYS), default="overhead", show_default=True, help="What looks at the row.")
@click.option("--period", type=FiniteRange(0.02, 5), default=0.1, show_default=True, help="Seconds between captures.")
@click.option("--light", type=click.Choice(LIGHTS), default="steady", show_default=True, help="How the mats' lamps burn.")
@click.option("--sources", callback=parse_sources, help="Per seat mat, tap or bot, joined by commas.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Games played at the same time.")
@click.option("--save", type=click.Path(file_okay=False, path_type=Path), help="Write frames and what is true of them there.")
@profile_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def command(
    games: int, seats: int | None, jobs: int, save: Path | None, as_json: bool, sources: tuple[str, ...], art: Path | None,
    options: Mapping[str, Any], **given: Any,
) -> None:  # fmt: skip
    """Play whole games on the virtual table and count what the cameras and the referee made of them."""
    count = seats if seats is not None else len(sources) or 4
    check_seats(given["game"], count, "--sources" if seats is None else "--seats")
    if sources and len(sources) != count:
        raise click.BadParameter(f"{count} seats need {count} sources, found {len(sources)}", param_hint="--sources")
    faces = None if art is None else str(art)
    settings = Settings(seats=count, sources=sources, art=faces, rules=tuple(options.items()), **given)
    check(settings)
    if save is not None:
        made_folder(save, "--save")
    figures = run_games(settings, games, jobs, save)
    for note in figures.notes:
        click.echo(note, err=True)
    click.echo(json.dumps(figures.to_json()) if as_json else in_words(figures))
    sys.exit(0)


def in_words(figures: Figures) -> str:
    """The figures for people."""
    made = sum(tally.made for tally in figures.violations.values())
    caught = sum(tally.caught for tally in figures.violations.values())
    return "\n".join(
        (
            f"{figures.games} games, {figures.turns_right} of {figures.turns} turns right, {figures.questions} questions",
            f"{caught} of {made} violations caught, {figures.false_accusations} false accusations",
            f"{figures.slot_reads} readings compared: {figures.wrong_reads} wrong, {figures.unknown_reads} unknown",
            f"{figures.reveals_right} of {figures.reveals} results right",
            *((f"{figures.payouts_right} of {figures.payouts} payouts right",) if figures.payouts else ()),
        )
    )
