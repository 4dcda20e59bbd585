"""Which language a page speaks: chosen in the browser, asked for by it, or the table's."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, expect

from companion.announcements import Translator
from companion.errors import TaskError
from companion.observation import Call
from companion.views import Role
from companion.web import create_app
from companion.web.bench import TaskView, bench_pages
from companion.web.catalogues import LANGUAGES, translator
from companion.web.gate import Access, Preset
from companion.web.languages import COOKIE, with_code
from companion.web.serve import Server
from companion.web.strings import string_pages
from tests.browser import HOST, browser, needs_chromium, page
from tests.companion import tables
from tests.companion.filmed import Film, shown, three_moves, to_the_end
from tests.companion.tables import SITUATIONS, FakeSitting
from tests.companion.web.conftest import served
from tests.companion.web.visitors import client_of

__all__ = ["browser", "page"]
OTHERS = tuple(language for language in LANGUAGES if language != "en")
PLAYS = {"en": "Ben to play", "hu": "Ben jön", "de": "Ben ist dran"}


class Idle:
    """A task at the workbench, and somebody who pulls strings: neither does anything."""

    def view(self, say: Translator, /) -> TaskView:
        return TaskView(words=say("Every card was counted."))

    def start(self, name: str, /) -> None:
        raise TaskError("no name", "deck_name", name)

    def confirm(self) -> None: ...

    def stop(self) -> None: ...

    def pull(self, name: str, seat: int, slot: int, /) -> None: ...


def app_of(sitting: FakeSitting, preset: Preset = Preset.HOME, language: str = "en") -> Flask:
    idle = Idle()
    pages = [bench_pages({"teach": idle, "check": idle}), string_pages(sitting, idle)]
    return create_app(sitting, pages, buttons=True, access=Access(preset), language=language)


@pytest.fixture
def client(sitting: FakeSitting) -> FlaskClient:
    return app_of(sitting).test_client()


def spoken(client: FlaskClient, path: str = "/", **headers: str) -> tuple[str, str]:
    """The language that a page says it is in, and its text."""
    text = client.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()}).text
    return re.findall(r'<html lang="(\w+)"', text)[0], text


# ---- choosing ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("hu", "hu"), ("hu-HU,hu;q=0.9,en-US;q=0.8,en;q=0.7", "hu"), ("de-AT", "de"), ("fr,de;q=0.5,en;q=0.2", "de"),
        ("en-GB,de;q=0.9", "en"), ("tlh, xx;q=0.5", "en"), ("", "en"), ("*", "en"),
        ("hu-HU, en;q=0.5", "hu"), ("de;q=0, en-US;q=0.1", "en"), ("DE_ch", "de"),
    ],
)  # fmt: skip
def test_the_browser_asks(client: FlaskClient, asked: str, language: str) -> None:
    found, text = spoken(client, Accept_Language=asked)
    assert found == language
    assert PLAYS[language] in text


def test_the_tables_language_is_for_browsers_that_ask_for_none_of_ours(sitting: FakeSitting) -> None:
    client = app_of(sitting, language="hu").test_client()
    assert spoken(client)[0] == "hu"
    assert spoken(client, Accept_Language="tlh")[0] == "hu"
    assert spoken(client, Accept_Language="*")[0] == "hu"
    assert spoken(client, Accept_Language="de")[0] == "de"
    assert spoken(client, Accept_Language="en")[0] == "en"
    with pytest.raises(ValueError, match="no catalogue for the language 'tlh'; there are: en, de, hu"):
        create_app(sitting, language="tlh")


def test_what_was_chosen_counts_more_and_what_is_no_language_counts_nothing(client: FlaskClient) -> None:
    client.set_cookie(COOKIE, "de")
    assert spoken(client, Accept_Language="hu")[0] == "de"
    for odd in ("tlh", "../hu", "", "hu; path=/", "%00"):
        client.set_cookie(COOKIE, odd)
        assert spoken(client, Accept_Language="hu")[0] == "hu"


def test_the_stream_the_state_and_every_answer_speak_the_same_language(sitting: FakeSitting) -> None:
    client = app_of(sitting).test_client()
    client.set_cookie(COOKIE, "de")
    state = json.loads(client.get("/state.json").text)
    assert (state["language"], state["words"]["headline"]) == ("de", "Ben ist dran")
    with closing(client.get("/events").response) as stream:  # type: ignore[type-var]
        first = next(iter(stream))  # type: ignore[call-overload]
    told = json.loads(first.split(b"data: ", 1)[1])
    assert (told["language"], told["words"]["headline"]) == ("de", "Ben ist dran")
    refused = client.post("/press/9", json={})
    assert refused.json["message"] == "Platz 10 gibt es nicht; die Plätze gehen von 1 bis 4."
    assert client.get("/nowhere").json["message"] == "Diese Seite gibt es nicht."
    assert client.get("/noted").json["words"] == "Dieses Spiel wird nicht aufgezeichnet."
    assert client.post("/teach/start", json={"name": "?"}).json["message"].startswith("? ist kein Name für ein Deck")
    assert client.get("/check/state.json").json["words"] == "Jede Karte wurde gezählt."


def test_pages_of_different_languages_do_not_share_what_was_rendered(sitting: FakeSitting) -> None:
    app = app_of(sitting)
    for language in (*LANGUAGES, *LANGUAGES):
        client = app.test_client()
        client.set_cookie(COOKIE, language)
        assert client.get("/state.json").json["words"]["headline"] == PLAYS[language]


# ---- every page --------------------------------------------------------------------------------------------------

ENGLISH_WORDS = re.compile(r"\b(the|of|card|cards|slot|row|turn|and|this|you|please|with|play|not)\b", re.IGNORECASE)
OURS = re.compile(r"Five Card Steal|STEAL-[\w.-]+")
"""Names that are the same in every language."""
SEEN = re.compile(r'(?:aria-label|alt|title|data-joining)="([^"]*)"|>([^<]+)<')


def seen(text: str) -> Iterator[str]:
    """What a page says, to the eye and to a screen reader, without the language switch."""
    body = re.sub(r"(?s)<(style|script|svg).*?</\1>", "", text)
    body = re.sub(r'(?s)<button type="button" lang=.*?</button>', "", body)
    return (one or other for one, other in SEEN.findall(body) if (one or other).strip())


PAGES = (
    ("/", Role.TABLE), ("/", Role.SEAT), ("/", Role.REFEREE), ("/", Role.SPECTATOR), ("/", Role.PUPPETEER), ("/join", Role.TABLE),
    ("/referee", Role.REFEREE), ("/referee", Role.TABLE), ("/teach", Role.TABLE), ("/check", Role.TABLE),
    ("/strings", Role.PUPPETEER), ("/disputes", Role.TABLE), ("/rules", Role.TABLE), ("/nowhere", Role.TABLE),
    ("/strings", Role.TABLE),
)  # fmt: skip


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(("path", "role"), PAGES)
def test_every_page_is_whole_in_its_language(sitting: FakeSitting, path: str, role: Role, language: str) -> None:
    app = app_of(sitting, Preset.CLUB)
    client = client_of(app, role, 1 if role is Role.SEAT else None)
    client.set_cookie(COOKIE, language)
    for view in SITUATIONS.values() if path == "/" else (tables.playing(),):
        sitting.show(view)
        found, text = spoken(client, path, Accept="text/html")
        assert found == language
        words = list(seen(text))
        assert words
        for each in words:
            assert not ENGLISH_WORDS.search(OURS.sub("", each)), each
        assert text.count("data-language=") == len(LANGUAGES)
        assert f'data-language="{language}" aria-pressed="true"' in text
        assert text.count('aria-pressed="true"') == 1
        for code, name in LANGUAGES.items():
            assert f'lang="{code}" data-language="{code}"' in text and f">{name}</button>" in text


@pytest.mark.parametrize("language", OTHERS)
def test_what_the_record_answers_is_whole_in_its_language(tmp_path: Path, language: str) -> None:
    halted, over = (three_moves(Film(tmp_path / name).table()) for name in ("halted", "over"))
    halted.say(0, Call("stop"))
    shown(to_the_end(over))
    pages = []
    for table in (halted, over):
        client = create_app(table.sitting).test_client()
        client.set_cookie(COOKIE, language)
        addresses = ("/", *(f"/disputes?move={move}&seat=1&slot=1" for move in range(4)))
        pages += [spoken(client, address)[1] for address in addresses]
    assert len(set(pages)) == len(pages)
    for text in pages:
        words = list(seen(text))
        assert len(words) > 20
        for each in words:
            assert not ENGLISH_WORDS.search(OURS.sub("", each)), each


# ---- in the browser ----------------------------------------------------------------------------------------------

Serving = Callable[[Flask], Server]


def visit(page: Page, server: Server, path: str = "/") -> None:
    page.goto(f"http://{HOST}:{server.port}{path}")


@needs_chromium
def test_the_switch_is_kept_and_the_page_goes_on_following(page: Page, sitting: FakeSitting, serving: Serving) -> None:
    server = serving(app_of(sitting))
    visit(page, server)
    expect(page.locator("body[data-version]")).to_be_attached()
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Magyar").press("Enter")
    expect(page.locator("h1")).to_have_text("Ben jön")
    expect(page.locator("html")).to_have_attribute("lang", "hu")
    sitting.show(tables.stolen())
    expect(page.locator(".happened")).to_contain_text("Anna lopott innen: Cleo 3. helye")
    page.locator(".menu summary").click()
    expect(page.get_by_role("button", name="Magyar")).to_have_attribute("aria-pressed", "true")
    for path in ("/teach", "/disputes", "/referee"):
        visit(page, server, path)
        expect(page.locator("html")).to_have_attribute("lang", "hu")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("h1")).to_have_text("Die Spielleitung")
    visit(page, server, "/disputes")
    expect(page.locator("h1")).to_have_text("Was ist passiert?")


@needs_chromium
def test_another_page_of_the_browser_follows(page: Page, sitting: FakeSitting) -> None:
    """Its stream speaks another language when it connects anew: the page must not be half in one and half in the other."""
    app = app_of(sitting)
    with served(app) as server:
        port = server.port
        visit(page, server)
        expect(page.locator("body[data-version]")).to_be_attached()
        other = page.context.new_page()
        visit(other, server)
        other.locator(".menu summary").click()
        other.get_by_role("button", name="Deutsch").click()
        expect(other.locator("h1")).to_have_text("Ben ist dran")
    with served(app_of(sitting), port):
        expect(page.locator("h1")).to_have_text("Ben ist dran")
        expect(page.locator("html")).to_have_attribute("lang", "de")
        expect(page.locator(".menu summary")).to_have_text("Tisch")


WIDE = """() => {
    const cut = [...document.querySelectorAll("button, .caption, .flag, h1, h2, p, li, label")].filter((one) => {
        const box = one.getBoundingClientRect();
        return box.width > 0 && !one.closest(".unseen, details:not([open])") && (box.right > innerWidth + 1 || box.left < -1);
    }).map((one) => one.textContent.trim().slice(0, 60));
    return [document.documentElement.scrollWidth - innerWidth, cut];
}"""


@needs_chromium
@pytest.mark.parametrize("language", OTHERS)
def test_long_words_fit_a_narrow_phone(browser: Browser, sitting: FakeSitting, serving: Serving, language: str) -> None:
    server = serving(app_of(sitting))
    context = browser.new_context(viewport={"width": 360, "height": 740}, reduced_motion="reduce", locale=language)
    narrow = context.new_page()
    visit(narrow, server)
    expect(narrow.locator("html")).to_have_attribute("lang", language)
    for name, view in SITUATIONS.items():
        sitting.show(view)
        expect(narrow.locator("body")).to_have_attribute("data-version", str(sitting.shown.version))
        assert narrow.evaluate(WIDE) == [0, []], name
    narrow.locator(".menu summary").click()
    assert narrow.evaluate(WIDE) == [0, []], "the menu"
    for path in ("/teach", "/check", "/join", "/referee", "/disputes", "/rules", "/nowhere"):
        visit(narrow, server, path)
        assert narrow.evaluate(WIDE) == [0, []], path
    context.close()


def test_the_catalogues_are_the_ones_that_were_read() -> None:
    assert {language: translator(language)("%(who)s to play", who="Ben") for language in LANGUAGES} == PLAYS


def test_a_stream_speaks_the_language_of_the_page_that_asks_for_it(sitting: FakeSitting) -> None:
    client = create_app(sitting).test_client()
    english = {"Accept-Language": "en"}
    asked = [client.get(f"/state.json?language={name}", headers=english).json["language"] for name in ("hu", "de", "xx", "")]
    assert asked == ["hu", "de", "en", "en"]
    client.set_cookie("viewmat-language", "de")
    assert client.get("/state.json?language=hu", headers=english).json["language"] == "de", "what was chosen comes first"


@needs_chromium
def test_a_page_is_loaded_once_though_its_stream_belongs_to_a_worker(
    browser: Browser, sitting: FakeSitting, serving: Callable[[Flask], Server]
) -> None:
    """The browser of this test asks for Hungarian in pages and for English in workers."""
    context = browser.new_context(locale="hu")
    opened = context.new_page()
    loads: list[str] = []
    opened.on("framenavigated", lambda frame: loads.append(frame.url))
    opened.goto(f"http://{HOST}:{serving(create_app(sitting)).port}/")
    sitting.show(tables.stolen())
    expect(opened.locator("#notes")).to_contain_text("Cleo")
    sitting.show(tables.playing(version=9))
    expect(opened.locator("h1")).to_have_text("Ben jön")
    assert len(loads) == 1
    context.close()


def test_commands_are_code_and_what_stands_around_them_is_escaped() -> None:
    assert with_code("<b> `viewmat verify <x>` & `") == "&lt;b&gt; <code>viewmat verify &lt;x&gt;</code> &amp; `"
