"""The server: waitress with a thread for every stream and enough others for everything else."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

from flask import Flask
from waitress import create_server

from companion.web.live import Streams
from companion.web.uploads import EXTENSION, channel_for

SPARE_THREADS = 8
"""Threads beside those that streams may hold."""
UNSENT_BYTES = 64 * 1024
"""A page that is this far behind is not written to until it has read: it then gets the newest state alone."""

CONNECTIONS = 1000
"""Connections that may stand open at once; tablets that sleep leave theirs behind."""
LONGEST_BODY = 64 * 1024
"""A longer request is refused before it is taken in; pages that take files say so by `Uploads`."""
LONGEST_HEAD = 16 * 1024
"""The same for its first line and headers."""


class Server:
    """An open server.  `run` serves on the caller's thread until `close` is called from another one."""

    def __init__(self, app: Flask, host: str, port: int) -> None:
        """Open `host`:`port`; port 0 takes a free one.  Raises `OSError` where it is taken."""
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
            channel_timeout=60,
            connection_limit=CONNECTIONS,
            max_request_body_size=LONGEST_BODY,
            max_request_header_size=LONGEST_HEAD,
            ident=None,
        )
        if uploads := app.extensions.get(EXTENSION):
            self._server.channel_class = channel_for(uploads)
        self._ended = threading.Event()

    def run(self) -> None:
        try:
            self._server.run()
        finally:
            self._streams.closing.set()
            self._server.task_dispatcher.shutdown()
            self._ended.set()

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
