"""The puppeteer's hands on the virtual table: deeds that somebody asks for on the page, done by the game's own clock."""

from __future__ import annotations

import queue
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from companion.errors import DeclarationError
from companion.table import SLOTS, Place, slot
from firmware.virtual.following import DELIBERATION
from firmware.virtual.kinds import AnyScript
from firmware.virtual.stage import Act, Until
from firmware.virtual.tidying import lay_as_true

MOST_WAITING = 5
"""Deeds that may wait for their turn."""
REST_SECONDS = 4.0
HELD_SECONDS = 2.0
HEARD_SECONDS = 12.0
"""How long an exchange waits to be noticed, and how long to be found put right."""
CLEAR_SECONDS = 25.0
"""How long a deed waits for other hands to go; the script itself waits no longer either."""


@dataclass(frozen=True, slots=True)
class Pull:
    """One deed at one place."""

    name: str
    seat: int
    slot: int


class PuppetStrings:
    """Hands deeds from the page's threads to the game's."""

    def __init__(self) -> None:
        self._waiting: queue.Queue[Pull] = queue.Queue(MOST_WAITING)

    def pull(self, name: str, seat: int, slot: int, /) -> None:
        """Have a deed done; raises `DeclarationError` where too many wait already."""
        try:
            self._waiting.put_nowait(Pull(name, seat, slot))
        except queue.Full:
            raise DeclarationError(f"{MOST_WAITING} deeds are waiting already; expected fewer", "too_many_deeds") from None

    def play(self, script: AnyScript) -> Act:
        """Somebody at the table of this game who does what he is told.  Before the first move and after the end, nothing."""
        while True:
            yield 0.25
            try:
                deed = self._waiting.get_nowait()
            except queue.Empty:
                continue
            if script.truth.state.phase in ("setup", "over"):
                continue
            # Everybody stops where a rule is broken: the table speaks when hands are still.
            seats = set(range(script.world.seats)) if _breaks(deed, script) else {deed.seat}
            clear = yield Until(partial(script.busy.isdisjoint, seats), CLEAR_SECONDS)
            if not clear or script.truth.state.phase == "over" or not all(map(script.world.lying, _touched(deed))):
                continue
            script.busy |= seats
            yield from _done(deed, script)
            script.busy -= seats


def _touched(deed: Pull) -> tuple[Place, ...]:
    """The slots whose cards are moved: the one that was named, and for an exchange its neighbour."""
    numbers = {"look": (deed.slot,), "exchange": (deed.slot, deed.slot % len(SLOTS) + 1)}.get(deed.name, ())
    return tuple(slot(deed.seat, number) for number in numbers)


def _open(places: Iterable[Place], script: AnyScript) -> tuple[Place, ...]:
    """Those of the slots whose cards lie face up."""
    shown = script.truth.game.shown(script.truth.state)
    return tuple(place for place in places if place in shown)


def _breaks(deed: Pull, script: AnyScript) -> bool:
    """Whether the rules mind: open cards lie where they are, hidden ones may be looked at except in hard mode."""
    looks = script.manners.hard or bool(_open(_touched(deed), script))
    return deed.name == "exchange" or (deed.name == "look" and looks)


def _done(deed: Pull, script: AnyScript) -> Act:
    hands, world = script.hands, script.world
    places = [slot(deed.seat, number) for number in SLOTS]
    if deed.name == "look":
        yield from hands.hold(deed.seat, [deed.slot], HELD_SECONDS)
        if _breaks(deed, script):
            yield Until(lambda: script.talk.accused, HEARD_SECONDS)
            yield from _shown_anew(_open(_touched(deed), script), script)
            yield Until(lambda: not script.talk.accused, HEARD_SECONDS)
    elif deed.name == "bump":
        yield from hands.bump(deed.seat)
    elif deed.name == "rest":
        for place in places:
            world.cover(place)
        yield REST_SECONDS
        for place in places:
            world.uncover(place)
    else:
        yield from _exchanged(deed, script)


def _exchanged(deed: Pull, script: AnyScript) -> Act:
    """Exchange the slot's card with its neighbour's, and put both right once the table has said what is wrong."""
    one, other = slot(deed.seat, deed.slot), slot(deed.seat, deed.slot % len(SLOTS) + 1)
    first, second = script.world.top(one), script.world.top(other)
    yield from script.hands.rearrange(deed.seat, [(first, other, True), (second, one, True)])
    said = yield Until(lambda: script.talk.accused, HEARD_SECONDS)
    yield Until(lambda: not script.page.deciding, DELIBERATION)
    if said and not script.talk.accused and script.page.taken_as_it_lies():
        return
    opened = _open((one, other), script)
    if opened:
        yield from lay_as_true(deed.seat, script.truth, script.world, script.hands)
        yield from _shown_anew(opened, script)
    else:
        yield from script.hands.rearrange(deed.seat, [(first, one, True), (second, other, True)])
    yield Until(lambda: not script.talk.accused, HEARD_SECONDS)


def _shown_anew(places: Iterable[Place], script: AnyScript) -> Act:
    """Open cards that were lifted are shown to their windows once more."""
    for place in places:
        yield from script.scan_anew(place)
