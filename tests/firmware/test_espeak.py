"""The table's own voice, with a program that writes down what it is given in place of a speaker."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from companion.announcements import announce
from companion.views import MoveView, View
from firmware.errors import RigError
from firmware.espeak import Espeak, Speaking, start_espeak
from tests.companion import tables


@dataclass
class Mouth:
    """One text that is being said until somebody ends it."""

    text: str
    over: bool = False
    killed: bool = False

    def poll(self) -> int | None:
        return 0 if self.over else None

    def kill(self) -> None:
        self.killed = self.over = True

    def wait(self) -> int:
        assert self.over
        return 0


class Mouths:
    """Everything that was begun to be said."""

    def __init__(self) -> None:
        self.begun: list[Mouth] = []
        self.asked: list[tuple[str, int]] = []
        self.broken = False

    def __call__(self, language: str, volume: int, text: str) -> Speaking:
        if self.broken:
            raise RigError("no speaker")
        self.asked.append((language, volume))
        self.begun.append(Mouth(text, over=not text))
        return self.begun[-1]

    @property
    def said(self) -> list[str]:
        return [mouth.text for mouth in self.begun if mouth.text]


def moved(number: int, seat: int, slot: int = 3, version: int = 0) -> View:
    return replace(
        tables.playing(), version=version or number + 10, undo=number, current=(seat + 1) % 4, last=MoveView("draw", seat, slot)
    )


@pytest.fixture
def mouths() -> Mouths:
    return Mouths()


def test_lines_are_said_one_after_another(mouths: Mouths) -> None:
    voice = Espeak(level="all", start=mouths)
    voice.show(tables.playing())
    voice.show(moved(1, 1))
    voice.show(moved(1, 1))
    assert mouths.said == ["Ben drew into slot 3; the old card went to the row."]
    mouths.begun[-1].over = True
    voice.show(moved(1, 1))
    assert mouths.said[1:] == ["Cleo to play"]
    assert [mouth.killed for mouth in mouths.begun] == [False] * 3


def test_at_the_lower_level_moves_are_left_out(mouths: Mouths) -> None:
    voice = Espeak(start=mouths)
    for view in (tables.playing(), moved(1, 1)):
        voice.show(view)
    assert mouths.said == ["Cleo to play"]


def test_a_line_that_is_no_longer_true_is_cut_and_a_waiting_one_is_dropped(mouths: Mouths) -> None:
    voice = Espeak(level="all", start=mouths)
    for view in (tables.playing(), moved(1, 1), replace(tables.broken(), version=40)):
        voice.show(view)
    first = mouths.begun[1]
    assert first.text.startswith("Ben drew")
    assert first.killed
    for mouth in mouths.begun:
        mouth.over = True
    voice.show(replace(tables.broken(), version=40))
    words = announce(tables.broken())
    said = next(text for text in mouths.said if text.startswith(words.violation))
    assert said == " ".join((words.violation, *words.remedy[1:]))
    assert "Cleo to play" not in mouths.said


def test_language_and_volume_are_handed_on(mouths: Mouths) -> None:
    Espeak("de", 35, start=mouths)
    assert mouths.asked == [("de", 35)]


def test_a_program_that_is_gone_later_stops_nothing(mouths: Mouths) -> None:
    voice = Espeak(start=mouths)
    voice.show(tables.playing())
    mouths.broken = True
    voice.show(moved(1, 1))
    voice.close()


def test_closing_cuts_what_is_said(mouths: Mouths) -> None:
    voice = Espeak(start=mouths)
    voice.show(tables.playing())
    voice.show(moved(1, 1))
    voice.close()
    assert mouths.begun[-1].killed


FAKE = """#!{python}
import sys, time
words = sys.stdin.read()
with open({heard!r}, "a") as heard:
    heard.write(" ".join(sys.argv[1:]) + "|" + words + "\\n")
if "wait" in words:
    time.sleep(60)
"""


@pytest.fixture
def speaker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program called espeak-ng that writes down what it is told, and takes its time over some words."""
    heard, program = tmp_path / "heard", tmp_path / "espeak-ng"
    program.write_text(FAKE.format(python=sys.executable, heard=str(heard)))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return heard


def until(reached: Callable[[], bool]) -> None:
    for _ in range(2000):
        if reached():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come to that")


def test_the_real_program_gets_the_text_where_no_option_can_be_mistaken(speaker: Path) -> None:
    process = start_espeak("hu", 50, "-w out.wav jön")
    until(lambda: process.poll() is not None)
    assert speaker.read_text() == "-v hu -a 100 --stdin|-w out.wav jön\n"


def test_a_process_is_ended_in_the_middle(speaker: Path) -> None:
    process = start_espeak("en", 50, "wait")
    until(speaker.exists)
    process.kill()
    assert process.wait() != 0


def test_a_missing_program_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RigError, match=r"voice: espeak-ng cannot be started: No such file.*voice.speaker = 'none'"):
        Espeak()
