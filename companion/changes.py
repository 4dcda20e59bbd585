"""Waiting for something to change, until nothing does any more."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Changes(threading.Condition):
    """A condition that can end: from then on nobody waits."""

    def __init__(self) -> None:
        super().__init__()
        self._ended = False

    def wait_for(self, predicate: Callable[[], T], timeout: float | None = None) -> T | bool:  # type: ignore[override]
        """Wait until `predicate` holds, `timeout` seconds have passed, or there is nothing to wait for."""
        return super().wait_for(lambda: self._ended or predicate(), timeout)

    def end(self) -> None:
        """Wake everybody who waits."""
        with self:
            self._ended = True
            self.notify_all()
