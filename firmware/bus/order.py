"""Messages of nodes in the order in which they were sent, each once; and up to when all of them have been heard."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

HOLD_S = 1.0
"""So long a message waits for one before it that is still under way."""
HELD_MOST = 64
"""So many messages wait at most."""
PATIENCE_S = 1.0
"""So long the table waits for a node that has said nothing.  Less than the silence after which a camera counts as lost."""
KEPT_BOOTS = 64

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Taken(Generic[Item]):
    """What can be handled now."""

    items: tuple[Item, ...] = ()
    gap: bool = False
    """Messages before these are missing for good."""
    fresh: bool = False
    """The sender has started anew: nothing of what it said before holds."""


@dataclass(slots=True)
class Sequence(Generic[Item]):
    """Orders one sender's messages.  A sender names its boot and counts from 1; a boot that has ended never comes back."""

    boot: str = ""
    _next: int = 1
    _held: dict[int, tuple[float, Item]] = field(default_factory=dict)
    _ended: list[str] = field(default_factory=list)

    def take(self, boot: str, number: int, item: Item, now: float) -> Taken[Item]:
        """One message that arrived at `now`; doubled ones and those of an earlier boot give nothing."""
        if boot in self._ended:
            return Taken()
        fresh = boot != self.boot
        if fresh:
            # Of a sender that has been speaking for a while before we listened, the first word that is heard is the first.
            self._begin(boot, 1 if self.boot else number)
        if number < self._next or number in self._held:
            return Taken(fresh=fresh)
        self._held[number] = (now, item)
        return self._release(now, fresh)

    def waited(self, now: float) -> Taken[Item]:
        """What has waited long enough for what is missing before it."""
        return self._release(now, False)

    def _begin(self, boot: str, first: int) -> None:
        if self.boot:
            self._ended = [*self._ended, self.boot][-KEPT_BOOTS:]
        self.boot, self._next = boot, first
        self._held.clear()

    def _release(self, now: float, fresh: bool) -> Taken[Item]:
        ready, gap = self._in_a_row(), False
        while self._held and (
            len(self._held) > HELD_MOST or now - min(arrived for arrived, _ in self._held.values()) >= HOLD_S
        ):  # fmt: skip
            self._next, gap = min(self._held), True
            ready += self._in_a_row()
        return Taken(tuple(ready), gap, fresh)

    def _in_a_row(self) -> list[Item]:
        ready = []
        while self._next in self._held:
            ready.append(self._held.pop(self._next)[1])
            self._next += 1
        return ready


class LowWater:
    """Up to which moment everything that the nodes saw has arrived, so that it can be judged in its order."""

    def __init__(self) -> None:
        self._heard: dict[str, float] = {}

    def heard(self, node: str, time: float) -> None:
        """Everything that `node` saw up to `time` is here."""
        self._heard[node] = max(self._heard.get(node, time), time)

    def gone(self, node: str) -> None:
        """Nobody waits for this node any more."""
        self._heard.pop(node, None)

    def reached(self, now: float) -> float:
        """The moment up to which the table may be judged: not later than `now`, not earlier than `PATIENCE_S` before."""
        return min(now, max(min(self._heard.values(), default=now), now - PATIENCE_S))
