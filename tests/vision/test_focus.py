"""How far windows are smeared, and the print brought back."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.cards import Card
from tests.photographs import deck
from vision.classifier import Patches
from vision.focus import BLURRED_PX, MOST_PX, refocused, smear_px


def windows(blur: float) -> Patches:
    """The corners of three cards, 16 x 32 mm at three pixels a millimetre, smeared by so many pixels."""
    faces = [deck().face(Card.parse(card))[:256, :128] for card in ("7s", "Qd", "Tc")]
    small = [cv2.resize(face, (48, 96), interpolation=cv2.INTER_AREA) for face in faces]
    return np.stack([cv2.GaussianBlur(patch, (0, 0), blur) if blur else patch for patch in small]).astype(np.uint8)


@pytest.mark.parametrize("blur", [1.5, 2.0, 2.5, 3.0, 4.0])
def test_the_smear_is_measured_to_a_tenth(blur: float) -> None:
    assert smear_px(windows(blur)) / np.hypot(blur, 0.6) == pytest.approx(np.ones(3), abs=0.1)


def test_sharp_windows_are_left_alone() -> None:
    sharp = windows(0)
    assert (smear_px(sharp) < BLURRED_PX).all()
    assert np.array_equal(refocused(sharp), sharp)


@pytest.mark.parametrize("blur", [1.8, 2.4, 3.0])
def test_refocused_print_is_nearer_to_the_sharp_one(blur: float) -> None:
    sharp, blurred = windows(0).astype(float), windows(blur)
    mended = refocused(blurred)
    assert (smear_px(mended) < 0.85 * smear_px(blurred)).all()
    before, after = (np.abs(one.astype(float) - sharp).mean(axis=(1, 2, 3)) for one in (blurred, mended))
    assert (after < 0.9 * before).all()


def test_what_is_smeared_beyond_measure_is_undone_only_so_far() -> None:
    lost = np.stack([cv2.GaussianBlur(patch, (0, 0), 9.0) for patch in windows(0)]).astype(np.uint8)
    assert (smear_px(lost) > MOST_PX).all()
    assert (smear_px(refocused(lost)) > BLURRED_PX).all()


def test_blank_paper_and_no_windows_at_all() -> None:
    blank = np.full((2, 96, 48, 3), 230, np.uint8)
    assert np.array_equal(refocused(blank), blank)
    assert refocused(blank[:0]).shape == (0, 96, 48, 3)
