"""Games on the virtual table that are recorded with pictures, as `viewmat run` records them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.cards import DECK, Card, Seen
from companion.chronicle import Chronicle
from companion.crops import Crop
from companion.evidence import SEALED, Evidence
from companion.games import find_game
from companion.games.base import Game
from companion.journal import Journal, Stamp, game_file
from companion.observation import Declaration, EvidenceRef, Observation, Sighting, Tick
from companion.picturefile import PictureFile, picture_file
from companion.seal import Seal
from companion.sitting import RowSight, Seat, Sitting
from companion.table import Place
from companion.views import View
from firmware.keeping import table_header
from firmware.table import ReadingTable, open_table
from firmware.virtual.measure import LoggedAction
from firmware.virtual.play import Settings, play_game
from firmware.virtual.rendered import RenderedTable, direct_link
from firmware.virtual.scenes import sloppy_pose
from firmware.virtual.server import packaged_classifier
from firmware.virtual.world import World

GAME = "0123456789abcdef"


def stamp(time: float) -> Stamp:
    return Stamp(time, datetime(2027, 3, 1, tzinfo=UTC))


def seats_of(settings: Settings) -> tuple[Seat, ...]:
    return tuple(Seat(f"Seat {number + 1}", source) for number, source in enumerate(settings.all_sources))


def begun(folder: Path, settings: Settings) -> Chronicle:
    """A new record below a data folder, sealed with that folder's key."""
    header = table_header(find_game(settings.game), seats_of(settings), settings.options, settings.tray)
    journal = Journal.create(game_file(folder / "games", GAME), GAME, header, stamp(0.0))
    return Chronicle(journal, Seal.load_or_create(folder), stamp)


def store_in(folder: Path) -> PictureFile:
    return PictureFile(picture_file(folder / "games", GAME), SEALED, free=lambda _: 2**40)


def play_rendered(folder: Path, settings: Settings, number: int = 0) -> tuple[Sitting, Any]:
    """One game through rendered cameras; its sitting, and what the script knows."""
    chronicle = begun(folder, settings)
    opened: list[ReadingTable] = []

    def build(settings: Settings, seed: int, clock: Callable[[], float]) -> ReadingTable:
        opened.append(
            open_table(
                find_game(settings.game), seats_of(settings), packaged_classifier(), settings.options, settings.row_sight,
                seed=seed, clock=clock, chronicle=chronicle,
                keep=lambda album: Evidence(album, store_in(folder), chronicle.seal, GAME),
            )
        )  # fmt: skip
        return opened[-1]

    link = direct_link(build)
    _, script = play_game(
        find_game(settings.game), settings, number,
        lambda game, settings, world, rng: RenderedTable(link, settings, world, rng),
        lambda rng: sloppy_pose("normal", rng),
    )  # fmt: skip
    chronicle.close()
    return opened[0].sitting, script


class PaintedAlbum:
    """Pictures that are one colour for each card, so that whoever sees one knows the card."""

    def __init__(self) -> None:
        self.shown: dict[EvidenceRef, Seen] = {}

    def crop(self, ref: EvidenceRef, /) -> Crop | None:
        seen = self.shown[ref]
        colour = DECK.index(seen) + 1 if isinstance(seen, Card) else 200
        return Crop(4, 8, 5, 5, bytes([colour]) * (4 * 8 * 3 * 5))


class PaintedTable:
    """A table with a perfect reader whose cameras give painted pictures."""

    def __init__(self, folder: Path, game: Game[Any], settings: Settings, seed: int, store: Any = None) -> None:
        self.frames, self._time, self._game = 0, 0.0, game
        self.chronicle = begun(folder, settings)
        self._album = PaintedAlbum()
        self._refs: dict[Place, tuple[Seen, EvidenceRef]] = {}
        self.views: list[View] = []
        evidence = Evidence(self._album, store or store_in(folder), self.chronicle.seal, GAME)
        self.evidence = evidence
        self.sitting = Sitting(
            game, seats_of(settings), settings.options, RowSight(settings.tray), seed=seed, clock=lambda: self._time,
            chronicle=self.chronicle, evidence=evidence,
        )  # fmt: skip

    def step(self, time: float, world: World, said: Sequence[Declaration]) -> View:
        self._time = time
        for declaration in said:
            self.sitting.post(declaration)
        for board in world.boards:
            self.frames += 1
            sightings = tuple(self._sight(place, world.ideal(place)) for place in board.places)
            self.sitting.post(Observation(time, board.places, sightings))
        self.sitting.post(Tick(time))
        self.sitting.work()
        view = self.sitting.view()
        if not self.views or self.views[-1] != view:
            self.views.append(view)
        return view

    def _sight(self, place: Place, seen: Seen) -> Sighting:
        before, ref = self._refs.get(place, (None, None))
        if ref is None or before != seen:
            ref = EvidenceRef(f"painted{place.area}{place.seat}", self.frames, place.number)
            self._refs[place] = seen, ref
            self._album.shown[ref] = seen
        likely = ((seen, 0.99),) if isinstance(seen, Card) else ()
        return Sighting(place, seen, 1.0, ref if seen is not None else None, likely)

    def readings(self) -> Sequence[tuple[Place, Seen]]:
        return self.sitting.readings()

    def log(self) -> Sequence[LoggedAction]:
        return [
            (entry.kind, None if entry.action is None else self._game.action_to_json(entry.action))
            for entry in self.sitting.log()
        ]

    def close(self) -> None:
        self.chronicle.close()


def play_painted(folder: Path, settings: Settings, number: int = 0, store: Any = None) -> tuple[PaintedTable, Any]:
    """One game with a perfect reader and painted pictures."""
    opened: list[PaintedTable] = []

    def open_painted(game: Game[Any], settings: Settings, world: World, rng: random.Random) -> PaintedTable:
        opened.append(PaintedTable(folder, game, settings, rng.randrange(2**31), store))
        return opened[-1]

    figures, script = play_game(find_game(settings.game), settings, number, open_painted)
    return opened[0], (figures, script)
