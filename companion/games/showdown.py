"""Who wins which pot of a hand of draw or stud, and how many chips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.cards import Card
from companion.errors import HandError
from companion.games.chips import Award, Pot, pots_by_level, shares
from companion.games.hands import LOW, soko_value, value_of
from companion.games.poker_hand import PokerHand

Key = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Payout:
    """The end of a hand."""

    pots: tuple[Pot, ...]
    awards: tuple[Award, ...]
    """Who was shown to be the best; nothing where all others had folded."""
    won: tuple[int, ...]
    """Chips per seat out of the middle."""
    stacks: tuple[int, ...]
    """Chips per seat afterwards."""
    show_order: tuple[int, ...]


def payout(hand: PokerHand) -> Payout:
    """The end of a hand that is over; raise `HandError` where a card that decides is not known."""
    if hand.phase != "over":
        raise HandError(f"the hand is not over: its phase is {hand.phase!r}")
    if sum(hand.live) == 1:
        winner = hand.live.index(True)
        return _paid(hand, (Pot(hand.pot, (winner,)),), (), {winner: hand.pot})
    pots = pots_by_level(hand.put_ever, hand.live, hand.terms.ownerless)
    awards = tuple(award for pot in pots for award in _awards(hand, pot))
    won: dict[int, int] = {}
    for award in awards:
        for seat, chips in zip(award.winners, award.paid, strict=True):
            won[seat] = won.get(seat, 0) + chips
    return _paid(hand, pots, awards, won)


def _paid(hand: PokerHand, pots: tuple[Pot, ...], awards: tuple[Award, ...], won: Mapping[int, int]) -> Payout:
    chips = tuple(won.get(seat, 0) for seat in range(hand.seats))
    stacks = tuple(stack + each for stack, each in zip(hand.stacks, chips, strict=True))
    return Payout(pots, awards, chips, stacks, tuple(hand.show_order()))


def _awards(hand: PokerHand, pot: Pot) -> tuple[Award, ...]:
    terms = hand.terms
    if len(pot.eligible) == 1:
        (seat,) = pot.eligible
        others = max(put for other, put in enumerate(hand.put_ever) if other != seat)
        # Beyond what anybody has put in, those who have folded included, nothing can be won.
        back = pot.amount <= hand.put_ever[seat] - others
        return (Award(pot.amount, pot.eligible, pot.eligible, (pot.amount,), back),)
    if terms.eval != "hilo":
        return (_award(hand, pot.amount, pot.eligible, terms.eval),)
    sides = {"high": pot.eligible, "low": pot.eligible}
    if terms.declare:
        sides = {side: tuple(seat for seat in pot.eligible if hand.declared[seat] == side) for side in sides}
    if not all(sides.values()):
        # Only one half is sought: it takes all.
        side = "high" if sides["high"] else "low"
        return (_award(hand, pot.amount, sides[side], terms.low_eval if side == "low" else "high"),)
    low = pot.amount // 2
    parts = (_award(hand, pot.amount - low, sides["high"], "high"), _award(hand, low, sides["low"], terms.low_eval))
    return tuple(part for part in parts if part.amount)


def _award(hand: PokerHand, amount: int, eligible: Sequence[int], ranking: str) -> Award:
    keys = {seat: strength(_known(hand, seat), ranking) for seat in eligible}
    best = max(keys.values())
    winners = tuple(seat for seat in eligible if keys[seat] == best)
    return Award(amount, tuple(eligible), winners, shares(amount, winners, hand.terms.odd_chip))


def strength(cards: Sequence[Card], ranking: str) -> Key:
    """What five cards are worth, the greatest best; suits never count.  `ranking`: ``high``, ``soko``, ``27`` or ``a5``."""
    if ranking in LOW:
        return tuple(-part for part in LOW[ranking](cards))
    return (soko_value if ranking == "soko" else value_of)(cards).strength


def _known(hand: PokerHand, seat: int) -> tuple[Card, ...]:
    cards = hand.cards(seat)
    known = tuple(card for card in cards if isinstance(card, Card))
    if len(known) < len(cards) or len(cards) != 5:
        raise HandError(f"the hand of seat {seat} has to be five known cards; {len(known)} of {len(cards)} are known")
    return known
