"""Which house rules can change the course of a finished game, and what `viewmat replay` says of those that it cannot follow."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.games import find_game
from companion.games.steal_options import UNSHOWN, StealOptions
from firmware.cli import main
from firmware.commands import replay as command
from tests.companion.filmed import GAME
from tests.firmware.forged import forge, key_of, parts_of


class Blind:
    """There is no picture to be read."""

    def classify(self, patches: Any) -> Any:
        raise AssertionError("no picture is there")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of eight moves, of which the sixth brings on the end and the last two are final turns."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "viewmat" / "games").mkdir(parents=True)
    forge(folder / "viewmat" / "games" / f"{GAME}.sqlite", parts_of(folder / "made"), key_of(folder / "viewmat"))
    return folder


@pytest.fixture(autouse=True)
def there(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    monkeypatch.setattr(command.OnnxClassifier, "load", lambda path=None: Blind())


def told(option: str) -> list[str]:
    result = CliRunner().invoke(main, ["replay", GAME, "--option", option])
    assert result.exit_code == 0
    return result.stdout.splitlines()


SAME = "Nothing would change (rulings: 8, pictures: 0)."


@pytest.mark.parametrize(
    ("option", "lines"),
    [
        ("max_turns=8", [SAME]),
        ("max_turns=7", [SAME, "max_turns: the end had begun before that, and final turns are played out."]),
        ("max_turns=6", [SAME, "max_turns: the end had begun before that, and final turns are played out."]),
        ("max_turns=", [SAME]),
        ("first_seat=0", [SAME]),
        ("slot_view=thief", [SAME, "slot_view is only told to the players: no ruling depends on it."]),
        ("slot_view=owner", [SAME]),
        ("arrange=until_start", [SAME, "arrange: what was done before the first move is not judged again."]),
        ("hard_mode=true", [SAME, "hard_mode: looks at cards are judged only where they led to a ruling then."]),
        ("penalty=lose_turn", [SAME, "penalty: that a turn would have been lost is not followed."]),
    ],
)
def test_an_option_that_changes_nothing_says_why(option: str, lines: list[str]) -> None:
    assert told(option) == lines


@pytest.mark.parametrize(
    ("option", "move", "last"),
    [
        ("max_turns=5", 5, "Rulings that would change: 3 of 8"),
        ("max_turns=1", 1, "Rulings that would change: 7 of 8"),
        ("final_turns=rest_of_round", 6, "Rulings that would change: 2 of 8"),
    ],
)
def test_a_game_that_would_have_ended_earlier_says_after_which_move(option: str, move: int, last: str) -> None:
    lines = told(option)
    assert f"The game would have been over after move {move}, and not after move 8." in lines
    assert lines[-1].startswith(last)


def test_another_first_seat_shows_in_whose_turn_it_was() -> None:
    lines = told("first_seat=1")
    assert lines[0].startswith("Move 1: ") and "It is another player's turn." in lines[0]
    assert lines[-1] == "first_seat: the cards stay as they were dealt; only whose turn it would have been is judged."


def test_who_wins_is_told_by_the_hands_of_the_move_after_which_the_game_is_over() -> None:
    """Ben holds a card of Cat's from move 2 on; before it the hands were others, and so was the winner's."""
    early, late = told("max_turns=1"), told("max_turns=5")
    assert not any(line.startswith("Nothing would change") for line in (*early, *late))
    assert any(line.startswith("Result: ") for line in early) != any(line.startswith("Result: ") for line in late)


def test_every_option_is_accounted_for() -> None:
    assert set(UNSHOWN) < {field.name for field in fields(StealOptions)}
    assert find_game("steal").unshown("end_latch") == ""
