"""Temperatures and the threshold, from scores whose answer is known."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'viewmat[train]'")

from models.training.augment import CARD, UNREADABLE, Batch  # noqa: E402
from models.training.measure import Scores, choose_threshold, tally, temperatures  # noqa: E402

COOL = (1.0, 1.0, 1.0)


def made(sure: list[float], right: list[bool], kinds: list[int], told: list[float]) -> Scores:
    """Windows of the two of clubs; `sure` is the probability of the rank that is named, the two or (not right) the three."""
    count = len(sure)
    rank, suit, kind = torch.full((count, 13), -40.0), torch.full((count, 4), -40.0), torch.full((count, 6), -40.0)
    suit[:, 0] = kind[:, CARD] = 0.0
    for i, (share, well) in enumerate(zip(sure, right, strict=True)):
        named, rest = torch.tensor([share, 1 - share]).clamp(min=1e-9).log()
        rank[i, 0], rank[i, 1] = (named, rest) if well else (rest, named)
    zeros = torch.zeros(count, dtype=torch.long)
    batch = Batch(zeros, torch.tensor(kinds), zeros, zeros, torch.ones(count), zeros, zeros, torch.tensor(told))
    return Scores(rank, suit, kind, batch)


def test_a_tally_counts_shares() -> None:
    scores = made([0.9, 0.9, 0.6, 0.9], [True, False, True, True], [CARD] * 3 + [UNREADABLE], [1.0, 1.0, 1.0, 0.0])
    found = tally(scores, COOL, 0.8)
    assert (found.right, found.wrong, found.unknown, found.named) == pytest.approx((1 / 3, 1 / 3, 1 / 3, 1.0))


@pytest.mark.parametrize(("right", "told", "misnamed"), [(True, 0.5, 0.0), (False, 0.5, 1.0), (True, 0.0, 1.0)])
def test_a_spoilt_card_is_misnamed_only_by_another_name(right: bool, told: float, misnamed: float) -> None:
    scores = made([0.9, 0.9], [True, right], [CARD, UNREADABLE], [1.0, told])
    assert tally(scores, COOL, 0.8).named == misnamed


def test_the_threshold_is_the_lowest_that_keeps_mistakes_rare() -> None:
    """Of a thousand cards five are misread with 0.8; of a thousand others nothing is named."""
    scores = made([0.95] * 995 + [0.8] * 5, [True] * 995 + [False] * 5, [CARD] * 1000, [1.0] * 1000)
    assert choose_threshold(scores, COOL, wrong=0.003) == pytest.approx(0.81)
    assert choose_threshold(scores, COOL, wrong=0.005) == pytest.approx(0.4)


def test_boasting_is_cooled() -> None:
    """0.99 is claimed and eight of ten are right: the temperature brings it down."""
    scores = made([0.99] * 100, [True] * 80 + [False] * 20, [CARD] * 100, [1.0] * 100)
    heat, _, _ = temperatures(scores)
    claimed = float((scores.rank[0] / heat).softmax(dim=0).max())
    assert heat > 1 and claimed == pytest.approx(0.8, abs=0.03)


def test_spoilt_cards_do_not_change_the_temperature() -> None:
    spoilt = made([0.99] * 100, [True] * 80 + [False] * 20, [CARD] * 80 + [UNREADABLE] * 20, [1.0] * 80 + [0.5] * 20)
    assert temperatures(spoilt)[0] < 1
