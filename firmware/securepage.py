"""The page on a second port, encrypted, for devices that trust this table's own authority."""

from __future__ import annotations

import logging
import os
import resource
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from flask import Flask

from companion.web.ports import Ports, set_ports, with_port
from companion.web.serve import Server
from firmware.authority import Authority, CertificateError, open_authority, vouch
from firmware.datafolder import data_folder
from firmware.errors import RigError
from firmware.network import host_name, own_addresses
from firmware.serving import addresses, served
from firmware.tlsfront import TlsFront

LOG = logging.getLogger(__name__)
HTTPS_PORT = 8443
FILES = 4096
"""Enough for as many connections as both servers and the front take, and everything else."""


def authority_folder() -> Path:
    """Where the authority and the page's certificate lie; in no backup."""
    return data_folder() / "https"


def this_authority() -> Authority | None:
    """The authority of this machine; None before `viewmat https` has made one.  Raises `CertificateError`."""
    return open_authority(authority_folder())


def usable_authority() -> Authority | None:
    """The authority, to show a secure page with; None, and a word in the log, where it cannot be used: the table needs none."""
    try:
        return this_authority()
    except CertificateError as error:
        LOG.warning("there is no secure page: %s", error)
        return None


def page_certificate(authority: Authority, names: Iterable[str] = ()) -> Path:
    """The file with the page's key and certificate, for all names and addresses that this machine has now."""
    host = host_name()
    known = ("viewmat.local", f"{host}.local", host, "localhost", *names)
    return vouch(authority, known, own_addresses(), datetime.now(UTC))


def all_addresses(host: str, open_ports: Ports) -> tuple[str, ...]:
    """What to type into a browser, the secure page last."""
    plain = addresses(host, open_ports.plain)
    if open_ports.secure is None:
        return plain
    return (*plain, *(f"https://{with_port(urlsplit(one).netloc, open_ports.secure, 443)}/" for one in plain[:1]))


@contextmanager
def served_both(
    app: Flask, host: str, port: int, authority: Authority | None, secure_port: int | None = None, names: Iterable[str] = ()
) -> Iterator[Ports]:
    """Serve `app` as long as the block runs: plain, and secure as well where there is an authority.

    Port 0 takes a free one, and lets the secure page take one that is not named, too.  `names` are further names of this
    machine.  Raises `RigError` when the plain page's port cannot be had.  Where the other one cannot be had, or there can be no
    certificate, the plain page is served alone, and the log says why.
    """
    with ExitStack() as stack:
        plain = stack.enter_context(served(app, host, port))
        ports = Ports(plain.port)
        if authority is not None:
            chosen = secure_port if secure_port is not None else HTTPS_PORT if port else 0
            try:
                ports = Ports(plain.port, stack.enter_context(_secured(app, host, chosen, authority, tuple(names))))
            except (CertificateError, RigError) as error:
                LOG.warning("there is no secure page: %s", error)
        set_ports(app, ports)
        yield ports


@contextmanager
def _secured(app: Flask, host: str, port: int, authority: Authority, names: tuple[str, ...]) -> Iterator[int]:
    _let_open(FILES)
    # Of its own, so that the application can tell by which way a request has come; nobody else is served there.
    behind = Server(app, "127.0.0.1", 0, scheme="https")
    with ExitStack() as stack:
        stack.enter_context(_running(behind.run, behind.close, "secure dashboard"))
        try:
            front = TlsFront(host, port, behind.port, lambda: page_certificate(authority, names))
        except OSError as error:
            if error.errno is None:
                raise
            raise RigError(
                f"port {port} of {host} cannot be had for the secure page: {os.strerror(error.errno)};"
                " choose another (https_port in [page], --https-port)"
            ) from error
        stack.enter_context(_running(front.run, front.close, "secure page"))
        yield front.port


def _let_open(files: int) -> None:
    """Let this process have so many files open at once, if it may: an encrypted connection takes three."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = files if hard == resource.RLIM_INFINITY else min(files, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


@contextmanager
def _running(run: Callable[[], None], close: Callable[[], None], name: str) -> Iterator[None]:
    thread = threading.Thread(target=run, name=name)
    thread.start()
    try:
        yield
    finally:
        close()
        thread.join()
