"""Voice and tones of the page in a real Chromium, whose speech is replaced by one that writes down what it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect

from companion.views import MoveView, View
from companion.voice import captions, news, sounding, speech
from companion.web import create_app
from companion.web.serve import Server
from tests.browser import HOST, PATIENCE_MS, browser, needs_chromium
from tests.companion import tables
from tests.companion.tables import FakeSitting

__all__ = ["browser"]
pytestmark = needs_chromium
Serving = Callable[[Flask], Server]

MOUTH = """
window.spoken = [];
window.under = null;
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => [{ lang: "en-GB" }],
  addEventListener() {},
  speak(words) { window.spoken.push(`${words.lang}: ${words.text}`); window.under = words; },
  cancel() { if (window.under) window.spoken.push("cut"); window.under = null; },
} });
window.finish = () => { const words = window.under; window.under = null; words?.onend?.(); };
"""
"""A voice that speaks until it is told to have finished."""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.add_init_script(MOUTH)
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    yield opened
    context.close()


def spoken(page: Page, count: int) -> list[str]:
    """What was spoken and cut so far, once it is `count` things."""
    page.wait_for_function("count => window.spoken.length >= count", arg=count)
    found: list[str] = page.evaluate("window.spoken")
    return found


def visit(page: Page, server: Server, level: str | None = "Everything") -> None:
    page.goto(f"http://{HOST}:{server.port}/")
    expect(page.locator("body[data-version]")).to_be_attached()
    if level is not None:
        page.get_by_text("Table", exact=True).click()
        page.get_by_label(level).check()
        page.get_by_text("Table", exact=True).click()


def moved(number: int, seat: int, slot: int = 3) -> View:
    return replace(tables.playing(), undo=number, turn=number, current=(seat + 1) % 4, last=MoveView("draw", seat, slot))


def test_a_page_is_silent_until_somebody_wants_it_otherwise(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting)), None)
    sitting.show(tables.broken())
    expect(page.locator(".alert")).to_be_visible()
    assert page.evaluate("window.spoken") == []
    expect(page.locator("#caption")).to_be_hidden()
    expect(page.locator("#unlock")).to_be_hidden()


def test_what_is_wanted_is_said_and_only_while_it_is_true(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting)))
    assert spoken(page, 1) == ["en: Ben to play"], "the touch that wants a voice is answered by it"
    page.evaluate("finish()")
    sitting.show(moved(2, 1))
    assert spoken(page, 2)[1:] == ["en: Ben drew into slot 3; the old card went to the row."]
    # It was another slot: what is being said is cut, and the next thing is what is true.
    sitting.show(moved(2, 1, slot=4))
    assert spoken(page, 4)[2:] == ["cut", "en: Cleo to play"]
    page.evaluate("finish()")
    assert spoken(page, 5)[4:] == ["en: Ben drew into slot 4; the old card went to the row."]


def test_at_the_lower_level_moves_are_not_said(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting)), "Turns and rulings")
    page.evaluate("finish()")
    sitting.show(moved(2, 1))
    assert spoken(page, 2) == ["en: Ben to play", "en: Cleo to play"]


def test_a_sound_has_a_caption(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting)))
    sitting.show(tables.broken())
    expect(page.locator("#caption")).to_have_text("♪ Three short tones: something has to be put right.")
    expect(page.locator("#caption")).to_be_hidden()


def test_the_wish_is_kept_and_a_browser_that_was_not_touched_asks_for_it(
    page: Page, sitting: FakeSitting, serving: Serving
) -> None:
    server = serving(create_app(sitting))
    visit(page, server)
    page.get_by_text("Table", exact=True).click()
    page.get_by_label("Volume").fill("35")
    page.reload()
    expect(page.locator("body[data-version]")).to_be_attached()
    page.get_by_role("button", name="Tap here to hear the table").click()
    assert spoken(page, 1) == ["en: Ben to play"]
    assert page.evaluate("window.under.volume") == pytest.approx(0.35)
    expect(page.locator("#unlock")).to_be_hidden()
    assert page.get_by_label("Everything").is_checked()


def test_whoever_comes_back_is_told_what_is_new_and_nothing_else(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting)))
    page.evaluate("finish()")
    page.context.set_offline(True)
    sitting.show(moved(2, 1))
    sitting.show(moved(3, 2, slot=1))
    page.context.set_offline(False)
    said = [line.text for line in news(speech(tables.playing()), speech(moved(3, 2, slot=1)))]
    assert spoken(page, 2)[1] == f"en: {said[0]}"
    page.evaluate("finish()")
    assert spoken(page, 3)[2] == f"en: {said[1]}"


SEQUENCE = (
    tables.dealing(), tables.playing(), moved(1, 0), moved(2, 1), moved(2, 1, slot=5), moved(1, 0), moved(2, 1, slot=2),
    tables.broken(), tables.broken((True, True, False)), tables.playing(), tables.asked(), tables.final(), tables.stopped(),
    tables.undone(), tables.revealing(), tables.won(),
)  # fmt: skip


def test_the_page_finds_the_same_things_new_as_the_table_does(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting)), None)
    for before, now in pairwise(SEQUENCE):
        expected = [[line.topic.value, line.text] for line in news(speech(before), speech(now))]
        told = [
            {"moves": each.moves, "lines": [{"topic": line.topic.value, "text": line.text} for line in each.lines]}
            for each in (speech(before), speech(now))
        ]
        found = page.evaluate(
            "([a, b]) => import('/static/speech.js').then((m) => m.news(a, b).map((line) => [line.topic, line.text]))", told
        )
        assert found == expected


def test_the_page_knows_every_sound(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting)), None)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.mouse.click(5, 5)
    for name, text in captions().items():
        page.evaluate("name => import('/static/tones.js').then((m) => { m.wake(); m.sound(name, 0.5); })", name)
        expect(page.locator("#caption")).to_have_text(f"♪ {text}")
    assert faults == []
    assert sounding(tables.broken())[0] in captions()
