"""Dark, blinded and frozen cameras."""

from __future__ import annotations

import numpy as np
import pytest

from companion.observation import TroubleKind
from vision.frame import Frame
from vision.health import FROZEN_LOOKS, Health


def frame(time, number, level=120, seed=None):
    image = np.full((288, 1536, 3), level, np.int16)
    if seed is not None:
        image += np.random.default_rng(seed).integers(-3, 4, image.shape, np.int16)
    return Frame("mat2", time, number, np.clip(image, 0, 255).astype(np.uint8))


@pytest.mark.parametrize(("level", "words"), [(4, "dark (mean 4"), (254, "all white (mean 254")])
def test_what_cannot_be_read_in_is_said(level, words):
    trouble = Health().trouble(frame(0.0, 1, level))
    assert trouble.startswith("mat2: ")
    assert words in trouble


def test_noise_shows_that_a_camera_lives():
    health = Health(frozen_s=1.0)
    assert [health.trouble(frame(0.1 * n, n, seed=n)) for n in range(50)] == [None] * 50


@pytest.mark.parametrize("frozen_s", [0.5, 2.0])
def test_equal_pictures_are_a_fault_after_a_while(frozen_s):
    health = Health(frozen_s=frozen_s)
    said = [health.trouble(frame(0.1 * n, n, seed=1)) is not None for n in range(40)]
    first = said.index(True)
    assert 0.1 * (first - 1) <= frozen_s < 0.1 * first + 1e-9
    assert all(said[first:])
    assert health.trouble(frame(9.0, 99, seed=2)) is None


def test_equal_pictures_are_a_fault_even_where_time_stands_still():
    health = Health()
    said = [health.trouble(frame(1.0, 1, seed=1)) is not None for _ in range(FROZEN_LOOKS + 2)]
    assert said == [False] * FROZEN_LOOKS + [True] * 2


def test_a_picture_of_another_size_is_another_picture():
    health = Health(frozen_s=0.0)
    health.trouble(frame(0.0, 1))
    small = Frame("mat2", 5.0, 2, np.full((144, 768, 3), 120, np.uint8))
    assert health.trouble(small) is None


def test_slow_cameras_are_given_more_than_one_equal_picture():
    health = Health()
    said = [health.trouble(frame(2.0 * n, n, seed=1)) is not None for n in range(5)]
    assert said == [False, False, True, True, True]
    assert health.kind is TroubleKind.FROZEN
    assert health.same_since == 0.0
