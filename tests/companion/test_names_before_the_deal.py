"""Cards that owners name on their phones before the deal is complete: no answer tells who holds such a card."""

from __future__ import annotations

import pytest

from companion.cards import Card, Mark
from companion.games import find_game
from companion.observation import Call, Declaration, Observation, OwnEntry, Sighting, Tick
from companion.picture import RowSight
from companion.sitting import Seat, Sitting
from companion.table import slot

HANDS = ("As Qh 2s 9c 8d", "Qh As 2s 9c 8d")


class Table:
    """Ann's cards lie on her mat, Cid has laid none yet, and Bob plays by tap."""

    def __init__(self, hand: str) -> None:
        self.time = 0.0
        self.hand = [Card.parse(text) for text in hand.split()]
        seats = [Seat("Ann", "mat"), Seat("Bob", "tap"), Seat("Cid", "mat")]
        self.sitting = Sitting(find_game("steal"), seats, row_sight=RowSight.NONE, clock=lambda: self.time)

    def look(self, times: int = 25) -> None:
        for _ in range(times):
            self.time = round(self.time + 0.1, 3)
            seen = [(slot(0, number), card) for number, card in enumerate(self.hand, 1)]
            seen += [(slot(2, number), Mark.EMPTY) for number in range(1, 6)]
            sightings = tuple(Sighting(place, what, 1.0) for place, what in seen)
            self.sitting.post(Observation(self.time, tuple(place for place, _ in seen), sightings))
            self.sitting.post(Tick(self.time))
            self.sitting.work()

    def say(self, seat: int, what: object) -> None:
        self.sitting.post(Declaration(self.time, seat, what))  # type: ignore[arg-type]
        self.look(5)


@pytest.mark.parametrize("named_first", [True, False])
def test_nothing_is_known_of_a_deal_that_was_not_taken(named_first: bool) -> None:
    told = []
    for hand in HANDS:
        table = Table(hand)
        table.look()
        deeds = [(1, OwnEntry(slot(1, 2), Card.parse("Qh"))), (0, Call("stop"))]
        for seat, what in deeds if named_first else reversed(deeds):
            table.say(seat, what)
        assert table.sitting.view().stopped
        assert not table.sitting.agreement.deal_known
        told.append([repr(table.sitting.dispute(0, slot(0, number))) for number in range(1, 6)])
    assert told[0] == told[1]
