"""What the table says aloud, out of what it shows: only what is true now, and nothing twice.

`speech` makes of a view everything that may be said about it.  `news` tells what of it has to be said to somebody who has heard
the speech before.  Both are pure: after an undo, a correction or a lost connection the speech is made anew from the state, so
nothing that was corrected is ever said again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from companion.announcements import Announced, Translator, announce, seat_name, sound_words
from companion.cues import Meaning, cues
from companion.views import View
from companion.words.translator import ENGLISH


class Topic(Enum):
    """What a line is about.  Of each topic but hands there is one line at the most."""

    HALT = "halt"
    """Play is stopped or paused."""
    PROPOSAL = "proposal"
    VIOLATION = "violation"
    QUESTION = "question"
    CARDS = "cards"
    """Cards have to be moved after an undo, or seated again."""
    RESULT = "result"
    MOVE = "move"
    """The last move."""
    HAND = "hand"
    """What a hand is worth that is wholly turned over."""
    TURN = "turn"
    """The headline: who is to play, mostly."""
    ENDING = "ending"
    TROUBLE = "trouble"
    """A camera does not see, or the record cannot be written."""


NEEDED = frozenset(Topic) - {Topic.MOVE, Topic.HAND, Topic.ENDING}
"""Said at the lower of the two levels too: what somebody has to do something about, and the result."""

SOUNDS = (
    Meaning.STOPPED, Meaning.VIOLATION, Meaning.QUESTION, Meaning.OVER, Meaning.FINAL_TURNS, Meaning.TROUBLE,
)  # fmt: skip
"""What sounds when it begins, the more important first."""


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that may be said."""

    topic: Topic
    text: str
    """What makes it another line: the same text is not said again."""
    more: str = ""
    """Said along with it; it may change without the line being said anew."""

    @property
    def needed(self) -> bool:
        return self.topic in NEEDED


@dataclass(frozen=True, slots=True)
class Speech:
    """Everything that may be said about one state of the table, the more urgent first."""

    moves: int
    """How many actions the game has seen; falls with an undo."""
    lines: tuple[Line, ...]


def speech(view: View, say: Translator = ENGLISH) -> Speech:
    """What may be said about `view`."""
    return Speech(view.undo, tuple(_lines(view, announce(view, say), say)))


def news(before: Speech | None, now: Speech) -> tuple[Line, ...]:
    """What of `now` is new to somebody who has heard `before`; nothing to somebody who has just come (None).

    A move is said when it is made, or when it turns out to have been another one; a move that an undo brings to light again
    was heard when it was made.
    """
    if before is None:
        return ()
    known = {(line.topic, line.text) for line in before.lines}
    fresh = (line for line in now.lines if (line.topic, line.text) not in known)
    return tuple(line for line in fresh if line.topic is not Topic.MOVE or now.moves >= before.moves)


def sounding(view: View) -> tuple[str, ...]:
    """Names of what sounds when it begins, of all that holds in `view`."""
    held = {cue.meaning for cue in cues(view)}
    return tuple(meaning.value for meaning in SOUNDS if meaning in held)


def captions(say: Translator = ENGLISH) -> dict[str, str]:
    """What each sound means, by its name."""
    return {meaning.value: sound_words(meaning.value, say) for meaning in SOUNDS}


def _lines(view: View, words: Announced, say: Translator) -> Iterator[Line]:
    if view.stopped or view.paused:
        yield Line(Topic.HALT, words.headline)
    yield from _asked(view, words)
    yield from _to_do(words)
    # A stop hides no hand: what was said of one is not new when play goes on.
    yield from _hands(view, words, say)
    if view.result is not None:
        yield Line(Topic.RESULT, words.result)
    elif not (view.stopped or view.paused):
        yield from _course(view, words, say)
    for text in (words.trouble, words.record):
        if text:
            yield Line(Topic.TROUBLE, text)


def _asked(view: View, words: Announced) -> Iterator[Line]:
    if words.proposal:
        yield Line(Topic.PROPOSAL, words.proposal)
    if view.violation is not None:
        left = [text for text, item in zip(words.remedy, view.violation.remedy, strict=True) if not item.done]
        yield Line(Topic.VIOLATION, words.violation, " ".join(left))
    if view.question is not None:
        yield Line(Topic.QUESTION, words.question)


def _to_do(words: Announced) -> Iterator[Line]:
    listed = " ".join(words.steps) or words.reseat
    if listed:
        yield Line(Topic.CARDS, listed)


def _course(view: View, words: Announced, say: Translator) -> Iterator[Line]:
    """How play goes on."""
    if words.happened and not words.steps and view.phase != "over":
        yield Line(Topic.MOVE, words.happened)
    if view.violation is None and view.question is None:
        yield Line(Topic.TURN, words.headline)
    if words.ending:
        yield Line(Topic.ENDING, words.ending)


def _hands(view: View, words: Announced, say: Translator) -> Iterator[Line]:
    """Each hand that lies open, the winner's last: a sentence that stays the same whatever else is turned over."""
    names = [each.name for each in view.seats]
    order = range(len(names)) if view.result is None else reversed(view.result.order)
    for seat in order:
        if words.hands[seat]:
            yield Line(Topic.HAND, say("%(who)s: %(hand)s.", who=seat_name(seat, names, say), hand=words.hands[seat]))
