"""One address that takes more than a tap's worth: how much, how much at once, and the server's part in it.

The server takes a request in before any thread of the application sees it, so a slow sender holds a connection and nothing else.
"""

from __future__ import annotations

import weakref
from copy import copy
from dataclasses import dataclass
from typing import Any

from flask import Request
from waitress.buffers import OverflowableBuffer
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.receiver import FixedStreamReceiver
from waitress.utilities import Error

from companion.web.door import RefusedError

EXTENSION = "viewmat_uploads"
"""Where an application says what `Uploads` it takes."""


@dataclass(frozen=True, slots=True)
class Uploads:
    """What may be sent to one address."""

    path: str
    largest: int
    """Bytes of one file."""
    at_once: int
    """So many may be on their way at the same time; all of them are held in memory."""
    patience_s: float = 120.0
    """Seconds from a file's first byte to its last."""


def uploaded(request: Request, largest: int) -> bytes:
    """The file that a request carries as it is; raise `RefusedError` for one that is too large, or comes in a form's clothes.

    It is read past the limit that holds for all other routes.
    """
    size = request.content_length or 0
    if size > largest:
        raise RefusedError("photo_big", 413, most=largest // 1_000_000)
    if request.mimetype != "application/octet-stream":
        # Another site's page cannot send this type without asking first.
        raise RefusedError("bad_form", found=request.mimetype[:24] or "-")
    data: bytes = request.environ["wsgi.input"].read(size)
    return data


class _BusyError(Error):  # type: ignore[misc]
    code = 503
    reason = "Service Unavailable"


def channel_for(uploads: Uploads, plain: type[Any] = HTTPChannel) -> type[Any]:
    """A connection like a `plain` one that takes more at the address of `uploads`, and keeps it in memory, off the disk."""
    on_their_way: weakref.WeakSet[Any] = weakref.WeakSet()

    class Parser(HTTPRequestParser):  # type: ignore[misc]
        adj: Any
        turned_away = False

        def parse_header(self, header_plus: bytes) -> None:
            super().parse_header(header_plus)
            wanted = self.command == "POST" and self.path == uploads.path and not self.chunked
            if not wanted or not self.adj.max_request_body_size <= self.content_length <= uploads.largest:
                return
            self.turned_away = len(on_their_way) >= uploads.at_once
            if not self.turned_away:
                on_their_way.add(self)
                self.patience_s = uploads.patience_s
                self.adj = copy(self.adj)
                self.adj.max_request_body_size = uploads.largest + 1
                self.body_rcv = FixedStreamReceiver(self.content_length, OverflowableBuffer(uploads.largest + 1))

        def received(self, data: bytes) -> int:
            taken: int = super().received(data)
            if self.turned_away:
                self.error = _BusyError("other files are on their way")
            return taken

        def close(self) -> None:
            on_their_way.discard(self)
            super().close()

    class Channel(plain):  # type: ignore[misc]
        parser_class = Parser

    return Channel
