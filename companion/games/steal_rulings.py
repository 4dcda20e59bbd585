"""Making rulings: an error kind with its rule, its parameters and the places concerned."""

from __future__ import annotations

from companion.cards import Held, Seen
from companion.games.steal_errors import RULE_OF
from companion.games.steal_picture import touched
from companion.games.steal_rules import binding_lock, fault
from companion.games.steal_state import StealCard, StealState, lock_ends
from companion.rulings import Action, Rule, Ruling, Verdict
from companion.table import SLOTS, Place


def judged(state: StealState, action: Action) -> Ruling:
    """LEGAL, or ILLEGAL with the first error in the order of the rules specification."""
    error = fault(state, action)
    if error is None:
        return Ruling(Verdict.LEGAL, action)
    places = tuple(place for place in touched(action) if place.seat in range(state.seats) and place.number in SLOTS)
    return illegal(state, error, action=action, seat=action.seat, places=places)


def illegal(
    state: StealState,
    error: str,
    *,
    action: Action | None = None,
    seat: int | None = None,
    seats: tuple[int, ...] = (),
    card: Held | Seen | None = None,
    places: tuple[Place, ...] = (),
) -> Ruling:
    """An ILLEGAL ruling; where a single seat is concerned it is named as the one who broke the rule."""
    culprit = seats[0] if seat is None and len(seats) == 1 else seat
    return Ruling(Verdict.ILLEGAL, action, error, rule_of(state, error, action), culprit, seats, card, places)


def rule_of(state: StealState, error: str, action: Action | None = None) -> Rule:
    """The rule that `error` breaks, with what its sentence needs; no card is ever a parameter."""
    rule = RULE_OF[error]
    values: list[tuple[str, int | str]] = []
    if rule == "STEAL-1.3" and state.current is not None:
        values.append(("current", state.current))
    if rule == "STEAL-1.3-end" and state.ender is not None:
        values.append(("ender", state.ender))
    if rule == "STEAL-1.5" and isinstance(action, StealCard):
        lock = binding_lock(state, action)
        if lock is not None:
            values += [("victim", lock.victim), ("thief", lock.thief), ("turns", lock_ends(state, lock) - state.turn)]
    return Rule(rule, tuple(values))
