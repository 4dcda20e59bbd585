"""A whole table of cameras."""

from __future__ import annotations

import pytest

from companion.cards import DECK, Mark
from companion.table import row, slot
from vision.errors import CameraError, VisionError
from vision.reader import TableReader, overhead_board, scan_board, seat_board

CARDS = DECK[3:8]


def test_boards_name_their_places_and_cameras():
    assert seat_board(2).places == tuple(slot(2, k) for k in range(1, 6))
    assert (seat_board(2).camera, seat_board(2, "left").camera) == ("mat2", "left")
    assert overhead_board().places == tuple(row(k) for k in range(1, 10))
    assert scan_board().places == tuple(row(k) for k in range(1, 6))
    assert scan_board().layout.name == "mat5"


def test_frames_find_their_board_by_the_camera_that_sent_them(board, ideal):
    boards = (seat_board(0), seat_board(1), scan_board())
    reader = TableReader(boards, ideal())
    drawn = [board(b.layout, camera=b.camera) for b in boards]
    contents = (CARDS, DECK[20:25], (DECK[30], Mark.BACK, *[Mark.EMPTY] * 3))
    for step in range(4):
        seen = [reader.read(d.frame(step * 0.1, c)) for d, c in zip(drawn, contents, strict=True)]
    for observation, b, c in zip(seen, boards, contents, strict=True):
        assert observation.covered == b.places
        assert tuple(s.seen for s in observation.sightings) == c
    assert reader.troubles(0.4) == ()


def test_one_camera_given_to_two_seats_is_no_card_of_the_other(board, ideal):
    reader = TableReader((seat_board(0), seat_board(1)), ideal())
    stranger = board(seat_board(1).layout, camera="mat0")
    assert reader.read(stranger.frame(0.0, CARDS)).covered == ()
    assert [camera for camera, _ in reader.troubles(0.1)] == ["mat0", "mat1"]
    assert "another board" in reader.troubles(0.1)[0][1]


def test_silent_cameras_are_said(board, ideal):
    reader = TableReader((seat_board(0), seat_board(1)), ideal(), silent_s=10.0)
    reader.read(board(seat_board(0).layout, camera="mat0").frame(0.0, CARDS))
    assert reader.troubles(9.0) == (("mat1", "mat1: no picture yet"),)
    assert reader.troubles(12.0)[0] == ("mat0", "mat0: no picture for 12 s")


def test_a_card_on_two_mats_does_not_vanish(board, ideal):
    boards = (seat_board(0), seat_board(1))
    reader = TableReader(boards, ideal())
    drawn = [board(b.layout, camera=b.camera) for b in boards]
    for step in range(5):
        seen = [reader.read(d.frame(step * 0.1, CARDS)) for d in drawn]
    assert [tuple(s.seen for s in o.sightings) for o in seen] == [CARDS, CARDS]


def test_unknown_and_doubled_cameras_are_refused(board, ideal):
    reader = TableReader((seat_board(0),), ideal())
    with pytest.raises(CameraError, match="'attic' watches no board of this table; expected one of: mat0"):
        reader.read(board(seat_board(0).layout, camera="attic").frame(0.0, CARDS))
    with pytest.raises(CameraError, match="'mat0' was named for two boards"):
        TableReader((seat_board(0), seat_board(1, "mat0")), ideal())
    assert issubclass(CameraError, LookupError) and issubclass(CameraError, VisionError)
