"""A virtual table that a person plays by hand, on a page, with a perfect reader.  Its clock goes on only while a test lets it.

So nothing depends on how long a browser takes, and a game takes no longer than its page.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from flask import Flask

from companion.games import find_game
from companion.views import Role, View
from companion.web import create_app
from companion.web.gate import Access
from companion.web.puppet import puppet_pages
from companion.web.strings import string_pages
from companion.web.tabletop import Deed, TableTop
from firmware.evening import Evening
from firmware.virtual.byhand import ByHand, play_by_hand
from firmware.virtual.ideal import IdealTable
from firmware.virtual.play import Settings
from firmware.virtual.puppet import VirtualPuppet
from firmware.virtual.strings import PuppetStrings
from firmware.virtual.world import World

LONGEST_S = 180.0
"""Of the table's time: so long at most it takes until something happens."""


@dataclass
class Clock:
    """Lets the game make one step after another."""

    ended: bool = False
    breath: float | None = None
    """Seconds on the wall between two steps of a clock that goes by itself."""
    _going: bool = False
    _may: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    _did: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    _over: threading.Event = field(default_factory=threading.Event)

    def tick(self) -> None:
        """The game makes one step."""
        self._may.release()
        assert self._did.acquire(timeout=60.0), "the game has come to a stop"

    def step(self) -> None:
        """The game is at rest between two steps."""
        if self.breath is not None:
            self._over.wait(self.breath)
            return
        if self._going:
            self._did.release()
        self._going = True
        self._may.acquire()

    def end(self) -> None:
        self.ended = True
        self._over.set()
        for _ in range(9):
            self._may.release()


@dataclass
class HandTable:
    """Games that are played by hand, one after the other, and the page of the one that is played now."""

    settings: Settings
    puppet: VirtualPuppet
    clock: Clock = field(default_factory=Clock)
    access: Access = field(default_factory=Access)
    worlds: list[World] = field(default_factory=list)
    time: float = 0.0
    """Seconds that this table's clock has gone so far."""

    def __post_init__(self) -> None:
        self.evening = Evening(IdealTable(find_game("steal"), self.settings, 0).sitting)
        self.puppet.restarts(self.evening.ask_next)

    def open(self, game: Any, settings: Settings, world: World, rng: random.Random) -> Any:
        table = IdealTable(game, settings, rng.randrange(2**31))
        self.worlds.append(world)
        self.evening.begin(table.sitting)
        self.evening.answer_next()
        return table

    def play(self) -> None:
        """Games until the clock has ended."""
        number = 0
        while not self.clock.ended:
            given = ByHand(self.puppet, self.evening.offers, self._goes_on)
            play_by_hand(self.settings, number, self.open, given)
            number += 1

    def _goes_on(self) -> bool:
        self.clock.step()
        return not (self.clock.ended or self.evening.next_asked)

    # ---- what a test does --------------------------------------------------------------------------------------------

    @property
    def world(self) -> World:
        return self.worlds[-1]

    @property
    def view(self) -> View:
        return self.evening.view()

    @property
    def top(self) -> TableTop:
        found = self.puppet.top(False)
        assert found is not None, "a game lies on the table"
        return found

    def until(self, what: Callable[[View], bool]) -> View:
        """Let time go on until the view is like that."""
        for _ in range(round(LONGEST_S * 10)):
            if what(self.view):
                return self.view
            self.run(0.1)
        raise AssertionError(f"it did not come to that in {LONGEST_S} s; now {self.view}")

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            self.clock.tick()
            self.time += 0.1

    def at_rest(self) -> None:
        """Let hands finish what they were asked to do, and the cameras see it."""
        self.until(lambda view: not self.top.busy)
        self.run(1.0)

    def do(self, name: str, what: str = "", to: str = "", seat: int = 0, **more: Any) -> str:
        """Have a deed done and over; the answer says why it was not done, if so."""
        self.puppet.do(Deed(name, tuple(what.split()), to, seat, **more))
        self.at_rest()
        return self.top.said

    def held(self, seat: int = 0) -> list[str]:
        """What a hand holds, as deeds name it."""
        return [f"held-{card.token}" for card in self.top.hands[seat].cards]

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
def hand_table(
    seats: int = 3, mine: tuple[int, ...] = (0,), seed: int = 1, tutorial: bool = False, breath: float | None = None,
    **options: Any,
) -> Iterator[HandTable]:  # fmt: skip
    """A table that is played by hand as long as the block runs; with `breath` its clock goes by itself."""
    table = HandTable(Settings(seats=seats, seed=seed, **options), VirtualPuppet(mine, tutorial), Clock(breath=breath))
    thread = threading.Thread(target=table.play, name="table by hand")
    thread.start()
    try:
        if breath is None:
            table.run(0.2)
        yield table
    finally:
        table.clock.end()
        thread.join(20.0)
