"""Telling systemd that the program is up, and that it really works: `sd_notify` over its datagram socket.

Source of the protocol: systemd's manual page sd_notify(3).  Outside systemd nothing is told and nothing fails.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic

BEATS = 3
"""So many signs of life are given in the time after which systemd restarts a program that gives none."""


class Alive:
    """Signs of life for the service manager.

    `beat` belongs into the loop that does the work and nowhere else: a thread of its own would go on while that loop hangs.
    """

    def __init__(self, surroundings: Mapping[str, str] | None = None, clock: Callable[[], float] = monotonic) -> None:
        """`surroundings` are the process's environment variables."""
        found = os.environ if surroundings is None else surroundings
        self._address = found.get("NOTIFY_SOCKET", "")
        self._clock = clock
        self._every = _watchdog_s(found) / BEATS
        self._next = float("-inf")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) if self._address else None
        if self._socket is not None:
            # A manager that does not read must not stop the game.
            self._socket.setblocking(False)

    @property
    def watched(self) -> bool:
        """Whether signs of life are expected."""
        return self._socket is not None and self._every > 0

    def ready(self) -> None:
        """The program is up."""
        self._tell("READY=1")

    def status(self, words: str) -> None:
        """One line for `systemctl status`; nothing that is hidden on the table belongs into it."""
        self._tell(f"STATUS={words.splitlines()[0] if words else ''}")

    def beat(self) -> None:
        """The loop has come round once more; cheap enough to be called each time."""
        if not self.watched:
            return
        now = self._clock()
        if now >= self._next:
            self._next = now + self._every
            self._tell("WATCHDOG=1")

    def stopping(self) -> None:
        """The program ends of its own will."""
        self._tell("STOPPING=1")

    def close(self) -> None:
        """Let go of the socket; nothing is told any more."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _tell(self, message: str) -> None:
        if self._socket is None:
            return
        # A name that begins with @ is none in the file system.
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        with suppress(OSError):
            self._socket.sendto(message.encode(), address)


def _watchdog_s(found: Mapping[str, str]) -> float:
    """After so many seconds without a sign of life this process is restarted; 0 where nobody watches it."""
    if found.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return 0.0
    try:
        return max(0, int(found.get("WATCHDOG_USEC", "0"))) / 1e6
    except ValueError:
        return 0.0
