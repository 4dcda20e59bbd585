"""Look-alikes (1.11), and pictures of tables of which only a part is known or watched."""

from __future__ import annotations

from dataclasses import replace

from companion.games.steal_state import Draw, StealCard, Take
from tests.companion.games.stealing import accused, cards, hidden, lock, named, play, position, shown, unwatched

ROW = position(row="9c 9d 9h")


def test_look_alike_1_a_discard_that_nobody_sees() -> None:
    assert named(ROW, shown(ROW, row=None)) == ("nothing", None)


def test_look_alike_2_a_draw_and_a_take_of_an_unread_card() -> None:
    state = hidden(ROW, "9h")
    assert named(state, shown(state, row=None, s0_2="Kd")) == ("unsure", (Draw(0, 2), Take(0, 2)))
    assert named(state, shown(state, row="9c 9d", s0_2="Kd")) == ("legal", Take(0, 2))
    assert named(state, shown(state, row="# # # #", s0_2="Kd")) == ("legal", Draw(0, 2))
    assert named(ROW, shown(ROW, row=None, s0_2="Kd")) == ("legal", Draw(0, 2)), "a card of the row that is known differs"
    first = position(turn=0, last_actor=None)
    assert named(first, shown(first, row=None, s0_2="Kd")) == ("legal", Draw(0, 2))


def test_look_alike_3_nobody_sees_where_a_replaced_card_went() -> None:
    assert named(ROW, shown(ROW, row=None, s0_2="Kd")) == ("legal", Draw(0, 2))


def test_look_alike_8_back_again_is_nothing() -> None:
    stolen = play(ROW, StealCard(0, 1, 1, 1))
    assert named(ROW, shown(play(stolen, Draw(1, None)), row=None))[1] == StealCard(0, 1, 1, 1)
    assert named(ROW, shown(ROW)) == ("nothing", None)


def test_a_first_reading_is_no_change() -> None:
    state = hidden(ROW, "3c", "4d")
    assert named(state, shown(state, row=None, s0_2="Kd", s1_3="Qd")) == ("nothing", None)
    assert named(state, shown(state, s0_2="Kd")) == ("nothing", None)


def test_a_first_reading_that_cannot_be_one() -> None:
    """Slot 2 holds a card that was never read; now it shows one that is known to lie elsewhere."""
    state = hidden(ROW, "3c")
    assert named(state, shown(state, s0_2="9h", row="9c 9d")) == ("legal", Take(0, 2))
    assert named(state, shown(state, s0_2="4d", s1_3="Kd")) == ("legal", StealCard(0, 1, 3, 2))
    accused(state, shown(state, s0_2="2c", s0_1="Kd"), "positions_changed")


def test_a_card_that_cannot_be_read_may_be_another() -> None:
    assert named(ROW, shown(ROW, s0_2="?")) == ("nothing", None), "the row would have grown"
    assert named(ROW, shown(ROW, row=None, s0_2="?")) == ("unsure", (None, Draw(0, 2), Take(0, 2)))
    assert named(ROW, shown(ROW, row=None, s1_2="?")) == ("nothing", None), "only the seat to act acts"
    assert named(ROW, shown(ROW, s0_2="?", s1_2="?")) == ("unsure", (None, StealCard(0, 1, 2, 2)))
    assert named(ROW, shown(ROW, s0_2="3d", s1_2="?")) == ("legal", StealCard(0, 1, 2, 2))
    assert named(ROW, shown(ROW, row="9c 9d 9h 3c", s0_2="?")) == ("legal", Draw(0, 2))
    assert named(ROW, shown(ROW, row="9c 9d 9h ?", s0_2="?")) == ("unsure", (Draw(0, None), Draw(0, 2)))


def test_a_lock_that_is_in_the_way_is_no_choice() -> None:
    state = position(locks=(lock(0, 1, "3d", 2),))
    assert named(state, shown(state, s0_2="?", s1_2="?")) == ("nothing", None)
    accused(state, shown(state, s0_2="3d", s1_2="?"), "steal_back_locked")


def test_a_covered_slot_is_not_looked_at() -> None:
    assert named(ROW, shown(ROW, s0_2="~", s1_3="~")) == ("nothing", None)
    assert named(ROW, shown(ROW, s0_2="4d", s1_3="~")) == ("legal", StealCard(0, 1, 3, 2))


def test_what_is_in_plain_view_explains_more_than_a_covered_slot() -> None:
    """A slot that was never read and that nobody has touched is handed in as covered: it takes no part in a turn."""
    unread = hidden(ROW, "4c", "4d")
    grown = shown(unread, row="9c 9d 9h Kd", s0_3="~")
    assert named(unread, grown) == ("legal", Draw(0, None))
    replaced = shown(unread, row=None, s0_1="Kd", s1_3="~")
    assert named(unread, replaced) == ("legal", Draw(0, 1))
    touched = shown(unread, row="9c 9d 9h Kd", s0_3="?")
    assert named(unread, touched) == ("unsure", (Draw(0, None), Draw(0, 3)))
    only = shown(unread, s0_1="Kd", s1_3="~")
    assert named(unread, only) == ("legal", StealCard(0, 1, 3, 1))


def test_a_steal_from_a_seat_without_a_mat() -> None:
    tap = hidden(ROW, "2h", "3h", "4h", "5h", "6h")
    change = unwatched(shown(tap, s0_2="Kd"), 2)
    assert named(tap, change) == ("unsure", tuple(StealCard(0, 2, number, 2) for number in range(1, 6)))
    known = hidden(ROW, "2h", "4h")
    assert named(known, unwatched(shown(known, s0_2="5h"), 2)) == ("legal", StealCard(0, 2, 4, 2))
    blind = unwatched(shown(tap, row=None, s0_2="Kd"), 2)
    assert named(tap, blind) == ("unsure", (Draw(0, 2), *(StealCard(0, 2, number, 2) for number in range(1, 6))))
    drawn = unwatched(shown(tap, row="9c 9d 9h 3c", s0_2="Kd"), 2)
    assert named(tap, drawn) == ("legal", Draw(0, 2))


def test_a_steal_by_a_seat_without_a_mat() -> None:
    tap = hidden(ROW, "2c", "3c", "4c", "5c", "6c")
    change = unwatched(shown(tap, s1_2="Kd"), 0)
    assert named(tap, change) == ("unsure", tuple(StealCard(0, 1, 2, number) for number in range(1, 6)))
    known = hidden(ROW, "2c", "3c")
    assert named(known, unwatched(shown(known, s1_2="5c"), 0)) == ("legal", StealCard(0, 1, 2, 4))


def test_turns_of_a_seat_without_a_mat_that_the_row_tells() -> None:
    tap = hidden(ROW, "2c", "3c", "4c", "5c", "6c")
    grown = unwatched(shown(tap, row="9c 9d 9h Kd"), 0)
    assert named(tap, grown) == ("unsure", (Draw(0, None), *(Draw(0, number) for number in range(1, 6))))
    less = unwatched(shown(tap, row="9c 9d"), 0)
    assert named(tap, less) == ("unsure", tuple(Take(0, number) for number in range(1, 6)))
    assert named(tap, unwatched(shown(tap, row=None), 0)) == ("nothing", None)


def test_a_card_out_of_turn_between_a_mat_and_a_tap_seat() -> None:
    """Seat 2 changed a card and the row did not: it can only have come from the seat that nobody watches."""
    tap = hidden(position(4, row="9c"), "2d", "3d", "4d", "5d", "6d")
    ruling = accused(tap, unwatched(shown(tap, s2_2="Kd"), 1), "not_your_turn")
    assert ruling.seats == (1, 2)


def test_a_lock_on_an_unread_card() -> None:
    state = play(hidden(ROW, "4h"), StealCard(0, 2, 3, 1))
    state = replace(state, current=2)
    for shows in ("?", "Kd"):
        ruling = accused(state, shown(state, s0_1="5h", s2_4=shows), "steal_back_locked")
        assert ruling.action == StealCard(2, 0, 1, 4)


def test_nothing_is_claimed_of_a_pile_that_an_engine_knows() -> None:
    """Any card of the pile may be the one drawn: nobody knows its order."""
    for card in ROW.table.pile:
        assert named(ROW, shown(ROW, row="9c 9d 9h 3c", s0_2=str(card))) == ("legal", Draw(0, 2))


def test_a_hand_with_a_gap_in_the_agreed_state() -> None:
    state = replace(ROW, table=ROW.table.with_slot(1, 2, None))
    assert named(state, shown(state)) == ("nothing", None)
    assert cards("3d")[0] not in set(state.table.cards())
    accused(state, shown(state, row=None, s1_2="Kd"), "not_your_turn")
