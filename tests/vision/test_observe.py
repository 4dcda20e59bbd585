"""The observer with an ideal classifier: what it claims, what it leaves open, and how seldom it has to look."""

from __future__ import annotations

import numpy as np
import pytest

from companion.cards import DECK, Card, Mark
from companion.table import row, slot
from tests.vision.session import BACK, CARDS, COVERED, EMPTY, Session
from vision.belief import TableBelief
from vision.classifier import LABELS
from vision.errors import LayoutError
from vision.layout import mat_layout, tray_layout
from vision.observe import Observer


def test_cards_empty_windows_and_backs_are_told_apart(session):
    contents = (CARDS[0], EMPTY, BACK, Mark.FOREIGN, CARDS[4])
    assert session().settle(contents) == contents


def test_one_look_claims_nothing_and_two_do(session):
    table = session()
    assert table.look(CARDS) == (COVERED,) * 5
    assert table.look(CARDS) == CARDS


def test_a_doubtful_scene_takes_one_look_more(session):
    table = session(spread=0.12)
    assert [table.look(CARDS) for _ in range(3)] == [(COVERED,) * 5] * 2 + [CARDS]


def test_sparse_frames_are_looked_at_three_times_and_claimed_at_once(session):
    table = session(spread=0.12)
    table.settle(CARDS)
    table.classifier.asked = 0
    assert table.look((*CARDS[:4], DECK[20]), step=2.0) == (*CARDS[:4], DECK[20])
    assert table.classifier.asked == 3


def test_a_still_scene_is_read_five_times_and_then_left_alone(session):
    table = session()
    assert table.settle(CARDS, frames=40) == CARDS
    assert table.classifier.asked == 5 * 5


def test_only_the_window_that_changed_is_read_again(session):
    table = session()
    table.settle(CARDS)
    asked = table.classifier.asked
    changed = (*CARDS[:2], DECK[30], *CARDS[3:])
    assert table.look(changed) == (*CARDS[:2], COVERED, *CARDS[3:])
    assert table.settle(changed, frames=10) == changed
    assert table.classifier.asked == asked + 5


def test_motion_covers_and_the_same_card_is_known_at_once_when_it_ends(session):
    table = session()
    table.settle(CARDS)
    asked = table.classifier.asked
    for _ in range(4):
        assert table.look(CARDS, smeared=(1,)) == (CARDS[0], COVERED, *CARDS[2:])
    assert table.look(CARDS) == CARDS
    assert table.classifier.asked == asked


def test_a_lifted_card_leaves_an_empty_window(session):
    table = session()
    table.settle(CARDS)
    lifted = (CARDS[0], EMPTY, *CARDS[2:])
    table.look(CARDS, smeared=(1,))
    assert table.settle(lifted, frames=3) == lifted


def test_shadows_that_play_on_an_empty_window_do_not_hide_it_for_ever(session):
    empty = LABELS.index(EMPTY)
    table = session(lambda asked, label: empty if asked > 25 else label)
    table.settle(CARDS)
    seen = [table.look(CARDS, smeared=(2,))[2] for _ in range(20)]
    assert seen[:8] == [COVERED] * 8
    assert seen[-1] is EMPTY


def test_steady_motion_never_names_a_card(session):
    table = session()
    table.settle(CARDS)
    assert {table.look(CARDS, smeared=(2,))[2] for _ in range(30)} <= {COVERED, EMPTY}


def test_a_single_misread_look_does_not_flip_a_settled_reading(session):
    wrong = LABELS.index(DECK[40])
    table = session(lambda asked, label: wrong if 11 <= asked <= 15 else label)
    for frame in range(12):
        seen = table.look(CARDS)
        assert seen in ((COVERED,) * 5, CARDS), f"frame {frame}: {seen}"
    assert seen == CARDS


def test_a_misread_first_look_is_not_claimed(session):
    wrong = LABELS.index(DECK[40])
    table = session(lambda asked, label: wrong if asked <= 5 else label)
    for _ in range(8):
        assert DECK[40] not in table.look(CARDS)


def test_one_corrupt_frame_changes_nothing(session):
    table = session()
    table.settle(CARDS)
    other = DECK[30:35]
    assert not set(table.look(other)) & set(other)
    assert table.look(CARDS) == CARDS


@pytest.mark.parametrize("fast", [False, True])
def test_drifting_light_triggers_nothing(session, fast):
    table = session()
    table.settle(CARDS)
    asked = table.classifier.asked
    for step in range(40):
        phase = np.sin(step * (0.9 if fast else 0.15))
        assert table.look(CARDS, gain=1 + 0.15 * phase, offset=8 * phase) == CARDS
    assert table.classifier.asked == asked


def test_a_reading_outlives_a_light_that_spoils_the_next_one(session):
    unreadable = LABELS.index(Mark.UNREADABLE)
    table = session(lambda asked, label: unreadable if asked > 25 else label)
    table.settle(CARDS)
    for step in range(10):
        assert table.look(CARDS, offset=-6.0 * step) == CARDS
    assert table.classifier.asked > 25


def test_dropped_frames_lose_nothing(session):
    table = session()
    table.settle(CARDS)
    assert table.look(CARDS, step=1.7) == CARDS
    changed = (DECK[44], *CARDS[1:])
    table.look(changed, step=0.9)
    assert table.look(changed, step=0.9) == changed


def test_swapped_readings_show(session):
    a, b = LABELS.index(CARDS[0]), LABELS.index(CARDS[1])
    table = session(lambda asked, label: {a: b, b: a}.get(label, label))
    assert table.settle(CARDS) == (CARDS[1], CARDS[0], *CARDS[2:])


def test_a_card_that_lies_twice_stays_visible_on_two_boards(board, ideal):
    table = TableBelief()
    first, second = (Session(board(mat_layout(i), camera=f"camera{i}"), ideal(), table=table) for i in range(2))
    second.observer.places = second.places = tuple(slot(1, k) for k in range(1, 6))
    other = (CARDS[2], *DECK[20:24])
    for _ in range(6):
        one, two = first.look(CARDS), second.look(other)
    assert (one, two) == (CARDS, other)


def test_the_tray_fills_the_row(board, ideal):
    drawn = board(tray_layout())
    observer = Observer(drawn.layout, [row(k) for k in range(1, 10)], ideal())
    contents = (*DECK[10:13], BACK, *[EMPTY] * 5)
    for step in range(4):
        observation = observer.observe(drawn.frame(step * 0.1, contents))
    assert observation.covered == tuple(row(k) for k in range(1, 10))
    assert tuple(s.seen for s in observation.sightings) == contents
    for sighting in observation.sightings:
        likely = [card for card, _ in sighting.likely]
        assert likely[:1] == ([sighting.seen] if isinstance(sighting.seen, Card) else [])
        assert len(likely) <= 3
        assert [share for _, share in sighting.likely] == sorted((share for _, share in sighting.likely), reverse=True)


def test_evidence_names_camera_frame_and_window_and_no_card(session):
    table = session()
    table.settle(CARDS, frames=8)
    table.now += 0.1
    sightings = table.observer.observe(table.drawn.frame(table.now, CARDS)).sightings
    named = [(s.evidence.camera, s.evidence.frame, s.evidence.number) for s in sightings]
    assert named == [("camera0", 5, number) for number in range(1, 6)]


def test_a_sixth_mat_shows_a_face_on_the_way_and_then_its_back(board, ideal):
    drawn = board(mat_layout(5))
    places = [row(k) for k in range(1, 6)]
    observer = Observer(drawn.layout, places, ideal())
    face, back = (DECK[30], *[EMPTY] * 4), (BACK, *[EMPTY] * 4)
    story = [([EMPTY] * 5, ())] * 3 + [(face, (0,))] * 2 + [(face, ())] * 3 + [(face, (0,))] + [(back, ())] * 3
    seen = []
    for step, (contents, smeared) in enumerate(story):
        frame = drawn.frame(step * 0.1, contents, smeared=smeared)
        seen.append(observer.observe(frame).sightings[0].seen)
    assert seen == [COVERED, EMPTY, EMPTY, *[COVERED] * 4, DECK[30], *[COVERED] * 3, BACK]


def test_boards_of_one_table_are_told_apart_by_their_markers(board, ideal):
    stranger = board(mat_layout(1))
    observer = Observer(mat_layout(0), [slot(0, k) for k in range(1, 6)], ideal())
    assert observer.observe(stranger.frame(0.0, CARDS)).covered == ()
    assert "another board" in observer.trouble


def test_places_have_to_fit_the_board(board, ideal):
    with pytest.raises(LayoutError, match="mat0 has 5 windows, but 4 places"):
        Observer(mat_layout(0), [slot(0, k) for k in range(1, 5)], ideal())


def test_a_mirrored_picture_covers_nothing(session):
    table = session()
    assert table.look(CARDS, mirrored=True) == ()
    assert "mirrored" in table.observer.trouble
    assert table.classifier.asked == 0


def test_frames_of_another_seat_cover_nothing(session, board):
    table = session()
    table.settle(CARDS)
    stranger = board(mat_layout(3))
    stranger.number = 100
    assert table.give(stranger.frame(0.7, DECK[30:35])) == ()
    assert "another board" in table.observer.trouble
