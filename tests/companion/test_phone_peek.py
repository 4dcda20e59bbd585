"""Hidden cards leave a sitting for their own seat alone, where the house lets phones peek, and never in hard mode."""

from __future__ import annotations

import pytest

from companion.cards import DECK, Mark
from companion.games import find_game
from companion.sitting import Seat, Sitting
from companion.table import Place, slot
from companion.views import Role, View
from tests.companion.told import Told


def table(phone_peek: bool = True, unread: tuple[Place, ...] = (), swapped: bool = False, **options: bool) -> Told:
    """Three mats with five cards each, read except at `unread`; `swapped` lays other cards before the third player."""
    dealt = Told()
    told = Told(deal=False)
    seats = [Seat(name) for name in ("Ann", "Ben", "Cat")]
    told.sitting = Sitting(find_game("steal"), seats, options, clock=lambda: told.time, phone_peek=phone_peek)
    told.shown, told.pile = {**dealt.shown, **dict.fromkeys(unread, Mark.UNREADABLE)}, list(dealt.pile)
    if swapped:
        told.shown[slot(2, 1)], told.shown[slot(2, 2)] = told.pile[-1], told.pile[-2]
    return told.wait(3.0)


def cards(view: View) -> list[list[str | None]]:
    return [[each.card for each in seat.slots] for seat in view.seats]


def own(told: Told, seat: int) -> list[str]:
    return [str(told.shown[slot(seat, k)]) for k in range(1, 6)]


NOTHING = [[None] * 5] * 3


def test_a_seat_sees_its_own_cards_and_nobody_elses() -> None:
    told = table()
    for seat in range(3):
        seen = cards(told.sitting.view(Role.SEAT, seat))
        assert seen[seat] == own(told, seat)
        assert [hand for number, hand in enumerate(seen) if number != seat] == NOTHING[:2]


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.SEAT])
@pytest.mark.parametrize("seat", [None, 0, 2])
def test_no_other_role_sees_a_hidden_card(role: Role, seat: int | None) -> None:
    told = table()
    assert cards(told.sitting.view(role, seat)) == NOTHING
    assert told.sitting.view(role, seat) == told.sitting.view()


@pytest.mark.parametrize(("phone_peek", "hard"), [(False, False), (False, True), (True, True)])
def test_without_the_rule_and_in_hard_mode_a_seat_sees_what_all_see(phone_peek: bool, hard: bool) -> None:
    told = table(phone_peek, hard_mode=hard)
    for seat in range(3):
        assert told.sitting.view(Role.SEAT, seat) == told.sitting.view()
    assert cards(told.sitting.view()) == NOTHING


def test_hard_mode_is_asked_at_the_door_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the sitting believes of its house rules."""
    told = table(hard_mode=True)
    monkeypatch.setattr(told.sitting, "_peekers", range(3))
    assert cards(told.sitting._build(1)) == NOTHING


@pytest.mark.parametrize("seat", [None, -1, 3, 99])
def test_a_seat_that_is_not_there_sees_what_all_see(seat: int | None) -> None:
    told = table()
    assert told.sitting.view(Role.SEAT, seat) == told.sitting.view()


def test_a_stolen_card_is_its_thiefs_to_see() -> None:
    told = table()
    stolen, given = str(told.shown[slot(2, 4)]), str(told.shown[slot(0, 1)])
    told.exchange(slot(0, 1), slot(2, 4), 3.0)
    assert told.view.turn == 1
    assert cards(told.sitting.view(Role.SEAT, 0))[0][0] == stolen
    assert cards(told.sitting.view(Role.SEAT, 2))[2][3] == given
    assert cards(told.sitting.view(Role.SEAT, 1))[1] == own(told, 1)


def test_a_card_that_nobody_has_read_is_not_told() -> None:
    told = table(unread=(slot(1, 3),))
    assert [card is None for card in cards(told.sitting.view(Role.SEAT, 1))[1]] == [False, False, True, False, False]


def everybody(told: Told) -> list[View]:
    """What each seat sees, then what all others see."""
    return [*(told.sitting.view(Role.SEAT, seat) for seat in range(3)), told.sitting.view()]


def test_what_a_seat_learns_nobody_else_can_count() -> None:
    """Its phone's news are its own: all others see the same versions as at a table where no phone may peek."""
    peeking, plain = (table(phone_peek, unread=(slot(1, 3),)) for phone_peek in (True, False))
    news = []
    for told in (peeking, plain):
        told.draw(0, 2, 8.0)
        told.shown[slot(1, 3)] = DECK[40]
        seen = []
        for _ in range(20):
            told.wait(0.1)
            seen.append(told.view)
        news.append(seen)
    assert news[0] == news[1]
    assert cards(peeking.sitting.view(Role.SEAT, 1))[1][2] == str(DECK[40])


def test_waiting_is_for_the_news_of_ones_own_role() -> None:
    told = table()
    for role, seat in ((Role.SPECTATOR, None), (Role.SEAT, 0), (Role.SEAT, 1), (Role.REFEREE, None)):
        now = told.sitting.view(role, seat)
        assert told.sitting.wait(now.version - 1, 0.0, role, seat) == now
        assert told.sitting.wait(now.version, 0.0, role, seat) == now
    assert cards(told.sitting.wait(told.sitting.view(Role.SEAT, 1).version - 1, 0.0, Role.SEAT, 1))[1] == own(told, 1)


def test_two_games_that_differ_in_others_cards_are_one_to_a_seat() -> None:
    one, two = everybody(table()), everybody(table(swapped=True))
    assert [one[who] for who in (0, 1, 3)] == [two[who] for who in (0, 1, 3)]
    assert one[2] != two[2]
