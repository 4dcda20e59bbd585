"""The show at the end, the story and the picture of a game in a real Chromium, through a host name that is not localhost."""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect

from companion.cards import Card
from companion.games.steal_state import Draw, StealCard
from companion.observation import Call, Claim, Declaration, Event
from companion.sitting import RowSight, Seat, Sitting
from companion.table import SLOTS
from companion.web import create_app
from companion.web.keepsake import keepsake
from companion.web.serve import Server
from tests.browser import HOST, browser, needs_chromium, page
from tests.companion import retold, tables
from tests.companion.tables import FakeSitting
from tests.companion.web.conftest import served

__all__ = ["browser", "page"]
pytestmark = needs_chromium
Serving = Callable[[Flask], Server]

HANDS = (("Kh", "4c", "Ks", "4d", "9s"), ("9c", "9d", "9h", "2h", "3d"), ("As", "Jd", "7c", "5h", "2s"))
NAMES = ("Ann", "Bob", "Cat")


@contextmanager
def table_of_taps() -> Iterator[tuple[Sitting, Server]]:
    """A real sitting of taps that works as soon as something is posted, with its page."""
    seconds = count(1)
    sitting = Sitting(retold.judged().game, [Seat(name, "tap") for name in NAMES], row_sight=RowSight.NONE,
                      clock=lambda: float(next(seconds)))  # fmt: skip
    post, one_at_a_time = sitting.post, threading.Lock()

    def worked(event: Event) -> object:
        with one_at_a_time:
            receipt = post(event)
            sitting.work()
            return receipt

    sitting.post = worked  # type: ignore[method-assign,assignment]
    with served(create_app(sitting)) as server:
        yield sitting, server


def to_the_end(sitting: Sitting) -> None:
    """A steal, and then everything that is drawn goes to the row."""
    sitting.post(Declaration(sitting.now(), 0, Claim(StealCard(0, 1, 2, 4))))
    while (seat := sitting.view().current) is not None:
        sitting.post(Declaration(sitting.now(), seat, Claim(Draw(seat, None))))
    assert sitting.view().phase == "over"


def enter(page: Page, seat: int, number: int, card: str) -> None:
    page.locator(f'[data-enter="{seat},{number}"]').click()
    page.locator(f'[data-rank="{card[0]}"]').click()
    page.locator(f'[data-suit="{card[1]}"]').click()


def test_cards_uncover_one_by_one_and_the_winner_is_named_last(page: Page) -> None:
    with table_of_taps() as (sitting, server):
        to_the_end(sitting)
        page.goto(f"http://{HOST}:{server.port}/")
        expect(page.locator("body[data-mood=reveal]")).to_be_attached()
        assert page.request.get(f"http://127.0.0.1:{server.port}/story").status == 409
        steps, shown = page.locator(".ladder .step"), 0
        for seat in (2, 0, 1):
            for number in SLOTS:
                expect(page.locator(".means-winner, .crown, .won, .story")).to_have_count(0)
                expect(page.locator("h1")).to_have_text("Turn your cards over")
                expect(steps).to_have_count(shown // 5)
                enter(page, seat, number, HANDS[seat][number - 1])
                shown += 1
                expect(page.locator(".seat .face")).to_have_count(shown)
                fresh = page.locator(".slot.is-fresh")
                if shown < 15:
                    expect(fresh).to_have_attribute("data-slot", f"{seat}-{number}")
                    assert page.locator(f'[data-slot="{seat}-{number}"] .lamp').get_attribute("class") == "lamp steady "
            if shown == 10:
                # The page shows them the other way round: the last one at the bottom.
                assert steps.locator(".who b").all_inner_texts() == ["Cat", "Ann"]
                expect(steps.first.locator(".why")).to_have_text("Loses to Ann's hand, two pair, kings and fours.")
                expect(steps.last.locator(".why")).to_have_count(0)
                expect(page.locator("#seat-0 .hand")).to_have_text("two pair, kings and fours")
        expect(page.locator("h1")).to_have_text("Bob wins!")
        expect(page.locator("body")).to_have_class("celebrating")
        assert steps.locator(".who b").all_inner_texts() == ["Cat", "Ann", "Bob"]
        expect(steps.nth(1).locator(".why")).to_have_text("Loses to Bob's hand, three of a kind, nines.")
        expect(page.locator("#seat-1 .mat.means-winner")).to_be_visible()
        expect(page.locator(".rain")).to_have_count(0)
        page.get_by_role("link", name="The story of the game").click()
        expect(page.get_by_role("heading", name="The story of the game")).to_be_visible()
        # Whoever comes when all is over sees how it stands, and no show.
        page.goto(f"http://{HOST}:{server.port}/")
        expect(page.locator("h1")).to_have_text("Bob wins!")
        assert page.locator("body").get_attribute("class") in (None, "")
        sitting.post(Declaration(sitting.now(), 0, Call("undo")))
        for seat in range(3):
            page.get_by_role("button", name=f"{NAMES[seat]} agrees").click()
        expect(page.locator(".means-winner, .ladder, .story")).to_have_count(0)
        page.goto(f"http://{HOST}:{server.port}/story")
        expect(page.get_by_text("can be told as soon as all hands are shown")).to_be_visible()


def test_motion_is_calm_and_the_rain_falls_for_those_who_want_it(
    browser: Browser, sitting: FakeSitting, serving: Serving
) -> None:
    context = browser.new_context(reduced_motion="no-preference")
    opened = context.new_page()
    sitting.show(tables.revealing((5, 5, 5, 4)))
    opened.goto(f"http://{HOST}:{serving(create_app(sitting)).port}/")
    expect(opened.locator("body[data-mood=reveal]")).to_be_attached()
    expect(opened.locator("#seat-3 .face")).to_have_count(4)
    sitting.show(tables.won())
    expect(opened.locator(".slot.is-fresh")).to_have_count(1)
    expect(opened.locator(".rain svg")).to_have_count(14)
    delays = opened.evaluate(
        "[...document.querySelectorAll('.step'), document.querySelector('h1')].map((one) => getComputedStyle(one).animationDelay)"
    )
    assert delays == ["0s", "0.8s", "1.6s", "2.4s", "2.4s"]
    context.close()


# ---- the story ----------------------------------------------------------------------------------------------------


@pytest.fixture
def address(sitting: FakeSitting, serving: Serving) -> str:
    sitting.story = retold.story()
    sitting.show(tables.won())
    return f"http://{HOST}:{serving(create_app(sitting)).port}"


def hand(page: Page, seat: int) -> list[str | None]:
    return [one.get_attribute("aria-label") for one in page.locator(f'.seat[data-seat="{seat}"] .slots .card').all()]


def named(cards: tuple[Card | None, ...]) -> list[str]:
    ranks = {"T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace", "2": "two", "3": "three", "4": "four",
             "5": "five", "6": "six", "7": "seven", "8": "eight", "9": "nine"}  # fmt: skip
    suits = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
    return [f"{ranks[card.rank.letter]} of {suits[card.suit.letter]}" for card in cards if card is not None]


def check(page: Page, number: int) -> None:
    """The page shows the table as it was after so many moves."""
    story = retold.story()
    moment = story.moments[number]
    expect(page.locator("#now .which")).to_have_text(f"Move {number} of 14" if number else "The deal")
    for seat in range(3):
        assert hand(page, seat) == named(moment.hands[seat])
        leads = page.locator(f'.seat[data-seat="{seat}"].leads')
        expect(leads).to_have_count(int(story.leaders[number] == seat))
    expect(page.locator(".row li")).to_have_count(len(moment.row))
    expect(page.locator(".stack .count")).to_have_text(str(moment.pile))
    expect(page.locator(".out .count")).to_have_text(str(moment.removed))
    expect(page.locator(".way")).to_have_count(len(moment.carried))
    assert {one.get_attribute("data-place") for one in page.locator(".touched").all()} == set(moment.touched)
    expect(page.locator("input[type=range]")).to_have_value(str(number))
    xs = str(page.locator(".cursor").get_attribute("data-xs")).split()
    expect(page.locator(".cursor")).to_have_attribute("x1", str(float(xs[number])).removesuffix(".0"))


def test_the_story_is_walked_by_keyboard(page: Page, address: str) -> None:
    page.goto(f"{address}/story")
    check(page, 0)
    expect(page.locator(".previous")).to_be_disabled()
    for number in range(1, 4):
        page.keyboard.press("ArrowRight")
        check(page, number)
    page.keyboard.press("ArrowLeft")
    check(page, 2)
    page.get_by_role("slider", name="Move").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    check(page, 14)
    expect(page.locator(".next")).to_be_disabled()
    page.keyboard.press("Home")
    page.get_by_role("button", name="Next move").focus()
    page.keyboard.press("Enter")
    check(page, 1)
    page.get_by_role("button", name="Play", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Pause")).to_be_focused()
    expect(page.locator("input[type=range]")).not_to_have_value("1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_the_story_is_walked_by_pointer(page: Page, address: str) -> None:
    page.goto(f"{address}/story#move-7")
    check(page, 7)
    assert page.evaluate("scrollY") == 0, "the table is in view, not the list"
    page.get_by_role("button", name="Next move").click()
    check(page, 8)
    page.get_by_role("button", name="Previous move").click()
    page.get_by_role("button", name="Previous move").click()
    check(page, 6)
    turning = page.locator(".turnings a").last
    turning.click()
    check(page, 14)
    expect(page.locator(".turnings .here")).to_have_count(1)
    page.locator(".moves a").nth(4).click()
    check(page, 5)
    plot = page.locator(".plot")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box is not None
    plot.click(position={"x": box["width"] - 3, "y": box["height"] / 2})
    check(page, 14)
    slider = page.locator("input[type=range]")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box is not None
    slider.click(position={"x": 8, "y": box["height"] / 2})
    check(page, 0)


def test_the_page_closes_when_the_game_is_taken_up_again(page: Page, sitting: FakeSitting, address: str) -> None:
    page.goto(f"{address}/story")
    check(page, 0)
    sitting.show(tables.undone())
    expect(page.locator("body[data-mood]")).to_be_attached()
    assert page.url == f"{address}/"


def test_an_arrow_leads_from_where_a_card_lay_to_where_it_went(page: Page, address: str) -> None:
    page.goto(f"{address}/story#move-2")
    check(page, 2)
    ends = page.evaluate(
        """() => [...document.querySelectorAll(".way")].map((one) => {
            const box = one.ownerSVGElement.getBoundingClientRect();
            return [one.getPointAtLength(0), one.getPointAtLength(one.getTotalLength())].map((point) =>
                document.elementsFromPoint(point.x + box.x, point.y + box.y).map((each) => each.closest("[data-place]"))
                    .find((each) => each)?.dataset.place);
        })"""
    )
    assert ends == [["0-1", "1-5"], ["1-5", "0-1"]]


def test_without_script_the_story_is_the_final_table_and_a_list(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(f"{address}/story")
    assert hand(plain, 0) == named(retold.story().moments[-1].hands[0])
    expect(plain.locator(".moves li")).to_have_count(14)
    expect(plain.locator(".control")).to_be_hidden()
    expect(plain.locator(".script")).to_be_visible()
    expect(plain.get_by_role("link", name="Save it as a drawing (SVG)")).to_be_visible()
    context.close()


# ---- the picture --------------------------------------------------------------------------------------------------


def test_the_picture_is_saved_as_a_png_of_its_size(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(f"{address}/story")
    assert page.evaluate("isSecureContext") is False
    expect(page.get_by_role("button", name="Share the picture")).to_be_hidden()
    with page.expect_download() as started:
        page.get_by_role("button", name="Save the picture").click()
    file = tmp_path / "picture.png"
    started.value.save_as(file)
    data = file.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    drawn = keepsake(retold.story(), ("", "", ""), ("", "", ""))
    assert struct.unpack(">II", data[16:24]) == (drawn.width, drawn.height)
    assert len(data) > 20_000, "something is painted on it"
    assert started.value.suggested_filename.endswith(".png")
    with page.expect_download() as started:
        page.get_by_role("link", name="Save it as a drawing (SVG)").click()
    assert started.value.suggested_filename.endswith(".svg")


def test_where_the_browser_shares_the_picture_is_handed_to_it_and_a_failure_is_told(page: Page, address: str) -> None:
    page.add_init_script("navigator.canShare = () => true; navigator.share = async (what) => {"
                         " window.shared = what.files[0]; document.body.dataset.shared = 'yes'; };")  # fmt: skip
    page.goto(f"{address}/story")
    page.get_by_role("button", name="Share the picture").click()
    expect(page.locator("body")).to_have_attribute("data-shared", "yes")
    assert page.evaluate("[window.shared.type, window.shared.size > 20000]") == ["image/png", True]
    page.route("**/table.svg", lambda route: route.abort())
    page.goto(f"{address}/story")
    page.get_by_role("button", name="Save the picture").click()
    expect(page.locator("#made")).to_have_text("This browser could not make the picture; the drawing can be saved.")


# ---- sizes and themes ---------------------------------------------------------------------------------------------


SCREENS = (
    (320, 568, "light"), (360, 740, "dark"), (360, 740, "light"), (844, 390, "dark"), (800, 1280, "light"), (1280, 800, "dark"),
)  # fmt: skip


@pytest.mark.long  # that no page scrolls sideways is looked at in all of them
def test_the_story_fits_every_screen(browser: Browser, sitting: FakeSitting, address: str) -> None:
    for width, height, theme in SCREENS:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if theme == "dark" else "light"
        )
        opened = context.new_page()
        for names in (("Ann", "W" * 40, "Maximiliane-Antonia von und zu"), ("Ann", "Ben", "Cat", "Dan", "Eve")):
            sitting.story = retold.any_story(names)
            opened.goto(f"{address}/story")
            expect(opened.locator("#now .which")).to_have_text("The deal")
            opened.keyboard.press("End")
            wide, outside = opened.evaluate(
                """() => {
                    const stage = document.getElementById("stage").getBoundingClientRect();
                    const boxes = [...document.querySelectorAll("#stage .seat, #stage .card, #stage h2")]
                        .map((one) => one.getBoundingClientRect());
                    return [document.documentElement.scrollWidth - innerWidth,
                            boxes.filter((box) => box.left < stage.left - 1 || box.right > stage.right + 1).length];
                }"""
            )
            assert (wide, outside) == (0, 0), (width, height, names)
            overlaps = opened.evaluate(
                """() => {
                    const parts = [...document.querySelectorAll("#stage .seat, #stage .middle")];
                    const boxes = parts.map((one) => one.getBoundingClientRect());
                    const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1
                        || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
                    return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => !apart(a, b))).length;
                }"""
            )
            assert overlaps == 0, (width, height, names)
        colours = opened.evaluate("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")
        assert len(set(colours)) == 2
        context.close()
