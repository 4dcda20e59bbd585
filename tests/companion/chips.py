"""Hands of the games with chips at a table of taps, played on the sitting itself."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from companion.cards import DECK, Card
from companion.chronicle import Chronicle
from companion.games import GAMES, find_game
from companion.observation import Declaration, Entry
from companion.picture import RowSight
from companion.sitting import Seat, Sitting
from companion.table import slot
from companion.views import View

CHIPS = tuple(game for game in GAMES if game.taps)
NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eve")


class Hand:
    """One hand, with a dealer who has a real deck."""

    def __init__(
        self, game: str, seats: int = 3, seed: int = 1, chronicle: Chronicle | None = None, **options: Any
    ) -> None:
        self.time = 0.0
        self.game = find_game(game)
        self.options = options
        self.names = NAMES[:seats]
        self.random = Random(seed)
        self.deck: list[Card] = self.random.sample(DECK, 52)
        self.sitting = self._sat(chronicle)

    def _sat(self, chronicle: Chronicle | None) -> Sitting:
        seats = [Seat(name, "tap") for name in self.names]
        return Sitting(
            self.game, seats, self.options, row_sight=RowSight.NONE, clock=lambda: self.time, chronicle=chronicle
        )  # fmt: skip

    def restart(self, chronicle: Chronicle) -> None:
        self.sitting = self._sat(chronicle)
        self.sitting.work()

    @property
    def view(self) -> View:
        return self.sitting.view()

    def enter(self, seat: int, number: int, card: Card) -> None:
        self.time += 1.0
        receipt = self.sitting.post(Declaration(self.time, seat, Entry(slot(seat, number), card)))
        self.sitting.work()
        assert not receipt.refusal, receipt.refusal

    def enter_wanted(self) -> None:
        """The next card that everybody may see and that has no face yet."""
        view = self.view
        wanted = (
            (seat.seat, one.number)
            for seat in view.seats for one in seat.slots
            if one.open or (view.revealing and not one.bare and one.card is None)
        )  # fmt: skip
        self.enter(*next(wanted), self.deck.pop())

    def tap(self, seat: int, offer: int, amount: int | None = None) -> None:
        self.time += 1.0
        receipt = self.sitting.claim(seat, offer, amount)
        self.sitting.work()
        assert not receipt.refusal, receipt.refusal

    def step(self) -> bool:
        """Somebody does something; whether there was anything to do."""
        view = self.view
        if view.revealing or view.waits == "upcards":
            self.enter_wanted()
        elif view.actors:
            seat = self.random.choice(view.actors)
            offers = [one for one in self.sitting.offers(seat) if one.move.kind != "fold" or self.random.random() < 0.3]
            one = self.random.choice(offers)
            self.tap(seat, one.id, self.random.randint(one.move.amount, one.most) if one.most else None)
        return view.result is None

    def play(self, pause: Callable[[], object] = lambda: None) -> View:
        """The whole hand, with `pause` after every step."""
        for _ in range(200):
            if not self.step():
                return self.view
            pause()
        raise AssertionError("a hand that does not end")
