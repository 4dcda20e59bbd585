"""QR codes of links: as a picture inside a page, and as blocks for a terminal."""

from __future__ import annotations

import io

import segno


def picture(text: str) -> str:
    """The code as a ``data:`` address; it is nowhere a file, and no request names it."""
    return str(segno.make_qr(text, error="m").svg_data_uri(scale=8, border=3, dark="#000", light="#fff"))


def blocks(text: str) -> str:
    """The code in characters."""
    out = io.StringIO()
    segno.make_qr(text, error="l").terminal(out, compact=True, border=2)
    return out.getvalue()
