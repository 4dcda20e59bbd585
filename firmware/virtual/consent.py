"""The players of a show go along with what was proposed to everybody."""

from __future__ import annotations

from collections.abc import Collection

from companion.observation import Agree, Declaration
from companion.views import View

READING_S = 2.0
"""So long the first of them takes to read what was proposed: somebody at the page may still say no."""
BETWEEN_S = 0.6
"""Between two of them."""


class Consent:
    """Has scripted players agree, one after the other; also while play is stopped and nobody moves a hand."""

    def __init__(self, seats: Collection[int]) -> None:
        """`seats`: those that nobody at the page plays."""
        self._seats = frozenset(seats)
        self._proposal = -1
        self._next = 0.0
        """When the next of them agrees."""
        self._agreed: set[int] = set()

    def said(self, view: View, now: float) -> tuple[Declaration, ...]:
        """What they declare at `now` (seconds of the table's clock), when the page shows `view`."""
        proposal = view.proposal
        if proposal is None:
            return ()
        if proposal.id != self._proposal:
            self._proposal, self._next, self._agreed = proposal.id, now + READING_S, set()
        asked = [seat for seat in proposal.waiting if seat in self._seats - self._agreed]
        if not asked or now < self._next:
            return ()
        self._next = now + BETWEEN_S
        self._agreed.add(asked[0])
        return (Declaration(now, asked[0], Agree(proposal.id, True)),)
