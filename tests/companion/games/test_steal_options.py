"""One test for every option value that changes the table; named after the open questions of the rules (A1 to A34)."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from companion.errors import OptionError
from companion.games.steal_errors import RULES
from companion.games.steal_options import CHOICES, TOLD_ONLY, StealOptions
from companion.games.steal_state import (
    Arrange,
    Draw,
    Forfeit,
    Leave,
    Pass,
    Return,
    Start,
    StealCard,
    StealState,
    Take,
    lock_ends,
)
from companion.rulings import Change, Verdict
from companion.table import slot
from tests.companion.games.stealing import GAME, cards, conserved, dealt, final, lock, play, position, shown


def error(state: StealState, action: Any) -> str | None:
    return GAME.judge(state, action).error


def test_the_defaults_are_the_written_ones() -> None:
    options = GAME.options({})
    assert options == StealOptions()
    for name, choices in CHOICES.items():
        assert getattr(options, name) == choices[0], name
    assert {field.name for field in fields(StealOptions)} == {*CHOICES, "first_seat", "max_turns"}


def test_the_written_rules_name_every_option_value_and_rule() -> None:
    written = (Path(__file__).parents[3] / "docs/five-card-steal.md").read_text()
    wanted = [*CHOICES, "first_seat", "max_turns", *RULES]
    wanted += [value for values in CHOICES.values() for value in values if isinstance(value, str)]
    assert [word for word in wanted if f"`{word}`" not in written] == []


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in CHOICES.items() for value in values])
def test_every_written_value_is_taken(name: str, value: object) -> None:
    assert getattr(GAME.options({name: value}), name) == value


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"arrange": "twice"}, "option 'arrange' of Five Card Steal takes 'once', 'until_start'; found 'twice'"),
        ({"allow_pass": 1}, "option 'allow_pass' of Five Card Steal takes False, True; found 1"),
        ({"allow_pass": "True"}, "option 'allow_pass' of Five Card Steal takes False, True; found 'True'"),
        ({"end_latch": None}, "option 'end_latch' of Five Card Steal takes True, False; found None"),
        ({"final_turns": []}, "option 'final_turns' of Five Card Steal takes 'all_others', 'rest_of_round'; found []"),
        ({"first_seat": 5}, "option 'first_seat' of Five Card Steal takes a whole number from 0 to 4; found 5"),
        ({"first_seat": True}, "option 'first_seat' of Five Card Steal takes a whole number from 0 to 4; found True"),
        ({"max_turns": 0}, "option 'max_turns' of Five Card Steal takes a whole number from 1 to 10000; found 0"),
        ({"max_turns": 2.5}, "option 'max_turns' of Five Card Steal takes a whole number from 1 to 10000; found 2.5"),
    ],
)
def test_other_values_are_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        GAME.options(given)
    assert str(caught.value) == message


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    with pytest.raises(OptionError) as caught:
        GAME.options({"jokers": 2})
    assert str(caught.value).startswith("unknown option 'jokers' of Five Card Steal: expected one of allow_pass, arrange, ")


@pytest.mark.parametrize("name", TOLD_ONLY)
def test_options_that_only_change_what_is_told(name: str) -> None:
    """A5, A6, A7, A16, A21: every value leads from the same deal over the same actions to the same table."""
    games = [play(dealt(**{name: value}), Start(), Draw(0, 1), StealCard(1, 0, 1, 2), Take(2, 3)) for value in CHOICES[name]]
    assert games[0].table == games[1].table
    assert games[0].options != games[1].options


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a1_who_starts(seat: int) -> None:
    assert play(dealt(first_seat=seat), Start()).current == seat


def test_a2_arranging_once_or_until_the_start() -> None:
    order = Arrange(1, (2, 1, 3, 4, 5))
    assert error(play(dealt(), order), order) == "already_arranged"
    again = play(dealt(arrange="until_start"), order, order)
    assert again.table == dealt().table
    assert error(play(again, Start()), order) == "positions_locked"


def test_a3_passing() -> None:
    state = position(options={"allow_pass": True})
    passed = play(state, Pass(0))
    assert (passed.table, passed.turn, passed.current, passed.last_actor) == (state.table, 4, 1, 0)
    assert error(position(), Pass(0)) == "pass_not_allowed"
    assert Pass(0) in list(GAME.legal_actions(state))


def test_a4_who_can_do_nothing_is_passed_over() -> None:
    """The victim of both others may steal from nobody; the pile is empty and so is the row."""
    options = {"steal_back_scope": "player", "pile_empty": "no_draw"}
    locks = (lock(1, 0, "2d", 2), lock(1, 2, "3d", 2))
    state = position(options=options, pile="", turn=3, locks=locks)
    moved = play(state, StealCard(0, 2, 1, 1))
    assert (moved.current, moved.turn, moved.last_actor) == (2, 5, 0)
    free = play(position(options=options, pile="", turn=3, locks=locks[:1]), StealCard(0, 2, 1, 1))
    assert (free.current, free.turn) == (1, 4)


def test_a4_a_final_turn_without_a_legal_action_is_passed_over() -> None:
    options = {"final_steal": "none", "final_overflow": "no_draw"}
    state = final(4, row="9c", pile="", options=options, final_left=(0, 1, 2), current=0)
    over = play(state, Take(0, 1))
    assert (over.phase, over.current, over.turn) == ("over", None, state.turn + 3)


SCOPES = {
    # victim 0 lost 4h to seat 2; seat 1 holds nothing of it.  (0 takes it back, 0 takes another of 2's cards, 1 takes it)
    "card_from_thief": ("steal_back_locked", None, None),
    "card_any_holder": ("steal_back_locked", None, None),
    "player": ("steal_back_locked", "steal_back_locked", None),
    "card_frozen": ("steal_back_locked", None, "steal_back_locked"),
}


@pytest.mark.parametrize("scope", SCOPES)
def test_a9_what_may_not_be_stolen_back(scope: str) -> None:
    locks = (lock(0, 2, "4h", 2),)
    mine = position(options={"steal_back_scope": scope}, locks=locks)
    other = position(options={"steal_back_scope": scope}, locks=locks, current=1, last_actor=0, turn=4)
    found = (error(mine, StealCard(0, 2, 3, 1)), error(mine, StealCard(0, 2, 1, 1)), error(other, StealCard(1, 2, 3, 1)))
    assert found == SCOPES[scope]


@pytest.mark.parametrize(
    ("scope", "expected"),
    [("card_from_thief", None), ("card_any_holder", "steal_back_locked"), ("player", None), ("card_frozen", "steal_back_locked")],
)
def test_a9_when_the_card_has_moved_on(scope: str, expected: str | None) -> None:
    """Seat 1 has it now; the lock was made against seat 2."""
    state = position(options={"steal_back_scope": scope}, locks=(lock(0, 2, "4d", 2),))
    assert error(state, StealCard(0, 1, 3, 1)) == expected


def test_a10_a_rotation_or_a_complete_round() -> None:
    """Seat 1 steals from seat 0 in turn 1: after one rotation seat 0 is free in turn 6, with whole rounds too late."""
    for wait, ends in (("rotation", 4), ("complete_round", 6)):
        state = position(options={"steal_back_wait": wait}, turn=1, current=1, last_actor=0)
        stolen = play(state, StealCard(1, 0, 3, 1))
        assert lock_ends(stolen, stolen.locks[0]) == ends
    back = StealCard(2, 1, 1, 2)
    for wait, expected in (("rotation", None), ("complete_round", "steal_back_locked")):
        state = position(options={"steal_back_wait": wait}, turn=1, current=1, last_actor=0)
        state = play(state, StealCard(1, 2, 3, 1), Draw(2, None), Draw(0, None), Draw(1, None))
        assert (state.turn, error(state, back)) == (5, expected)


@pytest.mark.parametrize(("lock_given", "expected"), [(False, None), (True, "steal_back_locked")])
def test_a12_the_card_that_the_thief_gave(lock_given: bool, expected: str | None) -> None:
    """Under whole rounds the thief's next turn may come too early to take his own card back."""
    options = {"lock_given_card": lock_given, "steal_back_wait": "complete_round"}
    state = play(position(options=options), StealCard(0, 2, 3, 1), Draw(1, None), Draw(2, None))
    assert error(state, StealCard(0, 2, 3, 1)) == expected
    assert [held.kind for held in state.locks] == ["stolen", "given"][: 1 + lock_given]


def test_a12_makes_no_difference_with_a_rotation() -> None:
    state = play(position(options={"lock_given_card": True}), StealCard(0, 2, 3, 1), Draw(1, None), Draw(2, None))
    assert error(state, StealCard(0, 2, 3, 1)) is None


@pytest.mark.parametrize(("count", "phase"), [("in_row", "play"), ("cumulative", "final")])
def test_a17_whether_a_take_moves_the_end_away(count: str, phase: str) -> None:
    state = position(row="9c 9d 9h 9s", options={"end_count": count})
    assert play(state, Take(0, 1), Draw(1, None)).phase == phase


@pytest.mark.parametrize(
    ("value", "phase", "pile"),
    [("end_final", "final", 0), ("no_draw", "play", 0), ("end_now", "over", 0), ("recycle_removed", "play", 2)],
)
def test_a19_the_pile_runs_out(value: str, phase: str, pile: int) -> None:
    state = position(pile="Kd", removed="Ts Tc", options={"pile_empty": value})
    moved = play(state, Draw(0, 1))
    assert (moved.phase, len(moved.table.pile), len(moved.table.removed)) == (phase, pile, 2 - pile)
    assert moved.ender == (0 if phase != "play" else None)


def test_a19_nothing_to_recycle() -> None:
    assert play(position(pile="Kd", options={"pile_empty": "recycle_removed"}), Draw(0, 1)).phase == "final"


def test_a19_without_drawing_the_game_goes_on() -> None:
    state = play(position(pile="Kd", options={"pile_empty": "no_draw"}), Draw(0, 1))
    assert error(state, Draw(1, 1)) == "pile_empty"
    assert error(state, StealCard(1, 0, 1, 1)) is None


@pytest.mark.parametrize(("limit", "phase"), [(None, "play"), (4, "over"), (5, "play")])
def test_a20_a_limit_of_turns(limit: int | None, phase: str) -> None:
    moved = play(position(options={"max_turns": limit}), StealCard(0, 1, 1, 1))
    assert (moved.phase, moved.turn) == (phase, 4)


def test_a20_final_turns_are_played_out() -> None:
    assert play(final(options={"max_turns": 4}, turn=6), Draw(0, 1)).phase == "final"


@pytest.mark.parametrize(("see", "expected"), [(False, "peek"), (True, None)])
def test_a22_whether_a_stolen_card_may_be_seen(see: bool, expected: str | None) -> None:
    state = position(options={"hard_mode": True, "hard_see_stolen": see})
    stolen = play(state, StealCard(0, 2, 3, 1))
    look = shown(stolen)
    assert GAME.explain(stolen, Change(look.mats, look.row, (slot(0, 1),))).error == expected
    assert GAME.explain(stolen, Change(look.mats, look.row, (slot(0, 2),))).error == "peek", "any other card may not"


@pytest.mark.parametrize(
    ("value", "first", "left"), [("all_others", 0, (2, 3, 0)), ("rest_of_round", 0, (2, 3)), ("rest_of_round", 3, (2,))]
)
def test_a23_who_has_final_turns(value: str, first: int, left: tuple[int, ...]) -> None:
    state = position(4, "9c 9d 9h 9s", options={"final_turns": value, "first_seat": first}, current=1, last_actor=0, turn=5)
    assert play(state, Draw(1, 1)).final_left == left


def test_a23_the_last_of_a_round_ends_the_game_at_once() -> None:
    state = position(3, "9c 9d 9h 9s", options={"final_turns": "rest_of_round"}, current=2, last_actor=1, turn=5)
    moved = play(state, Draw(2, 1))
    assert (moved.phase, moved.current, moved.ender) == ("over", None, 2)


@pytest.mark.parametrize(
    ("value", "from_ender", "from_other"),
    [
        ("any", None, None),
        ("not_ender", "ender_protected", None),
        ("none", "steal_not_allowed_in_final", "steal_not_allowed_in_final"),
    ],
)
def test_a24_stealing_in_the_final_turns(value: str, from_ender: str | None, from_other: str | None) -> None:
    state = final(options={"final_steal": value})
    assert error(state, StealCard(0, 2, 1, 1)) == from_ender
    assert error(state, StealCard(0, 1, 1, 1)) == from_other


@pytest.mark.parametrize(("value", "row", "removed"), [("row", 6, 0), ("removed", 5, 1)])
def test_a25_a_discard_that_finds_the_row_full(value: str, row: int, removed: int) -> None:
    state = final(options={"final_overflow": value})
    for action in (Draw(0, 1), Draw(0, None)):
        moved = play(state, action)
        assert (len(moved.table.row), len(moved.table.removed)) == (row, removed)
        assert moved.phase == "final", "there is no second end"
        assert conserved(moved)


def test_a25_no_drawing_on_a_full_row() -> None:
    state = final(options={"final_overflow": "no_draw"})
    assert error(state, Draw(0, 1)) == "row_full"
    assert error(play(state, Take(0, 1)), Draw(1, 1)) is None, "a take makes room"


def test_a25_a_replaced_card_that_leaves_the_game_is_recognised() -> None:
    state = final(options={"final_overflow": "removed"})
    ruling = GAME.explain(state, shown(state, s0_2="Kd"))
    assert (ruling.verdict, ruling.action) == (Verdict.LEGAL, Draw(0, 2))


@pytest.mark.parametrize(("latch", "phase", "ender"), [(True, "final", 2), (False, "play", None)])
def test_a26_taking_the_fifth_card(latch: bool, phase: str, ender: int | None) -> None:
    moved = play(final(options={"end_latch": latch}), Take(0, 1))
    assert (moved.phase, moved.ender, moved.current) == (phase, ender, 1)


@pytest.mark.parametrize(("value", "winners"), [("suit_significant", (1,)), ("suit_highest_card", (0,)), ("share", (0, 1))])
def test_a27_equal_hands(value: str, winners: tuple[int, ...]) -> None:
    hands = ("4h 4d As Td 8c", "4s 4c Ah Tc 8s", "2c 3d 5h 7s 9c")
    result = GAME.result(position(hands=hands, phase="over", current=None, options={"tie_break": value}))
    assert result is not None
    assert result.winners == winners
    assert result.reason == ("tie" if value == "share" else "suit")


def test_a28_a_lost_turn() -> None:
    state = position(options={"penalty": "lose_turn"})
    lost = play(state, Forfeit(0))
    assert (lost.table, lost.current, lost.turn, lost.last_actor) == (state.table, 1, 4, 0)
    assert Forfeit(0) not in list(GAME.legal_actions(state)), "nobody chooses it"


def test_a32_a_leaver_is_passed_over_and_may_be_stolen_from() -> None:
    state = play(position(4), Leave(1), Draw(0, None))
    assert (state.current, state.turn, state.away) == (2, 6, (1,)), "a turn that is passed over counts"
    assert error(state, StealCard(2, 1, 1, 1)) is None
    back = play(state, Return(1), Draw(2, None), Draw(3, None), Draw(0, None))
    assert back.current == 1


def test_a32_a_leaver_in_his_own_turn() -> None:
    before = position(4, "9c")
    assert play(before, Leave(0)).current == 1
    assert play(before, Leave(0)).table == before.table
    holding = play(before, Leave(0, drawn=True))
    assert holding.table.row == (*cards("9c"), before.table.pile[0])
    assert (holding.current, holding.turn, holding.last_actor) == (1, 5, 0)


def test_a32_his_locks_run_on() -> None:
    state = play(position(5), StealCard(0, 2, 3, 1), Leave(1))
    assert error(state, StealCard(2, 0, 1, 1)) == "steal_back_locked"
    state = play(state, Draw(2, None), Draw(3, None), Draw(4, None), Draw(0, None))
    assert error(state, StealCard(2, 0, 1, 1)) is None


def test_a32_the_final_turns_come_after_those_who_are_left() -> None:
    state = play(final(5), Leave(1))
    assert state.final_left == (0, 2, 3)
    state = play(state, Draw(0, 1), Leave(2), Draw(3, 1))
    assert (state.phase, state.unranked) == ("over", False)
    assert GAME.result(state) is not None


def test_a32_too_few_players_end_the_game_unranked() -> None:
    ended = play(position(3), Leave(1)), play(position(4), Leave(1), Leave(2))
    aborted = play(position(5, options={"leaver": "abort"}), Leave(3))
    for state in (*ended, aborted):
        assert (state.phase, state.current, state.unranked) == ("over", None, True)
        assert GAME.result(state) is None


def test_a32_leaving_before_the_start() -> None:
    state = play(dealt(4), Leave(0), Start())
    assert state.current == 1
    assert GAME.seated(state, 0, away=False).away == ()
    assert GAME.seated(state, 0, away=True) == state, "he has left already"
