"""The table page at every size: nothing sticks out, and everything that can be tapped can be reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from flask import Flask
from playwright.sync_api import Browser, expect

from companion.inbox import Receipt
from companion.views import MoveView, PlacementView, ProposalView, ResultView, StepView, View
from companion.web import create_app
from companion.web.serve import Server
from tests.browser import HOST, PATIENCE_MS, browser, needs_chromium
from tests.companion import tables
from tests.companion.tables import SITUATIONS, FakeSitting
from tests.companion.web.layouts import faults

__all__ = ["browser"]
pytestmark = needs_chromium
Serving = Callable[[Flask], Server]


def five_won() -> View:
    """The end at a table of five."""
    order = (0, 1, 2, 3, 4)
    seats = tuple(tables.opened(n, 5, tables.CATEGORIES[n]) for n in order)
    result = ResultView(order, (0,), tables.CATEGORIES, tables.HANDS, "category")
    return replace(tables.won(), seats=seats, result=result, undo=12)


def five_taps() -> View:
    """Everybody plays by tap, and there is a lot to say."""
    steps = (StepView(MoveView("steal", 2, 3, 0, 1), True), StepView(MoveView("draw", 1, 2), True))
    lines = tuple(PlacementView("return_card", place, False) for place in ((2, 3), (0, 1), (1, 2)))
    return replace(tables.final(), seats=tuple(tables.seat(n, "tap") for n in range(5)), steps=steps, awaiting=lines, undo=9)


CROWDED: Mapping[str, View] = {
    **SITUATIONS,
    "five_won": five_won(),
    "undo_across_the_end": replace(five_won(), proposal=ProposalView(3, "undo", (0, 1, 2, 3, 4), turns=1, reason="Miscounted.")),
    "five_taps": five_taps(),
}  # fmt: skip

WORST = ("stolen", "broken", "loose", "stopped", "revealing", "five_won", "undo_across_the_end", "five_taps")
"""Those with the most to show."""

PHONE, TALL_PHONE, LYING_PHONE = (360, 640), (360, 740), (844, 390)
TABLET, UPRIGHT, LARGE, SMALL = (1280, 800), (800, 1280), (1366, 1024), (320, 568)


@pytest.mark.parametrize(
    ("looks", "sizes", "names"),
    [
        ("", (TABLET, TALL_PHONE), tuple(CROWDED)),
        ("", (LARGE, UPRIGHT, LYING_PHONE, SMALL), WORST),
        ("words-pictures", (TABLET, UPRIGHT, PHONE), WORST),
        ("facing-page", (TABLET, UPRIGHT), ("stolen", "loose", "five_taps")),
    ],
)
def test_everything_can_be_reached(
    browser: Browser, sitting: FakeSitting, serving: Serving, looks: str, sizes: tuple[tuple[int, int], ...],
    names: tuple[str, ...],
) -> None:  # fmt: skip
    server = serving(create_app(sitting, buttons=True, next_game=Receipt))
    found = []
    for size in sizes:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
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
