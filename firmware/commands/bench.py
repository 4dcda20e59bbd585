"""`viewmat bench`: how fast this machine reads."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from firmware.benchmark import open_benchmark
from firmware.printing import echo

FEWEST_REPEATS = 50
UNITS = {"idle_cpu_fraction_five_mats": "of one core"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.option(
    "--repeats", type=click.IntRange(min=FEWEST_REPEATS), default=FEWEST_REPEATS, show_default=True,
    help="Every figure is the median of so many runs after a warm-up.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="For the pictures, which are drawn here.")
def command(as_json: bool, repeats: int, seed: int) -> None:
    """Measure the reader on this machine: one ONNX thread, full frames as the virtual rig delivers them."""
    echo("Measuring: this takes a minute or two, longer on a busy machine.", err=True)
    figures = open_benchmark(repeats, seed).figures()
    click.echo(json.dumps(figures) if as_json else "\n".join(_lines(figures)))
    sys.exit(1 if None in figures.values() else 0)


def _lines(figures: dict[str, Any]) -> list[str]:
    model = figures["model"]
    first = f"model: {model['parameters']:,} parameters, {model['mmac_per_window']:.2f} million multiply-adds a window, " \
        f"{model['megabytes']:.2f} MB"  # fmt: skip
    return [first, *(_line(name, value) for name, value in figures.items() if name != "model")]


def _line(name: str, value: float | None) -> str:
    if value is None:
        return f"{name}: failed"
    return f"{name}: {value:g} {UNITS[name]}" if name in UNITS else f"{name.removesuffix('_ms')}: {value:g} ms"
