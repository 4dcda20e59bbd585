"""On which ports the page is to be had, plain and secure, and how the one is written from the other."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from flask import Flask, current_app, request

_KEY = "viewmat_ports"


@dataclass(frozen=True, slots=True)
class Ports:
    """Ports of the plain page, and of the secure one where there is one."""

    plain: int
    secure: int | None = None


def set_ports(app: Flask, ports: Ports) -> None:
    """Tell the pages of `app` where they are served."""
    app.extensions[_KEY] = ports


def _ports() -> Ports | None:
    """Where the current application is served; None where nobody has told."""
    found: Ports | None = current_app.extensions.get(_KEY)
    return found


def plain_host() -> str:
    """The host of the current request, with the port that every device reaches without trusting anything first."""
    known = _ports()
    return request.host if not request.is_secure or known is None else with_port(request.host, known.plain, 80)


def secure_page() -> str | None:
    """The secure page's address under the name of the current request; None where there is none."""
    known = _ports()
    return None if known is None or known.secure is None else f"https://{with_port(request.host, known.secure, 443)}/"


def with_port(host: str, port: int, usual: int) -> str:
    """`host` with `port` in the place of its own; `usual` need not be written."""
    name = urlsplit(f"//{host}").hostname or host
    if ":" in name:
        name = f"[{name}]"
    return name if port == usual else f"{name}:{port}"
