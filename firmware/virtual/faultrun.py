"""A game with a fault in it, and what came of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from companion.announcements import announce
from companion.cards import Seen
from companion.games import find_game
from companion.games.base import Game
from companion.observation import Declaration
from companion.table import Place
from companion.views import View
from firmware.virtual.faults import Diary, Fault, Mishap
from firmware.virtual.measure import LoggedAction
from firmware.virtual.play import Settings, play_game
from firmware.virtual.rendered import Link, RenderedTable
from firmware.virtual.scenes import sloppy_pose
from firmware.virtual.stage import Act
from firmware.virtual.world import Pose, World
from vision.synthetic.scene import Difficulty

NOTICED_S = 2.0
"""A camera that fails has to be spoken of so soon."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one fault."""

    name: str
    what: str
    noticed_s: float | None
    """Seconds from its beginning to the first word about a camera; None: nothing was said."""
    words: tuple[str, ...]
    """What was said about cameras, each sentence once."""
    questions: tuple[str, ...]
    named: tuple[str, ...]
    """Violations that were named although every card lay, or really lay wrong."""
    false_accusations: int
    by_hand: tuple[str, ...]
    back_s: float | None
    """Seconds from its end until nothing was wrong any more; None: nothing was said at all, or it never came back."""
    finished: bool
    right: bool
    """Everything came as it has to."""

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


class _Listening:
    """A table whose page is read all the time."""

    def __init__(self, inner: RenderedTable) -> None:
        self._inner = inner
        self._version = -1
        self._words, self._question, self._accused = "", 0, False
        self.diary = Diary()

    def step(self, time: float, world: World, said: Sequence[Declaration]) -> View:
        view = self._inner.step(time, world, said)
        if view.version != self._version:
            self._version = view.version
            self._read(view, time)
        return view

    def _read(self, view: View, time: float) -> None:
        diary, words = self.diary, announce(view)
        if words.trouble != self._words:
            self._words = words.trouble
            diary.troubles.append((time, words.trouble))
        if view.question is not None and view.question.id != self._question:
            self._question = view.question.id
            diary.questions.append(words.question)
        if view.violation is not None and not self._accused:
            diary.violations.append((view.violation.error, view.violation.seat is not None))
        self._accused = view.violation is not None
        diary.by_hand |= {seat.seat for seat in view.seats if seat.by_hand}
        diary.by_hand |= {None for trouble in view.troubled if trouble.seat is None and trouble.by_hand}

    def readings(self) -> Sequence[tuple[Place, Seen]]:
        return self._inner.readings()

    def log(self) -> Sequence[LoggedAction]:
        return self._inner.log()

    @property
    def frames(self) -> int:
        return self._inner.frames

    def close(self) -> None:
        self._inner.close()


def run_fault(fault: Fault, settings: Settings, open_link: Callable[[], Link]) -> Outcome:
    """Play one game in which `fault` happens."""
    mishap, link = Mishap(fault), open_link()
    opened: list[_Listening] = []

    def open_table(game: Game[Any], settings: Settings, world: World, rng: random.Random) -> _Listening:
        opened.append(_Listening(RenderedTable(link, settings, world, rng, tamper=mishap.tamper)))
        return opened[0]

    def make_pose(rng: random.Random) -> Pose:
        return sloppy_pose(cast(Difficulty, settings.difficulty), rng)

    def guest(script: Any) -> Act:
        return mishap.happen(script)

    try:
        figures, script = play_game(find_game(settings.game), settings, 0, open_table, make_pose, guest=guest)
    finally:
        link.close()
    finished = bool(script.record.finished and figures.reveals_right)
    return outcome_of(mishap, opened[0].diary, finished)


def outcome_of(mishap: Mishap, diary: Diary, finished: bool) -> Outcome:
    """What the page has said, held against what the fault should have led to."""
    fault, began, ended = mishap.fault, mishap.began, mishap.ended
    words = tuple(dict.fromkeys(text for _, text in diary.troubles if text))
    said = [at for at, text in diary.troubles if text]
    noticed = None if not said or began is None else round(said[0] - began, 2)
    silent = [at for at, text in diary.troubles if not text and ended is not None and at >= ended]
    # What goes away by itself while the fault still lasts was dealt with: the camera found its way again.
    over = bool(diary.troubles) and not diary.troubles[-1][1]
    back = (round(silent[-1] - ended, 2) if silent and ended is not None else 0.0) if over else None
    false = sum(1 for error, single in diary.violations if single or error not in fault.names)
    expected = all(any(part in text for text in words) for part in fault.says)
    in_time = noticed is not None and noticed <= NOTICED_S and back is not None if fault.says else not words
    right = ended is not None and expected and in_time and not false and finished and diary.by_hand == set(fault.by_hand)
    return Outcome(
        fault.name, fault.what, noticed, words, tuple(diary.questions), tuple(error for error, _ in diary.violations), false,
        tuple(sorted("row" if seat is None else f"seat {seat + 1}" for seat in diary.by_hand)), back, finished, right,
    )  # fmt: skip
