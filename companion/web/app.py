"""The web application: the live page, its event stream, and the routes for taps."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from flask import Blueprint, Flask, Response, render_template, request
from werkzeug.exceptions import HTTPException

from companion.announcements import label, suit_words
from companion.cards import Suit
from companion.web.disputes import Disputes
from companion.web.door import RefusedError, check_same_site
from companion.web.languages import set_up_languages, speaker
from companion.web.live import Renderer, Stream, Streams
from companion.web.scene import scene
from companion.web.table import LiveTable
from companion.web.taps import Taps, refused

STREAMS = 24
"""Pages that may follow the table at once; further ones ask again every few seconds."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)


def create_app(sitting: LiveTable, pages: Sequence[Blueprint] = (), *, buttons: bool = False, streams: int = STREAMS) -> Flask:
    """The dashboard of one sitting.

    `pages` are further pages, such as those that need pixels.  `buttons` puts the seats' big buttons on the page,
    for a table that has none of its own.  At most `streams` pages hold a stream at the same time.
    """
    app = Flask(__name__)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    set_up_languages(app)
    app.jinja_env.globals["label"] = label
    build = _build()
    renderer = Renderer(app.jinja_env, build, buttons)
    open_streams = Streams(streams)
    app.extensions["viewmat_streams"] = open_streams

    @app.get("/")
    def live_page() -> str:
        say, language = speaker()
        arranged = scene(sitting.view(), say)
        parts = renderer.parts(arranged, say)
        suits = {suit.letter: suit_words(suit, say) for suit in Suit}
        return render_template(
            "table.html", scene=arranged, parts=parts, build=build, say=say, language=language, suit_names=suits
        )

    @app.get("/state.json")
    def state() -> Response:
        say, language = speaker()
        return Response(renderer.state(sitting.view(), say, language), mimetype="application/json")

    @app.get("/events")
    def events() -> Response | tuple[Response, int]:
        say, language = speaker()
        if not open_streams.enter():
            return refused(RefusedError("busy", 503))
        stream = Stream(sitting, open_streams, lambda view: renderer.state(view, say, language))
        return Response(stream, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})

    app.register_blueprint(Taps(sitting, buttons).routes())
    app.register_blueprint(Disputes(sitting).routes())
    for page in pages:
        app.register_blueprint(page)
    _guard(app)
    return app


def _guard(app: Flask) -> None:
    """What holds for every route: who may post, how errors are told, what the browser may load."""

    @app.before_request
    def same_site() -> None:
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            check_same_site(request)

    @app.after_request
    def headers(response: Response) -> Response:
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        if request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    @app.errorhandler(RefusedError)
    def told(refusal: RefusedError) -> tuple[Response, int]:
        return refused(refusal)

    @app.errorhandler(404)
    def no_page(_: HTTPException) -> tuple[Response, int]:
        return refused(RefusedError("no_page", 404))


def _build() -> str:
    """A short name for this version of page and script: a page that was opened before an update loads itself again."""
    digest = hashlib.sha256()
    for folder in ("static", "templates"):
        for file in sorted((Path(__file__).parent / folder).iterdir()):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
