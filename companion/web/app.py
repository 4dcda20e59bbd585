"""The web application: the live page, its event stream, and the routes for taps."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

from flask import Blueprint, Flask, Response, render_template, request

from companion.announcements import chips_label, evidence_label, label, reveal_label, round_words, suit_words, voice_label
from companion.cards import Suit
from companion.chronicle import Noted
from companion.inbox import Receipt
from companion.voice import captions
from companion.web.answers import set_up_answers
from companion.web.audience import arranged_for, whose
from companion.web.disputes import Disputes
from companion.web.door import RefusedError
from companion.web.faults import set_up_faults
from companion.web.gate import EVERYBODY, Access, Gate, Preset, current_visitor, open_to
from companion.web.joining import Joining
from companion.web.languages import set_up_languages, speaker
from companion.web.live import Renderer, Stream, Streams
from companion.web.looks import LOOKS, set_up_looks
from companion.web.next_game import next_game_route
from companion.web.noted import noted_route
from companion.web.pictures import picture_pages
from companion.web.rules import rules_page
from companion.web.shell import shell_pages
from companion.web.story import story_pages
from companion.web.table import LiveTable
from companion.web.taps import Taps
from companion.web.trails import ways_of
from companion.words.access import access_label
from companion.words.looks import looks_label
from companion.words.photo import photo_label

STREAMS = 24
"""Pages that may follow the table at once; further ones ask again every few seconds."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "worker-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "manifest-src 'self'",
        "media-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)


def create_app(
    sitting: LiveTable, pages: Sequence[Blueprint] = (), *, buttons: bool = False, streams: int = STREAMS,
    access: Access | None = None, next_game: Callable[[], Receipt] | None = None,
    noted: Callable[[], Noted | None] = lambda: None, language: str = "en", lamps: bool = True,
) -> Flask:  # fmt: skip
    """The dashboard of one sitting.

    `pages` are further pages, such as those that need pixels; each of their routes declares its roles with `open_to`,
    and `TypeError` is raised for one that does not.  `buttons` puts the seats' big buttons on the page, for a table that
    has none of its own; without `lamps` the table has none, and the page shows none.  At most `streams` pages hold a stream at
    the same time.  `access` says who may do what; without it this is a table at home whose links last as long as the program.
    `next_game` has another game begun once this one is over; with it the page offers that.  `noted` tells what there is to note
    down of the record.  `language` is spoken where a browser asks for none of ours; `ValueError` for one that there is no
    catalogue for.
    """
    access = access if access is not None else Access()
    access.keyring.seated([seat.name for seat in sitting.view().seats])
    gate = Gate(access)
    app = Flask(__name__)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    set_up_languages(app, language)
    set_up_looks(app)
    app.jinja_env.globals.update(label=label, access_label=access_label, evidence_label=evidence_label, voice_label=voice_label)
    app.jinja_env.globals.update(chips_label=chips_label, round_words=round_words)
    app.jinja_env.globals.update(looks_label=looks_label, look_choices=LOOKS, moved=ways_of)
    app.jinja_env.globals.update(
        reveal_label=reveal_label, photo_label=photo_label, has_photo=any(page.name == "photo" for page in pages)
    )
    build = _build()
    renderer = Renderer(app.jinja_env, build, buttons, next_game is not None, lamps, lambda: access.preset is Preset.CLUB)
    open_streams = Streams(streams)
    app.extensions["viewmat_streams"] = open_streams

    def alone(preset: Preset) -> bool:
        return preset is Preset.HOME and "puppet" in app.blueprints

    @app.get("/")
    @open_to(EVERYBODY)
    def live_page() -> str:
        say, language = speaker()
        visitor = current_visitor()
        view = sitting.view(visitor.role, visitor.seat)
        arranged = arranged_for(visitor, view, say)
        suits = {suit.letter: suit_words(suit, say) for suit in Suit}
        return render_template(
            "table.html", scene=arranged, parts=renderer.parts(arranged, say), build=build, say=say, language=language,
            suit_names=suits, captions=captions(say),
            visitor=visitor, whose=whose(visitor, view, say, alone(access.preset)), club=access.preset is Preset.CLUB,
            health="health" in app.blueprints, install="install" in app.blueprints,
        )  # fmt: skip

    @app.get("/state.json")
    @open_to(EVERYBODY)
    def state() -> Response:
        say, language = speaker()
        visitor = current_visitor()
        view = sitting.view(visitor.role, visitor.seat)
        return Response(renderer.state(view, say, language, visitor), mimetype="application/json")

    @app.get("/events")
    @open_to(EVERYBODY)
    def events() -> Response:
        say, language = speaker()
        visitor = current_visitor()
        bears, gone = gate.still(), request.environ.get("waitress.client_disconnected", bool)
        if not open_streams.enter():
            raise RefusedError("busy", 503)
        stream = Stream(
            sitting, open_streams, lambda view: renderer.state(view, say, language, visitor), visitor.role, visitor.seat,
            lambda: not gone() and bears(),
        )  # fmt: skip
        return Response(stream, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})

    set_up_answers(app)
    app.register_blueprint(Taps(sitting, buttons).routes())
    app.register_blueprint(Disputes(sitting).routes())
    app.register_blueprint(picture_pages(sitting))
    app.register_blueprint(Joining(sitting, access).routes())
    app.register_blueprint(noted_route(noted))
    app.register_blueprint(rules_page(sitting))
    app.register_blueprint(shell_pages())
    app.register_blueprint(story_pages(sitting))
    if next_game is not None:
        app.register_blueprint(next_game_route(sitting, next_game))
    for page in pages:
        app.register_blueprint(page)
    set_up_faults(app)
    gate.guard(app)
    set_headers(app)
    return app


def set_headers(app: Flask) -> None:
    """What holds for every answer: what the browser may load, keep and tell others."""

    @app.after_request
    def headers(response: Response) -> Response:
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        if request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "no-store")
        return response


def _build() -> str:
    """A short name for this version of page and script: a page that was opened before an update loads itself again."""
    digest = hashlib.sha256()
    for folder in ("static", "templates"):
        for file in sorted((Path(__file__).parent / folder).iterdir()):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
