"""axe-core on every page, in both themes: nothing serious or critical keeps anybody out.  And no page scrolls sideways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.album.leaves import LEAVES, Leaf
from tests.album.looking import opened, opened_album, turned_to
from tests.album.stages import Stage
from tests.browser import needs_chromium

GRAVE = ("serious", "critical")
OF_THEME = ["color-contrast", "link-in-text-block"]
"""Rules whose outcome hangs on colours: in the second theme nothing else can have changed."""
NOT_GRAVE = "(grave) => axe._audit.rules.filter((rule) => rule.impact && !grave.includes(rule.impact)).map((rule) => rule.id)"
"""Rules that can find nothing grave."""
LYING = (1280, 800)
NARROW = ((360, 740), (800, 1280))
"""A phone and a tablet held upright; axe looks at the page lying."""
AT_ONCE = 6
"""So many leaves of one way are looked at by one test."""


def ways() -> tuple[tuple[Leaf, ...], ...]:
    """The leaves, those together that one page can go through."""
    alike: dict[object, list[Leaf]] = {}
    for leaf in LEAVES:
        alike.setdefault(leaf.way, []).append(leaf)
    return tuple(tuple(found[n : n + AT_ONCE]) for found in alike.values() for n in range(0, len(found), AT_ONCE))


WAYS = ways()
Album = tuple[Mapping[str, Stage], Browser]


@pytest.fixture(scope="module")
def album() -> Iterator[Album]:
    with opened_album() as found:
        yield found


@pytest.fixture(scope="module")
def axe() -> str:
    """The engine, which a package of the developers' environment carries."""
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def faults(page: Page, rules: list[str] | None = None) -> list[str]:
    """What the engine's rules of grave impact find, or some of them.  It fetches no style sheet anew."""
    options: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
    if rules is not None:
        options["runOnly"] = {"type": "rule", "values": rules}
    else:
        options["rules"] = {rule: {"enabled": False} for rule in page.evaluate(NOT_GRAVE, list(GRAVE))}
    found = page.evaluate("(options) => axe.run(document, options).then((told) => told.violations)", options)
    return [
        f"{one['id']} ({one['impact']}): {node['html'][:160]} {node.get('failureSummary', '')[:200]}"
        for one in found
        if one["impact"] in GRAVE
        for node in one["nodes"]
    ]


def looked_through(page: Page, axe: str) -> list[str]:
    """All that is wrong with the page as it stands, in both themes and in every width."""
    page.set_viewport_size({"width": LYING[0], "height": LYING[1]})
    page.emulate_media(color_scheme="light")
    if not page.evaluate("'axe' in window"):
        # Past the page's policy, which lets no strange script in.
        page.evaluate(axe)
    found = faults(page)
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {fault}" for fault in faults(page, OF_THEME)]
    for width, height in NARROW:
        page.set_viewport_size({"width": width, "height": height})
        if page.evaluate("document.documentElement.scrollWidth - innerWidth") > 0:
            found.append(f"{width} x {height} scrolls sideways")
    return found


@needs_chromium
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way[0].name)
def test_nothing_keeps_anybody_out(way: tuple[Leaf, ...], album: Album, axe: str) -> None:
    first, *others = way
    with opened(first, *album, size=LYING) as page:
        found = {first.name: looked_through(page, axe)}
        for leaf in others:
            turned_to(leaf, album[0], page)
            found[leaf.name] = looked_through(page, axe)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_no_leaf_is_left_out() -> None:
    assert sorted(leaf.name for way in WAYS for leaf in way) == sorted(leaf.name for leaf in LEAVES)


@needs_chromium
def test_a_fault_is_found(album: Album, axe: str) -> None:
    with opened(next(leaf for leaf in LEAVES if leaf.name == "join"), *album) as page:
        page.evaluate(axe)
        page.evaluate("document.querySelector('main p').style.color = '#ded9d0'")
        page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<button></button>')")
        assert {fault.split()[0] for fault in faults(page)} == {"color-contrast", "button-name"}
        assert [fault.split()[0] for fault in faults(page, OF_THEME)] == ["color-contrast"]
