"""What several windows say together about one card."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.cards import DECK, Card
from vision.classifier import Reading

Odds = NDArray[np.float64]
"""52 probabilities over `DECK`, given that a card shows; they sum to one."""

DOUBT = 0.005
"""Share of windows taken to be misread whatever the classifier says, so that no single one decides alone."""
ONE_SURE = 0.7
"""One place alone has to give so much to a card: both corners show the same print, so what misleads one misleads the other."""
LEAST_LIKELY = 0.001
"""Nobody is offered a card that is less likely than that."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The card that the evidence favours."""

    card: Card
    confidence: float
    """Probability that it is this card and no other, given the evidence."""
    presence: float
    """Largest share that any window gives to there being an index of some card at all."""
    corners: int
    """Windows in different places that name this card by themselves."""


def odds(reading: Reading) -> Odds:
    """Odds over the cards from one reading; what it gives to marks says nothing about which card it is."""
    cards = reading[: len(DECK)].astype(np.float64)
    spread = cards + (1.0 - cards.sum()) / len(DECK)
    return np.asarray((1.0 - DOUBT) * spread / spread.sum() + DOUBT / len(DECK), np.float64)


def joined_odds(places: Reading) -> Odds:
    """What the readings (n x 57) of `n` places on one card give to each card together."""
    logs = np.sum([np.log(odds(reading)) for reading in places], axis=0)
    joined = np.exp(logs - logs.max())
    return np.asarray(joined / joined.sum(), np.float64)


def likeliest(places: Reading, most: int) -> tuple[Card, ...]:
    """At most so many cards that the places may show, the likeliest first; none that is out of the question."""
    joined = joined_odds(places)
    order = np.argsort(-joined, kind="stable")[:most]
    return tuple(DECK[number] for number in order if joined[number] >= LEAST_LIKELY)


def weigh(places: Reading) -> Verdict:
    """Join the readings (n x 57) of `n` places on one card."""
    joined = joined_odds(places)
    best = int(np.argmax(joined))
    alone = float(places[:, best].max())
    confidence = float(joined[best]) if alone >= ONE_SURE else min(float(joined[best]), alone)
    presence = float(places[:, : len(DECK)].sum(axis=1).max())
    agreeing = int(np.count_nonzero((places.argmax(axis=1) == best) & (places[:, best] > 0.5)))
    return Verdict(DECK[best], confidence, presence, agreeing)
