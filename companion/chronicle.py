"""The chronicle of a sitting: whatever changes in what is agreed stands in the journal, sealed, before anybody is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from companion.agreement import Agreement
from companion.cards import Card
from companion.commitments import COMMITTED, OPENED, Commitments, Lying, commit
from companion.errors import MALFORMED, JournalError, RecordError, SealError
from companion.evidence import Sealed
from companion.exhibits import EVIDENCE, Exhibit
from companion.games.base import Result
from companion.journal import Draft, Entry, Journal, Stamp
from companion.minutes import BESIDE_THE_RULES, Minute, can_follow, evened, from_record, minute_of, whole_minute, written
from companion.particulars import RULED, Particular
from companion.plain import quoted
from companion.seal import ROOM, About, Seal, committed, reopened
from companion.table import SLOTS, Area, Place, TableState, slot
from companion.views import MoveView

MINUTE, SHOWN = "minute", "shown"
"""Kinds of entries: a change of what is agreed, and cards that were turned over at the reveal."""
RESTARTED, SETTINGS = "restarted", "settings"
"""Kinds of entries: the program went on with this game after it had ended, and what it was told to do otherwise then."""
AGAIN = "again"
"""Kind of an entry that only says that writing works again."""
TURN_KINDS = frozenset({"action", "undone", "redone"})
"""Entries of the log that name a turn, which everybody has seen."""
PLACED_KINDS = frozenset({"entered", "entered_hidden", "corrected", "reseat", "reread"})
"""Entries of the log that are about the card at a place: the place is told, and never the card."""
SEAT_KINDS = frozenset({"left", "returned"})
"""Entries of the log that are about the player of a seat."""

A = TypeVar("A", bound=Agreement[Any])


@dataclass(frozen=True, slots=True)
class Shown:
    """How far the reveal has come."""

    places: frozenset[Place] = frozenset()
    """Cards that were turned over."""
    named: frozenset[Card] = frozenset()
    """Cards that were typed for everybody."""
    finished: bool = False
    """The result was announced."""
    result: Result | None = None
    """It, where it cannot be told from the hands that were shown: because others were not, or chips were won."""


@dataclass(frozen=True, slots=True)
class Noted:
    """A point of the record: whoever has it can prove later that nothing up to there was changed or taken away."""

    game: str
    entry: int
    """Number of the newest entry."""
    head: str
    """Its hash, 64 hexadecimal digits."""


class Chronicle:
    """Writes one sitting's journal.  Used by the table's own thread."""

    def __init__(self, journal: Journal, seal: Seal, stamp: Callable[[float], Stamp]) -> None:
        """`stamp` gives both clocks for a time of the sitting."""
        self._journal, self._seal, self._stamp = journal, seal, stamp
        self._agreement: Agreement[Any] | None = None
        self.shown = Shown()
        """How far the reveal has come, as far as it is written down."""
        self.time = 0.0
        """Time of the last entry, in seconds of the sitting."""
        self.exhibits: tuple[Exhibit, ...] = ()
        """What the journal says of pictures, as far as `resume` has read it."""

    @property
    def game(self) -> str:
        """Name of the game."""
        return self._journal.game

    @property
    def seal(self) -> Seal:
        """What hidden readings are sealed with."""
        return self._seal

    @property
    def clock_set(self) -> bool:
        """Whether the wall clock was set when the newest entry was written."""
        return self._journal.newest.clock_set

    def noted(self) -> Noted:
        """What there is to note down of the record as it is now; from any thread."""
        newest = self._journal.newest
        return Noted(self._journal.game, newest.number, newest.hash.hex())

    @property
    def agreement(self) -> Agreement[Any]:
        """What is agreed as far as it is written down; raise `JournalError` before `resume`."""
        if self._agreement is None:
            raise JournalError(f"{self._journal.path} was not read yet")
        return self._agreement

    def resume(self, agreement: A) -> A:
        """What the journal has made of `agreement`, in which nothing had happened yet; equal to it in a new journal.

        Raise `JournalError` or `SealError` where the journal cannot be read.
        """
        for entry, after in followed(self._journal.entries(), self._seal, self._journal.game, agreement):
            agreement = after
            self.time = max(self.time, entry.time)
            if entry.kind == SHOWN:
                self.shown = shown_in(entry)
            elif entry.kind == EVIDENCE:
                self.exhibits = (*self.exhibits, Exhibit.from_public(entry.body))
        self._agreement = agreement
        return agreement

    def keep(
        self, agreement: Agreement[Any], shown: Shown, time: float, beside: Sequence[Particular] = (),
        look: Callable[[], Particular | None] = lambda: None, evidence: Sequence[Sealed] = (),
    ) -> None:  # fmt: skip
        """Write down what has changed, in one piece; return when it would survive a power cut.  Nothing for nothing.

        `beside`: what was heard meanwhile.  `look` tells what is seen, for the record of a ruling that has no `evidence`; of
        that the hashes are written, not the pictures.
        """
        before = self.agreement
        minute = _minute_between(before, agreement)
        drafts = self._told(beside, time, 0)
        fresh: list[tuple[int, Commitments]] = []
        if minute is not None:
            if not evidence and any(entry.kind in RULED for entry in minute.said) and (picture := look()) is not None:
                drafts += self._told((picture,), time, len(drafts))
            hidden = evened(minute)
            drafts.append(self._draft(MINUTE, _public(minute, agreement), hidden, time, len(drafts)))
        if _lies_anew(before, agreement):
            made = commit(self._journal.game, len(agreement.turns), _lying(agreement.state.table))
            fresh = [(self._journal.next_number + len(drafts), made)]
            drafts.append(committed(self._seal, made, self._stamp(time), fresh[0][0]))
        for one in evidence:
            drafts.append(self._draft(EVIDENCE, one.exhibit.public(), one.change, time, len(drafts)))
        if shown != self.shown:
            slots = sorted([place.seat, place.number] for place in shown.places)
            told: dict[str, Any] = {"slots": slots, "named": sorted(map(str, shown.named)), "finished": shown.finished}
            if shown.result is not None:
                told["result"] = asdict(shown.result)
            drafts.append(Draft(SHOWN, self._stamp(time), told))
        if shown.finished and not self.shown.finished:
            drafts += self._openings(shown, time, fresh)
        if drafts:
            self._journal.append(drafts)
            self.time = time
        self._agreement, self.shown = agreement, shown

    def try_again(self, time: float) -> None:
        """After a failure: find out whether the journal can be written again; raise `JournalError` while it cannot."""
        self._journal.append([Draft(AGAIN, self._stamp(time))])
        self.time = time

    def close(self) -> None:
        """End writing."""
        self._journal.close()

    def _told(self, particulars: Sequence[Particular], time: float, before: int) -> list[Draft]:
        return [self._draft(one.kind, one.body, one.hidden, time, before + n) for n, one in enumerate(particulars)]

    def _draft(self, kind: str, body: Mapping[str, Any], hidden: bytes | None, time: float, before: int) -> Draft:
        """An entry that is written after `before` others of the same append."""
        if hidden is None:
            return Draft(kind, self._stamp(time), body)
        number = self._journal.next_number + before
        room = ROOM * (1 + len(hidden) // ROOM)
        sealed = self._seal.encrypt(hidden, About(self._journal.game, number, kind), room)
        return Draft(kind, self._stamp(time), body, sealed, number)

    def _openings(self, shown: Shown, time: float, fresh: Sequence[tuple[int, Commitments]]) -> list[Draft]:
        """What opens every commitment to a slot whose card was shown in the end; other hands stay closed for good.

        `fresh`: commitments, with the numbers of their entries, that are written together with this.
        """
        kept = (entry for entry in self._journal.entries() if entry.kind == COMMITTED)
        every = [*((entry.number, reopened(self._seal, self._journal.game, entry)) for entry in kept), *fresh]
        return [Draft(OPENED, self._stamp(time), made.opened(number, shown.places)) for number, made in every]


def followed(entries: Iterable[Entry], seal: Seal, game: str, agreement: A) -> Iterator[tuple[Entry, A]]:
    """Every entry of a journal with what is agreed after it; `agreement` is one in which nothing had happened yet.

    Raise `JournalError` or `SealError` where an entry cannot be read.
    """
    for entry in entries:
        if entry.kind == MINUTE:
            agreement = _after(agreement, entry, hidden_part(entry, seal, game))
        yield entry, agreement


def _after(agreement: A, entry: Entry, hidden: bytes) -> A:
    """What is agreed after an entry of kind ``minute``."""
    name = f"entry {entry.number} ({entry.kind})"
    try:
        minute = from_record(json.loads(hidden), agreement.game)
        if not can_follow(minute, agreement):
            raise RecordError("it does not fit what was agreed before it")
        return written(agreement, minute)
    except RecordError as error:
        raise JournalError(f"{name} cannot be read by this version: {error}") from error
    except MALFORMED as error:
        # Not what it holds: that may be a hidden card.
        raise JournalError(f"{name} cannot be read by this version: expected a change of what was agreed") from error


def hidden_part(entry: Entry, seal: Seal, game: str) -> bytes:
    """The sealed part of an entry; raise `SealError` where it has none, or where it does not open."""
    about = About(game, entry.number, entry.kind)
    if entry.sealed is None:
        raise SealError(f"{about} has no sealed part")
    return seal.decrypt(entry.sealed, about)


def shown_in(entry: Entry) -> Shown:
    """How far the reveal had come, as an entry of kind ``shown`` says; raise `RecordError` where it says something else."""
    body = entry.body
    try:
        places = frozenset(_shown_slot(seat, number) for seat, number in body["slots"])
        named = frozenset(Card.parse(text) for text in body["named"])
        if not isinstance(body["finished"], bool):
            raise TypeError("finished")
        result = _result(body["result"]) if "result" in body else None
    except MALFORMED as error:
        expected = "expected slots as pairs of seat and slot, named cards, whether it was finished, and perhaps how"
        raise RecordError(f"entry {entry.number} ({entry.kind}): {expected}; found {quoted(body)}") from error
    return Shown(places, named, body["finished"], result)


def _result(told: Mapping[str, Any]) -> Result:
    """A result as the record tells it; raise something of `MALFORMED` where it is none."""
    numbers = {name: tuple(told[name]) for name in ("order", "winners", "won", "stacks")}
    categories = tuple(told["categories"])
    whole = all(type(each) is int and each >= 0 for values in numbers.values() for each in values)
    if not whole or not all(isinstance(each, str) for each in (*categories, told["reason"])):
        raise TypeError("result")
    seats = len(categories)
    if sorted(numbers["order"]) != list(range(seats)) or any(len(numbers[name]) != seats for name in ("won", "stacks")):
        raise ValueError("result")
    return Result(numbers["order"], numbers["winners"], categories, told["reason"], numbers["won"], numbers["stacks"])


def _shown_slot(seat: Any, number: Any) -> Place:
    if type(seat) is not int or type(number) is not int or seat < 0 or number not in SLOTS:
        raise ValueError("no slot")
    return slot(seat, number)


def _minute_between(before: Agreement[Any], after: Agreement[Any]) -> Minute[Any] | None:
    """What changed; the whole of it anew where the short form would not lead to the same."""
    minute = minute_of(before, after)
    return minute if minute is None or written(before, minute) == after else whole_minute(before, after)


def _lies_anew(before: Agreement[Any], after: Agreement[Any]) -> bool:
    """Whether a turn was made or taken back, or another deal lies there."""
    redealt = not after.turns and after.deal_known and (not before.deal_known or before.dealt != after.dealt)
    return before.turns != after.turns or redealt


def _public(minute: Minute[Any], agreement: Agreement[Any]) -> dict[str, Any]:
    """What everybody may read: what was said, and how many turns stand; no card, and nothing that depends on one."""
    said = []
    for entry in minute.said:
        known = entry.kind in TURN_KINDS and entry.action is not None and not isinstance(entry.action, BESIDE_THE_RULES)
        move = agreement.game.move_view(entry.action) if known and entry.action is not None else None
        parts: dict[str, Any] = {}
        if move is not None:
            parts = {"move": _told_of(move)}
        elif entry.kind in PLACED_KINDS and entry.places:
            parts = {"place": [entry.places[0].seat, entry.places[0].number]}
        elif entry.kind in SEAT_KINDS:
            parts = {"seat": entry.seat}
        said.append({"time": entry.time, "kind": entry.kind} | parts)
    return {"turns": len(agreement.turns), "said": said}


def _told_of(move: MoveView) -> list[Any]:
    """A move as everybody may read it; its amount where it has one."""
    told = [move.kind, move.seat, move.slot, move.victim, move.victim_slot]
    return [*told, move.amount] if move.amount else told


def _lying(table: TableState) -> list[tuple[Place, Lying]]:
    return [
        (Place(Area.SLOT, seat, number), card)
        for seat, hand in enumerate(table.hands)
        for number, card in zip(SLOTS, hand, strict=True)
    ]
