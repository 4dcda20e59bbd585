"""A club's evening: its tables as anybody may see them, who plays, the round, and the results."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

MOST_TABLES = 100
LONGEST = 200


@dataclass(frozen=True, slots=True)
class FloorSeat:
    name: str
    source: str
    """``mat``, ``tap`` or ``bot``."""


@dataclass(frozen=True, slots=True)
class FloorTable:
    """One table, by its public view."""

    name: str
    here: bool = False
    game: str = ""
    phase: str = ""
    turn: int = 0
    current: int | None = None
    seats: tuple[FloorSeat, ...] = ()
    asks: str = ""
    """What somebody has to decide there: ``stopped``, ``violation``, ``question``, ``proposal``, or nothing."""
    over: bool = False
    """Its result stands, and has been noted."""


@dataclass(frozen=True, slots=True)
class FloorResult:
    """A game that is over."""

    number: int
    table: str
    game: str
    round: int
    turns: int
    winners: tuple[str, ...]
    order: tuple[str, ...]
    """Everybody, the best first; nobody where the game does not order them."""
    won: tuple[int, ...] = ()
    """Chips per seat, in games for chips."""


@dataclass(frozen=True, slots=True)
class Floor:
    """Everything that the club knows; frozen: every change gives another one."""

    tables: Mapping[str, FloorTable] = field(default_factory=dict)
    results: tuple[FloorResult, ...] = ()
    roster: tuple[str, ...] = ()
    """Everybody who has sat at a table, bots apart, in the order of their coming."""
    round: int = 0
    ends: float | None = None
    """When the round ends, seconds of the wall's clock; None: no round is timed."""

    def hub(self, table: str, here: bool) -> Floor:
        """The hub of a table has come or gone."""
        return self._with(replace(self._table(table), here=here))

    def heard(self, table: str, view: Mapping[str, Any]) -> Floor:
        """A table has published its public view; raise ValueError for what is none."""
        try:
            before, now = self._table(table), _read(table, view)
        except (KeyError, TypeError, AttributeError, IndexError) as error:
            raise ValueError(f"table {table}: a public view is expected: {error!r}") from error
        now = replace(now, here=before.here, asks=before.asks)
        floor = self
        if now.over and not before.over:
            result = _result(len(self.results) + 1, now, view, self.round)
            if (table in self.tables and before.seats) or not self._noted(result):
                floor = replace(self, results=(*self.results, result))
        people = [seat.name for seat in now.seats if seat.source != "bot"]
        floor = replace(floor, roster=tuple(dict.fromkeys((*floor.roster, *people))))
        return floor._with(now)

    def alert(self, table: str, asks: str) -> Floor:
        """Somebody is asked to come to a table, or is not any more."""
        return self._with(replace(self._table(table), asks=asks[:LONGEST]))

    def timed(self, number: int, ends: float | None) -> Floor:
        """Another round, or no timer."""
        return replace(self, round=number, ends=ends)

    def _noted(self, result: FloorResult) -> bool:
        """Whether this is the last that was noted of its table: after a restart a table says again how its game ended."""
        last = next((one for one in reversed(self.results) if one.table == result.table), None)
        return last is not None and replace(last, number=result.number, round=result.round) == result

    def _table(self, name: str) -> FloorTable:
        return self.tables.get(name, FloorTable(name))

    def _with(self, table: FloorTable) -> Floor:
        if table.name not in self.tables and len(self.tables) >= MOST_TABLES:
            return self
        return replace(self, tables=dict(sorted({**self.tables, table.name: table}.items())))


def _written(told: object) -> str:
    """Text that can be written to a file, whatever a table has sent."""
    return str(told)[:LONGEST].encode(errors="replace").decode()


def _read(name: str, view: Mapping[str, Any]) -> FloorTable:
    seats = tuple(FloorSeat(_written(seat["name"]), _written(seat["source"])) for seat in view["seats"])
    current = view["current"]
    if current is not None and not 0 <= int(current) < len(seats):
        raise IndexError(f"seat {current} of {len(seats)}")
    return FloorTable(
        name, False, _written(view["game"]), _written(view["phase"]), int(view["turn"]),
        None if current is None else int(current), seats, over=view["result"] is not None,
    )  # fmt: skip


def _result(number: int, table: FloorTable, view: Mapping[str, Any], round_: int) -> FloorResult:
    told, names = view["result"], [seat.name for seat in table.seats]
    return FloorResult(
        number, table.name, table.game, round_, table.turn, tuple(names[seat] for seat in told["winners"]),
        tuple(names[seat] for seat in told["order"]), tuple(int(chips) for chips in told.get("won", ())),
    )  # fmt: skip


def results_csv(floor: Floor) -> str:
    """One line for each result, in a form that every spreadsheet reads."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("number", "round", "table", "game", "turns", "winners", "order", "won"))
    for one in floor.results:
        row = (one.number, one.round, one.table, one.game, one.turns, "; ".join(one.winners), "; ".join(one.order),
               "; ".join(map(str, one.won)))  # fmt: skip
        writer.writerow([_plain(cell) for cell in row])
    return out.getvalue()


def _plain(cell: str | int) -> str | int:
    """A name that begins like a formula is none."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


def floor_json(floor: Floor) -> str:
    """Roster, round and results; what stands in it can be read again with `floor_from`."""
    kept = {"roster": floor.roster, "round": floor.round, "results": [asdict(one) for one in floor.results]}
    return json.dumps(kept, ensure_ascii=False, indent=1)


def floor_from(text: str) -> Floor:
    """What was kept of an evening; raise ValueError for any other text."""
    try:
        found = json.loads(text)
        results = tuple(
            FloorResult(**{**one, "winners": tuple(one["winners"]), "order": tuple(one["order"]), "won": tuple(one["won"])})
            for one in found["results"]
        )
        return Floor({}, results, tuple(map(str, found["roster"])), int(found["round"]))
    except (KeyError, TypeError) as error:
        raise ValueError(f"an evening of a club is expected: {error!r}") from error
