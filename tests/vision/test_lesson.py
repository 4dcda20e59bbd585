"""A lesson, step by step, on boards that carry a code."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.cards import DECK, Card, Mark, Seen
from vision.classifier import LABELS, Patches, Reading
from vision.errors import LayoutError, ProfileError
from vision.layout import mat_layout
from vision.lesson import Answer, Asked, Lesson, Told

WINDOW = 2
FRAMES = 6


class CodeModel:
    """Reads the code of the tests' boards; features are the reading itself, so that equal cards are alike."""

    def __init__(self, ideal: Callable[[], object], weak: tuple[Card, ...] = ()) -> None:
        self._ideal, self._weak = ideal(), weak

    def see(self, patches: Patches) -> tuple[Reading, NDArray[np.float32]]:
        reading = self._ideal.classify(patches)  # type: ignore[attr-defined]
        features = reading.copy()
        for row in reading:
            if LABELS[int(row.argmax())] in self._weak:
                row[:] = 0.0
                row[LABELS.index(Mark.UNREADABLE)] = 1.0
        return reading, features


class Desk:
    """A board in front of a lesson."""

    def __init__(self, board, ideal, weak=(), **options) -> None:
        layout = mat_layout(0)
        self._drawn = board(layout, tilt=(0.0, 0.0), k1=0.0)
        self.lesson = Lesson(layout, WINDOW, CodeModel(ideal, weak), **options)
        self._time = 0.0

    def lay(self, seen: Seen, frames: int = FRAMES) -> Answer:
        contents = [Mark.EMPTY] * 5
        contents[WINDOW] = seen
        for _ in range(frames):
            self._time += 0.1
            answer = self.lesson.look(self._drawn.frame(self._time, contents))
        return answer

    def dark(self) -> Answer:
        self._time += 0.1
        return self.lesson.look(self._drawn.frame(self._time, [Mark.EMPTY] * 5, gain=0.02, noise=0.5))


@pytest.fixture
def desk(board, ideal) -> Callable[..., Desk]:
    return lambda **options: Desk(board, ideal, **options)


def test_each_card_is_asked_for_both_ways_round(desk) -> None:
    at = desk()
    assert at.lesson.answer == Answer(Told.LAY, Asked(DECK[0], False))
    assert at.lay(DECK[0], frames=2).told is Told.HOLD
    assert at.lay(DECK[0]) == Answer(Told.TAKEN, Asked(DECK[0], True))
    assert at.lay(DECK[0]) == Answer(Told.TAKEN, Asked(DECK[0], True)), "lying on, it is not taken twice"
    at.lay(Mark.EMPTY, frames=2)
    assert at.lay(DECK[0]) == Answer(Told.TAKEN, Asked(DECK[1], False))
    assert at.lesson.progress == (2, 104)


def test_a_wrong_card_is_noticed_and_may_be_confirmed(desk) -> None:
    at = desk(both_ways=False)
    assert at.lay(DECK[5]) == Answer(Told.OTHER, Asked(DECK[0], False), DECK[5])
    assert at.lesson.progress == (0, 52)
    assert at.lesson.confirm() == Answer(Told.TAKEN, Asked(DECK[1], False))
    assert at.lesson.confirm() == Answer(Told.TAKEN, Asked(DECK[1], False)), "once only"
    assert at.lesson.weak == (DECK[0],)


def test_a_card_shown_before_is_noticed(desk) -> None:
    at = desk(both_ways=False)
    at.lay(DECK[0])
    at.lay(DECK[1])
    assert at.lay(DECK[0]) == Answer(Told.AGAIN, Asked(DECK[2], False), DECK[0])


def test_a_copy_of_a_card_that_nobody_can_read_is_noticed(desk) -> None:
    at = desk(both_ways=False, weak=(DECK[0],))
    assert at.lay(DECK[0]).told is Told.TAKEN
    at.lay(Mark.EMPTY)
    assert at.lay(DECK[0]) == Answer(Told.AGAIN, Asked(DECK[1], False), DECK[0])
    assert at.lesson.weak == (DECK[0],)


@pytest.mark.parametrize(("seen", "told"), [(Mark.FOREIGN, Told.JOKER), (Mark.BACK, Told.BACK), (Mark.EMPTY, Told.LAY)])
def test_what_is_no_card_of_the_deck_is_named(desk, seen: Seen, told: Told) -> None:
    assert desk().lay(seen) == Answer(told, Asked(DECK[0], False))


def test_what_looks_covered_for_long_is_doubted_and_may_be_confirmed(desk) -> None:
    at = desk(both_ways=False)
    assert at.lay(Mark.COVERED, frames=8).told is Told.HOLD
    assert at.lay(Mark.COVERED, frames=12).told is Told.DOUBT
    assert at.lesson.confirm().told is Told.TAKEN


def test_a_blind_camera_is_said_and_the_lesson_goes_on_afterwards(desk) -> None:
    at = desk(both_ways=False)
    at.lay(DECK[0])
    answer = at.dark()
    assert (answer.told, answer.asked) == (Told.BLIND, Asked(DECK[1], False))
    assert answer.trouble is not None and "the picture is dark" in answer.trouble
    assert at.lay(DECK[1]).told is Told.TAKEN


def test_the_last_card_can_be_taken_back(desk) -> None:
    at = desk(both_ways=False)
    at.lay(DECK[0])
    assert at.lesson.undo() == Answer(Told.LAY, Asked(DECK[0], False))
    assert at.lay(DECK[0]).told is Told.TAKEN
    assert at.lesson.progress == (1, 52)


def test_a_whole_lesson(desk) -> None:
    at = desk(both_ways=False)
    with pytest.raises(ProfileError, match="the lesson is not over: 0 of 52 windows were taken"):
        at.lesson.windows()
    told = [at.lay(card).told for card in DECK]
    assert told == [Told.TAKEN] * 51 + [Told.DONE]
    cards, windows = at.lesson.windows()
    assert cards == DECK
    assert windows.shape == (52, 96, 48, 3)
    assert at.lay(DECK[3]) == Answer(Told.DONE, None)


def test_a_window_that_the_board_does_not_have_is_refused(ideal) -> None:
    with pytest.raises(LayoutError, match="mat0 has 5 windows; there is no window 6"):
        Lesson(mat_layout(0), 5, CodeModel(ideal))
