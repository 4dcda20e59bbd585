"""One round of betting: who may act, what he may do to the chip, and when the round is over.

Amounts are whole chips.  A wager is named by the total that its seat has put in during the round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self, TypeVar


@dataclass(frozen=True, slots=True)
class RoundTerms:
    """How much may be bet in a round."""

    limit: str = "fixed"
    """``fixed``, ``pot`` or ``none``."""
    sizes: tuple[int, ...] = (1,)
    """Fixed: what a bet or raise may add, the smaller first.  Otherwise the least bet alone."""
    cap: int | None = None
    """So many wagers (bet or completion, and raises) are allowed in the round; None: any number."""
    short_counts: bool = False
    """Whether an all-in for less than a full raise uses one of them up."""
    carried: int = 0
    """Chips in the middle that nobody at the table has put in during this hand."""


@dataclass(frozen=True, slots=True)
class May:
    """What a seat may do at its turn."""

    seat: int
    fold: bool = True
    check: bool = False
    call: int = 0
    """Chips that calling costs; 0: there is nothing to call."""
    bring_in: int = 0
    """Chips of the forced bet; 0: nobody has to bring in."""
    wager: str = ""
    """``bet``, ``raise`` or ``complete``; empty where none may be made."""
    totals: tuple[tuple[int, int], ...] = ()
    """The least and the greatest total of each allowed wager."""

    def allows(self, total: int) -> bool:
        return any(least <= total <= most for least, most in self.totals)


@dataclass(frozen=True, slots=True)
class Betting:
    """A round of betting between seats 0.., clockwise; seat 0 sits at the dealer's left."""

    terms: RoundTerms
    stacks: tuple[int, ...]
    """Chips that each seat still has."""
    put: tuple[int, ...]
    """Chips of each seat in the middle, of this round and of those before."""
    live: tuple[bool, ...]
    """Who has not folded."""
    bets: tuple[int, ...]
    """Chips of each seat in this round."""
    turn: int | None = None
    """Who has to act; None: the round is over."""
    starter: int | None = None
    """Who acted first; None where nobody was asked."""
    high: int = 0
    """The highest total of the round."""
    step: int = 0
    """The last full bet or raise; a raise adds at least as much."""
    wagers: int = 0
    """Full bets and raises so far."""
    bettor: int | None = None
    """Who made the last wager, a short all-in too."""
    heard: tuple[tuple[int, int] | None, ...] = ()
    """Per seat `wagers` and `high` when it acted last; None: not yet."""
    owed: int = 0
    """The bring-in that the seat in turn has to make."""
    incomplete: bool = False
    """A bring-in was made and nobody has completed it."""

    def opened(self, first: int, bring_in: int = 0) -> Self:
        """The round begins at `first`, or the next seat clockwise that has something to do."""
        heard: tuple[tuple[int, int] | None, ...] = (None,) * len(self.stacks)
        begun = replace(self, heard=heard, owed=bring_in, high=max(self.bets), step=self.terms.sizes[0])
        seat = begun._next(first - 1)
        return replace(begun, turn=seat, starter=seat)

    def may(self) -> May:
        """What the seat in turn may do; raise `ValueError` when the round is over."""
        if self.turn is None:
            raise ValueError("the round of betting is over: nobody may act")
        seat = self.turn
        if self.owed:
            forced = min(self.owed, self.stacks[seat])
            totals = self._fixed(seat, (self.terms.sizes[0],)) if self.stacks[seat] > self.owed else ()
            return May(seat, fold=False, bring_in=forced, wager="complete" if totals else "", totals=totals)
        missing = self.high - self.bets[seat]
        totals = () if self.refused(seat) else self._totals(seat)
        kind = "" if not totals else "complete" if self.incomplete else "raise" if self.high else "bet"
        return May(seat, check=missing == 0, call=min(missing, self.stacks[seat]), wager=kind, totals=totals)

    def refused(self, seat: int) -> str:
        """Why the seat in turn may make no wager whatever its amount; empty where it may."""
        if self.stacks[seat] == 0:
            return "no_chips"
        if self.terms.cap is not None and self.wagers >= self.terms.cap:
            return "raise_cap"
        if not self._opponents(seat) or not self._reopened(seat):
            return "raise_closed"
        return ""

    @property
    def pot_to_raise(self) -> int:
        """Chips in the middle once the seat in turn has called: whoever raises calls first, and may then add as many."""
        return self.terms.carried + sum(self.put) + self.high - self.bets[self._seat()]

    def checked(self) -> Self:
        return self._acted()

    def folded(self) -> Self:
        seat = self._seat()
        return replace(self, live=_with(self.live, seat, False))._acted()

    def called(self) -> Self:
        return self._paid(min(self.high - self.bets[self._seat()], self.stacks[self._seat()]))._acted()

    def brought_in(self) -> Self:
        forced = min(self.owed, self.stacks[self._seat()])
        return replace(self._paid(forced), owed=0, incomplete=True, high=forced)._acted()

    def wagered(self, total: int) -> Self:
        """The round after a bet, raise or completion to `total`, which `may` has to allow."""
        seat, terms = self._seat(), self.terms
        added = total - (0 if self.incomplete or self.owed else self.high)
        full = added >= (terms.sizes[0] if terms.limit == "fixed" else self.step)
        counts = full or terms.short_counts
        if terms.limit == "fixed" and added >= terms.sizes[-1]:
            # After a big bet only big ones follow.
            terms = replace(terms, sizes=terms.sizes[-1:])
        paid = self._paid(total - self.bets[seat])
        step = added if full and terms.limit != "fixed" else self.step
        incomplete = (self.incomplete or bool(self.owed)) and not full
        done = replace(paid, terms=terms, high=total, step=step, wagers=self.wagers + counts, bettor=seat, owed=0)
        return replace(done, incomplete=incomplete)._acted()

    # ---- inside -------------------------------------------------------------------------------------------------

    def _seat(self) -> int:
        if self.turn is None:
            raise ValueError("the round of betting is over: nobody may act")
        return self.turn

    def _paid(self, chips: int) -> Self:
        seat = self._seat()
        stacks = _with(self.stacks, seat, self.stacks[seat] - chips)
        return replace(
            self,
            stacks=stacks,
            bets=_with(self.bets, seat, self.bets[seat] + chips),
            put=_with(self.put, seat, self.put[seat] + chips),
        )

    def _acted(self) -> Self:
        seat = self._seat()
        heard = replace(self, heard=_with(self.heard, seat, (self.wagers, self.high)))
        return replace(heard, turn=heard._next(seat))

    def _next(self, seat: int) -> int | None:
        seats = len(self.stacks)
        return next((each % seats for each in range(seat + 1, seat + 1 + seats) if self._is_asked(each % seats)), None)

    def _is_asked(self, seat: int) -> bool:
        if not self.live[seat] or not self.stacks[seat] or sum(self.live) < 2:
            return False
        # Who has nothing to match, and nobody to bet against, has nothing to decide.
        return self.bets[seat] < self.high or (self.heard[seat] is None and self._opponents(seat))

    def _opponents(self, seat: int) -> bool:
        """Whether anybody else could put in more than the highest total: against others nothing can be bet."""
        others = (other for other in range(len(self.stacks)) if other != seat and self.live[other])
        return any(self.bets[other] + self.stacks[other] > self.high for other in others)

    def _reopened(self, seat: int) -> bool:
        """Whether there was a full raise since the seat acted, or short ones that add up to one."""
        heard = self.heard[seat]
        if heard is None:
            return True
        wagers, high = heard
        return self.wagers > wagers or self.high - high >= (self.terms.sizes[0] if self.terms.limit == "fixed" else self.step)

    def _totals(self, seat: int) -> tuple[tuple[int, int], ...]:
        if self.terms.limit == "fixed":
            base = 0 if self.incomplete else self.high
            return self._fixed(seat, tuple(base + size for size in self.terms.sizes))
        all_in = self.bets[seat] + self.stacks[seat]
        least = self.high + self.step
        most = all_in
        if self.terms.limit == "pot":
            most = min(all_in, max(self.high + self.pot_to_raise, least))
        return ((min(least, most), most),) if most > self.high else ()

    def _fixed(self, seat: int, totals: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
        all_in = self.bets[seat] + self.stacks[seat]
        within: Iterator[int] = (min(total, all_in) for total in totals)
        return tuple((total, total) for total in sorted(set(within)) if total > self.high)


T = TypeVar("T")


def _with(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])
