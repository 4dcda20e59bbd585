"""Which letter a court card bears, and what it means in the deck that lies there.

The net names ranks, whatever letter stands for them.  One letter means two ranks: V is the jack (valet) in France and the
queen (vrouw) in the Netherlands.  Other cards of the same deck tell which; where they do not, the card is unknown.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.cards import Rank
from vision.classifier import Patches
from vision.frame import Image

LETTERS: dict[Rank, str] = {Rank.JACK: "JVB", Rank.QUEEN: "QDV", Rank.KING: "KRH", Rank.ACE: "A1"}
"""Letters that may stand for a rank."""
FRENCH = frozenset("DR1")
"""Beside one of these a V is a jack."""
DUTCH = frozenset("BH")
"""Beside one of these it is a queen: the jack is the B (boer), or the king the H (heer)."""

HEART = "\N{BLACK HEART SUIT}"
"""It looks more like a V than any letter does."""
LIKENESS, LEAD = 0.66, 0.08
"""Correlation with its letter's shape that a sign needs, and by how much it has to lead the other letters."""
SIGN_PX = (14, 22)
"""Signs are compared at this width and height."""
INK = 0.5
"""Of the way from print to paper: darker is ink."""

Shape = NDArray[np.float32]


def meaning(rank: Rank, letter: str | None, others: Collection[str | None]) -> Rank | None:
    """The rank of a card that was read as `rank` and bears `letter`, in a deck with the letters `others`; None is unknown."""
    if letter != "V":
        return rank
    french, dutch = bool(FRENCH.intersection(others)), bool(DUTCH.intersection(others))
    if french == dutch:
        return None
    return Rank.JACK if french else Rank.QUEEN


def letter_of(rank: Rank, patches: Patches) -> str | None:
    """The letter in upright windows (count x 96 x 48 x 3, on white paper) of a card of this rank; None where it is not clear."""
    letters = LETTERS.get(rank)
    if letters is None:
        return None
    best: tuple[float, str | None] = (LIKENESS, None)
    for sign in (sign for patch in patches for sign in _signs(patch)):
        likeness = {letter: max(float((sign * shape).mean()) for shape in _shapes(letter)) for letter in letters + HEART}
        first, second = sorted(likeness, key=lambda letter: likeness[letter], reverse=True)[:2]
        if first != HEART and likeness[first] > best[0] and likeness[first] - likeness[second] >= LEAD:
            best = (likeness[first], first)
    return best[1]


def _signs(patch: Image) -> Sequence[Shape]:
    """What may be the letter of a window: print of its size in the upper half, away from the rim, something below it."""
    light = cv2.cvtColor(cv2.resize(patch, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), cv2.COLOR_BGR2GRAY)
    dark, paper = np.percentile(light, (2, 70))
    if paper - dark < 40:
        return []
    ink = np.asarray(light < dark + INK * (paper - dark), np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    found = []
    for number in range(1, count):
        x, y, width, height, _ = (int(value) for value in stats[number])
        if x <= 1 or y <= 1 or y + height / 2 > 0.45 * light.shape[0]:
            continue
        if not (20 <= height <= 90 and 8 <= width <= 70 and 0.3 <= width / height <= 1.4):
            continue
        found.append(_shape(np.asarray(labels[y : y + height, x : x + width] == number, np.uint8) * 255))
    return found


def _shape(mask: NDArray[np.uint8]) -> Shape:
    """A sign cut to its ink at `SIGN_PX`, of zero mean and unit spread."""
    small = cv2.resize(mask, SIGN_PX, interpolation=cv2.INTER_AREA).astype(np.float32)
    smooth = cv2.GaussianBlur(small, (0, 0), 0.9)
    return np.asarray((smooth - smooth.mean()) / max(float(smooth.std()), 1e-3), np.float32)


@cache
def _shapes(letter: str) -> tuple[Shape, ...]:
    fonts = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)
    return tuple(_shape(_drawn(letter, font, thick)) for font in fonts for thick in (5, 12, 20))


def _drawn(letter: str, font: int, thick: int) -> NDArray[np.uint8]:
    canvas = np.zeros((240, 240), np.uint8)
    if letter == HEART:
        for x in (85, 155):
            cv2.circle(canvas, (x, 90), 36 + thick // 5, (255,), -1, cv2.LINE_AA)
        point = np.array(((52 - thick // 5, 105), (188 + thick // 5, 105), (120, 190 + thick)))
        cv2.fillPoly(canvas, [point], (255,), cv2.LINE_AA)
    else:
        cv2.putText(canvas, letter, (60, 190), font, 5.0, (255,), thick, cv2.LINE_AA)
    left, top, width, height = cv2.boundingRect(canvas)
    return canvas[top : top + height, left : left + width]
