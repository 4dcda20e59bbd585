"""The page as it is first painted, and the state that keeps it up to date."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask import Blueprint
from flask.testing import FlaskClient

import companion.web
from companion.views import HomeView, MoveView, PlacementView, QuestionView, SlotShows, SlotView, ViolationView
from companion.web import create_app
from companion.web.gate import EVERYBODY, open_to
from companion.web.live import PARTS
from tests.companion import tables
from tests.companion.tables import SITUATIONS, FakeSitting

STATIC = Path(companion.web.__file__).parent / "static"


class Outline(HTMLParser):
    """Notes ids, attributes and unclosed elements of a page."""

    VOID = ("meta", "link", "use", "path", "circle", "input", "br", "img")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page(client: FlaskClient) -> str:
    answer = client.get("/")
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def state(client: FlaskClient) -> dict[str, object]:
    answer = client.get("/state.json")
    assert answer.mimetype == "application/json"
    return json.loads(answer.data)


@pytest.mark.parametrize(("situation", "spoken"), [
    ("won", "Anna wins! Anna wins with"), ("playing", "Ben to play."),
    ("undone", "Please move the cards. Slot 3 of Cleo and slot 1"), ("left", "Game over. Ben and Dan left, so the game ends"),
])  # fmt: skip
def test_what_is_read_out_has_its_full_stops_once(
    client: FlaskClient, sitting: FakeSitting, situation: str, spoken: str
) -> None:
    sitting.show(SITUATIONS[situation])
    said = " ".join(client.get("/").get_data(as_text=True).split('id="spoken"')[1].split(">", 1)[1].split("<")[0].split())
    assert spoken in said
    assert re.search(r"[.!?][.!?]|[.!?] [.!?]", said) is None


@pytest.mark.parametrize("left", [3, 4])
def test_hands_that_are_turned_down_are_not_listed_card_by_card(client: FlaskClient, sitting: FakeSitting, left: int) -> None:
    lines = (*(PlacementView("turn_down", (0, k), False) for k in range(1, left + 1)), PlacementView("row", None, False))
    sitting.show(replace(tables.undone(), awaiting=lines, turn_down=True, confirm=False))
    page = client.get("/").get_data(as_text=True)
    assert page.count("face down.") == (left if left == 3 else 0)
    assert "Turn all hands face down again." in page and "Lay the row as it is shown here." in page


def test_a_hand_that_lies_face_up_in_play_is_listed_card_by_card(client: FlaskClient, sitting: FakeSitting) -> None:
    places = tuple((2, number) for number in range(1, 6))
    remedy = tuple(PlacementView("turn_down", place, False) for place in places)
    sitting.show(replace(tables.playing(), violation=ViolationView("lies_open", "", None, (), places, remedy), disagrees=True))
    page = client.get("/").get_data(as_text=True)
    assert "A card lies face up; until the end cards lie face down." in page
    assert [f"Turn the card in slot {number} of Cleo face down." in page for number in range(1, 6)] == [True] * 5


def test_a_card_that_was_typed_and_has_been_seen_elsewhere_is_asked_about(client: FlaskClient, sitting: FakeSitting) -> None:
    choices = (MoveView("typed", 2, 1), None)
    asked = QuestionView(9, "seen_elsewhere", None, choices, ((2, 1), (1, 2)), card="As")
    sitting.show(replace(tables.revealing(), question=asked))
    page = client.get("/").get_data(as_text=True)
    assert "The ace of spades has been seen going to slot 2 of Ben. Is it really the card of slot 1 of Cleo?" in page
    assert "Yes, it is this card" in page and "No, it is typed anew" in page
    assert client.post("/answer", json={"question": 9, "choice": 1}).status_code == 200


@pytest.mark.parametrize("situation", SITUATIONS)
def test_the_first_paint_is_whole(client: FlaskClient, sitting: FakeSitting, situation: str) -> None:
    sitting.show(SITUATIONS[situation])
    painted = page(client)
    outline = Outline(painted)
    assert outline.open == []
    assert len(outline.ids) == len(set(outline.ids))
    parts = state(client)["parts"]
    assert isinstance(parts, dict)
    assert set(parts) == {*PARTS, *(f"seat-{seat.seat}" for seat in sitting.shown.seats)}
    assert set(parts) <= set(outline.ids)
    for part in parts.values():
        assert part in painted, "the page and its updates are drawn by the same hand"


@pytest.mark.parametrize("situation", SITUATIONS)
def test_nothing_in_the_page_needs_what_the_policy_forbids(client: FlaskClient, sitting: FakeSitting, situation: str) -> None:
    sitting.show(SITUATIONS[situation])
    outline = Outline(page(client))
    assert not [name for name, _ in outline.attributes if name == "style" or name.startswith("on")]
    assert not [value for _, value in outline.attributes if value and re.match(r"(https?:)?//|javascript:", value)]


def test_headers(client: FlaskClient) -> None:
    for path in ("/", "/state.json", "/static/table.js", "/nothing"):
        with client.get(path) as answer:
            headers = answer.headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert client.get("/").headers["Cache-Control"] == "no-store"


def test_the_state_holds_view_words_and_pieces(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.show(tables.broken())
    found = state(client)
    assert found["version"] == 2
    assert found["mood"] == "alert"
    view, words, parts = found["view"], found["words"], found["parts"]
    assert isinstance(view, dict) and isinstance(words, dict) and isinstance(parts, dict)
    assert view["violation"]["error"] == "not_your_turn"
    assert view["seats"][0]["slots"][0] == {"number": 1, "shows": "lying", "card": None, "open": False, "bare": False}
    assert words["violation"] == "Dan: It is another player's turn."
    assert parts["talk"].count("is-done") == 1
    assert parts["talk"].count("is-open") == 2
    assert "means-put_back" in parts["seat-0"]
    assert "means-broke" in parts["seat-3"]


def test_what_is_put_back_is_ticked_off(client: FlaskClient, sitting: FakeSitting) -> None:
    for done in ((False, False, False), (True, False, True), (True, True, True)):
        sitting.show(tables.broken(done))
        parts = state(client)["parts"]
        assert isinstance(parts, dict)
        assert parts["talk"].count("is-done") == sum(done)


@pytest.mark.parametrize(
    ("situation", "mood"),
    [
        ("dealing", "setup"), ("playing", "play"), ("broken", "alert"), ("asked", "question"), ("final", "final"),
        ("revealing", "reveal"), ("won", "result"), ("troubled", "paused"),
    ],
)  # fmt: skip
def test_the_mood(client: FlaskClient, sitting: FakeSitting, situation: str, mood: str) -> None:
    sitting.show(SITUATIONS[situation])
    assert state(client)["mood"] == mood
    assert f'data-mood="{mood}"' in page(client)


# ---- cards -------------------------------------------------------------------------------------------------------


def faces(markup: str) -> list[str]:
    return re.findall(r'class="card face suit-\w" role="img" aria-label="([^"]+)"', markup)


def test_the_row_shows_its_cards_and_the_place_that_ends_the_game(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.show(tables.tapped())
    parts = state(client)["parts"]
    assert isinstance(parts, dict)
    row = parts["row"]
    assert faces(row) == ["ten of diamonds", "nine of hearts"]
    assert row.count('data-enter="row,2"') == 1
    assert row.count("last-place") == 1
    assert '<b class="rank wide" data-face="10"></b>' in row
    assert row.count('<b class="to-end" aria-hidden="true">2</b>') == 1
    sitting.show(tables.revealing())
    parts = state(client)["parts"]
    assert isinstance(parts, dict)
    assert len(faces(parts["row"])) == 9


def test_the_reveal_goes_slot_by_slot(client: FlaskClient, sitting: FakeSitting) -> None:
    for count in range(6):
        sitting.show(tables.revealing((count, 0, 0)))
        parts = state(client)["parts"]
        assert isinstance(parts, dict)
        assert len(faces(parts["seat-0"])) == count
        assert ("two pair, kings and nines" in parts["seat-0"]) == (count == 5)
        assert faces(parts["seat-1"]) == []


@pytest.mark.parametrize("situation", SITUATIONS)
def test_no_hidden_card_is_anywhere(client: FlaskClient, sitting: FakeSitting, situation: str) -> None:
    """A card text that a view carries for a slot which is not revealed is not drawn: the page trusts the slot's state."""
    plain = SITUATIONS[situation]
    sitting.show(plain)
    before = page(client)
    leaking = tuple(
        replace(seat, slots=tuple(s if s.shows is SlotShows.REVEALED else SlotView(s.number, s.shows, "8c") for s in seat.slots))
        for seat in plain.seats
    )
    sitting.show(replace(plain, seats=leaking))
    assert page(client) == before
    assert state(client)["words"] is not None


def test_names_are_text(client: FlaskClient, sitting: FakeSitting) -> None:
    view = tables.stolen()
    seats = (replace(view.seats[0], name='<b onclick="x">&'), *view.seats[1:])
    sitting.show(replace(view, seats=seats))
    painted = page(client)
    assert '<b onclick="x">' not in painted
    assert "&lt;b onclick=" in painted


# ---- what can be tapped ------------------------------------------------------------------------------------------


def test_buttons_only_where_the_table_has_none(sitting: FakeSitting) -> None:
    assert 'data-post="/press/' not in page(create_app(sitting).test_client())
    client = create_app(sitting, buttons=True).test_client()
    assert re.findall(r'data-post="/press/(\d)', page(client)) == ["1"], "who is in turn"
    sitting.show(tables.stolen())
    assert re.findall(r'data-post="/press/(\d)', page(client)) == ["0", "1"], "who may still take his move back, and the next"
    sitting.show(replace(tables.playing(), current=None, phase="setup", turn=0))
    assert page(client).count('data-post="/press/') == 4
    sitting.show(tables.won())
    assert 'data-post="/press/' not in page(client)


def test_only_a_tapping_seat_in_turn_may_move(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.show(tables.tapped())
    assert page(client).count("data-offers") == 1
    for change in (replace(tables.tapped(), current=0), replace(tables.tapped(), paused=True)):
        sitting.show(change)
        assert "data-offers" not in page(client)


def test_a_seat_whose_camera_has_failed_is_marked_and_moves_by_tap(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.show(tables.by_hand())
    parts = state(client)["parts"]
    assert isinstance(parts, dict)
    assert '<span class="tag">by hand</span>' in parts["seat-1"]
    assert 'data-offers="1"' in parts["seat-1"]
    assert parts["seat-1"].count("is-unwatched") == 5, "a mat that nobody sees does not look live"
    assert "by hand" not in parts["seat-0"]
    assert "The picture of the mat of Ben stands still" in parts["notes"]


def test_what_is_put_back_is_said_once(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.show(tables.loose())
    talk = state(client)["parts"]["talk"]  # type: ignore[index]
    assert talk.count("The card in slot 2 of Dan belongs in slot 4 of Anna.") == 1
    assert talk.count('class="said">Put the card back') == 1, "of the slot whose card nobody has found"
    assert 'class="homes"' not in talk
    homes = (*tables.loose().homes, HomeView((0, 4), "row"))
    sitting.show(replace(tables.loose(), homes=homes))
    talk = state(client)["parts"]["talk"]  # type: ignore[index]
    assert talk.split('class="homes"')[1].count("<li>") == 1, "what no line says still stands there"


def test_both_ways_out_of_a_difference_are_buttons(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.show(tables.differing())
    talk = state(client)["parts"]["talk"]  # type: ignore[index]
    assert talk.count("data-post") == 2
    assert talk.index("The table is right") < talk.index("The screen is right")


def test_cards_are_entered_at_the_reveal_alone(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.show(tables.playing())
    assert "data-enter" not in page(client)
    sitting.show(tables.revealing((5, 3, 0, 0)))
    assert page(client).count("data-enter") == 12


def test_who_enters_a_card_is_asked_which_one_it_is(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.show(tables.revealing((5, 3, 0, 0)))
    assert 'data-enter="1,4" data-asks="Ben, slot 4: which card is it?"' in page(client)
    assert 'data-correct="0,1" data-asks="Anna, slot 1: which card is it?"' in page(client)
    hint = "Tap a “?” in the row to say which card lies there."
    assert hint not in page(client)
    sitting.show(tables.tapped())
    assert 'data-enter="row,2" data-asks="Card 2 of the row: which card is it?"' in page(client)
    assert hint in page(client)


def test_a_question_has_its_answers_as_buttons(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.show(tables.asked())
    bodies = [json.loads(body) for body in re.findall(r"data-post=\"/answer\" data-body='([^']+)'", page(client))]
    assert bodies == [{"question": 7, "choice": choice} for choice in (0, 1, 2)]


def test_the_menu_offers_what_can_be_called(client: FlaskClient, sitting: FakeSitting) -> None:
    def calls() -> list[str]:
        return [json.loads(body)["name"] for body in re.findall(r"data-post=\"/call\" data-body='([^']+)'", page(client))]

    assert calls() == ["pause", "undo", "leave", "leave", "leave", "leave"]
    sitting.show(tables.dealing())
    assert calls() == ["pause", "misdeal", "leave", "leave", "leave"]
    view = tables.troubled()
    sitting.show(replace(view, seats=(replace(view.seats[0], away=True), *view.seats[1:])))
    assert calls() == ["resume", "undo", "return", "leave", "leave", "leave"]
    sitting.show(tables.revealing())
    assert "reveal" not in calls(), "cards are shown by turning them over"


# ---- lamps, other pages, languages -------------------------------------------------------------------------------


def test_lamps_are_drawn_as_they_burn(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.show(tables.stolen())
    parts = state(client)["parts"]
    assert isinstance(parts, dict)
    assert parts["seat-1"].count('class="lamp steady big"') == 1
    assert parts["seat-0"].count('class="lamp steady ') == 1, "the slot that the steal touched"
    assert parts["seat-2"].count('class="lamp steady ') == 1
    assert parts["seat-3"].count("lamp off") == 6


def test_a_table_without_lamps_shows_none(sitting: FakeSitting) -> None:
    sitting.show(tables.stolen())
    assert 'class="lamp' not in page(create_app(sitting, lamps=False).test_client())


def test_further_pages_are_part_of_the_application(sitting: FakeSitting) -> None:
    extra = Blueprint("extra", __name__)
    extra.add_url_rule("/extra", view_func=open_to(EVERYBODY)(lambda: "more"))
    client = create_app(sitting, [extra]).test_client()
    assert client.get("/extra").data == b"more"
    assert "default-src" in client.get("/extra").headers["Content-Security-Policy"]
    assert create_app(sitting).test_client().get("/extra").status_code == 404


def test_an_unknown_language_is_answered_in_english(client: FlaskClient) -> None:
    answer = client.get("/", headers={"Accept-Language": "tlh, xx;q=0.5"})
    assert '<html lang="en" ' in answer.get_data(as_text=True)


def test_the_scripts_hold_no_sentences_and_need_no_secure_context() -> None:
    for script in STATIC.glob("*.js"):
        code = re.sub(r"//.*", "", script.read_text())
        assert not re.search(r"\"[A-Z][a-z]+ [a-z]+", code), script.name
        for what in re.findall(r"serviceWorker|wakeLock", code):
            assert f'"{what}" in navigator' in code, f"{script.name} asks first whether there is one"
        assert not re.search(r"crypto\.subtle|clipboard|eval\(|innerText", code), script.name
    assert len(list(STATIC.glob("*.js"))) >= 15


def test_the_style_has_no_missing_braces_and_loads_nothing() -> None:
    sheets = {sheet.name: sheet.read_text() for sheet in STATIC.glob("*.css")}
    for name, style in sheets.items():
        assert style.count("{") == style.count("}"), name
        assert "url(" not in style, name
    assert "prefers-color-scheme: dark" in sheets["table.css"]
    assert "prefers-reduced-motion: reduce" in sheets["table.css"]
