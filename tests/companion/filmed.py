"""A told table whose game is recorded with pictures."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from companion.cards import DECK, Card, Mark
from companion.chronicle import Chronicle
from companion.evidence import SEALED, Evidence
from companion.journal import Journal, Stamp, game_file
from companion.picturefile import PictureFile, picture_file
from companion.seal import KEY, Seal
from companion.table import row, slot
from tests.companion.told import Told

GAME = "0123456789abcdef"
HEADER = {
    "game": "steal", "seats": [{"name": name, "source": "mat"} for name in ("Ann", "Ben", "Cat")], "options": {},
    "tray": "overhead",
}  # fmt: skip


def stamp(time: float) -> Stamp:
    return Stamp(time, datetime(2027, 3, 1, tzinfo=UTC))


class Film:
    """Where one game's journal and pictures lie."""

    def __init__(self, folder: Path) -> None:
        self.journal = game_file(folder, GAME)
        self.store = PictureFile(picture_file(folder, GAME), SEALED, free=lambda _: 2**40)
        self.seal = Seal(bytes(KEY))
        self.evidence: Evidence | None = None
        self._last: Chronicle | None = None

    def chronicle(self) -> Chronicle:
        """The record as the next start of the program opens it."""
        if self._last is None:
            journal = Journal.create(self.journal, GAME, HEADER, stamp(0.0))
        else:
            self._last.close()
            journal = Journal.open(self.journal)
        self._last = Chronicle(journal, self.seal, stamp)
        return self._last

    def keep(self, album: Told, chronicle: Chronicle | None) -> Evidence:
        self.evidence = Evidence(album, self.store, self.seal, GAME)
        return self.evidence

    def table(self, deck: Sequence[Card] = DECK, **more) -> Told:
        return Told(chronicle=self.chronicle(), evidence=self.keep, deck=deck, **more)

    @property
    def pieces(self):
        assert self.evidence is not None
        return [piece for exhibit in self.evidence.exhibits for piece in exhibit.pieces]


def three_moves(table: Told) -> Told:
    """Ann draws into slot 2; Ben steals slot 4 of Cat and gives his slot 1; Cat discards from the pile."""
    table.draw(0, 2, 6.0)
    table.exchange(slot(1, 1), slot(2, 4), 6.0)
    table.discard(2, 6.0)
    return table


def to_the_end(table: Told) -> Told:
    """The rest of the game after `three_moves`, up to the reveal."""
    for position in range(3, 8):
        table.discard(position, 6.0)
    return table


def shown(table: Told) -> Told:
    """All hands are turned over."""
    table.lie({slot(seat, k): Mark.BACK for seat in (0, 1, 2) for k in range(1, 6)}, 3.0)
    assert table.view.result is not None
    return table


def row_length(table: Told) -> int:
    return sum(table.shown[row(n)] is not Mark.EMPTY for n in range(1, 10))
