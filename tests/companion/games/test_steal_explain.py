"""Naming what cameras have seen, in the order of the rules specification (1.10), and the look-alikes (1.11)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.cards import Card, Mark
from companion.games.steal_state import Arrange, ArrangeAll, Draw, StealCard, StealState, Take
from companion.rulings import Action, Change
from companion.table import row, slot
from tests.companion.games.stealing import GAME, accused, dealt, final, hidden, lock, named, play, position, shown

ROW = position(row="9c 9d 9h")


# ---- 1.9: what each action looks like ----


@pytest.mark.parametrize(
    ("action", "changes"),
    [
        (Draw(0, 2), {"row": "9c 9d 9h 3c", "s0_2": "Kd"}),
        (Draw(0, None), {"row": "9c 9d 9h Kd"}),
        (Take(0, 4), {"row": "9c 9d", "s0_4": "9h"}),
        (StealCard(0, 2, 3, 1), {"s0_1": "4h", "s2_3": "2c"}),
    ],
)
@pytest.mark.parametrize("blur", ["", "row", "slot"])
def test_each_action_from_its_picture(action: Action, changes: dict[str, str], blur: str) -> None:
    change = shown(ROW, **changes)
    if blur == "row" and change.row is not None:
        change = replace(change, row=(Mark.BACK,) * len(change.row))
    if blur == "slot":
        mats = tuple(tuple(Mark.UNREADABLE if seen not in hand else seen for seen in mat) for mat, hand in
                     zip(change.mats, ROW.table.hands, strict=True))  # fmt: skip
        change = replace(change, mats=mats)
    if blur == "slot" and isinstance(action, StealCard):
        assert named(ROW, change) == ("unsure", (None, action)), "two cards that nobody can read may not have moved"
    else:
        assert named(ROW, change) == ("legal", action)


def test_the_same_picture_is_nothing() -> None:
    assert named(ROW, shown(ROW)) == ("nothing", None)
    assert named(ROW, shown(ROW, row=None)) == ("nothing", None)
    assert named(ROW, shown(ROW, row="# # #")) == ("nothing", None)


def test_a_look_in_the_standard_game_is_nothing() -> None:
    assert named(ROW, replace(shown(ROW), returned=(slot(1, 2),))) == ("nothing", None)


# ---- 1.10, in order ----


def test_1_a_foreign_card() -> None:
    ruling = accused(ROW, shown(ROW, s1_2="x"), "foreign_card")
    assert (ruling.card, ruling.places, ruling.seat) == (Mark.FOREIGN, (slot(1, 2),), 1)
    assert accused(ROW, shown(ROW, row="9c 9d 9h x"), "foreign_card").places == (row(4),)


def test_1_a_card_twice_accuses_nobody() -> None:
    ruling = accused(ROW, shown(ROW, s0_3="3d"), "duplicate_card")
    assert (ruling.card, ruling.seat, ruling.seats) == (Card.parse("3d"), None, ())
    assert ruling.places == (slot(0, 3), slot(1, 2))
    assert accused(ROW, shown(ROW, s0_3="9c"), "duplicate_card").places == (slot(0, 3), row(1))
    assert accused(ROW, shown(ROW, s0_3="Kd", s1_3="Kd"), "duplicate_card").card == Card.parse("Kd")


def test_1_a_removed_card() -> None:
    state = position(row="9c", removed="9s")
    ruling = accused(state, shown(state, s0_3="9s"), "removed_card_returned")
    assert (ruling.card, ruling.seat) == (Card.parse("9s"), 0)
    assert accused(state, shown(state, row="9c 9s"), "removed_card_returned").places == (row(2),)


def test_2_an_empty_slot() -> None:
    ruling = accused(ROW, shown(ROW, s0_5="-"), "slot_empty")
    assert (ruling.places, ruling.seat) == ((slot(0, 5),), 0)
    ruling = accused(ROW, shown(ROW, s0_5="-", s2_1="-", s1_1="2h"), "slot_empty")
    assert (ruling.places, ruling.seats, ruling.seat) == ((slot(0, 5), slot(2, 1)), (0, 2), None)


def test_3_the_row_alone() -> None:
    assert named(ROW, shown(ROW, row="9c 9d 9h #")) == ("legal", Draw(0, None))
    assert named(ROW, shown(ROW, row="9c 9d 9h ?")) == ("legal", Draw(0, None))
    assert accused(ROW, shown(ROW, row="9c 9d 9h Kd Qd"), "two_actions").seats == (0,)
    for other in ("9c 9d", "", "9d 9c 9h", "9c 9d Kd", "9c 9d Kd 9h", "9c 9d 9h Kd Qd Jd"):
        assert accused(ROW, shown(ROW, row=other), "row_changed").seat is None


def test_3_a_draw_that_the_rules_forbid() -> None:
    state = final(options={"final_overflow": "no_draw"})
    ruling = accused(state, shown(state, row="9c 9d 9h 9s Tc Kd"), "row_full")
    assert ruling.action == Draw(0, None)
    empty = position(row="9c", pile="", options={"pile_empty": "no_draw"})
    assert named(empty, shown(empty, row="9c Kd")) == ("illegal", "pile_empty")


SWAPS = {"s0_1": "3c", "s0_2": "2c"}, {"s0_1": "2d", "s1_1": "2c"}


@pytest.mark.parametrize("picture", [{"s0_1": "Kd"}, {"row": "9c Kd"}, *SWAPS])
def test_4_after_the_end(picture: dict[str, str]) -> None:
    over = position(row="9c", phase="over", current=None, ender=2)
    accused(over, shown(over, **picture), "game_over")


def test_5_own_cards_sorted_again() -> None:
    for seat in (0, 1):
        state = position(row="9c", current=0)
        hand = list(map(str, state.table.hands[seat]))
        swapped = {f"s{seat}_1": hand[3], f"s{seat}_4": hand[0]}
        ruling = accused(state, shown(state, **swapped), "positions_changed")
        assert (ruling.seat, ruling.places) == (seat, (slot(seat, 1), slot(seat, 4)))
    assert accused(ROW, shown(ROW, s0_1="3c", s0_2="?"), "positions_changed").seat == 0


def test_6_an_older_card_of_the_row() -> None:
    ruling = accused(ROW, shown(ROW, row="9d 9h", s0_2="9c"), "not_top_of_row")
    assert (ruling.seat, ruling.card, ruling.places) == (0, Card.parse("9c"), (slot(0, 2),))
    accused(ROW, shown(ROW, row=None, s0_2="9d"), "not_top_of_row")
    accused(ROW, shown(ROW, row="9c 9h", s1_2="9d"), "not_top_of_row")


def test_6_the_replaced_card_went_elsewhere() -> None:
    ruling = accused(ROW, shown(ROW, s0_2="Kd"), "replaced_card_not_in_row")
    assert (ruling.seat, ruling.card, ruling.places) == (0, Card.parse("3c"), (slot(0, 2),))
    accused(ROW, shown(ROW, row="9c 9d 9h Qd", s0_2="Kd"), "replaced_card_not_in_row")
    accused(ROW, shown(ROW, s1_2="Kd"), "replaced_card_not_in_row")
    assert accused(ROW, shown(ROW, row="9c 9d 9h 3c Qd", s0_2="Kd"), "two_actions").seats == (0,)


def test_6_a_take_that_leaves_the_row_wrong() -> None:
    assert accused(ROW, shown(ROW, row="9c", s0_2="9h"), "row_changed").seat == 0


@pytest.mark.parametrize(
    ("state", "picture", "error", "action"),
    [
        (position(row="9c"), {"s1_2": "Kd", "row": "9c 3d"}, "not_your_turn", Draw(1, 2)),
        (position(row="9c"), {"s1_2": "Kd", "row": None}, "not_your_turn", Draw(1, 2)),
        (position(row="9c"), {"s2_2": "9c", "row": ""}, "acted_twice", Take(2, 2)),
        (final(), {"s2_1": "Kd", "row": None}, "ender_acted", Draw(2, 1)),
        (final(current=1, final_left=(1,), last_actor=0), {"s0_1": "Tc", "row": None}, "already_had_final_turn", Take(0, 1)),
        (position(turn=0, row="9c", last_actor=None), {"s0_1": "9c", "row": ""}, "take_before_second_turn", Take(0, 1)),
        (position(pile="", options={"pile_empty": "no_draw"}), {"s0_1": "Kd", "row": None}, "pile_empty", Draw(0, 1)),
    ],
)
def test_6_then_the_turn(state: StealState, picture: dict[str, str | None], error: str, action: Action) -> None:
    ruling = accused(state, shown(state, **picture), error)  # type: ignore[arg-type]
    assert (ruling.action, ruling.seat) == (action, action.seat)


def test_7_a_card_pushed_aside() -> None:
    assert accused(ROW, shown(ROW, row=None, s0_1="Kd", s0_2="2c"), "positions_changed").seat == 0
    assert accused(ROW, shown(ROW, row=None, s0_1="Kd", s0_2="2c", s0_3="3c"), "positions_changed").seat == 0


def test_7_two_replacements() -> None:
    assert accused(ROW, shown(ROW, row=None, s0_3="Kd", s0_5="Qd"), "two_actions").seats == (0,)
    assert accused(ROW, shown(ROW, row=None, s0_3="Kd", s1_5="Qd"), "two_actions").seats == (0, 1)
    assert accused(ROW, shown(ROW, row=None, s0_1="2d", s1_1="2c", s2_2="Kd"), "two_actions").seats == (0, 1, 2)
    assert accused(ROW, shown(ROW, row=None, s0_3="Kd", s0_5="9h"), "two_actions").seats == (0,)


def test_8_an_exchange_with_the_seat_to_act_is_its_steal() -> None:
    assert named(ROW, shown(ROW, s0_1="5d", s1_4="2c")) == ("legal", StealCard(0, 1, 4, 1))


def test_8_a_stolen_card_stolen_back() -> None:
    state = position(locks=(lock(0, 2, "4h", 2),))
    ruling = accused(state, shown(state, s0_2="4h", s2_3="3c"), "steal_back_locked")
    assert (ruling.action, ruling.seat) == (StealCard(0, 2, 3, 2), 0)
    assert ruling.places == (slot(0, 2), slot(2, 3))


def test_8_an_exchange_of_others() -> None:
    four = position(4)
    ruling = accused(four, shown(four, s1_1="2h", s2_1="2d"), "not_your_turn")
    assert (ruling.seat, ruling.seats, ruling.action) == (None, (1, 2), None), "nobody knows who of them it was"
    ruling = accused(four, shown(four, s1_1="2s", s3_1="2d"), "acted_twice")
    assert (ruling.seat, ruling.seats) == (3, (1, 3))
    last = final(4, current=1, final_left=(1, 2), last_actor=0)
    assert accused(last, shown(last, s0_1="2h", s2_1="2c"), "already_had_final_turn").seat == 0
    assert accused(last, shown(last, s0_1="2s", s3_1="2c"), "ender_acted").seat == 3


def test_8_an_exchange_beside_a_discard() -> None:
    assert accused(ROW, shown(ROW, row="9c 9d 9h Kd", s0_1="5d", s1_4="2c"), "two_actions").seats == (0, 1)
    accused(ROW, shown(ROW, row="9c 9d", s0_1="5d", s1_4="2c"), "row_changed")


def test_9_a_stolen_or_given_card_in_another_slot() -> None:
    assert accused(ROW, shown(ROW, s0_1="3c", s0_2="4d", s1_3="2c"), "wrong_slot").seats == (0, 1)
    assert accused(ROW, shown(ROW, s0_1="4d", s1_3="5d", s1_4="2c"), "wrong_slot").seats == (0, 1)


def test_9_three_seats_in_a_ring_and_two_exchanges() -> None:
    assert accused(ROW, shown(ROW, s0_1="2d", s1_1="2h", s2_1="2c"), "two_actions").seats == (0, 1, 2)
    assert accused(ROW, shown(ROW, s0_1="2d", s1_1="2c", s0_2="3h", s2_2="3c"), "two_actions").seats == (0, 1, 2)
    assert accused(ROW, shown(ROW, s0_1="2d", s1_1="2c", s0_2="3d", s1_2="3c"), "two_actions").seats == (0, 1)


def test_9_everything_else() -> None:
    wandered = {"s0_1": "2d", "s1_1": "2h", "s2_1": "3c", "s0_2": "2c"}
    ruling = accused(ROW, shown(ROW, **wandered), "unexplained_change")
    assert (ruling.seats, len(ruling.places)) == ((0, 1, 2), 4)


def test_10_a_look_in_hard_mode() -> None:
    hard = position(row="9c", options={"hard_mode": True})
    look = shown(hard)
    ruling = accused(hard, replace(look, returned=(slot(1, 3),)), "peek")
    assert (ruling.seat, ruling.places) == (1, (slot(1, 3),))
    accused(hard, replace(look, returned=(slot(0, 3), slot(0, 4))), "peek")
    begun = replace(look, returned=(slot(0, 3), slot(2, 4)))
    assert named(hard, begun) == ("nothing", None), "a steal that was begun and given up"
    used = replace(shown(hard, row="9c 4c", s0_3="Kd"), returned=(slot(0, 2),))
    assert named(hard, used) == ("legal", Draw(0, 3)), "a player who acts may have lifted another card first"
    sorting = replace(position(phase="setup", current=None, options={"hard_mode": True}), table=hard.table)
    assert named(sorting, replace(look, returned=(slot(1, 3),))) == ("nothing", None)


# ---- before the start ----


def test_sorting_before_the_start() -> None:
    state = dealt()
    one = list(map(str, state.table.hands[1]))
    sorted_one = shown(state, s1_1=one[1], s1_2=one[0])
    order = (2, 1, 3, 4, 5)
    assert named(state, sorted_one) == ("legal", Arrange(1, order, closes=False))
    two = list(map(str, state.table.hands[2]))
    both = shown(state, s1_1=one[1], s1_2=one[0], s2_4=two[4], s2_5=two[3])
    same = (1, 2, 3, 4, 5)
    assert named(state, both) == ("legal", ArrangeAll(perms=(same, order, (1, 2, 3, 5, 4))))
    again = play(state, Arrange(1, order), Arrange(1, order, closes=False))
    assert named(again, sorted_one)[0] == "legal", "sorting goes on until the first action"


def test_sorting_as_the_engine_rules() -> None:
    state = dealt()
    one, two = (list(map(str, state.table.hands[seat])) for seat in (1, 2))
    change = shown(state, s1_1=one[1], s1_2=one[0])
    assert GAME.explain_strictly(state, change).action == Arrange(1, (2, 1, 3, 4, 5))
    arranged = replace(state, arranged=(False, True, False))
    assert GAME.explain_strictly(arranged, change).error == "already_arranged"
    both = shown(state, s1_1=one[1], s1_2=one[0], s2_4=two[4], s2_5=two[3])
    assert GAME.explain_strictly(state, both).error == "not_started"
    assert GAME.explain_strictly(state, shown(state, row=str(state.table.pile[0]))).error == "not_started"


def test_sorting_cards_that_were_not_read() -> None:
    state = hidden(dealt(), *map(str, dealt().table.hands[1][:2]))
    hand = [str(card) for card in dealt().table.hands[1]]
    moved = shown(state, s1_1=hand[2], s1_2="?", s1_3=hand[0])
    assert named(state, moved) == ("legal", Arrange(1, (3, 2, 1, 4, 5), closes=False))
    unread = GAME.start(3, GAME.options({}))
    mats = tuple(hand for hand in dealt().table.hands)
    first_reading = Change(tuple(tuple(c for c in mat if isinstance(c, Card)) for mat in mats), ())
    assert named(unread, first_reading) == ("nothing", None)


def test_the_first_turn_starts_the_game() -> None:
    state = dealt(first_seat=1)
    drawn, out = str(state.table.pile[4]), str(state.table.hands[1][2])
    change = shown(state, row=out, s1_3=drawn)
    assert named(state, change) == ("legal", Draw(1, 3))
    assert GAME.explain_strictly(state, change).error == "not_started"
    assert named(state, shown(state, row=drawn)) == ("legal", Draw(1, None))
    other = str(state.table.hands[0][2])
    assert named(state, shown(state, row=other, s0_3=drawn)) == ("illegal", "not_started")
