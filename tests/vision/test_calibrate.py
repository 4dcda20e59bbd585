"""Registration against a camera model of its own (cv2.projectPoints), through perspective and a bent lens."""

from __future__ import annotations

import numpy as np
import pytest

from companion.cards import DECK, Mark
from vision.calibrate import Lens, find_markers, marker_corners_mm, register
from vision.errors import RegistrationError
from vision.layout import mat_layout, tray_layout

CARDS = DECK[3:8]
ROW = (*DECK[10:14], Mark.EMPTY, *DECK[20:22], Mark.EMPTY, Mark.EMPTY)


def window_error_mm(board, registration):
    """The largest distance between truth and registration over the corners of all windows."""
    corners = np.array(
        [[w.x + dx * w.width, w.y + dy * w.height] for w in board.layout.windows for dx in (0, 1) for dy in (0, 1)], float
    )
    miss = np.linalg.norm(registration.to_px(corners) - board.project(corners), axis=1)
    return miss.max() / registration.px_per_mm()


@pytest.mark.parametrize("tilt", [(0.0, 0.0), (0.08, -0.06), (-0.1, 0.1)])
@pytest.mark.parametrize("k1", [0.0, -0.08, 0.05])
def test_windows_are_found_through_perspective_and_a_bent_lens(board, tilt, k1):
    drawn = board(mat_layout(2), tilt=tilt, k1=k1)
    registration = register(drawn.frame(0.0, CARDS, noise=4.0).image, drawn.layout)
    assert len(registration.found) == 8
    assert registration.error_mm < 0.15
    assert window_error_mm(drawn, registration) < 0.5


def test_the_tray_is_found(board):
    drawn = board(tray_layout(), tilt=(0.15, 0.08), k1=-0.05)
    registration = register(drawn.frame(0.0, ROW).image, drawn.layout)
    assert window_error_mm(drawn, registration) < 0.5


@pytest.mark.parametrize("hidden", [(0, 1), (6, 7), (0, 3, 4), (1, 2, 5, 6)])
def test_some_markers_may_be_hidden(board, hidden):
    drawn = board(mat_layout(0))
    registration = register(drawn.frame(0.0, CARDS, hidden=hidden).image, drawn.layout)
    assert registration.found == tuple(i for i in range(8) if i not in hidden)
    assert window_error_mm(drawn, registration) < 1.2


def test_a_known_lens_steadies_the_fit_when_most_markers_are_hidden(board):
    drawn = board(mat_layout(0), k1=-0.1)
    lens = register(drawn.frame(0.0, CARDS).image, drawn.layout).lens
    few = register(drawn.frame(0.1, CARDS, hidden=(0, 1, 3, 5, 6)).image, drawn.layout, lens)
    assert few.lens is lens
    assert window_error_mm(drawn, few) < 1.2


def test_a_mirrored_picture_is_refused_with_the_reason(board):
    drawn = board(mat_layout(1))
    with pytest.raises(RegistrationError, match=r"mat1: the picture is mirrored.*undone once"):
        register(drawn.frame(0.0, CARDS, mirrored=True).image, drawn.layout)


def test_another_board_is_named(board):
    drawn = board(mat_layout(3))
    with pytest.raises(RegistrationError, match=r"mat1: this is another board \(its markers: 24\.\.\).*8\.\.15"):
        register(drawn.frame(0.0, CARDS).image, mat_layout(1))


@pytest.mark.parametrize(("hidden", "found"), [(range(8), "none"), (range(2, 8), "0, 1")])
def test_too_few_markers_are_listed(board, hidden, found):
    drawn = board(mat_layout(0))
    with pytest.raises(RegistrationError, match=rf"too few markers: expected at least 3 .*0\.\.7, found {found}$"):
        register(drawn.frame(0.0, CARDS, hidden=tuple(hidden)).image, drawn.layout)


def test_a_marker_in_the_wrong_place_is_left_out(board):
    drawn = board(mat_layout(0))
    frame = drawn.frame(0.0, CARDS)
    truth = register(frame.image, drawn.layout)
    square = next(m.square for m in drawn.layout.markers if m.id == 4)
    corners = drawn.project(np.array([[square.x - 2, square.y - 1], [square.x + 14, square.y + 13]], float)).astype(int)
    (left, top), (right, bottom) = corners
    frame.image[top:bottom, left:right] = np.roll(frame.image[top:bottom, left:right], (12, 10), axis=(0, 1))
    shifted = find_markers(frame.image)
    assert 4 not in shifted or truth.shift_mm({4: shifted[4]}) > 1.0
    registration = register(frame.image, drawn.layout)
    assert 4 not in registration.found
    assert window_error_mm(drawn, registration) < 0.6


def test_marker_corners_are_clockwise_from_the_top_left():
    marker = mat_layout(0).markers[0]
    corners = marker_corners_mm(marker)
    assert corners[0].tolist() == [marker.square.x, marker.square.y]
    assert (np.diff(corners, axis=0) == [[12, 0], [0, 12], [-12, 0]]).all()


def test_a_straight_lens_bends_nothing():
    points = np.array([[0.0, 0.0], [1535.0, 287.0]])
    assert np.allclose(Lens().bend(points, (1536, 288)), points)
    assert not np.allclose(Lens(0.1).bend(points, (1536, 288)), points)


def test_shift_is_measured_in_millimetres(board):
    drawn = board(mat_layout(0), tilt=(0.0, 0.0), k1=0.0)
    registration = register(drawn.frame(0.0, CARDS).image, drawn.layout)
    drawn.shift_mm = (2.0, 0.0)
    assert registration.shift_mm(find_markers(drawn.frame(0.1, CARDS).image)) == pytest.approx(2.0, abs=0.1)
    assert registration.shift_mm({}) == float("inf")
