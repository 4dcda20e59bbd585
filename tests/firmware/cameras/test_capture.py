"""When lamps burn: only for what has changed, never more than three times a second, and not under an empty mat."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from firmware.capture import CHECK_S, MOST_PULSES, PULSES_S, RESTLESS_S, CaptureSchedule, Deed

STEP = 0.05
History = list[tuple[float, str, Deed]]


class Table:
    """Mats whose cards change as a script says; every camera answers at once."""

    def __init__(self, mats: dict[str, bool]) -> None:
        """`mats`: whether anything lies there."""
        self.schedule = CaptureSchedule(mats)
        self.lies = dict(mats)
        self.changed: set[str] = set()
        """Since the last pulse."""
        self.moving: set[str] = set()
        self.dead: set[str] = set()
        self.bright: set[str] = set()
        """Mats that the room's light shows to be empty."""
        self.history: History = []
        self.time = 0.0

    def run(self, until: float) -> History:
        start = len(self.history)
        while self.time < until - 1e-9:
            for mat in self.lies:
                self._ask(mat)
            self.time = round(self.time + STEP, 6)
        return self.history[start:]

    def _ask(self, mat: str) -> None:
        deed = self.schedule.due(mat, self.time)
        if deed is None:
            return
        self.history.append((self.time, mat, deed))
        (self.schedule.pulsing if deed is Deed.PULSE else self.schedule.watching)(mat, self.time)
        if mat in self.dead:
            self.schedule.failed(mat, self.time)
        elif deed is Deed.PULSE:
            self.changed.discard(mat)
            self.schedule.pulsed(mat, not self.lies[mat])
        else:
            stirred = mat in self.changed or mat in self.moving
            empty = True if mat in self.bright else None
            self.schedule.watched(mat, self.time, stirred, mat in self.moving, empty)


def pulses(history: History) -> list[tuple[float, str]]:
    return [(time, mat) for time, mat, deed in history if deed is Deed.PULSE]


def test_at_the_start_every_mat_is_lit_once_three_a_second() -> None:
    table = Table(dict.fromkeys(("mat0", "mat1", "mat2", "mat3", "mat4"), True))
    found = pulses(table.run(5.0))
    assert found == [(0.0, "mat0"), (0.0, "mat1"), (0.0, "mat2"), (1.05, "mat3"), (1.05, "mat4")]


def test_a_quiet_mat_is_watched_five_times_a_second_without_its_lamp() -> None:
    table = Table({"mat0": True})
    table.run(1.0)
    assert table.run(2.0) == [(1.0, "mat0", Deed.WATCH), (1.2, "mat0", Deed.WATCH), (1.4, "mat0", Deed.WATCH),
                              (1.6, "mat0", Deed.WATCH), (1.8, "mat0", Deed.WATCH)]  # fmt: skip


def test_a_change_is_lit_once_when_it_has_settled() -> None:
    table = Table({"mat0": True, "mat1": True})
    table.run(2.0)
    table.moving = {"mat0"}
    table.changed = {"mat0"}
    assert pulses(table.run(4.0)) == []
    table.moving = set()
    assert pulses(table.run(10.0)) == [(4.2, "mat0")]


def test_what_never_rests_is_lit_now_and_then() -> None:
    table = Table({"mat0": True})
    table.run(1.0)
    table.moving = {"mat0"}
    found = pulses(table.run(20.0))
    pauses = [round(later - former, 2) for (former, _), (later, _) in pairwise(found)]
    assert len(pauses) >= 4 and set(pauses) == {RESTLESS_S + 0.2}


def test_no_lamp_burns_under_an_empty_mat() -> None:
    table = Table({"mat0": False, "mat1": True})
    table.run(1.0)
    assert {mat for _, mat in pulses(table.run(100.0))} == {"mat1"}
    table.lies["mat0"], table.changed = True, {"mat0"}
    assert [mat for _, mat in pulses(table.run(102.0))] == ["mat0"]
    # The cards are taken away again, and the room's light comes in.
    table.lies["mat0"], table.changed, table.bright = False, {"mat0"}, {"mat0"}
    assert {mat for _, mat in pulses(table.run(200.0))} <= {"mat1"}


def test_a_mat_with_cards_is_checked_now_and_then() -> None:
    table = Table({"mat0": True})
    assert [time for time, _ in pulses(table.run(65.0))] == [0.0, CHECK_S, 2 * CHECK_S]


def test_a_board_that_was_not_found_is_looked_for_more_often() -> None:
    schedule = CaptureSchedule(["mat0"])
    schedule.pulsing("mat0", 0.0)
    schedule.pulsed("mat0", None)
    schedule.watched("mat0", RESTLESS_S - 0.1, stirred=False)
    assert schedule.due("mat0", RESTLESS_S - 0.01) is not Deed.PULSE
    assert schedule.due("mat0", RESTLESS_S) is Deed.PULSE


def test_a_dead_camera_gets_no_light_and_keeps_none_from_others() -> None:
    table = Table({"mat0": True, "mat1": True})
    table.dead = {"mat0"}
    table.run(1.0)
    table.changed = {"mat0", "mat1"}
    assert pulses(table.run(5.0)) == [(1.4, "mat1")]
    table.dead = set()
    assert [mat for _, mat in pulses(table.run(6.0))] == ["mat0"], "what lies there by now the lamp has to show"


@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_no_second_sees_more_than_three_pulses(seed: int) -> None:
    rng = random.Random(seed)
    table = Table({f"mat{number}": rng.random() < 0.7 for number in range(5)})
    dark: list[tuple[float, str]] = []
    for second in range(1, 60):
        for mat in table.lies:
            if rng.random() < 0.5:
                table.changed.add(mat)
                table.lies[mat] = rng.random() < 0.7
        table.moving = {mat for mat in table.changed if rng.random() < 0.3}
        table.dead = {mat for mat in table.lies if rng.random() < 0.1}
        known_empty = {mat for mat in table.lies if not table.lies[mat] and mat not in table.changed and mat not in table.dead}
        before = {mat: table.schedule._mats[mat].empty for mat in known_empty}
        found = pulses(table.run(float(second)))
        dark += [(time, mat) for time, mat in found if before.get(mat) is True]
    times = [time for time, _ in pulses(table.history)]
    assert len(times) > 60, "the lamps were used"
    assert all(times[at + MOST_PULSES] - times[at] > PULSES_S - 1e-9 for at in range(len(times) - MOST_PULSES))
    assert dark == []
