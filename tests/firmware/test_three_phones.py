"""A game of taps alone: a tablet and three phones, each in its own language, at a real server that is killed on the way."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import HOST, PATIENCE_MS, browser, needs_chromium
from tests.relay import Relay

__all__ = ["browser"]
pytestmark = needs_chromium

ROOT = Path(__file__).parent.parent.parent
NAMES = ("Ann", "Bob", "Cid")
LANGUAGES = {"Ann": "en", "Bob": "hu", "Cid": "de"}
HANDS = {"Ann": ("Ah", "Ad", "7c", "8c", "2s"), "Bob": ("Kh", "Kd", "Ks", "3c", "4d"), "Cid": ("Qh", "Jd", "9s", "6c", "5d")}
WON = {"Ann": "Bob wins!", "Bob": "Bob nyert!", "Cid": "Bob gewinnt!"}


class Server:
    """``viewmat run`` that can be killed and started again at the same address."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        seats = "".join(f'[[seat]]\nname = "{name}"\n' for name in NAMES)
        (folder / "table.toml").write_text(seats)
        self.port = 0
        self._ran = self._start()

    def _start(self) -> subprocess.Popen[str]:
        command = [
            sys.executable,
            "-m",
            "firmware",
            "run",
            "--config",
            str(self._folder / "table.toml"),
            "--port",
            str(self.port),
        ]
        surroundings = {**os.environ, "XDG_DATA_HOME": str(self._folder / "data")}
        ran = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=surroundings)
        assert ran.stdout is not None
        said = next(line for line in ran.stdout if "localhost" in line)
        found = re.search(r":(\d+)", said)
        assert found
        self.port = int(found[1])
        return ran

    def kill(self) -> None:
        self._ran.send_signal(signal.SIGKILL)
        self._end()

    def restart(self) -> None:
        self._ran = self._start()

    def stop(self) -> None:
        self._ran.terminate()
        assert self._end() == 0

    def _end(self) -> int:
        ended = self._ran.wait(timeout=20)
        assert self._ran.stdout is not None
        self._ran.stdout.close()
        return ended


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    started = Server(tmp_path)
    try:
        yield started
    finally:
        started.stop()


def opened(browser: Browser, language: str, size: tuple[int, int]) -> Page:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", has_touch=True, locale=language
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    return page


def link_for(tablet: Page, name: str) -> str:
    if tablet.locator(".menu").get_attribute("open") is None:
        tablet.locator(".menu summary").click()
    tablet.get_by_role("button", name=f"Link for {name}'s phone").click()
    expect(tablet.locator("#link")).to_be_visible()
    address = tablet.locator("#link .address").inner_text()
    tablet.locator("#link").get_by_role("button", name="Close").click()
    return address


def discard(phone: Page, seat: int) -> None:
    """Draw and lay the card on the row, by two taps after the big button."""
    phone.locator(f'[data-offers="{seat}"]').tap()
    phone.locator("#choose .choices button").first.tap()
    with phone.expect_response("**/act") as answer:
        phone.locator("#choose .choices button").last.tap()
    assert answer.value.ok, answer.value.text()


def enter(phone: Page, seat: int, hand: tuple[str, ...]) -> None:
    for slot, card in enumerate(hand, 1):
        phone.locator(f'[data-enter="{seat},{slot}"]').tap()
        phone.locator(f'#enter [data-rank="{card[0]}"]').tap()
        with phone.expect_response("**/enter") as answer:
            phone.locator(f'#enter [data-suit="{card[1]}"]').tap()
        assert answer.value.ok, answer.value.text()


def test_three_phones_and_a_tablet_play_a_game_of_taps(browser: Browser, server: Server) -> None:
    address = f"http://{HOST}:{server.port}/"
    tablet = opened(browser, "en", (1280, 800))
    tablet.goto(address)
    phones = {name: opened(browser, LANGUAGES[name], (360, 740)) for name in NAMES}
    wire = Relay(server.port)
    for name, phone in phones.items():
        link = link_for(tablet, name)
        phone.goto(link.replace(f":{server.port}/", f":{wire.port}/") if name == "Ann" else link)
        expect(phone.locator("html")).to_have_attribute("lang", LANGUAGES[name])
        expect(phone.locator("#whose")).to_contain_text(name)
    pages = {**phones, "tablet": tablet}
    for turn in range(7):
        seat = turn % 3
        name = NAMES[seat]
        if turn == 3:
            server.kill()
            expect(tablet.locator("#lost")).to_be_visible()
            server.restart()
        if turn == 5:
            wire.cut()
            expect(phones["Ann"].locator("#lost")).to_be_visible()
        discard(phones[name], seat)
        if turn == 5:
            wire.mend()
        for each in pages.values():
            # Every page is where the table is, whatever has happened to it.
            expect(each.locator(".row .face, .row .unknown")).to_have_count(turn + 1)
            expect(each.locator("#lost")).to_be_hidden()
            assert each.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for other, phone in phones.items():
            theirs = phone.locator("[data-offers]")
            expect(theirs).to_have_count(1 if turn < 6 and NAMES.index(other) == (turn + 1) % 3 else 0)
    for seat, name in enumerate(NAMES):
        for each in pages.values():
            expect(each.locator("h1")).not_to_contain_text("Bob")
        enter(phones[name], seat, HANDS[name])
    for name, phone in phones.items():
        expect(phone.locator("h1")).to_have_text(WON[name])
    expect(tablet.locator("h1")).to_have_text("Bob wins!")
    for each in pages.values():
        each.context.close()
    wire.close()
