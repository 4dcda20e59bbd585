"""What a deed of the puppeteer means for hands and cards: which seats it touches, whether it can be done, and how."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from companion.cards import DECK
from companion.table import PILE, REMOVED, SLOTS, Area, Place, row, slot
from companion.web.tabletop import Deed
from firmware.virtual.company import MIDDLE, Company
from firmware.virtual.layouts import newest_of_row, next_row_place, row_places
from firmware.virtual.moves import Goal, Hands
from firmware.virtual.sight import Names
from firmware.virtual.stage import Act
from firmware.virtual.world import HandOf, Piece, Spot, World

LOOK_SECONDS = 2.0
REST_SECONDS = 4.0
BROUGHT = ("other", "joker")
"""Cards that do not belong to this table."""
_NAME = re.compile(r"(slot|row|hand|held)-(\d{1,3})(?:-(\d))?")


class ImpossibleError(Exception):
    """Hands cannot do that now; `kind` names the sentence that says why."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class Puppeteer:
    """The person's hands at one game's table."""

    def __init__(self, world: World, hands: Hands, names: Names, company: Company, first_seat: int) -> None:
        """`names`: what the page calls the cards.  `first_seat`: to whom the first card is dealt."""
        self.world, self.hands = world, hands
        self._names = names
        self._company = company
        self._first_seat = first_seat

    # ---- before ------------------------------------------------------------------------------------------------------

    def touches(self, deed: Deed) -> set[int]:
        """The seats that hands are at meanwhile; raise `ImpossibleError` for a deed that names places which there are not."""
        everybody = {*range(self.world.seats), MIDDLE}
        if deed.name in ("deal", "deal_all", "restore", "gather"):
            return everybody
        if not 0 <= deed.seat < self.world.seats:
            raise ImpossibleError("no_such_place")
        if deed.name in ("bump", "rest", "show"):
            return {deed.seat}
        if deed.name == "back":
            return {deed.seat, *(home.seat for _, home in self._homes(deed.seat))}
        spots = [self._spot(name) for name in deed.what if name not in BROUGHT]
        if deed.to:
            spots.append(self._target(deed.to))
        return {self._seat(spot) for spot in spots}

    def check(self, deed: Deed) -> None:
        """Raise `ImpossibleError` where there is no such card, or nothing to do it with; called when all other hands are gone."""
        if deed.name in ("move", "lift", "look", "turn"):
            if not deed.what or (deed.name == "move") is not bool(deed.to):
                raise ImpossibleError("no_such_place")
            self._look_for(deed.what)
        if deed.name in ("deal", "deal_all") and not self._undealt():
            raise ImpossibleError("dealt_already")
        if deed.name == "back" and not self._homes(deed.seat):
            raise ImpossibleError("nothing_held")
        if deed.name == "show" and not any(self.world.lying(slot(deed.seat, k)) for k in SLOTS):
            raise ImpossibleError("no_card_there")

    # ---- doing -------------------------------------------------------------------------------------------------------

    def done(self, deed: Deed) -> Act:
        """Do it; nobody else moves a card of the seats that it touches meanwhile."""
        acts: dict[str, Callable[[Deed], Act]] = {
            "move": self._move, "lift": self._lift, "back": self._back, "turn": self._turn, "look": self._look,
            "deal": lambda deed: self._deal(1), "deal_all": lambda deed: self._deal(self.world.seats),
            "gather": lambda deed: self._gather(),
            "bump": lambda deed: self.hands.bump(deed.seat), "rest": self._rest, "show": self._show,
            "restore": lambda deed: self._company.restore(deed.seat),
        }  # fmt: skip
        yield from acts[deed.name](deed)

    def withdraw(self, seats: set[int]) -> None:
        """Take all hands away from these seats, where something has been left half done."""
        for place in self.world.covered:
            while self._seat(place) in seats and self.world.is_covered(place):
                self.world.uncover(place)

    def _move(self, deed: Deed) -> Act:
        who, target = deed.seat, self._target(deed.to)
        piece = self._take_up(deed.what[0])
        spot = self.world.where(piece)
        if spot == target and isinstance(target, Place):
            return
        if isinstance(spot, Place) and spot.area in (Area.SLOT, Area.ROW):
            yield from self.hands.lift(who, spot, piece)
        else:
            self.world.move(piece, HandOf(who))
            yield from self.hands.pause(0.1, 0.2)
        if isinstance(target, HandOf) or target.area in (Area.PILE, Area.REMOVED):
            self.world.move(piece, target, face_down=not deed.up)
            return
        face_down = target.area is Area.SLOT if deed.up is None else not deed.up
        if not deed.on_top and target.area is Area.SLOT and self.world.lying(target):
            # As people do: the old card comes into the hand, the new one takes its place.
            yield from self.hands.lift(who, target)
        yield from self.hands.lay(piece, target, face_down)

    def _lift(self, deed: Deed) -> Act:
        boards = [spot for name in deed.what if (spot := self._on_board(name)) is not None]
        if boards:
            yield from self.hands.lift_all(deed.seat, [(place, None) for place in boards])
        for name in deed.what:
            if self._on_board(name) is None:
                self.world.move(self._take_up(name), HandOf(deed.seat))
                yield from self.hands.pause(0.1, 0.2)

    def _back(self, deed: Deed) -> Act:
        goals: list[Goal] = [(piece, home, True) for piece, home in self._homes(deed.seat)]
        yield from self.hands.lay_all(goals)

    def _turn(self, deed: Deed) -> Act:
        for name in deed.what:
            spot = self._on_board(name)
            if spot is not None:
                yield from self.hands.turn_over(spot)

    def _look(self, deed: Deed) -> Act:
        """Lift cards, look at them, and lay each back where and as it lay."""
        places = [spot for name in deed.what if (spot := self._on_board(name)) is not None]
        held = [(self.world.lying(place)[-1], place) for place in places]
        yield from self.hands.lift_all(deed.seat, [(place, None) for place in places])
        yield LOOK_SECONDS
        yield from self.hands.lay_all([(laid.piece, place, laid.face_down) for laid, place in held])

    def _deal(self, cards: int) -> Act:
        while todo := self._undealt()[:cards]:
            yield from self.hands.lay_all([(self.world.lying(PILE)[-1 - k].piece, place, True) for k, place in enumerate(todo)])
            if cards == 1:
                return

    def _gather(self) -> Act:
        """All cards back on the pile, and shuffled; those of other decks go."""
        for seat in range(self.world.seats):
            lying = [slot(seat, number) for number in SLOTS if self.world.lying(slot(seat, number))]
            if lying:
                yield from self.hands.lift_all(seat, [(place, None) for place in lying])
        pieces = list(self.world.pieces)
        self.hands.rng.shuffle(pieces)
        for piece in pieces:
            self.world.move(piece, PILE if piece.deck == 0 else REMOVED)
        self._names.draw_lots()
        self._company.agreed.forget()
        yield 1.0

    def _rest(self, deed: Deed) -> Act:
        places = [slot(deed.seat, number) for number in SLOTS]
        for place in places:
            self.world.cover(place)
        yield REST_SECONDS
        for place in places:
            self.world.uncover(place)

    def _show(self, deed: Deed) -> Act:
        """Turn the hand over, card by card; one that lies open is turned down."""
        places = [slot(deed.seat, number) for number in SLOTS]
        lying = [place for place in places if self.world.lying(place)]
        hidden = [place for place in lying if self.world.lying(place)[-1].face_down]
        for place in hidden or lying:
            yield from self.hands.turn_over(place)
            yield from self.hands.pause(0.2, 0.4)

    # ---- places and cards --------------------------------------------------------------------------------------------

    def _undealt(self) -> list[Place]:
        order = [(self._first_seat + step) % self.world.seats for step in range(self.world.seats)]
        empty = [slot(seat, number) for number in SLOTS for seat in order if not self.world.lying(slot(seat, number))]
        return empty[: len(self.world.lying(PILE))]

    def _homes(self, seat: int) -> list[tuple[Piece, Place]]:
        """The cards in a hand that came from slots which are free now."""
        held = [(laid.piece, self.world.homes.get(laid.piece)) for laid in self.world.lying(HandOf(seat))]
        return [(piece, home) for piece, home in held if home is not None and not self.world.lying(home)]

    def _seat(self, spot: Spot) -> int:
        if isinstance(spot, HandOf):
            return spot.seat
        return spot.seat if spot.area is Area.SLOT else MIDDLE

    def _target(self, name: str) -> Spot:
        if name == "row":
            return next_row_place(self.world)
        if name.startswith("held"):
            raise ImpossibleError("no_such_place")
        return self._spot(name)

    def _spot(self, name: str) -> Spot:
        """Where a card of this name lies, or a place; raise `ImpossibleError` where there is no such place."""
        if name in ("pile", "away"):
            return PILE if name == "pile" else REMOVED
        if name == "row":
            newest = newest_of_row(self.world)
            return row(1) if newest is None else newest
        found = _NAME.fullmatch(name)
        if found is None:
            raise ImpossibleError("no_such_place")
        kind, first, second = found[1], int(found[2]), int(found[3] or 0)
        places = {"slot": slot(first, second), "row": row(first)}
        if kind == "held":
            return self.world.where(self._by_token(first))
        if kind == "hand" and first < self.world.seats:
            return HandOf(first)
        known = kind == "slot" and first < self.world.seats and second in SLOTS
        if known or (kind == "row" and places["row"] in row_places(self.world)):
            return places[kind]
        raise ImpossibleError("no_such_place")

    def _by_token(self, token: int) -> Piece:
        piece = next((piece for piece in self.world.pieces if self._names.tokens[piece.number] == token), None)
        if piece is None or not isinstance(self.world.where(piece), HandOf):
            raise ImpossibleError("no_card_there")
        return piece

    def _on_board(self, name: str) -> Place | None:
        """The place of a card that a camera could look at; None for cards in hands, pile and heap."""
        if name in BROUGHT or name.startswith("held"):
            return None
        spot = self._spot(name)
        return spot if isinstance(spot, Place) and spot.area in (Area.SLOT, Area.ROW) else None

    def _look_for(self, names: Sequence[str]) -> None:
        """Raise `ImpossibleError` unless all these cards are there at once: hands take each of them only once."""
        brought = sum(name in BROUGHT for name in names)
        if brought and len(self.world.pieces) + brought > len(self._names.tokens):
            raise ImpossibleError("no_deed")
        for card, often in Counter(self._card(name) for name in names if name not in BROUGHT).items():
            if isinstance(card, Piece):
                there = 1
            elif isinstance(card, HandOf):
                there = 0
            else:
                there = len(self.world.lying(card))
                # Of a stack on a board one card is meant; from pile and heap one after the other is taken.
                there = there if card.area in (Area.PILE, Area.REMOVED) else min(there, 1)
            if often > there:
                raise ImpossibleError("no_card_there")

    def _card(self, name: str) -> Piece | Spot:
        """What a name stands for, the same for every name of it: a card in a hand, or a place where cards lie."""
        return self._by_token(int(name.removeprefix("held-"))) if name.startswith("held") else self._spot(name)

    def _take_up(self, name: str) -> Piece:
        if name in BROUGHT:
            return self.world.bring(None if name == "joker" else self.hands.rng.choice(DECK))
        if name.startswith("held"):
            return self._by_token(int(name.removeprefix("held-")))
        return self.world.top(self._spot(name))
