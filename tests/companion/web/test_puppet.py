"""The virtual table's page: what it shows, what it takes, and from whom."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask import Blueprint, Flask

from companion.tutorial import Lesson, Tutorial
from companion.views import ProposalView, Role
from companion.web import create_app
from companion.web.history import history_pages
from companion.web.puppet import SHARES_SECONDS, puppet_pages
from companion.web.tabletop import Deed, Lying, Spot
from tests.companion import tables
from tests.companion.tables import FakeSitting
from tests.companion.web.puppets import StillPuppet, at_lesson, laid_out
from tests.companion.web.shelved import Shelved
from tests.companion.web.visitors import client_of, club, home


def app_of(puppet: StillPuppet, sitting: FakeSitting | None = None) -> Flask:
    sitting = sitting if sitting is not None else FakeSitting()
    return create_app(sitting, [puppet_pages(sitting, puppet)], access=home())


def state_of(puppet: StillPuppet, address: str = "/puppet/table.json", sitting: FakeSitting | None = None):
    return client_of(app_of(puppet, sitting), Role.PUPPETEER).get(address).json


def test_the_page_has_every_seat_with_the_own_one_nearest():
    page = client_of(app_of(StillPuppet(table=laid_out(mine=(2,)))), Role.PUPPETEER).get("/puppet").get_data(as_text=True)
    assert [f'id="top-{seat}" class="seat at-{(seat - 2) % 4}"' in page for seat in range(4)] == [True] * 4
    assert 'data-mine="2"' in page


def test_the_menu_leads_to_what_this_table_has():
    sitting, puppet = FakeSitting(), StillPuppet()
    pages = [puppet_pages(sitting, puppet), Blueprint("photo", "photo"), history_pages(Shelved(), Shelved())]
    for app, there in ((app_of(puppet), []), (create_app(sitting, pages, access=home()), ["/photo", "/history"])):
        page = client_of(app, Role.PUPPETEER).get("/puppet").get_data(as_text=True)
        assert [path for path in ("/setup", "/photo", "/history") if f'href="{path}"' in page] == there
        assert 'href="/rules"' in page and 'href="/"' in page


def test_a_show_is_looked_at_elsewhere():
    answer = client_of(app_of(StillPuppet(playing=False)), Role.PUPPETEER).get("/puppet")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/strings")


def test_places_are_named_with_what_lies_there():
    table = laid_out()
    seats = ((replace(table.seats[0][0], covered=True), *table.seats[0][1:]), *table.seats[1:])
    hands = (Spot("hand-0", (Lying(91, "joker"), Lying(92, "Kh")), 2), *table.hands[1:])
    parts = state_of(StillPuppet(table=replace(table, seats=seats, hands=hands)))["parts"]
    assert 'aria-label="slot 1 of Anna, a face-down card, a hand is over it"' in parts["top-0"]
    assert 'aria-label="slot 3 of Ben, a face-down card"' in parts["top-1"]
    assert 'aria-label="the hand of Anna, a joker, king of hearts"' in parts["top-0"]
    assert 'data-spot="held-92" aria-label="the hand of Anna, king of hearts"' in parts["top-0"]
    assert 'aria-label="place 1 of the row, ten of diamonds"' in parts["tray"]
    assert 'aria-label="place 5 of the row, empty"' in parts["tray"] and "place 6 of the row" not in parts["tray"]
    assert 'aria-label="the pile, 31 cards"' in parts["tray"]
    assert 'aria-label="the cards that are out of the game, empty"' in parts["tray"]
    assert parts["lesson"] == ""


def test_a_hidden_card_is_a_back_and_nothing_else():
    parts = state_of(StillPuppet())["parts"]
    backs = [parts[f"top-{seat}"].count('<span class="card back" data-piece=') for seat in range(4)]
    assert backs == [5, 5, 5, 5]
    assert "face suit" not in "".join(parts[f"top-{seat}"] for seat in range(4))


def test_only_the_own_seats_have_a_button():
    parts = state_of(StillPuppet(table=laid_out(mine=(1,))))["parts"]
    assert ['class="press"' in parts[f"top-{seat}"] for seat in range(4)] == [False, True, False, False]


def test_the_row_grows_as_far_as_it_has_outlines():
    cards = tuple(Spot(f"row-{number}", (Lying(200 + number, "2c"),), 1) for number in range(1, 10))
    assert state_of(StillPuppet(table=replace(laid_out(), row=cards)))["parts"]["tray"].count("place ") == 9


def test_a_page_waits_for_news_only_where_it_says_what_it_knows():
    puppet = StillPuppet()
    assert state_of(puppet)["number"] == 7
    assert state_of(puppet, "/puppet/table.json?after=x")["number"] == 7
    assert puppet.waited == []
    state_of(puppet, "/puppet/table.json?after=7")
    assert puppet.waited == [(7, SHARES_SECONDS)]


def test_who_waits_takes_a_place_that_streams_have_and_nobody_waits_for_one():
    puppet = StillPuppet()
    app = app_of(puppet)
    app.extensions["viewmat_streams"].limit = 0
    assert client_of(app, Role.PUPPETEER).get("/puppet/table.json?after=7").json["number"] == 7
    assert puppet.waited == []


def test_between_games_there_is_no_table():
    assert state_of(StillPuppet(table=None)) == {"number": -1, "playing": True, "parts": {}}


def test_what_was_not_done_is_said():
    assert state_of(StillPuppet(table=laid_out(said="no_card_there")))["refused"] == "No card lies there."


# ---- deeds ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "deed", "said"),
    [
        ({"deed": "move", "what": ["slot-1-3"], "to": "row"}, Deed("move", ("slot-1-3",), "row"),
         "From here: slot 3 of Ben. To there: the row."),
        ({"deed": "move", "what": ["held-7"], "to": "away", "seat": 2, "up": True, "on_top": True},
         Deed("move", ("held-7",), "away", 2, True, True),
         "From here: a card in the hand. To there: the cards that are out of the game."),
        ({"deed": "lift", "what": ["slot-0-1", "pile"]}, Deed("lift", ("slot-0-1", "pile")),
         "Lifted: slot 1 of Anna and the pile."),
        ({"deed": "press", "seat": 3}, Deed("press", seat=3), "Dan presses the button."),
        ({"deed": "move", "what": ["joker"], "to": "hand-3"}, Deed("move", ("joker",), "hand-3"),
         "From here: a joker. To there: the hand of Dan."),
        ({"deed": "turn", "what": ["row-9"]}, Deed("turn", ("row-9",)), "Turned over: place 9 of the row."),
    ],
)  # fmt: skip
def test_a_deed_is_handed_on_and_told(body, deed, said):
    puppet = StillPuppet()
    assert client_of(app_of(puppet), Role.PUPPETEER).post("/puppet/do", json=body).json == {"ok": True, "said": said}
    assert puppet.done == [deed]


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({}, "bad_form"),
        ({"deed": "dance"}, "no_call"),
        ({"deed": "move", "what": "pile"}, "bad_form"),
        ({"deed": "move", "what": ["pile"] * 21}, "bad_form"),
        ({"deed": "move", "what": [3]}, "bad_form"),
        ({"deed": "move", "what": ["slot-1-33"]}, "no_such_place"),
        ({"deed": "move", "what": ["slot-7-1"]}, "no_seat"),
        ({"deed": "move", "what": ["pile"], "to": "hand-8"}, "no_seat"),
        ({"deed": "move", "what": ["pile"], "to": "under the table"}, "no_such_place"),
        ({"deed": "press", "seat": 4}, "no_seat"),
        ({"deed": "press", "seat": "0"}, "bad_form"),
        ({"deed": "move", "what": ["pile"], "to": "row", "up": 3}, "bad_form"),
        ({"deed": "move", "what": ["pile"], "to": "row", "on_top": "yes"}, "bad_form"),
    ],
)
def test_a_deed_that_cannot_be_is_refused(body, error):
    puppet = StillPuppet()
    answer = client_of(app_of(puppet), Role.PUPPETEER).post("/puppet/do", json=body)
    assert (answer.status_code, answer.json["error"]) == (400, error)
    assert puppet.done == []


def test_what_hands_decline_is_told_with_its_reason():
    answer = client_of(app_of(StillPuppet(declines="too_many_deeds")), Role.PUPPETEER).post("/puppet/do", json={"deed": "deal"})
    assert (answer.status_code, answer.json["error"]) == (409, "too_many_deeds")


def test_seats_are_taken_for_the_next_game():
    puppet = StillPuppet()
    client = client_of(app_of(puppet, FakeSitting(tables.won())), Role.PUPPETEER)
    for body in ({"seats": [2, 0, 2]}, {"seats": [1], "tutorial": True}, {"seats": []}):
        assert client.post("/puppet/sit", json=body).json == {"ok": True}
    assert client.post("/puppet/leave", json={}).json == {"ok": True}
    assert puppet.done == [((0, 2), False), ((1,), True), ((), False), "leave"]
    for body in ({"seats": [9]}, {"seats": 0}, {"seats": ["a"]}, {"seats": [0], "tutorial": 1}, {}):
        assert client.post("/puppet/sit", json=body).status_code == 400
    assert len(puppet.done) == 4


@pytest.mark.parametrize(
    ("view", "error"),
    [
        (tables.playing(), "game_runs"),
        (tables.revealing(), "hands_open"),
        (replace(tables.won(), stopped=True), "game_runs"),
        (replace(tables.won(), proposal=ProposalView(9, "undo", (1, 2), None, 1)), "game_runs"),
        (tables.won(), ""),
        (tables.dealing(), ""),
    ],
)
def test_no_game_is_ended_unless_somebody_is_sure(view, error):
    puppet = StillPuppet()
    client = client_of(app_of(puppet, FakeSitting(view)), Role.PUPPETEER)
    for unsure in ({}, {"sure": False}, {"sure": 1}):
        answer = client.post("/puppet/sit", json={"seats": [0], **unsure})
        assert (answer.status_code, answer.json.get("error", "")) == (409 if error else 200, error)
    assert len(puppet.done) == (0 if error else 3)
    assert client.post("/puppet/sit", json={"seats": [0], "sure": True}).status_code == 200
    assert puppet.done[-1] == ((0,), False)


def test_pictures_of_others_cards_come_only_to_who_cheats():
    client = client_of(app_of(StillPuppet()), Role.PUPPETEER)
    tray = client.get("/puppet/camera.jpg?of=tray")
    assert (tray.status_code, tray.mimetype, tray.data, tray.headers["Cache-Control"]) == (200, "image/jpeg", b"jpeg", "no-store")
    assert client.get("/puppet/camera.jpg?of=mat1").status_code == 404
    assert client.get("/puppet/camera.jpg?of=mat1&all=1").status_code == 200
    assert client.get("/puppet/camera.jpg").status_code == 404


# ---- who ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.PUPPETEER])
def test_nobody_else_sees_or_moves_anything(role):
    puppet = StillPuppet()
    client = client_of(app_of(puppet), role, 1)
    for address in ("/puppet", "/puppet/table.json", "/puppet/table.json?all=1", "/puppet/camera.jpg?of=tray"):
        assert client.get(address).status_code == 403
    for address in ("/puppet/do", "/puppet/leave"):
        assert client.post(address, json={"deed": "deal"}).status_code == 403
    assert puppet.done == []


@pytest.mark.parametrize(
    ("access", "may"), [(home(), (Role.TABLE, Role.REFEREE, Role.PUPPETEER)), (club(), (Role.REFEREE,))], ids=["home", "club"]
)
def test_only_who_decides_ends_a_game_for_another_by_hand(access, may):
    for role in Role:
        puppet, sitting = StillPuppet(), FakeSitting()
        client = client_of(create_app(sitting, [puppet_pages(sitting, puppet)], access=access), role, 1)
        answer = client.post("/puppet/sit", json={"seats": [0], "sure": True})
        assert (answer.status_code, bool(puppet.done)) == ((200, True) if role in may else (403, False)), role


def test_a_real_table_has_none_of_it():
    client = client_of(create_app(FakeSitting(), access=home()), Role.PUPPETEER)
    for address in ("/puppet", "/puppet/table.json", "/puppet/camera.jpg"):
        assert client.get(address).status_code == 404
    assert client.post("/puppet/do", json={"deed": "deal"}).status_code == 404
    assert "data-play" not in client_of(create_app(FakeSitting(), access=home()), Role.TABLE).get("/").get_data(as_text=True)


def test_the_tables_screen_becomes_the_one_that_moves_the_cards():
    app = app_of(StillPuppet())
    screen = client_of(app, Role.TABLE)
    assert "data-play" in screen.get("/").get_data(as_text=True)
    assert "data-play" in screen.get("/rules").get_data(as_text=True)
    token = screen.post("/puppet/link", json={}).json["token"]
    assert screen.post("/join", json={"token": token}).json["role"] == "puppeteer"
    assert screen.get("/puppet").status_code == 200
    again = screen.post("/join", json={"token": token})
    assert again.status_code == 403, "it works once"
    # Nobody sits at a virtual table who could be asked for a new one.
    assert "at the address that the terminal shows; its menu leads to a new one" in again.json["message"]
    assert "at the address that the terminal shows" in screen.get("/join").get_data(as_text=True)


def test_a_screen_that_was_signed_off_is_told_how_it_becomes_the_tables_again():
    screen = client_of(app_of(StillPuppet()), Role.SPECTATOR)
    assert "makes it the table&#39;s own again" in screen.get("/").get_data(as_text=True)
    screen.post("/leave", json={})
    assert "data-play" in screen.get("/").get_data(as_text=True)
    guarded = create_app(FakeSitting(), [puppet_pages(FakeSitting(), StillPuppet())], access=club())
    assert "own again" not in client_of(guarded, Role.SPECTATOR).get("/").get_data(as_text=True)


def test_a_spectator_gets_no_such_link():
    client = client_of(app_of(StillPuppet()), Role.SPECTATOR)
    assert client.post("/puppet/link", json={}).status_code == 403
    assert "data-play" not in client.get("/rules").get_data(as_text=True)


def test_in_a_club_he_moves_cards_and_decides_nothing():
    sitting, puppet = FakeSitting(), StillPuppet()
    client = client_of(create_app(sitting, [puppet_pages(sitting, puppet)], access=club()), Role.PUPPETEER)
    page = client.get("/puppet").get_data(as_text=True)
    assert [mark in page for mark in ("data-sit", "data-tutorial", 'id="ask-sit"')] == [False] * 3
    assert client.post("/stop", json={}).status_code == 403
    for seats in ([0], []):
        refused = client.post("/puppet/sit", json={"seats": seats, "sure": True})
        assert (refused.status_code, refused.json["message"]) == (403, "Only the referee may do this.")
    assert (sitting.posted, puppet.done) == ([], [])
    at_home = client_of(app_of(puppet), Role.PUPPETEER).get("/puppet").get_data(as_text=True)
    assert [mark in at_home for mark in ("data-sit", "data-tutorial", 'id="ask-sit"')] == [True] * 3


# ---- the tutorial -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lesson", Lesson)
@pytest.mark.parametrize("language", ["en", "hu", "de"])
def test_every_step_is_told_in_every_language(lesson, language):
    told = state_of(at_lesson(Tutorial(0, lesson)), f"/puppet/table.json?language={language}")["parts"]["lesson"]
    assert f'data-lesson="{lesson.value}"' in told
    assert "<h2>" in told and "%(" not in told


def test_a_step_says_what_is_to_be_heeded_now():
    sitting = FakeSitting(tables.playing())
    told = state_of(at_lesson(Tutorial(0, Lesson.STEAL)), sitting=sitting)["parts"]["lesson"]
    assert "Now the others play." in told
    assert "Point at somebody&#39;s card" not in told, "one thing at a time"
    mine = FakeSitting(replace(tables.playing(), current=0))
    told = state_of(at_lesson(Tutorial(0, Lesson.STEAL)), sitting=mine)["parts"]["lesson"]
    assert "Point at somebody&#39;s card" in told and "Now the others play." not in told
    card = (Lying(91, "9d"),)
    held = laid_out(tutorial=Tutorial(0, Lesson.STEAL))
    held = replace(held, hands=(replace(held.hands[0], cards=card, count=1), *held.hands[1:]))
    told = state_of(StillPuppet(table=held), sitting=sitting)["parts"]["lesson"]
    assert "A card is still in your hand: lay it where it belongs" in told and "Now the others play." not in told
    lifted = (replace(held.seats[0][0], cards=(), count=0), *held.seats[0][1:])
    assert not replace(held, seats=(lifted, *held.seats[1:])).holds, "who looks at a card of his own keeps nobody waiting"
    broken = state_of(at_lesson(Tutorial(3, Lesson.LOCK)), sitting=FakeSitting(tables.broken()))["parts"]["lesson"]
    assert "The table waits until everything lies as it says." in broken
    locked = replace(tables.stolen(), current=2)
    told = state_of(at_lesson(Tutorial(2, Lesson.LOCK)), sitting=FakeSitting(locked))["parts"]["lesson"]
    assert "Your card lies here now, and is locked: slot 4 of Anna." in told
