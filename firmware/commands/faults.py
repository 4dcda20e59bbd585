"""`viewmat faults`: what the table makes of failing cameras, bad light and mats that are knocked about."""

from __future__ import annotations

import json
import sys

import click
import cv2

from companion.games import find_game
from firmware.virtual.faultrun import Outcome, run_fault
from firmware.virtual.faults import FAULTS, faults_of
from firmware.virtual.play import Settings
from firmware.virtual.rendered import direct_link
from firmware.virtual.run import check
from firmware.virtual.server import build_table
from vision.synthetic.scene import DIFFICULTIES


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(tuple(FAULTS)), metavar="[FAULT]...")
@click.option("--game", default="steal", show_default=True, help="Which game is played.")
@click.option("--seats", type=click.IntRange(3, 5), default=3, show_default=True, help="Number of players.")
@click.option("--seed", type=int, default=10, show_default=True, help="The same seed gives the same game.")
@click.option("--difficulty", type=click.Choice(DIFFICULTIES), default="normal", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line on standard output.")
@click.option("--list", "only_list", is_flag=True, help="Only tell which faults there are.")
def command(names: tuple[str, ...], game: str, seats: int, seed: int, difficulty: str, as_json: bool, only_list: bool) -> None:
    """Play a game on the virtual table for each FAULT (all of them, if none is named), and tell what came of it."""
    there = faults_of(find_game(game))
    if only_list:
        for fault in there.values():
            click.echo(f"{fault.name:<12} {fault.what}")
        return
    settings = Settings(game=find_game(game).name, seats=seats, seed=seed, difficulty=difficulty, hands=1)
    check(settings)
    cv2.setNumThreads(1)
    right = True
    if not as_json:
        click.echo(HEADINGS)
    for name in names or tuple(there):
        outcome = run_fault(FAULTS[name], settings, lambda: direct_link(build_table))
        right = right and outcome.right
        click.echo(json.dumps(outcome.to_json()) if as_json else in_words(outcome))
        sys.stdout.flush()
    sys.exit(0 if right else 1)


HEADINGS = f"{'fault':<12} {'noticed':>8} {'back':>7}  {'by hand':<16} {'false':>5} {'finished':>8} {'right':>5}  said"


def in_words(outcome: Outcome) -> str:
    """One line of the table, and the words below it."""
    by_hand = ", ".join(outcome.by_hand) or "-"
    line = (
        f"{outcome.name:<12} {_seconds(outcome.noticed_s):>8} {_seconds(outcome.back_s):>7}  {by_hand:<16} "
        f"{outcome.false_accusations:>5} {_yes(outcome.finished):>8} {_yes(outcome.right):>5}"
    )
    said = [*outcome.words, *outcome.questions, *(f"named: {error}" for error in outcome.named)]
    return "\n".join([f"{line}  {said[0] if said else '-'}", *(f"{'':<69}{text}" for text in said[1:])])


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f} s"


def _yes(so: bool) -> str:
    return "yes" if so else "NO"
