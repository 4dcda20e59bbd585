"""The puppeteer's page: on a virtual table somebody may move cards by hand.  At a real one these routes do not exist."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from flask import Blueprint, Response, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as WerkzeugResponse

from companion.errors import DeclarationError
from companion.table import SLOTS
from companion.views import Role
from companion.web.door import RefusedError, body_of, brief, number
from companion.web.gate import current_visitor, open_to
from companion.web.languages import speaker
from companion.web.table import LiveTable
from companion.web.taps import seat_of
from companion.words.access import access_label

PULLS = ("look", "bump", "rest", "exchange")
"""Lift a card and lay it back; knock against the mat; rest a hand on it; exchange two cards, and put them right when the
table complains."""


class Strings(Protocol):
    """What moves the cards of a virtual table."""

    def pull(self, name: str, seat: int, slot: int, /) -> None:
        """Have one of `PULLS` done as soon as nobody else holds cards there; callable from any thread.

        Raises `DeclarationError` where it cannot be done.
        """
        ...


def string_pages(table: LiveTable, strings: Strings, by_hand: Callable[[], bool] | None = None) -> Blueprint:
    """The page ``/strings`` and what its buttons post.

    `by_hand` says whether the game is one that is played on ``/puppet``, and leads there; without it there is no such page.
    """
    pages = Blueprint("strings", __name__)

    @open_to((Role.PUPPETEER,))
    def page() -> str | WerkzeugResponse:
        if by_hand is not None and by_hand():
            return redirect("/puppet")
        say, language = speaker()
        seats = [(seat.seat, seat.name) for seat in table.view().seats]
        return render_template(
            "strings.html", seats=seats, slots=SLOTS, pulls=PULLS, language=language,
            label=lambda name: access_label(name, say), sits=by_hand is not None and current_visitor().rules, say=say,
        )  # fmt: skip

    @open_to((Role.PUPPETEER,))
    def pull(name: str) -> Response:
        """``{"seat", "slot"}``: do it there."""
        body = body_of(request)
        if name not in PULLS:
            raise RefusedError("no_call", found=brief(name))
        if by_hand is not None and by_hand():
            # Nobody would do it: such a game has hands of its own.
            raise RefusedError("impossible", 409)
        seat, slot = number(body, "seat"), number(body, "slot")
        seat_of(table.view(), seat)
        if slot not in SLOTS:
            raise RefusedError("bad_form", found=f"slot={slot}")
        try:
            strings.pull(name, seat, slot)
        except DeclarationError as error:
            raise RefusedError(error.kind, 409) from error
        return jsonify(ok=True)

    pages.add_url_rule("/strings", view_func=page)
    pages.add_url_rule("/strings/<name>", view_func=pull, methods=["POST"], endpoint="pull")
    return pages
