"""What a seat may declare by tap now, and the action behind each offer."""

from __future__ import annotations

from dataclasses import dataclass

from companion.errors import DeclarationError
from companion.referee import AnyReferee
from companion.rulings import Action
from companion.viewing import move_view
from companion.views import MoveView


@dataclass(frozen=True, slots=True)
class Offer:
    """An action that a seat may declare by tap."""

    id: int
    move: MoveView


def open_offers(referee: AnyReferee, seat: int) -> tuple[Offer, ...]:
    """Every action of `seat` that the rules allow now; none when it is not its turn, or nothing may be played."""
    state = referee.game.opened(referee.state)
    if referee.violation is not None or state.phase == "over" or referee.stopped is not None:
        return ()
    return tuple(Offer(number, move_view(referee.game, action)) for number, action in enumerate(_actions(referee, seat)))


def offered(referee: AnyReferee, seat: int, offer: int) -> Action:
    """The action behind an offer; raise `DeclarationError` when it is not open to `seat` any more."""
    actions = _actions(referee, seat)
    if not 0 <= offer < len(actions):
        raise DeclarationError(f"seat {seat} has no offer {offer} now", "no_offer")
    return actions[offer]


def _actions(referee: AnyReferee, seat: int) -> list[Action]:
    state = referee.game.opened(referee.state)
    if state.current != seat:
        return []
    return [action for action in referee.game.legal_actions(state) if action.seat == seat]
