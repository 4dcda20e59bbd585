"""Things that go wrong at a table: cameras that fail, light that changes, cards and mats that are knocked about.

Each fault begins while a game is played through the cameras, lasts for a while and goes away.  What has to come of it: a
failed camera is noticed within two seconds and said in the right words, the game goes on and is finished, the camera comes
back by itself, and nobody is accused of anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from companion.games.base import Game
from companion.table import PILE, SLOTS, Area, Place, slot
from firmware.virtual.kinds import AnyScript
from firmware.virtual.moves import Goal
from firmware.virtual.stage import Act, Until
from firmware.virtual.world import HandOf
from vision.frame import Image

SEAT, OTHER = 1, 2
"""Whose mats the faults befall."""
CAMERA, SECOND = f"mat{SEAT}", f"mat{OTHER}"
LASTS_S = 22.0
"""Long enough for the seat to go by hand, and for moves to be made meanwhile."""
DARKNESS = 0.02
PUSHED_PX, NUDGED_PX = 150, 14
"""A mat pushed out of view, and one that was only touched: nearly three centimetres, and more than two millimetres."""

Change = Callable[[Image, float], Image | None]
"""One camera's picture and its time -> what arrives of it."""


class Mishap:
    """A fault on its way: `tamper` lies between cameras and table, `happen` makes it begin and end."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        self.began: float | None = None
        self.ended: float | None = None
        self._last: dict[str, Image] = {}
        self._held: dict[str, Image] = {}
        self._count: dict[str, int] = {}

    @property
    def on(self) -> bool:
        return self.began is not None and self.ended is None

    def tamper(self, camera: str, time: float, image: Image) -> Image | None:
        """What arrives of a frame."""
        self._last[camera] = image
        if not self.on:
            return image
        self._held.setdefault(camera, image)
        self._count[camera] = self._count.get(camera, 0) + 1
        fault = self.fault
        if fault.swapped and camera in fault.cameras:
            first, second = fault.cameras
            return self._last.get(second if camera == first else first)
        if fault.frozen and camera in fault.cameras:
            return self._held[camera]
        if fault.loses and self._count[camera] % fault.loses == 0:
            return None
        if fault.change is None or (fault.cameras and camera not in fault.cameras):
            return image
        return fault.change(image, time)

    def happen(self, script: AnyScript) -> Act:
        """Wait until the game is on its way, go wrong, and come right again."""
        yield Until(lambda: script.truth.state.phase == "play" and script.truth.state.turn >= 1 and _all_in(script), 600.0)
        yield script.rng.uniform(0.3, 2.5)
        self.began = script.stage.now
        if self.fault.act is not None:
            yield from self.fault.act(script)
        else:
            yield LASTS_S
        self.ended = script.stage.now


@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of mishap, and what has to come of it."""

    name: str
    what: str
    """In a few words, for people."""
    says: tuple[str, ...] = ()
    """What has to be said within two seconds; empty: no trouble may be spoken of at all."""
    by_hand: tuple[int | None, ...] = ()
    """The seats (None: the row) that are entered by hand while it lasts."""
    cameras: tuple[str, ...] = ()
    """Whose pictures change; empty: those of all."""
    change: Change | None = None
    frozen: bool = False
    swapped: bool = False
    loses: int = 0
    """Of so many frames one is lost; 0: none."""
    act: Callable[[AnyScript], Act] | None = None
    """What happens to the cards."""
    names: tuple[str, ...] = ()
    """Violations that may be named, of no single seat: cards really lie where they must not."""


# ---- pictures --------------------------------------------------------------------------------------------------------


def _nothing(image: Image, time: float) -> Image | None:
    return None


def _dark(image: Image, time: float) -> Image:
    return _lit(image, DARKNESS)


def _lit(image: Image, gain: float, offset: float = 0.0) -> Image:
    return np.asarray(np.clip(image * np.float32(gain) + np.float32(offset), 0, 255), np.uint8)


def _covered(image: Image, time: float) -> Image:
    """A lens that something lies on: no light, only the noise of the sensor."""
    grain = np.random.default_rng(round(time * 1000)).integers(0, 4, image.shape[:2], np.uint8)
    return np.repeat(grain[:, :, None], 3, axis=2)


def _flickering(image: Image, time: float) -> Image:
    return _lit(image, 0.8 + 0.2 * float(np.sin(2 * np.pi * 3.3 * time)))


def _brighter(image: Image, time: float) -> Image:
    return _lit(image, 1.15, 14.0)


def _aside(pixels: int) -> Change:
    def change(image: Image, time: float) -> Image:
        moved = np.full_like(image, 90)
        moved[:, pixels:] = image[:, :-pixels]
        return moved

    return change


# ---- hands, cards, cats ----------------------------------------------------------------------------------------------


def _alone(script: AnyScript, *seats: int) -> Act:
    """Wait until nobody plays with the cards of these seats, and keep them."""
    yield Until(lambda: not (set(seats) & script.busy), 60.0)
    script.busy |= set(seats)


def _cover(script: AnyScript, places: list[Place]) -> None:
    for place in places:
        script.world.cover(place)


def _uncover(script: AnyScript, places: list[Place]) -> None:
    for place in places:
        script.world.uncover(place)


def _hidden(script: AnyScript, seat: int) -> list[Place]:
    """The slots of a seat in which a card lies face down."""
    shown = script.truth.game.shown(script.truth.state)
    return [place for place in _mat(seat) if script.world.lying(place) and place not in shown]


def _all_in(script: AnyScript) -> bool:
    """Whether the seats that the faults befall have cards."""
    return all(_hidden(script, seat) for seat in (SEAT, OTHER))


def _mat(seat: int) -> list[Place]:
    return [slot(seat, number) for number in SLOTS]


def _resting_hand(script: AnyScript) -> Act:
    yield from _alone(script, SEAT)
    _cover(script, _mat(SEAT))
    yield 12.0
    _uncover(script, _mat(SEAT))
    script.busy.discard(SEAT)
    yield 3.0


def _two_cards(script: AnyScript) -> Act:
    """A card slides onto its neighbour, and lies there for a while beside an empty slot; somebody pushes it back."""
    yield from _alone(script, SEAT)
    home = _hidden(script, SEAT)[:2][-1]
    piece, neighbour = script.world.top(home), slot(SEAT, home.number + 1)
    yield from script.hands.lift(SEAT, home)
    yield from script.hands.lay(piece, neighbour)
    yield 10.0
    yield from script.hands.lift(SEAT, neighbour, piece)
    yield from script.hands.lay(piece, home)
    script.busy.discard(SEAT)
    yield 3.0


def _bumped(script: AnyScript) -> Act:
    yield from _alone(script, SEAT)
    _cover(script, _mat(SEAT))
    yield 0.4
    for place in _mat(SEAT):
        script.world.bump(place)
    _uncover(script, _mat(SEAT))
    script.busy.discard(SEAT)
    yield 4.0


def _mixed_up(script: AnyScript) -> Act:
    """Two mats are knocked together: cards of each end up on the other.  People put them back when the page says so."""
    yield from _alone(script, *range(script.world.seats))
    mine, theirs = _hidden(script, SEAT), _hidden(script, OTHER)
    crossed = [(mine[1], theirs[3]), (mine[4], theirs[0])] if len(mine) == len(theirs) == len(SLOTS) else [(mine[0], theirs[0])]
    pieces = {place: script.world.top(place) for pair in crossed for place in pair}
    goals: list[Goal] = [(pieces[a], b, True) for a, b in crossed] + [(pieces[b], a, True) for a, b in crossed]
    yield from script.hands.rearrange(SEAT, goals, together=True)
    yield from script.talk.await_accusation()
    yield from script.hands.rearrange(SEAT, [(piece, place, True) for place, piece in pieces.items()], together=True)
    yield from script.talk.await_peace()
    script.busy -= set(range(script.world.seats))
    yield 2.0


def _cat(script: AnyScript) -> Act:
    """She sits on two mats for a while, and pushes a card onto the floor, from where it is brought back."""
    yield from _alone(script, SEAT, OTHER)
    places = [*_mat(SEAT), *_mat(OTHER)]
    home = _hidden(script, OTHER)[-1]
    fallen = script.world.top(home)
    _cover(script, places)
    yield 3.0
    for place in places:
        script.world.bump(place)
    script.world.move(fallen, HandOf(OTHER))
    yield 3.0
    _uncover(script, places)
    yield 5.0
    yield from script.hands.lay(fallen, home)
    script.busy -= {SEAT, OTHER}
    yield 3.0


def _stuck_cards(script: AnyScript) -> Act:
    """Two cards of the pile stick together: the second one lies over a slot until somebody notices."""
    yield from _alone(script, SEAT)
    stuck, place = script.world.top(PILE), _hidden(script, SEAT)[-2:][0]
    script.world.move(stuck, HandOf(SEAT))
    yield from script.hands.lay(stuck, place)
    yield 8.0
    yield from script.hands.lift(SEAT, place, stuck)
    script.world.move(stuck, PILE)
    script.busy.discard(SEAT)
    yield 3.0


_MAT, _SECOND = f"the mat of Seat {SEAT + 1}", f"the mat of Seat {OTHER + 1}"
FAULTS: Mapping[str, Fault] = {
    fault.name: fault
    for fault in (
        Fault("dead", "a camera sends nothing", (f"No picture comes from {_MAT}",), (SEAT,), (CAMERA,), _nothing),
        Fault("frozen", "a camera repeats a frame", (f"The picture of {_MAT} stands still",), (SEAT,), (CAMERA,), frozen=True),
        Fault("dark", "something covers a lens", (f"The camera of {_MAT} sees only darkness",), (SEAT,), (CAMERA,), _covered),
        Fault(
            "shifted", "a mat is pushed out of view", (f"The camera of {_MAT} does not have all of it in view",), (SEAT,),
            (CAMERA,), _aside(PUSHED_PX),
        ),
        Fault("nudged", "a mat is moved a little", (f"The camera of {_MAT} has been moved",), (), (CAMERA,), _aside(NUDGED_PX)),
        Fault(
            "swapped", "two cameras change places",
            (f"The camera of {_MAT} shows {_SECOND}", f"The camera of {_SECOND} shows {_MAT}"),
            (SEAT, OTHER), (CAMERA, SECOND), swapped=True,
        ),
        Fault("dead_tray", "the tray's camera sends nothing", ("No picture comes from the tray",), (None,), ("tray",), _nothing),
        Fault("lamp", "a lamp fails", (f"The camera of {_MAT} sees only darkness",), (SEAT,), (CAMERA,), _dark),
        Fault("lost_frames", "one frame in three is lost", loses=3),
        Fault("flicker", "a lamp flickers", cameras=(CAMERA,), change=_flickering),
        Fault("room_light", "the light in the room is switched on", change=_brighter),
        Fault("hand", "a hand rests on a mat", act=_resting_hand),
        Fault("two_cards", "a card slides onto its neighbour", act=_two_cards),
        Fault("stuck_cards", "a card too many lies over a slot", act=_stuck_cards),
        Fault("bump", "a mat is bumped", act=_bumped),
        Fault("mixed_up", "cards of two mats are mixed up", act=_mixed_up, names=("two_actions", "unexplained_change")),
        Fault("cat", "a cat sits on two mats", act=_cat),
    )
}  # fmt: skip
"""Every fault by its name."""


def faults_of(game: Game[Any]) -> Mapping[str, Fault]:
    """The faults that can befall a table of this game: one without a row has no use for the tray's camera."""
    rows = any(place.area is Area.ROW for place in game.places(min(game.seats)))
    return {name: fault for name, fault in FAULTS.items() if rows or None not in fault.by_hand}


@dataclass(slots=True)
class Diary:
    """What the page has said in the course of a game."""

    troubles: list[tuple[float, str]] = field(default_factory=list)
    """When the words about the cameras changed, and to what; empty words: all is well."""
    questions: list[str] = field(default_factory=list)
    violations: list[tuple[str, bool]] = field(default_factory=list)
    """Kind, and whether a single seat was named."""
    by_hand: set[int | None] = field(default_factory=set)

