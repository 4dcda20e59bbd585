"""Breaking the rules of draw and stud with one's hands; where a kind is not possible now, its maker says so."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.cards import Card
from companion.games.base import Game
from companion.games.poker_acts import Announce, Call, Check, Discard, Fold, Wager
from companion.observation import Claim
from companion.rulings import Action
from companion.table import PILE, SLOTS, Place, slot
from firmware.virtual.cheats import Maker
from firmware.virtual.hand_dealing import HandDealing
from firmware.virtual.hand_truth import HandTruth
from firmware.virtual.situation import Plan
from firmware.virtual.stage import Act, Stage
from firmware.virtual.world import Piece, World

TAPPED = 0.4
"""Share of what is done out of turn that is tapped; the rest is done with cards."""


@dataclass(frozen=True, slots=True)
class Temptation:
    """What a cheat knows when he is tempted."""

    truth: HandTruth
    world: World
    stage: Stage
    dealing: HandDealing
    rng: random.Random
    last: int | None
    """Who has acted last: what he does with his cards may still belong to that."""

    @property
    def game(self) -> Game[Any]:
        return self.truth.game

    @property
    def state(self) -> Any:
        return self.truth.state

    @property
    def acting(self) -> int | None:
        """The seat in turn, where a camera looks at its mat."""
        current = self.state.current
        return current if current is not None and self.world.watched[current] else None

    @property
    def tappers(self) -> list[int]:
        """Seats whose players tap for themselves."""
        manners = self.dealing.manners
        return [seat for seat, source in enumerate(manners.sources) if source != "bot" and seat not in manners.persons]

    @property
    def overhead(self) -> bool:
        """Whether a camera above the table reads open cards."""
        return self.dealing.manners.upcards == "overhead"

    @property
    def open_cards(self) -> list[Place]:
        """Slots on mats in which a card lies open, in no order."""
        found = [place for place in self.game.shown(self.state) if self.world.watched[place.seat] and self.world.lying(place)]
        return self.rng.sample(sorted(found), len(found))

    @property
    def playing(self) -> bool:
        return bool(self.state.phase == "play")

    def hidden(self, seat: int) -> list[Place]:
        """The slots of a seat in which a card lies face down, in no order."""
        shown = self.game.shown(self.state)
        places = [slot(seat, number) for number in SLOTS]
        found = [place for place in places if place not in shown and self.world.lying(place)]
        return self.rng.sample(found, len(found))

    def holders(self, *but: int | None) -> list[int]:
        """Seats with hidden cards that a camera looks at, but for these; in no order."""
        found = [seat for seat in range(self.world.seats) if self.world.watched[seat] and seat not in but and self.hidden(seat)]
        return self.rng.sample(found, len(found))

    def pile(self, count: int) -> list[Piece]:
        """The pile's top cards; nothing where it holds fewer."""
        lying = self.world.lying(PILE)
        return [laid.piece for laid in reversed(lying[-count:])] if len(lying) >= count else []

    def error_of(self, action: Action) -> str | None:
        """What the rules call an act now."""
        return self.game.judge(self.state, action).error

    def replaces(self, who: int, places: list[Place], pieces: list[Piece]) -> Act:
        """Other cards come into these slots; what lay there stays in the hand."""
        yield from self.dealing.hands.lift_all(who, [(place, None) for place in places])
        yield from self.dealing.hands.pause(0.3, 1.0)
        for piece, place in zip(pieces, places, strict=True):
            yield from self.dealing.hands.lay(piece, place)


def too_many_discards(view: Temptation) -> Plan | None:
    return _exchange(view, "too_many_discards", view.acting, 4)


def wrong_count(view: Temptation) -> Plan | None:
    """Somebody says how many cards he wants and exchanges another number."""
    who = view.acting
    if who is None or not view.playing:
        return None
    said = view.state.announced
    counts = [count for count in (1, 2, 3) if count != said and len(view.pile(count)) == count]
    fits = said if said is not None else view.rng.choice((1, 2, 3))
    others = [count for count in counts if count != fits]
    if not others or (said is None and view.error_of(Announce(who, fits)) is not None):
        return None
    places = sorted(view.hidden(who)[: view.rng.choice(others)])
    if view.error_of(Discard(who, tuple(place.number for place in places))) not in (None, "wrong_count"):
        return None
    pieces = view.pile(len(places))

    def act() -> Act:
        if said is None:
            view.stage.say(who, Claim(Announce(who, fits)))
            view.truth.do(view.game.action_to_json(Announce(who, fits)))
            yield from view.dealing.hands.pause(0.8, 1.5)
        yield from view.replaces(who, places, pieces)

    return Plan("wrong_count", act(), who, press=view.rng.random() < 0.5)


def _taps(view: Temptation, kind: str, acts: Callable[[int], tuple[Action, ...]]) -> Plan | None:
    """Somebody taps one of `acts` though another player is to act; the page refuses it and says why."""
    seats = [seat for seat in view.tappers if seat != view.state.current]
    if not seats or not view.playing or view.state.current is None:
        return None
    who = view.rng.choice(seats)
    found = [act for act in acts(who) if view.error_of(act) == kind]
    if not found:
        return None
    action = view.rng.choice(found)

    def act() -> Act:
        view.stage.say(who, Claim(action))
        yield 0.2

    return Plan(kind, act(), who, tapped=True)


def drew_out_of_turn(view: Temptation) -> Plan | None:
    if view.rng.random() < TAPPED:
        return _taps(view, "drew_out_of_turn", lambda who: (Discard(who, ()), Announce(who, 1), Discard(who, (1, 2))))
    others = view.holders(view.state.current, view.last)
    return _exchange(view, "drew_out_of_turn", others[0] if others else None, view.rng.choice((1, 2, 3)))


def draw_not_open(view: Temptation) -> Plan | None:
    """A card is swapped for one from the pile while there is betting."""
    others = view.holders(view.last)
    return _exchange(view, "draw_not_open", others[0] if others else None, view.rng.choice((1, 2)))


def _exchange(view: Temptation, kind: str, who: int | None, count: int) -> Plan | None:
    if who is None or not view.playing:
        return None
    places, pieces = sorted(view.hidden(who)[:count]), view.pile(count)
    if len(places) < count or len(pieces) < count:
        return None
    if view.error_of(Discard(who, tuple(place.number for place in places))) != kind or not _exchanges(view):
        return None
    return Plan(kind, view.replaces(who, places, pieces), who, press=view.rng.random() < 0.5)


def _exchanges(view: Temptation) -> bool:
    """Whether cards are exchanged in this game at all: else a new one in a hand is no exchange at a wrong time."""
    return any(street.draw for street in view.state.hand.terms.streets)


def not_your_turn(view: Temptation) -> Plan | None:
    """Somebody bets or gives up before he is asked."""
    if view.rng.random() < TAPPED:
        return _taps(view, "not_your_turn", lambda who: (Check(who), Call(who), Fold(who), Wager(who, 20)))
    others = view.holders(view.state.current, view.last)
    if not others or not view.playing or view.state.current is None:
        return None
    who = others[0]
    places = _lying(view, who)
    again = tuple(place for place in places if place in view.game.shown(view.state))
    return Plan("not_your_turn", view.dealing.hands.lift_all(who, [(place, None) for place in places]), who, anew=again)


def unexplained_change(view: Temptation) -> Plan | None:
    """Two players swap a hidden card; where cards are never exchanged, also one with the pile; from above open ones are seen."""
    if view.overhead and view.open_cards and view.rng.random() < 0.5:
        return _other_open_card(view)
    others = view.holders()
    if not view.playing or not others:
        return None
    if len(others) < 2 or (not _exchanges(view) and view.rng.random() < 0.4):
        drawn = view.pile(1)
        own = view.hidden(others[0])[:1]
        if _exchanges(view) or not drawn or view.state.current is None:
            return None
        return Plan("unexplained_change", view.replaces(others[0], own, drawn), others[0])
    first, second = view.hidden(others[0])[0], view.hidden(others[1])[0]
    goals = [(view.world.top(first), second, True), (view.world.top(second), first, True)]
    return Plan("unexplained_change", view.dealing.hands.rearrange(others[0], goals), others[0], press=view.rng.random() < 0.5)


def _other_open_card(view: Temptation) -> Plan | None:
    """An open card makes room for one of the pile, or changes places with another player's."""
    places, drawn = view.open_cards, view.pile(1)
    if not drawn or view.state.current is None:
        return None
    first = places[0]
    others = [place for place in places if place.seat != first.seat]
    goals = [(drawn[0], first, False)]
    if others and view.rng.random() < 0.5:
        goals = [(view.world.top(first), others[0], False), (view.world.top(others[0]), first, False)]
        return Plan("unexplained_change", view.dealing.hands.rearrange(first.seat, goals), first.seat)

    def act() -> Act:
        yield from view.dealing.hands.lift(first.seat, first)
        yield from view.dealing.hands.pause(0.3, 1.0)
        yield from view.dealing.hands.lay_all(goals)

    return Plan("unexplained_change", act(), first.seat)


def card_returned(view: Temptation) -> Plan | None:
    """A card that was thrown away, or given up, lies in a hand again."""
    gone = [card for card in view.state.table.removed if isinstance(card, Card) and card in view.truth.known]
    others = view.holders()
    if not gone or not others or not view.playing:
        return None
    piece = view.world.piece(view.rng.choice(gone))
    return Plan("card_returned", view.replaces(others[0], view.hidden(others[0])[:1], [piece]), others[0])


def foreign_card(view: Temptation) -> Plan | None:
    others = view.holders()
    if not others or not view.playing:
        return None
    return Plan("foreign_card", view.replaces(others[0], view.hidden(others[0])[:1], [view.world.bring(None)]), others[0])


def duplicate_card(view: Temptation) -> Plan | None:
    """A card of a second deck whose face lies on another mat."""
    others = view.holders()
    if len(others) < 2 or not view.playing:
        return None
    face = view.world.top(view.hidden(others[1])[0]).face
    return Plan("duplicate_card", view.replaces(others[0], view.hidden(others[0])[:1], [view.world.bring(face)]), others[0])


def slot_empty(view: Temptation) -> Plan | None:
    """A hidden card stays in the hand of the player in turn, who says that he has done."""
    who = view.acting
    places = [] if who is None else view.hidden(who)
    if who is None or not view.playing or not 0 < len(places[:1]) < len(_lying(view, who)):
        return None
    return Plan("slot_empty", view.dealing.hands.lift(who, places[0]), who, press=True)


def _lying(view: Temptation, seat: int) -> list[Place]:
    return [slot(seat, number) for number in SLOTS if view.world.lying(slot(seat, number))]


def folded_hand_changed(view: Temptation) -> Plan | None:
    """Who has given up lays a card on his mat again."""
    folded = [seat for seat in range(view.world.seats) if view.world.watched[seat] and not _lying(view, seat)]
    out = [seat for seat in folded if seat in view.state.order]
    drawn = view.pile(1)
    if not out or not drawn or not view.playing:
        return None
    who = view.rng.choice(out)
    return Plan("folded_hand_changed", view.dealing.hands.lay(drawn[0], slot(who, view.rng.choice(SLOTS))), who)


def dealt_out_of_turn(view: Temptation) -> Plan | None:
    """The next card is dealt before the round of betting is over."""
    others = [seat for seat in view.holders() if None in view.state.table.hands[seat]]
    drawn = view.pile(1)
    if not others or not drawn or not view.playing or view.state.current is None:
        return None
    place = slot(others[0], len(_lying(view, others[0])) + 1)
    return Plan("dealt_out_of_turn", view.dealing.hands.lay(drawn[0], place, view.rng.random() < 0.5), others[0])


def upcard_moved(view: Temptation) -> Plan | None:
    """An open card is lifted after it was scanned, and laid back as it lay; a camera above sees that it is the same one."""
    places = view.open_cards
    if not places or view.overhead or not view.playing or view.state.current is None:
        return None
    place = places[0]
    piece = view.world.top(place)

    def act() -> Act:
        yield from view.dealing.hands.lift(place.seat, place, piece)
        yield from view.dealing.hands.pause(0.4, 1.5)
        yield from view.dealing.hands.lay(piece, place, face_down=False)

    return Plan("upcard_moved", act(), place.seat, anew=(place,))


def hand_over(view: Temptation) -> Plan | None:
    """After the last bet, before the hands are shown, two players swap a hidden card."""
    showing = {place.seat for place in view.game.to_show(view.state)}
    others = [seat for seat in view.holders() if seat in showing]
    if view.state.phase != "over" or len(others) < 2:
        return None
    first, second = view.hidden(others[0])[0], view.hidden(others[1])[0]
    goals = [(view.world.top(first), second, True), (view.world.top(second), first, True)]
    return Plan("hand_over", view.dealing.hands.rearrange(others[0], goals), others[0])


HAND_MAKERS: Mapping[str, Maker] = {
    "foreign_card": foreign_card,
    "duplicate_card": duplicate_card,
    "card_returned": card_returned,
    "slot_empty": slot_empty,
    "too_many_discards": too_many_discards,
    "wrong_count": wrong_count,
    "drew_out_of_turn": drew_out_of_turn,
    "draw_not_open": draw_not_open,
    "not_your_turn": not_your_turn,
    "unexplained_change": unexplained_change,
    "folded_hand_changed": folded_hand_changed,
    "dealt_out_of_turn": dealt_out_of_turn,
    "upcard_moved": upcard_moved,
    "hand_over": hand_over,
}

SELDOM = {
    "too_many_discards": 6.0, "wrong_count": 6.0, "drew_out_of_turn": 6.0, "card_returned": 3.0, "folded_hand_changed": 3.0,
    "hand_over": 1.0,
}  # fmt: skip
"""Weight of kinds that are seldom possible, so that over many hands each comes about as often as the others."""

HAND_KINDS = tuple(HAND_MAKERS)
