"""`viewmat demo`, as somebody sees it who opens the printed address on a tablet."""

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

from firmware.cli import main
from tests.browser import HOST, browser, needs_chromium, page

__all__ = ["browser", "page"]
ROOT = Path(__file__).parents[2]
GAME = ("--seats", "3", "--seed", "10", "--cheat", "0", "--habits", "0")
"""A short game."""


@pytest.fixture
def address():
    """The port of a running demo that plays one game as fast as it can."""
    command = [sys.executable, "-m", "firmware", "demo", "--port", "0", "--speed", "50", "--pause", "3600", *GAME]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment) as demo:
        for line in demo.stdout:
            found = re.fullmatch(r"The table is at http://localhost:(\d+)/\s*", line)
            if found:
                break
        yield int(found[1])
        demo.send_signal(signal.SIGTERM)
        assert demo.wait(30) == 0


@needs_chromium
def test_a_game_is_followed_in_the_browser_to_the_winner(address: int, page: Page) -> None:
    # The table plays as fast as the machine can, so everything else of the page may take its time to come.
    page.goto(f"http://{HOST}:{address}/", wait_until="commit")
    expect(page.locator("#seat-2 .mat")).to_be_visible()
    # A whole game is rendered and read meanwhile, on a machine that may have other things to do.
    expect(page.locator("h1")).to_contain_text("wins", timeout=240_000)
    expect(page.locator("#seat-0 .face")).to_have_count(5)
    expect(page.locator(".won")).to_contain_text("wins with")
    expect(page.locator(".alert")).to_have_count(0)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--game", "draw", "--hard-mode"), "draw has no hard mode: cards may be looked at in it"),
        (("--game", "stud", "--play"), "nobody moves the cards of stud by hand yet: use --no-autoplay"),
        (("--game", "steal", "--seats", "2"), "2 is not in the range 3<=x<=5"),
        (("--game", "patience"), "no game is called 'patience'"),
        (("--game", "draw", "--option", "limit=much"), "limit"),
    ],
)
def test_what_a_game_has_not_is_refused_before_anything_begins(given: tuple[str, ...], said: str) -> None:
    refused = CliRunner().invoke(main, ["demo", "--port", "0", *given])
    assert refused.exit_code in (1, 2) and said in refused.stderr


@pytest.fixture
def invitation():
    """Port and path of the link of a demo that somebody plays himself."""
    command = [sys.executable, "-m", "firmware", "demo", "--play", "--port", "0", "--speed", "3", "--seats", "3"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment) as demo:
        for line in demo.stdout:
            found = re.fullmatch(r"Play here \(opens once, within ten minutes\): http://[^/]+:(\d+)(/join#\S+)\s*", line)
            if found:
                break
        yield found[1], found[2]
        demo.send_signal(signal.SIGTERM)
        assert demo.wait(60) == 0


@pytest.mark.long
@needs_chromium
def test_somebody_plays_a_whole_game_through_the_cameras(invitation: tuple[str, str], page: Page) -> None:
    """He only draws; the table sees every card as it is drawn, and names the winner."""
    page.set_default_timeout(240_000)
    page.goto(f"http://{HOST}:{invitation[0]}{invitation[1]}")
    page.get_by_role("button", name="I just want to play").click()
    page.get_by_role("button", name="Deal for me").click()
    page.locator("body.my-turn, body[data-mood=reveal]").first.wait_for()
    while page.locator("body.my-turn").count():
        page.locator("[data-spot=pile]").click()
        page.locator("[data-spot=row-5]").click()
        page.locator("body:not(.my-turn)").wait_for()
        page.locator("body.my-turn, body[data-mood=reveal]").first.wait_for()
    page.get_by_role("button", name="Turn my cards over").click()
    expect(page.locator("h1")).to_contain_text("wins", timeout=240_000)
    expect(page.locator(".felt .slots .face")).to_have_count(15)
    expect(page.locator(".note.alert")).to_have_count(0)


def test_a_port_that_is_taken_is_said():
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "firmware", "demo", "--port", str(port), *GAME]
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 1
    assert f"port {port} of 0.0.0.0 cannot be had" in ended.stderr
    assert "choose another with --port" in ended.stderr
