from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from firmware.bus.order import HELD_MOST, HOLD_S, PATIENCE_S, LowWater, Sequence, Taken


def taken(sequence: Sequence[int], boot: str, *numbers: int, now: float = 0.0) -> list[Taken[int]]:
    return [sequence.take(boot, number, number, now) for number in numbers]


def test_messages_come_out_in_their_order_and_once() -> None:
    sequence: Sequence[int] = Sequence()
    assert taken(sequence, "a", 1, 3, 3, 2, 2, 4, 1) == [
        Taken((1,), fresh=True), Taken(), Taken(), Taken((2, 3)), Taken(), Taken((4,)), Taken(),
    ]  # fmt: skip


def test_the_first_that_is_heard_is_the_first() -> None:
    sequence: Sequence[int] = Sequence()
    assert taken(sequence, "a", 500, 501) == [Taken((500,), fresh=True), Taken((501,))]


def test_a_new_boot_begins_at_one_and_the_old_one_never_comes_back() -> None:
    sequence: Sequence[int] = Sequence()
    assert taken(sequence, "a", 7) == [Taken((7,), fresh=True)]
    assert taken(sequence, "b", 2) == [Taken(fresh=True)]
    assert taken(sequence, "a", 8) == [Taken()]
    assert taken(sequence, "b", 1) == [Taken((1, 2))]


def test_what_is_missing_is_waited_for_and_then_said() -> None:
    sequence: Sequence[int] = Sequence()
    taken(sequence, "a", 1)
    assert taken(sequence, "a", 3, now=10.0) == [Taken()]
    assert sequence.waited(10.0 + HOLD_S - 0.01) == Taken()
    assert sequence.waited(10.0 + HOLD_S) == Taken((3,), gap=True)
    assert sequence.waited(20.0) == Taken()
    assert taken(sequence, "a", 2, 4, now=20.0) == [Taken(), Taken((4,))]


def test_not_more_than_so_many_wait() -> None:
    sequence: Sequence[int] = Sequence()
    taken(sequence, "a", 1)
    late = taken(sequence, "a", *range(3, HELD_MOST + 4))
    assert late[:-1] == [Taken()] * HELD_MOST
    assert late[-1] == Taken(tuple(range(3, HELD_MOST + 4)), gap=True)


@given(st.integers(1, 40), st.integers(0, 2**32))
def test_any_mixture_of_late_and_doubled_messages_gives_the_same(count: int, seed: int) -> None:
    rng = random.Random(seed)
    sent = [*range(2, count + 1), *rng.choices(range(1, count + 1), k=count)]
    rng.shuffle(sent)
    sequence: Sequence[int] = Sequence()
    found = [item for number in (1, *sent) for item in sequence.take("a", number, number, 0.0).items]
    assert found == list(range(1, count + 1))


def test_the_table_is_judged_up_to_where_all_have_been_heard() -> None:
    water = LowWater()
    assert water.reached(5.0) == 5.0
    water.heard("a", 4.0)
    water.heard("b", 4.5)
    assert water.reached(4.6) == 4.0
    water.heard("a", 3.0)
    water.heard("a", 4.55)
    assert water.reached(4.6) == 4.5
    assert water.reached(9.0) == 9.0 - PATIENCE_S
    water.gone("b")
    assert water.reached(5.0) == 4.55
    assert water.reached(4.0) == 4.0
