"""Opening a leaf of the album in a browser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, expect

from companion.views import Role
from tests.album.leaves import Leaf, follow_the_table
from tests.album.stages import Stage, resolver_rules, staged
from tests.browser import ARGUMENTS, CHROMIUM, PATIENCE_MS, engine


@contextmanager
def opened_album() -> Iterator[tuple[Mapping[str, Stage], Browser]]:
    """All tables, and a browser that finds them."""
    with staged() as stages:
        browser = engine().chromium.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, resolver_rules(stages)])
        try:
            yield stages, browser
        finally:
            browser.close()


@contextmanager
def opened(
    leaf: Leaf, stages: Mapping[str, Stage], browser: Browser, size: tuple[int, int] = (1280, 800), theme: str = "light",
    scale: float = 1.0,
) -> Iterator[Page]:  # fmt: skip
    """The leaf in a window of its own, as its visitor sees it."""
    stage = stages[leaf.stage]
    if stage.sitting is not None:
        views = stages["home"].app.config["VIEWS"]
        stage.sitting.show(views[leaf.shows])
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=theme, reduced_motion="reduce", device_scale_factor=scale,  # type: ignore[arg-type]
    )  # fmt: skip
    context.set_default_timeout(PATIENCE_MS)
    if leaf.role is not Role.TABLE:
        secret = "nobody's" if leaf.role is Role.SPECTATOR else stage.secret(leaf.role, leaf.seat)
        context.add_cookies([{"name": "viewmat", "value": secret, "url": f"http://{stage.name}"}])
    if leaf.looks:
        context.add_cookies([{"name": "viewmat-looks", "value": leaf.looks, "url": f"http://{stage.name}"}])
    page = context.new_page()
    try:
        answer = page.goto(f"http://{stage.name}{leaf.address}")
        assert answer is not None and answer.status == leaf.status, f"{leaf.name} answers {answer and answer.status}"
        expect(page.locator("h1").first).to_be_visible()
        leaf.then(page)
        yield page
    finally:
        context.close()


def turned_to(leaf: Leaf, stages: Mapping[str, Stage], page: Page) -> None:
    """Go on to a leaf of the same way on a page that is open."""
    sitting = stages[leaf.stage].sitting
    if sitting is not None:
        sitting.show(stages["home"].app.config["VIEWS"][leaf.shows])
        if leaf.then is follow_the_table:
            expect(page.locator("body")).to_have_attribute("data-version", str(sitting.shown.version))
    leaf.then(page)
