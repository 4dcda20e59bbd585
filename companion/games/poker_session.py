"""A session of draw or stud: what everybody may know of the chips, how a hand ends, and what the next one begins with."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from companion.cards import Card
from companion.games.base import Result
from companion.games.chips import pots_by_level
from companion.games.hands import order_hands, soko_value
from companion.games.poker_options import DrawOptions, StudOptions, chips_of, chips_text, log_of, log_text
from companion.games.poker_state import PokerState, clockwise
from companion.games.showdown import Payout, payout, strength
from companion.table import SLOTS
from companion.views import ChipsView, PotView

LOG_EVERY = 5
"""After every so many hands everybody's chips are noted down."""
O = TypeVar("O", bound=DrawOptions | StudOptions)  # noqa: E741


def before(state: PokerState) -> tuple[int, ...]:
    """Chips per seat before this hand."""
    return chips_of(state.options.stacks) or (state.options.stack,) * state.seats


def bought(state: PokerState) -> tuple[int, ...]:
    """Chips per seat that the session began with."""
    return chips_of(state.options.bought) or before(state)


def spread(state: PokerState, chips: tuple[int, ...], others: tuple[int, ...] | None = None) -> tuple[int, ...]:
    """Chips per seat of the hand as chips per seat of the table."""
    found = list(others if others is not None else (0,) * state.seats)
    for place, seat in enumerate(state.order):
        found[seat] = chips[place]
    return tuple(found)


def chips_view(state: PokerState) -> ChipsView:
    """The chips as everybody may know them; what a showdown pays is not among them before its result."""
    hand, options = state.hand, state.options
    over = hand.phase in ("over", "redeal")
    betting = hand.betting if hand.phase == "bet" else None
    bets = (0,) * hand.seats if betting is None else betting.bets
    put = tuple(all_of_it - bet for all_of_it, bet in zip(hand.put, bets, strict=True))
    pots = tuple(
        PotView(pot.amount, tuple(sorted(state.order[place] for place in pot.eligible)))
        for pot in pots_by_level(put, hand.live, options.carry_pot) if pot.amount
    )  # fmt: skip
    declared = spread_text(state, hand.declared) if over and hand.terms.declare else ()
    began, now = bought(state), before(state)
    seats = state.order
    shows = next(iter(hand.show_order()), None) if hand.phase == "over" else None
    return ChipsView(
        spread(state, hand.stacks), spread(state, bets), pots, seats[-1] if options.dealer is None else options.dealer,
        hand.street + 1, len(hand.terms.streets), hand.phase == "draw",
        tuple(sorted(seats[place] for place in range(hand.seats) if not hand.live[place])),
        tuple(sorted(seats[place] for place in range(hand.seats) if hand.live[place] and not hand.stacks[place])),
        tuple(seat for seat in range(state.seats) if seat not in seats),
        declared, None if shows is None else seats[shows], options.hand,
        tuple(chips - first for chips, first in zip(now, began, strict=True)), log_of(options.log),
    )  # fmt: skip


def spread_text(state: PokerState, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Texts per seat of the hand as texts per seat of the table."""
    found = [""] * state.seats
    for place, seat in enumerate(state.order):
        found[seat] = texts[place]
    return tuple(found)


def showing(state: PokerState) -> tuple[int, ...]:
    """The seats that have to show after the end, in their turn; none where all others have folded or nobody has opened."""
    return tuple(state.order[place] for place in state.hand.show_order()) if state.hand.phase == "over" else ()


def ending(state: PokerState) -> Result | None:
    """How the hand has ended; None while it goes on, or where a card that decides is not known."""
    hand = state.hand
    if hand.phase == "redeal":
        nothing = ("",) * state.seats
        return Result(state.order, (), nothing, "redeal", (0,) * state.seats, spread(state, hand.stacks))
    if hand.phase != "over":
        return None
    shown = showing(state)
    if any(not isinstance(card, Card) for seat in shown for card in _held(state, seat)):
        return None
    paid = payout(hand)
    return Result(
        _order(state, paid), _winners(state, paid), _categories(state), _reason(state, paid), spread(state, paid.won),
        spread(state, paid.stacks),
    )  # fmt: skip


def _held(state: PokerState, seat: int) -> tuple[object, ...]:
    return tuple(state.table.hands[seat])


def _winners(state: PokerState, paid: Payout) -> tuple[int, ...]:
    """Who has won something from somebody: chips that nobody matched only come back."""
    contested = [award for award in paid.awards if len(award.eligible) > 1]
    places = {place for award in contested for place in award.winners}
    if not places:
        places = {place for place, chips in enumerate(paid.won) if chips}
    return tuple(state.order[place] for place in sorted(places))


def _order(state: PokerState, paid: Payout) -> tuple[int, ...]:
    """The seats: who has won most first, then who has shown, by their hands, then the others."""

    def key(place: int) -> tuple[object, ...]:
        return (-paid.won[place], place not in paid.show_order, place)

    places = sorted(range(state.hand.seats), key=key)
    out = tuple(seat for seat in range(state.seats) if seat not in state.order)
    return (*(state.order[place] for place in places), *out)


def _categories(state: PokerState) -> tuple[str, ...]:
    """Per seat the kind of its hand, where that was shown."""
    found = [""] * state.seats
    for seat in showing(state):
        cards = [card for card in state.table.hands[seat] if isinstance(card, Card)]
        if state.options.eval == "soko":
            found[seat] = soko_value(cards).category.title
        else:
            found[seat] = order_hands([cards], "share").categories[0]
    return tuple(found)


def _reason(state: PokerState, paid: Payout) -> str:
    if not paid.show_order:
        return "folded"
    ranking = "high" if state.options.eval == "hilo" else state.options.eval
    best = sorted((strength(_cards(state, place), ranking) for place in paid.show_order), reverse=True)
    if best[0] == best[1]:
        return "tie"
    return "category" if best[0][0] != best[1][0] else "rank"


def _cards(state: PokerState, place: int) -> tuple[Card, ...]:
    return tuple(card for card in state.hand.cards(place) if isinstance(card, Card))


# ---- the next hand ------------------------------------------------------------------------------------------------


def next_hand(state: PokerState, options: O) -> O:
    """The options of the next hand.  One that ends without a result is void: antes and bets go back."""
    result = ending(state)
    if result is not None and result.reason == "redeal":
        return _dealt_again(state, options, result.stacks)
    stacks = before(state) if result is None else result.stacks
    if result is None:
        return replace(options, stacks=chips_text(stacks), bought=chips_text(bought(state)))
    log: tuple[tuple[int, tuple[int, ...]], ...] = log_of(options.log)
    if options.hand % LOG_EVERY == 0:
        log = (*log, (options.hand, stacks))
    if sum(chips > 0 for chips in stacks) < 2:
        # Somebody has all the chips: they are dealt out anew.
        return replace(
            options, stacks=chips_text(bought(state)), bought=chips_text(bought(state)), dealer=_dealer(state, bought(state)),
            carry_pot=0, hand=1, log="",
        )  # fmt: skip
    return replace(
        options, stacks=chips_text(stacks), bought=chips_text(bought(state)), dealer=_dealer(state, stacks), carry_pot=0,
        hand=options.hand + 1, log=log_text(log),
    )  # fmt: skip


def _dealt_again(state: PokerState, options: O, stacks: tuple[int, ...]) -> O:
    """Nobody has opened: the pot stays, and everybody antes again."""
    if sum(chips > 0 for chips in stacks) < 2:
        return replace(options, stacks=chips_text(before(state)), bought=chips_text(bought(state)))
    moves = getattr(options, "redeal_dealer", "same") == "next"
    dealer = _dealer(state, stacks) if moves else state.order[-1] if options.dealer is None else options.dealer
    return replace(
        options, stacks=chips_text(stacks), bought=chips_text(bought(state)), dealer=dealer, carry_pot=state.hand.pot,
    )  # fmt: skip


def _dealer(state: PokerState, stacks: tuple[int, ...]) -> int:
    """Who deals next: the next on the left who has chips, or by house rule the next seat that was in, whoever is out now."""
    last = state.order[-1] if state.options.dealer is None else state.options.dealer
    following = clockwise(last, state.seats)
    if state.options.button == "dead":
        return next(seat for seat in following if seat in state.order)
    dealer = next(seat for seat in following if stacks[seat])
    blinds = bool(getattr(state.options, "big_blind", 0))
    if blinds and _big_blind(state, dealer, stacks) == _paid_big_blind(state):
        # Nobody pays the big blind twice running; that can only happen when two are left.
        dealer = next(seat for seat in clockwise(dealer, state.seats) if stacks[seat])
    return dealer


def _big_blind(state: PokerState, dealer: int, stacks: tuple[int, ...]) -> int | None:
    """Who pays the big blind if `dealer` deals."""
    if not getattr(state.options, "big_blind", 0):
        return None
    order = [seat for seat in clockwise(dealer, state.seats) if stacks[seat]]
    return order[0] if len(order) == 2 else order[1]


def _paid_big_blind(state: PokerState) -> int:
    return state.order[0] if len(state.order) == 2 else state.order[1]


def slots_shown(state: PokerState) -> frozenset[tuple[int, int]]:
    """Seats and slots whose cards lie face up."""
    hand = state.hand
    return frozenset(
        (state.order[place], number)
        for place in range(hand.seats) if hand.live[place]
        for number, one in zip(SLOTS, hand.hands[place], strict=False) if one.up
    ) | frozenset(state.aces)  # fmt: skip
