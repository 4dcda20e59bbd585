"""Masks of index letters and suit symbols: system fonts, and suit shapes of our own."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]
CELL = 120
"""Pixels of a glyph's cell while it is drawn; it is cut to its ink afterwards."""

LETTERS = {
    "English": ("J", "Q", "K", "A"),
    "French": ("V", "D", "R", "1"),
    "French ace": ("V", "D", "R", "A"),
    "German": ("B", "D", "K", "A"),
    "Italian": ("F", "D", "R", "A"),
    "Russian": ("В", "Д", "К", "Т"),
}
SYMBOL_FONTS = (
    "DejaVu Sans", "DejaVu Serif", "Symbola", "Standard Symbols PS", "Linux Libertine O", "D050000L", "Nimbus Roman",
    "C059", "P052", "Z003", "Nimbus Sans", "URW Gothic", "Clear Sans", "Go", "Liberation Serif", "STIX", "TeX Gyre Adventor",
    "TeX Gyre Pagella", "PT Mono",
)
"""Fonts with signs of the four suits."""
NOT_LETTERS = ("Symbols", "Symbola", "D050000L", "Dingbats", "Math", "Emoji", "Keyboard", "Initials", "Fallback")


@dataclass(frozen=True, slots=True)
class Face:
    """A font to draw indices with."""

    family: str
    weight: str
    style: str


class ToolError(RuntimeError):
    """A program that the recipe needs is not installed."""


def check_tools() -> None:
    """Raise `ToolError` that names what is missing."""
    packages = {"rsvg-convert": "librsvg2-bin", "fc-list": "fontconfig"}
    missing = [f"{tool} (Debian package {package})" for tool, package in packages.items() if shutil.which(tool) is None]
    if missing:
        raise ToolError(f"training needs {' and '.join(missing)}")


def font_families() -> tuple[str, ...]:
    """Families of the machine that hold Latin letters and figures."""
    found = subprocess.run(["fc-list", ":charset=32 41 51", "family"], capture_output=True, text=True, check=True).stdout
    names = {line.split(",")[0].strip() for line in found.splitlines() if line.strip()}
    return tuple(sorted(name for name in names if not any(word in name for word in NOT_LETTERS)))


def text_masks(words: tuple[str, ...], face: Face) -> tuple[Mask, ...]:
    """The ink of each word, cut to its box; raises `ValueError` when the rasteriser refuses."""
    attributes = f"font-family={quoteattr(face.family)} font-weight='{face.weight}' font-style='{face.style}'"
    cells = "".join(
        f"<text x='{CELL * 2}' y='{CELL * (number + 0.78):.0f}' text-anchor='middle' font-size='{CELL * 0.8:.0f}' {attributes}>"
        f"{escape(word)}</text>"
        for number, word in enumerate(words)
    )
    return tuple(trimmed(mask) for mask in _strip(cells, len(words), CELL * 4))


def suit_masks(variant: int) -> tuple[Mask, ...]:
    """Clubs, diamonds, hearts, spades drawn by us, in one of many shapes."""
    rng = np.random.default_rng(variant)
    waist, lobe, foot = rng.uniform(0.12, 0.3), rng.uniform(20, 25), rng.uniform(14, 26)
    belly, bow, tip = rng.uniform(0, 14), rng.uniform(0, 10), rng.uniform(-6, 8)
    left, right = 60 - 40 * waist, 60 + 40 * waist
    stem = f"<path d='M60 60 Q{left:.0f} 104 {60 - foot:.0f} 112 L{60 + foot:.0f} 112 Q{right:.0f} 104 60 60Z'/>"
    low = rng.uniform(68, 76)
    leaves = ((60, 32), (60 - lobe - 7, low), (60 + lobe + 7, low))
    club = "".join(f"<circle cx='{x:.0f}' cy='{y:.0f}' r='{lobe:.1f}'/>" for x, y in leaves)
    club += "<circle cx='60' cy='60' r='12'/>" if rng.random() < 0.7 else ""
    w = rng.uniform(34, 48)
    diamond = (
        f"<path d='M60 6 Q{60 + w / 2 - bow:.0f} {33 + bow:.0f} {60 + w:.0f} 60 Q{60 + w / 2 - bow:.0f} {87 - bow:.0f} 60 114 "
        f"Q{60 - w / 2 + bow:.0f} {87 - bow:.0f} {60 - w:.0f} 60 Q{60 - w / 2 + bow:.0f} {33 + bow:.0f} 60 6Z'/>"
    )
    top = rng.uniform(4, 12)
    heart = (
        f"<path d='M60 112 C{50 - belly:.0f} {86 + tip:.0f} 8 66 8 36 C8 {top:.0f} 50 {top - 2:.0f} 60 34 "
        f"C70 {top - 2:.0f} 112 {top:.0f} 112 36 C112 66 {70 + belly:.0f} {86 + tip:.0f} 60 112Z'/>"
    )
    spade = (
        f"<path d='M60 6 C{50 - belly:.0f} {30 - tip:.0f} 10 48 10 74 C10 100 50 100 60 78 "
        f"C70 100 110 100 110 74 C110 48 {70 + belly:.0f} {30 - tip:.0f} 60 6Z'/>" + stem
    )
    shapes = (club + stem, diamond, heart, spade)
    cells = "".join(f"<g transform='translate({CELL * 1.5:.0f} {CELL * i})'>{shape}</g>" for i, shape in enumerate(shapes))
    return tuple(trimmed(mask) for mask in _strip(cells, 4, CELL * 4))


def font_suits(family: str) -> tuple[Mask, ...]:
    """Clubs, diamonds, hearts, spades of a font."""
    return text_masks(("♣", "♦", "♥", "♠"), Face(family, "normal", "normal"))


def trimmed(mask: Mask) -> Mask:
    """A mask cut to its ink; one empty pixel where there is none."""
    rows, columns = np.flatnonzero(mask.max(axis=1) > 60), np.flatnonzero(mask.max(axis=0) > 60)
    if not len(rows):
        return np.zeros((1, 1), np.uint8)
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _strip(cells: str, count: int, width: int) -> list[Mask]:
    drawing = (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{CELL * count}'>"
        f"<rect width='100%' height='100%' fill='black'/><g fill='white'>{cells}</g></svg>"
    )
    done = subprocess.run(["rsvg-convert"], input=drawing.encode(), capture_output=True, check=False)
    if done.returncode:
        raise ValueError(f"rsvg-convert refused a strip of glyphs: {done.stderr.decode(errors='replace').strip()}")
    strip = cv2.imdecode(np.frombuffer(done.stdout, np.uint8), cv2.IMREAD_GRAYSCALE)
    return [np.asarray(part, np.uint8) for part in np.array_split(strip, count, axis=0)]
