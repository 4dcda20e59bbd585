"""Who may stop, agree and decide: at home everybody for himself, in a club the referee."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from companion.cards import Card
from companion.observation import Agree, Call, Declaration, OwnEntry
from companion.table import slot
from companion.views import ProposalView, Role, SlotShows, View
from companion.web import create_app
from companion.web.gate import Access
from tests.companion import tables
from tests.companion.tables import FakeSitting
from tests.companion.web.visitors import client_of, club, home

PROPOSED = replace(tables.stopped(), proposal=ProposalView(9, "undo", (0, 1, 2), turns=1))
RULINGS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/go_on", {}), ("/rewind", {"moves": 0}), ("/table_right", {}), ("/screen_right", {}),
    ("/correct", {"row": 1, "card": "8s"}), ("/reseat", {"seat": 1, "slot": 1}),
)  # fmt: skip


@pytest.mark.parametrize(("access", "players"), [(home, (Role.SEAT, Role.TABLE, Role.REFEREE, Role.PUPPETEER)),
                                                 (club, (Role.SEAT, Role.TABLE, Role.REFEREE))])  # fmt: skip
def test_any_player_may_stop_the_game_and_nobody_else(access: Callable[[], Access], players: tuple[Role, ...]) -> None:
    for role in Role:
        sitting = FakeSitting(tables.playing())
        answer = client_of(create_app(sitting, access=access()), role, 2).post("/stop", json={})
        plays = role in players
        assert answer.status_code == (200 if plays else 403)
        seat = 2 if role is Role.SEAT else 0
        assert sitting.posted == ([Declaration(12.5, seat, Call("stop"))] if plays else [])


def test_a_phone_agrees_for_its_own_seat_alone() -> None:
    sitting = FakeSitting(PROPOSED)
    phone = client_of(create_app(sitting, access=home()), Role.SEAT, 1)
    refused = phone.post("/agree", json={"proposal": 9, "seat": 2, "yes": True})
    assert (refused.status_code, refused.json["error"]) == (403, "other_seat")
    assert sitting.posted == []
    assert phone.post("/agree", json={"proposal": 9, "seat": 1, "yes": True}).status_code == 200
    assert sitting.posted == [Declaration(12.5, 1, Agree(9, True))]


@pytest.mark.parametrize(("address", "body"), RULINGS)
@pytest.mark.parametrize(
    ("access", "role", "may"),
    [
        (home, Role.TABLE, True), (home, Role.SEAT, False),
        (club, Role.TABLE, False), (club, Role.SEAT, False), (club, Role.REFEREE, True),
    ],
)  # fmt: skip
def test_who_decides(address: str, body: dict[str, Any], access: Callable[[], Access], role: Role, may: bool) -> None:
    sitting = FakeSitting(tables.stopped())
    answer = client_of(create_app(sitting, access=access()), role, 1).post(address, json=body)
    assert answer.status_code == (200 if may else 403), answer.json
    assert len(sitting.posted) == int(may)


def test_an_unread_card_is_named_by_its_owner_on_his_own_phone_alone() -> None:
    playing = tables.playing()
    unread = replace(playing, seats=(playing.seats[0], tables.seat(1, s3=SlotShows.UNCERTAIN), *playing.seats[2:]))
    for role, seat, status in ((Role.SEAT, 1, 200), (Role.SEAT, 0, 400), (Role.TABLE, None, 403), (Role.REFEREE, None, 403)):
        sitting = FakeSitting(unread)
        client = client_of(create_app(sitting, access=home()), role, seat)
        assert client.post("/own", json={"slot": 3, "card": "8s", "seat": 1}).status_code == status
        assert sitting.posted == ([Declaration(12.5, 1, OwnEntry(slot(1, 3), Card.parse("8s")))] if status == 200 else [])
        assert ('data-own="1,3"' in client.get("/").get_data(as_text=True)) == (status == 200)


def test_a_card_that_was_read_or_is_shown_is_not_named() -> None:
    for view in (tables.playing(), tables.revealing((0, 3, 0))):
        sitting = FakeSitting(view)
        client = client_of(create_app(sitting, access=home()), Role.SEAT, 1)
        assert client.post("/own", json={"slot": 5, "card": "8s"}).json["error"] == "no_place"
        assert sitting.posted == []


def posts(view: View, access: Access, role: Role) -> set[str]:
    page = client_of(create_app(FakeSitting(view), access=access), role, 1).get("/").get_data(as_text=True)
    return set(re.findall(r'data-post="(/[a-z_]+)"', page)) | ({"correct"} if "data-correct" in page else set())


@pytest.mark.parametrize("situation", tables.SITUATIONS)
def test_a_page_offers_no_ruling_to_who_may_not_give_it(situation: str) -> None:
    rulings = {address for address, _ in RULINGS} | {"correct"}
    for access, role in ((home(), Role.SEAT), (club(), Role.SEAT), (club(), Role.TABLE), (club(), Role.SPECTATOR)):
        assert posts(tables.SITUATIONS[situation], access, role) & rulings == set(), (situation, role)


def test_a_page_offers_the_rulings_to_who_gives_them() -> None:
    for access, role in ((home(), Role.TABLE), (club(), Role.REFEREE)):
        assert {"/go_on", "correct"} <= posts(replace(tables.stopped(), proposal=None), access, role)


def test_agreeing_is_offered_for_the_own_seat_on_a_phone_and_for_all_on_the_table() -> None:
    def seats(role: Role) -> list[str]:
        page = client_of(create_app(FakeSitting(PROPOSED), access=home()), role, 1).get("/").get_data(as_text=True)
        return sorted(re.findall(r'"seat": (\d), "yes": (true|false)', page.replace("&#34;", '"')))

    assert seats(Role.SEAT) == [("1", "false"), ("1", "true")]
    assert seats(Role.TABLE) == [("0", "false"), ("0", "true"), ("1", "true"), ("2", "true")]
    assert seats(Role.SPECTATOR) == []
