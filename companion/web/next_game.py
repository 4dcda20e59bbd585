"""The way to the next game: what is over stays on the page until somebody begins another one."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, request

from companion.inbox import Receipt
from companion.web.answers import told
from companion.web.door import RefusedError, body_of
from companion.web.gate import RULERS, open_to
from companion.web.table import LiveTable


def next_game_route(table: LiveTable, ask: Callable[[], Receipt]) -> Blueprint:
    """The route ``/next``.  `ask` has the next game begun; its receipt is settled when it has."""
    pages = Blueprint("next_game", __name__)

    @open_to(RULERS)
    def begin() -> Response:
        """The game is over, and nothing is open: begin the next one.  While hands are still being shown somebody has to be
        ``sure``, for their game ends without a result."""
        body = body_of(request)
        view = table.view()
        if view.phase != "over":
            raise RefusedError("not_over", 409)
        if view.stopped:
            raise RefusedError("first_go_on", 409)
        if view.proposal is not None:
            raise RefusedError("proposal_first", 409)
        if view.revealing and body.get("sure") is not True:
            raise RefusedError("hands_open", 409)
        return told(ask())

    pages.add_url_rule("/next", view_func=begin, methods=["POST"])
    return pages
