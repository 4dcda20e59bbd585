"""Five-card stud by the chip, English and as a casino deals it: one test for every open question of its rules."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.cards import DECK, Card, Unknown
from companion.errors import HandError, OptionError
from companion.games.boards import best_board, lowest_board
from companion.games.poker_acts import Declare
from companion.games.poker_hand import PokerHand
from companion.games.poker_rules import after, refusal
from companion.games.poker_terms import Street, Terms, parse_terms
from companion.games.showdown import payout
from tests.companion.games.betting_hands import (
    BLINDS,
    CASINO,
    DRAW,
    FIXED_DRAW,
    STUD,
    begun,
    checked_down,
    dealt,
    played,
    random_hand,
    refused,
)

PAIR = replace(STUD, pair_big_bet=10)
KINGS = ("2c Ks Kh 3d 4s", "3c 7d 9d 5h 6h", "4c Ac 6s 7s 8s")
"""Seat 0 shows kings from the second round on; seat 2's ace begins the first."""


def totals(hand: PokerHand) -> tuple[tuple[int, int], ...]:
    assert hand.betting is not None
    return hand.betting.may().totals


def second_round(hands: tuple[str, ...] = KINGS, terms: Terms = PAIR) -> PokerHand:
    return played(begun(terms, cards=dealt(hands)), "check, check, check")


def test_the_highest_upcard_begins_and_may_check() -> None:
    hand = begun(STUD, cards=dealt(KINGS))
    assert hand.current == 2 and not refused(hand, "check")
    assert second_round().current == 0


def test_equal_upcards_begin_nearer_the_dealers_left() -> None:
    assert begun(STUD, cards=dealt(("2c 3d 4h 5s 7c", "3c Kd 4s 5h 7d", "4c Kh 5c 6s 8d"))).current == 1


def test_straights_and_flushes_do_not_count_on_boards() -> None:
    hands = ("2c Qs Js Ts 4d", "3c 7d 7h 2h 4h", "4c Kc 3h 9s 8s")
    hand = played(begun(STUD, cards=dealt(hands)), "check, check, check, check, check, check")
    assert hand.street == 2 and hand.current == 1


def test_every_bet_is_that_of_the_round() -> None:
    hand = begun(STUD, cards=dealt(KINGS))
    sizes = []
    for _ in range(4):
        sizes.append(totals(hand))
        hand = played(hand, "check, check, check")
    assert sizes == [((5, 5),), ((5, 5),), ((10, 10),), ((10, 10),)]


@pytest.mark.parametrize(
    ("total", "error"), [(5, ""), (10, ""), (7, "bet_too_small"), (15, "bet_too_large"), (4, "bet_too_small")]
)
def test_with_an_open_pair_a_bet_may_be_small_or_big(total: int, error: str) -> None:
    assert refused(second_round(), f"wager {total}") == error


def test_without_an_open_pair_only_small() -> None:
    hands = ("2c Ks Qh 3d 4s", *KINGS[1:])
    assert totals(second_round(hands)) == ((5, 5),)
    assert totals(second_round(KINGS, STUD)) == ((5, 5),)


def test_t1_after_a_big_bet_only_big_ones() -> None:
    assert totals(played(second_round(), "wager 10")) == ((20, 20),)
    hand = played(second_round(), "wager 5")
    assert totals(hand) == ((10, 10), (15, 15))
    assert totals(played(hand, "wager 15")) == ((25, 25),)


def test_t2_the_choice_stays_when_the_pair_folds() -> None:
    hand = played(second_round(), "fold")
    assert totals(hand) == ((5, 5), (10, 10))


def test_t3_a_short_all_in_uses_no_raise_up() -> None:
    hand = begun(STUD, (100, 100, 100, 8), dealt((*KINGS, "5c Jd 2d 9h Th")))
    hand = played(hand, "wager 5, wager 6, wager 11, wager 16, wager 21")
    assert refused(hand, "wager 26") == "raise_cap"
    counted = begun(replace(STUD, short_allin_counts=True), (100, 100, 100, 8), dealt((*KINGS, "5c Jd 2d 9h Th")))
    assert refused(played(counted, "wager 5, wager 6, wager 11, wager 16"), "wager 21") == "raise_cap"


def test_t3_a_short_all_in_does_not_reopen() -> None:
    hand = begun(STUD, (100, 8, 100), dealt(KINGS))
    hand = played(hand, "wager 5, call, wager 6")
    assert hand.current == 2 and refused(hand, "wager 11") == "raise_closed"


def test_t4_the_last_wager_of_the_hand_shows_first_when_all_were_all_in() -> None:
    hand = begun(STUD, (22, 22, 22), dealt(KINGS))
    hand = played(hand, "wager 5, wager 10, wager 15, wager 20, call, call")
    assert hand.phase == "over"
    assert payout(hand).show_order == (2, 0, 1)


def test_t4_a_last_round_that_was_checked_is_shown_from_its_starter() -> None:
    hand = played(begun(STUD, cards=dealt(KINGS)), "wager 5, call, call")
    assert payout(checked_down(hand)).show_order == (0, 1, 2)


def test_t5_two_pairs_are_compared_from_the_higher_pair_down() -> None:
    def board(text: str) -> list[Card]:
        return [Card.parse(each) for each in text.split()]

    assert best_board({0: board("9c 9d 3h 3s"), 1: board("8c 8d 7h 7s")}) == 0
    assert best_board({0: board("9c 9d 3h 3s"), 1: board("9h 9s 4h 4s")}) == 1
    assert best_board({0: board("2c 2d 2h"), 1: board("Ac Ad Kh")}) == 0


def test_t6_odd_chips_go_nearest_the_dealers_left() -> None:
    hands = ("2c 4d 6h 8s Tc", "2d 4h 6s 8c Th", "2h 4s 6c 8d Ts")
    assert payout(checked_down(begun(replace(STUD, carry_pot=2), cards=dealt(hands)))).won == (4, 2, 2)


@pytest.mark.parametrize(("burn", "burned"), [(False, 0), (True, 3)])
def test_t7_a_card_is_burned_before_the_third_fourth_and_fifth(burn: bool, burned: int) -> None:
    hand = checked_down(begun(replace(STUD, burn=burn)))
    assert len(hand.burned) == burned
    held = [card for seat in range(3) for card in hand.cards(seat)]
    assert len({*held, *hand.burned, *hand.pile}) == len(DECK)


def test_t8_the_others_pay_what_was_put_in() -> None:
    hand = begun(CASINO, (100, 100, 2), dealt(("9c Ks Qh 3d 4s", "8c Jd 9d 5h 6h", "4c 2c 6s 7s 8s")))
    assert hand.current == 2
    hand = played(hand, "bring_in")
    assert hand.betting is not None and hand.betting.may().call == 1


def test_t9_the_next_seat_brings_in_for_one_without_chips() -> None:
    hand = begun(CASINO, (100, 100, 1), dealt(("9c Ks Qh 3d 4s", "8c Jd 9d 5h 6h", "4c 2c 6s 7s 8s")))
    assert hand.current == 0 and not refused(hand, "bring_in")


def test_t10_the_last_card_down_is_begun_by_who_began_before() -> None:
    terms = replace(STUD, streets=(*STUD.streets[:3], Street(down=1, bet=10, open="same")))
    hand = played(begun(terms, cards=dealt(KINGS)), "check, check, check, check, check, check, check, check, check")
    assert hand.current == 0
    gone = played(begun(terms, cards=dealt(KINGS)), "check, check, check, check, check, check, wager 10, wager 20, call, fold")
    assert gone.street == 3 and gone.current == 1


@pytest.mark.parametrize(
    ("hands", "winners"),
    [
        (("9c 8c 7c 6c Ks", "Ah Ad 2s 5c Kd", "Td 9s 8d 7h 2h"), (0,)),
        (("2c 2d 3h 3s Kh", "9c 8c 7c 6c Ks", "Td 9s 8d 7h 2h"), (0,)),
        (("As 2d 3c 4h 9h", "Kd Qh Js Ac 5h", "Qs Kh Ad 2h 7c"), (1,)),
        (("9s 8h 7d 6c Kh", "9h 8d 7c 6s Kd", "Ah Ad 2s 5c 3h"), (0, 1)),
    ],
)
def test_t11_soko(hands: tuple[str, ...], winners: tuple[int, ...]) -> None:
    hand = checked_down(begun(replace(STUD, eval="soko"), cards=dealt(hands)))
    assert payout(hand).awards[0].winners == winners


def test_t12_soko_rounds_are_begun_by_pairs_all_the_same() -> None:
    hands = ("2c Qs Js Ts 4d", "3c 7d 7h 2h 4h", "4c Kc 3h 9s 8s")
    hand = played(begun(replace(STUD, eval="soko"), cards=dealt(hands)), "check, check, check, check, check, check")
    assert hand.current == 1


@pytest.mark.parametrize(("suits", "first"), [(False, 0), (True, 2)])
def test_ties_by_suit_are_for_the_order_of_action_alone(suits: bool, first: int) -> None:
    hands = ("2c Kh 9h 2d 3d", "3c Kd 8d 2h 3h", "4c Ks 7s 2s 3s")
    assert begun(replace(STUD, suit_ties=suits), cards=dealt(hands)).current == first


def test_lowball_is_begun_by_the_best_low_board() -> None:
    terms = replace(STUD, eval="a5", streets=tuple(replace(street, open="low_up") for street in STUD.streets))
    hands = ("2c As Ah 3d 4s", "3c 7d 9d 5h 6h", "4c 2d Ks 7s 8s")
    hand = begun(terms, cards=dealt(hands))
    assert hand.current == 0
    assert played(hand, "check, check, check").current == 1
    assert lowest_board({0: [Card.parse("Ah")], 1: [Card.parse("Kd")]}, aces_low=False) == 1


# ---- bring-in -------------------------------------------------------------------------------------------------------

LOW = ("9c Ks Qh 3d 4s", "8c 2d 9d 5h 6h", "4c 2h 6s 7s 8s")


def test_h1_the_lowest_upcard_brings_in_and_clubs_are_lowest() -> None:
    hand = begun(CASINO, cards=dealt(LOW))
    assert hand.current == 1
    assert begun(CASINO, cards=dealt(("9c Ks Qh 3d 4s", "8c 2h 9d 5h 6h", "4c 2c 6s 7s 8s"))).current == 2


@pytest.mark.parametrize(
    ("word", "error"),
    [("bring_in", ""), ("wager 5", ""), ("check", "check_facing_bet"), ("fold", "bring_in_due"), ("call", "call_without_bet"),
     ("wager 10", "bet_too_large"), ("wager 4", "bet_too_small")],
)  # fmt: skip
def test_who_brings_in_may_complete_and_nothing_else(word: str, error: str) -> None:
    assert refused(begun(CASINO, cards=dealt(LOW)), word) == error


def test_nobody_raises_before_the_completion() -> None:
    hand = played(begun(CASINO, cards=dealt(LOW)), "bring_in")
    assert totals(hand) == ((5, 5),) and refused(hand, "wager 10") == "bet_too_large"
    hand = played(hand, "wager 5")
    assert totals(hand) == ((10, 10),)


def test_the_completion_and_three_raises_are_four_wagers() -> None:
    hand = played(begun(CASINO, cards=dealt(LOW)), "bring_in, wager 5, wager 10, wager 15, wager 20")
    assert refused(hand, "wager 25") == "raise_cap"


def test_the_bring_in_has_acted_when_all_call() -> None:
    hand = played(begun(CASINO, cards=dealt(LOW)), "bring_in, call, call")
    assert hand.street == 1


def test_a_short_completion_leaves_the_completion_open() -> None:
    hand = played(begun(CASINO, (100, 100, 4), dealt(LOW)), "bring_in, wager 3")
    assert hand.current == 0 and totals(hand) == ((5, 5),)
    # Nobody has completed: who brought in may only call what is short.
    called = played(hand, "call")
    assert called.current == 1 and refused(called, "wager 5") == "raise_closed"


# ---- high and low ---------------------------------------------------------------------------------------------------

HILO = replace(STUD, eval="hilo")
SPLIT = ("Ah As 9s 9c 2d", "2c 3d 4h 5s 7c", "Kh Qd Jc 8s 6d")


def test_high_low_halves_the_pot_and_the_odd_chip_goes_high() -> None:
    end = payout(checked_down(begun(replace(HILO, carry_pot=1), cards=dealt(SPLIT))))
    assert end.won == (4, 3, 0)


@pytest.mark.parametrize(
    ("sides", "won"),
    [("high low high", (3, 3, 0)), ("high high high", (6, 0, 0)), ("low low high", (0, 3, 3)), ("low high low", (0, 3, 3))],
)
def test_declarations(sides: str, won: tuple[int, ...]) -> None:
    hand = checked_down(begun(replace(HILO, declare=True), cards=dealt(SPLIT)))
    assert hand.phase == "declare" and hand.current is None
    for seat, side in enumerate(sides.split()):
        assert refusal(hand, Declare(seat, "both")) == "bad_action"
        assert not refusal(hand, Declare(seat, side))
        hand = after(hand, Declare(seat, side))
    assert payout(hand).won == won


def test_nobody_declares_twice_or_after_folding() -> None:
    hand = played(begun(replace(HILO, declare=True), cards=dealt(SPLIT)), "wager 5, fold, call")
    hand = checked_down(hand)
    first = hand.live.index(True)
    folded = hand.live.index(False)
    assert refused(hand, "declare high", seat=folded) == "not_your_turn"
    hand = after(hand, Declare(first, "high"))
    assert refused(hand, "declare low", seat=first) == "not_your_turn"


# ---- everything together --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "terms",
    [DRAW, FIXED_DRAW, BLINDS, STUD, PAIR, CASINO, replace(HILO, declare=True), replace(STUD, eval="soko"),
     replace(DRAW, openers=True, must_open=True), replace(DRAW, limit="pot", streets=(*DRAW.streets, DRAW.streets[1]))],
    ids=["draw", "fixed", "blinds", "stud", "open pair", "casino", "declared", "soko", "jacks", "double pot"],
)  # fmt: skip
def test_random_hands_end_and_no_chip_is_lost(terms: Terms) -> None:
    rng = random.Random(7)
    for _ in range(40):
        hand, _ = random_hand(terms, rng)
        whole = sum(hand.stacks) + sum(hand.put)
        if hand.phase == "redeal":
            assert hand.pot == sum(hand.put)
            continue
        end = payout(hand)
        assert sum(end.stacks) == whole and min(end.stacks) >= 0
        assert sum(pot.amount for pot in end.pots) == sum(end.won) == hand.pot


def test_hands_of_unknown_cards_are_played_but_not_valued() -> None:
    hand = checked_down(begun(DRAW, cards=tuple(Unknown(number) for number in range(52))))
    with pytest.raises(HandError, match="seat 0"):
        payout(hand)
    with pytest.raises(HandError, match="not over"):
        payout(begun(DRAW))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"streets": []}, "at least one street"),
        ({"streets": [{"down": 4}]}, "five cards"),
        ({"streets": [{"down": 5, "open": "high_up"}]}, "opened by open cards"),
        ({"streets": [{"down": 5, "open": "blind"}]}, "there are none"),
        ({"streets": [{"down": 5, "bet": 0}]}, "from 1"),
        ({"streets": [{"down": 5, "sideways": 1}]}, "sideways"),
        ({"streets": [5]}, "object"),
        ({"streets": [{"down": 5}], "ante": -1}, "'ante'"),
        ({"streets": [{"down": 5}], "ante": True}, "True"),
        ({"streets": [{"down": 5}], "limit": "sky"}, "'sky'"),
        ({"streets": [{"down": 5}], "blinds": [1]}, "blinds"),
        ({"streets": [{"down": 5}], "declare": True}, "hilo"),
        ({"streets": [{"down": 5}], "luck": 1}, "luck"),
    ],
)
def test_terms_that_no_hand_could_be_played_by_are_refused(given: dict[str, object], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        parse_terms(given)


@pytest.mark.parametrize(("stacks", "said"), [((5,), "2 to 10 seats"), ((5, 0), "needs chips"), ((5,) * 11, "seats")])
def test_stacks_that_cannot_be_dealt_to_are_refused(stacks: tuple[int, ...], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        begun(DRAW, stacks)


def test_a_deck_that_is_too_short_is_refused() -> None:
    with pytest.raises(OptionError, match="15 cards"):
        begun(DRAW, cards=DECK[:14])
