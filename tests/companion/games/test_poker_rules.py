"""Every paragraph of draw and stud has a test of its own, here or among those of the engine."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import pytest

from companion.games import find_game
from companion.words.betting import BETTING_ERRORS
from tests.companion import test_upcards
from tests.companion.games import (
    test_betting_draw,
    test_betting_stud,
    test_poker_next,
    test_poker_openers,
    test_poker_session,
    test_poker_tables,
)

DRAW: Mapping[str, str] = {
    "DRAW-2": "test_nobody_acts_after_the_end",
    "DRAW-2-deal": "test_five_cards_each_from_the_dealers_left",
    "DRAW-D8": "test_d8_who_cannot_pay_the_ante_is_all_in",
    "DRAW-2-turn": "test_nobody_acts_out_of_turn",
    "DRAW-2-actions": "test_illegal_actions_change_nothing",
    "DRAW-D9": "test_d9_a_fold_is_allowed_where_checking_is_free",
    "DRAW-D1": "test_d1_without_a_limit_the_least_bet_is_the_ante_and_the_least_raise_the_last_one",
    "DRAW-D2": "test_d2_fixed_limit_has_one_bet_and_three_raises",
    "DRAW-2-openers": "test_nobody_opens_without_jacks_or_better",
    "DRAW-2-allin": "test_who_is_all_in_still_exchanges_cards_and_bets_no_more",
    "DRAW-2-draw": "test_as_many_cards_are_exchanged_as_were_announced",
    "DRAW-D5": "test_d5_four_cards_with_an_ace_kept",
    "DRAW-D6": "test_d6_what_was_shuffled_is_known_to_nobody",
    "DRAW-D4": "test_d4_after_the_draw_the_dealers_left_begins_also_with_blinds",
    "DRAW-D7": "test_d7_the_last_to_bet_shows_first",
    "DRAW-2-win": "test_the_wheel_wins_ace_to_five_and_loses_deuce_to_seven",
    "DRAW-D3": "test_d3_two_odd_chips_among_three",
    "DRAW-2-next": "test_the_next_hand_carries_stacks_and_moves_the_deal",
    "DRAW-2-leave": "test_who_has_left_checks_and_folds",
    "DRAW-2-wrong": "test_cards_that_do_not_belong_there_are_named",
}
STUD: Mapping[str, str] = {
    "STUD-3.1": "test_nobody_acts_after_the_end",
    "STUD-3.1-deal": "test_a_card_that_was_dealt_too_early_is_named",
    "STUD-T8": "test_t8_the_others_pay_what_was_put_in",
    "STUD-T7": "test_t7_a_card_is_burned_before_the_third_fourth_and_fifth",
    "STUD-3.1-first": "test_a_round_waits_for_open_cards_that_nobody_has_read",
    "STUD-T5": "test_t5_two_pairs_are_compared_from_the_higher_pair_down",
    "STUD-T9": "test_t9_the_next_seat_brings_in_for_one_without_chips",
    "STUD-T10": "test_t10_the_last_card_down_is_begun_by_who_began_before",
    "STUD-T12": "test_t12_soko_rounds_are_begun_by_pairs_all_the_same",
    "STUD-3.1-actions": "test_illegal_actions_change_nothing",
    "STUD-3.1-limit": "test_every_bet_is_that_of_the_round",
    "STUD-T1": "test_t1_after_a_big_bet_only_big_ones",
    "STUD-T2": "test_t2_the_choice_stays_when_the_pair_folds",
    "STUD-T3": "test_t3_a_short_all_in_does_not_reopen",
    "STUD-3.1-allin": "test_a_player_out_of_chips_is_out",
    "STUD-T4": "test_t4_the_last_wager_of_the_hand_shows_first_when_all_were_all_in",
    "STUD-3.1-win": "test_declarations",
    "STUD-T11": "test_t11_soko",
    "STUD-T6": "test_t6_odd_chips_go_nearest_the_dealers_left",
    "STUD-3.1-next": "test_every_fifth_hand_is_noted_down",
    "STUD-3.1-leave": "test_who_has_left_checks_and_folds",
    "STUD-3.1-upcards": "test_an_open_card_that_was_lifted_has_to_be_shown_again",
    "STUD-3.1-wrong": "test_cards_that_do_not_belong_there_are_named",
}
CASINO: Mapping[str, str] = {
    **{rule.replace("STUD-3.1", "CASINO-3.2").replace("STUD-", "CASINO-"): test for rule, test in STUD.items()},
    "CASINO-H1": "test_h1_the_lowest_upcard_brings_in_and_clubs_are_lowest",
    "CASINO-H2": "test_h2_two_rounds_are_small_and_two_are_big",
}
"""What the casino plays like the club is tested there."""
MODULES: tuple[ModuleType, ...] = (
    test_betting_draw, test_betting_stud, test_poker_next, test_poker_openers, test_poker_session, test_poker_tables,
    test_upcards,
)  # fmt: skip


@pytest.mark.parametrize(("name", "tests"), [("draw", DRAW), ("stud", STUD), ("casino-stud", CASINO)])
def test_every_rule_has_its_test(name: str, tests: Mapping[str, str]) -> None:
    game: Any = find_game(name)
    assert set(tests) == set(game.rules)
    known = {test for module in MODULES for test, _ in inspect.getmembers(module, inspect.isfunction)}
    assert set(tests.values()) <= known


QUESTIONS = (
    *(f"d{number}" for number in range(1, 10)), *(f"t{number}" for number in range(1, 13)), "h1", "h2",
)  # fmt: skip
"""Questions that the written rules leave open, by their ids in the rules specification."""


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_open_question_has_a_test_of_its_name(question: str) -> None:
    names = [test for module in MODULES for test, _ in inspect.getmembers(module, inspect.isfunction)]
    assert [name for name in names if name.startswith(f"test_{question}_")]


def test_every_error_of_draw_and_stud_is_provoked_by_a_test() -> None:
    written = "".join(inspect.getsource(module) for module in MODULES)
    assert {kind for kind in BETTING_ERRORS if f'"{kind}"' not in written} == set()
