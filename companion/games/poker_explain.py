"""Naming what happened between two quiet pictures of a hand of draw or stud.

Bets are tapped, so a picture can only show cards that were exchanged or sorted, a hand that was given up, and a card that was
dealt or that does not belong there.
"""

from __future__ import annotations

from collections.abc import Container
from itertools import permutations

from companion.cards import Card, Held, Mark, Seen
from companion.games.poker_acts import Discard, Fold, Sort
from companion.games.poker_judging import fault
from companion.games.poker_state import PokerState, after
from companion.rulings import Action, Change, Ruling, Verdict
from companion.table import SLOTS, Place, slot

NOTHING = Ruling(Verdict.NOTHING)


def explain(state: PokerState, change: Change, ruled_out: Container[Action] = ()) -> Ruling:
    """Name what happened; the rule of a violation is left to the game."""
    look = Look(state, change)
    broken = look.deck_fault()
    if broken is not None:
        return broken
    changed = look.changed()
    if not changed:
        return look.unclear_upcard() or look.lifted_upcard() or NOTHING
    seats = tuple(sorted({place.seat for place in changed}))
    ruled = [_one_seat(look, seat, tuple(place for place in changed if place.seat == seat), ruled_out) for seat in seats]
    # Whoever sorts his cards has nothing to do with what others do meanwhile: that is judged when he has.
    sort = next((ruling for ruling in ruled if isinstance(ruling.action, Sort) and ruling.verdict is Verdict.LEGAL), None)
    if sort is not None:
        return sort
    if state.phase == "over":
        return _against("hand_over", seats, changed)
    return ruled[0] if len(ruled) == 1 else _against("unexplained_change", seats, changed)


def could_become(state: PokerState, change: Change) -> bool:
    """Whether the moves in hand can still lead to something legal, or back to where everything was."""
    look = Look(state, change)
    open_card = look.unclear_upcard() or look.lifted_upcard()
    if look.deck_fault() is not None or open_card is not None or state.phase == "over":
        return False
    return all(look.seen(place) is Mark.EMPTY or place.seat == state.acting for place in look.changed())


class Look:
    """A quiet picture, held against the state before it."""

    def __init__(self, state: PokerState, change: Change) -> None:
        self.state, self.change = state, change
        self._up = {
            slot(state.order[place], number)
            for place, dealt in enumerate(state.hand.hands) if state.hand.live[place]
            for number, one in zip(SLOTS, dealt, strict=False) if one.up
        }  # fmt: skip
        hands = [card for hand in state.table.hands for card in hand]
        self._known = {card for card in (*hands, *state.table.removed) if isinstance(card, Card)}

    def seen(self, place: Place) -> Seen | None:
        """What is claimed of a slot; None where nothing is."""
        seen = self.change.mats[place.seat][place.number - 1]
        return None if seen is Mark.COVERED else seen

    def fits(self, place: Place, held: Held | None) -> bool:
        """Whether a slot that holds `held` may look as it does."""
        seen = self.seen(place)
        if seen is None:
            return True
        if held is None or seen is Mark.EMPTY:
            return held is None and seen is Mark.EMPTY
        if isinstance(seen, Card):
            # An open card that is scanned before it is turned shows its face for a while.
            return held == seen or (not isinstance(held, Card) and seen not in self._known)
        return seen in (Mark.BACK, Mark.UNREADABLE)

    def is_fresh(self, place: Place) -> bool:
        """Whether what lies there may have come from the pile: it is known to be nowhere else."""
        return self.seen(place) not in self._known

    def changed(self) -> tuple[Place, ...]:
        """The slots that certainly do not hold what they held."""
        places = (slot(seat, number) for seat in range(self.state.seats) for number in SLOTS)
        return tuple(place for place in places if not self.fits(place, self.state.table.at(place)))

    def deck_fault(self) -> Ruling | None:
        """A card that cannot be there."""
        met: dict[Seen, Place] = {}
        for seat in range(self.state.seats):
            for number in SLOTS:
                place = slot(seat, number)
                seen = self.seen(place)
                if seen is Mark.FOREIGN:
                    return _against("foreign_card", (seat,), (place,), Mark.FOREIGN)
                if isinstance(seen, Card):
                    if seen in met:
                        return Ruling(Verdict.ILLEGAL, error="duplicate_card", card=seen, places=(met[seen], place))
                    if seen in self.state.table.removed:
                        return _against("card_returned", (seat,), (place,), seen)
                    met[seen] = place
        return None

    def unclear_upcard(self) -> Ruling | None:
        """Two cameras do not agree about an open card; whichever is wrong, nobody has done anything."""
        unclear = tuple(place for place in self.change.doubtful if place in self._up)
        return _against("upcard_unclear", (), unclear) if unclear else None

    def lifted_upcard(self) -> Ruling | None:
        """An open card was lifted after it was known: nobody knows any more that it is still the same."""
        lifted = tuple(place for place in self.change.returned if place in self._up and not self._face_shows(place))
        return _against("upcard_moved", tuple(sorted({place.seat for place in lifted})), lifted) if lifted else None

    def _face_shows(self, place: Place) -> bool:
        return isinstance(self.seen(place), Card)


def _one_seat(look: Look, seat: int, changed: tuple[Place, ...], ruled_out: Container[Action]) -> Ruling:
    state = look.state
    place = state.place_of(seat)
    if place is None or not state.hand.live[place]:
        return _against("folded_hand_changed", (seat,), changed)
    held = tuple(number for number in SLOTS if state.table.at(slot(seat, number)) is not None)
    if any(state.table.at(each) is None for each in changed):
        return _against("dealt_out_of_turn", (seat,), changed)
    empty = tuple(each.number for each in changed if look.seen(each) is Mark.EMPTY)
    if empty == held:
        return _judged(state, Fold(seat), changed)
    if empty:
        return _against("slot_empty", (seat,), changed)
    sort = _sorted(look, seat)
    if sort is not None and not state.turn:
        # Nobody has acted yet: whoever sorts his cards is still being dealt to.
        return _against("unexplained_change", (seat,), changed)
    if sort is not None and sort not in ruled_out and not fault(state, sort):
        return Ruling(Verdict.LEGAL, sort)
    came = tuple(each for each in changed if look.is_fresh(each))
    if state.phase != "over" and came and (before := _sorted_before(look, seat)) is not None and before not in ruled_out:
        exchanged = _judged(after(state, before), Discard(seat, tuple(each.number for each in came)), came)
        return Ruling(Verdict.LEGAL, before) if exchanged.verdict is Verdict.LEGAL else exchanged
    # Where cards are never exchanged, one that came from the pile is no exchange at a wrong time.
    if len(came) == len(changed) and any(street.draw for street in state.hand.terms.streets):
        return _judged(state, Discard(seat, tuple(each.number for each in changed)), changed)
    return _against("unexplained_change", (seat,), changed)


def _judged(state: PokerState, action: Action, places: tuple[Place, ...]) -> Ruling:
    error = fault(state, action)
    if error:
        return Ruling(Verdict.ILLEGAL, action, error, seat=action.seat, places=places)
    return Ruling(Verdict.LEGAL, action)


def _sorted(look: Look, seat: int) -> Sort | None:
    """How the cards of a hand have changed places; None where one came from outside, or it cannot be told."""
    hand = look.state.table.hands[seat]
    seen = [look.seen(slot(seat, number)) for number in SLOTS]
    if not all(isinstance(each, Card) and each in hand for each in seen):
        return None
    perm = tuple(hand.index(each) + 1 for each in seen)
    return Sort(seat, perm) if perm in set(permutations(SLOTS)) else None


def _sorted_before(look: Look, seat: int) -> Sort | None:
    """How the cards of a hand had changed places before some were exchanged; None where only one of the two happened.

    Cameras that look seldom see both at once.  The cards that were thrown lay where those from the pile lie now, in any order.
    """
    hand = look.state.table.hands[seat]
    seen = [look.seen(slot(seat, number)) for number in SLOTS]
    thrown = [number for number, card in zip(SLOTS, hand, strict=True) if card not in seen]
    came = [slot(seat, number) for number, each in zip(SLOTS, seen, strict=True) if each not in hand]
    known = all(isinstance(each, Card) for each in (*seen, *hand))
    if not known or len(thrown) != len(came) or not all(map(look.is_fresh, came)):
        return None
    perm = tuple(hand.index(each) + 1 if each in hand else thrown.pop(0) for each in seen)
    sort = Sort(seat, perm)
    moved = any(each in hand and each != hand[place] for place, each in enumerate(seen))
    return sort if moved and not fault(look.state, sort) else None


def _against(error: str, seats: tuple[int, ...], places: tuple[Place, ...], card: Held | Seen | None = None) -> Ruling:
    culprit = seats[0] if len(seats) == 1 else None
    return Ruling(Verdict.ILLEGAL, error=error, seat=culprit, seats=seats, card=card, places=places)
