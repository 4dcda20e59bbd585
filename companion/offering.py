"""What a seat may declare by tap now, and the action behind each offer."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.errors import DeclarationError
from companion.games.base import Choice
from companion.referee import AnyReferee
from companion.rulings import Action
from companion.viewing import move_view
from companion.views import MoveView


@dataclass(frozen=True, slots=True)
class Offer:
    """An action that a seat may declare by tap."""

    id: int
    move: MoveView
    """Where it names an amount, with that or with the least."""
    most: int = 0
    """Where the amount may be chosen: up to so many chips."""
    all_in: bool = False
    """It takes all the chips of the seat."""
    marks: tuple[tuple[str, int], ...] = ()
    """Amounts between the two that have a name, as `BetView.marks`."""


def open_offers(referee: AnyReferee, seat: int) -> tuple[Offer, ...]:
    """Every action of `seat` that the rules allow now; none when it is not its turn, or nothing may be played."""
    state = referee.game.opened(referee.state)
    if referee.violation is not None or state.phase == "over" or referee.stopped is not None:
        return ()
    return tuple(_offer(referee, number, choice) for number, choice in enumerate(_choices(referee, seat)))


def _offer(referee: AnyReferee, number: int, choice: Choice) -> Offer:
    move = move_view(referee.game, choice.action)
    told = replace(move, amount=choice.amount or move.amount, kind=choice.kind or move.kind)
    return Offer(number, told, choice.most, choice.all_in, choice.marks)


def offered(referee: AnyReferee, seat: int, offer: int, amount: int | None = None) -> Action:
    """The action behind an offer, with an amount of one's own where that is open; raise `DeclarationError` when it is not
    open to `seat` any more, or for an amount outside its bounds."""
    choices = _choices(referee, seat)
    if not 0 <= offer < len(choices):
        raise DeclarationError(f"seat {seat} has no offer {offer} now", "no_offer")
    choice = choices[offer]
    if amount is None or amount == choice.amount:
        return choice.action
    if not choice.amount <= amount <= choice.most:
        raise DeclarationError(f"offer {offer} takes {choice.amount} to {choice.most} chips, not {amount}", "no_amount")
    return referee.game.sized(choice.action, amount)


def _choices(referee: AnyReferee, seat: int) -> list[Choice]:
    state = referee.game.opened(referee.state)
    if not 0 <= seat < len(referee.sight.watched):
        return []
    return list(referee.game.choices(state, seat, referee.sight.watched[seat]))
