"""A data folder with everything that there can be, its backup, and how they are restored, for tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.seal import Seal
from firmware.backup import write_backup
from firmware.cli import main
from firmware.restoring import Plan, examined
from tests.companion.finished import STOLEN, played

DONE, OPEN = "aaaa000000000001", "aaaa000000000002"


def filled(folder: Path) -> Path:
    """A data folder with everything that there can be."""
    seal = Seal.load_or_create(folder)
    games = folder / "games"
    played(games, DONE, ("Ann", "Ben", "Cat"), seal=seal)
    played(games, OPEN, ("Ann", "Ben", "Cat"), STOLEN[:3], finished=False, seal=seal)
    (games / f"{DONE}.pictures").write_bytes(os.urandom(300))
    (games / f"{OPEN}.pictures").write_bytes(os.urandom(200))
    (games / f"{OPEN}.sqlite.lock").write_text("1")
    (games / "current").write_text(f"{OPEN}\n")
    (folder / "decks" / "old one").mkdir(parents=True)
    (folder / "decks" / "old one" / "profile.toml").write_text("form = 1\n")
    (folder / "keys.json").write_text("{}")
    (folder / "keys.lock").write_text("")
    (folder / "cache").mkdir()
    (folder / "cache" / f"{DONE}.json").write_text("{}")
    (folder / "demo" / "games").mkdir(parents=True)
    (folder / "demo" / "games" / "dddd.sqlite").write_text("")
    (folder / "table.toml").write_text("")
    (folder / "table.toml").rename(folder.parent / "table.toml")
    return folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    return filled(tmp_path / "data" / "viewmat")


KEPT = {
    "seal.key", "keys.json", "decks/old one/profile.toml", "games/current", f"games/{DONE}.sqlite", f"games/{DONE}.pictures",
    f"games/{OPEN}.sqlite", f"games/{OPEN}.pictures",
}  # fmt: skip


def state(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def restored(file: Path, folder: Path, settings: Path | None = None, keep: bool = False) -> Plan:
    with examined(file, folder, settings) as restoring:
        return restoring.write(keep)


def viewmat(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)))


@pytest.fixture
def backup(folder: Path, tmp_path: Path) -> Path:
    write_backup(folder, None, tmp_path / "all.zip")
    return tmp_path / "all.zip"
