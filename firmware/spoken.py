"""The option of commands that print sentences for players: in which language."""

from __future__ import annotations

import click

from companion.announcements import Translator
from companion.web.catalogues import LANGUAGES, translator


def _translator(ctx: click.Context, param: click.Parameter, value: str) -> Translator:
    return translator(value)


language_option = click.option(
    "--language", "say", type=click.Choice(tuple(LANGUAGES)), default="en", show_default=True, callback=_translator,
    help="Of the sentences that are printed.",
)  # fmt: skip
"""Gives the command a `Translator` as ``say``."""
