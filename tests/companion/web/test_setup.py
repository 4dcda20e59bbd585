"""The setup wizard by what a browser sends: its steps, who may use it, and what it never does."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.choices import HARD, PRESETS, Chair, Choices
from companion.keyring import KeyringError
from companion.keys import Bearer
from companion.views import ProposalView, Role, SlotShows, View
from companion.web import create_app
from companion.web.drafts import Drafts
from companion.web.gate import Access
from companion.web.setup import Setup
from companion.web.setup_scene import STEPS, in_play, steps
from tests.companion import tables
from tests.companion.tables import FakeSitting
from tests.companion.web.outfitted import SEATED, TAPS, VIRTUAL, FakeOutfit
from tests.companion.web.visitors import client_of, club, home, keyring_of

IDLE = replace(tables.dealing(), seats=tuple(tables.seat(n, **{f"s{k}": SlotShows.OUT for k in range(1, 6)}) for n in range(3)))
"""Nothing has been dealt yet."""


def app_of(outfit: FakeOutfit, view: View | None = None, access: Access | None = None) -> Flask:
    sitting = FakeSitting(IDLE if view is None else view)
    access = home() if access is None else access
    return create_app(sitting, [Setup(sitting, outfit, access).routes()], access=access)


class Wizard:
    """One screen in the wizard."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        went = client.get("/setup")
        assert went.status_code == 302
        self.at = went.headers["Location"].rsplit("/", 1)[0]

    def page(self, step: str) -> str:
        answer = self.client.get(f"{self.at}/{step}")
        assert answer.status_code == 200
        return answer.get_data(as_text=True)

    def send(self, step: str, do: str, **body: Any) -> Any:
        answer = self.client.post(f"{self.at}/{step}", json={"do": do, **body})
        return {"status": answer.status_code, **(answer.get_json() or {})}


def wizard(outfit: FakeOutfit, view: View | None = None) -> Wizard:
    return Wizard(app_of(outfit, view).test_client())


def test_every_step_is_a_page_with_a_way_back_and_on() -> None:
    one = wizard(FakeOutfit())
    there = steps(SEATED, VIRTUAL)
    assert there == tuple(step for step in STEPS if step != "game"), "there is one game at this table"
    for before, step, after in zip((None, *there), there, (*there[1:], None), strict=False):
        page = one.page(step)
        assert ('id="back"' in page) is (before is not None)
        assert ('id="next"' in page) is (after is not None)
        for beside in (before, after):
            assert beside is None or f'href="{one.at}/{beside}"' in page
        assert f"Step {there.index(step) + 1} of {len(there)}" in page
    assert one.client.get(f"{one.at}/nothing").status_code == 404
    assert one.client.get("/setup/999/seats").headers["Location"] == "/setup", "one that is over begins anew"


def test_another_game_is_chosen() -> None:
    outfit = FakeOutfit(kit=replace(TAPS, games=("steal", "draw", "casino-stud")), now=SEATED.sourced(0, "tap", TAPS))
    one = wizard(outfit)
    page = one.page("game")
    assert 'aria-pressed="true"><b>Five Card Steal</b>' in page and "<b>Casino Five-Card Stud</b>" in page
    assert one.send("language", "language", language="en")["go"].endswith("/game")
    assert one.send("game", "game", game="stud")["status"] == 400
    assert one.send("game", "game", game="draw")["go"].endswith("/preset")
    assert "A referee decides, with a phone or a PIN.<" in one.page("preset")
    rules = one.page("rules")
    assert "As much as lies in the middle." in rules and "Stealing back" not in rules
    assert one.send("rules", "rule", rule="limit", value="pot")["status"] == 200
    ready = one.page("ready")
    assert "Five-Card Draw" in ready and "Hard mode" not in ready
    assert one.send("ready", "begin")["go"] == "/"
    assert outfit.begun[0].game == "draw" and outfit.begun[0].rules["limit"] == "pot"


def test_a_whole_table_is_chosen_and_begun() -> None:
    outfit = FakeOutfit(now=Choices(options=tuple(PRESETS["home"].items())), new=True)
    one = wizard(outfit)
    answer = one.client.post(f"{one.at}/language", json={"do": "language", "language": "hu"})
    assert answer.get_json() == {"go": f"{one.at}/preset"}
    assert "viewmat-language=hu" in answer.headers["Set-Cookie"]
    assert "Hogyan játszotok?" in one.page("preset")
    assert one.send("preset", "preset", preset="home")["go"] == f"{one.at}/seats", "nobody sits here yet"
    for name in ("Eve", "Ann", " Bob  Berg ", "Cid"):
        assert one.send("seats", "add", name=name)["status"] == 200
    one.send("seats", "move", seat=1, up=True)
    one.send("seats", "remove", seat=3)
    one.send("seats", "rename", seat=2, name="Bea")
    one.send("sources", "source", seat=0, source="tap")
    one.send("sources", "source", seat=2, source="bot")
    one.send("places", "place", seat=0, place=2)
    one.send("rules", "rule", rule="penalty", value="lose_turn")
    assert one.send("hard", "rule", rule=HARD, value=True)["go"] == f"{one.at}/ready"
    assert one.send("deck", "deck", deck="blue-bikes")["go"].startswith(one.at)
    page = one.page("ready")
    assert "1. Ann" in page and "2. Eve" in page and "3. Bea" in page
    assert outfit.begun == [], "nothing is decided before somebody begins"
    assert one.send("ready", "begin") == {"status": 200, "go": "/"}
    [begun] = outfit.begun
    assert begun.chairs == (Chair("Ann", "tap", 2), Chair("Eve", "mat"), Chair("Bea", "bot"))
    assert (begun.language, begun.preset, begun.deck) == ("hu", "home", "blue-bikes")
    assert begun.rules == {**PRESETS["home"], "penalty": "lose_turn", HARD: True}
    assert one.send("ready", "begin") == {"status": 200, "go": "/"}, "a second tap leads to the game, too"
    assert len(outfit.begun) == 1, "and begins nothing"
    assert one.send("ready", "look")["error"] == "setup_gone"


def test_what_was_chosen_is_there_when_the_page_is_loaded_again() -> None:
    one = wizard(FakeOutfit())
    one.send("seats", "add", name="Zoe")
    for _ in range(2):
        assert 'value="Zoe"' in one.page("seats")
    assert "Zoe" in one.page("ready")


def test_one_tap_fills_in_a_preset_and_leads_to_the_last_step() -> None:
    outfit = FakeOutfit()
    one = wizard(outfit)
    assert one.send("preset", "preset", preset="club")["go"] == f"{one.at}/ready"
    one.send("ready", "begin")
    assert (outfit.begun[0].preset, outfit.begun[0].rules) == ("club", PRESETS["club"])


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "Enter a name."), ("ANNA", "ANNA sits at the table already."), ("x" * 60, "at most 40 letters; this one has 60"),
        ("a\u202eb", "a letter that cannot be seen"),
    ],
)  # fmt: skip
def test_a_bad_name_is_told_at_its_field_and_stays_to_be_put_right(name: str, sentence: str) -> None:
    outfit = FakeOutfit()
    one = wizard(outfit)
    for do, field, body in (("add", "name", {}), ("rename", "name-1", {"seat": 1})):
        answer = one.send("seats", do, name=name, **body)
        assert answer["status"] == 409
        assert sentence in answer["html"]
        assert f'id="{field}-problem"' in answer["html"] and f'aria-describedby="{field}-problem"' in answer["html"]
        if name.isprintable():
            assert f'value="{name}"' in answer["html"], "what was typed is not lost"
    assert "Ben" in one.page("seats") and "2. Ben" in one.page("ready")


def test_too_few_people_cannot_begin() -> None:
    outfit = FakeOutfit()
    one = wizard(outfit)
    one.send("seats", "remove", seat=0)
    assert "It takes at least 3 players." in one.page("seats")
    assert 'id="next"' not in one.page("seats")
    assert "It takes at least 3 players." in one.page("ready") and 'id="begin"' not in one.page("ready")
    answer = one.send("ready", "begin")
    assert (answer["status"], answer["error"], outfit.begun) == (409, "too_few_seats", [])


@pytest.mark.parametrize(
    ("do", "body"),
    [
        ("move", {"seat": 9, "up": True}), ("remove", {"seat": -1}), ("source", {"seat": 0, "source": "moon"}),
        ("rule", {"rule": "penalty", "value": "death"}), ("rule", {"rule": "max_turns", "value": 3}), ("rule", {"rule": HARD}),
        ("deck", {"deck": "nothing"}), ("language", {"language": "xx"}), ("preset", {"preset": "casino"}),
        ("place", {"seat": 0, "place": 7}), ("press", {"place": 9}), ("nothing", {}), ("rule", {}), ("move", {}),
    ],
)  # fmt: skip
def test_nonsense_is_refused_with_a_sentence(do: str, body: dict[str, Any]) -> None:
    outfit = FakeOutfit()
    one = wizard(outfit)
    before = one.page("ready")
    answer = one.send("ready", do, **body)
    assert answer["status"] == 400 and answer["message"]
    assert one.page("ready") == before
    assert one.client.post(f"{one.at}/ready", data=b"{").status_code == 400


# ---- who may, and a table that nobody has set up ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("access", "role", "may"),
    [
        (home, Role.TABLE, True), (home, Role.SEAT, False), (home, Role.SPECTATOR, False), (home, Role.PUPPETEER, True),
        (club, Role.REFEREE, True), (club, Role.TABLE, False), (club, Role.SEAT, False), (club, Role.SPECTATOR, False),
    ],
)  # fmt: skip
def test_whoever_decides_at_the_table_sets_it_up_and_nobody_else(access: Any, role: Role, may: bool) -> None:
    app = app_of(FakeOutfit(), tables.won(), access())
    browser = client_of(app, role, 1)
    assert ('href="/setup"' in browser.get("/").get_data(as_text=True)) is may
    assert browser.get("/setup").status_code == (302 if may else 403)
    for path in ("/setup/1/seats", "/setup/camera/0.png"):
        assert (browser.get(path).status_code == 403) is not may
    assert (browser.post("/setup/1/ready", json={"do": "begin"}).status_code == 403) is not may


def test_a_table_that_nobody_has_set_up_shows_the_wizard_first() -> None:
    outfit = FakeOutfit(now=Choices(), new=True)
    app = app_of(outfit)
    browser = app.test_client()
    assert browser.get("/").headers["Location"] == "/setup"
    assert 'class="leave"' not in Wizard(browser).page("seats"), "there is nothing to go back to"
    assert client_of(app, Role.SEAT, 1).get("/").status_code == 200, "a phone waits"
    outfit.new = False
    assert browser.get("/").status_code == 200


def test_a_home_tables_screen_that_makes_it_a_clubs_becomes_the_referees() -> None:
    outfit, access = FakeOutfit(), home()
    app = app_of(outfit, access=access)

    def begun(choices: Choices) -> None:
        access.preset = club().preset

    outfit.on_begin = begun
    browser = app.test_client()
    one = Wizard(browser)
    one.send("preset", "preset", preset="club")
    assert "This screen becomes the referee" in one.page("ready")
    assert one.send("ready", "begin")["go"] == "/"
    assert [bearer.role for bearer in keyring_of(app).keys.bearers] == [Role.REFEREE]
    assert browser.get("/setup").status_code == 302, "it still decides"
    assert app.test_client().get("/setup").status_code == 403, "and other screens do not"
    other = Wizard(browser)
    assert "This screen becomes the referee" not in other.page("ready")
    other.send("ready", "begin")
    assert len(keyring_of(app).keys.bearers) == 1


# ---- a game that is being played, and several screens ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "playing"),
    [
        (tables.playing(), True), (tables.final(), True), (tables.revealing(), True), (tables.won(), False),
        (tables.left(), False), (tables.dealing(), False), (replace(tables.won(), stopped=True), True),
        (replace(tables.won(), proposal=ProposalView(9, "undo", (1, 2), None, 1)), True),
    ],
)  # fmt: skip
def test_a_game_that_is_played_is_only_given_up_on_purpose(view: View, playing: bool) -> None:
    assert in_play(view) is playing
    outfit = FakeOutfit()
    one = wizard(outfit, view)
    answer = one.send("ready", "begin")
    if not playing:
        assert (answer["status"], len(outfit.begun)) == (200, 1)
        return
    assert "It goes on as long as you do not begin another one here." in one.page("ready")
    assert (answer["status"], outfit.begun) == (409, [])
    assert "Give that game up and begin" in answer["html"]
    assert one.send("ready", "begin", give_up=1)["status"] == 409
    assert one.send("ready", "begin", give_up=True)["status"] == 200
    assert len(outfit.begun) == 1


def test_of_two_screens_the_later_one_is_told_and_neither_changes_the_others() -> None:
    outfit = FakeOutfit()
    app = app_of(outfit)
    first, second = Wizard(app.test_client()), Wizard(app.test_client())
    assert first.at != second.at
    assert "Another screen is setting up the table, too." in first.page("seats")
    first.send("seats", "add", name="Zoe")
    second.send("seats", "rename", seat=0, name="Ada")
    assert "Zoe" not in second.page("ready") and "Ada" not in first.page("ready")
    assert second.send("ready", "begin")["status"] == 200
    answer = first.send("ready", "begin")
    assert (answer["status"], len(outfit.begun)) == (409, 1)
    assert "Another screen has set up the table meanwhile." in answer["html"]
    assert first.send("ready", "begin", anyway=True)["status"] == 200
    assert [choices.names for choices in outfit.begun] == [("Ada", "Ben", "Cleo"), ("Anna", "Ben", "Cleo", "Zoe")]
    assert "Another screen is setting up" not in Wizard(app.test_client()).page("seats")


def test_of_two_screens_that_begin_at_once_one_is_asked() -> None:
    outfit = FakeOutfit()
    app = app_of(outfit)
    wizards = [Wizard(app.test_client()) for _ in range(4)]
    gate = threading.Barrier(len(wizards))
    outfit.on_begin = lambda choices: time.sleep(0.05)

    def begin(one: Wizard) -> int:
        gate.wait()
        return int(one.send("ready", "begin")["status"])

    with ThreadPoolExecutor(len(wizards)) as pool:
        answers = sorted(pool.map(begin, wizards))
    assert answers == [200, 409, 409, 409]
    assert len(outfit.begun) == 1


@pytest.mark.parametrize("refuses", ["", "not_saved"])
def test_a_club_is_only_begun_with_a_referee(monkeypatch: pytest.MonkeyPatch, refuses: str) -> None:
    outfit = FakeOutfit(refuses=refuses)
    app = app_of(outfit)
    one = Wizard(app.test_client())
    one.send("preset", "preset", preset="club")
    if refuses:
        assert one.send("ready", "begin")["error"] == refuses
        assert not keyring_of(app).keys.bearers, "nobody has become a referee of a table at home"
        return

    def full(role: Role, leaving: str | None = None) -> tuple[str, Bearer]:
        raise KeyringError("no space left")

    monkeypatch.setattr(keyring_of(app), "admit", full)
    answer = one.send("ready", "begin")
    assert (answer["status"], answer["error"], outfit.begun) == (507, "not_kept", [])


def test_what_the_table_refuses_is_said_and_can_be_tried_again() -> None:
    outfit = FakeOutfit(refuses="not_saved")
    one = wizard(outfit)
    answer = one.send("ready", "begin")
    assert (answer["status"], answer["error"]) == (409, "not_saved")
    assert "The settings file cannot be written" in answer["message"]
    outfit.refuses = ""
    assert one.send("ready", "begin")["status"] == 200


def test_whoever_has_gone_long_ago_disturbs_nobody() -> None:
    now = [0.0]
    drafts = Drafts(lambda: now[0])
    assert not drafts.busy()
    first, second = drafts.open(SEATED), drafts.open(SEATED)
    assert drafts.busy() and drafts.others(first.number)
    now[0] = 80.0
    assert drafts.find(first.number) == first, "a page that is looked at counts, too"
    now[0] = 95.0
    assert drafts.others(second.number) and not drafts.others(first.number)
    now[0] = 200.0
    assert not drafts.busy()


def test_what_was_begun_long_ago_is_over() -> None:
    now = [0.0]
    drafts = Drafts(lambda: now[0])
    draft = drafts.open(SEATED)
    drafts.done(draft.number)
    assert drafts.just_begun(draft.number) and not drafts.just_begun(draft.number + 1)
    now[0] = 61.0
    assert not drafts.just_begun(draft.number)


def test_wizards_that_were_left_alone_make_room() -> None:
    browser = app_of(FakeOutfit()).test_client()
    first = Wizard(browser)
    for _ in range(12):
        Wizard(browser)
    assert browser.get(f"{first.at}/seats").headers["Location"] == "/setup"
    assert first.send("seats", "add", name="Zoe")["error"] == "setup_gone"
