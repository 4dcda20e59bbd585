"""How many discards are missing to the end is what this table's house rules say."""

from __future__ import annotations

from companion.announcements import announce
from companion.games.steal_state import Draw, Take
from companion.sitting import RowSight
from tests.companion.amended import TAPS, tap
from tests.companion.told import Told


def counted(**options: object) -> list[int | None]:
    """What is missing before and after three discards, a take, and as many discards as the end needs."""
    table = Told(sources=TAPS, sight=RowSight.NONE, **options)
    seen = [table.view.to_end]
    for seat, use in ((0, "draw"), (1, "draw"), (2, "draw"), (0, "take"), (1, "draw"), (2, "draw"), (0, "draw")):
        if table.view.phase != "play" and seen[-1] is None:
            break
        tap(table, seat, Take(seat, 1) if use == "take" else Draw(seat, None))
        seen.append(table.view.to_end)
    return seen


def test_a_take_moves_the_end_away() -> None:
    assert counted() == [5, 4, 3, 2, 3, 2, 1, None]


def test_by_house_rule_every_discard_counts() -> None:
    assert counted(end_count="cumulative") == [5, 4, 3, 2, 2, 1, None]


def test_it_is_said_in_the_final_stretch_by_either_rule() -> None:
    table = Told(sources=TAPS, sight=RowSight.NONE, end_count="cumulative")
    for seat in (0, 1, 2, 0):
        tap(table, seat, Draw(seat, None))
    tap(table, 1, Take(1, 1))
    words = announce(table.view)
    assert len(table.view.row) == 3
    assert (words.ending, words.missing) == ("The next card on the row brings on the end.", "")
