"""Comparing a quiet picture of the table with what an action would leave behind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.cards import Card, Held, Mark, Seen, Unknown
from companion.games.steal_rules import moved
from companion.games.steal_state import Draw, StealCard, StealState, Take
from companion.rulings import Action, Change
from companion.table import REMOVED, SLOTS, Place, TableState, row, slot


@dataclass(frozen=True, slots=True)
class Difference:
    """A slot that certainly does not hold what it held."""

    place: Place
    old: Held | None
    new: Seen


@dataclass(frozen=True, slots=True)
class Picture:
    """A state and a quiet picture that came after it.

    Nobody knows the order of the pile, so its cards count as unknown here even where the state names them.
    """

    state: StealState
    """With every card of the pile unknown."""
    change: Change
    known: dict[Card, Place]
    """Where each card lies that the table knows by its face."""

    @classmethod
    def of(cls, state: StealState, change: Change) -> Picture:
        table = state.table
        veiled = tuple(Unknown(-1 - number) for number in range(len(table.pile)))
        known = {card: place for place, card in _lying(table) if isinstance(card, Card)}
        return cls(replace(state, table=replace(table, pile=veiled)), change, known)

    def seen(self, place: Place) -> Seen | None:
        """What is claimed of a slot; None where nothing is claimed."""
        seen = self.change.mats[place.seat][place.number - 1]
        return None if seen is Mark.COVERED else seen

    def watched(self, seat: int) -> bool:
        """Whether any camera looks at the mat of `seat`."""
        return any(seen is not None for seen in self.change.mats[seat])

    def covered(self, place: Place) -> bool:
        """Whether nothing is claimed of a slot although a camera looks at its mat."""
        return self.watched(place.seat) and self.seen(place) is None

    def looked_at(self, places: Iterable[Place]) -> bool:
        """Whether a camera tells something of each of these slots."""
        return all(self.seen(place) is not None for place in places)

    def slots(self) -> Iterator[Place]:
        """Every slot of the table."""
        for seat in range(self.state.seats):
            for number in SLOTS:
                yield slot(seat, number)

    def could_be(self, held: Held | None, seen: Seen | None) -> bool:
        """Whether a place that holds `held` may look like `seen`."""
        if seen is None:
            return True
        if held is None or seen is Mark.EMPTY:
            return held is None and seen is Mark.EMPTY
        if isinstance(seen, Card):
            return held == seen if isinstance(held, Card) else seen not in self.known
        return seen in (Mark.BACK, Mark.UNREADABLE)

    def differences(self) -> tuple[Difference, ...]:
        """The slots that certainly changed, in place order."""
        table = self.state.table
        return tuple(
            Difference(place, table.at(place), seen)
            for place in self.slots()
            if (seen := self.seen(place)) is not None and not self.could_be(table.at(place), seen)
        )

    def doubtful(self, place: Place) -> bool:
        """Whether a slot held a known card and now shows one whose face cannot be read: it may be another one."""
        return isinstance(self.state.table.at(place), Card) and self.seen(place) in (Mark.UNREADABLE, Mark.BACK)

    def fits_mats(self, table: TableState) -> bool:
        """Whether the mats may look as they do when `table` lies there."""
        held = all(table.at(place) == self.state.table.at(place) for place in self.change.untouched)
        return held and all(self.could_be(table.at(place), self.seen(place)) for place in self.slots())

    def fits_row(self, table: TableState) -> bool:
        """Whether the row may look as it does when `table` lies there; true where nothing sees the row."""
        if self.change.row is None:
            return True
        if len(self.change.row) != len(table.row):
            return False
        return all(map(self.could_be, table.row, self.change.row))

    def fits(self, table: TableState) -> bool:
        """Whether the whole picture may be one of `table`."""
        return self.fits_row(table) and self.fits_mats(table)

    def twice(self) -> Card | None:
        """A card that lies in two visible places at once, or None."""
        met: set[Seen] = set()
        for seen in self._everything():
            if isinstance(seen, Card):
                if seen in met:
                    return seen
                met.add(seen)
        return None

    def _everything(self) -> Iterator[Seen]:
        for place in self.slots():
            seen = self.seen(place)
            if seen is not None:
                yield seen
        yield from self.change.row or ()

    def showing(self, wanted: Seen) -> tuple[Place, ...]:
        """Every place that shows `wanted`."""
        found = [place for place in self.slots() if self.seen(place) == wanted]
        found += [row(number) for number, seen in enumerate(self.change.row or (), 1) if seen == wanted]
        return tuple(found)

    def after(self, action: Action) -> TableState:
        """What lies where once `action` was done, whether or not it was allowed."""
        state = self.state
        if isinstance(action, Take) and not state.table.row:
            return state.table
        if isinstance(action, Draw) and not state.table.pile:
            # A card from nowhere looks like one that was drawn.
            state = replace(state, table=replace(state.table, pile=(Unknown(-1),)))
        return moved(state, action).table


def _lying(table: TableState) -> Iterator[tuple[Place, Held | None]]:
    for seat, hand in enumerate(table.hands):
        for number, card in enumerate(hand, 1):
            yield slot(seat, number), card
    for number, lying in enumerate(table.row, 1):
        yield row(number), lying
    for gone in table.removed:
        yield REMOVED, gone


def touched(action: Action) -> tuple[Place, ...]:
    """The slots that an action touches, the acting seat's own first."""
    if isinstance(action, Draw):
        return () if action.use is None else (slot(action.seat, action.use),)
    if isinstance(action, Take):
        return (slot(action.seat, action.slot),)
    if isinstance(action, StealCard):
        return slot(action.seat, action.give), slot(action.victim, action.slot)
    return ()
