"""The commands `judge` and `rank` from the outside."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from firmware.cli import main

DATA = Path(__file__).parents[1] / "data"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def lines(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize(("name", "part"), [("steal_games.json", "games"), ("steal_cases.json", "cases")])
def test_judge_answers_every_part_on_a_line_of_its_own(name: str, part: str) -> None:
    result = run("judge", str(DATA / name), "--json")
    wanted = [entry["id"] for entry in json.loads((DATA / name).read_text())[part]]
    assert [answer["id"] for answer in lines(result)] == wanted
    assert (result.exit_code, result.stderr) == (0, "")


def test_judge_for_people() -> None:
    result = run("judge", str(DATA / "steal_games.json"))
    assert result.stdout.startswith("A game with five mistakes: 5 illegal steps, result order 2 1 0, ")
    told = run("judge", str(DATA / "steal_cases.json")).stdout
    assert "a joker: foreign_card: Seat 3: " in told
    assert "drawn or taken: without a tray nobody knows: " in told
    everything = result.stdout + told
    assert not set("{}[]") & set(everything), "no program's way of writing"


def test_judge_says_what_is_wrong_with_one_case_and_judges_the_others(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    good = {"id": "good", "hands": [["2c", "2d", "5h", "6s", "7c"], ["Ac", "2h", "5s", "6c", "7d"]]}
    file.write_text(json.dumps({"cases": [{"id": "bad", "hands": [["2c"]]}, good]}))
    result = run("judge", str(file), "--json")
    assert result.exit_code == 1
    assert result.stderr == "bad: a hand has five cards; found 1: 2c\n"
    bad, fine = lines(result)
    assert bad["error"] == "bad_record"
    assert fine["order_best_first"] == [0, 1]
    assert run("judge", str(file)).stdout.splitlines()[1] == "good: order 0 1, decided by category"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "is no JSON file: "),
        (b"\xff\xfe", "is no JSON file: "),
        (b"[" * 100_000, "is no JSON file: "),
        (b"[]", "a record is an object with one list called 'games', 'cases' or 'hands'"),
        (None, "cannot be read: No such file or directory"),
    ],
)
def test_judge_refuses_what_is_no_record(content: bytes | None, message: str, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    if content is not None:
        file.write_bytes(content)
    result = run("judge", str(file), "--json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_judge_wants_a_file() -> None:
    assert run("judge").exit_code == 2


def test_rank() -> None:
    result = run("rank", "AS KS QS JS TS", "9h,9d,2c 3c 10d", "--json")
    (answer,) = lines(result)
    assert answer["hands"][1] == {"cards": ["9h", "9d", "2c", "3c", "Td"], "category": "one pair", "name": "a pair of nines"}
    assert (answer["order"], answer["winner"], answer["reason"]) == ([0, 1], 0, "category")
    assert "royal flush" in answer["words"]
    assert result.exit_code == 0


def test_rank_for_people() -> None:
    told = run("rank", "As Ks Qs Js 9s", "Ah Kh Qh Jh 9h").stdout.splitlines()
    assert told[0] == "Hand 1: As Ks Qs Js 9s: a flush, ace high"
    assert "the higher suit decides" in told[2]


@pytest.mark.parametrize(
    ("options", "hands", "winners", "name"),
    [
        (["--low", "27"], ["7s 5s 4s 3s 2h", "As 2c 3d 4h 5d"], [0], "7-5-4-3-2"),
        (["--low", "a5"], ["7s 5s 4s 3s 2h", "As 2c 3d 4h 5d"], [1], "7-5-4-3-2"),
        (["--low", "a5"], ["8s 5s 4s 3s Ah", "8d 5c 4d 3h Ad"], [0, 1], "8-5-4-3-A"),
        (["--low", "27"], ["2s 2d 4s 3s Ah", "2c 2h 4d 3h Ad"], [0, 1], "a pair of twos"),
        (["--soko"], ["9s 9d Ks Qs 2h", "As 2c 3d 4h 7d"], [1], "a pair of nines"),
        ([], ["2s 2d 4s 3s Ah", "2c 2h 4d 3h Ad"], [0], "a pair of twos"),
    ],
)
def test_rank_low_and_soko(options: list[str], hands: list[str], winners: list[int], name: str) -> None:
    (answer,) = lines(run("rank", *hands, *options, "--json"))
    assert answer["winners"] == winners
    assert answer["winner"] == (winners[0] if len(winners) == 1 else None)
    assert answer["hands"][0]["name"] == name
    assert f"Hand {winners[0] + 1}" in answer["words"]


@pytest.mark.parametrize(
    ("hands", "kind", "message"),
    [
        (["A" * 100_000], "bad_card", f"'{'A' * 23}…' is no card: expected a rank of 23456789TJQKA and a suit of cdhs, like Td"),
        (["As Ks Qs Js Tx"], "bad_card", "'Tx' is no card: expected a rank of 23456789TJQKA and a suit of cdhs, like Td"),
        (["As Ks Qs Js"], "not_five_cards", "Hand 1 has 4 cards"),
        ([""], "not_five_cards", "Hand 1 has 0 cards"),
        (["As Ks Qs Js Ts", "As Kd Qd Jd Td"], "card_twice", "The ace of spades appears 2 times"),
        (["As As Qs Js Ts"], "card_twice", "The ace of spades appears 2 times"),
    ],
)
def test_rank_refuses(hands: list[str], kind: str, message: str) -> None:
    result = run("rank", *hands, "--json")
    (answer,) = lines(result)
    assert (result.exit_code, answer["error"]) == (1, kind)
    assert answer["message"].startswith(message)
    assert result.stderr == answer["message"] + "\n"
    assert "winner" not in answer


@pytest.mark.parametrize("arguments", [[], ["--low", "a6", "As Ks Qs Js Ts"], ["--low", "a5", "--soko", "As Ks Qs Js Ts"]])
def test_rank_bad_usage(arguments: list[str]) -> None:
    assert run("rank", *arguments).exit_code == 2


@pytest.mark.parametrize("command", ["judge", "read", "score"])
def test_what_would_never_end_is_not_read(tmp_path: Path, command: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for name in (str(pipe), "/dev/zero"):
        ran = CliRunner().invoke(main, [command, name])
        assert ran.exit_code == 1
        assert f"{name} is no ordinary file" in ran.stderr
