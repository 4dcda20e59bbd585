"""The server: waitress with a thread for every stream and enough others for everything else."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from flask import Flask
from waitress import create_server
from waitress.channel import HTTPChannel

from companion.web.live import Streams
from companion.web.uploads import EXTENSION, channel_for

SPARE_THREADS = 8
"""Threads beside those that streams may hold."""
STREAM = "/events"
"""An answer that does not end by itself."""
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
    unread_s: float = 30.0
    """A page that has taken nothing of what it was sent for so long is asleep or gone; one that wakes comes back by itself."""


PATIENCE = Patience()


class Connection(HTTPChannel):  # type: ignore[misc]
    """One connection.  While it carries a stream its end is noticed at once, and whatever else is asked on it goes unheard."""

    def readable(self) -> bool:
        # The end of a connection stays to be read for ever: once is enough.
        return bool(self.connected and super().readable())

    def received(self, data: bytes) -> bool:
        if self.requests and self.requests[0].path == STREAM:
            # Answered after the stream it would never be, and what waits to be read hides the connection's end.
            return True
        return bool(super().received(data))


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
        uploads = app.extensions.get(EXTENSION)
        self._server.channel_class = channel_for(uploads, Connection) if uploads else Connection
        self._set_options = self._server.set_socket_options
        self._server.set_socket_options = self._open
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

    def _open(self, connection: socket.socket) -> None:
        self._set_options(connection)
        # Without it the system would hold megabytes for a page that sleeps, which would then hear what is long over.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT_BYTES)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(self._patience.unread_s * 1000))

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
