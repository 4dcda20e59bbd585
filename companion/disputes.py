"""What the record answers when players do not agree: by turns, seats and slots, and never by a card.

Every function is pure and looks at the referee's turns and log.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.cards import Card, Held, Mark
from companion.comparing import moved_slots
from companion.errors import DeclarationError
from companion.judging import OUT_OF_TURN
from companion.picture import Picture
from companion.proceedings import LogEntry, Seating, Turn
from companion.referee import AnyReferee
from companion.table import Area, Place
from companion.viewing import move_view
from companion.views import LockView, MoveView


@dataclass(frozen=True, slots=True)
class TurnLine:
    """One line of the timeline."""

    number: int
    """How many actions stand with this one; 1 is the first action of the game."""
    turn: int
    """Turn of the game, counted from 1; turns that were passed over count."""
    move: MoveView
    at: float
    """Seconds of the sitting's clock."""


@dataclass(frozen=True, slots=True)
class Incident:
    """Something that did not stand: a violation, or an action that was taken back."""

    after: int
    """How many of the actions that stand now stood before it."""
    error: str
    """Kind of the violation; empty where an action was taken back."""
    seats: tuple[int, ...]
    places: tuple[tuple[int, int], ...]
    """(seat, slot) of the slots concerned."""
    move: MoveView | None = None
    at: float = 0.0
    rule: str = ""
    """Id of the rule that was broken; empty where none is named."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """Something that people have put right by hand."""

    after: int
    """How many of the actions that stand now stood before it."""
    kind: str
    """``entered``, ``corrected``, ``reseat``, ``as_it_lies``, ``as_shown`` or ``went_on``."""
    places: tuple[tuple[int, int], ...]
    """(seat, slot) of the slots concerned; (-1, position) of cards of the row."""
    old: str | None = None
    """Card text, of a card that lay open when it was corrected; never of a hidden one."""
    new: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LockAnswer:
    """A steal-back lock as it was at the turn that was picked."""

    lock: LockView
    until: int
    """The last turn of the game, counted from 1, in which it binds."""
    running: bool
    """It binds even now."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """Everything that one screen answers about one turn, and about one slot where one was picked."""

    number: int
    """The action after which the table is looked at; 0 is the deal."""
    last: int
    """The number of the newest action."""
    line: TurnLine | None
    current: int | None
    """Whose turn it was then."""
    current_now: int | None
    steal: str
    """``allowed`` or ``locked`` where the action was a steal, else empty."""
    locks: tuple[LockAnswer, ...]
    order_kept: bool
    """Every action that stands was its seat's turn."""
    out_of_turn: tuple[Incident, ...]
    """Attempts out of turn, which do not stand."""
    did_not_stand: tuple[Incident, ...]
    """All violations, and all actions that were taken back."""
    amendments: tuple[Amendment, ...]
    """What people have put right by hand: the old value beside the new one."""
    discards: int
    """How many counted towards the end then."""
    discards_now: int
    end_discards: int
    place: tuple[int, int] | None = None
    touched: tuple[TurnLine, ...] = ()
    """The actions that changed the slot's card."""
    incidents: tuple[Incident, ...] = ()
    """What did not stand and concerned the slot."""
    handled: bool = False
    """Its card was lifted since the newest action, or is in a hand."""
    same: str = ""
    """Whether the card of then lies there now: ``yes``, ``no`` or ``unknown``; empty without a slot."""


def timeline(referee: AnyReferee) -> tuple[TurnLine, ...]:
    """Every action that stands, oldest first."""
    return tuple(_line(referee, number, turn) for number, turn in enumerate(referee.turns, 1))


def _line(referee: AnyReferee, number: int, turn: Turn[Any]) -> TurnLine:
    return TurnLine(number, turn.before.turn + 1, move_view(referee.game, turn.action, by_hand=turn.by_hand), turn.at)


def incidents(referee: AnyReferee) -> tuple[Incident, ...]:
    """What did not stand, oldest first."""
    return tuple(_incident(referee, entry) for entry in referee.log if entry.kind in ("violation", "undone"))


def _incident(referee: AnyReferee, entry: LogEntry) -> Incident:
    after = sum(turn.at < entry.time for turn in referee.turns)
    if entry.ruling is None:
        move = None if entry.action is None else move_view(referee.game, entry.action)
        slots = () if move is None else tuple(_slots_of(move))
        return Incident(after, "", () if move is None or move.seat is None else (move.seat,), slots, move, entry.time)
    ruling = entry.ruling
    seats = ruling.seats if ruling.seat is None else (ruling.seat,)
    rule = "" if ruling.rule is None else ruling.rule.id
    return Incident(after, ruling.error or "", seats, _pairs(ruling.places), None, entry.time, rule)


OPEN = ("entered", "corrected")
"""Kinds of log entry about a card that everybody saw."""
AMENDED = (*OPEN, "reseat", "as_it_lies", "as_shown", "went_on")


def amendments(referee: AnyReferee) -> tuple[Amendment, ...]:
    """What people have put right by hand, oldest first; hidden cards are not named."""
    return tuple(_amendment(referee, entry) for entry in referee.log if entry.kind in AMENDED)


def _amendment(referee: AnyReferee, entry: LogEntry) -> Amendment:
    after = sum(turn.at < entry.time for turn in referee.turns)
    places = tuple((place.seat, place.number) for place in entry.places)
    old, new = (str(card) if isinstance(card, Card) and entry.kind in OPEN else None for card in (entry.old, entry.new))
    return Amendment(after, entry.kind, places, old, new, entry.reason)


def _slots_of(move: MoveView) -> Iterator[tuple[int, int]]:
    for seat, number in ((move.seat, move.slot), (move.victim, move.victim_slot)):
        if seat is not None and number is not None:
            yield seat, number


def _pairs(places: tuple[Place, ...]) -> tuple[tuple[int, int], ...]:
    return tuple((place.seat, place.number) for place in places if place.area is Area.SLOT)


def state_after(referee: AnyReferee, number: int) -> Any:
    """The agreed state after `number` actions; raise `DeclarationError` where so many do not stand."""
    if not 0 <= number <= len(referee.turns):
        raise DeclarationError(f"between 0 and {len(referee.turns)} actions stand; found {number}", "no_offer")
    if number == 0:
        # Hands may be sorted until the first action: where the cards lay then is what the first action began with.
        return referee.game.opened(referee.turns[0].before if referee.turns else referee.dealt)
    return referee.turns[number - 1].after


def touches(referee: AnyReferee, place: Place) -> tuple[TurnLine, ...]:
    """The actions that have changed the card at `place`."""
    lines = zip(timeline(referee), referee.turns, strict=True)
    return tuple(line for line, turn in lines if place in moved_slots(turn.before.table, turn.after.table))


def same_card(referee: AnyReferee, picture: Picture, place: Place, number: int) -> str:
    """Whether the card that lay at a slot after `number` actions lies there now: ``yes``, ``no`` or ``unknown``."""
    held = referee.state.table.at(place)
    if state_after(referee, number).table.at(place) != held:
        return "no"
    if not referee.deal_known and not referee.turns:
        return "unknown"
    trusted = [trust for trust in referee.trusted if trust.place == place]
    doubted = referee.was_blind or any(trust.anew for trust in trusted)
    if held is None or doubted or not referee.sight.watched[place.seat]:
        return "unknown"
    if trusted and place not in picture.out:
        return "yes"
    return _lies_there(referee, picture, place, held)


def _lies_there(referee: AnyReferee, picture: Picture, place: Place, held: Held) -> str:
    if place in picture.out or place in picture.busy:
        return "unknown"
    seen = picture.change.mats[place.seat][place.number - 1]
    if seen is Mark.EMPTY or seen is Mark.FOREIGN:
        return "no"
    if isinstance(seen, Card):
        if seen == held:
            return "yes"
        # A card that nobody could read may be this one, unless this one is known to lie elsewhere.  That people say so is not
        # enough: whoever names cards at random would learn from a "no" who holds them.
        elsewhere = referee.state.table.find(seen) is not None and seen not in referee.named
        return "no" if isinstance(held, Card) or elsewhere else "unknown"
    return "yes" if place in picture.change.untouched else "unknown"


def locks_after(referee: AnyReferee, number: int) -> tuple[LockAnswer, ...]:
    """The steal-back locks after `number` actions, and whether they bind even now."""
    state, now = state_after(referee, number), referee.state
    return tuple(
        LockAnswer(lock, state.turn + lock.turns_left, now.phase != "over" and now.turn < state.turn + lock.turns_left)
        for lock in referee.game.public(state).locks
    )


def steal_answer(referee: AnyReferee, number: int) -> str:
    """Whether the action was a steal that the rules allowed (``allowed``) or a lock forbade (``locked``); empty for others."""
    if number == 0:
        return ""
    turn = referee.turns[number - 1]
    if move_view(referee.game, turn.action).victim is None:
        return ""
    return "locked" if referee.game.judge(turn.before, turn.action).error == "steal_back_locked" else "allowed"


def order_kept(referee: AnyReferee) -> bool:
    """Whether every action that stands was taken by the seat whose turn it was."""
    own = (turn for turn in referee.turns if turn.action.seat is not None and not isinstance(turn.action, Seating))
    return all(referee.game.opened(turn.before).current == turn.action.seat for turn in own)


def settle_dispute(referee: AnyReferee, picture: Picture, number: int, place: Place | None = None) -> Dispute:
    """All answers about the table after `number` actions, and about the slot `place`."""
    if place is not None and (place.area is not Area.SLOT or place not in referee.game.places(len(referee.sight.watched))):
        raise DeclarationError(f"{place} is no slot of this table", "no_place")
    state, game = state_after(referee, number), referee.game
    then, now = game.public(state), game.public(referee.state)
    mishaps = incidents(referee)
    dispute = Dispute(
        number=number,
        last=len(referee.turns),
        line=timeline(referee)[number - 1] if number else None,
        current=game.opened(state).current,
        current_now=game.opened(referee.state).current,
        steal=steal_answer(referee, number),
        locks=locks_after(referee, number),
        order_kept=order_kept(referee),
        out_of_turn=tuple(each for each in mishaps if each.error in OUT_OF_TURN),
        did_not_stand=mishaps,
        amendments=amendments(referee),
        discards=then.discards,
        discards_now=now.discards,
        end_discards=now.end_discards,
    )
    return dispute if place is None else _with_slot(dispute, referee, picture, place, mishaps)


def _with_slot(
    dispute: Dispute, referee: AnyReferee, picture: Picture, place: Place, mishaps: tuple[Incident, ...]
) -> Dispute:
    pair = (place.seat, place.number)
    handled = place in picture.change.returned or place in picture.out or place in picture.busy
    return replace(
        dispute,
        place=pair,
        touched=touches(referee, place),
        incidents=tuple(each for each in mishaps if pair in each.places),
        handled=handled and referee.sight.watched[place.seat],
        same=same_card(referee, picture, place, dispute.number),
    )
