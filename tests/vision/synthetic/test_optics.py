"""What the cameras deliver: read back with OpenCV and plain comparison, not with our own reader."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.cards import DECK, Card
from vision.errors import SceneError
from vision.layout import CARD_MM, WINDOW_PX, Layout, mat_layout, tray_layout
from vision.synthetic.art import PX_PER_MM
from vision.synthetic.condition import condition
from vision.synthetic.decks import draw_deck, find_style
from vision.synthetic.optics import BoardCamera
from vision.synthetic.scene import (
    DIFFICULTIES,
    PILE_MM,
    HandShadow,
    LooseCard,
    LyingCard,
    Scene,
    empty_scene,
    slop,
)

ART = draw_deck(find_style("club"))
MAT, TRAY = mat_layout(3), tray_layout()
FIVE = tuple(Card.parse(text) for text in ("Kd", "Th", "Ac", "7d", "Qs"))


def camera(layout: Layout = MAT, difficulty: str = "normal", seed: int = 5, art=ART) -> BoardCamera:
    return BoardCamera(layout, art, seed, condition(difficulty, np.random.default_rng(seed)))


def laid(*cards: Card, **how) -> Scene:
    return Scene(tuple((LyingCard(card, **how),) for card in cards))


def rectified(frame: np.ndarray, eye: BoardCamera, window: int) -> np.ndarray:
    """The window as an upright patch of 96 x 48, by the camera's own truth."""
    rect = eye.layout.windows[window]
    right, bottom = rect.x + rect.width, rect.y + rect.height
    corners = np.array([(rect.x, rect.y), (right, rect.y), (right, bottom), (rect.x, bottom)])
    width, height = WINDOW_PX
    goal = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(eye.to_px(corners).astype(np.float32), goal)
    return cv2.warpPerspective(frame, matrix, WINDOW_PX, flags=cv2.INTER_AREA)


def likeness(patch: np.ndarray, card: Card, art=ART) -> float:
    """How well a patch looks like the corner of a card, whatever its small offset."""
    face = cv2.resize(art.face(card), None, fx=3 / PX_PER_MM, fy=3 / PX_PER_MM, interpolation=cv2.INTER_AREA)
    template = face[8:76, 4:34]
    return float(cv2.matchTemplate(patch, template, cv2.TM_CCOEFF_NORMED).max())


def best(patch: np.ndarray, art=ART) -> Card:
    return max(DECK, key=lambda card: likeness(patch, card, art))


def found_markers(frame: np.ndarray) -> set[int]:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100))
    ids = detector.detectMarkers(frame)[1]
    return set() if ids is None else {int(i) for i in ids.ravel()}


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("layout", [MAT, TRAY], ids=lambda layout: layout.name)
def test_all_markers_are_found_where_they_are(layout, difficulty):
    eye = camera(layout, difficulty)
    frame = eye.render(empty_scene(layout), 0.0)
    assert frame.shape == (layout.frame_px[1], layout.frame_px[0], 3) and frame.dtype == np.uint8
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100))
    corners, ids, _ = detector.detectMarkers(frame)
    assert {int(i) for i in ids.ravel()} == {marker.id for marker in layout.markers}
    squares = {marker.id: marker.square for marker in layout.markers}
    for seen, number in zip(corners, ids.ravel(), strict=True):
        square = squares[int(number)]
        truth = eye.to_px(np.array([(square.x + dx * 12, square.y + dy * 12) for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1))]))
        assert np.abs(seen.reshape(4, 2) - truth).max() < 3.0


def test_the_sensor_s_own_picture_is_mirrored():
    eye = camera()
    scene = laid(*FIVE)
    raw = eye.render(scene, 1.0, raw=True)
    assert found_markers(raw).isdisjoint(marker.id for marker in MAT.markers)
    assert np.array_equal(raw[:, ::-1], eye.render(scene, 1.0))
    assert found_markers(raw[:, ::-1]) == {marker.id for marker in MAT.markers}


def test_the_tray_has_no_mirror():
    eye = camera(TRAY)
    scene = empty_scene(TRAY)
    assert np.array_equal(eye.render(scene, 1.0, raw=True), eye.render(scene, 1.0))


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("difficulty", ["easy", "normal"])
def test_each_window_shows_its_card_however_it_is_turned(difficulty, turned):
    rng = np.random.default_rng(8)
    scene = Scene(tuple((slop(difficulty, rng).lay(card, turned=turned),) for card in FIVE))
    eye = camera(difficulty=difficulty)
    frame = eye.render(scene, 0.0)
    # slot 1 is the rightmost window
    assert eye.to_px(np.array([[MAT.windows[0].x, 0.0]]))[0, 0] > eye.to_px(np.array([[MAT.windows[4].x, 0.0]]))[0, 0]
    for window, card in enumerate(FIVE):
        assert best(rectified(frame, eye, window)) == card


def test_a_deck_with_four_indices_shows_one_as_well():
    art = draw_deck(find_style("pocket"))
    eye = camera(art=art)
    frame = eye.render(laid(*FIVE, turned=True), 0.0)
    for window, card in enumerate(FIVE):
        assert best(rectified(frame, eye, window), art) == card


def test_the_lower_of_two_cards_is_seen():
    below, above = FIVE[:2]
    stack = (LyingCard(below, dx_mm=1.0), LyingCard(above, dx_mm=-0.5))
    eye = camera()
    patch = rectified(eye.render(empty_scene(MAT).with_stack(2, stack), 0.0), eye, 2)
    assert best(patch) == below


def test_the_upper_card_sticks_out_behind_the_lower_one():
    eye = camera(difficulty="easy")
    lower = LyingCard(FIVE[0], dy_mm=14.0)
    alone = rectified(eye.render(empty_scene(MAT).with_stack(2, (lower,)), 0.0), eye, 2)
    both = rectified(eye.render(empty_scene(MAT).with_stack(2, (lower, LyingCard(FIVE[2]))), 0.0), eye, 2)
    assert both[5:30].mean() > alone[5:30].mean() + 80
    assert np.abs(both[55:].astype(int) - alone[55:]).mean() < 6


def test_empty_back_and_hand_look_different():
    eye = camera()
    hand = HandShadow(MAT.windows[0].x + 8.0, -5.0)
    scene = Scene(((), (), (LyingCard(FIVE[2], "up"),), (LyingCard("joker"),), ()), hands=(hand,))
    frame = eye.render(scene, 0.0)
    covered, empty, back, joker = (rectified(frame, eye, window).astype(int) for window in (0, 1, 2, 3))
    assert empty.mean() < 110
    # skin: clearly more red than blue
    assert covered[..., 2].mean() > covered[..., 0].mean() + 25
    assert abs(empty[..., 2].mean() - empty[..., 0].mean()) < 25
    assert back[..., 0].mean() > back[..., 2].mean() + 10  # the club deck has a blue back
    assert max(likeness(patch.astype(np.uint8), card) for patch in (covered, empty, back, joker) for card in DECK) < 0.75
    assert joker.mean() > 180


def test_a_hand_lies_behind_a_card_that_lies():
    eye = camera(difficulty="easy")
    hand = HandShadow(MAT.windows[2].x + 8.0, -10.0)
    scene = laid(*FIVE)
    bare, under = eye.render(scene, 0.0), eye.render(replace(scene, hands=(hand,)), 0.0)
    assert np.abs(rectified(bare, eye, 2).astype(int) - rectified(under, eye, 2)).mean() < 3


def test_a_lifted_card_is_darker_and_softer():
    eye = camera(difficulty="easy")
    patches = [rectified(eye.render(laid(*FIVE, lift_mm=lift), 0.0), eye, 2) for lift in (0.0, 8.0, 40.0)]
    brightness = [float(np.percentile(patch, 90)) for patch in patches]
    grey = [cv2.cvtColor(patch[24:78, 8:42], cv2.COLOR_BGR2GRAY) for patch in patches]
    sharpness = [float(cv2.Laplacian(patch / light, cv2.CV_64F).var()) for patch, light in zip(grey, brightness, strict=True)]
    assert brightness[0] > brightness[1] + 15 > brightness[2] + 60
    assert sharpness[0] > sharpness[1] > sharpness[2]


def test_a_card_half_out_leaves_a_part_of_the_window_empty():
    eye = camera()
    patch = rectified(eye.render(laid(*FIVE, slide_mm=16.0), 0.0), eye, 1)
    assert patch[:40, 10:].mean() < 120 < 180 < patch[60:].mean()


def test_motion_smears_along_its_way():
    eye = camera(difficulty="easy")
    still, moved = (
        rectified(eye.render(laid(*FIVE, motion_mm=way), 0.0), eye, 1).astype(float) for way in ((0.0, 0.0), (0.0, 7.0))
    )

    def steps(patch, axis):
        return float(np.abs(np.diff(patch[10:80, 6:42], axis=axis)).mean())

    assert steps(moved, 0) < 0.6 * steps(still, 0)
    assert steps(moved, 0) / steps(still, 0) < 0.8 * steps(moved, 1) / steps(still, 1)


def test_slop_shows_the_card_s_edge():
    eye = camera(difficulty="easy")
    frame = eye.render(laid(*FIVE, dx_mm=3.0), 0.0)
    patch = rectified(frame, eye, 1)
    assert patch[30:80, 1:6].mean() < 120 < 200 < np.percentile(patch[30:80, 12:], 70)


@pytest.mark.parametrize("layout", [MAT, TRAY], ids=lambda layout: layout.name)
@pytest.mark.parametrize("difficulty", ["normal", "hard"])
def test_a_frame_depends_on_scene_and_time_alone(layout, difficulty):
    rng = np.random.default_rng(3)
    side = "down" if layout.mirrored else "up"
    cards = tuple((slop(difficulty, rng).lay(DECK[3 * i], side),) for i in range(len(layout.windows)))
    scene = Scene(cards, pile=0 if layout.mirrored else 20)
    others = (
        scene.with_stack(1, ()),
        scene.with_stack(0, (*cards[1], *cards[0])),
        replace(scene, hands=(HandShadow(140.0, 12.0, 25.0),), pile=19),
        replace(scene, loose=(LooseCard(LyingCard(DECK[50], side, lift_mm=12.0), 60.0, 5.0),)),
        replace(scene, stacks=(*cards[:1], *cards[2:], cards[1])),
    )
    fresh = camera(layout, difficulty).render(scene, 4.2)
    used = camera(layout, difficulty)
    for second, other in enumerate(others):
        used.render(other, float(second))
        assert np.array_equal(used.render(scene, 4.2), fresh)
    assert not np.array_equal(used.render(scene, 4.3), fresh)
    assert not np.array_equal(camera(layout, difficulty, seed=6).render(scene, 4.2), fresh)


def test_a_change_touches_its_own_window_only():
    eye = BoardCamera(MAT, ART, 5, replace(condition("normal", np.random.default_rng(5)), noise=0.0, drift=0.0, white_drift=0.0))
    scene = laid(*FIVE)
    before = eye.render(scene, 0.0)
    after = eye.render(scene.with_stack(4, ()), 0.1)
    changed = np.nonzero((before != after).any(axis=(0, 2)))[0]
    window = MAT.windows[4]
    left, right = eye.to_px(np.array([[window.x, 16.0], [window.x + window.width, 16.0]]))[:, 0]
    assert left - 8 < changed.min() < changed.max() < right + 8


def test_blur_reaches_over_the_rim_of_a_change():
    blurred = replace(condition("normal", np.random.default_rng(5)), noise=0.0, blur_px=3.0)
    scene = laid(*FIVE)
    used = BoardCamera(MAT, ART, 5, blurred)
    used.render(scene, 0.0)
    changed = scene.with_stack(2, ())
    assert np.array_equal(used.render(changed, 1.0), BoardCamera(MAT, ART, 5, blurred).render(changed, 1.0))


def test_noise_differs_from_frame_to_frame_and_the_picture_does_not():
    eye = camera(difficulty="hard")
    eye = BoardCamera(MAT, ART, 5, replace(eye.condition, drift=0.0, white_drift=0.0, jpeg=None))
    scene = laid(*FIVE)
    frames = np.stack([eye.render(scene, 0.1 * i) for i in range(12)]).astype(float)
    middle = frames[:, 100:200, 30:1500]
    assert middle.std(axis=0).mean() == pytest.approx(eye.condition.noise, rel=0.35)
    assert middle.mean(axis=(1, 2, 3)).std() < 0.3


def test_exposure_drifts_slowly():
    eye = camera(difficulty="hard")
    scene = laid(*FIVE)
    means = [float(eye.render(scene, second).mean()) for second in np.arange(0, 60, 4.0)]
    assert 0.05 < (max(means) - min(means)) / np.mean(means) < 0.35
    assert abs(float(eye.render(scene, 0.1).mean()) / means[0] - 1) < 0.02


def test_glare_falls_on_cards_and_not_into_the_empty_window():
    spot = condition("hard", np.random.default_rng(0)).hot_spots[0]
    bright = replace(
        condition("easy", np.random.default_rng(0)),
        hot_spots=(replace(spot, x=0.5, y=0.5, strength=150.0, radius_mm=12.0),),
        noise=0.0,
    )
    plain = replace(bright, hot_spots=())
    kings = laid(*(Card.parse("Ks"),) * 5)

    def added(scene: Scene) -> np.ndarray:
        lit, unlit = (BoardCamera(MAT, ART, 5, how).render(scene, 0.0).astype(int) for how in (bright, plain))
        return lit - unlit

    assert added(kings).max() > 80
    assert np.abs(added(empty_scene(MAT))).max() <= 1


def test_frames_are_dropped_as_often_as_the_condition_says():
    hard = camera(difficulty="hard")
    lost = sum(not hard.delivers(number) for number in range(4000)) / 4000
    assert lost == pytest.approx(hard.condition.drops, abs=0.015)
    again, normal = camera(difficulty="hard"), camera()
    assert [hard.delivers(n) for n in range(200)] == [again.delivers(n) for n in range(200)]
    assert all(normal.delivers(number) for number in range(200))


def test_jpeg_bytes_are_the_frame():
    eye = camera()
    scene = laid(*FIVE)
    packed = eye.jpeg(scene, 0.5)
    assert packed[:2] == b"\xff\xd8"
    unpacked = cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR)
    assert np.abs(unpacked.astype(int) - eye.render(scene, 0.5)).mean() < 4
    assert len(eye.jpeg(scene, 0.5, quality=40)) < len(packed)


def test_a_scene_of_the_wrong_board_is_refused():
    with pytest.raises(SceneError, match="a scene for mat3 needs 5 stacks"):
        camera().render(empty_scene(TRAY), 0.0)


def test_all_nine_places_of_the_row_are_readable_on_the_tray():
    cards = DECK[2:47:5]
    rng = np.random.default_rng(6)
    scene = Scene(tuple((slop("normal", rng).lay(card, "up", turned=i % 2 == 1),) for i, card in enumerate(cards)), pile=20)
    eye = camera(TRAY)
    frame = eye.render(scene, 0.0)
    assert len(cards) == 9
    for window, card in enumerate(cards):
        assert best(rectified(frame, eye, window)) == card


def test_on_the_tray_the_last_card_lies_on_top():
    eye = camera(TRAY)
    stack = (LyingCard(FIVE[0], "up"), LyingCard(FIVE[1], "up"))
    assert best(rectified(eye.render(empty_scene(TRAY).with_stack(4, stack), 0.0), eye, 4)) == FIVE[1]


def area_of(frame: np.ndarray, eye: BoardCamera, x: float, y: float) -> np.ndarray:
    pixels = eye.to_px(np.array([[x, y], [x + CARD_MM[0], y + CARD_MM[1]]])).round().astype(int)
    return frame[pixels[0, 1] : pixels[1, 1], pixels[0, 0] : pixels[1, 0]].astype(int)


def test_the_pile_is_seen_until_it_is_used_up():
    eye = camera(TRAY)
    bare = empty_scene(TRAY)
    full, one, none = (area_of(eye.render(replace(bare, pile=n), 0.0), eye, PILE_MM.x, PILE_MM.y) for n in (40, 1, 0))
    for pile in (full, one):
        assert np.abs(pile - none).mean() > 50
        assert pile[..., 0].mean() > pile[..., 2].mean() + 10  # blue backs


def test_a_face_down_card_on_the_tray_shows_its_back_and_a_hand_covers_what_lies():
    eye = camera(TRAY)
    bare = empty_scene(TRAY)
    face, back = (eye.render(bare.with_stack(0, (LyingCard(FIVE[0], side),)), 0.0) for side in ("up", "down"))
    assert likeness(rectified(face, eye, 0), FIVE[0]) > 0.9
    assert likeness(rectified(back, eye, 0), FIVE[0]) < 0.5
    covered = eye.render(replace(bare.with_stack(0, (LyingCard(FIVE[0], "up"),)), hands=(HandShadow(8.0, -10.0),)), 0.0)
    assert likeness(rectified(covered, eye, 0), FIVE[0]) < 0.6


def test_a_carried_card_hides_what_lies_below_it():
    eye = camera(TRAY)
    scene = empty_scene(TRAY).with_stack(1, (LyingCard(FIVE[0], "up"),))
    window = TRAY.windows[1]
    over = replace(scene, loose=(LooseCard(LyingCard(FIVE[1], "down", lift_mm=30.0), window.x - 20.0, window.y - 20.0),))
    assert likeness(rectified(eye.render(over, 0.0), eye, 1), FIVE[0]) < 0.6


@pytest.mark.parametrize("layout", [MAT, TRAY], ids=["mat", "tray"])
def test_a_camera_that_nobody_needs_any_more_is_gone_at_once_with_its_deck(layout: Layout) -> None:
    """A deck that was drawn takes a hundred megabytes: it must not wait until somebody looks for rings of references."""
    art = draw_deck(find_style("club"))
    eye = camera(layout, art=art)
    eye.render(empty_scene(layout), 0.0)
    eye.render(empty_scene(layout).with_stack(0, (LyingCard(FIVE[0]),)), 0.1)
    gone = [weakref.ref(art), weakref.ref(eye)]
    gc.disable()
    try:
        del art, eye
        assert [each() for each in gone] == [None, None]
    finally:
        gc.enable()
