"""Actions, states and results of Five Card Steal as JSON values, in the shapes of the record files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.cards import Card, Held, Unknown
from companion.errors import CardTextError, RecordError
from companion.games.steal_options import StealOptions
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
)
from companion.rulings import Action
from companion.table import TableState

ACTIONS: tuple[type[Action], ...] = (
    Arrange, ArrangeAll, Draw, Forfeit, Leave, Misdeal, Pass, Return, Start, StealCard, Take,
)
"""Every action of the game."""
PHASES = ("setup", "play", "final", "over")


def action_to_json(action: Action) -> dict[str, Any]:
    """The action as a JSON object; raise `RecordError` for an action of another game."""
    data = _special_to_json(action)
    if data is not None:
        return data
    for kind, name in _SEAT_ONLY.items():
        if isinstance(action, kind):
            return {"type": name, "seat": action.seat}
    raise RecordError(f"{action!r} is no action of Five Card Steal")


def _special_to_json(action: Action) -> dict[str, Any] | None:
    if isinstance(action, Draw):
        return {"type": "draw", "seat": action.seat, "use": action.use}
    if isinstance(action, StealCard):
        return {"type": "steal", "seat": action.seat, "from": action.victim, "slot": action.slot, "give": action.give}
    if isinstance(action, Take):
        return {"type": "take", "seat": action.seat, "slot": action.slot}
    if isinstance(action, Arrange):
        return {"type": "arrange", "seat": action.seat, "perm": list(action.perm)} | ({} if action.closes else {"closes": False})
    if isinstance(action, ArrangeAll):
        return {"type": "arrange_all", "perms": [list(perm) for perm in action.perms]}
    if isinstance(action, Start):
        return {"type": "start"}
    if isinstance(action, Leave) and action.drawn:
        return {"type": "leave", "seat": action.seat, "drawn": True}
    if isinstance(action, Misdeal) and action.deck is not None:
        return {"type": "misdeal", "seat": action.seat, "deck": [held_to_json(card) for card in action.deck]}
    return None


_SEAT_ONLY: dict[type[Action], str] = {Pass: "pass", Leave: "leave", Return: "return", Misdeal: "misdeal", Forfeit: "forfeit"}


def action_from_json(data: Mapping[str, Any]) -> Action:
    """Read an action; raise `RecordError` for anything malformed, naming the field."""
    kind = data.get("type") if isinstance(data, Mapping) else None
    simple: dict[str, type[Pass] | type[Return] | type[Forfeit]] = {"pass": Pass, "return": Return, "forfeit": Forfeit}
    if kind == "draw":
        return Draw(_whole(data, "seat"), None if data.get("use", "") is None else _whole(data, "use"))
    if kind == "steal":
        return StealCard(_whole(data, "seat"), _whole(data, "from"), _whole(data, "slot"), _whole(data, "give"))
    if kind == "take":
        return Take(_whole(data, "seat"), _whole(data, "slot"))
    if isinstance(kind, str) and kind in simple:
        return simple[kind](_whole(data, "seat"))
    return _table_action(kind, data)


def _table_action(kind: Any, data: Mapping[str, Any]) -> Action:
    if kind == "arrange":
        return Arrange(_whole(data, "seat"), _perm(data.get("perm")), _flag(data, "closes", True))
    if kind == "arrange_all":
        return ArrangeAll(perms=tuple(_perm(perm) for perm in _list(data, "perms")))
    if kind == "start":
        return Start()
    if kind == "leave":
        return Leave(_whole(data, "seat"), _flag(data, "drawn", False))
    if kind == "misdeal":
        deck = None if data.get("deck") is None else held_cards(data["deck"], "deck", 1000)
        return Misdeal(None if data.get("seat") is None else _whole(data, "seat"), deck)
    known = "draw, steal, take, pass, arrange, start, leave, return or misdeal"
    raise RecordError(f"{kind!r} is no action of Five Card Steal: expected {known}")


def _whole(data: Mapping[str, Any], name: str) -> int:
    value = data.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise RecordError(f"{name!r} of a {data.get('type')} has to be a whole number; found {value!r}")
    return value


def _flag(data: Mapping[str, Any], name: str, default: bool) -> bool:
    value = data.get(name, default)
    if not isinstance(value, bool):
        raise RecordError(f"{name!r} of a {data.get('type')} has to be true or false; found {value!r}")
    return value


def _perm(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list) or not all(isinstance(number, int) and not isinstance(number, bool) for number in value):
        raise RecordError(f"an order of slots has to be a list of slot numbers; found {value!r}")
    return tuple(value)


def _list(data: Mapping[str, Any], name: str) -> list[Any]:
    value = data.get(name)
    if not isinstance(value, list):
        raise RecordError(f"{name!r} has to be a list; found {value!r}")
    return value


def held_to_json(card: Held | None) -> str | None:
    """``Td``, ``?`` for an unknown card, None for nothing."""
    return None if card is None else str(card) if isinstance(card, Card) else "?"


def held_cards(values: Any, name: str, first_unknown: int) -> tuple[Held, ...]:
    """Cards of a record; ``?`` is an unknown card, numbered from `first_unknown`."""
    if not isinstance(values, list):
        raise RecordError(f"{name!r} has to be a list of cards; found {values!r}")
    cards: list[Held] = []
    for number, text in enumerate(values):
        try:
            cards.append(Unknown(first_unknown + number) if text == "?" else Card.parse(text))
        except (CardTextError, AttributeError) as error:
            raise RecordError(f"{name!r} holds {text!r}, which is no card such as Td") from error
    return tuple(cards)


def state_to_json(state: StealState) -> dict[str, Any]:
    """The state as in the record files, with `away` and `unranked` only where they say something."""
    table = state.table
    data: dict[str, Any] = {
        "phase": state.phase,
        "turn": state.turn,
        "current": state.current,
        "hands": [[held_to_json(card) for card in hand] for hand in table.hands],
        "pile": [held_to_json(card) for card in table.pile],
        "row": [held_to_json(card) for card in table.row],
        "removed": [held_to_json(card) for card in table.removed],
        "ender": state.ender,
        "final_left": list(state.final_left),
        "locks": [
            {"victim": lock.victim, "thief": lock.thief, "card": held_to_json(lock.card), "turn": lock.turn, "kind": lock.kind}
            for lock in state.locks
        ],
    }
    extra = {"away": list(state.away)} if state.away else {}
    return data | extra | ({"unranked": True} if state.unranked else {})


def state_from_json(
    data: Mapping[str, Any], options: StealOptions, last_actor: Any = None, arranged: Any = None
) -> StealState:
    """Read a state of a record; raise `RecordError` naming the part that is malformed.

    `last_actor` (a seat or None) and `arranged` (a flag per seat, None for nobody) stand beside the state in a record.
    """
    hands = tuple(held_cards(hand, f"hands of seat {seat}", 100 + 10 * seat) for seat, hand in enumerate(_list(data, "hands")))
    if not 3 <= len(hands) <= 5 or any(len(hand) != 5 for hand in hands):
        raise RecordError(f"a state has 3 to 5 hands of five cards; found {[len(hand) for hand in hands]}")
    table = TableState(
        hands,
        held_cards(data.get("pile", []), "pile", 200),
        held_cards(data.get("row", []), "row", 300),
        held_cards(data.get("removed", []), "removed", 400),
    )
    known = [card for card in table.cards() if isinstance(card, Card)]
    twice = next((card for card in known if known.count(card) > 1), None)
    if twice is not None:
        raise RecordError(f"the card {twice} lies twice in the state")
    phase, seats = data.get("phase"), range(len(hands))
    if phase not in PHASES:
        raise RecordError(f"'phase' has to be one of {', '.join(PHASES)}; found {phase!r}")
    current = _seat(data, "current", seats)
    if (current is None) is (phase in ("play", "final")):
        raise RecordError(f"'current' has to be a seat in play and final and null otherwise; found {current!r} in {phase}")
    return StealState(
        options,
        table,
        phase,
        _whole(data, "turn"),
        current,
        _seat(data, "ender", seats),
        _seats(data, "final_left", seats),
        tuple(_lock(lock) for lock in _list({"locks": [], **data}, "locks")),
        _seat({"last_actor": last_actor}, "last_actor", seats),
        _flags(arranged, len(hands)),
        _seats(data, "away", seats),
        len(table.row) + len(table.removed),
        bool(data.get("unranked", False)),
    )


def _seat(data: Mapping[str, Any], name: str, seats: range) -> int | None:
    value: Any = data.get(name)
    if value is not None and (isinstance(value, bool) or value not in seats):
        raise RecordError(f"{name!r} has to be a seat from 0 to {seats[-1]} or null; found {value!r}")
    return None if value is None else int(value)


def _seats(data: Mapping[str, Any], name: str, seats: range) -> tuple[int, ...]:
    found = _list({name: [], **data}, name)
    if any(isinstance(seat, bool) or seat not in seats for seat in found):
        raise RecordError(f"{name!r} has to list seats from 0 to {seats[-1]}; found {found!r}")
    return tuple(int(seat) for seat in found)


def _flags(value: Any, count: int) -> tuple[bool, ...]:
    if value is None:
        return (False,) * count
    if not isinstance(value, (list, tuple)) or len(value) != count or not all(isinstance(flag, bool) for flag in value):
        raise RecordError(f"'arranged' has to say true or false for each of {count} seats; found {value!r}")
    return tuple(value)


def _lock(data: Any) -> Lock:
    if not isinstance(data, Mapping):
        raise RecordError(f"a lock has to be an object; found {data!r}")
    card = held_cards([data.get("card")], "locks", 500)[0]
    return Lock(_whole(data, "victim"), _whole(data, "thief"), card, _whole(data, "turn"), str(data.get("kind", "stolen")))
