"""Whatever happens to a journal in whatever order, it holds the plain history; and no changed byte goes unnoticed."""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.errors import JournalError
from companion.journal import Draft, Entry, Journal, Stamp, game_file, read_entries, read_walk, schema
from companion.journal.entries import FORM, _canonical, walk
from tests.companion.journal.keeping import GAME, STAMP, begun, draft, set_field
from tests.companion.journal.keeping import replace as exchange

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
stamps = st.builds(
    Stamp,
    st.floats(allow_nan=False, allow_infinity=False),
    st.datetimes(min_value=datetime(1970, 1, 2), max_value=datetime(2100, 1, 1), timezones=st.just(UTC)),
    st.booleans(),
)
drafts = st.builds(
    Draft,
    st.from_regex(r"[a-z][a-z0-9_]{0,39}", fullmatch=True),
    stamps,
    st.dictionaries(st.text(max_size=5), json_values, max_size=3),
    st.none() | st.binary(max_size=5000),
)
wrong = st.sampled_from(
    [
        Draft("No Kind", STAMP),
        Draft("turn", STAMP, {"a": {1}}),
        Draft("turn", STAMP, {}, None, -1),
        Draft("turn", Stamp(float("inf"), STAMP.wall)),
    ]
)


class Sittings(RuleBasedStateMachine):
    """Appends, failing appends, closes and crashes in any order; beside it, the plain history as a list."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(prefix="viewmat-test-")
        self.path = game_file(Path(self.folder.name), GAME)
        self.history: list[tuple[Any, ...]] = []
        self.journal: Journal | None = None

    @initialize(header=st.dictionaries(st.text(max_size=5), json_values, max_size=2), stamp=stamps)
    def begin(self, header: dict[str, Any], stamp: Stamp) -> None:
        self.journal = Journal.create(self.path, GAME, header, stamp)
        self.remember([Draft("header", stamp, {"game": GAME, "header": header})])

    def remember(self, added: list[Draft]) -> None:
        self.history += [(d.kind, d.stamp.time, d.stamp.wall, dict(d.body), d.sealed) for d in added]

    @precondition(lambda self: self.journal is not None)
    @rule(added=st.lists(drafts, max_size=4))
    def append(self, added: list[Draft]) -> None:
        assert self.journal is not None
        entries = self.journal.append(added)
        self.remember(added)
        assert [entry.more for entry in entries] == list(range(len(added) - 1, -1, -1))

    @precondition(lambda self: self.journal is not None)
    @rule(good=st.lists(drafts, max_size=2), bad=wrong)
    def append_what_is_refused(self, good: list[Draft], bad: Draft) -> None:
        assert self.journal is not None
        with pytest.raises(JournalError):
            self.journal.append([*good, bad])

    @precondition(lambda self: self.journal is not None)
    @rule(added=st.lists(drafts, min_size=1, max_size=3))
    def append_to_a_full_disk(self, added: list[Draft]) -> None:
        """As full as SQLite itself can make it: not a page more may be used."""
        assert self.journal is not None
        connection = self.journal._open_connection()
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        try:
            self.journal.append(added)
            self.remember(added)
        except JournalError as error:
            assert "the disk is full" in str(error)
        finally:
            connection.execute("PRAGMA max_page_count = 4294967294")

    @precondition(lambda self: self.journal is not None)
    @rule()
    def close(self) -> None:
        assert self.journal is not None
        self.journal.close()
        self.journal = None

    @precondition(lambda self: self.journal is not None)
    @rule()
    def be_killed(self) -> None:
        """What a killed process leaves: the file, its log, and no right to write."""
        assert self.journal is not None
        left = {file.name: file.read_bytes() for file in self.path.parent.iterdir()}
        self.journal.close()
        for file in self.path.parent.iterdir():
            file.unlink()
        for name, content in left.items():
            (self.path.parent / name).write_bytes(content)
        self.journal = None

    @precondition(lambda self: self.journal is None and self.path.exists())
    @rule()
    def open(self) -> None:
        self.journal = Journal.open(self.path)

    @invariant()
    def the_history_is_plain(self) -> None:
        if self.path.exists():
            found = read_entries(self.path) if self.journal is None else self.journal.entries()
            plain = [(e.kind, e.time, datetime.fromisoformat(e.wall), e.body, e.sealed) for e in found]
            assert plain == self.history
            assert [entry.number for entry in found] == list(range(1, len(found) + 1))
            if self.journal is not None:
                assert self.journal.next_number == len(found) + 1

    def teardown(self) -> None:
        if self.journal is not None:
            self.journal.close()
        self.folder.cleanup()


Sittings.TestCase.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
test_any_order_of_sittings_gives_the_plain_history = Sittings.TestCase


# ---- changed bytes ------------------------------------------------------------------------------------------------


def flipped(value: Any, bit: int) -> Any:
    """The value with one bit of its stored form turned."""
    if isinstance(value, int):
        return value ^ (1 << bit % 40)
    if isinstance(value, float):
        return struct.unpack(">d", flipped(struct.pack(">d", value), bit))[0]
    if isinstance(value, str):
        return flipped(value.encode("utf-8", "surrogateescape"), bit).decode("utf-8", "surrogateescape")
    spoilt = bytearray(value)
    spoilt[bit // 8 % len(spoilt)] ^= 1 << bit % 8
    return bytes(spoilt)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Any, ...]]:
    """What the file of a game holds."""
    path = begun(tmp_path_factory.mktemp("games"), *([draft(n=n), draft("ruling", bytes([n]) * 9, n=n)] for n in range(4)))
    connection = schema.connect(path)
    found = list(schema.rows(connection, path))
    connection.close()
    return found  # type: ignore[return-value]


@settings(max_examples=400, deadline=None)
@given(row=st.integers(0, 8), column=st.integers(0, 10), bit=st.integers(0, 10_000))
def test_any_turned_bit_of_any_field_names_its_entry(rows: list[tuple[Any, ...]], row: int, column: int, bit: int) -> None:
    spoilt = list(rows[row])
    if spoilt[column] is None:
        spoilt[column] = b"something"
    else:
        spoilt[column] = flipped(spoilt[column], bit)
    if spoilt[column] == rows[row][column]:
        # Minus zero is no other value; no file keeps it.
        return
    found = walk([*rows[:row], tuple(spoilt), *rows[row + 1 :]])
    assert found.fault is not None
    assert found.fault.number == row + 1
    assert len(found.entries) == row


@settings(max_examples=100, deadline=None)
@given(row=st.integers(0, 8), column=st.integers(0, 10), value=st.none() | st.integers() | st.floats() | st.text() | st.binary())
def test_any_other_value_in_any_field_names_its_entry(rows: list[tuple[Any, ...]], row: int, column: int, value: object) -> None:
    spoilt = (*rows[row][:column], value, *rows[row][column + 1 :])
    if value == rows[row][column]:
        return
    found = walk([*rows[:row], spoilt, *rows[row + 1 :]])
    assert found.fault is not None
    assert found.fault.number == row + 1


@settings(max_examples=60, deadline=None)
@given(gone=st.sets(st.integers(1, 9), min_size=1, max_size=8))
def test_entries_that_were_taken_out_are_missed(rows: list[tuple[Any, ...]], gone: set[int]) -> None:
    """Except whole appends at the end: those only a hash can prove that was noted before."""
    found = walk([row for row in rows if row[0] not in gone])
    whole_appends_from_the_end = [set(range(start, 10)) for start in (2, 4, 6, 8)]
    if gone in whole_appends_from_the_end:
        assert found.fault is None
        assert len(found.entries) == min(gone) - 1
    else:
        assert found.fault is not None
        assert found.fault.number == min(gone)


@pytest.mark.parametrize("number", [1, 2, 5, 8])
def test_an_entry_that_was_exchanged_with_its_hash_is_named(number: int, tmp_path: Path) -> None:
    path = begun(tmp_path, *([draft(n=n)] for n in range(8)))
    entry = read_entries(path)[number - 1]
    fields = (entry.number, entry.kind, entry.time, entry.wall, 1, '{"n":77}', entry.sealed, entry.previous, FORM, entry.more)
    forged = replace(entry, text='{"n":77}', hash=sha256(_canonical(("viewmat journal entry 2", *fields))).digest())
    exchange(path, forged)
    found = read_walk(path)
    assert found.fault is not None
    assert (found.fault.number, found.fault.problem, found.fault.kind) == (number, "rewritten", entry.kind)
    assert len(found.entries) == number - 1


def test_every_byte_of_every_field_in_the_file_itself(tmp_path: Path) -> None:
    """The same by SQL, over one entry in the middle."""
    path = begun(tmp_path, [draft(n=1)], [draft("ruling", b"seal", n=2)], [draft(n=3)])
    original = read_entries(path)[2]
    for column, value in every_field(original):
        for byte in range(len(value) if isinstance(value, bytes | str) else 8):
            set_field(path, 3, column, flipped(value, 8 * byte))
            fault = read_walk(path).fault
            assert fault is not None, (column, byte)
            assert fault.number == 3, (column, byte, fault)
        with suppress(JournalError):
            set_field(path, 3, column, value)
    assert read_entries(path)[2] == original


def every_field(entry: Entry) -> Iterator[tuple[str, Any]]:
    yield from (("kind", entry.kind), ("time", entry.time), ("wall", entry.wall), ("body", entry.text), ("sealed", entry.sealed))
    yield from (("previous", entry.previous), ("hash", entry.hash), ("more", entry.more), ("form", entry.form), ("clock_set", 1))
