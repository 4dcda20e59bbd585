"""Streams of JPEG pictures over HTTP (``multipart/x-mixed-replace``), taken apart as the bytes come."""

from __future__ import annotations

from collections.abc import Iterator

LONGEST_HEADER = 4096
LARGEST_PART = 32 * 1024 * 1024
KEPT = 4
"""Whole pictures that nobody has taken yet; older ones are dropped."""


class MjpegParts:
    """Bytes in, pictures out, each with the time at which its header came.

    The end of a part is where its ``Content-Length`` says, or, without one, the next boundary.
    """

    def __init__(self, boundary: bytes) -> None:
        self._mark = b"--" + boundary
        self._buffer = bytearray()
        self._begun: float | None = None
        self._length: int | None = None
        self._done: list[tuple[float, bytes]] = []

    def feed(self, data: bytes, time: float) -> None:
        """More of the stream, come at `time`; raise ValueError for what cannot be such a stream."""
        self._buffer += data
        while self._header(time) if self._begun is None else self._body():
            pass
        if len(self._buffer) > (LONGEST_HEADER if self._begun is None else LARGEST_PART):
            raise ValueError(f"{len(self._buffer)} bytes without {'a boundary' if self._begun is None else 'an end'}")

    def take(self) -> Iterator[tuple[float, bytes]]:
        """The whole pictures since the last time, oldest first: when each began to come, and its bytes."""
        done, self._done = self._done, []
        yield from done

    def _header(self, time: float) -> bool:
        at = self._buffer.find(self._mark)
        end = self._buffer.find(b"\r\n\r\n", at)
        if at < 0 or end < 0:
            return False
        self._length = _length(bytes(self._buffer[at:end]))
        self._begun = time
        del self._buffer[: end + 4]
        return True

    def _body(self) -> bool:
        length = self._length
        if length is None:
            length = self._buffer.find(b"\r\n" + self._mark)
            if length < 0:
                return False
        elif len(self._buffer) < length:
            return False
        assert self._begun is not None, "a body follows a header"
        self._done = [*self._done[-KEPT + 1 :], (self._begun, bytes(self._buffer[:length]))]
        del self._buffer[:length]
        self._begun = None
        return True


def _length(header: bytes) -> int | None:
    for line in header.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            try:
                length = int(value)
            except ValueError:
                return None
            if not 0 <= length <= LARGEST_PART:
                raise ValueError(f"a part of {length} bytes")
            return length
    return None


def boundary_of(value: object) -> bytes:
    """The boundary that a header names; many cameras write its two dashes there, too."""
    text = value if isinstance(value, str) else ""
    return text.strip().strip('"').removeprefix("--").encode("ascii", "replace")
