"""Presses become declarations."""

from __future__ import annotations

from companion.observation import Declaration, Press
from firmware.buttons import Buttons
from firmware.gpio import Factories
from firmware.pins import HUB, NODE, PinMap


class Table:
    """A clock that stands still and an inbox."""

    def __init__(self) -> None:
        self.time = 10.0
        self.inbox: list[Declaration] = []

    def clock(self) -> float:
        return self.time


def open_buttons(desk: Factories, table: Table, pins: PinMap = HUB, first_seat: int = 0) -> Buttons:
    return Buttons(pins, desk, table.inbox.append, table.clock, first_seat)


def press(desk: Factories, pin: int) -> None:
    desk.pins.pin(pin).drive_low()
    desk.pins.pin(pin).drive_high()


def test_every_seat_has_its_button(desk: Factories) -> None:
    table = Table()
    buttons = open_buttons(desk, table)
    for seat in (2, 0, 4, 1, 3):
        press(desk, HUB.seats[seat].button)
    assert table.inbox == [Declaration(10.0, seat, Press()) for seat in (2, 0, 4, 1, 3)]
    buttons.close()


def test_a_nervous_finger_presses_once(desk: Factories) -> None:
    table = Table()
    buttons = open_buttons(desk, table)
    for _ in range(5):
        press(desk, 4)
        table.time += 0.0625
    press(desk, 5)
    table.time = 10.5
    press(desk, 4)
    assert table.inbox == [Declaration(10.0, 0, Press()), Declaration(10.3125, 1, Press()), Declaration(10.5, 0, Press())]
    buttons.close()


def test_letting_go_says_nothing(desk: Factories) -> None:
    table = Table()
    buttons = open_buttons(desk, table)
    desk.pins.pin(4).drive_low()
    table.time = 20.0
    desk.pins.pin(4).drive_high()
    assert table.inbox == [Declaration(10.0, 0, Press())]
    buttons.close()


def test_a_node_presses_for_the_seat_that_it_stands_at(desk: Factories) -> None:
    table = Table()
    buttons = open_buttons(desk, table, NODE, first_seat=2)
    press(desk, 5)
    assert table.inbox == [Declaration(10.0, 2, Press())]
    buttons.close()


def test_a_closed_button_is_deaf(desk: Factories) -> None:
    table = Table()
    open_buttons(desk, table).close()
    press(desk, 4)
    assert table.inbox == []


def test_a_contact_that_bounces_when_it_is_let_go_after_long_presses_once(desk: Factories) -> None:
    table = Table()
    buttons = open_buttons(desk, table)
    pin = desk.pins.pin(4)
    pin.drive_low()
    table.time = 15.0
    for _ in range(4):
        pin.drive_high()
        table.time += 0.0078125
        pin.drive_low()
    pin.drive_high()
    table.time += 0.25
    press(desk, 4)
    assert table.inbox == [Declaration(10.0, 0, Press()), Declaration(15.28125, 0, Press())]
    buttons.close()
