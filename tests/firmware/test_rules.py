"""`viewmat rules` from the outside."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware.cli import main

TABLE = """
[[seat]]
name = "Anna"
source = "tap"
[[seat]]
name = "Ben"
source = "tap"
[[seat]]
name = "Cleo"
source = "tap"
[[seat]]
name = "Dan"
source = "tap"
[options]
first_seat = 3
penalty = "lose_turn"
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["rules", *arguments])


def test_the_usual_rules_fit_a_terminal() -> None:
    result = run()
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[:2] == ["The rules of Five Card Steal", "============================"]
    assert max(map(len, lines)) <= 80
    assert "Stealing back (STEAL-1.5)" in lines
    assert "Players: 3. The other 37 cards" in result.stdout
    assert "This table's rule" not in result.stdout
    assert "  - It is another player's turn. Put every card back where it lay before this" in lines


def test_house_rules_are_told_and_marked() -> None:
    words = " ".join(run("--option", "allow_pass=true", "--option", "max_turns=30", "--seats", "5").stdout.split())
    assert "* This table's rule: You may pass: no card moves, and your turn is over." in words
    assert "* This table's rule: The number of turns is limited to 30." in words
    assert "Players: 5. The other 27 cards" in words


def test_the_rules_of_a_settings_file(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(TABLE)
    words = " ".join(run("--config", str(file)).stdout.split())
    assert "Dan begins this game." in words
    assert "on your own turn it costs you that turn" in words
    assert "costs nothing" in " ".join(run("--config", str(file), "--option", "penalty=undo").stdout.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--seats", "7"), "Five Card Steal is for 3 to 5 players; found 7"),
        (("--option", "first_seat=4"), "option 'first_seat' has to be one of the seats 0 to 2; found 4"),
        (("--option", "allow_pass=maybe"), "option 'allow_pass' of Five Card Steal takes False, True; found 'maybe'"),
        (("--option", "cheating=true"), "unknown option 'cheating' of Five Card Steal"),
        (("--option", "allow_pass"), "'allow_pass': expected an option of the game and its value"),
        (("--game", "canasta"), "no game is called 'canasta': expected one of steal"),
        (("--config", "/nowhere/table.toml"), "/nowhere/table.toml: cannot be read"),
    ],
)
def test_what_cannot_be_is_refused(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert "Traceback" not in result.stderr
