"""Open cards in hands: a mat sees their backs, a camera above the table their faces, and together that is one card.

A back stands for the card that lay there all the time, for the one whose face was shown to the window before it was turned, or
for the face that the camera above sees.  Where two of these say different things nobody can tell which one is right, so people
are asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.cards import Card, Held, Mark, Seen
from companion.picture import Picture
from companion.table import Place, TableState, above
from companion.tracker import Track, Tracker

DOUBT_S = 1.5
"""So long, in seconds, two cameras have to say different things before that counts: a card being turned shows both."""
FOLLOWED_S = 2.0
"""After so long a face is that of the card which lies there now, though no break was seen from above: a camera that has failed
in between is known to be silent by then."""
READ_S = 3.0
"""So long a card that was lifted may lie there again before it counts as unread: as a rule the camera above has read it."""


@dataclass(frozen=True, slots=True)
class _Slot:
    """An open card's slot from both sides."""

    below: Track
    top: Track | None
    """None where nothing looks from above."""
    held: Held | None
    now: float

    @property
    def face(self) -> Card | None:
        """The face that lies there in quiet, as seen from above now."""
        settled = self.top.settled if self.top is not None and self.top.quiet else None
        return settled if isinstance(settled, Card) else None

    @property
    def followed(self) -> bool:
        """Whether what is seen from above is certainly the card that lies there since its last lift."""
        if self.top is None:
            return False
        seen_anew = self.top.shown_since > self.below.lifted_at
        return not self.below.lifted or seen_anew or self.now - self.below.shown_since >= FOLLOWED_S

    @property
    def known(self) -> Card | None:
        """What the card is without the camera above; None where that is not known, or not any more."""
        if isinstance(self.below.scanned, Card):
            return self.below.scanned
        return self.held if isinstance(self.held, Card) and not self.below.lifted else None

    @property
    def doubtful(self) -> bool:
        """Whether the two sides have not gone together for a while."""
        top, below = self.top, self.below
        if top is None or not top.quiet or self.now - max(top.shown_since, below.shown_since) < DOUBT_S:
            return False
        if isinstance(below.settled, Card):
            return isinstance(top.settled, Card)
        # A back on either side is that of two cards.
        return top.settled is Mark.BACK or (self.face is not None and self.known is not None and self.face != self.known)


def with_open_cards(picture: Picture, tracker: Tracker, table: TableState, shown: frozenset[Place], now: float) -> Picture:
    """The picture at a table on which the cards at `shown` lie face up, so that a mat sees their backs.

    After a lift a back is a back and nothing more until its face was shown to the window, or read from above.
    """
    mats, busy = [list(mat) for mat in picture.change.mats], list(picture.busy)
    returned, doubtful = list(picture.change.returned), []
    for place, one in _slots(tracker, table, shown, now):
        number = place.number - 1
        if one.doubtful:
            doubtful.append(place)
            mats[place.seat][number] = Mark.BACK
        elif one.below.settled is Mark.BACK:
            seen, waits = _seen(one)
            mats[place.seat][number] = seen
            if waits:
                busy.append(place)
            if seen is Mark.BACK:
                returned.append(place)
    change = replace(
        picture.change, mats=tuple(map(tuple, mats)), returned=tuple(returned), doubtful=tuple(doubtful)
    )  # fmt: skip
    return replace(picture, change=change, busy=tuple(busy))


def read_again(tracker: Tracker, table: TableState, shown: frozenset[Place], now: float) -> tuple[Place, ...]:
    """The slots of open cards that were lifted and have been read from above since: they are the same ones."""
    return tuple(
        place for place, one in _slots(tracker, table, shown, now)
        if one.below.lifted and one.below.settled is Mark.BACK and one.followed and not one.doubtful and one.face == one.held
    )  # fmt: skip


def _slots(tracker: Tracker, table: TableState, shown: frozenset[Place], now: float) -> Iterator[tuple[Place, _Slot]]:
    """Those of `shown` in which something lies in quiet."""
    tracks = {track.place: track for track in tracker.tracks}
    for place in sorted(shown):
        below = tracks.get(place)
        if below is not None and below.quiet and (below.settled is Mark.BACK or isinstance(below.settled, Card)):
            yield place, _Slot(below, tracks.get(above(place.seat, place.number)), table.at(place), now)


def _seen(one: _Slot) -> tuple[Seen, bool]:
    """What a back stands for, and whether it is to be looked at for a moment yet."""
    if one.face is not None and one.followed and one.known in (None, one.face):
        return one.face, False
    if one.known is not None:
        return (one.known if isinstance(one.below.scanned, Card) else Mark.COVERED), False
    if not one.below.lifted or not isinstance(one.held, Card):
        return Mark.COVERED, False
    waits = one.top is not None and one.now - one.below.shown_since < READ_S
    return (Mark.COVERED if waits else Mark.BACK), waits
