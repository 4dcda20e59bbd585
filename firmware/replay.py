"""Reading the kept pictures of a game once more, perhaps with another model, and judging it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from companion.cards import Card, Mark, Seen
from companion.crops import Crop, Kept
from companion.errors import JournalError, RecordError, SealError
from companion.evidence import SEALED, opened
from companion.exhibits import AFTER, BEFORE, DEAL, READ, Exhibit, Piece
from companion.games import find_game
from companion.games.base import Result
from companion.journal import read_walk
from companion.picturefile import ENDING, PictureFile
from companion.rejudging import Recorded, Rejudged, fresh_referee, header_of, is_finished, read_game, rejudge, result_under
from companion.seal import KEY_FILE, Seal
from companion.table import Place
from vision.belief import Posterior, Scene, TableBelief, Thresholds, claim, likeliest
from vision.classifier import Classifier
from vision.errors import ModelError
from vision.layout import WINDOW_PX


@dataclass(frozen=True, slots=True)
class Reread:
    """One picture as it was read and as it is read now."""

    piece: Piece
    then: Kept
    seen: Seen
    confidence: float
    likely: tuple[tuple[Card, float], ...]

    @property
    def changed(self) -> bool:
        """Whether it is called something else."""
        return self.seen != self.then.seen


@dataclass(frozen=True, slots=True)
class Replay:
    """A game judged again."""

    game: str
    names: tuple[str, ...]
    """Of the seats."""
    kept: int
    """Pictures that were kept."""
    found: int
    """Those of them that are still there and could be read."""
    rejudged: tuple[Rejudged, ...]
    reread: Mapping[int, tuple[Reread, ...]]
    """By the number of the ruling in the log."""
    shown: tuple[Reread, ...]
    """The pictures of the reveal."""
    then: Result | None
    now: Result | None


class Rereader:
    """Reads pictures in the order in which they were made."""

    def __init__(self, classifier: Classifier, thresholds: Thresholds) -> None:
        self._classifier, self._thresholds = classifier, thresholds
        # Every place is believed as it was read last, however long ago: a game has no clock here.
        self._belief = TableBelief(fresh_s=inf)

    def read(self, pairs: list[tuple[Piece, Kept]]) -> tuple[Reread, ...]:
        """The pictures of one ruling: of each moment all at once, as one table; the moments in their order."""
        moments = ((DEAL,), (BEFORE,), (AFTER, READ))
        return tuple(each for when in moments for each in self._at_once([pair for pair in pairs if pair[0].when in when]))

    def _at_once(self, pairs: list[tuple[Piece, Kept]]) -> Iterator[Reread]:
        alone = {piece.place: self._posterior(kept.crop) for piece, kept in pairs if kept.crop is not None}
        weighed = self._belief.weigh(alone, 0.0) if alone else {}
        for piece, kept in pairs:
            if piece.place in weighed:
                seen, confidence = claim(weighed[piece.place], self._thresholds)
                named = isinstance(seen, Card) or seen is Mark.UNREADABLE
                yield Reread(piece, kept, seen, confidence, likeliest(alone[piece.place], least=0.0) if named else ())

    def _posterior(self, crop: Crop) -> Posterior:
        width, height = WINDOW_PX
        if (crop.width, crop.height) != WINDOW_PX:
            raise ModelError(f"the pictures have {crop.width} x {crop.height} pixels; this program reads {width} x {height}")
        patches = np.frombuffer(crop.pixels, np.uint8).reshape(crop.looks, height, width, 3)
        scene = Scene()
        for reading in self._classifier.classify(patches):
            scene.add(reading)
        return scene.posterior()


def replay(
    file: Path, key_folder: Path, classifier: Classifier, options: Mapping[str, Any], thresholds: Thresholds | None = None
) -> Replay:
    """Judge a finished game again, with another reader and with some options set otherwise.  Nothing is written.

    Raise `JournalError`, `SealError` or `RecordError` where the record cannot be read or is not finished, `OptionError`
    for options that the game does not take, `ModelError` for pictures that the classifier does not take.
    """
    walk = read_walk(file)
    if walk.fault is not None:
        raise JournalError(f"{file}: {walk.fault}")
    header = header_of(walk.entries)
    name = str(walk.entries[0].body["game"])
    game = find_game(header["game"])
    set_now = game.options({**header["options"], **options})
    if not is_finished(walk.entries):
        raise RecordError(f"game {name} has no result yet: its cards stay sealed, and it is judged again when it is over")
    if not (key_folder / KEY_FILE).exists():
        raise SealError(f"{key_folder / KEY_FILE} is missing, and without it game {name} cannot be read")
    seal = Seal.load_or_create(key_folder)
    recorded = read_game(walk.entries, seal, name, fresh_referee(header))
    store = PictureFile(file.with_name(f"{name}{ENDING}"), SEALED)

    def pairs(exhibit: Exhibit | None) -> list[tuple[Piece, Kept]]:
        pieces = () if exhibit is None else exhibit.pieces
        shown = ((piece, opened(store, seal, name, piece)) for piece in pieces)
        return [(piece, kept) for piece, kept in shown if kept is not None]

    reader = Rereader(classifier, thresholds or Thresholds())
    exhibits = [case.exhibit for case in recorded.cases if case.exhibit is not None]
    everything = {exhibit.log: pairs(exhibit) for exhibit in (*exhibits, *([recorded.result] if recorded.result else []))}
    reread = {number: reader.read(found) for number, found in sorted(everything.items())}
    shown = () if recorded.result is None else reread.pop(recorded.result.log)
    rejudged = rejudge(recorded, set_now, {number: _others(found) for number, found in reread.items()})
    names = tuple(str(seat.get("name", "")) for seat in header["seats"])
    return Replay(
        name, names, _pieces(recorded), sum(map(len, everything.values())), tuple(rejudged), reread, shown,
        recorded.referee.game.result(recorded.referee.state), result_under(recorded, set_now, _others(shown)),
    )  # fmt: skip


def _pieces(recorded: Recorded) -> int:
    exhibits = [case.exhibit for case in recorded.cases] + [recorded.result]
    return sum(len(exhibit.pieces) for exhibit in exhibits if exhibit is not None)


def _others(reread: tuple[Reread, ...]) -> dict[Place, Seen]:
    """What is called something else now, of the pictures that were made after a ruling."""
    return {one.piece.place: one.seen for one in reread if one.changed and one.piece.when in (AFTER, READ)}
