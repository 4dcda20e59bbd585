"""Pictures as evidence: given out when their place may be seen, and otherwise answered like pages that do not exist."""

from __future__ import annotations

from flask import Blueprint, Response

from companion.web.door import RefusedError
from companion.web.gate import EVERYBODY, open_to
from companion.web.table import LiveTable


def picture_pages(table: LiveTable) -> Blueprint:
    """The route ``/evidence/3.png``."""
    pages = Blueprint("pictures", __name__)

    @open_to(EVERYBODY)
    def picture(number: int) -> Response:
        """One window as the camera saw it.  Hidden, deleted and never made are one answer."""
        found = table.picture(number)
        if found is None:
            raise RefusedError("no_page", 404)
        return Response(found, mimetype="image/png")

    pages.add_url_rule("/evidence/<int:number>.png", view_func=picture, endpoint="picture")
    return pages
