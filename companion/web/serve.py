"""The server: waitress with a thread for every stream and enough others for everything else."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from flask import Flask
from waitress import create_server

from companion.web.live import Streams
from companion.web.uploads import EXTENSION, channel_for

SPARE_THREADS = 8
"""Threads beside those that streams may hold."""
UNSENT_BYTES = 64 * 1024
"""A page that is this far behind is not written to until it has read: it then gets what is of the last moment alone."""

LONGEST_BODY = 64 * 1024
"""A longer request is refused before it is taken in; pages that take files say so by `Uploads`."""
LONGEST_HEAD = 16 * 1024
"""The same for its first line and headers."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a connection may keep a place that others wait for.  Open streams are none of them: they are being answered."""

    connections: int = 900
    """So many may stand open at once; fewer than the files that a process may have open, streams and records included."""
    idle_s: int = 6
    """Without a byte of a request; browsers open another one when they need it again."""
    request_s: float = 15.0
    """From the first byte of a request to its last, however busily it drips."""
    look_s: int = 2
    """How often that is looked after."""


PATIENCE = Patience()


class Server:
    """An open server.  `run` serves on the caller's thread until `close` is called from another one."""

    def __init__(self, app: Flask, host: str, port: int, patience: Patience = PATIENCE, scheme: str = "http") -> None:
        """Open `host`:`port`; port 0 takes a free one.  Raises `OSError` where it is taken.

        `scheme` is what browsers call it by; ``https`` where something that knows TLS stands before it.
        """
        self._streams: Streams = app.extensions["viewmat_streams"]
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # Opened here, because waitress starts its threads before it finds out that a port is taken.
        listener = socket.create_server((host, port), family=family)
        self.port = int(listener.getsockname()[1])
        self._server = create_server(
            app,
            sockets=[listener],
            threads=self._streams.limit + SPARE_THREADS,
            outbuf_high_watermark=UNSENT_BYTES,
            channel_timeout=patience.idle_s,
            cleanup_interval=patience.look_s,
            connection_limit=patience.connections,
            # Looking for a further request while one is answered, the server notices that the page has gone.
            channel_request_lookahead=1,
            asyncore_use_poll=True,
            max_request_body_size=LONGEST_BODY,
            max_request_header_size=LONGEST_HEAD,
            ident=None,
            url_scheme=scheme,
        )
        if uploads := app.extensions.get(EXTENSION):
            self._server.channel_class = channel_for(uploads)
        self._patience = patience
        self._begun: dict[Any, float] = {}
        """Requests that are not whole yet, and since when they are known."""
        self._look_after_idle = self._server.maintenance
        self._server.maintenance = self._look_after
        self._ended = threading.Event()

    def run(self) -> None:
        try:
            self._server.run()
        finally:
            self._streams.closing.set()
            self._server.task_dispatcher.shutdown()
            self._ended.set()

    def _look_after(self, now: float) -> None:
        """On the server's own thread, every now and then: close what is idle, and requests that do not come to their end."""
        self._look_after_idle(now)
        dripping = {
            channel.request: channel
            for channel in self._server.active_channels.values()
            if channel.request is not None and not channel.requests
        }
        self._begun = {request: self._begun.get(request, now) for request in dripping}
        for request, since in self._begun.items():
            # What an upload may take is bounded by itself, and so is how many there are.
            if now - since > getattr(request, "patience_s", self._patience.request_s):
                dripping[request].will_close = True

    def close(self) -> None:
        """End every stream, close every connection and let `run` return; once more does nothing."""
        if self._ended.is_set():
            return
        self._streams.closing.set()
        # First the threads: one that is still answering would wake a server that has closed its ears.
        self._server.task_dispatcher.shutdown(timeout=5)
        # A server that is just closing has given its trigger back already.
        with suppress(OSError):
            self._server.trigger.pull_trigger(self._close_all)
        self._ended.wait(10)

    def _close_all(self) -> None:
        for channel in list(self._server.active_channels.values()):
            channel.will_close = True
            channel.handle_close()
        self._server.close()


def serve(app: Flask, host: str = "0.0.0.0", port: int = 8080) -> None:
    """Serve `app` on the caller's thread until the program is interrupted."""
    Server(app, host, port).run()
