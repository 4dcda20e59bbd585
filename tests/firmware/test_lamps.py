"""What is done to the pins, as whole histories."""

from __future__ import annotations

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockSPIDevice

from companion.cues import Cue, Meaning
from firmware.gpio import DeskBus, Factories
from firmware.lamps import COLOURS, SLOT_COLOURS, Lamps
from firmware.pins import COLOUR_HUB, HUB, NODE, PIN_MAPS, PinMap
from firmware.slotchain import SlotChain

RGB_MAPS = [pins for pins in PIN_MAPS.values() if len(pins.seats[0].lamp) == 3]
EIGHTHS = [n / 8 for n in range(8)]


def history(desk: Factories, number: int) -> list[float]:
    return [float(entry.state) for entry in desk.pins.pin(number).states]


def forget(desk: Factories, pins: PinMap) -> None:
    for _, number in pins.uses():
        desk.pins.pin(number).clear_states()


def play(lamps: Lamps, cues: tuple[Cue, ...], times: list[float]) -> None:
    for time in times:
        lamps.show(cues, time)


@pytest.mark.parametrize("pins", RGB_MAPS, ids=lambda pins: pins.name)
def test_an_rgb_seat_lamp_in_every_meaning(desk: Factories, pins: PinMap) -> None:
    lamps = Lamps(pins, desk)
    seen = {}
    for meaning in COLOURS:
        forget(desk, pins)
        lamps.show((), 0.0)
        play(lamps, (Cue(meaning, 0),), EIGHTHS)
        lamps.show((), 1.0)
        seen[meaning] = [history(desk, number) for number in pins.seats[0].lamp]
    slow, fast, double = [0, 1, 0], [0, 1, 0, 1, 0, 1, 0, 1, 0], [0, 1, 0, 1, 0]
    assert seen == {
        Meaning.STOPPED: [[0], [0], double],
        Meaning.PAUSED: [[0], [0], slow],
        Meaning.BROKE: [fast, [0], [0]],
        Meaning.ASKED: [[0], [0], slow],
        Meaning.WINNER: [[0, 1, 0], [0, 1, 0], [0, 1, 0]],
        Meaning.LAST_TURN: [double, [0, 0.4, 0, 0.4, 0], [0]],
        Meaning.TURN: [[0], [0, 1, 0], [0]],
    }
    lamps.close()


def test_a_bi_colour_seat_lamp_in_every_meaning(desk: Factories) -> None:
    lamps = Lamps(HUB, desk)
    seen = {}
    for meaning in COLOURS:
        forget(desk, HUB)
        play(lamps, (Cue(meaning, 4),), EIGHTHS)
        lamps.show((), 1.0)
        seen[meaning] = [history(desk, number) for number in HUB.seats[4].lamp]
    slow, fast, double = [0, 1, 0], [0, 1, 0, 1, 0, 1, 0, 1, 0], [0, 1, 0, 1, 0]
    assert seen == {
        Meaning.STOPPED: [double, double],
        Meaning.PAUSED: [slow, slow],
        Meaning.BROKE: [fast, [0]],
        Meaning.ASKED: [slow, slow],
        Meaning.WINNER: [[0], [0, 1, 0]],
        Meaning.LAST_TURN: [double, double],
        Meaning.TURN: [[0], [0, 1, 0]],
    }
    lamps.close()


def test_the_turn_goes_round_and_no_other_lamp_burns(desk: Factories) -> None:
    lamps = Lamps(HUB, desk)
    forget(desk, HUB)
    for time, seat in enumerate((0, 1, 2, 3, 4, 0)):
        lamps.show((Cue(Meaning.TURN, seat),), float(time))
    greens = [history(desk, seat.lamp[1]) for seat in HUB.seats]
    assert greens == [[0, 1, 0, 1], [0, 1, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0]]
    assert [history(desk, seat.lamp[0]) for seat in HUB.seats] == [[0]] * 5
    lamps.close()


def test_slot_lamps_on_pins_show_what_a_steal_touched_and_what_to_put_back(desk: Factories) -> None:
    lamps = Lamps(NODE, desk)
    forget(desk, NODE)
    lamps.show((Cue(Meaning.TOUCHED, 0, 2), Cue(Meaning.TOUCHED, 1, 5)), 0.0)
    play(lamps, (Cue(Meaning.PUT_BACK, 0, 5),), EIGHTHS)
    lamps.show((), 1.0)
    assert [history(desk, number) for number in NODE.seats[0].slots] == [
        [0], [0, 1, 0], [0], [0], [0, 1, 0, 1, 0, 1, 0, 1, 0],
    ]  # fmt: skip
    lamps.close()


def test_a_node_shows_the_seat_that_it_stands_at(desk: Factories) -> None:
    lamps = Lamps(NODE, desk, first_seat=3)
    forget(desk, NODE)
    lamps.show((Cue(Meaning.TURN, 0), Cue(Meaning.TOUCHED, 0, 1), Cue(Meaning.REVEALED, 3, 4)), 0.0)
    lamps.show((Cue(Meaning.TURN, 3),), 1.0)
    assert [history(desk, number) for number in (*NODE.seats[0].lamp, *NODE.seats[0].slots)] == [
        [0], [0, 1], [0], [0], [0], [0], [0, 1, 0], [0],
    ]  # fmt: skip
    lamps.close()


@pytest.mark.parametrize("pins", [HUB, COLOUR_HUB], ids=lambda pins: pins.name)
def test_the_chain_shows_the_reveal_slot_by_slot(desk: Factories, pins: PinMap) -> None:
    lamps = Lamps(pins, desk)
    for count in range(1, 6):
        lamps.show(tuple(Cue(Meaning.REVEALED, 4, slot) for slot in range(1, count + 1)), float(count))
    lamps.show((Cue(Meaning.TOUCHED, 0, 1), Cue(Meaning.TOUCHED, 1, 4)), 6.0)
    lamps.close()
    dark = (0, 0, 0, 0)
    reveal = [(0, 1 << 4, 0, 0), (0, 3 << 4, 0, 0), (0, 7 << 4, 0, 0), (0, 15 << 4, 0, 0), (1, 15 << 4, 0, 0)]
    assert isinstance(desk.bus, DeskBus)
    assert desk.bus.sent == [dark, *reveal, (0, 0, 1, 1), dark]


def test_the_chain_latches_25_lamps_on_real_wires(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[list[bool]] = []

    class Registers(MockSPIDevice):
        """Four 74HC595: what was shifted in appears when the select line rises."""

        def on_select(self) -> None:
            super().on_select()
            if self.select_pin.state and self.rx_bit:
                taken.append([bool(bit) for bit in self.rx_buf])

    factory = MockFactory()
    monkeypatch.setattr(Device, "pin_factory", factory)
    with Registers(11, 10, 9, 8, pin_factory=factory):
        chain = SlotChain(25, factory)
        lit = [number in (0, 7, 8, 24) for number in range(25)]
        chain.show(lit)
        chain.close()
    factory.close()
    dark = [False] * 32
    assert taken == [dark, [False] * 7 + lit[::-1], dark]


def test_the_chain_refuses_another_number_of_lamps(desk: Factories) -> None:
    chain = SlotChain(25, desk.bus)
    with pytest.raises(ValueError, match=r"^24 values for 25 slot lamps$"):
        chain.show([True] * 24)
    chain.close()


def test_the_same_cues_again_do_nothing_to_the_pins(desk: Factories) -> None:
    lamps = Lamps(NODE, desk)
    forget(desk, NODE)
    play(lamps, (Cue(Meaning.TURN, 0), Cue(Meaning.REVEALED, 0, 1)), EIGHTHS * 3)
    assert sum(len(history(desk, number)) for _, number in NODE.uses()) == len(NODE.uses()) + 2
    lamps.close()


def test_the_light_under_the_cards_burns_from_start_to_end(desk: Factories) -> None:
    lamps = Lamps(NODE, desk)
    lamps.show((), 0.0)
    assert history(desk, 18) == [0, 1]
    pin = desk.pins.pin(18)
    lamps.close()
    assert pin.function == "input"


@pytest.mark.parametrize("pins", PIN_MAPS.values(), ids=PIN_MAPS)
def test_closing_lets_go_of_every_pin(desk: Factories, pins: PinMap) -> None:
    for _ in range(2):
        lamps = Lamps(pins, desk)
        lamps.show((Cue(Meaning.TURN, 0), Cue(Meaning.REVEALED, 0, 1)), 0.0)
        lamps.close()


def test_every_meaning_of_a_seat_has_a_colour() -> None:
    table = {Meaning.VIOLATION, Meaning.QUESTION, Meaning.TROUBLE, Meaning.FINAL_TURNS, Meaning.REVEALING, Meaning.OVER}
    slots = {Meaning.HOME, Meaning.PUT_BACK, Meaning.LAY_HERE, Meaning.TOUCHED, Meaning.REVEALED}
    assert set(COLOURS) == set(Meaning) - table - slots
    assert set(SLOT_COLOURS) == slots | {Meaning.ASKED, Meaning.WINNER}
