"""Cards that were lifted: how long an empty slot may wait for one that is taken to be in somebody's hand."""

from __future__ import annotations

from collections.abc import Iterable

from companion.cards import Mark
from companion.referee import AnyReferee
from companion.table import Area, Place
from companion.tracker import Track


def long_out(referee: AnyReferee, tracks: Iterable[Track], now: float) -> frozenset[Place]:
    """Empty slots whose card is not taken to be in a hand any more; `now` in seconds of the sitting."""
    timing = referee.timing
    hold = timing.hold_hard if referee.hard else timing.hold
    asked, since = (None, 0.0)
    if referee.pressed is not None and now - referee.pressed[1] >= timing.press:
        asked, since = referee.pressed

    def is_gone(track: Track) -> bool:
        patience = hold if track.place.area is Area.SLOT else timing.patience
        # A slot in which nobody has seen a card since the cameras look may have been empty long before.
        before = track.since <= since or track.before is None
        pressed = track.place.seat == asked and before and now - track.since >= timing.hold_pressed
        return pressed or now - max(track.since, referee.running_since) >= patience

    return frozenset(track.place for track in tracks if track.quiet and track.settled is Mark.EMPTY and is_gone(track))
