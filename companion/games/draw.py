"""Five-Card Draw: five cards face down, cards exchanged between two rounds of betting, or between three."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.poker_actions import ACTIONS
from companion.games.poker_acts import Announce, Declare, Discard, Fold, Sort, Split
from companion.games.poker_book import DRAW_RULES, draw_rulebook, kinds_of
from companion.games.poker_game import PokerGame
from companion.games.poker_options import DRAW_CHOICES, DrawOptions, parse_poker_options
from companion.games.poker_terms import Street, Terms
from companion.games.rulebook import Rulebook
from companion.rulings import Action

USUAL = DrawOptions()


class Draw(PokerGame):
    """The rules of Five-Card Draw."""

    name = "draw"
    aliases = ("five card draw", "five-card draw")
    title = "Five-Card Draw"
    asked: Mapping[str, tuple[bool | int | str, ...]] = {
        name: (1, 2) if name == "draws" else DRAW_CHOICES[name]
        for name in ("limit", "draws", "draw_four_with_ace", "openers", "eval", "odd_chip")
    }
    rules: Mapping[str, tuple[str, ...]] = dict.fromkeys(DRAW_RULES, ())
    rule_of_error = kinds_of(DRAW_RULES)
    rule_of_action: Mapping[type[Action], str] = {
        **dict.fromkeys(ACTIONS, "DRAW-2-actions"), Discard: "DRAW-2-draw", Announce: "DRAW-2-draw", Sort: "DRAW-2-draw",
        Declare: "", Fold: "DRAW-D9", Split: "DRAW-2-openers",
    }  # fmt: skip

    def options(self, given: Mapping[str, Any]) -> DrawOptions:
        return parse_poker_options(USUAL, DRAW_CHOICES, self.title, given)

    def terms(self, options: DrawOptions) -> Terms:
        blinds = (options.small_blind, options.big_blind) if options.big_blind else None
        ante = 0 if blinds else options.ante
        fixed = options.limit == "fixed"
        least = max(1, options.big_blind or options.ante)
        small, big = (options.small_bet, options.big_bet) if fixed else (least, least)
        first, later = ("blind", "blind" if options.starts_after_draw == "blind" else "left") if blinds else ("left", "left")
        drawn = (Street(draw=True, bet=big, open=later),) * options.draws
        return Terms(
            "draw", ante, blinds, 0, options.limit, (Street(down=5, bet=small, open=first), *drawn), options.eval,
            cap=options.cap, odd_chip=options.odd_chip, draw_max=options.draw_max,
            draw_four_with_ace=options.draw_four_with_ace != "off", openers=options.openers, must_open=options.must_open,
            carry_pot=options.carry_pot, dead_small=options.dead_small is not None,
            short_allin_counts=options.short_allin_counts, reshuffle_folds=options.reshuffle_folds,
        )  # fmt: skip

    def rulebook(self, seats: int, options: Any) -> Rulebook:
        return draw_rulebook(seats, options, USUAL)
