"""Which cameras can be believed: trouble that is said, seats that are entered by hand meanwhile, and the way back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.observation import CameraReport, Trouble
from companion.picture import RowSight, Sight
from companion.table import Area, Place

Station = int | None
"""What a camera looks at: the mat of a seat, or the middle of the table from above (None)."""

COUNTS_S = 1.0
"""A shorter trouble is a flicker: nothing is said of it, and nobody is accused so soon of what it may have hidden."""
BY_HAND_S = 5.0
"""After so long the seat plays by tap.  A plug that was touched, or a camera that starts again, is back in three to four
seconds: until then the table waits, since everybody would rather wait than tap; nobody waits much longer."""
BACK_S = 1.0
"""A camera is back when it has seen for so long without a break: one picture now and then is not enough."""


@dataclass(frozen=True, slots=True)
class Blindness:
    """The trouble of one camera, as long as it lasts."""

    trouble: Trouble
    clear_since: float | None = None
    """Since when it sees again; None while it does not."""

    def lasted(self, now: float) -> float:
        """Seconds for which the camera has not seen."""
        return (now if self.clear_since is None else self.clear_since) - self.trouble.since


@dataclass(frozen=True, slots=True)
class Watch:
    """What is known of the cameras at `now`."""

    now: float = 0.0
    blind: tuple[Blindness, ...] = ()
    """Mats by seat, then the tray."""
    unproven: frozenset[Station] = frozenset()
    """Stations that are looked at again, and that have not been found as agreed since then."""

    @classmethod
    def after_restart(cls, sight: Sight) -> Watch:
        """Nothing has been looked at yet since the program began, and cards may have been moved before."""
        tray: set[Station] = {None} if sight.row is not RowSight.NONE or sight.upcards else set()
        return cls(unproven=frozenset({seat for seat, watched in enumerate(sight.watched) if watched} | tray))

    def heard(self, report: CameraReport) -> Watch:
        """The watch after a report of the cameras."""
        fresh = {trouble.seat: trouble for trouble in report.troubles}
        lasting = [self._go_on(each, fresh.pop(each.trouble.seat, None), report.time) for each in self.blind]
        everything = [*lasting, *(Blindness(trouble) for trouble in fresh.values())]
        return replace(self, blind=tuple(sorted(everything, key=lambda each: _order(each.trouble.seat))))

    @staticmethod
    def _go_on(known: Blindness, trouble: Trouble | None, now: float) -> Blindness:
        if trouble is not None:
            return Blindness(replace(trouble, since=known.trouble.since))
        return known if known.clear_since is not None else replace(known, clear_since=now)

    def at(self, now: float) -> Watch:
        """The watch at a later moment: cameras that have seen for long enough are back."""
        later = replace(self, now=max(now, self.now))
        back = [each for each in self.blind if each.clear_since is not None and later.now - each.clear_since >= BACK_S]
        if not back:
            return later
        returned = frozenset(each.trouble.seat for each in back if each.lasted(later.now) >= COUNTS_S)
        blind = tuple(each for each in self.blind if each not in back)
        return replace(later, blind=blind, unproven=self.unproven | returned)

    def proven(self, stations: Iterable[Station]) -> Watch:
        """The watch after these stations were found as agreed."""
        return replace(self, unproven=self.unproven - frozenset(stations))

    @property
    def said(self) -> tuple[Trouble, ...]:
        """The troubles that everybody should hear of."""
        return tuple(each.trouble for each in self.blind if each.lasted(self.now) >= COUNTS_S)

    @property
    def unseen(self) -> frozenset[Station]:
        """Stations of which nothing may be claimed now."""
        return frozenset(trouble.seat for trouble in self.said)

    @property
    def by_hand(self) -> frozenset[Station]:
        """Stations that have been unseen for so long that people say what happens there."""
        return frozenset(each.trouble.seat for each in self.blind if each.lasted(self.now) >= BY_HAND_S)

    @property
    def waiting(self) -> bool:
        """A camera has just failed: half a table proves nothing, and it may be back at once."""
        return bool(self.unseen - self.by_hand)

    def narrowed(self, sight: Sight) -> Sight:
        """What is left of `sight` without the stations that go by hand."""
        by_hand = self.by_hand
        watched = tuple(looked and seat not in by_hand for seat, looked in enumerate(sight.watched))
        blind = None in by_hand
        return Sight(watched, RowSight.NONE if blind else sight.row, sight.upcards and not blind)


def station_of(place: Place) -> Station:
    """What the camera that sees `place` looks at."""
    return place.seat if place.area is Area.SLOT else None


def _order(station: Station) -> tuple[bool, int]:
    return station is None, station or 0
