"""What is answered when something is not: one sentence, as JSON for scripts and as a short page for people."""

from __future__ import annotations

import logging
import traceback

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from companion.announcements import refusal_words
from companion.web.door import LONGEST_BODY, RefusedError
from companion.web.languages import speaker
from companion.words.access import access_label

LOG = logging.getLogger(__name__)

KINDS = {404: "no_page", 405: "no_method", 413: "too_big", 429: "too_many"}
"""The sentence for an error that is not our own, by its status; ``bad_request`` for others."""
KEPT_HEADERS = ("Allow", "Retry-After")


def set_up_faults(app: Flask) -> None:
    """Let `app` answer every error in one form, and tell nobody where its program stands on the disk."""
    # One more than is taken: a body without a length is cut off there, and known by it.
    app.config["MAX_CONTENT_LENGTH"] = LONGEST_BODY + 1
    app.config["MAX_FORM_MEMORY_SIZE"] = LONGEST_BODY
    app.register_error_handler(RefusedError, answer)
    app.register_error_handler(HTTPException, _not_ours)
    app.register_error_handler(Exception, _fault)


def answer(refusal: RefusedError) -> tuple[Response, int]:
    """The answer to a request that is not taken: the sentence, and its kind for programs."""
    say, language = speaker()
    message = refusal_words(refusal.kind, say, **refusal.values)
    if not wants_page():
        told = jsonify(error=refusal.kind, message=message)
    else:
        told = Response(
            render_template("refused.html", message=message, language=language, label=lambda name: access_label(name, say)),
            mimetype="text/html",
        )
    if isinstance(seconds := refusal.values.get("seconds"), int):
        told.headers["Retry-After"] = str(seconds)
    return told, refusal.status


def wants_page() -> bool:
    """Whether a person looks: browsers ask for a page by name, scripts and streams for anything or for their own kind."""
    return request.method == "GET" and any(kind == "text/html" for kind, _ in request.accept_mimetypes)


def _not_ours(error: HTTPException) -> tuple[Response, int]:
    status = error.code or 500
    if status < 400:
        # A redirection, such as to an address with a slash at its end, is no error.
        return Response(status=status, headers=[each for each in error.get_headers() if each[0] == "Location"]), status
    kind = KINDS.get(status, "bad_request" if status < 500 else "fault")
    told, _ = answer(RefusedError(kind, status, **({"seconds": 60} if kind == "too_many" else {})))
    for name, value in error.get_headers():
        if name in KEPT_HEADERS:
            told.headers[name] = value
    return told, status


def _fault(error: Exception) -> tuple[Response, int]:
    note_fault(error, str(request.endpoint))
    return answer(RefusedError("fault", 500))


def note_fault(error: Exception, doing: str) -> None:
    """Log where an error happened, and not what it said: its text may name a card that nobody may know."""
    where = [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)[-3:]]
    LOG.error("%s in answer to %s, at %s", type(error).__name__, doing, " < ".join(reversed(where)))
