"""The rules of a game as paragraphs with ids.  A game decides what is told under its options; `companion.words` has the words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Telling:
    """A sentence or two of a paragraph."""

    key: str
    """Names the sentence among the game's own in `companion.words`."""
    values: tuple[tuple[str, int], ...] = ()
    """The numbers that it needs, by the names of its placeholders."""
    seat: int | None = None
    """The seat that it names."""
    changed: bool = False
    """It says what it says because this table has another house rule than the usual one."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """What one rule says at this table."""

    id: str
    """As rulings cite it, for example ``STEAL-1.5``."""
    tellings: tuple[Telling, ...]
    kinds: tuple[str, ...] = ()
    """The kinds of violation that break it and that are possible under these options."""


@dataclass(frozen=True, slots=True)
class Section:
    """Paragraphs that belong together."""

    key: str
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """All rules of one game, under the options of one table.  It depends on nothing else, so it tells nothing of any card."""

    game: str
    """The game's name."""
    sections: tuple[Section, ...]

    def paragraphs(self) -> Iterator[Paragraph]:
        """Every paragraph, in the order of reading."""
        for section in self.sections:
            yield from section.paragraphs
