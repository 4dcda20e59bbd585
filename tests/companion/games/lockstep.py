"""PokerKit played beside our engine, move for move: an independent oracle for what it supports.

What it plays otherwise on purpose is set aside by rule: an all-in for less than a full raise (there it uses one up and reopens
otherwise), a bring-in of the last chips called a completion, asking a seat that can only check, a fold where checking is free,
and odd chips, which it counts on pots merged after hopeless hands are gone.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.cards import DECK, Card
from companion.games.betting import Betting, May
from companion.games.poker_acts import BringIn, Call, Check, Exchange, Fold, Wager
from companion.games.poker_hand import PokerHand
from companion.games.poker_rules import after, refusal
from companion.games.poker_terms import Street, Terms
from companion.games.showdown import payout
from companion.rulings import Action

LEFT = (Street(down=5, bet=1, open="left"), Street(draw=True, bet=1, open="left"))
STUD = tuple(replace(Street(up=1, bet=bet, open="high_up"), down=down) for down, bet in ((1, 5), (0, 5), (0, 10), (0, 10)))
RAZZ = tuple(replace(street, open="low_up") for street in STUD)
CASINO = (replace(STUD[0], open="low_card"), *STUD[1:])
DRAW = Terms(game="draw", ante=1, limit="none", streets=LEFT)
CONFIGURATIONS: dict[str, Terms] = {
    "draw without limit": DRAW,
    "draw with fixed limit": replace(DRAW, limit="fixed", streets=(replace(LEFT[0], bet=2), replace(LEFT[1], bet=4))),
    "draw with pot limit": replace(DRAW, limit="pot"),
    "draw with blinds": replace(
        DRAW, ante=0, blinds=(1, 2), streets=(replace(LEFT[0], bet=2, open="blind"), replace(LEFT[1], bet=2))
    ),
    "double draw": replace(DRAW, streets=(*LEFT, LEFT[1]), draw_max=2),
    "deuce to seven": replace(DRAW, eval="27"),
    "ace to five": replace(DRAW, eval="a5", limit="fixed"),
    "stud": Terms(ante=2, streets=STUD),
    "stud with bring-in": Terms(ante=1, bring_in=2, streets=CASINO, burn=True),
    "stud lowball": Terms(ante=2, streets=RAZZ, eval="a5"),
    "stud high-low": Terms(ante=2, streets=STUD, eval="hilo"),
}


@dataclass
class Pair:
    """One hand, in our engine and in PokerKit's."""

    ours: PokerHand
    theirs: Any
    short: bool = False
    """Somebody was all-in for less than a full raise in this round."""
    ever_short: bool = False

    def play(self, rng: random.Random) -> None:
        """The whole hand; AssertionError where the two part."""
        for _ in range(400):
            self._deal()
            if self.ours.phase == "over":
                self._compare_ends()
                return
            if self.ours.phase == "draw":
                self._exchange(rng)
            else:
                self._bet(rng)
        raise AssertionError(f"a hand that does not end: {self.ours}")

    def _deal(self) -> None:
        """Tell PokerKit the cards, and let whoever has nothing to decide there check: our engine does not ask him."""
        street = self.ours.street if self.ours.phase == "bet" else -1
        while self._asks_for_nothing(street):
            self.theirs.check_or_call()
        while self.theirs.can_deal_hole():
            seat = self.theirs.hole_dealee_index
            held = set(map(repr, self.theirs.hole_cards[seat]))
            card = next(each for each in self.ours.cards(seat) if str(each) not in held)
            self.theirs.deal_hole(str(card))

    def _asks_for_nothing(self, street: int) -> bool:
        theirs = self.theirs
        if theirs.actor_index is None or theirs.street_index == street:
            return False
        return bool(theirs.checking_or_calling_amount == 0) and theirs.min_completion_betting_or_raising_to_amount is None

    def _exchange(self, rng: random.Random) -> None:
        seat = self.ours.drawer
        assert seat is not None and self.theirs.stand_patter_or_discarder_index == seat
        thrown = tuple(rng.sample(self.ours.cards(seat), rng.randint(0, self.ours.terms.draw_max)))
        self.theirs.stand_pat_or_discard("".join(map(str, thrown)))
        self.ours = after(self.ours, Exchange(seat, thrown))

    def _bet(self, rng: random.Random) -> None:
        betting = self.ours.betting
        assert betting is not None and self.theirs.actor_index == betting.turn, (self.ours, self.theirs.actor_index)
        assert tuple(self.theirs.stacks) == self.ours.stacks
        may = betting.may()
        self._compare(may)
        action = rng.choice(tuple(self._moves(may, rng)))
        assert not refusal(self.ours, action)
        street = self.ours.street
        if isinstance(action, Wager) and _is_short(betting, action.total):
            self.short = self.ever_short = True
        self._tell(action)
        self.ours = after(self.ours, action)
        if self.ours.street != street:
            self.short = False

    def _compare(self, may: May) -> None:
        theirs = self.theirs
        assert bool(may.bring_in) == theirs.can_post_bring_in()
        if may.bring_in:
            assert theirs.effective_bring_in_amount == may.bring_in
        else:
            assert theirs.checking_or_calling_amount == may.call
            assert may.check is (may.call == 0)
        least, most = theirs.min_completion_betting_or_raising_to_amount, theirs.max_completion_betting_or_raising_to_amount
        all_in = may.bring_in and may.bring_in == self.ours.stacks[may.seat]
        if self.short or all_in:
            # The last chips are a bring-in; PokerKit offers them as a completion as well.
            return
        assert (None if least is None else [(least, most)]) == ([*may.totals] or None), (may, least, most)

    def _moves(self, may: May, rng: random.Random) -> Iterator[Action]:
        seat = may.seat
        if may.bring_in:
            yield BringIn(seat)
        elif may.check:
            yield from (Check(seat),) * 2
        else:
            yield from (Call(seat), Call(seat), Call(seat), Fold(seat))
        totals = [total for pair in may.totals for total in (*pair, rng.randint(*pair))]
        for total in totals:
            if self.theirs.can_complete_bet_or_raise_to(total):
                yield Wager(seat, total)

    def _tell(self, action: Action) -> None:
        if isinstance(action, Wager):
            self.theirs.complete_bet_or_raise_to(action.total)
        elif isinstance(action, BringIn):
            self.theirs.post_bring_in()
        elif isinstance(action, Fold):
            self.theirs.fold()
        else:
            self.theirs.check_or_call()

    def _compare_ends(self) -> None:
        end = payout(self.ours)
        assert not self.theirs.status, "PokerKit plays on"
        assert sum(end.stacks) == sum(self.theirs.stacks) == sum(self.theirs.starting_stacks)
        odd = any(award.amount % len(award.winners) for award in end.awards)
        halved = self.ours.terms.eval == "hilo" and any(pot.amount % 2 for pot in end.pots)
        if not odd and not halved:
            assert end.stacks == tuple(self.theirs.stacks), (end, self.theirs.stacks)


def _is_short(betting: Betting, total: int) -> bool:
    """Whether this wager adds less than a full bet or raise."""
    base = 0 if betting.incomplete or betting.owed else betting.high
    return total - base < (betting.terms.sizes[0] if betting.terms.limit == "fixed" else betting.step)


def pair_of(terms: Terms, rng: random.Random) -> Pair:
    """A fresh hand at both tables, with the same cards and stacks."""
    seats = rng.randint(2, 5)
    stacks = tuple(rng.choice((rng.randint(1, 12), rng.randint(5, 60), 100)) for _ in range(seats))
    deck: list[Card] = list(DECK)
    rng.shuffle(deck)
    return Pair(PokerHand.begun(terms, stacks, deck), _theirs(terms, stacks))


def _theirs(terms: Terms, stacks: tuple[int, ...]) -> Any:
    import pokerkit as kit

    warnings.simplefilter("ignore")
    openings = {"high_up": kit.Opening.HIGH_HAND, "low_up": kit.Opening.LOW_HAND, "low_card": kit.Opening.LOW_CARD}
    structure = {
        "fixed": kit.BettingStructure.FIXED_LIMIT, "none": kit.BettingStructure.NO_LIMIT, "pot": kit.BettingStructure.POT_LIMIT,
    }  # fmt: skip
    hands = {
        "high": (kit.StandardHighHand,), "27": (kit.StandardLowHand,), "a5": (kit.RegularLowHand,),
        "hilo": (kit.StandardHighHand, kit.RegularLowHand),
    }  # fmt: skip
    cap = terms.cap if terms.limit == "fixed" else None
    streets = tuple(
        kit.Street(
            False, (*(False,) * street.down, *(True,) * street.up), 0, street.draw,
            openings.get(street.open, kit.Opening.POSITION), street.bet, cap,
        )
        for street in terms.streets
    )  # fmt: skip
    automations = tuple(each for each in kit.Automation if each is not kit.Automation.HOLE_DEALING)
    return kit.State(
        automations, kit.Deck.STANDARD, hands[terms.eval], streets, structure[terms.limit], True, terms.ante,
        terms.blinds or (), terms.bring_in, stacks, len(stacks), mode=kit.Mode.CASH_GAME,
    )  # fmt: skip
