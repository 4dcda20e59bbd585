"""`viewmat streams`: how many pages can follow one table on this machine."""

from __future__ import annotations

import json
import sys

import click

from firmware.ranges import FiniteRange
from firmware.streamload import measure


@click.command()
@click.option("--clients", type=click.IntRange(1, 24), default=12, show_default=True, help="Pages that follow the table.")
@click.option("--seconds", type=FiniteRange(1, 3600), default=300.0, show_default=True)
@click.option("--rate", type=FiniteRange(0.1, 100), default=20.0, show_default=True, help="Updates a second.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same games.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def command(clients: int, seconds: float, rate: float, seed: int, as_json: bool) -> None:
    """Let many pages follow a quick game of taps, and count what each was told.

    Exit status 1 where an update was lost or came out of order.
    """
    found = measure(clients, seconds, rate, seed)
    if as_json:
        click.echo(json.dumps(found))
    else:
        click.echo("\n".join(f"{name.replace('_', ' ')}: {_shown(value)}" for name, value in found.items()))
    sys.exit(1 if found["lost"] or found["out_of_order"] else 0)


def _shown(value: object) -> str:
    return ", ".join(f"{name} {each}" for name, each in value.items()) if isinstance(value, dict) else str(value)
