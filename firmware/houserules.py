"""House rules on the command line."""

from __future__ import annotations

from typing import Any

import click

from companion.games import find_game


def set_options(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, Any]:
    """``name=value`` as a settings file would have it: true, false, a whole number, or a word; ``name=`` for no value."""
    found: dict[str, Any] = {}
    words: dict[str, Any] = {"true": True, "false": False, "": None}
    for text in values:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise click.BadParameter(f"{text!r}: expected an option of the game and its value, such as end_latch=false")
        whole = value.removeprefix("-").isdecimal() and value.isascii()
        found[name] = words[value] if value in words else int(value) if whole else value
    return found


def check_seats(game: str, seats: int, hint: str = "--seats") -> None:
    """Refuse a number of players that the game is not for; raise `OptionError` for a game that there is not."""
    allowed = find_game(game).seats
    if seats not in allowed:
        said = f"{seats} is not in the range {allowed[0]}<=x<={allowed[-1]}: so many players sit at a table"
        raise click.BadParameter(said, param_hint=hint)


house_rules_option = click.option(
    "--option", "options", metavar="NAME=VALUE", multiple=True, callback=set_options, help="A house rule; repeatable."
)
