"""Five Card Steal: three to five players, five cards each in fixed slots; draw, steal or take until the fifth discard."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.cards import Card, Held, Unknown
from companion.games import steal_explain, steal_json, steal_rules, steal_waiting
from companion.games.base import Game, PublicState, Result
from companion.games.hands import order_hands
from companion.games.margins import Ranked, rank_hands
from companion.games.rulebook import Rulebook
from companion.games.steal_errors import RULE_OF, RULES
from companion.games.steal_options import CHOICES, UNSHOWN, StealOptions, parse_options
from companion.games.steal_rulebook import steal_rulebook
from companion.games.steal_rulings import judged
from companion.games.steal_state import (
    Arrange,
    ArrangeAll,
    Draw,
    Forfeit,
    Leave,
    Lock,
    Misdeal,
    Pass,
    Return,
    Start,
    StealCard,
    StealState,
    Take,
    lock_ends,
    renamed_locks,
)
from companion.rulings import Action, Change, Rule, Ruling
from companion.table import SLOTS, Place, TableState, row, slot
from companion.views import LockView, MoveView

LONGEST_ROW = 9
"""Five discards, and one more in each final turn of four seats."""
RULE_OF_ACTION: Mapping[type[Action], str] = {
    Draw: "STEAL-1.3-draw",
    StealCard: "STEAL-1.3-steal",
    Take: "STEAL-1.3-take",
    Pass: "STEAL-1.3-pass",
    Start: "STEAL-1.2",
    Arrange: "STEAL-1.2",
    ArrangeAll: "STEAL-1.2",
    Misdeal: "STEAL-1.2",
    Leave: "STEAL-1.3-leave",
    Return: "STEAL-1.3-leave",
    Forfeit: "STEAL-1.10",
}
"""The paragraph that allows an action."""


class Steal(Game[StealState]):
    """The rules of Five Card Steal; every method is pure."""

    name = "steal"
    aliases = ("five card steal", "five-card steal")
    seats = range(3, 6)
    asked: Mapping[str, tuple[bool | int | str, ...]] = {
        name: CHOICES[name]
        for name in ("allow_pass", "steal_back_scope", "end_count", "final_turns", "tie_break", "penalty")
    }  # fmt: skip
    strict: Mapping[str, bool | int | str] = {"penalty": "lose_turn"}
    moves = ("draw", "discard", "steal", "take", "pass", "forfeit")
    session = ("first_seat",)
    rules = RULES
    """Rule id -> names of its parameters."""

    def options(self, given: Mapping[str, Any]) -> StealOptions:
        return parse_options(given)

    def start(self, seats: int, options: Any, deck: tuple[Held, ...] | None = None) -> StealState:
        return steal_rules.new_state(seats, options, deck)

    def places(self, seats: int) -> tuple[Place, ...]:
        slots = tuple(slot(seat, number) for seat in range(seats) for number in SLOTS)
        return slots + tuple(row(number) for number in range(1, LONGEST_ROW + 1))

    def legal_actions(self, state: StealState) -> Iterator[Action]:
        return steal_rules.legal_actions(state)

    def judge(self, state: StealState, action: Action) -> Ruling:
        return judged(state, action)

    def rule_of(self, action: Action) -> str:
        return RULE_OF_ACTION.get(type(action), "")

    def rule_against(self, error: str) -> Rule | None:
        return Rule(RULE_OF[error]) if error in RULE_OF else None

    def rulebook(self, seats: int, options: Any) -> Rulebook:
        return steal_rulebook(seats, options)

    def after(self, state: StealState, action: Action) -> StealState:
        return steal_rules.after(state, action)

    def explain(self, state: StealState, change: Change) -> Ruling:
        """As a sitting wants it: sorting before the start is free, and a first turn starts the game (play `Start` before it)."""
        return steal_explain.explain(state, change)

    def explain_without(self, state: StealState, change: Change, ruled_out: Container[Action]) -> Ruling:
        return steal_explain.explain(state, change, ruled_out=ruled_out)

    def explain_strictly(self, state: StealState, change: Change) -> Ruling:
        """As the engine rules, for records: one rearrangement a seat, and nothing else before the start."""
        return steal_explain.explain(state, change, kindly=False)

    def could_become(self, state: StealState, change: Change) -> bool:
        return steal_waiting.could_become(state, change)

    def learn(self, state: StealState, unknown: Unknown, card: Card) -> StealState:
        table = state.table.learned(unknown, card)
        return replace(state, table=table, locks=renamed_locks(state.locks, unknown, card))

    def opened(self, state: StealState) -> StealState:
        return self.after(state, Start()) if state.phase == "setup" else state

    def under(self, state: StealState, options: Any) -> StealState:
        return replace(state, options=options)

    def unshown(self, option: str) -> str:
        return UNSHOWN.get(option, "")

    def redealt(self, state: StealState) -> StealState:
        return self.after(state, Misdeal())

    def laid(self, state: StealState, table: TableState) -> StealState:
        return replace(state, table=table)

    def seated(self, state: StealState, seat: int, away: bool) -> StealState:
        call: Action = Leave(seat) if away else Return(seat)
        return self.after(state, call) if steal_rules.fault(state, call) is None else state

    def invisible(self, state: StealState) -> tuple[Action, ...]:
        if state.current is None:
            return ()
        silent = (Draw(state.current, None), Pass(state.current))
        return tuple(action for action in silent if steal_rules.fault(state, action) is None)

    def public(self, state: StealState) -> PublicState:
        locks = tuple(_lock_view(state, lock) for lock in state.locks if state.turn < lock_ends(state, lock))
        counted = len(state.table.row) if state.options.end_count == "in_row" else state.discards
        return PublicState(state.ender, state.final_left, locks, state.away, counted, steal_rules.END_ROW, state.unranked)

    def move_view(self, action: Action) -> MoveView:
        if isinstance(action, StealCard):
            return MoveView("steal", action.seat, action.give, action.victim, action.slot)
        if isinstance(action, Draw):
            return MoveView("discard" if action.use is None else "draw", action.seat, action.use)
        if isinstance(action, Take):
            return MoveView("take", action.seat, action.slot)
        return MoveView(steal_json.action_to_json(action)["type"], action.seat)

    def result(self, state: StealState) -> Result | None:
        if state.phase != "over" or state.unranked:
            return None
        hands = [[card for card in hand if isinstance(card, Card)] for hand in state.table.hands]
        if any(len(hand) != len(SLOTS) for hand in hands):
            return None
        standing = order_hands(hands, state.options.tie_break)
        return Result(standing.order, standing.winners, standing.categories, standing.decided_by)

    def ranked(self, state: StealState, hands: Sequence[Sequence[Card]]) -> tuple[Ranked, ...]:
        return rank_hands(hands, state.options.tie_break)

    def records(self) -> tuple[type, ...]:
        return (StealState, StealOptions, Lock, *steal_json.ACTIONS)

    def action_to_json(self, action: Action) -> dict[str, Any]:
        return steal_json.action_to_json(action)

    def action_from_json(self, data: Mapping[str, Any]) -> Action:
        return steal_json.action_from_json(data)

    def penalty(self, state: StealState, ruling: Ruling) -> Forfeit | None:
        """What an illegal act costs beside being put back: the turn, by option and only on one's own turn."""
        if state.options.penalty == "lose_turn" and ruling.seat is not None and ruling.seat == state.current:
            return Forfeit(ruling.seat)
        return None

    def next_options(self, state: StealState) -> StealOptions:
        """The options of the next game at the same table: the first seat moves on by one."""
        return replace(state.options, first_seat=(state.options.first_seat + 1) % state.seats)


def _lock_view(state: StealState, lock: Lock) -> LockView:
    hand = state.table.hands[lock.thief]
    number = hand.index(lock.card) + 1 if lock.card in hand else None
    return LockView(lock.victim, lock.thief, number, lock_ends(state, lock) - state.turn)
