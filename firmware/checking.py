"""Judging what the check of a table has found: good, weak or bad, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from companion.announcements import ENGLISH, Translator
from companion.cards import DECK, Mark
from companion.health import BLUR_PX, MARKER_MM, MARKERS_MISSING
from companion.words.check import advice_words, problem_words, where_words
from vision.checkup import Checkup, Shown, cards_of
from vision.classifier import Classifier
from vision.inspection import BoardFacts


class Grade(IntEnum):
    GOOD = 0
    WEAK = 1
    BAD = 2


@dataclass(frozen=True, slots=True)
class Limit:
    """From `weak` on a thing could be better, from `bad` on the table fails."""

    weak: float
    bad: float

    def grade(self, value: float) -> Grade:
        """Of something of which less is better."""
        return Grade.BAD if value >= self.bad else Grade.WEAK if value >= self.weak else Grade.GOOD


LIMITS: Mapping[str, Limit] = {
    "blur": Limit(*BLUR_PX),
    "uneven": Limit(0.3, 0.5),
    "noise": Limit(6.0, 12.0),
    "flicker": Limit(0.03, 0.08),
    "stray": Limit(0.6, 0.85),
    "marker": Limit(*MARKER_MM),
    "markers": Limit(*MARKERS_MISSING),
    "glare": Limit(0.3, 0.55),
    "unread": Limit(0.02, 0.15),
}
"""In the units of the report: pixels, parts, grey levels, millimetres, counts."""
DIM, BRIGHT = (110.0, 80.0), (247.0, 252.0)
"""Grey levels of white paper: weak and bad."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be."""

    kind: str
    value: str | float
    grade: Grade
    seat: int | None = None
    """Whose mat; None: the deck."""
    window: int | None = None
    which: str = ""
    """The marker, or how many there are of all."""

    def where(self, say: Translator = ENGLISH) -> str:
        """``mat 2``, ``mat 2, window 3``, or ``deck``."""
        return where_words(self.seat, self.window, say)

    def problem(self, say: Translator = ENGLISH) -> str:
        return problem_words(self.kind, self.value, self.which, say)

    def advice(self, say: Translator = ENGLISH) -> str:
        return advice_words(self.kind, say)

    def to_json(self) -> dict[str, Any]:
        return {
            "where": self.where(), "kind": self.kind, "value": str(self.value), "which": self.which,
            "grade": self.grade.name.lower(), "problem": self.problem(), "advice": self.advice(),
        }  # fmt: skip


def judge(checkups: Sequence[Checkup], seats: Sequence[int], classifier: Classifier) -> tuple[Finding, ...]:
    """What is weak or bad about a table, the worst first.  `seats` number the mats of the checkups from 0."""
    found: list[Finding] = []
    for seat, checkup in zip(seats, checkups, strict=True):
        found += _mat(seat, checkup)
    found += _deck([one for checkup in checkups for one in checkup.shown])
    strange = getattr(classifier, "trouble", None)
    if strange is not None:
        found.append(Finding("strange_deck", strange, Grade.BAD))
    return tuple(sorted(found, key=lambda finding: -finding.grade))


def _mat(seat: int, checkup: Checkup) -> Iterator[Finding]:
    if checkup.facts is None:
        kind = "dead" if checkup.trouble else "unseen"
        yield Finding(kind, checkup.trouble or "", Grade.BAD, seat)
        return
    grades = list(_optics(seat, checkup.facts))
    yield from grades
    ruined = any(one.grade is Grade.BAD and one.kind in ("blur", "dim", "bright") for one in grades)
    for index in range(len(checkup.places)):
        shown = [one for one in checkup.shown if one.place == checkup.places[index]]
        yield from _window(seat, index, shown, checkup.facts, ruined)


def _optics(seat: int, facts: BoardFacts) -> Iterator[Finding]:
    white = facts.white
    if white <= DIM[0]:
        yield Finding("dim", f"{white:.0f}", Grade.BAD if white <= DIM[1] else Grade.WEAK, seat)
    if white >= BRIGHT[0]:
        yield Finding("bright", f"{white:.0f}", Grade.BAD if white >= BRIGHT[1] else Grade.WEAK, seat)
    measured: tuple[tuple[str, float, str | float], ...] = (
        ("blur", facts.edge_px, round(facts.edge_px, 1)),
        ("uneven", facts.unevenness, f"{100 * facts.unevenness:.0f}"),
        ("noise", facts.noise, f"{facts.noise:.0f}"),
        ("flicker", facts.flicker, f"{100 * facts.flicker:.0f}"),
    )
    for kind, value, words in measured:
        grade = LIMITS[kind].grade(value)
        if grade:
            yield Finding(kind, words, grade, seat)
    if LIMITS["blur"].grade(facts.edge_px) is Grade.BAD:
        # Blurred markers are found beside their places, or not at all: that says nothing about where they are.
        return
    for marker in facts.markers:
        grade = LIMITS["marker"].grade(marker.error_mm)
        if grade and white < BRIGHT[1]:
            yield Finding("marker", round(marker.error_mm, 1), grade, seat, which=str(marker.id))
    grade = LIMITS["markers"].grade(len(facts.missing))
    if grade:
        yield Finding("markers", str(len(facts.missing)), grade, seat, which=", ".join(map(str, facts.missing)))


def _window(seat: int, index: int, shown: Sequence[Shown], facts: BoardFacts, ruined: bool) -> Iterator[Finding]:
    stray = LIMITS["stray"].grade(facts.stray[index])
    if stray and not ruined:
        yield Finding("stray", f"{100 * facts.stray[index]:.0f}", stray, seat, index)
    faces = [one for one in shown if one.seen not in (Mark.BACK, Mark.FOREIGN)]
    if faces and not ruined:
        ink = float(np.median([one.ink for one in faces])) / facts.white
        grade = LIMITS["glare"].grade(ink)
        if grade:
            yield Finding("glare", f"{100 * ink:.0f}", grade, seat, index)
    unread = sum(one.seen is Mark.UNREADABLE for one in faces)
    # One unlucky card is no weak window.
    grade = LIMITS["unread"].grade(unread / len(faces)) if unread else Grade.GOOD
    if grade:
        worst = grade if unread > 1 else Grade.WEAK
        yield Finding("unread", str(unread), worst, seat, index, str(len(faces)))


def _deck(shown: Sequence[Shown]) -> Iterator[Finding]:
    counted = cards_of(shown)
    missing = [str(card) for card in DECK if card not in counted]
    if missing:
        yield Finding("missing", ", ".join(missing), Grade.BAD)
    twice = [str(card) for card, count in counted.items() if count > 1]
    if twice:
        yield Finding("twice", ", ".join(sorted(twice)), Grade.BAD)
    foreign = sum(one.seen is Mark.FOREIGN for one in shown)
    if foreign:
        yield Finding("foreign", str(foreign), Grade.BAD)


def facts_json(seat: int, checkup: Checkup) -> dict[str, Any]:
    """What was measured of one mat, for programs."""
    facts = checkup.facts
    told: dict[str, Any] = {"mat": seat + 1, "frames": checkup.frames, "cards_shown": len(checkup.shown)}
    if facts is None:
        return told | {"trouble": checkup.trouble}
    return told | {
        "px_per_mm": round(facts.px_per_mm, 2), "edge_px": round(facts.edge_px, 2), "white": round(facts.white),
        "unevenness": round(facts.unevenness, 3), "noise": round(facts.noise, 2), "flicker": round(facts.flicker, 4),
        "stray": [round(one, 3) for one in facts.stray],
        "marker_error_mm": {str(marker.id): round(marker.error_mm, 2) for marker in facts.markers},
        "markers_missing": list(facts.missing),
    }  # fmt: skip
