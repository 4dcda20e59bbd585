"""What a played game was to each seat in chips."""

from __future__ import annotations

from companion.errors import CompanionError
from companion.games import find_game
from companion.games.base import Purses
from companion.played import PlayedGame


def purses_of(game: PlayedGame) -> Purses | None:
    """Where the session stood before it; None for a game without chips, or one that this version does not know any more."""
    if not game.stacks:
        return None
    try:
        rules = find_game(game.rules)
        found = rules.purses(len(game.seats), rules.options(dict(game.options)))
    except CompanionError:
        return None
    return found if found is not None and len(found.before) == len(found.bought) == len(game.stacks) else None


def gained(game: PlayedGame) -> tuple[int, ...]:
    """Chips per seat that it has brought, less than nothing where they were lost; nothing for a game without chips."""
    purses = purses_of(game)
    return () if purses is None else tuple(now - then for now, then in zip(game.stacks, purses.before, strict=True))
