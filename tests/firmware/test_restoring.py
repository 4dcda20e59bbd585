"""Backups that are refused, wholly and with nothing written; and restores that are interrupted."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import ArchiveError
from companion.journal import read_walk
from companion.seal import Seal
from firmware.backup import FORM, LIST, is_safe, write_backup
from tests.companion.finished import played
from tests.companion.journal.keeping import set_field
from tests.firmware.backups import DONE, KEPT, backup, folder, restored, state, viewmat

__all__ = ["backup", "folder"]


# ---- what is refused ----------------------------------------------------------------------------------------------


def rewritten(backup: Path, change: Callable[[dict[str, bytes], dict[str, Any]], None], target: Path) -> Path:
    """A zip file made by somebody else: members and list as `change` leaves them."""
    with zipfile.ZipFile(backup) as archive:
        members = {name: archive.read(name) for name in archive.namelist() if name != LIST}
        listed = json.loads(archive.read(LIST))
    change(members, listed)
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
        archive.writestr(LIST, json.dumps(listed))
    return target


def add(name: str, data: bytes = b"x") -> Callable[[dict[str, bytes], dict[str, Any]], None]:
    def change(members: dict[str, bytes], listed: dict[str, Any]) -> None:
        members[name] = data
        listed["parts"].append(
            {"path": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest(), "changed": 0, "sound": True}
        )

    return change


def drop(name: str) -> Callable[[dict[str, bytes], dict[str, Any]], None]:
    return lambda members, listed: members.pop(name) and None


def say(**values: Any) -> Callable[[dict[str, bytes], dict[str, Any]], None]:
    return lambda members, listed: listed.update(values)


def change_part(**values: Any) -> Callable[[dict[str, bytes], dict[str, Any]], None]:
    return lambda members, listed: listed["parts"][0].update(values)


REFUSED = (
    (add("../evil"), "no name of a file inside the data folder"),
    (add("/etc/evil"), "no name of a file inside the data folder"),
    (add("games/../../evil"), "no name of a file inside the data folder"),
    (add("games\\evil"), "no name of a file inside the data folder"),
    (add("C:evil"), "no name of a file inside the data folder"),
    (add("games/"), "no name of a file inside the data folder"),
    (add("a/b/c/d/e/f"), "no name of a file inside the data folder"),
    (add("x" * 250), "no name of a file inside the data folder"),
    (add(".profile"), "no name of a file inside the data folder"),
    (add(f"games/{DONE}.sqlite-wal"), "belongs to a running program"),
    (add(f"games/{DONE}.sqlite.lock"), "belongs to a running program"),
    (add("cache/x.json"), "belongs to a running program"),
    (add("demo/seal.key"), "belongs to a running program"),
    (add("replaced-1/x"), "belongs to a running program"),
    (add("games/eeee.sqlite"), "games/eeee.sqlite in the backup is no record"),
    (drop("keys.json"), "are not the same: keys.json"),
    (lambda members, listed: members.update({"more": b""}), "are not the same: more"),
    (lambda members, listed: listed["parts"].append(listed["parts"][0]), "are not the same"),
    (say(form=FORM + 1, program="9.0"), "has form 2, made by version 9.0; this version reads form 1"),
    (say(viewmat="table"), "no backup of this program"), (say(parts=[{}]), "does not say what a list of this form says"),
    (say(parts=7), "does not say what a list of this form says"), (say(left_out=7), "does not say"),
    (change_part(sha256="0" * 64), "is not as it was backed up"), (change_part(size=1), "is not as it was backed up"),
    (change_part(changed="x"), "does not say"), (change_part(more=1), "does not say"),
)  # fmt: skip


@pytest.mark.parametrize(("change", "said"), REFUSED, ids=[said[:28] + str(number) for number, (_, said) in enumerate(REFUSED)])
def test_a_backup_that_somebody_has_changed_is_refused_wholly(backup: Path, tmp_path: Path, change: Any, said: str) -> None:
    file = rewritten(backup, change, tmp_path / "evil.zip")
    with pytest.raises(ArchiveError, match=said):
        restored(file, tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []
    assert not (tmp_path / "evil").exists()


def test_a_record_that_was_changed_before_it_was_packed_is_refused(folder: Path, backup: Path, tmp_path: Path) -> None:
    set_field(folder / "games" / f"{DONE}.sqlite", 3, "body", "{}")
    data = (folder / "games" / f"{DONE}.sqlite").read_bytes()

    def change(members: dict[str, bytes], listed: dict[str, Any]) -> None:
        listed["parts"] = [part for part in listed["parts"] if not part["path"].endswith(f"{DONE}.sqlite")]
        add(f"games/{DONE}.sqlite", data)(members, listed)

    with pytest.raises(ArchiveError, match=f"games/{DONE}.sqlite in the backup was changed: entry 3"):
        restored(rewritten(backup, change, tmp_path / "evil.zip"), tmp_path / "new")
    write_backup(folder, None, tmp_path / "unsound.zip")
    restored(tmp_path / "unsound.zip", tmp_path / "as it was")
    assert (tmp_path / "as it was" / "games" / f"{DONE}.sqlite").read_bytes() == data


def test_a_record_under_the_name_of_another_game_is_refused(folder: Path, backup: Path, tmp_path: Path) -> None:
    change = add("games/ffff.sqlite", (folder / "games" / f"{DONE}.sqlite").read_bytes())
    with pytest.raises(ArchiveError, match=r"games/ffff\.sqlite in the backup was changed"):
        restored(rewritten(backup, change, tmp_path / "evil.zip"), tmp_path / "new")


@contextmanager
def member(name: str, target: Path, backup: Path) -> Iterator[tuple[zipfile.ZipFile, zipfile.ZipInfo]]:
    """A zip file with all members of a backup and one more, which the block writes."""
    shutil.copyfile(backup, target)
    with zipfile.ZipFile(target, "a") as archive:
        yield archive, zipfile.ZipInfo(name, (2027, 1, 1, 0, 0, 0))


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFDIR, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_links_and_devices_are_refused(backup: Path, tmp_path: Path, kind: int) -> None:
    with member("link", tmp_path / "evil.zip", backup) as (archive, info):
        info.external_attr = (kind | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(ArchiveError, match="something else than a plain file"):
        restored(tmp_path / "evil.zip", tmp_path / "new")


@pytest.mark.parametrize("way", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_is_compressed_is_refused_unread(backup: Path, tmp_path: Path, way: int) -> None:
    with member("bomb", tmp_path / "evil.zip", backup) as (archive, info):
        archive.writestr(info, bytes(10_000_000), way)
    assert (tmp_path / "evil.zip").stat().st_size < 2_000_000
    with pytest.raises(ArchiveError, match="compressed or encrypted"):
        restored(tmp_path / "evil.zip", tmp_path / "new")


def test_a_later_version_of_the_format_is_refused_in_words(backup: Path, tmp_path: Path) -> None:
    """Python's own reader gives up with an error that is no error of the file."""
    data = bytearray(backup.read_bytes())
    directory = data.rindex(b"PK\x01\x02")
    data[directory + 6 : directory + 8] = (99).to_bytes(2, "little")
    (tmp_path / "later.zip").write_bytes(data)
    with pytest.raises(ArchiveError, match=r"the backup is damaged: zip file version 9\.9"):
        restored(tmp_path / "later.zip", tmp_path / "new")


def test_the_same_bytes_under_many_names_are_refused(tmp_path: Path) -> None:
    """Members that overlap make much of little."""
    whole = tmp_path / "bomb.zip"
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("big", bytes(100_000))
        archive.writestr(LIST, "{}")
        first = archive.infolist()[0]
        for number in range(50):
            info = zipfile.ZipInfo(f"big{number}")
            for name in ("CRC", "compress_size", "file_size", "header_offset", "external_attr", "create_version"):
                setattr(info, name, getattr(first, name))
            archive.filelist.append(info)
            archive.NameToInfo[info.filename] = info
    with pytest.raises(ArchiveError, match="larger than the backup itself"):
        restored(whole, tmp_path / "new")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_twice_is_refused(backup: Path, tmp_path: Path) -> None:
    with member("keys.json", tmp_path / "evil.zip", backup) as (archive, info):
        archive.writestr(info, b"{}")
    with pytest.raises(ArchiveError, match="more than once"):
        restored(tmp_path / "evil.zip", tmp_path / "new")


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x03\x04", b"SQLite format 3\0" + bytes(200)])
def test_what_is_no_zip_is_refused(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "x.zip"
    file.write_bytes(data)
    with pytest.raises(ArchiveError, match="no backup"):
        restored(file, tmp_path / "new")


def test_another_zip_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("photo.jpg", b"")
    refused = viewmat("restore", tmp_path / "x.zip")
    assert refused.exit_code == 1 and "no backup of this program" in refused.stderr


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small backup that many tests damage."""
    folder = tmp_path_factory.mktemp("small")
    Seal.load_or_create(folder)
    played(folder / "games", DONE, seal=Seal.load_or_create(folder))
    write_backup(folder, None, folder / "all.zip.done")
    return folder / "all.zip.done"


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_spoilt_byte_is_noticed_or_changes_nothing(
    whole: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("spoilt")
    sound = bytearray(whole.read_bytes())
    # Half of them in the directory and the list at the end, which are short.
    place = data.draw(st.integers(0, len(sound) - 1) | st.integers(len(sound) - 1500, len(sound) - 1))
    sound[place] ^= data.draw(st.integers(1, 255))
    (folder / "x.zip").write_bytes(sound)
    try:
        restored(folder / "x.zip", folder / "new")
    except ArchiveError:
        assert not (folder / "new").exists() or list((folder / "new").iterdir()) == []
    else:
        found = state(folder / "new")
        assert found == {path: value for path, value in state(whole.parent).items() if path in found}
        assert found.keys() == {"seal.key", f"games/{DONE}.sqlite"}


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_cut_backup_is_refused(whole: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    folder = tmp_path_factory.mktemp("cut")
    sound = whole.read_bytes()
    (folder / "x.zip").write_bytes(sound[: data.draw(st.integers(0, len(sound) - 1))])
    with pytest.raises(ArchiveError):
        restored(folder / "x.zip", folder / "new")
    assert not (folder / "new").exists() or list((folder / "new").iterdir()) == []


@given(st.text(max_size=30) | st.from_regex(r"[a-z./\\ -]{1,20}", fullmatch=True))
def test_a_safe_path_stays_inside(path: str) -> None:
    if is_safe(path):
        joined = Path("/data") / path
        assert os.path.normpath(joined) == str(joined) and str(joined).startswith("/data/")
        assert not joined.name.startswith(".") and "\0" not in path


def test_a_disk_that_is_full_is_said_and_nothing_is_there(
    backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("firmware.restoring.os.fsync", full)
    with pytest.raises(ArchiveError, match="No space left on device"):
        restored(backup, tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []


def test_what_was_interrupted_is_finished_the_next_time(backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original, left = os.link, [3]

    def failing(source: Any, place: Any) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(5, "Input/output error")
        original(source, place)

    monkeypatch.setattr("firmware.restoring.os.link", failing)
    with pytest.raises(ArchiveError, match="restore once more"):
        restored(backup, tmp_path / "new")
    some = state(tmp_path / "new")
    assert len(some) == 3 and "seal.key" in some
    monkeypatch.undo()
    assert len(restored(backup, tmp_path / "new").of("same")) == 3
    assert set(state(tmp_path / "new")) == KEPT


def test_settings_on_another_disk_come_back_all_the_same(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "table.toml").write_text("game = 'steal'")
    write_backup(folder, tmp_path / "table.toml", tmp_path / "all.zip")
    original, elsewhere = os.link, tmp_path / "disk"
    elsewhere.mkdir()

    def link(source: Any, place: Any) -> None:
        if Path(source).parent != Path(place).parent and Path(place).parent == elsewhere:
            raise OSError(18, "Invalid cross-device link")
        original(source, place)

    monkeypatch.setattr("firmware.restoring.os.link", link)
    restored(tmp_path / "all.zip", tmp_path / "new", elsewhere / "table.toml")
    assert [path.name for path in elsewhere.iterdir()] == ["table.toml"]
    assert (elsewhere / "table.toml").read_text() == "game = 'steal'"
    (elsewhere / "table.toml").write_text("mine")
    with pytest.raises(ArchiveError, match=r"settings/table\.toml here and in the backup are not the same"):
        restored(tmp_path / "all.zip", tmp_path / "new", elsewhere / "table.toml")


def test_the_record_of_the_fixture_is_sound(folder: Path) -> None:
    assert read_walk(folder / "games" / f"{DONE}.sqlite").fault is None
