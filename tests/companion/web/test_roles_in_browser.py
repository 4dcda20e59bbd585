"""Joining, acting for one seat, being replaced, and the referee's page, in a real Chromium with two browsers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect

from companion.observation import Call, Declaration, Press
from companion.views import Role
from companion.web import create_app
from companion.web.serve import Server
from companion.web.strings import string_pages
from tests.browser import HOST, PATIENCE_MS, browser, needs_chromium, page
from tests.companion import tables
from tests.companion.tables import FakeSitting
from tests.companion.web.visitors import club, home, keyring_of

__all__ = ["browser", "page"]
pytestmark = needs_chromium
Serving = Callable[[Flask], Server]


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """Another browser, of a phone's size, with cookies of its own."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce", has_touch=True)
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    yield opened
    context.close()


def ask_for_link(table: Page, name: str) -> str:
    """Open the menu of the table's page and ask for somebody's link."""
    table.locator(".menu summary").click()
    table.get_by_role("button", name=f"Link for {name}'s phone").click()
    expect(table.locator("#link")).to_be_visible()
    return table.locator("#link .address").inner_text()


def test_a_phone_joins_acts_and_is_replaced(
    page: Page, phone: Page, browser: Browser, sitting: FakeSitting, serving: Serving
) -> None:
    sitting.peek = True
    server = serving(create_app(sitting, buttons=True, access=home()))
    page.goto(f"http://{HOST}:{server.port}/")
    link = ask_for_link(page, "Ben")
    assert re.fullmatch(rf"http://{HOST}:{server.port}/join#[\w-]{{22}}", link)
    code = page.locator("#link img")
    expect(code).to_be_visible()
    assert code.evaluate("image => image.naturalWidth") > 100, "the picture is drawn"
    page.get_by_role("button", name="Close").click()
    expect(code).not_to_have_attribute("src", re.compile("."))

    phone.goto(link)
    expect(phone.locator("#whose")).to_have_text("This phone is Ben's.")
    assert phone.url == f"http://{HOST}:{server.port}/", "the token has left the address bar"
    expect(phone.get_by_role("button", name=re.compile("^Done"))).to_have_count(1)
    with phone.expect_response("**/press/1"):
        phone.get_by_role("button", name="Done: Ben").click()
    assert sitting.posted == [Declaration(12.5, 1, Press())]
    own = phone.locator("#seat-1 .peek")
    expect(own).to_have_count(5)
    expect(own.first.locator(".face")).to_be_hidden()
    box = own.first.bounding_box()
    assert box is not None
    phone.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    phone.mouse.down()
    expect(own.first.locator(".face")).to_be_visible()
    phone.mouse.up()
    sitting.show(tables.stolen())
    expect(phone.locator(".happened")).to_have_text("Anna stole from slot 3 of Cleo and gave slot 4.")

    # A substitute takes over: the leaver's page notices by itself, and its cards are gone.
    second = ask_for_link(page, "Ben")
    expect(phone.locator("#whose")).to_contain_text("signed off")
    expect(phone.locator(".peek")).to_have_count(0)
    expect(phone.get_by_role("button", name=re.compile("^Done"))).to_have_count(0)
    phone.goto(second)
    expect(phone.locator("#whose")).to_have_text("This phone is Ben's.")
    phone.locator(".menu summary").click()
    phone.get_by_role("button", name="Sign this screen off").click()
    expect(phone.locator("#whose")).to_have_count(0)


def test_a_used_link_says_so(phone: Page, sitting: FakeSitting, serving: Serving) -> None:
    app = create_app(sitting, access=home())
    server = serving(app)
    token = keyring_of(app).invite(Role.SEAT, 1, "Ben")
    keyring_of(app).join(token)
    phone.goto(f"http://{HOST}:{server.port}/join#{token}")
    expect(phone.locator("#refused")).to_have_text("This link is no longer good. Ask at the table for a new one.")
    assert "#" not in phone.url


def test_the_referee_enters_and_decides(page: Page, phone: Page, sitting: FakeSitting, serving: Serving) -> None:
    app = create_app(sitting, access=club())
    keyring_of(app).set_pin("846210")
    server = serving(app)
    page.goto(f"http://{HOST}:{server.port}/")
    expect(page.locator("#whose")).to_have_text("This screen only watches.")
    expect(page.get_by_role("button")).to_have_count(0)
    phone.goto(f"http://{HOST}:{server.port}/referee")
    phone.locator("input[name=pin]").fill("846211")
    phone.get_by_role("button", name="Enter").click()
    expect(phone.locator("#refused")).to_have_text("This is not the PIN.")
    expect(phone.locator("input[name=pin]")).to_have_value("")
    phone.locator("input[name=pin]").fill("846210")
    phone.get_by_role("button", name="Enter").click()
    expect(phone.locator(".lead")).to_contain_text("This screen is the referee's.")
    phone.goto(f"http://{HOST}:{server.port}/")
    phone.locator(".menu summary").click()
    with phone.expect_response("**/call"):
        phone.get_by_role("button", name="Undo the last move").click()
    assert sitting.posted == [Declaration(12.5, 0, Call("undo"))]

    # The tablet on the table becomes the table's by the same PIN.
    page.goto(f"http://{HOST}:{server.port}/referee")
    page.locator("input[name=pin]").fill("846210")
    page.get_by_role("button", name="Enter").click()
    page.get_by_role("button", name="Make this the table's screen").click()
    expect(page.locator("h1")).to_have_text("Ben to play")
    expect(page.locator("#whose")).to_have_count(0)
    page.locator(".menu summary").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.get_by_role("button", name="Undo the last move")).to_have_count(0)


def test_the_puppeteers_page(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    pulled: list[tuple[str, int, int]] = []

    class Noted:
        def pull(self, name: str, seat: int, slot: int, /) -> None:
            pulled.append((name, seat, slot))

    app = create_app(sitting, [string_pages(sitting, Noted())], access=home())
    server = serving(app)
    page.goto(f"http://{HOST}:{server.port}/join#{keyring_of(app).invite(Role.PUPPETEER)}")
    form = page.get_by_role("form", name="Cleo")
    form.locator("select").select_option("4")
    with page.expect_response("**/strings/exchange"):
        form.get_by_role("button", name="Exchange two cards").click()
    with page.expect_response("**/strings/bump"):
        form.get_by_role("button", name="Knock against the mat").click()
    assert pulled == [("exchange", 2, 4), ("bump", 2, 4)]


@pytest.mark.parametrize("seats", [pytest.param(3, marks=pytest.mark.long), pytest.param(4, marks=pytest.mark.long), 5])
def test_a_phones_own_seat_lies_nearest_and_fits(phone: Page, serving: Serving, seats: int) -> None:
    sitting = FakeSitting(replace(tables.playing(seats), current=2))
    app = create_app(sitting, buttons=True, access=home())
    server = serving(app)
    phone.goto(f"http://{HOST}:{server.port}/join#{keyring_of(app).invite(Role.SEAT, 2, 'Cleo')}")
    expect(phone.locator("#whose")).to_have_text("This phone is Cleo's.")
    boxes = [phone.locator(f"#seat-{seat}").bounding_box() for seat in range(seats)]
    bottoms = [box["y"] + box["height"] for box in boxes if box is not None]
    assert len(bottoms) == seats
    assert bottoms.index(max(bottoms)) == 2
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
