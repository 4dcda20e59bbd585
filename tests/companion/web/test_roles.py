"""Every route answers its roles and no other; a phone acts for its own seat alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from flask import Blueprint, Flask
from flask.testing import FlaskClient

from companion.observation import Answer, Call, Declaration, Entry
from companion.views import MoveView, QuestionView, Role, SlotShows, View
from companion.web import create_app
from companion.web.bench import bench_pages
from companion.web.gate import RULERS, Access, Preset, open_to, roles_of
from companion.web.live import Stream
from companion.web.puppet import puppet_pages
from companion.web.strings import string_pages
from tests.companion import tables
from tests.companion.tables import FakeOffer, FakeSitting
from tests.companion.web.puppets import StillPuppet
from tests.companion.web.visitors import client_of, club, home, keyring_of, secret_for

VALUES = {"seat": 1, "kind": "teach", "name": "start", "filename": "table.css", "number": 1}
"""Something for every placeholder of a route."""


class Loose:
    """Strings with nothing at their ends."""

    def pull(self, name: str, seat: int, slot: int, /) -> None:
        return


def app_of(sitting: FakeSitting, access: Access) -> Flask:
    pages = [bench_pages({}), string_pages(sitting, Loose()), puppet_pages(sitting, StillPuppet())]
    return create_app(sitting, pages, buttons=True, access=access)


def routes(app: Flask) -> Iterator[tuple[str, str, str]]:
    """Method, address and endpoint of every route."""
    adapter = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        address = adapter.build(rule.endpoint, {name: VALUES[name] for name in rule.arguments}, method=None)
        for method in sorted((rule.methods or set()) & {"GET", "POST"}):
            yield method, address, rule.endpoint


ROUTES = tuple(routes(app_of(FakeSitting(), home())))
BODY: dict[str, Any] = {
    "seat": 1, "question": 7, "choice": 0, "offer": 3, "name": "pause", "slot": 1, "card": "8s", "token": "x", "pin": "846210",
}  # fmt: skip
"""Holds what any route could want."""


def send(client: FlaskClient, method: str, address: str, body: dict[str, Any] = BODY) -> Any:
    return client.get(address) if method == "GET" else client.post(address, json=body)


# ---- declared roles ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", Preset)
def test_every_route_declares_its_roles(preset: Preset) -> None:
    app = app_of(FakeSitting(), Access(preset))
    declared = {rule.rule: roles_of(app, rule.endpoint) for rule in app.url_map.iter_rules()}
    assert len(declared) >= 18
    assert [rule for rule, roles in declared.items() if not roles] == []


def test_a_route_without_roles_makes_no_application(sitting: FakeSitting) -> None:
    extra = Blueprint("extra", __name__)
    extra.add_url_rule("/secret", view_func=lambda: "cards")
    with pytest.raises(TypeError, match="/secret declares no roles"):
        create_app(sitting, [extra])


def test_spectators_and_puppeteers_may_post_nothing_but_who_they_are_and_what_moves_cards() -> None:
    app = app_of(FakeSitting(), club())
    open_posts = {
        rule.rule for rule in app.url_map.iter_rules()
        if "POST" in (rule.methods or ()) and {Role.SPECTATOR, Role.PUPPETEER} & (roles_of(app, rule.endpoint) or set())
    }  # fmt: skip
    by_hand = {"/strings/<name>", "/puppet/do", "/puppet/leave"}
    assert open_posts == {"/join", "/leave", "/referee/enter", *by_hand}


@pytest.mark.parametrize("access", [home, club])
@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize(("method", "address", "endpoint"), ROUTES)
def test_the_wrong_role_is_told_and_changes_nothing(
    method: str, address: str, endpoint: str, role: Role, access: Callable[[], Access]
) -> None:
    sitting = FakeSitting(tables.asked(), (FakeOffer(3, MoveView("discard", 1)),))
    app = app_of(sitting, access())
    roles = roles_of(app, endpoint) or frozenset()
    client = client_of(app, role, 1)
    before = keyring_of(app).keys
    answer = send(client, method, address)
    at_home = app.extensions["viewmat_gate"].access.preset is Preset.HOME
    rules = at_home and role in (Role.TABLE, Role.PUPPETEER) and Role.REFEREE in roles
    if role in roles or rules:
        assert answer.status_code < 500
        if answer.status_code == 403:
            assert answer.json["error"] in ("bad_link_alone", "wrong_pin")
        answer.close()
        return
    assert answer.status_code == 403
    assert answer.json["error"] == "not_yours"
    assert answer.json["message"].startswith("Only ") and answer.json["message"].endswith(" may do this.")
    assert (sitting.posted, sitting.claimed, keyring_of(app).keys) == ([], [], before)


def test_the_refusal_names_who_may(sitting: FakeSitting) -> None:
    client = client_of(app_of(sitting, club()), Role.SPECTATOR)
    assert client.post("/act", json={}).json["message"] == (
        "Only the screen on the table, a player's phone and the referee may do this."
    )


def test_a_referees_route_is_open_at_home_to_the_table_and_to_who_plays_a_virtual_one(sitting: FakeSitting) -> None:
    extra = Blueprint("extra", __name__)
    extra.add_url_rule("/rule", view_func=open_to(RULERS)(lambda: "done"))
    answers = {}
    for access in (home(), club()):
        app = create_app(sitting, [extra], access=access)
        answers[access.preset] = [client_of(app, role, 1).get("/rule").status_code for role in Role]
    #                                spectator, seat, table, referee, puppeteer
    assert answers[Preset.HOME] == [403, 403, 200, 200, 200]
    assert answers[Preset.CLUB] == [403, 403, 403, 200, 403]


# ---- who one is --------------------------------------------------------------------------------------------------


def role_of(client: FlaskClient) -> str:
    found: str = client.get("/state.json").json["role"]
    return found


def test_a_screen_without_a_link_is_the_tables_at_home_and_watches_in_a_club(sitting: FakeSitting) -> None:
    assert role_of(app_of(sitting, home()).test_client()) == "table"
    stranger = app_of(sitting, club()).test_client()
    assert role_of(stranger) == "spectator"
    assert stranger.post("/call", json={"name": "pause"}).status_code == 403
    assert sitting.posted == []


def test_a_phone_that_was_signed_off_gains_nothing_by_it(sitting: FakeSitting) -> None:
    """At home, too: it watches, and does not become the table's screen of its own accord."""
    app = app_of(sitting, home())
    phone = client_of(app, Role.SEAT, 1)
    assert role_of(phone) == "seat-1"
    keyring_of(app).invite(Role.SEAT, 1, "Ben")
    assert role_of(phone) == "spectator-stale"
    assert phone.post("/press/1", json={}).status_code == 403
    assert "signed off" in phone.get("/").get_data(as_text=True)
    assert phone.post("/leave", json={}).status_code == 200
    assert role_of(phone) == "table"


def test_two_tables_on_one_machine_do_not_share_a_cookie(sitting: FakeSitting) -> None:
    app = app_of(sitting, home())
    client = app.test_client()
    client.set_cookie("viewmat-8080", secret_for(app, Role.SEAT, 2), domain="pi.local")
    assert client.get("/state.json", headers={"Host": "pi.local:8080"}).json["role"] == "seat-2"
    assert client.get("/state.json", headers={"Host": "pi.local:8081"}).json["role"] == "table"


# ---- a seat's phone ----------------------------------------------------------------------------------------------


@pytest.fixture
def phone(sitting: FakeSitting) -> FlaskClient:
    """Ben's, whose turn it is at most tables."""
    return client_of(app_of(sitting, home()), Role.SEAT, 1)


def test_a_phone_acts_for_its_seat(phone: FlaskClient, sitting: FakeSitting) -> None:
    sitting.choices = (FakeOffer(3, MoveView("discard", 1)),)
    sitting.show(tables.tapped())
    assert phone.get("/offers/1").status_code == 200
    assert phone.post("/act", json={"seat": 1, "offer": 3}).status_code == 200
    assert phone.post("/press/1", json={}).status_code == 200
    assert phone.post("/call", json={"name": "leave", "seat": 1}).status_code == 200
    assert phone.post("/call", json={"name": "pause"}).status_code == 200
    sitting.show(tables.asked())
    assert phone.post("/answer", json={"question": 7, "choice": 1}).status_code == 200
    sitting.show(tables.revealing((5, 3, 0, 0)))
    assert phone.post("/enter", json={"seat": 1, "slot": 4, "card": "8s"}).status_code == 200
    assert sitting.claimed == [(1, 3)]
    assert [one.seat for one in sitting.posted] == [1] * 5
    assert isinstance(sitting.posted[-1].what, Entry)


OTHERS: tuple[tuple[View, str, dict[str, Any]], ...] = (
    (tables.playing(), "/press/2", {}),
    (replace(tables.tapped(), current=3, seats=tuple(tables.seat(n, "tap") for n in range(4))), "/act", {"seat": 3, "offer": 3}),
    (tables.asked(), "/answer", {"question": 7, "choice": 0, "seat": 2}),
    (replace(tables.asked(), question=QuestionView(7, "reseat", 2, (None,))), "/answer", {"question": 7, "choice": 0}),
    (tables.revealing((5, 3, 0, 0)), "/enter", {"seat": 2, "slot": 1, "card": "8s"}),
    (tables.tapped(), "/enter", {"row": 2, "card": "8s"}),
    (tables.playing(), "/call", {"name": "leave", "seat": 2}),
    (tables.playing(), "/call", {"name": "pause", "seat": 2}),
)


@pytest.mark.parametrize(("view", "address", "body"), OTHERS)
def test_a_phone_cannot_act_for_another_seat(
    phone: FlaskClient, sitting: FakeSitting, view: View, address: str, body: dict[str, Any]
) -> None:
    sitting.choices = (FakeOffer(3, MoveView("discard", 1)),)
    sitting.show(view)
    answer = phone.post(address, json=body)
    assert answer.status_code == 403, answer.json
    assert answer.json == {"error": "other_seat", "message": "This phone can act for its own seat only."}
    assert (sitting.posted, sitting.claimed) == ([], [])


@pytest.mark.parametrize(("view", "address", "body"), OTHERS)
def test_what_a_phone_cannot_do_for_others_the_table_can(view: View, address: str, body: dict[str, Any]) -> None:
    """The refusals above are about the phone, not about the request."""
    sitting = FakeSitting(view, (FakeOffer(3, MoveView("discard", 1)),))
    client = app_of(sitting, home()).test_client()
    answer = client.post(address, json=body)
    # Nobody waits for the button of seat 2 in the first case; that is another refusal.
    assert answer.status_code == 200 or answer.json["error"] == "no_press"


def test_offers_of_others_are_theirs(phone: FlaskClient, sitting: FakeSitting) -> None:
    sitting.choices = (FakeOffer(3, MoveView("discard", 3)),)
    sitting.show(replace(tables.tapped(), current=3, seats=tuple(tables.seat(n, "tap") for n in range(4))))
    assert phone.get("/offers/3").json["error"] == "other_seat"


def test_a_question_to_everybody_may_be_answered_by_any_phone(phone: FlaskClient, sitting: FakeSitting) -> None:
    sitting.show(replace(tables.asked(), question=QuestionView(7, "reseat", None, (None,))))
    assert phone.post("/answer", json={"question": 7, "choice": 0}).status_code == 200
    assert sitting.posted == [Declaration(12.5, 1, Answer(7, 0))]


@pytest.mark.parametrize(("access", "role", "status"), [
    (home, Role.TABLE, 200), (home, Role.SEAT, 403),
    (club, Role.TABLE, 403), (club, Role.SEAT, 403), (club, Role.REFEREE, 200),
])  # fmt: skip
def test_who_may_take_a_move_back(sitting: FakeSitting, access: Callable[[], Access], role: Role, status: int) -> None:
    """At home everybody at the table's screen; in a club that is a ruling."""
    client = client_of(app_of(sitting, access()), role, 1)
    answer = client.post("/call", json={"name": "undo"})
    assert answer.status_code == status
    assert sitting.posted == ([Declaration(12.5, 0, Call("undo"))] if status == 200 else [])
    assert ('"name": "undo"' in client.get("/").get_data(as_text=True)) == (status == 200)


# ---- what each page offers ---------------------------------------------------------------------------------------


def test_a_phones_page_has_its_own_seat_nearest_and_its_own_buttons(phone: FlaskClient, sitting: FakeSitting) -> None:
    sitting.show(replace(tables.tapped(), question=None))
    page = phone.get("/").get_data(as_text=True)
    assert "This phone is Ben&#39;s." in page or "This phone is Ben's." in page
    assert [f'id="seat-{n}" class="seat at-{(n - 1) % 4}"' in page for n in range(4)] == [True] * 4
    assert page.count("data-offers=") == 1
    assert "data-link=" not in page
    assert 'data-post="/press/0"' not in page
    assert [json.loads(b)["name"] for b in _bodies(page, "/call")] == ["pause", "leave"]


def test_a_phones_page_has_no_buttons_of_others(phone: FlaskClient, sitting: FakeSitting) -> None:
    sitting.show(replace(tables.asked(), question=QuestionView(7, "reseat", 2, (None,))))
    assert _bodies(phone.get("/").get_data(as_text=True), "/answer") == []
    sitting.show(tables.revealing((0, 3, 0, 0)))
    page = phone.get("/").get_data(as_text=True)
    assert [place for place in ("0,1", "1,4", "1,5", "2,1") if f'data-enter="{place}"' in page] == ["1,4", "1,5"]
    sitting.show(tables.tapped())
    assert "data-enter" not in phone.get("/").get_data(as_text=True), "the row's cards are everybody's"


@pytest.mark.parametrize("situation", tables.SITUATIONS)
def test_a_spectators_page_has_nothing_to_tap(situation: str) -> None:
    app = app_of(FakeSitting(tables.SITUATIONS[situation]), club())
    page = app.test_client().get("/").get_data(as_text=True)
    assert not any(word in page for word in ("data-post", "data-offers", "data-enter=", "data-link"))
    assert "This screen only watches." in page
    assert page.count('<li class="slot') == 5 * len(tables.SITUATIONS[situation].seats)


def test_the_tables_page_has_a_link_for_every_seat_that_a_person_has(sitting: FakeSitting) -> None:
    sitting.show(tables.tapped())
    page = app_of(sitting, home()).test_client().get("/").get_data(as_text=True)
    assert [n for n in range(4) if f'data-link="{n}"' in page] == [0, 1, 3]
    assert "whose" not in page


def _bodies(page: str, address: str) -> list[str]:
    start = f"data-post=\"{address}\" data-body='"
    return [piece.split("'", 1)[0] for piece in page.split(start)[1:]]


# ---- cards on a phone --------------------------------------------------------------------------------------------


def hidden_words(own: bool) -> tuple[str, ...]:
    return ("ace of clubs", "seven of diamonds") if own else ("king of hearts", "jack of hearts")


def test_a_phone_shows_its_own_cards_where_its_view_has_them(sitting: FakeSitting) -> None:
    sitting.peek = True
    app = app_of(sitting, home())
    phone = client_of(app, Role.SEAT, 1)
    for said in (phone.get("/").get_data(as_text=True), phone.get("/state.json").get_data(as_text=True)):
        assert all(words in said for words in hidden_words(own=True))
        assert not any(words in said for words in hidden_words(own=False))
    for other in (client_of(app, Role.SEAT, 2), client_of(app, Role.TABLE), client_of(app, Role.SPECTATOR)):
        for address in ("/", "/state.json"):
            assert not any(words in other.get(address).get_data(as_text=True) for words in hidden_words(own=True))


def test_a_phones_stream_is_its_own(sitting: FakeSitting) -> None:
    sitting.peek = True
    app = app_of(sitting, home())
    for role, seat, seen in ((Role.SEAT, 1, True), (Role.SEAT, 0, False), (Role.TABLE, None, False)):
        answer = client_of(app, role, seat).get("/events", buffered=False)
        first = next(iter(answer.response))
        answer.close()
        assert (b"seven of diamonds" in (first if isinstance(first, bytes) else first.encode())) is seen


def test_a_stream_ends_when_its_phone_is_signed_off(sitting: FakeSitting) -> None:
    sitting.peek = True
    app = app_of(sitting, home())
    answer = client_of(app, Role.SEAT, 1).get("/events", buffered=False)
    stream = iter(answer.response)
    next(stream)
    keyring_of(app).invite(Role.SEAT, 1, "Ben")
    sitting.show(tables.stolen())
    with pytest.raises(StopIteration):
        next(stream)
    answer.close()
    assert app.extensions["viewmat_streams"].open == 0


def test_a_stream_asks_for_the_view_of_its_role() -> None:
    asked: list[tuple[Any, ...]] = []

    class Asked(FakeSitting):
        def view(self, *who: Any) -> View:
            asked.append(who)
            return super().view(*who)

        def wait(self, version: int, timeout: float, *who: Any) -> View:
            asked.append(who)
            return replace(self.shown, version=version + 1)

    class Place:
        closing = type("Never", (), {"is_set": lambda self: False})()

        def leave(self) -> None:
            return

    stream = Stream(Asked(), Place(), lambda view: "", Role.SEAT, 3)  # type: ignore[arg-type]
    next(stream)
    next(stream)
    assert asked == [(Role.SEAT, 3), (Role.SEAT, 3)]


def test_a_revealed_card_is_drawn_as_such_on_the_phone_too(sitting: FakeSitting) -> None:
    sitting.peek = True
    sitting.show(tables.revealing((5, 5, 5, 5)))
    page = client_of(app_of(sitting, home()), Role.SEAT, 1).get("/").get_data(as_text=True)
    assert "peek" not in page
    assert all(one.shows is SlotShows.REVEALED for one in sitting.view().seats[1].slots)


def test_at_home_a_phone_is_told_that_the_tables_screen_decides() -> None:
    for access, who in ((home(), "the screen on the table"), (club(), "the referee")):
        app = create_app(FakeSitting(), access=access)
        phone = client_of(app, Role.SEAT, 1)
        for path, body in (("/go_on", {}), ("/call", {"name": "undo"}), ("/rewind", {"moves": 0})):
            refused = phone.post(path, json=body)
            assert (refused.status_code, refused.get_json()["message"]) == (403, f"Only {who} may do this.")
