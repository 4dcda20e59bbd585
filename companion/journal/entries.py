"""What stands in a journal: entries, each with the hash of the one before, and the walk along that chain."""

from __future__ import annotations

import json
import math
import re
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from companion.errors import JournalError, RecordError

BUILD_YEAR = 2026
"""A wall clock that shows an earlier year has never been set: this program did not exist then."""
HEADER = "header"
"""Kind of the first entry; its body names the game."""
FORM = 2
"""The canonical form in which new entries are hashed.  Form 1 did not know how many entries of the same append follow."""
START = sha256(b"viewmat journal").digest()
"""What the first entry carries as the hash of the one before."""
LARGEST = 16 * 2**20
"""Bytes of a body or sealed part; what is longer does not belong into a journal."""

LONGEST_WALL = 40
"""Characters of a wall time."""

_KIND = re.compile(r"[a-z][a-z0-9_]{0,39}")
_DOMAINS = {1: "viewmat journal entry 1", 2: "viewmat journal entry 2"}


@dataclass(frozen=True, slots=True)
class Stamp:
    """When something happened, by both clocks."""

    time: float
    """Seconds of the sitting's monotonic clock."""
    wall: datetime
    """The wall clock, with its zone; kept as UTC."""
    clock_set: bool = True
    """False where the caller knows that nobody has set the wall clock, as on a Pi without network after a power cut."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry that is still to be appended."""

    kind: str
    """Short and public: lower-case letters, digits and underscores."""
    stamp: Stamp
    body: Mapping[str, Any] = field(default_factory=dict)
    """Anything that JSON can say, and that everybody may read at any time."""
    sealed: bytes | None = None
    """Hidden readings as `companion.seal` encrypted them."""
    number: int | None = None
    """The number for which `sealed` was encrypted; the append is refused when the entry would get another one."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry as it stands in the journal."""

    number: int
    """From 1, without gaps."""
    kind: str
    time: float
    wall: str
    """ISO 8601, UTC."""
    clock_set: bool
    text: str
    """The body as JSON."""
    sealed: bytes | None
    previous: bytes
    """Hash of the entry before."""
    hash: bytes
    form: int = FORM
    more: int = 0
    """How many entries of the same append follow."""

    @property
    def body(self) -> dict[str, Any]:
        """The public part; raise `RecordError` where it is no JSON object."""
        try:
            found = json.loads(self.text)
        except (ValueError, RecursionError) as error:
            raise RecordError(f"entry {self.number} ({self.kind}): expected a JSON object; found something else") from error
        if not isinstance(found, dict):
            raise RecordError(f"entry {self.number} ({self.kind}): expected a JSON object; found {type(found).__name__}")
        return found


@dataclass(frozen=True, slots=True)
class Fault:
    """The first place at which the chain does not hold."""

    number: int
    problem: str
    """``content`` (its hash does not fit what it says), ``rewritten`` (it is sound in itself, but the next entry follows from
    another one), ``link`` (the first entry does not begin a chain), ``missing`` (no entry has this number), ``number`` (a number
    that no entry of a journal can have) or ``shape`` (a field of another type)."""
    kind: str = ""
    """Kind, time and wall time as they were found; empty or None where nothing usable was."""
    time: float | None = None
    wall: str = ""

    def __str__(self) -> str:
        name = f"entry {self.number}" + (f" ({self.kind}, {self.wall})" if self.kind else "")
        return f"{name} {_PROBLEMS[self.problem]}"


_PROBLEMS = {
    "content": "was changed: its hash does not fit what it says",
    "rewritten": "was changed, perhaps with some before it: the next entry follows from another one",
    "link": "was changed: no record begins like that",
    "missing": "is missing",
    "number": "does not belong there: entries are numbered from 1",
    "shape": "was changed: a field of it has another type than was written",
}


@dataclass(frozen=True, slots=True)
class Walk:
    """The chain as far as it holds, and why it ends there."""

    entries: tuple[Entry, ...]
    fault: Fault | None
    found: int
    """How many entries the file holds altogether."""


COLUMNS = ("number", "kind", "time", "wall", "clock_set", "body", "sealed", "previous", "hash", "form", "more")
"""Columns of the table in the order of `row_of`."""
Row = Sequence[object]


def row_of(entry: Entry) -> tuple[object, ...]:
    """The entry as the table keeps it."""
    return (
        entry.number, entry.kind, entry.time, entry.wall, int(entry.clock_set), entry.text, entry.sealed, entry.previous,
        entry.hash, entry.form, entry.more,
    )  # fmt: skip


def chained(drafts: Sequence[Draft], number: int, previous: bytes) -> tuple[Entry, ...]:
    """The drafts of one append as the entries from `number` on; raise `JournalError` for what cannot be an entry."""
    entries: list[Entry] = []
    for index, draft in enumerate(drafts):
        entries.append(_entry(draft, number + index, len(drafts) - 1 - index, entries[-1].hash if entries else previous))
    return tuple(entries)


def _entry(draft: Draft, number: int, more: int, previous: bytes) -> Entry:
    name = f"entry {number}"
    if not _KIND.fullmatch(draft.kind):
        raise JournalError(f"{name}: a kind is up to 40 of a-z, 0-9 and _, beginning with a letter; found {draft.kind!r}")
    if draft.number not in (None, number):
        raise JournalError(f"{name} ({draft.kind}) was sealed for number {draft.number}: seal it anew")
    name += f" ({draft.kind})"
    if not math.isfinite(draft.stamp.time):
        raise JournalError(f"{name}: expected a time in seconds; found {draft.stamp.time!r}")
    if draft.stamp.wall.tzinfo is None:
        raise JournalError(f"{name}: expected a wall time with its zone; found one without")
    wall = draft.stamp.wall.astimezone(UTC)
    text = _as_text(draft.body, name)
    for part, size in (("body", len(text)), ("sealed part", len(draft.sealed or b""))):
        if size > LARGEST:
            raise JournalError(f"{name}: its {part} has {size} bytes; at most {LARGEST} are kept")
    known = draft.stamp.clock_set and wall.year >= BUILD_YEAR
    # Adding 0.0 turns minus zero, which SQLite does not keep, into zero.
    time = float(draft.stamp.time) + 0.0
    fields = (
        number, draft.kind, time, wall.isoformat(timespec="microseconds"), int(known), text, draft.sealed, previous, FORM, more,
    )  # fmt: skip
    return Entry(
        number, draft.kind, time, wall.isoformat(timespec="microseconds"), known, text, draft.sealed, previous,
        sha256(_canonical((_DOMAINS[FORM], *fields))).digest(), FORM, more,
    )  # fmt: skip


def _as_text(body: Mapping[str, Any], name: str) -> str:
    try:
        return json.dumps(dict(body), sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise JournalError(f"{name}: its body is nothing that JSON can say: {error}") from error


# ---- the chain ----------------------------------------------------------------------------------------------------


def walk(rows: Iterable[Row]) -> Walk:
    """Follow the rows of a journal in the order of their numbers, as far as each follows from the one before."""
    numbered: dict[int, Row] = {}
    strays: list[Row] = []
    for row in rows:
        number = row[0]
        if isinstance(number, int) and number >= 1 and number not in numbered:
            numbered[number] = row
        else:
            strays.append(row)
    entries: list[Entry] = []
    fault = _followed([numbered[number] for number in sorted(numbered)], entries)
    if fault is None and strays:
        # All others stand in their order.  Otherwise the stray one is that which was missed there.
        fault = Fault(strays[0][0], "number") if isinstance(strays[0][0], int) else Fault(len(entries) + 1, "shape")
    return Walk(tuple(entries), fault, len(numbered) + len(strays))


def _followed(rows: Sequence[Row], entries: list[Entry]) -> Fault | None:
    """Add the entries of the rows as far as the chain holds; why it does not hold further, or None."""
    for row in rows:
        fault = _fault(row, entries)
        if fault is not None:
            if fault.problem == "link" and entries:
                # The entry at hand fits its own hash and remembers another predecessor: that one was exchanged.
                last = entries.pop()
                return Fault(last.number, "rewritten", last.kind, last.time, last.wall)
            return fault
        entries.append(_read(row))
    return Fault(len(entries) + 1, "missing") if entries and entries[-1].more else None


def _fault(row: Row, before: Sequence[Entry]) -> Fault | None:
    number, kind, time, wall = row[:4]
    if number != len(before) + 1:
        return Fault(len(before) + 1, "missing")
    problem = _problem(row, before)
    if problem is None:
        return None
    return Fault(
        len(before) + 1, problem, kind if isinstance(kind, str) and _KIND.fullmatch(kind) else "",
        time if isinstance(time, float) and math.isfinite(time) else None,
        wall if isinstance(wall, str) and _is_plain(wall) else "",
    )  # fmt: skip


def _problem(row: Row, before: Sequence[Entry]) -> str | None:
    if not _shaped(row):
        return "shape"
    number, kind, time, wall, clock_set, text, sealed, previous, found, form, more = row
    fields = [number, kind, time, wall, clock_set, text, sealed, previous]
    if form != 1:
        fields += [form, more]
    if sha256(_canonical((_DOMAINS[form], *fields))).digest() != found:  # type: ignore[index]
        return "content"
    if not _can_be_written(kind, time, wall):
        return "shape"
    last = before[-1] if before else None
    if previous != (last.hash if last else START):
        return "link"
    if (form == 1 and more) or (last is not None and last.more and more != last.more - 1):
        return "content"
    return None


def _shaped(row: Row) -> bool:
    number, kind, time, wall, clock_set, text, sealed, previous, found, form, more = row
    texts = all(isinstance(value, str) for value in (kind, wall, text))
    numbers = all(type(value) is int for value in (number, form, more))
    blobs = isinstance(previous, bytes) and isinstance(found, bytes) and isinstance(sealed, bytes | None)
    return texts and numbers and blobs and isinstance(time, float) and clock_set in (0, 1) and form in _DOMAINS


def _can_be_written(kind: Any, time: Any, wall: Any) -> bool:
    """Whether `_entry` would make such an entry; hashes alone anybody can make."""
    return _KIND.fullmatch(kind) is not None and math.isfinite(time) and _is_plain(wall)


def _is_plain(wall: str) -> bool:
    return len(wall) <= LONGEST_WALL and wall.isascii() and wall.isprintable()


def _read(row: Row) -> Entry:
    number, kind, time, wall, clock_set, *rest = row
    return Entry(number, kind, time, wall, bool(clock_set), *rest)  # type: ignore[arg-type]


def _canonical(values: Iterable[object]) -> bytes:
    """Bytes that differ whenever a value differs: of each value its type, its length and itself."""
    parts = []
    for value in values:
        if value is None:
            tag, data = b"-", b""
        elif isinstance(value, int):
            tag, data = b"i", str(value).encode()
        elif isinstance(value, float):
            tag, data = b"f", struct.pack(">d", value)
        elif isinstance(value, str):
            tag, data = b"s", value.encode("utf-8", "surrogateescape")
        elif isinstance(value, bytes):
            tag, data = b"b", value
        else:
            raise TypeError(f"no field of an entry: {value!r}")
        parts.append(tag + struct.pack(">Q", len(data)) + data)
    return b"".join(parts)
