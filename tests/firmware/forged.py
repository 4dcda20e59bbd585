"""Records that somebody has written who knows how: every hash fits, and what is said may be anything."""

from __future__ import annotations

import copy
import json
import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from companion.journal import Entry, read_entries, schema
from companion.journal.entries import START, _canonical
from companion.seal import KEY, KEY_FILE, ROOM, About, Seal
from tests.companion.filmed import GAME, Film, shown, three_moves, to_the_end

NO_JSON = "xx"
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 3, 7, 10**30, 0.5, float("inf"), float("nan"), "", "Td", NO_JSON, "\x1b[2J\u202e\n", "\ud800", [], [[]],
    [1, 2], {}, {"_": "Turn"}, {"?": 5}, {"text": "x"}, {"_": "Place", "area": {"_": "Area", "value": 0}, "seat": 9, "number": 9},
)  # fmt: skip
"""Values that may stand anywhere in JSON."""


OTHERS: tuple[tuple[str, Any, Any], ...] = (
    ("declared", {"what": "call", "seat": 1, "by": "table", "refused": "no_change", "name": "resume"}, None),
    ("declared", {"what": "enter", "seat": 1, "by": "seat", "refused": "", "place": [0, 1, 2]}, {"_": "Entry"}),
    ("cameras", {"troubles": [{"kind": "dark", "seat": 1, "since": 2.0, "other": None}], "by_hand": [1]}, None),
    ("seen", {"places": 1}, [[0, 1, 2, "Td"]]),
    ("restarted", {}, None),
    ("settings", {"settings": {"rig": "taps"}}, None),
    ("unheard", {}, None),
    ("again", {}, None),
)
"""Entries of the kinds that the game itself has not."""


@dataclass(frozen=True)
class Part:
    """An entry to be: what is said of it in public, and what is sealed in it."""

    entry: Entry
    body: Any
    hidden: Any = None


def key_of(folder: Path) -> Seal:
    """The key of a film's records as the data folder's own."""
    folder.mkdir(exist_ok=True)
    (folder / KEY_FILE).write_text(f"viewmat seal 1\n{bytes(KEY).hex()}\n")
    (folder / KEY_FILE).chmod(0o600)
    return Seal(bytes(KEY))


def parts_of(folder: Path) -> list[Part]:
    """A whole game with pictures, taken apart."""
    film = Film(folder)
    shown(to_the_end(three_moves(film.table())))
    film.chronicle().close()
    found: list[Part] = []
    for entry in read_entries(film.journal):
        hidden = None
        if entry.sealed is not None:
            hidden = json.loads(film.seal.decrypt(entry.sealed, About(GAME, entry.number, entry.kind)))
        found.append(Part(entry, entry.body, hidden))
    last = found[-1].entry
    return found + [Part(replace(last, kind=kind, more=0), body, hidden) for kind, body, hidden in OTHERS]


def forge(path: Path, parts: Sequence[Part], seal: Seal) -> None:
    """Write them as a record in which every entry follows from the one before."""
    path.unlink(missing_ok=True)
    previous, entries = START, []
    for number, part in enumerate(parts, 1):
        sealed = None
        if part.hidden is not None:
            data = json.dumps(part.hidden).encode()
            sealed = seal.encrypt(data, About(GAME, number, part.entry.kind), ROOM * (1 + len(data) // ROOM))
        text = NO_JSON if part.body == NO_JSON else json.dumps(part.body)
        entry = replace(part.entry, number=number, text=text, sealed=sealed, previous=previous, more=0)
        said = (number, entry.kind, entry.time, entry.wall, int(entry.clock_set), text, sealed, previous, entry.form, 0)
        previous = sha256(_canonical(("viewmat journal entry 2", *said))).digest()
        entries.append(replace(entry, hash=previous))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        schema.make_tables(connection)
        schema.insert(connection, tuple(entries))


def mutated(rng: random.Random, value: Any) -> Any:
    """The same with one thing in it that is odd, or missing, or there twice."""
    value = copy.deepcopy(value)
    ways = list(_ways(value))
    if not ways:
        return rng.choice(ODD)
    holder, key = rng.choice(ways)
    act = rng.random()
    if act < 0.6:
        holder[key] = copy.deepcopy(rng.choice(ODD))
    elif act < 0.8:
        del holder[key]
    elif isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[key]))
    else:
        holder[f"{key}x"] = holder.pop(key)
    return value


def _ways(value: Any) -> Any:
    each = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in each:
        yield value, key
        yield from _ways(inner)


def tampered(rng: random.Random, parts: Sequence[Part], kind: str) -> list[Part]:
    """The parts with one of this kind forged."""
    at = rng.choice([number for number, part in enumerate(parts) if part.entry.kind == kind])
    part = parts[at]
    if part.hidden is not None and rng.random() < 0.7:
        forged = replace(part, hidden=mutated(rng, part.hidden))
    else:
        forged = replace(part, body=mutated(rng, part.body) if rng.random() < 0.9 else rng.choice(ODD))
    return [*parts[:at], forged, *parts[at + 1 :]]
