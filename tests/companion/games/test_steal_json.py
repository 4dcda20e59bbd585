"""Actions and states as JSON values, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from companion.cards import Card, Unknown
from companion.errors import RecordError
from companion.games.steal_json import action_from_json, action_to_json, state_from_json, state_to_json
from companion.games.steal_options import StealOptions
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
    Take,
)
from companion.rulings import Action
from tests.companion.games.stealing import GAME, cards, dealt, final, hidden, lock, play, position

KNOWN = "draw, steal, take, pass, arrange, start, leave, return or misdeal"

ACTIONS: list[tuple[Action, dict[str, Any]]] = [
    (Draw(0, 1), {"type": "draw", "seat": 0, "use": 1}),
    (Draw(2, None), {"type": "draw", "seat": 2, "use": None}),
    (StealCard(0, 2, 3, 1), {"type": "steal", "seat": 0, "from": 2, "slot": 3, "give": 1}),
    (Take(1, 5), {"type": "take", "seat": 1, "slot": 5}),
    (Pass(1), {"type": "pass", "seat": 1}),
    (Arrange(1, (2, 1, 3, 4, 5)), {"type": "arrange", "seat": 1, "perm": [2, 1, 3, 4, 5]}),
    (Arrange(1, (2, 1, 3, 4, 5), closes=False), {"type": "arrange", "seat": 1, "perm": [2, 1, 3, 4, 5], "closes": False}),
    (ArrangeAll(perms=((1, 2),)), {"type": "arrange_all", "perms": [[1, 2]]}),
    (Start(), {"type": "start"}),
    (Leave(1), {"type": "leave", "seat": 1}),
    (Leave(1, drawn=True), {"type": "leave", "seat": 1, "drawn": True}),
    (Return(1), {"type": "return", "seat": 1}),
    (Misdeal(2), {"type": "misdeal", "seat": 2}),
    (Misdeal(None, cards("2c 3c")), {"type": "misdeal", "seat": None, "deck": ["2c", "3c"]}),
    (Forfeit(1), {"type": "forfeit", "seat": 1}),
]


@pytest.mark.parametrize(("action", "data"), ACTIONS, ids=lambda value: value["type"] if isinstance(value, dict) else None)
def test_actions_there_and_back(action: Action, data: dict[str, Any]) -> None:
    assert action_to_json(action) == data
    assert action_from_json(data) == action


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"type": "shuffle", "seat": 0}, f"'shuffle' is no action of Five Card Steal: expected {KNOWN}"),
        ({}, f"None is no action of Five Card Steal: expected {KNOWN}"),
        ({"type": "draw", "use": 1}, "'seat' of a draw has to be a whole number; found None"),
        ({"type": "draw", "seat": 0}, "'use' of a draw has to be a whole number; found None"),
        ({"type": "draw", "seat": True, "use": 1}, "'seat' of a draw has to be a whole number; found True"),
        ({"type": "take", "seat": 0, "slot": "2"}, "'slot' of a take has to be a whole number; found '2'"),
        ({"type": "arrange", "seat": 0, "perm": "12345"}, "an order of slots has to be a list of slot numbers; found '12345'"),
        ({"type": "arrange_all"}, "'perms' has to be a list; found None"),
        ({"type": "leave", "seat": 0, "drawn": 1}, "'drawn' of a leave has to be true or false; found 1"),
        ({"type": "misdeal", "deck": ["Zz"]}, "'deck' holds 'Zz', which is no card such as Td"),
    ],
)
def test_malformed_actions_are_refused(data: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError) as caught:
        action_from_json(data)
    assert str(caught.value) == message


def test_an_action_of_another_game_is_refused() -> None:
    with pytest.raises(RecordError, match="is no action of Five Card Steal"):
        action_to_json(Action(0))


@pytest.mark.parametrize(
    "state",
    [
        dealt(),
        position(5, "9c Td", removed="9d", locks=(lock(0, 2, "4h", 3),)),
        final(),
        position(phase="over", current=None, ender=1, unranked=True, away=(1,)),
    ],
    ids=["setup", "play", "final", "over"],
)
def test_states_there_and_back(state: Any) -> None:
    data = state_to_json(state)
    again = state_from_json(data, state.options, state.last_actor, state.arranged)
    assert again == state
    assert ("away" in data, "unranked" in data) == (bool(state.away), state.unranked)


def test_unknown_cards_of_a_state_are_different_cards() -> None:
    state = play(hidden(position(row="9c"), "9c", "2c", "4h"), StealCard(0, 2, 3, 1))
    data = state_to_json(state)
    assert data["row"] == ["?"]
    assert data["hands"][0] == ["?", "3c", "4c", "5c", "6c"]
    assert data["locks"][0]["card"] == "?"
    again = state_from_json(data | {"locks": []}, StealOptions())
    unknown = [card for card in again.table.cards() if isinstance(card, Unknown)]
    assert len(unknown) == len(set(unknown)) == 3
    assert again.table.at(GAME.places(3)[1]) == Card.parse("3c")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hands": None}, "'hands' has to be a list; found None"),
        ({"hands": [["2c"]]}, "a state has 3 to 5 hands of five cards; found [1]"),
        ({"phase": "break"}, "'phase' has to be one of setup, play, final, over; found 'break'"),
        ({"current": 3}, "'current' has to be a seat from 0 to 2 or null; found 3"),
        ({"current": None}, "'current' has to be a seat in play and final and null otherwise; found None in play"),
        ({"phase": "over"}, "'current' has to be a seat in play and final and null otherwise; found 0 in over"),
        ({"row": ["2c"]}, "the card 2c lies twice in the state"),
        ({"row": ["2c", 7]}, "'row' holds 7, which is no card such as Td"),
        ({"final_left": [0, 3]}, "'final_left' has to list seats from 0 to 2; found [0, 3]"),
        ({"away": 1}, "'away' has to be a list; found 1"),
        ({"locks": None}, "'locks' has to be a list; found None"),
        ({"locks": ["4h"]}, "a lock has to be an object; found '4h'"),
        ({"turn": "3"}, "'turn' of a None has to be a whole number; found '3'"),
    ],
)
def test_malformed_states_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError) as caught:
        state_from_json(state_to_json(position()) | change, StealOptions())
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("last_actor", "arranged", "message"),
    [
        (3, None, "'last_actor' has to be a seat from 0 to 2 or null; found 3"),
        (None, [True], "'arranged' has to say true or false for each of 3 seats; found [True]"),
        (None, [1, 0, 0], "'arranged' has to say true or false for each of 3 seats; found [1, 0, 0]"),
    ],
)
def test_malformed_facts_beside_a_state_are_refused(last_actor: Any, arranged: Any, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        state_from_json(state_to_json(position()), StealOptions(), last_actor, arranged)
    assert str(caught.value) == message
