"""What is measured of an empty board: every spoilt thing shows in its own figure, and in no other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.errors import RegistrationError
from vision.inspection import BoardFacts, inspect
from vision.layout import Layout, mat_layout
from vision.synthetic.condition import Condition, condition
from vision.synthetic.decks import STYLES, draw_deck
from vision.synthetic.optics import BoardCamera
from vision.synthetic.scene import empty_scene

LAYOUT = mat_layout(0)
GOOD = condition("easy", np.random.default_rng(1))


def facts(state: Condition = GOOD, painted: Layout = LAYOUT, layout: Layout = LAYOUT) -> BoardFacts:
    camera = BoardCamera(painted, draw_deck(STYLES[0]), 4, state)
    return inspect([camera.render(empty_scene(painted), number / 10) for number in range(4)], layout)


def test_a_good_board() -> None:
    found = facts()
    assert len(found.markers) == 8 and found.missing == ()
    assert max(marker.error_mm for marker in found.markers) < 0.15
    assert found.edge_px < 0.8
    assert 215 < found.white < 245
    assert found.unevenness < 0.05
    assert found.noise < 2 and found.flicker < 0.01
    assert found.px_per_mm == pytest.approx(5.0, abs=0.2)
    assert max(found.stray) < 0.4


@pytest.mark.parametrize("blur", [0.8, 1.2, 1.6])
def test_blur_is_measured_in_pixels(blur: float) -> None:
    assert facts(replace(GOOD, blur_px=blur)).edge_px == pytest.approx(np.hypot(blur, 0.45), abs=0.2)


def test_noise_light_and_stray_light_are_measured() -> None:
    assert facts(replace(GOOD, noise=8.0)).noise == pytest.approx(8.0, rel=0.25)
    assert facts(replace(GOOD, exposure=0.4)).white == pytest.approx(0.4 * facts().white, rel=0.05)
    assert facts(replace(GOOD, lamp=(0.6, 0.0))).unevenness > 0.25
    assert min(facts(replace(GOOD, stray=1.0)).stray) > 0.5


def test_a_marker_aside_is_found_and_the_others_are_not_blamed() -> None:
    wrong = LAYOUT.markers[3]
    moved = replace(wrong, square=replace(wrong.square, x=wrong.square.x + 0.8))
    found = facts(painted=replace(LAYOUT, markers=(*LAYOUT.markers[:3], moved, *LAYOUT.markers[4:])))
    errors = {marker.id: marker.error_mm for marker in found.markers}
    assert errors[wrong.id] == pytest.approx(0.8, abs=0.25)
    assert max(error for id_, error in errors.items() if id_ != wrong.id) < 0.4


def test_a_marker_that_is_not_there_is_missing() -> None:
    found = facts(painted=replace(LAYOUT, markers=LAYOUT.markers[1:]))
    assert found.missing == (LAYOUT.markers[0].id,)


def test_another_board_cannot_be_measured() -> None:
    with pytest.raises(RegistrationError, match="this is another board"):
        facts(painted=mat_layout(1))
