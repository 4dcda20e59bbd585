"""What a browser may choose of the look of its pages, and the colours of the suits."""

from __future__ import annotations

import re
from itertools import combinations
from math import dist
from pathlib import Path

import pytest

import companion.web
from companion.views import Role
from companion.web import create_app
from companion.web.history import history_pages
from companion.web.looks import COOKIE, LOOKS, chosen_looks
from companion.words.looks import looks_label
from tests.companion import tables
from tests.companion.tables import FakeSitting
from tests.companion.web.shelved import Shelved
from tests.companion.web.visitors import client_of, home

STATIC = Path(companion.web.__file__).parent / "static"
USUAL = {"suits": "four", "facing": "still", "words": "written"}


@pytest.mark.parametrize(
    ("cookie", "changed"),
    [
        (None, {}),
        ("", {}),
        ("suits-two", {"suits": "two"}),
        ("suits-two.facing-page.words-pictures", {"suits": "two", "facing": "page", "words": "pictures"}),
        ("facing-seat.nothing-else", {"facing": "seat"}),
        ("suits-five.facing-.words", {}),
        ("suits-two-three..-", {}),
        ('words-"><script>', {}),
    ],
)
def test_a_cookie_chooses_what_there_is(cookie: str | None, changed: dict[str, str]) -> None:
    assert chosen_looks(cookie) == {**USUAL, **changed}


def test_every_choice_has_words() -> None:
    for name, values in LOOKS.items():
        assert looks_label(name)
        assert len({looks_label(f"{name}-{value}") for value in values}) == len(values)


def test_every_page_with_cards_has_the_colours_that_were_chosen() -> None:
    sitting = FakeSitting(tables.stolen())
    client = create_app(sitting, [history_pages(Shelved(), Shelved())], access=home()).test_client()
    for path in ("/", "/history", "/history/0000000000000003", "/history/player/Ann"):
        for cookie, media in (("", "not all"), ("suits-two", "all")):
            client.set_cookie(COOKIE, cookie)
            page = client.get(path).get_data(as_text=True)
            assert re.findall(r'<link [^>]*id="two-suits"[^>]* media="([^"]*)"', page) == [media], path
    client.set_cookie(COOKIE, "words-pictures.facing-page")
    page = client.get("/").get_data(as_text=True)
    assert ' data-suits="four" data-facing="page" data-words="pictures">' in page


def test_the_way_a_page_faces_is_not_offered_to_a_players_phone() -> None:
    sitting = FakeSitting(tables.stolen())
    app = create_app(sitting, access=home())
    offered = {}
    for role, seat in ((Role.TABLE, None), (Role.SEAT, 2)):
        page = client_of(app, role, seat).get("/").get_data(as_text=True)
        assert page.count('name="suits"') == 2
        offered[role] = page.count('name="facing"'), 'data-own="2"' in page
    assert offered == {Role.TABLE: (3, False), Role.SEAT: (0, True)}


# ---- colours -----------------------------------------------------------------------------------------------------------

SEEN_BY = {
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    # How light of red, green and blue is seen where one of the three kinds of cone is missing (Machado and others, 2009).
    "protanopes": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopes": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopes": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
PAPERS = ("#fffdf6", "#f1ece0")
"""Cards by day and by night."""


def light(colour: str) -> tuple[float, ...]:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return tuple(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)


def luminance(colour: str) -> float:
    red, green, blue = light(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def lab(linear: tuple[float, ...]) -> tuple[float, float, float]:
    rows = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    xyz = [
        sum(a * b for a, b in zip(row, linear, strict=True)) / white for row, white in zip(rows, (0.9505, 1, 1.089), strict=True)
    ]
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def colours(sheet: str) -> dict[str, str]:
    return dict(re.findall(r"--(spades|hearts|diamonds|clubs): (#[0-9a-f]{6})", (STATIC / sheet).read_text()))


@pytest.mark.parametrize("eyes", SEEN_BY)
def test_suits_are_told_apart_by_all_eyes(eyes: str) -> None:
    four = colours("suits.css")
    assert len(four) == 4
    seen = {}
    for suit, colour in four.items():
        linear = tuple(min(1, max(0, sum(a * b for a, b in zip(row, light(colour), strict=True)))) for row in SEEN_BY[eyes])
        seen[suit] = lab(linear)
    for one, other in combinations(seen, 2):
        assert dist(seen[one], seen[other]) > 15, f"{one} and {other}"
    two = {**four, **colours("two-suits.css")}
    assert (two["diamonds"], two["clubs"]) == (two["hearts"], two["spades"])


def test_suits_stand_out_from_the_card() -> None:
    for paper in PAPERS:
        for suit, colour in colours("suits.css").items():
            assert (luminance(paper) + 0.05) / (luminance(colour) + 0.05) >= 4.5, f"{suit} on {paper}"


def test_no_other_sheet_colours_suits() -> None:
    own = {sheet.name for sheet in STATIC.glob("*.css") if re.search(r"--(spades|hearts|diamonds|clubs):", sheet.read_text())}
    assert own == {"suits.css", "two-suits.css"}
