"""This machine's name and addresses in its network, as far as a certificate may tell them."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from companion.web.hosts import own_address

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_ROUTES = Path("/proc/net/fib_trie")
_SIXES = Path("/proc/net/if_inet6")
_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


def host_name() -> str:
    """The machine's own name without a domain, in lower case; ``viewmat`` where it has none that can stand in an address."""
    name = socket.gethostname().split(".")[0].lower()
    return name if _LABEL.fullmatch(name) else "viewmat"


def own_addresses() -> tuple[Address, ...]:
    """Every address of this machine but those of one link alone, in order; loopback is among them.  Nothing is sent."""
    found = {ipaddress.ip_address("127.0.0.1"), ipaddress.ip_address("::1")}
    with suppress(OSError):
        found |= set(_fours(_ROUTES.read_text(encoding="ascii", errors="replace").splitlines()))
    with suppress(OSError):
        found |= {ipaddress.IPv6Address(int(line.split()[0], 16)) for line in _SIXES.read_text(encoding="ascii").splitlines()}
    if near := own_address():
        found.add(ipaddress.ip_address(near))
    # Only an IPv6 address of one link needs a scope, with which no browser opens a page.
    usable = (one for one in found if not (one.version == 6 and one.is_link_local))
    return tuple(sorted(usable, key=lambda one: (one.version, int(one))))


def _fours(lines: Iterable[str]) -> Iterable[Address]:
    """The kernel's tree of routes names an address of its own before each ``/32 host LOCAL``."""
    leaf = ""
    for line in lines:
        if "|-- " in line:
            leaf = line.split("|-- ")[1].strip()
        elif line.strip() == "/32 host LOCAL":
            yield ipaddress.IPv4Address(leaf)
