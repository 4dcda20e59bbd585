"""The table page at every size: nothing sticks out, and everything that can be tapped can be reached."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from flask import Flask
from playwright.sync_api import Browser, expect

from companion.inbox import Receipt
from companion.web import create_app
from companion.web.serve import Server
from tests.browser import HOST, PATIENCE_MS, browser, needs_chromium
from tests.companion.tables import FakeSitting
from tests.companion.web.layouts import CROWDED, faults

__all__ = ["browser"]
pytestmark = needs_chromium
Serving = Callable[[Flask], Server]


WORST = ("stolen", "broken", "loose", "stopped", "revealing", "five_won", "undo_across_the_end", "five_taps")
"""Those with the most to show."""

PHONE, TALL_PHONE, LYING_PHONE = (360, 640), (360, 740), (844, 390)
TABLET, UPRIGHT, LARGE, SMALL = (1280, 800), (800, 1280), (1366, 1024), (320, 568)


LETTERS = """(selector) => {
    const one = document.querySelector(selector);
    return parseFloat(getComputedStyle(one, one.dataset.face ? "::before" : null).fontSize);
}"""
CAPITAL = 0.71
"""Height of a capital letter as a part of the font's size."""
MILLIMETRES = 217 / 1280
"""Of one pixel of a tablet of 10.1 inches."""


@pytest.mark.parametrize("size", [TABLET, UPRIGHT])
def test_what_matters_is_readable_from_two_metres(
    browser: Browser, sitting: FakeSitting, serving: Serving, size: tuple[int, int]
) -> None:
    """Sharp eyes read letters of 2.9 millimetres at two metres; good light and eyes that are not the best want more."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    page = context.new_page()
    sitting.show(CROWDED["stolen"])
    page.goto(f"http://{HOST}:{serving(create_app(sitting)).port}/")
    heights = {
        name: page.evaluate(LETTERS, name) * CAPITAL * MILLIMETRES for name in ("h1", "h2", ".face b", ".stack b", ".to-end")
    }
    assert heights["h1"] > 6.5
    assert min(heights.values()) > 4, heights
    for name in ("#ending", ".happened"):
        assert page.evaluate(LETTERS, name) * CAPITAL * MILLIMETRES > 2.6, name
    for count in range(6, 10):  # rows as long as they can get in the final turns
        row = ("Td", "4c", "As", "7h", "Jc", "2s", "Qc", "3s", "8d")[:count]
        sitting.show(replace(CROWDED["final"], row=row))
        expect(page.locator("body")).to_have_attribute("data-version", str(sitting.shown.version))
        assert page.evaluate(LETTERS, ".face b") * CAPITAL * MILLIMETRES > 4, f"{count} cards"
        assert faults(page) == []
    for name, drawn in (("playing", True), ("revealing", False)):  # a card of the row is asked for only where there is a row
        sitting.show(replace(CROWDED[name], row=("Td", None)))
        expect(page.locator(".tap-row")).to_be_visible(visible=drawn)
        expect(page.locator(".tray")).to_be_visible(visible=drawn)
    context.close()


@pytest.mark.parametrize(
    ("looks", "language", "sizes", "names"),
    [
        ("", "en", (TABLET, TALL_PHONE), tuple(CROWDED)),
        ("", "de", (UPRIGHT, SMALL), WORST),
        pytest.param("", "de", (LARGE, LYING_PHONE), WORST, marks=pytest.mark.long),
        ("", "hu", (PHONE,), ("stolen", "broken", "undone")),
        ("words-pictures", "en", (PHONE,), ("stolen", "five_won", "undo_across_the_end", "five_taps")),
        pytest.param("words-pictures", "en", (TABLET, PHONE), WORST, marks=pytest.mark.long),
        pytest.param("facing-page", "hu", (TABLET, UPRIGHT), ("stolen", "loose", "five_taps"), marks=pytest.mark.long),
    ],
)
def test_everything_can_be_reached(
    browser: Browser, sitting: FakeSitting, serving: Serving, looks: str, language: str, sizes: tuple[tuple[int, int], ...],
    names: tuple[str, ...],
) -> None:  # fmt: skip
    server = serving(create_app(sitting, buttons=True, next_game=Receipt))
    found = []
    for size in sizes:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", locale=language)
        context.add_cookies([{"name": "viewmat-looks", "value": looks, "url": f"http://{HOST}:{server.port}/"}] if looks else [])
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"http://{HOST}:{server.port}/")
        for name in names:
            sitting.show(CROWDED[name])
            expect(page.locator("body")).to_have_attribute("data-version", str(sitting.shown.version))
            expect(page.locator("body[data-turning]")).to_have_count(0)
            found += [f"{name} at {size[0]} x {size[1]}: {fault}" for fault in faults(page)]
        context.close()
    assert found == []
