"""Judging records: written games and cases with their answers, and records that are wrong somewhere."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from companion.errors import RecordError
from companion.record import failed, judge_record

DATA = Path(__file__).parents[1] / "data"
ORACLES = Path(__file__).parents[2] / "../shared/oracles"

needs_oracles = pytest.mark.skipif(not ORACLES.exists(), reason="the shared oracle files are not on this machine")


def read(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text())
    return data


def agrees(expected: dict[str, Any], found: dict[str, Any]) -> bool:
    return all(found.get(name) == value for name, value in expected.items())


GAMES = read(DATA / "steal_games.json")["games"]
CASES = read(DATA / "steal_cases.json")["cases"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game["id"])
def test_written_games(game: dict[str, Any]) -> None:
    asked = {**game, "steps": [{"action": step["action"]} for step in game["steps"]]}
    (answer,) = judge_record({"games": [asked]})
    assert answer["id"] == game["id"]
    for step, found in zip(game["steps"], answer["states"], strict=True):
        assert agrees(step["expect"], found), (step, found)
        assert ("message" in found, "rule" in found) == ("error" in found,) * 2
    assert answer["result"] == game["result"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_written_cases(case: dict[str, Any]) -> None:
    (answer,) = judge_record({"cases": [{name: value for name, value in case.items() if name != "expect"}]})
    assert agrees(case["expect"], answer), answer
    assert answer["id"] == case["id"]
    assert answer["message"]
    assert (answer["rule"] is None) is (answer["error"] is None)


def test_a_case_of_unwatched_mats_lists_the_choices() -> None:
    (answer,) = judge_record({"cases": [next(case for case in CASES if "nobody watches" in case["id"])]})
    assert [choice["slot"] for choice in answer["choices"]] == [1, 2, 3, 4, 5]


def test_hands() -> None:
    hands = [["2c", "2d", "5h", "6s", "7c"], ["As", "Kd", "Qh", "Js", "9c"], ["2h", "2s", "5d", "6c", "7d"]]
    (answer,) = judge_record({"cases": [{"id": "h", "hands": hands}]})
    assert answer == {
        "id": "h",
        "order_best_first": [2, 0, 1],
        "categories": ["one pair", "high card", "one pair"],
        "reason": "suit",
    }


@pytest.mark.parametrize("data", [None, [], {}, {"games": 1}, {"games": [], "cases": []}, {"rounds": []}])
def test_other_shapes_are_refused(data: object) -> None:
    with pytest.raises(RecordError) as caught:
        judge_record(data)
    assert str(caught.value) == "a record is an object with one list called 'games', 'cases' or 'hands'"


GOOD = {"id": "good", "hands": [["2c", "2d", "5h", "6s", "7c"]]}


@pytest.mark.parametrize(
    ("case", "message"),
    [
        (7, "expected an object, found 7"),
        ({"id": 1}, "a case has 'hands', or a 'state' with 'action', 'mats_after' or 'lifted_and_returned'"),
        ({"id": 1, "state": 3, "action": {}}, "'state' has to be an object; found 3"),
        ({**CASES[0], "state": {}}, "'hands' has to be a list; found None"),
        ({**CASES[0], "seats": 4}, "'seats' says 4, the state has 3 hands"),
        ({**CASES[0], "options": {"jokers": 1}}, "unknown option 'jokers' of Five Card Steal"),
        ({**CASES[0], "options": [1]}, "'options' has to be an object; found [1]"),
        ({**CASES[0], "mats_after": [[None] * 5]}, "'mats_after' has to show 3 mats; found 1"),
        ({**CASES[0], "mats_after": [[None] * 4] * 3}, "the mat of seat 0 has to show five slots; found [None, None, "),
        ({**CASES[0], "row_after": [3]}, "expected a card such as Td, '?' or null; found 3"),
        ({**CASES[17], "lifted_and_returned": [5, 1]}, "'lifted_and_returned' has to be [seat, slot]; found [5, 1]"),
        ({"id": 1, "hands": [["2c", "2d", "5h", "6s"]]}, "a hand has five cards; found 4: 2c 2d 5h 6s"),
        ({"id": 1, "hands": [["2c", "2d", "5h", "6s", "Zz"]]}, "'Zz' is no card"),
        ({"id": 1, "hands": [[2, 3, 4, 5, 6]]}, "expected a list of cards such as Td; found [2, 3, 4, 5, 6]"),
    ],
)
def test_a_bad_case_is_said_and_hides_no_other(case: Any, message: str) -> None:
    bad, good = judge_record({"cases": [case, GOOD]})
    assert failed(bad)
    assert (bad["error"], bad["message"][: len(message)]) == ("bad_record", message)
    assert not failed(good)
    assert good["order_best_first"] == [0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seats": 2}, "Five Card Steal is for 3 to 5 players; found 2"),
        ({"seats": "3"}, "'seats' has to be a whole number; found '3'"),
        ({"deck": ["2c"] * 52}, "a deck has 52 different cards; found 52 cards, 1 of them different"),
        ({"deck": None}, "expected a list of cards such as Td; found None"),
        ({"steps": None}, "'steps' has to be a list; found None"),
    ],
)
def test_a_bad_game_is_said_and_hides_no_other(change: dict[str, Any], message: str) -> None:
    bad, good = judge_record({"games": [{**GAMES[0], **change}, GAMES[1]]})
    assert (failed(bad), bad["message"]) == (True, message)
    assert not failed(good)


@pytest.mark.parametrize("step", [None, {}, {"action": 3}, {"action": {"type": "draw"}}])
def test_a_bad_step_is_an_illegal_step(step: object) -> None:
    game = {**GAMES[0], "steps": [{"action": {"type": "start"}}, step, {"action": {"type": "draw", "seat": 0, "use": 1}}]}
    (answer,) = judge_record({"games": [game]})
    assert [state.get("error") for state in answer["states"]] == [None, "bad_action", None]
    assert answer["states"][1]["detail"]
    assert answer["states"][2]["turn"] == 1


def test_a_game_that_is_not_over_has_no_result() -> None:
    (answer,) = judge_record({"games": [{**GAMES[0], "steps": []}]})
    assert (answer["states"], answer["result"]) == ([], None)


def test_two_records_that_differ_in_hidden_cards_give_the_same_words() -> None:
    """The sentence names seats, never cards: what was done with other cards reads the same."""
    cases = [case for case in CASES if "mats_after" in case]
    suits = str.maketrans("cdhs", "dhsc")

    def turned(value: Any) -> Any:
        if isinstance(value, list):
            return [turned(part) for part in value]
        if isinstance(value, dict):
            return {name: turned(part) for name, part in value.items()}
        return value.translate(suits) if isinstance(value, str) and len(value) == 2 and value != "Jo" else value

    plain = list(judge_record({"cases": cases}))
    parts = ("state", "mats_after", "row_after")
    other = list(judge_record({"cases": [{**case, **turned({part: case[part] for part in parts})} for case in cases]}))
    assert [(a["message"], a["rule"], a["error"]) for a in plain] == [(a["message"], a["rule"], a["error"]) for a in other]


@needs_oracles
def test_the_oracle_games() -> None:
    games = read(ORACLES / "steal_games.json")["games"]
    for game, answer in zip(games, judge_record({"games": games}), strict=True):
        for step, found in zip(game["steps"], answer["states"], strict=True):
            assert agrees(step["state"], found), game["id"]
        assert answer["result"] == game["result"], game["id"]


@needs_oracles
@pytest.mark.parametrize(("name", "count"), [("steal_illegal", 135), ("steal_camera", 300)])
def test_the_oracle_cases(name: str, count: int) -> None:
    cases = read(ORACLES / f"{name}.json")["cases"]
    assert len(cases) == count
    for case, answer in zip(cases, judge_record({"cases": cases}), strict=True):
        wanted = case.get("verdict") or {"error": case["expect"]}
        if "action_expected" in case:
            wanted = {"error": None, "action": case["action_expected"]}
        assert agrees(wanted, answer), case["id"]


JUNK: tuple[Any, ...] = (None, True, -1, 99, 3.5, "", "Td", "?", [], {}, [[]], [1, 2], {"a": 1}, "draw", 10**30, ["2c"])


def paths(value: Any, start: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where everything in a JSON value stands."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [start, *(path for name, part in parts for path in paths(part, (*start, name)))]


def spoilt(value: Any, path: tuple[Any, ...], junk: Any) -> Any:
    """The value with `junk` at `path`."""
    if not path:
        return junk
    parts = dict(value) if isinstance(value, dict) else list(value)
    parts[path[0]] = spoilt(parts[path[0]], path[1:], junk)
    return parts


@pytest.mark.parametrize("seed", range(2))
def test_nothing_in_a_part_can_hide_the_next(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(250):
        shape, parts = rng.choice([("cases", CASES), ("games", GAMES)])
        part = rng.choice(parts)
        for _ in range(rng.choice([1, 2])):
            part = spoilt(part, rng.choice([path for path in paths(part) if path[:1] != ("deck",)]), rng.choice(JUNK))
        answers = list(judge_record({shape: [part, parts[0]]}))
        assert len(answers) == 2
        assert not failed(answers[1])
        json.dumps(answers)
