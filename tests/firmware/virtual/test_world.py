"""Cards as physical things: they are somewhere, once, and cameras see one side of them."""

import pytest

from companion.cards import DECK, Card, Mark
from companion.table import PILE, REMOVED, row, slot
from firmware.virtual.world import HandOf, Pose, World, row_place


def a_world(tray="overhead", watched=None):
    return World(3, DECK, tray, watched)


def test_the_pile_holds_the_deck_with_its_first_card_on_top():
    world = a_world()
    assert world.top(PILE).face == DECK[0]
    assert [laid.piece.face for laid in reversed(world.lying(PILE))] == list(DECK)


def test_a_card_is_in_one_place_at_a_time():
    world = a_world()
    card = world.top(PILE)
    world.move(card, HandOf(1))
    world.move(card, slot(1, 3))
    assert world.where(card) == slot(1, 3)
    assert not world.lying(HandOf(1))
    everywhere = [laid.piece for spot in (PILE, slot(1, 3)) for laid in world.lying(spot)]
    assert sorted(piece.number for piece in everywhere) == list(range(52))


def test_a_mat_camera_sees_faces_of_cards_that_lie_face_down_and_backs_of_the_others():
    world = a_world()
    card = world.top(PILE)
    assert world.ideal(slot(0, 1)) is Mark.EMPTY
    world.move(card, slot(0, 1))
    assert world.ideal(slot(0, 1)) == DECK[0]
    world.move(card, slot(0, 1), face_down=False)
    assert world.ideal(slot(0, 1)) is Mark.BACK


def test_an_overhead_camera_sees_the_other_side():
    world = a_world()
    world.move(world.top(PILE), row(1), face_down=False)
    world.move(world.top(PILE), row(2), face_down=True)
    assert world.ideal(row(1)) == DECK[0]
    assert world.ideal(row(2)) is Mark.BACK


def test_from_below_only_the_lowest_card_of_a_stack_is_seen_and_from_above_only_the_highest():
    world = a_world()
    first, second = world.top(PILE), world.lying(PILE)[-2].piece
    world.move(first, slot(0, 1))
    world.move(second, slot(0, 1))
    assert world.ideal(slot(0, 1)) == first.face
    world.move(first, row(1), face_down=False)
    world.move(second, row(1), face_down=False)
    assert world.ideal(row(1)) == second.face


def test_a_new_card_can_be_pushed_under_the_old_one():
    world = a_world()
    old, new = world.top(PILE), world.lying(PILE)[-2].piece
    world.move(old, slot(0, 1))
    world.move(new, slot(0, 1), under=True)
    assert world.ideal(slot(0, 1)) == new.face


def test_a_hand_hides_the_place_until_it_is_gone():
    world = a_world()
    world.move(world.top(PILE), slot(2, 5))
    world.cover(slot(2, 5))
    assert world.ideal(slot(2, 5)) is Mark.COVERED
    world.uncover(slot(2, 5))
    assert world.ideal(slot(2, 5)) == DECK[0]


def test_every_change_is_noticed_on_its_own_board_only():
    world = a_world()
    before = list(world.versions)
    world.move(world.top(PILE), slot(1, 1))
    assert [now - old for now, old in zip(world.versions, before, strict=True)] == [0, 1, 0, 0]
    world.bump(slot(1, 1))
    world.cover(row(4))
    assert [now - old for now, old in zip(world.versions, before, strict=True)] == [0, 2, 0, 1]


def test_a_seat_without_a_mat_has_no_board_and_no_tray_means_no_tray_board():
    names = [board.name for board in a_world("none", (True, False, True)).boards]
    assert names == ["mat0", "mat2"]


def test_cards_beyond_the_last_outline_take_the_places_of_the_oldest():
    assert row_place("overhead", 9) == row(9)
    assert [row_place("mat", number) for number in (5, 6, 7)] == [row(5), row(1), row(2)]


def test_a_joker_is_foreign_and_a_second_deck_has_the_same_faces():
    world = a_world()
    joker, double = world.bring(None), world.bring(Card.parse("As"))
    assert world.where(joker) == REMOVED
    world.move(joker, slot(0, 1))
    world.move(double, slot(0, 2))
    assert world.ideal(slot(0, 1)) is Mark.FOREIGN
    assert world.ideal(slot(0, 2)) == Card.parse("As")
    assert world.piece(Card.parse("As")) is not double


def test_every_laying_has_its_own_pose():
    poses = iter([Pose(1.0), Pose(2.0)])
    world = World(3, DECK, pose=lambda: next(poses))
    card = world.top(PILE)
    world.move(card, slot(0, 1))
    assert world.looks(slot(0, 1)).pose == Pose(1.0)
    world.bump(slot(0, 1))
    assert world.looks(slot(0, 1)).pose == Pose(2.0)


def test_an_empty_place_has_no_top_card():
    with pytest.raises(LookupError, match="no card lies at"):
        a_world().top(slot(0, 1))
