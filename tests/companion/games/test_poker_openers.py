"""Jacks or better where no camera looks: whoever has opened proves it in the end, or his hand cannot win."""

from __future__ import annotations

from typing import Any

import pytest

from companion.cards import DECK, Card, Held, Unknown
from companion.games import find_game
from companion.games.poker_acts import Announce, Call, Check, Discard, Fold, Split, Wager
from companion.games.poker_openers import are_openers, has_pair_of_jacks
from companion.games.poker_state import PokerState
from companion.table import slot

DRAW: Any = find_game("draw")


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


def opened(**options: Any) -> PokerState:
    """Anna has opened for 5 with cards that nobody has read, and Ben has called; Cleo has folded."""
    state: PokerState = DRAW.opened(DRAW.start(3, DRAW.options({"openers": True, **options})))
    for action in (Wager(0, 5, "bet"), Call(1), Fold(2)):
        assert DRAW.judge(state, action).error is None
        state = DRAW.after(state, action)
    return state


def done(state: PokerState, *actions: Any) -> PokerState:
    for action in actions:
        assert DRAW.judge(state, action).error is None, action
        state = DRAW.after(state, action)
    return state


def shown(state: PokerState, seat: int, text: str) -> PokerState:
    """The seat's cards are tapped in."""
    for number, card in enumerate(cards(text), 1):
        held = state.table.at(slot(seat, number))
        assert isinstance(held, Unknown)
        state = DRAW.learn(state, held, card)
    return state


def ended(first: tuple[Any, ...], anna: str, ben: str = "7s 7d 2d 3c 4c") -> PokerState:
    state = done(opened(), *first, Discard(1), Check(0), Check(1))
    return shown(shown(state, 0, anna), 1, ben)


@pytest.mark.parametrize(
    ("held", "are"),
    [
        ("Js Jd 2c 3c 4c", True), ("Ts Td 2c 3c 4c", False), ("2s 2d 3c 3s 4c", True), ("2s 3s 4s 5s 6d", True),
        ("As Kd Qc Js 9c", False), ("As Ad", None), ("", None),
    ],
)  # fmt: skip
def test_what_it_takes_to_open(held: str, are: bool | None) -> None:
    assert are_openers(cards(held)) is are


@pytest.mark.parametrize(
    ("held", "sure"),
    [("Js Jd", True), ("Ts Td", False), ("2s 2d 3c 3s", True), ("2s 2d 2c", True), ("As Kd Qc Js", False),
     ("2s 3s 4s 5s", False)],
)  # fmt: skip
def test_some_cards_prove_it_whatever_the_others_are(held: str, sure: bool) -> None:
    known: tuple[Held, ...] = (*cards(held), Unknown(7))
    assert has_pair_of_jacks(known) is sure


def test_kept_openers_prove_themselves_at_the_showdown() -> None:
    result = DRAW.result(ended((Discard(0, (3, 4, 5)),), "Ks Kd 2c 3d 4h"))
    assert (result.reason, result.winners, result.won) == ("rank", (0,), (13, 0, 0))


def test_a_hand_that_shows_no_openers_cannot_win() -> None:
    # The aces came with the draw: only the queen of spades and two low cards were there when Anna opened.
    result = DRAW.result(ended((Discard(0, (1, 2)),), "As Ad Qs 3d 4h"))
    assert (result.reason, result.winners, result.won, result.stacks) == ("no_openers", (1,), (0, 13, 0), (194, 207, 199))
    assert result.categories == ("one pair", "one pair", "")


def test_openers_that_were_kept_whole_are_judged_by_all_five_cards() -> None:
    assert DRAW.result(ended((Discard(0),), "2s 3s 4s 5s 6d")).winners == (0,), "a straight"
    assert DRAW.result(ended((Discard(0),), "Ts Td As Ks Qd")).winners == (1,), "tens are no openers, and beat sevens"


def test_whoever_splits_his_openers_says_so_first() -> None:
    state = opened()
    assert Split(0) in {choice.action for choice in DRAW.choices(state, 0, False)}
    assert DRAW.judge(state, Split(1)).error == "drew_out_of_turn"
    split = done(state, Split(0))
    assert DRAW.judge(split, Split(0)).error == "bad_action" and split.current == 0 and split.turn == state.turn
    assert Split(0) not in {choice.action for choice in DRAW.choices(split, 0, False)}
    result = DRAW.result(ended((Split(0), Discard(0, (1, 2))), "As Ad Qs 3d 4h"))
    assert (result.reason, result.winners) == ("rank", (0,)), "what lies aside is looked at by people"


def test_nobody_else_splits_and_nobody_while_there_is_betting() -> None:
    assert DRAW.judge(done(opened(), Discard(0)), Split(1)).error == "bad_action"
    assert DRAW.judge(done(opened(), Discard(0), Discard(1)), Split(0)).error == "draw_not_open"


def test_whoever_wins_without_a_showdown_shows_his_openers() -> None:
    state = done(opened(), Discard(0), Discard(1), Wager(0, 9, "bet"), Fold(1))
    assert DRAW.to_show(state) == tuple(slot(0, number) for number in (1, 2, 3, 4, 5))
    assert DRAW.result(state) is None
    proved = shown(state, 0, "Ks Kd")
    result = DRAW.result(proved)
    assert (result.reason, result.winners, result.won) == ("folded", (0,), (22, 0, 0))
    assert DRAW.to_show(proved) == (), "a pair of kings is enough"


def test_without_openers_and_with_nobody_left_the_pot_stays() -> None:
    state = done(opened(), Discard(0), Discard(1), Wager(0, 9, "bet"), Fold(1))
    state = shown(state, 0, "Ks Qd 2c 3d 4h")
    result = DRAW.result(state)
    assert (result.reason, result.winners, result.won, result.stacks) == ("no_openers", (), (0, 0, 0), (194, 194, 199))
    options = DRAW.next_options(state)
    assert (options.carry_pot, options.stacks, options.claims, options.hand) == (13, "194 194 199", "", 1)


def test_split_openers_and_folded_hands_are_not_shown() -> None:
    split = done(opened(), Split(0), Discard(0, (1, 2)), Discard(1), Wager(0, 9, "bet"), Fold(1))
    assert DRAW.to_show(split) == () and DRAW.result(split).winners == (0,)
    given_up = done(opened(), Discard(0), Discard(1), Fold(0))
    assert DRAW.to_show(given_up) == () and DRAW.result(given_up).winners == (1,)


def test_where_a_camera_has_read_the_cards_nothing_is_owed() -> None:
    order = cards("Js 2c 3c Jd 4d 5d 8h 6h 7h 9s Ts 2s Qc Kc 3s")
    state = DRAW.opened(DRAW.start(3, DRAW.options({"openers": True}), (*order, *(card for card in DECK if card not in order))))
    state = done(state, Wager(0, 5, "bet"))
    assert state.opener is None
    state = done(state, Fold(1), Fold(2))
    assert DRAW.to_show(state) == () and DRAW.result(state).winners == (0,)


def test_announced_counts_go_on_after_a_split() -> None:
    state = done(opened(), Split(0), Announce(0, 2))
    assert DRAW.judge(state, Discard(0, (1,))).error == "wrong_count"
    assert DRAW.judge(state, Discard(0, (1, 4))).error is None


def test_a_split_is_written_and_read() -> None:
    assert DRAW.action_from_json(DRAW.action_to_json(Split(0))) == Split(0)
    assert DRAW.move_view(Split(0)).kind == "split"


def test_what_nobody_has_matched_goes_back_even_to_who_cannot_win() -> None:
    state: PokerState = DRAW.opened(DRAW.start(3, DRAW.options({"openers": True, "stacks": "100 6 100"})))
    state = done(state, Wager(0, 50, "bet"), Call(1), Fold(2), Discard(0), Discard(1))
    state = shown(shown(state, 0, "Ks Qd 2c 3d 4h"), 1, "7s 7d 2d 3c 4c")
    result = DRAW.result(state)
    assert (result.reason, result.winners, result.won, result.stacks) == ("no_openers", (1,), (0, 13, 0), (94, 13, 99))


def test_a_bet_that_nobody_called_goes_back_before_the_pot_is_carried() -> None:
    state: PokerState = DRAW.opened(DRAW.start(2, DRAW.options({"openers": True, "stacks": "100 100"})))
    state = shown(done(state, Wager(0, 99, "bet"), Fold(1)), 0, "Ks Qd 2c 3d 4h")
    assert (DRAW.result(state).winners, DRAW.result(state).stacks) == ((), (99, 99))
    options = DRAW.next_options(state)
    assert (options.stacks, options.carry_pot) == ("99 99", 2)


@pytest.mark.parametrize("most", [0, 2, 3])
def test_whoever_has_announced_more_than_he_may_announces_fewer(most: int) -> None:
    options = DRAW.options({"draw_four_with_ace": "keep", "draw_max": most})
    state: PokerState = DRAW.opened(DRAW.start(2, options, DECK[13:] + DECK[:13]))
    state = done(state, Check(0), Check(1), Announce(0, 4))
    assert DRAW.judge(state, Announce(0, 4)).error == "bad_action"
    fewer = [action for action in DRAW.legal_actions(state) if isinstance(action, Announce)]
    assert [action.count for action in fewer] == list(range(1, most + 1))
    assert any(isinstance(choice.action, Announce) for choice in DRAW.choices(state, 0, True)) == bool(most)
    state = done(state, Announce(0, most), Discard(0, tuple(range(1, most + 1))))
    assert DRAW.judge(state, Announce(0, 1)).error == "drew_out_of_turn"
