"""Cards that were lifted: how long a slot may be empty before its card counts as gone, and thefts that were given up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.cards import Mark
from companion.picture import Picture
from companion.referee import AnyReferee
from companion.table import Area, Place
from companion.tracker import Track

ACCOUNTED = frozenset(("action", "cleared", "undone", "redone", "as_it_lies", "as_shown", "reread"))
"""Kinds of log entry after which whatever has moved is accounted for."""


def long_out(referee: AnyReferee, tracks: Iterable[Track], now: float) -> frozenset[Place]:
    """Empty slots whose card is not taken to be in a hand any more; `now` in seconds of the sitting."""
    timing = referee.timing
    hold = timing.hold_hard if referee.hard else timing.hold
    asked, since = (None, 0.0)
    if referee.pressed is not None and now - referee.pressed[1] >= timing.press:
        asked, since = referee.pressed

    empty = [track for track in tracks if track.quiet and track.settled is Mark.EMPTY]
    own = tuple(sorted(track.place for track in empty if track.place.area is Area.SLOT and track.place.seat == asked))
    meant = asked is not None and referee.game.empties(referee.game.opened(referee.state), asked, own)
    left = referee.game.public(referee.state).away

    def is_gone(track: Track) -> bool:
        if track.before is None and track.place.seat in left:
            # Whoever left before the deal has no cards that could be missing.
            return False
        patience = hold if track.place.area is Area.SLOT else timing.patience
        # A slot in which nobody has seen a card since the cameras look may have been empty long before.
        before = track.since <= since or track.before is None
        hold_pressed = timing.press if meant else timing.hold_pressed
        pressed = track.place.seat == asked and before and now - track.since >= hold_pressed
        return pressed or now - max(track.since, referee.running_since) >= patience

    return frozenset(track.place for track in empty if is_gone(track))


def lifted_together(referee: AnyReferee, picture: Picture, tracks: Iterable[Track]) -> Picture:
    """The picture with one lot of lifts: in hard mode cards of two seats excuse each other only where they were lifted together.

    Of several lots that of one seat alone comes first, and of those the oldest; whose turn it is may still be about to act.
    """
    back = [track for track in tracks if track.place in picture.change.returned]
    if not referee.hard or len({track.place.seat for track in back}) < 2:
        return picture
    lots: list[list[Track]] = []
    for track in sorted(back, key=lambda track: track.lifted_at):
        if lots and track.lifted_at - max(other.since for other in lots[-1]) < referee.timing.peek:
            lots[-1].append(track)
        else:
            lots.append([track])
    alone = [lot for lot in lots if {track.place.seat for track in lot} - {referee.state.current} and _of_one_seat(lot)]
    if not alone:
        return picture
    chosen = tuple(sorted(track.place for track in alone[0]))
    return replace(picture, change=replace(picture.change, returned=chosen))


def _of_one_seat(lot: Iterable[Track]) -> bool:
    return len({track.place.seat for track in lot}) == 1


def given_up(referee: AnyReferee, picture: Picture, now: float) -> tuple[Place, ...]:
    """The slots of a theft that was begun and given up, once their cards have lain there again for a while.

    Cards of two seats were lifted and came home, so nobody peeked; what is lifted afterwards has nothing to do with it.
    """
    returned = picture.change.returned
    seats = {place.seat for place in returned}
    over = now - picture.places_moved_at(returned) >= referee.timing.peek and not picture.unfinished(seats)
    return returned if referee.hard and len(seats) > 1 and over else ()


def accounted_for(before: AnyReferee, after: AnyReferee, tracks: Iterable[Track]) -> tuple[Place, ...]:
    """The places of which nothing that has happened matters any more: all of them.

    But who bets, or is dealt a card, says nothing of the cards that lie open meanwhile: a lift of one of those still counts.
    """
    news = {entry.kind for entry in after.log[len(before.log) :]} & ACCOUNTED
    laid = before.errand.slots if before.errand is not None and after.errand is None else ()
    everything = bool(news - {"action"}) or after.deal_known != before.deal_known
    still_open = frozenset() if everything else after.game.shown(after.state).difference(laid)
    return tuple(track.place for track in tracks if track.place not in still_open)
