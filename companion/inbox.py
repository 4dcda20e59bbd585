"""The inbox of a sitting: events in the order of time, and for each a receipt that tells what became of it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from companion.observation import Event


class Receipt:
    """What becomes of an event.  The table's own thread settles it, once what follows from it is written down."""

    __slots__ = ("_is_worker", "_refusal", "_settled")

    def __init__(self, is_worker: Callable[[], bool] = lambda: False) -> None:
        """`is_worker`: whether whoever asks works the table himself; he would wait for himself in vain."""
        self._is_worker = is_worker
        self._settled = threading.Event()
        self._refusal = ""

    @property
    def settled(self) -> bool:
        """Whether the table has got to it."""
        return self._settled.is_set()

    @property
    def refusal(self) -> str:
        """Kind of the refusal, as `DeclarationError.kind`; empty where it was taken, or is not settled yet."""
        return self._refusal

    def settle(self, refusal: str = "") -> None:
        """Say what became of it."""
        self._refusal = refusal
        self._settled.set()

    def wait(self, timeout: float) -> bool:
        """Whether it is settled, after `timeout` seconds at the latest."""
        if self._is_worker():
            return self.settled
        return self._settled.wait(timeout)


@dataclass(frozen=True, slots=True)
class Posted:
    """One event with its receipt."""

    event: Event
    receipt: Receipt


class Inbox:
    """Any thread may `post`; the table's own takes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._posted: list[tuple[float, int, Posted]] = []
        self._count = 0
        # Whoever makes a table works it; should it be another thread, the first `take` tells.
        self._worker = threading.get_ident()

    def post(self, event: Event) -> Receipt:
        """Put an event in; its receipt is settled when it was handled."""
        receipt = Receipt(self._is_worker)
        with self._lock:
            self._count += 1
            self._posted.append((event.time, self._count, Posted(event, receipt)))
        return receipt

    def take(self) -> tuple[Posted, ...]:
        """Everything that was posted, in the order of time; simultaneous events in the order of posting."""
        with self._lock:
            self._worker = threading.get_ident()
            posted, self._posted = sorted(self._posted, key=lambda item: item[:2]), []
        return tuple(item[2] for item in posted)

    def _is_worker(self) -> bool:
        return self._worker == threading.get_ident()
