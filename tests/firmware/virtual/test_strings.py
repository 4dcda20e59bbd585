"""The puppeteer: deeds that are asked for on the page happen on the virtual table, and the table says what it should."""

from __future__ import annotations

import pytest

from companion.errors import DeclarationError
from companion.games.steal import Steal
from companion.views import Role
from companion.web import create_app
from companion.web.puppet import puppet_pages
from companion.web.strings import PULLS, string_pages
from firmware.virtual.ideal import IdealTable
from firmware.virtual.play import Settings, play_game
from firmware.virtual.strings import MOST_WAITING, PuppetStrings
from tests.companion.tables import FakeSitting
from tests.companion.web.puppets import StillPuppet
from tests.companion.web.visitors import client_of, club, home


class Watched(IdealTable):
    """Remembers what was said to be wrong."""

    errors: list[str]

    def step(self, time, world, said):
        view = super().step(time, world, said)
        if view.violation is not None and (not self.errors or self.errors[-1] != view.violation.error):
            self.errors.append(view.violation.error)
        return view


def played(*deeds, hard=False):
    """A whole game in which `deeds` are done, one after the other, from the third turn on: errors, figures, script."""
    strings = PuppetStrings()
    opened = []

    def open_table(game, settings, world, rng):
        table = Watched(game, settings, 1)
        table.errors = []
        opened.append(table)
        return table

    def guest(script):
        for deed in deeds:
            strings.pull(*deed)
        act = strings.play(script)
        while script.truth.state.turn < 3:
            yield 0.5
        yield from act

    figures, script = play_game(Steal(), Settings(seats=3, seed=2, hard_mode=hard), 0, open_table, guest=guest)
    return opened[0].errors, figures, script


@pytest.mark.parametrize("deed", [("look", 1, 2), ("bump", 1, 1), ("rest", 2, 1)])
def test_what_is_allowed_is_no_offence(deed):
    errors, figures, script = played(deed)
    assert errors == []
    assert (script.record.finished, figures.reveals_right, figures.questions) == (True, 1, 0)


def test_a_look_in_hard_mode_is_a_peek():
    errors, figures, script = played(("look", 1, 2), hard=True)
    assert errors == ["peek"]
    assert (script.record.finished, figures.reveals_right) == (True, 1)


def test_an_exchange_is_noticed_and_put_right():
    errors, figures, script = played(("exchange", 2, 5))
    assert errors == ["positions_changed"]
    assert (script.record.finished, figures.reveals_right) == (True, 1)


def test_deeds_are_done_in_their_order():
    errors, _, script = played(("look", 0, 1), ("exchange", 1, 1), ("exchange", 2, 1))
    assert errors == ["positions_changed"], "the same fault twice, each put right before the next"
    assert script.record.finished


def test_only_so_many_deeds_wait():
    strings = PuppetStrings()
    for _ in range(MOST_WAITING):
        strings.pull("bump", 0, 1)
    with pytest.raises(DeclarationError, match="5 deeds are waiting already"):
        strings.pull("bump", 0, 1)


# ---- the page ----------------------------------------------------------------------------------------------------


class Noted:
    """Strings that only note what is asked for."""

    def __init__(self):
        self.pulled = []

    def pull(self, name, seat, slot, /):
        self.pulled.append((name, seat, slot))


@pytest.fixture
def strings():
    return Noted()


@pytest.fixture
def app(strings):
    sitting = FakeSitting()
    return create_app(sitting, [string_pages(sitting, strings)], access=home())


def test_the_puppeteer_pulls(app, strings):
    client = client_of(app, Role.PUPPETEER)
    page = client.get("/strings").get_data(as_text=True)
    assert [page.count(f'value="{name}"') for name in PULLS] == [4] * 4
    for name in PULLS:
        assert client.post(f"/strings/{name}", json={"seat": 3, "slot": 2}).json == {"ok": True}
    assert strings.pulled == [(name, 3, 2) for name in PULLS]
    guarded = client_of(create_app(FakeSitting(), [string_pages(FakeSitting(), strings)], access=club()), Role.PUPPETEER)
    assert guarded.post("/act", json={"seat": 1, "offer": 1}).status_code == 403, "in a club he moves cards and nothing else"


@pytest.mark.parametrize(("access", "sits"), [(home(), True), (club(), False)])
def test_a_seat_is_offered_only_to_who_may_end_the_game(strings, access, sits):
    sitting = FakeSitting()
    pages = [puppet_pages(sitting, StillPuppet()), string_pages(sitting, strings, lambda: False)]
    app = create_app(sitting, pages, access=access)
    page = client_of(app, Role.PUPPETEER).get("/strings").get_data(as_text=True)
    assert ("data-sit" in page) is sits


@pytest.mark.parametrize(
    ("name", "body", "kind"),
    [
        ("dance", {"seat": 0, "slot": 1}, "no_call"),
        ("look", {"seat": 4, "slot": 1}, "no_seat"),
        ("look", {"seat": 0, "slot": 6}, "bad_form"),
        ("look", {"seat": 0, "slot": 0}, "bad_form"),
        ("look", {"seat": "0", "slot": 1}, "bad_form"),
        ("look", {}, "bad_form"),
    ],
)
def test_a_pull_that_cannot_be(app, strings, name, body, kind):
    assert client_of(app, Role.PUPPETEER).post(f"/strings/{name}", json=body).json["error"] == kind
    assert strings.pulled == []


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.PUPPETEER])
def test_nobody_else_pulls(app, strings, role):
    client = client_of(app, role, 1)
    assert client.get("/strings").status_code == 403
    answer = client.post("/strings/look", json={"seat": 0, "slot": 1})
    assert (answer.status_code, answer.json["message"]) == (403, "Only the puppeteer may do this.")
    assert strings.pulled == []


def test_where_a_person_moves_the_cards_nobody_pulls_strings(strings):
    sitting = FakeSitting()
    pages = [puppet_pages(sitting, StillPuppet()), string_pages(sitting, strings, lambda: True)]
    client = client_of(create_app(sitting, pages, access=home()), Role.PUPPETEER)
    assert client.get("/strings").headers["Location"] == "/puppet"
    answer = client.post("/strings/look", json={"seat": 0, "slot": 1})
    assert (answer.status_code, answer.json["error"], strings.pulled) == (409, "impossible", [])


def test_too_many_pulls_are_told():
    sitting, strings = FakeSitting(), PuppetStrings()
    client = client_of(create_app(sitting, [string_pages(sitting, strings)], access=home()), Role.PUPPETEER)
    answers = [client.post("/strings/bump", json={"seat": 0, "slot": 1}) for _ in range(MOST_WAITING + 1)]
    assert [answer.status_code for answer in answers] == [200] * MOST_WAITING + [409]
    assert answers[-1].json["error"] == "too_many_deeds"


def test_a_real_table_has_no_strings():
    client = client_of(create_app(FakeSitting(), access=home()), Role.PUPPETEER)
    assert client.get("/strings").status_code == 404
    assert client.post("/strings/look", json={"seat": 0, "slot": 1}).status_code == 404
