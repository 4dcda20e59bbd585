"""The album holds every page of the program, and the documents' pictures are those that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from flask import Flask

from companion.views import Role
from companion.web import create_app
from companion.web.gate import roles_of
from firmware.cli import main
from tests.album import pictures
from tests.album.leaves import LEAVES, NO_PAGES
from tests.album.small import small_png
from tests.companion.web.visitors import client_of

ROOT = Path(__file__).parent.parent
TABLE = "".join(f'[[seat]]\nname = "{name}"\n' for name in ("Ann", "Bob", "Cid"))


class MadeError(Exception):
    """The application that a command has made; the command goes no further."""

    def __init__(self, app: Flask) -> None:
        super().__init__("made")
        self.app = app


@pytest.fixture(params=["run", "demo"])
def app(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Flask:
    """What `viewmat run` and `viewmat demo` really serve."""

    def made(*args: Any, **more: Any) -> NoReturn:
        raise MadeError(create_app(*args, **more))

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(f"firmware.commands.{request.param}.create_app", made)
    (tmp_path / "table.toml").write_text(TABLE)
    options = {"run": ["--config", str(tmp_path / "table.toml")], "demo": ["--no-record"]}[request.param]
    ended = CliRunner().invoke(main, [request.param, *options])
    assert isinstance(ended.exception, MadeError), ended.output
    return ended.exception.app


def pages_of(app: Flask) -> Iterator[str]:
    """Routes that show a page to somebody, and those that may: only people know what to put in, or when they answer."""
    clients = {role: client_of(app, role, 1 if role is Role.SEAT else None) for role in Role}
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.rule == "/events" or re.search(r"\.\w+$", rule.rule):
            continue
        address = re.sub(r"<int:\w+>", "1", rule.rule)
        if "<" in address:
            yield rule.rule
            continue
        visitors = [clients[role] for role in Role if role in (roles_of(app, rule.endpoint) or ())] + [clients[Role.TABLE]]
        answers = [visitor.get(address, headers={"Accept": "text/html"}) for visitor in visitors]
        told = [answer for answer in answers if answer.status_code == 200]
        if not told or any(answer.mimetype == "text/html" for answer in told):
            yield rule.rule
        for answer in answers:
            answer.close()


def test_every_page_is_in_the_album(app: Flask) -> None:
    known = {leaf.rule for leaf in LEAVES} | NO_PAGES
    missing = set(pages_of(app)) - known
    assert missing == set(), "a new page needs a line in tests/album/leaves.py, and its blueprint in tests/album/stages.py"


def test_a_page_that_is_not_in_the_album_is_noticed(app: Flask) -> None:
    found = set(pages_of(app))
    assert {
        "/",
        "/rules",
        "/disputes",
        "/history",
        "/history/<game>",
        "/health",
        "/photo",
        "/join",
        "/install",
        "/story",
    } <= found
    assert not found & {"/state.json", "/health/bundle.zip", "/app.webmanifest", "/history.csv", "/noted"}


def test_every_leaf_has_a_name_of_its_own_and_every_page_a_picture() -> None:
    names = [leaf.name for leaf in LEAVES]
    assert len(names) == len(set(names))
    assert len(pictures.names()) == len(set(pictures.names()))
    assert {leaf.rule for leaf in LEAVES} == {leaf.rule for leaf in LEAVES if leaf.sizes}
    for rule in {leaf.rule for leaf in LEAVES}:
        sizes = {size.removesuffix("-dark") for leaf in LEAVES if leaf.rule == rule for size in leaf.sizes}
        assert sizes <= set(pictures.SIZES)


def test_the_folder_holds_what_the_album_names() -> None:
    kept = {file.name for file in pictures.FOLDER.glob("*.png")}
    assert kept == set(pictures.names()), "./run pictures brings them up to date"


def test_the_pictures_are_small() -> None:
    sizes = {file.name: file.stat().st_size for file in pictures.FOLDER.iterdir()}
    assert [name for name, size in sizes.items() if name.endswith(".png") and size > 150_000] == []
    assert sum(sizes.values()) < 4_000_000


def test_the_documents_show_pictures_that_there_are() -> None:
    shown = [
        (file.relative_to(ROOT), path)
        for file in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"))
        for path in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", file.read_text(encoding="utf-8"))
        if not (file.parent / path).is_file()
    ]
    assert shown == []


def test_pictures_of_pages_that_are_gone_are_deleted(tmp_path: Path) -> None:
    kept, gone, camera = (tmp_path / name for name in (pictures.names()[0], "old-tablet.png", "mat-frame.jpg"))
    for file in (kept, gone, camera):
        file.write_bytes(b"")
    assert pictures.prune(tmp_path) == [gone]
    assert sorted(tmp_path.iterdir()) == sorted([kept, camera])


def test_a_picture_becomes_small_and_stays_what_it_is() -> None:
    slope = np.linspace(0, 255, 400, dtype=np.float32)
    picture = np.stack((np.tile(slope, (300, 1)), np.tile(slope[::-1], (300, 1)), np.full((300, 400), 90, np.float32)), 2)
    picture[:40, :40] = (10, 200, 30)
    data = cv2.imencode(".png", picture.astype(np.uint8))[1].tobytes()
    small = small_png(data, 64)
    again = cv2.imdecode(np.frombuffer(small, np.uint8), cv2.IMREAD_COLOR)
    assert again is not None and again.shape == picture.shape
    assert len(np.unique(again.reshape(-1, 3), axis=0)) <= 64
    assert np.abs(again.astype(np.float32) - picture).mean() < 4
    assert tuple(again[5, 5]) == (10, 200, 30), "what is flat stays exactly as it is"
    assert small_png(data, 64) == small, "the same every time"
    with pytest.raises(ValueError, match="no picture can be read from 3 bytes"):
        small_png(b"abc")


def test_few_colours_stay_all_of_them() -> None:
    picture = np.zeros((20, 30, 3), np.uint8)
    picture[3:9, 4:20] = (1, 2, 3)
    small = small_png(cv2.imencode(".png", picture)[1].tobytes())
    assert np.array_equal(cv2.imdecode(np.frombuffer(small, np.uint8), cv2.IMREAD_COLOR), picture)
