"""Seats that a computer plays: what it does in its turn, and when."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.referee import AnyReferee
from companion.seats import Seat


@dataclass(frozen=True, slots=True)
class Pace:
    """Three times of the sitting, in seconds."""

    now: float
    acted_at: float
    """When the last action was accepted."""
    moved_at: float
    """When anything was last seen to move."""


def bot_move(referee: AnyReferee, seats: Sequence[Seat], seed: int, pace: Pace) -> AnyReferee | None:
    """The referee after the move of the bot in turn; None while no bot is in turn, or the table is not ready for it."""
    state = referee.game.opened(referee.state)
    current = next((seat for seat in referee.game.actors(state) if seats[seat].source == "bot"), None)
    if current is None or not _is_ready(referee, pace):
        return None
    actions = [choice.action for choice in referee.game.choices(state, current, False)]
    if referee.game.taps:
        # What only goes before a move is for people, who say it to each other.
        actions = [action for action in actions if referee.game.move_view(action).kind in referee.game.moves]
    chosen = random.Random(f"{seed}/{state.turn}/{current}").choice(actions)
    claimed = referee.claim(chosen, pace.now, ordered=True)
    alone = all(seat.source == "bot" for seat in seats)
    # Where only bots sit nobody moves cards, so nobody has to say that they lie.
    return replace(claimed, errand=None) if alone else claimed


def _is_ready(referee: AnyReferee, pace: Pace) -> bool:
    if referee.errand is not None or referee.violation is not None or referee.question is not None or referee.halted:
        return False
    if referee.proposal is not None:
        return False
    if not referee.deal_known and any(referee.sight.watched):
        return False
    sorting = not referee.turns and pace.now - pace.moved_at < referee.timing.begin and any(referee.sight.watched)
    # A person may still take his move back or change it; nobody does that for a bot.
    open_still = referee.open_turn is not None and not referee.open_turn.ordered
    return pace.now - pace.acted_at >= referee.timing.accuse and not sorting and not open_still
