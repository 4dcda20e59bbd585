"""Under which names the table's page may be opened, and which of them reaches it from another machine.

A site may give its own name the table's address and so let a visitor's browser ask the table in that name (DNS rebinding).
Against it, only names are answered that nobody outside can own: addresses, bare names, and endings that are never sold.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Collection
from contextlib import closing
from urllib.parse import urlsplit

PRIVATE_ENDINGS = ("local", "localhost", "test", "lan", "internal", "home.arpa")
"""Endings of names that no public server answers for."""


WRITTEN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-_:%")
"""What names and addresses are written in."""


def name_of(host: str) -> str | None:
    """The name in a ``Host`` header without its port, in lower case; None where it is none."""
    try:
        parts = urlsplit(f"//{host}")
        parts.port  # noqa: B018  # raises where it is no number
        name = parts.hostname
    except ValueError:
        return None
    if not name or parts.netloc != host or "@" in host or not set(name) <= WRITTEN:
        return None
    return name.rstrip(".") or None


def is_own(host: str, names: Collection[str] = ()) -> bool:
    """Whether a request under this ``Host`` can come from a page of ours; `names` are further ones that were set up."""
    name = name_of(host)
    if name is None:
        return False
    if name in {one.lower() for one in names} or ("." not in name and ":" not in name):
        return True
    return is_address(name) or any(name.endswith(f".{ending}") for ending in PRIVATE_ENDINGS)


def is_address(name: str) -> bool:
    """Whether `name` is an address in figures."""
    try:
        ipaddress.ip_address(name.split("%")[0])
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether only this machine itself reaches the table under `host`."""
    name = name_of(host) or ""
    return name == "localhost" or name.endswith(".localhost") or (is_address(name) and ipaddress.ip_address(name).is_loopback)


def own_address() -> str | None:
    """This machine's address in its network; None without a network.  Nothing is sent."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


def outside(host: str, address: str | None) -> str:
    """`host` (with its port) as another machine has to write it; `address` is this machine's in its network."""
    if address is None or not is_loopback(host):
        return host
    port = urlsplit(f"//{host}").port
    return address if port is None else f"{address}:{port}"
