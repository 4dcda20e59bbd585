"""What lies on the table as far as it is quiet: tracks put together into a change that the game can explain."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from companion.cards import Card, Mark, Seen
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
SCAN_POSITIONS = 5


@dataclass(frozen=True, slots=True)
class Sight:
    """What this table's cameras look at."""

    watched: tuple[bool, ...]
    """Per seat, whether a mat with a camera lies there."""
    row: RowSight


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

    def moved_at(self, seats: Iterable[int]) -> float:
        """The last motion over the mats of `seats` and over the tray."""
        chosen = set(seats)
        return max((at for place, at in self.moved if place.area is Area.ROW or place.seat in chosen), default=0.0)

    def unfinished(self, seats: Iterable[int]) -> bool:
        """Whether a hand is over the mats of `seats` or the tray, or a card of theirs is not back yet."""
        chosen = set(seats)
        return any(place.area is Area.ROW or place.seat in chosen for place in (*self.busy, *self.out))


def take_picture(tracker: Tracker, table: TableState, sight: Sight, long_out: frozenset[Place]) -> Picture:
    """Put the tracks together; slots in `long_out` are called empty, other empty slots are taken to be in hands."""
    tracks = {track.place: track for track in tracker.tracks}
    busy: list[Place] = []
    out: list[Place] = []
    returned: list[Place] = []
    mats: list[tuple[Seen | None, ...]] = []
    for seat, watched in enumerate(sight.watched):
        if not watched:
            mats.append((None,) * len(SLOTS))
            continue
        places = [slot(seat, number) for number in SLOTS]
        mats.append(tuple(_slot_seen(tracks.get(place), place, table, long_out, busy, out) for place in places))
        returned += [place for place in places if _returned(tracks.get(place), table)]
    seen_row = _row_seen(tracks, table, sight.row, busy)
    moved = tuple((track.place, track.moved_at) for track in tracker.tracks)
    return Picture(Change(tuple(mats), seen_row, tuple(returned)), tuple(busy), tuple(out), moved)


def _slot_seen(
    track: Track | None, place: Place, table: TableState, long_out: frozenset[Place], busy: list[Place], out: list[Place]
) -> Seen | None:
    if track is None or not track.quiet:
        busy.append(place)
        return Mark.COVERED
    if track.settled is Mark.EMPTY and place not in long_out and table.at(place) is not None:
        out.append(place)
        return Mark.COVERED
    if track.settled is Mark.UNREADABLE and not track.disturbed:
        # Nobody touched it: the card is still the one that was read here before.
        return Mark.COVERED
    return track.settled


def _returned(track: Track | None, table: TableState) -> bool:
    return track is not None and track.quiet and track.lifted and track.settled == table.at(track.place)


def _row_seen(
    tracks: dict[Place, Track], table: TableState, sight: RowSight, busy: list[Place]
) -> tuple[Seen, ...] | None:
    if sight is RowSight.NONE:
        return None
    count = ROW_POSITIONS if sight is RowSight.OVERHEAD else SCAN_POSITIONS
    found = [tracks.get(row(number)) for number in range(1, count + 1)]
    moving = [row(number) for number, track in enumerate(found, 1) if track is None or not track.quiet]
    quiet = [track for track in found if track is not None and track.quiet]
    if sight is RowSight.SCAN:
        # A face shown to the window is a card on its way: it will be turned, or taken to a slot.
        moving += [track.place for track in quiet if isinstance(track.settled, Card)]
    if moving:
        busy += moving
        return None
    seen = [track for track in quiet if track.settled is not Mark.EMPTY]
    if sight is RowSight.OVERHEAD:
        return tuple(track.settled for track in seen if track.settled is not None)
    if len(seen) == SCAN_POSITIONS and len(table.row) >= SCAN_POSITIONS:
        # Further discards lie on the fifth, where the window cannot count them.
        return None
    return tuple(_scanned(track, index, table) for index, track in enumerate(seen))


def _scanned(track: Track, index: int, table: TableState) -> Seen:
    """What a back in the tray's window stands for: the card that lay there, or the face it showed before."""
    if track.settled is not Mark.BACK:
        return Mark.UNREADABLE
    held = table.row[index] if index < len(table.row) else None
    if isinstance(held, Card) and not track.disturbed:
        return held
    if track.scanned is not None:
        return track.scanned
    return Mark.BACK


def row_is_blind(table: TableState, sight: RowSight) -> bool:
    """Whether a discard that comes now leaves no trace that a camera can see."""
    return sight is RowSight.NONE or (sight is RowSight.SCAN and len(table.row) >= SCAN_POSITIONS)
