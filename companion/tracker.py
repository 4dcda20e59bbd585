"""Per place: quiet, lifted, covered, returned.  Knows no rules, has no clock: time comes with the data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.cards import Card, Mark, Seen
from companion.observation import Observation, Sighting
from companion.table import Area, Place

TURNED_S = 1.5
"""Seconds for which a card has to show no face before it is taken to be turned over; a hand's passing takes less."""
TURNING_S = 0.6
"""So long, in seconds, a window may be free while the card over it is turned, and it is still that card."""
RESTED_S = 5.0
"""As `TURNED_S` for something that was read, while nothing moved, as hidden: few hands lie so still for so long."""


@dataclass(frozen=True, slots=True)
class Steadiness:
    """How long a place has to show the same thing before that counts; seconds of capture time."""

    settle: float = 0.3
    settle_unreadable: float = 1.0
    """Longer than `settle`: beliefs about a card that is hard to read grow over some frames."""
    sightings: int = 2
    """At least so many looks in a row have to agree."""


@dataclass(frozen=True, slots=True)
class Track:
    """What is held of one place."""

    place: Place
    latest: Seen
    since: float
    """When `latest` was seen first, without a break."""
    looks: int
    """How many looks in a row have shown `latest`."""
    settled: Seen | None = None
    """The last thing that was quiet here; None before the first quiet moment."""
    before: Seen | None = None
    """What lay here in quiet before the place was empty."""
    settled_at: float = 0.0
    shown_since: float = 0.0
    """Since when that has shown without a break, or had until it was hidden."""
    moved_at: float = 0.0
    """The last time at which anything here was in motion or changed."""
    lifted: bool = False
    """The place was seen empty since its card was last vouched for."""
    lifted_at: float = 0.0
    """When that was seen first."""
    gone: bool = False
    """It was seen empty since then, if only for one look: enough to doubt a back, not enough to speak of a lift."""
    disturbed: bool = False
    """Something covered, lifted or changed it since then: its card may be another one."""
    scanned: Card | None = None
    """The card that last showed its face here before its back did (a sixth mat used as a tray)."""
    confidence: float = 0.0
    likely: tuple[tuple[Card, float], ...] = ()
    """The reader's most likely faces of the last card that showed one here, best first."""
    read: bool = False
    """Nothing moves here, and a picture was read for `latest`."""

    @property
    def quiet(self) -> bool:
        """Whether what is seen now is what was seen last in quiet."""
        return self.latest == self.settled

    def after(self, sighting: Sighting, time: float, steadiness: Steadiness) -> Track:
        """This track after one more look."""
        seen, read = sighting.seen, sighting.evidence is not None
        if seen == self.latest and (read == self.read or seen is not Mark.COVERED):
            track = replace(self, looks=self.looks + 1, confidence=sighting.confidence, read=read)
        else:
            track = replace(
                self, latest=seen, since=time, looks=1, confidence=sighting.confidence, moved_at=time,
                disturbed=self.disturbed or not _reread(self, seen), read=read,
            )
        if seen is Mark.COVERED:
            return replace(track, moved_at=time, disturbed=True)
        if sighting.likely:
            track = replace(track, likely=sighting.likely)
        return track._settle(time, steadiness)

    def _settle(self, time: float, steadiness: Steadiness) -> Track:
        track = self
        if self.latest is Mark.EMPTY:
            # Whoever turns the card that has just shown its face may leave its window free for a moment.  From a tray it is
            # rather taken to a hand, and another one laid there.
            last = self.before if self.settled is Mark.EMPTY else self.settled
            turning = self.place.area is Area.SLOT and isinstance(last, Card) and time - self.since < TURNING_S
            track = replace(self, gone=True, scanned=self.scanned if turning else None, likely=())
        return track._quieten(time, steadiness)

    def _quieten(self, time: float, steadiness: Steadiness) -> Track:
        wait = steadiness.settle_unreadable if self.latest is Mark.UNREADABLE else steadiness.settle
        if self.looks < steadiness.sightings:
            return self
        # A short look under a card leaves only a moment of emptiness, so a lift need not be quiet.
        lifted, lifted_at = self.lifted or self.latest is Mark.EMPTY, self.lifted_at if self.lifted else self.since
        # The epsilon keeps sums of tenths of a second from missing the bar by a rounding error.
        if time - self.since < wait - 1e-6:
            return replace(self, lifted=lifted, lifted_at=lifted_at)
        scanned = self.latest if isinstance(self.latest, Card) else self.scanned
        if self.quiet:
            return replace(self, scanned=scanned, lifted=lifted, lifted_at=lifted_at, shown_since=self.since)
        before = self.settled if self.latest is Mark.EMPTY else self.before
        settled = replace(
            self, settled=self.latest, settled_at=time, scanned=scanned, before=before, shown_since=self.since
        )  # fmt: skip
        return replace(settled, lifted=lifted, lifted_at=lifted_at)


def _reread(track: Track, seen: Seen) -> bool:
    """Whether a new claim is only a better reading of a card that nobody touched."""
    return all(isinstance(claim, Card) or claim is Mark.UNREADABLE for claim in (track.latest, seen))


def _faceless(track: Track, time: float) -> bool:
    """Whether a slot has shown something that is neither a card nor nothing for a while."""
    if track.place.area is not Area.SLOT:
        return False
    if track.latest is Mark.COVERED:
        return track.read and time - track.since >= RESTED_S
    return track.quiet and track.settled in (Mark.UNREADABLE, Mark.FOREIGN) and time - track.since >= TURNED_S


@dataclass(frozen=True, slots=True)
class Tracker:
    """Every place that was ever looked at, in the order of places."""

    steadiness: Steadiness = Steadiness()
    tracks: tuple[Track, ...] = ()

    def after(self, observation: Observation) -> Tracker:
        """The tracker after one look; places that it did not take in stay as they are."""
        looked = set(observation.covered)
        sightings = {s.place: s for s in observation.sightings if s.place in looked}
        known = {track.place: track for track in self.tracks}
        for place, sighting in sightings.items():
            old = known.get(place) or Track(place, sighting.seen, observation.time, 0, moved_at=observation.time)
            known[place] = old.after(sighting, observation.time, self.steadiness)
        return replace(self, tracks=tuple(known[place] for place in sorted(known)))

    def track(self, place: Place) -> Track | None:
        """What is held of `place`; None when nobody has looked there yet."""
        return next((track for track in self.tracks if track.place == place), None)

    def vouched(self, places: Iterable[Place]) -> Tracker:
        """The tracker after the referee has accounted for whatever happened at `places`."""
        chosen = set(places)
        return replace(
            self,
            tracks=tuple(
                replace(track, lifted=track.settled is Mark.EMPTY, gone=track.settled is Mark.EMPTY, disturbed=not track.quiet)
                if track.place in chosen else track
                for track in self.tracks
            ),
        )

    def forgotten(self, places: Iterable[Place]) -> Tracker:
        """The tracker as if nobody had ever looked at `places`: what was seen there is too old to be believed."""
        chosen = set(places)
        return replace(self, tracks=tuple(track for track in self.tracks if track.place not in chosen))

    def recognised(self, places: Iterable[Place]) -> Tracker:
        """The tracker after the cards at `places` were read again and are the ones that belong there."""
        chosen = set(places)
        return replace(
            self, tracks=tuple(replace(track, disturbed=False) if track.place in chosen else track for track in self.tracks)
        )

    def at_the_end(self, time: float, ended: float) -> Tracker:
        """As it is understood once the game `ended`: a card that was touched since and shows no face was turned over.

        Backs are printed in more ways than anybody can know; to take one for nothing readable, or for a card of another
        game, would keep a hand from being revealed.
        """
        return replace(
            self,
            tracks=tuple(
                replace(track, latest=Mark.BACK, settled=Mark.BACK) if track.since > ended and _faceless(track, time) else track
                for track in self.tracks
            ),
        )

    @property
    def moved_at(self) -> float:
        """The last time at which anything moved anywhere."""
        return max((track.moved_at for track in self.tracks), default=0.0)
