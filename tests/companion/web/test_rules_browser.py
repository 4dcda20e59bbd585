"""The rules in a real Chromium: from a violation to its paragraph, on every screen, and without JavaScript."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect

from companion.games import find_game
from companion.web import create_app
from companion.web.serve import Server
from tests.browser import HOST, browser, needs_chromium, page
from tests.companion import tables
from tests.companion.tables import FakeSitting

__all__ = ["browser", "page"]
pytestmark = needs_chromium
Serving = Callable[[Flask], Server]
STEAL = find_game("steal")
STRICT = STEAL.rulebook(4, STEAL.options({"hard_mode": True, "allow_pass": True, "penalty": "lose_turn", "max_turns": 40}))
LIGHT = (255, 233, 168)
"""The ground of the paragraph that a link has led to."""
DARK = (74, 66, 19)


def ground(page: Page, anchor: str) -> tuple[int, ...]:
    colour: list[int] = page.evaluate(
        "(id) => getComputedStyle(document.getElementById(id)).backgroundColor.match(/\\d+/g).map(Number)", anchor
    )
    return tuple(colour)


def in_view(page: Page, anchor: str) -> bool:
    return bool(
        page.evaluate(
            """(id) => {
                const box = document.getElementById(id).getBoundingClientRect();
                return box.top >= 0 && box.top < innerHeight / 2 && box.height > 0;
            }""",
            anchor,
        )
    )


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        ((1280, 800), "dark"),
        ((390, 844), "light"),
        pytest.param((1280, 800), "light", marks=pytest.mark.long),
        pytest.param((390, 844), "dark", marks=pytest.mark.long),
    ],
)
def test_a_violation_leads_to_its_paragraph_and_back(
    page: Page, sitting: FakeSitting, serving: Serving, size: tuple[int, int], scheme: str
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=scheme)
    view = tables.broken()
    assert view.violation is not None
    sitting.show(replace(view, violation=replace(view.violation, error="steal_back_locked", rule="STEAL-1.5")))
    page.goto(f"http://{HOST}:{serving(create_app(sitting)).port}/")
    page.get_by_role("link", name="Why?").click()
    expect(page.locator("article:target h3")).to_have_text("Stealing back")
    assert page.url.endswith("/rules#steal-1-5")
    assert in_view(page, "steal-1-5")
    assert ground(page, "steal-1-5") == (LIGHT if scheme == "light" else DARK)
    assert ground(page, "steal-1-3") != ground(page, "steal-1-5")
    expect(page.locator("article:target dd")).to_have_text("Put both cards back into their own slots.")
    page.get_by_role("link", name="To the table").first.click()
    expect(page.locator(".alert .lead")).to_be_visible()


def test_by_keyboard_alone(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    page.goto(f"http://{HOST}:{serving(create_app(sitting)).port}/")
    page.locator(".menu summary").focus()
    page.keyboard.press("Enter")
    link = page.get_by_role("link", name="Rules")
    expect(link).to_be_visible()
    for _ in range(40):
        page.keyboard.press("Tab")
        if link.evaluate("(one) => one === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("The rules of Five Card Steal")
    contents = page.get_by_role("navigation").get_by_role("link", name="Who wins")
    contents.focus()
    page.keyboard.press("Enter")
    expect(page.locator("article:target h3")).to_have_text("Who wins")
    assert in_view(page, "steal-1-6")


def test_without_script(browser: Browser, sitting: FakeSitting, serving: Serving) -> None:
    server = serving(create_app(sitting))
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(f"http://{HOST}:{server.port}/rules#steal-1-7")
    expect(plain.locator("article:target h3")).to_have_text("Looking at cards")
    expect(plain.locator("article:target h3")).to_be_in_viewport()
    plain.get_by_role("navigation").get_by_role("link", name="Draw").click()
    expect(plain.locator("article:target h3")).to_be_in_viewport()
    context.close()


@pytest.mark.parametrize("size", [(360, 740), (390, 844), (820, 1180), (1280, 800), (1366, 1024)])
def test_it_fits_every_screen_and_finger(page: Page, serving: Serving, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"http://{HOST}:{serving(create_app(FakeSitting(rulebook=STRICT))).port}/rules")
    wide, small, letters = page.evaluate(
        """() => {
            const wide = [...document.querySelectorAll("body *")].map((one) => one.getBoundingClientRect().right);
            const links = [...document.querySelectorAll("header a, .own a, nav li a")].map((one) => one.getBoundingClientRect());
            const text = parseFloat(getComputedStyle(document.querySelector("article p")).fontSize);
            return [Math.max(...wide) - document.documentElement.clientWidth, Math.min(...links.map((box) => box.height)), text];
        }"""
    )
    assert wide <= 0
    assert small >= (44 if size[0] < 960 else 24)
    assert letters >= 17


CONTRAST = """() => {
    const light = ([r, g, b]) => {
        const part = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
        return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    };
    const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const behind = (one) => {
        for (; one; one = one.parentElement) {
            const ground = numbers(getComputedStyle(one).backgroundColor);
            if (ground.length === 3 || ground[3] === 1) return ground;
        }
        return [255, 255, 255];
    };
    const texts = [...document.querySelectorAll("h1, h2, h3, h4, p, a, b, dt, dd, .tag")];
    return Math.min(...texts.map((one) => {
        const [a, b] = [light(numbers(getComputedStyle(one).color)), light(behind(one))].sort((x, y) => y - x);
        return (a + 0.05) / (b + 0.05);
    }));
}"""
"""The least contrast of any text with what lies behind it."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out(page: Page, serving: Serving, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(f"http://{HOST}:{serving(create_app(FakeSitting(rulebook=STRICT))).port}/rules#steal-1-7")
    assert page.locator(".tag").count() > 3
    assert page.evaluate(CONTRAST) >= 4.5
