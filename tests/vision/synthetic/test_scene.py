"""Scenes and conditions: limits, repeatability, refusals."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from companion.cards import Card
from vision.errors import SceneError
from vision.layout import CARD_MM, mat_layout, tray_layout
from vision.synthetic.condition import Condition, condition
from vision.synthetic.scene import DIFFICULTIES, PILE_MM, SLOP_LIMITS, LyingCard, Scene, empty_scene, slop


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_slop_keeps_its_limits_and_uses_them(difficulty):
    rng = np.random.default_rng(1)
    over, away, degrees = SLOP_LIMITS[difficulty]
    drawn = [slop(difficulty, rng) for _ in range(3000)]
    for values, low, high in (
        ([s.dx_mm for s in drawn], -over, away),
        ([s.dy_mm for s in drawn], -over, away),
        ([s.angle_deg for s in drawn], -degrees, degrees),
    ):
        assert low <= min(values) < low * 0.8
        assert high * 0.9 < max(values) <= high


def test_the_limits_are_those_of_the_contract():
    assert SLOP_LIMITS["normal"][1:] == (2.0, 2.0)
    assert SLOP_LIMITS["hard"] == (4.0, 4.0, 6.0)


def test_slop_repeats_from_the_seed():
    assert slop("hard", np.random.default_rng(3)) == slop("hard", np.random.default_rng(3))
    assert slop("hard", np.random.default_rng(3)) != slop("hard", np.random.default_rng(4))


def test_slop_lays_a_card():
    missed = slop("normal", np.random.default_rng(3))
    card = missed.lay(Card.parse("Td"), "up", turned=True)
    assert card == LyingCard(Card.parse("Td"), "up", missed.dx_mm, missed.dy_mm, missed.angle_deg, turned=True)


@pytest.mark.parametrize("make", [slop, condition])
def test_an_unknown_difficulty_is_refused(make):
    with pytest.raises(SceneError, match="'brutal' is no difficulty: expected one of easy, normal, hard") as caught:
        make("brutal", np.random.default_rng(0))
    assert isinstance(caught.value, ValueError)


def test_a_scene_of_another_board_is_refused():
    with pytest.raises(SceneError, match="a scene for tray needs 9 stacks, one per window; found 5"):
        empty_scene(mat_layout(2)).check(tray_layout())
    empty_scene(tray_layout()).check(tray_layout())


def test_with_stack_changes_one_window_only():
    card = LyingCard(Card.parse("2c"))
    scene = empty_scene(mat_layout(0)).with_stack(3, (card,))
    assert scene.stacks == ((), (), (), (card,), ())


def test_scenes_are_values_whose_repr_rebuilds_them():
    scene = Scene(((LyingCard(Card.parse("2c"), dx_mm=1.5),), (LyingCard("joker", "up"),)), pile=3)
    assert eval(repr(scene), {"Scene": Scene, "LyingCard": LyingCard, "Card": Card}) == scene
    with pytest.raises(dataclasses.FrozenInstanceError):
        scene.pile = 4  # type: ignore[misc]


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_conditions_repeat_from_the_seed(difficulty):
    first, second = (condition(difficulty, np.random.default_rng(9)) for _ in range(2))
    assert isinstance(first, Condition) and first == second and first.difficulty == difficulty


def test_hard_is_harder_than_normal_in_every_respect():
    rng = np.random.default_rng(2)
    for _ in range(50):
        normal, hard = condition("normal", rng), condition("hard", rng)
        assert hard.noise > normal.noise and hard.blur_px > normal.blur_px and hard.drift > normal.drift
        assert max(spot.strength for spot in hard.hot_spots) > max(spot.strength for spot in normal.hot_spots)
        assert hard.drops > 0 == normal.drops
        assert hard.jpeg is not None and normal.jpeg is None


def test_the_pile_lies_beside_the_last_outline():
    layout = tray_layout()
    for window in layout.windows:
        apart_x = window.x + CARD_MM[0] <= PILE_MM.x
        apart_y = window.y + CARD_MM[1] <= PILE_MM.y
        assert apart_x or apart_y
    extent = layout.extent
    assert PILE_MM.x + PILE_MM.width < extent.x + extent.width
    assert PILE_MM.y + PILE_MM.height < extent.y + extent.height
