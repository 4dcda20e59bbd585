"""What history tells of games that were played for chips: who gained how many, and no hand that was not shown."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from dataclasses import asdict, replace
from typing import Any

import pytest

from companion.cards import DECK
from companion.errors import RecordError
from companion.export import game_from_json, game_to_json, game_to_phh, history_to_csv
from companion.games import find_game
from companion.played import PlayedGame, PlayedMove, PlayedSeat, Shelf
from companion.purses import gained, purses_of
from companion.tallies import tally
from tests.companion.web.shelved import Shelved
from tests.companion.web.test_history import app_of

GAME = "00000000000000ab"
MOVES = (
    PlayedMove("bet", 0, 1.0, amount=5), PlayedMove("call", 1, 2.0), PlayedMove("fold", 2, 3.0),
    PlayedMove("exchange", 0, 4.0, amount=2), PlayedMove("stand_pat", 1, 5.0), PlayedMove("check", 0, 6.0),
    PlayedMove("raise", 1, 7.0, amount=20),
)  # fmt: skip


def played(**options: Any) -> PlayedGame:
    """The sixth hand of a session: Anna wins 13 with the hand that she showed."""
    given = {"stacks": "190 210 200", "bought": "200 200 200", "hand": 6, "log": "5: 190 210 200", **options}
    every = asdict(find_game("draw").options(given))
    seats = (
        PlayedSeat("Anna", "tap", DECK[0:5], category="straight flush"),
        PlayedSeat("Ben", "tap", DECK[20:25], category="high card"), PlayedSeat("Cleo", "tap"),
    )  # fmt: skip
    return PlayedGame(
        GAME, "draw", "2027-03-01T19:00:00+00:00", 60.0, seats, (0, 1, 2), (0,), "category", MOVES, tuple(sorted(every.items())),
        "ab" * 32, (13, 0, 0), (197, 204, 199),
    )  # fmt: skip


def test_what_a_hand_has_brought() -> None:
    assert gained(played()) == (7, -6, -1)
    assert gained(replace(played(), won=(), stacks=())) == ()
    assert purses_of(replace(played(), rules="whist")) is None
    assert [(one.name, one.gained) for one in tally([played(), played()])] == [("Anna", 14), ("Ben", -12), ("Cleo", -2)]


def test_the_page_of_a_hand() -> None:
    shelved = Shelved()
    shelved.found = Shelf((played(),))
    page = app_of(shelved).test_client().get(f"/history/{GAME}")
    assert page.status_code == 200
    rows = [" ".join(row.split("</th>")[1].replace("<td>", " ").replace("</td>", " ").split("</tr>")[0].split())
            for row in page.text.split('<th scope="row">')[1:]]  # fmt: skip
    assert rows == ["+7 −6 −1", "197 204 199", "−3 +4 −1", "190 210 200"]
    assert page.text.count("The hand was not shown.") == 1 and "Hand 6" in page.text
    assert f"/history/{GAME}/story" not in page.text, "a story would show what nobody has shown"
    everything = app_of(shelved).test_client().get("/history")
    assert everything.status_code == 200 and "Chips won and lost" in everything.text and "+7" in everything.text
    assert app_of(shelved).test_client().get("/history/player/Ben").status_code == 200


def test_a_hand_that_nobody_has_won() -> None:
    shelved = Shelved()
    seats = tuple(replace(seat, hand=(), category="") for seat in played().seats)
    shelved.found = Shelf((replace(played(), winners=(), reason="redeal", won=(0, 0, 0), seats=seats),))
    client = app_of(shelved).test_client()
    assert "Nobody has won: dealt again" in client.get(f"/history/{GAME}").text
    assert client.get("/history").status_code == 200
    assert game_from_json(client.get(f"/history/{GAME}.json").get_json()) == shelved.found.games[0]


def test_chips_are_exported_and_read_again() -> None:
    told = json.loads(json.dumps(game_to_json(played())))
    assert (told["won"], told["stacks"], told["gained"]) == ([13, 0, 0], [197, 204, 199], [7, -6, -1])
    assert game_from_json(told) == played()
    lines = list(csv.DictReader(io.StringIO(history_to_csv([played()]))))
    assert [(line["chips_gained"], line["chips"]) for line in lines] == [("7", "197"), ("-6", "204"), ("-1", "199")]
    with pytest.raises(RecordError) as error:
        game_from_json({**told, "stacks": [1]})
    assert str(error.value) == "'won' and 'stacks' have a number for each of 3 seats; found (13, 0, 0) and (1,)"


def test_a_hand_as_hand_history_text() -> None:
    found = tomllib.loads(game_to_phh(played()))
    assert (found["variant"], found["antes"], found["starting_stacks"]) == ("_DRAW", [1, 1, 1], [190, 210, 200])
    assert found["finishing_stacks"] == [197, 204, 199]
    assert found["actions"] == [
        "p1 cbr 5", "p2 cc", "p3 f", "p1 sd ????", "p2 sd", "p1 cc", "p2 cbr 20", "p1 sm 2c3c4c5c6c", 
        f"p2 sm {''.join(map(str, DECK[20:25]))}",
    ]  # fmt: skip
