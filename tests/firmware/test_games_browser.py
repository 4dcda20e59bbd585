"""Every game in a real Chromium: one player at his phone, the others at the tablet, from the deal to the next deal."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from companion.cards import DECK, Card
from companion.games import GAMES, find_game
from companion.games.base import Game
from companion.games.poker_acts import Wager
from companion.views import Role, View
from companion.web import create_app
from firmware.board import NoBoard
from firmware.commands.run import Games
from firmware.espeak import Silence
from firmware.settings import load_settings
from tests.browser import HOST, PATIENCE_MS, browser, needs_chromium, page
from tests.companion.web.conftest import served
from tests.companion.web.visitors import home

__all__ = ["browser", "page"]
pytestmark = needs_chromium
NAMES = ("Anna", "Ben", "Cleo")
TELLS = ".note.won, .ladder"
"""Where a page tells who has won: beside the chips, or with all hands."""
PHONE, FOLDS = 0, 2
"""Anna has a phone and is the first to bet; Cleo gives up as soon as she may."""

PLAYED: Mapping[str, set[str]] = {
    "steal": {"discard"},
    "draw": {"bet", "call", "check", "fold"},
    "stud": {"bet", "call", "check", "fold"},
    "casino-stud": {"complete", "call", "check", "fold"},
}
"""What is done in the hand of each game; in Five-Card Steal cards are drawn until the end."""


@contextmanager
def kept(games: Games) -> Iterator[None]:
    """The table's own thread, as in `viewmat run` without cameras."""
    stop = threading.Event()
    thread = threading.Thread(target=games.play, args=(NoBoard(), stop, Silence()))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        games.close(begun=True)


@contextmanager
def phone_of(browser: Browser, tablet: Page, name: str) -> Iterator[Page]:
    """A phone that has followed the link which the tablet shows."""
    tablet.locator(".menu summary").click()
    tablet.get_by_role("button", name=f"Link for {name}'s phone").click()
    expect(tablet.locator("#link")).to_be_visible()
    link = tablet.locator("#link .address").inner_text()
    tablet.locator("#link").get_by_role("button", name="Close").click()
    tablet.locator(".menu").evaluate("menu => { menu.open = false }")
    context = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce", has_touch=True)
    phone = context.new_page()
    phone.set_default_timeout(PATIENCE_MS)
    phone.goto(link)
    expect(phone.locator("#whose")).to_have_text(f"This phone is {name}'s.")
    yield phone
    context.close()


@dataclass
class People:
    """Three people at a table, who see nothing of it but its pages."""

    games: Games
    tablet: Page
    phone: Page
    deck: list[Card]
    done: list[tuple[int, str]] = field(default_factory=list)
    turns: set[int] = field(default_factory=set)

    @property
    def view(self) -> View:
        return self.games.evening.view()

    def page_of(self, seat: int) -> Page:
        return self.phone if seat == PHONE else self.tablet

    def follow(self) -> None:
        """Both pages show what the table knows."""
        for shown, who in ((self.tablet, (Role.TABLE, None)), (self.phone, (Role.SEAT, PHONE))):
            version = self.games.evening.view(*who).version
            expect(shown.locator("body")).to_have_attribute("data-version", str(version))

    def play(self) -> View:
        for _ in range(120):
            self.follow()
            view = self.view
            if view.result is not None:
                return view
            if view.revealing or view.waits == "upcards":
                self.enter(view)
            else:
                self.act(view)
        raise AssertionError("a game that does not end")

    def enter(self, view: View) -> None:
        """The next card that lies open has to be named: on the phone where it is the player's own."""
        seat, number = next(
            (seat.seat, one.number)
            for seat in view.seats for one in seat.slots
            if one.open or (view.revealing and not one.bare and one.card is None)
        )  # fmt: skip
        page, card = self.page_of(seat), self.deck.pop()
        page.locator(f"[data-enter='{seat},{number}']").click()
        page.locator(f"#enter [data-rank='{card.rank.letter}']").click()
        with page.expect_response("**/enter") as answer:
            page.locator(f"#enter [data-suit='{card.suit.letter}']").click()
        assert answer.value.ok, answer.value.text()

    def act(self, view: View) -> None:
        """Whoever is in turn does what he does in this hand; nobody else is offered anything."""
        (seat,) = view.actors
        page = self.page_of(seat)
        for each in (self.tablet, self.phone):
            expect(each.locator("h1")).to_contain_text(NAMES[seat])
        if page is not self.phone:
            expect(self.phone.locator(".bets, [data-offers]")).to_have_count(0)
        self.turns.add(seat)
        bets = page.locator(f"#seat-{seat} .bets button")
        if bets.count():
            self.bet(seat, {kind: bets.nth(index) for index, kind in enumerate(self.legal_bets(seat))})
        else:
            self.move(seat)

    def move(self, seat: int) -> None:
        """A move of cards: the first of those that the dialog offers at every step."""
        page = self.page_of(seat)
        page.locator(f"[data-offers='{seat}']").click()
        expect(page.locator("#choose")).to_be_visible()
        with page.expect_response("**/act") as answer:
            for _ in range(4):
                if not page.locator("#choose").is_visible():
                    break
                page.locator("#choose .choices button").first.click()
        assert answer.value.ok, answer.value.text()
        last = self.games.evening.sitting.view().last
        assert last is not None and last.seat == seat
        self.done.append((seat, last.kind))

    def legal_bets(self, seat: int) -> list[str]:
        """The kinds of the bets on the page, in their order: those that the engine calls legal, for chips that it calls legal."""
        game, state = find_game(self.view.game), self.games.evening.sitting.agreement.state
        legal = [action for action in game.legal_actions(game.opened(state)) if action.seat == seat]
        kinds = []
        for button in self.page_of(seat).locator(f"#seat-{seat} .bets button").all():
            kinds.append(re.sub("^bet-", "", button.get_attribute("class") or ""))
            totals = sorted({one.total for one in legal if isinstance(one, Wager) and game.move_view(one).kind == kinds[-1]})
            if button.get_attribute("data-offer"):
                assert self.bounds(seat, button) == (totals[0], totals[-1])
            elif totals:
                assert int(re.findall(r"\d+", button.inner_text())[-1]) in totals
        assert set(kinds) == {game.move_view(one).kind for one in legal} - {"sort"}
        return kinds

    def bounds(self, seat: int, button: Locator) -> tuple[int, int]:
        """The least and the most that may be bet; more than that cannot be sent."""
        choose, send = self.page_of(seat).locator("#choose"), self.page_of(seat).locator("#choose .amount .main")
        button.click()
        typed = choose.locator("[type=number]")
        expect(typed).to_be_visible()
        least, most = int(typed.get_attribute("min") or 0), int(typed.get_attribute("max") or 0)
        for wrong in (least - 1, most + 1):
            typed.fill(str(wrong))
            expect(send).to_be_disabled()
        choose.get_by_role("button", name="Close").click()
        return least, most

    def bet(self, seat: int, bets: Mapping[str, Locator]) -> None:
        """Anna bets once, Cleo gives up, and who is left goes along."""
        page = self.page_of(seat)
        opens = ("bet", "complete") if not {(seat, "bet"), (seat, "complete")} & set(self.done) else ()
        order = ("fold",) if seat == FOLDS else (*(opens if seat == PHONE else ()), "check", "call", "bring_in", "bet")
        kind = next((each for each in order if each in bets), next(iter(bets)))
        sized = bets[kind].get_attribute("data-offer") is not None
        with page.expect_response("**/act") as answer:
            bets[kind].click()
            if sized:
                page.locator("#choose .amount .main").click()
        assert answer.value.ok, answer.value.text()
        self.done.append((seat, kind))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_whole_game_on_a_phone_and_the_tablet(
    game: Game[Any], page: Page, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    seats = "".join(f'[[seat]]\nname = "{name}"\n' for name in NAMES)
    (tmp_path / "table.toml").write_text(f'game = "{game.name}"\nrecord = false\n{seats}')
    games = Games(load_settings(tmp_path / "table.toml"), fresh=True)
    app = create_app(games.evening, buttons=True, access=home(), next_game=games.evening.ask_next)
    with kept(games), served(app) as server:
        page.goto(f"http://{HOST}:{server.port}/")
        with phone_of(browser, page, NAMES[PHONE]) as phone:
            people = People(games, page, phone, Random(game.name).sample(DECK, 52))
            ended = people.play()
            assert {kind for _, kind in people.done} >= PLAYED[game.name]
            assert people.turns == {0, 1, 2}
            for each in (page, phone):
                expect(each.locator(TELLS).first).to_be_visible()
            page.locator("[data-post='/next']").first.click()
            for each in (page, phone):
                expect(each.locator(TELLS)).to_have_count(0)
            people.follow()
            view = people.view
            assert view.result is None and view.phase == "setup"
            if ended.chips is not None and view.chips is not None:
                assert view.chips.hand == 2
                paid = zip(view.chips.stacks, view.chips.score, strict=True)
                assert all(stack <= 200 + won for stack, won in paid), "stacks and score go on"


def test_every_game_has_its_moves_here() -> None:
    """A new game fails this test until somebody has said what is done in it."""
    assert PLAYED.keys() == {game.name for game in GAMES}
