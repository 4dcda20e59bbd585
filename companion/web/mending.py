"""The page of a table whose settings file is not right: what is wrong, and the file's text to mend in place.

It is all that such a table serves.  What is saved is checked before, and the file as it was is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from flask import Blueprint, Flask, Response, jsonify, redirect, render_template, request

from companion.announcements import Translator
from companion.web.app import set_headers
from companion.web.door import RefusedError, brief
from companion.web.faults import set_up_faults
from companion.web.gate import EVERYBODY, RULERS, Access, Gate, open_to
from companion.web.languages import set_up_languages, speaker
from companion.web.live import Streams
from companion.words.access import access_label
from companion.words.mending import fault_words, mending_label

LARGEST = 48 * 1024
"""Bytes of a settings file on the page; ours have a thirtieth of it."""
KIND = "text/plain"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong in a settings file."""

    key: str
    """As people count, ``seat 2.source``; nothing where it concerns the file as a whole."""
    line: int | None
    kind: str
    """One of `fault_kinds`."""
    values: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Copy:
    """A settings file as it was read."""

    text: str | None
    """None where it is none."""
    mark: str
    """Tells this state of the file from others."""


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of saving."""

    old: str = ""
    """Under this name the file as it was is kept."""
    refusal: str = ""
    """``changed`` or ``not_written``."""
    why: str = ""


class Mendable(Protocol):
    """The settings file; every method may be called from any thread."""

    @property
    def name(self) -> str:
        """Of the file, without the way to it."""
        ...

    def read(self) -> Copy: ...

    def faults(self, text: str, /) -> Sequence[Fault]:
        """Everything that keeps a table from playing with this text."""
        ...

    def save(self, text: str, mark: str, /) -> Saved:
        """Put this text, which has no faults, in the place of what was read as `mark`."""
        ...


def mending_pages(file: Mendable) -> Blueprint:
    """``/settings``: the page, and what it sends."""
    pages = Blueprint("mending", __name__)

    def drawn(text: str, say: Translator) -> str:
        faults = [(fault, fault_words(fault.kind, fault.values, say)) for fault in file.faults(text)]
        return render_template("mending_faults.html", faults=faults, label=_label(say))

    @open_to(RULERS)
    def page() -> str:
        say, language = speaker()
        copy = file.read()
        faults = drawn(copy.text, say) if copy.text is not None else ""
        return render_template(
            "mending.html", name=file.name, copy=copy, faults=faults, label=_label(say), language=language
        )  # fmt: skip

    @open_to(RULERS)
    def mend() -> Response | tuple[Response, int]:
        """The text as the body; ``?mark=...&save=1`` saves it where nothing is wrong with it."""
        text = _sent()
        say, _ = speaker()
        if file.faults(text) or request.args.get("save") != "1":
            return jsonify(html=drawn(text, say), saved=False)
        saved = file.save(text, request.args.get("mark", ""))
        if saved.refusal:
            message = mending_label(saved.refusal, say, **({"why": saved.why} if saved.why else {}))
            return jsonify(error=saved.refusal, message=message), 409
        return jsonify(saved=True, message=mending_label("saved", say, old=saved.old))

    pages.add_url_rule("/settings", view_func=page)
    pages.add_url_rule("/settings", view_func=mend, methods=["POST"])
    return pages


def _sent() -> str:
    """The text that was sent, read past the limit that holds for taps."""
    size = request.content_length or 0
    if size > LARGEST:
        raise RefusedError("too_big", 413)
    if request.mimetype != KIND:
        raise RefusedError("bad_form", found=brief(request.mimetype or "-"))
    try:
        return str(request.environ["wsgi.input"].read(size).decode("utf-8"))
    except UnicodeDecodeError:
        raise RefusedError("bad_form", found="UTF-8") from None


def create_mending_app(file: Mendable, access: Access, language: str = "en") -> Flask:
    """The settings page alone, for a table that cannot start."""
    app = Flask(__name__)
    set_up_languages(app, language)
    app.extensions["viewmat_streams"] = Streams(0)
    app.jinja_env.globals.update(access_label=access_label)
    app.register_blueprint(mending_pages(file))
    app.add_url_rule("/", "first", open_to(EVERYBODY)(lambda: redirect("/settings")))
    set_up_faults(app)
    Gate(access).guard(app)
    set_headers(app)
    return app


def _label(say: Translator) -> Callable[..., str]:
    def label(key: str, /, **values: str | int) -> str:
        return mending_label(key, say, **values)

    return label
