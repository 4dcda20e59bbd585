"""Faults at the virtual table: what they do to pictures, how an outcome is judged, and games that go through them."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from companion.announcements import trouble_words
from companion.games import GAMES
from companion.observation import TroubleKind
from companion.views import TroubleView
from firmware.cli import main
from firmware.commands.faults import in_words
from firmware.virtual.faultrun import NOTICED_S, Outcome, outcome_of, run_fault
from firmware.virtual.faults import FAULTS, Diary, Fault, Mishap, faults_of
from firmware.virtual.play import Settings
from firmware.virtual.rendered import direct_link
from firmware.virtual.server import build_table
from tests.companion import tables

SHORT = ("dead",)
"""Played through in every test run; the others take their time."""


def a_picture(level: int, width: int = 400) -> np.ndarray:
    noise = np.random.default_rng(level).integers(0, 9, (40, width, 3))
    return (level + noise).astype(np.uint8)


def a_mishap(name: str, on: bool = True) -> Mishap:
    mishap = Mishap(FAULTS[name])
    mishap.began = 10.0 if on else None
    return mishap


# ---- what arrives of a picture ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FAULTS)
def test_before_and_after_every_picture_arrives_as_it_was_taken(name: str) -> None:
    mishap, picture = a_mishap(name, on=False), a_picture(100)
    assert mishap.tamper("mat1", 1.0, picture) is picture
    mishap.began, mishap.ended = 10.0, 30.0
    assert mishap.tamper("mat1", 31.0, picture) is picture


@pytest.mark.parametrize("name", ["dead", "frozen", "dark", "shifted", "nudged", "lamp", "flicker"])
def test_a_fault_of_one_camera_leaves_the_others_alone(name: str) -> None:
    mishap, picture = a_mishap(name), a_picture(100)
    mishap.tamper("mat1", 10.0, a_picture(90))
    for camera in ("mat0", "mat2", "tray"):
        assert mishap.tamper(camera, 11.0, picture) is picture
    arrived = mishap.tamper("mat1", 11.0, picture)
    assert arrived is None or not np.array_equal(arrived, picture)


def test_pictures_that_are_dark_frozen_aside_or_exchanged() -> None:
    first, second = a_picture(100), a_picture(140)
    for name in ("dark", "lamp"):
        assert a_mishap(name).tamper("mat1", 11.0, first).mean() < 10
    frozen = a_mishap("frozen")
    assert frozen.tamper("mat1", 10.1, first) is first
    assert frozen.tamper("mat1", 10.2, second) is first
    aside = a_mishap("shifted").tamper("mat1", 11.0, first)
    assert np.array_equal(aside[:, 150:], first[:, :-150])
    swapped = a_mishap("swapped")
    swapped.tamper("mat1", 10.1, first)
    assert swapped.tamper("mat2", 10.1, second) is first
    assert swapped.tamper("mat1", 10.2, first) is second
    assert swapped.tamper("mat0", 10.2, first) is first
    lost = a_mishap("lost_frames")
    assert [lost.tamper("tray", 10.0, first) is None for _ in range(6)] == [False, False, True] * 2


# ---- how an outcome is judged ----------------------------------------------------------------------------------------

DEAD = FAULTS["dead"]
WORDS = "No picture comes from the mat of Seat 2: check the camera's cable and its power."
GOOD = Diary([(11.4, WORDS), (33.0, "")], [], [], {1})


def judged(fault: Fault = DEAD, diary: Diary = GOOD, finished: bool = True, ended: bool = True) -> Outcome:
    mishap = Mishap(fault)
    mishap.began, mishap.ended = 10.0, 32.0 if ended else None
    return outcome_of(mishap, diary, finished)


def test_a_fault_that_is_noticed_said_and_overcome_is_right() -> None:
    outcome = judged()
    assert outcome.right
    assert (outcome.noticed_s, outcome.back_s, outcome.by_hand, outcome.words) == (1.4, 1.0, ("seat 2",), (WORDS,))
    assert "yes" in in_words(outcome)
    assert "NO" not in in_words(outcome)


@pytest.mark.parametrize(
    "diary",
    [
        replace(GOOD, troubles=[]),
        replace(GOOD, troubles=[(10.0 + NOTICED_S + 0.1, WORDS), (33.0, "")]),
        replace(GOOD, troubles=[(11.4, WORDS)]),
        replace(GOOD, troubles=[(11.4, WORDS.replace("Seat 2", "Seat 3")), (33.0, "")]),
        replace(GOOD, violations=[("not_your_turn", True)]),
        replace(GOOD, violations=[("unexplained_change", False)]),
        replace(GOOD, by_hand=set()),
        replace(GOOD, by_hand={1, 2}),
    ],
)
def test_whatever_is_missing_or_too_much_makes_it_wrong(diary: Diary) -> None:
    assert not judged(diary=diary).right


def test_a_game_that_does_not_end_or_a_fault_that_never_happens_is_wrong() -> None:
    assert not judged(finished=False).right
    assert not judged(ended=False).right
    assert "NO" in in_words(judged(finished=False))


def test_where_no_camera_fails_nothing_may_be_said() -> None:
    quiet = Diary()
    assert judged(FAULTS["bump"], quiet).right
    assert not judged(FAULTS["bump"], replace(GOOD, by_hand=set())).right


def test_cards_that_really_lie_wrong_may_be_named_but_nobody_blamed() -> None:
    mixed = FAULTS["mixed_up"]
    assert judged(mixed, Diary(violations=[("two_actions", False)])).right
    assert not judged(mixed, Diary(violations=[("two_actions", True)])).right
    assert not judged(mixed, Diary(violations=[("foreign_card", False)])).right
    assert judged(mixed, Diary(violations=[("two_actions", True)])).false_accusations == 1


def test_the_words_that_are_waited_for_are_those_that_players_are_told() -> None:
    """So that no fault waits for a sentence that was put in other words since."""
    names = tuple(replace(seat, name=f"Seat {seat.seat + 1}") for seat in tables.playing(3).seats)
    said = " ".join(
        trouble_words(replace(tables.playing(3), seats=names, troubled=(TroubleView(kind.value, seat, other),)))
        for kind in TroubleKind for seat, other in ((1, 2), (2, 1), (None, None))
    )  # fmt: skip
    for fault in FAULTS.values():
        for words in fault.says:
            assert words in said


# ---- games -----------------------------------------------------------------------------------------------------------


PLAYED = [
    pytest.param(game.name, name, marks=[] if name in SHORT and game.name in ("steal", "draw") else [pytest.mark.long])
    for game in GAMES for name in faults_of(game)
]  # fmt: skip


@pytest.mark.parametrize(("game", "name"), PLAYED)
def test_a_game_goes_through_a_fault_as_it_should(game: str, name: str) -> None:
    result = CliRunner().invoke(main, ["faults", name, "--game", game, "--json"])
    outcome = json.loads(result.stdout)
    assert outcome["right"], outcome
    assert (outcome["false_accusations"], outcome["finished"], result.exit_code) == (0, True, 0)


@pytest.mark.long
def test_a_table_that_does_not_notice_silence_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.silence.SILENT_S", 1e9)
    monkeypatch.setattr("firmware.virtual.talking.PATIENCE", 6.0)
    outcome = run_fault(DEAD, Settings(seats=3, seed=10), lambda: direct_link(build_table))
    assert not outcome.right
    assert outcome.noticed_s is None


def test_a_table_without_a_row_has_no_use_for_the_camera_of_the_tray() -> None:
    """Every other fault befalls every game."""
    for game in GAMES:
        assert set(FAULTS) - set(faults_of(game)) == (set() if game.name == "steal" else {"dead_tray"})
    listed = CliRunner().invoke(main, ["faults", "--list", "--game", "draw"])
    assert len(listed.stdout.splitlines()) == len(FAULTS) - 1


def test_the_faults_are_listed_and_an_unknown_one_is_refused() -> None:
    listed = CliRunner().invoke(main, ["faults", "--list"])
    assert len(listed.stdout.splitlines()) == len(FAULTS)
    assert "a cat sits on two mats" in listed.stdout
    refused = CliRunner().invoke(main, ["faults", "earthquake"])
    assert refused.exit_code == 2
    assert "'earthquake' is not one of 'dead'" in refused.stderr
