"""`viewmat judge`: judge a record again."""

from __future__ import annotations

import json
from pathlib import Path

import click

from companion.errors import RecordError
from companion.record import failed, judge_record
from firmware.printing import echo

LARGEST = 200_000_000
"""Bytes; a longer file is no record."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@click.pass_context
def command(context: click.Context, file: Path, as_json: bool) -> None:
    """Judge every game, case or hand of the record FILE again."""
    bad = 0
    for answer in judge_record(_read(file)):
        bad += failed(answer)
        if failed(answer):
            echo(f"{answer['id']}: {answer['message']}", err=True)
        echo(json.dumps(answer) if as_json else _told(answer))
    if bad:
        context.exit(1)


def _read(file: Path) -> object:
    try:
        if file.exists() and not (file.is_file() or file.is_dir()):
            # Reading a device or a pipe may never end.
            raise RecordError(f"{file} is no ordinary file: expected a record")
        if file.stat().st_size > LARGEST:
            raise RecordError(f"{file} is too large for a record: {file.stat().st_size} bytes, at most {LARGEST}")
        return json.loads(file.read_text(encoding="utf-8-sig"), parse_constant=_no_number)
    except OSError as error:
        raise RecordError(f"{file} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{file} is no JSON file: {error}") from error


def _no_number(text: str) -> object:
    raise ValueError(f"{text} is no number of JSON")


def _told(answer: dict[str, object]) -> str:
    """One line for people."""
    name = answer.get("id") or "-"
    if answer.get("error"):
        return f"{name}: {answer['error']}: {answer['message']}"
    if "states" in answer:
        states = answer["states"]
        refused = sum("error" in state for state in states) if isinstance(states, list) else 0
        return f"{name}: {refused} illegal steps, result {_plainly(answer['result'])}"
    if "order_best_first" in answer:
        return f"{name}: order {_plainly(answer['order_best_first'])}, decided by {answer['reason']}"
    told = answer.get("choices") or answer.get("action")
    return f"{name}: {answer['message']} {_plainly(told) if told else ''}".rstrip()


def _plainly(value: object) -> str:
    """A list or an object of the answer as people read it: ``draw: seat 1, use 3``."""
    if isinstance(value, dict):
        first = str(value["type"]) + ": " if "type" in value else ""
        return first + ", ".join(f"{key} {_plainly(each)}" for key, each in value.items() if key != "type")
    if isinstance(value, list | tuple):
        told = [_plainly(each) for each in value]
        return (" / " if any(" " in each for each in told) else " ").join(told)
    return "none" if value is None else str(value)
