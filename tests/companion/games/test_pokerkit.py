"""Random hands in lockstep with PokerKit: the same actor, the same legal amounts, the same stacks."""

from __future__ import annotations

import random

import pytest

from tests.companion.games.lockstep import CONFIGURATIONS, pair_of

SHORT, LONG = 60, 20_000


def play(name: str, hands: int) -> int:
    """So many hands of a configuration; how many had an all-in for less than a full raise."""
    short = 0
    for seed in range(hands):
        rng = random.Random(f"{name} {seed}")
        pair = pair_of(CONFIGURATIONS[name], rng)
        pair.play(rng)
        short += pair.ever_short
    return short


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_hands_in_lockstep(name: str) -> None:
    # Not every hand may fall under what is set aside.
    assert play(name, SHORT) < SHORT / 2


@pytest.mark.long
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_many_hands_in_lockstep(name: str) -> None:
    assert play(name, LONG) < LONG / 2
