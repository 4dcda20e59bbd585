"""Links, bearers and the PIN, as values."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.keys import (
    FREE_TRIES,
    LINK_SECONDS,
    LONGEST_WAIT,
    MOST_BEARERS,
    TOKEN_BYTES,
    Keys,
    LinkError,
    PinError,
    TriesError,
    fresh_token,
    make_pin,
    wait_after,
)
from companion.views import Role

PIN = "846210"


def test_a_token_is_128_random_bits() -> None:
    assert TOKEN_BYTES * 8 == 128
    tokens = {fresh_token() for _ in range(500)}
    assert len(tokens) == 500
    assert {len(token) for token in tokens} == {22}


def test_a_link_is_taken_once() -> None:
    keys = Keys().invited(Role.SEAT, 1, "Ben", "link", 100.0)
    keys, bearer = keys.joined("link", "phone", 101.0)
    assert (bearer.role, bearer.seat, bearer.name) == (Role.SEAT, 1, "Ben")
    assert keys.bearer("phone") == bearer
    assert keys.bearer("link") is None
    with pytest.raises(LinkError):
        keys.joined("link", "other phone", 102.0)


@pytest.mark.parametrize(("after", "good"), [(0.0, True), (LINK_SECONDS, True), (LINK_SECONDS + 0.1, False), (-1.0, False)])
def test_a_link_waits_ten_minutes_of_elapsed_time(after: float, good: bool) -> None:
    keys = Keys().invited(Role.SEAT, 0, "Ann", "link", 50.0)
    if good:
        assert keys.joined("link", "phone", 50.0 + after)[1].seat == 0
        return
    with pytest.raises(LinkError):
        keys.joined("link", "phone", 50.0 + after)


def test_a_new_link_ends_the_one_before_and_the_phone_that_had_it() -> None:
    """A substitute sits down: the leaver's link, scanned or not, opens nothing any more."""
    keys = Keys().invited(Role.SEAT, 1, "Ben", "first", 0.0).invited(Role.SEAT, 2, "Cat", "hers", 0.0)
    keys, _ = keys.joined("hers", "her phone", 1.0)
    keys, _ = keys.joined("first", "leaver", 1.0)
    keys = keys.invited(Role.SEAT, 1, "Ben", "second", 2.0)
    assert keys.bearer("leaver") is None
    keys = keys.invited(Role.SEAT, 1, "Ben", "third", 3.0)
    with pytest.raises(LinkError):
        keys.joined("second", "leaver", 4.0)
    keys, bearer = keys.joined("third", "substitute", 5.0)
    assert keys.bearer("substitute") == bearer
    assert keys.bearer("her phone") is not None, "other seats keep theirs"


def test_a_seat_has_one_phone_and_other_roles_a_few() -> None:
    keys = Keys()
    for number in range(6):
        keys, _ = keys.admitted(Role.REFEREE, None, "", f"phone {number}")
    found = [number for number in range(6) if keys.bearer(f"phone {number}") is not None]
    assert found == [3, 4, 5]
    assert len(found) == MOST_BEARERS[Role.REFEREE]
    keys = keys.signed_off("phone 4")
    assert [number for number in range(6) if keys.bearer(f"phone {number}") is not None] == [3, 5]


def test_where_somebody_else_sits_the_old_phone_ends() -> None:
    keys = Keys().invited(Role.SEAT, 0, "Ann", "a", 0.0)
    keys, _ = keys.joined("a", "ann", 0.0)
    keys = keys.invited(Role.SEAT, 4, "Eve", "e", 0.0)
    keys, _ = keys.admitted(Role.TABLE, None, "", "tablet")
    assert keys.seated(["Ann", "Ben", "Cat", "Dan", "Eve"]) == keys
    other = keys.seated(["Bob", "Ann", "Cat"])
    assert other.bearer("ann") is None
    assert other.links == ()
    assert other.bearer("tablet") is not None


def test_nothing_that_is_kept_is_a_secret() -> None:
    keys = Keys(pin=make_pin(PIN)).invited(Role.SEAT, 0, "Ann", "LINKTOKEN", 0.0)
    keys, _ = keys.admitted(Role.REFEREE, None, "", "PHONETOKEN")
    kept = repr(keys)
    assert not any(secret in kept for secret in ("LINKTOKEN", "PHONETOKEN", PIN))


@pytest.mark.parametrize(
    "pin", ["", "84621", "8462108462108", "84621a", "８４６２１０", "000000", "123456", "987654", "97531975", " 846210"]
)
def test_a_poor_pin_is_refused(pin: str) -> None:
    with pytest.raises(PinError):
        make_pin(pin)


def test_a_pin_is_salted_and_compared() -> None:
    one, two = make_pin(PIN), make_pin(PIN)
    assert one != two
    assert (one.fits(PIN), one.fits("846211"), one.fits("")) == (True, False, False)
    assert make_pin(PIN, bytes(16)) == make_pin(PIN, bytes(16))


def test_waits_grow_and_are_bounded() -> None:
    waits = [wait_after(failed) for failed in range(40)]
    assert waits[:FREE_TRIES] == [0.0] * FREE_TRIES
    assert waits[FREE_TRIES:6] == [5.0, 10.0, 20.0]
    assert waits == sorted(waits)
    assert waits[-1] == LONGEST_WAIT == wait_after(10**9)


def test_a_day_of_guessing_is_a_hundred_tries() -> None:
    keys, now, tries = Keys(pin=make_pin(PIN)), 0.0, 0
    while now < 86400.0:
        try:
            keys = keys.trying(now)
            tries += 1
        except TriesError as error:
            now += error.seconds
    assert 90 < tries < 115


def test_tries_need_a_pin_and_are_forgiven_by_the_right_one() -> None:
    with pytest.raises(PinError):
        Keys().trying(0.0)
    keys = Keys(pin=make_pin(PIN))
    for _ in range(FREE_TRIES):
        keys = keys.trying(0.0)
    with pytest.raises(TriesError) as refused:
        keys.trying(1.0)
    assert refused.value.seconds == 5
    assert keys.forgiven().trying(1.0).failed == 1


def test_recovery_forgets_the_referee_and_keeps_the_seats() -> None:
    keys = replace(Keys(pin=make_pin(PIN)), failed=7, blocked_until=1e9)
    for role, seat, secret in ((Role.REFEREE, None, "r"), (Role.TABLE, None, "t"), (Role.SEAT, 2, "s")):
        keys, _ = keys.admitted(role, seat, "", secret)
    fresh = keys.invited(Role.REFEREE, None, "", "link", 0.0).reset()
    assert (fresh.pin, fresh.failed, fresh.blocked_until, fresh.links) == (None, 0, 0.0, ())
    assert [fresh.bearer(secret) is not None for secret in "rts"] == [False, False, True]


@given(st.lists(st.tuples(st.sampled_from(["invite", "join", "leave"]), st.integers(0, 2)), max_size=30))
def test_no_order_of_links_gives_a_seat_two_phones(deeds: list[tuple[str, int]]) -> None:
    keys, newest = Keys(), dict.fromkeys(range(3), "")
    for number, (deed, seat) in enumerate(deeds):
        if deed == "invite":
            newest[seat] = f"link {number}"
            keys = keys.invited(Role.SEAT, seat, "", newest[seat], float(number))
        elif deed == "join" and newest[seat]:
            keys, bearer = keys.joined(newest[seat], f"phone {seat}", float(number))
            assert bearer.seat == seat
            newest[seat] = ""
        else:
            keys = keys.signed_off(f"phone {seat}")
        for other in range(3):
            assert sum(one.seat == other for one in keys.bearers) <= 1
            assert sum(one.seat == other for one in keys.links) <= 1
