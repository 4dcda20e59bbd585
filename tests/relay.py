"""A wire between a browser and a server that can be pulled and put back."""

from __future__ import annotations

import contextlib
import socket
import threading


class Relay:
    """Passes connections on to a port of this machine until it is cut."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._whole = True
        self._ended = False
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Break every connection, and refuse new ones until `mend`."""
        self._whole = False
        self._break()

    def mend(self) -> None:
        self._whole = True

    def close(self) -> None:
        self._ended = True
        # An accept that waits does not notice that its socket is closed: one last caller wakes it.
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
            pass
        self._listening.close()
        self._break()

    def _break(self) -> None:
        with self._lock:
            ends = tuple(self._open)
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while not self._ended:
            near, _ = self._listening.accept()
            far = self._reached() if self._whole and not self._ended else None
            if far is None:
                near.close()
                continue
            with self._lock:
                self._open |= {near, far}
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _reached(self) -> socket.socket | None:
        with contextlib.suppress(OSError):
            return socket.create_connection(("127.0.0.1", self._target))
        return None

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        with self._lock:
            self._open.discard(source)
        source.close()
