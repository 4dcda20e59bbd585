"""Answers to declarations: done, or why not - and not before what follows is written down."""

from __future__ import annotations

import threading

from flask import Flask, Response, current_app, jsonify

from companion.announcements import refusal_words
from companion.errors import CompanionError, DeclarationError
from companion.inbox import Receipt
from companion.web.door import RefusedError
from companion.web.faults import answer
from companion.web.languages import speaker

PATIENCE_S = 2.0
"""How long an answer waits for the table.  It gets to a tap within a tenth of a second, unless its disk or processor is busy."""
WAITING = 4
"""So many answers may wait at once; further ones are told at once that theirs is taken and not yet done."""
STATUS = {"unrecorded": 507, "no_next": 507}
"""Status of the refusals that are no conflict with the state of the table."""
_KEY = "viewmat_answers"


class Answers:
    """Those who wait for the table; never so many that nobody else is served."""

    def __init__(self, waiting: int = WAITING, patience: float = PATIENCE_S) -> None:
        self._places = threading.BoundedSemaphore(waiting)
        self._patience = patience

    def wait(self, receipt: Receipt) -> bool:
        """Whether the table has got to it."""
        if receipt.settled or not self._places.acquire(blocking=False):
            return receipt.settled
        try:
            return receipt.wait(self._patience)
        finally:
            self._places.release()


def set_up_answers(app: Flask, answers: Answers | None = None) -> None:
    """Let the routes of `app` answer by `told`."""
    app.extensions[_KEY] = Answers() if answers is None else answers


def told(receipt: Receipt) -> Response:
    """The answer to what was posted; raise `RefusedError` with the table's reason where it did not take it."""
    answers: Answers = current_app.extensions[_KEY]
    if not answers.wait(receipt):
        waits = jsonify(ok=True, pending=True, message=refusal_words("pending", speaker()[0]))
        waits.status_code = 202
        return waits
    if receipt.refusal:
        raise RefusedError(receipt.refusal, STATUS.get(receipt.refusal, 409))
    return jsonify(ok=True)


def not_taken(error: CompanionError) -> tuple[Response, int]:
    """The answer where the table refuses at once."""
    return answer(RefusedError(error.kind if isinstance(error, DeclarationError) else "impossible", 409))
