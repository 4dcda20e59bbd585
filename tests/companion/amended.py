"""Tables that tests of undo, stops and corrections begin with."""

from __future__ import annotations

from companion.cards import Mark
from companion.games.steal_state import Draw
from companion.observation import Agree, Call, Claim
from companion.sitting import RowSight
from companion.table import slot
from tests.companion.told import Told

TAPS = ("tap", "tap", "tap")


def taps() -> Told:
    return Told(sources=TAPS, sight=RowSight.NONE)


def tap(table: Told, seat: int, action) -> Told:
    return table.say(seat, Claim(action), 0.2)


def agree(table: Told, *seats: int, yes: bool = True) -> Told:
    for seat in seats:
        proposal = table.view.proposal
        assert proposal is not None
        table.say(seat, Agree(proposal.id, yes), 0.3)
    return table


def call(table: Told, name: str, *seats: int) -> Told:
    """A call with which these seats agree then."""
    return agree(table.say(0, Call(name), 0.3), *seats)


def ended(table: Told) -> Told:
    """A table of taps or mats on which five discards and two final turns were made."""
    for position in range(1, 8):
        if table.shown:
            table.discard(position)
        else:
            seat = table.view.current
            assert seat is not None
            tap(table, seat, Draw(seat, None))
    assert table.view.phase == "over"
    return table


def turned(table: Told) -> Told:
    return table.lie({slot(seat, k): Mark.BACK for seat in range(3) for k in range(1, 6)})
