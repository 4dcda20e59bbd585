"""Where lines and columns of the plots stand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.tallies import Evening, tally
from companion.web.plots import APART, BOTTOM, HEIGHT, LEFT, LINES, TOP, WIDTH, by_evening, won_over_time
from tests.companion.played_games import games
from tests.companion.web.shelved import played, shelf

FLOOR = HEIGHT - BOTTOM


def points(text: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in text.split())]


@settings(max_examples=40, deadline=None)
@given(st.lists(games(), max_size=8))
def test_everything_stays_inside_the_drawing_and_lines_never_fall(told: list) -> None:  # type: ignore[type-arg]
    tallies = tally(told)
    plot = won_over_time(tallies)
    days = {game.evening() for game in told} - {""}
    assert (plot is None) == (len(days) < 2 or not tallies)
    for line in () if plot is None else plot.lines:
        line_points = points(line.points)
        assert len(line_points) == len(days)
        assert all(LEFT <= x <= WIDTH and TOP <= y <= FLOOR for x, y in line_points)
        assert all(one[1] >= other[1] and one[0] < other[0] for one, other in pairwise(line_points))
        assert 0 < line.label_y < HEIGHT and len(line.label) <= 11
    if plot is not None:
        heights = sorted(line.label_y for line in plot.lines)
        assert all(other - one >= APART - 1e-6 for one, other in pairwise(heights))
        assert len(plot.lines) == min(LINES, len(tallies))
    for one in tallies:
        columns = by_evening(one.evenings)
        for column in () if columns is None else columns.columns:
            assert column.height > 0 and 0 <= column.won_height <= column.height
            assert column.x >= LEFT and column.x + column.width <= WIDTH + 0.1 and column.y >= TOP - 0.1


def test_the_height_of_a_line_is_what_was_won() -> None:
    plot = won_over_time(tally(shelf().games))
    assert plot is not None
    top = plot.ticks[-1].number
    for line, one in zip(plot.lines, tally(shelf().games), strict=True):
        assert line.y == round(FLOOR - float(one.won / top) * (FLOOR - TOP), 1)


def test_a_column_has_its_games_and_those_that_were_won() -> None:
    plot = by_evening((Evening("", 9, Fraction(9)), Evening("2027-03-01", 4, Fraction(1)), Evening("2027-03-02", 2, Fraction(0))))
    assert plot is not None
    first, second = plot.columns
    assert (first.games, second.games) == (4, 2) and first.height == 2 * second.height == FLOOR - TOP
    assert (first.won_height * 4, second.won_height) == (first.height, 0)
    assert [tick.number for tick in plot.ticks] == [0, 1, 2, 3, 4]


def test_of_many_evenings_only_some_are_labelled() -> None:
    evenings = tuple(Evening(f"2027-{month:02}-{day:02}", 1, Fraction(1)) for month in (1, 2) for day in range(1, 21))
    plot = by_evening(evenings)
    assert plot is not None
    labelled = [column.middle for column in plot.columns if column.labelled]
    assert 3 < len(labelled) < 10 and all(other - one >= 55 for one, other in pairwise(labelled))


def test_without_a_second_evening_there_is_no_line_and_without_a_date_no_column() -> None:
    told = tally([played(1, began="2027-03-01T19:00:00+00:00")])
    assert won_over_time(told) is None and by_evening(told[0].evenings) is not None
    assert by_evening(tally([replace(played(1), began="")])[0].evenings) is None
