"""How looks at one candidate are weighed against each other, with classifiers that say what a test wants."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

import vision.cardfinder as finder
from companion.cards import DECK, Card
from tests.photographs import Laid, cloth, lay
from vision.cardfinder import MOST_BLURRED, REFOCUSED, RIVAL, UNDECIDED, _agreed, _Eyes, find_cards
from vision.classifier import LABELS, Patches, Reading
from vision.corners import WINDOW_SIZES, Pyramid, corner_window
from vision.evidence import weigh
from vision.paper import on_white_paper
from vision.sorting import FoundCard


def saying(*claims: tuple[str, float]) -> Reading:
    """One row for each claim; the rest of the probability goes to nothing readable."""
    rows = np.zeros((len(claims), len(LABELS)), np.float32)
    for row, (card, share) in zip(rows, claims, strict=True):
        row[DECK.index(Card.parse(card))] = share
        row[-2] = 1 - share
    return rows


class Saying:
    """Reads the windows of one place in turn as the claims, whatever they show."""

    def __init__(self, *claims: tuple[str, float]) -> None:
        self._rows = saying(*claims)
        self.min_confidence = 0.9

    def classify(self, patches: Patches) -> Reading:
        return self._rows[np.arange(len(patches)) % len(self._rows)]


def one_card() -> np.ndarray:
    return lay(cloth(640, 600), [Laid("Kh", (320, 300), 8, 4.0)])


def test_the_surest_window_is_chosen_and_its_rival_is_told() -> None:
    corners = Laid("Kh", (320, 300), 0, 4.0).corners()
    place = tuple(corner_window(corners, size) for size in WINDOW_SIZES)
    eyes = _Eyes(Pyramid(one_card()), Saying(("8s", 0.87), ("Ts", 0.93), ("9s", 0.2)))
    (glance,) = eyes.glance([place], on_white_paper)
    assert glance.window is place[1]
    assert glance.share == pytest.approx(0.93)
    assert glance.rival == pytest.approx(0.87)


@pytest.mark.parametrize("other", [RIVAL + 0.2, RIVAL - 0.2])
def test_windows_that_contradict_each_other_name_no_card(other: float) -> None:
    found = find_cards(one_card(), Saying(("8s", 0.99), ("8s", 0.99), ("Ts", other)))
    assert found
    if other > RIVAL:
        assert all(card.confidence <= UNDECIDED for card in found)
    else:
        assert any(card.sure for card in found)


def found(card: str, share: float, at: float = 0.0) -> FoundCard:
    corners = np.float32([(at, 0), (at + 60, 0), (at + 60, 90), (at, 90)])
    places = saying((card, share), (card, share))
    return FoundCard(corners, weigh(places), places, True, 1.0, (at + 30, 45))


def test_refocused_outlines_of_one_place_have_to_agree() -> None:
    alone = found("9s", 0.8)
    assert _agreed([alone])[0].confidence == alone.confidence > UNDECIDED
    quarrel = _agreed([alone, found("3s", 0.8, at=4.0)])
    assert all(card.confidence <= UNDECIDED for card in quarrel)
    apart = _agreed([alone, found("3s", 0.8, at=200.0)])
    assert all(card.confidence > UNDECIDED for card in apart)
    assert _agreed([found("9s", REFOCUSED - 0.05)])[0].confidence <= UNDECIDED
    assert _agreed([]) == []


@pytest.mark.parametrize("blur", [0.6, 2.4])
def test_only_smeared_candidates_are_read_in_focus(blur: float, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []
    refocused: Callable[..., Patches] = finder.refocused

    def counting(patches: Patches, strength: float = 1.0) -> Patches:
        counted.append(len(patches))
        return refocused(patches, strength)

    monkeypatch.setattr(finder, "refocused", counting)
    picture = np.asarray(cv2.GaussianBlur(one_card(), (0, 0), blur * 4.0 / 3), np.uint8)
    find_cards(picture, Saying(("8s", 0.2)))
    assert any(counted) == (blur > 1)
    assert max(counted, default=0) <= MOST_BLURRED * 2 * len(WINDOW_SIZES)
