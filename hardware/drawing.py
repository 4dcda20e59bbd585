"""A few SVG elements as text; lengths are in the drawing's own unit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

Spot = tuple[float, float]

INK = "#1b1b1b"


def number(value: float) -> str:
    """Without needless digits."""
    return f"{round(value, 3):g}"


def text(at: Spot, words: str, size: float = 4, anchor: str = "start", colour: str = INK, weight: str = "normal") -> str:
    """One line; `at` is where its base line begins, has its middle or ends, as `anchor` says."""
    return (
        f'<text x="{number(at[0])}" y="{number(at[1])}" font-size="{number(size)}" text-anchor="{anchor}" '
        f'font-weight="{weight}" fill="{colour}">{escape(words)}</text>'
    )


def line(points: Iterable[Spot], colour: str = INK, width: float = 0.3, dashed: bool = False, closed: bool = False) -> str:
    """Straight strokes from point to point."""
    kind = "polygon" if closed else "polyline"
    joined = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    dashes = ' stroke-dasharray="2 1.5"' if dashed else ""
    return f'<{kind} points="{joined}" fill="none" stroke="{colour}" stroke-width="{number(width)}"{dashes}/>'


def box(at: Spot, size: Spot, fill: str = "none", colour: str = INK, width: float = 0.3) -> str:
    """An upright rectangle by its upper left corner."""
    return (
        f'<rect x="{number(at[0])}" y="{number(at[1])}" width="{number(size[0])}" height="{number(size[1])}" '
        f'fill="{fill}" stroke="{colour}" stroke-width="{number(width)}"/>'
    )


def circle(at: Spot, radius: float, fill: str = "none", colour: str = INK, width: float = 0.3) -> str:
    """A circle by its middle."""
    return (
        f'<circle cx="{number(at[0])}" cy="{number(at[1])}" r="{number(radius)}" fill="{fill}" stroke="{colour}" '
        f'stroke-width="{number(width)}"/>'
    )


def page(size: Spot, content: Sequence[str], title: str) -> str:
    """A whole file; one unit is one millimetre, and printed at 100 % it measures so."""
    width, height = map(number, size)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}" '
        'font-family="DejaVu Sans, Arial, sans-serif">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *content,
        "</svg>",
        "",
    ])  # fmt: skip
