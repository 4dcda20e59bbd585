"""How a hand of draw or stud ends at its table: who has to show, who has won, and why."""

from __future__ import annotations

from dataclasses import replace

from companion.cards import Card
from companion.games.base import Result
from companion.games.hands import order_hands, soko_value
from companion.games.poker_chips import spread
from companion.games.poker_hand import PokerHand
from companion.games.poker_state import PokerState
from companion.games.showdown import Payout, payout, strength
from companion.table import SLOTS


def showing(state: PokerState) -> tuple[int, ...]:
    """The seats that have to show after the end, in their turn; none where all others have folded or nobody has opened.

    Whoever owes the proof of his openers shows them even then; once they are seen he need not show the rest.
    """
    if state.hand.phase != "over":
        return ()
    owes = unproved(state)
    alone = () if owes is None else (owes,)
    return tuple(state.order[place] for place in tuple(state.hand.show_order()) or alone)


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
    foul = unproved(state)
    if foul is not None:
        # A hand that was opened without openers cannot win.
        hand = settled(state)
        hand = replace(hand, live=tuple(live and place != foul for place, live in enumerate(hand.live)))
        if not any(hand.live):
            return Result(
                state.order, (), _categories(state), "no_openers", (0,) * state.seats, spread(state, hand.stacks)
            )  # fmt: skip
    paid = payout(hand)
    reason = _reason(state, paid) if foul is None else "no_openers"
    return Result(
        _order(state, paid), _winners(state, paid), _categories(state), reason, spread(state, paid.won),
        spread(state, paid.stacks),
    )  # fmt: skip


def unproved(state: PokerState) -> int | None:
    """The place of whoever is still in after the end, has opened, and has not shown openers; None where nobody is."""
    opener = state.opener
    if opener is None or opener.proved or state.hand.phase != "over" or not state.hand.live[opener.place]:
        return None
    return opener.place


def settled(state: PokerState) -> PokerHand:
    """The hand with what nobody has matched given back to whoever cannot win it."""
    hand, place = state.hand, unproved(state)
    if place is None:
        return hand
    others = max(put for other, put in enumerate(hand.put_ever) if other != place)
    back = min(hand.put[place], max(0, hand.put_ever[place] - others))
    put, stacks = list(hand.put), list(hand.stacks)
    put[place] -= back
    stacks[place] += back
    return replace(hand, put=tuple(put), stacks=tuple(stacks))


def _held(state: PokerState, seat: int) -> tuple[object, ...]:
    return tuple(state.table.hands[seat])


def _winners(state: PokerState, paid: Payout) -> tuple[int, ...]:
    """Who has won something from somebody: chips that nobody matched only come back."""
    contested = [award for award in paid.awards if not award.back]
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


def slots_shown(state: PokerState) -> frozenset[tuple[int, int]]:
    """Seats and slots whose cards lie face up."""
    hand = state.hand
    return frozenset(
        (state.order[place], number)
        for place in range(hand.seats) if hand.live[place]
        for number, one in zip(SLOTS, hand.hands[place], strict=False) if one.up
    ) | frozenset(state.aces)  # fmt: skip
