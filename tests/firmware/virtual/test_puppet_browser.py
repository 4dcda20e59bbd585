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
    walk.carry("held", "row-1")
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
    walk.carry("slot-1-4", "slot-0-3")
    walk.carry("held", "slot-1-4")
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
    expect(walk.page.locator(".note.won")).to_contain_text("wins with")
    expect(walk.page.locator(".slots .face")).to_have_count(15)


def undo_after_the_end(walk: Walk) -> None:
    """The last move is taken back: everybody agrees, hides his cards and lays back what was moved."""
    moves = walk.table.view.undo
    walk.way.press(walk.page.locator(".menu summary"))
    walk.press("Undo the last move")
    walk.table.until(lambda view: view.proposal is not None and view.proposal.waiting == (0,))
    walk.press("Seat 1 agrees")
    walk.until(lambda view: view.undo == moves - 1)
    walk.deed("Put it right for me")
    walk.until(lambda view: view.phase == "final" and not view.steps and not view.turn_down)
    expect(walk.page.locator(".slots .face")).to_have_count(0)


def whole_game(walk: Walk) -> None:
    table = walk.table
    expect(walk.spot("slot-0-3")).to_have_attribute("aria-label", "slot 3 of Seat 1, empty")
    dealt(walk)
    expect(walk.spot("slot-0-3")).to_have_attribute("aria-label", "slot 3 of Seat 1, a face-down card")
    look_at_hand(walk)
    draw_into(walk, 2)
    walk.my_turn()
    table.run(4.0)
    break_a_rule_and_put_it_right(walk)
    steal_a_card(walk)
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
    walk.press("Next game")
    walk.until(lambda view: len(table.worlds) > worlds and view.phase == "setup")
    expect(walk.page.get_by_role("button", name="Deal for me")).to_be_visible()


def test_a_whole_game_by_pointer_alone(page: Page, serving: Serving) -> None:
    with hand_table() as table:
        whole_game(opened(page, table, serving, Pointer(page)))


def test_a_whole_game_by_keyboard_alone(page: Page, serving: Serving) -> None:
    with hand_table() as table:
        whole_game(opened(page, table, serving, Keys(page)))
