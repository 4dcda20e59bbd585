"""The last lines of the log, kept in memory: for the health page, and for whoever helps from afar."""

from __future__ import annotations

import logging
import threading
import traceback
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

LINES = 400
"""So many lines are kept; the memory card is spared."""
LONGEST = 400
"""Letters of one line."""


class LogTail(logging.Handler):
    """Keeps the last lines.  Of an error only its kind and place: its text might name a card."""

    def __init__(self, lines: int = LINES) -> None:
        super().__init__(logging.INFO)
        self._lines: deque[str] = deque(maxlen=lines)
        self._kept = threading.Lock()
        self._time = logging.Formatter(datefmt="%Y-%m-%d %H:%M:%S")

    def emit(self, record: logging.LogRecord) -> None:
        try:
            words = f"{record.levelname} {record.name}: {record.getMessage()}{_where(record)}"
            line = f"{self._time.formatTime(record, self._time.datefmt)} {_on_one_line(words)}"
        except Exception:
            self.handleError(record)
            return
        with self._kept:
            self._lines.append(line if len(line) <= LONGEST else line[: LONGEST - 1] + "…")

    def lines(self, count: int | None = None) -> tuple[str, ...]:
        """The last `count` lines, or all that are kept; the oldest first."""
        with self._kept:
            kept = tuple(self._lines)
        return kept if count is None else kept[max(0, len(kept) - count) :]

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Keep what is logged as long as the block runs."""
        root = logging.getLogger()
        root.addHandler(self)
        try:
            yield
        finally:
            root.removeHandler(self)


def _on_one_line(words: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in words)


def _where(record: logging.LogRecord) -> str:
    if not record.exc_info or record.exc_info[0] is None:
        return ""
    kind, _, trace = record.exc_info
    frames = traceback.extract_tb(trace)[-3:]
    places = " < ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in reversed(frames))
    return f" ({kind.__name__} at {places})"
