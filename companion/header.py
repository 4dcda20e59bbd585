"""The first entry of a record: what table it is of.  Anybody may have written it, so nothing in it is taken on trust."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.errors import JournalError, OptionError, RecordError
from companion.games import find_game
from companion.journal import HEADER, Entry, checked_game
from companion.picture import RowSight
from companion.plain import quoted
from companion.seats import SOURCES

NEEDED = ("game", "seats", "options", "tray")
_TRAYS = tuple(sight.value for sight in RowSight)


def game_of(entries: tuple[Entry, ...]) -> str:
    """The name of the game that a record is of; raise `RecordError` where it does not begin with one."""
    first = _first(entries)
    name = first.body.get("game")
    if not isinstance(name, str):
        raise RecordError(f"{_where(first)}: expected the name of a game; found {quoted(name)}")
    try:
        return checked_game(name)
    except JournalError as error:
        raise RecordError(f"{_where(first)}: {error}") from error


def header_of(entries: tuple[Entry, ...]) -> dict[str, Any]:
    """What a record says of its table: game, seats, options and tray, each as a table can have it.

    Raise `RecordError` naming the key, what was expected and what was found.
    """
    first = _first(entries)
    header = first.body.get("header")
    if not isinstance(header, dict):
        raise RecordError(f"{_where(first)}: expected an object called 'header'; found {quoted(header)}")
    problem = next(_problems(header), None)
    if problem is not None:
        raise RecordError(f"{_where(first)}: {problem}")
    return header


def _first(entries: tuple[Entry, ...]) -> Entry:
    if not entries or entries[0].kind != HEADER:
        found = f"one of kind {entries[0].kind!r}" if entries else "none"
        raise RecordError(f"no record of a game: expected a {HEADER} as its first entry, found {found}")
    return entries[0]


def _where(first: Entry) -> str:
    return f"entry {first.number} ({first.kind})"


def _problems(header: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong; each key is looked at when those before it hold."""
    missing = [name for name in NEEDED if name not in header]
    if missing:
        yield f"it does not say what table it is of: expected {', '.join(NEEDED)}; missing {', '.join(missing)}"
    seats, tray = header["seats"], header["tray"]
    if not isinstance(seats, list) or not seats:
        yield f"expected a list of 'seats'; found {quoted(seats)}"
    for number, seat in enumerate(seats, 1):
        yield from _seat_problems(seat, number)
    if tray not in _TRAYS or not isinstance(tray, str):
        yield f"expected 'tray' to be one of {', '.join(_TRAYS)}; found {quoted(tray)}"
    yield from _game_problems(header["game"], header["options"], len(seats))
    if not isinstance(header.get("settings", {}), dict):
        yield f"expected an object of 'settings'; found {quoted(header['settings'])}"


def _seat_problems(seat: Any, number: int) -> Iterator[str]:
    if not isinstance(seat, dict):
        yield f"expected seat {number} to be an object with name and source; found {quoted(seat)}"
    elif not isinstance(seat.get("name", ""), str):
        yield f"expected a text as the name of seat {number}; found {quoted(seat['name'])}"
    elif not isinstance(seat.get("source"), str) or seat["source"] not in SOURCES:
        yield f"expected the source of seat {number} to be one of {', '.join(SOURCES)}; found {quoted(seat.get('source'))}"


def _game_problems(name: Any, options: Any, seats: int) -> Iterator[str]:
    if not isinstance(name, str):
        yield f"expected the name of a 'game'; found {quoted(name)}"
    if not isinstance(options, dict):
        yield f"expected an object of 'options'; found {quoted(options)}"
    try:
        game = find_game(name)
        game.start(seats, game.options(options))
    except OptionError as error:
        yield str(error)
