"""The command `verify` from the outside."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.announcements import card_words
from companion.cards import DECK
from companion.commitments import COMMITTED, OPENED, commit
from companion.journal import Draft, read_entries
from companion.observation import Call, OwnEntry, Reseat
from companion.table import slot
from firmware.cli import main
from tests.companion.amended import agree
from tests.companion.filmed import Film, three_moves
from tests.companion.journal.keeping import GAME, STAMP, begun, draft, set_field

MADE = commit(GAME, 1, [(slot(0, number), DECK[number]) for number in range(1, 6)])


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["verify", *arguments])


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The journal of a game whose seal was opened, in the user's data folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    committed, opened = Draft(COMMITTED, STAMP, MADE.public(), bytes(100)), Draft(OPENED, STAMP, MADE.opened(2))
    return begun(tmp_path / "viewmat" / "games", [committed], [draft()], [opened])


def test_a_game_by_its_name_and_by_its_file(game: Path) -> None:
    expected = {
        "game": GAME, "file": str(game), "intact": True, "entries": 4, "head": read_entries(game)[-1].hash.hex(), "changed": None,
        "seal": "opened", "commitments": 5, "opened": 5, "clock_set": True, "noted": None, "noted_missing": False,
        "restarts": 0, "story": [],
        "pictures": {"kept": 0, "found": 0, "changed": []},
    }  # fmt: skip
    for name in (GAME, str(game)):
        result = run(name, "--json")
        assert (result.exit_code, result.stderr) == (0, "")
        assert json.loads(result.stdout) == expected
    assert json.loads(run(GAME, "--folder", str(game.parent), "--json").stdout) == expected


def test_for_people(game: Path) -> None:
    result = run(GAME)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[:2] == [
        "Nothing was changed: 4 entries, each follows from the one before.",
        "All 5 commitments were opened, and each shows what was committed to.",
    ]


def test_a_change_is_named(game: Path) -> None:
    set_field(game, 3, "body", '{"n":1}')
    result = run(GAME, "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    message = "Entry 3 (turn, 2027-03-01T18:30:00.000000+00:00) was changed: its hash does not fit what it says."
    assert found["intact"] is False
    assert found["changed"] == {
        "number": 3, "kind": "turn", "time": 12.5, "wall": "2027-03-01T18:30:00.000000+00:00", "problem": "content",
        "message": message, "seat": None, "slot": None,
    }  # fmt: skip
    assert result.stderr == f"{message}\n2 entries before it are as they were written.\n"
    result = run(GAME)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(message)


def test_a_game_that_is_not_over_is_verified_as_far_as_it_goes(game: Path) -> None:
    path = begun(game.parent, [Draft(COMMITTED, STAMP, MADE.public(), bytes(100))], game="0000000000000000")
    result = run("0000000000000000", "--json")
    assert (result.exit_code, json.loads(result.stdout)["seal"]) == (0, "sealed")
    assert "The seal was not opened yet" in run(str(path)).stdout


def test_a_noted_hash(game: Path) -> None:
    noted = read_entries(game)[2].hash.hex()
    assert json.loads(run(GAME, "--noted", noted[:8], "--json").stdout)["noted"] == 3
    result = run(GAME, "--noted", "00" * 32, "--json")
    assert (result.exit_code, json.loads(result.stdout)["noted_missing"]) == (1, True)
    assert "No entry has the hash that was noted" in result.stderr
    for wrong in ("1234567", "xyzxyzxyz", "0" * 65):
        refused = run(GAME, "--noted", wrong)
        assert refused.exit_code == 2
        assert "expected the first 8 to 64 hexadecimal digits of a hash" in refused.stderr


@pytest.mark.parametrize(
    ("lost", "message"), [(None, "is no journal: expected an SQLite file, found something else"), (1, "is torn: expected ")]
)
def test_a_file_that_cannot_be_read(game: Path, lost: int | None, message: str) -> None:
    if lost is None:
        game.write_bytes(b"no journal at all")
    else:
        os.truncate(game, game.stat().st_size - lost)
    result = run(GAME, "--json")
    found = json.loads(result.stdout)
    assert (result.exit_code, found["intact"], found["file"]) == (1, False, str(game))
    assert message in found["error"]
    assert result.stderr == found["error"] + "\n"


@pytest.mark.parametrize(
    ("name", "status", "message"),
    [
        ("ffffffffffffffff", 2, "'ffffffffffffffff' is no file, and there is no game of this name in "),
        ("../../x", 1, "'../../x' cannot be read: there is no such file, and no game has such a name"),
        ("", 1, "'' cannot be read: there is no such file, and no game has such a name"),
    ],
)
def test_a_game_that_is_not_there_is_bad_usage_and_a_missing_file_a_failure(
    game: Path, name: str, status: int, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What lies two folders above whoever starts the tests is nobody's business.
    monkeypatch.chdir(game.parent)
    result = run(name, "--json")
    assert (result.exit_code, result.stdout) == (status, "")
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_the_record_of_another_game_under_this_name(game: Path) -> None:
    copy = game.rename(game.with_name("another.sqlite"))
    result = run("another", "--json")
    assert (result.exit_code, json.loads(result.stdout)["changed"]["problem"]) == (1, "name")
    assert "names another game: this is not the record that was asked for." in result.stderr
    assert run(str(copy)).exit_code == 0, "a file may be called as one likes"


def test_verify_wants_a_game() -> None:
    assert run().exit_code == 2


# ---- pictures -----------------------------------------------------------------------------------------------------


@pytest.fixture
def film(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Film:
    """A game with pictures in the user's data folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    film = Film(tmp_path / "viewmat" / "games")
    three_moves(film.table())
    return film


def test_pictures_are_checked_without_the_key(film: Film) -> None:
    kept = len(film.pieces)
    assert json.loads(run(GAME, "--json").stdout)["pictures"] == {"kept": kept, "found": kept, "changed": []}
    assert f"All {kept} pictures are there, as they were sealed." in run(GAME).stdout
    film.store.drop(2)
    assert f"Pictures that are there, as they were sealed: {kept - 1} of {kept}; the others are gone." in run(GAME).stdout


def test_lines_about_a_card_name_its_seat_and_slot_and_never_the_card(film: Film) -> None:
    table = film.table()
    card = table.shown[slot(1, 3)]
    agree(table.say(0, Reseat(slot(1, 3))), 0, 1, 2)
    table.say(1, OwnEntry(slot(1, 3), card)).say(2, Call("leave"))
    assert "entered_hidden" in table.kinds
    out = run(GAME).stdout
    told = [line.split("  ", 1)[1] for line in out.splitlines() if line.startswith("0:")]
    assert told[-4:] == [
        "Something was proposed to everybody.", "Slot 3 of Ben: the card was to be read anew.",
        "Slot 3 of Ben: its owner entered the card, which no camera had read.", "Cat has left.",
    ]  # fmt: skip
    story = json.loads(run(GAME, "--json").stdout)["story"]
    assert [line["place"] for line in story][-4:] == [None, [1, 3], [1, 3], None]
    # Not in the hashes, which may hold any two digits.
    assert not any(name in line for name in (str(card), card_words(card)) for line in told)


def test_the_sentences_are_said_in_the_language_that_is_asked_for(film: Film) -> None:
    lines = run(GAME, "--language", "hu").stdout.splitlines()
    assert lines[0].startswith("Semmi sem változott: ")
    assert any(line.endswith("1. Ann húzott, a lap ide került: 2. hely; a régi a sorba ment.") for line in lines)
    assert any("2. Ben lopott innen: Cat 4. helye; amit adott: saját 1. hely." in line for line in lines)
    assert json.loads(run(GAME, "--language", "de", "--json").stdout)["story"][-1]["words"].startswith("3. Cat hat eine Karte")
    refused = run(GAME, "--language", "tlh")
    assert (refused.exit_code, "'en', 'de', 'hu'" in refused.stderr) == (2, True)


def test_a_changed_picture_is_named_and_deleted_ones_are_no_fault(film: Film) -> None:
    film.store.put(5, film.store.get(4) or b"")
    result = run(GAME, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["pictures"]["changed"] == [5]
    assert json.loads(result.stdout)["intact"] is True
    assert "A picture was changed since it was sealed: number 5." in result.stderr
    film.store.path.unlink()
    result = run(GAME)
    assert result.exit_code == 0
    assert "The pictures are gone" in result.stdout
