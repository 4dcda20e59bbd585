"""The secure page's front: takes encrypted connections and hands what is in them to the server behind it, byte for byte.

The server of the page knows no TLS (docs/decisions/0031).  Nothing is collected on the way, so that event streams pass at once,
and a side that reads slowly slows the other one down.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

LOG = logging.getLogger(__name__)

CONNECTIONS = 300
"""So many at once; further ones wait in the system's queue."""
HANDSHAKE_S, SHUTDOWN_S = 5.0, 2.0
"""Who greets slower than this gives his place back."""
LOOK_S = 60.0
"""How often the certificate is looked after: addresses change."""
ROUNDS = 5
PIECE = 64 * 1024
BACKLOG = 128

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class TlsFront:
    """An open front.  `run` serves on the caller's thread until `close` is called from another one."""

    def __init__(self, host: str, port: int, behind: int, certificate: Callable[[], Path]) -> None:
        """Open `host`:`port` before the server that listens on port `behind` of this machine; port 0 takes a free one.

        `certificate` gives the file with key and certificate, and is asked again now and then.  Raises `OSError` where the port
        is taken, and whatever `certificate` raises.
        """
        self._behind = behind
        self._certificate = certificate
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._context.set_alpn_protocols(["http/1.1"])
        self._shown = b""
        self._show()
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
        self._listener.setblocking(False)
        self.port = int(self._listener.getsockname()[1])
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(_quietly)
        self._stop = asyncio.Event()

    def run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._listener.close()
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()

    def close(self) -> None:
        """Let `run` end every connection and return; once more does nothing."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._stop.set)

    def _show(self) -> None:
        """Show the certificate that is good now, to whoever comes from now on."""
        file = self._certificate()
        content = file.read_bytes()
        if content != self._shown:
            self._context.load_cert_chain(file)
            self._shown = content

    async def _serve(self) -> None:
        tasks = {asyncio.ensure_future(self._accept()), asyncio.ensure_future(self._look_after())}
        await self._stop.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)
        for _ in range(ROUNDS):
            # A connection that was broken off is closed by the loop itself, some rounds later.
            await asyncio.sleep(0)

    async def _look_after(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                await asyncio.to_thread(self._show)
            except Exception as error:
                # The one that is shown goes on; the next look may succeed.
                LOG.warning("the page's certificate cannot be looked after: %s", error)

    async def _accept(self) -> None:
        places = asyncio.Semaphore(CONNECTIONS)
        guests: set[asyncio.Task[None]] = set()
        while True:
            await places.acquire()
            try:
                await self._called()
                connection, _ = self._listener.accept()
            except (BlockingIOError, ConnectionAbortedError):
                # Whoever called has hung up again.
                places.release()
                continue
            except OSError as error:
                # Such as no more open files: what is open goes on, and makes room.
                places.release()
                LOG.warning("a connection cannot be taken: %s", error.strerror or error)
                await asyncio.sleep(1)
                continue
            # From here on it is the guest's: an end of this task between taking and attending would leave it open.
            connection.setblocking(False)
            guest = asyncio.ensure_future(self._attend(connection))
            guests.add(guest)
            guest.add_done_callback(guests.discard)
            guest.add_done_callback(lambda _: places.release())
            # A guest that is sent away before he was attended to has nobody else to close his connection.
            guest.add_done_callback(partial(_hang_up, connection))

    async def _called(self) -> None:
        """Wait until somebody calls."""
        call: asyncio.Future[None] = self._loop.create_future()
        self._loop.add_reader(self._listener, _answer, call)
        try:
            await call
        finally:
            self._loop.remove_reader(self._listener)

    async def _attend(self, connection: socket.socket) -> None:
        """One connection from its greeting to its end.  What goes wrong with it concerns nobody else."""
        with suppress(OSError, asyncio.IncompleteReadError, EOFError):
            outer = await self._greet(connection)
            try:
                inner = await asyncio.open_connection("127.0.0.1", self._behind)
                try:
                    await _both_ways(outer, inner)
                finally:
                    inner[1].transport.abort()
            finally:
                outer[1].close()
                try:
                    with suppress(OSError, TimeoutError):
                        await asyncio.wait_for(outer[1].wait_closed(), SHUTDOWN_S)
                finally:
                    outer[1].transport.abort()

    async def _greet(self, connection: socket.socket) -> Ends:
        reader = asyncio.StreamReader(PIECE)
        protocol = asyncio.StreamReaderProtocol(reader)
        try:
            transport, _ = await self._loop.connect_accepted_socket(
                lambda: protocol, connection, ssl=self._context, ssl_handshake_timeout=HANDSHAKE_S,
                ssl_shutdown_timeout=SHUTDOWN_S,
            )  # fmt: skip
        except BaseException:
            connection.close()
            raise
        return reader, asyncio.StreamWriter(transport, protocol, reader, self._loop)


def _answer(call: asyncio.Future[None]) -> None:
    if not call.done():
        call.set_result(None)


def _hang_up(connection: socket.socket, _: asyncio.Task[None]) -> None:
    connection.close()


async def _both_ways(outer: Ends, inner: Ends) -> None:
    """Until either side has said all: a browser that has gone wants no answer, and a server that has closed says no more."""
    ways = {asyncio.ensure_future(_pass_on(outer[0], inner[1])), asyncio.ensure_future(_pass_on(inner[0], outer[1]))}
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)


async def _pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while piece := await source.read(PIECE):
        target.write(piece)
        await target.drain()


def _quietly(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What a broken connection leaves behind: its kind, and nothing of what was in it."""
    LOG.debug("a connection of the secure page ended with %s", type(context.get("exception")).__name__)
