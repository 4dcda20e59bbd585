"""Tables whose cameras look seldom lose exactly what their rig says: nobody is accused, and questions replace guesses."""

from __future__ import annotations

import pytest

from companion.limits import Limit, Rig, limits, missable
from companion.sitting import Timing
from firmware.patience import Round, patient
from firmware.virtual.ideal import run_ideal
from firmware.virtual.measure import Figures
from firmware.virtual.play import Settings
from firmware.virtual.run import run_games

SHORTEST_PEEK_S = 1.0
"""No cheat of the virtual table holds a card up for a shorter time."""


def missed(figures: Figures) -> set[str]:
    """The kinds of which at least one was not named for what it was."""
    return {kind for kind, tally in figures.violations.items() if tally.caught < tally.made}


def as_it_says(figures: Figures, rig: Rig) -> None:
    assert figures.false_accusations == 0, figures.notes
    assert figures.reveals_right == figures.reveals, figures.notes
    assert figures.turns_right >= figures.turns - figures.questions, figures.notes
    assert missed(figures) <= missable(rig, SHORTEST_PEEK_S), figures.notes


def test_a_game_with_ideal_readings_through_cameras_in_turns() -> None:
    figures = run_ideal(Settings(seats=3, seed=10, cheat=0.3, period=5.0), 1)
    as_it_says(figures, Rig(5.0))
    assert figures.turns_right == figures.turns > 5


@pytest.mark.long
@pytest.mark.parametrize("period", [0.1, 0.5, 5.0])
def test_with_ideal_readings_a_rig_loses_what_it_says(period: float) -> None:
    settings = Settings(seats=4, seed=3, hard_mode=True, cheat=0.3, habits=0.5, period=period)
    figures = run_ideal(settings, 8)
    as_it_says(figures, Rig(period))
    assert sum(tally.made for tally in figures.violations.values()) > 30
    peeks = figures.violations["peek"]
    # What is said to be lost is lost indeed, and not only said for caution's sake.
    assert peeks.made == 0 or missed(figures) == missable(Rig(period), SHORTEST_PEEK_S)


@pytest.mark.long
@pytest.mark.parametrize("period", [0.1, 0.5, 5.0])
def test_through_the_cameras_a_rig_loses_what_it_says(period: float) -> None:
    settings = Settings(seats=4, seed=1, hard_mode=True, cheat=0.2, habits=0.5, period=period)
    as_it_says(run_games(settings, 4), Rig(period))


# ---- what is said ------------------------------------------------------------------------------------------------------


def test_what_each_rig_says() -> None:
    slow = (Limit.SHORT_LIFT, Limit.BETWEEN, Limit.LATE)
    found = {(period, row): limits(Rig(period, row)) for period in (0.1, 0.5, 5.0) for row in ("overhead", "none")}
    assert found == {
        (0.1, "overhead"): (), (0.1, "none"): (Limit.ROW,), (0.5, "overhead"): slow, (0.5, "none"): (*slow, Limit.ROW),
        (5.0, "overhead"): slow, (5.0, "none"): (*slow, Limit.ROW),
    }  # fmt: skip
    assert (Rig(5.0).seen_lift_s, Rig(5.0).late_s, Rig(0.1).late_s) == (10.0, 15.0, 0.0)


def test_patience_grows_with_the_period_where_stillness_is_counted() -> None:
    assert patient(Timing(), 0.1) == Timing()
    slow = patient(Timing(), 5.0)
    assert (slow.accuse, slow.tidy, slow.hold, slow.ask_tap) == (6.5, 9.0, Timing().hold, Timing().ask_tap)


def test_cameras_that_are_opened_in_turns_take_four_pictures_at_once() -> None:
    turn = Round(5.0, 0.2)
    moments = [round(0.1 * tick, 1) for tick in range(110)]
    assert [time for time in moments if turn.looks(time)] == [0.2, 0.3, 0.4, 0.5, 5.2, 5.3, 5.4, 5.5, 10.2, 10.3, 10.4, 10.5]
    single = Round(0.5, 0.0)
    assert [time for time in moments[:12] if single.looks(time)] == [0.0, 0.5, 1.0]
