"""Actions of draw and stud as JSON values, and as everybody may see them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.errors import RecordError
from companion.games.poker_acts import Announce, BringIn, Call, Check, Declare, Discard, Fold, Sort, Split, Wager
from companion.rulings import Action
from companion.views import MoveView

PLAIN: Mapping[str, Callable[[int], Action]] = {"check": Check, "fold": Fold, "call": Call, "bring_in": BringIn, "split": Split}
WAGERS = ("bet", "raise", "complete")
ACTIONS: tuple[type[Action], ...] = (Check, Fold, Call, BringIn, Wager, Announce, Discard, Declare, Sort, Split)


def move_view(action: Action) -> MoveView:
    """The action by its places and chips; which half somebody goes for is not told before everybody has said it."""
    seat = action.seat
    if isinstance(action, Wager):
        return MoveView(action.kind or WAGERS[0], seat, amount=action.total)
    if isinstance(action, Announce):
        return MoveView("announce", seat, amount=action.count)
    if isinstance(action, Discard):
        return MoveView("exchange" if action.slots else "stand_pat", seat, amount=len(action.slots), slots=action.slots)
    kinds = {kind: name for name, kind in PLAIN.items()} | {Declare: "declare", Sort: "sort"}
    return MoveView(kinds[type(action)], seat)


def action_to_json(action: Action) -> dict[str, Any]:
    """The action with its kind under ``type``, called as in the records of hands."""
    if isinstance(action, Wager):
        return {"type": action.kind or WAGERS[0], "seat": action.seat, "amount": action.total}
    if isinstance(action, Announce):
        return {"type": "announce", "seat": action.seat, "count": action.count}
    if isinstance(action, Discard):
        return {"type": "draw", "seat": action.seat, "slots": list(action.slots)}
    if isinstance(action, Declare):
        return {"type": "declare", "seat": action.seat, "side": action.side}
    if isinstance(action, Sort):
        return {"type": "sort", "seat": action.seat, "perm": list(action.perm)}
    return {"type": move_view(action).kind, "seat": action.seat}


def action_from_json(data: Mapping[str, Any]) -> Action:
    """Raise `RecordError` for anything malformed."""
    kind = data.get("type")
    seat = _number(data, "seat")
    if isinstance(kind, str) and kind in PLAIN:
        return PLAIN[kind](seat)
    if isinstance(kind, str) and kind in WAGERS:
        return Wager(seat, _number(data, "amount"), kind)
    if kind == "announce":
        return Announce(seat, _number(data, "count"))
    if kind == "draw":
        return Discard(seat, _numbers(data, "slots"))
    if kind == "sort":
        return Sort(seat, _numbers(data, "perm"))
    if kind == "declare":
        side = data.get("side")
        if not isinstance(side, str):
            raise RecordError(f"'side' of an action has to be high or low; found {side!r}")
        return Declare(seat, side)
    names = ", ".join((*PLAIN, *WAGERS, "announce", "draw", "declare", "sort"))
    raise RecordError(f"no action is called {kind!r}: expected one of {names}")


def _number(data: Mapping[str, Any], name: str) -> int:
    value = data.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise RecordError(f"{name!r} of an action has to be a whole number; found {value!r}")
    return value


def _numbers(data: Mapping[str, Any], name: str) -> tuple[int, ...]:
    value = data.get(name)
    if not isinstance(value, list) or any(isinstance(each, bool) or not isinstance(each, int) for each in value):
        raise RecordError(f"{name!r} of an action has to be a list of whole numbers; found {value!r}")
    return tuple(value)
