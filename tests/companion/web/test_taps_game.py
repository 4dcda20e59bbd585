"""A table of taps alone, with the real sitting under the page: a whole game from the first move to the winner."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.cards import DECK
from companion.games import find_game
from companion.picture import RowSight
from companion.sitting import Seat, Sitting
from companion.web import create_app


class Clock:
    """A clock that goes on by a second whenever it is read."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        self.time += 1.0
        return self.time


class Table:
    """Phones at a table without any camera."""

    def __init__(self, seats: int) -> None:
        names = ("Anna", "Ben", "Cleo", "Dan", "Eve")[:seats]
        self.sitting = Sitting(
            find_game("steal"), [Seat(name, "tap") for name in names], row_sight=RowSight.NONE, clock=Clock()
        )
        self.client: FlaskClient = create_app(self.sitting).test_client()

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.client.get("/state.json").data)
        return found

    def post(self, path: str, **body: Any) -> None:
        answer = self.client.post(path, json=body)
        # The table is worked by the same thread, so no answer can wait for it.
        assert answer.status_code == 202, answer.data
        self.sitting.work()

    def steps(self, seat: int) -> dict[tuple[str, ...], int]:
        answer = self.client.get(f"/offers/{seat}").json
        assert answer is not None
        return {tuple(offer["steps"]): offer["id"] for offer in answer.get("offers", ())}

    def move(self, seat: int, *steps: str) -> None:
        self.post("/act", seat=seat, offer=self.steps(seat)[steps])


def test_turns_locks_and_the_row_are_kept() -> None:
    table = Table(3)
    table.move(0, "Steal", "From Ben", "Take slot 2", "Give slot 4")
    state = table.state()
    assert state["words"]["headline"] == "Ben to play"
    assert state["words"]["happened"] == "Anna stole from slot 2 of Ben and gave slot 4."
    assert state["words"]["locks"] == ["Slot 4 of Anna: locked on this turn of Ben, who may steal it back on the next one."]
    assert ("Steal", "From Anna", "Take slot 4", "Give slot 1") not in table.steps(1)
    assert ("Steal", "From Anna", "Take slot 3", "Give slot 1") in table.steps(1)
    assert table.steps(2) == {}
    table.move(1, "Draw from the pile", "Lay it on the row")
    assert table.state()["view"]["row"] == [None]
    table.post("/enter", row=1, card="Td")
    assert table.state()["view"]["row"] == ["Td"]
    table.move(2, "Take from the row", "Into slot 1")
    assert (table.state()["view"]["row"], table.state()["view"]["removed"]) == ([], 1)
    table.post("/call", name="undo")
    assert table.state()["view"]["row"] == ["Td"]
    assert table.state()["words"]["headline"] == "Please move the cards"
    assert table.state()["words"]["steps"] == [
        "Cleo: the card from slot 1 goes back to the end of the row, and the card that left the game into the slot."
    ]
    table.post("/laid")
    assert table.state()["words"]["headline"] == "Cleo to play"


def test_a_move_that_was_offered_before_is_refused_later() -> None:
    table = Table(3)
    offered = table.steps(0)["Draw from the pile", "Lay it on the row"]
    table.move(0, "Draw from the pile", "Lay it on the row")
    answer = table.client.post("/act", json={"seat": 0, "offer": offered})
    assert answer.status_code == 400
    assert answer.json is not None
    assert answer.json["message"] == "This move is no longer possible; please choose again."
    assert table.state()["view"]["turn"] == 1


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_whole_game(seats: int) -> None:
    table, random = Table(seats), Random(seats)
    headlines = []
    while (state := table.state())["view"]["phase"] != "over":
        current = state["view"]["current"] or 0
        headlines.append(state["words"]["headline"])
        kinds = sorted({steps[0] for steps in table.steps(current)})
        kind = random.choice(kinds)
        table.move(current, *random.choice(sorted(steps for steps in table.steps(current) if steps[0] == kind)))
        assert len(headlines) < 200
    assert sum(line.startswith("Final turn: ") for line in headlines) == seats - 1
    assert state["view"]["revealing"]
    assert state["mood"] == "reveal"
    dealt = random.sample(DECK, 5 * seats)
    for index, card in enumerate(dealt):
        assert table.state()["view"]["result"] is None
        table.post("/enter", seat=index // 5, slot=index % 5 + 1, card=str(card))
    ended = table.state()
    assert ended["mood"] == "result"
    winner = ended["view"]["result"]["winners"][0]
    assert ended["words"]["headline"] == f"{table.sitting.seats[winner].name} wins!"
    assert ended["words"]["result"].startswith(f"{table.sitting.seats[winner].name} wins with ")
    assert all(ended["words"]["hands"])
