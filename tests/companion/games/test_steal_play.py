"""A game from the deal to the result under the usual rules."""

from __future__ import annotations

import pytest

from companion.cards import Card, Unknown
from companion.errors import OptionError
from companion.games.base import Result
from companion.games.steal_state import (
    Arrange,
    ArrangeAll,
    Draw,
    Leave,
    Misdeal,
    Return,
    Start,
    StealCard,
    StealState,
    Take,
    lock_ends,
)
from companion.table import PILE, REMOVED, row, slot
from companion.views import LockView, MoveView
from tests.companion.games.stealing import GAME, cards, conserved, dealt, final, hidden, lock, play, position


def hand(state: StealState, seat: int) -> str:
    return " ".join(map(str, state.table.hands[seat]))


@pytest.mark.parametrize(("seats", "pile"), [(3, 37), (4, 32), (5, 27)])
def test_the_deal_goes_round_one_card_at_a_time(seats: int, pile: int) -> None:
    deck = tuple(Unknown(number) for number in range(52))
    state = GAME.start(seats, GAME.options({"first_seat": 1}))
    assert state.table.hands[1] == tuple(deck[k * seats] for k in range(5))
    assert state.table.hands[0] == tuple(deck[k * seats + seats - 1] for k in range(5))
    assert state.table.pile == deck[5 * seats :]
    assert len(state.table.pile) == pile
    assert (state.phase, state.turn, state.current, state.table.row) == ("setup", 0, None, ())


@pytest.mark.parametrize("seats", [2, 6])
def test_a31_other_tables_are_refused(seats: int) -> None:
    with pytest.raises(OptionError, match=f"^Five Card Steal is for 3 to 5 players; found {seats}$"):
        GAME.start(seats, GAME.options({}))


def test_a_first_seat_that_is_not_there_is_refused() -> None:
    with pytest.raises(OptionError, match=r"^option 'first_seat' has to be one of the seats 0 to 2; found 3$"):
        GAME.start(3, GAME.options({"first_seat": 3}))


@pytest.mark.parametrize(("deck", "found"), [(cards("2c 3c"), "2 cards, 2"), (cards("2c 2c") * 26, "52 cards, 1")])
def test_a_deck_that_is_none_is_refused(deck: tuple[Card, ...], found: str) -> None:
    with pytest.raises(OptionError, match=f"^a deck has 52 different cards; found {found} of them different$"):
        GAME.start(3, GAME.options({}), deck)


def test_arranging_and_starting() -> None:
    state = dealt()
    first = state.table.hands[1]
    state = play(state, Arrange(1, (2, 3, 1, 5, 4)))
    assert state.table.hands[1] == (first[1], first[2], first[0], first[4], first[3])
    assert state.arranged == (False, True, False)
    state = play(state, Start())
    assert (state.phase, state.current, state.turn) == ("play", 0, 0)
    assert GAME.opened(state) is state


def test_sorting_that_goes_on_closes_nothing() -> None:
    state = play(dealt(), Arrange(1, (2, 1, 3, 4, 5), closes=False), Arrange(1, (2, 1, 3, 4, 5)))
    assert state.table == dealt().table
    both = ArrangeAll(perms=((5, 4, 3, 2, 1), (1, 2, 3, 4, 5), (1, 2, 3, 5, 4)))
    assert play(state, both).arranged == state.arranged
    assert play(state, both, both).table == state.table


def test_draw_and_use() -> None:
    before = position(row="9c")
    state = play(before, Draw(0, 2))
    drawn = before.table.pile[0]
    assert hand(state, 0) == f"2c {drawn} 4c 5c 6c"
    assert state.table.row == cards("9c 3c")
    assert state.table.pile == before.table.pile[1:]
    assert (state.turn, state.current, state.last_actor, state.discards) == (4, 1, 0, 2)


def test_draw_and_discard() -> None:
    before = position(row="9c")
    state = play(before, Draw(0, None))
    assert state.table.hands == before.table.hands
    assert state.table.row == (Card.parse("9c"), before.table.pile[0])


def test_take() -> None:
    state = play(position(row="9c 9d"), Take(0, 5))
    assert hand(state, 0) == "2c 3c 4c 5c 9d"
    assert (state.table.row, state.table.removed) == (cards("9c"), cards("6c"))
    assert state.table.find(Card.parse("6c")) == REMOVED


def test_steal() -> None:
    state = play(position(), StealCard(0, 2, 3, 1))
    assert hand(state, 0) == "4h 3c 4c 5c 6c"
    assert hand(state, 2) == "2h 3h 2c 5h 6h"
    assert state.locks == (lock(2, 0, "4h", 3),)


def test_a8_cards_stay_in_the_slots_they_were_taken_from() -> None:
    state = play(position(), StealCard(0, 1, 5, 5))
    assert (state.table.at(slot(0, 5)), state.table.at(slot(1, 5))) == cards("6d 6c")


def test_the_fifth_discard_brings_the_final_turns_and_the_end() -> None:
    state = play(position(row="9c 9d 9h 9s"), Draw(0, 1))
    assert (state.phase, state.ender, state.final_left, state.current) == ("final", 0, (1, 2), 1)
    state = play(state, StealCard(1, 0, 1, 1))
    assert (state.phase, state.final_left, state.current, state.turn) == ("final", (2,), 2, 5)
    state = play(state, Draw(2, None))
    assert (state.phase, state.final_left, state.current, state.turn) == ("over", (), None, 6)
    assert len(state.table.row) == 6, "a further discard of the final turns lies on the row"


def test_a18_a_take_never_brings_the_end() -> None:
    state = play(position(row="9c 9d 9h 9s"), Take(0, 1))
    assert (state.phase, len(state.table.row)) == ("play", 3)


def test_a15_the_first_player_starts_with_an_empty_row() -> None:
    state = play(dealt(), Start())
    assert GAME.judge(state, Take(0, 1)).error == "take_before_second_turn"
    assert GAME.judge(play(state, StealCard(0, 1, 1, 1)), Take(1, 1)).error == "row_empty"
    assert GAME.judge(play(state, Draw(0, 1)), Take(1, 1)).error is None


def test_a29_one_may_take_what_one_has_discarded() -> None:
    state = play(position(), Draw(0, 3), StealCard(1, 2, 1, 1), StealCard(2, 1, 2, 2), Take(0, 1))
    assert state.table.at(slot(0, 1)) == Card.parse("4c")


def test_a5_a_victim_is_barred_on_the_next_turn_and_free_on_the_one_after() -> None:
    """1.5: a rotation, whether or not others act on the card in between."""
    state = play(position(4), StealCard(0, 2, 3, 1), Draw(1, None))
    back = StealCard(2, 0, 1, 2)
    assert GAME.judge(state, back).error == "steal_back_locked"
    assert GAME.judge(state, StealCard(2, 0, 2, 2)).error is None, "another card of the thief is free"
    state = play(state, StealCard(2, 3, 1, 1), Draw(3, None), StealCard(0, 1, 4, 4), StealCard(1, 3, 5, 5))
    assert GAME.judge(state, back).error is None


def test_a11_a_third_player_may_take_the_stolen_card_at_once() -> None:
    state = play(position(), StealCard(0, 2, 3, 1), StealCard(1, 0, 1, 5))
    assert state.locks == (lock(2, 0, "4h", 3), lock(0, 1, "4h", 4))
    assert GAME.judge(state, StealCard(2, 1, 5, 1)).error is None, "the first lock binds against the first thief only"
    state = play(state, Draw(2, None))
    assert GAME.judge(state, StealCard(0, 1, 5, 1)).error == "steal_back_locked"


def test_a13_several_locks_add_up() -> None:
    state = position(locks=(lock(0, 2, "4h", 1), lock(0, 1, "5d", 2), lock(0, 2, "6h", 2)))
    errors = [GAME.judge(state, StealCard(0, *card, 1)).error for card in ((2, 3), (1, 4), (2, 5), (2, 4), (1, 3))]
    assert errors == ["steal_back_locked"] * 3 + [None] * 2


def test_a14_a_locked_card_may_be_taken_from_the_row() -> None:
    state = play(position(), StealCard(0, 1, 3, 1), Draw(1, None), Draw(2, None), Draw(0, 1))
    assert state.table.row[-1] == Card.parse("4d")
    assert GAME.judge(state, Take(1, 1)).error is None


def test_locks_run_out_of_the_list() -> None:
    state = play(position(), StealCard(0, 1, 3, 1), Draw(1, None))
    assert len(state.locks) == 1
    assert lock_ends(state, state.locks[0]) == 6
    assert len(play(state, Draw(2, None)).locks) == 0


def test_a19_the_drawer_of_the_last_card_ends_the_game() -> None:
    state = play(position(pile="Kd", row="9c"), Draw(0, 1))
    assert (state.phase, state.ender, state.final_left) == ("final", 0, (1, 2))
    assert GAME.judge(state, Draw(1, 1)).error == "pile_empty"


def test_a26_the_end_stays_when_the_fifth_card_is_taken() -> None:
    state = play(final(), Take(0, 1))
    assert (state.phase, state.ender, len(state.table.row)) == ("final", 2, 4)
    assert play(state, Draw(1, None)).phase == "over"


def test_a33_a_misdeal_is_dealt_again_with_the_same_first_seat() -> None:
    state = play(dealt(first_seat=2), Arrange(0, (2, 1, 3, 4, 5)), Start())
    again = play(state, Misdeal(1))
    assert (again.phase, again.options, again.arranged) == ("setup", state.options, (False,) * 3)
    assert all(isinstance(card, Unknown) for card in again.table.cards())
    assert again == GAME.redealt(state)
    assert GAME.judge(play(state, Draw(2, 1)), Misdeal(1)).error == "already_started"
    deck = tuple(dealt(seed=7).table.cards())
    assert play(state, Misdeal(None, deck)).table.hands[2] == deck[0:15:3]


def test_a34_the_first_seat_moves_on() -> None:
    assert GAME.next_options(dealt(3, first_seat=1)).first_seat == 2
    assert GAME.next_options(dealt(3, first_seat=2)).first_seat == 0


def test_a_result_needs_the_end_and_every_hand() -> None:
    over = position(phase="over", current=None, ender=2)
    assert GAME.result(over) == Result((2, 1, 0), (2,), ("straight flush",) * 3, "suit")
    assert GAME.result(position()) is None
    assert GAME.result(position(phase="over", current=None, unranked=True)) is None
    assert GAME.result(hidden(over, "2c")) is None


def test_conservation_along_a_long_game() -> None:
    state = play(dealt(5), Start())
    for turn in range(60):
        legal = list(GAME.legal_actions(state))
        if not legal:
            break
        state = play(state, legal[turn * 7 % len(legal)])
        assert conserved(state)
    assert state.phase == "over" or state.turn == 60


def test_learning_renames_a_card_wherever_it_stands() -> None:
    state = play(GAME.start(3, GAME.options({})), Start(), StealCard(0, 1, 2, 1))
    stolen = state.locks[0].card
    assert isinstance(stolen, Unknown)
    taught = GAME.learn(state, stolen, Card.parse("Kd"))
    assert taught.locks == (lock(1, 0, "Kd", 0),)
    assert taught.table.at(slot(0, 1)) == Card.parse("Kd")
    assert GAME.judge(taught, StealCard(1, 0, 1, 3)).error == "steal_back_locked"
    assert conserved(taught)


def test_a_lock_on_a_card_that_nobody_has_read_holds() -> None:
    state = play(GAME.start(3, GAME.options({})), Start(), StealCard(0, 1, 2, 1))
    assert GAME.judge(state, StealCard(1, 0, 1, 3)).error == "steal_back_locked"
    assert GAME.judge(state, StealCard(1, 0, 2, 3)).error is None


def test_learning_a_card_that_the_pile_names_changes_the_two_names() -> None:
    state = hidden(position(), "2c")
    unknown = state.table.hands[0][0]
    assert isinstance(unknown, Unknown)
    taught = GAME.learn(state, unknown, Card.parse("Ks"))
    assert taught.table.at(slot(0, 1)) == Card.parse("Ks")
    assert unknown in taught.table.pile
    assert conserved(taught)


def test_places() -> None:
    places = GAME.places(4)
    assert len(places) == 20 + 9
    assert slot(3, 5) in places
    assert row(9) in places
    assert PILE not in places


def test_what_everybody_may_know() -> None:
    state = play(position(5), StealCard(0, 2, 3, 1), Leave(4))
    public = GAME.public(state)
    assert public.locks == (LockView(2, 0, 1, 4),)
    assert (public.ender, public.final_left, public.away) == (None, (), (4,))
    moved = play(state, StealCard(1, 0, 1, 2))
    assert [view.slot for view in GAME.public(moved).locks] == [None, 2]
    assert "4h" not in repr(GAME.public(moved))


@pytest.mark.parametrize(
    ("action", "view"),
    [
        (Draw(1, 3), MoveView("draw", 1, 3)),
        (Draw(1, None), MoveView("discard", 1)),
        (Take(2, 5), MoveView("take", 2, 5)),
        (StealCard(0, 2, 4, 1), MoveView("steal", 0, 1, 2, 4)),
        (Arrange(1, (2, 1, 3, 4, 5)), MoveView("arrange", 1)),
        (Start(), MoveView("start", None)),
        (Return(3), MoveView("return", 3)),
    ],
)
def test_actions_by_their_places(action: object, view: MoveView) -> None:
    assert GAME.move_view(action) == view  # type: ignore[arg-type]


def test_what_leaves_no_trace_without_a_tray() -> None:
    assert GAME.invisible(position()) == (Draw(0, None),)
    assert GAME.invisible(position(pile="")) == ()
    assert len(GAME.invisible(position(options={"allow_pass": True}))) == 2
    assert GAME.invisible(dealt()) == ()
