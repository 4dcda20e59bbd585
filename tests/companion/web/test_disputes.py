"""The screen of a dispute, and the routes by which people stop play, undo, correct and agree."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cards import Card
from companion.observation import Agree, Call, Correct, Declaration, Reseat, Rewind
from companion.picture import RowSight
from companion.table import row, slot
from companion.views import SlotShows
from companion.web import create_app
from companion.web.disputes import LONGEST_REASON
from tests.companion import tables
from tests.companion.tables import FakeSitting
from tests.companion.told import Told

DEEDS = ("stop", "go_on", "laid", "table_right", "screen_right", "agree", "rewind", "correct", "reseat")


def refused(answer: Any, status: int = 400) -> str:
    assert answer.status_code == status, answer.data
    return json.loads(answer.data)["error"]


# ---- what is taken -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["stop", "laid", "table_right", "screen_right"])
def test_calls(client: FlaskClient, sitting: FakeSitting, name: str) -> None:
    assert client.post(f"/{name}", json={"seat": 2, "reason": "  it fell \n down "}).status_code == 200
    assert client.post(f"/{name}", json={}).status_code == 200
    assert sitting.posted == [Declaration(12.5, 2, Call(name, "it fell down")), Declaration(12.5, 0, Call(name))]


def test_play_goes_on_only_where_it_is_stopped(client: FlaskClient, sitting: FakeSitting) -> None:
    assert refused(client.post("/go_on", json={})) == "not_stopped"
    sitting.show(tables.stopped())
    assert client.post("/go_on", json={}).status_code == 200
    assert sitting.posted == [Declaration(12.5, 0, Call("go_on"))]


def test_a_seat_agrees(client: FlaskClient, sitting: FakeSitting) -> None:
    assert refused(client.post("/agree", json={"proposal": 9, "seat": 1, "yes": True})) == "no_agreement"
    sitting.show(tables.stopped())
    assert client.post("/agree", json={"proposal": 9, "seat": 1, "yes": True}).status_code == 200
    assert client.post("/agree", json={"proposal": 9, "seat": 3, "yes": False}).status_code == 200
    assert sitting.posted == [Declaration(12.5, 1, Agree(9, True)), Declaration(12.5, 3, Agree(9, False))]
    for body, kind in (
        ({"proposal": 8, "seat": 1, "yes": True}, "no_agreement"),
        ({"proposal": 9, "seat": 4, "yes": True}, "no_seat"),
        ({"proposal": 9, "seat": 1, "yes": 1}, "bad_form"),
        ({"proposal": 9, "seat": 1}, "bad_form"),
    ):
        assert refused(client.post("/agree", json=body)) == kind
    assert len(sitting.posted) == 2


def test_moves_are_taken_back_and_done_again(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.show(tables.undone())
    for moves in (0, 5):
        assert client.post("/rewind", json={"moves": moves}).status_code == 200
    assert [declared.what for declared in sitting.posted] == [Rewind(0), Rewind(5)]
    for moves in (-1, 6):
        assert refused(client.post("/rewind", json={"moves": moves})) == "no_offer"
    assert refused(client.post("/rewind", json={"moves": "3"})) == "bad_form"


def test_open_cards_are_corrected(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.show(tables.revealing((5, 3, 0, 0)))
    assert client.post("/correct", json={"seat": 1, "slot": 2, "card": "9h", "reason": "mistyped"}).status_code == 200
    assert client.post("/correct", json={"row": 2, "card": "10d"}).status_code == 400, "it lies open elsewhere"
    assert client.post("/correct", json={"row": 2, "card": "6d"}).status_code == 200
    assert [declared.what for declared in sitting.posted] == [
        Correct(slot(1, 2), Card.parse("9h"), "mistyped"),
        Correct(row(2), Card.parse("6d")),
    ]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"seat": 1, "slot": 4, "card": "9h"}, "not_open"),
        ({"seat": 2, "slot": 1, "card": "9h"}, "not_open"),
        ({"seat": 1, "slot": 9, "card": "9h"}, "not_open"),
        ({"seat": 7, "slot": 1, "card": "9h"}, "no_seat"),
        ({"row": 0, "card": "9h"}, "not_open"),
        ({"row": 10, "card": "9h"}, "not_open"),
        ({"row": 1, "card": "1h"}, "no_card"),
        ({"row": 1}, "bad_form"),
        ({"row": 1, "card": "6d", "reason": 3}, "bad_form"),
        ({"row": 1, "card": "6d", "reason": "x" * (LONGEST_REASON + 1)}, "long_reason"),
    ],
)
def test_a_wrong_correction(client: FlaskClient, sitting: FakeSitting, body: dict[str, Any], kind: str) -> None:
    sitting.show(tables.revealing((5, 3, 0, 0)))
    assert refused(client.post("/correct", json=body)) == kind
    assert sitting.posted == []


def test_a_hidden_card_is_laid_anew(client: FlaskClient, sitting: FakeSitting) -> None:
    assert client.post("/reseat", json={"seat": 1, "slot": 2}).status_code == 200
    assert sitting.posted == [Declaration(12.5, 1, Reseat(slot(1, 2)))]
    assert refused(client.post("/reseat", json={"seat": 1, "slot": 6})) == "no_place"
    sitting.show(tables.tapped())
    assert refused(client.post("/reseat", json={"seat": 1, "slot": 2})) == "no_place"
    sitting.show(tables.revealing())
    assert refused(client.post("/reseat", json={"seat": 0, "slot": 2})) == "no_place"


def test_likely_cards_first_and_of_open_cards_alone(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.faces = {row(1): (Card.parse("6d"), Card.parse("8d")), slot(1, 2): (Card.parse("9s"),)}
    assert client.get("/likely?row=1").json == {
        "cards": [{"card": "6d", "words": "six of diamonds"}, {"card": "8d", "words": "eight of diamonds"}]
    }
    assert client.get("/likely?row=2").json == {"cards": []}
    assert refused(client.get("/likely?seat=1&slot=2")) == "not_open"
    for address in ("/likely", "/likely?row=x", "/likely?row=-1", "/likely?seat=1", "/likely?row=1e3", "/likely?row=9999999999"):
        assert refused(client.get(address)) in ("not_open", "bad_form")


# ---- what is not taken -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DEEDS)
def test_no_other_site_and_no_other_form(client: FlaskClient, sitting: FakeSitting, name: str) -> None:
    assert refused(client.post(f"/{name}", json={}, headers={"Origin": "http://elsewhere.test"}), 403) == "other_site"
    assert refused(client.post(f"/{name}", data={"seat": "1"})) == "bad_form"
    assert client.get(f"/{name}").status_code in (404, 405)
    assert sitting.posted == []


anything = st.none() | st.booleans() | st.integers(-3, 12) | st.floats(allow_nan=False) | st.text(max_size=6) | st.just([])
keys = st.sampled_from(["seat", "slot", "row", "card", "proposal", "yes", "moves", "reason"])


@settings(max_examples=60, deadline=None)
@given(
    situation=st.sampled_from(sorted(tables.SITUATIONS)),
    name=st.sampled_from(DEEDS),
    body=st.dictionaries(keys, anything | st.sampled_from(["6d", "Td"]), max_size=4),
)
def test_no_body_breaks_a_route(situation: str, name: str, body: dict[str, Any]) -> None:
    sitting = FakeSitting(tables.SITUATIONS[situation])
    answer = create_app(sitting).test_client().post(f"/{name}", json=body)
    assert answer.status_code in (200, 400)
    assert len(sitting.posted) == (answer.status_code == 200)


# ---- the screen --------------------------------------------------------------------------------------------------


def page(client: FlaskClient, address: str = "/disputes") -> str:
    answer = client.get(address)
    assert answer.status_code == 200, answer.data
    return answer.get_data(as_text=True)


def halted() -> tuple[Told, FlaskClient]:
    table = Told()
    table.exchange(slot(0, 4), slot(1, 2), 6.0)
    table.draw(1, 3, 6.0)
    table.say(0, Call("stop"))
    return table, create_app(table.sitting).test_client()


def test_while_play_goes_on_the_screen_only_stops_it(client: FlaskClient, sitting: FakeSitting) -> None:
    shown = page(client)
    assert re.findall(r"data-post=\"([^\"]+)\"", shown) == ["/stop"]
    assert sitting.asked == []


def test_the_screen_shows_timeline_slots_and_answers() -> None:
    table, client = halted()
    shown = page(client, "/disputes?move=1&seat=1&slot=2")
    text = re.sub(r"<[^>]+>", " ", shown)
    assert "1. Ann stole from slot 2 of Ben and gave slot 4." in text
    assert "2. Ben drew into slot 3; the old card went to the row." in text
    assert "Is it still the card that lay in slot 2 of Ben after move 1?" in text
    assert shown.count("aria-current") == 2, "the move and the slot that were picked"
    assert len(re.findall(r"class=\"slot\"", shown)) == 15
    posts = re.findall(r"data-post=\"([^\"]+)\" data-body='([^']*)'", shown)
    assert posts == [("/go_on", "{}"), ("/rewind", '{"moves": 1}'), ("/reseat", '{"seat": 1, "slot": 2}')]
    hidden = {str(seen) for place, seen in table.shown.items() if isinstance(seen, Card) and place.seat >= 0}
    assert not [card for card in hidden if re.search(rf"\b{card}\b", shown)]


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("?move=3", "no_offer"),
        ("?move=-1", "bad_form"),
        ("?move=one", "bad_form"),
        ("?move=1&seat=3&slot=1", "no_seat"),
        ("?move=1&seat=1&slot=6", "no_place"),
        ("?move=1&seat=1", "bad_form"),
    ],
)
def test_a_question_about_nothing(address: str, kind: str) -> None:
    _, client = halted()
    assert refused(client.get(f"/disputes{address}")) == kind


def test_from_stop_to_go_on_over_the_page_alone() -> None:
    table = Told(sources=("tap", "tap", "tap"), sight=RowSight.NONE)
    client = create_app(table.sitting).test_client()

    def post(path: str, **body: Any) -> None:
        # The table is worked by the same thread, so no answer can wait for it.
        assert client.post(path, json=body).status_code == 202
        table.wait(0.2)

    post("/act", seat=0, offer=table.sitting.offers(0)[0].id)
    post("/stop")
    assert table.view.stopped
    assert "no move to make" in client.get("/offers/1").get_data(as_text=True)
    post("/go_on")
    for seat in (0, 1, 2):
        assert table.view.proposal is not None
        post("/agree", proposal=table.view.proposal.id, seat=seat, yes=True)
    assert not table.view.stopped
    post("/rewind", moves=0)
    assert (table.view.undo, table.view.redo) == (0, 1)


taps = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["stop", "go_on", "laid", "table_right", "screen_right"]), st.fixed_dictionaries({})),
        st.tuples(st.just("rewind"), st.fixed_dictionaries({"moves": st.integers(0, 6)})),
        st.tuples(st.just("correct"), st.fixed_dictionaries({"row": st.integers(1, 3), "card": st.sampled_from(["6d", "As"])})),
        st.tuples(st.just("call"), st.fixed_dictionaries({"name": st.sampled_from(["undo", "pause", "resume", "misdeal"])})),
        st.tuples(st.just("agree"), st.fixed_dictionaries({"seat": st.integers(0, 2), "yes": st.booleans()})),
        st.tuples(st.just("act"), st.fixed_dictionaries({"pick": st.integers(0, 200)})),
    ),
    max_size=25,
)


@settings(max_examples=20, deadline=None)
@given(taps)
def test_no_order_of_taps_breaks_the_table(walk: list[tuple[str, dict[str, Any]]]) -> None:
    table = Told(sources=("tap", "tap", "tap"), sight=RowSight.NONE)
    client = create_app(table.sitting).test_client()
    for name, body in walk:
        view = table.view
        sent = dict(body)
        if name == "agree":
            sent["proposal"] = 0 if view.proposal is None else view.proposal.id
        if name == "act":
            seat = view.current or 0
            offers = table.sitting.offers(seat)
            sent = {"seat": seat, "offer": offers[body["pick"] % len(offers)].id if offers else 0}
        answer = client.post(f"/{name}", json=sent)
        assert answer.status_code in (202, 400, 409), answer.data
        table.time += 1.0
        table.sitting.work()
        assert client.get("/state.json").status_code == 200
        assert client.get("/disputes").status_code == 200
        after = table.view
        assert after.pile + after.removed + len(after.row) + 15 == 52
        if view.stopped and name in ("act", "agree"):
            assert after.undo == view.undo, "nobody moves while play is stopped"


# ---- the live page -----------------------------------------------------------------------------------------------


def posts(client: FlaskClient) -> list[str]:
    return re.findall(r"data-post=\"([^\"]+)\"", client.get("/").get_data(as_text=True))


def test_the_live_page_offers_what_the_situation_needs(client: FlaskClient, sitting: FakeSitting) -> None:
    assert "/stop" in posts(client)
    sitting.show(tables.stopped())
    assert posts(client).count("/agree") == 3, "two seats that have not answered, and a no"
    assert "/stop" not in posts(client)
    assert json.loads(client.get("/state.json").data)["mood"] == "stopped"
    sitting.show(replace(tables.stopped(), proposal=None))
    assert "/go_on" in posts(client)
    sitting.show(tables.undone())
    assert {"/laid", "/rewind"} <= set(posts(client))
    sitting.show(tables.loose())
    assert {"/table_right", "/screen_right"} <= set(posts(client))
    said = json.loads(client.get("/state.json").data)["words"]
    assert said["violation"] == "Table and screen do not agree."
    assert said["homes"] == ["The card in slot 2 of Dan belongs in slot 4 of Anna."]
    assert said["reseat"] == "Please lift the card of slot 5 of Ben and lay it back flat: it is read anew."


def test_open_cards_can_be_tapped_and_hidden_ones_cannot(client: FlaskClient, sitting: FakeSitting) -> None:
    def taps() -> list[str]:
        return re.findall(r"data-correct=\"([^\"]+)\"", client.get("/").get_data(as_text=True))

    assert taps() == ["row,1", "row,2"]
    sitting.show(tables.revealing((2, 0, 0, 0)))
    assert taps()[:2] == ["0,1", "0,2"]
    assert all(tap.startswith("row") for tap in taps()[2:])
    assert SlotShows.REVEALED.value in client.get("/").get_data(as_text=True)
