"""What there is to note down of the record: a short hash, which proves later that nothing up to it was changed.

It has a route of its own and stands in no view: commitments, and with them the hash, look random and differ from game to game.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, jsonify

from companion.chronicle import Noted
from companion.web.gate import EVERYBODY, open_to
from companion.web.languages import speaker
from companion.words.verify import noted_words


def noted_route(noted: Callable[[], Noted | None]) -> Blueprint:
    """The route ``/noted``."""
    pages = Blueprint("noted", __name__)

    @open_to(EVERYBODY)
    def point() -> Response:
        """How far the record has come."""
        say, _ = speaker()
        found = noted()
        if found is None:
            return jsonify(recorded=False, words=noted_words(None, say))
        return jsonify(recorded=True, game=found.game, entry=found.entry, head=found.head, words=noted_words(found, say))

    pages.add_url_rule("/noted", view_func=point)
    return pages
