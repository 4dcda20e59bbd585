"""Which arrows are drawn, and what is listed to be done."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.announcements import ENGLISH, announce
from companion.views import MoveView, PlacementView, StepView, View
from companion.web.scene import scene
from companion.web.todo import todo
from companion.web.trails import Trail, picked, slot_name, trail, ways_of
from tests.companion import tables

STEAL = MoveView("steal", 2, 3, 0, 1)
DRAW = MoveView("draw", 1, 2)


@pytest.mark.parametrize(
    ("move", "ways"),
    [
        (DRAW, (("pile", "slot-1-2"), ("slot-1-2", "row"))),
        (MoveView("discard", 1), (("pile", "row"),)),
        (MoveView("take", 1, 4), (("row", "slot-1-4"), ("slot-1-4", "aside"))),
        (STEAL, (("slot-0-1", "slot-2-3"), ("slot-2-3", "slot-0-1"))),
        (MoveView("pass", 1), ()),
        (MoveView("leave", 1), ()),
        (MoveView("draw", 1), ()),  # nobody knows the slot
    ],
)
def test_a_move_goes_its_ways(move: MoveView, ways: tuple[tuple[str, str], ...]) -> None:
    assert ways_of(move) == ways


def test_the_arrows_of_the_last_move_dim_when_play_goes_on() -> None:
    view = tables.stolen()
    assert view.last is not None
    assert trail(view) == Trail((("slot-2-3", "slot-0-4"), ("slot-0-4", "slot-2-3")), "done")
    assert trail(replace(view, last=replace(view.last, provisional=False))).state == "past"
    assert trail(tables.playing()) == Trail()


@pytest.mark.parametrize("name", ["asked", "broken", "revealing", "won", "troubled", "stopped", "left", "differing", "restoring"])
def test_no_arrow_where_something_else_matters(name: str) -> None:
    view = replace(tables.SITUATIONS[name], last=MoveView("steal", 0, 4, 2, 3, provisional=True))
    assert trail(view) == Trail()


def test_arrows_of_what_has_to_be_done() -> None:
    assert trail(tables.awaiting()) == Trail(ways_of(STEAL), "due")
    assert trail(tables.loose()) == Trail((("slot-3-2", "slot-0-4"),), "due")
    undone = replace(tables.undone(), steps=(StepView(DRAW, True),))
    assert trail(undone) == Trail((("row", "slot-1-2"), ("slot-1-2", "pile")), "due")
    assert trail(replace(undone, steps=(StepView(DRAW, False),))) == Trail(ways_of(DRAW), "due")


def test_a_move_is_picked_by_pictures() -> None:
    assert picked(STEAL) == ("steal", "seat-0", "slot-0-1", "slot-2-3")
    assert picked(MoveView("take", 1, 4)) == ("row", "slot-1-4")
    assert picked(MoveView("pass", 1)) == ("pass",)
    assert slot_name(None, 3) == ""


# ---- lists ---------------------------------------------------------------------------------------------------------


def undoing(*lines: PlacementView, steps: tuple[StepView, ...] = (StepView(STEAL, True),)) -> View:
    return replace(tables.playing(), steps=steps, awaiting=lines)


def back(seat: int, slot: int, done: bool = False) -> PlacementView:
    return PlacementView("return_card", (seat, slot), done)


@pytest.mark.parametrize(
    ("lines", "done"),
    [
        ((back(2, 3), back(0, 1)), False),
        ((back(2, 3, True), back(0, 1)), False),
        ((back(2, 3, True), back(0, 1, True)), True),
        ((), None),
    ],
)
def test_an_exchange_that_is_undone_is_listed_once(lines: tuple[PlacementView, ...], done: bool | None) -> None:
    view = undoing(*lines)
    listed = todo(view, announce(view))
    (step,) = listed.steps
    assert (step.text, step.done) == ("Slot 3 of Cleo and slot 1 of Anna: the two cards change places again.", done)
    assert listed.awaiting == ()


def test_what_no_step_says_stays_on_the_list() -> None:
    shown = PlacementView("turn_down", (2, 3), False)
    row = PlacementView("row", None, False)
    view = undoing(back(2, 3), back(0, 1), back(3, 5), shown, row)
    assert [item.place for item in todo(view, announce(view)).awaiting] == ["slot-3-5", "slot-2-3", "row"]


def test_the_row_is_ticked_off_with_its_step() -> None:
    row = PlacementView("row", None, False)
    view = undoing(back(1, 2, True), row, steps=(StepView(DRAW, True),))
    listed = todo(view, announce(view))
    assert (listed.steps[0].done, listed.awaiting) == (False, ())
    view = undoing(back(1, 2, True), steps=(StepView(DRAW, True),))
    assert todo(view, announce(view)).steps[0].done is True
    # Nobody looks at the slot: the row alone is still asked for.
    view = undoing(row, steps=(StepView(DRAW, True),))
    listed = todo(view, announce(view))
    assert (listed.steps[0].done, [item.place for item in listed.awaiting]) == (None, ["row"])


def test_hands_are_turned_down_first() -> None:
    view = replace(tables.undone(), turn_down=True)
    listed = todo(view, announce(view))
    assert [item.kind for item in listed.steps] == ["turn_down", "step", "step"]
    assert listed.steps[0].text == "Turn all hands face down again."


def test_remedies_keep_their_ticks() -> None:
    view = tables.broken((True, False, False))
    items = todo(view, announce(view)).remedy
    assert [(item.kind, item.place, item.done) for item in items] == [
        ("return_card", "slot-3-2", True),
        ("return_card", "slot-0-4", False),
        ("row", "row", False),
    ]


# ---- who may begin -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("current", "acting"), [(0, [0]), (2, [2]), (None, [0, 1, 2, 3])])
def test_before_the_first_move_only_the_first_seat_is_told_to_move(current: int | None, acting: list[int]) -> None:
    taps = tuple(tables.seat(number, "tap") for number in range(4))
    arranged = scene(replace(tables.playing(), phase="setup", turn=0, current=current, seats=taps, row=()), ENGLISH)
    assert [seat.seat for seat in arranged.seats if seat.acts] == acting
    assert [seat.seat for seat in arranged.seats if seat.in_turn] == ([] if current is None else [current])


def test_the_place_of_the_end_moves_with_the_discards() -> None:
    flagged = lambda view: [place.number for place in scene(view, ENGLISH).row if place.last_place]  # noqa: E731
    view = tables.playing()
    assert flagged(view) == [5]
    # Two of five discards were taken, and count all the same.
    assert flagged(replace(view, row=("Td",), to_end=1)) == [2]
    assert flagged(replace(view, row=("Td", "4c", "As", "7h"), to_end=2)) == [6]
    assert flagged(replace(view, to_end=None)) == flagged(tables.final()) == []
    places = [(place.number, place.newest, place.next_place) for place in scene(view, ENGLISH).row]
    assert places == [(1, False, False), (2, True, False), (3, False, True), (4, False, False), (5, False, False)]
