"""What the next hand of a session begins with: stacks, who deals, a pot that nobody has won."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from companion.games.poker_chips import before, bought, spread
from companion.games.poker_options import DrawOptions, StudOptions, chips_text, log_of, log_text
from companion.games.poker_session import ending, settled
from companion.games.poker_state import PokerState, clockwise

LOG_EVERY = 5
"""After every so many hands everybody's chips are noted down."""
NOBODY_WON = ("redeal", "no_openers")
O = TypeVar("O", bound=DrawOptions | StudOptions)  # noqa: E741


def next_hand(state: PokerState, options: O) -> O:
    """The options of the next hand.  One that ends without a result is void: antes and bets go back."""
    result = ending(state)
    if result is None:
        return replace(options, stacks=chips_text(before(state)), bought=chips_text(bought(state)))
    stacks = result.stacks
    over = sum(chips > 0 for chips in stacks) < 2
    if result.reason in NOBODY_WON and not result.winners and not over:
        return _dealt_again(state, options, stacks)
    log: tuple[tuple[int, tuple[int, ...]], ...] = log_of(options.log)
    if options.hand % LOG_EVERY == 0:
        log = (*log, (options.hand, stacks))
    hand, text = options.hand + 1, log_text(log)
    if over:
        # Somebody has all the chips: they are dealt out anew.
        stacks, hand, text = bought(state), 1, ""
    following: Any = {
        "stacks": chips_text(stacks), "bought": chips_text(bought(state)), "carry_pot": 0, "hand": hand, "log": text,
    }  # fmt: skip
    if isinstance(options, DrawOptions):
        following |= {"claims": ""}
    return replace(options, **following, **_button(state, stacks))


def _dealt_again(state: PokerState, options: O, stacks: tuple[int, ...]) -> O:
    """Nobody has won: the pot stays, and everybody antes again.  Who is all-in already plays on for what he has put in."""
    moves = getattr(options, "redeal_dealer", "same") == "next"
    following: Any = {"stacks": chips_text(stacks), "bought": chips_text(bought(state)), "carry_pot": settled(state).pot}
    if isinstance(options, DrawOptions):
        # Where nobody is, all are level.
        short = state.hand.phase == "redeal" and any(not stacks[seat] for seat in state.order)
        following |= {"claims": chips_text(spread(state, state.hand.put_ever)) if short else ""}
    if moves:
        return replace(options, **following, **_button(state, stacks))
    return replace(options, **following, dealer=_last_dealer(state))


def _last_dealer(state: PokerState) -> int:
    return state.order[-1] if state.options.dealer is None else state.options.dealer


def _button(state: PokerState, stacks: tuple[int, ...]) -> dict[str, Any]:
    """The options that say who deals next."""
    options = state.options
    if options.button == "dead" and isinstance(options, DrawOptions) and options.big_blind:
        return _dead_button(state, options, stacks)
    return {"dealer": _dealer(state, stacks)}


def _dealer(state: PokerState, stacks: tuple[int, ...]) -> int:
    """Who deals next: the next on the left who has chips, or by house rule the next seat that was in, whoever is out now."""
    following = clockwise(_last_dealer(state), state.seats)
    if state.options.button == "dead":
        return next(seat for seat in following if seat in state.order)
    dealer = next(seat for seat in following if stacks[seat])
    blinds = bool(getattr(state.options, "big_blind", 0))
    if blinds and _big_blind(state, dealer, stacks) == _paid_big_blind(state):
        # Nobody pays the big blind twice running; that can only happen when two are left.
        dealer = next(seat for seat in clockwise(dealer, state.seats) if stacks[seat])
    return dealer


def _dead_button(state: PokerState, options: DrawOptions, stacks: tuple[int, ...]) -> dict[str, Any]:
    """The big blind moves on to the next player; the small one comes to where the big one was, and the deal to where the small
    one was, whether anybody sits there still or not.  Between two the dealer has the small blind."""
    paid = _paid_big_blind(state)
    big = next(seat for seat in clockwise(paid, state.seats) if stacks[seat])
    if sum(chips > 0 for chips in stacks) == 2:
        return {"dealer": next(seat for seat in clockwise(big, state.seats) if stacks[seat]), "dead_small": None}
    small = options.dead_small
    if small is None:
        small = _last_dealer(state) if len(state.order) == 2 else state.order[0]
    return {"dealer": small, "dead_small": None if stacks[paid] else paid}


def _big_blind(state: PokerState, dealer: int, stacks: tuple[int, ...]) -> int:
    """Who pays the big blind if `dealer` deals."""
    order = [seat for seat in clockwise(dealer, state.seats) if stacks[seat]]
    return order[0] if len(order) == 2 else order[1]


def _paid_big_blind(state: PokerState) -> int:
    return state.order[state.hand.big_blind]
