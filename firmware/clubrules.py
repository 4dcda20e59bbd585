"""House rules that a club sends to all its tables."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from companion.errors import OptionError
from companion.games.base import Game

LOG = logging.getLogger(__name__)


def with_house_rules(game: Game[Any], options: Mapping[str, Any], rules: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a game with a club's rules among them; as they are where the game does not know those."""
    wanted = {**options, **{name: value for name, value in rules.items() if name in game.asked}}
    try:
        game.options(wanted)
    except OptionError as error:
        LOG.warning("the club's rules are not taken: %s", error)
        return dict(options)
    return wanted
