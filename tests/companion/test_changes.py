"""What audiences are shown: each view in its order to who is a moment behind, the newest to who is further behind."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from companion.changes import HELD_S, HELD_VIEWS, Publication
from companion.views import View
from tests.companion import tables


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def turn(number: int) -> View:
    return replace(tables.playing(3), version=1, turn=number)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def told(clock: Clock) -> Publication:
    return Publication({None: turn(0), 2: turn(0)}, clock)


def test_who_is_a_moment_behind_is_told_every_view_in_its_order(told: Publication, clock: Clock) -> None:
    for number in (1, 2, 3):
        told.publish(lambda audience, number=number: turn(number))  # type: ignore[misc]
        clock.now += HELD_S / 10
    version, heard = 1, []
    while version < told.view(None).version:
        view = told.follow(None, version, 0.0)
        heard.append(view.turn)
        version = view.version
    assert heard == [1, 2, 3]
    assert told.follow(None, version, 0.0) == told.view(None), "nothing is newer, so it is the newest"
    assert told.missed(None, version) is None


def test_who_slept_is_told_the_newest_alone(told: Publication, clock: Clock) -> None:
    for number in (1, 2, 3):
        told.publish(lambda audience, number=number: turn(number))  # type: ignore[misc]
    clock.now += HELD_S + 0.1
    assert told.follow(None, 1, 0.0).turn == 3
    assert told.missed(None, 1) is None


def test_no_more_is_held_than_may_be(told: Publication) -> None:
    for number in range(1, 3 * HELD_VIEWS):
        told.publish(lambda audience, number=number: turn(number))  # type: ignore[misc]
    assert told.follow(None, 1, 0.0).turn == 2 * HELD_VIEWS


def test_an_audience_counts_only_what_it_may_see(told: Publication) -> None:
    told.publish(lambda audience: turn(0 if audience is None else 1))
    assert (told.view(None).version, told.view(2).version) == (1, 2)
    assert told.view(1) == told.view(None), "a seat without a view of its own sees what everybody sees"
    told.publish(lambda audience: replace(turn(0 if audience is None else 1), time=9.0))
    assert (told.view(None).version, told.view(2).version) == (1, 2), "the time alone is no news"


def test_whoever_waits_is_woken_by_news_and_by_the_end(told: Publication) -> None:
    heard: list[View] = []

    def wait(version: int) -> None:
        heard.append(told.follow(None, version, 600.0))

    waiting = [threading.Thread(target=wait, args=(version,)) for version in (1, 2)]
    for thread in waiting:
        thread.start()
    told.publish(lambda audience: turn(1))
    waiting[0].join()
    told.end()
    waiting[1].join()
    assert [view.turn for view in heard] == [1, 1]
