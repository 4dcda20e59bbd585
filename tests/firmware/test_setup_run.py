"""`viewmat run` in an empty folder, as somebody meets it who has just installed it: wizard, a game by taps, the rematch."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, expect

from firmware.cli import main
from tests.browser import HOST, browser, needs_chromium, page
from tests.firmware.test_run import HANDS

__all__ = ["browser", "page"]
ROOT = Path(__file__).parents[2]


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where the page of a table is that nobody has set up."""
    command = [sys.executable, "-m", "firmware", "run", "--port", "0"]
    surroundings = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data"), "PYTHONUNBUFFERED": "1"}
    surroundings["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, env=surroundings) as ran:
        try:
            assert ran.stdout is not None
            said = [ran.stdout.readline()]
            while said[-1] and "localhost" not in said[-1]:
                said.append(ran.stdout.readline())
            assert said[0] == "Nobody has set up this table yet: its page asks for everything that it needs.\n"
            found = re.search(r"localhost:(\d+)", said[-1])
            assert found, said
            yield f"http://{HOST}:{found[1]}/"
        finally:
            ran.terminate()
            assert ran.wait(timeout=30) == 0


def discard(page: Page, seat: int, row: int) -> None:
    """By taps: draw, and lay the card on the row."""
    page.locator(f'[data-offers="{seat}"]').click()
    page.locator("#choose").get_by_role("button", name="Draw from the pile").click()
    page.locator("#choose").get_by_role("button", name="Lay it on the row").click()
    expect(page.locator("#row .holds-unread")).to_have_count(row)


def enter(page: Page, seat: int, slot: int, card: str) -> None:
    page.locator(f'[data-enter="{seat},{slot}"]').click()
    page.locator(f'#enter [data-rank="{card[0]}"]').click()
    page.locator(f'#enter [data-suit="{card[1]}"]').click()
    expect(page.locator(f'[data-slot="{seat}-{slot}"] .face')).to_be_visible()


@needs_chromium
def test_from_the_wizard_to_the_rematch_and_on_to_another_table(
    address: str, page: Page, browser: Browser, tmp_path: Path
) -> None:
    page.goto(address)
    assert page.evaluate("isSecureContext") is False
    page.locator("#language-en").click()
    page.locator("#game-steal").click()
    page.locator("#preset-home").click()
    for name in ("Ann", "Bob", "Cid"):
        page.locator("#name").fill(name)
        page.locator("#add").click()
        expect(page.locator(f'input[value="{name}"]')).to_be_visible()
    assert not (tmp_path / "table.toml").exists(), "a wizard that was left half-way has changed nothing"
    page.locator("#to-ready").click()
    expect(page.locator(".lead")).to_contain_text("kept in the settings file table.toml")
    page.locator("#begin").click()
    expect(page.locator("#seat-2 h2")).to_have_text("Cid")
    written = tomllib.loads((tmp_path / "table.toml").read_text())
    assert [seat["name"] for seat in written["seat"]] == ["Ann", "Bob", "Cid"] and written["access"] == {"preset": "home"}
    for turn in range(7):
        discard(page, turn % 3, turn + 1)
    for seat, hand in enumerate(HANDS):
        for slot, card in enumerate(hand, 1):
            enter(page, seat, slot, card)
    expect(page.locator("h1")).to_have_text("Bob wins!")
    page.get_by_role("button", name="Same again").click()
    expect(page.locator("#row .holds-free")).to_have_count(5)
    discard(page, 1, 1)
    phones = [joined(page, browser, address, seat) for seat in (1, 2)]
    page.goto(address + "setup")
    page.goto(page.url.replace("language", "seats"))
    page.locator("#name-2").fill("Dora")
    page.locator("#name-2").press("Tab")
    page.locator("#person-0").click()
    expect(page.locator("#name-3")).to_have_value("Cid")
    page.locator("#out-Cid").click()
    expect(page.locator("#person-0")).to_have_text("Cid")
    page.locator("#to-ready").click()
    page.locator("#begin").click()
    expect(page.locator(".problem")).to_contain_text("A game is being played.")
    page.locator("#begin").click()
    expect(page.locator("#seat-2 h2")).to_have_text("Dora")
    expect(page.locator("#row .holds-free")).to_have_count(5)
    expect(phones[0].locator("#whose")).to_have_text("This phone is Bob's.")
    expect(phones[1].locator("#whose")).to_contain_text("This screen was signed off.")
    written = tomllib.loads((tmp_path / "table.toml").read_text())
    assert [seat["name"] for seat in written["seat"]] == ["Ann", "Bob", "Dora"]
    for phone in phones:
        phone.context.close()


def joined(page: Page, browser: Browser, address: str, seat: int) -> Page:
    """The phone of a seat, which has scanned the link that the table's screen shows."""
    page.locator(".menu summary").click()
    page.locator(f'[data-link="{seat}"]').click()
    expect(page.locator("#link .address")).to_contain_text("#")
    token = page.locator("#link .address").inner_text().split("#")[1]
    page.locator("#link").get_by_role("button", name="Close").click()
    phone = browser.new_context(viewport={"width": 360, "height": 740}).new_page()
    phone.goto(f"{address}join#{token}")
    expect(phone.locator("#whose")).to_contain_text("This phone is")
    return phone


def test_a_settings_file_that_was_named_and_is_missing_stays_an_error(tmp_path: Path) -> None:
    ran = CliRunner().invoke(main, ["run", "--config", str(tmp_path / "table.toml"), "--port", "0"])
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "table.toml: cannot be read: No such file or directory" in ran.stderr
