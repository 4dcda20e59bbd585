"""Which cards of a photograph lie together as a hand: rows, or groups of five that lie towards their owners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from companion.cards import Card
from vision.photo import Corner, PhotoCard

HAND = 5
"""Cards of a hand."""
ROW_GAP = 0.45
"""Cards lie in different rows when their middles are so much of a card's length apart across the rows."""
TILTS_DEGREES = tuple(range(-40, 41, 2))
"""Slopes of rows that are tried."""
TURN_COST = 1.5
"""A right angle between two cards keeps them apart like so many lengths of a card."""
NEARLY_BELOW = 0.35
"""Radians."""
ALIKE_DEGREES = 20.0
"""Cards that are turned by no more than that from each other may lie in rows."""
WAYS = ("auto", "rows", "photo")
"""What is a hand: what seems to be one; a row; all cards of a photograph."""

Hand = tuple[int, tuple[PhotoCard, ...]]
"""The number of a photograph, and the cards of a hand that it shows."""

Floats = NDArray[np.float64]


def grouped(photographs: Sequence[Sequence[PhotoCard]], way: str) -> tuple[Hand, ...]:
    """The hands of photographs of one table, in one of the `WAYS`."""
    if way == "rows":
        return tuple((number, row) for number, cards in enumerate(photographs) for row in rows(cards))
    if way == "auto":
        return merged([as_they_lie(cards) for cards in photographs])
    return tuple((number, tuple(cards)) for number, cards in enumerate(photographs))


def as_they_lie(cards: Sequence[PhotoCard]) -> tuple[tuple[PhotoCard, ...], ...]:
    """Rows, where all cards lie alike and make as few rows of five as they can; else hands that lie towards their owners."""
    upright = _levelled(cards) if len(cards) > HAND else None
    if upright is not None:
        found = rows(upright)
        if len(found) == -(-len(cards) // HAND) and all(len(row) <= HAND for row in found):
            back = {id(turned): card for turned, card in zip(upright, cards, strict=True)}
            return tuple(tuple(back[id(turned)] for turned in row) for row in found)
    return hands(cards)


def _levelled(cards: Sequence[PhotoCard]) -> list[PhotoCard] | None:
    """The cards as a camera sees them that is held so that they stand upright; None where they do not lie alike."""
    doubled = 2 * _angles(cards)
    middle = float(np.arctan2(np.sin(doubled).mean(), np.cos(doubled).mean())) / 2
    off = np.abs((_angles(cards) - middle + np.pi / 2) % np.pi - np.pi / 2)
    if off.max() > np.radians(ALIKE_DEGREES):
        return None
    # Cards look the same either way round, so a quarter turn at most makes their long sides upright.
    turn = (np.pi / 2 - middle + np.pi / 2) % np.pi - np.pi / 2
    matrix = np.array(((np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))))
    return [replace(card, corners=_quad(np.array(card.corners) @ matrix)) for card in cards]


def _quad(points: Floats) -> tuple[Corner, Corner, Corner, Corner]:
    first, second, third, fourth = ((float(x), float(y)) for x, y in points)
    return first, second, third, fourth


def rows(cards: Sequence[PhotoCard]) -> tuple[tuple[PhotoCard, ...], ...]:
    """The rows of a photograph from the top, each from left to right; rows may slope as the camera was held."""
    if not cards:
        return ()
    centres = _centres(cards)
    gap = ROW_GAP * float(np.median(_lengths(cards)))
    splits = [_split(centres, float(np.radians(tilt)), gap) for tilt in TILTS_DEGREES]
    best = max(splits, key=lambda split: (sum(len(row) == HAND for row in split[0]), -len(split[0]), -split[1]))
    return tuple(tuple(cards[i] for i in row) for row in best[0])


def _split(centres: Floats, tilt: float, gap: float) -> tuple[list[list[int]], float]:
    """Rows at one slope as positions in order, and how unevenly they lie (spread across the rows, slope)."""
    along = centres @ (np.cos(tilt), np.sin(tilt))
    across = centres @ (-np.sin(tilt), np.cos(tilt))
    order = np.argsort(across, kind="stable")
    found: list[list[int]] = [[int(order[0])]]
    for before, after in pairwise(order):
        if across[after] - across[before] > gap:
            found.append([])
        found[-1].append(int(after))
    spread = sum(float(np.ptp(across[row])) for row in found) / gap
    return [sorted(row, key=lambda i: float(along[i])) for row in found], spread + abs(tilt)


def hands(cards: Sequence[PhotoCard]) -> tuple[tuple[PhotoCard, ...], ...]:
    """Groups of at most five cards that lie near each other and the same way, clockwise round the table from the bottom.

    Inside a group the cards stand from left to right as seen by an owner who sits at the outer side.
    """
    if not cards:
        return ()
    costs = _costs(cards)
    groups = _settled(_joined(costs), costs)
    centres = _centres(cards)
    middle = centres.mean(axis=0)
    if len(groups) > 1:
        middle = np.mean([centres[group].mean(axis=0) for group in groups], axis=0)
    ordered = sorted(groups, key=lambda group: _bearing(centres[group].mean(axis=0) - middle))
    return tuple(tuple(cards[i] for i in _from_the_left(group, centres, middle)) for group in ordered)


def _bearing(offset: Floats) -> float:
    """Clockwise angle as one sees it; what lies straight below comes first even when it is a little to the right."""
    return float((np.arctan2(-offset[0], offset[1]) + NEARLY_BELOW) % (2 * np.pi))


def _from_the_left(group: list[int], centres: Floats, middle: Floats) -> list[int]:
    outward = centres[group].mean(axis=0) - middle
    if np.hypot(*outward) < 1e-6:
        outward = np.array((0.0, 1.0))
    right = np.array((outward[1], -outward[0]))
    return sorted(group, key=lambda i: float(centres[i] @ right))


def _joined(costs: Floats) -> list[list[int]]:
    """Nearest cards first, as long as no group has more than five."""
    group_of = list(range(len(costs)))
    members = {i: [i] for i in group_of}
    pairs = sorted(combinations(range(len(costs)), 2), key=lambda pair: float(costs[pair]))
    for one, other in pairs:
        here, there = group_of[one], group_of[other]
        if here != there and len(members[here]) + len(members[there]) <= HAND:
            members[here] += members.pop(there)
            for i in members[here]:
                group_of[i] = here
    return [sorted(group) for group in members.values()]


def _settled(groups: list[list[int]], costs: Floats) -> list[list[int]]:
    """Exchange cards between groups, and fill groups that are short, as long as everything gets closer together."""
    improved = True
    while improved:
        improved = False
        for one, other in combinations(range(len(groups)), 2):
            better = _better_pair(groups[one], groups[other], costs)
            if better is not None:
                groups[one], groups[other] = better
                improved = True
    return [group for group in groups if group]


def _better_pair(one: list[int], other: list[int], costs: Floats) -> tuple[list[int], list[int]] | None:
    now = _inner(one, costs) + _inner(other, costs)
    for mine in one:
        for yours in other:
            first = sorted({*one, yours} - {mine})
            second = sorted({*other, mine} - {yours})
            if _inner(first, costs) + _inner(second, costs) < now - 1e-9:
                return first, second
    return None


def _inner(group: list[int], costs: Floats) -> float:
    return float(costs[np.ix_(group, group)].sum()) / 2


def _costs(cards: Sequence[PhotoCard]) -> Floats:
    """How badly each two cards fit into one hand: their distance in lengths of a card, and their turn to each other."""
    centres, angles = _centres(cards), _angles(cards)
    length = max(float(np.median(_lengths(cards))), 1.0)
    apart = np.hypot(*(centres[:, None, :] - centres[None, :, :]).transpose(2, 0, 1)) / length
    turn = np.abs((angles[:, None] - angles[None, :] + np.pi / 2) % np.pi - np.pi / 2)
    return np.asarray(apart + TURN_COST * turn / (np.pi / 2), np.float64)


def _corners(cards: Sequence[PhotoCard]) -> Floats:
    return np.array([card.corners for card in cards], np.float64)


def _centres(cards: Sequence[PhotoCard]) -> Floats:
    return np.asarray(_corners(cards).mean(axis=1), np.float64)


def _lengths(cards: Sequence[PhotoCard]) -> Floats:
    upward = _corners(cards)[:, :2].mean(axis=1) - _corners(cards)[:, 2:].mean(axis=1)
    return np.asarray(np.hypot(upward[:, 0], upward[:, 1]), np.float64)


def _angles(cards: Sequence[PhotoCard]) -> Floats:
    """Directions of the long sides, modulo half a turn."""
    upward = _corners(cards)[:, :2].mean(axis=1) - _corners(cards)[:, 2:].mean(axis=1)
    return np.asarray(np.arctan2(upward[:, 1], upward[:, 0]) % np.pi, np.float64)


def merged(tables: Sequence[Sequence[tuple[PhotoCard, ...]]]) -> tuple[Hand, ...]:
    """Hands of several pictures of one table: two pictures that share two known cards of a hand complete each other.

    Per hand the number of the picture that shows it best, and its cards.
    """
    found: list[Hand] = []
    for picture, table in enumerate(tables):
        before = len(found)
        for cards in table:
            twin = next((i for i, (_, other) in enumerate(found[:before]) if len(_known(cards) & _known(other)) >= 2), None)
            if twin is None:
                found.append((picture, cards))
            elif len(_known(cards)) > len(_known(found[twin][1])):
                found[twin] = (picture, _completed(cards, found[twin][1]))
            else:
                found[twin] = (found[twin][0], _completed(found[twin][1], cards))
    return tuple(found)


def _completed(cards: tuple[PhotoCard, ...], other: tuple[PhotoCard, ...]) -> tuple[PhotoCard, ...]:
    """`cards` with what only the other picture tells of them; cards that do not fit are left, so that they are noticed."""
    known = _known(cards)
    new = [card for card in other if card.card is not None and card.card not in known]
    sure = [card for card in cards if card.card is not None]
    unsure = [card for card in cards if card.card is None]
    return (*sure, *new, *unsure[len(new) :])


def _known(cards: Sequence[PhotoCard]) -> frozenset[Card]:
    return frozenset(card.card for card in cards if card.card is not None)
