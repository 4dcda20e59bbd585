"""What the players of draw and stud choose to do: any legal act, with any legal amount, so that hands go on for a while."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from companion.games.base import Choice, Game
from companion.games.poker_acts import Split
from companion.rulings import Action
from companion.views import MoveView, View

LIKING: Mapping[str, float] = {
    "check": 1.0, "call": 1.0, "fold": 0.22, "bring_in": 1.0, "bet": 0.6, "raise": 0.4, "complete": 0.5, "draw": 1.0,
    "declare": 1.0,
}  # fmt: skip
"""How readily people do each kind."""
FOLD_FOR_NOTHING = 0.02
ALL_IN = 0.12
"""Shares of those who fold though they could check, and of those who put in all they have."""
EXCHANGED = (0.2, 0.25, 0.25, 0.3, 0.05, 0.0)
"""How readily they exchange so many cards."""


def choose(game: Game[Any], state: Any, seat: int, rng: random.Random) -> Action:
    """A legal act of `seat`."""
    legal = [choice for choice in game.choices(state, seat, False) if game.judge(state, choice.action).error is None]
    # What only goes before an exchange is said with it.
    found = [choice for choice in legal if not isinstance(choice.action, Split)]
    kinds = {str(game.action_to_json(choice.action)["type"]) for choice in found}
    liking = [_liking(game, choice, kinds, found) for choice in found]
    choice = rng.choices(found, liking)[0]
    return sized(game, state, choice, rng)


def _liking(game: Game[Any], choice: Choice, kinds: set[str], found: list[Choice]) -> float:
    data = game.action_to_json(choice.action)
    kind = str(data["type"])
    if kind == "draw":
        count = len(data["slots"])
        alike = sum(len(game.action_to_json(other.action)["slots"]) == count for other in found)
        return EXCHANGED[count] / alike
    share = FOLD_FOR_NOTHING if kind == "fold" and "check" in kinds else LIKING[kind]
    return share * ALL_IN if choice.all_in else share


def sized(game: Game[Any], state: Any, choice: Choice, rng: random.Random) -> Action:
    """The act with an amount between its bounds, mostly a small one."""
    if not choice.most:
        return choice.action
    most = choice.most if rng.random() < 0.1 else min(choice.most, choice.amount * 3)
    action = game.sized(choice.action, rng.randint(choice.amount, most))
    return action if game.judge(state, action).error is None else choice.action


def done_by(game: Game[Any], state: Any, seat: int, move: MoveView | None) -> Action | None:
    """The legal act of `seat` that the page tells as `move`; None where it is none."""
    if move is None or move.seat != seat:
        return None
    for choice in game.choices(state, seat, False):
        action = game.sized(choice.action, move.amount) if choice.most else choice.action
        told = game.move_view(action)
        if (told.kind, told.amount, told.slots) == (move.kind, move.amount, move.slots):
            return action
    return None


def first_of_several(game: Game[Any], state: Any, seat: int, view: View) -> Action | None:
    """The act of `seat` after which others have acted at once, so that the page never told it: the one that leads to its chips.

    None where no legal act does.
    """
    for choice in game.choices(state, seat, False):
        bet = 0 if view.chips is None else view.chips.bets[seat]
        totals = {choice.amount, min(max(bet, choice.amount), choice.most)} if choice.most else {0}
        for total in sorted(totals):
            action = game.sized(choice.action, total) if choice.most else choice.action
            if game.judge(state, action).error is None and _leads_to(game, game.after(state, action), view):
                return action
    return None


def _leads_to(game: Game[Any], state: Any, view: View) -> bool:
    """Whether legal acts lead from here to what the page shows."""
    if state.turn >= view.turn:
        public = game.public(state)
        return bool(state.turn == view.turn and (public.chips, game.actors(state)) == (view.chips, view.actors))
    if state.turn == view.turn - 1:
        last = None if view.last is None or view.last.seat is None else done_by(game, state, view.last.seat, view.last)
        return last is not None and _leads_to(game, game.after(state, last), view)
    return any(first_of_several(game, state, seat, view) is not None for seat in game.actors(state))


def is_told_as(game: Game[Any], data: Mapping[str, Any], move: MoveView | None) -> bool:
    """Whether the page tells the act `data`, in the shape of the records, as `move`."""
    told = game.move_view(game.action_from_json(data))
    return move is not None and (told.kind, told.seat, told.amount, told.slots) == (move.kind, move.seat, move.amount, move.slots)
