"""What lamps and buzzer say of a view."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cues import Cue, Meaning, Pattern, cues
from companion.views import (
    HomeView,
    MoveView,
    PlacementView,
    QuestionView,
    ResultView,
    SeatView,
    SlotShows,
    SlotView,
    TroubleView,
    View,
    ViolationView,
)


def seat(number: int, *shows: SlotShows) -> SeatView:
    shown = shows or (SlotShows.LYING,) * 5
    return SeatView(number, f"player {number + 1}", "mat", tuple(SlotView(n, s) for n, s in enumerate(shown, 1)))


PLAIN = View(
    version=1, time=0.0, game="steal", phase="play", turn=3, current=1, seats=(seat(0), seat(1), seat(2)), row=("Td",), pile=36,
    removed=0, ender=None, final_left=(), locks=(), last=None, question=None, violation=None, awaiting=(), revealing=False,
    result=None, paused=False,
)  # fmt: skip

RESULT = ResultView((2, 0, 1), (2,), ("one pair", "high card", "two pair"), (("As",) * 5,) * 3, "category")


def said(**changes: Any) -> tuple[Cue, ...]:
    return cues(replace(PLAIN, **changes))


def test_the_seat_to_act_burns_steadily() -> None:
    assert said() == (Cue(Meaning.TURN, 1),)
    assert Cue(Meaning.TURN, 1).pattern is Pattern.STEADY


def test_nobody_to_act_is_dark() -> None:
    assert said(current=None) == ()


def test_the_last_turn_looks_different_from_any_other() -> None:
    assert said(phase="final", final_left=(1, 2)) == (Cue(Meaning.FINAL_TURNS), Cue(Meaning.LAST_TURN, 1))
    assert Cue(Meaning.LAST_TURN, 1).pattern is not Cue(Meaning.TURN, 1).pattern


def test_a_steal_lights_both_slots_that_it_touched() -> None:
    steal = MoveView("steal", seat=0, slot=2, victim=2, victim_slot=5, provisional=True)
    assert said(last=steal) == (Cue(Meaning.TOUCHED, 0, 2), Cue(Meaning.TURN, 1), Cue(Meaning.TOUCHED, 2, 5))


def test_a_draw_lights_the_slot_that_it_touched() -> None:
    assert said(last=MoveView("draw", seat=0, slot=4)) == (Cue(Meaning.TOUCHED, 0, 4), Cue(Meaning.TURN, 1))


def test_a_card_laid_on_the_row_lights_no_slot() -> None:
    assert said(last=MoveView("discard", seat=0)) == (Cue(Meaning.TURN, 1),)


def test_a_violation_names_the_seat_and_the_slots_still_to_put_right() -> None:
    remedy = (
        PlacementView("return_card", (1, 3), done=False),
        PlacementView("return_card", (2, 1), done=True),
        PlacementView("row", None, done=False),
    )
    broken = ViolationView("wrong_turn", "STEAL-1.4", 2, (), ((1, 3), (2, 1)), remedy)
    found = said(violation=broken, last=MoveView("draw", seat=0, slot=4))
    assert found == (
        Cue(Meaning.VIOLATION),
        Cue(Meaning.TOUCHED, 0, 4),
        Cue(Meaning.PUT_BACK, 1, 3),
        Cue(Meaning.BROKE, 2),
    )


def test_a_violation_of_nobody_in_particular_lights_every_seat_concerned() -> None:
    broken = ViolationView("unexplained", "STEAL-1.10", None, (0, 2), (), ())
    assert said(violation=broken) == (Cue(Meaning.VIOLATION), Cue(Meaning.BROKE, 0), Cue(Meaning.BROKE, 2))


def test_a_question_lights_the_seat_that_may_answer_and_the_slots_it_is_about() -> None:
    asked = QuestionView(7, "whose_card", 0, (None,), ((2, 2),))
    assert said(question=asked) == (
        Cue(Meaning.QUESTION),
        Cue(Meaning.ASKED, 0),
        Cue(Meaning.TURN, 1),
        Cue(Meaning.ASKED, 2, 2),
    )


def test_a_question_for_the_seat_to_act_outshines_its_turn() -> None:
    assert said(question=QuestionView(7, "which_action", 1, (None,))) == (Cue(Meaning.QUESTION), Cue(Meaning.ASKED, 1))


def test_a_card_that_a_tap_still_has_to_move_blinks_in_its_slot() -> None:
    awaiting = (PlacementView("lay_card", (0, 1), False), PlacementView("lay_card", (0, 2), True))
    assert said(awaiting=awaiting) == (Cue(Meaning.LAY_HERE, 0, 1), Cue(Meaning.TURN, 1))


def test_a_stop_is_all_that_the_lamps_say_and_looks_like_no_pause() -> None:
    move = MoveView("draw", seat=0, slot=4)
    seats = tuple(Cue(Meaning.STOPPED, number) for number in range(3))
    assert said(stopped=True, last=move) == (Cue(Meaning.STOPPED), *seats)
    assert said(stopped=True, paused=True)[2:] == seats
    assert Cue(Meaning.STOPPED, 0).pattern is not Cue(Meaning.PAUSED, 0).pattern


def test_one_lamp_at_a_time_leads_a_loose_card_home() -> None:
    remedy = tuple(PlacementView("return_card", place, done=False) for place in ((0, 1), (1, 3), (2, 2)))
    broken = ViolationView("slot_empty", "STEAL-1.3", None, (), ((0, 1),), remedy)
    homes = (HomeView((0, 1), "row"), HomeView((1, 3), "slot", (2, 2)), HomeView((2, 2), "slot", (0, 1)))
    slots = [cue for cue in said(violation=broken, homes=homes) if cue.slot is not None]
    assert slots == [Cue(Meaning.PUT_BACK, 0, 1), Cue(Meaning.PUT_BACK, 1, 3), Cue(Meaning.HOME, 2, 2)]


def test_the_reveal_lights_slot_by_slot() -> None:
    hidden, shown = SlotShows.LYING, SlotShows.REVEALED
    changes: dict[str, Any] = {"phase": "over", "current": None, "revealing": True, "last": MoveView("draw", seat=0, slot=4)}
    for count in range(6):
        seats = (seat(0, *[shown] * count, *[hidden] * (5 - count)), seat(1), seat(2))
        assert said(seats=seats, **changes) == (
            Cue(Meaning.REVEALING),
            *(Cue(Meaning.REVEALED, 0, number) for number in range(1, count + 1)),
        )


def test_the_winner_and_his_whole_hand_stand_out() -> None:
    seats = tuple(seat(number, *[SlotShows.REVEALED] * 5) for number in range(3))
    found = said(phase="over", current=None, seats=seats, revealing=True, result=RESULT)
    others = tuple(Cue(Meaning.REVEALED, number, slot) for number in (0, 1) for slot in range(1, 6))
    winner = tuple(Cue(Meaning.WINNER, 2, slot) for slot in range(1, 6))
    assert found == (Cue(Meaning.OVER), *others, Cue(Meaning.WINNER, 2), *winner)


def test_a_pause_is_all_that_a_paused_table_shows() -> None:
    broken = ViolationView("wrong_turn", "STEAL-1.4", 2, (), ((1, 3),), (PlacementView("return_card", (1, 3), False),))
    assert said(paused=True, violation=broken) == (
        Cue(Meaning.PAUSED),
        Cue(Meaning.VIOLATION),
        *(Cue(Meaning.PAUSED, number) for number in range(3)),
    )


def test_a_silent_camera_is_said() -> None:
    assert said(troubled=(TroubleView("silent", 2),)) == (Cue(Meaning.TROUBLE), Cue(Meaning.TURN, 1))


def test_cards_change_nothing() -> None:
    other = replace(PLAIN, row=("2c", None), seats=tuple(replace(s, name="x") for s in PLAIN.seats))
    assert cues(other) == cues(PLAIN)


@pytest.mark.parametrize(
    ("pattern", "eighths"),
    [
        (Pattern.OFF, "........ ........"),
        (Pattern.STEADY, "######## ########"),
        (Pattern.SLOW, "####.... ####...."),
        (Pattern.FAST, "#.#.#.#. #.#.#.#."),
        (Pattern.DOUBLE, "#.#..... #.#....."),
    ],
)
def test_patterns_over_two_seconds(pattern: Pattern, eighths: str) -> None:
    seen = "".join("#" if pattern.lit(100 + n / 8) else "." for n in range(16))
    assert seen == eighths.replace(" ", "")


SEAT_MEANINGS = {
    "play": {Meaning.TURN, Meaning.ASKED, Meaning.BROKE},
    "final": {Meaning.LAST_TURN, Meaning.ASKED, Meaning.BROKE},
}
SLOT_MEANINGS = {Meaning.TOUCHED, Meaning.PUT_BACK, Meaning.ASKED, Meaning.LAY_HERE}
PUTTING_RIGHT = {Meaning.TOUCHED, Meaning.PUT_BACK, Meaning.HOME, Meaning.LAY_HERE}
"""A question is never asked while cards are put back."""


@pytest.mark.parametrize("meanings", SEAT_MEANINGS.values(), ids=SEAT_MEANINGS)
def test_seat_lamps_need_no_colour(meanings: set[Meaning]) -> None:
    patterns = {Cue(meaning, 0).pattern for meaning in meanings}
    assert len(patterns) == len(meanings)
    assert Pattern.OFF not in patterns


def test_slot_lamps_need_no_colour() -> None:
    for meanings in (SLOT_MEANINGS, PUTTING_RIGHT):
        patterns = {Cue(meaning, 0, 1).pattern for meaning in meanings}
        assert len(patterns) == len(meanings)
        assert Pattern.OFF not in patterns
    assert Cue(Meaning.WINNER, 0, 1).pattern is not Cue(Meaning.REVEALED, 0, 1).pattern


places = st.tuples(st.integers(0, 2), st.integers(1, 5))
remedies = st.lists(st.builds(PlacementView, st.just("return_card"), st.none() | places, st.booleans()), max_size=4).map(tuple)
violations = st.builds(
    ViolationView, st.just("wrong_turn"), st.just("STEAL-1.4"), st.none() | st.integers(0, 2), st.just((0, 1)), st.just(()),
    remedies,
)  # fmt: skip
questions = st.builds(
    QuestionView, st.just(1), st.just("whose_card"), st.none() | st.integers(0, 2), st.just((None,)), st.lists(places).map(tuple)
)
moves = st.builds(
    MoveView, st.sampled_from(["draw", "steal"]), st.none() | st.integers(0, 2), st.none() | st.integers(1, 5),
    st.none() | st.integers(0, 2), st.none() | st.integers(1, 5),
)  # fmt: skip


@given(
    phase=st.sampled_from(["setup", "play", "final", "over"]), current=st.none() | st.integers(0, 2), paused=st.booleans(),
    violation=st.none() | violations, question=st.none() | questions, last=st.none() | moves, awaiting=remedies,
    revealing=st.booleans(), result=st.none() | st.just(RESULT),
)  # fmt: skip
def test_every_lamp_has_one_meaning_at_most(**changes: Any) -> None:
    found = said(**changes)
    assert len({(cue.seat, cue.slot) for cue in found if cue.seat is not None}) == sum(cue.seat is not None for cue in found)
    allowed = set(product((0, 1, 2), (None, 1, 2, 3, 4, 5)))
    assert {(cue.seat, cue.slot) for cue in found if cue.seat is not None} <= allowed
    assert [cue for cue in found if cue.seat is not None and cue.pattern is Pattern.OFF] == []
