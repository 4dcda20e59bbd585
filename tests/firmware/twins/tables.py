"""The tables that twins are played at."""

from __future__ import annotations

from collections.abc import Mapping

from companion.picture import RowSight
from companion.web.gate import Preset
from tests.firmware.twins.playing import Game
from tests.firmware.twins.stories import a_few_moves, by_tap, evening, in_a_club, with_a_sixth_mat, without_a_tray
from tests.firmware.twins.table import Setting

HARD = {"hard_mode": True, "penalty": "lose_turn"}
MIXED = Setting(("mat", "tap", "mat"), RowSight.NONE, phone_peek=True)
SHORT = Game(Setting(), a_few_moves, ("nobody", "stale"))
SHORTLY_OPEN = frozenset({1})
"""The only card that lies open in the short game."""
GAMES: Mapping[str, Game] = {
    "an evening": Game(Setting(), evening, ("nobody", "seat 1")),
    "without a tray": Game(MIXED, without_a_tray, ("nobody", "stale")),
    "in a club": Game(Setting(("mat", "mat", "bot"), preset=Preset.CLUB, options=HARD), in_a_club, ("nobody", "referee")),
    "with a sixth mat": Game(Setting(sight=RowSight.SCAN), with_a_sixth_mat, ("seat 0",)),
    "by tap": Game(Setting(("tap", "tap", "tap"), RowSight.NONE, phone_peek=True), by_tap, ("nobody",)),
}
