"""Checks at the door: which requests are taken, and what they may hold."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

from flask import Request

LONGEST_BODY = 2048
"""Bytes; a tap needs a tenth of it."""


class RefusedError(Exception):
    """A request that is not taken.  `kind` names the sentence, `values` fill it."""

    def __init__(self, kind: str, status: int = 400, **values: str | int) -> None:
        super().__init__(kind)
        self.kind = kind
        self.status = status
        self.values = values


def check_same_site(request: Request) -> None:
    """Refuse what another site's page sends in a visitor's name.  Browsers tell in one header or another."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise RefusedError("other_site", 403)
    origin = request.headers.get("Origin")
    if origin is None:
        return
    # Anybody in the network may change a plain page; it has no say on the secure one, even where both have usual ports.
    if _host_of(origin) != request.host.lower() or (request.is_secure and not origin.lower().startswith("https:")):
        raise RefusedError("other_site", 403)


def _host_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc.lower() or None
    except ValueError:
        return None


def body_of(request: Request) -> dict[str, Any]:
    """The JSON object that the request carries.  Other pages cannot send this type without asking first."""
    if (request.content_length or 0) > LONGEST_BODY:
        raise RefusedError("too_big", 413)
    if request.mimetype != "application/json":
        raise RefusedError("bad_form", found=brief(request.mimetype or "-"))
    written = request.get_data(cache=False)
    if len(written) > LONGEST_BODY:
        raise RefusedError("too_big", 413)
    try:
        body = json.loads(written or b"{}")
    except (ValueError, RecursionError):
        raise RefusedError("bad_form", found="JSON") from None
    if not isinstance(body, dict):
        raise RefusedError("bad_form", found=brief(body))
    return body


def number(body: dict[str, Any], name: str) -> int:
    """The whole number called `name`."""
    value = body.get(name)
    if type(value) is not int or abs(value) > 1_000_000:
        raise RefusedError("bad_form", found=f"{name}={brief(value)}")
    return value


def text(body: dict[str, Any], name: str) -> str:
    """The text called `name`."""
    value = body.get(name)
    if not isinstance(value, str):
        raise RefusedError("bad_form", found=f"{name}={brief(value)}")
    try:
        value.encode()
    except UnicodeEncodeError:
        # Half of a pair is no letter; nothing that holds one could be written anywhere.
        raise RefusedError("bad_form", found=f"{name}={brief(ascii(value))}") from None
    return value


def brief(value: object) -> str:
    """A short form of what was found, fit to be said back."""
    said = str(value)
    return said if len(said) <= 24 else said[:23] + "…"
