"""The story of a game: what lay where after every move that stands, told only once the result does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cards import Card, Mark
from companion.errors import DeclarationError
from companion.games.steal_state import Draw, StealCard
from companion.history import retelling, told
from companion.journal import read_walk
from companion.observation import Call, Correct, Entry
from companion.played import PlayedGame, PlayedMove, PlayedSeat
from companion.referee import AnyReferee
from companion.retelling import Carried, Retelling, retold, retold_from
from companion.table import SLOTS, row, slot
from companion.views import MoveView
from tests.companion import finished
from tests.companion.amended import agree, call, ended, tap, taps, turned
from tests.companion.played_games import games
from tests.companion.retold import DAY, EVENING, at_random, judged, story
from tests.companion.told import Told


def lying(referee: AnyReferee) -> list[tuple[Any, ...]]:
    """What lay where before the first turn and after each, as the referee has it."""
    tables = [referee.turns[0].before.table, *(turn.after.table for turn in referee.turns)]
    return [(table.hands, table.row, len(table.pile), len(table.removed)) for table in tables]


def told_of(found: Retelling) -> list[tuple[Any, ...]]:
    return [(moment.hands, moment.row, moment.pile, moment.removed) for moment in found.moments]


def played_of(referee: AnyReferee, found: Retelling) -> PlayedGame:
    """The same game as history keeps it."""
    result = referee.game.result(referee.state)
    assert result is not None
    seats = tuple(
        PlayedSeat(name, "mat", hand, dealt, "high card")
        for name, hand, dealt in zip(found.names, found.moments[-1].hands, found.moments[0].hands, strict=True)
    )
    moves = tuple(_played(moment.move, moment.got, moment.gave) for moment in found.moments[1:] if moment.move is not None)
    return PlayedGame("0" * 16, "steal", f"{DAY}T19:00:00+00:00", 9.0, seats, result.order, result.winners, result.reason, moves)


def _played(move: MoveView, got: Card | None, gave: Card | None) -> PlayedMove:
    assert move.seat is not None
    return PlayedMove(move.kind, move.seat, 1.0, move.slot, move.victim, move.victim_slot, got, gave)


# ---- what is told ---------------------------------------------------------------------------------------------------


def test_every_moment_is_as_the_referee_had_it() -> None:
    found, referee = story(), judged()
    assert told_of(found) == lying(referee)
    assert len(found.moments) == len(EVENING) + 1
    assert found.moments[0].move is None
    result = referee.game.result(referee.state)
    assert result is not None
    assert (found.order, found.winners, found.rules, found.day) == (result.order, result.winners, "steal", DAY)


@given(st.integers(0, 10_000), st.integers(3, 5))
@settings(max_examples=25, deadline=None)
def test_any_game_is_told_alike_from_its_referee_and_from_what_history_keeps(seed: int, seats: int) -> None:
    referee = at_random(seed, seats)
    names = ("Ann", "Ben", "Cat", "Dan", "Eve")[:seats]
    found = retold(referee, referee.game.result(referee.state), names, DAY)
    assert told_of(found) == lying(referee)
    again = retold_from(played_of(referee, found))
    assert replace(again, day=DAY) == found
    assert found.leaders[-1] == found.order[0]
    for number in range(1, len(found.moments)):
        assert (found.leaders[number] != found.leaders[number - 1]) is (number in found.turning_points)


def test_every_move_carries_its_cards_between_places() -> None:
    ways = {moment.move.kind: moment.carried for moment in story().moments[1:] if moment.move}
    assert ways["discard"] == (Carried("pile", "row"),)
    assert ways["draw"] == (Carried("pile", "2-2"), Carried("2-2", "row"))
    assert ways["take"] == (Carried("row", "2-5"), Carried("2-5", "removed"))
    assert ways["steal"] == (Carried("2-1", "1-3"), Carried("1-3", "2-1"))
    before, after = story().moments[-2:]
    assert after.move is not None and after.move.kind == "steal" and after.touched == {"2-1", "1-3"}
    assert after.hands[1][2] == before.hands[2][0] == after.got
    assert after.hands[2][0] == before.hands[1][2] == after.gave


def test_whoever_leaves_and_comes_back_is_told_between_the_moves() -> None:
    referee = at_random(3, 4, judged(EVENING[:3], 4).seated(2, True, 20.0).seated(2, False, 21.0))
    found = retold(referee, referee.game.result(referee.state), (*finished.NAMES, "Dan"), "")
    assert told_of(found) == lying(referee)
    assert [moment.move.kind for moment in found.moments[4:6] if moment.move] == ["leave", "return"]
    assert all(not moment.carried for moment in found.moments[4:6])


def test_a_hand_of_which_a_card_is_not_known_is_worth_nothing_and_nobody_leads() -> None:
    found = story()
    first = found.moments[0]
    unread = replace(first, hands=((None, *first.hands[0][1:]), *first.hands[1:]))
    assert unread.worth(0) is None and unread.worth(1) == first.worth(1)
    partly = replace(found, moments=(unread, *found.moments[1:]))
    assert partly.leaders == (None, *found.leaders[1:])
    assert 1 not in partly.turning_points


# ---- what history can tell ------------------------------------------------------------------------------------------


def test_a_record_is_told_wholly_with_its_key_and_as_far_as_it_goes_without(tmp_path: Path) -> None:
    walk = read_walk(finished.played(tmp_path))
    whole = retelling(walk, "0123456789abcdef", finished.SEAL)
    assert whole is not None
    assert all(card is not None for moment in whole.moments for hand in moment.hands for card in hand)
    partly = retelling(walk, "0123456789abcdef")
    assert partly is not None
    assert partly.moments[-1].hands == whole.moments[-1].hands
    pairs = [
        (one, other) for first, second in zip(partly.moments, whole.moments, strict=True)
        for hand, known in zip(first.hands, second.hands, strict=True) for one, other in zip(hand, known, strict=True)
    ]  # fmt: skip
    assert all(one in (None, other) for one, other in pairs)
    kept = sum(one is not None for one, _ in pairs)
    assert len(pairs) > kept > 15, "what lay in the hands of the end is followed back to where it came from"


def test_a_record_without_a_result_or_that_was_changed_is_not_told(tmp_path: Path) -> None:
    walk = read_walk(finished.played(tmp_path, finished=False))
    assert retelling(walk, "0123456789abcdef", finished.SEAL) is None
    other = read_walk(finished.played(tmp_path, "fedcba9876543210"))
    assert retelling(other, "0123456789abcdef", finished.SEAL) is None


def test_moves_that_do_not_fit_the_cards_leave_the_hands_of_the_end(tmp_path: Path) -> None:
    found = told(read_walk(finished.played(tmp_path)), "0123456789abcdef", finished.SEAL)
    assert isinstance(found, PlayedGame)
    first, *others = found.moves
    swapped = replace(found, moves=(replace(first, got=others[2].gave), *others))
    again = retold_from(swapped)
    assert {card for moment in again.moments[:-1] for hand in moment.hands for card in hand} == {None}
    assert again.moments[-1].hands == tuple(seat.hand for seat in found.seats)
    assert [moment.pile for moment in again.moments] == [moment.pile for moment in retold_from(found).moments]


@given(games())
@settings(max_examples=60, deadline=None)
def test_whatever_history_holds_can_be_told(game: PlayedGame) -> None:
    found = retold_from(game)
    assert len(found.moments) == len(game.moves) + 1
    assert found.moments[-1].hands == tuple(seat.hand for seat in game.seats)
    assert len(found.leaders) == len(found.moments)


# ---- a sitting ------------------------------------------------------------------------------------------------------


def refused(table: Told) -> bool:
    with pytest.raises(DeclarationError) as caught:
        table.sitting.retelling()
    return caught.value.kind == "no_story"


def turns(table: Told) -> Iterator[Told]:
    """All cards turned over one by one."""
    for seat in range(3):
        for number in SLOTS:
            yield table.lie({slot(seat, number): Mark.BACK}, 0.8)


def test_nothing_is_told_before_the_last_card_lies_open() -> None:
    table = Told()
    assert refused(table)
    ended(table)
    for shown, _ in enumerate(turns(table), 1):
        if shown < 15:
            assert table.view.result is None and refused(table), shown
            assert {rank.seat for rank in table.view.ranking} == set(range(shown // 5))
    assert table.view.result is not None
    assert tuple(rank.seat for rank in table.view.ranking) == table.view.result.order
    found = table.sitting.retelling(DAY)
    assert found.order == table.view.result.order and found.day == DAY
    assert [moment.move.kind for moment in found.moments if moment.move] == ["discard"] * 7


def test_an_undo_across_the_end_takes_the_story_away_and_a_second_reveal_brings_it_back() -> None:
    table = turned(ended(Told()))
    first = table.sitting.retelling()
    table.say(0, Call("undo"), 0.3)
    assert table.sitting.retelling() == first, "it is only proposed"
    agree(table, 0, 1, 2)
    assert refused(table)
    table.lie({slot(seat, k): first.moments[0].hands[seat][k - 1] for seat in range(3) for k in SLOTS}, 3.0)
    assert refused(table)
    card = table.shown[row(7)]
    table.lie({row(7): Mark.EMPTY}, 2.0)
    assert table.view.current is not None and refused(table)
    table.lie({row(7): card}, 6.0)
    assert table.view.phase == "over" and refused(table)
    turned(table).wait(2.0)
    again = table.sitting.retelling()
    assert again == first, "the move that was taken back is told once, where it stands"


def test_a_corrected_card_is_told_as_what_it_is() -> None:
    table = turned(ended(Told()))
    first = table.sitting.retelling()
    free = next(card for card in table.pile if card not in table.shown.values())
    table.say(0, Correct(slot(1, 3), free), 1.0)
    found = table.sitting.retelling()
    assert {moment.hands[1][2] for moment in found.moments} == {free}
    assert first.moments[0].hands[1][2] != free


def test_a_table_of_taps_is_told_with_what_was_entered_at_the_reveal() -> None:
    table = taps()
    tap(table, 0, StealCard(0, 1, 2, 4))
    for seat in (1, 2, 0, 1, 2, 0, 1):
        tap(table, seat, Draw(seat, None))
    assert table.view.phase == "over"
    deck = iter(judged().dealt.table.cards())
    for seat in range(3):
        for number in SLOTS:
            table.say(seat, Entry(slot(seat, number), next(deck)), 0.2)
    found = table.sitting.retelling()
    final = found.moments[-1].hands
    assert found.moments[0].hands[1][1] == final[0][3] and found.moments[0].hands[0][3] == final[1][1]
    assert all(moment.worth(seat) is not None for moment in found.moments for seat in range(3))
    assert call(table, "pause") and table.sitting.retelling() == found
