"""The puppeteer: deeds that a person asks for on the page are done by hands at the virtual table, by the game's own clock.

He moves pieces of card and nothing else; the table companion finds out through its cameras.  Whatever the rules say of it,
every deed is done that hands can do.  Who holds a card holds it: a deed waits until other hands have left its places.
"""

from __future__ import annotations

import logging
import random
import threading
from collections import deque
from collections.abc import Callable
from functools import partial

from companion.errors import DeclarationError
from companion.observation import Press
from companion.tutorial import Tutorial
from companion.views import View
from companion.web.tabletop import DEEDS, Deed, TableTop
from firmware.virtual.company import Company
from firmware.virtual.deeds import ImpossibleError, Puppeteer
from firmware.virtual.moves import Hands
from firmware.virtual.sight import Frames, Names, Sight, seen_from_above
from firmware.virtual.stage import Act, Stage, Until
from firmware.virtual.world import World

LOG = logging.getLogger(__name__)
MOST_WAITING = 12
"""Deeds that may wait for their turn."""
HAND_PACE = 0.5
"""His hands against those of others: a person who drags a card has taken his time already."""
PATIENCE = 20.0
"""Seconds that a deed waits until other hands are gone."""


class VirtualPuppet:
    """Hands deeds from the page's threads to the game's, and sights of the table back."""

    def __init__(self, seats: tuple[int, ...] = (), tutorial: bool = False) -> None:
        """`seats`: whose cards the person moves from the first game on; none leaves it a show."""
        self.seats = seats
        self._tutored = tutorial
        self._changed = threading.Condition()
        self._waiting: deque[Deed] = deque()
        self._sight: Sight | None = None
        self._said = ""
        self._busy = False
        self._told: tuple[object, ...] = (None,)
        self._number = 0
        self._restart: Callable[[], object] = lambda: None
        self._playable = True
        self.frames: Frames = Frames()
        self.tutorial: Tutorial | None = None

    # ---- what the page asks for, on any thread ---------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        return bool(self.seats)

    def top(self, cheating: bool, /) -> TableTop | None:
        with self._changed:
            sight, number, said, tutorial = self._sight, self._number, self._said, self.tutorial
            busy = self._busy or bool(self._waiting)
        if sight is None:
            return None
        return seen_from_above(sight, number, cheating, busy, said, tutorial, self.frames.counts(self.seats, cheating))

    def wait(self, number: int, seconds: float, /) -> int:
        with self._changed:
            self._changed.wait_for(lambda: self._number != number, seconds)
            return self._number

    def do(self, deed: Deed, /) -> None:
        if deed.name not in DEEDS:
            raise DeclarationError(f"{deed.name!r} is no deed; expected one of {', '.join(DEEDS)}", "no_deed")
        with self._changed:
            if self._sight is None:
                raise DeclarationError("no game that is played by hand lies on the table", "no_hands")
            if len(self._waiting) >= MOST_WAITING:
                raise DeclarationError(f"{MOST_WAITING} deeds are waiting already; expected fewer", "too_many_deeds")
            self._waiting.append(deed)

    def sit(self, seats: tuple[int, ...], tutorial: bool = False, /) -> None:
        with self._changed:
            if seats and not self._playable:
                raise DeclarationError("nobody moves the cards of this game by hand; expected a game without chips", "no_hands")
            self.seats, self._tutored = seats, tutorial
        self._restart()

    def leave_tutorial(self) -> None:
        with self._changed:
            self.tutorial = None
            self._tell()

    def frame(self, camera: str, cheating: bool, /) -> bytes | None:
        return self.frames.picture(camera, self.seats, cheating)

    # ---- the game's side -------------------------------------------------------------------------------------------

    def restarts(self, restart: Callable[[], object]) -> None:
        """`restart` has the next game begun."""
        self._restart = restart

    def fit(self, seats: int, playable: bool = True) -> None:
        """The next table has so many seats: of the person's those that there are, else the first; none where a game is not
        `playable` by hand."""
        with self._changed:
            self._playable = playable
            if not playable:
                self.seats = ()
            if self.seats:
                self.seats = tuple(seat for seat in self.seats if seat < seats) or (0,)

    def begin(self, world: World, stage: Stage, company: Company, rng: random.Random, first_seat: int) -> Act:
        """A game begins that the person plays, with `company` for the other seats; the act is his doing on `stage`."""
        names = Names(rng)
        with self._changed:
            self._waiting.clear()
            self._said, self._busy = "", False
            self._sight = Sight.of(world, self.seats, names)
            self.tutorial = Tutorial(self.seats[0]) if self._tutored and self.seats else None
            self._tutored = False
            self._tell()
        puppeteer = Puppeteer(world, Hands(world, rng, HAND_PACE), names, company, first_seat)
        return self._doing(puppeteer, stage, company.busy)

    def end(self) -> None:
        """The game is over and gone."""
        with self._changed:
            self._sight = None
            self._waiting.clear()
            self.tutorial = None
            self._tell()

    def see(self, world: World, view: View) -> None:
        """One moment of the game is over."""
        sight = self._sight
        if sight is None:
            return
        with self._changed:
            tutorial = None if self.tutorial is None else self.tutorial.after(view)
            # What is said of a step depends on more than the cards.
            told = (tutorial, view.current, view.violation is None, view.locks) if tutorial is not None else (None,)
            if sight.changes == world.changes and told == self._told:
                return
            self.tutorial, self._told = tutorial, told
            self._sight = sight.now(world)
            self._tell()

    def _doing(self, puppeteer: Puppeteer, stage: Stage, busy: set[int]) -> Act:
        while True:
            yield Until(lambda: bool(self._waiting), 3600.0)
            if not self._waiting:
                continue
            deed = self._waiting.popleft()
            if deed.name == "press":
                stage.say(deed.seat, Press())
                continue
            self._busy = True
            try:
                touched = puppeteer.touches(deed)
                clear = yield Until(partial(busy.isdisjoint, touched), PATIENCE)
                if not clear:
                    raise ImpossibleError("busy_hands")
                puppeteer.check(deed)
            except ImpossibleError as error:
                self._say(error.kind)
                continue
            busy.update(touched)
            why = ""
            try:
                yield from puppeteer.done(deed)
            except (LookupError, ImpossibleError) as error:
                # Who asks for something odd must not end the game for everybody.
                LOG.warning("a deed was left half done (%s): %s", deed.name, type(error).__name__)
                puppeteer.withdraw(touched)
                why = error.kind if isinstance(error, ImpossibleError) else "no_card_there"
            finally:
                busy.difference_update(touched)
            self._say(why)

    def _tell(self) -> None:
        """There is news; called with the lock held."""
        self._number += 1
        self._changed.notify_all()

    def _say(self, kind: str) -> None:
        """A deed is over; `kind` says why it was not done."""
        with self._changed:
            self._said, self._busy = kind, False
            self._tell()
