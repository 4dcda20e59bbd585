"""Stopping, looking things up, undoing and correcting in a real Chromium."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from companion.cards import Card
from companion.observation import Call, Correct
from companion.table import row, slot
from companion.web import create_app
from companion.web.serve import Server
from tests.browser import HOST, browser, needs_chromium, page
from tests.companion import tables
from tests.companion.tables import FakeSitting
from tests.companion.told import Told

__all__ = ["browser", "page"]
pytestmark = needs_chromium
Serving = Callable[[Flask], Server]


@contextmanager
def worked(table: Told) -> Iterator[None]:
    """The table's own thread."""
    over = threading.Event()

    def work() -> None:
        while not over.wait(0.02):
            table.sitting.work()

    thread = threading.Thread(target=work, name="table")
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(5)


def test_from_stop_to_the_answers_and_on(page: Page, serving: Serving) -> None:
    table = Told()
    table.exchange(slot(0, 4), slot(1, 2), 6.0)
    table.draw(1, 3, 6.0)
    server = serving(create_app(table.sitting))
    with worked(table):
        page.goto(f"http://{HOST}:{server.port}/")
        page.get_by_role("button", name="Stop").click()
        expect(page.locator("h1")).to_have_text("Stopped")
        expect(page.locator("body")).to_have_attribute("data-mood", "stopped")
        page.get_by_role("link", name="What happened?").click()
        page.get_by_role("link", name="1. Ann stole").click()
        page.get_by_role("link", name="Ben 2").click()
        expect(page.locator("dl")).to_contain_text("Was slot 2 of Ben touched?")
        expect(page.locator("[aria-current]")).to_have_count(2)
        page.get_by_role("button", name="Go back to here").click()
        expect(page.locator(".moves ol a")).to_have_count(2)
        page.get_by_role("button", name="Do the next move again").click()
        expect(page.locator(".moves ol a")).to_have_count(3)
        page.get_by_role("button", name="Play goes on").click()
        for name in ("Ann", "Ben", "Cat"):
            page.get_by_role("button", name=f"{name} agrees").click()
        expect(page.locator("h1")).to_have_text("Cat to play")


def test_an_open_card_is_corrected_with_one_tap_on_a_likely_one(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    sitting.faces = {row(1): (Card.parse("6d"), Card.parse("8d"))}
    page.goto(f"http://{HOST}:{serving(create_app(sitting)).port}/")
    page.get_by_role("button", name="Card 1 of the row: ten of diamonds").click()
    with page.expect_response("**/correct"):
        page.get_by_role("button", name="eight of diamonds").click()
    expect(page.locator("#enter")).to_be_hidden()
    page.get_by_role("button", name="Card 2 of the row").click()
    expect(page.locator("#enter .lead")).to_have_text("Card 2 of the row: which card is it?")
    expect(page.locator(".likely")).to_be_hidden()
    page.locator("[data-rank=K]").click()
    with page.expect_response("**/correct"):
        page.locator("[data-suit=h]").click()
    expect(page.locator("#enter")).to_be_hidden()
    assert [declared.what for declared in sitting.posted] == [
        Correct(row(1), Card.parse("8d")),
        Correct(row(2), Card.parse("Kh")),
    ]


@pytest.mark.parametrize("size", [(1280, 800), (820, 1180), (390, 844), (320, 568)])
def test_the_screen_fits_and_is_big_enough_for_fingers(page: Page, serving: Serving, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    table = Told()
    table.exchange(slot(0, 4), slot(1, 2), 6.0)
    table.draw(1, 3, 6.0)
    table.say(0, Call("stop"))
    server = serving(create_app(table.sitting))
    page.goto(f"http://{HOST}:{server.port}/disputes?move=1&seat=1&slot=2")
    wide, small = page.evaluate(
        """() => {
            const taps = [...document.querySelectorAll("button, .slot, .moves ol a")].map((one) => one.getBoundingClientRect());
            const least = Math.min(...taps.map((box) => Math.min(box.width, box.height)));
            return [document.documentElement.scrollWidth - innerWidth, least];
        }"""
    )
    assert wide <= 0
    assert small >= 44


def test_lines_of_what_was_put_right_keep_clear_of_their_rules(page: Page, serving: Serving) -> None:
    table = Told()
    table.draw(0, 1, 6.0)
    for card in ("Kh", "Kd"):
        table.say(0, Correct(row(1), Card.parse(card)), 0.3)
    table.say(0, Call("stop"))
    page.goto(f"http://{HOST}:{serving(create_app(table.sitting)).port}/disputes")
    lines = page.locator(".moves ul li")
    expect(lines).to_have_count(2)
    room = lines.evaluate_all("(all) => all.map((one) => parseFloat(getComputedStyle(one).paddingTop))")
    assert min(room) >= 4


def test_stop_covers_no_seat(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    server = serving(create_app(sitting, buttons=True))
    page.goto(f"http://{HOST}:{server.port}/")
    for size in ((1280, 800), (1366, 1024), (820, 1180), (390, 844), (844, 390), (740, 360)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for view in (tables.playing(), tables.stopped(), tables.undone(), tables.won()):
            sitting.show(view)
            expect(page.locator("body")).to_have_attribute("data-version", str(sitting.shown.version))
            covered = page.evaluate(
                """() => {
                    scrollTo(0, document.body.scrollHeight); // a phone's page goes on under its bar
                    const halt = document.getElementById("halt").getBoundingClientRect();
                    return [...document.querySelectorAll(".mat, .menu")].map((one) => one.getBoundingClientRect()).filter((box) =>
                        box.left < halt.right && halt.left < box.right && box.top < halt.bottom && halt.top < box.bottom).length;
                }"""
            )
            assert covered == 0, f"{size}"
