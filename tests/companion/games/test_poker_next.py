"""From hand to hand: a dead button, and a pot that nobody has won with somebody all-in for it."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from companion.cards import DECK, Card
from companion.errors import OptionError
from companion.games import find_game
from companion.games.poker_acts import Check, Discard, Fold, Wager
from companion.games.poker_state import PokerState
from companion.views import PotView
from tests.companion.games.test_poker_session import LOW, randomly

DRAW: Any = find_game("draw")
BLINDS = {"small_blind": 1, "big_blind": 2, "button": "dead"}


def after_folds(options: Any, stacks: str) -> Any:
    """The options of the next hand after one that ended with these chips."""
    state: PokerState = DRAW.opened(DRAW.start(len(stacks.split()), options, DECK))
    while state.phase != "over":
        state = DRAW.after(state, Fold(state.current))
    return replace(DRAW.next_options(with_stacks(state, stacks)), stacks=stacks)


def with_stacks(state: PokerState, stacks: str) -> PokerState:
    """The same end, but for who has how much: the winner's chips come on top."""
    chips = tuple(map(int, stacks.split()))
    pot = state.hand.pot
    winner = state.hand.live.index(True)
    left = [chips[seat] - (pot if place == winner else 0) for place, seat in enumerate(state.order)]
    return replace(state, hand=replace(state.hand, stacks=tuple(left)))


def places(options: Any) -> tuple[int, int | None, int | None]:
    """Who deals, pays the small blind and pays the big one; None for a small blind that nobody pays."""
    state = DRAW.start(5, options, DECK)
    paid = {seat: state.hand.betting.bets[place] for place, seat in enumerate(state.order)}
    small = next((seat for seat, chips in paid.items() if chips == 1), None)
    return DRAW.public(state).chips.dealer, small, next(seat for seat, chips in paid.items() if chips == 2)


@pytest.mark.parametrize(
    ("gone", "following"),
    [
        # Seat 0 dealt, 1 paid the small blind and 2 the big one.
        ((), [(1, 2, 3), (2, 3, 4), (3, 4, 0)]),
        ((0,), [(1, 2, 3), (2, 3, 4), (3, 4, 1)]),
        ((1,), [(1, 2, 3), (2, 3, 4), (3, 4, 0)]),
        ((2,), [(1, None, 3), (2, 3, 4), (3, 4, 0)]),
        ((1, 2), [(1, None, 3), (2, 3, 4), (3, 4, 0)]),
        ((3,), [(1, 2, 4), (2, 4, 0), (4, 0, 1)]),
        ((2, 3), [(1, None, 4), (2, 4, 0), (4, 0, 1)]),
        ((0, 1, 4), [(2, 2, 3), (3, 3, 2), (2, 2, 3)]),
        ((0, 1, 2), [(4, 4, 3), (3, 3, 4), (4, 4, 3)]),
    ],
)
def test_a_dead_button_moves_deal_and_blinds_by_one_place_each(
    gone: tuple[int, ...], following: list[tuple[int, int | None, int]]
) -> None:
    options = DRAW.options({**BLINDS, "stacks": "40 40 40 40 40", "dealer": 0})
    assert places(options) == (0, 1, 2)
    stacks = " ".join("0" if seat in gone else "50" for seat in range(5))
    found = []
    for _ in range(3):
        options = after_folds(options, stacks)
        found.append(places(options))
    assert found == following


def test_with_a_dead_button_everybody_pays_the_big_blind_in_turn() -> None:
    rng = random.Random(9)
    dead = 0
    for _ in range(30):
        options = DRAW.options({**BLINDS, "stacks": "4 40 3 40 5"})
        paid: int | None = None
        while True:
            state = randomly(DRAW, options, 5, rng)
            big = state.order[state.hand.big_blind]
            if paid is not None:
                between = [(paid + step) % 5 for step in range(1, (big - paid) % 5 or 5)]
                assert big != paid and not set(between) & set(state.order), "nobody is passed over, nobody pays twice running"
            paid, dead = big, dead + state.hand.terms.dead_small
            options = DRAW.next_options(state)
            if options.hand == 1:
                break
    assert dead > 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"dead_small": 1}, "option 'dead_small' of Five-Card Draw needs blinds and a dead button"),
        ({"claims": "3 3"}, "option 'claims' of Five-Card Draw is part of 'carry_pot', 0; found '3 3'"),
    ],
)
def test_places_and_claims_that_cannot_be_are_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError) as error:
        DRAW.options(given)
    assert str(error.value) == said


# ---- jacks or better: nobody opens -----------------------------------------------------------------------------------

SHORT: dict[str, Any] = {"openers": True, "ante": 4, "stacks": "40 2 40", "bought": "27 28 27"}


def undecided(options: Any) -> PokerState:
    """A hand in which nobody opens."""
    low = tuple(Card.parse(text) for text in LOW.split())
    state: PokerState = DRAW.opened(DRAW.start(3, options, (*low, *(card for card in DECK if card not in low))))
    while state.phase != "over":
        state = DRAW.after(state, Check(state.current))
    assert state.hand.phase == "redeal"
    return state


def test_who_is_all_in_when_nobody_opens_plays_on_for_what_he_has_put_in() -> None:
    state = undecided(DRAW.options(SHORT))
    assert DRAW.public(state).chips.pots == (PotView(6, (0, 1, 2)), PotView(4, (0, 2)))
    options = DRAW.next_options(state)
    assert (options.stacks, options.carry_pot, options.claims) == ("36 0 36", 10, "4 2 4")
    again = DRAW.start(3, options, DECK)
    chips = DRAW.public(again).chips
    assert (again.order, chips.out, chips.all_in) == ((0, 1, 2), (), (1,))
    assert chips.pots == (PotView(6, (0, 1, 2)), PotView(12, (0, 2))), "he has no part of the second ante"


def test_he_wins_as_much_from_each_as_he_has_put_in() -> None:
    options = DRAW.next_options(undecided(DRAW.options(SHORT)))
    hands = ["2c", "3d", "5h", "7s", "9c", "As", "Ah", "Ad", "Ac", "2d", "Ks", "Kh", "2h", "3h", "5c"]
    dealt = tuple(Card.parse(hands[5 * seat + number]) for number in range(5) for seat in range(3))
    state = DRAW.opened(DRAW.start(3, options, (*dealt, *(card for card in DECK if card not in dealt))))
    state = DRAW.after(DRAW.after(state, Check(0)), Wager(2, 10, "bet"))
    state = DRAW.after(state, Fold(0))
    for seat in (1, 2):
        state = DRAW.after(state, Discard(seat))
    result = DRAW.result(state)
    assert (result.winners, result.won, result.stacks) == ((1, 2), (0, 6, 22), (32, 6, 44))
    following = DRAW.next_options(state)
    assert (following.carry_pot, following.claims, following.stacks) == (0, "", "32 6 44")


def checking(options: Any, rng: random.Random) -> PokerState:
    """A whole hand that is rarely opened."""
    state: PokerState = DRAW.opened(DRAW.start(4, options, tuple(rng.sample(DECK, 52))))
    while state.phase != "over":
        actions = list(DRAW.legal_actions(state))
        calm = [action for action in actions if isinstance(action, Check)]
        state = DRAW.after(state, rng.choice(calm if calm and rng.random() < 0.9 else actions))
    return state


def test_no_chip_is_lost_over_hands_that_nobody_opens() -> None:
    rng = random.Random(4)
    carried = 0
    for _ in range(12):
        options = DRAW.options({"openers": True, "ante": 3, "stacks": "2 20 5 13"})
        for _ in range(6):
            state = checking(options, rng)
            result = DRAW.result(state)
            options = DRAW.next_options(state)
            assert sum(result.stacks) + (options.carry_pot if not result.winners else 0) == 40
            assert sum(map(int, options.claims.split())) in (0, options.carry_pot)
            carried += bool(options.claims)
    assert carried > 3
