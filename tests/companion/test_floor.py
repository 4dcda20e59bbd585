"""What a club knows of its tables."""

from __future__ import annotations

from typing import Any

import pytest

from companion.floor import (
    MOST_TABLES,
    Floor,
    FloorResult,
    FloorSeat,
    FloorTable,
    floor_from,
    floor_json,
    results_csv,
)

SEATS = [{"name": "Ann", "source": "mat"}, {"name": "Ben", "source": "tap"}, {"name": "Bot", "source": "bot"}]
PLAYING: dict[str, Any] = {"game": "steal", "phase": "play", "turn": 4, "current": 1, "seats": SEATS, "result": None}
WON = {**PLAYING, "phase": "over", "current": None, "turn": 9, "result": {"order": [1, 0, 2], "winners": [1], "won": []}}
RESULT = FloorResult(1, "red", "steal", 2, 9, ("Ben",), ("Ben", "Ann", "Bot"))


def test_a_table_is_what_it_says_of_itself() -> None:
    floor = Floor().hub("red", True).heard("red", PLAYING).alert("red", "question")
    seats = (FloorSeat("Ann", "mat"), FloorSeat("Ben", "tap"), FloorSeat("Bot", "bot"))
    assert floor.tables == {"red": FloorTable("red", True, "steal", "play", 4, 1, seats, "question")}
    assert floor.roster == ("Ann", "Ben")
    assert floor.alert("red", "").hub("red", False).tables["red"] == FloorTable("red", False, "steal", "play", 4, 1, seats)


def test_a_result_is_noted_once_however_often_it_is_heard() -> None:
    floor = Floor().timed(2, 100.0).heard("red", PLAYING).heard("red", WON).heard("red", WON)
    assert floor.results == (RESULT,)
    again = floor.heard("red", {**PLAYING, "phase": "setup"}).heard("red", WON)
    assert [one.number for one in again.results] == [1, 2]


def test_what_a_table_says_again_after_a_restart_of_the_club_is_no_result_more() -> None:
    kept = floor_from(floor_json(Floor().heard("red", WON))).hub("red", True)
    assert len(kept.heard("red", WON).results) == 1
    assert len(kept.heard("red", {**WON, "turn": 12}).results) == 2
    assert len(kept.heard("blue", WON).results) == 2


def test_everything_is_exported_and_read_again() -> None:
    floor = Floor().timed(2, 100.0).heard("red", WON)
    assert results_csv(floor) == (
        "number,round,table,game,turns,winners,order,won\r\n1,2,red,steal,9,Ben,Ben; Ann; Bot,\r\n"
    )  # fmt: skip
    kept = floor_from(floor_json(floor))
    assert (kept.results, kept.roster, kept.round) == ((RESULT,), ("Ann", "Ben"), 2)


def test_no_name_is_a_formula() -> None:
    seats = [{"name": "=1+1", "source": "tap"}, *SEATS[1:]]
    floor = Floor().heard("red", {**WON, "seats": seats, "result": {"order": [0], "winners": [0], "won": []}})
    assert ",'=1+1,'=1+1," in results_csv(floor)


@pytest.mark.parametrize("wrong", [{}, {**PLAYING, "current": 7}, {**PLAYING, "seats": 3}, {**PLAYING, "seats": [1]}])
def test_what_is_no_view_changes_nothing(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="table red: a public view is expected"):
        Floor().heard("red", wrong)


def test_a_flood_of_tables_ends() -> None:
    floor = Floor()
    for number in range(MOST_TABLES + 5):
        floor = floor.hub(f"t{number}", True)
    assert len(floor.tables) == MOST_TABLES


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"results": [{}], "roster": [], "round": 0}'])
def test_what_is_no_evening_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"an evening of a club is expected|Expecting value"):
        floor_from(text)


def test_a_name_that_no_file_can_hold_does_not_keep_the_evening_from_being_written() -> None:
    seats = [{"name": "An\ud800n", "source": "tap"}, *SEATS[1:]]
    floor = Floor().heard("red", {**WON, "seats": seats})
    assert floor.roster == ("An?n", "Ben")
    assert floor_from(floor_json(floor).encode().decode()).results[0].order == ("Ben", "An?n", "Bot")
