"""What lies between the broker and everybody else: a network that delays, stalls and cuts.  TCP itself allows no more."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Coroutine
from typing import Any

CHUNK = 4096


class Proxy:
    """Passes TCP connections on to a port of this machine, on a thread of its own."""

    def __init__(self, target: int, seed: int = 0) -> None:
        self._target = target
        self._rng = random.Random(seed)
        self.longest_delay = 0.0
        """Every piece waits up to so many seconds, each way."""
        self.passed = 0
        """Bytes that went through, both ways."""
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy")
        self._thread.start()
        self._server: asyncio.Server = self._run(asyncio.start_server(self._accept, "127.0.0.1", 0))
        self.port: int = self._server.sockets[0].getsockname()[1]

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    def stall(self) -> None:
        """Nothing passes, and nobody is told, until `flow`."""
        self._loop.call_soon_threadsafe(self._flowing.clear)

    def flow(self) -> None:
        self._loop.call_soon_threadsafe(self._flowing.set)

    def cut(self) -> None:
        """Break every connection; new ones may be made."""
        self._run(self._break())

    async def _break(self) -> None:
        for writer in tuple(self._open):
            writer.transport.abort()

    async def _accept(self, near: asyncio.StreamReader, near_writer: asyncio.StreamWriter) -> None:
        try:
            far, far_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            near_writer.transport.abort()
            return
        both = {near_writer, far_writer}
        self._open |= both
        ways = [asyncio.ensure_future(self._pass_on(near, far_writer)), asyncio.ensure_future(self._pass_on(far, near_writer))]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for writer in both:
            writer.transport.abort()
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        self._open -= both

    async def _pass_on(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            while piece := await source.read(CHUNK):
                if self.longest_delay:
                    await asyncio.sleep(self._rng.random() * self.longest_delay)
                await self._flowing.wait()
                sink.write(piece)
                self.passed += len(piece)
                await sink.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass

    def close(self) -> None:
        self.flow()
        self._run(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        self._server.close()
        await self._break()
        rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        await asyncio.wait(rest, timeout=3.0) if rest else None
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)
