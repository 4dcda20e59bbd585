"""A club's evening for its page: three tables, one of which needs a referee."""

from __future__ import annotations

from collections.abc import Mapping

from companion.choices import Value
from companion.floor import Floor
from tests.companion.test_floor import PLAYING, SEATS, WON

KEY = "k3y"


class FakeClub:
    def __init__(self) -> None:
        mats = [{**seat, "source": "mat"} for seat in SEATS]
        self._floor = (
            Floor().hub("red", True).heard("red", PLAYING).hub("blue", True).heard("blue", {**PLAYING, "seats": mats})
            .alert("blue", "violation").heard("green", WON)
        )  # fmt: skip
        self.rounds: list[int] = []
        self.pushed: list[tuple[str, Mapping[str, Value]]] = []

    def floor(self) -> Floor:
        return self._floor

    def begin_round(self, minutes: int) -> None:
        self.rounds.append(minutes)
        self._floor = self._floor.timed(1, 1000.0 + 60 * minutes)

    def push_rules(self, game: str, rules: Mapping[str, Value]) -> None:
        self.pushed.append((game, rules))

    def rules(self) -> Mapping[str, Mapping[str, Value]]:
        return dict(self.pushed)
