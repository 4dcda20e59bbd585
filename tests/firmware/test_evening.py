"""One game after another on one page."""

from __future__ import annotations

import threading

from companion.games import find_game
from companion.observation import Declaration, Press, Tick
from companion.sitting import RowSight, Seat, Sitting
from companion.views import Role
from firmware.evening import Evening


def sitting(time: float = 0.0, peek: bool = False) -> Sitting:
    seats = [Seat(name, "tap") for name in ("Ann", "Ben", "Cat")]
    return Sitting(find_game("steal"), seats, row_sight=RowSight.NONE, clock=lambda: time, phone_peek=peek)


def test_versions_go_on_growing_for_everybody_and_taps_reach_the_game_of_the_moment() -> None:
    first, second = sitting(), sitting(7.0)
    evening = Evening(first)
    for seat in (0, 1):
        first.claim(seat, 0)
        first.post(Tick(1.0 + seat))
        first.work()
    before = evening.view().version, evening.view(Role.SEAT, 1).version
    evening.begin(second)
    assert evening.view().version > max(before)
    assert evening.wait(max(before), 5.0).turn == 0
    assert (evening.now(), evening.sitting) == (7.0, second)
    receipt = evening.post(Declaration(7.0, 2, Press()))
    second.work()
    assert receipt.refusal == "no_change"


def test_everybody_who_asked_for_the_next_game_is_answered() -> None:
    evening = Evening(sitting())
    assert not evening.next_asked
    receipts = [evening.ask_next(), evening.ask_next()]
    assert evening.next_asked
    evening.answer_next("unrecorded")
    assert [(receipt.settled, receipt.refusal) for receipt in receipts] == [(True, "unrecorded")] * 2
    assert not evening.next_asked


def test_whoever_waits_for_a_change_is_shown_the_next_game_at_once() -> None:
    first = sitting()
    evening = Evening(first)
    first.claim(0, 0)
    first.work()
    version, seen = evening.view().version, []

    def follow() -> None:
        seen.append(evening.wait(version, 60.0))

    follower = threading.Thread(target=follow)
    follower.start()
    second = sitting(7.0)
    evening.begin(second)
    follower.join(30)
    assert not follower.is_alive()
    assert (seen[0].turn, seen[0].version) == (0, evening.view().version)
    assert seen[0].version > version


def test_who_is_a_moment_behind_is_told_the_end_of_a_game_before_the_next_begins() -> None:
    first, second = sitting(), sitting(7.0)
    evening = Evening(first)
    version, heard = evening.view().version, []
    for seat in (0, 1):
        first.claim(seat, 0)
        first.post(Tick(1.0 + seat))
        first.work()
    evening.begin(second)
    while version < evening.view().version:
        view = evening.wait(version, 0.0)
        assert view.version > version
        version = view.version
        heard.append(view.turn)
    assert heard[-1] == 0
    assert {1, 2} <= set(heard[:-1]), heard


def test_who_waits_for_the_end_of_a_game_hears_the_next_one_from_its_beginning() -> None:
    first, second = sitting(), sitting(7.0)
    evening = Evening(first)
    version = evening.view().version

    def begin_and_move() -> bool:
        """What happens while the follower waits, before he comes to look."""
        evening.begin(second)
        second.claim(0, 0)
        second.post(Tick(8.0))
        second.work()
        return False

    first.wait = lambda *asked: begin_and_move() or first.view()  # type: ignore[method-assign]
    told = [evening.wait(version, 60.0)]
    while told[-1].version < evening.view().version:
        told.append(evening.wait(told[-1].version, 0.0))
    assert told[0].turn == 0
    assert told[-1].turn == 1
    assert [view.version for view in told] == list(range(version + 1, evening.view().version + 1))
