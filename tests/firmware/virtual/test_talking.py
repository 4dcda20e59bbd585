"""What scripted players answer, and what they say of a page that has another opinion than they."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.games import find_game
from companion.observation import Agree, Answer, Call
from companion.sitting import Seat, Sitting
from companion.views import PlacementView, ProposalView, QuestionView, View, ViolationView
from firmware.virtual.moves import Hands
from firmware.virtual.stage import Stage
from firmware.virtual.talking import Talk
from firmware.virtual.world import World

TICK = 0.1
A_VIEW = Sitting(find_game("steal"), [Seat(name, "tap") for name in ("Ann", "Ben", "Cat")]).view()
LISTED = ViolationView("not_started", "", None, (1, 2), ((1, 2), (2, 2)), ())
ASKED = QuestionView(7, "differs", None, (None, None), ((1, 2), (2, 2)), False)


class Page:
    """A stage whose page shows what a test wants, and what the players said to it."""

    def __init__(self, view: View) -> None:
        self.stage = Stage()
        self.stage.view = view
        self.talk = Talk(self.stage, Hands(World(3, ()), random.Random(1)))
        self.said: list[tuple[int, object]] = []

    def show(self, **parts: object) -> None:
        self.stage.view = replace(self.stage.view or A_VIEW, **parts)  # type: ignore[arg-type]

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / TICK)):
            self.said += [(one.seat, one.what) for one in self.stage.advance(self.stage.now + TICK)]


@pytest.mark.parametrize(("action", "choice"), [(None, 1), ({"type": "draw", "seat": 0, "use": 2}, 0)], ids=["a cheat", "a move"])
def test_whoever_broke_a_rule_says_that_the_screen_is_right_and_whoever_moved_that_the_table_is(action, choice) -> None:
    page = Page(replace(A_VIEW, question=ASKED))
    page.stage.enter(page.talk.answer(action))
    page.run(3.0)
    assert page.said == [(0, Answer(7, choice))]


def test_a_list_of_what_has_to_be_put_back_is_as_good_as_an_accusation() -> None:
    page, heard = Page(replace(A_VIEW, question=ASKED)), []

    def wait():
        heard.append((yield from page.talk.await_accusation()))
        heard.append((yield from page.talk.await_peace()))

    page.stage.enter(wait())
    page.run(3.0)
    assert (heard, len(page.said)) == ([], 1)
    page.show(question=None, awaiting=(PlacementView("return_card", (1, 2), False),))
    page.run(1.0)
    assert heard == [True]
    page.show(awaiting=())
    page.run(1.0)
    assert heard == [True, True]


def test_a_page_that_lists_what_lies_right_is_told_so_by_everybody() -> None:
    page = Page(replace(A_VIEW, violation=LISTED))
    page.stage.enter(page.talk.insist(1))
    page.run(1.0)
    assert page.said == [(1, Call("table_right"))]
    page.show(proposal=ProposalView(3, "table_right", (0, 1, 2)))
    page.run(4.0)
    assert page.said[1:] == [(seat, Agree(3, True)) for seat in range(3)]
    assert not page.stage.idle, "they wait until the page has understood"
    page.show(violation=None, proposal=None)
    page.run(0.5)
    assert page.stage.idle


def test_a_page_that_asks_what_differs_is_told_that_the_table_is_right() -> None:
    page = Page(A_VIEW)
    page.stage.enter(page.talk.insist(2))
    page.run(2.0)
    page.show(question=ASKED)
    page.run(3.0)
    assert page.said == [(2, Answer(7, 0))]


def test_nobody_insists_where_nothing_is_listed() -> None:
    page = Page(A_VIEW)
    page.stage.enter(page.talk.insist(1))
    page.run(10.0)
    assert (page.said, page.stage.idle) == ([], True)
