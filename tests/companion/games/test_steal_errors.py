"""Every error kind of the rules specification, in the order in which the kinds are tested (1.4)."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from companion.games.steal_errors import RULE_OF, RULES
from companion.games.steal_rules import new_state
from companion.games.steal_state import (
    Arrange,
    ArrangeAll,
    Draw,
    Forfeit,
    Leave,
    Misdeal,
    Pass,
    Return,
    Start,
    StealCard,
    StealState,
    Take,
)
from companion.rulings import Action, Rule, Verdict
from companion.table import slot
from companion.words.rules import ERROR_KINDS
from tests.companion.games.stealing import GAME, final, lock, position


@dataclass(frozen=True, slots=True)
class Shuffle(Action):
    """No action of this game."""


SETUP = new_state(3, GAME.options({}))
PLAY = position(row="9c 9d")
LOCKED = position(locks=(lock(0, 2, "4h", 2),))
OVER = position(phase="over", current=None, ender=2)

CASES: list[tuple[str, StealState, Action]] = [
    # Form comes first, whatever the phase.
    ("bad_action", OVER, Shuffle(9)),
    ("bad_seat", OVER, Draw(3, 9)),
    ("bad_seat", OVER, Draw(-1, 1)),
    ("bad_seat", SETUP, Arrange(3, (1, 1, 1, 1, 1))),
    ("bad_seat", SETUP, Misdeal(3)),
    ("bad_slot", OVER, Draw(0, 6)),
    ("bad_slot", OVER, Draw(0, 0)),
    ("bad_slot", PLAY, Take(1, 6)),
    ("bad_slot", PLAY, StealCard(1, 2, 6, 1)),
    ("bad_slot", PLAY, StealCard(1, 2, 1, 0)),
    ("bad_target", OVER, StealCard(0, 3, 9, 9)),
    ("bad_target", PLAY, StealCard(0, -1, 1, 1)),
    # Then the end and the beginning.
    ("game_over", OVER, Draw(1, 1)),
    ("game_over", OVER, Arrange(0, (1, 1, 3, 4, 5))),
    ("game_over", OVER, Start()),
    ("game_over", OVER, Leave(1)),
    ("not_started", SETUP, Draw(1, None)),
    ("not_started", SETUP, Pass(0)),
    # Then whose turn it is.
    ("ender_acted", final(last_actor=2), Draw(2, 1)),
    ("ender_acted", final(last_actor=2), StealCard(2, 2, 1, 1)),
    ("already_had_final_turn", final(final_left=(1,), current=1, last_actor=0), Take(0, 1)),
    ("not_your_turn", final(5, final_left=(0, 1, 2, 3)), Draw(3, None)),
    ("acted_twice", PLAY, Draw(2, 1)),
    ("not_your_turn", PLAY, Draw(1, 1)),
    ("not_your_turn", PLAY, Pass(1)),
    ("not_your_turn", position(options={"pile_empty": "no_draw"}, pile=""), Draw(1, 1)),
    # Then the action itself.
    ("pile_empty", position(pile="", options={"pile_empty": "no_draw"}), Draw(0, 1)),
    ("pile_empty", final(pile="", options={"final_overflow": "no_draw"}), Draw(0, None)),
    ("row_full", final(options={"final_overflow": "no_draw"}), Draw(0, None)),
    ("take_before_second_turn", position(turn=0, last_actor=None), Take(0, 1)),
    ("row_empty", position(), Take(0, 1)),
    ("steal_from_self", final(options={"final_steal": "none"}), StealCard(0, 0, 1, 2)),
    ("steal_not_allowed_in_final", final(options={"final_steal": "none"}), StealCard(0, 2, 1, 2)),
    ("ender_protected", final(options={"final_steal": "not_ender"}), StealCard(0, 2, 1, 2)),
    ("steal_back_locked", LOCKED, StealCard(0, 2, 3, 2)),
    ("pass_not_allowed", PLAY, Pass(0)),
    ("pass_not_allowed", PLAY, Forfeit(0)),
    # Setting up.
    ("positions_locked", PLAY, Arrange(0, (1, 1, 3, 4, 5))),
    ("positions_locked", PLAY, ArrangeAll(perms=((1, 2, 3, 4, 5),) * 3)),
    ("bad_permutation", position(phase="setup", current=None, arranged=(True,) * 3), Arrange(0, (1, 1, 3, 4, 5))),
    ("bad_permutation", SETUP, Arrange(0, (1, 2, 3, 4))),
    ("bad_permutation", SETUP, ArrangeAll(perms=((1, 2, 3, 4, 5),) * 2)),
    ("already_arranged", position(phase="setup", current=None, arranged=(True,) * 3), Arrange(0, (2, 1, 3, 4, 5))),
    ("already_started", PLAY, Start()),
    ("already_started", PLAY, Misdeal(1)),
    # Coming and going.
    ("bad_seat", position(5, away=(1,)), Leave(1)),
    ("bad_seat", PLAY, Return(1)),
]


@pytest.mark.parametrize(("error", "state", "action"), CASES, ids=lambda value: value if isinstance(value, str) else None)
def test_the_first_error_in_order(error: str, state: StealState, action: Action) -> None:
    ruling = GAME.judge(state, action)
    assert (ruling.verdict, ruling.error, ruling.action, ruling.seat) == (Verdict.ILLEGAL, error, action, action.seat)
    assert ruling.rule is not None
    assert ruling.rule.id == RULE_OF[error]


def test_every_kind_that_needs_no_camera_is_covered() -> None:
    cameras = {
        "not_top_of_row", "removed_card_returned", "duplicate_card", "foreign_card", "wrong_slot", "positions_changed",
        "two_actions", "replaced_card_not_in_row", "slot_empty", "peek", "row_changed", "unexplained_change",
    }  # fmt: skip
    assert {error for error, _, _ in CASES} == set(RULE_OF) - cameras


def test_every_kind_has_a_sentence_and_a_rule() -> None:
    assert set(RULE_OF) == set(ERROR_KINDS)
    assert set(RULE_OF.values()) <= set(RULES)


@pytest.mark.parametrize(
    ("error", "rule"),
    [
        ("not_started", "STEAL-1.2"),
        ("not_your_turn", "STEAL-1.3"),
        ("pile_empty", "STEAL-1.3-draw"),
        ("row_empty", "STEAL-1.3-take"),
        ("steal_from_self", "STEAL-1.3-steal"),
        ("pass_not_allowed", "STEAL-1.3-pass"),
        ("ender_acted", "STEAL-1.3-end"),
        ("bad_slot", "STEAL-1.4"),
        ("steal_back_locked", "STEAL-1.5"),
        ("peek", "STEAL-1.7"),
        ("duplicate_card", "STEAL-1.10-deck"),
        ("positions_changed", "STEAL-1.10-positions"),
        ("replaced_card_not_in_row", "STEAL-1.10-row"),
        ("two_actions", "STEAL-1.10-one"),
    ],
)
def test_the_paragraph_of_a_kind(error: str, rule: str) -> None:
    assert RULE_OF[error] == rule


def test_a_rule_carries_what_its_sentence_needs_and_no_card() -> None:
    assert GAME.judge(PLAY, Draw(1, 1)).rule == Rule("STEAL-1.3", (("current", 0),))
    assert GAME.judge(final(), Draw(2, 1)).rule == Rule("STEAL-1.3-end", (("ender", 2),))
    locked = GAME.judge(LOCKED, StealCard(0, 2, 3, 2))
    assert locked.rule == Rule("STEAL-1.5", (("victim", 0), ("thief", 2), ("turns", 2)))
    assert locked.places == (slot(0, 2), slot(2, 3))
    for error, state, action in CASES:
        rule = GAME.judge(state, action).rule
        assert rule is not None
        assert {name for name, _ in rule.parameters} <= set(RULES[rule.id]), error


def test_an_illegal_action_leaves_the_turn_where_it_was() -> None:
    """A28: judging changes nothing; only by option does an illegal act cost the turn."""
    before = PLAY
    assert GAME.judge(before, Take(2, 1)).verdict is Verdict.ILLEGAL
    assert GAME.penalty(before, GAME.judge(before, Pass(0))) is None
    strict = position(options={"penalty": "lose_turn"})
    lost = GAME.penalty(strict, GAME.judge(strict, Pass(0)))
    assert lost == Forfeit(0)
    assert GAME.after(strict, lost).current == 1
    assert GAME.penalty(strict, GAME.judge(strict, Draw(1, 1))) is None, "somebody else's turn is not taken away"
