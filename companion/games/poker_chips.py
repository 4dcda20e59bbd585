"""The chips of a hand at its table as everybody may know them: stacks, bets, pots, and what the seat in turn may bet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.games.base import Purses
from companion.games.chips import pots_by_level
from companion.games.poker_actions import move_view
from companion.games.poker_judging import choices
from companion.games.poker_options import DrawOptions, StudOptions, chips_of, log_of
from companion.games.poker_state import PokerState, awake
from companion.views import BetView, ChipsView, PotView


def purses(seats: int, options: DrawOptions | StudOptions, ante: int) -> Purses:
    """Where the session stood before a hand under these options."""
    stacks = chips_of(options.stacks) or (options.stack,) * seats
    return Purses(stacks, chips_of(options.bought) or stacks, ante, options.hand, log_of(options.log))


def before(state: PokerState) -> tuple[int, ...]:
    """Chips per seat before this hand."""
    return purses(state.seats, state.options, 0).before


def bought(state: PokerState) -> tuple[int, ...]:
    """Chips per seat that the session began with."""
    return purses(state.seats, state.options, 0).bought


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
    put = tuple(all_of_it - bet for all_of_it, bet in zip(hand.put_ever, bets, strict=True))
    pots = tuple(
        PotView(pot.amount, tuple(sorted(state.order[place] for place in pot.eligible)))
        for pot in pots_by_level(put, hand.live, hand.terms.ownerless) if pot.amount
    )  # fmt: skip
    declared = spread_text(state, hand.declared) if hand.terms.declare and (over or _says_aloud(state)) else ()
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
        tuple(bets_open(state)),
    )  # fmt: skip


def _says_aloud(state: PokerState) -> bool:
    """Whether each declaration is heard before the next one is made."""
    return getattr(state.options, "declare", "") == "clockwise_from_last_bettor"


def bets_open(state: PokerState) -> Iterator[BetView]:
    """What the seat in turn may bet or declare, as soon as the deal is done; nothing where cards are exchanged."""
    ready = state if state.begun else awake(replace(state, begun=True))
    seat = ready.acting
    if seat is None or ready.phase != "play" or ready.hand.phase not in ("bet", "declare"):
        return
    for number, choice in enumerate(choices(ready, seat, False)):
        kind = choice.kind or move_view(choice.action).kind
        yield BetView(number, kind, choice.amount, choice.most, choice.all_in, choice.marks)


def spread_text(state: PokerState, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Texts per seat of the hand as texts per seat of the table."""
    found = [""] * state.seats
    for place, seat in enumerate(state.order):
        found[seat] = texts[place]
    return tuple(found)
