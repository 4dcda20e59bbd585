"""House rules on the command line."""

from __future__ import annotations

from typing import Any

import click


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


house_rules_option = click.option(
    "--option", "options", metavar="NAME=VALUE", multiple=True, callback=set_options, help="A house rule; repeatable."
)
