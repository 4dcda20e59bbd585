"""A lamp that is switched: presence without a classifier, room light that cancels out, and the watch between two pulses."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from companion.cards import Card, Mark
from companion.observation import TroubleKind
from companion.table import SLOTS, slot
from vision.calibrate import register
from vision.classifier import LABELS
from vision.frame import Frame, Light
from vision.lamplight import lamp_alone, present
from vision.layout import mat_layout
from vision.observe import Observer
from vision.synthetic.condition import condition
from vision.synthetic.decks import STYLES, draw_deck
from vision.synthetic.optics import BoardCamera
from vision.synthetic.scene import LyingCard, Scene
from vision.windows import ChangeWatch

LAYOUT = mat_layout(0)
PLACES = tuple(slot(0, number) for number in SLOTS)
FULL = ("As", "back", "Td", "2c", "Kh")
SOME = ("As", None, "Td", None, "back")


@lru_cache(maxsize=8)
def cameras(difficulty: str, seed: int) -> tuple[BoardCamera, BoardCamera]:
    """One mat with its lamp and without."""
    state = condition(difficulty, np.random.default_rng(seed))  # type: ignore[arg-type]
    art = draw_deck(STYLES[0])
    return BoardCamera(LAYOUT, art, seed, state), BoardCamera(LAYOUT, art, seed, state, lamp=False)


def scene(cards: tuple[str | None, ...]) -> Scene:
    def stack(card: str | None) -> tuple[LyingCard, ...]:
        if card is None:
            return ()
        return (LyingCard(Card.parse("As"), "up"),) if card == "back" else (LyingCard(Card.parse(card)),)

    return Scene(tuple(map(stack, cards)))


def pulse(cards: tuple[str | None, ...], number: int = 1, difficulty: str = "normal", seed: int = 1) -> Frame:
    lit, dark = cameras(difficulty, seed)
    time = float(number)
    return Frame("mat0", time, number, lit.render(scene(cards), time), Light.PULSED, dark.render(scene(cards), time))


def room(cards: tuple[str | None, ...], number: int) -> Frame:
    return Frame("mat0", float(number), number, cameras("normal", 1)[1].render(scene(cards), float(number)), Light.ROOM)


class Asked:
    """A classifier that takes everything for the back of a card, and counts."""

    def __init__(self) -> None:
        self.patches = 0

    def classify(self, patches: np.ndarray) -> np.ndarray:
        self.patches += len(patches)
        readings = np.full((len(patches), len(LABELS)), 0.0002, np.float32)
        readings[:, LABELS.index(Mark.BACK)] = 0.99
        return readings


def seen(observation: object) -> list[object]:
    return [sighting.seen for sighting in observation.sightings]  # type: ignore[attr-defined]


# ---- presence ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("difficulty", "seed"), [("normal", 1), ("hard", 2), ("hard", 3)])
def test_what_lies_there_is_told_without_a_classifier(difficulty: str, seed: int) -> None:
    frame = pulse(SOME, difficulty=difficulty, seed=seed)
    watch = ChangeWatch(LAYOUT, register(frame.image, LAYOUT))
    found = present(watch, frame)
    assert found is not None and found.tolist() == [card is not None for card in SOME]


def test_a_frame_without_a_dark_one_does_not_tell() -> None:
    frame = Frame("mat0", 0.0, 1, pulse(SOME).image)
    assert present(ChangeWatch(LAYOUT, register(frame.image, LAYOUT)), frame) is None
    assert lamp_alone(frame) is frame.image


def test_the_light_of_the_room_cancels_out() -> None:
    frame = pulse(SOME)
    assert frame.dark is not None
    window = ChangeWatch(LAYOUT, register(frame.image, LAYOUT)).look(lamp_alone(frame))[1]
    assert frame.dark.mean() > 5 and np.median(window) < 3


def test_nobody_looks_at_an_empty_window() -> None:
    classifier = Asked()
    observer = Observer(LAYOUT, PLACES, classifier)
    observation = observer.observe(pulse((None, None, None, None, None)))
    assert seen(observation) == [Mark.EMPTY] * 5 and classifier.patches == 0
    assert observer.bare is True


def test_one_pulse_is_enough_to_believe() -> None:
    classifier = Asked()
    observer = Observer(LAYOUT, PLACES, classifier)
    observation = observer.observe(pulse(SOME))
    assert seen(observation) == [Mark.BACK, Mark.EMPTY, Mark.BACK, Mark.EMPTY, Mark.BACK]
    assert classifier.patches == 9, "three looks at each of three cards"
    assert observer.bare is False


# ---- between two pulses ------------------------------------------------------------------------------------------------


def watched(*frames: Frame) -> tuple[Observer, list[list[object]]]:
    observer = Observer(LAYOUT, PLACES, Asked())
    return observer, [seen(observer.observe(frame)) for frame in frames]


def test_before_the_first_pulse_the_room_tells_nothing() -> None:
    observer, found = watched(room(FULL, 1))
    assert found == [[]] and observer.room is None and observer.trouble is None


def test_what_was_read_holds_as_long_as_nothing_stirs() -> None:
    _, (first, *later) = watched(pulse(SOME), room(SOME, 2), room(SOME, 3))
    assert later == [first, first]


def test_a_card_that_is_taken_away_leaves_its_window_open() -> None:
    without = ("As", None, None, None, "back")
    observer, found = watched(pulse(SOME), room(SOME, 2), room(without, 3), room(without, 4))
    assert found[2][2] is Mark.COVERED, "it may be a hand's doing"
    assert found[3] == [Mark.BACK, Mark.EMPTY, Mark.EMPTY, Mark.EMPTY, Mark.BACK]
    assert observer.room is not None and observer.room.bare is False


def test_a_card_that_is_laid_has_to_wait_for_the_lamp() -> None:
    with_one = ("As", "Qs", "Td", None, "back")
    observer, found = watched(pulse(SOME), room(with_one, 2), room(with_one, 3), pulse(with_one, 4), room(with_one, 5))
    assert [line[1] for line in found] == [Mark.EMPTY, Mark.COVERED, Mark.COVERED, Mark.BACK, Mark.BACK]
    assert observer.room is not None and bool(observer.room.same.all())


def test_a_mat_that_was_cleared_is_bare() -> None:
    nothing = (None,) * 5
    observer, _ = watched(pulse(SOME), room(nothing, 2), room(nothing, 3))
    assert observer.room is not None and observer.room.bare is True


def test_darkness_in_the_room_is_no_fault_but_a_frozen_picture_is() -> None:
    observer, _ = watched(pulse(FULL), room(FULL, 2))
    assert observer.trouble is None
    same = room(FULL, 3).image
    for number in range(3, 8):
        observer.observe(Frame("mat0", float(number), number, same, Light.ROOM))
    assert observer.trouble_kind is TroubleKind.FROZEN
    observer.observe(room(FULL, 9))
    assert observer.trouble_kind is None
