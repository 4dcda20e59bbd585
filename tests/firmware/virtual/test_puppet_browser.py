"""A whole game on the virtual table in a real Chromium, by pointer alone and by keyboard alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from companion.table import PILE, slot
from companion.web.serve import Server
from tests.browser import HOST, browser, needs_chromium, page
from tests.firmware.virtual.handplayed import HandTable, hand_table
from tests.firmware.virtual.walking import Keys, Pointer, Walk, Way, my_turn

__all__ = ["browser", "page"]
pytestmark = needs_chromium
Serving = Callable[[Flask], Server]


@pytest.fixture
def serving() -> Iterator[Serving]:
    running: list[tuple[Server, threading.Thread]] = []

    def serve(app: Flask) -> Server:
        server = Server(app, "127.0.0.1", 0)
        thread = threading.Thread(target=server.run, name="page of the virtual table")
        thread.start()
        running.append((server, thread))
        return server

    yield serve
    for server, thread in running:
        server.close()
        thread.join(10)


def opened(page: Page, table: HandTable, serving: Serving, way: Way) -> Walk:
    """The page as somebody gets it who follows the printed link."""
    page.goto(f"http://{HOST}:{serving(table.app()).port}{table.link()}")
    expect(page).to_have_url(f"http://{HOST}:{page.url.split(':')[2].split('/')[0]}/puppet")
    walk = Walk(page, table, way)
    walk.shown()
    return walk


def dealt(walk: Walk) -> None:
    walk.press("I just want to play")
    walk.deed("Deal one card")
    assert len(walk.table.world.lying(slot(0, 1))) == 1
    walk.deed("Deal for me")
    walk.until(my_turn)
    walk.table.run(10.0)


def look_at_hand(walk: Walk) -> None:
    walk.deed("Take my cards in hand")
    expect(walk.held).to_have_count(5)
    expect(walk.page.locator("#top-0 .held .face")).to_have_count(5)
    walk.deed("Lay them back")
    expect(walk.held).to_have_count(0)
    expect(walk.page.locator("#top-0 .slots .face")).to_have_count(0)


def draw_into(walk: Walk, number: int) -> None:
    walk.carry("pile", f"slot-0-{number}")
    expect(walk.held).to_have_count(1)
    # The old card is taken up already: who points at it once more has not let it go, and is told where it goes.
    walk.way.press(walk.held)
    expect(walk.held).to_have_attribute("aria-pressed", "true")
    expect(walk.page.locator("#where")).to_contain_text("The card in your hand goes onto the row or into a slot")
    expect(walk.page.locator("#said")).to_contain_text("The card in your hand goes onto the row")
    # Nor has who is not heard for a moment.
    walk.page.route("**/puppet/do", lambda route: route.abort(), times=1)
    walk.way.press(walk.spot("row-1"))
    expect(walk.page.locator("#refused")).to_be_visible()
    expect(walk.held).to_have_attribute("aria-pressed", "true")
    with walk.page.expect_response("**/puppet/do"):
        walk.way.press(walk.spot("row-1"))
    walk.settle()
    expect(walk.page.locator("#where")).to_be_hidden()
    assert walk.until(lambda view: view.turn == 1).last.slot == number
    expect(walk.page.locator("#tray .row .face")).to_have_count(1)


def break_a_rule_and_put_it_right(walk: Walk) -> None:
    """Two own cards change places; the table says what to put back, and ticks it off."""
    walk.carry("slot-0-1", "slot-0-2")
    walk.carry("held", "slot-0-1")
    walk.until(lambda view: view.violation is not None)
    expect(walk.page.locator(".note.alert")).to_be_visible()
    expect(walk.page.locator("#top-0 .means-put_back")).to_have_count(2)
    walk.carry("slot-0-1", "slot-0-2")
    walk.carry("held", "slot-0-1")
    walk.until(my_turn)
    expect(walk.page.locator(".note.alert")).to_have_count(0)


def steal_a_card(walk: Walk) -> None:
    with walk.page.expect_response("**/puppet/do"):
        walk.way.carry(walk.spot("slot-1-4"), walk.spot("slot-0-3"))
    walk.table.until(lambda view: len(walk.table.held()) == 1)
    walk.shown()
    # The hands are not done with it: who points at the empty slot already is heard all the same.
    assert walk.table.top.busy
    walk.way.press(walk.spot("slot-1-4"))
    with walk.page.expect_response("**/puppet/do"):
        walk.table.at_rest()
    expect(walk.page.locator("#said")).to_have_text("From here: a card in the hand. To there: slot 4 of Seat 2.")
    walk.settle()
    turn = walk.table.view.turn
    last = walk.until(lambda view: view.last is not None and view.last.kind == "steal" and view.last.seat == 0).last
    assert (last.victim, last.victim_slot, last.slot) == (1, 4, 3)
    expect(walk.page.locator("[data-slot='0-3'][data-lock]")).to_have_count(1)
    assert walk.table.view.turn >= turn


def dispute_and_correct(walk: Walk) -> None:
    """Play is stopped, the page is asked what happened, a card of the row is called by another name and by its own again,
    and everybody agrees to go on."""
    walk.press("Stop")
    walk.until(lambda view: view.stopped)
    walk.way.press(walk.page.get_by_role("link", name="What happened?"))
    expect(walk.page.locator(".moves")).to_contain_text("Seat 1 stole from slot 4 of Seat 2")
    walk.way.press(walk.page.get_by_role("link", name="The table").first)
    walk.shown()
    true = walk.table.view.row[0]
    assert true is not None
    # The deepest card of the pile, which nobody will draw.
    other = str(walk.table.world.lying(PILE)[0].piece.face)
    correct_a_card(walk, other, other[0], other[1])
    correct_a_card(walk, true, true[0], true[1])
    walk.press("Play goes on")
    walk.table.until(lambda view: view.proposal is not None and view.proposal.waiting == (0,))
    walk.press("Seat 1 agrees")
    walk.table.until(lambda view: not view.stopped)


def correct_a_card(walk: Walk, card: str, rank: str, suit: str) -> None:
    """The first card of the row is said to be another one."""
    walk.way.press(walk.page.get_by_role("button", name="Card 1 of the row"))
    walk.way.press(walk.page.locator(f"#enter [data-rank='{rank}']"))
    with walk.page.expect_response("**/correct") as answer:
        walk.way.press(walk.page.locator(f"#enter [data-suit='{suit}']"))
    walk.table.run(0.3)
    assert answer.value.status in (200, 202), answer.value.text()
    assert walk.table.until(lambda view: view.row[0] == card).row[0] == card


def to_the_reveal(walk: Walk) -> None:
    while walk.my_turn().phase != "over":
        walk.draw()
    walk.until(lambda view: view.revealing)
    walk.deed("Turn my cards over")
    walk.until(lambda view: view.result is not None)
    expect(walk.page.locator("h1")).to_contain_text("wins")
    expect(walk.page.locator(".felt .slots .face")).to_have_count(15)


def undo_after_the_end(walk: Walk) -> None:
    """The last move is taken back: everybody agrees, hides his cards and lays back what was moved."""
    moves = walk.table.view.undo
    walk.way.press(walk.page.locator(".menu summary"))
    walk.press("Undo the last move")
    expect(walk.page.locator(".sheet")).to_be_hidden()
    walk.table.until(lambda view: view.proposal is not None and view.proposal.waiting == (0,))
    walk.press("Seat 1 agrees")
    walk.until(lambda view: view.undo == moves - 1)
    walk.deed("Put it right for me")
    walk.until(lambda view: view.phase == "final" and not view.steps and not view.turn_down)
    expect(walk.page.locator(".felt .slots .face")).to_have_count(0)


def first_moves(walk: Walk) -> None:
    """From the deal over a draw, a broken rule that is put right and a theft to the next turn."""
    expect(walk.spot("slot-0-3")).to_have_attribute("aria-label", "slot 3 of Seat 1, empty")
    dealt(walk)
    expect(walk.spot("slot-0-3")).to_have_attribute("aria-label", "slot 3 of Seat 1, a face-down card")
    look_at_hand(walk)
    draw_into(walk, 2)
    walk.my_turn()
    walk.table.run(4.0)
    break_a_rule_and_put_it_right(walk)
    steal_a_card(walk)


def whole_game(walk: Walk) -> None:
    table = walk.table
    first_moves(walk)
    walk.my_turn()
    walk.draw()
    dispute_and_correct(walk)
    # Back from the table's page to the one where cards are moved.
    walk.way.press(walk.page.locator(".menu summary"))
    walk.way.press(walk.page.get_by_role("link", name="The strings"))
    to_the_reveal(walk)
    undo_after_the_end(walk)
    to_the_reveal(walk)
    worlds = len(table.worlds)
    walk.press("Same again")
    walk.until(lambda view: len(table.worlds) > worlds and view.phase == "setup")
    expect(walk.page.get_by_role("button", name="Deal for me")).to_be_visible()


def test_a_whole_game_by_pointer_alone(page: Page, serving: Serving) -> None:
    with hand_table() as table:
        whole_game(opened(page, table, serving, Pointer(page)))


def test_the_first_moves_by_keyboard_alone(page: Page, serving: Serving) -> None:
    """All kinds of deeds; the rest of the game is pressed like every other button of the page."""
    with hand_table() as table:
        first_moves(opened(page, table, serving, Keys(page)))


@pytest.mark.long
def test_a_whole_game_by_keyboard_alone(page: Page, serving: Serving) -> None:
    with hand_table() as table:
        whole_game(opened(page, table, serving, Keys(page)))


SCREENS = ((360, 740), (800, 1280), (1280, 800), (1024, 600))


def test_the_table_fits_every_screen_in_the_longest_language(page: Page, serving: Serving) -> None:
    with hand_table(5, tutorial=True) as table:
        page.context.add_cookies([{"name": "viewmat-language", "value": "de", "url": f"http://{HOST}"}])
        walk = opened(page, table, serving, Pointer(page))
        table.do("deal_all")
        table.run(12.0)
        walk.shown()
        expect(page.locator(".lesson h2")).to_have_text("Sieh deine Karten an")
        table.do("lift", "slot-0-1 slot-0-2 slot-0-3 slot-0-4 slot-0-5")
        table.do("move", "slot-1-1", "slot-2-1", on_top=True)
        walk.shown()
        for size in SCREENS:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            fits(walk, size)


def fits(walk: Walk, size: tuple[int, int]) -> None:
    """Nothing sticks out or lies over something else on a screen of this size, nor on one that is too low for all of it."""
    page = walk.page
    wide, small, beneath = page.evaluate(
        """() => {
            const boxes = [...document.querySelectorAll("button, summary, select")].filter((one) => one.offsetParent)
                .map((one) => one.getBoundingClientRect());
            const least = Math.min(...boxes.map((box) => Math.min(box.width, box.height)));
            const mats = [...document.querySelectorAll(".mat, .tray")].map((one) => one.getBoundingClientRect());
            const over = mats.some((a, i) => mats.some((b, k) => i < k && a.left < b.right - 1 && b.left < a.right - 1
                && a.top < b.bottom - 1 && b.top < a.bottom - 1));
            return [document.documentElement.scrollWidth - innerWidth, least, over];
        }"""
    )
    assert wide <= 0
    assert small >= 24
    assert not beneath, "no mat lies over another or over the row"
    beside = page.evaluate(
        """() => {
            document.querySelector("#tricks").open = true;
            const [told, foot, panel, drawer] = [".told", ".foot", ".panel", "#tricks"]
                .map((one) => document.querySelector(one).getBoundingClientRect());
            const clear = told.bottom <= foot.top && foot.bottom <= innerHeight && drawer.right < panel.left;
            document.querySelector("#tricks").open = false;
            return {wide: foot.height > 0, clear};
        }"""
    )
    assert beside == {"wide": size[0] >= 1000, "clear": size[0] >= 1000}
    # On a screen that is too low for all of it the buttons float, but not over cards in the hand.
    page.set_viewport_size({"width": size[0], "height": round(walk.held.first.bounding_box()["y"]) + 40})  # type: ignore[index]
    covered = page.evaluate(
        """() => {
            const hands = document.querySelector("#hands").getBoundingClientRect();
            const mine = [...document.querySelectorAll(".is-mine .held .spot")].map((one) => one.getBoundingClientRect());
            return mine.filter((card) => card.bottom > hands.top + 1 && hands.bottom > card.top + 1).length;
        }"""
    )
    assert not covered


def test_a_finger_drags_a_card(page: Page, serving: Serving) -> None:
    with hand_table() as table:
        walk = opened(page, table, serving, Pointer(page))
        table.do("deal_all")
        table.until(my_turn)
        table.run(10.0)
        walk.shown()
        touch = page.context.new_cdp_session(page)
        start, end = walk.spot("pile").bounding_box(), walk.spot("slot-0-5").bounding_box()
        assert start is not None and end is not None
        points = [(start["x"] + 20 + step * (end["x"] - start["x"]) / 5, start["y"] + 20 + step * (end["y"] - start["y"]) / 5)
                  for step in range(6)]  # fmt: skip
        with page.expect_response("**/puppet/do"):
            for number, (x, y) in enumerate(points):
                kind = "touchMove" if number else "touchStart"
                touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
            touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        walk.settle()
        expect(walk.held).to_have_count(1)
        expect(page.locator(".ghost")).to_have_count(0)


def test_the_tutorial_is_offered_begun_and_left(page: Page, serving: Serving) -> None:
    with hand_table() as table:
        walk = opened(page, table, serving, Pointer(page))
        walk.press("Show me")
        walk.until(lambda view: len(table.worlds) == 2)
        expect(page.locator(".lesson h2")).to_have_text("Deal the cards")
        walk.deed("Deal for me")
        walk.until(my_turn)
        expect(page.locator(".lesson h2")).to_have_text("Look at your cards")
        expect(page.locator("#offer")).to_be_hidden()
        walk.press("Leave the tutorial")
        expect(page.locator(".lesson")).to_have_count(0)


def test_a_game_that_is_being_played_is_ended_only_by_who_is_sure(page: Page, serving: Serving) -> None:
    with hand_table() as table:
        walk = opened(page, table, serving, Keys(page))
        dealt(walk)
        draw_into(walk, 1)
        for answer in ("Close", "Begin the next game"):
            walk.way.press(page.locator(".menu summary"))
            with page.expect_response("**/puppet/sit") as asked:
                walk.press("Begin a new game")
            assert asked.value.status == 409
            expect(page.get_by_role("dialog")).to_contain_text("A game is being played.")
            expect(page.locator("#refused")).to_be_hidden()
            if answer == "Close":
                walk.press(answer)
                expect(page.get_by_role("dialog")).to_have_count(0)
                table.run(1.0)
                assert len(table.worlds) == 1
                continue
            with page.expect_response("**/puppet/sit") as begun:
                walk.press(answer)
            assert begun.value.ok
        walk.until(lambda view: len(table.worlds) == 2)
        assert not table.top.dealt


def test_other_seats_lay_the_page_anew(page: Page, serving: Serving) -> None:
    with hand_table(mine=(1,)) as table:
        walk = opened(page, table, serving, Pointer(page))
        expect(page.locator("#top-1")).to_have_class("seat at-0")
        expect(page.locator(".who")).to_be_hidden()
        walk.way.press(page.locator(".menu summary"))
        walk.press("All seats: I play for everybody")
        walk.until(lambda view: len(table.worlds) == 2)
        expect(page.locator("#top-0")).to_have_class("seat at-0")
        expect(page.locator(".is-mine")).to_have_count(3)
        expect(page.locator(".who")).to_be_visible()


def test_hands_say_what_they_do_and_what_they_cannot(page: Page, serving: Serving) -> None:
    with hand_table() as table:
        walk = opened(page, table, serving, Keys(page))
        walk.press("I just want to play")
        walk.deed("Deal for me")
        expect(page.locator("#said")).to_have_text("The cards are dealt.")
        table.until(my_turn)
        walk.shown()
        walk.spot("slot-0-4").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#said")).to_have_text("slot 4 of Seat 1, a face-down card: now choose where it goes.")
        page.keyboard.press("Escape")
        expect(page.locator("#said")).to_have_text("Let go.")
        page.keyboard.press("Enter")
        walk.deed("Turn it over")
        expect(page.locator("#said")).to_have_text("Turned over: slot 4 of Seat 1.")
        expect(walk.spot("slot-0-4").locator(".face")).to_have_count(1)
        with page.expect_response("**/puppet/do"):
            page.evaluate("""fetch("/puppet/do", {method: "POST", headers: {"Content-Type": "application/json"},
                body: JSON.stringify({deed: "back"})})""")
        walk.settle()
        expect(page.locator("#refused")).to_have_text("There is no card in this hand that could go back into its slot.")


def test_every_face_is_shown_to_who_says_that_he_cheats_and_to_no_other_page(page: Page, serving: Serving) -> None:
    with hand_table() as table:
        walk = opened(page, table, serving, Pointer(page))
        table.do("deal_all")
        table.until(my_turn)
        walk.shown()
        expect(page.locator(".slots .face")).to_have_count(0)
        walk.way.press(page.locator("#tricks summary"))
        page.get_by_label("Show me every face").check()
        expect(page.locator(".slots .face")).to_have_count(15)
        page.get_by_label("Show me every face").uncheck()
        expect(page.locator(".slots .face")).to_have_count(0)
        page.goto(page.url.replace("/puppet", "/"))
        expect(page.locator("#seat-0 .back")).to_have_count(5)
        assert not page.locator(".slots .face").count()
