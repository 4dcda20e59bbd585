"""The secure page's front by itself: what it leaves behind, and which certificate it shows."""

from __future__ import annotations

import gc
import itertools
import socket
import threading
from collections.abc import Callable

from firmware.authority import Authority
from firmware.securepage import page_certificate
from firmware.tlsfront import TlsFront
from tests.firmware.test_securepage import authority

__all__ = ["authority"]


def test_a_front_that_closes_while_many_call_leaves_no_connection_open(authority: Authority) -> None:
    """What is left open warns when it is collected, and a warning is an error here."""
    file = page_certificate(authority)
    for _ in range(3):
        front = TlsFront("127.0.0.1", 0, 9, lambda: file)
        running = threading.Thread(target=front.run)
        callers = [threading.Thread(target=_call, args=(front.port, front.close if number else None)) for number in range(4)]
        for thread in (running, *callers):
            thread.start()
        for thread in (running, *callers):
            thread.join()
    gc.collect()


def _call(port: int, then: Callable[[], None] | None) -> None:
    """Call again and again until nobody is there; in between say `then`."""
    for number in itertools.count():
        try:
            socket.create_connection(("127.0.0.1", port), timeout=20).close()
        except OSError:
            return
        if number == 50 and then:
            then()


def test_a_certificate_that_changes_is_shown_to_who_comes_next(authority: Authority) -> None:
    file = page_certificate(authority)
    front = TlsFront("127.0.0.1", 0, 9, lambda: file)
    try:
        front._show()
        first = front._shown
        file.unlink()
        page_certificate(authority, ["new.local"])
        front._show()
        assert front._shown != first
    finally:
        front._listener.close()
        front._loop.close()
