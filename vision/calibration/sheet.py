"""Pages in millimetres, and the PDF that a printer makes of them at true scale.

A PDF of rectangles, lines and one built-in font is a page of text; a library would bring fonts, pictures and compression that a
target must not have.  Source of the format: ISO 32000-1, sections 7 (syntax), 8 (graphics), 9 (text), 12.2 (viewer preferences).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

POINTS = 72 / 25.4
"""Points to the millimetre."""
Paper = Literal["a4", "letter"]
PAPERS: dict[Paper, tuple[float, float]] = {"a4": (297.0, 210.0), "letter": (279.4, 215.9)}
"""Width and height in millimetres, on their long side."""
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Fill:
    """Closed outlines filled as one, so that no printer leaves hairlines between neighbours."""

    outlines: tuple[tuple[Point, ...], ...]
    grey: float = 0.0
    """0 is black, 1 is white."""


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line with square ends."""

    start: Point
    end: Point
    width: float = 0.15
    dash: float = 0.0
    """Length of dashes and gaps; 0 draws it through."""


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text that begins at `at`, on its base line.  Latin letters alone: the built-in font has no others."""

    at: Point
    text: str
    height: float = 3.2


Mark = Fill | Line | Words


@dataclass(frozen=True, slots=True)
class Page:
    """One page; x runs to the right, y down, from the paper's top left corner, in millimetres."""

    title: str
    paper: Paper
    marks: tuple[Mark, ...]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return PAPERS[self.paper]


def rectangle(x: float, y: float, width: float, height: float) -> tuple[Point, ...]:
    """The outline of an upright rectangle."""
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def pdf(pages: Sequence[Page]) -> bytes:
    """The pages as one PDF that asks viewers not to scale it.  The same pages give the same bytes."""
    kids = " ".join(f"{4 + 2 * index} 0 R" for index in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None /PickTrayByPDFSize true >> >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for index, page in enumerate(pages):
        width, height = page.size
        box = f"[0 0 {width * POINTS:.4f} {height * POINTS:.4f}]"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Resources << /Font << /F1 3 0 R >> >> "
            f"/Contents {5 + 2 * index} 0 R >>"
        )
        drawn = _drawn(page)
        objects.append(f"<< /Length {len(drawn.encode('cp1252'))} >>\nstream\n{drawn}\nendstream")
    return _file(objects)


def _file(objects: Sequence[str]) -> bytes:
    out = bytearray(b"%PDF-1.6\n%\xe2\xe3\xcf\xd3\n")
    starts = []
    for number, text in enumerate(objects, 1):
        starts.append(len(out))
        out += f"{number} 0 obj\n{text}\nendobj\n".encode("cp1252")
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{start:010d} 00000 n \n".encode() for start in starts)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n".encode()
    return bytes(out)


def _drawn(page: Page) -> str:
    """The page's content: millimetres that run down, as `Page` has them."""
    height = page.size[1]
    lines = [f"{POINTS:.9f} 0 0 {-POINTS:.9f} 0 {height * POINTS:.4f} cm"]
    for mark in page.marks:
        lines += _fill(mark) if isinstance(mark, Fill) else _line(mark) if isinstance(mark, Line) else _words(mark)
    return "\n".join(lines)


def _fill(mark: Fill) -> list[str]:
    lines = [f"{mark.grey:g} g"]
    for outline in mark.outlines:
        first, *rest = outline
        lines.append(f"{first[0]:.4f} {first[1]:.4f} m " + " ".join(f"{x:.4f} {y:.4f} l" for x, y in rest) + " h")
    return [*lines, "f"]


def _line(mark: Line) -> list[str]:
    dash = f"[{mark.dash:g}] 0 d" if mark.dash else "[] 0 d"
    (x1, y1), (x2, y2) = mark.start, mark.end
    return [f"0 G {mark.width:g} w {dash} {x1:.4f} {y1:.4f} m {x2:.4f} {y2:.4f} l S"]


def _words(mark: Words) -> list[str]:
    text = mark.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    (x, y), size = mark.at, mark.height / 0.72
    # The page runs down and letters stand up, hence the minus.
    return [f"BT 0 g /F1 1 Tf {size:.4f} 0 0 {-size:.4f} {x:.4f} {y:.4f} Tm ({text}) Tj ET"]
