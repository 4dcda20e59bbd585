"""Faces that people have given to cards, seen by a camera: is it the card that they have named, or another one of that face?

If it is another one the name was wrong.  To say so would tell everybody who names cards at random who holds them, so what is seen
elsewhere is called a `Shadow` and is one more card of this game, until the named card gets another name or all is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from companion.cards import Card, Mark, Seen, Shadow
from companion.table import Area, Place, TableState
from companion.tracker import Track, Tracker


def as_called(tracker: Tracker, table: TableState, named: Iterable[Card]) -> Tracker:
    """The tracker with every face as people call it; `named` are the faces that they have given."""
    for face in dict.fromkeys(named):
        tracker = _with_shadows(tracker, table, face)
    return tracker


def _with_shadows(tracker: Tracker, table: TableState, face: Card) -> Tracker:
    tracks = {track.place: track for track in tracker.tracks}
    shadow = Shadow(face.rank, face.suit)
    home = table.find(shadow)
    has_left = home is not None and (home not in tracks or tracks[home].settled != face)
    at_large = _stays(tracks, table.find(face), face)

    def called(seen: Seen | None, place: Place) -> Seen | None:
        if seen != face:
            return seen
        held = table.at(place)
        return shadow if has_left or held == shadow or (at_large and held != face) else seen

    def renamed(track: Track) -> Track:
        latest = called(track.latest, track.place)
        if latest is None or face not in (track.latest, track.settled, track.before, track.scanned):
            return track
        settled, before, scanned = (called(seen, track.place) for seen in (track.settled, track.before, track.scanned))
        scan = scanned if isinstance(scanned, Card) else None
        return replace(track, latest=latest, settled=settled, before=before, scanned=scan)

    return replace(tracker, tracks=tuple(map(renamed, tracker.tracks)))


def _stays(tracks: Mapping[Place, Track], place: Place | None, face: Card) -> bool:
    """Whether the named card lies where it should, so that its face, seen elsewhere, is another card's."""
    if place is None or place.area not in (Area.SLOT, Area.ROW):
        return place is not None
    track = tracks.get(place)
    if track is None or track.settled is Mark.EMPTY:
        return False
    return place.area is Area.ROW or track.settled == face or not isinstance(track.settled, Card)
