"""How each kind of game is played on the virtual table: what its players do, how they cheat, and what counts as right."""

from __future__ import annotations

import random
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from companion.games.base import Game
from companion.games.poker_game import PokerGame
from companion.games.steal import Steal
from companion.table import Place
from companion.views import View
from firmware.virtual.acting import Manners
from firmware.virtual.cheats import CHANCE, MAKERS, Cheat, Maker
from firmware.virtual.hand_cheats import HAND_MAKERS, SELDOM
from firmware.virtual.hand_players import HandScript
from firmware.virtual.hand_truth import TURNS, HandTruth, right_payout, right_showdown
from firmware.virtual.measure import TURN_TYPES, Witness
from firmware.virtual.moves import Hands
from firmware.virtual.players import Record, Script
from firmware.virtual.stage import Act, Stage
from firmware.virtual.talking import Talk
from firmware.virtual.truth import Truth, right_result
from firmware.virtual.world import World

SHARES = 3
"""A kind of violation is due in every third game of a series of sessions."""


class AnyScript(Protocol):
    """The people of one sitting."""

    truth: Any
    world: World
    stage: Stage
    record: Record
    manners: Manners
    hands: Hands
    talk: Talk
    rng: random.Random
    busy: set[int]
    """Seats whose cards somebody holds or is about to touch."""
    page: Any
    """What they know of the table as it was."""

    def play(self) -> Act: ...

    def go_on(self) -> Act: ...

    def see(self, view: View) -> None: ...

    def scan_anew(self, place: Place) -> Act:
        """Show an open card to its window once more."""
        ...

    @property
    def goes_on(self) -> bool:
        """Whether the page has gone back behind an end, so that people play on."""
        ...


class MakeScript(Protocol):
    """Puts people round a table."""

    def __call__(
        self, truth: Any, world: World, stage: Stage, manners: Manners, witness: Witness, cheat: Cheat, rng: random.Random,
        quiet_moment: Callable[[], None],
    ) -> Any: ...  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kind:
    """What the virtual table needs of games of one kind."""

    truth: Callable[[Game[Any], int, Mapping[str, Any], random.Random], Truth]
    script: MakeScript
    turns: Container[str]
    """Which actions are turns, by their names in the records."""
    cheats: Mapping[str, Maker]
    """Every kind of violation that hands can commit, and how."""
    seldom: Mapping[str, float]
    right_result: Callable[[Truth, View | None], bool]
    right_payout: Callable[[Truth, View | None], bool] | None = None
    """None: there are no chips to pay out."""
    session: bool = False
    """A game is several hands, each of which is a sitting of its own."""

    def leaning(self, number: int) -> dict[str, int]:
        """How often each kind of violation counts as committed before game `number` of a series, which only depends on that.

        Hands have few turns, so one game has room for few kinds: those come first that are due in it.
        """
        return {kind: int(index % SHARES != number % SHARES) for index, kind in enumerate(self.cheats)} if self.session else {}


STEALING = Kind(Truth, Script, TURN_TYPES, MAKERS, CHANCE, right_result)
BETTING = Kind(HandTruth, HandScript, TURNS, HAND_MAKERS, SELDOM, right_showdown, right_payout, session=True)
KINDS_OF_GAMES: Mapping[type[Any], Kind] = {Steal: STEALING, PokerGame: BETTING}


def kind_of(game: Game[Any]) -> Kind:
    """How this game is played; raise LookupError for one of a kind that nobody has taught the virtual table."""
    for each in type(game).__mro__:
        if each in KINDS_OF_GAMES:
            return KINDS_OF_GAMES[each]
    raise LookupError(f"nobody at the virtual table can play {game.name}")
