"""Lamps and buttons between the places of a board and the seats of a game."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace

import pytest

from companion.cues import Cue, Meaning
from companion.observation import Declaration, Press
from firmware.panel import LENT_S, Panel


class FakeBoard:
    def __init__(self) -> None:
        self.shown: list[tuple[Cue, ...]] = []
        self.closed = False
        self.watched: list[bool] = []

    def watch(self, on: bool) -> None:
        self.watched.append(on)

    def show(self, cues: Iterable[Cue], time: float) -> None:
        self.shown.append(tuple(cues))

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def told() -> SimpleNamespace:
    """A panel with its board, what it has posted, and its clock."""
    told = SimpleNamespace(now=100.0, posted=[], board=FakeBoard())
    told.panel = Panel(told.posted.append, lambda: told.now)
    told.panel.connect(told.board)
    return told


def press(place: int) -> Declaration:
    return Declaration(1.0, place, Press(), "button")


def test_a_seats_lamp_and_button_are_those_in_front_of_it(told: SimpleNamespace) -> None:
    told.panel.seat((2, 0, 4))
    cues = (Cue(Meaning.VIOLATION), Cue(Meaning.TURN, 0), Cue(Meaning.TOUCHED, 1, 3), Cue(Meaning.WINNER, 2))
    told.panel.show(cues, 1.0)
    assert told.board.shown == [
        (Cue(Meaning.VIOLATION), Cue(Meaning.TURN, 2), Cue(Meaning.TOUCHED, 0, 3), Cue(Meaning.WINNER, 4))
    ]
    for place in (2, 0, 4, 1):
        told.panel.press(press(place))
    assert [one.seat for one in told.posted] == [0, 1, 2], "at place 2 nobody sits"
    told.panel.close()
    assert told.board.closed


def test_what_is_lent_goes_back_when_nobody_asks_any_more(told: SimpleNamespace) -> None:
    told.panel.seat((0, 1, 2))
    told.panel.light((3,), (1,))
    told.panel.show((Cue(Meaning.TURN, 0), Cue(Meaning.VIOLATION)), 1.0)
    assert {(cue.seat, cue.slot) for cue in told.board.shown[-1]} == {(3, None), *((3, n) for n in range(1, 6)), (1, None)}
    told.panel.press(press(1))
    assert told.posted == [] and told.panel.presses(0) == (1, (1,))
    told.now += LENT_S
    told.panel.show((Cue(Meaning.TURN, 0),), 2.0)
    assert told.board.shown[-1] == (Cue(Meaning.TURN, 0),)
    told.panel.press(press(1))
    assert [one.seat for one in told.posted] == [1] and told.panel.presses(None) == (1, ())


def test_presses_are_heard_by_everybody_who_listens(told: SimpleNamespace) -> None:
    told.panel.light((), (0, 1))
    told.panel.press(press(1))
    first = told.panel.presses(None)[0]
    told.panel.press(press(0))
    told.panel.pretend(3)
    assert told.panel.presses(first) == (3, (0, 3))
    assert told.panel.presses(0) == (3, (1, 0, 3))


def test_a_press_on_the_page_counts_only_while_it_is_waited_for(told: SimpleNamespace) -> None:
    told.panel.pretend(2)
    assert told.panel.presses(0) == (0, ())


def test_the_next_game_takes_back_what_was_lent(told: SimpleNamespace) -> None:
    told.panel.light((1,), ())
    told.panel.seat((1, 0))
    told.panel.show((Cue(Meaning.TURN, 0),), 1.0)
    assert told.board.shown == [(Cue(Meaning.TURN, 1),)]


def test_a_panel_without_a_board_shows_nothing() -> None:
    panel = Panel(lambda declaration: None)
    panel.show((Cue(Meaning.TURN, 0),), 1.0)
    panel.close()


def test_a_camera_that_is_on_is_said_also_while_lamps_are_lent(told: SimpleNamespace) -> None:
    told.panel.light((0,), ())
    told.panel.watch(True)
    told.panel.watch(False)
    assert told.board.watched == [True, False]
    alone = Panel(told.posted.append)
    alone.watch(True)
    alone.close()
