"""The small pages - joining, the referee's, the puppeteer's, an error's - are whole and need nothing that the policy forbids."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from companion.views import Role
from companion.web import create_app
from companion.web.gate import Access
from companion.web.strings import string_pages
from companion.words.access import REFUSALS, access_label, roles_words
from tests.companion.tables import FakeSitting
from tests.companion.web.test_page import Outline
from tests.companion.web.visitors import client_of, club, home, keyring_of


def page_of(access: Access, role: Role | None, address: str, pin: bool = False) -> str:
    sitting = FakeSitting()
    app = create_app(sitting, [string_pages(sitting, Loose())], access=access)
    if pin:
        keyring_of(app).set_pin("846210")
    client = app.test_client() if role is None else client_of(app, role, 1)
    return client.get(address, headers={"Accept": "text/html"}).get_data(as_text=True)


class Loose:
    def pull(self, name: str, seat: int, slot: int, /) -> None:
        return


def pages() -> Iterator[tuple[str, str, str]]:
    """Name, markup, and a sentence that stands on it."""
    yield "join", page_of(home(), None, "/join"), "This page is opened by a link."
    yield "referee at home", page_of(home(), None, "/referee"), "everybody at it agrees"
    yield "referee, none", page_of(club(), None, "/referee"), "No referee has been named yet."
    yield "referee, pin", page_of(club(), None, "/referee", pin=True), "Enter the PIN"
    yield "referee, here", page_of(club(), Role.REFEREE, "/referee"), "It decides disputes and corrections."
    yield "strings", page_of(home(), Role.PUPPETEER, "/strings"), "as soon as nobody else holds cards there"
    yield "no page", page_of(home(), None, "/nowhere"), "There is no such page."
    yield "not yours", page_of(home(), None, "/strings"), "Only the puppeteer may do this."


@pytest.mark.parametrize(("name", "page", "sentence"), list(pages()))
def test_a_small_page(name: str, page: str, sentence: str) -> None:
    outline = Outline(page)
    assert outline.open == []
    assert len(outline.ids) == len(set(outline.ids))
    assert sentence in page
    assert page.startswith("<!doctype html>"), "nothing before it, or browsers fall back to quirks"
    assert len(re.findall(r"<title>[^<]+</title>", page)) == 1
    assert not any(key.startswith("on") or key == "style" for key, _ in outline.attributes)
    assert not re.search(r"<script(?![^>]*src=)", page)
    assert [value for key, value in outline.attributes if key in ("src", "href") and not str(value).startswith("/")] == []


def test_forms_that_take_a_secret_hide_it() -> None:
    page = page_of(club(), None, "/referee", pin=True) + page_of(club(), Role.REFEREE, "/referee")
    fields = re.findall(r"<input[^>]*name=\"pin\"[^>]*>", page)
    assert len(fields) == 2
    assert all('type="password"' in field and 'inputmode="numeric"' in field for field in fields)


def test_every_sentence_ends_and_every_role_has_a_name() -> None:
    assert [kind for kind, words in REFUSALS.items() if not words.endswith(".")] == []
    assert roles_words(Role) == "the screen on the table, a player's phone, the referee, the puppeteer and a spectator"
    assert roles_words([Role.SEAT, Role.TABLE]) == "the screen on the table and a player's phone"
    with pytest.raises(KeyError):
        access_label("no_such_label")
