"""The setup wizard in a real Chromium, through a host name that is not localhost: by finger, by keyboard, in every language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, Route, expect

from companion.choices import PRESETS, Chair, Choices
from companion.inbox import Receipt
from companion.web import create_app
from companion.web.catalogues import LANGUAGES
from companion.web.serve import Server
from companion.web.setup import Setup
from companion.web.setup_scene import STEPS
from tests.browser import HOST, browser, needs_chromium, page
from tests.companion import tables
from tests.companion.tables import FakeSitting
from tests.companion.web.outfitted import SEATED, FakeOutfit
from tests.companion.web.visitors import home

__all__ = ["browser", "page"]
pytestmark = needs_chromium
Serving = Callable[[Flask], Server]
LONG = replace(
    SEATED, chairs=(Chair("Maximilian-Alexander von Hohenstein-Braun", "mat"), Chair("Ben", "mat"), Chair("Cleo", "bot"))
)
WIDE = "document.documentElement.scrollWidth - innerWidth"


def app_of(sitting: FakeSitting, outfit: FakeOutfit, asked: list[str]) -> Flask:
    def rematch() -> Receipt:
        asked.append("next")
        receipt = Receipt()
        receipt.settle()
        sitting.show(tables.dealing())
        return receipt

    access = home()
    return create_app(sitting, [Setup(sitting, outfit, access).routes()], access=access, next_game=rematch)


def address(server: Server, path: str = "/") -> str:
    return f"http://{HOST}:{server.port}{path}"


def at_step(page: Page, heading: str) -> None:
    """Wait for a step that listens."""
    expect(page.locator("h1")).to_have_text(heading)
    expect(page.locator("body[data-ready]")).to_be_attached()


def go(page: Page, way: str = "next") -> None:
    """To another step, until it listens."""
    with page.expect_navigation():
        page.locator(f"#{way}").click()


def first_held(page: Page, step: str = "seats") -> Callable[[], None]:
    """Hold back what is posted next until the function that is returned is called; whatever is posted after it goes through."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if held or route.request.method != "POST":
            route.continue_()
        else:
            held.append(route)

    def let_go() -> None:
        while not held:
            page.wait_for_timeout(10)
        held[0].continue_()

    page.route(f"**/{step}", hold)
    return let_go


def stays_until_it_arrives(page: Page, step: str, way: str) -> None:
    """Nobody gets to another step before what was chosen in this one has arrived."""
    heading = page.locator("h1").inner_text()
    page.locator(f"#{way}").click()
    expect(page.locator("#lost")).to_be_visible()
    expect(page.locator("h1")).to_have_text(heading)
    with page.expect_navigation():
        page.unroute(f"**/{step}")


def cut(page: Page, step: str) -> None:
    """Nothing that is sent from a step arrives."""
    page.unroute(f"**/{step}")
    page.route(f"**/{step}", lambda route: route.abort())


def test_from_the_first_step_to_the_game_by_taps(page: Page, serving: Serving) -> None:
    sitting, outfit = FakeSitting(tables.dealing()), FakeOutfit(now=Choices(options=tuple(PRESETS["home"].items())), new=True)
    outfit.on_begin = lambda choices: sitting.show(tables.playing(3))
    page.goto(address(serving(app_of(sitting, outfit, []))))
    at_step(page, "Which language?")
    page.locator("#language-en").click()
    at_step(page, "How do you play?")
    page.locator("#preset-home").click()
    at_step(page, "Who plays?")
    page.locator("#person-1").click()
    expect(page.locator("#name-0")).to_have_value("Anna")
    let_ben_in = first_held(page)
    page.locator("#name").fill("Ben")
    page.locator("#add").click()
    page.locator("#name").fill("anna")
    page.locator("#add").click()
    let_ben_in()
    expect(page.locator("#name-1")).to_have_value("Ben")
    expect(page.locator("#name-problem")).to_contain_text("anna sits at the table already.")
    expect(page.locator("#name")).to_be_focused()
    page.reload()
    expect(page.locator("#name-1")).to_have_value("Ben")
    let_cleo_in = first_held(page)
    page.locator("#name").fill("Cleo")
    page.locator("#add").click()
    page.locator("#name").fill("Da")
    let_cleo_in()
    expect(page.locator("#name-2")).to_have_value("Cleo")
    expect(page.locator("#name")).to_have_value("Da")
    page.locator("#name").fill("")
    page.locator("#up-Cleo").click()
    expect(page.locator("#name-1")).to_have_value("Cleo")
    expect(page.locator("#up-Cleo")).to_be_focused()
    let_anna_down = first_held(page)
    page.locator("#down-Anna").dblclick()
    page.locator("[data-who=Ben]").fill("Benno")
    let_anna_down()
    expect(page.locator("#name-2")).to_have_value("Anna")
    expect(page.locator("[data-who=Ben]")).to_have_value("Benno")
    expect(page.locator("[data-who=Ben]")).to_be_focused()
    page.locator("#up-Anna").hover()
    page.mouse.down()
    page.mouse.up()
    expect(page.locator("#name-1")).to_have_value("Anna")
    # Under the finger lies somebody else by now.
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    expect(page.locator("#name-0")).to_have_value("Anna")
    cut(page, "seats")
    page.locator("[data-who=Benno]").fill("Ben")
    stays_until_it_arrives(page, "seats", "next")
    page.locator("#source-2-tap").check()
    expect(page.locator("#source-2-tap")).to_be_checked()
    with page.expect_response(lambda answer: answer.request.method == "POST" and answer.url.endswith("/places")):
        # From now on the table listens.
        go(page)
    expect(page.locator(".lead.big")).to_have_text("Anna: press the button that blinks in front of you.")
    outfit.pressed.append(2)
    expect(page.locator(".lead.big")).to_have_text("Cleo: press the button that blinks in front of you.")
    for place in (0, 1):
        page.locator(f"#press-{place}").click()
    expect(page.locator(".lead.big")).to_have_text("Every seat has its place.")
    go(page)
    page.locator("#lamps-start").click()
    for lamp in range(1, 6):
        expect(page.locator(".lead.big")).to_have_text(f"Lamp {lamp} of 5 is lit.")
        page.locator("#lit").click()
    expect(page.locator(".lead.big")).to_have_text("All of them were lit.")
    go(page)
    at_step(page, "What do the cameras see?")
    sitting.show(replace(sitting.shown, seats=(tables.seat(0, "tap"), tables.seat(1, "tap"), tables.seat(2, "tap"))))
    expect(page.locator("img[data-live]")).to_have_count(2)
    assert page.locator("img[data-live]").first.evaluate("(one) => one.decode().then(() => one.naturalWidth)") == 16
    go(page)
    page.locator("#deck-any").click()
    at_step(page, "Your house rules")
    cut(page, "rules")
    page.locator("#rule-penalty-1").check()
    stays_until_it_arrives(page, "rules", "back")
    go(page)
    expect(page.locator("#rule-penalty-1")).to_be_checked()
    go(page)
    page.locator("#hard-on").click()
    at_step(page, "All set?")
    assert outfit.begun == []
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    let_begin = first_held(page, "ready")
    page.locator("#begin").click()
    page.locator("#begin").click()
    let_begin()
    expect(page.locator("#seat-2 .mat")).to_be_visible()
    assert len([url for url in sent if url.endswith("/ready")]) == 1, "the second tap is not even sent"
    [begun] = outfit.begun
    assert begun.chairs == (Chair("Anna", "mat", 2), Chair("Cleo", "mat", 0), Chair("Ben", "tap", 1))
    assert begun.rules == {**PRESETS["home"], "penalty": "lose_turn", "hard_mode": True}


def test_by_keyboard_alone_and_the_later_of_two_screens_is_told(page: Page, browser: Browser, serving: Serving) -> None:
    sitting, outfit = FakeSitting(tables.playing(3)), FakeOutfit()
    server = serving(app_of(sitting, outfit, []))
    page.goto(address(server, "/setup"))
    other = browser.new_page()
    other.goto(address(server, "/setup"))
    page.locator("#next").focus()
    page.keyboard.press("Enter")
    at_step(page, "How do you play?")
    page.locator("#preset-club").focus()
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#preset-home")).to_be_focused()
    page.keyboard.press("Space")
    at_step(page, "All set?")
    page.locator("#begin").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".problem")).to_contain_text("A game is being played.")
    expect(page.locator("#begin")).to_be_focused()
    assert outfit.begun == [], "nothing is given up by one press"
    page.keyboard.press("Enter")
    expect(page.locator("#seat-0 .mat")).to_be_visible()
    assert len(outfit.begun) == 1
    sitting.show(tables.won())
    other.goto(other.url.replace("language", "ready"))
    other.locator("#begin").click()
    expect(other.locator(".problem")).to_contain_text("Another screen has set up the table meanwhile.")
    assert len(outfit.begun) == 1
    other.close()


def test_the_same_again_and_another_table_are_one_tap_away(page: Page, serving: Serving) -> None:
    sitting, asked = FakeSitting(tables.revealing()), []
    server = serving(app_of(sitting, FakeOutfit(), asked))
    page.goto(address(server))
    expect(page.locator("body[data-version]")).to_be_attached()
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Next game").click()
    expect(page.locator("#ask-next")).to_contain_text("Hands are still being shown.")
    page.get_by_role("button", name="Go on showing").click()
    assert asked == [], "hands that are being shown are not thrown away by one tap"
    sitting.show(tables.won())
    expect(page.locator(".again a")).to_have_attribute("href", "/setup")
    page.get_by_role("button", name="Same again").click()
    expect(page.locator("body")).to_have_attribute("data-mood", "setup")
    assert asked == ["next"]
    sitting.show(tables.revealing())
    # Other players: the page loads itself again, and its menu is closed.
    expect(page.locator("#seat-3 .mat")).to_be_visible()
    expect(page.locator("body")).to_have_attribute("data-mood", "reveal")
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Next game").click()
    page.get_by_role("button", name="Begin the next game").click()
    expect(page.locator("body")).to_have_attribute("data-mood", "setup")
    assert asked == ["next", "next"]
    renamed = (replace(tables.seat(0), name="Zoe"), tables.seat(1), tables.seat(2))
    sitting.show(replace(tables.dealing(), seats=renamed))
    expect(page.locator("#seat-0")).to_have_attribute("aria-label", "Zoe")


@pytest.mark.parametrize("size", [(360, 740), pytest.param((1280, 800), marks=pytest.mark.long)])
def test_every_step_fits_every_screen_in_every_language(browser: Browser, serving: Serving, size: tuple[int, int]) -> None:
    sitting = FakeSitting(tables.won())
    server = serving(app_of(sitting, FakeOutfit(now=LONG), []))
    for language in LANGUAGES:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
        context.add_cookies([{"name": "viewmat-language", "value": language, "url": address(server)}])
        page = context.new_page()
        page.goto(address(server, "/setup"))
        for step in STEPS:
            page.goto(page.url.rsplit("/", 1)[0] + f"/{step}")
            expect(page.locator("html")).to_have_attribute("lang", language)
            assert page.evaluate(WIDE) <= 0, f"{step} in {language}"
            small = page.evaluate(
                "[...document.querySelectorAll('button, nav a, .summary a, label.pick')].filter((one) => "
                "one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML)"
            )
            assert small == [], f"too small for a finger in {step}"
        page.goto(address(server))
        expect(page.locator(".again")).to_be_visible()
        assert page.evaluate(WIDE) <= 0
        context.close()
