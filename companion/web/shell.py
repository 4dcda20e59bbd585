"""What makes an app of the secure page: its manifest, and a worker that has a page to show while the table is away.

Neither is there on the plain page, where no browser would take it.  The worker keeps the shell alone - one page without any
state, its looks and its script -, never what is on the table.
"""

from __future__ import annotations

from flask import Blueprint, Response, current_app, jsonify, render_template, request, url_for

from companion.announcements import install_label, label
from companion.web.catalogues import LANGUAGES, translator
from companion.web.door import RefusedError
from companion.web.gate import EVERYBODY, open_to
from companion.web.languages import speaker

COLOUR = "#0b3b2e"
ICONS = (192, 512)
"""Pixels; drawn from ``icon.svg`` by `./run drawn`."""


def shell_pages() -> Blueprint:
    """``/app.webmanifest``, ``/worker.js`` and ``/offline``; templates of every page include ``app.html`` in their head."""
    pages = Blueprint("shell", __name__)

    @open_to(EVERYBODY)
    def manifest() -> Response:
        _secure_only()
        say, language = speaker()
        told = jsonify(
            id="/", name=label("title", say), short_name=label("title", say), lang=language, start_url="/", scope="/",
            display="standalone", orientation="any", background_color=COLOUR, theme_color=COLOUR,
            icons=[_icon(size, "any") for size in ICONS] + [_icon(512, "maskable")],
        )  # fmt: skip
        told.mimetype = "application/manifest+json"
        return told

    @open_to(EVERYBODY)
    def worker() -> Response:
        """From the root, because a worker serves what lies beside and below it."""
        _secure_only()
        return current_app.send_static_file("worker.js")

    @open_to(EVERYBODY)
    def offline() -> str:
        """In every language: it is kept from a time when another one may have been chosen."""
        first = speaker()[1]
        order = sorted(LANGUAGES, key=lambda language: language != first)
        return render_template("offline.html", language=first, speakers=[(one, translator(one)) for one in order])

    for rule, view in (("/app.webmanifest", manifest), ("/worker.js", worker), ("/offline", offline)):
        pages.add_url_rule(rule, view_func=view)
    pages.add_app_template_global(install_label)
    return pages


def _icon(size: int, purpose: str) -> dict[str, str]:
    name = f"icon-{size}.png" if purpose == "any" else f"icon-{size}-{purpose}.png"
    return {"src": url_for("static", filename=name), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}


def _secure_only() -> None:
    if not request.is_secure:
        raise RefusedError("no_page", 404)
