"""What is written for other programs, read again."""

from __future__ import annotations

import copy
import csv
import io
import json
import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cards import DECK
from companion.errors import RecordError
from companion.export import COLUMNS, game_from_json, game_to_json, game_to_phh, history_to_csv, history_to_json
from companion.played import PlayedGame, PlayedMove, PlayedSeat
from companion.tallies import tally
from tests.companion.played_games import OPTIONS, games

HANDS = (DECK[0:5], DECK[5:10], DECK[13:18])
GAME = PlayedGame(
    "0123456789abcdef", "steal", "2027-03-01T19:05:07.250000+00:00", 61.5,
    tuple(
        PlayedSeat(name, "mat", hand, (*hand[:4], None), "straight flush", number)
        for number, (name, hand) in enumerate(zip(("Ann", '"B"', "Cat"), HANDS, strict=True))
    ),
    (1, 2, 0), (1,), "rank",
    (
        PlayedMove("draw", 0, 1.0, 2, got=DECK[20], gave=DECK[21]), PlayedMove("steal", 1, 2.0, 5, 0, 1, DECK[0], DECK[9]),
        PlayedMove("discard", 2, 3.0, gave=DECK[30]), PlayedMove("take", 0, 4.0, 3), PlayedMove("pass", 1, 5.0),
    ), OPTIONS, "ab" * 32,
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(games())
def test_a_game_as_json_is_read_again(game: PlayedGame) -> None:
    assert game_from_json(json.loads(json.dumps(game_to_json(game)))) == game


@settings(max_examples=30, deadline=None)
@given(st.lists(games(), max_size=3))
def test_all_of_it_as_json_is_plain_and_has_every_player(told: list[PlayedGame]) -> None:
    found = json.loads(json.dumps(history_to_json(told, tally(told)), allow_nan=False))
    assert [game_from_json(game) for game in found["games"]] == told
    assert {one["name"] for one in found["players"]} == {name for game in told for name in game.names} - {""}
    assert all(0 <= one["beaten"] < 1 for one in found["players"])


@settings(max_examples=40, deadline=None)
@given(st.lists(games(), max_size=3))
def test_csv_has_one_line_for_every_seat_and_nothing_that_a_spreadsheet_works_out(told: list[PlayedGame]) -> None:
    lines = list(csv.DictReader(io.StringIO(history_to_csv(told), newline="")))
    assert [line["game"] for line in lines] == [game.game for game in told for _ in game.seats]
    seats = [(game, number, seat) for game in told for number, seat in enumerate(game.seats)]
    for line, (game, number, seat) in zip(lines, seats, strict=True):
        assert line["name"].removeprefix("'") == seat.name
        assert not any(value.startswith(("=", "+", "-", "@")) for value in line.values())
        assert line["hand"].split() == list(map(str, seat.hand))
        assert (float(line["won"]) > 0, int(line["place"])) == (number in game.winners, game.order.index(number) + 1)
        assert int(line["suffered"]) == sum(move.victim == number for move in game.moves)
    assert history_to_csv(told).splitlines()[0] == ",".join(COLUMNS)


def test_a_name_that_is_a_formula_is_written_as_text() -> None:
    renamed = GAME.without("Ann")
    assert "'=1+1" in history_to_csv([_named("=1+1")])
    assert history_to_csv([renamed]).splitlines()[1].split(",")[4] == ""


def _named(name: str) -> PlayedGame:
    data = game_to_json(GAME)
    data["seats"][0]["name"] = name
    return game_from_json(data)


# ---- text after the poker hand history format -----------------------------------------------------------------------


def test_the_text_of_a_game() -> None:
    found = tomllib.loads(game_to_phh(GAME))
    assert found["actions"] == [
        "d dh p1 2c3c4c5c??", "d dh p2 7c8c9cTc??", "d dh p3 2d3d4d5d??", "p1 _draw 2 9d Td", "p2 _steal p1 1 2c 5 Jc",
        "p3 _discard 6h", "p1 _take 3 ?? ??", "p2 _pass", "p1 sm 2c3c4c5c6c", "p2 sm 7c8c9cTcJc", "p3 sm 2d3d4d5d6d",
    ]  # fmt: skip
    assert (found["variant"], found["players"], found["hand"]) == ("_STEAL", ["Ann", '"B"', "Cat"], "0123456789abcdef")
    assert (found["year"], found["month"], found["day"], str(found["time"])) == (2027, 3, 1, "19:05:07")
    assert (found["_winners"], found["_order"], found["_violations"]) == ([2], [2, 3, 1], [0, 1, 2])
    assert found["_options"] == {name: value for name, value in OPTIONS if value is not None}


STANDARD = {
    "variant", "antes", "starting_stacks", "actions", "hand", "time", "time_zone", "day", "month", "year", "seats", "seat_count",
    "players",
}  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(games())
def test_every_game_is_toml_and_what_is_ours_begins_with_an_underscore(game: PlayedGame) -> None:
    found = tomllib.loads(game_to_phh(game))
    assert {name for name in found if not name.startswith("_")} <= STANDARD
    assert found["players"] == list(game.names)
    assert ("year" in found) == bool(game.began)
    verbs = {action.split()[1] for action in found["actions"]}
    assert {verb for verb in verbs if not verb.startswith("_")} <= {"dh", "sm"}
    assert len(found["actions"]) == 2 * len(game.seats) + len(game.moves)


def test_the_names_of_fields_are_those_of_the_format_s_own_reader() -> None:
    from pokerkit import HandHistory

    known = set(HandHistory.__dataclass_fields__) | {"variant"}
    assert known >= STANDARD


# ---- what is malformed ----------------------------------------------------------------------------------------------

SPOILT: tuple[tuple[tuple[str | int, ...], Any, str], ...] = (
    (("form",), 2, "form 2"), (("game",), None, "'game'"), (("seconds",), True, "'seconds'"), (("seats",), {}, "'seats'"),
    (("seats", 0), 7, "'seats'"), (("seats", 0, "hand"), ["2c"], "five cards or none"),
    (("seats", 0, "hand"), ["2c"] * 5, "five cards or none"), (("seats", 0, "hand", 0), "Zz", "Zz"),
    (("seats", 1, "violations"), "x", "'violations'"), (("seats", 1, "dealt"), [3], "'dealt'"), (("order",), [0, 0, 1], "seats"),
    (("winners",), [], "winners"), (("winners",), [9], "winners"), (("moves", 0, "seat"), 5, "seat 0 to 2"),
    (("moves", 1, "victim"), -1, "seat 0 to 2"), (("moves", 0, "got"), "??", "??"), (("began",), "yesterday", "yesterday"),
    (("began",), "2027-03-01T19:00:00", "zone"), (("options",), [], "'options'"),
)  # fmt: skip


@pytest.mark.parametrize(("where", "what", "said"), SPOILT)
def test_what_is_malformed_is_named(where: tuple[str | int, ...], what: Any, said: str) -> None:
    data = copy.deepcopy(game_to_json(GAME))
    part: Any = data
    for step in where[:-1]:
        part = part[step]
    part[where[-1]] = what
    with pytest.raises(RecordError, match=said.replace("?", r"\?")):
        game_from_json(data)


@pytest.mark.parametrize("data", [None, [], 3, "x"])
def test_what_is_no_game_at_all_is_refused(data: Any) -> None:
    with pytest.raises(RecordError, match="has to be an object"):
        game_from_json(data)
