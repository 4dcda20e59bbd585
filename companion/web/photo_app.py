"""The application of people who own nothing but a deck and a telephone: the page for photographs, and no table."""

from __future__ import annotations

from flask import Flask, redirect
from flask.typing import ResponseReturnValue

from companion.web.answers import set_up_answers
from companion.web.app import set_headers
from companion.web.faults import set_up_faults
from companion.web.gate import EVERYBODY, Access, Gate, open_to
from companion.web.languages import set_up_languages
from companion.web.live import Streams
from companion.web.looks import set_up_looks
from companion.web.photo import Desk, PhotoPage


def create_photo_app(desk: Desk, access: Access | None = None) -> Flask:
    """The page ``/photo`` alone, to which ``/`` leads as well."""
    app = Flask(__name__)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    set_up_languages(app)
    set_up_looks(app)
    app.extensions["viewmat_streams"] = Streams(0)

    @app.get("/")
    @open_to(EVERYBODY)
    def first() -> ResponseReturnValue:
        return redirect("/photo")

    set_up_answers(app)
    app.register_blueprint(PhotoPage(desk).routes())
    set_up_faults(app)
    Gate(Access() if access is None else access).guard(app)
    set_headers(app)
    return app
