"""A real Chromium for tests of pages.  It reaches this machine under a host name that is not localhost."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

HOST = "viewmat.test"
"""Resolved by the browser alone.  Over plain HTTP it is no secure context, just as a tablet's page is not."""

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

ARGUMENTS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
PATIENCE_MS = 90_000
"""A busy machine may take long over a page; nothing is measured here."""
expect.set_options(timeout=PATIENCE_MS / 2)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for the tests of a module."""
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=CHROMIUM, args=[*ARGUMENTS, f"--host-resolver-rules=MAP {HOST} 127.0.0.1"]
        )
        yield opened
        opened.close()


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
