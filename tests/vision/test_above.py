"""Mats from above: one camera, five boards, each found by its own markers however it is turned, and read like any other."""

from functools import cache
from math import hypot

import numpy as np
import pytest

from companion.cards import Card, Mark
from companion.table import SLOTS, above
from vision.calibrate import find_markers, register
from vision.errors import LayoutError, RegistrationError
from vision.frame import Frame
from vision.layout import ABOVE_BOARDS, ABOVE_PX_PER_MM, CARD_MM, above_layout, mat_layout, tray_layout
from vision.observe import Observer
from vision.onnx_classifier import OnnxClassifier
from vision.synthetic.condition import condition
from vision.synthetic.decks import STYLES, draw_deck
from vision.synthetic.optics import BoardCamera
from vision.synthetic.scene import empty_scene, slop

FACES = tuple(Card.parse(text) for text in ("Td", "Qc", "6d", "Ks", "7h"))
FIVE_SEATS = tuple(360.0 * seat / 5 for seat in range(5))
INRADIUS_MM = 250.0
"""From the camera's foot to the far edge of each of five mats of 345 mm that lie in a ring."""


@cache
def art():
    return draw_deck(STYLES[0])


def camera(turn, mat=2, seed=3, difficulty="normal"):
    return BoardCamera(above_layout(mat, turn), art(), seed, condition(difficulty, np.random.default_rng(seed)))


def laid(layout, seed=5):
    """A hidden card in slot 1, open ones in the others, as people lay them."""
    rng, scene = np.random.default_rng(seed), empty_scene(layout)
    for index, face in enumerate(FACES):
        scene = scene.with_stack(index, (slop("normal", rng).lay(face, "up" if index else "down", index % 2 == 1),))
    return scene


def test_five_mats_have_markers_of_their_own_within_the_dictionary():
    boards = [*(mat_layout(mat) for mat in range(6)), tray_layout(), *(above_layout(mat) for mat in range(ABOVE_BOARDS))]
    ids = [marker.id for board in boards for marker in board.markers]
    assert sorted(ids) == list(range(96)), "DICT_4X4_100 has no more than a hundred"
    with pytest.raises(LayoutError) as refused:
        above_layout(5)
    assert str(refused.value) == "from above the mats 0 to 4 are told apart; found 5"


def test_no_marker_lies_under_a_card_and_everything_lies_in_the_picture():
    layout = above_layout(0)
    right, bottom = 4 * 69.0 + CARD_MM[0], CARD_MM[1]
    for marker in layout.markers:
        square = marker.square
        apart = square.x >= right + 4 or square.x + square.width <= -4 or square.y >= bottom + 4 or square.y + square.height <= -4
        assert apart, marker
    for rect in (*layout.windows, *(marker.square for marker in layout.markers)):
        assert layout.extent.x < rect.x and rect.x + rect.width < layout.extent.x + layout.extent.width
        assert layout.extent.y < rect.y and rect.y + rect.height < layout.extent.y + layout.extent.height


def test_five_mats_in_a_ring_fit_into_what_the_camera_sees():
    """Decision 0037: 760 mm are seen on the short side, so windows and markers have to lie within 380 mm of the foot."""
    layout = above_layout(0)
    middle = (4 * 69.0 + CARD_MM[0]) / 2
    corners = [
        (x - middle, INRADIUS_MM + 22.0 + y)
        for rect in (*layout.windows, *(marker.square for marker in layout.markers))
        for x in (rect.x, rect.x + rect.width) for y in (rect.y, rect.y + rect.height)
    ]  # fmt: skip
    assert max(hypot(x, y) for x, y in corners) < 760.0 / 2
    assert pytest.approx(2592 / 760.0, abs=0.02) == ABOVE_PX_PER_MM


@pytest.mark.parametrize("turn", FIVE_SEATS)
def test_the_picture_is_large_enough_for_the_turned_mat(turn):
    layout = above_layout(1, turn)
    eye = camera(turn, mat=1)
    corners = [
        (x, y) for rect in layout.windows for x in (rect.x, rect.x + rect.width) for y in (rect.y, rect.y + rect.height)
    ]
    pixels = eye.to_px(np.array(corners))
    assert pixels.min() > 0 and (pixels < layout.frame_px).all()
    # Clockwise as the seats are counted: what is up on the mat points to the right a quarter of a turn later.
    up = np.diff(eye.to_px(np.array([(0.0, 30.0), (0.0, 0.0)])), axis=0)[0]
    off = (np.degrees(np.arctan2(up[0], -up[1])) - turn + 180) % 360 - 180
    assert off == pytest.approx(0.0, abs=2.0)


@pytest.mark.parametrize("turn", [0.0, 144.0])
def test_open_cards_are_read_and_hidden_ones_show_backs(turn):
    eye = camera(turn)
    observer = Observer(eye.layout, [above(2, number) for number in SLOTS], OnnxClassifier.load())
    scene = laid(eye.layout)
    for number in range(1, 9):
        frame = Frame("above2", number / 5, number, eye.render(scene, number / 5))
        seen = observer.observe(frame)
    registration = observer.registration
    assert registration is not None and registration.error_mm < 0.3
    assert registration.px_per_mm() == pytest.approx(ABOVE_PX_PER_MM, rel=0.03)
    assert [sighting.seen for sighting in seen.sightings] == [Mark.BACK, *FACES[1:]]


def test_another_mat_in_the_picture_is_not_taken_for_this_one():
    picture = camera(0.0, mat=1).render(empty_scene(above_layout(1)), 0.1)
    assert len(find_markers(picture)) == 8
    with pytest.raises(RegistrationError) as refused:
        register(picture, above_layout(2))
    assert refused.value.board == 8
