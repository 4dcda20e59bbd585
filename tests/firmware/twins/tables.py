"""The tables that twins are played at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.picture import RowSight
from companion.web.gate import Preset
from tests.firmware.twins.chips import casino_by_tap, draw_with_mats, stud_by_tap, stud_with_mats
from tests.firmware.twins.played import Setting
from tests.firmware.twins.playing import Game
from tests.firmware.twins.stories import a_few_moves, by_tap, evening, in_a_club, with_a_sixth_mat, without_a_tray

HARD = {"hard_mode": True, "penalty": "lose_turn"}
CLUB = Setting(("mat", "mat", "bot"), preset=Preset.CLUB, options=HARD)
MIXED = Setting(("mat", "tap", "mat"), RowSight.NONE, phone_peek=True)
SHORT = Game(Setting(), a_few_moves, ("nobody", "stale"), frozenset({1}))
TAPPED_STUD = Setting(("tap", "tap", "tap"), RowSight.NONE, game="stud")
OPEN = frozenset({1, 6, 11, 2, 7, 12, 3, 8, 13})
GAMES: Mapping[str, Game] = {
    "an evening": Game(Setting(), evening, ("nobody", "seat 1"), frozenset({0, 1, 6, 18, 19, 20, 21, 22})),
    "without a tray": Game(MIXED, without_a_tray, ("nobody", "stale"), frozenset({1, 13})),
    "in a club": Game(CLUB, in_a_club, ("nobody", "referee"), frozenset({2})),
    "with a sixth mat": Game(Setting(sight=RowSight.SCAN), with_a_sixth_mat, ("seat 0",), frozenset({15})),
    "draw": Game(Setting(sight=RowSight.NONE, game="draw"), draw_with_mats, ("nobody", "seat 1")),
    "stud": Game(TAPPED_STUD, stud_by_tap, ("nobody",), OPEN),
    "stud on mats": Game(Setting(sight=RowSight.NONE, game="stud"), stud_with_mats, ("nobody",), OPEN),
    "casino-stud": Game(replace(TAPPED_STUD, game="casino-stud"), casino_by_tap, ("nobody",), OPEN),
    "by tap": Game(Setting(("tap", "tap", "tap"), RowSight.NONE, phone_peek=True), by_tap, ("nobody",)),
}
