"""Right, wrong and unknown on held-out designs; temperature and the threshold below which nothing is claimed."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from models.training.augment import CARD, Batch
from models.training.net import CardNet


@dataclass(frozen=True, slots=True)
class Scores:
    """What a net says of windows whose truth is beyond argument."""

    rank: Tensor
    suit: Tensor
    kind: Tensor
    batch: Batch


@dataclass(frozen=True, slots=True)
class Tally:
    """Shares of the readable cards that were read right, read wrong, not read; and of the other windows that were misnamed.

    A card that is called unreadable and read right all the same is not misnamed.
    """

    right: float
    wrong: float
    unknown: float
    named: float


def scores_of(net: CardNet, batches: list[Batch]) -> Scores:
    """Run the net over batches; windows without weight are left out."""
    net.eval()
    kept, answers = [], []
    with torch.no_grad():
        for batch in batches:
            clear = batch.weights > 0
            answers.append(net(batch.windows[clear].float()))
            kept.append([part[clear] for part in (batch.windows[:, :1, :1, :1], batch.kinds, batch.ranks, batch.suits,
                                                  batch.weights, batch.groups, batch.modes, batch.told)])
    whole = Batch(*(torch.cat(parts) for parts in zip(*kept, strict=True)))
    return Scores(*(torch.cat(parts) for parts in zip(*answers, strict=True)), whole)


def temperatures(scores: Scores) -> tuple[float, float, float]:
    """For rank, suit and kind, the temperature that makes the probabilities of the 57 labels most likely.

    Those of rank and suit count only where the label is a card.
    """
    batch = scores.batch
    card = batch.kinds == CARD
    return (
        _best_temperature(scores.rank[card], batch.ranks[card]),
        _best_temperature(scores.suit[card], batch.suits[card]),
        _best_temperature(scores.kind, batch.kinds),
    )


def _best_temperature(scores: Tensor, truth: Tensor) -> float:
    tried = [0.5 * 1.06**i for i in range(40)]
    return min(tried, key=lambda t: float(functional.cross_entropy(scores / t, truth)))


def confidence(scores: Scores, heat: tuple[float, float, float]) -> tuple[Tensor, Tensor, Tensor]:
    """The surest card of each window: its probability, rank and suit; probability 0 where another kind is surer."""
    rank, suit, kind = ((part / t).softmax(dim=1) for part, t in zip((scores.rank, scores.suit, scores.kind), heat, strict=True))
    sure = rank.max(dim=1).values * suit.max(dim=1).values * kind[:, CARD]
    others = kind[:, CARD + 1 :].max(dim=1).values
    return torch.where(sure > others, sure, 0.0), rank.argmax(dim=1), suit.argmax(dim=1)


def tally(scores: Scores, heat: tuple[float, float, float], threshold: float, only: Tensor | None = None) -> Tally:
    """Shares at a threshold, of all windows or of those that `only` picks."""
    sure, rank, suit = confidence(scores, heat)
    batch = scores.batch
    pick = torch.ones_like(batch.kinds, dtype=torch.bool) if only is None else only
    card, claimed = (batch.kinds == CARD) & pick, sure >= threshold
    right = (rank == batch.ranks) & (suit == batch.suits)
    cards, others = max(1, int(card.sum())), max(1, int(((batch.kinds != CARD) & pick).sum()))
    return Tally(
        int((card & claimed & right).sum()) / cards,
        int((card & claimed & ~right).sum()) / cards,
        int((card & ~claimed).sum()) / cards,
        int((~card & pick & claimed & ~(right & (batch.told > 0))).sum()) / others,
    )


def choose_threshold(scores: Scores, heat: tuple[float, float, float], wrong: float = 0.001) -> float:
    """The lowest threshold at which at most `wrong` of the cards are misread and as much of the rest is misnamed.

    The windows are far worse than those of a mat: a frame of a mat is misread at such a threshold ten times less often.
    """
    for step in range(40, 99):
        found = tally(scores, heat, step / 100)
        if found.wrong <= wrong and found.named <= wrong:
            return step / 100
    return 0.99
