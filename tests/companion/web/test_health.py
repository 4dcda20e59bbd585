"""The health page: who gets it, what it says, how it keeps itself fresh, and the switch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, Route, expect

from companion.views import Role
from companion.web import create_app
from companion.web.gate import Access
from companion.web.health import health_pages
from companion.web.serve import Server
from tests.browser import HOST, browser, needs_chromium, page
from tests.companion.tables import FakeSitting
from tests.companion.web.healthy import ILL, WELL, Healthy
from tests.companion.web.visitors import client_of, club, home

__all__ = ["browser", "page"]
Serving = Callable[[Flask], Server]


class Switch:
    def __init__(self) -> None:
        self.pressed = 0
        self.works = True

    def __call__(self) -> bool:
        self.pressed += 1
        return self.works


@pytest.fixture
def source() -> Healthy:
    return Healthy()


@pytest.fixture
def switch() -> Switch:
    return Switch()


def made(source: Healthy, switch: Switch | None, access: Access | None = None) -> Flask:
    sitting = FakeSitting()
    return create_app(sitting, [health_pages(sitting, source, switch)], access=access)


@pytest.fixture
def app(source: Healthy, switch: Switch) -> Flask:
    return made(source, switch)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def test_the_page_says_how_all_do(client: FlaskClient) -> None:
    text = client.get("/health").text
    for said in ("All is well.", "Camera of the mat of Anna", "Camera of the tray", "48 °C", "9.8", "up to 2 %", "0.1.0",
                 "cards.onnx f90c497ec9ad", "20.0 of 32.0 GB", "It had nothing to complain about."):  # fmt: skip
        assert said in text
    assert "<script>" not in text and "style=" not in text and "<img" not in text


def test_what_is_not_well_is_said_with_what_to_do(client: FlaskClient, source: Healthy) -> None:
    source.shown = ILL
    text = client.get("/health").text
    for said in ("6 things need to be looked after.", "The processor is hot", "The power supply or its cable is too weak",
                 "more than 15 %", "throttled"):  # fmt: skip
        assert said in text, said
    assert "&lt;b&gt;pictures&lt;/b&gt;" in text, "what the log says is no markup"


def test_advice_names_the_board_and_not_its_camera(client: FlaskClient, source: Healthy) -> None:
    source.shown = ILL
    text = client.get("/health").text
    assert "No picture comes from the mat of Anna: check the camera" in text.replace("&#39;", "'")
    assert "The camera of the tray sees only darkness" in text


def test_the_open_page_gets_the_same_figures(client: FlaskClient) -> None:
    told = client.get("/health/state.json").json
    assert told["figures"] in client.get("/health").text
    assert (told["summary"], told["age"]) == ("All is well.", 0.4)


def test_a_table_without_cameras_says_so(client: FlaskClient, source: Healthy) -> None:
    source.shown = replace(WELL, cameras=())
    assert "This table has no cameras." in client.get("/health").text


def test_the_file_for_support_has_no_names_unless_they_are_wanted(client: FlaskClient) -> None:
    answer = client.get("/health/bundle.zip")
    assert (answer.data, answer.mimetype) == (b"without", "application/zip")
    assert answer.headers["Content-Disposition"] == "attachment; filename=viewmat-support.zip"
    assert client.get("/health/bundle.zip?names=1").data == b"with names"
    assert client.get("/health/bundle.zip?names=yes&names=1").data == b"without"


ROUTES = ("/health", "/health/state.json", "/health/bundle.zip")


@pytest.mark.parametrize("role", [Role.SPECTATOR, Role.SEAT])
def test_nobody_else_gets_it_at_home(source: Healthy, switch: Switch, role: Role) -> None:
    app = made(source, switch, home())
    other = client_of(app, role, 1 if role is Role.SEAT else None)
    assert [other.get(route).status_code for route in ROUTES] == [403, 403, 403]
    assert other.post("/health/off", json={"sure": True}).status_code == 403
    assert 'href="/health"' not in other.get("/").text
    assert switch.pressed == 0
    assert 'href="/health"' in app.test_client().get("/").text


def test_in_a_club_it_is_the_referees(source: Healthy, switch: Switch) -> None:
    app = made(source, switch, club())
    for other in (app.test_client(), client_of(app, Role.TABLE), client_of(app, Role.SEAT, 0)):
        assert [other.get(route).status_code for route in ROUTES] == [403, 403, 403]
        assert other.post("/health/off", json={"sure": True}).status_code == 403
    referee = client_of(app, Role.REFEREE)
    assert [referee.get(route).status_code for route in ROUTES] == [200, 200, 200]
    assert 'href="/health"' in referee.get("/").text
    assert referee.post("/health/off", json={"sure": True}).status_code == 200


def test_a_table_without_the_page_has_no_link_to_it(sitting: FakeSitting) -> None:
    client = create_app(sitting).test_client()
    assert 'href="/health"' not in client.get("/").text
    assert client.get("/health").status_code == 404


# ---- the switch --------------------------------------------------------------------------------------------------------


def test_the_table_is_switched_off(client: FlaskClient, switch: Switch) -> None:
    answer = client.post("/health/off", json={"sure": True})
    assert (answer.status_code, answer.json["ok"]) == (200, True)
    assert "switching off" in answer.json["message"]
    assert switch.pressed == 1


@pytest.mark.parametrize("body", [{}, {"sure": False}, {"sure": 1}, {"sure": "true"}, {"sure": None}])
def test_nothing_is_switched_off_without_being_sure(client: FlaskClient, switch: Switch, body: dict[str, object]) -> None:
    answer = client.post("/health/off", json=body)
    assert (answer.status_code, answer.json["error"], switch.pressed) == (400, "bad_form", 0)


def test_another_sites_page_switches_nothing_off(client: FlaskClient, switch: Switch) -> None:
    answer = client.post("/health/off", json={"sure": True}, headers={"Origin": "http://elsewhere.test"})
    assert (answer.status_code, switch.pressed) == (403, 0)
    assert client.post("/health/off", data="sure=true").status_code == 400
    assert client.get("/health/off").status_code == 405


def test_a_machine_that_does_not_let_itself_be_switched_off(client: FlaskClient, switch: Switch) -> None:
    switch.works = False
    answer = client.post("/health/off", json={"sure": True})
    assert (answer.status_code, answer.json["error"]) == (409, "not_off")


def test_where_it_is_not_offered_there_is_no_switch(source: Healthy) -> None:
    client = made(source, None).test_client()
    assert client.post("/health/off", json={"sure": True}).status_code == 404
    assert 'id="switch"' not in client.get("/health").text


def test_the_page_says_what_becomes_of_the_game(client: FlaskClient, source: Healthy) -> None:
    assert "The game is recorded: it goes on at the next start." in client.get("/health").text
    source.recorded = False
    assert "This game is not recorded: it will be lost." in client.get("/health").text


# ---- in the browser ----------------------------------------------------------------------------------------------------


def visit(page: Page, server: Server) -> None:
    page.goto(f"http://{HOST}:{server.port}/health")
    expect(page.locator("#age")).to_be_visible()


@needs_chromium
def test_the_page_keeps_itself_fresh_and_greys_what_is_old(page: Page, app: Flask, source: Healthy, serving: Serving) -> None:
    page.clock.install()
    visit(page, serving(app))
    expect(page.locator("#summary")).to_have_text("All is well.")
    source.shown = ILL
    page.clock.run_for(6_000)
    expect(page.locator("#summary")).to_have_text("6 things need to be looked after.")
    expect(page.locator(".bad .advice").first).to_be_visible()
    page.route("**/health/state.json", lambda route: route.abort())
    page.clock.run_for(12_000)
    expect(page.locator("#lost")).to_be_hidden()
    page.clock.run_for(8_000)
    expect(page.locator("#lost")).to_be_visible()
    expect(page.locator("body")).to_have_class("stale")
    assert "grayscale" in page.locator("#figures").evaluate("each => getComputedStyle(each).filter")
    assert int(page.locator("#age b").text_content() or 0) > 15
    page.unroute("**/health/state.json")
    page.clock.run_for(6_000)
    expect(page.locator("#lost")).to_be_hidden()
    expect(page.locator("body")).not_to_have_class("stale")


@needs_chromium
def test_a_page_that_nobody_sees_asks_for_nothing(page: Page, app: Flask, serving: Serving) -> None:
    asked: list[str] = []

    def note(route: Route) -> None:
        asked.append(route.request.url)
        route.continue_()

    page.route("**/health/state.json", note)
    page.clock.install()
    visit(page, serving(app))
    for _ in range(200):  # the next question is asked only some seconds after the last answer, however long that takes
        if len(asked) >= 3:
            break
        page.clock.run_for(1_000)
        page.wait_for_timeout(100)
    assert len(asked) >= 3
    hide = (
        "Object.defineProperty(document, 'hidden', {value: %s, configurable: true});"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    page.evaluate(hide % "true")
    page.clock.run_for(1_000)
    page.wait_for_timeout(300)
    seen = len(asked)
    page.clock.run_for(60_000)
    assert len(asked) == seen
    page.evaluate(hide % "false")
    expect(page.locator("#lost")).to_be_hidden()
    assert len(asked) > seen


@needs_chromium
def test_two_taps_switch_the_table_off(page: Page, app: Flask, switch: Switch, serving: Serving) -> None:
    visit(page, serving(app))
    expect(page.locator("#off")).to_be_hidden()
    page.locator("#switch summary").click()
    expect(page.locator("#switch")).to_contain_text("it goes on at the next start")
    page.locator("#off-not").click()
    expect(page.locator("#off")).to_be_hidden()
    page.locator("#switch summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert switch.pressed == 0
    page.keyboard.press("Enter")
    expect(page.locator("#off-done")).to_contain_text("switching off")
    expect(page.locator("#off")).to_have_count(0)
    assert switch.pressed == 1


@needs_chromium
def test_a_refusal_of_the_machine_is_said(page: Page, app: Flask, switch: Switch, serving: Serving) -> None:
    switch.works = False
    visit(page, serving(app))
    page.locator("#switch summary").click()
    page.locator("#off").click()
    expect(page.locator("#refused")).to_contain_text("does not let this page switch it off")
    expect(page.locator("#off")).to_be_enabled()


@needs_chromium
def test_the_file_for_support_is_one_tap(page: Page, app: Flask, serving: Serving) -> None:
    visit(page, serving(app))
    for wanted, tick in ((b"without", False), (b"with names", True)):
        page.locator("#names").set_checked(tick)
        with page.expect_download() as download:
            page.locator("#bundle").click()
        assert download.value.suggested_filename == "viewmat-support.zip"
        assert download.value.path().read_bytes() == wanted


@needs_chromium
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(360, 740), (800, 1280), (1280, 800)])
def test_it_fits_every_screen(
    browser: Browser, app: Flask, source: Healthy, serving: Serving, size: tuple[int, int], scheme: str
) -> None:
    source.shown = replace(ILL, messages=("x" * 300,))
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)  # type: ignore[arg-type]
    opened = context.new_page()
    visit(opened, serving(app))
    assert opened.evaluate("document.documentElement.scrollWidth") <= size[0]
    for target in opened.locator("a, button, summary, label").all():
        box = target.bounding_box()
        assert box is None or not box["height"] or box["height"] >= 44, "large enough for a finger"
    context.close()


@needs_chromium
def test_without_javascript_it_is_a_plain_page(browser: Browser, app: Flask, serving: Serving) -> None:
    context = browser.new_context(java_script_enabled=False)
    opened = context.new_page()
    opened.goto(f"http://{HOST}:{serving(app).port}/health")
    expect(opened.locator("#summary")).to_have_text("All is well.")
    expect(opened.locator("#figures")).to_contain_text("Camera of the tray")
    expect(opened.locator("noscript a")).to_have_attribute("href", "/health/bundle.zip?names=1")
    expect(opened.locator("#age")).to_be_hidden()
    context.close()
