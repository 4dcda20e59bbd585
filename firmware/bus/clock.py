"""A node's clock on the hub's, with what is uncertain about it."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

DRIFT = 1e-4
"""Two quartz clocks run apart by so much at most: 50 parts in a million each."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment on the hub's clock, in seconds."""

    time: float
    uncertainty: float
    """It was at most so much earlier or later."""


@dataclass(frozen=True, slots=True)
class ClockMap:
    """What is known of a node's clock: at `at` (hub) the hub's was ahead of it by `low` to `high` seconds.

    The hub asks for the node's time and gets it later; the node read its clock at some moment between the two.
    Every such exchange gives an interval, and what is known is what all of them have in common.
    """

    low: float = -inf
    high: float = inf
    at: float = 0.0

    @property
    def known(self) -> bool:
        """Whether an exchange has succeeded."""
        return self.high < inf

    def after(self, asked: float, node: float, answered: float) -> ClockMap:
        """With one more exchange, `asked` and `answered` by the hub; raise ValueError for an answer before its question."""
        if answered < asked:
            raise ValueError(f"the answer at {answered} came before its question at {asked}")
        # The node read its clock some time before the answer came, and that has run on since.
        spread = DRIFT * (answered - asked)
        low, high = asked - node - spread, answered - node + spread
        before = self._at(answered)
        if low > before.high or high < before.low:
            # Nothing in common: that clock was set, or the node stood still.  Only the newest exchange tells.
            return ClockMap(low, high, answered)
        return ClockMap(max(low, before.low), min(high, before.high), answered)

    def _at(self, time: float) -> ClockMap:
        spread = DRIFT * max(0.0, time - self.at)
        return ClockMap(self.low - spread, self.high + spread, max(time, self.at))

    def to_hub(self, node: float, now: float) -> Moment:
        """When a node's time was, seen at `now` (hub): never later than that.  Raise ValueError before the first exchange."""
        if not self.known:
            raise ValueError("nothing is known of this clock yet")
        widened = self._at(now)
        earliest, latest = node + widened.low, min(node + widened.high, max(now, node + widened.low))
        return Moment((earliest + latest) / 2, (latest - earliest) / 2)
