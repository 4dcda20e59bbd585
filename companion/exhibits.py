"""Which pictures belong to a ruling, and what everybody may know of them.

How many there are, and of which places, follows from what everybody has seen happen, never from a card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.agreement import Agreement
from companion.cards import Held
from companion.commitments import card_code, seen_of
from companion.crops import Recent, Showing
from companion.errors import MALFORMED, RecordError
from companion.picture import ROW_POSITIONS, RowSight
from companion.proceedings import AsItLies, LogEntry, Seating, Turn
from companion.rulings import Action, Change
from companion.table import SLOTS, Area, Place, TableState, row, slot
from companion.views import LockView

EVIDENCE = "evidence"
"""Kind of the journal entries whose body is `Exhibit.public`, with `hidden_change` in their sealed part."""
MOST_PIECES = 1_000_000
"""Of one game; a number beyond is none that was given."""
RULINGS = ("action", "violation", "question", "result")
"""Kinds of log entries that are kept with pictures."""
DEAL, BEFORE, AFTER, READ = "deal", "before", "after", "read"
"""What a picture shows: the deal that play began with, the place before a ruling and after it, a card of the reveal."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One picture, which lies sealed in the store under its number."""

    number: int
    place: Place
    when: str
    hash: str = ""
    """SHA-256 of the sealed piece in hexadecimal digits; it stays in the journal when the picture is gone."""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """What everybody may know of the evidence for one ruling."""

    log: int
    """Place of the ruling in the referee's log, from 0."""
    what: str
    """Kind of that log entry."""
    frames: int
    """So many pictures in a row showed every place concerned as the ruling has it; 0 where no camera looked."""
    rule: str
    """Id of the rule."""
    locks: tuple[LockView, ...]
    """The steal-back locks that ran then, by place."""
    pieces: tuple[Piece, ...]

    def public(self) -> dict[str, Any]:
        """The body of its journal entry."""
        return {
            "log": self.log, "what": self.what, "frames": self.frames, "rule": self.rule,
            "locks": [[lock.victim, lock.thief, lock.slot, lock.turns_left] for lock in self.locks],
            "pieces": [
                [one.number, int(one.place.area), one.place.seat, one.place.number, one.when, one.hash] for one in self.pieces
            ],
        }  # fmt: skip

    @classmethod
    def from_public(cls, body: Mapping[str, Any]) -> Exhibit:
        """What `public` gave; raise `RecordError` for anything else."""
        try:
            pieces = tuple(
                Piece(int(number), Place(Area(area), int(seat), int(position)), str(when), str(digest))
                for number, area, seat, position, when, digest in body["pieces"]
            )
            locks = tuple(LockView(*each) for each in body["locks"])
            exhibit = cls(int(body["log"]), str(body["what"]), int(body["frames"]), str(body["rule"]), locks, pieces)
        except MALFORMED as error:
            raise RecordError(f"an entry of kind {EVIDENCE} is malformed: {error}") from error
        if exhibit.log < 0 or not all(map(_is_lock, locks)) or not all(map(_is_piece, pieces)):
            raise RecordError(f"an entry of kind {EVIDENCE} is malformed: it names a ruling, a lock or a picture that cannot be")
        return exhibit


def _is_lock(lock: LockView) -> bool:
    numbers = (lock.victim, lock.thief, lock.turns_left, 1 if lock.slot is None else lock.slot)
    return all(type(number) is int and number >= 0 for number in numbers)


def _is_piece(piece: Piece) -> bool:
    place = piece.place
    there = place.seat >= 0 and place.number in SLOTS if place.area is Area.SLOT else place.number in range(1, ROW_POSITIONS + 1)
    return there and 1 <= piece.number <= MOST_PIECES and piece.when in (DEAL, BEFORE, AFTER, READ)


@dataclass(frozen=True, slots=True)
class Draft:
    """A ruling whose pictures still have to be sealed."""

    log: int
    what: str
    rule: str
    locks: tuple[LockView, ...]
    shown: tuple[tuple[Place, str, Showing | None], ...]
    """Place, what the picture shows, and what was seen."""

    @property
    def frames(self) -> int:
        """As `Exhibit.frames`."""
        after = [showing for _, when, showing in self.shown if when in (AFTER, READ)]
        return min((0 if showing is None else showing.frames for showing in after), default=0)


def drafts(agreement: Agreement[Any], noted: int, recent: Recent) -> tuple[Draft, ...]:
    """What is to be kept of the rulings from number `noted` of the log on."""
    found = []
    for number in range(noted, len(agreement.log)):
        entry = agreement.log[number]
        if entry.kind not in RULINGS:
            continue
        shown = tuple(_shown(agreement, entry, recent))
        if shown:
            locks = agreement.game.public(_state_at(agreement, entry)).locks
            found.append(Draft(number, entry.kind, rule_id(agreement, entry), locks, shown))
    return tuple(found)


def rule_id(agreement: Agreement[Any], entry: LogEntry) -> str:
    """The rule by which an entry of the log was ruled; empty where there is none."""
    if entry.ruling is not None and entry.ruling.rule is not None:
        return entry.ruling.rule.id
    return "" if entry.action is None else agreement.game.rule_of(entry.action)


def turn_of(agreement: Agreement[Any], entry: LogEntry) -> Turn[Any] | None:
    """The turn that an entry of kind ``action`` has made; None where it does not stand any more."""
    return next((turn for turn in reversed(agreement.turns) if turn.at == entry.time and turn.action == entry.action), None)


def _state_at(agreement: Agreement[Any], entry: LogEntry) -> Any:
    turn = turn_of(agreement, entry) if entry.kind == "action" else None
    return agreement.state if turn is None else turn.after


def _shown(agreement: Agreement[Any], entry: LogEntry, recent: Recent) -> Iterator[tuple[Place, str, Showing | None]]:
    if entry.kind == "result":
        yield from _read(agreement, agreement.state.table, READ, recent)
    elif entry.kind == "action":
        turn = turn_of(agreement, entry)
        if turn is None or turn.by_hand or entry.action is None:
            # What was tapped is carried out with the cards before or after, unlike what a picture of now would show.
            return
        if agreement.turns[0] is turn:
            yield from _read(agreement, turn.before.table, DEAL, recent)
        places = _seen_places(agreement, _of_action(agreement, entry.action, turn.before.table, turn.after.table))
        for place in places:
            yield place, BEFORE, recent.of(place, _held(turn.before.table, place))
            yield place, AFTER, recent.of(place, _held(turn.after.table, place))
    else:
        for place in _seen_places(agreement, _of_ruling(agreement, entry)):
            yield place, BEFORE, recent.of(place, _held(agreement.state.table, place))
            yield place, AFTER, recent.newest(place)


def _read(agreement: Agreement[Any], table: TableState, when: str, recent: Recent) -> Iterator[tuple[Place, str, Showing | None]]:
    slots = [slot(seat, number) for seat in range(len(table.hands)) for number in SLOTS]
    for place in _seen_places(agreement, slots):
        yield place, when, recent.of(place, table.at(place))


def _held(table: TableState, place: Place) -> Held | None:
    # `TableState.at` gives the pile's top where a position is none of the row's.
    if place.area is Area.ROW:
        return table.row[place.number - 1] if place.number <= len(table.row) else None
    return table.at(place)


def _seen_places(agreement: Agreement[Any], places: Iterable[Place]) -> tuple[Place, ...]:
    """Those of `places` at which a camera looks, each once, in their order."""
    sight = agreement.sight
    return tuple(
        place
        for place in dict.fromkeys(sorted(places))
        if (sight.row is not RowSight.NONE if place.area is Area.ROW else sight.watched[place.seat])
    )


def _of_action(agreement: Agreement[Any], action: Action, before: TableState, after: TableState) -> Iterator[Place]:
    yield from _slots_of(agreement, action)
    if before.row != after.row:
        yield row(min(ROW_POSITIONS, max(len(before.row), len(after.row))))


def _slots_of(agreement: Agreement[Any], action: Action) -> Iterator[Place]:
    if isinstance(action, (AsItLies, Seating)):
        return
    move = agreement.game.move_view(action)
    for seat, number in ((move.seat, move.slot), (move.victim, move.victim_slot)):
        if seat is not None and number is not None:
            yield slot(seat, number)


def _of_ruling(agreement: Agreement[Any], entry: LogEntry) -> Iterator[Place]:
    """The places that a violation or a question is about; the page names all of them."""
    concerned = list(() if entry.ruling is None else entry.ruling.places)
    if agreement.violation is not None and entry.kind == "violation":
        concerned += [placement.place for placement in agreement.violation.remedy]
    if agreement.question is not None and entry.kind == "question":
        concerned += agreement.question.places
        for choice in agreement.question.choices:
            concerned += [] if choice is None else _slots_of(agreement, choice)
    for place in concerned:
        if place.area is Area.SLOT:
            yield place
        elif place.area is Area.ROW:
            # What is wrong with the row is wrong with all of it; one card more may lie there than should.
            yield from (row(number) for number in range(1, min(ROW_POSITIONS, len(agreement.state.table.row) + 1) + 1))


# ---- what lay there, sealed ---------------------------------------------------------------------------------------


def hidden_change(change: Change) -> dict[str, Any]:
    """What was seen on the whole table when a ruling was made; it names hidden cards."""
    return {
        "mats": [[None if seen is None else card_code(seen) for seen in mat] for mat in change.mats],
        "row": None if change.row is None else [card_code(seen) for seen in change.row],
        "returned": [[place.seat, place.number] for place in change.returned],
        "untouched": [[place.seat, place.number] for place in change.untouched],
        "doubtful": [[place.seat, place.number] for place in change.doubtful],
    }


def change_of(record: Mapping[str, Any]) -> Change:
    """What `hidden_change` wrote; raise `RecordError` for anything else."""
    try:
        mats = tuple(tuple(None if code is None else seen_of(code) for code in mat) for mat in record["mats"])
        seen = None if record["row"] is None else tuple(seen_of(code) for code in record["row"])
        # Records of before there was a camera above do not tell of doubts.
        told = {"doubtful": [], **record}
        returned, untouched, doubtful = (
            tuple(slot(int(seat), int(number)) for seat, number in told[name]) for name in ("returned", "untouched", "doubtful")
        )
        return Change(mats, seen, returned, untouched, doubtful)
    except MALFORMED:
        raise RecordError("what was seen at a ruling is no picture of a table") from None
