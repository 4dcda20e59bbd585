"""The gate: which role a request comes in, and which roles each route is open to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeVar

from flask import Flask, Response, current_app, g, request

from companion.keyring import Keyring
from companion.views import Role
from companion.web.door import RefusedError, check_same_site
from companion.web.hosts import is_own, own_address
from companion.web.languages import speaker
from companion.words.access import roles_words

COOKIE_DAYS = 30

EVERYBODY = tuple(Role)
PLAYERS = (Role.TABLE, Role.SEAT, Role.REFEREE)
"""Who plays, or taps for players."""
KEEPERS = (Role.TABLE, Role.REFEREE)
"""Who may do what concerns the whole table."""
RULERS = (Role.REFEREE,)
"""Who decides where people disagree.  At home that is everybody at the table, by a tap on its screen."""


class Preset(Enum):
    """Whose word counts at this table."""

    HOME = "home"
    """No PIN and no referee: a screen that has not joined as something else is the table's."""
    CLUB = "club"
    """A referee with his own phone or a PIN; a screen that has not joined only watches."""


@dataclass(slots=True)
class Access:
    """How a table is guarded."""

    preset: Preset = Preset.HOME
    """Changes with the game that begins, where the setup wizard was told so."""
    keyring: Keyring = field(default_factory=Keyring)
    names: tuple[str, ...] = ()
    """Further host names under which the page is opened."""
    address: Callable[[], str | None] = own_address
    """This machine's address in its network, for links that phones scan."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who sends a request."""

    role: Role
    seat: int | None = None
    rules: bool = False
    """His word decides a dispute: the referee's in a club, the table's at home, and there the puppeteer's as well."""
    stale: bool = False
    """He shows a secret that counts no more, such as the phone of a seat that has a new link."""

    @property
    def keeps(self) -> bool:
        """He may do what concerns the whole table."""
        return self.role in KEEPERS or self.rules

    @property
    def may_stop(self) -> bool:
        """He may stop play."""
        return self.role in PLAYERS or self.rules

    @property
    def key(self) -> str:
        """Names this kind of visitor to the page, which loads itself again when it becomes another."""
        return self.role.value + ("" if self.seat is None else f"-{self.seat}") + ("-stale" if self.stale else "")

    def may_act_for(self, seat: int | None) -> bool:
        """Whether a tap of his counts for `seat`; None stands for anybody at the table."""
        return self.keeps or (self.role is Role.SEAT and seat in (None, self.seat))


View = TypeVar("View", bound=Callable[..., Any])


def open_to(roles: Sequence[Role]) -> Callable[[View], View]:
    """Declare which roles a route's function answers.  An application with an undeclared route cannot be made."""

    def declare(view: View) -> View:
        view.open_to = frozenset(roles)  # type: ignore[attr-defined]
        return view

    return declare


def roles_of(app: Flask, endpoint: str) -> frozenset[Role] | None:
    """The roles that a route is open to; None where nobody has declared any."""
    declared: frozenset[Role] | None = getattr(app.view_functions[endpoint], "open_to", None)
    return declared


class Gate:
    """Stands before every route of one application."""

    def __init__(self, access: Access) -> None:
        self.access = access

    def guard(self, app: Flask) -> None:
        """Put the gate before `app`, whose routes are all there; raise `TypeError` for one that declares no roles."""
        app.extensions["viewmat_gate"] = self
        open_to(EVERYBODY)(app.view_functions["static"])
        for rule in app.url_map.iter_rules():
            if roles_of(app, rule.endpoint) is None:
                raise TypeError(f"{rule.rule} declares no roles: its function needs @open_to(...)")
        app.before_request(self.check)

    def check(self) -> None:
        """Refuse what comes under a strange name, from another site, or in a role that the route is not open to."""
        if not is_own(request.host, self.access.names):
            raise RefusedError("other_host", 421)
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            check_same_site(request)
        if request.endpoint is None:
            return
        roles = roles_of(current_app, request.endpoint) or frozenset()
        visitor = self.visitor()
        if visitor.role not in roles and not (visitor.rules and Role.REFEREE in roles):
            raise RefusedError("not_yours", 403, who=roles_words(self.deciders(roles), speaker()[0]))

    def deciders(self, roles: Iterable[Role]) -> frozenset[Role]:
        """Whom a route for `roles` answers at this table: at home there is no referee, and the table's screen decides."""
        found = frozenset(roles)
        if self.access.preset is Preset.HOME and Role.REFEREE in found:
            return found - {Role.REFEREE} | {Role.TABLE}
        return found

    def visitor(self) -> Visitor:
        """Who sends the current request."""
        if "visitor" not in g:
            g.visitor = self._known(self.secret())
        found: Visitor = g.visitor
        return found

    def _known(self, secret: str | None) -> Visitor:
        home = self.access.preset is Preset.HOME
        if secret is None:
            return Visitor(Role.TABLE, rules=True) if home else Visitor(Role.SPECTATOR)
        bearer = self.access.keyring.bearer(secret)
        if bearer is None:
            # Not the table's even at home: the phone of one who left must not gain by it.
            return Visitor(Role.SPECTATOR, stale=True)
        # Who plays a virtual table by hand sits at it, too: at home his word counts as that of the table's screen.
        rules = bearer.role is Role.REFEREE or (home and bearer.role in (Role.TABLE, Role.PUPPETEER))
        return Visitor(bearer.role, bearer.seat, rules)

    def still(self) -> Callable[[], bool]:
        """Asks later, without the request, whether its sender is still who he was."""
        secret, visitor = self.secret(), self.visitor()
        return lambda: self._known(secret) == visitor

    # ---- the cookie ----------------------------------------------------------------------------------------------

    def secret(self) -> str | None:
        """What the sender bears, if anything.

        A role that a screen has on the plain page it has on the secure one, too, as long as it has got none there.  The other way
        round browsers keep what was given on the secure page to that page.
        """
        own = request.cookies.get(_cookie())
        if own is not None or not request.is_secure:
            return own
        others = (secret for name, secret in request.cookies.items() if _COOKIE.fullmatch(name))
        return next((secret for secret in others if self.access.keyring.bearer(secret) is not None), None)

    def hand_over(self, response: Response, secret: str) -> Response:
        """Let the sender bear `secret` from now on: a random number, out of reach of scripts and of other sites."""
        response.set_cookie(
            _cookie(), secret, max_age=COOKIE_DAYS * 86400, httponly=True, samesite="Strict", secure=request.is_secure
        )
        return response

    def take_back(self, response: Response, secret: str) -> Response:
        """Let the sender bear nothing any more: `secret` ends under whatever name he has it."""
        for name in {_cookie(), *(name for name, value in request.cookies.items() if value == secret)}:
            response.delete_cookie(name, httponly=True, samesite="Strict", secure=request.is_secure)
        return response


_COOKIE = re.compile(r"viewmat(-\d{1,5})?")


def _cookie() -> str:
    """Cookies know no ports, and one machine may hold two tables."""
    port = request.host.rpartition(":")[2]
    return f"viewmat-{port}" if port.isdigit() else "viewmat"


def the_gate() -> Gate:
    """The gate of the current application."""
    gate: Gate = current_app.extensions["viewmat_gate"]
    return gate


def current_visitor() -> Visitor:
    """Who sends the current request."""
    return the_gate().visitor()


def check_seat(seat: int | None) -> None:
    """Refuse a tap for a seat that is not the sender's; None: one that anybody at the table may give."""
    if not current_visitor().may_act_for(seat):
        raise RefusedError("other_seat", 403)
