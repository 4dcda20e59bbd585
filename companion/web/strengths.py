"""How good every hand was from move to move, as numbers for a drawing: a line for each seat, a band for each kind of hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.hands import Category, HandValue
from companion.retelling import Retelling

WIDTH, HEIGHT = 440, 260
"""Of the drawing, in its own units."""
LEFT, RIGHT, TOP, BOTTOM = 112, 12, 24, 22
RANKS = 15
"""Ranks are less than this: the ranks of a hand are the digits of a number."""
KINDS = tuple(kind for kind in Category if kind not in (Category.FOUR_STRAIGHT, Category.FOUR_FLUSH, Category.ROYAL_FLUSH))
"""The kinds of high hands, lowest first; the highest straight flush is one of its kind."""


@dataclass(frozen=True, slots=True)
class Band:
    """The heights at which hands of one kind are drawn."""

    kind: str
    y: float
    """Of its lower edge."""
    middle: float
    height: float


@dataclass(frozen=True, slots=True)
class Step:
    """A hand that has changed with a move."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Course:
    """One seat's line."""

    seat: int
    strokes: tuple[str, ...]
    """As SVG polylines want them; a line is broken where the hand is not known."""
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Turning:
    """A move with which the lead changed hands."""

    number: int
    x: float


@dataclass(frozen=True, slots=True)
class Plot:
    courses: tuple[Course, ...]
    bands: tuple[Band, ...]
    turnings: tuple[Turning, ...]
    xs: tuple[float, ...]
    """Where each moment stands."""
    ticks: tuple[int, ...]
    """Moments whose number is written below."""

    @property
    def top(self) -> int:
        return TOP

    @property
    def bottom(self) -> int:
        return HEIGHT - BOTTOM


def strength_plot(story: Retelling) -> Plot | None:
    """The drawing; None where no hand is known before the end."""
    values = [[moment.worth(seat) for moment in story.moments] for seat in range(len(story.names))]
    known = [value for line in values for value in line[:-1] if value is not None]
    if not known:
        return None
    levels = [KINDS.index(_kind(value)) for line in values for value in line if value is not None]
    low, high = min(levels), max(levels)
    if low == high:
        # One band alone would have no neighbour to compare it with.
        low, high = (low - 1, high) if low else (low, high + 1)
    span = (HEIGHT - BOTTOM - TOP) / (high - low + 1)

    def height(value: HandValue) -> float:
        return round(HEIGHT - BOTTOM - (KINDS.index(_kind(value)) - low + _part(value)) * span, 1)

    xs = _xs(len(story.moments))
    return Plot(
        tuple(_course(seat, line, xs, [None if value is None else height(value) for value in line])
              for seat, line in enumerate(values)),
        tuple(_band(KINDS[level], HEIGHT - BOTTOM - (level - low) * span, span) for level in range(low, high + 1)),
        tuple(Turning(number, xs[number]) for number in story.turning_points),
        xs,
        tuple(range(0, len(xs), max(1, -(-len(xs) // 10)))),
    )  # fmt: skip


def _kind(value: HandValue) -> Category:
    return min(value.category, Category.STRAIGHT_FLUSH)


def _part(value: HandValue) -> float:
    """How high a hand stands among those of its kind, from 0.08 to 0.92."""
    number = 0.0
    for position, rank in enumerate(value.ranks, 1):
        number += rank / RANKS**position
    return 0.08 + 0.84 * number


def _xs(count: int) -> tuple[float, ...]:
    step = (WIDTH - LEFT - RIGHT) / max(1, count - 1)
    return tuple(round(LEFT + step * number, 1) for number in range(count))


def _band(kind: Category, y: float, span: float) -> Band:
    return Band(kind.title, round(y, 1), round(y - span / 2, 1), round(span, 1))


def _course(seat: int, values: Sequence[HandValue | None], xs: Sequence[float], ys: Sequence[float | None]) -> Course:
    strokes: list[list[str]] = [[]]
    steps: list[Step] = []
    for number, (x, y) in enumerate(zip(xs, ys, strict=True)):
        if y is None:
            strokes.append([])
            continue
        before = ys[number - 1] if number else None
        if before is not None and before != y:
            # A hand is what it is until a move changes it: the line goes level, and then up or down.
            strokes[-1].append(f"{x},{before}")
        if before != y or number == len(xs) - 1:
            steps.append(Step(x, y))
        strokes[-1].append(f"{x},{y}")
    return Course(seat, tuple(" ".join(stroke) for stroke in strokes if len(stroke) > 1), tuple(steps))
