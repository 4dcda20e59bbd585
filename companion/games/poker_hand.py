"""One hand of draw or stud from the antes to the last bet: a frozen value; every method is pure.

Seat 0 sits at the dealer's left, the last seat deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from companion.cards import Card, Held
from companion.errors import OptionError
from companion.games.betting import Betting, RoundTerms
from companion.games.boards import best_board, low_card, lowest_board, shows_pair
from companion.games.poker_terms import Street, Terms

SEATS = range(2, 11)
"""Seats that a hand of stud can be dealt to; a table has fewer."""
BY_BOARD = ("high_up", "low_up", "low_card")
"""Openings that depend on open cards."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """A card of a hand, and whether everybody sees it."""

    card: Held
    up: bool = False


@dataclass(frozen=True, slots=True)
class PokerHand:
    """A hand of draw or stud at one moment."""

    terms: Terms
    stacks: tuple[int, ...]
    """Chips that each seat has left."""
    put: tuple[int, ...]
    """Chips of each seat in the middle."""
    live: tuple[bool, ...]
    """Who has not folded."""
    hands: tuple[tuple[Dealt, ...], ...]
    pile: tuple[Held, ...]
    """The top card first."""
    discards: tuple[tuple[int, Held], ...] = ()
    """Cards thrown away in draws, with their seats, the oldest first."""
    burned: tuple[Held, ...] = ()
    folded: tuple[int, ...] = ()
    """Seats in the order in which they folded."""
    street: int = -1
    phase: str = "deal"
    """``bet``, ``draw``, ``declare``, ``over``, ``redeal`` where nobody has opened, or ``upcards`` while not all open cards are
    known that say who opens."""
    drawer: int | None = None
    """Whose turn it is to exchange cards."""
    betting: Betting | None = None
    """The round of betting, the last one where none is open."""
    opened_by: int | None = None
    """Who acts first in the round, if he can; a later street may ask for the same."""
    shows: int | None = None
    """Who has to show first."""
    declared: tuple[str, ...] = ()
    """Per seat ``high``, ``low`` or nothing yet."""
    shuffled: int = 0
    """How many cards were shuffled anew during the last exchange."""

    # ---- the course of a hand -----------------------------------------------------------------------------------

    @classmethod
    def begun(cls, terms: Terms, stacks: Sequence[int], deck: Sequence[Held]) -> Self:
        """Antes, blinds and the first street; `deck` has the top card first.

        Raise `OptionError` for stacks without chips, too many seats or too few cards.
        """
        seats = len(stacks)
        if seats not in SEATS:
            raise OptionError(f"a hand is dealt to {SEATS[0]} to {SEATS[-1]} seats; found {seats}")
        claims = terms.claims or (0,) * seats
        if len(claims) != seats:
            raise OptionError(f"'claims' has a number for every seat, {seats}; found {list(claims)}")
        if min(map(max, stacks, claims)) < 1:
            raise OptionError(f"every seat needs chips to be dealt in; found {list(stacks)}")
        wanted = 5 * seats + (len(terms.streets) - 1 if terms.burn else 0)
        if len(deck) < wanted:
            raise OptionError(f"{wanted} cards are needed for {seats} seats; the deck has {len(deck)}")
        antes = tuple(min(terms.ante, stack) for stack in stacks)
        left = tuple(stack - ante for stack, ante in zip(stacks, antes, strict=True))
        hand = cls(terms, left, antes, (True,) * seats, ((),) * seats, tuple(deck), declared=("",) * seats)
        return hand._next_street()

    @property
    def seats(self) -> int:
        return len(self.stacks)

    @property
    def current(self) -> int | None:
        """Who has to act; None when nobody has, or everybody at once."""
        if self.phase == "draw":
            return self.drawer
        return self.betting.turn if self.phase == "bet" and self.betting is not None else None

    @property
    def pot(self) -> int:
        return sum(self.put) + self.terms.carry_pot

    @property
    def put_ever(self) -> tuple[int, ...]:
        """Chips of each seat in the middle, of the hands before too that nobody has won."""
        return tuple(map(sum, zip(self.put, self.terms.claims or (0,) * self.seats, strict=True)))

    def cards(self, seat: int) -> tuple[Held, ...]:
        return tuple(dealt.card for dealt in self.hands[seat])

    def boards(self) -> Mapping[int, tuple[Card, ...]]:
        """The open cards of everybody who is still in, as far as they are known."""
        return {
            seat: tuple(one.card for one in hand if one.up and isinstance(one.card, Card))
            for seat, hand in enumerate(self.hands) if self.live[seat]
        }  # fmt: skip

    def with_betting(self, betting: Betting) -> Self:
        """The hand after somebody has acted in the open round; what follows by itself is done."""
        gone = tuple(seat for seat in range(self.seats) if self.live[seat] and not betting.live[seat])
        hand = replace(
            self, betting=betting, stacks=betting.stacks, put=betting.put, live=betting.live, folded=(*self.folded, *gone)
        )
        return hand if betting.turn is not None else hand._round_over()

    def exchanged(self, thrown: Sequence[Held], received: Sequence[Held] | None = None) -> Self:
        """The hand after the drawer has thrown these away and got as many."""
        seat = self.drawer
        if seat is None:
            raise ValueError("nobody may exchange cards now")
        stock, discards, folded = self._stock(seat, len(thrown))
        got = tuple(received) if received is not None else stock[: len(thrown)]
        given = iter(got)
        pile = tuple(card for card in stock if card not in got)
        mine = tuple((seat, card) for card in thrown)
        hands = [() if folded and each in self.folded else hand for each, hand in enumerate(self.hands)]
        hands[seat] = tuple(Dealt(next(given)) if one.card in thrown else one for one in self.hands[seat])
        after = replace(
            self, hands=tuple(hands), pile=pile, discards=(*discards, *mine), shuffled=len(stock) - len(self.pile),
            folded=self.folded if not folded else (),
        )  # fmt: skip
        return after._next_drawer(seat)

    def declares(self, seat: int, side: str) -> Self:
        """The hand after `seat` has said what it goes for; over once everybody has."""
        declared = (*self.declared[:seat], side, *self.declared[seat + 1 :])
        done = all(declared[each] for each in range(self.seats) if self.live[each])
        return replace(self, declared=declared, phase="over" if done else self.phase)

    def reopened(self) -> Self:
        """The hand with its round opened by the open cards as they are known now, where nobody has acted in it yet."""
        acted = self.betting is not None and any(self.betting.heard)
        by_board = self.phase in ("bet", "upcards") and self.terms.streets[self.street].open in BY_BOARD
        return self._open_round() if by_board and not (self.phase == "bet" and acted) else self

    def stock_of(self, seat: int, count: int) -> tuple[Held, ...]:
        """What `seat` may be given for so many cards: the pile, and where that runs out what is shuffled anew."""
        return self._stock(seat, count)[0]

    # ---- inside -------------------------------------------------------------------------------------------------

    def _next_street(self) -> Self:
        number = self.street + 1
        street = self.terms.streets[number]
        hand = replace(self, street=number)
        if self.terms.burn and number and street.down + street.up:
            hand = replace(hand, burned=(*hand.burned, hand.pile[0]), pile=hand.pile[1:])
        for up in (False,) * street.down + (True,) * street.up:
            hand = hand._dealt(up)
        if street.draw:
            return replace(hand, phase="draw")._next_drawer(-1)
        return hand._open_round()

    def _dealt(self, up: bool) -> Self:
        pile, hands = list(self.pile), list(self.hands)
        for seat in range(self.seats):
            if self.live[seat]:
                hands[seat] = (*hands[seat], Dealt(pile.pop(0), up))
        return replace(self, pile=tuple(pile), hands=tuple(hands))

    def _next_drawer(self, seat: int) -> Self:
        drawer = next((each for each in range(seat + 1, self.seats) if self.live[each]), None)
        hand = replace(self, drawer=drawer)
        return hand if drawer is not None else hand._open_round()

    def _stock(self, seat: int, count: int) -> tuple[tuple[Held, ...], tuple[tuple[int, Held], ...], bool]:
        """The cards that the drawer is given from, the discards left beside them, and whether folded hands are among them."""
        if count <= len(self.pile):
            return self.pile, self.discards, False
        thrown = tuple(card for _, card in self.discards)
        given_up = tuple(card for each in self.folded for card in self.cards(each))
        folds = given_up if self.terms.reshuffle_folds == "with_discards" or len(self.pile) + len(thrown) < count else ()
        return (*self.pile, *thrown, *folds), (), bool(folds)

    def _open_round(self) -> Self:
        street = self.terms.streets[self.street]
        bets = self._blinds() if self.street == 0 else (0,) * self.seats
        stacks = tuple(stack - bet for stack, bet in zip(self.stacks, bets, strict=True))
        put = tuple(before + bet for before, bet in zip(self.put, bets, strict=True))
        betting = Betting(self._round_terms(street), stacks, put, self.live, bets)
        if street.open in BY_BOARD and betting.opened(0).turn is not None and not self._boards_known():
            return replace(self, phase="upcards", betting=None)
        first = self._first(street)
        bring_in = self.terms.bring_in if street.open == "low_card" else 0
        opened = betting.opened(first, bring_in)
        hand = replace(self, phase="bet", opened_by=opened.starter if opened.starter is not None else first)
        return hand.with_betting(opened)

    def _boards_known(self) -> bool:
        return all(
            isinstance(one.card, Card)
            for hand, live in zip(self.hands, self.live, strict=True) if live for one in hand if one.up
        )  # fmt: skip

    def _round_terms(self, street: Street) -> RoundTerms:
        terms, fixed = self.terms, self.terms.limit == "fixed"
        big = terms.pair_big_bet
        paired = fixed and self.street == 1 and big is not None and any(map(shows_pair, self.boards().values()))
        sizes = tuple(sorted({street.bet, big})) if paired and big is not None else (street.bet,)
        return RoundTerms(terms.limit, sizes, terms.cap if fixed else None, terms.short_allin_counts, terms.carry_pot)

    def _blinds(self) -> tuple[int, ...]:
        """Chips of each seat; between two the dealer has the small blind."""
        bets = [0] * self.seats
        if self.terms.blinds is not None:
            big = self.big_blind
            bets[big] = min(self.terms.blinds[1], self.stacks[big])
            if not self.terms.dead_small:
                small = 1 - big
                bets[small] = min(self.terms.blinds[0], self.stacks[small])
        return tuple(bets)

    @property
    def big_blind(self) -> int:
        """The seat that pays it, where there is one."""
        return 0 if self.seats == 2 or self.terms.dead_small else 1

    def _first(self, street: Street) -> int:
        if street.open == "blind":
            return (self.big_blind + 1) % self.seats
        if street.open == "same" and self.opened_by is not None:
            return self.opened_by
        if street.open in BY_BOARD and not self._boards_known():
            # Nobody is asked any more: it makes no difference.
            return 0
        if street.open == "high_up":
            return best_board(self.boards(), self.terms.suit_ties)
        if street.open == "low_up":
            return lowest_board(self.boards(), aces_low=self.terms.eval != "27")
        return low_card(self.boards()) if street.open == "low_card" else 0

    def _round_over(self) -> Self:
        betting = self.betting
        hand = self
        if betting is not None and betting.starter is not None:
            hand = replace(self, shows=betting.bettor if betting.bettor is not None else betting.starter)
        if sum(self.live) == 1:
            return replace(hand, phase="over")
        if self.terms.openers and self.street == 0 and betting is not None and betting.starter is not None and not betting.high:
            return replace(hand, phase="redeal")
        if self.street + 1 < len(self.terms.streets):
            return hand._next_street()
        return replace(hand, phase="declare" if self.terms.declare else "over")

    def show_order(self) -> Iterator[int]:
        """Who shows, in turn; nobody where all others have folded."""
        first = self.shows if self.shows is not None else 0
        if sum(self.live) > 1:
            yield from (seat for seat in ((first + step) % self.seats for step in range(self.seats)) if self.live[seat])
