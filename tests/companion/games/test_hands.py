"""The ranking of five cards: kinds, ranks, suits; low hands; Sökö; and how many of each kind a deck holds."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import chain, combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

from companion.cards import DECK, Card
from companion.errors import HandError
from companion.games.hands import (
    Category,
    low_27,
    low_a5,
    order_hands,
    order_low,
    order_soko,
    rank_pattern,
    soko_value,
    value_of,
)
from tests.companion.games.stealing import cards

ORACLE = Path(__file__).parents[3] / "../shared/oracles/hands.json"

PUBLISHED = {
    "straight flush": 36,
    "royal flush": 4,
    "four of a kind": 624,
    "full house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three of a kind": 54_912,
    "two pair": 123_552,
    "one pair": 1_098_240,
    "high card": 1_302_540,
}
"""How many of the 2,598,960 hands are of each kind; the royal flushes are 4 of the 40 straight flushes."""


def patterns() -> tuple[np.ndarray, np.ndarray]:
    """Every pattern of ranks (2..14, highest first, then 1 for a flush) of all hands of the deck, and how often it comes."""
    count = 2_598_960
    indexes = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.int8, count * 5).reshape(count, 5)
    ranks = np.array([card.rank for card in DECK], np.int64)[indexes]
    suits = np.array([card.suit for card in DECK], np.int64)[indexes]
    ranks = -np.sort(-ranks, axis=1)
    flush = (suits == suits[:, :1]).all(axis=1)
    codes = ranks @ np.array([15**4, 15**3, 15**2, 15, 1]) * 2 + flush
    found, times = np.unique(codes, return_counts=True)
    return found, times


def test_a_deck_holds_as_many_hands_of_each_kind_as_is_published() -> None:
    counted = Counter[str]()
    values = set()
    for code, times in zip(*patterns(), strict=True):
        ranks = tuple(int(code) // 2 // 15**power % 15 for power in (4, 3, 2, 1, 0))
        category, counting = rank_pattern(ranks, bool(code % 2))
        counted[category.title] += int(times)
        values.add((category, counting))
    assert counted == PUBLISHED
    assert len(values) == 7462, "so many different strengths are published"


@pytest.mark.parametrize(
    ("text", "category", "ranks", "importance"),
    [
        ("As Ks Qs Js Ts", "royal flush", (14, 13, 12, 11, 10), "As Ks Qs Js Ts"),
        ("5h 4h Ah 2h 3h", "straight flush", (5, 4, 3, 2, 1), "5h 4h 3h 2h Ah"),
        ("9c 9s 2d 9h 9d", "four of a kind", (9, 2), "9s 9h 9d 9c 2d"),
        ("3c Td 3s Th 3h", "full house", (3, 10), "3s 3h 3c Th Td"),
        ("2d 9d Kd 3d 7d", "flush", (13, 9, 7, 3, 2), "Kd 9d 7d 3d 2d"),
        ("6d 5c 4d 3d 2d", "straight", (6, 5, 4, 3, 2), "6d 5c 4d 3d 2d"),
        ("Ac 2d 4s 3h 5c", "straight", (5, 4, 3, 2, 1), "5c 4s 3h 2d Ac"),
        ("Qc Qd 3s Qs 8h", "three of a kind", (12, 8, 3), "Qs Qd Qc 8h 3s"),
        ("8h 2c 2d 8s Ac", "two pair", (8, 2, 14), "8s 8h 2d 2c Ac"),
        ("4h 4s Kd 2c 9c", "one pair", (4, 13, 9, 2), "4s 4h Kd 9c 2c"),
        ("Qh Kd Ac 2s 3s", "high card", (14, 13, 12, 3, 2), "Ac Kd Qh 3s 2s"),
    ],
)
def test_kind_ranks_and_importance(text: str, category: str, ranks: tuple[int, ...], importance: str) -> None:
    value = value_of(cards(text))
    assert (value.category.title, value.ranks) == (category, ranks)
    assert value.cards == cards(importance)
    assert value.suits == tuple(card.suit for card in cards(importance))


@pytest.mark.parametrize(
    ("first", "second", "order", "reason"),
    [
        ("2c 2d 5h 6s 7c", "As Kd Qh Js 9c", (0, 1), "category"),
        ("3c 3d 5h 6s 7c", "4c 4d 2h 6d 7d", (1, 0), "rank"),
        ("3c 3d 5h 6s 9c", "3h 3s 4h 8d 7d", (0, 1), "kicker/rank position 2"),
        ("3c 3d Ah 6s 4c", "3h 3s Ad 5d 2d", (0, 1), "kicker/rank position 3"),
        ("3c 3d Ah 6s 4c", "3h 3s Ad 6d 2d", (0, 1), "kicker/rank position 4"),
        ("Ac Kd 9h 6s 2c", "As Kc 9d 6h 3d", (1, 0), "kicker/rank position 5"),
        ("As Kd 9h 6s 2c", "Ac Ks 9d 6h 2d", (0, 1), "suit"),
        ("3c 3s Ah 6s 4c", "3h 3d As 6d 4d", (0, 1), "suit"),
        ("8c 8h 3s 3d Ad", "8s 8d 3c 3h Ac", (1, 0), "suit"),
        ("As 2s 3s 4s 5c", "Ac 2c 3c 4c 5d", (1, 0), "suit"),
        ("As Ks Qs Js Ts", "9h 8h 7h 6h 5h", (0, 1), "rank"),
        ("Ac 2c 3c 4c 5d", "6c 5h 4h 3h 2h", (1, 0), "rank"),
    ],
)
def test_what_decides(first: str, second: str, order: tuple[int, ...], reason: str) -> None:
    standing = order_hands([cards(first), cards(second)])
    assert (standing.order, standing.winners, standing.reason) == (order, order[:1], reason)
    backwards = order_hands([cards(second), cards(first)])
    assert backwards.order == tuple(1 - index for index in order)
    assert standing.decided_by == (reason if reason in ("category", "suit") else "rank")


def test_a27_the_tie_break_option_changes_the_winner() -> None:
    fours = [cards("4h 4d As Td 8c"), cards("4s 4c Ah Tc 8s")]
    assert order_hands(fours, "suit_significant").winners == (1,)
    assert order_hands(fours, "suit_highest_card").winners == (0,)
    shared = order_hands(fours, "share")
    assert (shared.winners, shared.order, shared.reason) == ((0, 1), (0, 1), "tie")


def test_a27_the_highest_card_of_the_lowest_straight_is_its_five() -> None:
    wheels = [cards("As 2s 3s 4s 5c"), cards("Ac 2c 3c 4c 5d")]
    assert order_hands(wheels, "suit_highest_card").winners == (1,)


def test_equal_hands_keep_the_order_of_the_seats() -> None:
    hands = [cards("2c 3d 4h 5s 7c"), cards("9c 9d 4d 5c 7d"), cards("2d 3h 4s 5d 7h")]
    assert order_hands(hands, "share").order == (1, 0, 2)


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_hands_have_an_order_too(count: int) -> None:
    standing = order_hands([cards("2c 3d 4h 5s 7c")][:count])
    assert standing.order == standing.winners == tuple(range(count))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2c 3c 4c 5c", "a hand has five cards; found 4: 2c 3c 4c 5c"),
        ("2c 3c 4c 5c 6c 7c", "a hand has five cards; found 6: 2c 3c 4c 5c 6c 7c"),
        ("2c 3c 4c 5c 2c", "the card 2c comes twice in the hand 2c 3c 4c 5c 2c"),
    ],
)
def test_what_is_no_hand_is_refused(text: str, message: str) -> None:
    for rank in (value_of, soko_value, low_27, low_a5):
        with pytest.raises(HandError) as caught:
            rank(cards(text))
        assert str(caught.value) == message


def test_low_hands_deuce_to_seven() -> None:
    best_first = ["7c 5d 4h 3s 2c", "7d 6d 4s 3c 2d", "Ac 5h 4d 3h 2s", "2c 2d 3h 4s 5c", "6c 5d 4h 3d 2h", "7h 5h 4h 3h 2h"]
    values = [low_27(cards(text)) for text in best_first]
    assert values == sorted(values)
    assert low_27(cards("Ac 5c 4c 3c 2c"))[0] == Category.FLUSH, "the wheel is no straight, but one suit is a flush"


def test_low_hands_ace_to_five() -> None:
    best_first = [
        "5c 4c 3c 2c Ac",
        "6c 5d 4h 3d 2h",
        "Kc Qd Jh Td 9c",
        "Ac Ad 2h 3s 4c",
        "Kc Kd 2h 3s 4c",
        "3c 3d 2h 2s Ac",
        "Ac Ad Ah 2s 3c",
        "Ac Ad Ah 2s 2c",
        "2c 2d 2h 2s Ac",
    ]
    values = [low_a5(cards(text)) for text in best_first]
    assert values == sorted(values)
    assert len(set(values)) == len(values)


def test_kinds_of_low_hands() -> None:
    texts = ("Kc Kd 2h 3s 4c", "2s 3s 4s 5s 7s", "2d 3d 4c 5d 6d", "8c 8d 8h 9c 9d", "Tc Td Th Ts Ac")
    hands = [cards(text) for text in texts]
    kinds = ("one pair", "flush", "straight", "full house", "four of a kind")
    assert order_low(hands, "27").categories == kinds
    assert order_low(hands, "a5").categories == (kinds[0], "high card", "high card", *kinds[3:])


def test_low_hands_share() -> None:
    hands = [cards("7c 5d 4h 3s 2c"), cards("7d 5c 4s 3h 2d"), cards("8c 5h 4d 3d 2h")]
    assert order_low(hands, "27").winners == (0, 1)
    assert order_low(hands, "a5").categories == ("high card",) * 3
    assert order_low(hands, "a5").reason == "tie"


@pytest.mark.parametrize(
    ("text", "category", "ranks"),
    [
        ("5c 6d 7h 8s Kc", "four straight", (8, 13)),
        ("5c 6d 7h 8s 8c", "four straight", (8, 8)),
        ("Ac 2d 3h 4s 9c", "four straight", (4, 9)),
        ("Jc Qd Kh As 2c", "four straight", (14, 2)),
        ("Kc Ad 2h 3s 9c", "high card", (14, 13, 9, 3, 2)),
        ("2c 9c Jc Ac Ad", "four flush", (14, 11, 9, 2, 14)),
        ("5c 6c 7c 8c Kd", "four flush", (8, 7, 6, 5, 13)),
        ("5c 5d 7h 7s Kc", "two pair", (7, 5, 13)),
        ("5c 6d 7h 8s 9c", "straight", (9, 8, 7, 6, 5)),
        ("2c 9c Jc Ac Kc", "flush", (14, 13, 11, 9, 2)),
    ],
)
def test_soko_kinds(text: str, category: str, ranks: tuple[int, ...]) -> None:
    value = soko_value(cards(text))
    assert (value.category.title, value.ranks) == (category, ranks)


def test_soko_order() -> None:
    weakest_first = ["Ac Kd 9h 3s 5c", "Ad Ah 3c 7s 8d", "2c 3d 4h 5s Tc", "Js Qh Kd Ac 2h", "2d 4d 6d 8d Ts", "2h 2s 3h 3d 9s"]
    for low, high in pairwise(weakest_first):
        assert order_soko([cards(low), cards(high)]).order == (1, 0)
    assert order_soko([cards("2c 3d 4h 5s Tc"), cards("2d 3h 4s 5c Td")]).winners == (0, 1)


def test_suits_make_a_total_order_of_one_deck() -> None:
    """Two hands of one deck are never equal (1.6), and the order does not depend on the order of the cards."""
    rng = random.Random(5)
    for _ in range(2000):
        drawn = rng.sample(DECK, 10)
        standing = order_hands([drawn[:5], drawn[5:]])
        assert len(standing.winners) == 1
        mixed = [rng.sample(drawn[:5], 5), rng.sample(drawn[5:], 5)]
        assert order_hands(mixed) == standing


def test_pokerkit_agrees_without_suits() -> None:
    pokerkit = pytest.importorskip("pokerkit")
    rng = random.Random(6)

    def theirs(kind: str, hand: list[Card]) -> object:
        return getattr(pokerkit, kind).from_game("".join(map(str, hand)))

    for _ in range(800):
        drawn = rng.sample(DECK, 10)
        one, other = drawn[:5], drawn[5:]
        high, high_other = theirs("StandardHighHand", one), theirs("StandardHighHand", other)
        strengths = value_of(one).strength, value_of(other).strength
        assert (high > high_other, high == high_other) == (strengths[0] > strengths[1], strengths[0] == strengths[1])
        # PokerKit calls the better low hand the greater one.
        low, low_other = theirs("StandardLowHand", one), theirs("StandardLowHand", other)
        assert (low > low_other, low == low_other) == (low_27(one) < low_27(other), low_27(one) == low_27(other))
        regular, regular_other = theirs("RegularLowHand", one), theirs("RegularLowHand", other)
        assert (regular > regular_other, regular == regular_other) == (low_a5(one) < low_a5(other), low_a5(one) == low_a5(other))


@pytest.mark.skipif(not ORACLE.exists(), reason="the shared oracle files are not on this machine")
def test_the_oracle_hands() -> None:
    cases = json.loads(ORACLE.read_text())["cases"]
    assert len(cases) == 300
    for case in cases:
        hands = [cards(" ".join(hand)) for hand in case["hands"]]
        standing = order_hands(hands)
        assert list(standing.order) == case["order_best_first"], case["id"]
        assert list(standing.categories) == case["categories"], case["id"]
        assert standing.reason == case["reason"], case["id"]
        assert [list(map(str, value_of(hand).cards)) for hand in hands] == case["significance"], case["id"]
        assert list(order_hands(hands, "share").winners) == case["winners_without_suits"], case["id"]
        assert order_hands(hands, "suit_highest_card").order[0] == case["winner_if_suit_of_highest_rank_card"], case["id"]
        assert list(order_low(hands, "27").winners) == case["winner_2_7"], case["id"]
        assert list(order_low(hands, "a5").winners) == case["winner_A_5"], case["id"]
        assert list(order_soko(hands).winners) == case["winner_soko"], case["id"]
