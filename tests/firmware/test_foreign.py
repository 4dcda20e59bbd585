"""Records whose chain holds and that say what no table writes: every command refuses them in a sentence, or reads past it."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.errors import JournalError
from companion.games import find_game
from companion.journal import rescue
from companion.observation import Tick
from companion.seal import Seal
from companion.sitting import RowSight, Seat, Sitting
from companion.table import slot
from companion.views import Role
from firmware.cli import main
from firmware.commands import replay as command
from firmware.keeping import CURRENT, going_on_with, open_record
from tests.companion.filmed import GAME, HEADER
from tests.firmware.forged import ODD, Part, forge, key_of, parts_of, tampered


class Blind:
    """There is no picture to be read."""

    def classify(self, patches: Any) -> Any:
        raise AssertionError("no picture is there")


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> list[Part]:
    return parts_of(tmp_path_factory.mktemp("made"))


@pytest.fixture
def seal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Seal:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(command.OnnxClassifier, "load", lambda path=None: Blind())
    (tmp_path / "viewmat" / "games").mkdir(parents=True)
    return key_of(tmp_path / "viewmat")


@pytest.fixture
def path(seal: Seal, tmp_path: Path) -> Path:
    return tmp_path / "viewmat" / "games" / f"{GAME}.sqlite"


def run(*words: str) -> Result:
    result = CliRunner().invoke(main, words)
    assert result.exception is None or isinstance(result.exception, SystemExit), (words, result.exception)
    return result


def go_on(path: Path) -> Sitting | None:
    """The sitting of the record that was begun last, as `viewmat run` opens it; None where it begins a new one."""
    (path.parent / CURRENT).write_text(f"{path.stem}\n")
    kept = open_record(HEADER)
    try:
        if not kept.resumed:
            return None
        with going_on_with(kept.path):
            seats = [Seat(seat["name"], seat["source"]) for seat in HEADER["seats"]]
            return Sitting(
                find_game("steal"), seats, kept.header["options"], RowSight.OVERHEAD, clock=kept.clock, phone_peek=True,
                chronicle=kept.chronicle,
            )  # fmt: skip
    finally:
        kept.chronicle.close()


def look_at(sitting: Sitting) -> None:
    for seat in range(len(sitting.seats)):
        sitting.view(Role.SEAT, seat)
    sitting.post(Tick(sitting.now()))
    sitting.work()
    for line in sitting.timeline():
        sitting.dispute(line.number, slot(1, 2))
        sitting.proofs(line.number)


def test_the_record_itself_is_sound(parts: Sequence[Part], seal: Seal, path: Path) -> None:
    forge(path, parts, seal)
    assert run("verify", GAME).exit_code == 0
    assert run("replay", GAME).stdout.startswith("Nothing would change (rulings: 8")
    assert rescue(path)[0] is None
    sitting = go_on(path)
    assert sitting is not None and sitting.view().result is not None
    look_at(sitting)


KINDS = (
    "header", "minute", "committed", "opened", "evidence", "shown", "declared", "cameras", "seen", "restarted", "settings",
    "unheard", "again",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_no_forged_entry_ends_in_a_traceback(kind: str, parts: Sequence[Part], seal: Seal, path: Path) -> None:
    rng = random.Random(kind)
    for _ in range(4):
        forge(path, tampered(rng, parts, kind), seal)
        for words in (
            ("verify", GAME),
            ("verify", GAME, "--json"),
            ("replay", GAME, "--option", "max_turns=4"),
            ("rescue", GAME),
        ):
            assert run(*words).exit_code in (0, 1)
        try:
            sitting = go_on(path)
        except JournalError as error:
            assert str(path) in str(error) and "--fresh" in str(error)
        else:
            if sitting is not None:
                look_at(sitting)


@pytest.mark.parametrize(
    ("header", "sentence"),
    [
        (None, "expected an object called 'header'; found None"),
        ([1], "expected an object called 'header'; found [1]"),
        ({}, "missing game, seats, options, tray"),
        ({**HEADER, "seats": "three"}, "expected a list of 'seats'; found 'three'"),
        ({**HEADER, "seats": [1]}, "expected seat 1 to be an object with name and source; found 1"),
        ({**HEADER, "seats": [{"name": 7, "source": "mat"}]}, "expected a text as the name of seat 1; found 7"),
        ({**HEADER, "seats": [{"name": "Ann", "source": "owl"}]}, "expected the source of seat 1 to be one of mat, tap, bot"),
        ({**HEADER, "tray": ["none"]}, "expected 'tray' to be one of overhead, mat, none; found ['none']"),
        ({**HEADER, "game": 5}, "expected the name of a 'game'; found 5"),
        ({**HEADER, "game": "whist"}, "no game is called 'whist'"),
        ({**HEADER, "options": 5}, "expected an object of 'options'; found 5"),
        ({**HEADER, "options": {"first_seat": 3}}, "has to be one of the seats 0 to 2; found 3"),
        ({**HEADER, "seats": HEADER["seats"][:2]}, "Five Card Steal is for 3 to 5 players; found 2"),
    ],
)  # fmt: skip
def test_an_odd_header_is_told(header: Any, sentence: str, parts: Sequence[Part], seal: Seal, path: Path) -> None:
    forge(path, [replace(parts[0], body={"game": GAME, "header": header}), *parts[1:]], seal)
    result = run("replay", GAME)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"{path}: entry 1 (header): ") and sentence in result.stderr


@pytest.mark.parametrize("slots", [5, [5], [[0]], [[0, 9]], [["0", 1]], [[-1, 1]], [[None, None]], {"a": 1}])
def test_odd_slots_of_the_reveal_are_told(slots: Any, parts: Sequence[Part], seal: Seal, path: Path) -> None:
    forge(
        path, [replace(part, body={**part.body, "slots": slots}) if part.entry.kind == "shown" else part for part in parts], seal
    )
    result = run("replay", GAME)
    assert result.exit_code == 1
    assert str(path) in result.stderr and "(shown): expected slots as pairs of seat and slot" in result.stderr
    with pytest.raises(JournalError, match=r"\(shown\): expected slots as pairs of seat and slot.*--fresh"):
        go_on(path)


def test_a_record_without_anything_agreed_has_no_result(parts: Sequence[Part], seal: Seal, path: Path) -> None:
    forge(path, [part for part in parts if part.entry.kind not in ("minute", "evidence", "opened", "committed")], seal)
    assert run("replay", GAME).stdout == "Nothing would change (rulings: 0, pictures: 0).\n"
    forge(path, parts[:1], seal)
    assert "has no result yet" in run("replay", GAME).stderr


@pytest.mark.parametrize("name", [*ODD, "../../elsewhere", "another-game"])
def test_a_record_of_another_game_is_not_gone_on_with(name: Any, parts: Sequence[Part], seal: Seal, path: Path) -> None:
    forge(path, [replace(parts[0], body={**parts[0].body, "game": name}), *parts[1:]], seal)
    assert run("verify", GAME).exit_code == 1
    assert run("replay", str(path)).exit_code == 1
    with pytest.raises(JournalError, match="--fresh"):
        go_on(path)


NASTY = "Eve\x1b]0;owned\x07\x1b[2J\r\n1. Ann won.\u202e\u2028\x9b\ud800" + "e" * 500


def test_names_cannot_steer_the_terminal(parts: Sequence[Part], seal: Seal, path: Path) -> None:
    """Control characters, line ends, directions and halves of characters are shown as codes; a name has an end."""
    seats = [{"name": NASTY, "source": "mat"}, *HEADER["seats"][1:]]
    call = {"what": NASTY, "seat": 0, "by": "table", "refused": "late"}
    forged = [replace(part, body=call) if part.entry.kind == "declared" else part for part in parts]
    forge(path, [replace(parts[0], body={"game": GAME, "header": {**HEADER, "seats": seats}}), *forged[1:]], seal)
    for words in (("verify", GAME), ("replay", GAME, "--option", "max_turns=2"), ("rescue", GAME)):
        result = run(*words)
        assert result.exit_code == 0
        for line in (result.stdout + result.stderr).split("\n"):
            assert line.isprintable() and len(line) < 400
    assert "0:00:01  1. Ann won." not in run("verify", GAME).stdout
    assert r"Eve\x1b]0;owned" in run("verify", GAME).stdout


def test_errors_repeat_a_record_safely_and_shortly(parts: Sequence[Part], seal: Seal, path: Path) -> None:
    forge(path, [replace(parts[0], body={"game": GAME, "header": {**HEADER, "tray": NASTY}}), *parts[1:]], seal)
    for words in (("replay", GAME), ("--debug", "replay", GAME)):
        told = run(*words).stderr
        assert told.count("\n") == 1 and told[:-1].isprintable() and len(told) < 400


def test_what_is_judged_is_told_safely(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(
        json.dumps({"cases": [{"id": NASTY, "hands": [["As", "Ks", "Qs", "Js", "Ts"]]}, {"id": NASTY, "hands": [[NASTY]]}]})
    )
    result = run("judge", str(file))
    assert result.exit_code == 1
    assert all(line.isprintable() for line in (result.stdout + result.stderr).split("\n"))
