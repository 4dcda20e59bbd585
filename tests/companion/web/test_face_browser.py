"""The look of the table page in a real Chromium: arrows, the way it faces, pictures for words, colours of the suits."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace

from flask import Flask
from playwright.sync_api import Browser, Page, expect

from companion.inbox import Receipt
from companion.views import MoveView, View
from companion.web import create_app
from companion.web.serve import Server
from tests.browser import HOST, browser, needs_chromium, page
from tests.companion import tables
from tests.companion.tables import FakeOffer, FakeSitting
from tests.companion.web.layouts import CROWDED, faults

__all__ = ["browser", "page"]
pytestmark = needs_chromium
Serving = Callable[[Flask], Server]

ENDS = """() => [...document.querySelectorAll(".arrow")].map((arrow) => {
    const line = arrow.querySelector(".line:not(.head)");
    const matrix = line.getScreenCTM();
    const at = (length) => line.getPointAtLength(length).matrixTransform(matrix);
    const [a, b] = [at(0), at(line.getTotalLength())];
    return [arrow.dataset.from, arrow.dataset.to, [a.x, a.y], [b.x, b.y]];
})"""


def visit(page: Page, server: Server) -> None:
    page.goto(f"http://{HOST}:{server.port}/")
    expect(page.locator("body[data-version]")).to_be_attached()


def show(page: Page, sitting: FakeSitting, view: View) -> None:
    sitting.show(view)
    expect(page.locator("body")).to_have_attribute("data-version", str(sitting.shown.version))


def choose(page: Page, name: str, value: str) -> None:
    """Choose a look in the menu."""
    page.locator(".menu summary").click()
    page.locator(f'#looks [name="{name}"][value="{value}"]').check()
    page.locator(".menu summary").click()


def check_arrows(page: Page, *ways: tuple[str, str]) -> None:
    """Every arrow begins and ends close to the card of its place, as it lies on the screen."""
    found = page.evaluate(ENDS)
    assert [(start, goal) for start, goal, *_ in found] == list(ways)
    for start, goal, *ends in found:
        for name, (x, y) in zip((start, goal), ends, strict=True):
            place = f'[data-slot="{name[5:]}"] .card' if name.startswith("slot") else f'[data-place="{name}"]'
            box = page.locator(place).first.bounding_box()
            assert box is not None
            aside = max(box["x"] - x, x - box["x"] - box["width"], 0), max(box["y"] - y, y - box["y"] - box["height"], 0)
            assert math.hypot(*aside) < 45, f"the arrow of {name} ends {aside} away from it"


# ---- arrows ----------------------------------------------------------------------------------------------------------


def test_arrows_follow_the_moves_and_the_page(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting)))
    expect(page.locator(".arrow")).to_have_count(0)
    show(page, sitting, tables.stolen())
    steal = (("slot-2-3", "slot-0-4"), ("slot-0-4", "slot-2-3"))
    check_arrows(page, *steal)
    expect(page.locator("#arrows")).to_have_attribute("aria-hidden", "true")
    expect(page.locator("#spoken")).to_contain_text("Anna stole from slot 3 of Cleo and gave slot 4.")
    for size in ((800, 1280), (360, 640), (1280, 800)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        # Drawn anew a frame later; the arrow never leaves the ground that it lies on.
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        check_arrows(page, *steal)
    assert page.evaluate("getComputedStyle(document.querySelector('.arrow .line')).animationName") == "none", "calm motion"

    drawn = replace(tables.playing(), last=MoveView("draw", 0, 2, provisional=True))
    show(page, sitting, drawn)
    check_arrows(page, ("pile", "slot-0-2"), ("slot-0-2", "row"))
    expect(page.locator("#arrows")).to_have_attribute("data-state", "done")
    show(page, sitting, replace(drawn, last=MoveView("draw", 0, 2)))
    expect(page.locator("#arrows")).to_have_attribute("data-state", "past")
    assert float(page.evaluate("getComputedStyle(document.getElementById('arrows')).opacity")) < 0.5
    show(page, sitting, replace(drawn, last=MoveView("discard", 0)))
    check_arrows(page, ("pile", "row"))
    show(page, sitting, replace(drawn, removed=1, last=MoveView("take", 0, 5)))
    found = page.evaluate(ENDS)
    assert [(start, goal) for start, goal, *_ in found] == [("row", "slot-0-5"), ("slot-0-5", "aside")]
    show(page, sitting, tables.awaiting())
    expect(page.locator("#arrows")).to_have_attribute("data-state", "due")
    assert "," in page.evaluate("getComputedStyle(document.querySelector('.arrow .line')).strokeDasharray"), "dashed"
    for view in (tables.asked(), tables.won()):
        show(page, sitting, view)
        expect(page.locator(".arrow")).to_have_count(0)


NOTE_BEGINNINGS = """() => document.addEventListener("animationstart",
    (event) => { document.body.dataset.began += ` ${event.animationName}`; })"""
"""The body notes every animation that begins; one that is over cannot be asked any more."""


def test_an_arrow_is_drawn_before_the_eyes_where_motion_is_welcome(
    browser: Browser, sitting: FakeSitting, serving: Serving
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="no-preference")
    moving = context.new_page()
    visit(moving, serving(create_app(sitting)))
    moving.evaluate(NOTE_BEGINNINGS)
    show(moving, sitting, tables.stolen())
    expect(moving.locator("body")).to_have_attribute("data-began", re.compile(r"\bdraw\b"))
    # Nor is it drawn once more when the felt changes later on.
    expect(moving.locator("#arrows.fresh")).to_have_count(0)
    context.close()


# ---- facing ----------------------------------------------------------------------------------------------------------

SIDES = """() => Object.fromEntries([...document.querySelectorAll(".seat")].map((seat) => {
    const box = seat.getBoundingClientRect();
    const [x, y] = [(box.left + box.right) / 2 / innerWidth - .5, (box.top + box.bottom) / 2 / innerHeight - .5];
    return [seat.ariaLabel, Math.abs(x) > Math.abs(y) ? (x < 0 ? "left" : "right") : (y < 0 ? "top" : "bottom")];
}))"""
AROUND = {"Anna": "bottom", "Ben": "left", "Cleo": "top", "Dan": "right"}


def test_a_lying_table_turns_its_page_to_the_player_in_turn(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    server = serving(create_app(sitting))
    visit(page, server)
    assert page.evaluate(SIDES) == AROUND
    choose(page, "facing", "page")
    for current, angle in ((1, "90"), (2, "180"), (3, "270"), (0, "0")):
        show(page, sitting, replace(tables.stolen(), current=current))
        expect(page.locator("body")).to_have_attribute("data-turned", angle)
        expect(page.locator("body[data-turning]")).to_have_count(0)
        assert page.evaluate(SIDES) == AROUND, "everybody stays where he sits"
        check_arrows(page, ("slot-2-3", "slot-0-4"), ("slot-0-4", "slot-2-3"))
        expect(page.locator(f"#seat-{current}")).to_have_class("seat at-0")
    # A tap reaches what is seen there, and a dialog is upright for the same player.
    sitting.choices = (FakeOffer(0, MoveView("discard", 1)), FakeOffer(1, MoveView("pass", 1)))
    show(page, sitting, replace(tables.tapped(), current=1))
    page.get_by_role("button", name="My move").click()
    dialog = page.locator("#choose")
    expect(dialog).to_be_visible()
    assert dialog.evaluate("(one) => getComputedStyle(one).rotate") == "90deg"
    # Under a hand that chooses nothing turns away; afterwards it does.
    page.keyboard.press("Escape")
    page.locator(".menu summary").click()
    show(page, sitting, replace(tables.playing(), current=2))
    expect(page.locator("body")).to_have_attribute("data-turned", "90")
    page.locator(".menu summary").click()
    expect(page.locator("body")).to_have_attribute("data-turned", "180")
    page.reload()
    expect(page.locator("body")).to_have_attribute("data-turned", "180")
    show(page, sitting, tables.won())
    expect(page.locator("body")).to_have_attribute("data-turned", "0")


def test_nothing_can_be_tapped_while_the_page_turns(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting)))
    choose(page, "facing", "page")
    page.clock.install()
    show(page, sitting, replace(tables.playing(), current=3))
    expect(page.locator("body")).to_have_attribute("data-turning", "")
    assert page.evaluate("getComputedStyle(document.querySelector('#halt button')).pointerEvents") == "none"
    page.clock.run_for(1000)
    assert page.evaluate("getComputedStyle(document.querySelector('#halt button')).pointerEvents") == "auto"


def test_on_a_standing_screen_the_seat_in_turn_moves_to_the_front(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting)))
    choose(page, "facing", "seat")
    for current, sides in ((1, "left"), (2, "top")):
        show(page, sitting, replace(tables.playing(), current=current))
        expect(page.locator(f"#seat-{current}")).to_have_class("seat at-0")
        placed = page.evaluate(SIDES)
        assert placed[tables.NAMES[current]] == "bottom"
        assert placed[tables.NAMES[(current + 1) % 4]] == "left", f"the order round the table stays, not {sides}"
        expect(page.locator("body")).to_have_attribute("data-turned", "0")


# ---- pictures --------------------------------------------------------------------------------------------------------

WORDS = "h1, .hint, .happened, .said, .lead, .homes, .loose, #ending, .caption, .hand, .worth, .why, .ladder h2, .ladder .last"
"""What is said in words, and in pictures must not be seen."""
WRITTEN = """(WORDS) => {
    const walk = document.createTreeWalker(document.getElementById("stage"), NodeFilter.SHOW_TEXT);
    const words = [];
    while (walk.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(walk.currentNode);
        const one = walk.currentNode.parentElement;
        const box = one.getBoundingClientRect();
        if (one.checkVisibility({visibilityProperty: true}) && !one.closest(".sheet, .unseen, .tag") && box.width > 1
            && !one.closest(WORDS)
            && /\\p{L}{2}/u.test(range.toString())) words.push(range.toString().trim());
    }
    return words;
}"""
HIDDEN = """(WORDS) => [...document.querySelectorAll(WORDS)]
    .filter((one) => !one.closest(".sheet, dialog") && one.checkVisibility()
        && one.getBoundingClientRect().width * one.getBoundingClientRect().height > 2).map((one) => one.textContent)"""


def test_children_play_by_pictures(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting)))
    choose(page, "words", "pictures")
    names = set(tables.NAMES)
    for name, view in tables.SITUATIONS.items():
        show(page, sitting, view)
        assert page.evaluate(HIDDEN, WORDS) == [], name
        if name not in ("troubled", "by_hand"):  # what is wrong with a camera is for grown-ups
            assert set(page.evaluate(WRITTEN, WORDS)) <= names, name
        assert page.locator("h1").inner_text() == page.locator("h1").text_content(), "screen readers still get the words"
    show(page, sitting, tables.playing())
    expect(page.locator(".headline .emblem-1")).to_be_visible()
    expect(page.locator(".deeds-now .deed")).to_have_count(3)
    show(page, sitting, replace(tables.playing(), row=(), pile=0))
    expect(page.locator(".deeds-now .deed")).to_have_count(1)
    # What to put back, ticked off; nobody is shown as the one who did wrong.
    show(page, sitting, tables.broken((True, False, False)))
    expect(page.locator(".placements .is-done .emblem-3")).to_be_visible()
    expect(page.locator(".placements .is-open .emblem-0")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.means-broke')).borderStyle") == "solid"
    # Names for screen readers, pictures for the eye.
    show(page, sitting, tables.asked())
    with page.expect_response("**/answer"):
        page.get_by_role("button", name="Nothing happened").click()
    sitting.choices = tuple(FakeOffer(20 + n, MoveView("steal", 1, n, 0, 5)) for n in (1, 2))
    show(page, sitting, tables.tapped())
    page.get_by_role("button", name="My move").click()
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        for step in ("Steal", "From Anna", "Take slot 5", "Give slot 2"):
            choice = page.locator("#choose").get_by_role("button", name=step)
            expect(choice.locator("svg").first).to_be_visible()
            choice.click()
    expect(page.locator("#choose")).to_be_hidden()
    assert sitting.claimed == [(1, 22)]
    show(page, sitting, tables.won())
    expect(page.locator(".step.wins .emblem-0")).to_be_visible()
    expect(page.locator(".step .emblem")).to_have_count(4)
    # And back again.
    choose(page, "words", "written")
    assert page.evaluate(HIDDEN, WORDS) != []
    expect(page.locator(".step .emblem-0")).to_be_hidden()


# ---- looks -----------------------------------------------------------------------------------------------------------

COLOURS = """() => [...document.querySelectorAll("#row .face")].slice(0, 4).map((one) => getComputedStyle(one).color)"""
FOUR = ["rgb(11, 87, 208)", "rgb(18, 122, 58)", "rgb(20, 23, 28)", "rgb(196, 18, 47)"]
TWO = ["rgb(196, 18, 47)", "rgb(20, 23, 28)", "rgb(20, 23, 28)", "rgb(196, 18, 47)"]


def test_looks_are_kept_for_this_browser_alone(browser: Browser, sitting: FakeSitting, serving: Serving) -> None:
    sitting.show(tables.stolen())
    server = serving(create_app(sitting))
    context = browser.new_context(reduced_motion="reduce")
    # A browser that refuses to keep anything but cookies.
    context.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('refused'); }})")
    own = context.new_page()
    visit(own, server)
    assert own.evaluate(COLOURS) == FOUR
    choose(own, "suits", "two")
    assert own.evaluate(COLOURS) == TWO, "at once"
    own.reload()
    expect(own.locator("body[data-version]")).to_be_attached()
    assert own.evaluate(COLOURS) == TWO, "after a reload"
    own.locator(".menu summary").click()
    expect(own.locator('[name="suits"][value="two"]')).to_be_checked()
    expect(own.locator('[name="words"][value="written"]')).to_be_checked()
    other = browser.new_context()
    another = other.new_page()
    visit(another, server)
    assert another.evaluate(COLOURS) == FOUR
    for each in (context, other):
        each.close()


def test_looks_hold_until_the_page_is_left_where_nothing_is_kept(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    sitting.show(tables.stolen())
    page.add_init_script("Object.defineProperty(Document.prototype, 'cookie', {get: () => '', set() {}})")
    visit(page, serving(create_app(sitting)))
    choose(page, "suits", "two")
    assert page.evaluate(COLOURS) == TWO
    show(page, sitting, replace(tables.stolen(), pile=9))
    assert page.evaluate(COLOURS) == TWO
    page.reload()
    expect(page.locator("body[data-version]")).to_be_attached()
    assert page.evaluate(COLOURS) == FOUR


# ---- what lay over what ----------------------------------------------------------------------------------------------


def test_a_refusal_does_not_lie_over_what_was_pressed(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    sitting.refuses = "no_change"
    sitting.show(replace(tables.playing(), phase="setup", current=None))  # anybody may begin
    visit(page, serving(create_app(sitting, buttons=True)))
    apart = """([one, other]) => {
        const [a, b] = [one, other].map((each) => document.querySelector(each).getBoundingClientRect());
        return a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
    }"""
    for size in ((1280, 800), (360, 740)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for button in ("#seat-2 .press", "#seat-0 .press", "#halt button"):
            page.evaluate("document.getElementById('refused').hidden = true")  # the one before
            page.locator(button).click()
            expect(page.locator("#refused")).to_be_visible()
            assert page.evaluate(apart, ["#refused", button]), f"{button} at {size}"


def test_the_button_that_lets_a_browser_sound_covers_nothing(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    page.add_init_script("localStorage.setItem('voice', JSON.stringify({level: 'all'}))")
    sitting.show(CROWDED["undo_across_the_end"])
    visit(page, serving(create_app(sitting)))
    for size in ((1280, 800), (360, 740)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        expect(page.locator("#unlock")).to_be_visible()
        assert faults(page) == []


CUT = """(one) => {
    const [box, sheet] = [one, one.closest(".sheet")].map((each) => each.getBoundingClientRect());
    return box.left < sheet.left || box.right > sheet.right || box.top < sheet.top || box.bottom > sheet.bottom
        || sheet.top < 0 || sheet.left < 0 || one.scrollWidth > one.clientWidth
        ? [one.textContent, JSON.stringify(box), JSON.stringify(sheet)] : [];
}"""
"""What of a thing in the menu is not on the screen."""


def test_the_last_things_of_the_menu_can_be_reached(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting)))
    for size in ((1280, 800), (360, 740), (320, 568)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.locator(".menu summary").click()
        for last in (page.get_by_role("button", name="Say it now"), page.locator(".languages button").last):
            for _ in range(200):
                last.scroll_into_view_if_needed()
                cut = last.evaluate(CUT)
                if not cut:
                    break
                page.wait_for_timeout(50)  # what is drawn a moment later may move it
            assert cut == [], f"{size}"
        page.locator(".menu summary").click()


def test_the_end_shows_its_buttons_at_once(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting, next_game=Receipt)))
    inside = """(one) => {
        const box = one.getBoundingClientRect();
        return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth && scrollY === 0;
    }"""
    page.set_viewport_size({"width": 360, "height": 740})
    show(page, sitting, tables.won())
    for button in page.locator("#halt > *").all():
        assert button.evaluate(inside)
    page.set_viewport_size({"width": 1280, "height": 800})
    show(page, sitting, CROWDED["undo_across_the_end"])
    buttons = page.locator(".proposal button").all()
    assert len(buttons) == 6
    assert all(button.evaluate(inside) for button in buttons)
