"""What a model says of windows, set against what they show; numbers only, whoever made the windows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.cards import DECK

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Counts of windows."""

    right: int
    """Readable cards that were named."""
    wrong: int
    """Readable cards that were given another name."""
    unknown: int
    """Readable cards that were not named."""
    others: int = 0
    """Windows in which no readable card lies."""
    named: int = 0
    """Those of them that were given the name of a card that does not lie there."""

    @property
    def cards(self) -> int:
        return self.right + self.wrong + self.unknown


@dataclass(frozen=True, slots=True)
class Claims:
    """What a model says of windows whose truth is beyond argument."""

    truth: NDArray[np.int64]
    """The card's index in the deck, -1 where no readable card is."""
    found: NDArray[np.int64]
    """The surest label."""
    sure: NDArray[np.float32]
    """Its probability."""
    guess: NDArray[np.int64]
    """The surest card, whatever else the window may be."""
    lies: NDArray[np.int64]
    """The card that lies there, readable or not; -1 where none does, or so little of it shows that its name is luck."""
    groups: NDArray[np.int64]
    """Which design, or which kind of thing, a window shows."""
    modes: NDArray[np.int64]
    """How it was made."""

    def outcome(self, threshold: float, only: Flags | None = None) -> Outcome:
        """Right, wrong, unknown of the cards that `only` picks, and how many of the rest were misnamed."""
        pick = np.ones(len(self.truth), bool) if only is None else only
        cards, named = (self.truth >= 0) & pick, (self.found < len(DECK)) & (self.sure >= threshold)
        right = self.found == self.truth
        others = pick & ~cards
        misnamed = others & named & (self.found != self.lies)
        counts = (cards & named & right, cards & named & ~right, cards & ~named, others, misnamed)
        return Outcome(*(int(part.sum()) for part in counts))

    def honesty(self, steps: int = 10, fewest: int = 5) -> list[tuple[float, float, int]]:
        """Claims of cards sorted by their probability: mean probability, share that is right, how many there are."""
        named = self.found < len(DECK)
        bins = np.minimum((self.sure * steps).astype(int), steps - 1)
        result = []
        for number in range(steps):
            inside = named & (bins == number)
            if inside.sum() >= fewest:
                right = float((self.found == self.lies)[inside].mean())
                result.append((float(self.sure[inside].mean()), right, int(inside.sum())))
        return result

    def gap(self) -> float:
        """Expected calibration error of claims of cards: mean distance between probability and share that is right."""
        parts = self.honesty(fewest=1)
        return sum(abs(claimed - right) * count for claimed, right, count in parts) / max(1, sum(part[2] for part in parts))

    def confusion(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """13 x 13 ranks and 4 x 4 suits of the readable cards: what lies there, and the surest card."""
        ranks, suits = np.zeros((13, 13), np.int64), np.zeros((4, 4), np.int64)
        cards = self.truth >= 0
        np.add.at(ranks, (self.truth[cards] % 13, self.guess[cards] % 13), 1)
        np.add.at(suits, (self.truth[cards] // 13, self.guess[cards] // 13), 1)
        return ranks, suits
