"""Gestures: what is seen on the way, and where the cards lie in the end."""

import random

import pytest

from companion.cards import DECK, Mark
from companion.table import PILE, REMOVED, row, slot
from firmware.virtual.moves import Hands
from firmware.virtual.stage import Stage
from firmware.virtual.world import HandOf, World

STYLES = ("tidy", "row_first", "under")


def a_table(tray="overhead"):
    """Three hands of five, two discards; the pile's top is the eighteenth card."""
    world = World(3, DECK, tray)
    for number in range(1, 6):
        for seat in range(3):
            world.move(world.top(PILE), slot(seat, number))
    for number in (1, 2):
        world.move(world.top(PILE), row(number), face_down=False)
    return world, Hands(world, random.Random(4))


def play(world, act, watched):
    """Run a gesture; return what an ideal reader saw at the watched places, without repetitions."""
    stage = Stage()
    stage.enter(act)
    films = {place: [world.ideal(place)] for place in watched}
    for tick in range(1, 400):
        stage.advance(tick * 0.05)
        for place, film in films.items():
            seen = world.ideal(place)
            if seen != film[-1]:
                film.append(seen)
        if stage.idle:
            return films
    raise AssertionError("the gesture never ended")


@pytest.mark.parametrize("style", STYLES)
def test_drawing_and_using_brings_the_drawn_card_to_the_slot_and_the_old_one_to_the_row(style):
    world, hands = a_table()
    drawn, old = world.top(PILE), world.top(slot(1, 3))
    films = play(world, hands.draw_use(1, slot(1, 3), 2, style), [slot(1, 3), slot(1, 2), row(3)])
    assert films[slot(1, 3)][0] == old.face
    assert films[slot(1, 3)][-1] == drawn.face
    assert films[row(3)] == [Mark.EMPTY, Mark.COVERED, old.face]
    assert films[slot(1, 2)] == [world.ideal(slot(1, 2))]
    assert not world.lying(HandOf(1))


def test_the_slot_is_empty_for_a_moment_unless_the_new_card_is_laid_on_the_old_one():
    for style, emptied in (("tidy", True), ("row_first", True), ("under", False)):
        world, hands = a_table()
        film = play(world, hands.draw_use(0, slot(0, 1), 2, style), [slot(0, 1)])[slot(0, 1)]
        assert (Mark.EMPTY in film) is emptied, style


@pytest.mark.parametrize("style", STYLES)
def test_a_theft_exchanges_two_cards_and_shows_the_victims_slot_empty_first(style):
    world, hands = a_table()
    stolen, given = world.top(slot(2, 5)), world.top(slot(0, 2))
    stage = Stage()
    stage.enter(hands.steal(0, slot(2, 5), slot(0, 2), style))
    order = []
    for tick in range(1, 200):
        stage.advance(tick * 0.05)
        order += [place for place in (slot(2, 5), slot(0, 2)) if world.ideal(place) is Mark.EMPTY and place not in order]
    assert order[0] == slot(2, 5)
    assert world.ideal(slot(0, 2)) == stolen.face
    assert world.ideal(slot(2, 5)) == given.face


@pytest.mark.parametrize("style", STYLES)
def test_taking_shortens_the_row_and_the_old_card_leaves_the_game(style):
    world, hands = a_table()
    taken, old = world.top(row(2)), world.top(slot(1, 4))
    play(world, hands.take(1, slot(1, 4), 2, style), [])
    assert world.ideal(row(2)) is Mark.EMPTY
    assert world.ideal(slot(1, 4)) == taken.face
    assert world.where(old) == REMOVED


def test_on_a_tray_that_is_a_mat_the_drawn_card_shows_its_face_and_then_its_back():
    world, hands = a_table("mat")
    drawn = world.top(PILE)
    film = play(world, hands.draw_discard(2, 2), [row(3)])[row(3)]
    assert film == [Mark.EMPTY, Mark.COVERED, drawn.face, Mark.COVERED, Mark.BACK]


def test_on_a_tray_that_is_a_mat_the_replaced_card_lies_with_its_back_below():
    world, hands = a_table("mat")
    drawn = world.top(PILE)
    film = play(world, hands.draw_use(2, slot(2, 1), 2), [row(3)])[row(3)]
    assert film[-1] is Mark.BACK
    assert drawn.face in film
    assert world.ideal(slot(2, 1)) == drawn.face


def test_held_cards_come_back_to_their_own_slots():
    world, hands = a_table()
    before = [world.top(slot(1, number)) for number in range(1, 6)]
    films = play(world, hands.hold(1, (1, 3, 5), 2.0), [slot(1, number) for number in range(1, 6)])
    assert [world.top(slot(1, number)) for number in range(1, 6)] == before
    assert [Mark.EMPTY in films[slot(1, number)] for number in range(1, 6)] == [True, False, True, False, True]


def test_a_bump_moves_no_card_away():
    world, hands = a_table()
    before = [world.ideal(slot(0, number)) for number in range(1, 6)]
    films = play(world, hands.bump(0), [slot(0, number) for number in range(1, 6)])
    assert [world.ideal(slot(0, number)) for number in range(1, 6)] == before
    assert any(Mark.COVERED in film for film in films.values())
    assert not any(Mark.EMPTY in film for film in films.values())


def test_a_hand_over_cards_touches_none():
    world, hands = a_table()
    before = [world.ideal(slot(0, number)) for number in range(1, 6)]
    films = play(world, hands.shade(0), [slot(0, number) for number in range(1, 6)])
    assert [world.ideal(slot(0, number)) for number in range(1, 6)] == before
    assert any(Mark.COVERED in film for film in films.values())
    assert not any(Mark.EMPTY in film for film in films.values())


def test_a_theft_that_is_given_up_leaves_everything_where_it_was():
    world, hands = a_table()
    places = [slot(2, 4), slot(0, 2)]
    before = [world.top(place) for place in places]
    films = play(world, hands.give_up_steal(0, *places), places)
    assert [world.top(place) for place in places] == before
    assert all(Mark.EMPTY in film for film in films.values())
