"""Backup and restore: a round trip, and that nothing is written over."""

from __future__ import annotations

import io
import json
import os
import shutil
from pathlib import Path

import pytest

from companion.errors import ArchiveError
from companion.journal import Draft, Journal, Stamp, read_entries
from companion.seal import KEY_FILE, Seal
from firmware.archive import Archive
from firmware.backup import SETTINGS, make_backup, write_backup
from tests.companion.finished import BEGAN, played
from tests.firmware.backups import DONE, KEPT, OPEN, backup, folder, restored, state, viewmat

__all__ = ["backup", "folder"]


# ---- there and back -----------------------------------------------------------------------------------------------


def test_everything_comes_back_on_another_machine(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toml, file = folder.parent / "table.toml", tmp_path / "all.zip"
    toml.write_text('[[seat]]\nname = "Ann"\n')
    made = viewmat("backup", file, "--config", toml)
    assert (made.exit_code, made.stderr) == (0, "")
    assert "2 games, 9 files in all" in made.stdout and "The key is in it" in made.stdout
    assert os.stat(file).st_mode & 0o077 == 0
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "other"))
    dry = viewmat("restore", file, "--config", tmp_path / "new.toml", "--dry-run")
    assert dry.exit_code == 0 and "New here: 2 games; files in all: 9" in dry.stdout
    assert state(tmp_path / "other") == {} and not (tmp_path / "new.toml").exists()
    done = viewmat("restore", file, "--config", tmp_path / "new.toml")
    assert (done.exit_code, done.stderr) == (0, "") and "Restored: 2 games; files in all: 9." in done.stdout
    before, after = state(folder), state(tmp_path / "other" / "viewmat")
    assert after == {path: before[path] for path in KEPT}
    assert (tmp_path / "new.toml").read_text() == toml.read_text()
    for path in (tmp_path / "other").rglob("*"):
        assert os.stat(path).st_mode & 0o077 == 0
    again = viewmat("restore", file, "--config", tmp_path / "new.toml")
    assert again.exit_code == 0 and "8 files are here already, the same" in again.stdout
    assert "Not taken over: games/current." in again.stdout
    assert state(tmp_path / "other" / "viewmat") == after


def test_pictures_keep_the_day_from_which_their_days_are_counted(folder: Path, tmp_path: Path) -> None:
    pictures = folder / "games" / f"{DONE}.pictures"
    os.utime(pictures, (1_800_000_000, 1_800_000_000))
    write_backup(folder, None, tmp_path / "all.zip")
    restored(tmp_path / "all.zip", tmp_path / "new")
    assert (tmp_path / "new" / "games" / f"{DONE}.pictures").stat().st_mtime == 1_800_000_000


def test_a_game_that_is_being_written_is_whole_in_the_backup_and_goes_on(folder: Path, tmp_path: Path) -> None:
    journal = Journal.open(folder / "games" / f"{OPEN}.sqlite")

    journal.append([Draft("again", Stamp(70.0, BEGAN))])
    assert (folder / "games" / f"{OPEN}.sqlite-wal").stat().st_size > 0
    write_backup(folder, None, tmp_path / "all.zip")
    journal.append([Draft("again", Stamp(71.0, BEGAN))])
    kept = journal.entries()
    journal.close()
    restored(tmp_path / "all.zip", tmp_path / "new")
    found = tmp_path / "new" / "games" / f"{OPEN}.sqlite"
    assert read_entries(found) == kept[:-1]
    again = Journal.open(found)
    again.append([Draft("again", Stamp(72.0, BEGAN))])
    again.close()
    assert len(read_entries(found)) == len(kept)


def test_a_log_that_a_killed_program_has_left_is_in_the_backup_and_left_alone(folder: Path, tmp_path: Path) -> None:

    path = folder / "games" / f"{OPEN}.sqlite"
    journal = Journal.open(path)
    journal.append([Draft("again", Stamp(70.0, BEGAN))])
    killed = tmp_path / "killed"
    (killed / "games").mkdir(parents=True)
    for name in (path.name, f"{path.name}-wal"):
        shutil.copyfile(folder / "games" / name, killed / "games" / name)
    kept = journal.entries()
    journal.close()
    before = state(killed)
    write_backup(killed, None, tmp_path / "all.zip")
    assert state(killed) == before
    restored(tmp_path / "all.zip", tmp_path / "new")
    assert read_entries(tmp_path / "new" / "games" / path.name) == kept


def test_a_damaged_record_is_kept_as_it_is_and_named(folder: Path, tmp_path: Path) -> None:
    torn = folder / "games" / f"{OPEN}.sqlite"
    torn.write_bytes(torn.read_bytes()[:5000])
    made = viewmat("backup", tmp_path / "all.zip")
    assert made.exit_code == 0 and f"games/{OPEN}.sqlite cannot be read as a record" in made.stderr
    restored(tmp_path / "all.zip", tmp_path / "new")
    assert (tmp_path / "new" / "games" / torn.name).read_bytes() == torn.read_bytes()


def test_without_its_key_a_backup_says_so(folder: Path, tmp_path: Path) -> None:
    made = viewmat("backup", tmp_path / "some.zip", "--without-key", "--json")
    found = json.loads(made.stdout)
    assert found["key"] is False and found["left_out"] == ["seal.key"]
    assert {part["path"] for part in found["parts"]} == KEPT - {"seal.key"}
    plan = restored(tmp_path / "some.zip", tmp_path / "new")
    assert plan.contents.left_out == ("seal.key",)
    assert [game.game for game in Archive(tmp_path / "new").shelf().games] == [DONE]


def test_through_the_page_nothing_leaves_that_is_secret(folder: Path) -> None:
    file = io.BytesIO()
    contents = make_backup(folder, folder.parent / "table.toml", file, whole=False)
    assert {part.path for part in contents.parts} == {
        SETTINGS, f"games/{DONE}.sqlite", f"games/{DONE}.pictures", "decks/old one/profile.toml",
    }  # fmt: skip
    assert set(contents.left_out) == {
        "seal.key", "keys.json", "games/current", f"games/{OPEN}.sqlite", f"games/{OPEN}.pictures",
    }  # fmt: skip
    assert (folder / KEY_FILE).read_bytes() not in file.getvalue()


def test_a_backup_is_never_written_over_and_leaves_nothing_half_done(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.zip"
    file.write_text("mine")
    refused = viewmat("backup", file)
    assert refused.exit_code == 1 and "is there already" in refused.stderr and file.read_text() == "mine"
    (folder / "decks" / "link").symlink_to("/etc/passwd")
    refused = viewmat("backup", tmp_path / "more.zip")
    assert refused.exit_code == 1 and "decks/link is no plain file" in refused.stderr
    (folder / "decks" / "link").unlink()
    (folder / "decks" / "naïve").write_text("")
    refused = viewmat("backup", tmp_path / "more.zip")
    assert refused.exit_code == 1 and "has a name that no restore would take" in refused.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["all.zip", "data"]
    assert not list(folder.glob(".*"))


def test_a_user_without_data_has_nothing_to_back_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "none"))
    refused = viewmat("backup", tmp_path / "all.zip")
    assert refused.exit_code == 1 and "nothing was kept by this user so far" in refused.stderr
    assert list(tmp_path.iterdir()) == []


# ---- what is there already ----------------------------------------------------------------------------------------


def test_a_game_with_another_of_the_same_name_is_never_written_over(folder: Path, backup: Path) -> None:
    journal = Journal.open(folder / "games" / f"{OPEN}.sqlite")
    journal.close()
    (folder / "games" / f"{DONE}.sqlite").unlink()
    played(folder / "games", DONE, ("Zoe", "Ben", "Cat"), seal=Seal.load_or_create(folder))
    (folder / "keys.json").unlink()
    before = state(folder)
    with pytest.raises(ArchiveError, match=f"nothing was restored: games/{DONE}.sqlite here and in the backup are not the same"):
        restored(backup, folder)
    assert state(folder) == before
    plan = restored(backup, folder, keep=True)
    assert plan.of("differs") == (f"games/{DONE}.sqlite",) and plan.of("new") == ("keys.json",)
    assert state(folder) == before | {"keys.json": b"{}"}
    shown = viewmat("restore", backup, "--dry-run", "--keep")
    assert f"1 file here is different, and stays as it is here: games/{DONE}.sqlite." in shown.stdout


def test_another_key_is_never_written_over(folder: Path, backup: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    Seal.load_or_create(other)
    with pytest.raises(ArchiveError, match=r"seal\.key"):
        restored(backup, other)
    assert [path.name for path in other.iterdir()] == ["seal.key"]
    plan = restored(backup, other, keep=True)
    assert plan.other_key
    shelf = Archive(other).shelf()
    assert [game.game for game in shelf.games] == [DONE] and shelf.games[0].seats[0].violations is None


def test_all_that_is_here_may_be_put_aside_and_is_a_data_folder_again(folder: Path, backup: Path, tmp_path: Path) -> None:
    shutil.rmtree(folder)
    Seal.load_or_create(folder)
    played(folder / "games", OPEN, ("Zoe", "Ben", "Cat"), seal=Seal.load_or_create(folder))
    before = state(folder)
    done = viewmat("restore", backup, "--aside", "--config", tmp_path / "x.toml")
    assert done.exit_code == 0 and "What was here before is in " in done.stdout
    assert state(folder / "replaced-1") == before
    assert {path for path in state(folder) if not path.startswith("replaced-1/")} == KEPT
    assert Archive(folder / "replaced-1").shelf().games[0].seats[0].violations == 0
    file = tmp_path / "next.zip"
    assert not any(part.path.startswith("replaced") for part in write_backup(folder, None, file).parts)


def test_nothing_is_put_aside_while_somebody_plays(folder: Path, backup: Path) -> None:
    journal = Journal.open(folder / "games" / f"{OPEN}.sqlite")
    before = {path.name for path in folder.iterdir()}
    refused = viewmat("restore", backup, "--aside")
    journal.close()
    assert refused.exit_code == 1 and f"game {OPEN} is being written" in refused.stderr
    assert {path.name for path in folder.iterdir()} == before


def test_which_game_goes_on_is_not_changed(folder: Path, backup: Path) -> None:
    (folder / "games" / "current").write_text("bbbb\n")
    assert restored(backup, folder).of("kept") == ("games/current",)
    assert (folder / "games" / "current").read_text() == "bbbb\n"


def test_keep_and_aside_do_not_go_together(backup: Path) -> None:
    assert viewmat("restore", backup, "--keep", "--aside").exit_code == 2


def test_a_link_in_the_place_of_a_file_is_another_file(folder: Path, backup: Path, tmp_path: Path) -> None:
    (folder / "keys.json").rename(tmp_path / "elsewhere.json")
    (folder / "keys.json").symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(ArchiveError, match=r"keys\.json"):
        restored(backup, folder)
