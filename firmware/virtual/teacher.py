"""Somebody at the virtual table who lays one card after another over one window, and makes the mistakes that people make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import numpy as np

from companion.cards import DECK, Card
from firmware.rig import Station, mat_station
from vision.frame import Frame
from vision.lesson import Answer, Asked, Lesson, Told
from vision.synthetic.art import DeckArt
from vision.synthetic.condition import condition
from vision.synthetic.optics import BoardCamera
from vision.synthetic.scene import JOKER, Difficulty, LyingCard, Scene, empty_scene, slop

PERIOD_S = 0.1
CARE: Difficulty = "normal"
"""However bad the light: a card that is taught is pushed to its rail."""
MISTAKES = ("none", "swap", "twice", "joker", "back")
LONGEST_WAIT = 60
"""Frames without progress after which the teacher gives up."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that the lesson said, and when."""

    time: float
    answer: Answer


class Teacher:
    """Follows a lesson to its end.  `mistake` is made once, at the card `at` of the course; then it is put right."""

    def __init__(
        self, art: DeckArt, difficulty: Difficulty, seed: int, station: Station | None = None, window: int = 2,
        mistake: str = "none", at: int = 20,
    ) -> None:
        self._rng = np.random.default_rng(seed)
        self.station = station if station is not None else mat_station(0)
        state = condition(difficulty, self._rng)
        self._camera = BoardCamera(self.station.layout, art, int(self._rng.integers(2**31)), state)
        self._window = window
        self._mistake, self._at = mistake, at
        self._number = 0

    def teach(self, lesson: Lesson) -> Iterator[Event]:
        """Lay what is asked until the lesson is done; yields whenever the lesson says something else.

        A card that the lesson doubts, and that is the right one, is confirmed.  Ends early where nothing goes on.
        """
        said = lesson.answer
        yield Event(0.0, said)
        while lesson.answer.told is not Told.DONE:
            asked = lesson.answer.asked
            assert asked is not None
            before = lesson.progress[0]
            for lying in self._ways(asked, before):
                yield from self._show(lesson, empty_scene(self.station.layout), 2)
                yield from self._show(lesson, self._scene(lying), LONGEST_WAIT)
                right = lying.face == asked.card and lying.side == "down"
                if right and lesson.progress[0] == before:
                    yield Event(self._time, lesson.confirm())
            if lesson.progress[0] == before:
                return

    @property
    def _time(self) -> float:
        return self._number * PERIOD_S

    def _ways(self, asked: Asked, number: int) -> Iterator[LyingCard]:
        """How the asked card comes to lie there, mistakes first."""
        if number == self._at and self._mistake != "none":
            yield self._wrong(asked)
        yield slop(CARE, self._rng).lay(asked.card, turned=asked.turned)

    def _wrong(self, asked: Asked) -> LyingCard:
        place = slop(CARE, self._rng)
        index = DECK.index(asked.card)
        other: dict[str, Card] = {"swap": DECK[(index + 1) % 52], "twice": DECK[index - 1]}
        if self._mistake == "joker":
            return place.lay(JOKER)
        if self._mistake == "back":
            return place.lay(asked.card, "up")
        return place.lay(other[self._mistake])

    def _scene(self, card: LyingCard) -> Scene:
        return empty_scene(self.station.layout).with_stack(self._window, (card,))

    def _show(self, lesson: Lesson, scene: Scene, frames: int) -> Iterator[Event]:
        """Hold a scene before the camera until the lesson has judged it, at most `frames` frames."""
        for _ in range(frames):
            self._number += 1
            if not self._camera.delivers(self._number):
                continue
            picture = self._camera.render(scene, self._time)
            before = lesson.answer
            after = lesson.look(Frame(self.station.camera, self._time, self._number, picture))
            if after != before:
                yield Event(self._time, after)
            if after.told not in (Told.HOLD, Told.LAY, Told.BLIND) and scene.stacks[self._window]:
                return


def as_difficulty(name: str) -> Difficulty:
    """The difficulty of that name, which the command line has checked."""
    return cast(Difficulty, name)
