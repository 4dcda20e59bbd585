"""The games of one evening, one after another, as the page follows them."""

from __future__ import annotations

import threading
from dataclasses import replace

from companion.cards import Card
from companion.chronicle import Noted
from companion.disputes import Dispute, TurnLine
from companion.exhibition import Proof
from companion.games.rulebook import Rulebook
from companion.inbox import Receipt
from companion.observation import Event
from companion.retelling import Retelling
from companion.sitting import Offer, Sitting
from companion.table import Place
from companion.views import Role, View


class Evening:
    """The sitting of the game that is played now.  Safe from any thread."""

    def __init__(self, sitting: Sitting) -> None:
        self._lock = threading.Lock()
        self._offset = 0
        self._sitting = sitting
        self._before: tuple[Sitting, int] | None = None
        """The game before this one, for who has not been told its end yet."""
        self._asked: list[Receipt] = []

    def begin(self, sitting: Sitting) -> None:
        """From now on the page follows this game."""
        with self._lock:
            # A page only takes what is newer than what it has, so versions go on growing from game to game.
            before = self._sitting
            own = (before.view(Role.SEAT, seat).version for seat in range(len(before.seats)))
            self._before = before, self._offset
            self._offset += max(before.view().version, *own)
            self._sitting = sitting
        before.leave()

    @property
    def sitting(self) -> Sitting:
        """That of the game which is played now."""
        return self._now()[0]

    def tie_break(self) -> str:
        """How equal hands are told apart in it."""
        return getattr(self.sitting.agreement.state.options, "tie_break", "suit_significant")

    def ranking(self) -> str:
        """How its hands are compared."""
        agreement = self.sitting.agreement
        return agreement.game.ranking(agreement.state.options)

    # ---- the next game ------------------------------------------------------------------------------------------

    def ask_next(self) -> Receipt:
        """Somebody wants the next game; the receipt is settled when it has begun."""
        with self._lock:
            receipt = Receipt()
            self._asked.append(receipt)
        return receipt

    @property
    def next_asked(self) -> bool:
        """Whether somebody waits for the next game."""
        return bool(self._asked)

    def answer_next(self, refusal: str = "") -> None:
        """Tell all who have asked that the next game has begun, or why not."""
        with self._lock:
            asked, self._asked = self._asked, []
        for receipt in asked:
            receipt.settle(refusal)

    # ---- what the page needs ------------------------------------------------------------------------------------

    def _now(self) -> tuple[Sitting, int]:
        with self._lock:
            return self._sitting, self._offset

    def view(self, role: Role = Role.SPECTATOR, seat: int | None = None, /) -> View:
        sitting, offset = self._now()
        return _shifted(sitting.view(role, seat), offset)

    def wait(self, version: int, timeout: float, role: Role = Role.SPECTATOR, seat: int | None = None, /) -> View:
        with self._lock:
            sitting, offset, before = self._sitting, self._offset, self._before
        if before is not None and version <= offset and (end := before[0].missed(version - before[1], role, seat)):
            return _shifted(end, before[1])
        view = sitting.wait(version - offset, timeout, role, seat)
        if view.version + offset <= version and self.sitting is not sitting:
            # Another game has begun meanwhile, and its first view is what there is to see.
            return self.wait(version, 0.0, role, seat)
        return _shifted(view, offset)

    @property
    def rulebook(self) -> Rulebook:
        return self.sitting.rulebook

    def now(self) -> float:
        return self.sitting.now()

    def post(self, event: Event, /) -> Receipt:
        return self.sitting.post(event)

    def offers(self, seat: int, /) -> tuple[Offer, ...]:
        return self.sitting.offers(seat)

    def claim(self, seat: int, offer_id: int, amount: int | None = None, /) -> Receipt:
        return self.sitting.claim(seat, offer_id, amount)

    def timeline(self) -> tuple[TurnLine, ...]:
        return self.sitting.timeline()

    def dispute(self, number: int, place: Place | None = None, /) -> Dispute:
        return self.sitting.dispute(number, place)

    def proofs(self, number: int, /) -> tuple[Proof, ...]:
        return self.sitting.proofs(number)

    def retelling(self, day: str = "", /) -> Retelling:
        return self.sitting.retelling(day)

    def picture(self, number: int, /) -> bytes | None:
        return self.sitting.picture(number)

    def noted(self) -> Noted | None:
        return self.sitting.noted()

    def likely(self, place: Place, /) -> tuple[Card, ...]:
        return self.sitting.likely(place)


def _shifted(view: View, offset: int) -> View:
    return replace(view, version=view.version + offset)
