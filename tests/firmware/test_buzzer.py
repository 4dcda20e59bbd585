"""What the buzzer says, as whole histories in sixteenths of a second."""

from __future__ import annotations

import pytest

from companion.cues import Cue, Meaning
from firmware.buzzer import SOUNDS, Buzzer
from firmware.gpio import Factories


def listen(desk: Factories, *scenes: tuple[int, tuple[Cue, ...]]) -> str:
    """Show each scene for so many sixteenths of a second; # is sound."""
    buzzer, heard, now = Buzzer(13, desk), "", 0
    for sixteenths, cues in scenes:
        for _ in range(sixteenths):
            buzzer.show(cues, 50 + now / 16)
            heard += "#" if desk.pins.pin(13).state else "."
            now += 1
    buzzer.close()
    return heard


@pytest.mark.parametrize(
    ("meaning", "heard"),
    [
        (Meaning.VIOLATION, "##..##..##......"),
        (Meaning.QUESTION, "########........"),
        (Meaning.OVER, "########..##..##"),
        (Meaning.FINAL_TURNS, "##..########...."),
        (Meaning.TROUBLE, "#..............."),
    ],
)
def test_each_thing_has_its_sound(desk: Factories, meaning: Meaning, heard: str) -> None:
    assert listen(desk, (16, (Cue(meaning),))) == heard


def test_what_goes_on_is_said_once(desk: Factories) -> None:
    assert listen(desk, (40, (Cue(Meaning.QUESTION),))) == "########" + "." * 32


def test_what_comes_back_is_said_again(desk: Factories) -> None:
    asked = (Cue(Meaning.QUESTION),)
    assert listen(desk, (10, asked), (2, ()), (10, asked)) == "########....########.."


def test_the_more_important_is_heard(desk: Factories) -> None:
    both = (Cue(Meaning.TROUBLE), Cue(Meaning.VIOLATION))
    assert listen(desk, (12, both)) == "##..##..##.."


def test_a_turn_makes_no_noise(desk: Factories) -> None:
    assert listen(desk, (4, (Cue(Meaning.TURN, 0),)), (4, (Cue(Meaning.BROKE, 1), Cue(Meaning.PAUSED)))) == "........"


def test_sounds_differ() -> None:
    assert len(set(SOUNDS.values())) == len(SOUNDS)
