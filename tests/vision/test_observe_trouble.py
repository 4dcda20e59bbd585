"""What the observer says where it cannot see: lost markers, moved boards, dark and frozen pictures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.cards import DECK
from companion.observation import TroubleKind
from tests.vision.session import CARDS
from vision.layout import mat_layout


def test_lost_markers_are_said_and_found_again(session):
    table = session()
    table.settle(CARDS)
    assert table.look(CARDS, hidden=range(8)) == ()
    assert "too few markers" in table.observer.trouble
    table.settle(CARDS, frames=8)
    assert table.observer.trouble is None
    assert table.look(CARDS) == CARDS


def test_a_hand_over_some_markers_does_no_harm(session):
    table = session(recheck_s=0.2)
    table.settle(CARDS)
    for _ in range(10):
        assert table.look(CARDS, hidden=(0, 1, 2, 5, 6)) == CARDS


def test_a_board_that_moved_is_noticed_and_read_in_its_new_place(session):
    table = session()
    table.settle(CARDS)
    assert table.observer.moved_mm is None
    before = table.observer.registration
    table.drawn.shift_mm = (3.0, 1.0)
    seen = table.settle(CARDS, frames=4)
    assert table.observer.moved_mm == pytest.approx(np.hypot(3, 1), abs=0.2)
    assert table.observer.registration is not before
    assert seen == CARDS


def test_a_board_that_creeps_is_followed_by_the_checks(session):
    table = session(recheck_s=0.3)
    table.settle(CARDS)
    for step in range(20):
        table.drawn.shift_mm = (0.04 * step, 0.0)
        assert table.look(CARDS) == CARDS
    assert table.observer.moved_mm is None


def test_a_dark_frame_covers_nothing(session):
    table = session()
    table.settle(CARDS)
    assert table.look(CARDS, gain=0.02) == ()
    assert "dark" in table.observer.trouble
    assert table.look(CARDS) == CARDS
    assert table.observer.trouble is None


def test_a_blinded_frame_covers_nothing(session):
    table = session()
    assert table.look(CARDS, offset=300.0) == ()
    assert "all white" in table.observer.trouble


def test_a_frozen_picture_is_noticed_by_its_times(session):
    table = session(frozen_s=3.0)
    table.settle(CARDS)
    still = table.drawn.frame(1.0, CARDS)
    seen = [table.give(replace(still, time=1.0 + 0.1 * n, number=100 + n)) for n in range(40)]
    assert seen[:30] == [CARDS] * 30
    assert seen[32:] == [()] * 8
    assert "stands still for 4 s" in table.observer.trouble
    table.now = 10.0
    assert table.look(CARDS) != ()


def test_one_frame_repeated_for_ever_is_noticed_without_a_clock(session):
    table = session()
    table.settle(CARDS)
    still = table.drawn.frame(1.0, CARDS)
    assert [table.give(still) for _ in range(80)][-1] == ()
    assert "repeats itself" in table.observer.trouble


def test_rotating_noise_is_no_frozen_picture(session):
    table = session()
    variants = [table.drawn.frame(0.0, CARDS) for _ in range(3)]
    for n in range(100):
        table.give(replace(variants[n % 3], time=0.1 * n, number=n))
        assert table.observer.trouble is None


# What is wrong, in a word ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "kind"),
    [
        ({"gain": 0.02}, TroubleKind.DARK),
        ({"offset": 300.0}, TroubleKind.BRIGHT),
        ({"hidden": range(8)}, TroubleKind.LOST),
        ({"mirrored": True}, TroubleKind.LOST),
    ],
)
def test_every_trouble_has_its_kind_and_goes_away_by_itself(session, how, kind):
    table = session()
    table.settle(CARDS)
    assert table.observer.trouble_kind is None
    seen_until = table.now
    for _ in range(3):
        table.look(CARDS, **how)
        assert table.observer.trouble_kind is kind
        assert table.observer.trouble_since == seen_until
    table.settle(CARDS, frames=8)
    assert table.observer.trouble_kind is None
    assert table.observer.trouble_since == table.now


def test_a_frozen_picture_counts_from_its_first_frame_and_is_noticed_in_time(session):
    table = session()
    table.settle(CARDS)
    still = table.drawn.frame(1.0, CARDS)
    for n in range(19):
        table.give(replace(still, time=1.0 + 0.1 * n, number=100 + n))
    assert table.observer.trouble_kind is TroubleKind.FROZEN
    assert table.observer.trouble_since == 1.0


def test_the_board_that_shows_instead_is_named(session, board):
    table = session()
    table.settle(CARDS)
    stranger = board(mat_layout(3))
    stranger.number = 100
    table.give(stranger.frame(0.7, DECK[30:35]))
    assert (table.observer.trouble_kind, table.observer.other_board) == (TroubleKind.OTHER_BOARD, 3)


def test_a_board_that_was_moved_is_said_for_a_while_although_it_is_read(session):
    table = session()
    table.settle(CARDS)
    table.drawn.shift_mm = (3.0, 1.0)
    kinds = []
    for _ in range(40):
        table.look(CARDS)
        kinds.append(table.observer.trouble_kind)
    assert kinds[0] is TroubleKind.MOVED
    assert 2.0 < 0.1 * kinds.count(TroubleKind.MOVED) < 3.0
    assert kinds[-1] is None
    assert table.observer.moved_mm is None


def test_a_board_that_is_partly_out_of_the_picture_is_not_read(session):
    table = session()
    table.settle(CARDS)
    table.drawn.shift_mm = (30.0, 0.0)
    assert table.settle(CARDS, frames=3) == ()
    assert table.observer.trouble_kind is TroubleKind.ASIDE
    assert "lies outside the picture" in table.observer.trouble
    table.drawn.shift_mm = (0.0, 0.0)
    assert table.settle(CARDS, frames=12) == CARDS
    assert table.observer.trouble_kind is None
