"""The others at a table at which a person moves cards by hand.

They know what people know: their own cards, and what stands on the page.  What the rules allow they take from the companion's
own list of moves, which names no card.  They wait for the person, and where the page wants cards moved back they do their share.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from companion.errors import DeclarationError
from companion.observation import Agree, Answer, Press
from companion.sitting import Offer
from companion.table import PILE, REMOVED, SLOTS, Place, slot
from companion.tutorial import Tutorial
from companion.views import MoveView, SlotShows, View
from firmware.virtual.agreed import Agreed
from firmware.virtual.layouts import Layout, captured, hidden_again, lay_as, newest_of_row, next_row_place, same_boards
from firmware.virtual.moves import Hands
from firmware.virtual.stage import Act, Stage, Until
from firmware.virtual.world import HandOf, World
from firmware.virtual.worth import best_slot, good_take, hand_of, spared

MIDDLE = -1
"""Stands for pile, row and heap where seats are counted that hands are busy at."""
LONG = 3600.0
"""Seconds that a person may think."""
PATIENCE = 20.0
"""Seconds that people wait for the table before they look again."""
TIDY_S = 3.0
"""So long the others leave a person his move to change, once it lies."""
SETTING_UP_S = 6.0
"""The same for sorting his cards before somebody else begins."""


class Company:
    """Everybody at the table whom the person does not move."""

    def __init__(
        self, world: World, stage: Stage, rng: random.Random, seats: Sequence[int], offers: Callable[[int], Sequence[Offer]],
        tutorial: Callable[[], Tutorial | None] = lambda: None,
    ) -> None:  # fmt: skip
        """`seats`: those that they play.  `offers`: what the page says that a seat may do."""
        self.world, self.stage, self.rng = world, stage, rng
        self.seats = frozenset(seats)
        self.hands = Hands(world, rng)
        self.busy: set[int] = set()
        """Seats, and -1 for the middle of the table, at which anybody's hands are."""
        self.agreed = Agreed(world)
        self._offers, self._tutorial = offers, tutorial
        self._own: dict[int, MoveView] = {}
        """What each of them has done or is doing in his turn."""
        self._answered: set[int] = set()
        self._agreed_to: set[tuple[int, int]] = set()
        self._wait_until = 0.0
        self._touched = False
        """The person has moved something since the table was agreed last."""

    def acts(self) -> list[Act]:
        """What all of them do, to be entered on the stage."""
        return [self.put_right(), self.reveal(), *(self.play(seat) for seat in sorted(self.seats))]

    @property
    def view(self) -> View | None:
        return self.stage.view

    # ---- what they see -----------------------------------------------------------------------------------------------

    def see(self, view: View, changes_of_person: bool) -> None:
        """One moment is over; `changes_of_person`: he has moved something in it."""
        if self.agreed.see(view):
            self._touched = False
            last = view.last
            if last is None or last.seat not in self.seats:
                self._wait_until = self.stage.now + TIDY_S
        if changes_of_person:
            self._touched = True
            self._wait_until = self.stage.now + (SETTING_UP_S if view.turn == 0 else TIDY_S)

    def votes(self, view: View) -> list[tuple[int, Agree]]:
        """They go along with what was proposed; also while play is stopped and nobody moves a hand."""
        proposal = view.proposal
        if proposal is None:
            return []
        said = []
        for seat in proposal.waiting:
            if seat in self.seats and (proposal.id, seat) not in self._agreed_to:
                self._agreed_to.add((proposal.id, seat))
                said.append((seat, Agree(proposal.id, True)))
        return said

    def _peace(self) -> bool:
        """Nothing stands on the page that has to be settled or moved first."""
        view = self.view
        if view is None or view.violation or view.question or view.awaiting or view.proposal or view.steps:
            return False
        return not (view.turn_down or view.confirm or view.paused or view.stopped or view.reseat or view.unranked)

    def _person_is_done(self) -> bool:
        """He holds no card but those that he looks at, and has had the time to change his mind."""
        persons = [seat for seat in range(self.world.seats) if seat not in self.seats]
        held = [laid.piece for seat in persons for laid in self.world.lying(HandOf(seat))]
        looks = all((home := self.world.homes.get(piece)) is not None and not self.world.lying(home) for piece in held)
        tutorial = self._tutorial()
        learns = tutorial is not None and tutorial.keeps_waiting
        return looks and not learns and self.stage.now >= self._wait_until

    def _may_act(self, seat: int) -> bool:
        view = self.view
        if view is None or not self._peace() or view.current != seat or view.phase == "over" or not self._person_is_done():
            return False
        if view.turn == 0 and any(laid for who in range(self.world.seats) for laid in self.world.lying(HandOf(who))):
            return False
        return self.busy.isdisjoint({seat, MIDDLE})

    # ---- turns -------------------------------------------------------------------------------------------------------

    def play(self, seat: int) -> Act:
        """Everything that one of them does, from the deal to the end and behind it."""
        yield Until(self._dealt, LONG)
        yield from self._look_at_hand(seat)
        while True:
            if not (yield Until(lambda: self._may_act(seat), LONG)):
                continue
            yield from self.hands.pause(0.6, 2.0)
            if self._may_act(seat):
                yield from self._turn(seat)

    def _dealt(self) -> bool:
        places = (slot(seat, number) for seat in range(self.world.seats) for number in SLOTS)
        return all(self.world.lying(place) for place in places)

    def _look_at_hand(self, seat: int) -> Act:
        yield from self.hands.pause(0.5, 3.0)
        yield Until(lambda: seat not in self.busy, LONG)
        numbers = [number for number in SLOTS if self.world.lying(slot(seat, number))]
        view = self.view
        if not numbers or view is None or view.phase != "setup":
            return
        self.busy.add(seat)
        places = [slot(seat, number) for number in numbers]
        pieces = [self.world.top(place) for place in places]
        yield from self.hands.lift_all(seat, [(place, None) for place in places])
        yield from self.hands.pause(1.0, 2.5)
        yield from self.hands.lay_all([(piece, place, True) for piece, place in zip(pieces, places, strict=True)])
        self.busy.discard(seat)

    def _turn(self, seat: int) -> Act:
        move = self._choose(seat)
        view = self.view
        if move is None or view is None or not self._lies(move):
            yield 1.0
            return
        touched = {seat, MIDDLE} if move.victim is None else {seat, MIDDLE, move.victim}
        if not self.busy.isdisjoint(touched):
            return
        self.busy |= touched
        turn = view.turn
        self._own[seat] = move
        yield from self._carry_out(seat, move)
        self.busy -= touched
        if self.rng.random() < 0.5:
            yield from self.hands.pause(0.2, 0.6)
            self.stage.say(seat, Press())
        yield Until(lambda: self._turned(turn), PATIENCE)

    def _turned(self, turn: int) -> bool:
        view = self.view
        return view is not None and (view.turn > turn or view.violation is not None or view.question is not None)

    def _carry_out(self, seat: int, move: MoveView) -> Act:
        own = None if move.slot is None else slot(seat, move.slot)
        if move.kind == "steal" and own is not None and move.victim is not None and move.victim_slot is not None:
            yield from self.hands.steal(seat, slot(move.victim, move.victim_slot), own)
        elif move.kind == "take" and own is not None:
            yield from self._take(seat, own)
        else:
            yield from self._draw(seat)

    def _take(self, seat: int, own: Place) -> Act:
        newest = newest_of_row(self.world)
        if newest is None:
            return
        taken, old = self.world.top(newest), self.world.top(own)
        yield from self.hands.lift(seat, newest)
        yield from self.hands.use_held(seat, taken, own, "tidy")
        yield from self.hands.pause(0.1, 0.3)
        self.world.move(old, REMOVED)

    def _draw(self, seat: int) -> Act:
        """Draw, look at the card, and use it where it does most good; else it goes to the row."""
        drawn = self.world.top(PILE)
        self.world.move(drawn, HandOf(seat))
        yield from self.hands.pause(0.7, 1.5)
        number = None if self._wish() == "discard" else best_slot(hand_of(self.world, seat), drawn.face)
        self._own[seat] = replace(self._own[seat], kind="discard" if number is None else "draw", slot=number)
        thrown = drawn
        if number is not None:
            own = slot(seat, number)
            thrown = self.world.top(own)
            yield from self.hands.use_held(seat, drawn, own, "tidy")
            yield from self.hands.pause(0.1, 0.4)
        yield from self.hands.lay(thrown, next_row_place(self.world), face_down=False)

    def _choose(self, seat: int) -> MoveView | None:
        """One of the moves that the page offers, by kind and places."""
        try:
            offers = [offer.move for offer in self._offers(seat)]
        except DeclarationError:
            return None
        lying = [move for move in offers if self._lies(move)]
        if not lying:
            return None
        kinds = {kind: [move for move in lying if move.kind == kind] for kind in ("draw", "discard", "steal", "take")}
        draws = kinds["discard"] or kinds["draw"]
        wished = self._wished(kinds["steal"], draws)
        if wished:
            return self._placed(seat, self.rng.choice(wished))
        good = good_take(self.world, seat, kinds["take"], self.rng)
        if good is not None:
            return good
        steals = kinds["steal"] if self.rng.random() < 0.4 or not draws else []
        return self._placed(seat, self.rng.choice(steals or draws or lying))

    def _placed(self, seat: int, move: MoveView) -> MoveView:
        """A theft pays with the card that he can spare most."""
        if move.kind != "steal":
            return move
        return replace(move, slot=spared(hand_of(self.world, seat)))

    def _wished(self, steals: list[MoveView], draws: list[MoveView]) -> list[MoveView]:
        wish = self._wish()
        robbing = [move for move in steals if move.victim not in self.seats]
        others = [move for move in steals if move.victim in self.seats]
        return {"rob": robbing, "steal": others or draws, "draw": draws, "discard": draws}.get(wish, [])

    def _wish(self) -> str:
        tutorial, view = self._tutorial(), self.view
        return "" if tutorial is None or view is None else tutorial.wish(view)

    def _lies(self, move: MoveView) -> bool:
        """Whether nobody holds the cards of this move, or is at them."""
        if move.victim is not None and (move.victim in self.busy or not self._is_still(move.victim, move.victim_slot)):
            return False
        if move.kind in ("draw", "discard"):
            return bool(self.world.lying(PILE))
        return move.slot is None or move.seat is None or bool(self.world.lying(slot(move.seat, move.slot)))

    def _is_still(self, seat: int, number: int | None) -> bool:
        view = self.view
        shown = [] if view is None else [one.shows for one in view.seats[seat].slots if one.number == number]
        return shown == [SlotShows.LYING] and number is not None and len(self.world.lying(slot(seat, number))) == 1

    # ---- putting right -----------------------------------------------------------------------------------------------

    def put_right(self) -> Act:
        """Answer what they are asked, lay back what they have misplaced, and do their share of an undo."""
        while True:
            yield 0.5
            view = self.view
            if view is None or view.proposal is not None:
                continue
            if view.question is not None and view.question.id not in self._answered:
                yield from self._answer()
            elif view.steps or view.turn_down:
                yield from self._go_back()
            elif (view.violation is not None or view.awaiting) and not self._touched:
                yield from self._restore_own()
            elif view.reseat:
                yield from self._lay_anew()

    def _answer(self) -> Act:
        question = None if self.view is None else self.view.question
        if question is None or question.seat not in self.seats:
            return
        yield from self.hands.pause(0.8, 1.5)
        self._answered.add(question.id)
        done = self._own.get(question.seat)
        fits = [number for number, move in enumerate(question.choices) if move is not None and _same(move, done)]
        none = [number for number, move in enumerate(question.choices) if move is None]
        self.stage.say(question.seat, Answer(question.id, (fits or none or [0])[0]))

    def _restore_own(self) -> Act:
        """The person has touched nothing: what lies wrong is somebody else's doing, who lays it right."""
        yield 1.5
        if self._touched or not self._nobody_is_at_it():
            return
        yield from self._with_all_hands(self.restore(min(self.seats, default=0)))
        yield 2.0

    def restore(self, who: int) -> Act:
        """Lay every card as it was agreed last, whoever has moved it."""
        view = self.view
        layout = self.agreed.now if view is None else self.agreed.wanted(view)
        if layout is not None:
            yield from lay_as(who, layout, self.world, self.hands)

    def _go_back(self) -> Act:
        """After undo or redo: each lays back or again what was his own move, in the order of the page's list."""
        view = self.view
        path = None if view is None else self.agreed.path(view)
        if view is None or path is None:
            yield 1.0
            return
        yield 1.5
        for seat, layout in path:
            if self.view is None or (self.view.undo, self.view.steps) != (view.undo, view.steps):
                return
            if seat in self.seats or not self.seats:
                if self.seats and (yield Until(self._nobody_is_at_it, PATIENCE)):
                    yield from self._with_all_hands(lay_as(min(self.seats), layout, self.world, self.hands))
                continue
            yield Until(partial(self._done_or_news, layout, view), PATIENCE)
            if not self._lies_as(layout):
                return
        if view.turn_down:
            yield from self._turn_down()
        yield Until(lambda: self._news(view), PATIENCE / 4)

    def _turn_down(self) -> Act:
        for seat in sorted(self.seats):
            for place in (slot(seat, number) for number in SLOTS):
                if (yield Until(partial(self.busy.isdisjoint, {seat}), PATIENCE)):
                    yield from self._turn_over(place, hide=True)

    def _turn_over(self, place: Place, hide: bool) -> Act:
        """Turn the card there face down, or face up."""
        lying = self.world.lying(place)
        if not lying or lying[-1].face_down is hide:
            return
        self.busy.add(place.seat)
        yield from self.hands.turn_over(place)
        self.busy.discard(place.seat)
        yield from self.hands.pause(0.2, 0.5)

    def _lies_as(self, layout: Layout) -> bool:
        return same_boards(hidden_again(captured(self.world)), hidden_again(layout))

    def _done_or_news(self, layout: Layout, before: View) -> bool:
        return self._lies_as(layout) or self._news(before)

    def _news(self, before: View) -> bool:
        view = self.view
        return view is None or (view.undo, view.steps, view.turn_down) != (before.undo, before.steps, before.turn_down)

    def _nobody_is_at_it(self) -> bool:
        return not self.busy

    def _with_all_hands(self, act: Act) -> Act:
        everybody = {*range(self.world.seats), MIDDLE}
        self.busy |= everybody
        yield from act
        self.busy -= everybody

    def _lay_anew(self) -> Act:
        """Lift the cards that the page wants to read once more, and lay them back."""
        for seat, number in () if self.view is None else self.view.reseat:
            place = slot(seat, number)
            if seat not in self.seats or seat in self.busy or not self.world.lying(place):
                continue
            self.busy.add(seat)
            piece = self.world.top(place)
            yield from self.hands.lift(seat, place, piece)
            yield 1.0
            yield from self.hands.lay(piece, place)
            self.busy.discard(seat)
            yield 1.5

    # ---- the end -----------------------------------------------------------------------------------------------------

    def reveal(self) -> Act:
        """At the end they turn their cards over, one seat after the other."""
        while True:
            yield Until(self._reveals, LONG)
            yield from self.hands.pause(1.0, 1.5)
            for place in (slot(seat, number) for seat in sorted(self.seats) for number in SLOTS):
                if not self._reveals():
                    break
                if (yield Until(partial(self.busy.isdisjoint, {place.seat}), PATIENCE)):
                    yield from self._turn_over(place, hide=False)
            yield 1.0

    def _reveals(self) -> bool:
        view = self.view
        if view is None or not view.revealing or not self._peace():
            return False
        places = (slot(seat, number) for seat in self.seats for number in SLOTS)
        return any(self.world.lying(place) and self.world.lying(place)[-1].face_down for place in places)


def _same(one: MoveView, other: MoveView | None) -> bool:
    if other is None or one.kind != other.kind or one.seat != other.seat:
        return False
    return (one.slot, one.victim, one.victim_slot) == (other.slot, other.victim, other.victim_slot)
