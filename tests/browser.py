"""A real Chromium for tests of pages.  It reaches this machine under a host name that is not localhost."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

HOST = "viewmat.test"
"""Resolved by the browser alone.  Over plain HTTP it is no secure context, just as a tablet's page is not."""

CHROMIUM = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))), None)
"""The one without windows does the same with half of the work."""

ARGUMENTS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
PATIENCE_MS = 90_000
"""A busy machine may take long over a page; nothing is measured here."""
expect.set_options(timeout=PATIENCE_MS / 2)


_OPENED = ExitStack()
"""What is closed when the process that runs tests ends: see `tests/conftest.py`."""


@cache
def engine() -> Playwright:
    """The one driver of browsers in this process; a second one beside it would refuse to begin."""
    return _OPENED.enter_context(sync_playwright())


@cache
def chromium(*rules: str) -> Browser:
    """The browser of this process that resolves host names by these `rules`: to start one takes seconds of two cores."""
    arguments = [*ARGUMENTS, *(f"--host-resolver-rules={rule}" for rule in rules)]
    opened = engine().chromium.launch(executable_path=CHROMIUM, args=arguments)
    _OPENED.callback(opened.close)
    return opened


def close_browsers() -> None:
    """The process ends."""
    _OPENED.close()


@pytest.fixture(scope="module")
def browser() -> Browser:
    """The browser of this process.  Tests share nothing in it but its time: each opens contexts of its own, and closes them."""
    return chromium(f"MAP {HOST} 127.0.0.1")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in calm motion; the test fails when the page reports an error of its own."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("console", lambda line: faults.append(line.text) if _is_fault(line.type, line.text) else None)
    yield opened
    context.close()
    assert faults == []


def _is_fault(kind: str, text: str) -> bool:
    """Lost connections and refused requests are part of some tests; everything else that is an error is a fault."""
    return kind == "error" and "Failed to load resource" not in text and "ERR_" not in text
