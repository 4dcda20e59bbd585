"""The reveal of a game from photographs: hands are given to seats, and entered as by taps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.cards import Card, Mark
from companion.inbox import Receipt
from companion.observation import Correct, Entry, Event, OwnEntry
from companion.sitting import Sitting
from companion.table import slot
from companion.views import Role
from companion.web import create_app
from companion.web.gate import Access
from companion.web.photo import PhotoPage
from firmware.photodesk import PhotoDesk
from tests.companion.amended import ended, taps
from tests.companion.told import Told
from tests.companion.web.visitors import client_of, club
from tests.firmware.photographed import written, written_desk

HANDS = "Ah Ad 7c 8c 2s/Kh Kd Ks 3c 4d/Qh Jd 9s 6c 5d"
OCTETS = "application/octet-stream"


class Worked:
    """A sitting that gets to everything at once."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.posted: list[Any] = []

    def post(self, event: Event, /) -> Receipt:
        self.posted.append(event)
        receipt = self.sitting.post(event)
        self.sitting.work()
        return receipt

    def __getattr__(self, name: str) -> Any:
        return getattr(self.sitting, name)


@pytest.fixture
def desk() -> Iterator[PhotoDesk]:
    with closing(written_desk()) as opened:
        yield opened


def visitor(
    desk: PhotoDesk, table: Told, role: Role | None = None, seat: int | None = None, access: Access | None = None
) -> tuple[FlaskClient, Worked]:
    worked = Worked(table.sitting)
    app = create_app(worked, [PhotoPage(desk, worked).routes()], access=access)
    return (app.test_client() if role is None else client_of(app, role, seat)), worked


def take(client: FlaskClient, text: str) -> dict[str, Any]:
    told = client.post("/photo/pictures", data=written(text), content_type=OCTETS).get_json()["state"]
    assert isinstance(told, dict)
    return told


def chosen(html: str) -> list[str]:
    """What is chosen for each hand."""
    return [part.split(" selected>")[1].split("<")[0] if " selected>" in part else "" for part in html.split("<select")[1:]]


def test_a_table_of_taps_is_revealed_by_one_picture(desk: PhotoDesk) -> None:
    table = ended(taps())
    client, _ = visitor(desk, table)
    html = take(client, HANDS)["parts"]["reveal"]
    assert "Use these cards for the game at the table" in html
    assert chosen(html) == ["", "", ""], "nobody knows whose they are"
    answer = client.post("/photo/reveal", json={"seats": [1, 0, 2]}).get_json()
    assert answer["lines"] == ["Ben: 5 cards were entered.", "Ann: 5 cards were entered.", "Cat: 5 cards were entered."]
    assert answer["state"]["parts"]["reveal"] == ""
    view = table.sitting.view()
    assert view.result is not None and view.result.winners == (0,)
    assert [one.card for one in view.seats[0].slots] == ["Kh", "Kd", "Ks", "3c", "4d"]


def test_open_cards_and_what_is_left_tell_whose_a_hand_is(desk: PhotoDesk) -> None:
    table = ended(taps())
    client, worked = visitor(desk, table)
    client.post("/enter", json={"seat": 2, "slot": 1, "card": "Ah"})
    client.post("/enter", json={"seat": 1, "slot": 4, "card": "3c"})
    assert chosen(take(client, HANDS)["parts"]["reveal"]) == ["Cat", "Ben", "Ann"]
    lines = client.post("/photo/reveal", json={"seats": [2, 1, 0]}).get_json()["lines"]
    assert lines == [
        "Cat: 4 cards were entered.", "Cat: one card lies open already.", "Ben: 4 cards were entered.",
        "Ben: one card lies open already.", "Ann: 5 cards were entered.",
    ]  # fmt: skip
    assert not any(isinstance(event.what, Correct) for event in worked.posted), "nothing that lies open is called otherwise"
    assert table.sitting.view().result is not None


def test_what_its_owner_named_in_secret_is_no_hint(desk: PhotoDesk) -> None:
    table = taps()
    table.say(0, OwnEntry(slot(0, 1), Card.parse("Kh")), 0.2)
    client, _ = visitor(desk, ended(table))
    assert chosen(take(client, HANDS)["parts"]["reveal"]) == ["", "", ""]
    client.post("/photo/reveal", json={"seats": [0, 1, 2]})
    view = table.sitting.view()
    assert view.result is not None and view.result.winners == (1,), "what is shown counts"


def test_a_card_that_lies_open_elsewhere_is_refused_and_said(desk: PhotoDesk) -> None:
    table = ended(taps())
    client, worked = visitor(desk, table)
    client.post("/enter", json={"seat": 2, "slot": 1, "card": "Kd"})
    take(client, "Kh Kd Ks 3c 4d")
    before = len(worked.posted)
    lines = client.post("/photo/reveal", json={"seats": [0]}).get_json()["lines"]
    assert lines == [
        "Ann: 4 cards were entered.",
        "Ann, king of diamonds: This card lies open already: king of diamonds, slot 1 of Cat.",
    ]
    assert len(worked.posted) == before + 4
    assert table.sitting.view().result is None


def test_one_card_in_two_hands_is_refused_by_the_table(desk: PhotoDesk) -> None:
    table = ended(taps())
    client, _ = visitor(desk, table)
    take(client, "Kh Kd Ks 3c 4d/Qh Jd 9s 6c 5d")
    client.post("/photo/card", json={"spot": 1005, "card": "Kd"})
    lines = client.post("/photo/reveal", json={"seats": [0, 1]}).get_json()["lines"]
    assert lines[-1] == "Ben, king of diamonds: This card lies open in a hand already: look there which of the two it really is."
    assert lines[0] == "Ann: 5 cards were entered."


def test_hands_that_are_not_whole(desk: PhotoDesk) -> None:
    table = ended(taps())
    client, worked = visitor(desk, table)
    take(client, "Kh Kd ?3c3s 4d 2s/Qh Jd 9s 6c 5d")
    client.post("/photo/add", json={"hand": 1, "card": "9h"})
    client.post("/photo/move", json={"spot": 1004, "hand": 2})
    lines = client.post("/photo/reveal", json={"seats": [0, 1, 2]}).get_json()["lines"]
    assert lines == [
        "Ann: 3 cards were entered.", "Ann: one card of the picture is not known.",
        "Ann: the picture has 4 cards instead of five.", "Ben: the picture has 6 cards instead of five.",
        "Cat: one card was entered.", "Cat: the picture has only one card.",
    ]  # fmt: skip
    assert all(isinstance(event.what, Entry) and event.what.place.seat != 1 for event in worked.posted)


@pytest.mark.parametrize(
    ("seats", "error"),
    [
        ([0], "bad_form"), ("all", "bad_form"), ([0, 1, "x"], "bad_form"), ([0, True, None], "bad_form"),
        ([0, 9, None], "no_place"), ([0, -1, None], "no_place"), ([0, 0, 1], "photo_twice"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_enters_nothing(desk: PhotoDesk, seats: Any, error: str) -> None:
    client, worked = visitor(desk, ended(taps()))
    take(client, HANDS)
    assert client.post("/photo/reveal", json={"seats": seats}).get_json()["error"] == error
    assert worked.posted == []


# ---- who may, and when ---------------------------------------------------------------------------------------------


def test_before_the_end_nothing_is_entered_and_nothing_is_said(desk: PhotoDesk) -> None:
    table = taps()
    for position in range(1, 6):
        table.say(0, OwnEntry(slot(0, position), Card.parse(HANDS.split("/")[0].split()[position - 1])), 0.1)
    client, worked = visitor(desk, table)
    before = table.sitting.agreement
    told = take(client, HANDS)
    assert told["parts"]["reveal"] == ""
    answer = client.post("/photo/reveal", json={"seats": [0, None, None]})
    assert (answer.status_code, answer.get_json()["error"]) == (409, "photo_not_now")
    assert worked.posted == [] and table.sitting.agreement == before


def test_a_players_phone_enters_his_own_hand_only(desk: PhotoDesk) -> None:
    table = ended(taps())
    client, _ = visitor(desk, table, Role.SEAT, 1)
    html = take(client, "Kh Kd Ks 3c 4d")["parts"]["reveal"]
    assert html.count("<option") == 2 and chosen(html) == ["Ben"]
    assert client.post("/photo/reveal", json={"seats": [0]}).get_json()["error"] == "other_seat"
    assert client.post("/photo/reveal", json={"seats": [1]}).get_json()["lines"] == ["Ben: 5 cards were entered."]


def test_a_spectator_enters_nothing(desk: PhotoDesk) -> None:
    client, worked = visitor(desk, ended(taps()), Role.SPECTATOR, access=club())
    assert take(client, HANDS)["parts"]["reveal"] == ""
    answer = client.post("/photo/reveal", json={"seats": [0, 1, 2]})
    assert (answer.status_code, answer.get_json()["error"]) == (403, "not_yours")
    assert worked.posted == []


# ---- mats ----------------------------------------------------------------------------------------------------------


def test_what_cameras_have_read_is_turned_over_and_not_entered(desk: PhotoDesk) -> None:
    """Whoever names cards from a picture must not find out whether a camera has read the same."""
    table = ended(Told())
    assert table.view.revealing
    client, worked = visitor(desk, table)
    assert take(client, HANDS)["parts"]["reveal"] == ""
    assert client.post("/photo/reveal", json={"seats": [0, 1, 2]}).get_json()["error"] == "photo_not_now"
    assert worked.posted == []


def test_a_mat_that_fails_is_revealed_by_a_picture(desk: PhotoDesk) -> None:
    table = Told()
    hands = [[str(table.shown[slot(seat, number)]) for number in range(1, 6)] for seat in range(3)]
    ended(table)
    table.fail(1)
    table.wait(6.0)
    table.lie({slot(seat, number): Mark.BACK for seat in (0, 2) for number in range(1, 6)}, 3.0)
    view = table.view
    assert view.revealing and view.result is None and view.seats[1].by_hand
    client, _ = visitor(desk, table)
    html = take(client, "/".join(" ".join(hand) for hand in hands))["parts"]["reveal"]
    assert chosen(html) == ["", "Ben", ""], "the other hands lie open already, so this one is left"
    answer = client.post("/photo/reveal", json={"seats": [None, 1, None]}).get_json()
    assert answer["lines"] == ["Ben: 5 cards were entered."]
    table.wait(0.5)
    assert table.view.result is not None


def test_one_slot_that_cannot_be_read_is_filled_from_the_picture(desk: PhotoDesk) -> None:
    """The other four have been turned over: only the fifth is wanted."""
    table = Told(deal=False)
    cards = [table.pile.pop(0) for _ in range(15)]
    lies: dict[Any, Any] = {slot(n // 5, n % 5 + 1): card for n, card in enumerate(cards)}
    table.lie({**lies, slot(1, 3): Mark.UNREADABLE}, 3.0)
    ended(table)
    table.lie({slot(seat, number): Mark.BACK for seat in range(3) for number in range(1, 6)}, 3.0)
    view = table.view
    assert view.revealing and view.result is None
    client, _ = visitor(desk, table)
    html = take(client, " ".join(str(card) for card in cards[5:10]))["parts"]["reveal"]
    assert chosen(html) == ["Ben"]
    lines = client.post("/photo/reveal", json={"seats": [1]}).get_json()["lines"]
    assert lines == ["Ben: one card was entered.", "Ben: 4 cards lie open already."]
    table.wait(0.5)
    assert table.view.result is not None
