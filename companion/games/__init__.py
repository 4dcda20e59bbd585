"""The games that the companion knows, in one table."""

from __future__ import annotations

from typing import Any

from companion.errors import OptionError
from companion.games.base import Game
from companion.games.draw import Draw
from companion.games.steal import Steal
from companion.games.stud import CasinoStud, Stud

GAMES: tuple[Game[Any], ...] = (Steal(), Draw(), Stud(), CasinoStud())
"""Every game."""


def find_game(name: str) -> Game[Any]:
    """The game of this name or alias; raise `OptionError` naming the games there are."""
    wanted = name.strip().lower()
    for game in GAMES:
        if wanted in (game.name, *game.aliases):
            return game
    raise OptionError(f"no game is called {name!r}: expected one of {', '.join(game.name for game in GAMES)}")
