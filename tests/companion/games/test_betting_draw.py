"""Five-card draw by the chip: one test for every open question of its rules, and every illegal bet."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.cards import DECK
from companion.games.poker_acts import Exchange
from companion.games.poker_rules import after, refusal
from companion.games.poker_terms import Street
from companion.games.showdown import payout
from tests.companion.games.betting_hands import BLINDS, DRAW, FIXED_DRAW, begun, checked_down, dealt, played, refused

NOTHING = ("2c 4d 6h 8s Tc", "2d 4h 6s 8c Th", "2h 4s 6c 8d Ts")
"""Three hands that are worth the same."""


def totals(hand: object) -> tuple[tuple[int, int], ...]:
    return hand.betting.may().totals  # type: ignore[attr-defined,no-any-return]


def test_d1_without_a_limit_the_least_bet_is_the_ante_and_the_least_raise_the_last_one() -> None:
    hand = begun(DRAW)
    assert totals(hand) == ((1, 99),)
    hand = played(hand, "wager 10")
    assert totals(hand) == ((20, 99),)
    assert totals(played(hand, "wager 40")) == ((70, 99),)


def test_d1_with_blinds_the_least_raise_is_the_big_blind() -> None:
    assert totals(begun(BLINDS)) == ((4, 100),)


def test_d1_a_pot_limit_counts_the_call_first() -> None:
    hand = begun(replace(DRAW, limit="pot"), (100, 100, 100))
    assert totals(hand) == ((1, 3),)
    hand = played(hand, "wager 3")
    # Three antes and the bet make 6; who raises calls 3 and may add 9.
    assert totals(hand) == ((6, 12),)


def test_d1_a_pot_limit_counts_what_was_carried() -> None:
    assert totals(begun(replace(DRAW, limit="pot", carry_pot=7))) == ((1, 10),)


def test_d2_fixed_limit_has_one_bet_and_three_raises() -> None:
    hand = played(begun(FIXED_DRAW), "wager 2, wager 4, wager 6, wager 8")
    assert refused(hand, "wager 10") == "raise_cap"
    assert not totals(hand)


def test_d2_without_a_limit_there_is_no_cap() -> None:
    hand = begun(DRAW)
    for total in range(1, 40):
        hand = played(hand, f"wager {total}")
    assert totals(hand) == ((40, 99),)


@pytest.mark.parametrize(("option", "paid"), [("closest", (4, 2, 2)), ("one_each", (3, 3, 2))])
def test_d3_two_odd_chips_among_three(option: str, paid: tuple[int, ...]) -> None:
    terms = replace(DRAW, odd_chip=option, carry_pot=5)
    end = payout(checked_down(begun(terms, cards=dealt(NOTHING))))
    assert end.awards[0].paid == paid


def test_d4_after_the_draw_the_dealers_left_begins_also_with_blinds() -> None:
    hand = played(begun(BLINDS), "call, call, check")
    assert hand.phase == "draw" and hand.current == 0
    assert played(hand, "draw, draw, draw").current == 0


def test_d4_or_the_next_one_still_in() -> None:
    hand = played(begun(BLINDS), "call, fold, check, draw, draw")
    assert hand.current == 1


def test_between_two_the_dealer_has_the_small_blind_and_acts_first() -> None:
    hand = begun(BLINDS, (50, 50))
    assert hand.put == (2, 1) and hand.current == 1
    hand = played(hand, "call, check, draw, draw")
    assert hand.current == 0


@pytest.mark.parametrize(("option", "error"), [(False, "too_many_discards"), (True, "")])
def test_d5_four_cards_with_an_ace_kept(option: bool, error: str) -> None:
    hand = begun(replace(DRAW, draw_four_with_ace=option), cards=dealt(("As 3c 5d 7h 9s", "2c 4d 6h 8s Tc", "2d 4h 6s 8c Th")))
    hand = played(hand, "check, check, check")
    assert refused(hand, "draw 3c 5d 7h 9s") == error
    assert refused(hand, "draw As 3c 5d 7h") == "too_many_discards"
    assert refused(hand, "draw As 3c 5d 7h 9s") == "too_many_discards"


def test_d6_the_pile_runs_out_and_the_discards_of_the_others_are_shuffled() -> None:
    terms = replace(DRAW, streets=(*DRAW.streets, DRAW.streets[1]))
    hand = played(begun(terms, (9,) * 5), "check, check, check, check, check")
    for _ in range(2):
        for _ in range(5):
            seat = hand.current
            assert seat is not None
            before, thrown = hand, hand.cards(seat)[:3]
            hand = after(hand, Exchange(seat, thrown))
            assert not set(hand.cards(seat)) & set(thrown)
        if hand.street == 1:
            hand = played(hand, "check, check, check, check, check")
    assert not before.pile and hand.shuffled == 27
    assert set(hand.cards(4)[:3]) <= {card for _, card in before.discards}
    held = [card for seat in range(5) for card in hand.cards(seat)]
    assert sorted(map(str, (*held, *hand.pile, *(card for _, card in hand.discards)))) == sorted(map(str, DECK))


@pytest.mark.parametrize(("option", "folded"), [("last", False), ("with_discards", True)])
def test_d6_folded_hands_are_shuffled_last(option: str, folded: bool) -> None:
    terms = replace(DRAW, streets=(*DRAW.streets, DRAW.streets[1]), draw_max=4, reshuffle_folds=option)
    hand = played(begun(terms, (9,) * 5), "check, check, check, check, wager 1, fold, call, call, call")
    gone = set(hand.cards(0))
    for street in (1, 2):
        while hand.phase == "draw" and hand.street == street:
            seat = hand.current
            assert seat is not None
            hand = after(hand, Exchange(seat, hand.cards(seat)[:4]))
        if hand.street == 1:
            hand = played(hand, "check, check, check, check")
    in_play = {card for seat in range(1, 5) for card in hand.cards(seat)} | set(hand.pile)
    assert bool(gone & in_play) is folded


def test_d7_the_last_to_bet_shows_first() -> None:
    hand = played(begun(DRAW), "check, wager 1, call, call, draw, draw, draw, check, check, wager 1, call, call")
    assert payout(hand).show_order == (2, 0, 1)


def test_d7_a_round_that_was_checked_is_shown_from_its_starter() -> None:
    hand = played(begun(DRAW), "check, wager 1, call, fold, draw, draw, check, check")
    assert payout(hand).show_order == (1, 2)


def test_d8_who_cannot_pay_the_ante_is_all_in() -> None:
    hand = begun(replace(DRAW, ante=5), (3, 50, 50))
    assert hand.put == (3, 5, 5) and hand.current == 1
    end = payout(checked_down(hand))
    assert [pot.amount for pot in end.pots] == [9, 4] and end.pots[0].eligible == (0, 1, 2)


def test_d9_a_fold_is_allowed_where_checking_is_free() -> None:
    hand = played(begun(DRAW), "fold, fold")
    assert hand.phase == "over" and payout(hand).won == (0, 0, 3)


def test_the_last_one_left_wins_without_showing() -> None:
    end = payout(played(begun(DRAW), "wager 5, fold, fold"))
    assert end.stacks == (102, 99, 99) and end.show_order == () and end.awards == ()


def test_who_is_all_in_still_exchanges_cards_and_bets_no_more() -> None:
    hand = played(begun(DRAW, (5, 50, 50)), "wager 4, call, call")
    assert hand.current == 0 and hand.phase == "draw"
    hand = played(hand, "draw, draw, draw")
    assert hand.current == 1
    assert refused(hand, "wager 4", seat=0) == "no_chips"


JACKS = ("Jh Js 7s 2s Qc", "2c 3c 6h 9h Tc", "9d 8d Kd 4d 5h")
NO_JACKS = ("Th Ts 7s 2s Qc", *JACKS[1:])
OPENERS = replace(DRAW, openers=True)


def test_nobody_opens_without_jacks_or_better() -> None:
    assert refused(begun(OPENERS, cards=dealt(NO_JACKS)), "wager 1") == "no_openers"
    hand = begun(OPENERS, cards=dealt(JACKS))
    assert not refused(hand, "wager 1")
    # After the opening everybody may raise, whatever he holds.
    assert not refused(played(hand, "wager 1"), "wager 2")


def test_where_nobody_opens_the_pot_stays() -> None:
    hand = played(begun(replace(OPENERS, carry_pot=4), cards=dealt(JACKS)), "check, check, check")
    assert hand.phase == "redeal" and hand.pot == 7 and hand.stacks == (99, 99, 99)
    assert refused(hand, "check", seat=0) == "hand_over"


@pytest.mark.parametrize(("must", "error"), [(False, ""), (True, "must_open")])
def test_who_could_open_need_not_unless_the_house_says_so(must: bool, error: str) -> None:
    hand = begun(replace(OPENERS, must_open=must), cards=dealt(JACKS))
    assert refused(hand, "check") == error
    assert not refused(begun(replace(OPENERS, must_open=must), cards=dealt(NO_JACKS)), "check")


def test_openers_are_asked_of_the_first_round_only() -> None:
    hand = played(begun(OPENERS, cards=dealt(JACKS)), "wager 1, call, call, draw Jh, draw, draw")
    assert not refused(hand, "wager 1")


@pytest.mark.parametrize(
    ("words", "word", "error"),
    [
        ("", "call", "call_without_bet"),
        ("wager 5", "check", "check_facing_bet"),
        ("wager 5", "wager 9", "bet_too_small"),
        ("wager 5", "wager 5", "bet_too_small"),
        ("", "wager 0", "bet_too_small"),
        ("", "wager -3", "bet_too_small"),
        ("", "wager 100", "bet_too_large"),
        ("", "draw", "draw_not_open"),
        ("", "bring_in", "bad_action"),
        ("", "declare high", "bad_action"),
        ("check, check, check", "check", "bad_action"),
        ("check, check, check", "draw As", "card_not_held"),
        ("check, check, check", "draw 2c 2c", "card_not_held"),
    ],
)
def test_illegal_actions_change_nothing(words: str, word: str, error: str) -> None:
    hand = played(begun(DRAW), words)
    assert refused(hand, word) == error


@pytest.mark.parametrize("word", ["check", "fold", "call", "wager 5", "draw"])
def test_nobody_acts_out_of_turn(word: str) -> None:
    hand = begun(DRAW) if word != "draw" else played(begun(DRAW), "check, check, check")
    assert refused(hand, word, seat=1) == "not_your_turn"
    assert refused(hand, word, seat=7) == "bad_seat"


def test_nobody_acts_after_the_end() -> None:
    hand = checked_down(begun(DRAW))
    assert {refused(hand, word, seat=0) for word in ("check", "fold", "call", "wager 5", "draw")} == {"hand_over"}


def test_a_pot_limit_is_kept() -> None:
    hand = begun(replace(DRAW, limit="pot"))
    assert refused(hand, "wager 4") == "bet_too_large" and not refused(hand, "wager 3")


def test_cards_that_come_otherwise_than_the_pile_lies_are_refused() -> None:
    hand = played(begun(DRAW), "check, check, check")
    mine, top = hand.cards(0), hand.pile
    assert not refusal(hand, Exchange(0, mine[:2], top[:2]))
    for got in (top[1:3], top[:1], (top[0], top[0]), (mine[3], mine[4])):
        assert refusal(hand, Exchange(0, mine[:2], got)) == "bad_action"


def test_a_short_all_in_does_not_reopen_what_was_called() -> None:
    hand = played(begun(DRAW, (100, 100, 16)), "wager 10, call, wager 15")
    assert hand.current == 0
    assert refused(hand, "wager 25") == "raise_closed" and not refused(hand, "call")


def test_short_all_ins_that_add_up_to_a_raise_reopen() -> None:
    hand = played(begun(DRAW, (100, 16, 22, 100)), "wager 10, wager 15, wager 21, call")
    assert hand.current == 0
    assert totals(hand) == ((31, 99),)


def test_nobody_raises_where_nobody_could_match_it() -> None:
    hand = played(begun(DRAW, (10, 100, 10)), "wager 9")
    assert refused(hand, "wager 30") == "raise_closed"


def test_who_has_nothing_to_match_and_nobody_to_bet_against_is_not_asked() -> None:
    hand = played(begun(BLINDS, (99, 45, 2)), "call, fold")
    # The big blind could only check.
    assert hand.phase == "draw"
    assert played(hand, "draw, draw").phase == "over"


def test_lowball_shares_between_equal_hands() -> None:
    for eval_ in ("27", "a5"):
        end = payout(checked_down(begun(replace(DRAW, eval=eval_), cards=dealt(NOTHING))))
        assert end.awards[0].winners == (0, 1, 2)


def test_the_wheel_wins_ace_to_five_and_loses_deuce_to_seven() -> None:
    hands = ("Ah 2c 3d 4s 5h", "2d 3c 4h 5s 7d", "9c 9d Th Jc Qs")
    for ranking, winner in (("a5", 0), ("27", 1)):
        hand = checked_down(begun(replace(DRAW, eval=ranking), cards=dealt(hands)))
        assert payout(hand).awards[0].winners == (winner,)


def test_a_double_draw_bets_three_times() -> None:
    terms = replace(DRAW, limit="fixed", streets=(Street(down=5, bet=2), Street(draw=True, bet=4), Street(draw=True, bet=4)))
    hand, bets = begun(terms), []
    for _ in range(3):
        bets.append(totals(hand)[0][0])
        hand = played(hand, "check, check, check" + ", draw, draw, draw" * (hand.street < 2))
    assert bets == [2, 4, 4] and hand.phase == "over"
