"""What hands do with cards in draw and stud: dealing, scanning open cards, exchanging, giving up, naming what is unread."""

from __future__ import annotations

import random
from collections.abc import Sequence

from companion.cards import Card
from companion.observation import Entry
from companion.table import PILE, REMOVED, SLOTS, Place, slot
from firmware.virtual.acting import Manners
from firmware.virtual.stage import Act, Until
from firmware.virtual.talking import PATIENCE, Talk
from firmware.virtual.truth import Truth
from firmware.virtual.world import HandOf, World

SCAN_S = (1.1, 1.6)
"""So long, in seconds, an open card is shown to its window before it is turned."""
READ_S = {"scan": 1.5, "overhead": 3.0, "tap": 0.0}
"""So soon, in seconds, the page has named an open card that a camera has read."""


class HandDealing:
    """Everything that is done with the cards of a hand."""

    def __init__(self, truth: Truth, world: World, talk: Talk, manners: Manners, rng: random.Random) -> None:
        self.truth, self.world, self.talk, self.manners, self.rng = truth, world, talk, manners, rng
        self.hands = talk.hands

    # ---- what the rules want to lie ----------------------------------------------------------------------------------

    def bring_about(self) -> Act:
        """Lay the table as the rules want it now: hands that were given up go, a card is burned, the next ones are dealt."""
        for seat in range(self.world.seats):
            yield from self._clear(seat)
        table = self.truth.state.table
        for burned in [card for card in table.removed if self.world.where(self.world.piece(card)) == PILE]:
            self.world.move(self.world.piece(burned), REMOVED)
            yield from self.hands.pause(0.2, 0.5)
        for number in SLOTS:
            for seat in self.truth.state.order:
                card = table.hands[seat][number - 1]
                if card is not None and not self.world.lying(slot(seat, number)):
                    yield from self._deal(card, slot(seat, number))

    def _clear(self, seat: int) -> Act:
        lying = [slot(seat, number) for number in SLOTS if self.world.lying(slot(seat, number))]
        if lying and not any(card is not None for card in self.truth.state.table.hands[seat]):
            yield from self.give_up(seat)

    def give_up(self, seat: int) -> Act:
        """Lift all cards of the hand and put them away."""
        lying = [slot(seat, number) for number in SLOTS if self.world.lying(slot(seat, number))]
        yield from self.hands.lift_all(seat, [(place, None) for place in lying])
        self.put_away(seat)

    def put_away(self, seat: int) -> None:
        """What the player holds goes to the heap, face down."""
        for laid in self.world.lying(HandOf(seat)):
            self.world.move(laid.piece, REMOVED)

    def _deal(self, card: Card, place: Place) -> Act:
        piece = self.world.piece(card)
        opens = place in self.truth.game.shown(self.truth.state)
        scans = opens and self.scans(place.seat)
        yield from self.hands.lay(piece, place, face_down=not opens or scans)
        if scans:
            yield from self._turn_scanned(place)

    def scans(self, seat: int) -> bool:
        """Whether the open cards of a seat are shown to their windows."""
        return self.world.watched[seat] and self.manners.upcards == "scan"

    def reads(self, seat: int) -> bool:
        """Whether a camera reads the open cards of a seat, from below or from above."""
        return self.world.watched[seat] and self.manners.upcards != "tap"

    def _turn_scanned(self, place: Place) -> Act:
        yield from self.hands.pause(*SCAN_S)
        yield from self._until_looked()
        yield from self.hands.turn_over(place)

    def _until_looked(self) -> Act:
        """At a table that looks seldom, everybody waits for two looks."""
        if self.talk.stage.slack:
            yield self.talk.stage.slack / 2

    def vouch_for(self, place: Place) -> Act:
        """Make an open card known again that was lifted and lies there once more, in one of the ways that there are."""
        card = self.truth.state.table.at(place)
        if self.manners.upcards == "overhead" or not isinstance(card, Card):
            return
        if self.scans(place.seat) and self.rng.random() < 0.5:
            yield from self.scan_anew(place)
            return
        yield from self.hands.pause(2.0, 2.5)
        yield from self._until_looked()
        self.talk.stage.say(place.seat, Entry(place, card))

    def scan_anew(self, place: Place) -> Act:
        """Show an open card to its window once more."""
        piece = self.world.top(place)
        yield from self.hands.lift(place.seat, place, piece)
        yield from self.hands.lay(piece, place)
        yield from self._turn_scanned(place)

    def exchange(self, seat: int, slots: Sequence[int], new: Sequence[Card]) -> Act:
        """Put the cards of these slots away, and lay the new ones there."""
        places = [slot(seat, number) for number in slots]
        if self.rng.random() < 0.3:
            for place, card in zip(places, new, strict=True):
                yield from self.hands.lift(seat, place)
                self.put_away(seat)
                yield from self.hands.lay(self.world.piece(card), place)
            return
        yield from self.hands.lift_all(seat, [(place, None) for place in places])
        self.put_away(seat)
        yield from self.hands.pause(0.4, 1.5)
        goals = [(self.world.piece(card), place, True) for place, card in zip(places, new, strict=True)]
        if self.rng.random() < 0.5:
            yield from self.hands.lay_all(goals)
            return
        for piece, place, face_down in goals:
            yield from self.hands.lay(piece, place, face_down)

    # ---- open cards that nobody has read -----------------------------------------------------------------------------

    @property
    def awaiting(self) -> bool:
        """The page still waits for cards."""
        view = self.talk.stage.view
        return view is None or bool(view.awaiting)

    @property
    def unread(self) -> tuple[Place, ...]:
        """Slots whose cards lie open, and that the page cannot name."""
        view = self.talk.stage.view
        return () if view is None else tuple(slot(seat.seat, one.number) for seat in view.seats for one in seat.slots if one.open)

    def name_open_cards(self) -> Act:
        """Wait until the page has seen what was dealt, and tap in the open cards that no camera has read."""
        yield Until(lambda: not self.awaiting, PATIENCE)
        if any(self.reads(place.seat) for place in self.unread):
            yield Until(lambda: not any(self.reads(place.seat) for place in self.unread), READ_S[self.manners.upcards])
        for place in self.unread:
            card = self.truth.state.table.at(place)
            if isinstance(card, Card):
                self.talk.stage.say(place.seat, Entry(place, card))
                yield from self.hands.pause(0.3, 0.7)
