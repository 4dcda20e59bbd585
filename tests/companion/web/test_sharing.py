"""Several pages of one browser follow the table through one stream."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.web import create_app
from companion.web.live import Streams
from companion.web.serve import Server
from tests.browser import HOST, PATIENCE_MS, browser, needs_chromium
from tests.companion import tables
from tests.companion.tables import FakeSitting
from tests.companion.web.conftest import served

__all__ = ["browser"]
pytestmark = needs_chromium
Serving = Callable[[Flask], Server]
NO_WORKERS = "delete window.SharedWorker;"


def opened(context: BrowserContext, port: int) -> Page:
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"http://{HOST}:{port}/")
    expect(page.locator("body[data-version]")).to_be_attached()
    return page


def until(streams: Streams, count: int) -> None:
    for _ in range(800):
        if streams.open == count:
            return
        time.sleep(0.05)
    assert streams.open == count


def test_eight_pages_share_one_stream_and_stay_in_step(browser: Browser, sitting: FakeSitting, serving: Serving) -> None:
    app = create_app(sitting)
    streams: Streams = app.extensions["viewmat_streams"]
    port = serving(app).port
    context = browser.new_context()
    pages = [opened(context, port) for _ in range(8)]
    assert streams.open == 1
    sitting.show(tables.stolen())
    for page in pages:
        expect(page.locator(".happened")).to_have_text("Anna stole from slot 3 of Cleo and gave slot 4.")
    for page in pages[:-1]:
        page.close()
    sitting.show(tables.broken())
    expect(pages[-1].locator(".alert")).to_be_visible()
    assert streams.open == 1
    pages[-1].close()
    until(streams, 0)
    context.close()


@pytest.mark.parametrize("script", ["", NO_WORKERS], ids=["shared", "alone"])
def test_pages_go_grey_with_the_server_and_come_back_with_it(browser: Browser, sitting: FakeSitting, script: str) -> None:
    context = browser.new_context()
    if script:
        context.add_init_script(script)
    with served(create_app(sitting)) as server:
        port = server.port
        pages = [opened(context, port) for _ in range(2)]
    for page in pages:
        expect(page.locator("body")).to_have_class("stale")
        expect(page.locator("#lost")).to_be_visible()
    sitting.show(tables.stolen())
    with served(create_app(sitting), port):
        for page in pages:
            expect(page.locator("body")).not_to_have_class("stale")
            expect(page.locator(".happened")).to_have_text("Anna stole from slot 3 of Cleo and gave slot 4.")
        context.close()


def test_without_shared_workers_a_page_in_the_background_holds_no_stream(
    browser: Browser, sitting: FakeSitting, serving: Serving
) -> None:
    app = create_app(sitting)
    streams: Streams = app.extensions["viewmat_streams"]
    context = browser.new_context()
    context.add_init_script(NO_WORKERS)
    context.add_init_script(
        "window.away = false;"
        "Object.defineProperty(document, 'hidden', { get: () => window.away });"
        "Object.defineProperty(document, 'visibilityState', { get: () => (window.away ? 'hidden' : 'visible') });"
    )
    page = opened(context, serving(app).port)
    assert streams.open == 1
    page.evaluate("window.away = true; document.dispatchEvent(new Event('visibilitychange'))")
    sitting.show(tables.playing(version=5))
    until(streams, 0)
    sitting.show(tables.stolen())
    page.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator(".happened")).to_have_text("Anna stole from slot 3 of Cleo and gave slot 4.")
    assert streams.open == 1
    context.close()


def test_where_the_worker_cannot_run_the_page_follows_by_itself(browser: Browser, sitting: FakeSitting, serving: Serving) -> None:
    context = browser.new_context()
    context.route("**/sharing.js", lambda route: route.abort())
    page = opened(context, serving(create_app(sitting)).port)
    sitting.show(tables.stolen())
    expect(page.locator(".happened")).to_have_text("Anna stole from slot 3 of Cleo and gave slot 4.")
    context.close()


def test_a_page_that_the_browser_has_kept_follows_at_once_when_it_is_shown_again(
    browser: Browser, sitting: FakeSitting, serving: Serving
) -> None:
    context = browser.new_context()
    page = opened(context, serving(create_app(sitting)).port)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    sitting.show(tables.stolen())
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.locator(".happened")).to_have_text("Anna stole from slot 3 of Cleo and gave slot 4.")
    context.close()
