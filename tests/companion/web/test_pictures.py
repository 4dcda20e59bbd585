"""Pictures as evidence on the page: who gets them, what stands beside them, and how they look."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.crops import Crop, png_of
from companion.exhibition import Proof, Shot
from companion.games.steal_errors import RULE_OF, RULES
from companion.observation import Call
from companion.views import HardCase, LockView
from companion.web import create_app
from companion.web.serve import Server
from companion.words.evidence import hard_words, proof_words
from companion.words.rules import rule_words
from tests.browser import HOST, browser, needs_chromium, page
from tests.companion import tables
from tests.companion.filmed import Film, shown, three_moves, to_the_end
from tests.companion.tables import FakeSitting

__all__ = ["browser", "page"]
PICTURE = png_of(Crop(48, 96, 1, 1, bytes(range(256)) * 54))
WON = tables.SITUATIONS["won"]
assert WON.result is not None
CARD = WON.result.hands[1][2]
HARD = HardCase((0, 3), (1, 3), CARD, "unread", 7, 0.62, ((CARD, 0.62), ("8h", 0.31)), 5, 3)


def get(client: FlaskClient, number: int | str):
    return client.get(f"/evidence/{number}.png")


def test_a_picture_that_may_be_seen(client: FlaskClient, sitting: FakeSitting) -> None:
    sitting.pictures = {7: PICTURE}
    answer = get(client, 7)
    assert (answer.status_code, answer.mimetype, answer.data) == (200, "image/png", PICTURE)
    assert answer.headers["Cache-Control"] == "no-store"


def test_hidden_deleted_and_never_made_are_one_answer(tmp_path: Path) -> None:
    film = Film(tmp_path)
    table = three_moves(film.table())
    table.say(0, Call("stop"))
    client = create_app(table.sitting).test_client()
    hidden = [piece.number for piece in film.pieces if piece.place.seat >= 0]
    row = next(piece.number for piece in film.pieces if piece.place.seat < 0)
    assert get(client, row).status_code == 200
    film.store.drop(row)
    answers = {
        (answer.status_code, answer.data, tuple(sorted(answer.headers.items())))
        for answer in (get(client, number) for number in (*hidden, row, 0, 999, 10**30, "none", "-1"))
    }
    assert len(answers) == 1
    assert next(iter(answers))[0] == 404


def test_after_the_result_every_picture_is_there(tmp_path: Path) -> None:
    film = Film(tmp_path)
    table = shown(to_the_end(three_moves(film.table())))
    client = create_app(table.sitting).test_client()
    assert {get(client, piece.number).status_code for piece in film.pieces} == {200}
    told = client.get("/disputes?move=2").get_data(as_text=True)
    assert "A card of another hand and one of the own hand change places, both face down. (rule STEAL-1.3-steal)" in told
    assert "Slot 1 of Ben, before" in told
    assert "Pictures of slots stay sealed" not in told


def test_before_it_the_page_shows_rules_locks_and_counts_and_no_hidden_card(tmp_path: Path) -> None:
    film = Film(tmp_path)
    table = three_moves(film.table())
    table.say(0, Call("stop"))
    told = create_app(table.sitting).test_client().get("/disputes?move=2").get_data(as_text=True)
    assert "(rule STEAL-1.3-steal)" in told
    assert "Locked then for Cat: slot 1 of Ben, for 2 more turns. It still runs 1 turn." in told
    assert "pictures in a row agreed on it." in told
    assert "<img" not in told
    assert "Pictures of slots stay sealed until the result." in told
    row = create_app(table.sitting).test_client().get("/disputes?move=3").get_data(as_text=True)
    assert row.count("<img") == 2
    assert "Card 2 of the row, after" in row


def test_cards_of_the_row_that_lie_as_they_lay_are_left_out() -> None:
    shots = tuple(
        Shot(number, place, when, seen, (), 5, 5)
        for number, (place, when, seen) in enumerate(
            [((-1, 1), "before", "Td"), ((-1, 1), "after", "Td"), ((-1, 2), "before", "As"), ((-1, 2), "after", "--")]
        )
    )
    told = proof_words(Proof("violation", "row_changed", "STEAL-1.10-row", False, 9, (), shots), WON)
    assert [(shot.title, shot.lines[0]) for shot in told.shots] == [
        ("Card 2 of the row, before", "Looks that agree: 5 of 5."), ("Card 2 of the row, after", "Nothing lies there."),
    ]  # fmt: skip
    assert told.title == "The row is not as it was, and no action explains it."


def test_a_tapped_move_and_one_without_pictures_say_so() -> None:
    lock = LockView(0, 1, None, 2)
    tapped = proof_words(Proof("action", "", "STEAL-1.3-take", True, 0, ((lock, 0),), ()), WON)
    assert tapped.lines[1:] == (
        "It was tapped; no camera had to see it.",
        "Locked then for Anna: a card that has moved on, for 2 more turns. It runs no more.",
    )
    assert "No pictures were kept of it." in proof_words(Proof("action", "", "", False, 0, (), ()), WON).lines


def test_every_rule_has_a_sentence() -> None:
    assert {rule for rule in RULES if not rule_words(rule)} == set()
    assert set(RULE_OF.values()) <= set(RULES)


def test_what_is_said_beside_a_hard_card() -> None:
    first, *readings, looks = hard_words(HARD, WON)
    assert first.startswith("It could not be read at first: the ")
    assert first.endswith(" in slot 3 of Ben.")
    assert readings[1] == "eight of hearts: 31.0\N{NO-BREAK SPACE}%"
    assert looks == "Looks that agree: 3 of 5."


# ---- in a browser -------------------------------------------------------------------------------------------------


@needs_chromium
@pytest.mark.parametrize("size", [(1280, 800), (820, 1180), (390, 844), (320, 568)])
def test_the_hard_card_is_shown_big_and_nothing_sticks_out(
    page: Page, sitting: FakeSitting, serving: Callable[[Flask], Server], size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    sitting.pictures = {7: PICTURE}
    sitting.show(replace(WON, hard=(HARD, replace(HARD, why="doubtful"))))
    server = serving(create_app(sitting))
    page.goto(f"http://{HOST}:{server.port}/")
    expect(page.get_by_text("This is what the camera saw")).to_be_visible()
    expect(page.locator(".saw img")).to_have_count(2)
    height, drawn, wide, edge = page.evaluate(
        """() => {
            const picture = document.querySelector(".saw img");
            const felt = document.querySelector(".felt").getBoundingClientRect();
            const boxes = [...document.querySelectorAll(".saw *")].map((one) => one.getBoundingClientRect());
            return [picture.naturalHeight, picture.getBoundingClientRect().height,
                    document.documentElement.scrollWidth - innerWidth,
                    Math.max(...boxes.map((box) => Math.max(felt.left - box.left, box.right - felt.right)))];
        }"""
    )
    assert height == 96
    assert drawn >= 120
    assert wide <= 0
    assert edge <= 0
