"""Every page of the program, once for each way in which it looks different.  Whoever adds a page adds a line here.

`tests/test_axe.py` looks at all of them for faults that keep people out; `./run pictures` takes those that name sizes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page, expect

from companion.views import Role
from tests.album.photographed import PICTURE
from tests.companion.tables import SITUATIONS
from tests.companion.web.floors import KEY

TABLET = ("tablet", "tablet-dark")
BENCH = "/<any(teach, check):kind>"
STEP = "/setup/<int:draft>/<step>"


def nothing(page: Page) -> None:
    return


def follow_the_table(page: Page) -> None:
    """Wait until the live page has its state."""
    expect(page.locator("body[data-version]")).to_be_attached()


def see_the_cards(page: Page) -> None:
    """Wait until the virtual table has its cards."""
    follow_the_table(page)
    expect(page.locator("body[data-number]")).to_be_attached()


def open_menu(page: Page) -> None:
    follow_the_table(page)
    page.locator(".menu summary").click()


def ask_for_a_card(page: Page) -> None:
    follow_the_table(page)
    page.locator("[data-enter]").first.click()
    expect(page.locator("#enter")).to_be_visible()


def show_a_link(page: Page) -> None:
    open_menu(page)
    page.locator("[data-link]").first.click()
    expect(page.locator("#link")).to_be_visible()


def score_four_hands(page: Page) -> None:
    expect(page.locator("body[data-ready]")).to_be_attached()
    file = {"name": "1.jpg", "mimeType": "image/jpeg", "buffer": PICTURE}
    page.get_by_label("Choose pictures").set_input_files([file])  # type: ignore[list-item]
    expect(page.locator("#hands .hand")).to_have_count(4)


def move_on(page: Page) -> None:
    page.locator("input[type=range]").press("ArrowRight")
    page.locator("input[type=range]").press("ArrowRight")


def go_to_the_end(page: Page) -> None:
    page.locator("input[type=range]").press("End")


def at_step(step: str) -> Callable[[Page], None]:
    """Go to a step of the wizard, which `/setup` has begun."""

    def go(page: Page) -> None:
        page.goto(page.url.rsplit("/", 1)[0] + f"/{step}")
        expect(page.locator("h1").first).to_be_visible()
        page.wait_for_load_state("load")

    return go


def open_the_guide(page: Page) -> None:
    page.locator("#android summary").click()


def open_the_rules(page: Page) -> None:
    page.locator("details summary").first.click()


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page as somebody sees it."""

    name: str
    """Names the picture."""
    rule: str
    """The route, as it stands in the application's map."""
    path: str = ""
    """Where it is opened; the route itself where it has no placeholders."""
    stage: str = "home"
    role: Role = Role.TABLE
    seat: int | None = None
    shows: str = "playing"
    """What is on the table."""
    then: Callable[[Page], None] = nothing
    """What is done before it is looked at."""
    looks: str = ""
    """What this browser has chosen, as ``looks.js`` keeps it."""
    sizes: tuple[str, ...] = ()
    """In which sizes and themes its picture is taken, see `pictures.SIZES`."""
    status: int = 200
    """How the server answers."""

    @property
    def address(self) -> str:
        return self.path or self.rule

    @property
    def way(self) -> object:
        """The same for leaves that a page which is open already goes on to, without another visit."""
        goes_on = self.then is follow_the_table or self.rule == STEP
        return (self.address, self.stage, self.role, self.seat, self.looks) if goes_on else self.name


def _table(name: str, *sizes: str) -> Leaf:
    return Leaf(f"table-{name}", "/", shows=name, then=follow_the_table, sizes=sizes)


PICTURED = {
    "dealing": ("tablet",), "stolen": (*TABLET, "portrait", "phone"), "broken": ("tablet", "phone"), "asked": ("tablet",),
    "final": ("tablet",), "revealing": ("tablet",), "won": (*TABLET, "phone"), "by_hand": ("tablet",), "stopped": ("tablet",),
}  # fmt: skip


def _step(step: str, *sizes: str) -> Leaf:
    return Leaf(f"setup-{step}", STEP, path="/setup", shows="won", then=at_step(step), sizes=sizes)


SETUP = {
    "preset": (), "seats": ("tablet", "phone"), "sources": ("tablet",), "places": ("phone",), "lamps": (), "cameras": ("tablet",),
    "deck": (), "rules": ("tablet-dark", "phone"), "hard": (), "ready": ("tablet",),
}  # fmt: skip
"""The wizard's steps."""

LEAVES: tuple[Leaf, ...] = (
    *(_table(name, *PICTURED.get(name, ())) for name in SITUATIONS),
    _table("saw", "tablet"),
    _table("betting", *TABLET),
    Leaf("table-turned", "/", shows="stolen", then=follow_the_table, looks="suits-two.facing-page", sizes=("tablet",)),
    Leaf("table-pictures", "/", shows="stolen", then=follow_the_table, looks="words-pictures", sizes=("tablet",)),
    Leaf("menu", "/", then=open_menu, sizes=("tablet", "phone")),
    Leaf("phone-of-a-seat", "/", role=Role.SEAT, seat=1, shows="tapped", then=follow_the_table, sizes=("phone",)),
    Leaf("phone-that-bets", "/", role=Role.SEAT, seat=2, shows="betting", then=follow_the_table, sizes=("phone",)),
    Leaf("spectator", "/", stage="club", role=Role.SPECTATOR, then=follow_the_table),
    Leaf("card-of-the-row", "/", shows="tapped", then=ask_for_a_card, sizes=("phone",)),
    Leaf("link", "/", then=show_a_link),
    Leaf("disputes-none", "/disputes"),
    Leaf("dispute", "/disputes", path="/disputes?move=3&seat=1&slot=2", stage="disputed", sizes=("tablet", "phone")),
    Leaf("rules", "/rules", sizes=("tablet", "phone-dark")),
    Leaf("history", "/history", sizes=("tablet", "phone")),
    Leaf("history-game", "/history/<game>", path=f"/history/{7:016x}", sizes=("tablet", "phone")),
    Leaf("history-player", "/history/player/<path:name>", path="/history/player/Anna", sizes=("tablet", "phone")),
    Leaf("story", "/story", shows="told", then=move_on, sizes=("tablet", "phone")),
    Leaf(
        "story-of-a-past-game",
        "/history/<game>/story",
        path=f"/history/{7:016x}/story",
        then=go_to_the_end,
        sizes=("tablet-dark",),
    ),
    Leaf("setup-language", "/setup", sizes=("phone",)),
    *(_step(step, *sizes) for step, sizes in SETUP.items()),
    Leaf("photo", "/photo", sizes=("phone",)),
    Leaf("photo-hands", "/photo", then=score_four_hands, sizes=("tablet", "phone")),
    Leaf("health", "/health", sizes=("tablet", "phone-dark")),
    Leaf("teach", BENCH, path="/teach", sizes=("tablet",)),
    Leaf("check", BENCH, path="/check", sizes=("tablet",)),
    Leaf("strings", "/strings", role=Role.PUPPETEER, sizes=("tablet",)),
    Leaf("puppet", "/puppet", role=Role.PUPPETEER, shows="stolen", then=see_the_cards, sizes=("tablet", "tablet-dark", "phone")),
    Leaf("join", "/join", sizes=("phone",)),
    Leaf("referee-at-home", "/referee"),
    Leaf("referee-none", "/referee", stage="club", role=Role.SPECTATOR),
    Leaf("referee-enter", "/referee", stage="pinned", role=Role.SPECTATOR, sizes=("phone",)),
    Leaf("referee", "/referee", stage="club", role=Role.REFEREE, sizes=("phone",)),
    Leaf("refused", "/strings", status=403, sizes=("phone",)),
    Leaf("install", "/install", then=open_the_guide, sizes=("tablet", "phone")),
    Leaf("offline", "/offline", sizes=("phone-dark",)),
    Leaf("settings-file", "/settings", sizes=("tablet", "phone")),
    Leaf("club", "/", path=f"/?key={KEY}", stage="evening", then=open_the_rules, sizes=("tablet", "phone-dark")),
)

NO_PAGES = frozenset({"/static/<path:filename>", "/likely", "/offers/<int:seat>"})
"""What gives no page for people, and cannot be seen to: it has placeholders, or answers only at certain times."""
