"""What is certain of a hand of draw or stud: the true state of it, and how the table has to look."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.cards import DECK, Card, Unknown
from companion.games.base import Game
from companion.games.poker_judging import may_split
from companion.games.poker_openers import Opener, has_pair_of_jacks
from companion.table import SLOTS, Place, slot
from companion.views import View
from firmware.virtual.truth import ActionData, Truth
from firmware.virtual.world import World

TURNS = frozenset({"check", "fold", "call", "bring_in", "bet", "raise", "complete", "draw", "declare"})
"""What is a turn in draw and stud; to say how many cards one wants, or to sort them, is none."""
GONE = 900
"""Numbers of cards that were thrown away unseen begin here."""


class HandTruth(Truth):
    """One hand as it is really played."""

    def __init__(self, game: Game[Any], seats: int, options: Mapping[str, Any], rng: random.Random) -> None:
        self.game = game
        self._rng = rng
        deck = list(DECK)
        rng.shuffle(deck)
        self.deck: tuple[Card, ...] = tuple(deck)
        self.state = game.opened(game.start(seats, game.options(options), self.deck))
        self.known: set[Card] = set()
        self.peak = 0
        self.unseen = False
        """Whoever acts now does so where no camera looks."""

    def passes(self, error: str) -> bool:
        return self.unseen and error == "no_openers"

    def do(self, data: ActionData) -> None:
        """Play a legal action; what is shuffled anew meanwhile lies in an order that only this truth knows."""
        before = self.state
        super().do(data)
        if data["type"] == "draw":
            self._throw(before, int(data["seat"]), data["slots"])
        named = set(self.state.table.cards())
        loose = [card for card in DECK if card not in named]
        self._rng.shuffle(loose)
        shuffled = [card for card in self.state.table.cards() if isinstance(card, Unknown)]
        for unknown, card in zip(shuffled, loose, strict=True):
            self.state = self.game.learn(self.state, unknown, card)

    def opened_unseen(self, seat: int) -> None:
        """The seat has opened a game of jacks or better where no camera looks, and owes the proof."""
        place = self.state.place_of(seat)
        if place is not None and self.state.hand.terms.openers:
            self.state = replace(self.state, opener=Opener(place, self.state.hand.cards(place)))

    def _throw(self, before: Any, seat: int, slots: Sequence[int]) -> None:
        """What is thrown away is seen by nobody any more, and proves nothing."""
        opener = self.state.opener
        if opener is not None and not opener.split and self.state.order[opener.place] == seat:
            thrown = {before.table.hands[seat][number - 1] for number in slots}
            names = {card: Unknown(GONE + number) for number, card in enumerate(thrown)}
            self.state = replace(self.state, opener=opener.renamed(names))

    def splits(self, seat: int, slots: Sequence[int]) -> bool:
        """Whether the seat, which has opened, keeps no openers if it throws these cards away."""
        kept = [card for number, card in zip(SLOTS, self.state.table.hands[seat], strict=True) if number not in slots]
        return may_split(self.state, seat) and not has_pair_of_jacks(kept) and bool(slots)

    @property
    def owed(self) -> tuple[Place, ...]:
        """The slots of whoever has won without a showdown, and shows that he has opened with openers."""
        opener, hand = self.state.opener, self.state.hand
        if opener is None or opener.split or hand.phase != "over" or sum(hand.live) > 1 or not hand.live[opener.place]:
            return ()
        return tuple(slot(self.state.order[opener.place], number) for number in SLOTS)

    def expected(self, tray: str) -> dict[Place, list[tuple[Card, bool]]]:
        """Per slot the card that must lie there, and whether face down."""
        shown = self.game.shown(self.state)
        places = (slot(seat, number) for seat in range(len(self.state.table.hands)) for number in SLOTS)
        return {place: [(card, place not in shown)] for place in places if (card := self.state.table.at(place)) is not None}

    def note_seen(self, world: World, scanned: bool = True) -> None:
        """Remember the faces that the cameras have seen; those of open cards only where they are `scanned`.

        A card that people have only named is no proof against one that a camera sees later.
        """
        shown = self.game.shown(self.state)
        for seat, hand in enumerate(self.state.table.hands):
            for number, card in zip(SLOTS, hand, strict=True):
                if card is not None and world.watched[seat] and (scanned or slot(seat, number) not in shown):
                    self.known.add(card)


def right_showdown(truth: Truth, view: View | None) -> bool:
    """Whether the page shows the true winners, and the hands that had to be shown and no others.

    In which order the cards of a hand lie is no matter of the rules: cameras that look seldom do not see who sorts his cards
    right before he turns them over.
    """
    result = truth.game.result(truth.state)
    if result is None or view is None or view.result is None:
        return False
    shows = {place.seat for place in truth.game.to_show(truth.state)}
    hands = tuple(
        tuple(sorted(map(str, hand))) if seat in shows else () for seat, hand in enumerate(truth.state.table.hands)
    )
    found = view.result
    told = (found.order, found.winners, found.categories, found.reason, tuple(tuple(sorted(hand)) for hand in found.hands))
    return told == (result.order, result.winners, result.categories, result.reason, hands)


def right_payout(truth: Truth, view: View | None) -> bool:
    """Whether every seat has got what it has won, to the chip."""
    result = truth.game.result(truth.state)
    if result is None or view is None or view.result is None or view.chips is None:
        return False
    return (view.result.won, view.chips.stacks) == (result.won, result.stacks)
