"""Verifying records: the chain, the openings, and what cannot be told before the reveal."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.cards import DECK
from companion.commitments import COMMITTED, OPENED, commit
from companion.errors import SealError
from companion.journal import Draft, Entry, Walk, read_walk
from companion.journal.entries import START, chained, row_of, walk
from companion.seal import Seal, reopened
from companion.seal import committed as seal_of
from companion.table import slot
from companion.verification import Alteration, verify
from companion.words.verify import verified_words
from tests.companion.journal.keeping import GAME, STAMP, begun, draft, set_field

REST = "kind, time, wall, clock_set, body, sealed, previous, hash, form, more"
WALL = "2027-03-01T18:30:00.000000+00:00"
SEAL = Seal(bytes(32))
MADE = [
    commit(GAME, turn, [(slot(seat, number), DECK[turn + 5 * seat + number]) for seat in range(2) for number in (1, 2)])
    for turn in (1, 2)
]


def committed(turn: int, number: int) -> Draft:
    return seal_of(SEAL, MADE[turn - 1], STAMP, number)


def opened(turn: int, entry: int, **change: Any) -> Draft:
    body = MADE[turn - 1].opened(entry)
    body["slots"][2].update(change)
    return Draft(OPENED, STAMP, body)


def record(*drafts: Draft) -> Walk:
    """A record with these entries after its header, as it would be read."""
    entries: Sequence[Entry] = chained([Draft("header", STAMP, {"game": GAME, "header": {}})], 1, START)
    for one in drafts:
        entries = (*entries, *chained([one], len(entries) + 1, entries[-1].hash))
    return walk(row_of(entry) for entry in entries)


SEALED = (committed(1, 2), draft("turn"), committed(2, 4))


def test_before_the_reveal_only_the_chain_can_be_checked() -> None:
    found = verify(record(*SEALED))
    assert (found.intact, found.game, found.entries, found.seal) == (True, GAME, 4, "sealed")
    assert (found.committed, found.opened) == (8, 0)
    assert verified_words(found).splitlines() == [
        "Nothing was changed: 4 entries, each follows from the one before.",
        "The seal was not opened yet: the chain holds; the 8 commitments in it can be checked only after the reveal.",
        f"The last hash is {found.head}: compare it with one that was noted during the game.",
    ]


def test_after_the_reveal_everything_is_checked() -> None:
    found = verify(record(*SEALED, opened(1, 2), opened(2, 4)))
    assert (found.intact, found.seal, found.committed, found.opened) == (True, "opened", 8, 8)
    assert "All 8 commitments were opened, and each shows what was committed to." in verified_words(found)


def test_the_seal_gives_back_what_opens_the_commitments() -> None:
    entries = record(*SEALED).entries
    assert [reopened(SEAL, GAME, entry) for entry in (entries[1], entries[3])] == MADE
    with pytest.raises(SealError, match=r"^entry 2 \(committed\) of game other does not open"):
        reopened(SEAL, "other", entries[1])
    with pytest.raises(SealError, match=r"^entry 3 \(turn\) of game 0123456789abcdef holds no commitments$"):
        reopened(SEAL, GAME, entries[2])


def test_some_hands_may_stay_closed_for_good() -> None:
    found = verify(record(*SEALED, opened(1, 2)))
    assert (found.intact, found.seal, found.committed, found.opened) == (True, "partly", 8, 4)
    words = "Commitments that were opened: 4 of 8; each shows what was committed to, the others stay closed."
    assert words in verified_words(found)


def test_a_record_without_commitments() -> None:
    found = verify(record(draft()))
    assert (found.intact, found.seal) == (True, "none")
    assert "No hidden card was committed to." in verified_words(found)
    assert verified_words(verify(record())).startswith("Nothing was changed: 1 entry.\n")


@pytest.mark.parametrize(
    "lie",
    [
        opened(2, 4, card="As"),
        opened(2, 4, salt="00" * 16),
        opened(2, 4, salt="00" * 15),
        opened(2, 2),
        opened(1, 4),
        opened(2, 3),
        opened(2, 99),
    ],
)
def test_an_opening_that_shows_another_card_is_named(lie: Draft) -> None:
    found = verify(record(*SEALED, opened(1, 2), lie))
    assert not found.intact
    assert found.altered is not None
    assert (found.altered.number, found.altered.kind, found.altered.problem) == (6, OPENED, "opening")


def test_what_is_said_of_a_wrong_opening() -> None:
    found = verify(record(*SEALED, opened(2, 4, card="As"), draft()))
    assert found.altered == Alteration(5, OPENED, 12.5, WALL, "opening", (1, 1), 4)
    assert verified_words(found).splitlines() == [
        f"Entry 5 (opened, {WALL}) was changed: what it shows of slot 1 of seat 2 is not what entry 4 committed to.",
        "4 entries before it are as they were written.",
    ]


@pytest.mark.parametrize("kind", [COMMITTED, OPENED])
@pytest.mark.parametrize(
    "body",
    [
        {},
        {"slots": 7},
        {"slots": [7]},
        {"slots": [{}]},
        {"entry": 2, "turn": 1, "slots": [{"seat": 0}]},
        {"entry": [], "turn": 1, "slots": [{"seat": 0, "slot": 1, "salt": "00", "card": "Td"}]},
        {"entry": 2, "turn": 1, "slots": [{"seat": 10**9, "slot": 1, "salt": "zz", "card": "Td"}]},
    ],
)
def test_a_body_that_says_nothing_sensible_is_named(kind: str, body: dict[str, Any]) -> None:
    found = verify(record(*SEALED, Draft(kind, STAMP, body)))
    assert found.altered is not None
    assert (found.altered.number, found.altered.problem) == (5, "body")
    assert "does not say what an entry of its kind says" in verified_words(found)


def test_huge_numbers_in_a_commitment_are_no_trouble() -> None:
    huge = {"turn": 10**30, "slots": [{"seat": 0, "slot": 1, "commitment": "aa"}]}
    lie = {"entry": 2, "turn": 10**30, "slots": [{"seat": 0, "slot": 1, "salt": "00" * 16, "card": "Td"}]}
    found = verify(record(Draft(COMMITTED, STAMP, huge), Draft(OPENED, STAMP, lie)))
    assert found.altered is not None
    assert (found.altered.number, found.altered.problem) == (3, "body")


def test_the_first_of_several_changes_is_named(tmp_path: Path) -> None:
    path = begun(tmp_path, [draft(n=1)], [draft(n=2)], [draft(n=3)])
    set_field(path, 4, "body", "{}")
    set_field(path, 3, "time", 99.0)
    found = verify(read_walk(path))
    assert found.altered == Alteration(3, "turn", 99.0, WALL, "content")
    assert (found.entries, found.intact) == (4, False)
    assert verified_words(found).splitlines() == [
        f"Entry 3 (turn, {WALL}) was changed: its hash does not fit what it says.",
        "2 entries before it are as they were written.",
    ]


def test_a_lie_before_a_change_is_the_first(tmp_path: Path) -> None:
    path = begun(tmp_path, [committed(1, 2)], [opened(1, 2, card="As")], [draft(n=3)])
    set_field(path, 4, "body", "{}")
    found = verify(read_walk(path))
    assert found.altered is not None
    assert (found.altered.number, found.altered.problem) == (3, "opening")


@pytest.mark.parametrize(
    ("sql", "number", "words"),
    [
        ("DELETE FROM entries WHERE number = 2", 2, "Entry 2 is missing.\n1 entry before it is as it was written."),
        ("DELETE FROM entries WHERE number = 1", 1, "Entry 1 is missing."),
        ("UPDATE entries SET number = 77 WHERE number = 3", 3, "Entry 3 is missing.\n2 entries before it are as they were"),
        ("UPDATE entries SET kind = 'Nonsense!' WHERE number = 2", 2, "Entry 2 was changed: its hash does not fit what it says."),
        (f"INSERT INTO entries SELECT -4, {REST} FROM entries WHERE number = 2", -4, "Entry -4 does not belong there: "),
    ],
)
def test_what_somebody_may_do_with_sql(sql: str, number: int, words: str, tmp_path: Path) -> None:
    path = begun(tmp_path, [draft(n=1)], [draft(n=2)], [draft(n=3)])
    connection = sqlite3.connect(path, isolation_level=None)
    for trigger in ("fixed", "kept", "growing"):
        connection.execute(f"DROP TRIGGER {trigger}")
    connection.execute(sql)
    connection.close()
    found = verify(read_walk(path))
    assert found.altered is not None
    assert found.altered.number == number
    assert verified_words(found).startswith(words)


def test_a_record_that_begins_with_something_else() -> None:
    entries = chained([draft()], 1, START)
    found = verify(walk(row_of(entry) for entry in entries))
    assert found.altered == Alteration(1, "turn", 12.5, WALL, "header")
    assert "was changed: a record begins with the name of its game." in verified_words(found)


def test_a_noted_hash_proves_that_nothing_was_taken_away() -> None:
    whole = record(*SEALED)
    noted = whole.entries[3].hash.hex()
    shorter = replace(whole, entries=whole.entries[:3], found=3)
    assert verify(shorter).intact, "nobody can tell without having noted something"
    found = verify(whole, noted[:8].upper())
    assert (found.intact, found.noted, found.missed) == (True, 4, False)
    assert "The hash that was noted is that of entry 4: up to there nothing was rewritten." in verified_words(found)
    found = verify(shorter, noted)
    assert (found.intact, found.noted, found.missed) == (False, None, True)
    words = "No entry has the hash that was noted: entries were rewritten, or taken away at the end."
    assert verified_words(found) == words


def test_a_clock_that_was_not_set_is_said() -> None:
    unset = Draft("turn", replace(STAMP, clock_set=False))
    assert not verify(record(unset)).clock_set
    words = "The clock was not set: dates and times of day in this record mean nothing."
    assert words in verified_words(verify(record(unset)))
    assert words not in verified_words(verify(record(draft())))
