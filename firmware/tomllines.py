"""On which line of a TOML file a key stands; no reader of TOML that we have tells."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

LONGEST_VALUE = 60
"""So many lines may a value take: a bracket that is never closed would be looked for to the end, from each line anew."""

Where = tuple[int | str, ...]


def lines_of(text: str) -> dict[Where, int]:
    """The line, counted from 1, of every table and key by the way to it: ``("seat", 1, "name")``; lists count from 0.

    What is in a value that takes several lines stands on its first.  A text that is no TOML is read as far as it can be, line by
    line.
    """
    return {place: line for place, line, _ in walk(text)}


def line_of(lines: Mapping[Where, int], place: Where) -> int | None:
    """The line of a key, or of the nearest table around it; None where not even that is written."""
    for length in range(len(place), 0, -1):
        if place[:length] in lines:
            return lines[place[:length]]
    return None


def values_of(text: str) -> dict[Where, Any]:
    """Every value that can be read, by the way to it, even where the text as a whole is no TOML."""
    return {place: value for place, _, value in walk(text)}


def walk(text: str) -> Iterator[tuple[Where, int, Any]]:
    """Every table and key, its line and its value, in the order in which they stand."""
    lines = text.splitlines()
    counts: dict[Where, int] = {}
    table: Where = ()
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        size, found = 1, None
        if line and not line.startswith("#"):
            size, found = (1, _read(line)) if line.startswith("[") else _statement(lines, at)
        if found is not None and line.startswith("["):
            table = _header(found, counts)
            if table[-1] == 0:
                yield table[:-1], at + 1, []
            yield table, at + 1, {}
        elif found is not None:
            for place, value in _inside(found, table):
                yield place, at + 1, value
        at += size


def _read(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def _statement(lines: Sequence[str], at: int) -> tuple[int, dict[str, Any] | None]:
    """A key with its value, which may go on over several lines; so many lines, and what they say."""
    for size in range(1, LONGEST_VALUE + 1):
        found = _read("\n".join(lines[at : at + size]))
        if found is not None:
            return size, found
        if at + size >= len(lines):
            break
    return 1, None


def _header(found: dict[str, Any], counts: dict[Where, int]) -> Where:
    """The table that ``[a.b]`` or ``[[a.b]]`` begins, as it was read alone; `counts` knows how often each list was begun."""
    place: Where = ()
    inner: Any = found
    while isinstance(inner, dict) and inner:
        (key, inner), *_ = inner.items()
        place = (*place, key)
        if isinstance(inner, list):
            counts[place] = counts.get(place, -1) + 1
            return (*place, counts[place])
        if place in counts:
            place = (*place, counts[place])
    return place


def _inside(value: Any, place: Where) -> Iterator[tuple[Where, Any]]:
    """What is in a value, with the way to it."""
    items: Iterator[tuple[int | str, Any]] = iter(())
    if isinstance(value, dict):
        items = iter(value.items())
    elif isinstance(value, list):
        items = iter(enumerate(value))
    for key, inner in items:
        yield (*place, key), inner
        yield from _inside(inner, (*place, key))
