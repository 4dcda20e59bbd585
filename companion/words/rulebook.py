"""The rules at hand: a game's rulebook in words, with what to put back after each kind of violation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.games.rulebook import Paragraph, Rulebook, Telling
from companion.words import poker_book, steal_book
from companion.words.remedies import remedy_words
from companion.words.rules import error_words, seat_name
from companion.words.translator import ENGLISH, Translator, mark


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of one game's rulebook, none of them translated yet."""

    name: str
    lead: str
    """What the game is about, in a sentence or two."""
    sections: Mapping[str, str]
    titles: Mapping[str, str]
    """Per paragraph."""
    sentences: Mapping[str, str]
    """Per telling."""


WORDINGS: Mapping[str, Wording] = {
    "steal": Wording(steal_book.NAME, steal_book.SENTENCES["goal"], steal_book.SECTIONS, steal_book.TITLES, steal_book.SENTENCES),
    **{
        game: Wording(name, poker_book.SENTENCES[lead], poker_book.SECTIONS, poker_book.TITLES, poker_book.SENTENCES)
        for (game, name), lead in zip(poker_book.NAMES.items(), ("draw", "stud", "casino"), strict=True)
    },
}
"""By the name of the game."""


def game_label(game: str, say: Translator = ENGLISH) -> str:
    """What a game is called."""
    return say(WORDINGS[game].name)


def game_lead(game: str, say: Translator = ENGLISH) -> str:
    """What it is about."""
    return say(WORDINGS[game].lead)


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence or two."""

    text: str
    changed: bool
    """It is a house rule of this table."""


@dataclass(frozen=True, slots=True)
class Mishap:
    """One way to break a rule."""

    kind: str
    text: str
    remedy: str
    """What to put back."""


@dataclass(frozen=True, slots=True)
class ParagraphTold:
    """One paragraph in words."""

    id: str
    anchor: str
    title: str
    lines: tuple[Line, ...]
    mishaps: tuple[Mishap, ...]

    @property
    def changed(self) -> bool:
        """Whether it tells of a house rule of this table."""
        return any(line.changed for line in self.lines)


@dataclass(frozen=True, slots=True)
class SectionTold:
    """One section in words."""

    title: str
    paragraphs: tuple[ParagraphTold, ...]


@dataclass(frozen=True, slots=True)
class RulebookTold:
    """All rules of a table in words."""

    title: str
    sections: tuple[SectionTold, ...]

    @property
    def changed(self) -> tuple[ParagraphTold, ...]:
        """The paragraphs that tell of house rules of this table."""
        return tuple(each for section in self.sections for each in section.paragraphs if each.changed)


def rulebook_words(book: Rulebook, names: Sequence[str] = (), say: Translator = ENGLISH) -> RulebookTold:
    """The rules in words; `names` are the seats' names, seat 0 first."""
    wording = WORDINGS[book.game]
    sections = tuple(
        SectionTold(
            say(wording.sections[section.key]),
            tuple(_paragraph(each, wording, names, say) for each in section.paragraphs),
        )
        for section in book.sections
    )
    return RulebookTold(say("The rules of %(game)s", game=say(wording.name)), sections)


def rule_anchor(rule: str) -> str:
    """Where the paragraph of a rule begins on the page: ``steal-1-5`` for ``STEAL-1.5``; empty for no rule."""
    return re.sub(r"[^a-z0-9]+", "-", rule.lower())


def _paragraph(paragraph: Paragraph, wording: Wording, names: Sequence[str], say: Translator) -> ParagraphTold:
    return ParagraphTold(
        paragraph.id,
        rule_anchor(paragraph.id),
        say(wording.titles[paragraph.id]),
        tuple(_line(each, wording, names, say) for each in paragraph.tellings),
        tuple(Mishap(kind, error_words(kind, say), remedy_words(kind, say)) for kind in paragraph.kinds),
    )


def _line(telling: Telling, wording: Wording, names: Sequence[str], say: Translator) -> Line:
    values: dict[str, int | str] = dict(telling.values)
    if telling.seat is not None:
        values["who"] = seat_name(telling.seat, names, say)
    return Line(say(wording.sentences[telling.key], **values), telling.changed)


_LABELS: dict[str, str] = {
    "menu": mark("Rules"),
    "why": mark("Why?"),
    "contents": mark("Contents"),
    "own": mark("This table's rule"),
    "own_rules": mark("What is different at this table"),
    "usual": mark("This table plays by the usual rules."),
    "mishaps": mark("If it happens"),
    "to_table": mark("To the table"),
}


def rulebook_label(name: str, say: Translator = ENGLISH) -> str:
    """The text called `name` of the page of rules, or of a link to it; raises `KeyError` for one that there is not."""
    return say(_LABELS[name])
