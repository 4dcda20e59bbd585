"""How one browser wants its pages to look: colours of the suits, which way the table faces, words or pictures."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from flask import Flask, request
from markupsafe import Markup

COOKIE = "viewmat-looks"
"""Set by ``looks.js``; no secret.  Such as ``suits-two.words-pictures``."""

LOOKS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "suits": ("four", "two"),
        "facing": ("still", "seat", "page"),
        "words": ("written", "pictures"),
    }
)
"""What can be chosen, what holds without a choice first.

``facing``: the page stays as it is; the seat in turn moves to the near edge (a screen that stands); the page itself turns
towards the player in turn (a screen that lies in the middle)."""


def chosen_looks(cookie: str | None) -> dict[str, str]:
    """What `cookie` asks for; whatever it does not name, or names wrongly, is as it is without a choice."""
    asked = dict(part.split("-", 1) for part in (cookie or "").split(".") if "-" in part)
    return {name: asked[name] if asked.get(name) in values else values[0] for name, values in LOOKS.items()}


def set_up_looks(app: Flask) -> None:
    """Give every template ``looks``, what this browser has chosen, and ``look_marks``, the same for the ``html`` element."""

    @app.context_processor
    def looks() -> dict[str, object]:
        chosen = chosen_looks(request.cookies.get(COOKIE))
        marks = Markup("").join(Markup(' data-{}="{}"').format(name, value) for name, value in chosen.items())
        return {"looks": chosen, "look_marks": marks}
