"""History in a real Chromium over a real data folder: looking, deleting a player's data, a backup out and in again."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.seal import KEY_FILE, Seal
from companion.web import create_app
from companion.web.history import history_pages
from companion.web.serve import Server
from firmware.archive import Archive
from firmware.exchange import Exchange
from tests.browser import HOST, browser, needs_chromium, page
from tests.companion.finished import BEGAN, STOLEN, played
from tests.companion.tables import FakeSitting
from tests.companion.web.conftest import served

__all__ = ["browser", "page"]
pytestmark = needs_chromium
FIRST, SECOND, OPEN = "aaaa000000000001", "aaaa000000000002", "aaaa000000000004"
Opening = Callable[[Path], str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    seal = Seal.load_or_create(data)
    played(data / "games", FIRST, ("Ann", "Ben", "Cat"), seal=seal)
    played(data / "games", SECOND, ("Dan", "Ann", "Ben"), first=3, seal=seal, began=BEGAN + timedelta(days=1))
    played(data / "games", OPEN, ("Ann", "Ben", "Cat"), STOLEN[:3], finished=False, seal=seal)
    return data


@pytest.fixture
def opening() -> Iterator[Opening]:
    """Serves the history of a data folder; the address of its page."""
    with ExitStack() as stack:

        def serve(data: Path) -> str:
            app = create_app(FakeSitting(), [history_pages(Archive(data), Exchange(data))])
            server: Server = stack.enter_context(served(app))
            return f"http://{HOST}:{server.port}"

        yield serve


def test_from_the_table_to_a_game_and_a_player(page: Page, folder: Path, opening: Opening) -> None:
    page.goto(opening(folder))
    page.locator(".menu summary").click()
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", name="Players")).to_be_visible()
    expect(page.locator(".plot .line")).to_have_count(4)
    page.locator(".games a").first.click()
    expect(page.locator("h1")).to_contain_text("wins")
    expect(page.locator(".hands .card")).to_have_count(15)
    expect(page.locator(".moves li")).to_have_count(len(STOLEN))
    page.get_by_role("link", name="Ann", exact=True).click()
    expect(page.locator("h1")).to_have_text("Ann")
    expect(page.locator(".plot .trough")).to_have_count(2)


def test_deleting_asks_twice_and_leaves_the_others_their_results(page: Page, folder: Path, opening: Opening) -> None:
    page.goto(f"{opening(folder)}/history/player/Cat")
    danger = page.locator(".danger")
    expect(danger).to_contain_text("The records of 2 games in which Cat sat are deleted")
    expect(page.locator(".sure")).to_be_hidden()
    page.get_by_role("button", name="Delete now").press("Enter")
    assert Archive(folder).deletion("Cat").games == (FIRST, OPEN), "not yet"
    expect(page.locator(".sure")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 games were deleted.")).to_be_visible()
    page.wait_for_url("**/history")
    expect(page.get_by_role("link", name="Cat")).to_have_count(0)
    expect(page.locator(".games")).to_contain_text(["Dan, Ann, Ben", "Ann, Ben, somebody"])


def test_a_backup_goes_out_and_comes_in_at_another_table(
    page: Page, folder: Path, opening: Opening, tmp_path: Path
) -> None:
    page.goto(f"{opening(folder)}/history")
    with page.expect_download() as started:
        page.get_by_role("link", name="Take a backup").click()
    file = tmp_path / "backup.zip"
    started.value.save_as(file)
    other = tmp_path / "other"
    page.goto(f"{opening(other)}/history")
    expect(page.get_by_text("No game has been played to its end yet.")).to_be_visible()
    page.get_by_label("The file of the backup").set_input_files(file)
    page.get_by_role("button", name="Look what is in it").click()
    expect(page.locator(".plan")).to_contain_text("The backup is sound. New here: 2 games; files in all: 2.")
    assert Archive(other).shelf().games == ()
    page.get_by_role("button", name="Restore it").click()
    expect(page.locator(".plan")).to_contain_text("Restored: 2 games; files in all: 2.")
    assert [game.game for game in Archive(other).shelf().games] == [SECOND, FIRST]
    assert not (other / KEY_FILE).exists()
    page.reload()
    expect(page.get_by_role("heading", name="Players")).to_be_visible()


def test_a_backup_that_is_none_is_refused_in_words_and_a_difference_has_to_be_ticked(
    page: Page, folder: Path, opening: Opening, tmp_path: Path
) -> None:
    address, other, file = opening(folder), tmp_path / "other", tmp_path / "backup.zip"
    page.goto(f"{address}/history")
    file.write_bytes(b"x" * 120_000)
    page.get_by_label("The file of the backup").set_input_files(file)
    page.get_by_role("button", name="Look what is in it").click()
    expect(page.locator("#refused")).to_contain_text("this is no backup")
    expect(page.get_by_role("button", name="Restore it")).to_be_hidden()
    with page.expect_download() as started:
        page.get_by_role("link", name="Take a backup").click()
    started.value.save_as(file)
    shutil.copytree(folder, other)
    (other / "games" / f"{FIRST}.sqlite").unlink()
    (other / "games" / f"{SECOND}.sqlite").unlink()
    mine = played(other / "games", FIRST, ("Zoe", "Ben", "Cat"), seal=Seal.load_or_create(other)).read_bytes()
    page.goto(f"{opening(other)}/history")
    page.get_by_label("The file of the backup").set_input_files(file)
    page.get_by_role("button", name="Look what is in it").click()
    restore = page.get_by_role("button", name="Restore it")
    expect(restore).to_be_disabled()
    page.get_by_label("Leave everything that is different here as it is here").check()
    restore.click()
    expect(page.locator(".plan")).to_contain_text("Restored: 1 game; ")
    assert (other / "games" / f"{FIRST}.sqlite").read_bytes() == mine
    assert {game.names[0] for game in Archive(other).shelf().games} == {"Zoe", "Dan"}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [(360, 740), (768, 1024), (1366, 1024)])
def test_every_page_fits_its_screen(
    browser: Browser, folder: Path, opening: Opening, theme: str, size: tuple[int, int]
) -> None:
    long = "Maximiliane-Antonia von und zu Hohenstein"[:40]
    played(folder / "games", "aaaa000000000007", (long, "Ben", "W" * 40), first=9, seal=Seal.load_or_create(folder))
    address = opening(folder)
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if theme == "dark" else "light"
    )
    opened = context.new_page()
    for path in ("/history", f"/history/{FIRST}", "/history/player/Ann", f"/history/player/{'W' * 40}"):
        opened.goto(address + path)
        over = opened.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, (path, over)
        colours = opened.evaluate("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")
        assert len(set(colours)) == 2
    context.close()
