"""Backups through the page, without a page."""

from __future__ import annotations

import os
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.errors import ArchiveError
from companion.seal import Seal
from firmware.archive import Archive
from firmware.backup import LIST, STAGING
from firmware.exchange import UPLOAD, Exchange
from tests.companion.finished import STOLEN, played

DONE, OPEN = "aaaa000000000001", "aaaa000000000002"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    seal = Seal.load_or_create(data)
    played(data / "games", DONE, seal=seal)
    played(data / "games", OPEN, moves=STOLEN[:3], finished=False, seal=seal)
    return data


def bring(exchange: Exchange, data: bytes, size: int = 7000) -> None:
    for at in range(0, len(data), size):
        exchange.piece(at, data[at : at + size])


def test_out_and_in_again(folder: Path, tmp_path: Path) -> None:
    with Exchange(folder).backup() as file:
        data = file.read()
    assert not list(folder.glob(f"{STAGING}*"))
    other = tmp_path / "other"
    exchange = Exchange(other)
    bring(exchange, data)
    looked = exchange.restore(False, False)
    assert (looked.done, looked.games, looked.new, looked.differs) == (False, 1, 1, ())
    assert set(looked.left_out) == {"seal.key", f"games/{OPEN}.sqlite"}
    assert not (other / "games").exists()
    assert exchange.restore(True, False).done
    assert [game.game for game in Archive(other).shelf().games] == [DONE]
    assert [path.name for path in other.iterdir() if path.name.startswith(".")] == []
    with pytest.raises(ArchiveError, match="no backup has come in"):
        exchange.restore(True, False)


def test_the_same_folder_at_the_same_time_gives_the_same_bytes(folder: Path) -> None:
    made = []
    for _ in range(2):
        with Exchange(folder, now=lambda: datetime(2027, 3, 1, tzinfo=UTC)).backup() as file:
            made.append(file.read())
    assert made[0] == made[1]


def test_the_settings_go_out_and_are_left_alone_when_they_come_in(folder: Path, tmp_path: Path) -> None:
    toml = tmp_path / "table.toml"
    toml.write_text("game = 'steal'\n")
    with Exchange(folder, toml).backup() as file:
        data = file.read()
        with zipfile.ZipFile(file) as archive:
            assert archive.namelist() == [f"games/{DONE}.sqlite", "settings/table.toml", LIST]
    exchange = Exchange(tmp_path / "other", tmp_path / "mine.toml")
    bring(exchange, data)
    assert exchange.restore(True, False).kept == ("settings/table.toml",)
    assert not (tmp_path / "mine.toml").exists() and not (tmp_path / "other" / "settings").exists()


def test_pieces_come_in_their_order_or_begin_anew(folder: Path) -> None:
    exchange = Exchange(folder)
    exchange.piece(0, b"abc")
    for at in (2, 4, 10**9):
        with pytest.raises(ArchiveError):
            exchange.piece(at, b"x")
    exchange.piece(3, b"d")
    assert (folder / UPLOAD).read_bytes() == b"abcd" and os.stat(folder / UPLOAD).st_mode & 0o077 == 0
    exchange.piece(0, b"z")
    assert (folder / UPLOAD).read_bytes() == b"z"
    with pytest.raises(ArchiveError, match="no backup"):
        exchange.restore(True, False)


def test_a_link_in_the_way_of_what_comes_in_is_not_followed(folder: Path, tmp_path: Path) -> None:
    (folder / UPLOAD).symlink_to(tmp_path / "elsewhere")
    exchange = Exchange(folder)
    with pytest.raises(ArchiveError):
        exchange.piece(3, b"x")
    exchange.piece(0, b"x")
    assert not (tmp_path / "elsewhere").exists()


def test_the_room_of_the_record_is_left_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exchange = Exchange(folder)
    monkeypatch.setattr("firmware.backup.os.statvfs", lambda path: SimpleNamespace(f_bavail=64 * 2**20 + 9, f_frsize=1))
    exchange.piece(0, b"abcd")
    with pytest.raises(ArchiveError, match=r"not enough room on the disk: 65 MB"):
        exchange.piece(4, b"efgh")
    with pytest.raises(ArchiveError, match="not enough room"):
        exchange.backup()


def test_one_at_a_time(folder: Path) -> None:
    exchange = Exchange(folder)
    with exchange._lock:
        for deed in (exchange.backup, lambda: exchange.piece(0, b""), lambda: exchange.restore(False, False)):
            with pytest.raises(ArchiveError, match="already"):
                deed()
    exchange.piece(0, b"x")
