"""Rendered photographs: their truth, their variety, their repeatability."""

from __future__ import annotations

import numpy as np
import pytest

from companion.cards import Card
from tests.photographs import deck
from vision.synthetic.exposure import exposed
from vision.synthetic.grounds import GROUNDS, finished, ground
from vision.synthetic.noncards import KINDS, noncards
from vision.synthetic.photographs import SCENES, Print, photograph

CARDS = ("Ah", "7c", "Qd", "2s", "Tc")


def prints() -> list[Print]:
    return [Print(deck().face(Card.parse(card)), Card.parse(card)) for card in CARDS]


@pytest.mark.parametrize("scene", SCENES)
def test_every_card_of_a_scene_is_accounted_for_once(scene: str) -> None:
    for seed in range(6):
        shot = photograph(np.random.default_rng(seed), prints(), scene)
        told = [str(card) for card in (*shot.readable, *shot.hidden)]
        expected = CARDS if scene in ("several", "fan") else CARDS[:1]
        assert sorted(told) == sorted(expected)
        assert shot.image.dtype == np.uint8
        assert min(shot.image.shape[:2]) >= 120


def test_a_fan_covers_some_indices_and_never_the_last_cards() -> None:
    hidden = 0
    for seed in range(12):
        shot = photograph(np.random.default_rng(seed), prints(), "fan")
        hidden += len(shot.hidden)
        assert shot.readable
    assert 0 < hidden < 12 * len(CARDS) / 2


def test_the_same_seed_gives_the_same_photograph_and_another_one_does_not() -> None:
    first, again, other = (photograph(np.random.default_rng(seed), prints(), "several").image for seed in (4, 4, 5))
    assert np.array_equal(first, again)
    assert first.shape != other.shape or not np.array_equal(first, other)


def test_what_is_no_card_has_no_truth() -> None:
    shot = photograph(np.random.default_rng(1), [Print(deck().back(), None)] * 3, "several")
    assert shot.readable == shot.hidden == ()


@pytest.mark.parametrize("kind", GROUNDS)
def test_grounds_fill_the_picture_and_differ(kind: str) -> None:
    one, other = (finished(GROUNDS[kind](np.random.default_rng(seed), (90, 60))) for seed in (1, 2))
    assert one.shape == other.shape == (60, 90, 3)
    assert not np.array_equal(one, other)
    assert ground(np.random.default_rng(3), (50, 40)).shape == (40, 50, 3)


def test_exposure_keeps_the_size_and_changes_the_light() -> None:
    canvas = np.full((80, 120, 3), 200, np.float32)
    levels = {int(exposed(np.random.default_rng(seed), canvas, rough=True).mean()) for seed in range(8)}
    assert len(levels) > 4
    assert exposed(np.random.default_rng(1), canvas, rough=False).shape == canvas.shape


def test_there_are_sixty_pictures_without_cards() -> None:
    assert len(KINDS) * 8 >= 60
    drawn = list(noncards(1, 1))
    assert [kind for kind, _ in drawn] == list(KINDS)
    assert all(picture.dtype == np.uint8 and min(picture.shape[:2]) >= 120 for _, picture in drawn)
