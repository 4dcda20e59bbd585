"""The page of the rules, and the links that lead there."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from companion.announcements import ERROR_KINDS, rule_anchor
from companion.games import GAMES, find_game
from companion.games.rulebook import Rulebook
from companion.observation import Answer, Call
from companion.table import row, slot
from companion.views import Role
from companion.web import create_app
from tests.companion import tables
from tests.companion.tables import SITUATIONS, FakeSitting
from tests.companion.told import Told
from tests.companion.web.test_page import Outline
from tests.companion.web.visitors import client_of, club, home

STEAL = find_game("steal")


def rules(client: FlaskClient) -> str:
    answer = client.get("/rules")
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def book(seats: int = 4, **options: object) -> Rulebook:
    return STEAL.rulebook(seats, STEAL.options(options))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_page_is_whole_and_needs_no_script(game) -> None:
    sitting = FakeSitting(tables.playing(min(game.seats)), rulebook=game.rulebook(min(game.seats), game.options({})))
    page = rules(create_app(sitting).test_client())
    outline = Outline(page)
    assert outline.open == []
    assert len(outline.ids) == len(set(outline.ids))
    assert page.startswith("<!doctype html>")
    assert not re.search(r"<script(?![^>]*src=)|\bon\w+=|style=", page)
    targets = {str(value)[1:] for key, value in outline.attributes if key == "href" and str(value).startswith("#")}
    assert {rule_anchor(each.id) for each in sitting.rulebook.paragraphs()} == targets
    assert targets <= set(outline.ids)


def test_every_kind_of_violation_has_its_place_where_it_is_possible(sitting: FakeSitting, client: FlaskClient) -> None:
    ids = Outline(rules(client)).ids
    possible = {kind for each in sitting.rulebook.paragraphs() for kind in each.kinds}
    assert 20 < len(possible) < len(ERROR_KINDS)
    for kind in ERROR_KINDS:
        assert (rule_anchor(kind) in ids) is (kind in possible)


@pytest.mark.parametrize("access", [home, club])
@pytest.mark.parametrize("role", Role)
def test_everybody_reads_the_same(role: Role, access) -> None:
    sitting = FakeSitting()
    reader = client_of(create_app(sitting, access=access()), role, 1)
    assert rules(reader) == rules(create_app(FakeSitting()).test_client())


def test_it_is_the_same_at_any_time_of_a_game(sitting: FakeSitting, client: FlaskClient) -> None:
    for seats in (3, 4, 5):
        views = [view for view in SITUATIONS.values() if len(view.seats) == seats]
        pages = set()
        for view in views:
            sitting.show(view)
            pages.add(rules(client))
        assert len(pages) == 1


def test_it_follows_the_options_of_the_game_that_is_played() -> None:
    sitting = FakeSitting()
    client = create_app(sitting).test_client()
    usual = rules(client)
    assert "This table plays by the usual rules." in usual
    assert "rule</span>" not in usual
    sitting.rulebook = book(hard_mode=True, penalty="lose_turn")
    changed = rules(client)
    assert "This table plays by the usual rules." not in changed
    own = re.search(r'<section class="own">(.*?)</section>', changed, re.DOTALL)
    assert own is not None
    assert re.findall(r'href="#([^"]+)"', own[1]) == ["steal-1-3-steal", "steal-1-7", "steal-1-10"]
    assert changed.count('<span class="tag">This table&#39;s rule</span>') == 5


def test_a_real_sitting_tells_the_rules_that_it_plays_by() -> None:
    table = Told(hard_mode=True, first_seat=1)
    page = rules(create_app(table.sitting).test_client())
    assert "Hard mode: after the first move" in page
    assert "Ben begins this game." in page
    assert table.sitting.rulebook == book(3, hard_mode=True, first_seat=1)


# ---- links ---------------------------------------------------------------------------------------------------------


def test_the_table_page_offers_the_rules(client: FlaskClient) -> None:
    assert '<a href="/rules">Rules</a>' in client.get("/").get_data(as_text=True)


@pytest.mark.parametrize("rule", ["STEAL-1.3", "STEAL-1.10-positions"])
def test_a_violation_leads_to_the_paragraph_of_its_rule(sitting: FakeSitting, client: FlaskClient, rule: str) -> None:
    view = tables.broken()
    assert view.violation is not None
    sitting.show(replace(view, violation=replace(view.violation, rule=rule)))
    for page in (client.get("/").get_data(as_text=True), client.get("/state.json").get_json()["parts"]["talk"]):
        assert re.findall(r'<a class="why" href="/rules#([^"]+)">Why\?</a>', page) == [rule_anchor(rule)]
    assert f'id="{rule_anchor(rule)}"' in rules(client)


def test_where_nobody_broke_a_rule_nothing_asks_why(sitting: FakeSitting, client: FlaskClient) -> None:
    for view in (tables.loose(), tables.playing(), tables.asked()):
        sitting.show(view)
        assert 'class="why"' not in client.get("/").get_data(as_text=True)


def test_disputes_and_evidence_lead_to_the_paragraphs() -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    table.exchange(slot(0, 1), slot(2, 2), 8.0)
    assert table.view.violation is not None
    assert table.view.violation.rule == "STEAL-1.3"
    table.exchange(slot(0, 1), slot(2, 2), 4.0)
    table.say(0, Call("stop"))
    client = create_app(table.sitting).test_client()
    page = client.get("/disputes?move=1").get_data(as_text=True)
    part = re.search(r"What did not stand</h2>(.*?)</section>", page, re.DOTALL)
    assert part is not None
    assert re.findall(r'href="/rules#([^"]+)"', part[1]) == ["steal-1-3"]
    proofs = page.split('class="proof"')[1:]
    assert [re.findall(r'href="/rules#([^"]+)"', proof) for proof in proofs] == [["steal-1-3-draw"], ["steal-1-3"]]
    ids = Outline(rules(client)).ids
    assert {"steal-1-3", "steal-1-3-draw"} <= set(ids)


def test_what_people_deny_cites_its_rule_as_well() -> None:
    """A card came from a seat that nobody looks at, and nobody has stolen it: a violation without an action of the game."""
    table = Told(("mat", "tap", "tap"))
    table.draw(0, 1, 6.0)
    for seat in (1, 2):
        table.sitting.claim(seat, 0)
        table.wait(1.0)
        place = row(seat + 1)
        table.lie({place: table.pile.pop(0)}, 2.0)
    table.lie({slot(0, 2): table.pile.pop(9)}, 12.0)
    question = table.view.question
    assert question is not None
    table.say(0, Answer(question.id, question.choices.index(None)), 12.0)
    page = create_app(table.sitting).test_client().get("/").get_data(as_text=True)
    assert "Ann: The card that made room for the new one goes face up on the row." in page
    assert 'href="/rules#steal-1-10-row"' in page
