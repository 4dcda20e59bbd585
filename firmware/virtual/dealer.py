"""Somebody who walks through the virtual table: leaves it empty, then lays every card once; and what can be wrong there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from companion.cards import DECK, Card
from firmware.rig import Station, mat_station
from vision.frame import Frame
from vision.layout import Layout, Marker
from vision.synthetic.art import DeckArt
from vision.synthetic.condition import Condition, HotSpot, condition
from vision.synthetic.optics import BoardCamera
from vision.synthetic.scene import JOKER, Difficulty, Face, Scene, empty_scene, slop

PERIOD_S = 0.1
EMPTY_FRAMES, CARD_FRAMES, CLEAR_FRAMES = 14, 24, 12
SHIFTED_MM = 1.0
Fault = Literal["blur", "glare", "dim", "bright", "stray", "noise", "marker", "dead", "missing", "twice", "joker"]
FAULTS: tuple[Fault, ...] = ("blur", "glare", "dim", "bright", "stray", "noise", "marker", "dead", "missing", "twice", "joker")
"""The first eight befall one mat, the others the deck."""
OF_THE_DECK = ("missing", "twice", "joker")


@dataclass(frozen=True, slots=True)
class Injected:
    """A fault, and the seat whose mat has it (of a fault of the deck the seat says nothing)."""

    fault: Fault
    seat: int = 0


class Dealer:
    """Deals the whole deck over the windows of all mats, five cards a mat at a time."""

    def __init__(self, art: DeckArt, difficulty: Difficulty, seed: int, seats: int, faults: Sequence[Injected] = ()) -> None:
        self._rng = np.random.default_rng(seed)
        self._difficulty = difficulty
        self.stations = tuple(mat_station(seat) for seat in range(seats))
        self._dead = {one.seat for one in faults if one.fault == "dead"}
        of_mats = [one for one in faults if one.fault not in OF_THE_DECK]
        self._cameras = [
            self._camera(art, station, [one.fault for one in of_mats if one.seat == seat])
            for seat, station in enumerate(self.stations)
        ]
        self.deck = _deck([one.fault for one in faults], self._rng)
        self._number = 0

    def _camera(self, art: DeckArt, station: Station, faults: Sequence[Fault]) -> BoardCamera:
        state = condition(self._difficulty, self._rng)
        layout = station.layout
        for fault in faults:
            state = _spoilt(state, fault)
            if fault == "marker":
                layout = _with_marker_aside(layout)
        return BoardCamera(layout, art, int(self._rng.integers(2**31)), state)

    def walk(self, again: Callable[[], Sequence[Face]]) -> Iterator[tuple[int, Frame]]:
        """Frames with the seat that each one shows.  After the deck, what `again` names is laid once more."""
        yield from self._show([empty_scene(station.layout) for station in self.stations], EMPTY_FRAMES)
        yield from self._deal(self.deck)
        yield from self._deal(tuple(again()))

    def unread(self, counted: Mapping[Card, int]) -> tuple[Face, ...]:
        """Cards of this deck that nobody has counted; jokers are not laid twice."""
        return tuple(face for face in self.deck if face != JOKER and face not in counted)

    def _deal(self, faces: Sequence[Face]) -> Iterator[tuple[int, Frame]]:
        places = [(seat, window) for window in range(5) for seat in range(len(self.stations)) if seat not in self._dead]
        self._rng.shuffle(places)
        for start in range(0, len(faces), len(places) or 1):
            scenes = [empty_scene(station.layout) for station in self.stations]
            for (seat, window), face in zip(places, faces[start : start + len(places)], strict=False):
                card = slop(self._difficulty, self._rng).lay(face, turned=bool(self._rng.random() < 0.5))
                scenes[seat] = scenes[seat].with_stack(window, (card,))
            yield from self._show(scenes, CARD_FRAMES)
            yield from self._show([empty_scene(station.layout) for station in self.stations], CLEAR_FRAMES)
            # What was laid together is parted the next time.
            self._rng.shuffle(places)

    def _show(self, scenes: Sequence[Scene], frames: int) -> Iterator[tuple[int, Frame]]:
        for _ in range(frames):
            self._number += 1
            time = self._number * PERIOD_S
            for seat, (camera, scene) in enumerate(zip(self._cameras, scenes, strict=True)):
                if not camera.delivers(self._number):
                    continue
                picture = camera.render(scene, time)
                if seat in self._dead:
                    picture = np.zeros_like(picture)
                yield seat, Frame(self.stations[seat].camera, time, self._number, picture)


def _spoilt(state: Condition, fault: Fault) -> Condition:
    if fault == "blur":
        return replace(state, blur_px=3.0)
    if fault == "glare":
        spots = tuple(HotSpot(0.08 + 0.21 * window, 0.45, 16.0, 215.0) for window in range(5))
        return replace(state, hot_spots=spots)
    if fault == "dim":
        return replace(state, exposure=0.22)
    if fault == "bright":
        return replace(state, exposure=2.4)
    if fault == "stray":
        return replace(state, stray=1.2)
    if fault == "noise":
        return replace(state, noise=20.0)
    return state


def _with_marker_aside(layout: Layout) -> Layout:
    """A board whose third marker was glued a millimetre too far to the right."""
    wrong = layout.markers[2]
    moved = Marker(wrong.id, replace(wrong.square, x=wrong.square.x + SHIFTED_MM))
    return replace(layout, markers=(*layout.markers[:2], moved, *layout.markers[3:]))


def _deck(faults: Sequence[Fault], rng: np.random.Generator) -> tuple[Face, ...]:
    cards: list[Face] = [DECK[int(index)] for index in rng.permutation(len(DECK))]
    if "missing" in faults:
        del cards[7]
    if "twice" in faults:
        cards[11] = cards[30]
    if "joker" in faults:
        cards[19] = JOKER
    return tuple(cards)
