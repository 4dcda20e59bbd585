"""`viewmat rescue`, and what `viewmat verify` tells of a game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.chronicle import Shown
from companion.games import find_game
from companion.games.steal_state import Draw
from companion.picture import RowSight, Sight
from companion.referee import Referee
from firmware.cli import main
from firmware.keeping import Kept, demo_record, open_record

HEADER = {"game": "steal", "seats": [{"name": name} for name in ("Ann", "Ben", "Cat")], "options": {}, "tray": "none"}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def play(kept: Kept, turns: int) -> Kept:
    steal = find_game("steal")
    referee = Referee(steal, Sight((False,) * 3, RowSight.NONE), steal.start(3, steal.options({})))
    referee = kept.chronicle.resume(referee)
    for _ in range(turns):
        turn = len(referee.turns)
        referee = referee.claim(Draw(turn % 3, None), 10.0 + 60 * turn)
        kept.chronicle.keep(referee, Shown(), 10.0 + 60 * turn)
    kept.chronicle.close()
    return kept


def test_verify_tells_the_moves_the_restarts_and_the_hash_that_was_noted() -> None:
    kept = play(open_record(HEADER), 2)
    noted = kept.chronicle.noted()
    play(open_record(HEADER), 1)
    told = run("verify", kept.game, "--noted", " ".join((noted.head[:4], noted.head[4:8], noted.head[8:12])))
    assert told.exit_code == 0
    lines = told.stdout.splitlines()
    assert f"The hash that was noted is that of entry {noted.entry}: up to there nothing was rewritten." in lines
    assert lines[-5:] == [
        "The program began anew once.",
        "0:00:10  1. Ann drew a card and laid it on the row.",
        "0:01:10  2. Ben drew a card and laid it on the row.",
        "0:01:10  The program began anew and went on with this game.",
        "0:02:10  3. Cat drew a card and laid it on the row.",
    ]
    found = json.loads(run("verify", kept.game, "--json").stdout)
    assert (found["restarts"], [line["number"] for line in found["story"]]) == (1, [1, 2, 0, 3])


def test_a_game_of_the_virtual_table_is_found_by_its_name() -> None:
    kept = play(demo_record(HEADER, lambda: 0.0), 1)
    assert run("verify", kept.game).exit_code == 0


def test_a_damaged_record_is_rescued_and_the_game_goes_on() -> None:
    kept = play(open_record(HEADER), 6)
    whole = kept.path.read_bytes()
    kept.path.write_bytes(whole[: len(whole) * 2 // 3])
    assert run("verify", kept.game).exit_code == 1
    told = run("rescue", kept.game, "--json")
    assert told.exit_code == 0, told.stderr
    found = json.loads(told.stdout)
    assert found["entries"] > 1
    assert Path(found["damaged"]).read_bytes() == whole[: len(whole) * 2 // 3]
    assert run("verify", kept.game).exit_code == 0
    again = open_record(HEADER)
    assert (again.game, again.resumed) == (kept.game, True)
    again.chronicle.close()


def test_a_rescue_says_what_it_did_and_what_it_cannot_do(tmp_path: Path) -> None:
    kept = play(open_record(HEADER), 1)
    sound = kept.path.read_bytes()
    told = run("rescue", str(kept.path))
    assert told.exit_code == 0
    assert told.stdout == f"The record {kept.path} is whole: 3 entries, and nothing had to be rescued.\n"
    assert json.loads(run("rescue", kept.game, "--json").stdout) == {"file": str(kept.path), "damaged": None, "entries": 3}
    assert [path.name for path in kept.path.parent.iterdir() if "damaged" in path.name] == []
    kept.path.write_bytes(sound[:-1])
    told = run("rescue", str(kept.path))
    assert told.exit_code == 0
    assert "Whatever was written after the last of them is lost" in told.stdout
    assert "1 entry was saved in" in told.stdout and "The damaged record is kept as" in told.stdout
    ruin = tmp_path / "abcdef0123456789.sqlite"
    ruin.write_bytes(b"no record at all")
    for name, status in ((str(ruin), 1), ("nothing-here", 2)):
        failed = run("rescue", name)
        assert (failed.exit_code, failed.stdout) == (status, "")
        assert name.rsplit("/", 1)[-1] in failed.stderr and "Traceback" not in failed.stderr
    assert ruin.read_bytes() == b"no record at all"
