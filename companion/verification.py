"""Proving that a record is as it was written: the chain, and what was opened against what was committed to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.commitments import COMMITTED, OPENED, Opening, fits
from companion.errors import MALFORMED, JournalError, RecordError
from companion.journal import HEADER, Entry, Walk, checked_game
from companion.table import slot

_Key = tuple[int, int, int]
"""Entry with the commitments, seat, slot."""
_Commitment = tuple[int, str]
"""Turn, and the commitment itself."""


@dataclass(frozen=True, slots=True)
class Alteration:
    """The first entry that is not as it was written."""

    number: int
    kind: str
    """Empty where nothing usable was found, as of an entry that is missing."""
    time: float | None
    """Monotonic seconds."""
    wall: str
    problem: str
    """As `Fault.problem`; or ``body`` (it does not say what an entry of its kind says), ``opening`` (what it opens does not fit
    the commitment), ``header`` (the first entry is none), or ``name`` (it is the header of another game)."""
    place: tuple[int, int] | None = None
    """(seat, slot) of an opening that does not fit; seats count from 0."""
    committed: int | None = None
    """Number of the entry that holds the commitment."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What a record proves."""

    game: str
    """Empty where the header itself does not hold."""
    entries: int
    """How many entries the file holds."""
    head: str
    """Hash of the last entry that holds."""
    altered: Alteration | None
    committed: int
    """Commitments among the entries that hold."""
    opened: int
    """How many of them were opened, and fit."""
    clock_set: bool
    """The wall clock was set all the time."""
    noted: int | None = None
    """Number of the entry with the hash that somebody had noted."""
    missed: bool = False
    """No entry has that hash: what had been written up to then was rewritten, or taken away."""

    @property
    def intact(self) -> bool:
        """Nothing was found to be changed."""
        return self.altered is None and not self.missed

    @property
    def seal(self) -> str:
        """``none`` (nothing was committed to), ``sealed``, ``partly`` or ``opened``."""
        if not self.committed:
            return "none"
        if not self.opened:
            return "sealed"
        return "opened" if self.opened == self.committed else "partly"


def verify(walk: Walk, noted: str | None = None, name: str | None = None) -> Verification:
    """Check a record.

    `noted` is the beginning of a hash that somebody wrote down during the game, `name` that of the game which it should be.
    """
    commitments: dict[_Key, _Commitment] = {}
    opened: set[_Key] = set()
    entries = walk.entries
    game = _game(entries)
    altered = None
    if entries and (not game or name not in (None, game)):
        altered = _altered(entries[0], "name" if game else "header")
    for entry in entries:
        altered = altered or _checked(entry, game, commitments, opened)
    if altered is None and walk.fault is not None:
        fault = walk.fault
        altered = Alteration(fault.number, fault.kind, fault.time, fault.wall, fault.problem)
    found = [entry.number for entry in entries if noted and entry.hash.hex().startswith(noted.lower())]
    return Verification(
        game, walk.found, entries[-1].hash.hex() if entries else "", altered, len(commitments), len(opened),
        all(entry.clock_set for entry in entries), found[0] if found else None, bool(noted) and not found,
    )  # fmt: skip


def _game(entries: tuple[Entry, ...]) -> str:
    if not entries or entries[0].kind != HEADER:
        return ""
    try:
        return checked_game(str(entries[0].body.get("game")))
    except (RecordError, JournalError):
        return ""


def _altered(entry: Entry, problem: str, place: tuple[int, int] | None = None, committed: int | None = None) -> Alteration:
    return Alteration(entry.number, entry.kind, entry.time, entry.wall, problem, place, committed)


def _checked(entry: Entry, game: str, commitments: dict[_Key, _Commitment], opened: set[_Key]) -> Alteration | None:
    """Take note of what the entry commits to or opens; what is wrong with it, or None."""
    try:
        if entry.kind == COMMITTED:
            commitments.update(_commitments(entry))
        elif entry.kind == OPENED:
            return _opened(entry, game, commitments, opened)
    except MALFORMED:
        return _altered(entry, "body")
    return None


def _commitments(entry: Entry) -> dict[_Key, _Commitment]:
    body = entry.body
    return {(entry.number, int(one["seat"]), int(one["slot"])): (body["turn"], str(one["commitment"])) for one in body["slots"]}


def _opened(entry: Entry, game: str, commitments: Mapping[_Key, _Commitment], opened: set[_Key]) -> Alteration | None:
    body = entry.body
    for one in body["slots"]:
        place = (int(one["seat"]), int(one["slot"]))
        key = (body["entry"], *place)
        opening = Opening(slot(*place), bytes.fromhex(one["salt"]), str(one["card"]))
        turn, commitment = commitments.get(key, (None, ""))
        if turn is None or turn != body["turn"] or not fits(game, turn, opening, commitment):
            return _altered(entry, "opening", place, body["entry"])
        opened.add(key)
    return None
