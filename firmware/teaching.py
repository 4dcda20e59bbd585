"""Where a deck's windows come from: a lesson at the virtual table, recorded frames, photographs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.announcements import ENGLISH, Translator
from companion.cards import DECK, Card
from companion.errors import CardTextError
from companion.words.lesson import lesson_words
from firmware.errors import RecordingError
from firmware.recorded import recorded_frames
from vision.classifier import LABELS, Patches, Reading
from vision.features import FeatureModel
from vision.frame import Frame
from vision.lesson import Answer, Lesson, Told
from vision.onnx_classifier import OnnxClassifier
from vision.photolesson import card_windows

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, eq=False)
class Taught:
    """What a lesson has brought."""

    cards: tuple[Card, ...]
    windows: Patches
    weak: tuple[Card, ...]
    """Cards that the reader does not read well without the profile."""
    remarks: tuple[str, ...]
    """What was noticed and put right on the way."""


def answer_words(answer: Answer, say: Translator = ENGLISH) -> str:
    """An answer of the lesson as a sentence."""
    asked = answer.asked
    return lesson_words(
        answer.told.value, asked.card if asked else None, asked.turned if asked else False, answer.found, answer.trouble, say
    )


FEW = 12
"""So many missing cards are listed one by one."""
NOTICED = (Told.OTHER, Told.AGAIN, Told.JOKER, Told.BACK, Told.DOUBT, Told.BLIND)


def from_answers(lesson: Lesson, answers: Iterator[Answer], say: Say) -> Taught:
    """Follow a lesson to its end; raise `RecordingError` where it stops before."""
    remarks: list[str] = []
    for answer in answers:
        if answer.told in NOTICED:
            remarks.append(answer_words(answer))
            say(remarks[-1])
        elif answer.told is Told.TAKEN:
            say(f"{lesson.progress[0]} of {lesson.progress[1]}: {answer_words(answer)}")
    if lesson.answer.told is not Told.DONE:
        done, wanted = lesson.progress
        last = f"; last said: {remarks[-1]}" if remarks else ""
        raise RecordingError(f"the lesson ended after {done} of {wanted} windows, waiting: {answer_words(lesson.answer)}{last}")
    return Taught(*lesson.windows(), lesson.weak, tuple(remarks))


def replayed(lesson: Lesson, frames: Iterator[Frame]) -> Iterator[Answer]:
    """What a lesson says to frames, each time it is something else."""
    before: Answer | None = None
    for frame in frames:
        answer = lesson.look(frame)
        if answer != before:
            yield answer
        before = answer


def from_recording(folder: Path, lesson: Lesson, say: Say) -> Taught:
    """A recorded pass of the deck, in the order of `DECK`, over the lesson's window."""
    return from_answers(lesson, replayed(lesson, recorded_frames(folder)), say)


def from_photographs(pictures: Sequence[Path], model: FeatureModel, say: Say) -> Taught:
    """Photographs of single cards, each named after its card: ``As.jpg``, ``10h-2.png``.

    Raise `RecordingError` that lists all pictures that have no card's name or surely show another card than their name
    says, and the cards that no picture shows.
    """
    classifier = OnnxClassifier.load()
    cards: list[Card] = []
    windows: list[Patches] = []
    weak: list[Card] = []
    faults: list[str] = []
    for path in pictures:
        card = _named(path)
        if not path.is_file():
            faults.append(f"{path}: there is no such picture")
            continue
        if card is None:
            faults.append(f"{path.name}: expected a card's name, such as As.jpg or 10h-2.png")
            continue
        found = card_windows(path, classifier)
        reading = model.see(found)[0]
        faults += _contradiction(path, card, reading)
        if reading[:, DECK.index(card)].max() < 0.9:
            weak.append(card)
        cards += [card] * len(found)
        windows.append(found)
        say(f"{path.name}: {card}")
    missing = [str(card) for card in DECK if card not in set(cards)]
    if missing:
        few = ", ".join(missing) if len(missing) <= FEW else f"{len(missing)} of the 52 cards, {missing[0]} among them"
        faults.append(f"no picture shows {few}")
    if faults:
        raise RecordingError("; ".join(faults))
    return Taught(tuple(cards), np.concatenate(windows), tuple(dict.fromkeys(weak)), ())


def _named(path: Path) -> Card | None:
    try:
        return Card.parse(path.stem.replace("_", "-").split("-")[0])
    except CardTextError:
        return None


def _contradiction(path: Path, card: Card, readings: Reading) -> list[str]:
    """A fault where both ends of the card surely read as one other card."""
    best = {LABELS[int(row.argmax())] for row in readings if row.max() >= 0.97}
    if len(best) == 1 and isinstance(other := best.pop(), Card) and other != card:
        return [f"{path.name}: this is read as {other}"]
    return []
