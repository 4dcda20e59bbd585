"""Photographs in a real Chromium, on a telephone's screen, through a host name that is not localhost."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Page, expect

from companion.observation import Tick
from companion.web import create_app
from companion.web.photo import PhotoPage
from companion.web.photo_app import create_photo_app
from companion.web.serve import Server
from firmware.photodesk import PhotoDesk
from firmware.photoreader import PhotoReader
from tests.browser import HOST, browser, needs_chromium, page
from tests.companion.amended import ended, taps
from tests.companion.told import Told
from tests.companion.web.conftest import served
from tests.firmware.photographed import FOUR, written, written_desk
from tests.photographs import Laid, cloth, deck, lay, relettered

__all__ = ["browser", "page"]
pytestmark = needs_chromium
PHONE, SMALL, TABLET = (390, 844), (360, 640), (1280, 800)
HANDS = ("As Ks Js 9s 4s", "Kh Kd 4c 5d 6h", "7d 7c 7h 8c 2c", "2d 3d 5h 9c Td")


@contextmanager
def photos(desk: PhotoDesk) -> Iterator[Server]:
    with closing(desk), served(create_photo_app(desk)) as server:
        yield server


def visit(page: Page, server: Server, size: tuple[int, int] = PHONE) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"http://{HOST}:{server.port}/photo")
    expect(page.locator("body[data-ready]")).to_be_attached()


def choose(page: Page, *data: bytes) -> None:
    files = [{"name": f"{number}.jpg", "mimeType": "image/jpeg", "buffer": each} for number, each in enumerate(data)]
    page.get_by_label("Choose pictures").set_input_files(files)  # type: ignore[arg-type]
    expect(page.locator("body")).to_have_attribute("data-waiting", "0")


def four_hands(path: Path) -> Path:
    """Four hands in rows, of a deck whose jacks bear a V: in other countries that is a queen."""
    cards = [
        Laid(card, (150 + 205 * n, 150 + 290 * row), 2.0 * (n - 2), 2.8)
        for row, hand in enumerate(HANDS) for n, card in enumerate(hand.split())
    ]  # fmt: skip
    image = lay(cloth(1130, 1170), cards, relettered(deck(), {"J": "V"}))
    assert cv2.imwrite(str(path), image, [cv2.IMWRITE_JPEG_QUALITY, 92])
    return path


def test_four_hands_are_photographed_an_unknown_card_is_tapped_and_somebody_wins(page: Page, tmp_path: Path) -> None:
    """With the packaged model, from a rendered photograph."""
    with photos(PhotoDesk(PhotoReader())) as server:
        visit(page, server)
        page.get_by_label("Take a picture").set_input_files(four_hands(tmp_path / "table.jpg"))
        expect(page.locator("progress")).to_be_attached()
        expect(page.locator("svg.picture")).to_be_visible(timeout=120_000)
        expect(page.locator("#status")).to_contain_text("One of them cannot be read: tap it")
        expect(page.locator("#hands .hand")).to_have_count(4)
        expect(page.locator("#hands .cards .known")).to_have_count(19)
        expect(page.locator("#result")).to_have_text("One card of hand 1 cannot be read. Nothing is awarded.")
        page.locator("svg.picture .unknown polygon").click()
        expect(page.locator("#card-title")).to_have_text("Hand 1: a card that cannot be read")
        expect(page.locator("#crop")).to_be_visible()
        page.get_by_role("button", name="jack of spades").click()
        expect(page.locator("#result .won")).to_have_text(
            "Hand 1 wins with a flush, ace high. That beats Hand 3's hand, three of a kind, sevens:"
            " it is the higher kind of hand."
        )
        expect(page.locator(".hand.wins h3")).to_contain_text("Hand 1")


def test_a_likely_card_is_one_tap_away(page: Page) -> None:
    with photos(written_desk()) as server:
        visit(page, server)
        choose(page, written(FOUR))
        page.get_by_role("button", name="Hand 3: a card that cannot be read").click()
        expect(page.locator(".likely button")).to_have_text(["eight of spades", "eight of clubs"])
        page.get_by_role("button", name="eight of clubs").click()
        expect(page.locator("#card")).to_be_hidden()
        expect(page.locator("#result .won")).to_contain_text("Hand 1 wins with a flush")
        page.reload()
        expect(page.locator("#result .won")).to_contain_text("Hand 1 wins with a flush")


def test_everything_works_by_keyboard(page: Page) -> None:
    with photos(written_desk()) as server:
        visit(page, server)
        choose(page, written("As Ks Qs Js ?9s9c/Kh Kd 4c 5d 2d"))
        page.get_by_role("button", name="Hand 1: a card that cannot be read").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="nine of spades")).to_be_focused()
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Hand 2: two of diamonds").focus()
        page.keyboard.press("Enter")
        page.get_by_role("button", name="6", exact=True).focus()
        page.keyboard.press("Space")
        page.get_by_role("button", name="hearts", exact=True).focus()
        page.keyboard.press("Space")
        expect(page.locator("#result .won")).to_contain_text("Hand 1 wins with a flush")
        page.get_by_role("button", name="Hand 2: four of clubs").focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        expect(page.locator("#card")).to_be_hidden()
        expect(page.get_by_role("button", name="Hand 2: four of clubs")).to_be_focused()
        page.keyboard.press("Enter")
        page.get_by_role("button", name="No card here").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#result")).to_contain_text("Hand 2 lacks one card: tap + to add it.")
        page.get_by_role("button", name="Hand 2: add a card").focus()
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Close").focus()
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Taken out 1").focus()
        page.keyboard.press("Enter")
        page.get_by_role("button", name="four of clubs").focus()
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Start over").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#hands")).to_be_empty()
        expect(page.get_by_role("button", name="Start over")).to_be_hidden()


def test_cards_move_and_hands_begin(page: Page) -> None:
    with photos(written_desk()) as server:
        visit(page, server, TABLET)
        choose(page, written("As Ks Qs Js Ts/Kh Kd 4c 5d 6h"))
        page.get_by_role("button", name="Hand 2: king of hearts").click()
        page.get_by_role("button", name="A new hand").last.click()
        expect(page.locator("#hands .hand")).to_have_count(3)
        page.get_by_label("What is a hand?").select_option("rows")
        expect(page.locator("#hands .hand")).to_have_count(2)


def test_pictures_that_cannot_be_read_are_said_one_by_one(page: Page) -> None:
    with photos(written_desk()) as server:
        visit(page, server)
        choose(page, b"no picture", written("As Ks Qs Js Ts"), b"")
        expect(page.locator(".problem")).to_have_text(
            [
                "File 1 is no picture that can be read here: it has to be JPEG, PNG, WebP or BMP.",
                "Picture 3 is empty.",
            ]
        )
        expect(page.locator("#result")).to_have_text("Nothing is awarded.")


def test_a_file_that_is_too_large_is_not_even_sent(page: Page) -> None:
    with photos(written_desk()) as server:
        visit(page, server)
        page.evaluate("document.body.dataset.largest = 5")
        choose(page, written("As"))
        expect(page.locator("#refused")).to_have_text("This file is too large: at most 24 million bytes can be sent.")
        expect(page.locator("#hands")).to_be_empty()


def test_waiting_is_said_while_others_are_read(page: Page) -> None:
    desk, may = written_desk(), threading.Event()
    desk._background = True
    desk._reader.before = lambda: assert_let(may)  # type: ignore[attr-defined]
    with photos(desk) as server:
        other = desk.begin()
        desk.add(other, written("2c"))
        desk.add(other, written("3c"))
        visit(page, server)
        page.get_by_label("Choose pictures").set_input_files(
            [{"name": "a.jpg", "mimeType": "image/jpeg", "buffer": written("As Ks Qs Js Ts")}]
        )
        expect(page.locator("#status")).to_have_text("Another picture is read first; yours waits.")
        may.set()
        expect(page.locator("#result")).to_contain_text("royal flush")
        expect(page.locator("body")).to_have_attribute("data-waiting", "0")


def assert_let(may: threading.Event) -> None:
    assert may.wait(60)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [SMALL, PHONE, (844, 390), (820, 1180), TABLET])
def test_it_fits_every_screen_and_is_big_enough_for_fingers(page: Page, size: tuple[int, int], scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    with photos(written_desk()) as server:
        visit(page, server, size)
        choose(page, written(FOUR), b"no picture")
        expect(page.locator("#hands .hand")).to_have_count(4)
        for dialog in (False, True):
            if dialog:
                page.get_by_role("button", name="Hand 3: a card that cannot be read").click()
            wide, small, tall = page.evaluate(
                """() => {
                    const taps = [...document.querySelectorAll("button, .button, select")];
                    const boxes = taps.map((one) => one.getBoundingClientRect()).filter((box) => box.width);
                    const sides = boxes.map((box) => Math.min(box.width, box.height));
                    const picture = document.querySelector("svg.picture").getBoundingClientRect();
                    return [document.documentElement.scrollWidth - innerWidth, Math.min(...sides), picture.height / innerHeight];
                }"""
            )
            assert (wide <= 0, small >= 44, tall <= 1) == (True, True, True)


# ---- the reveal of a game at the table -----------------------------------------------------------------------------


@contextmanager
def at_the_table(table: Told, desk: PhotoDesk) -> Iterator[Server]:
    """A table whose thread gets to what is tapped."""
    stop = threading.Event()

    def work() -> None:
        while not stop.wait(0.02):
            table.sitting.post(Tick(table.time))
            table.sitting.work()

    working = threading.Thread(target=work)
    with closing(desk), served(create_app(table.sitting, [PhotoPage(desk, table.sitting).routes()])) as server:
        working.start()
        try:
            yield server
        finally:
            stop.set()
            working.join()


def test_a_table_of_taps_is_revealed_by_a_photograph(page: Page) -> None:
    with at_the_table(ended(taps()), written_desk()) as server:
        page.goto(f"http://{HOST}:{server.port}/")
        page.locator("#talk").get_by_role("link", name="Score a photo").click()
        expect(page.locator("body[data-ready]")).to_be_attached()
        choose(page, written("Ah Ad 7c 8c 2s/Kh Kd Ks 3c 4d/Qh Jd 9s 6c ?5d5h"))
        page.get_by_role("button", name="Hand 3: a card that cannot be read").click()
        page.get_by_role("button", name="five of diamonds").click()
        expect(page.locator("#result .won")).to_contain_text("Hand 2 wins with three of a kind, kings")
        for hand, who in ((1, "Ben"), (2, "Cat"), (3, "Ann")):
            page.get_by_label(f"Hand {hand} is").select_option(label=who)
        page.get_by_role("button", name="Enter these cards").click()
        expect(page.locator("#entered p")).to_have_text([f"{who}: 5 cards were entered." for who in ("Ben", "Cat", "Ann")])
        expect(page.locator("#reveal")).to_be_empty()
        page.get_by_role("link", name="To the table").click()
        expect(page.locator("h1")).to_have_text("Cat wins!")
        expect(page.locator(".won")).to_contain_text("Cat wins with three of a kind, kings.")
        page.go_back()
        expect(page.locator("#result .won")).to_contain_text("Hand 2 wins")


def test_the_offer_comes_when_the_game_is_over(page: Page) -> None:
    table = taps()
    with at_the_table(table, written_desk()) as server:
        visit(page, server)
        choose(page, written("Ah Ad 7c 8c 2s"))
        expect(page.locator("#reveal")).to_be_empty()
        for _ in range(7):
            seat = table.sitting.view().current
            assert table.sitting.claim(0 if seat is None else seat, 0).wait(20)
        expect(page.locator("#reveal h2")).to_have_text("Use these cards for the game at the table")
