"""The guide by which a device comes to trust the secure page, and the certificate that it needs for that - never the key."""

from __future__ import annotations

from typing import Protocol

from flask import Blueprint, Flask, Response, redirect, render_template, request

from companion.announcements import device_words, install_label
from companion.web.app import set_headers
from companion.web.door import RefusedError
from companion.web.faults import set_up_faults
from companion.web.gate import EVERYBODY, Access, Gate, open_to, the_gate
from companion.web.hosts import outside
from companion.web.languages import set_up_languages, speaker
from companion.web.live import Streams
from companion.web.ports import plain_host, secure_page
from companion.web.qr import picture

CERTIFICATE = "/install/viewmat-table.crt"
"""Devices keep the file under this name."""
AGENTS = (
    ("iPhone", "ios"), ("iPad", "ios"), ("Android", "android"), ("Windows", "windows"), ("Macintosh", "mac"), ("Linux", "linux"),
)  # fmt: skip
"""What stands in the names by which browsers call themselves, and whose part of the guide is open at first."""


class Vouching(Protocol):
    """The public half of an authority."""

    @property
    def pem(self) -> bytes:
        """Its certificate."""
        ...

    @property
    def fingerprint(self) -> str: ...


def install_pages(authority: Vouching | None) -> Blueprint:
    """``/install`` and the certificate of `authority`; without one the page says how it is made."""
    pages = Blueprint("install", __name__)

    @open_to(EVERYBODY)
    def page() -> str:
        say, language = speaker()
        guide = f"http://{outside(plain_host(), the_gate().access.address())}/install"
        return render_template(
            "install.html", say=say, language=language, authority=authority, certificate=CERTIFICATE, guide=guide,
            devices=device_words(say), code=picture(guide), secure=secure_page(),
            likely=_likely(request.headers.get("User-Agent", "")),
        )  # fmt: skip

    @open_to(EVERYBODY)
    def certificate() -> Response:
        """The type makes devices offer to install it."""
        if authority is None:
            raise RefusedError("no_page", 404)
        return Response(authority.pem, mimetype="application/x-x509-ca-cert")

    pages.add_url_rule("/install", view_func=page, endpoint="page")
    pages.add_url_rule(CERTIFICATE, view_func=certificate, endpoint="certificate")
    return pages


def _likely(agent: str) -> str:
    """The kind of device that a browser says it runs on; an iPad may call itself a Mac."""
    return next((device for sign, device in AGENTS if sign in agent), "")


def create_guide_app(authority: Vouching, access: Access | None = None) -> Flask:
    """The guide alone, for `viewmat https` where no table runs."""
    app = Flask(__name__)
    set_up_languages(app)
    app.extensions["viewmat_streams"] = Streams(0)
    app.jinja_env.globals.update(install_label=install_label, alone=True)
    app.register_blueprint(install_pages(authority))
    app.add_url_rule("/", "first", open_to(EVERYBODY)(lambda: redirect("/install")))
    set_up_faults(app)
    Gate(Access() if access is None else access).guard(app)
    set_headers(app)
    return app
