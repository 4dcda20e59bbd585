"""Windows of the renderer's mats and trays, and what is said to be true of them."""

from __future__ import annotations

import numpy as np
import pytest

from companion.cards import DECK, Mark
from models.training.rendered import _named, joined, render_trays, render_windows
from vision.classifier import LABELS
from vision.layout import WINDOW_PX
from vision.synthetic.decks import draw_deck
from vision.synthetic.scene import LyingCard
from vision.synthetic.styles import STYLES

EMPTY = LABELS.index(Mark.EMPTY)
STYLE = STYLES[0]


@pytest.fixture(scope="module")
def art():
    return draw_deck(STYLE)


def test_a_tray_without_cards_is_nine_empty_windows(art) -> None:
    trays = render_trays(STYLE, art, "normal", np.random.default_rng(1), 2, empty=1.0)
    assert trays.patches.shape == (18, WINDOW_PX[1], WINDOW_PX[0], 3)
    assert set(trays.truth) == {EMPTY}
    assert trays.sure.all()


def test_cards_on_a_tray_lie_face_up(art) -> None:
    full = render_trays(STYLE, art, "normal", np.random.default_rng(2), 1, empty=0.0)
    bare = render_trays(STYLE, art, "normal", np.random.default_rng(2), 1, empty=1.0)
    assert (full.truth < 52).all()
    assert len(set(full.truth)) > 1
    assert full.patches.mean() > bare.patches.mean() + 30, "paper is brighter than the cloth"


def test_trays_of_the_hardest_kind_have_cloths_of_their_own(art) -> None:
    hard = render_trays(STYLE, art, "hard", np.random.default_rng(3), 8, empty=1.0)
    colours = hard.patches.reshape(8, -1, 3).mean(axis=1)
    assert np.ptp(colours, axis=0).max() > 25


def test_mats_and_trays_are_joined(art) -> None:
    rng = np.random.default_rng(4)
    both = joined([render_windows(STYLE, art, "normal", rng, 1), render_trays(STYLE, art, "normal", rng, 1)])
    assert len(both.patches) == len(both.truth) == len(both.sure) == 5 + 9
    assert joined([]).patches.shape == (0, WINDOW_PX[1], WINDOW_PX[0], 3)


def test_a_suit_that_is_cut_off_below_may_still_tell_which_it_is() -> None:
    card, rank = DECK[20], (2.0, 3.0, 12.0, 15.0)
    laid = LyingCard(card)
    assert _named(card, laid, (rank, (2.0, 22.0, 12.0, 42.0))) == (card, True), "ten of twenty millimetres"
    assert _named(card, laid, (rank, (2.0, 29.0, 12.0, 35.0))) == (Mark.UNREADABLE, True), "three of six"
