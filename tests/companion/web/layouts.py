"""Looks at a page as a finger would: what sticks out, what lies over what; and the views with the most to show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from playwright.sync_api import Page

from companion.views import MoveView, PlacementView, ProposalView, RankView, ResultView, StepView, View
from tests.companion import tables
from tests.companion.tables import SITUATIONS


def five_won() -> View:
    """The end at a table of five."""
    seats = tuple(tables.opened(n, 5, tables.CATEGORIES[n]) for n in range(5))
    result = ResultView((0, 1, 4, 2, 3), (0,), tables.CATEGORIES, tables.HANDS, "category")
    ranking = (
        *tables.RANKING[:2],
        RankView(4, 3, 1, "category"),
        RankView(2, 4, 4, "rank", "7", "6"),
        RankView(3, 5, 2, "rank", "Q", "T"),
    )
    return replace(tables.won(), seats=seats, result=result, ranking=ranking, undo=12)


def five_taps() -> View:
    """Everybody plays by tap, and there is a lot to say."""
    steps = (StepView(MoveView("steal", 2, 3, 0, 1), True), StepView(MoveView("draw", 1, 2), True))
    lines = tuple(PlacementView("return_card", place, False) for place in ((2, 3), (0, 1), (1, 2)))
    return replace(tables.final(), seats=tuple(tables.seat(n, "tap") for n in range(5)), steps=steps, awaiting=lines, undo=9)


CROWDED: Mapping[str, View] = {
    **SITUATIONS,
    "five_won": five_won(),
    "undo_across_the_end": replace(five_won(), proposal=ProposalView(3, "undo", (0, 1, 2, 3, 4), turns=1, reason="Miscounted.")),
    "five_taps": five_taps(),
}  # fmt: skip
"""Every situation, and tables of five with the most to say."""

UNREACHED = """() => {
    const faults = [];
    const shown = (one) => one.checkVisibility({visibilityProperty: true}) && one.getClientRects().length > 0;
    const name = (one) => one.getAttribute("aria-label") ?? one.textContent.trim() ?? one.id;
    for (const one of document.querySelectorAll("button, a[href], summary, input, select")) {
        if (!shown(one) || one.closest(".unseen")) continue;
        one.scrollIntoView({block: "center", inline: "nearest", behavior: "instant"});
        const box = one.getBoundingClientRect();
        if (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
            faults.push(`${name(one)} is off the screen`);
        const points = [[.5, .5], [.12, .5], [.88, .5], [.5, .2], [.5, .8]];
        for (const [x, y] of points) {
            const met = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
            if (met !== one && !one.contains(met) && !one.labels?.[0]?.contains(met)) {
                faults.push(`${name(one)} lies under ${met?.id || met?.className || met?.tagName}`);
                break;
            }
        }
    }
    document.scrollingElement.scrollTop = 0;
    return faults;
}"""
"""Everything that can be tapped, scrolled to, has to lie on top and on the screen."""

STICKING_OUT = """() => {
    const felt = document.querySelector(".felt").getBoundingClientRect();
    const faults = document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : [];
    for (const one of document.querySelectorAll(".felt *")) {
        const box = one.getBoundingClientRect();
        if (box.width > 1 && box.height > 1 && (box.left < felt.left || box.right > felt.right
            || box.top < felt.top || box.bottom > felt.bottom)) faults.push(`${one.className || one.tagName} leaves the felt`);
    }
    const parts = [...document.querySelectorAll(".seat, .middle > *:not(:empty)")]
        .map((one) => [one, one.getBoundingClientRect()]).filter(([one, box]) => box.width > 1 && box.height > 1);
    for (const [i, [one, a]] of parts.entries())
        for (const [other, b] of parts.slice(i + 1))
            if (a.right > b.left + 1 && b.right > a.left + 1 && a.bottom > b.top + 1 && b.bottom > a.top + 1)
                faults.push(`${one.id} and ${other.id} overlap`);
    const [pile, first] = [".pile .card", ".row li"].map((one) => document.querySelector(one)?.getBoundingClientRect());
    if (pile?.width && first && pile.right > first.left && pile.left < first.right && pile.bottom > first.top
        && pile.top < first.bottom) faults.push("the pile lies over the row");
    return faults;
}"""
"""Nothing leaves the felt, and no seat, message or row lies over another."""


def faults(page: Page) -> list[str]:
    """What is wrong with how the table page lies on the screen now."""
    return [*page.evaluate(STICKING_OUT), *page.evaluate(UNREACHED)]
