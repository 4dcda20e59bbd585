"""``viewmat settings``: whether a settings file is right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from firmware.settings import settings_text
from firmware.settingspart import Problem, key_words, quoted, secret
from firmware.tablecheck import all_problems
from firmware.tomllines import Where, values_of


@click.group()
def command() -> None:
    """Look after the settings file."""


@command.command()
@click.argument("file", type=click.Path(path_type=Path), default="table.toml")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def check(ctx: click.Context, file: Path, as_json: bool) -> None:
    """Say everything that is wrong with FILE (table.toml), with its line: what `viewmat run` would refuse.

    Exit status 0 where all is well, 1 where something is wrong, 2 where there is no such file.
    """
    text = settings_text(file)
    problems = all_problems(text)
    values = values_of(text)
    if as_json:
        told = [_told(problem, values) for problem in problems]
        click.echo(json.dumps({"file": str(file), "ok": not problems, "problems": told}, ensure_ascii=False))
    for problem in problems:
        at = str(file) if problem.line is None else f"{file}, line {problem.line}"
        click.echo(f"{at}: {problem.sentence}", err=True)
    if not problems and not as_json:
        click.echo(f"{file}: all is well.")
    ctx.exit(1 if problems else 0)


def _told(problem: Problem, values: dict[Where, Any]) -> dict[str, Any]:
    """A problem for programs; `value` is what stands in the file, if anything, and no secret."""
    value = values.get(problem.place)
    plain = value if isinstance(value, str | int | float | bool | list | dict) or value is None else str(value)
    return {
        "key": key_words(problem.place), "line": problem.line,
        "value": quoted(value, problem.place) if secret(value, problem.place) else json.loads(json.dumps(plain, default=str)),
        "problem": problem.sentence, "kind": problem.kind,
    }  # fmt: skip
