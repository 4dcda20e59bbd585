"""Choreography: what hands do with cards, step by step."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from companion.table import PILE, REMOVED, Area, Place, slot
from firmware.virtual.stage import Act
from firmware.virtual.world import HandOf, Piece, World, pushed_aside, row_place

Goal = tuple[Piece, Place, bool]
"""A card, where it is to lie, and whether face down."""


class Hands:
    """The hands of everybody at the table."""

    def __init__(self, world: World, rng: random.Random, pace: float = 1.0) -> None:
        self.world = world
        self.rng = rng
        self.pace = pace

    def pause(self, low: float, high: float) -> Act:
        yield self.rng.uniform(low, high) * self.pace

    # Single steps -------------------------------------------------------------------------------------------------

    def lift(self, who: int, place: Place, piece: Piece | None = None) -> Act:
        """A hand comes, the card (the top one, or `piece`) goes with it."""
        yield from self.lift_all(who, [(place, piece)])

    def lift_all(self, who: int, places: Sequence[tuple[Place, Piece | None]]) -> Act:
        """Lift one card from each of several places at once."""
        for place, _ in places:
            self.world.cover(place)
        yield from self.pause(0.2, 0.4)
        for place, piece in places:
            self.world.move(piece if piece is not None else self.world.top(place), HandOf(who))
        yield from self.pause(0.1, 0.3)
        for place, _ in places:
            self.world.uncover(place)
        yield from self.pause(0.1, 0.3)

    def lay(self, piece: Piece, place: Place, face_down: bool = True, under: bool = False) -> Act:
        """A hand comes with the card, lays it and goes."""
        yield from self.lay_all([(piece, place, face_down)], under)

    def lay_all(self, goals: Iterable[Goal], under: bool = False) -> Act:
        """Lay several cards at once, each at its place."""
        todo = list(goals)
        yield from self.make_room([place for piece, place, _ in todo if self.world.where(piece) != place])
        for _, place, _ in todo:
            self.world.cover(place)
        yield from self.pause(0.2, 0.4)
        for piece, place, face_down in todo:
            self.world.move(piece, place, face_down, under)
        yield from self.pause(0.1, 0.2)
        for _, place, _ in todo:
            self.world.uncover(place)
        yield from self.pause(0.05, 0.2)

    def make_room(self, places: Iterable[Place]) -> Act:
        """Push old discards off the windows of a tray that is a mat."""
        if self.world.tray != "mat":
            return
        for place in places:
            if place.area is not Area.ROW or not self.world.lying(place):
                continue
            self.world.cover(place)
            yield from self.pause(0.2, 0.4)
            self.world.move(self.world.top(place), pushed_aside(place), face_down=False)
            yield from self.pause(0.1, 0.2)
            self.world.uncover(place)
            yield from self.pause(0.6, 0.9)

    def turn_over(self, place: Place) -> Act:
        """Turn the top card of a place the other side up, where it lies."""
        self.world.cover(place)
        yield from self.pause(0.2, 0.4)
        laid = self.world.lying(place)[-1]
        self.world.move(laid.piece, place, not laid.face_down)
        yield from self.pause(0.15, 0.3)
        self.world.uncover(place)
        yield from self.pause(0.1, 0.2)

    # The game's actions -------------------------------------------------------------------------------------------

    def draw(self, who: int, row: int) -> Act:
        """Take the pile's top card in hand; on a tray that is a mat it is shown to the next free window first."""
        piece = self.world.top(PILE)
        self.world.move(piece, HandOf(who))
        yield from self.pause(0.3, 0.6)
        if self.world.tray == "mat":
            yield from self.lay(piece, row_place("mat", row + 1))
            yield from self.pause(1.0, 1.4)

    def draw_discard(self, who: int, row: int) -> Act:
        """Draw and lay the card face up as the row's next one; `row` is the length of the row before."""
        yield from self.draw(who, row)
        yield from self.discard_drawn(who, row)

    def discard_drawn(self, who: int, row: int) -> Act:
        place = row_place(self.world.tray, row + 1)
        if self.world.tray == "mat":
            yield from self.turn_over(place)
        else:
            yield from self.lay(self.world.top(HandOf(who)), place, face_down=False)

    def pick_drawn(self, who: int, row: int) -> Act:
        """Have the drawn card in hand (lift it from the tray where it was shown)."""
        if self.world.tray == "mat":
            yield from self.lift(who, row_place("mat", row + 1))

    def draw_use(self, who: int, own: Place, row: int, style: str = "tidy") -> Act:
        """Draw, lay the card in the own slot, the old one face up on the row.

        `style`: ``tidy`` (old out, new in, old to the row), ``row_first`` (old to the row before the new one
        lies), ``under`` (new laid on the old one, which is pulled out below).
        """
        yield from self.draw(who, row)
        yield from self.pick_drawn(who, row)
        yield from self.use_held(who, self.world.top(HandOf(who)), own, style)
        old = self.world.top(HandOf(who))
        if style == "row_first":
            yield from self.lay(old, row_place(self.world.tray, row + 1), face_down=False)
            drawn = self.world.top(HandOf(who))
            yield from self.lay(drawn, own)
            return
        yield from self.pause(0.1, 0.6)
        yield from self.lay(old, row_place(self.world.tray, row + 1), face_down=False)

    def use_held(self, who: int, new: Piece, own: Place, style: str) -> Act:
        """Exchange the card of the own slot for `new`; the old card stays in the hand (``row_first``: both do)."""
        if style == "under":
            old = self.world.top(own)
            yield from self.lay(new, own)
            yield from self.pause(0.1, 0.5)
            yield from self.lift(who, own, old)
            return
        yield from self.lift(who, own)
        if style != "row_first":
            yield from self.pause(0.1, 0.4)
            yield from self.lay(new, own)

    def take(self, who: int, own: Place, row: int, style: str = "tidy") -> Act:
        """The row's newest card into the own slot, the old one out of the game, face down beside the table."""
        top = row_place(self.world.tray, row)
        piece = self.world.top(top)
        if style == "row_first":
            yield from self.lift(who, own)
            old = self.world.top(HandOf(who))
            yield from self.lift(who, top)
            yield from self.lay(piece, own)
        else:
            yield from self.lift(who, top)
            yield from self.use_held(who, piece, own, style)
            old = self.world.top(HandOf(who))
        yield from self.pause(0.1, 0.3)
        self.world.move(old, REMOVED)

    def steal(self, who: int, theirs: Place, own: Place, style: str = "tidy") -> Act:
        """The two cards change places.  ``row_first`` gives the own card before the stolen one is laid down;
        ``under`` lays the stolen card on the own one first."""
        stolen = self.world.top(theirs)
        given = self.world.top(own)
        yield from self.lift(who, theirs)
        yield from self.pause(0.2, 1.0)
        if style == "under":
            yield from self.use_held(who, stolen, own, style)
            yield from self.lay(given, theirs)
            return
        yield from self.lift(who, own)
        yield from self.pause(0.1, 0.4)
        order = [(given, theirs), (stolen, own)]
        for piece, place in order if style == "row_first" else order[::-1]:
            yield from self.lay(piece, place)

    # Larger gestures ----------------------------------------------------------------------------------------------

    def rearrange(self, who: int, goals: Sequence[Goal], together: bool = False) -> Act:
        """Lift every card of `goals` that lies on the table, then lay each at its place."""
        on_table = [(spot, piece) for piece, _, _ in goals if isinstance(spot := self.world.where(piece), Place)]
        lifted = [(place, piece) for place, piece in on_table if place not in (PILE, REMOVED)]
        if together and lifted:
            yield from self.lift_all(who, lifted)
        else:
            for place, piece in lifted:
                yield from self.lift(who, place, piece)
        yield from self.pause(0.1, 0.3)
        if together:
            yield from self.lay_all(goals)
            return
        for piece, place, face_down in goals:
            yield from self.lay(piece, place, face_down)

    def hold(self, who: int, numbers: Sequence[int], seconds: float) -> Act:
        """Lift own cards, look at them fanned out, and return each to its own slot."""
        places = [slot(who, number) for number in numbers]
        pieces = [self.world.top(place) for place in places]
        if self.rng.random() < 0.5:
            yield from self.lift_all(who, list(zip(places, pieces, strict=True)))
        else:
            for place in places:
                yield from self.lift(who, place)
        yield seconds
        back = list(zip(pieces, places, strict=True))
        self.rng.shuffle(back)
        for piece, place in back:
            yield from self.lay(piece, place)

    def bump(self, seat: int) -> Act:
        """A hand knocks against the mat: some cards are hidden for a moment and lie a little differently."""
        places = [slot(seat, number) for number in sorted(self.rng.sample(range(1, 6), self.rng.randint(1, 3)))]
        for place in places:
            self.world.cover(place)
        yield from self.pause(0.2, 0.5)
        for place in places:
            self.world.bump(place)
            self.world.uncover(place)
        yield from self.pause(0.05, 0.1)

    def shade(self, seat: int) -> Act:
        """A hand, or its shadow, stays over some cards for a while and touches none."""
        places = [slot(seat, number) for number in sorted(self.rng.sample(range(1, 6), self.rng.randint(1, 3)))]
        for place in places:
            self.world.cover(place)
        yield from self.pause(0.5, 4.0)
        for place in places:
            self.world.uncover(place)
        yield from self.pause(0.05, 0.1)

    def give_up_steal(self, who: int, theirs: Place, own: Place) -> Act:
        """A theft is begun and given up: both cards are lifted, and each goes home."""
        pieces = [(self.world.top(place), place) for place in (theirs, own)]
        for piece, place in pieces:
            yield from self.lift(who, place, piece)
        yield from self.pause(0.3, 1.5)
        self.rng.shuffle(pieces)
        for piece, place in pieces:
            yield from self.lay(piece, place)
        yield from self.pause(0.5, 2.0)
