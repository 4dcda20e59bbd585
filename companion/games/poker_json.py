"""Judging the record of a betting hand again: JSON values in, JSON values out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.cards import Card
from companion.errors import RecordError
from companion.games.poker_acts import BringIn, Call, Check, Declare, Exchange, Fold, Wager
from companion.games.poker_hand import PokerHand
from companion.games.poker_rules import SIDES, after, most_discards, refusal
from companion.games.poker_terms import parse_terms
from companion.games.showdown import Payout, payout
from companion.rulings import Action

Answer = dict[str, Any]
WAGERS = ("bet", "raise", "complete")
FORCED = ("ante", "blind", "end_of_round", "reshuffle")
"""Events that nobody decides: they only have to be what the terms make of them."""


def judge_hand(part: Mapping[str, Any]) -> Answer:
    """What a hand of the record comes to: ``result`` and ``turns``, or the first event that is illegal.

    Raise `RecordError` where the record is malformed, `OptionError` for terms that there are not.
    """
    config = part.get("config")
    if not isinstance(config, Mapping):
        raise RecordError(f"'config' has to be an object; found {config!r}")
    hand = PokerHand.begun(parse_terms(config), _stacks(part.get("stacks")), _cards(part.get("deck"), "deck"))
    events = part.get("events")
    if not isinstance(events, list):
        raise RecordError(f"'events' has to be a list; found {events!r}")
    turns: list[Answer] = []
    begun = hand
    for number, event in enumerate(events):
        kind = _kind(event)
        if kind in FORCED:
            error = _refused_fact(begun, hand, kind, event[1:])
        else:
            turns.append(offered(hand))
            action = _action(kind, event)
            error = refusal(hand, action) or _misnamed(hand, kind, action, event)
            hand = hand if error else after(hand, action)
        if error:
            return {"error": error, "event": number, "turns": turns}
    return {"result": _result(_declared(hand, part.get("declared"))), "turns": turns}


def offered(hand: PokerHand) -> Answer:
    """Who may act, and what is legal: ``call`` and ``bring_in`` in chips to add, wagers as ranges of totals of the round."""
    may: Answer = {}
    if hand.phase == "draw":
        may["draw"] = 4 if hand.terms.draw_four_with_ace and _keeps_ace(hand) else most_discards(hand)
    elif hand.phase == "declare":
        may["declare"] = list(SIDES)
    elif hand.phase == "bet" and hand.betting is not None:
        found = hand.betting.may()
        may = {"fold": True} if found.fold else {}
        may |= {"check": True} if found.check else {}
        may |= {"call": found.call} if found.call else {}
        may |= {"bring_in": found.bring_in} if found.bring_in else {}
        if found.wager:
            may[found.wager] = [list(pair) for pair in found.totals if not refusal(hand, Wager(found.seat, pair[0]))]
        may = {kind: value for kind, value in may.items() if value}
    return {"seat": hand.current, "may": may}


def _keeps_ace(hand: PokerHand) -> bool:
    held = hand.cards(hand.drawer or 0)
    return any(most_discards(hand, tuple(card for card in held if card != kept)) == 4 for kept in held)


def _kind(event: Any) -> str:
    if not isinstance(event, list) or not event or not isinstance(event[0], str):
        raise RecordError(f"an event has to be a list like ['bet', 0, 5]; found {event!r}")
    return event[0]


def _refused_fact(begun: PokerHand, hand: PokerHand, kind: str, told: list[Any]) -> str:
    """Whether an event that nobody decides is what the terms make of it; ``bad_action`` where it is not."""
    if kind in ("ante", "blind"):
        if len(told) != 2 or type(told[0]) is not int or not 0 <= told[0] < begun.seats:
            return "bad_action"
        bets = begun.betting.bets if begun.betting is not None else (0,) * begun.seats
        blind = bets[told[0]] if begun.terms.blinds is not None else 0
        paid = blind if kind == "blind" else min(begun.terms.ante, begun.put[told[0]] + begun.stacks[told[0]])
        return "" if told[1] == paid else "bad_action"
    if kind == "reshuffle":
        return "" if told and type(told[0]) is int else "bad_action"
    return "" if len(told) == 2 and told[1] == hand.pot else "bad_action"


def _action(kind: str, event: list[Any]) -> Action:
    seat = event[1] if len(event) > 1 else None
    if type(seat) is not int:
        raise RecordError(f"an event names its seat by a number, like ['bet', 0, 5]; found {event!r}")
    plain: Mapping[str, Callable[[int], Action]] = {"check": Check, "fold": Fold, "call": Call, "bring_in": BringIn}
    if kind in plain:
        return plain[kind](seat)
    if kind in WAGERS:
        return Wager(seat, _amount(event))
    if kind == "draw":
        thrown = _cards(event[2] if len(event) > 2 else None, "draw")
        return Exchange(seat, thrown, _cards(event[3], "draw") if len(event) > 3 else None)
    if kind == "declare":
        return Declare(seat, event[2] if len(event) > 2 and isinstance(event[2], str) else "")
    raise RecordError(f"no event is called {kind!r}: expected one of {', '.join((*plain, *WAGERS, 'draw', 'declare', *FORCED))}")


def _misnamed(hand: PokerHand, kind: str, action: Action, event: list[Any]) -> str:
    """What is wrong with the amount of a call or a bring-in that is written down."""
    if kind not in ("call", "bring_in") or len(event) < 3 or hand.betting is None:
        return ""
    may = hand.betting.may()
    asked, told = may.call if kind == "call" else may.bring_in, _amount(event)
    return "" if told == asked else "bet_too_small" if told < asked else "bet_too_large"


def _amount(event: list[Any]) -> int:
    value = event[2] if len(event) > 2 else None
    if type(value) is not int:
        raise RecordError(f"{event[0]!r} takes a whole number of chips; found {value!r}")
    return value


def _stacks(given: Any) -> tuple[int, ...]:
    if not isinstance(given, list) or not given or not all(type(each) is int for each in given):
        raise RecordError(f"'stacks' has to be a list of whole numbers of chips; found {given!r}")
    return tuple(given)


def _cards(texts: Any, name: str) -> tuple[Card, ...]:
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise RecordError(f"{name!r} has to list cards such as Td; found {texts!r}")
    cards = tuple(Card.parse(text) for text in texts)
    twice = next((card for card in cards if cards.count(card) > 1), None)
    if twice is not None:
        raise RecordError(f"the card {twice} comes twice in {name!r}")
    return cards


def _declared(hand: PokerHand, given: Any) -> PokerHand:
    """The hand after what everybody still in has declared at once."""
    if hand.phase != "declare" or given is None:
        return hand
    if not isinstance(given, Mapping):
        raise RecordError(f"'declared' has to say high or low for each seat, like {{'0': 'high'}}; found {given!r}")
    for seat in range(hand.seats):
        if hand.live[seat] and not hand.declared[seat]:
            side = given.get(str(seat))
            if side not in SIDES:
                raise RecordError(f"'declared' has to say high or low for seat {seat}; found {side!r}")
            hand = after(hand, Declare(seat, side))
    return hand


def _result(hand: PokerHand) -> Answer | None:
    """The end of the hand; None where it is not over."""
    if hand.phase == "redeal":
        return {"redeal": True, "carry_pot": hand.pot, "stacks": list(hand.stacks)}
    if hand.phase != "over":
        return None
    return _told(payout(hand))


def _told(end: Payout) -> Answer:
    return {
        "pots": [{"amount": pot.amount, "eligible": list(pot.eligible)} for pot in end.pots],
        "awards": [
            {
                "amount": award.amount, "eligible": list(award.eligible), "winners": list(award.winners),
                "paid": {str(seat): chips for seat, chips in zip(award.winners, award.paid, strict=True)},
            }
            for award in end.awards
        ],
        "won": list(end.won),
        "stacks": list(end.stacks),
        "show_order": list(end.show_order),
    }  # fmt: skip
