"""What the page needs of a sitting."""

from __future__ import annotations

from typing import Protocol

from companion.cards import Card
from companion.disputes import Dispute, TurnLine
from companion.exhibition import Proof
from companion.games.rulebook import Rulebook
from companion.inbox import Receipt
from companion.observation import Declaration
from companion.retelling import Retelling
from companion.table import Place
from companion.views import MoveView, Role, View


class Offer(Protocol):
    """A move that a seat without cameras may declare now, by its places."""

    @property
    def id(self) -> int: ...

    @property
    def move(self) -> MoveView: ...

    @property
    def most(self) -> int:
        """Where its amount may be chosen: up to so many chips; 0 where it may not."""
        ...

    @property
    def all_in(self) -> bool: ...

    @property
    def marks(self) -> tuple[tuple[str, int], ...]:
        """Amounts between the two that have a name, as `BetView.marks`."""
        ...


class LiveTable(Protocol):
    """The part of a sitting that the page uses; every method may be called from any thread."""

    @property
    def rulebook(self) -> Rulebook:
        """The rules of the game that is played, under its options."""
        ...

    def view(self, role: Role = Role.SPECTATOR, seat: int | None = None, /) -> View:
        """The table as `role` may see it; `seat` is the seat of a player's phone."""
        ...

    def wait(self, version: int, timeout: float, role: Role = Role.SPECTATOR, seat: int | None = None, /) -> View:
        """The role's view as soon as it is newer than `version`, or whatever it is after `timeout` seconds."""
        ...

    def now(self) -> float:
        """The time of a declaration that is made now."""
        ...

    def post(self, event: Declaration, /) -> Receipt:
        """Hand in what a person declared; the receipt tells what became of it, once that is written down."""
        ...

    def offers(self, seat: int, /) -> tuple[Offer, ...]:
        """Every move that `seat` may declare by tap now; none when it is not its turn."""
        ...

    def claim(self, seat: int, offer_id: int, amount: int | None = None, /) -> Receipt:
        """Declare one of the offers of `seat`, with an amount where that is open; raises `DeclarationError` where it no longer
        stands."""
        ...

    def timeline(self) -> tuple[TurnLine, ...]:
        """Every action that stands, oldest first; raises `DeclarationError` while play goes on."""
        ...

    def dispute(self, number: int, place: Place | None = None, /) -> Dispute:
        """All answers about the table after `number` actions and about a slot; raises `DeclarationError` as `timeline` does."""
        ...

    def proofs(self, number: int, /) -> tuple[Proof, ...]:
        """What stands behind action `number` and the rulings after it; raises `DeclarationError` as `timeline` does."""
        ...

    def retelling(self, day: str = "", /) -> Retelling:
        """The whole game with every card, played on `day`; raises `DeclarationError` unless its result stands."""
        ...

    def picture(self, number: int, /) -> bytes | None:
        """The picture of this number as a PNG; None where it may not be seen, or is not there."""
        ...

    def likely(self, place: Place, /) -> tuple[Card, ...]:
        """What the reader takes an open card for, likeliest first; nothing for a hidden one."""
        ...
