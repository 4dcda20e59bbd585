"""The routes by which phones and screens get a role, and give it back."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, current_app, jsonify, render_template, request

from companion.keyring import KeyringError
from companion.keys import LINK_SECONDS, LinkError, PinError, TriesError
from companion.views import Role
from companion.web.door import RefusedError, body_of, number
from companion.web.faults import answer
from companion.web.gate import EVERYBODY, KEEPERS, Access, Gate, Preset, current_visitor, open_to, the_gate
from companion.web.hosts import outside
from companion.web.languages import speaker
from companion.web.ports import plain_host
from companion.web.qr import picture
from companion.web.table import LiveTable
from companion.web.taps import seat_of
from companion.words.access import access_label

LONGEST_TOKEN = 64


def link_to(host: str, token: str) -> str:
    """A link that gives a role.  The token stands behind the ``#``, which browsers keep to themselves: it is in no
    request line, no ``Referer`` and no log."""
    return f"http://{host}/join#{token}"


class Joining:
    """Links, the referee's PIN, and signing off."""

    def __init__(self, table: LiveTable, access: Access) -> None:
        self._table = table
        self._access = access

    def routes(self) -> Blueprint:
        pages = Blueprint("joining", __name__)
        pages.add_url_rule("/join", view_func=self.join_page)
        pages.add_url_rule("/join", view_func=self.join, methods=["POST"])
        pages.add_url_rule("/link", view_func=self.link, methods=["POST"])
        pages.add_url_rule("/leave", view_func=self.leave, methods=["POST"])
        pages.add_url_rule("/referee", view_func=self.referee_page)
        pages.add_url_rule("/referee/enter", view_func=self.enter, methods=["POST"])
        pages.add_url_rule("/referee/pin", view_func=self.set_pin, methods=["POST"])
        pages.add_url_rule("/referee/table", view_func=self.make_table, methods=["POST"])
        pages.register_error_handler(KeyringError, _not_kept)
        return pages

    @open_to(EVERYBODY)
    def join_page(self) -> str:
        """Where a scanned link leads; its script hands the token in."""
        return _page("join.html", no_link="no_link" + _alone())

    @open_to(EVERYBODY)
    def join(self) -> Response:
        """``{"token"}``: take the link."""
        token = _secret(body_of(request), "token")
        gate = the_gate()
        try:
            secret, bearer = self._access.keyring.join(token, gate.secret())
        except LinkError:
            raise RefusedError("bad_link" + _alone(), 403) from None
        return gate.hand_over(jsonify(ok=True, role=bearer.role.value, seat=bearer.seat), secret)

    @open_to(KEEPERS)
    def link(self) -> Response:
        """``{"seat"}``: a new link for the seat's phone, told this once.  The one before is no longer good.

        It leads to the plain page, which a phone opens that has never been here.
        """
        seat = seat_of(self._table.view(), number(body_of(request), "seat"))
        if seat.source == "bot":
            raise RefusedError("by_itself", who=seat.name)
        token = self._access.keyring.invite(Role.SEAT, seat.seat, seat.name)
        address = link_to(outside(plain_host(), self._access.address()), token)
        say, _ = speaker()
        values: dict[str, str | int] = {"who": seat.name, "minutes": round(LINK_SECONDS / 60)}
        words = {name: access_label(name, say, **values) for name in ("link", "link_lead", "link_note")}
        return jsonify(link=address, picture=picture(address), words=words)

    @open_to(EVERYBODY)
    def leave(self) -> Response:
        """Give the role back; at home the screen is the table's afterwards, in a club it watches."""
        body_of(request)
        gate = the_gate()
        secret = gate.secret()
        if secret is None:
            raise RefusedError("not_joined")
        self._access.keyring.sign_off(secret)
        return gate.take_back(jsonify(ok=True), secret)

    @open_to(EVERYBODY)
    def referee_page(self) -> str:
        """What the referee does with this screen, or how it becomes his."""
        visitor = current_visitor()
        if self._access.preset is Preset.HOME:
            state = "home"
        elif visitor.role is Role.REFEREE:
            state = "here"
        else:
            state = "enter" if self._access.keyring.keys.pin is not None else "none"
        return _page("referee.html", state=state)

    @open_to(EVERYBODY)
    def enter(self) -> Response:
        """``{"pin"}``: make this screen the referee's."""
        pin = _secret(body_of(request), "pin")
        keyring, gate = self._access.keyring, the_gate()
        self._club_only()
        if keyring.keys.pin is None:
            raise RefusedError("no_pin")
        try:
            keyring.check_pin(pin)
        except TriesError as error:
            raise RefusedError("too_many", 429, seconds=error.seconds) from None
        except PinError:
            raise RefusedError("wrong_pin", 403) from None
        return self._become(gate, Role.REFEREE)

    @open_to((Role.REFEREE,))
    def set_pin(self) -> Response:
        """``{"pin"}``: make or change the PIN."""
        pin = _secret(body_of(request), "pin")
        self._club_only()
        try:
            self._access.keyring.set_pin(pin)
        except PinError:
            raise RefusedError("poor_pin") from None
        return jsonify(ok=True, message=access_label("pin_set", speaker()[0]))

    @open_to((Role.REFEREE,))
    def make_table(self) -> Response:
        """The referee gives this screen to the table."""
        body_of(request)
        self._club_only()
        return self._become(the_gate(), Role.TABLE)

    def _become(self, gate: Gate, role: Role) -> Response:
        secret, _ = self._access.keyring.admit(role, gate.secret())
        return gate.hand_over(jsonify(ok=True, role=role.value), secret)

    def _club_only(self) -> None:
        if self._access.preset is Preset.HOME:
            raise RefusedError("no_referee")


def _alone() -> str:
    """Tells the words for a virtual table, at which nobody sits who could be asked for a link."""
    return "_alone" if "puppet" in current_app.blueprints else ""


def _page(template: str, **values: Any) -> str:
    say, language = speaker()
    return render_template(template, language=language, label=lambda name: access_label(name, say), **values)


def _secret(body: dict[str, Any], name: str) -> str:
    """The secret called `name`; a longer one than any is not looked at, and none is ever said back."""
    written = body.get(name)
    if not isinstance(written, str) or len(written) > LONGEST_TOKEN:
        raise RefusedError("bad_form", found=name)
    return written


def _not_kept(error: KeyringError) -> tuple[Response, int]:
    return answer(RefusedError("not_kept", 507))
