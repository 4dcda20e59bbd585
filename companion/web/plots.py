"""Plots of history as numbers for a drawing: where lines, columns and bars stand.  No colours, no words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from companion.tallies import Evening, Tally

WIDTH, HEIGHT = 440, 220
"""Of a drawing, in its own units."""
LEFT, TOP, BOTTOM = 30, 12, 26
APART = 15
"""Names stand so far from each other."""
LONGEST_NAME = 11
"""Letters of a name beside its line."""
LINES = 6
"""So many players have a line; more could not be told apart."""
TICKS = 5


@dataclass(frozen=True, slots=True)
class Tick:
    """A number beside the drawing, and the height of its line."""

    y: float
    number: int


@dataclass(frozen=True, slots=True)
class Line:
    """One player's line."""

    name: str
    points: str
    """As an SVG polyline wants them."""
    x: float
    y: float
    """Its end."""
    label_y: float
    """Where the name stands, out of the way of others."""

    @property
    def label(self) -> str:
        """The name, as much of it as there is room for."""
        return self.name if len(self.name) <= LONGEST_NAME else self.name[: LONGEST_NAME - 1] + "…"


@dataclass(frozen=True, slots=True)
class Column:
    """What one evening came to."""

    x: float
    width: float
    y: float
    height: float
    won_y: float
    won_height: float
    middle: float
    day: str
    games: int
    won: Fraction
    labelled: bool
    """There is room for its day."""


@dataclass(frozen=True, slots=True)
class LinePlot:
    lines: tuple[Line, ...]
    ticks: tuple[Tick, ...]
    days: tuple[str, ...]
    right: float


@dataclass(frozen=True, slots=True)
class ColumnPlot:
    columns: tuple[Column, ...]
    ticks: tuple[Tick, ...]


def _ticks(most: int) -> tuple[Tick, ...]:
    step = max(1, -(-most // TICKS))
    return tuple(Tick(_height(Fraction(number, most)), number) for number in range(0, most + 1, step))


def _height(part: Fraction) -> float:
    """From the top, for a part of the largest number."""
    return round(HEIGHT - BOTTOM - float(part) * (HEIGHT - TOP - BOTTOM), 1)


def won_over_time(tallies: Sequence[Tally]) -> LinePlot | None:
    """Games won, added up over the evenings, of those who have won most; None before the second evening."""
    days = sorted({evening.day for one in tallies for evening in one.evenings if evening.day})
    if len(days) < 2:
        return None
    sums = {one.name: _sums(one, days) for one in tallies[:LINES]}
    most = max(1, *(-(-line[-1].numerator // line[-1].denominator) for line in sums.values()))
    right = WIDTH - 96.0
    step = (right - LEFT) / (len(days) - 1)
    lines = []
    for name, line in sums.items():
        points = [(round(LEFT + step * number, 1), _height(value / most)) for number, value in enumerate(line)]
        lines.append(Line(name, " ".join(f"{x},{y}" for x, y in points), *points[-1], points[-1][1]))
    return LinePlot(_apart(lines), _ticks(most), tuple(days), right)


def _sums(one: Tally, days: Sequence[str]) -> list[Fraction]:
    won = {evening.day: evening.won for evening in one.evenings}
    return list(accumulate((won.get(day, Fraction(0)) for day in days), initial=won.get("", Fraction(0))))[1:]


def _apart(lines: list[Line]) -> tuple[Line, ...]:
    """The same with names that do not stand on each other, from the lowest line up."""
    floor, placed = float(HEIGHT - BOTTOM + APART), {}
    for line in sorted(lines, key=lambda line: -line.y):
        floor = min(line.y, floor - APART)
        placed[line.name] = floor
    # Where many end near the top, the highest names would leave the drawing: then all of them move down.
    least = float(APART)
    for name in sorted(placed, key=lambda name: placed[name]):
        placed[name] = max(placed[name], least)
        least = placed[name] + APART
    return tuple(Line(one.name, one.points, one.x, one.y, placed[one.name]) for one in lines)


def by_evening(evenings: Sequence[Evening]) -> ColumnPlot | None:
    """Games played and won on each evening that has a date; None without one."""
    dated = [evening for evening in evenings if evening.day]
    if not dated:
        return None
    most = max(evening.games for evening in dated)
    step = (WIDTH - LEFT) / len(dated)
    width = min(44.0, step * 0.7)
    floor, every = HEIGHT - BOTTOM, -(-len(dated) * 60 // (WIDTH - LEFT))
    columns = []
    for number, evening in enumerate(dated):
        middle = LEFT + step * (number + 0.5)
        top, won = _height(Fraction(evening.games, most)), _height(evening.won / most)
        columns.append(
            Column(
                round(middle - width / 2, 1), round(width, 1), top, round(floor - top, 1), won, round(floor - won, 1),
                round(middle, 1), evening.day, evening.games, evening.won, number % every == 0,
            )
        )  # fmt: skip
    return ColumnPlot(tuple(columns), _ticks(most))
