"""A hand of draw in a real Chromium: bets of any size, by finger and by keyboard, and what is said of the chips."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from random import Random

from flask import Flask
from playwright.sync_api import Page, expect

from companion.cards import DECK
from companion.web import create_app
from companion.web.serve import Server
from tests.browser import HOST, browser, needs_chromium, page
from tests.companion.chips import Hand
from tests.test_axe import OF_THEME, faults

__all__ = ["browser", "page"]
pytestmark = needs_chromium
Serving = Callable[[Flask], Server]


@contextmanager
def at_work(hand: Hand) -> Iterator[None]:
    """The table's own thread."""
    over = threading.Event()

    def work() -> None:
        while not over.wait(0.02):
            hand.sitting.work()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def sideways(page: Page) -> int:
    found: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return found


def bet(page: Page, seat: str, text: str) -> None:
    """Tap one of the bets that lie before a seat."""
    page.locator(f"section[aria-label='{seat}'] .bets").get_by_role("button", name=text, exact=True).click()


def move(page: Page, seat: str, *steps: str) -> None:
    page.locator(f"section[aria-label='{seat}']").get_by_role("button", name="My move").click()
    for step in steps:
        page.locator("#choose").get_by_role("button", name=step, exact=True).click()


def test_a_hand_of_draw_on_a_phone_and_a_tablet(page: Page, serving: Serving) -> None:
    hand = Hand("draw", 3, log="5: 210 190 200", hand=6, stacks="210 190 200", bought="200 200 200", dealer=2)
    with at_work(hand):
        page.set_viewport_size({"width": 360, "height": 740})
        page.goto(f"http://{HOST}:{serving(create_app(hand.sitting)).port}/")
        bets = page.locator("section[aria-label='Anna'] .bets")
        expect(bets.get_by_role("button")).to_have_text(["Fold", "Check", "Bet …"])
        expect(bets).to_be_in_viewport(ratio=1)
        expect(page.locator(".bets")).to_have_count(1)
        expect(page.locator(".round")).to_have_text("Betting round 1 of 2")
        bet(page, "Anna", "Bet …")
        amount = page.get_by_label("How many chips?").first
        expect(amount).to_be_focused()
        assert (amount.get_attribute("min"), amount.get_attribute("max"), amount.input_value()) == ("1", "209", "1")
        send = page.locator("#choose .amount .main")
        expect(page.locator("#choose .marks button")).to_have_text(["Least: 1", "The pot: 3", "All-in: 209"])
        page.locator("#choose .marks button").nth(1).click()
        expect(send).to_have_text("Bet 3")
        for _ in range(2):
            page.locator("#choose").get_by_role("button", name="More").click()
        expect(send).to_have_text("Bet 5")
        page.locator("#choose .marks button").nth(2).click()
        page.locator("#choose").get_by_role("button", name="More").click()
        expect(send).to_have_text("Bet 209")
        page.locator("#choose").get_by_role("button", name="Less").click()
        expect(send).to_have_text("Bet 208")
        amount.fill("210")
        expect(send).to_be_disabled()
        amount.fill("7")
        expect(send).to_have_text("Bet 7")
        assert sideways(page) <= 0
        amount.press("Enter")
        anna = page.locator("section[aria-label='Anna']")
        expect(anna.get_by_role("img", name="bet 7")).to_be_visible()
        expect(anna.get_by_role("img", name="202 chips")).to_be_visible()
        expect(page.locator("h1")).to_have_text("Ben to play")
        assert sideways(page) <= 0
        page.set_viewport_size({"width": 1280, "height": 800})
        bet(page, "Ben", "Call 7")
        bet(page, "Cleo", "Fold")
        expect(page.locator(".pots b")).to_have_text("17")
        page.locator(".session summary").click()
        expect(page.locator(".session tbody tr")).to_have_text(["So far+10-100", "After hand 5210190200"])
        page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
        assert faults(page) == []
        page.emulate_media(color_scheme="dark")
        assert faults(page, OF_THEME) == []
        move(page, "Anna", "Exchange 2 cards", "Slots 1 and 4")
        move(page, "Ben", "Keep all cards")
        bet(page, "Anna", "Check")
        bet(page, "Ben", "Bet …")
        page.locator("#choose .marks button").last.click()
        page.locator("#choose .amount .main").click()
        bet(page, "Anna", "Fold")
        expect(page.locator("h1")).to_have_text("Ben wins!")
        expect(page.locator(".note.won")).to_contain_text("everybody else has folded")
        assert page.locator("section[aria-label='Ben'] .face").count() == 0, "nobody has seen that hand"


def test_a_showdown_of_stud(page: Page, serving: Serving) -> None:
    hand = Hand("stud", 2, 3)
    hand.deck = Random(5).sample(DECK, 52)
    while hand.view.phase != "over":
        view = hand.view
        if view.waits == "upcards":
            hand.enter_wanted()
        else:
            kinds = {one.move.kind: one.id for one in hand.sitting.offers(view.actors[0])}
            hand.tap(view.actors[0], kinds["check"])
    with at_work(hand):
        page.goto(f"http://{HOST}:{serving(create_app(hand.sitting)).port}/")
        expect(page.locator(".face")).to_have_count(8)
        for seat, card in ((0, hand.deck.pop()), (1, hand.deck.pop())):
            page.locator(f"[data-enter='{seat},1']").click()
            page.locator(f"#enter [data-rank='{card.rank.letter}']").click()
            page.locator(f"#enter [data-suit='{card.suit.letter}']").click()
            expect(page.locator(f"#seat-{seat} .face")).to_have_count(5)
        expect(page.locator(".note.won")).to_contain_text(" wins 4 with ")
