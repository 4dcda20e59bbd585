"""The lines of `viewmat doctor` for people, for programs, and for the list of machines that were seen working."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.plain import printable
from firmware.doctor import BAD, WARN, Line
from firmware.version import version


def text_of(lines: Sequence[Line]) -> str:
    """One line for each thing, and below it what to do."""
    return "\n".join(_text(lines))


def _text(lines: Sequence[Line]) -> Iterator[str]:
    width = max(len(line.name) for line in lines)
    for line in lines:
        yield f"{line.grade:<4}  {line.name:<{width}}  {printable(line.found)}".rstrip()
        if line.todo:
            yield f"{'':<4}  {'':<{width}}  -> {line.todo}"
    yield summary_of(lines)


def summary_of(lines: Sequence[Line]) -> str:
    bad, warn = (sum(line.grade == grade for line in lines) for grade in (BAD, WARN))
    if not bad and not warn:
        return "All is well."
    return f"{bad} bad, {warn} that could be better."


def json_of(lines: Sequence[Line]) -> dict[str, Any]:
    """For programs."""
    told = [{"name": line.name, "grade": line.grade, "found": line.found, "todo": line.todo} for line in lines]
    return {"version": version(), "ok": all(line.grade != BAD for line in lines), "lines": told}


def report_of(lines: Sequence[Line]) -> str:
    """What may be shown to everybody: a part of a Markdown page.  Only the `public` parts of the lines are in it."""
    head = f"| {'thing':<24} | grade | found |\n|---|---|---|"
    rows = [f"| {line.name:<24} | {line.grade:<5} | {_cell(line.public)} |" for line in lines]
    return "\n".join((f"### viewmat {version()}", "", head, *rows, ""))


def _cell(text: str) -> str:
    return printable(text).replace("|", "\\|") or "-"
