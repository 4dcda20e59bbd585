"""The settings page of a real table in a browser: from three mistakes to the game, on one port."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import HOST, browser, needs_chromium, page

__all__ = ["browser", "page"]
ROOT = Path(__file__).parents[2]
SEATS = "".join(f'[[seat]]\nname = "{name}"\n' for name in ("Ann", "Bob", "Cid"))


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "table.toml"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    path.write_text(f"{SEATS}sauce = 3\n[page]\nhost = '127.0.0.1'\nport = {port}\nhttps_port = 0\n")
    return path


@pytest.fixture
def address(config: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "firmware", "run", "--config", str(config)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as ran:
        try:
            assert ran.stdout is not None
            while not (found := re.search(r"http://127\.0\.0\.1:(\d+)/", line := ran.stdout.readline())):
                assert line, "it ended without an address"
            yield f"http://{HOST}:{found[1]}/"
        finally:
            ran.terminate()
            assert ran.wait(timeout=30) == 0


@needs_chromium
def test_from_a_mistake_to_the_game(address: str, page: Page, config: Path) -> None:
    before = config.read_text()
    page.goto(address)
    expect(page.locator("h1")).to_have_text("The settings file")
    expect(page.locator("#faults li")).to_have_text(
        "Line 7 seat 3.sauce There is no such key. Allowed: name, source, place."
    )  # fmt: skip
    page.locator("#faults li").click()
    assert page.evaluate("getSelection().toString() || text.value.slice(text.selectionStart, text.selectionEnd)") == "sauce = 3"
    page.keyboard.type('source = "cat"')
    page.locator("#save").click()
    expect(page.locator("#faults li")).to_contain_text("seat 3.source")
    assert config.read_text() == before
    page.locator("#text").fill(before.replace("sauce = 3", 'source = "bot"'))
    page.locator("#check").click()
    expect(page.locator("#faults")).to_have_text("Nothing is wrong with it any more.")
    page.locator("#save").click()
    expect(page.locator("#seat-2 h2")).to_have_text("Cid", timeout=30_000)
    assert config.read_text() == before.replace("sauce = 3", 'source = "bot"')
    assert config.with_name("table.toml.old1").read_text() == before
