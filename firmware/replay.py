"""Reading the kept pictures of a game once more, perhaps with another model, and judging it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from companion.cards import Card, Mark, Seen
from companion.crops import Crop, Kept
from companion.errors import JournalError, RecordError, SealError
from companion.evidence import SEALED, opened
from companion.exhibits import AFTER, BEFORE, DEAL, READ, Piece
from companion.games import find_game
from companion.games.base import Game, Result
from companion.header import game_of, header_of
from companion.journal import Walk, read_walk
from companion.picture import RowSight, Sight
from companion.picturefile import ENDING, PictureFile
from companion.plain import name_in
from companion.proceedings import Timing
from companion.referee import AnyReferee, Referee
from companion.rejudging import Rejudged, ended_under, is_finished, read_game, rejudge, result_under
from companion.seal import KEY_FILE, Seal
from companion.table import Place
from firmware.recordfile import of_a_record
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
    aside: tuple[Reread, ...]
    """Pictures of what is not judged again: of a reveal that was taken back, and of questions what lies otherwise than agreed."""
    then: Result | None
    now: Result | None
    ended: tuple[int | None, int | None]
    """After which move the game was over, and after which it would have been; None where it would go on."""
    unshown: tuple[tuple[str, str], ...]
    """Options that were set otherwise than in the game and of which this does not show all, with the reason of `Game.unshown`."""


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
    with of_a_record(file):
        return _replayed(walk, file, key_folder, Rereader(classifier, thresholds or Thresholds()), options)


def _replayed(walk: Walk, file: Path, key_folder: Path, reader: Rereader, options: Mapping[str, Any]) -> Replay:
    header, name = header_of(walk.entries), game_of(walk.entries)
    game = find_game(header["game"])
    set_now = game.options({**header["options"], **options})
    set_then = game.options(header["options"])
    # A table of this size has to be able to play by them.
    game.start(len(header["seats"]), set_now)
    if not is_finished(walk.entries):
        raise RecordError(f"game {name} has no result yet: its cards stay sealed, and it is judged again when it is over")
    if not (key_folder / KEY_FILE).exists():
        raise SealError(f"{key_folder / KEY_FILE} is missing, and without it game {name} cannot be read")
    seal = Seal.load_or_create(key_folder)
    recorded = read_game(walk.entries, seal, name, _fresh(header))
    store = PictureFile(file.with_name(f"{name}{ENDING}"), SEALED)

    everything: dict[int, list[tuple[Piece, Kept]]] = {exhibit.log: [] for exhibit in recorded.exhibits}
    for exhibit in recorded.exhibits:
        looked = ((piece, opened(store, seal, name, piece)) for piece in exhibit.pieces)
        everything[exhibit.log] += [(piece, kept) for piece, kept in looked if kept is not None]
    reread = {number: reader.read(found) for number, found in sorted(everything.items())}
    shown = () if recorded.result is None else reread.pop(recorded.result.log)
    judged = {case.exhibit.log for case in recorded.cases if case.exhibit is not None}
    aside = tuple(one for number in sorted(reread.keys() - judged) for one in reread.pop(number))
    rejudged = rejudge(recorded, set_now, {number: _others(found) for number, found in reread.items()})
    names = tuple(name_in(seat.get("name")) for seat in header["seats"])
    ended = ended_under(recorded, set_then), ended_under(recorded, set_now)
    return Replay(
        name, names, sum(len(exhibit.pieces) for exhibit in recorded.exhibits), sum(map(len, everything.values())),
        tuple(rejudged), reread, shown, aside,
        recorded.referee.game.result(recorded.referee.state), result_under(recorded, set_now, _others(shown)), ended,
        tuple(_unshown(game, asdict(set_then), asdict(set_now), ended)),
    )  # fmt: skip


def _unshown(
    game: Game[Any], then: Mapping[str, Any], now: Mapping[str, Any], ended: tuple[int | None, int | None]
) -> Iterator[tuple[str, str]]:
    """Options that differ, with why not all of it is shown; of a limit that there is one, where it would have done nothing."""
    for name, value in now.items():
        kind = game.unshown(name) if value != then[name] else ""
        late = kind == "limit" and (ended[0] != ended[1] or value is None or ended[0] is None or value >= ended[0])
        if kind and not late:
            yield name, kind


def _fresh(header: Mapping[str, Any]) -> AnyReferee:
    """The referee of a record's table before anything has happened."""
    game = find_game(header["game"])
    watched = tuple(seat["source"] == "mat" for seat in header["seats"])
    options = game.options(header["options"])
    fresh = game.start(len(watched), options)
    sight = Sight(watched, RowSight(header["tray"]))
    return Referee(game, sight, fresh, Timing(), hard=bool(getattr(options, "hard_mode", False)))


def _others(reread: tuple[Reread, ...]) -> dict[Place, Seen]:
    """What is called something else now, of the pictures that were made after a ruling."""
    return {one.piece.place: one.seen for one in reread if one.changed and one.piece.when in (AFTER, READ)}
