"""`viewmat rules`: the rules of a game, with the house rules of a table."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from companion.announcements import rulebook_label, rulebook_words
from companion.games import find_game
from companion.words.rulebook import ParagraphTold, RulebookTold
from firmware.houserules import house_rules_option
from firmware.printing import echo
from firmware.settings import load_settings

WIDTH = 80
"""Letters in a line."""


@click.command()
@click.option("--config", type=click.Path(path_type=Path), help="The settings file of a table: its game, seats and house rules.")
@click.option("--game", help="The game; Five Card Steal if nothing else is said.")
@click.option("--seats", type=click.IntRange(min=1), help="How many players; as few as can play if nothing else is said.")
@house_rules_option
def command(config: Path | None, game: str | None, seats: int | None, options: Mapping[str, Any]) -> None:
    """Print the rules of a game as a table plays it, with the paragraphs that rulings cite."""
    settings = None if config is None else load_settings(config)
    played = find_game(game or ("steal" if settings is None else settings.game))
    given = {**({} if settings is None else settings.options), **options}
    names = () if settings is None or seats is not None else tuple(seat.name for seat in settings.seats())
    count = seats or len(names) or min(played.seats)
    checked = played.options(given)
    # That refuses what does not fit so many players.
    played.start(count, checked)
    for line in _printed(rulebook_words(played.rulebook(count, checked), names)):
        echo(line)


def _printed(book: RulebookTold) -> Iterator[str]:
    yield from (book.title, "=" * len(book.title))
    for section in book.sections:
        yield from ("", section.title.upper())
        for paragraph in section.paragraphs:
            yield from _paragraph(paragraph)


def _paragraph(paragraph: ParagraphTold) -> Iterator[str]:
    yield from ("", f"{paragraph.title} ({paragraph.id})")
    for line in paragraph.lines:
        yield from _wrapped(f"{rulebook_label('own')}: {line.text}" if line.changed else line.text, "* " if line.changed else "")
    if paragraph.mishaps:
        yield f"  {rulebook_label('mishaps')}:"
    for mishap in paragraph.mishaps:
        yield from _wrapped(f"{mishap.text} {mishap.remedy}", "- ")


def _wrapped(text: str, sign: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  " + sign, subsequent_indent="  " + " " * len(sign))
