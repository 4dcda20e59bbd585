"""Five-Card Stud: one card face down and four face up, with a round of betting after each; as in English clubs and in casinos."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from companion.games.poker_actions import ACTIONS
from companion.games.poker_acts import BringIn, Declare
from companion.games.poker_book import CASINO_RULES, STUD_RULES, kinds_of, stud_rulebook
from companion.games.poker_game import PokerGame
from companion.games.poker_options import STUD_CHOICES, StudOptions, parse_poker_options
from companion.games.poker_terms import Street, Terms
from companion.games.rulebook import Rulebook
from companion.rulings import Action

T = TypeVar("T")
LOWBALL = ("27", "a5")
ASKED = ("open_pair", "suit_ties", "last_down", "burn", "eval", "odd_chip")


class Stud(PokerGame):
    """The rules of English Five-Card Stud."""

    name = "stud"
    aliases = ("five card stud", "five-card stud", "english stud")
    title = "Five-Card Stud"
    upcards = True
    usual = StudOptions()
    asked: Mapping[str, tuple[bool | int | str, ...]] = {name: STUD_CHOICES[name] for name in ASKED}
    rules: Mapping[str, tuple[str, ...]] = dict.fromkeys(STUD_RULES, ())
    rule_of_error = kinds_of(STUD_RULES)
    rule_of_action: Mapping[type[Action], str] = {
        **dict.fromkeys(ACTIONS, "STUD-3.1-actions"), BringIn: "STUD-3.1-first", Declare: "STUD-3.1-win",
    }  # fmt: skip

    def options(self, given: Mapping[str, Any]) -> StudOptions:
        return parse_poker_options(self.usual, STUD_CHOICES, self.title, given)

    def terms(self, options: StudOptions) -> Terms:
        low = options.eval in LOWBALL
        best = "low_up" if low else "high_up"
        first = "low_card" if options.bring_in else best
        small, big = options.small_bet, options.big_bet
        last = Street(down=1, bet=big, open="same") if options.last_down else Street(up=1, bet=big, open=best)
        second, third = Street(up=1, bet=small, open=best), Street(up=1, bet=big, open=best)
        streets = (Street(down=1, up=1, bet=small, open=first), second, third, last)
        halves = options.eval == "hilo" and options.declare != "off"
        return Terms(
            "stud", options.ante, None, options.bring_in, "fixed", streets, options.eval, options.low_eval, options.cap,
            big if options.open_pair and big > small else None, options.odd_chip, options.suit_ties, halves, burn=options.burn,
            carry_pot=options.carry_pot, short_allin_counts=options.short_allin_counts,
        )  # fmt: skip

    def rulebook(self, seats: int, options: Any) -> Rulebook:
        return stud_rulebook(self.name, STUD_RULES, seats, options, self.usual)


class CasinoStud(Stud):
    """The rules of Five Card Stud as a Hungarian casino plays it: with burned cards and a bring-in."""

    name = "casino-stud"
    aliases = ("casino stud", "hungarian stud", "five card stud casino")
    title = "Casino Five-Card Stud"
    usual = StudOptions(ante=1, bring_in=2, burn=True)
    asked: Mapping[str, tuple[bool | int | str, ...]] = {**Stud.asked, "burn": (True, False)}
    rules: Mapping[str, tuple[str, ...]] = dict.fromkeys(CASINO_RULES, ())
    rule_of_error = kinds_of(CASINO_RULES)
    rule_of_action: Mapping[type[Action], str] = {
        kind: rule.replace("STUD-3.1", "CASINO-3.2") for kind, rule in Stud.rule_of_action.items()
    }  # fmt: skip

    def rulebook(self, seats: int, options: Any) -> Rulebook:
        return stud_rulebook(self.name, CASINO_RULES, seats, options, self.usual)


def last_deal(pile: Sequence[T], burned: Sequence[T], players: int) -> tuple[T, ...]:
    """The cards from which the last one of a hand is dealt, the one that is burned before it first.

    Where the pile does not hold one for everybody and one to burn, what was burned before is shuffled with it; `pile` and
    `burned` have to be in the order in which that shuffle left them.  It takes ten players: with fewer there are always enough.
    """
    return tuple(pile) if len(pile) > players else (*pile, *burned)
