"""What is legal at a table of draw or stud, and what a seat may declare there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from companion.games.base import Choice
from companion.games.betting import Betting
from companion.games.poker_acts import Announce, BringIn, Call, Check, Declare, Discard, Fold, Sort, Split, Wager
from companion.games.poker_rules import SIDES, refusal
from companion.games.poker_state import PokerState
from companion.rulings import Action
from companion.table import SLOTS

ACTIONS = (Check, Fold, Call, BringIn, Wager, Announce, Discard, Declare, Sort, Split)
"""Everything that is done at a table."""
FOUR = 4


def fault(state: PokerState, action: Action) -> str:
    """The kind of the first error of an action; empty where it is legal."""
    if state.phase == "over" and not isinstance(action, Sort):
        return "hand_over"
    if not isinstance(action, ACTIONS):
        return "bad_action"
    seat = action.seat
    if seat is None or not 0 <= seat < state.seats:
        return "bad_seat"
    if isinstance(action, Sort):
        return _sort_fault(state, action)
    if isinstance(action, Announce):
        return _announce_fault(state, action)
    if isinstance(action, Discard):
        return _discard_fault(state, action)
    if isinstance(action, Split):
        return _turn_fault(state, seat) or ("" if may_split(state, seat) else "bad_action")
    if state.place_of(seat) is None or (isinstance(action, Declare) and state.acting not in (None, seat)):
        return "not_your_turn"
    return refusal(state.hand, state.inner(action))


def _sort_fault(state: PokerState, action: Sort) -> str:
    place = state.place_of(action.seat if action.seat is not None else -1)
    if place is None or not state.hand.live[place] or sorted(action.perm) != list(SLOTS):
        return "bad_permutation"
    # Open cards tell the order in which they were dealt.
    return "bad_action" if any(one.up for one in state.hand.hands[place]) or len(state.hand.hands[place]) < len(SLOTS) else ""


def _turn_fault(state: PokerState, seat: int | None) -> str:
    if state.hand.phase != "draw":
        return "draw_not_open"
    return "" if seat == state.acting else "drew_out_of_turn"


def _announce_fault(state: PokerState, action: Announce) -> str:
    wrong = _turn_fault(state, action.seat)
    if wrong:
        return wrong
    if state.announced is not None:
        # Who holds no ace after all announces fewer instead; whether he holds one is told to nobody before the exchange.
        fewer = state.announced > state.hand.terms.draw_max >= action.count >= 0
        return "" if fewer else "bad_action"
    return "" if 0 <= action.count <= most_exchanged(state) else "too_many_discards"


def _discard_fault(state: PokerState, action: Discard) -> str:
    if list(action.slots) != sorted(set(action.slots)) or not set(action.slots) <= set(SLOTS):
        return "bad_slot"
    wrong = _turn_fault(state, action.seat) or refusal(state.hand, state.inner(action))
    if wrong:
        return wrong
    return "wrong_count" if state.announced not in (None, len(action.slots)) else ""


def may_split(state: PokerState, seat: int) -> bool:
    """Whether the seat may say that it throws away cards that it opened with: nobody has read them, and it has not said so."""
    opener = state.opener
    return opener is not None and state.order[opener.place] == seat and not opener.split


def most_exchanged(state: PokerState) -> int:
    """How many cards may be exchanged at most, whatever is held."""
    terms = state.hand.terms
    return max(terms.draw_max, FOUR) if terms.draw_four_with_ace else terms.draw_max


def actors(state: PokerState) -> tuple[int, ...]:
    """The seats that may act now, in their order from the dealer's left."""
    if state.acting is not None:
        return (state.acting,)
    if state.hand.phase != "declare":
        return ()
    hand = state.hand
    return tuple(seat for place, seat in enumerate(state.order) if hand.live[place] and not hand.declared[place])


def legal_actions(state: PokerState) -> Iterator[Action]:
    """Every legal action but that of sorting one's own cards; of wagers the least and the greatest."""
    for seat in actors(state):
        tried: list[Action] = []
        for choice in _everything(state, seat):
            tried.append(choice.action)
            if choice.most and isinstance(choice.action, Wager):
                tried.append(Wager(seat, choice.most, choice.action.kind))
        yield from (action for action in dict.fromkeys(tried) if not fault(state, action))


def choices(state: PokerState, seat: int, watched: bool) -> Iterator[Choice]:
    """What `seat` may declare.  Nothing in it depends on a hidden card: openers and aces are looked at when it is declared."""
    if seat not in actors(state):
        return
    for choice in _everything(state, seat):
        action = choice.action
        told = isinstance(action, Announce)
        barred = isinstance(action, Announce) and bool(_announce_fault(state, action))
        seen = isinstance(action, Discard) and bool(action.slots)
        counted = isinstance(action, Discard) and state.announced not in (None, len(action.slots))
        if not counted and not (seen if watched else told) and not barred:
            yield choice


def _everything(state: PokerState, seat: int) -> Iterator[Choice]:
    phase = state.hand.phase
    if phase == "draw":
        yield Choice(Discard(seat))
        if may_split(state, seat):
            yield Choice(Split(seat))
        for count in range(1, most_exchanged(state) + 1):
            yield Choice(Announce(seat, count))
        for count in range(1, most_exchanged(state) + 1):
            yield from (Choice(Discard(seat, slots)) for slots in combinations(SLOTS, count))
    elif phase == "declare":
        yield from (Choice(Declare(seat, side), kind=f"declare_{side}") for side in SIDES)
    elif phase == "bet" and state.hand.betting is not None:
        yield from _bets(seat, state.hand.betting)


def _bets(seat: int, betting: Betting) -> Iterator[Choice]:
    may = betting.may()
    stack = betting.stacks[may.seat]
    if may.check:
        yield Choice(Check(seat))
    if may.call:
        yield Choice(Call(seat), may.call, all_in=may.call == stack)
    if may.bring_in:
        yield Choice(BringIn(seat), may.bring_in, all_in=may.bring_in == stack)
    whole = betting.bets[may.seat] + stack
    for least, most in may.totals:
        if least < most:
            yield Choice(Wager(seat, least, may.wager), least, most, marks=_marks(betting, least, most, whole))
        if least == most or most == whole:
            yield Choice(Wager(seat, most, may.wager), most, all_in=most == whole)
    if may.fold:
        yield Choice(Fold(seat))


def _marks(betting: Betting, least: int, most: int, whole: int) -> tuple[tuple[str, int], ...]:
    """The amounts between two bounds that players call by name; each amount once."""
    pot = betting.pot_to_raise
    named = (("least", least), ("half", betting.high + pot // 2), ("pot", betting.high + pot), ("all_in", whole))
    found = {amount: name for name, amount in reversed(named) if least <= amount <= most}
    return tuple((found[amount], amount) for amount in sorted(found))
