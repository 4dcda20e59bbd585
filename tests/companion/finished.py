"""Records of games that were played to their end, or not, without a table: what a referee agrees to is written down."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from companion.cards import DECK
from companion.chronicle import Chronicle, Shown
from companion.games import find_game
from companion.games.steal_state import Draw, StealCard
from companion.journal import Journal, Stamp, game_file
from companion.picture import RowSight, Sight
from companion.proceedings import LogEntry
from companion.referee import AnyReferee, Referee
from companion.rulings import Action, Ruling, Verdict
from companion.seal import KEY, Seal
from companion.table import SLOTS, slot

STEAL = find_game("steal")
SEAL = Seal(bytes(range(KEY)))
NAMES = ("Ann", "Ben", "Cat")
BEGAN = datetime(2027, 3, 1, 19, 0, tzinfo=UTC)
STOLEN: tuple[Action, ...] = (
    Draw(0, 2), StealCard(1, 0, 1, 5), Draw(2, None), Draw(0, None), Draw(1, 3), Draw(2, None), Draw(0, None), Draw(1, None),
)  # fmt: skip
"""A whole game of three: the seventh draw's card is the fifth of the row, and two more moves follow at most."""


def played(
    folder: Path, game: str = "0123456789abcdef", names: Sequence[str] = NAMES, moves: Sequence[Action] = STOLEN,
    first: int = 0, seal: Seal = SEAL, began: datetime = BEGAN, finished: bool = True, blamed: Sequence[int] = (),
    sources: Sequence[str] = (), clock_set: bool = True,
) -> Path:  # fmt: skip
    """Write the record of one game; the cards are dealt from the deck, beginning at `first`, five to a seat."""
    sources = sources or ["mat"] * len(names)
    header = {
        "game": "steal", "seats": [{"name": name, "source": source} for name, source in zip(names, sources, strict=True)],
        "options": {"first_seat": 0}, "tray": "overhead",
    }  # fmt: skip
    path = game_file(folder, game)

    def stamp(time: float) -> Stamp:
        return Stamp(time, began + timedelta(seconds=time), clock_set)

    chronicle = Chronicle(Journal.create(path, game, header, stamp(0.0)), seal, stamp)
    agreed: AnyReferee = chronicle.resume(fresh(sources))
    for number, unknown in enumerate(agreed.state.table.cards()):
        agreed = agreed.learnt(unknown, DECK[(first + number) % 52])
    chronicle.keep(agreed, Shown(), 1.0)
    for number, move in enumerate(moves):
        agreed = agreed.claim(move, 10.0 + number)
    for seat in blamed:
        agreed = agreed._noted(LogEntry(30.0, "violation", ruling=Ruling(Verdict.ILLEGAL, error="peek", seat=seat)))
    chronicle.keep(agreed, Shown(), 40.0)
    if finished:
        assert agreed.state.phase == "over", agreed.state.phase
        places = frozenset(slot(seat, number) for seat in range(len(names)) for number in SLOTS)
        chronicle.keep(agreed.ended(50.0), Shown(places, finished=True), 50.0)
    chronicle.close()
    return path


def fresh(sources: Sequence[str]) -> AnyReferee:
    sight = Sight(tuple(source == "mat" for source in sources), RowSight.OVERHEAD)
    return Referee(STEAL, sight, STEAL.start(len(sources), STEAL.options({})))
