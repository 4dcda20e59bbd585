"""A session of hands: chips that everybody sees, results, the next deal."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from companion.cards import DECK, Card
from companion.games import find_game
from companion.games.poker_acts import Call, Check, Declare, Discard, Fold, Wager
from companion.games.poker_state import PokerState
from companion.views import PotView

DRAW: Any = find_game("draw")
STUD: Any = find_game("stud")


def begun(game: Any, seats: int = 3, **options: Any) -> PokerState:
    state: PokerState = game.opened(game.start(seats, game.options(options), DECK))
    return state


def folded(game: Any, options: Any, seats: int = 3) -> PokerState:
    """A hand in which everybody but the last to act gives up."""
    state: PokerState = game.opened(game.start(seats, options, DECK))
    while state.phase != "over":
        state = game.after(state, Fold(state.current))
    return state


def randomly(game: Any, options: Any, seats: int, rng: random.Random) -> PokerState:
    """A whole hand in which everybody does anything."""
    state: PokerState = game.opened(game.start(seats, options, tuple(rng.sample(DECK, 52))))
    while state.phase != "over":
        actions = [action for action in game.legal_actions(state) if rng.random() < 0.3 or not isinstance(action, Fold)]
        state = game.after(state, rng.choice(actions))
    return state


def test_bets_lie_before_the_players_until_the_round_is_over() -> None:
    state = DRAW.after(begun(DRAW, stacks="50 20 50"), Wager(0, 10, "bet"))
    chips = DRAW.public(state).chips
    assert (chips.stacks, chips.bets, chips.pots) == ((39, 19, 49), (10, 0, 0), (PotView(3, (0, 1, 2)),))
    state = DRAW.after(DRAW.after(state, Wager(1, 19, "raise")), Call(2))
    state = DRAW.after(state, Wager(0, 30, "raise"))
    state = DRAW.after(state, Call(2))
    chips = DRAW.public(state).chips
    assert chips.bets == (0, 0, 0) and chips.all_in == (1,)
    assert chips.pots == (PotView(60, (0, 1, 2)), PotView(22, (0, 2)))


def test_who_wins_because_all_others_fold_shows_nothing() -> None:
    state = folded(DRAW, DRAW.options({}))
    result = DRAW.result(state)
    assert (result.reason, result.winners, result.won, result.stacks) == ("folded", (2,), (0, 0, 3), (199, 199, 202))
    assert result.categories == ("", "", "") and DRAW.to_show(state) == ()
    assert DRAW.public(state).chips.stacks == (199, 199, 199), "what was won belongs to the result"


def test_a_showdown_names_the_hands_that_were_shown() -> None:
    state = begun(DRAW)
    state = DRAW.after(DRAW.after(DRAW.after(state, Fold(0)), Check(1)), Check(2))
    for seat in (1, 2):
        state = DRAW.after(state, Discard(seat))
    for seat in (1, 2):
        state = DRAW.after(state, Check(seat))
    result = DRAW.result(state)
    assert {place.seat for place in DRAW.to_show(state)} == {1, 2}
    assert [bool(category) for category in result.categories] == [False, True, True]
    assert result.order == (2, 1, 0) and result.winners == (2,)
    assert DRAW.public(state).chips.shows == 1
    hidden = replace(state, table=replace(state.table, hands=((None,) * 5, (None,) * 5, (None,) * 5)))
    assert DRAW.result(hidden) is None


def test_the_next_hand_carries_stacks_and_moves_the_deal() -> None:
    options = DRAW.options({})
    dealers, hands = [], []
    for _ in range(4):
        state = folded(DRAW, options)
        options = DRAW.next_options(state)
        dealers.append(options.dealer)
        hands.append(options.hand)
        assert DRAW.options({name: getattr(options, name) for name in options.__dataclass_fields__}) == options
    assert dealers == [0, 1, 2, 0] and hands == [2, 3, 4, 5]
    assert options.stacks == "199 199 202"
    assert DRAW.public(DRAW.start(3, options)).chips.score == (-1, -1, 2)


def test_every_fifth_hand_is_noted_down() -> None:
    options = DRAW.options({})
    for _ in range(10):
        options = DRAW.next_options(folded(DRAW, options))
    log = DRAW.public(DRAW.start(3, options)).chips.log
    assert [number for number, _ in log] == [5, 10]
    assert all(sum(chips) == 600 for _, chips in log)


def test_a_player_out_of_chips_is_out() -> None:
    options = DRAW.options({"stacks": "50 0 50", "bought": "40 20 40"})
    state = DRAW.start(3, options, DECK)
    assert state.order == (0, 2) and state.table.hands[1] == (None,) * 5
    chips = DRAW.public(state).chips
    assert (chips.out, chips.score) == ((1,), (10, -20, 10))
    assert DRAW.judge(state, Check(1)).error == "not_your_turn"
    assert list(DRAW.choices(state, 1, False)) == []


def test_when_one_has_all_chips_they_are_dealt_out_anew() -> None:
    state = begun(DRAW, stacks="1 1 1", bought="9 9 9", hand=7, log="5: 1 1 1")
    for seat in range(3):
        # All of them are all-in after the ante.
        state = DRAW.after(state, Discard(seat))
    assert state.phase == "over"
    options = DRAW.next_options(state)
    assert (options.stacks, options.hand, options.log) == ("9 9 9", 1, "")


LOW = "2c 3c 2d 3d 4h 5h 6s 7s 8c 9c 2h 3h 4s 5s 7d"


def test_where_nobody_opens_the_pot_is_carried_and_the_same_one_deals() -> None:
    low = tuple(Card.parse(text) for text in LOW.split())
    deck = (*low, *(card for card in DECK if card not in low))
    for dealer, option in ((2, "same"), (0, "next")):
        state = DRAW.opened(DRAW.start(3, DRAW.options({"openers": True, "redeal_dealer": option}), deck))
        for seat in range(3):
            state = DRAW.after(state, Check(seat))
        result = DRAW.result(state)
        assert (result.reason, result.winners, result.stacks) == ("redeal", (), (199, 199, 199))
        options = DRAW.next_options(state)
        assert (options.carry_pot, options.dealer, options.hand) == (3, dealer, 1)
        assert DRAW.public(DRAW.start(3, options)).chips.pots == (PotView(6, (0, 1, 2)),)


def test_a_hand_without_a_result_is_void() -> None:
    state = DRAW.after(begun(DRAW, hand=3), Wager(0, 20, "bet"))
    options = DRAW.next_options(state)
    assert (options.stacks, options.dealer, options.hand) == ("200 200 200", None, 3)


@pytest.mark.parametrize(("button", "dealer"), [("moving", 2), ("dead", 1)])
def test_the_deal_passes_who_is_out_or_by_house_rule_does_not(button: str, dealer: int) -> None:
    options = DRAW.options({"stacks": "40 1 40 40", "dealer": 0, "button": button})
    rng = random.Random(1)
    state = randomly(DRAW, options, 4, rng)
    while DRAW.result(state).stacks[1] or sum(chips > 0 for chips in DRAW.result(state).stacks) < 3:
        state = randomly(DRAW, options, 4, rng)
    assert DRAW.next_options(state).dealer == dealer


def test_nobody_pays_the_big_blind_twice_running() -> None:
    rng = random.Random(5)
    seen = 0
    for _ in range(40):
        options = DRAW.options({"small_blind": 1, "big_blind": 2, "stack": 6})
        before: int | None = None
        while True:
            state = randomly(DRAW, options, 3, rng)
            big = state.order[0] if len(state.order) == 2 else state.order[1]
            assert big != before
            seen += len(state.order) == 2
            before = big
            options = DRAW.next_options(state)
            if options.hand == 1:
                break
    assert seen > 20


@pytest.mark.parametrize("name", ["draw", "stud", "casino-stud"])
def test_no_session_loses_a_chip(name: str) -> None:
    game: Any = find_game(name)
    rng = random.Random(name)
    for seats in (2, 3, 5):
        options = game.options({"stack": 30})
        for _ in range(12):
            state = randomly(game, options, seats, rng)
            result = game.result(state)
            assert sum(result.stacks) == 30 * seats
            assert set(result.winners) <= {seat for seat, chips in enumerate(result.won) if chips}
            options = game.next_options(state)


def test_high_and_low_are_declared_before_anybody_knows_what_others_go_for() -> None:
    state = begun(STUD, eval="hilo", last_down=True)
    while not STUD.public(state).waits:
        state = STUD.after(state, Check(state.current))
    assert STUD.public(state).waits == "declare"
    first = next(iter(STUD.legal_actions(state)))
    declared = STUD.after(state, first)
    assert STUD.public(declared).chips.declared == () == STUD.public(state).chips.declared
    assert STUD.move_view(first).kind == "declare"
    assert {choice.kind for choice in STUD.choices(declared, 1, True)} == {"declare_high", "declare_low"}
    clockwise = begun(STUD, eval="hilo", declare="clockwise_from_last_bettor")
    while clockwise.hand.phase != "declare":
        clockwise = STUD.after(clockwise, Check(clockwise.current))
    assert STUD.actors(clockwise) == (clockwise.current,) and STUD.public(clockwise).waits == ""


@pytest.mark.parametrize("alone", ["high", "low"])
def test_who_alone_goes_for_one_half_wins_it_and_gets_nothing_back(alone: str) -> None:
    other = "low" if alone == "high" else "high"
    state = begun(STUD, eval="hilo")
    while state.hand.phase != "declare":
        state = STUD.after(state, Check(state.current))
    pot = state.hand.pot
    for seat in range(state.seats):
        state = STUD.after(state, Declare(seat, alone if seat == 1 else other))
    result = STUD.result(state)
    assert result is not None
    assert 1 in result.winners and len(result.winners) > 1
    assert result.won[1] == (pot - pot // 2 if alone == "high" else pot // 2)


def test_other_house_rules_are_judged_by_afterwards() -> None:
    state = begun(DRAW)
    other = DRAW.under(state, DRAW.options({"draw_max": 1, "ante": 5}))
    assert other.hand.terms.draw_max == 1 and other.hand.terms.ante == 1
    assert (DRAW.unshown("draw_max"), DRAW.unshown("ante"), DRAW.unshown("button")) == ("", "deal", "told")
