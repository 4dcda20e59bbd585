from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.bus.clock import DRIFT, ClockMap, Moment

delays = st.lists(st.tuples(st.floats(0, 2), st.floats(0, 2), st.floats(0.1, 30)), min_size=1, max_size=20)


def test_one_exchange_tells_the_offset_to_half_of_its_length() -> None:
    clock = ClockMap().after(asked=100.0, node=7.0, answered=100.5)
    spread = DRIFT * 0.5
    assert clock == ClockMap(93.0 - spread, 93.5 + spread, 100.5)
    assert clock.to_hub(7.0, 101.0) == Moment(100.25, pytest.approx(0.25 + DRIFT))


def test_a_quicker_exchange_tells_more() -> None:
    clock = ClockMap().after(100.0, 7.0, 100.5).after(101.0, 8.25, 101.25)
    assert clock == ClockMap(93.0 - DRIFT * 1.25, 93.0 + DRIFT * 0.25, 101.25)


def test_a_slower_one_tells_nothing_new_but_clocks_run_apart() -> None:
    clock = ClockMap().after(100.0, 7.0, 100.01).after(200.0, 107.5, 202.0)
    spread = DRIFT * (202.0 - 100.01 + 0.01)
    assert (clock.low, clock.high) == pytest.approx((93.0 - spread, 93.01 + spread))


def test_what_has_nothing_in_common_begins_anew() -> None:
    assert ClockMap().after(100.0, 7.0, 100.1).after(101.0, 5000.0, 101.1) == ClockMap(
        pytest.approx(-4899.0), pytest.approx(-4898.9), 101.1
    )  # fmt: skip


def test_an_answer_before_its_question_is_refused() -> None:
    with pytest.raises(ValueError, match=r"the answer at 1\.0 came before its question at 2\.0"):
        ClockMap().after(2.0, 0.0, 1.0)


def test_nothing_is_mapped_before_the_first_exchange() -> None:
    assert not ClockMap().known
    with pytest.raises(ValueError, match="nothing is known of this clock yet"):
        ClockMap().to_hub(1.0, 2.0)


def test_nothing_that_has_arrived_lies_in_the_future() -> None:
    clock = ClockMap().after(100.0, 7.0, 104.0)
    assert clock.to_hub(7.5, 100.6) == Moment(pytest.approx(100.55, abs=1e-3), pytest.approx(0.05, abs=1e-3))


@given(offset=st.floats(-1e5, 1e5), rate=st.floats(-DRIFT / 2, DRIFT / 2), exchanges=delays)
def test_the_true_moment_is_never_outside_of_what_is_said(
    offset: float, rate: float, exchanges: list[tuple[float, float, float]]
) -> None:  # fmt: skip
    """For every clock that is off by anything and drifts within the allowance, whatever the network does."""
    now, clock = 50.0, ClockMap()
    for there, back, pause in exchanges:
        read = now + there
        clock = clock.after(now, read * (1 + rate) - offset, read + back)
        now = read + back + pause
        moment = clock.to_hub(now * (1 + rate) - offset, now)
        assert abs(moment.time - now) <= moment.uncertainty + 1e-6
