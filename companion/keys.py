"""Who is who: links that are scanned once, the phones and screens that scanned them, and the referee's PIN.

Pure values.  A token is a random number of 128 bits that only its bearer has; here stands its hash.  Times are seconds of a
clock that only runs forward, never the wall's: setting the clock opens nothing.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from companion.errors import CompanionError
from companion.views import Role

TOKEN_BYTES = 16
LINK_SECONDS = 600.0
"""How long a link waits to be scanned."""
MOST_BEARERS = {Role.REFEREE: 3, Role.TABLE: 4, Role.PUPPETEER: 3}
"""Phones and screens that may hold one role at once; the oldest makes room.  A seat has one phone."""
FREE_TRIES = 3
"""Wrong PINs before waiting begins."""
FIRST_WAIT, LONGEST_WAIT = 5.0, 900.0
"""Seconds after the first wrong PIN that costs a wait, doubled with each further one, and never more than this."""
PIN_LENGTHS = (6, 12)
SCRYPT_COST = (2**14, 8, 1)
"""n, r and p: 16 MiB, and a tenth of a second on a Pi."""


class LinkError(CompanionError, LookupError):
    """A link that was used, replaced, waited too long, or never was one."""


class PinError(CompanionError, ValueError):
    """A PIN that cannot be one, or is not the right one."""


class TriesError(CompanionError, PermissionError):
    """Too many wrong PINs: the next try has to wait."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"too many wrong PINs; the next try is possible in {seconds} seconds")
        self.seconds = seconds


def fresh_token() -> str:
    """A new secret for a link or for a bearer: 128 random bits, fit for an address."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest_of(token: str) -> str:
    """What is kept of a token.  It is as random as a key, so a plain hash gives nothing away."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Link:
    """An invitation that nobody has taken yet."""

    role: Role
    seat: int | None
    name: str
    """Who sits there; empty where the role has no seat."""
    digest: str
    since: float


@dataclass(frozen=True, slots=True)
class Bearer:
    """A phone or screen that holds a role."""

    role: Role
    seat: int | None
    name: str
    digest: str


@dataclass(frozen=True, slots=True)
class Pin:
    """A PIN as it is kept: its scrypt hash, with salt and cost."""

    salt: str
    digest: str
    cost: tuple[int, int, int] = SCRYPT_COST

    def fits(self, pin: str) -> bool:
        """Whether `pin` is the one."""
        return hmac.compare_digest(_scrypt(pin, self.salt, self.cost), self.digest)


def make_pin(pin: str, salt: bytes | None = None) -> Pin:
    """Keep `pin`; raise `PinError` where it is too short, too long or among the first that anybody would try."""
    low, high = PIN_LENGTHS
    if not (pin.isascii() and pin.isdigit() and low <= len(pin) <= high):
        raise PinError(f"a PIN has {low} to {high} digits and nothing else")
    if len({(int(b) - int(a)) % 10 for a, b in pairwise(pin)}) == 1:
        raise PinError("this PIN is a single digit or a plain sequence, which is tried first")
    written = (secrets.token_bytes(16) if salt is None else salt).hex()
    return Pin(written, _scrypt(pin, written, SCRYPT_COST))


def _scrypt(pin: str, salt: str, cost: tuple[int, int, int]) -> str:
    n, r, p = cost
    secret = pin.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(secret, salt=bytes.fromhex(salt), n=n, r=r, p=p, maxmem=256 * n * r).hex()


def wait_after(failed: int) -> float:
    """Seconds to wait after so many wrong PINs in a row."""
    if failed < FREE_TRIES:
        return 0.0
    return float(min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(failed - FREE_TRIES, 20)))


@dataclass(frozen=True, slots=True)
class Keys:
    """Everything that is known of links, bearers and the PIN.  Each change makes new keys."""

    links: tuple[Link, ...] = ()
    bearers: tuple[Bearer, ...] = ()
    pin: Pin | None = None
    failed: int = 0
    """Wrong PINs since the last right one."""
    blocked_until: float = 0.0

    # ---- links and bearers ---------------------------------------------------------------------------------------

    def bearer(self, token: str) -> Bearer | None:
        """Who bears `token`; every entry is compared, in a time that does not depend on it."""
        wanted, found = digest_of(token), None
        for one in self.bearers:
            if hmac.compare_digest(one.digest, wanted):
                found = one
        return found

    def invited(self, role: Role, seat: int | None, name: str, token: str, now: float) -> Keys:
        """A new link.  It replaces an open one for the same role and seat; a seat's also signs its phone off, so
        that a substitute never shares the seat with the one who left."""
        link = Link(role, seat, name, digest_of(token), now)
        links = tuple(one for one in self.links if (one.role, one.seat) != (role, seat))
        bearers = tuple(one for one in self.bearers if role is not Role.SEAT or (one.role, one.seat) != (role, seat))
        return replace(self, links=(*links, link), bearers=bearers)

    def joined(self, token: str, secret: str, now: float) -> tuple[Keys, Bearer]:
        """Whoever has the link's `token` bears its role from now on, with `secret`.  Raises `LinkError`."""
        wanted, found = digest_of(token), None
        for one in self.links:
            if hmac.compare_digest(one.digest, wanted):
                found = one
        if found is None or not 0 <= now - found.since <= LINK_SECONDS:
            raise LinkError("this link was used, replaced or has waited too long")
        left = replace(self, links=tuple(one for one in self.links if one != found))
        return left.admitted(found.role, found.seat, found.name, secret)

    def admitted(self, role: Role, seat: int | None, name: str, secret: str) -> tuple[Keys, Bearer]:
        """A further bearer of `role`; the oldest makes room where there are too many."""
        bearer = Bearer(role, seat, name, digest_of(secret))
        same = [one for one in self.bearers if (one.role, one.seat) == (role, seat)]
        gone = same[: max(0, len(same) + 1 - MOST_BEARERS.get(role, 1))]
        return replace(self, bearers=(*(one for one in self.bearers if one not in gone), bearer)), bearer

    def signed_off(self, token: str) -> Keys:
        """Without the bearer of `token`."""
        gone = digest_of(token)
        return replace(self, bearers=tuple(one for one in self.bearers if not hmac.compare_digest(one.digest, gone)))

    def without(self, *roles: Role) -> Keys:
        """Without every link and bearer of these roles."""
        return replace(
            self,
            links=tuple(one for one in self.links if one.role not in roles),
            bearers=tuple(one for one in self.bearers if one.role not in roles),
        )

    def seated(self, names: Sequence[str]) -> Keys:
        """Without the links and phones of seats where now somebody else sits."""

        def stays(one: Link | Bearer) -> bool:
            return one.seat is None or (one.seat < len(names) and names[one.seat] == one.name)

        return replace(self, links=tuple(filter(stays, self.links)), bearers=tuple(filter(stays, self.bearers)))

    # ---- the PIN -------------------------------------------------------------------------------------------------

    def trying(self, now: float) -> Keys:
        """A try is counted before it is looked at, so that many at once are not one.  Raises `TriesError`, `PinError`."""
        if self.pin is None:
            raise PinError("no PIN was made here")
        if now < self.blocked_until:
            raise TriesError(int(self.blocked_until - now) + 1)
        failed = self.failed + 1
        return replace(self, failed=failed, blocked_until=now + wait_after(failed))

    def forgiven(self) -> Keys:
        """The PIN was right: the tries before are forgotten."""
        return replace(self, failed=0, blocked_until=0.0)

    def reset(self) -> Keys:
        """Recovery at the machine itself: no PIN, no referee, no table screen, no tries."""
        return replace(self.without(Role.REFEREE, Role.TABLE), pin=None).forgiven()
