"""The shelf of a data folder, what it remembers, and deleting what is kept of a player."""

from __future__ import annotations

import json
import os
import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from companion.cards import DECK
from companion.chronicle import SHOWN
from companion.errors import ArchiveError, JournalError
from companion.games.steal_state import Draw
from companion.history import told
from companion.journal import Draft, Journal, Stamp, read_walk
from companion.journal.reading import read_beside_writer
from companion.played import PlayedGame, Unfinished, Unreadable
from companion.seal import KEY_FILE, Seal
from firmware import archive as module
from firmware.archive import REMAINDER, Archive
from tests.companion.finished import BEGAN, STOLEN, played
from tests.companion.journal.keeping import set_field

FIRST, SECOND, THIRD, OPEN = "aaaa000000000001", "aaaa000000000002", "aaaa000000000003", "aaaa000000000004"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three finished games on two evenings and one that goes on; Ann sat in all of them, Dan in one."""
    seal = Seal.load_or_create(tmp_path)
    games = tmp_path / "games"
    played(games, FIRST, ("Ann", "Ben", "Cat"), seal=seal, blamed=(0,))
    played(games, SECOND, ("Dan", "Ann", "Ben"), first=3, seal=seal, began=BEGAN + timedelta(days=1))
    played(games, THIRD, ("Ann", "Ben", "Eve"), first=7, seal=seal, began=BEGAN + timedelta(hours=1))
    played(games, OPEN, ("Ann", "Ben", "Cat"), STOLEN[:3], finished=False, seal=seal, began=BEGAN + timedelta(days=2))
    (games / f"{FIRST}.pictures").write_bytes(b"sealed")
    (games / "current").write_text(f"{OPEN}\n")
    return tmp_path


def names(folder: Path) -> set[str]:
    return {path.name for path in (folder / "games").iterdir()}


def test_the_newest_game_stands_first_and_open_ones_apart(folder: Path) -> None:
    shelf = Archive(folder).shelf()
    assert [game.game for game in shelf.games] == [SECOND, THIRD, FIRST]
    assert [game.game for game in shelf.unfinished] == [OPEN] and shelf.unreadable == ()
    assert [seat.violations for seat in shelf.games[2].seats] == [1, 0, 0]


def test_without_a_data_folder_there_is_nothing_and_nothing_is_made(tmp_path: Path) -> None:
    shelf = Archive(tmp_path / "none").shelf()
    assert (shelf.games, shelf.unfinished, shelf.unreadable) == ((), (), ())
    assert list(tmp_path.iterdir()) == []


def test_without_its_key_a_game_is_told_and_no_key_is_made(folder: Path) -> None:
    (folder / KEY_FILE).unlink()
    games = Archive(folder).shelf().games
    assert [game.game for game in games] == [SECOND, THIRD, FIRST]
    assert games[2].seats[0].violations is None and games[2].seats[0].hand
    assert not (folder / KEY_FILE).exists()


# ---- what is remembered -------------------------------------------------------------------------------------------


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    read: list[str] = []

    def counting(path: Path) -> object:
        read.append(path.stem)
        return original(path)

    original = module.read_beside_writer
    monkeypatch.setattr(module, "read_beside_writer", counting)
    return read


def test_a_record_is_read_once_also_over_a_restart(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = counted(monkeypatch)
    shelf = Archive(folder).shelf()
    assert sorted(read) == [FIRST, SECOND, THIRD, OPEN]
    read.clear()
    again = Archive(folder)
    assert again.shelf() == shelf and read == [OPEN], "of a game that goes on nothing is kept"
    assert again.shelf() == shelf and read == [OPEN]


def test_what_is_remembered_may_be_thrown_away_and_is_not_believed_where_the_record_has_changed(folder: Path) -> None:
    shelf = Archive(folder).shelf()
    cached = folder / "cache" / f"{FIRST}.json"
    for spoilt in ("", "[]", "{", json.dumps({"stamp": [], "told": {}})):
        cached.write_text(spoilt)
        assert Archive(folder).shelf() == shelf
    cached.unlink()
    assert Archive(folder).shelf() == shelf and cached.exists()
    set_field(folder / "games" / f"{FIRST}.sqlite", 3, "body", "{}")
    assert Archive(folder).shelf().unreadable == (Unreadable(FIRST, "changed"),)
    assert not cached.exists(), "and it is forgotten"


def test_what_is_remembered_of_a_record_that_is_gone_goes_as_well(folder: Path) -> None:
    archive = Archive(folder)
    archive.shelf()
    (folder / "games" / f"{FIRST}.sqlite").unlink()
    assert FIRST not in {game.game for game in archive.shelf().games}
    assert not (folder / "cache" / f"{FIRST}.json").exists()


def test_another_key_is_noticed(folder: Path) -> None:
    archive = Archive(folder)
    assert archive.shelf().games[2].seats[0].violations == 1
    (folder / KEY_FILE).unlink()
    assert archive.shelf().games[2].seats[0].violations is None


def test_what_cannot_be_remembered_is_told_all_the_same(folder: Path) -> None:
    (folder / "cache").write_text("in the way")
    assert len(Archive(folder).shelf().games) == 3


# ---- beside a writer ----------------------------------------------------------------------------------------------


def test_a_journal_that_is_being_written_is_opened_by_sqlite_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing any other handle of it in this process would drop the writer's locks."""
    journal = Journal.open(folder / "games" / f"{FIRST}.sqlite")
    opened: list[str] = []
    original = Path.open

    def watched(self: Path, *given: object, **named: object) -> object:
        opened.append(self.name)
        return original(self, *given, **named)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", watched)
    archive = Archive(folder)
    assert FIRST in {game.game for game in archive.shelf().games}
    assert f"{FIRST}.sqlite" not in opened and f"{SECOND}.sqlite" in opened
    journal.close()


def test_a_journal_that_never_stands_still_is_not_opened_otherwise(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal.open(folder / "games" / f"{FIRST}.sqlite")
    journal.append([Draft("again", Stamp(60.0, BEGAN))])
    states = iter(range(1000))
    monkeypatch.setattr("companion.journal.reading._state", lambda path: ((next(states), 0),))
    monkeypatch.setattr(Path, "open", lambda self, *given: pytest.fail(f"{self} was opened"))
    with pytest.raises(JournalError, match="being written all the time"):
        read_beside_writer(folder / "games" / f"{FIRST}.sqlite")
    monkeypatch.undo()
    journal.close()


def test_what_a_killed_program_has_left_is_told_up_to_its_last_turn(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = folder / "games" / f"{FIRST}.sqlite"
    journal = Journal.open(path)
    journal.append([Draft(SHOWN, Stamp(60.0, BEGAN), {"slots": [], "named": [], "finished": False})])
    for endings in (("", "-wal", "-shm"), ("", "-wal")):
        killed = tmp_path_factory.mktemp("killed")
        (killed / "games").mkdir()
        for ending in endings:
            shutil.copyfile(f"{path}{ending}", killed / "games" / f"{path.name}{ending}")
        assert [game.game for game in Archive(killed).shelf().unfinished] == [FIRST], endings
    (killed / "games" / f"{path.name}-shm").write_bytes(b"nonsense")
    journal.close()
    assert [game.game for game in Archive(killed).shelf().unfinished] == [FIRST]


def test_a_game_that_is_being_written_is_not_deleted(folder: Path) -> None:
    archive = Archive(folder)
    journal = Journal.open(folder / "games" / f"{FIRST}.sqlite")
    plan = archive.deletion("Ann")
    assert (plan.busy, plan.games) == ((FIRST,), (SECOND, THIRD, OPEN))
    assert archive.forget("Ann", plan.mark, False) == 3
    journal.close()
    assert archive.deletion("Ann").games == (FIRST,)


def test_a_lock_that_a_killed_program_has_left_keeps_nobody_out(folder: Path) -> None:
    (folder / "games" / f"{FIRST}.sqlite.lock").write_text("1")
    assert Archive(folder).deletion("Cat").busy == ()


# ---- deleting -----------------------------------------------------------------------------------------------------


def test_what_would_be_deleted_is_said_before(folder: Path) -> None:
    plan = Archive(folder).deletion("Ben")
    assert plan.games == (SECOND, THIRD, FIRST, OPEN) and plan.others == ("Ann", "Cat", "Dan", "Eve")
    assert (plan.busy, plan.unknown) == ((), 0)
    assert Archive(folder).deletion("Zoe").games == () == Archive(folder).deletion("").games


def test_deleting_wholly_leaves_no_byte_of_the_games(folder: Path) -> None:
    archive = Archive(folder)
    archive.shelf()
    (folder / "games" / f"{FIRST}.sqlite.damaged-1").write_bytes(b"Cat")
    plan = archive.deletion("Cat")
    assert plan.games == (FIRST, OPEN)
    assert archive.forget("Cat", plan.mark, False) == 2
    assert names(folder) == {f"{SECOND}.sqlite", f"{THIRD}.sqlite", "current"}
    for path in folder.rglob("*"):
        assert not path.is_file() or b"Cat" not in path.read_bytes(), path
    assert {game.game for game in archive.shelf().games} == {SECOND, THIRD}


def test_the_others_may_keep_their_results_without_the_name(folder: Path) -> None:
    archive = Archive(folder)
    before = {game.game: game for game in archive.shelf().games}
    plan = archive.deletion("Ann")
    assert archive.forget("Ann", plan.mark, True) == 4
    assert names(folder) == {f"{game}{REMAINDER}" for game in (FIRST, SECOND, THIRD)} | {"current"}
    after = {game.game: game for game in archive.shelf().games}
    assert after == {name: game.without("Ann") for name, game in before.items()}
    assert not any(game.proven for game in after.values())
    for path in folder.rglob("*"):
        assert not path.is_file() or b"Ann" not in path.read_bytes(), path
    assert archive.deletion("Ann").games == ()
    plan = archive.deletion("Ben")
    archive.forget("Ben", plan.mark, True)
    assert {game.names for game in archive.shelf().games} == {("", "", "Cat"), ("Dan", "", ""), ("", "", "Eve")}
    archive.forget("Cat", archive.deletion("Cat").mark, False)
    assert {game.game for game in archive.shelf().games} == {SECOND, THIRD}


def test_a_list_that_has_changed_is_not_what_was_confirmed(folder: Path) -> None:
    archive = Archive(folder)
    mark = archive.deletion("Eve").mark
    played(folder / "games", "aaaa000000000009", ("Eve", "Ben", "Ann"), seal=Seal.load_or_create(folder))
    before = names(folder)
    for shown in (mark, "", archive.deletion("Ann").mark):
        with pytest.raises(ArchiveError, match="has changed"):
            archive.forget("Eve", shown, False)
    assert names(folder) == before


def test_where_deleting_stops_it_is_said_how_much_is_left(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = Archive(folder)
    plan = archive.deletion("Ann")
    original = Path.unlink

    def failing(self: Path, missing_ok: bool = False) -> None:
        if self.name == f"{THIRD}.sqlite":
            raise PermissionError(1, "Operation not permitted")
        original(self, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", failing)
    with pytest.raises(ArchiveError, match=f"game {THIRD} cannot be deleted: Operation not permitted; 3 of 4 are left"):
        archive.forget("Ann", plan.mark, True)
    monkeypatch.undo()
    assert archive.deletion("Ann").games == (THIRD, FIRST, OPEN), "the record still counts; the result beside it does not"
    assert archive.forget("Ann", archive.deletion("Ann").mark, True) == 3


def test_records_that_cannot_be_read_are_counted_and_stay(folder: Path) -> None:
    broken = folder / "games" / "bbbb.sqlite"
    broken.write_bytes(b"no database")
    (folder / "games" / f"cccc{REMAINDER}").write_text("{")
    archive = Archive(folder)
    plan = archive.deletion("Ann")
    assert plan.unknown == 2 and {one.why for one in archive.shelf().unreadable} == {"damaged"}
    archive.forget("Ann", plan.mark, False)
    assert broken.exists()


def test_a_remainder_of_another_name_or_with_a_proof_is_none(folder: Path) -> None:
    archive = Archive(folder)
    archive.forget("Cat", archive.deletion("Cat").mark, True)
    left = folder / "games" / f"{FIRST}{REMAINDER}"
    data = json.loads(left.read_text())
    left.write_text(json.dumps(data | {"head": "ab" * 32}))
    assert Archive(folder).shelf().unreadable == (Unreadable(FIRST, "changed"),)
    left.write_text(json.dumps(data | {"game": "other"}))
    assert Archive(folder).shelf().unreadable == (Unreadable(FIRST, "changed"),)


def test_files_are_for_this_user_alone(folder: Path) -> None:
    archive = Archive(folder)
    archive.shelf()
    archive.forget("Cat", archive.deletion("Cat").mark, True)
    for path in (folder / "cache" / f"{SECOND}.json", folder / "games" / f"{FIRST}{REMAINDER}"):
        assert os.stat(path).st_mode & 0o077 == 0


def test_the_games_of_the_fixture_differ(folder: Path) -> None:
    walks = {game: told(read_walk(folder / "games" / f"{game}.sqlite"), game) for game in (FIRST, SECOND, OPEN)}
    assert isinstance(walks[OPEN], Unfinished) and isinstance(walks[FIRST], PlayedGame)
    assert walks[FIRST].seats[2].hand == DECK[10:15] and STOLEN[0] == Draw(0, 2)
