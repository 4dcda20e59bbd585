"""The show makes room for a person who takes a seat, and its cameras are there for him to look through."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

from companion.cards import Mark
from companion.choices import Chair, Choices
from companion.web.tabletop import Deed
from firmware.virtual.play import Settings
from firmware.virtual.puppet import VirtualPuppet
from firmware.virtual.show import Show, Showcase
from firmware.virtual.sight import Frames
from vision.classifier import LABELS

SETTINGS = Settings(seats=3, seed=1, period=0.5)
PATIENCE_S = 60.0


class SeesNothing:
    """A classifier for tables whose cards do not matter."""

    def classify(self, patches):
        readings = np.full((len(patches), len(LABELS)), 1e-6, np.float32)
        readings[:, LABELS.index(Mark.EMPTY)] = 1.0
        return readings


@contextmanager
def showing(puppet: VirtualPuppet, settings: Settings = SETTINGS) -> Iterator[tuple[Show, Showcase]]:
    showcase, stop = Showcase(settings, SeesNothing()), threading.Event()
    show = Show(settings, showcase, stop, speed=50.0, pause=0.0, puppet=puppet)
    thread = threading.Thread(target=show.run)
    thread.start()
    try:
        yield show, showcase
    finally:
        stop.set()
        thread.join(PATIENCE_S)


def comes(puppet: VirtualPuppet, test: Callable[[], bool]) -> bool:
    """Whether it comes to that; the table's own news wake whoever waits."""
    number = -1
    for _ in range(400):
        if test():
            return True
        number = puppet.wait(number, PATIENCE_S / 400)
    return test()


def test_a_person_moves_cards_and_looks_through_the_cameras():
    puppet = VirtualPuppet((0,))
    with showing(puppet):
        assert comes(puppet, lambda: puppet.top(False) is not None)
        puppet.do(Deed("deal"))
        assert comes(puppet, lambda: bool(puppet.top(False).seats[0][0].cards))
        assert comes(puppet, lambda: None not in (puppet.frame("mat0", False), puppet.frame("tray", False)))
        assert [name for name, _ in puppet.top(False).cameras] == ["mat0", "tray"]
        assert [name for name, _ in puppet.top(True).cameras] == ["mat0", "mat1", "mat2", "tray"]
        assert puppet.frame("tray", False)[:3] == b"\xff\xd8\xff", "a JPEG"
        assert puppet.frame("mat1", False) is None
        assert puppet.frame("mat1", True) is not None
        assert puppet.frame("../mat0", True) is None


def test_who_takes_a_seat_ends_the_show_and_who_leaves_it_lets_it_go_on():
    puppet = VirtualPuppet()
    with showing(puppet) as (show, showcase):
        first = showcase.sitting
        assert puppet.top(False) is None, "a show is nobody's to move"
        puppet.sit((1,), True)
        assert comes(puppet, lambda: puppet.top(False) is not None)
        assert showcase.sitting is not first
        assert puppet.top(False).mine == (1,)
        assert puppet.tutorial is not None and puppet.tutorial.seat == 1
        puppet.leave_tutorial()
        assert puppet.top(False).tutorial is None
        puppet.sit(())
        assert comes(puppet, lambda: puppet.top(False) is None)
        assert show.played == 1


@pytest.mark.parametrize(("seats", "then"), [((4,), (0,)), ((1, 3, 4), (1,)), ((2,), (2,))])
def test_who_sat_where_no_seat_is_any_more_gets_one_that_there_is(seats, then):
    puppet = VirtualPuppet(seats)
    with showing(puppet, replace(SETTINGS, seats=5)) as (_, showcase):
        assert comes(puppet, lambda: puppet.top(False) is not None)
        assert puppet.top(False).mine == seats
        showcase.order(Choices(chairs=tuple(Chair(name) for name in ("Anna", "Ben", "Cleo"))))
        assert comes(puppet, lambda: (top := puppet.top(False)) is not None and len(top.seats) == 3)
        assert puppet.top(False).mine == puppet.seats == then


def test_a_picture_is_made_small_once():
    frames = Frames()
    image = np.full((600, 1200, 3), 90, np.uint8)
    frames.take("tray", image)
    frames.take("tray", image)
    assert frames.counts((), False) == (("tray", 1),)
    first = frames.picture("tray", (), False)
    assert frames.picture("tray", (), False) is first
    frames.take("tray", image.copy())
    assert frames.counts((), False) == (("tray", 2),)
    assert frames.picture("tray", (), False) is not first
    assert frames.picture("mat0", (), False) is None
    frames.clear()
    assert frames.picture("tray", (), False) is None
