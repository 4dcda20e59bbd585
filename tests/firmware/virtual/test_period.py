"""Tables whose cameras look seldom lose exactly what their rig says: nobody is accused, and questions replace guesses."""

from __future__ import annotations

import pytest

from companion.cards import Mark
from companion.limits import Limit, Rig, limits, missable
from companion.observation import Press
from companion.sitting import Timing
from companion.table import slot
from firmware.patience import Round, patient
from firmware.virtual.ideal import run_ideal
from firmware.virtual.measure import Figures
from firmware.virtual.play import Settings
from firmware.virtual.run import run_games
from tests.companion.told import Told

SHORTEST_PEEK_S = 1.0
"""No cheat of the virtual table holds a card up for a shorter time."""
SHORTEST_LIFT_S = 0.8
"""Nor lifts an open card for a shorter one."""


def missed(figures: Figures) -> set[str]:
    """The kinds of which at least one was not named for what it was."""
    return {kind for kind, tally in figures.violations.items() if tally.caught < tally.made}


def as_it_says(figures: Figures, rig: Rig, shortest_s: float = SHORTEST_PEEK_S) -> None:
    assert figures.false_accusations == 0, figures.notes
    assert figures.reveals_right == figures.reveals, figures.notes
    assert figures.turns_right >= figures.turns - figures.questions, figures.notes
    assert missed(figures) <= missable(rig, shortest_s), figures.notes


def test_a_game_with_ideal_readings_through_cameras_in_turns() -> None:
    figures = run_ideal(Settings(seats=3, seed=10, cheat=0.3, period=5.0), 1)
    as_it_says(figures, Rig(5.0))
    assert figures.turns_right == figures.turns > 5


@pytest.mark.parametrize("looked", [0.2, 4.0])
def test_a_card_that_is_kept_at_the_press_is_missed_at_once_or_after_a_while(looked: float) -> None:
    """The camera sees the empty slot before the press or after it; then it may be a card that somebody looks at."""
    table = Told()
    table.draw(0, 2, 3.0)
    kept = slot(1, 3)
    table.discard(2, 1.0)
    if looked < 1.0:
        table.lie({kept: Mark.EMPTY}, looked)
        table.say(1, Press(), 0.0)
    else:
        table.say(1, Press(), looked)
        table.lie({kept: Mark.EMPTY}, 0.0)
    since, soon = table.time, Timing().hold_pressed + Timing().accuse + 2.0
    while table.view.violation is None and table.time < since + 60.0:
        table.wait(0.5)
    assert table.view.violation is not None and table.view.violation.error == "slot_empty"
    late = table.time - since
    assert (late <= soon) == (looked < 1.0) and late <= Rig(0.5).kept_s + 2.0


@pytest.mark.long
@pytest.mark.parametrize("period", [0.1, 0.5, 5.0])
def test_with_ideal_readings_a_rig_loses_what_it_says(period: float) -> None:
    settings = Settings(seats=4, seed=3, hard_mode=True, cheat=0.3, habits=0.5, period=period)
    figures = run_ideal(settings, 8)
    as_it_says(figures, Rig(period))
    assert sum(tally.made for tally in figures.violations.values()) > 30
    peeks = figures.violations["peek"]
    # What is said to be lost is lost indeed, and not only said for caution's sake.
    assert peeks.made == 0 or missed(figures) == missable(Rig(period), SHORTEST_PEEK_S) - {"upcard_moved"}


@pytest.mark.long
@pytest.mark.parametrize("period", [0.1, 0.5, 5.0])
def test_where_cards_may_be_held_nothing_is_lost_but_time(period: float) -> None:
    """In the standard game: a card that was kept at the press is named as late as the rig says, and that is all."""
    figures = run_ideal(Settings(seats=4, seed=20, cheat=0.3, habits=0.5, period=period), 10)
    as_it_says(figures, Rig(period))
    assert missed(figures) == set() and figures.violations["slot_empty"].made > 1
    assert max(figures.delays) <= Rig(period).kept_s


@pytest.mark.long
@pytest.mark.parametrize("period", [0.1, 0.5, 5.0])
@pytest.mark.parametrize("game", ["draw", "stud", "casino-stud"])
def test_games_with_chips_lose_what_their_rig_says(game: str, period: float) -> None:
    figures = run_ideal(Settings(seats=4, seed=1, cheat=0.3, habits=0.3, period=period, game=game), 6)
    as_it_says(figures, Rig(period), SHORTEST_LIFT_S)
    assert figures.payouts_right == figures.payouts == 6 * 3 and figures.questions == 0
    assert sum(tally.made for tally in figures.violations.values()) > 50


@pytest.mark.parametrize("game", ["draw", "stud"])
def test_a_hand_with_chips_through_cameras_in_turns(game: str) -> None:
    figures = run_ideal(Settings(seats=3, seed=2, cheat=0.2, habits=0.3, period=5.0, game=game, hands=1), 1)
    as_it_says(figures, Rig(5.0), SHORTEST_LIFT_S)
    assert figures.turns_right == figures.turns > 4


@pytest.mark.long
@pytest.mark.parametrize("period", [0.1, 0.5, 5.0])
def test_through_the_cameras_a_rig_loses_what_it_says(period: float) -> None:
    settings = Settings(seats=4, seed=1, hard_mode=True, cheat=0.2, habits=0.5, period=period)
    as_it_says(run_games(settings, 4), Rig(period))


# ---- what is said ------------------------------------------------------------------------------------------------------


def test_what_each_rig_says() -> None:
    slow = (Limit.SHORT_LIFT, Limit.BETWEEN, Limit.KEPT, Limit.LATE)
    found = {(period, row): limits(Rig(period, row)) for period in (0.1, 0.5, 5.0) for row in ("overhead", "none")}
    assert found == {
        (0.1, "overhead"): (), (0.1, "none"): (Limit.ROW,), (0.5, "overhead"): slow, (0.5, "none"): (*slow, Limit.ROW),
        (5.0, "overhead"): slow, (5.0, "none"): (*slow, Limit.ROW),
    }  # fmt: skip
    assert (Rig(5.0).seen_lift_s, Rig(5.0).late_s, Rig(0.1).late_s) == (10.0, 15.0, 0.0)
    assert (Rig(5.0).kept_s, Rig(0.5).kept_s) == (60.0, 46.5)


def test_patience_grows_with_the_period_where_stillness_is_counted() -> None:
    assert patient(Timing(), 0.1) == Timing()
    slow = patient(Timing(), 5.0)
    assert (slow.accuse, slow.tidy, slow.hold, slow.ask_tap) == (6.5, 9.0, Timing().hold, Timing().ask_tap)


def test_cameras_in_turns_do_not_know_a_card_that_was_kept_from_one_that_is_looked_at() -> None:
    assert patient(Timing(), 0.5).hold_pressed == Timing().hold_pressed
    assert patient(Timing(), 5.0).hold_pressed == Timing().hold


@pytest.mark.long
def test_who_lays_his_card_presses_and_takes_it_up_again_between_two_looks_is_not_accused() -> None:
    figures = run_ideal(Settings(seats=4, seed=31, cheat=0.3, habits=0.5, period=5.0), 4)
    assert figures.false_accusations == 0, figures.notes


def test_cameras_that_are_opened_in_turns_take_four_pictures_at_once() -> None:
    turn = Round(5.0, 0.2)
    moments = [round(0.1 * tick, 1) for tick in range(110)]
    assert [time for time in moments if turn.looks(time)] == [0.2, 0.3, 0.4, 0.5, 5.2, 5.3, 5.4, 5.5, 10.2, 10.3, 10.4, 10.5]
    single = Round(0.5, 0.0)
    assert [time for time in moments[:12] if single.looks(time)] == [0.0, 0.5, 1.0]
