"""Tables of taps alone that play for chips, with the real sitting under the page: whole hands, and one after another."""

from __future__ import annotations

import json
from dataclasses import asdict
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.cards import DECK
from companion.games import GAMES, find_game
from companion.picture import RowSight
from companion.sitting import Seat, Sitting
from companion.web import create_app
from tests.companion.web.test_taps_game import Clock

NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eve")
CHIPS = tuple(game for game in GAMES if game.taps)


class Table:
    """Phones at a table without any camera, and a dealer with a real deck."""

    def __init__(self, game: str, seats: int, deck: list[Any], **options: Any) -> None:
        self.sitting = Sitting(
            find_game(game), [Seat(name, "tap") for name in NAMES[:seats]], options, row_sight=RowSight.NONE, clock=Clock()
        )
        self.client: FlaskClient = create_app(self.sitting).test_client()
        self.deck = deck

    @property
    def view(self) -> dict[str, Any]:
        return self.state()["view"]

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.client.get("/state.json").data)
        return found

    def post(self, path: str, **body: Any) -> None:
        answer = self.client.post(path, json=body)
        assert answer.status_code == 202, answer.data
        self.sitting.work()

    def refused(self, path: str, **body: Any) -> str:
        answer = self.client.post(path, json=body)
        assert answer.status_code in (400, 409), answer.data
        assert answer.json is not None
        return str(answer.json["message"])

    def offers(self, seat: int) -> list[dict[str, Any]]:
        answer = self.client.get(f"/offers/{seat}").json
        assert answer is not None
        return list(answer.get("offers", ()))

    def steps(self, seat: int) -> dict[tuple[str, ...], int]:
        return {tuple(offer["steps"]): offer["id"] for offer in self.offers(seat)}

    def move(self, seat: int, *steps: str, **amount: int) -> None:
        self.post("/act", seat=seat, offer=self.steps(seat)[steps], **amount)

    def read_open_cards(self) -> None:
        """Somebody taps in every open card that has no face yet."""
        for seat in self.view["seats"]:
            for slot in seat["slots"]:
                if slot["open"]:
                    self.post("/enter", seat=seat["seat"], slot=slot["number"], card=str(self.deck.pop()))

    def show(self) -> None:
        """Everybody who has to turns his cards over, and taps them in."""
        while self.view["revealing"]:
            wanted = [
                (seat["seat"], slot["number"])
                for seat in self.view["seats"] for slot in seat["slots"] if not slot["bare"] and slot["shows"] != "revealed"
            ]  # fmt: skip
            seat, number = wanted[0]
            self.post("/enter", seat=seat, slot=number, card=str(self.deck.pop()))

    def play(self, random: Random) -> dict[str, Any]:
        """A whole hand in which everybody does anything; the state in the end."""
        for _ in range(200):
            state = self.state()
            if state["view"]["phase"] == "over":
                self.show()
                return self.state()
            if state["view"]["waits"] == "upcards":
                self.read_open_cards()
                continue
            seat = random.choice(state["view"]["actors"])
            offers = [offer for offer in self.offers(seat) if offer["steps"] != ["Fold"] or random.random() < 0.3]
            offer = random.choice(offers)
            amount = {"amount": random.randint(offer["least"], offer["most"])} if offer.get("most") else {}
            self.post("/act", seat=seat, offer=offer["id"], **amount)
        raise AssertionError("a hand that does not end")


def shuffled(random: Random) -> list[Any]:
    return random.sample(DECK, 52)


@pytest.mark.parametrize("game", CHIPS, ids=lambda game: game.name)
def test_hands_one_after_another_until_somebody_has_all(game: Any) -> None:
    random = Random(game.name)
    options: dict[str, Any] = {"stack": 24}
    reasons = set()
    for _ in range(8):
        table = Table(game.name, 3, shuffled(random), **options)
        ended = table.play(random)
        result = ended["view"]["result"]
        chips = ended["view"]["chips"]
        assert ended["mood"] == "result" and ended["words"]["result"]
        assert sum(chips["stacks"]) == 72
        reasons.add(result["reason"])
        for seat in ended["view"]["seats"]:
            faces = [slot["card"] for slot in seat["slots"]]
            shown = seat["seat"] in chips["folded"] or seat["seat"] in chips["out"] or result["reason"] == "folded"
            assert (None in faces) or not shown, "who has folded, or was not called, shows nothing"
        options = asdict(game.next_options(table.sitting.agreement.state))
        assert json.loads(json.dumps(options)) == options, "what is carried can be written into a record's header"
    assert "folded" in reasons and len(reasons) > 1


def test_a_tap_that_comes_twice_or_late_is_no_tap_on_what_has_its_number_now() -> None:
    table = Table("draw", 3, shuffled(Random(1)))
    offered = table.client.get("/offers/0").get_json()
    check = {"seat": 0, "offer": table.steps(0)["Check",], "turn": offered["turn"]}
    table.post("/act", **check)
    table.move(1, "Bet …", amount=50)
    table.move(2, "Fold")
    calls = table.steps(0)
    assert calls["Call 50",] == check["offer"], "the number of the check is now that of a call"
    stacks = table.state()["view"]["chips"]["stacks"]
    table.refused("/act", **check)
    assert table.state()["view"]["chips"]["stacks"] == stacks
    table.post("/act", seat=0, offer=calls["Call 50",], turn=table.client.get("/offers/0").get_json()["turn"])
    assert table.state()["view"]["chips"]["stacks"] != stacks


def test_a_hand_of_draw() -> None:
    table = Table("draw", 3, shuffled(Random(1)))
    state = table.state()
    assert state["words"]["headline"] == "Anna to play"
    assert state["words"]["hint"] == "Nothing to call."
    assert state["view"]["chips"]["pots"] == [{"amount": 3, "seats": [0, 1, 2]}]
    assert list(table.steps(0)) == [("Check",), ("Bet …",), ("All-in: 199",), ("Fold",)]
    assert table.steps(1) == {}
    bet = table.steps(0)["Bet …",]
    said = table.refused("/act", seat=0, offer=bet, amount=200)
    assert said == "So many chips cannot be bet here."
    table.move(0, "Bet …", amount=5)
    state = table.state()
    assert state["words"]["happened"] == "Anna bets 5."
    assert (state["words"]["headline"], state["words"]["hint"]) == ("Ben to play", "5 to call.")
    table.move(1, "Call 5")
    table.move(2, "Fold")
    state = table.state()
    assert "folded" in state["parts"]["seat-2"]
    assert [slot["shows"] for slot in state["view"]["seats"][2]["slots"]] == ["out"] * 5
    assert state["words"]["hint"] == "Exchange cards, or keep all of them."
    assert ("Exchange 2 cards", "Slots 1 and 3") in table.steps(0)
    assert max(len(steps[1]) for steps in table.steps(0) if len(steps) > 1) == len("Slots 1, 2 and 3")
    table.move(0, "Exchange 2 cards", "Slots 1 and 3")
    assert table.state()["words"]["happened"] == "Anna exchanged 2 cards."
    table.move(1, "Keep all cards")
    table.move(0, "Check")
    table.move(1, "Check")
    assert table.view["revealing"] and table.view["chips"]["stacks"] == [194, 194, 199]
    assert table.refused("/enter", seat=2, slot=1, card="As") == "No card can be entered there now."
    for seat, hand in ((0, "Ks Kd 2c 3d 4h"), (1, "7s 7d 2d 3c 4c")):
        for number, card in enumerate(hand.split(), 1):
            table.post("/enter", seat=seat, slot=number, card=card)
    ended = table.state()
    assert ended["words"]["headline"] == "Anna wins!"
    assert ended["words"]["result"] == "Anna wins 13 with a pair of kings."
    assert ended["view"]["chips"]["stacks"] == [207, 194, 199]
    assert ended["view"]["result"]["hands"][2] == []
    assert not ended["view"]["told"]
    assert table.client.get("/story").status_code != 200


def test_a_hand_of_stud_waits_for_its_open_cards() -> None:
    table = Table("stud", 2, [])
    state = table.state()
    assert state["words"]["headline"] == "Which cards lie open?"
    assert "data-enter" in state["parts"]["seat-0"]
    assert table.refused("/enter", seat=0, slot=1, card="As") == "No card can be entered there now."
    table.post("/enter", seat=0, slot=2, card="9c")
    assert table.view["current"] is None
    table.post("/enter", seat=1, slot=2, card="Kd")
    assert table.view["current"] == 1 and table.view["seats"][1]["slots"][1]["card"] == "Kd"
    table.move(1, "Bet 5")
    table.post("/call", name="undo")
    table.move(1, "Check")
    table.move(0, "Bet 5")
    table.move(1, "Fold")
    ended = table.state()
    assert ended["words"]["result"] == "Anna wins 9: everybody else has folded."
    assert ended["view"]["seats"][0]["slots"][0]["card"] is None, "a hand that was not called is never shown"


def test_both_say_high_or_low_at_once() -> None:
    random = Random(3)
    table = Table("stud", 2, shuffled(random), eval="hilo")
    while table.view["waits"] != "declare":
        table.read_open_cards()
        if table.view["current"] is not None:
            table.move(table.view["current"], "Check")
    assert table.state()["words"]["headline"] == "High or low?"
    assert table.view["actors"] == [0, 1]
    table.move(1, "Go for low")
    told = table.client.get("/state.json").get_data(as_text=True)
    assert table.view["actors"] == [0] and "declare_low" not in told and '"low"' not in told
    table.move(0, "Go for high")
    assert table.view["chips"]["declared"] == ["high", "low"]
    table.show()
    assert sum(table.view["result"]["won"]) == 4
