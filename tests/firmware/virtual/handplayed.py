"""A virtual table that a person plays by hand, on a page, with a perfect reader: quick enough for a test to walk a whole game."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from flask import Flask

from companion.observation import Declaration
from companion.views import Role, View
from companion.web import create_app
from companion.web.gate import Access
from companion.web.puppet import puppet_pages
from companion.web.strings import string_pages
from firmware.evening import Evening
from firmware.virtual.byhand import ByHand, play_by_hand
from firmware.virtual.ideal import IdealTable
from firmware.virtual.play import Settings
from firmware.virtual.puppet import VirtualPuppet
from firmware.virtual.strings import PuppetStrings
from firmware.virtual.world import World

BREATH_S = 0.002
"""On the wall between two steps of the game, so that the page's threads get their turn."""


@dataclass
class Paced:
    """The perfect table, which leaves others time to breathe and ends when it is told to."""

    inner: IdealTable
    stop: threading.Event
    world: World

    @property
    def frames(self) -> int:
        return self.inner.frames

    def step(self, time: float, world: World, said: Sequence[Declaration]) -> View:
        self.stop.wait(BREATH_S)
        return self.inner.step(time, world, said)

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)


@dataclass
class HandTable:
    """Games that are played by hand, one after the other, and the page of the one that is played now."""

    settings: Settings
    puppet: VirtualPuppet
    stop: threading.Event = field(default_factory=threading.Event)
    evening: Evening = field(init=False)
    access: Access = field(default_factory=Access)
    tables: list[Paced] = field(default_factory=list)

    def __post_init__(self) -> None:
        first = IdealTable(self._game(), self.settings, 0)
        self.evening = Evening(first.sitting)
        self.puppet.restarts(self.evening.ask_next)

    @staticmethod
    def _game() -> object:
        from companion.games import find_game

        return find_game("steal")

    def open(self, game: object, settings: Settings, world: World, rng: random.Random) -> Paced:
        table = Paced(IdealTable(game, settings, rng.randrange(2**31)), self.stop, world)
        self.tables.append(table)
        self.evening.begin(table.inner.sitting)
        self.evening.answer_next()
        return table

    @property
    def world(self) -> World:
        return self.tables[-1].world

    @property
    def view(self) -> View:
        return self.evening.view()

    def play(self, goes_on: Callable[[], bool] = lambda: True) -> None:
        """Games until `stop` is set."""
        number = 0
        while not self.stop.is_set():
            offers = self.evening.offers
            given = ByHand(self.puppet, offers, lambda: not (self.stop.is_set() or self.evening.next_asked) and goes_on())
            play_by_hand(self.settings, number, self.open, given)
            number += 1

    def app(self) -> Flask:
        pages = [
            string_pages(self.evening, PuppetStrings(), lambda: self.puppet.playing),
            puppet_pages(self.evening, self.puppet),
        ]
        return create_app(self.evening, pages, buttons=True, access=self.access, next_game=self.evening.ask_next)

    def link(self) -> str:
        """The path of the puppeteer's link."""
        return f"/join#{self.access.keyring.invite(Role.PUPPETEER)}"


@contextmanager
def hand_table(seats: int = 3, mine: tuple[int, ...] = (0,), seed: int = 1, tutorial: bool = False) -> Iterator[HandTable]:
    """A table whose games go on in a thread of their own as long as the block runs."""
    table = HandTable(Settings(seats=seats, seed=seed), VirtualPuppet(mine, tutorial))
    thread = threading.Thread(target=table.play, name="table by hand")
    thread.start()
    try:
        yield table
    finally:
        table.stop.set()
        thread.join(20.0)
