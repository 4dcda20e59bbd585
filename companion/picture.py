"""What lies on the table as far as it is quiet: tracks put together into a change that the game can explain."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from companion.cards import Card, Held, Mark, Seen
from companion.comparing import fits, placed_cards
from companion.rulings import Change
from companion.table import SLOTS, Area, Place, TableState, row, slot
from companion.tracker import Track, Tracker


class RowSight(Enum):
    """What sees the row of discards."""

    OVERHEAD = "overhead"
    """A camera above the tray reads the faces."""
    SCAN = "mat"
    """A sixth mat under the tray: it reads a card shown to it face down, and counts backs."""
    NONE = "none"


ROW_POSITIONS = 9
"""Five discards, and as many more as final turns of four other players can add."""
SCAN_WINDOWS = 5


@dataclass(frozen=True, slots=True)
class Sight:
    """What this table's cameras look at."""

    watched: tuple[bool, ...]
    """Per seat, whether a mat with a camera lies there."""
    row: RowSight
    upcards: bool = False
    """A camera above the table looks at the slots too, and reads the cards that lie open there."""


@dataclass(frozen=True, slots=True)
class RowView:
    """How the row is seen at this moment of the game."""

    sight: RowSight
    peak: int
    """The most cards that have lain on the row so far."""
    long_empty: frozenset[Place]
    """Places that have been empty for so long that nobody is about to lay a card there."""
    restoring: bool
    """People put things back: a back on a window that was empty for a moment is the card that lay there before."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The quiet part of the table now."""

    change: Change
    busy: tuple[Place, ...]
    """Places where something moves or is covered; they count as not looked at."""
    out: tuple[Place, ...]
    """Slots that are empty and whose card may still be in a hand; they count as not looked at, too."""
    moved: tuple[tuple[Place, float], ...]
    """When each place was last seen in motion."""
    strange: tuple[Place, ...] = ()
    """Those of `out` where something else lay before than what belongs there, or nothing since the cameras look."""

    def moved_at(self, seats: Iterable[int]) -> float:
        """The last motion over the mats of `seats` and over the tray."""
        chosen = set(seats)
        return max((at for place, at in self.moved if place.area is Area.ROW or place.seat in chosen), default=0.0)

    def places_moved_at(self, places: Iterable[Place]) -> float:
        """The last motion at one of `places` or over the tray."""
        chosen = set(places)
        return max((at for place, at in self.moved if place.area is Area.ROW or place in chosen), default=0.0)

    def unfinished(self, seats: Iterable[int]) -> bool:
        """Whether a hand is over the mats of `seats` or the tray, or a card of theirs is not back yet."""
        chosen = set(seats)
        return any(place.area is Area.ROW or place.seat in chosen for place in (*self.busy, *self.out))


def take_picture(
    tracker: Tracker, table: TableState, sight: Sight, long_out: frozenset[Place], peak: int = 0, restoring: bool = False
) -> Picture:
    """Put the tracks together.

    Slots in `long_out` are called empty, other empty slots are taken to be in hands; `peak` is the most cards that
    have lain on the row so far, `restoring` whether people are putting things back.
    """
    tracks = {track.place: track for track in tracker.tracks}
    busy: list[Place] = []
    out: list[Place] = []
    returned: list[Place] = []
    untouched: list[Place] = []
    mats: list[tuple[Seen | None, ...]] = []
    for seat, watched in enumerate(sight.watched):
        if not watched:
            mats.append((None,) * len(SLOTS))
            continue
        places = [slot(seat, number) for number in SLOTS]
        mats.append(tuple(_slot_seen(tracks.get(place), place, table, long_out, busy, out) for place in places))
        returned += [place for place in places if _returned(tracks.get(place), table)]
        untouched += [place for place in places if _untouched(tracks.get(place))]
    seen_row = _row_seen(tracks, table, RowView(sight.row, max(peak, len(table.row)), long_out, restoring), busy)
    # A hand over a mat moves no card, and from below it is not even seen.
    moved = tuple((track.place, track.moved_at) for track in tracker.tracks if track.place.area is not Area.ABOVE)
    placed = placed_cards(table)
    befores = ((place, tracks[place].before) for place in out)
    strange = tuple(place for place, before in befores if before is None or not fits(before, table.at(place), placed))
    return Picture(Change(tuple(mats), seen_row, tuple(returned), tuple(untouched)), tuple(busy), tuple(out), moved, strange)


def _slot_seen(
    track: Track | None, place: Place, table: TableState, long_out: frozenset[Place], busy: list[Place], out: list[Place]
) -> Seen | None:
    if track is None or not track.quiet:
        busy.append(place)
        return Mark.COVERED
    if track.settled is Mark.EMPTY and place not in long_out and table.at(place) is not None:
        out.append(place)
        return Mark.COVERED
    if _untouched(track):
        return Mark.COVERED
    return track.settled


def _untouched(track: Track | None) -> bool:
    return track is not None and track.quiet and track.settled is Mark.UNREADABLE and not track.disturbed


def _returned(track: Track | None, table: TableState) -> bool:
    return track is not None and track.quiet and track.lifted and track.settled == table.at(track.place)


def _row_seen(tracks: dict[Place, Track], table: TableState, view: RowView, busy: list[Place]) -> tuple[Seen, ...] | None:
    if view.sight is RowSight.NONE:
        return None
    count = ROW_POSITIONS if view.sight is RowSight.OVERHEAD else SCAN_WINDOWS
    found = [tracks.get(row(number)) for number in range(1, count + 1)]
    quiet = [track for track in found if track is not None and track.quiet]
    moving = [row(number) for number, track in enumerate(found, 1) if track is None or not track.quiet]
    if view.sight is RowSight.SCAN:
        # A face shown to a window is a card on its way: it will be turned, or taken to a slot.
        moving += [track.place for track in quiet if isinstance(track.settled, Card)]
    if moving:
        busy += moving
        return None
    if view.sight is RowSight.OVERHEAD:
        return tuple(track.settled for track in quiet if track.settled not in (None, Mark.EMPTY))
    return _scanned_row(quiet, table, view, busy)


def _scanned_row(windows: list[Track], table: TableState, view: RowView, busy: list[Place]) -> tuple[Seen, ...] | None:
    """The row as a sixth mat sees it.

    Position n lies on window (n - 1) % 5 + 1: for the sixth discard the first one is pushed off its window, and so on.
    No more than four final turns follow the fifth discard, so a card that was pushed off is never taken again.
    """
    length = len(table.row)
    lowest = max(1, view.peak - SCAN_WINDOWS + 1)
    following = windows[length % SCAN_WINDOWS]
    pushed = length + 1 - SCAN_WINDOWS >= lowest and following.settled is Mark.EMPTY
    if pushed and following.place not in view.long_empty:
        # The old card was pushed away and the new one is not there yet.
        busy.append(following.place)
        return None
    laid = _newly_laid(windows, length, lowest, view.restoring)
    pushed_off = length + len(laid) - SCAN_WINDOWS
    seen: list[Seen] = []
    for position, card in enumerate(table.row, 1):
        track = windows[(position - 1) % SCAN_WINDOWS]
        if position < lowest or position <= pushed_off:
            seen.append(_as_agreed(card))
        elif track.settled is not Mark.EMPTY:
            seen.append(_scanned(track, card))
    return (*seen, *laid)


def _newly_laid(windows: list[Track], length: int, lowest: int, restoring: bool) -> tuple[Seen, ...]:
    laid: list[Seen] = []
    for position in range(length + 1, length + SCAN_WINDOWS):
        track = windows[(position - 1) % SCAN_WINDOWS]
        replaces = position - SCAN_WINDOWS >= lowest
        returned = replaces and (not track.gone or (restoring and track.scanned is None))
        if track.settled is Mark.EMPTY or returned:
            break
        laid.append(_scanned(track, None))
    return tuple(laid)


def _as_agreed(card: Held) -> Seen:
    return card if isinstance(card, Card) else Mark.BACK


def _scanned(track: Track, held: Held | None) -> Seen:
    """What a back in the tray's window stands for: the card that lay there all the time, or the face shown before."""
    if track.settled is not Mark.BACK:
        return track.settled if track.settled is Mark.FOREIGN else Mark.UNREADABLE
    if isinstance(held, Card) and not track.gone:
        return held
    return track.scanned if track.scanned is not None else Mark.BACK


def row_is_blind(sight: RowSight) -> bool:
    """Whether a discard leaves no trace that a camera can see."""
    return sight is RowSight.NONE
