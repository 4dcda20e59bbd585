"""The command `simulate`: what it refuses, and what it prints."""

import json

import pytest
from click.testing import CliRunner

from firmware.cli import main
from firmware.commands import simulate
from firmware.errors import RecordingError
from firmware.outfolder import writing_to
from firmware.virtual.measure import Figures


@pytest.fixture
def asked(monkeypatch):
    """The settings that the command asked games for; no game is played."""
    calls = []

    def no_games(settings, games, jobs, save):
        calls.append((settings, games, jobs, save))
        figures = Figures(games=games, turns=10, turns_right=9, reveals=games, notes=["game 0: 3.0: the table did not follow"])
        figures.violations["peek"].made = 2
        return figures

    monkeypatch.setattr(simulate, "run_games", no_games)
    return calls


def run(*arguments):
    return CliRunner().invoke(main, ["simulate", *arguments])


def test_every_option_reaches_the_games(asked, tmp_path):
    result = run(
        "--games", "3", "--seats", "5", "--seed", "4", "--hard-mode", "--deck", "library", "--difficulty", "hard",
        "--cheat", "0.1", "--habits", "0.5", "--tray", "mat", "--period", "0.2", "--jobs", "2", "--save", str(tmp_path), "--json",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    settings, games, jobs, save = asked[0]
    assert (games, jobs, save) == (3, 2, tmp_path)
    assert (settings.seats, settings.seed, settings.hard_mode, settings.deck) == (5, 4, True, "library")
    assert (settings.difficulty, settings.cheat, settings.habits) == ("hard", 0.1, 0.5)
    assert (settings.tray, settings.period) == ("mat", 0.2)


def test_a_game_with_chips_has_its_own_seats_hands_and_house_rules(asked):
    given = ("--game", "stud", "--seats", "2", "--hands", "5", "--upcards", "tap", "--option", "eval=soko", "--option", "ante=3")
    result = run(*given)
    assert result.exit_code == 0, result.output
    settings = asked[0][0]
    assert (settings.game, settings.seats, settings.hands, settings.upcards) == ("stud", 2, 5, "tap")
    assert settings.options == {"eval": "soko", "ante": 3}


def test_payouts_are_told_where_there_are_any(asked, monkeypatch):
    paid = Figures(games=1, payouts=3, payouts_right=2)
    assert "payouts" not in run().stdout and json.loads(run("--json").stdout)["payouts_right"] is None
    monkeypatch.setattr(simulate, "run_games", lambda *given: paid)
    assert "2 of 3 payouts right" in run("--game", "draw").stdout
    told = json.loads(run("--game", "draw", "--json").stdout)
    assert told["payouts_right"] == 2 and "payouts" not in told


def test_json_goes_to_standard_output_and_everything_else_beside_it(asked):
    result = run("--json")
    data = json.loads(result.stdout)
    assert (data["turns"], data["turns_right"], data["violations"]) == (10, 9, {"peek": {"made": 2, "caught": 0, "misnamed": 0}})
    assert "the table did not follow" in result.stderr


def test_without_json_it_is_said_in_words(asked):
    assert "9 of 10 turns right" in run().stdout


def test_sources_tell_the_number_of_seats(asked):
    assert run("--sources", "mat, tap,bot").exit_code == 0
    assert asked[0][0].sources == ("mat", "tap", "bot")
    assert asked[0][0].seats == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--seats", "6"), "6 is not in the range 3<=x<=5"),
        (("--sources", "mat,phone,bot"), "'phone' is no source of cards: expected mat, tap, bot"),
        (("--sources", "mat,mat"), "2 is not in the range"),
        (("--seats", "4", "--sources", "mat,mat,tap"), "4 seats need 4 sources, found 3"),
        (("--tray", "glass"), "'glass' is not one of 'overhead', 'mat', 'none'"),
        (("--cheat", "1.5"), "1.5 is not in the range 0<=x<=1"),
        (("--art", "nowhere"), "Directory 'nowhere' does not exist"),
        (("--games", "0"), "0 is not in the range x>=1"),
        (("--seats", "2"), "2 is not in the range 3<=x<=5"),
        (("--game", "draw", "--seats", "6"), "6 is not in the range 2<=x<=5"),
        (("--upcards", "guess"), "'guess' is not one of 'overhead', 'scan', 'tap'"),
        (("--game", "draw", "--hard-mode"), "draw has no hard mode"),
        (("--game", "stud", "--option", "openers=true"), "unknown option 'openers' of Five-Card Stud"),
    ],
)
def test_bad_usage_is_said_and_ends_with_status_2(asked, arguments, message):
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert asked == []


def test_a_game_that_nobody_knows_is_refused():
    result = run("--game", "whist")
    assert result.exit_code == 2
    assert "no game is called 'whist'" in result.stderr


def test_an_incomplete_folder_of_faces_is_refused(tmp_path):
    result = run("--art", str(tmp_path))
    assert result.exit_code == 1
    assert "As.png" in result.stderr


def test_a_deck_that_nobody_drew_is_refused():
    result = run("--deck", "nonesuch")
    assert result.exit_code == 2
    assert "'nonesuch' is not one of" in result.stderr


def no_folders(tmp_path):
    (tmp_path / "file").write_text("x")
    return [
        "/dev/null",
        "/dev/null/here",
        "/proc/nothing/here",
        str(tmp_path / "file"),
        str(tmp_path / "file" / "here"),
        "x" * 300,
    ]


def test_a_folder_that_cannot_be_written_is_refused_before_a_game_is_played(asked, tmp_path):
    for path in no_folders(tmp_path):
        result = run("--save", path)
        assert result.exit_code == 2
        assert "--save" in result.stderr and path in result.stderr.replace("\n", "")
        assert not isinstance(result.exception, OSError)
    assert asked == []


def test_a_folder_is_made_where_there_is_none(asked, tmp_path):
    assert run("--save", str(tmp_path / "a" / "b")).exit_code == 0
    assert list((tmp_path / "a" / "b").iterdir()) == []
    assert run("--save", str(tmp_path / "c"), "--game", "whist").exit_code == 2
    assert not (tmp_path / "c").exists(), "what is refused makes no folder"


def test_a_disk_that_gets_full_meanwhile_is_told(tmp_path):
    with pytest.raises(RecordingError, match="cannot be written any more: No space left on device"), writing_to(tmp_path):
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("words", [("check", "--out"), ("first-light", "new"), ("first-light", "virtual")])
def test_other_commands_look_at_their_folder_first_too(words, tmp_path):
    for path in no_folders(tmp_path):
        result = CliRunner().invoke(main, [*words, path])
        assert result.exit_code == 2 and not isinstance(result.exception, OSError), (words, path)
