"""The live page in a real Chromium, through a host name that is not localhost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from flask import Flask
from playwright.sync_api import Browser, Locator, Page, expect

from companion.cards import Card
from companion.observation import Answer, Call, Entry, Press
from companion.table import slot
from companion.views import MoveView, PlacementView, ViolationView
from companion.web import create_app
from companion.web.serve import Server
from tests.browser import HOST, browser, needs_chromium, page
from tests.companion import tables
from tests.companion.tables import FakeOffer, FakeSitting
from tests.companion.web.conftest import served

__all__ = ["browser", "page"]
pytestmark = needs_chromium
Serving = Callable[[Flask], Server]


def visit(page: Page, server: Server) -> None:
    page.goto(f"http://{HOST}:{server.port}/")
    expect(page.locator("body[data-version]")).to_be_attached()


def test_the_page_follows_the_table(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting)))
    assert page.evaluate("isSecureContext") is False, "a tablet at the table has no secure context either"
    expect(page.locator("h1")).to_have_text("Ben to play")
    expect(page.locator("#seat-1 .mat")).to_have_class("mat means-turn")
    sitting.show(tables.stolen())
    expect(page.locator(".happened")).to_have_text("Anna stole from slot 3 of Cleo and gave slot 4.")
    expect(page.locator('[data-slot="0-4"]')).to_have_class("slot is-lying means-touched")
    expect(page.locator('[data-slot="2-3"]')).to_have_class("slot is-lying means-touched")
    expect(page.locator("#notes")).to_contain_text("locked on the next turn of Cleo, who may steal it back")
    expect(page.locator("#ending")).to_have_text("Four cards in the row: the next one brings on the end.")
    expect(page.locator("#row .face")).to_have_count(4)
    expect(page.locator("#spoken")).to_contain_text("Ben to play.")


def test_a_message_pushes_no_mat_away_at_a_table_of_three(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    sitting.show(tables.playing(3))
    visit(page, serving(create_app(sitting, buttons=True)))
    corners = "[...document.querySelectorAll('.mat')].map((one) => Math.round(one.getBoundingClientRect().y / 4))"
    quiet = page.evaluate(corners)
    remedy = (PlacementView("return_card", (2, 2), False), PlacementView("row", None, False))
    broken = ViolationView("not_your_turn", "STEAL-1.4", 2, (), ((2, 2),), remedy)
    sitting.show(replace(tables.playing(3), violation=broken, disagrees=True))
    expect(page.locator(".alert .choices button")).to_have_count(2)
    assert page.evaluate(corners) == quiet


def test_a_violation_is_ticked_off_and_goes(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting)))
    for done in ((False, False, False), (True, False, False), (True, True, False)):
        sitting.show(tables.broken(done))
        expect(page.locator(".placements .is-done")).to_have_count(sum(done))
        expect(page.locator(".placements .is-open")).to_have_count(3 - sum(done))
    expect(page.locator(".alert .lead")).to_have_text("Dan: It is another player's turn.")
    expect(page.locator("body")).to_have_attribute("data-mood", "alert")
    sitting.show(tables.playing())
    expect(page.locator(".alert")).to_have_count(0)
    expect(page.locator("body")).to_have_attribute("data-mood", "play")


def test_the_reveal_up_to_the_winner(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting)))
    for counts in ((0, 0, 0, 0), (1, 0, 0, 0), (5, 2, 0, 0), (5, 5, 5, 4)):
        sitting.show(tables.revealing(counts))
        for seat, count in enumerate(counts):
            expect(page.locator(f"#seat-{seat} .face")).to_have_count(count)
    expect(page.locator("#seat-0 .hand")).to_have_text("two pair, kings and nines")
    expect(page.locator(".won")).to_have_count(0)
    sitting.show(tables.won())
    expect(page.locator("h1")).to_have_text("Anna wins!")
    expect(page.locator(".won")).to_contain_text("Anna wins with two pair, kings and nines. That beats Ben's hand")
    expect(page.locator("#seat-0 .mat")).to_have_class("mat means-winner")


def test_a_server_that_comes_back_is_followed_again(page: Page, sitting: FakeSitting) -> None:
    with served(create_app(sitting)) as server:
        port = server.port
        visit(page, server)
        for _ in range(20):
            sitting.show(tables.stolen())
        expect(page.locator("body")).to_have_attribute("data-version", "21")
    expect(page.locator("#lost")).to_be_visible()
    again = FakeSitting(tables.won())
    with served(create_app(again), port):
        expect(page.locator("h1")).to_have_text("Anna wins!")
        expect(page.locator("#lost")).to_be_hidden()
        expect(page.locator("body")).to_have_attribute("data-version", "1")
        again.show(tables.playing())
        expect(page.locator("h1")).to_have_text("Ben to play")


def test_another_game_for_another_number_of_players(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting)))
    sitting.show(tables.final())
    expect(page.locator(".seat")).to_have_count(5)
    expect(page.locator("h1")).to_have_text("Final turn: Ben")


def test_offline_and_back(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting)))
    page.context.set_offline(True)
    sitting.show(tables.stolen())
    page.context.set_offline(False)
    expect(page.locator(".happened")).to_be_visible()


def test_a_page_without_a_stream_asks_for_the_state(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting, streams=0)))
    sitting.show(tables.won())
    expect(page.locator("h1")).to_have_text("Anna wins!")
    expect(page.locator("#lost")).to_be_hidden()


def test_without_script_the_page_shows_the_table(browser: Browser, sitting: FakeSitting, serving: Serving) -> None:
    sitting.show(tables.stolen())
    server = serving(create_app(sitting))
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(f"http://{HOST}:{server.port}/")
    expect(plain.locator("h1")).to_have_text("Ben to play")
    expect(plain.locator("#row .face")).to_have_count(4)
    expect(plain.locator(".script")).to_be_visible()
    context.close()


# ---- taps --------------------------------------------------------------------------------------------------------


def test_answering_pressing_and_calling(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting, buttons=True)))
    sitting.show(tables.asked())
    with page.expect_response("**/answer"):
        page.get_by_role("button", name="Nothing happened").click()
    with page.expect_response("**/press/1"):
        page.get_by_role("button", name="Done: Ben").click()
    page.locator(".menu summary").click()
    with page.expect_response("**/call"):
        page.get_by_role("button", name="Pause").click()
    expect(page.locator(".menu")).not_to_have_attribute("open", "")
    assert [(one.seat, one.what) for one in sitting.posted] == [(1, Answer(7, 2)), (1, Press()), (0, Call("pause"))]


def test_a_move_is_picked_step_by_step_by_keyboard(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    sitting.choices = (
        FakeOffer(0, MoveView("discard", 1)),
        *(FakeOffer(10 + n, MoveView("draw", 1, n)) for n in (1, 2)),
        *(FakeOffer(20 + n, MoveView("steal", 1, n, 0, 5)) for n in (1, 2)),
    )
    sitting.show(tables.tapped())
    visit(page, serving(create_app(sitting)))
    page.get_by_role("button", name="My move").focus()
    page.keyboard.press("Enter")
    steps = page.locator("#choose .choices button")
    expect(steps).to_have_text(["Draw from the pile", "Steal"])
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(steps).to_have_text(["From Anna"])
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Back").click()
    expect(steps).to_have_text(["From Anna"])
    steps.first.click()
    steps.first.click()
    expect(steps).to_have_text(["Give slot 1", "Give slot 2"])
    with page.expect_response("**/act"):
        steps.last.click()
    expect(page.locator("#choose")).to_be_hidden()
    assert sitting.claimed == [(1, 22)]


def test_picking_ends_when_the_turn_is_over(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    sitting.choices = (FakeOffer(0, MoveView("discard", 1)), FakeOffer(1, MoveView("pass", 1)))
    sitting.show(tables.tapped())
    visit(page, serving(create_app(sitting)))
    page.get_by_role("button", name="My move").click()
    expect(page.locator("#choose")).to_be_visible()
    sitting.show(replace(tables.tapped(), current=3))
    expect(page.locator("#choose")).to_be_hidden()


def test_a_card_is_entered_and_a_wrong_one_is_refused_in_words(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting)))
    sitting.show(tables.revealing((5, 3, 0, 0)))
    page.locator('[data-enter="1,4"]').click()
    page.locator('[data-rank="K"]').click()
    page.locator('[data-suit="h"]').click()
    expect(page.locator("#refused")).to_have_text("This card lies open already: king of hearts, slot 1 of Anna.")
    page.locator('[data-enter="1,4"]').click()
    page.locator('[data-suit="s"]').click()
    with page.expect_response("**/enter"):
        page.locator('[data-rank="8"]').click()
    expect(page.locator("#refused")).to_be_hidden()
    assert [one.what for one in sitting.posted] == [Entry(slot(1, 4), Card.parse("8s"))]


def test_an_update_leaves_the_focus_where_it_is(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting, buttons=True)))
    page.get_by_role("button", name="Done: Ben").focus()
    sitting.show(tables.stolen())
    expect(page.locator(".happened")).to_be_visible()
    expect(page.get_by_role("button", name="Done: Ben")).to_be_focused()


# ---- fingers -----------------------------------------------------------------------------------------------------


def press(page: Page, button: Locator) -> None:
    """A finger comes down on a button and stays there."""
    box = button.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()


def test_a_tap_counts_though_the_page_is_redrawn_under_the_finger(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    sitting.show(tables.asked())
    visit(page, serving(create_app(sitting)))
    press(page, page.locator("button[data-post='/answer']").first)
    with page.expect_request("**/answer") as sent:
        sitting.show(tables.playing())
        page.wait_for_timeout(400)
        page.mouse.up()
    assert sent.value.post_data_json == {"question": 7, "choice": 0}


def test_a_hand_that_rests_on_the_tablet_does_not_stop_the_page(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    visit(page, serving(create_app(sitting)))
    page.mouse.move(5, 5)
    page.mouse.down()
    sitting.show(tables.stolen())
    expect(page.locator("#row .face")).to_have_count(4)


def test_nothing_can_be_tapped_before_the_page_follows(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    sitting.show(tables.tapped())
    server = serving(create_app(sitting))
    page.route("**/static/table.js*", lambda route: route.abort())
    page.goto(f"http://{HOST}:{server.port}/")
    reach = page.evaluate("() => [...document.querySelectorAll('button')].map((one) => getComputedStyle(one).pointerEvents)")
    assert reach and set(reach) == {"none"}
