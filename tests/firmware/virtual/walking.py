"""A person in front of the virtual table's page, who has nothing but a pointer, or nothing but keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from playwright.sync_api import Locator, Page, expect

from companion.views import View
from tests.firmware.virtual.handplayed import HandTable


class Way(Protocol):
    """How somebody works a page."""

    def press(self, button: Locator) -> None:
        """Press a button or follow a link."""
        ...

    def carry(self, card: Locator, to: Locator) -> None:
        """Take a card and lay it at a place."""
        ...


@dataclass
class Pointer:
    """A mouse, and nothing else."""

    page: Page

    def press(self, button: Locator) -> None:
        button.click()

    def carry(self, card: Locator, to: Locator) -> None:
        card.scroll_into_view_if_needed()
        x, y = _middle(card)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + 12, y + 12, steps=2)
        expect(self.page.locator(".ghost")).to_be_visible()
        self.page.mouse.move(*_middle(to), steps=3)
        expect(self.page.locator(".is-under")).to_have_count(1)
        self.page.mouse.up()


@dataclass
class Keys:
    """A keyboard, and nothing else: Tab, arrows and Enter."""

    page: Page
    longest: int = 140
    """So many keys at most until something has the focus."""

    def press(self, button: Locator) -> None:
        expect(button).to_be_visible()
        self._reach(button, "Tab")
        self.page.keyboard.press("Enter")

    def carry(self, card: Locator, to: Locator) -> None:
        if card.get_attribute("aria-pressed") != "true":
            self._reach(card, "Tab")
            self.page.keyboard.press("Enter")
            expect(card).to_have_attribute("aria-pressed", "true")
        # A card that came into the hand is held already; the way to the place goes by arrows, as far as those lead.
        if not self._steer(to):
            self._reach(to, "Tab")
        self.page.keyboard.press("Enter")

    def _reach(self, target: Locator, key: str) -> None:
        for _ in range(self.longest):
            if _focused(target):
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"{self.longest} times {key} do not lead to {target}")

    def _steer(self, to: Locator) -> bool:
        for _ in range(12):
            if _focused(to):
                return True
            if not self.page.locator("[data-spot]:focus").count():
                return False
            (x, y), (a, b) = _middle(self.page.locator("[data-spot]:focus")), _middle(to)
            if abs(b - y) > 12:
                self.page.keyboard.press("ArrowDown" if b > y else "ArrowUp")
            else:
                self.page.keyboard.press("ArrowRight" if a > x else "ArrowLeft")
        return False


def _focused(target: Locator) -> bool:
    return bool(target.evaluate("(one) => one === document.activeElement"))


def _middle(one: Locator) -> tuple[float, float]:
    box = one.bounding_box()
    assert box is not None, f"{one} is on the page"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@dataclass
class Walk:
    """One person at the page of a table that is played by hand."""

    page: Page
    table: HandTable
    way: Way

    def spot(self, name: str) -> Locator:
        return self.page.locator(f'[data-spot="{name}"]')

    @property
    def held(self) -> Locator:
        """The cards in the person's hand."""
        return self.page.locator("#top-0 .held [data-spot]")

    def press(self, name: str) -> None:
        """Press the button of this name, and let the table get to it."""
        self.way.press(self.page.get_by_role("button", name=name, exact=True).first)

    def deed(self, name: str) -> None:
        """Press a button that has hands do something, and let them."""
        with self.page.expect_response("**/puppet/do"):
            self.press(name)
        self.settle()

    def carry(self, what: str, to: str) -> None:
        """Carry a card to a place, and let it lie there."""
        card = self.held.first if what == "held" else self.spot(what)
        with self.page.expect_response("**/puppet/do"):
            self.way.carry(card, self.spot(to))
        self.settle()

    def settle(self) -> None:
        """Hands are still, and the page shows what they have done."""
        self.table.at_rest()
        expect(self.page.locator("body")).to_have_attribute("data-number", str(self.table.top.number))

    def until(self, what: Callable[[View], bool]) -> View:
        """Let time go on until the table says so, and the page shows it."""
        view = self.table.until(what)
        self.shown()
        return view

    def shown(self) -> None:
        version = self.table.view.version
        expect(self.page.locator("body")).to_have_attribute("data-version", str(version))
        if self.page.locator("body.puppet").count():
            expect(self.page.locator("body")).to_have_attribute("data-number", str(self.table.top.number))

    def draw(self) -> None:
        """Draw a card, and lay it on the row."""
        turn = self.table.view.turn
        self.carry("pile", "row-5" if len(self.table.view.row) < 5 else f"row-{len(self.table.view.row) + 1}")
        self.until(lambda view: view.turn > turn)

    def my_turn(self) -> View:
        return self.until(lambda view: my_turn(view) or view.phase == "over")


def my_turn(view: View) -> bool:
    quiet = not (view.violation or view.question or view.awaiting or view.steps or view.turn_down or view.proposal)
    return view.current == 0 and quiet and not view.stopped
