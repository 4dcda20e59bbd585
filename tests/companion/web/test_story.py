"""The page of a game's story, and the picture of its final table."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

from companion.views import Role
from companion.web import create_app
from companion.web.history import history_pages
from companion.web.keepsake import TEXT, WIDTH, breadth, fitted, keepsake, wrapped
from companion.web.strengths import HEIGHT, KINDS, LEFT, strength_plot
from companion.web.strengths import WIDTH as PLOT_WIDTH
from tests.companion import retold, tables
from tests.companion.tables import FakeSitting
from tests.companion.web.shelved import GONE, Shelved
from tests.companion.web.visitors import client_of, club, home

ADDRESSES = ("/story", "/story/table.svg")
SVG = "{http://www.w3.org/2000/svg}"
BAD = '<b>"Zoë" & Co</b>'


@pytest.fixture
def over(sitting: FakeSitting) -> FakeSitting:
    sitting.story = retold.story()
    sitting.show(tables.won())
    return sitting


def moments(page: str) -> list[dict[str, object]]:
    found = re.search(r'data-moments="([^"]+)"', page)
    assert found
    told: list[dict[str, object]] = json.loads(unescape(found[1]))
    return told


# ---- when it is there ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ADDRESSES)
def test_before_the_result_there_is_a_sentence_and_no_story(client: FlaskClient, sitting: FakeSitting, address: str) -> None:
    sitting.story = retold.story()
    for view in (tables.playing(), tables.final(), tables.revealing((5, 5, 5, 4)), tables.left(), tables.undone()):
        sitting.show(view)
        answer = client.get(address)
        assert answer.status_code == 409
        assert answer.json == {
            "error": "no_story",
            "message": "The story of this game can be told as soon as all hands are shown and its result stands.",
        }
        assert "as soon as all hands are shown" in client.get(address, headers={"Accept": "text/html"}).text
    sitting.show(tables.won())
    assert client.get(address).status_code == 200
    sitting.show(tables.undone())
    assert client.get(address).status_code == 409, "an undo takes it away again"


def test_the_table_links_to_it_with_the_result_alone(client: FlaskClient, over: FakeSitting) -> None:
    assert 'href="/story"' in client.get("/").text
    over.show(tables.revealing((5, 5, 5, 4)))
    assert 'href="/story"' not in client.get("/").text


def test_everybody_who_may_see_the_result_may_read_it(over: FakeSitting) -> None:
    for role in Role:
        assert client_of(create_app(over, access=club()), role, 1).get("/story").status_code == 200


def test_a_game_of_history_has_its_story_and_one_without_a_result_has_none() -> None:
    shelved = Shelved()
    app = create_app(FakeSitting(), [history_pages(shelved, shelved)], access=home())
    game = shelved.found.games[1].game
    page = app.test_client().get(f"/history/{game}/story").text
    assert f'href="/history/{game}"' in page and f'src="/history/{game}/table.svg"' in page
    assert "Cleo &lt;i&gt;" in page and "<i>&amp;" not in page
    assert app.test_client().get(f"/history/{game}/table.svg").mimetype == "image/svg+xml"
    assert f"/history/{game}/story" in app.test_client().get(f"/history/{game}").text
    for other in (GONE, "nothing"):
        assert app.test_client().get(f"/history/{other}/story").status_code == 404
        assert app.test_client().get(f"/history/{other}/table.svg").status_code == 404
    guarded = create_app(FakeSitting(), [history_pages(shelved, shelved)], access=club())
    assert client_of(guarded, Role.SPECTATOR).get(f"/history/{game}/story").status_code == 403
    assert client_of(guarded, Role.SEAT, 1).get(f"/history/{game}/story").status_code == 200


def test_a_game_whose_record_goes_on_meanwhile_is_closed() -> None:
    class Reopened(Shelved):
        def retelling(self, game: str) -> None:
            return None

    shelved = Reopened()
    app = create_app(FakeSitting(), [history_pages(shelved, shelved)], access=home())
    assert app.test_client().get(f"/history/{shelved.found.games[0].game}/story").status_code == 404


# ---- what it tells ------------------------------------------------------------------------------------------------


def test_the_page_holds_every_moment_and_lists_the_moves(client: FlaskClient, over: FakeSitting) -> None:
    page = client.get("/story").text
    story = retold.story()
    told = moments(page)
    assert len(told) == len(story.moments)
    for one, moment in zip(told, story.moments, strict=True):
        assert one["hands"] == [[str(card) for card in hand] for hand in moment.hands]
        assert one["row"] == [str(card) for card in moment.row]
        assert (one["pile"], one["removed"]) == (moment.pile, moment.removed)
        assert one["ways"] == [[way.source, way.target] for way in moment.carried]
    assert told[0]["which"] == "The deal" and told[2]["which"] == "Move 2 of 14"
    assert told[2]["words"] == (
        "Ben stole from slot 1 of Ann and gave slot 5. In came the four of diamonds for the three of clubs."
    )
    assert [one["lead"] for one in told] == list(story.leaders)
    assert page.count('<li id="move-') == 14
    used = {card for moment in story.moments for line in (*moment.hands, moment.row) for card in line}
    assert set(re.findall(r'<template id="card-(\w\w)">', page)) == {str(card) for card in used}
    assert page.count('class="line-') == 0 and "style=" not in page


def test_turning_points_are_told_with_the_hand_that_came_out_on_top(client: FlaskClient, over: FakeSitting) -> None:
    page = client.get("/story").text
    assert [int(number) for number in re.findall(r'<li value="(\d+)">', page)] == list(retold.story().turning_points)
    assert "From then on Cat had the best hand: a flush, king high." in page
    over.story = retold.story(seed=5)
    assert "The same hand was the best one from the deal to the end." in client.get("/story").text


def test_a_game_of_which_no_hand_is_known_has_no_plot(client: FlaskClient, over: FakeSitting) -> None:
    story = retold.story()
    bare = tuple(replace(moment, hands=tuple((None,) * 5 for _ in moment.hands)) for moment in story.moments[:-1])
    over.story = replace(story, moments=(*bare, story.moments[-1]))
    page = client.get("/story").text
    assert 'class="plot"' not in page and moments(page)[0]["hands"] == [[None] * 5] * 3


# ---- the plot -----------------------------------------------------------------------------------------------------


def points(stroke: str) -> Iterator[tuple[float, float]]:
    for pair in stroke.split():
        x, y = pair.split(",")
        yield float(x), float(y)


def test_better_hands_stand_higher() -> None:
    story = retold.story()
    plot = strength_plot(story)
    assert plot is not None
    assert [course.seat for course in plot.courses] == [0, 1, 2]
    begin = {course.seat: course.steps[0].y for course in plot.courses}
    values = {seat: value for seat in begin if (value := story.moments[0].worth(seat)) is not None}
    assert sorted(begin, key=lambda seat: -begin[seat]) == sorted(begin, key=lambda seat: values[seat].strength)
    ends = {course.seat: list(points(course.strokes[-1]))[-1] for course in plot.courses}
    assert tuple(sorted(ends, key=lambda seat: ends[seat][1])) == story.order
    assert {x for x, _ in ends.values()} == {plot.xs[-1]}
    assert [turn.number for turn in plot.turnings] == list(story.turning_points)
    every = [point for course in plot.courses for stroke in course.strokes for point in points(stroke)]
    assert all(LEFT <= x <= PLOT_WIDTH and plot.top <= y <= plot.bottom < HEIGHT for x, y in every)


def test_each_kind_of_hand_has_its_band_and_every_hand_lies_in_its_own() -> None:
    story = retold.story()
    plot = strength_plot(story)
    assert plot is not None
    edges = {band.kind: (band.y - band.height - 0.2, band.y + 0.2) for band in plot.bands}
    assert list(edges) == [kind.title for kind in KINDS][: len(edges)]
    for course in plot.courses:
        for step in course.steps:
            value = story.moments[plot.xs.index(step.x)].worth(course.seat)
            assert value is not None
            top, bottom = edges[value.category.title]
            assert top <= step.y <= bottom


def test_a_line_is_broken_where_the_hand_is_not_known() -> None:
    story = retold.story()
    gap = [replace(moment, hands=((None, *moment.hands[0][1:]), *moment.hands[1:])) for moment in story.moments[4:7]]
    plot = strength_plot(replace(story, moments=(*story.moments[:4], *gap, *story.moments[7:])))
    assert plot is not None
    first, second = plot.courses[0].strokes
    assert max(x for x, _ in points(first)) == plot.xs[3] and min(x for x, _ in points(second)) == plot.xs[7]


# ---- the picture --------------------------------------------------------------------------------------------------


def test_the_picture_shows_the_hands_in_their_order_and_is_safe_and_sound(client: FlaskClient, over: FakeSitting) -> None:
    over.story = retold.story(names=("Ann", BAD, "Cat"))
    answer = client.get("/story/table.svg")
    assert answer.headers["Content-Type"].startswith("image/svg+xml")
    assert "five-card-steal" in answer.headers["Content-Disposition"]
    drawn = ElementTree.fromstring(answer.text.strip())
    texts = ["".join(one.itertext()) for one in drawn.iter(f"{SVG}text")]
    assert texts[0] == "Cat wins!" and texts[1].startswith("Five Card Steal · ")
    names = [text for text in texts if text in ("Ann", "Cat") or text.startswith("<b>")]
    assert names[0] == "Cat" and len(names) == 3
    assert "b" not in {one.tag.removeprefix(SVG) for one in drawn.iter()}
    ranks = [text for text in texts if re.fullmatch("10|[2-9JQKA]", text)]
    assert len(ranks) == 15 + 2, "fifteen cards, and the places two and three"
    assert (drawn.get("width"), drawn.get("height")) == (str(WIDTH), str(keepsake(over.story, ["", "", ""], ["", "", ""]).height))
    assert not drawn.findall(f".//{SVG}image") and "style" not in answer.text and "script" not in answer.text


def test_the_picture_has_no_date_where_the_clock_was_not_set(client: FlaskClient, over: FakeSitting) -> None:
    over.show(replace(tables.won(), clock_unset=True))
    assert ">Five Card Steal</text>" in client.get("/story/table.svg").text
    assert 'filename="five-card-steal.svg"' in client.get("/story/table.svg").headers["Content-Disposition"]


def test_names_and_hands_stay_beside_the_cards() -> None:
    names = ("W" * 40, "宮本" * 12, "Ann")
    worths = ("a full house, queens over sevens", "drei sehr lange Worte " * 4, "ace high")
    drawn = keepsake(retold.story(), names, worths)
    for hand in drawn.hands:
        assert breadth(hand.name, 46) <= TEXT
        assert all(breadth(line, 29) <= TEXT - 96 for line in hand.worth)
        assert min(card.x for card in hand.cards) > 48 + TEXT
        assert max(card.x for card in hand.cards) + 94 < WIDTH - 48
    assert [hand.place for hand in drawn.hands] == [1, 2, 3]
    assert [hand.wins for hand in drawn.hands] == [True, False, False]


def test_words_are_cut_or_wrapped_where_there_is_no_room() -> None:
    assert fitted("Ann", 40, 300) == "Ann"
    assert fitted("Maximiliane", 40, 120).endswith("…") and breadth(fitted("Maximiliane", 40, 120), 40) <= 120
    assert wrapped("two pair, kings and fours", 29, 5000) == ("two pair, kings and fours",)
    assert len(wrapped("two pair, kings and fours", 29, 300)) == 2
    assert " ".join(wrapped("two pair, kings and fours", 29, 300)) == "two pair, kings and fours"
    assert wrapped("", 29, 220) == ()
    assert breadth("é", 10) == breadth("e", 10), "a mark above a letter takes no room"
