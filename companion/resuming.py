"""Cameras look again after nobody did - one failed, or the program was off: is everything as agreed?

Where it is, nothing is said.  Where a single move explains it, the referee takes it for that move.  Everything else is
one question with two ways out - the table is right, or the screen is right - and never an accusation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from companion.amending import Amendments
from companion.cards import Card, Held, Mark, Seen, Unknown
from companion.comparing import differing_slots, fits, placed_cards, row_agrees
from companion.errors import DeclarationError
from companion.games.base import S
from companion.picture import Picture, RowSight
from companion.proceedings import Errand, Question
from companion.rulings import Change
from companion.table import SLOTS, Area, Place, TableState, row, slot
from companion.watch import Station

KIND = "differs"
"""The kind of the question.  Its last choice is that the screen is right; before it, where that is possible, the table."""


@dataclass(frozen=True, slots=True)
class Resumption(Amendments[S]):
    """What is agreed, and how it is compared with a table that nobody has looked at for a while."""

    def found_as_agreed(self, picture: Picture, stations: Iterable[Station]) -> tuple[Station, ...]:
        """Those of `stations` that lie still and as they should.  Before the first action nothing is agreed yet."""
        if not self.turns:
            return tuple(stations)
        hidden = {*picture.busy, *picture.out}
        table = self.state.table
        wrong = {place.seat for place in (*differing_slots(picture.change, table), *hidden) if place.area is Area.SLOT}
        # A camera that looks at open cards alone is no reason to wait for a row.
        row_found = self.sight.row is RowSight.NONE or (picture.change.row is not None and row_agrees(picture.change, table))
        return tuple(station for station in stations if (row_found if station is None else station not in wrong))

    def ask_difference(self, picture: Picture, now: float) -> Self:
        """Ask about everything that lies otherwise than agreed, once it lies still."""
        table = self.state.table
        places = differing_slots(picture.change, table)
        if not row_agrees(picture.change, table):
            places = (*places, row(1))
        if not places:
            return replace(self, was_blind=False)
        seats = {place.seat for place in places}
        asked = self.question
        busy = picture.unfinished(seats) or now - max(picture.moved_at(seats), self.running_since) < self.timing.ask
        if busy or (asked is not None and (asked.kind != KIND or asked.places == places)):
            return self
        ways = 1 if laid_as_seen(picture.change, table) is None else 2
        if asked is not None:
            # More was found, or less: the question stays the one that people are reading.
            return replace(self, question=replace(asked, places=places, choices=(None,) * ways))
        question = Question(len(self.log) + 1, KIND, (None,) * ways, now, None, places)
        return replace(self, question=question, asked=(*self.asked, (self.state.turn, KIND)))._note(now, "question")

    def difference_hidden(self, picture: Picture) -> bool:
        """Whether a hand covers something that the question is about: that it cannot be seen does not settle it."""
        if self.question is None or self.question.kind != KIND:
            return False
        hidden = {*picture.busy, *picture.out}
        row_hidden = any(place.area is Area.ROW for place in hidden)
        return any(row_hidden if place.area is Area.ROW else place in hidden for place in self.question.places)

    def settle_difference(self, picture: Picture, question: int, choice: int, now: float) -> Self:
        """The answer to the question of `ask_difference`; raise `DeclarationError` where it is not open or has no such choice."""
        asked = self.question
        if asked is None or asked.kind != KIND or asked.id != question:
            raise DeclarationError(f"question {question} is not open", "no_question")
        if not 0 <= choice < len(asked.choices):
            last = len(asked.choices) - 1
            raise DeclarationError(f"question {question} has choices 0 to {last}, not {choice}", "no_choice")
        # What is settled may differ again, after another failure.
        told = replace(self, question=None, asked=self.asked[:-1])._note(now, "answer")
        if choice < len(asked.choices) - 1:
            return told._take_the_table(picture, now)
        slots = tuple(place for place in asked.places if place.area is Area.SLOT)
        return replace(told, errand=Errand(None, slots, True, restores=asked.places))

    def _take_the_table(self, picture: Picture, now: float) -> Self:
        change = faces_only(picture.change) if self.state.phase == "over" else picture.change
        table = laid_as_seen(change, self.state.table)
        if table is None:
            raise DeclarationError("what is seen now cannot be a whole table", "no_table")
        state = self.game.laid(self.state, table)
        if self.turns:
            last = replace(self.turns[-1], after=state, closed=self.turns[-1].closed or "act")
            taken = replace(self, turns=(*self.turns[:-1], last))
        else:
            taken = replace(self, dealt=state)
        return replace(taken, errand=None, was_blind=False)._note(now, "corrected")._absorb(change)


def faces_only(change: Change) -> Change:
    """What counts after the end, when cards are turned over one by one: faces, and cards from outside."""
    mats = tuple(tuple(seen if isinstance(seen, Card) or seen is Mark.FOREIGN else None for seen in mat) for mat in change.mats)
    return replace(change, mats=mats, returned=())


def laid_as_seen(change: Change, table: TableState) -> TableState | None:
    """The table with the cards where they are seen; None where that cannot be: a gap, a strange card, a card twice.

    A card that was agreed to lie where another one is seen, and that is seen nowhere, counts as one of the pile: nobody
    knows where it is.
    """
    placed = placed_cards(table)
    seen: dict[Place, Card] = {}
    met: set[Card] = set()
    for place, claim in _claims(change):
        if isinstance(claim, Card):
            if claim in met:
                return None
            met.add(claim)
        if fits(claim, table.at(place), placed):
            continue
        if isinstance(claim, Card):
            seen[place] = claim
        elif place.area is Area.SLOT or claim not in (Mark.BACK, Mark.UNREADABLE):
            return None
    length = len(table.row) if change.row is None else len(change.row)
    return _laid_anew(table, seen, length)


def _claims(change: Change) -> Iterator[tuple[Place, Seen | None]]:
    for seat, mat in enumerate(change.mats):
        yield from ((slot(seat, number), claim) for number, claim in zip(SLOTS, mat, strict=True))
    yield from ((row(number), claim) for number, claim in enumerate(change.row or (), 1))


def _laid_anew(table: TableState, seen: Mapping[Place, Card], length: int) -> TableState | None:
    """The table with `seen` where it is, a row of `length` cards, and everything else as it was as far as that goes."""
    slots = [slot(seat, number) for seat in range(len(table.hands)) for number in SLOTS]
    places = [*slots, *(row(number) for number in range(1, length + 1))]
    lying: dict[Place, Held | None] = dict(seen)
    used: set[Held] = set(seen.values())
    for place in places:
        held = table.at(place)
        if place not in seen and held not in used and (held is not None or place.area is Area.SLOT):
            lying[place] = held
            used.update(() if held is None else (held,))
    before = [*slots, *(row(number) for number in range(1, len(table.row) + 1))]
    displaced = [held for held in map(table.at, before) if held is not None and held not in used]
    spare = [held for held in (*displaced, *reversed(table.pile)) if isinstance(held, Unknown)]
    # A card that nobody knew so far is one of those that were called unknown.
    strangers = sum(table.find(card) is None for card in seen.values())
    gone = set(spare[:strangers])
    left = [held for held in (*displaced, *reversed(table.pile)) if held not in gone]
    homes = {card: table.at(place) for place, card in seen.items()}
    for place in (place for place in places if place not in lying):
        held = table.at(place)
        filler = _filler(homes.get(held) if isinstance(held, Card) else None, left)
        if filler is None:
            return None
        left.remove(filler)
        lying[place] = filler
    if strangers > len(spare):
        return None
    return _gathered(table, lying, length, left)


def _filler(exchanged: Held | None, left: Sequence[Held]) -> Held | None:
    """What lies where a card has gone from unseen: first of all what it has changed places with."""
    return exchanged if exchanged in left else next(iter(left), None)


def _gathered(table: TableState, lying: Mapping[Place, Held | None], length: int, left: Sequence[Held]) -> TableState:
    hands = tuple(tuple(lying[slot(seat, number)] for number in SLOTS) for seat in range(len(table.hands)))
    laid = tuple(held for held in (lying[row(number)] for number in range(1, length + 1)) if held is not None)
    placed = {*lying.values()}
    pile = tuple(held for held in table.pile if held in left)
    lost = tuple(held for held in left if held not in table.pile)
    removed = tuple(held for held in table.removed if held not in placed)
    return TableState(hands, (*pile, *lost), laid, removed)
