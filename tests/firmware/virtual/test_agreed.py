"""What people remember of the table: a move made and taken back leaves it as it was, whatever the move."""

from __future__ import annotations

import random

import pytest

from companion.cards import DECK
from companion.table import PILE, REMOVED, SLOTS, row, slot
from companion.views import MoveView, StepView, View
from firmware.virtual.agreed import Agreed
from firmware.virtual.layouts import (
    captured,
    hidden_again,
    lay_as,
    made,
    newest_of_row,
    next_row_place,
    same_boards,
    strays,
    taken_back,
)
from firmware.virtual.moves import Hands
from firmware.virtual.world import HandOf, World
from tests.companion import tables

MOVES = (
    MoveView("draw", 0, 2), MoveView("discard", 1), MoveView("steal", 1, 3, 2, 5), MoveView("take", 2, 1), MoveView("pass", 0),
    MoveView("leave", 1),
)  # fmt: skip


@pytest.fixture
def world() -> World:
    """Three hands and two cards on the row."""
    world = World(3, DECK)
    for seat in range(3):
        for number in SLOTS:
            world.move(world.top(PILE), slot(seat, number))
    for number in (1, 2):
        world.move(world.top(PILE), row(number), face_down=False)
    return world


def carried_out(act) -> None:
    """Everything at once."""
    for _ in act:
        pass


def seen(last: MoveView | None, undo: int, **changes: object) -> View:
    from dataclasses import replace

    return replace(tables.playing(3), last=last, undo=undo, turn=undo, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("move", MOVES, ids=lambda move: move.kind)
def test_taking_back_what_was_made_leaves_the_table_as_it_was(world: World, move: MoveView) -> None:
    before = captured(world)
    after = made(before, move)
    assert after is not None
    assert taken_back(after, move) == before
    assert (after == before) is (move.kind in ("pass", "leave"))


def test_what_a_move_makes_of_the_table(world: World) -> None:
    before = captured(world)
    drawn = made(before, MOVES[0])
    assert drawn is not None
    assert drawn[slot(0, 2)] == before[PILE][-1:]
    assert drawn[row(3)] == ((before[slot(0, 2)][0][0], False),)
    taken = made(before, MOVES[3])
    assert taken is not None
    assert taken[slot(2, 1)] == ((before[row(2)][0][0], True),)
    assert (taken[row(2)], taken[REMOVED]) == ((), before[slot(2, 1)])


@pytest.mark.parametrize("move", [MoveView("as_it_lies", None), MoveView("steal", 0, 1), MoveView("arrange", 0)])
def test_what_cannot_be_told_from_a_move_is_not_guessed(world: World, move: MoveView) -> None:
    assert made(captured(world), move) is None
    assert taken_back(captured(world), move) is None


def test_moves_that_there_is_no_card_for(world: World) -> None:
    empty = World(3, ())
    assert made(captured(empty), MOVES[0]) is None
    assert taken_back(captured(empty), MOVES[1]) is None
    assert made(captured(empty), MOVES[3]) is None


def test_a_card_in_a_hand_counts_as_lying_where_it_came_from(world: World) -> None:
    before = captured(world)
    world.move(world.top(slot(1, 4)), HandOf(1))
    assert captured(world) == before
    world.move(world.top(PILE), slot(1, 4))
    assert captured(world)[REMOVED], "its place is taken: it is out of the game"


def test_hands_lay_the_table_as_it_was(world: World) -> None:
    rng = random.Random(3)
    for number in range(30):
        before = captured(world)
        places = [*(slot(seat, k) for seat in range(3) for k in SLOTS), row(1), row(2), PILE]
        for _ in range(rng.randrange(1, 6)):
            origin = rng.choice([place for place in places if world.lying(place)])
            world.move(world.top(origin), rng.choice([*places, REMOVED, HandOf(2)]), rng.random() < 0.7)
        if number % 5 == 0:
            world.move(world.bring(None), slot(0, 1))
        carried_out(lay_as(0, before, world, Hands(world, rng)))
        left = strays(before, world)
        assert left == [], f"round {number}"
        assert same_boards(captured(world), before)


def test_shown_hands_are_hidden_again(world: World) -> None:
    before = captured(world)
    for number in SLOTS:
        world.move(world.top(slot(2, number)), slot(2, number), face_down=False)
    assert not same_boards(captured(world), before)
    assert same_boards(hidden_again(captured(world)), before)
    carried_out(lay_as(2, before, world, Hands(world, random.Random(1))))
    assert captured(world) == before


def test_where_the_next_discard_goes(world: World) -> None:
    assert (newest_of_row(world), next_row_place(world)) == (row(2), row(3))
    for number in range(3, 10):
        world.move(world.top(PILE), row(number), face_down=False)
    assert (newest_of_row(world), next_row_place(world)) == (row(9), row(1)), "the oldest place is used once more"


def test_moves_are_remembered_and_taken_back_step_by_step(world: World) -> None:
    agreed = Agreed(world)
    start = captured(world)
    assert not agreed.see(seen(None, 0))
    hands = Hands(world, random.Random(1))
    layouts = [start]
    for undo, move in enumerate((MOVES[0], MOVES[2]), 1):
        after = made(layouts[-1], move)
        assert after is not None
        carried_out(lay_as(0, after, world, hands))
        assert agreed.see(seen(move, undo))
        layouts.append(captured(world))
        assert agreed.now is not None and same_boards(agreed.now, layouts[-1])
    steps = (StepView(MOVES[2], True), StepView(MOVES[0], True))
    back = seen(None, 0, steps=steps)
    assert not agreed.see(back)
    path = agreed.path(back)
    assert path is not None
    assert [seat for seat, _ in path] == [1, 0]
    assert same_boards(path[0][1], layouts[1]) and same_boards(path[1][1], layouts[0])
    assert same_boards(agreed.wanted(back) or {}, start)
    carried_out(lay_as(0, path[-1][1], world, hands))
    assert agreed.see(seen(None, 0))
    assert agreed.now is not None and same_boards(agreed.now, start)


def test_a_table_that_is_taken_as_it_lies_is_remembered_as_it_lies(world: World) -> None:
    agreed = Agreed(world)
    agreed.see(seen(MOVES[4], 1))
    world.move(world.top(slot(0, 1)), slot(1, 1))
    agreed.see(seen(MoveView("as_it_lies", None), 2))
    assert agreed.now == captured(world)
    agreed.forget()
    assert agreed.now is None
    assert agreed.path(seen(None, 2, steps=(StepView(MOVES[0], True),))) is None
