"""Hands one below the other, and what each loses by."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cards import DECK, Card, Rank, Suit
from companion.games import find_game
from companion.games.hands import order_hands
from companion.games.margins import Margin, rank_hands


def hand(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


@pytest.mark.parametrize(
    ("better", "worse", "margin"),
    [
        ("9c 9d 9h 2c 3d", "Kc Kd 4h 4s Ac", Margin("category")),
        ("Kc Kd 4h 4s 2c", "Qc Qd 9h 9s Ac", Margin("rank", Rank.KING, Rank.QUEEN)),
        ("Kc Kd 5h 5s 2c", "Kh Ks 4h 4s Ac", Margin("rank", Rank.FIVE, Rank.FOUR)),
        ("Kc Kd 4c 4d 9c", "Kh Ks 4h 4s 8c", Margin("side", Rank.NINE, Rank.EIGHT)),
        ("Ac Ad 9h 8s 4c", "Ah As 9c 8d 3c", Margin("side", Rank.FOUR, Rank.THREE)),
        ("Ac Jd 9h 8s 4c", "Ah Jh 9c 7d 6c", Margin("rank", Rank.EIGHT, Rank.SEVEN)),
        ("6c 5d 4h 3s 2c", "Ah 5h 4c 3d 2d", Margin("rank", Rank.SIX, Rank.FIVE)),
        ("Ks Kc 4h 3s 2c", "Kh Kd 4c 3d 2d", Margin("suit", Suit.SPADES, Suit.HEARTS)),
        ("7d 7c 7h 2s 2c", "6d 6c 6h As Ac", Margin("rank", Rank.SEVEN, Rank.SIX)),
    ],
)
def test_what_decides(better: str, worse: str, margin: Margin) -> None:
    first, second = rank_hands([hand(worse), hand(better)])
    assert (first.hand, first.place, first.margin) == (1, 1, None)
    assert (second.hand, second.place, second.margin) == (0, 2, margin)


def test_equal_hands_share_their_place_where_the_house_lets_them() -> None:
    hands = [hand("Kh Kd 4c 3d 2d"), hand("Ks Kc 4h 3s 2c"), hand("Qh Qd Ac 9d 8d")]
    found = rank_hands(hands, "share")
    assert [(one.hand, one.place) for one in found] == [(0, 1), (1, 1), (2, 3)]
    assert found[1].margin == Margin("tie")
    assert found[2].margin == Margin("rank", Rank.KING, Rank.QUEEN)


def test_by_the_suit_of_the_highest_card_an_ace_beside_the_pair_decides() -> None:
    found = rank_hands([hand("4s 4c Ah 9d 8d"), hand("4h 4d As 9c 8c")], "suit_highest_card")
    assert [one.hand for one in found] == [1, 0]
    assert found[1].margin == Margin("suit", Suit.SPADES, Suit.HEARTS)


@given(st.permutations(DECK), st.sampled_from(["suit_significant", "suit_highest_card", "share"]))
def test_the_order_is_that_of_the_result_and_each_margin_is_true(deck: list[Card], tie_break: str) -> None:
    hands = [deck[5 * seat : 5 * seat + 5] for seat in range(5)]
    standing, found = order_hands(hands, tie_break), rank_hands(hands, tie_break)
    assert tuple(one.hand for one in found) == standing.order
    assert tuple(one.hand for one in found if one.place == 1) == standing.winners
    for before, one in pairwise(found):
        margin: Any = one.margin
        assert (margin.kind == "tie") == (before.place == one.place)
        if margin.better is not None:
            assert margin.better > margin.worse
    second: Any = found[1].margin
    told = {"kicker": "side", "tie": "tie", "suit": "suit", "category": "category", "rank": "rank"}[standing.reason.split("/")[0]]
    assert second.kind in {told, "rank" if told == "side" else told}


def test_a_game_ranks_by_its_own_options() -> None:
    game: Any = find_game("steal")
    hands = [hand("Kh Kd 4c 3d 2d"), hand("Ks Kc 4h 3s 2c")]
    for tie_break, places in (("suit_significant", [1, 2]), ("share", [1, 1])):
        state = game.start(3, game.options({"tie_break": tie_break}))
        assert [one.place for one in game.ranked(state, hands)] == places
    assert game.ranked(game.start(3, game.options({})), []) == ()
