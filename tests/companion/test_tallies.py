"""Statistics of players against a slow plain count, and how good a hand is against all hands."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import UTC, timedelta, timezone
from fractions import Fraction
from itertools import combinations, pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cards import DECK, Card
from companion.games.hands import value_of
from companion.played import PlayedGame
from companion.tallies import beaten, tally
from tests.companion.played_games import games


def plain(told: list[PlayedGame]) -> dict[str, dict[str, Any]]:
    """The same, counted move by move."""
    found: dict[str, dict[str, Any]] = defaultdict(lambda: defaultdict(int))
    for game in told:
        for move in game.moves:
            found[game.seats[move.seat].name][move.kind] += 1
            if move.kind == "steal":
                assert move.victim is not None
                found[game.seats[move.victim].name]["suffered"] += 1
        for place, seat in enumerate(game.order):
            one = found[game.seats[seat].name]
            one["games"] += 1
            one[f"place {place}"] += 1
            one[game.seats[seat].category] += 1
            one["bot"] += game.seats[seat].source == "bot"
            if seat in game.winners:
                one["wins"] += 1
                one["won"] += Fraction(1, len(game.winners))
            if game.seats[seat].violations is not None:
                one["judged"] += 1
                one["violations"] += game.seats[seat].violations
    found.pop("", None)
    return dict(found)


@settings(max_examples=80, deadline=None)
@given(st.lists(games(), max_size=5))
def test_every_count_is_that_of_a_plain_count(told: list[PlayedGame]) -> None:
    expected, found = plain(told), tally(told, UTC)
    assert {one.name for one in found} == expected.keys()
    for one in found:
        count = expected[one.name]
        assert (one.games, one.bot, one.wins, one.won) == (count["games"], count["bot"], count["wins"], count["won"])
        assert list(one.places) == [count[f"place {place}"] for place in range(len(one.places))]
        assert sum(one.places) == one.games
        assert (one.steals, one.suffered, one.takes) == (count["steal"], count["suffered"], count["take"])
        assert (one.draws, one.discards) == (count["draw"] + count["discard"], count["discard"])
        assert (one.violations, one.judged) == (count["violations"], count["judged"])
        assert dict(one.categories) == {kind: count[kind] for kind, _ in one.categories} and one.hands == one.games
        assert sum(count for _, count in one.categories) == one.hands
        assert sum(evening.games for evening in one.evenings) == one.games
        assert sum(evening.won for evening in one.evenings) == one.won
    assert sum(one.steals for one in tally(told)) <= sum(move.kind == "steal" for game in told for move in game.moves)


@settings(max_examples=30, deadline=None)
@given(st.lists(games(), min_size=1, max_size=5))
def test_the_average_hand_and_the_best_one_are_of_the_hands_that_were_held(told: list[PlayedGame]) -> None:
    for one in tally(told):
        hands = [seat.hand for game in told for seat in game.seats if seat.name == one.name]
        assert one.beaten == sum(map(beaten, hands)) / len(hands)
        assert value_of(one.best).strength == max(value_of(hand).strength for hand in hands)
        assert one.best in hands


@settings(max_examples=20, deadline=None)
@given(st.lists(games(), max_size=4), st.randoms())
def test_the_order_of_games_changes_no_count(told: list[PlayedGame], random: Random) -> None:
    mixed = random.sample(told, len(told))
    assert [replace(one, best=()) for one in tally(mixed, UTC)] == [replace(one, best=()) for one in tally(told, UTC)]


@settings(max_examples=20, deadline=None)
@given(st.lists(games(), max_size=4))
def test_players_stand_in_the_order_of_what_they_won(told: list[PlayedGame]) -> None:
    found = tally(told)
    assert list(found) == sorted(found, key=lambda one: (-one.won, -one.games, one.name))


def test_an_evening_goes_on_after_midnight() -> None:
    base = PlayedGame("abcd", "steal", "2027-03-02T01:30:00+00:00", 1.0, (), (), (), "rank", ())
    assert base.evening(UTC) == "2027-03-01"
    assert base.evening(timezone(timedelta(hours=5))) == "2027-03-02", "half past six in the morning there"


# ---- how good a hand is -------------------------------------------------------------------------------------------


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


@pytest.mark.parametrize(
    ("hand", "weaker"),
    [
        ("2c 3d 4h 5s 7c", 0),
        ("2c 3d 4h 6s 7c", 1020),
        # All hands without a pair, straight or flush are weaker than the lowest pair: 1 302 540.
        ("2c 2d 3h 4s 5c", 1_302_540),
        ("As Ks Qs Js Ts", 2_598_960 - 4),
        ("Ah Kh Qh Jh Th", 2_598_960 - 4),
        # Below the lowest straight flush lie all but the forty.
        ("Ah 2h 3h 4h 5h", 2_598_960 - 40),
    ],
)
def test_how_many_hands_are_weaker(hand: str, weaker: int) -> None:
    assert beaten(cards(hand)) == Fraction(weaker, 2_598_960)


def test_a_smaller_deck_ranks_hands_in_the_same_order() -> None:
    some = Random(3).sample(DECK, 12)
    hands = sorted(combinations(some, 5), key=lambda hand: value_of(hand).strength)
    parts = [beaten(hand) for hand in hands]
    assert parts == sorted(parts)
    for one, other in pairwise(hands):
        assert (beaten(one) < beaten(other)) == (value_of(one).strength < value_of(other).strength)
