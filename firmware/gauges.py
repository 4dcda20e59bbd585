"""How the cameras of an evening do: how often they send, how sharp they are, how many cards they cannot read."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic

from companion.health import CameraFigures, unread_step
from companion.observation import Observation, TroubleKind
from companion.table import Area
from firmware.rig import Station
from vision.calibration.camera import Drift
from vision.deckwatch import Resting
from vision.frame import Frame
from vision.inspection import edge_px
from vision.observe import Observer

FRAMES = 50
"""The rate is that of so many last frames."""
BREAK_S = 10.0
"""After a longer pause it is counted anew."""
SHARP_EVERY_S = 10.0
"""So often the sharpness of a camera is measured: it takes as long as reading a few windows."""
UNKNOWN = Drift(None, 0)


@dataclass(frozen=True, slots=True)
class Look:
    """What one frame told beside its cards."""

    trouble: TroubleKind | None = None
    marker_mm: float | None = None
    """None where the board was not located, as with the two below."""
    markers_missing: int = 0
    blur_px: float | None = None
    """None where it was not measured this time."""


class _Gauge:
    """One camera during one game."""

    def __init__(self, station: Station) -> None:
        seat = station.places[0].seat if station.places[0].area is Area.SLOT else None
        self.figures = CameraFigures(station.camera, seat)
        self.resting = Resting()
        self.measured = float("-inf")
        """When sharpness was measured last."""
        self._times: deque[float] = deque(maxlen=FRAMES)
        self._late_s = 0.0

    def beat(self, now: float, late_s: float) -> None:
        if self._times and now - self._times[-1] > BREAK_S:
            self._times.clear()
        self._times.append(now)
        self._late_s = late_s

    def take(self, look: Look) -> None:
        # What was measured stands until it is measured again, also while the board is out of sight.
        marker_mm = self.figures.marker_mm if look.marker_mm is None else look.marker_mm
        missing = self.figures.markers_missing if look.marker_mm is None else look.markers_missing
        blur_px = self.figures.blur_px if look.blur_px is None else look.blur_px
        trouble = None if look.trouble is None else look.trouble.value
        self.figures = replace(self.figures, marker_mm=marker_mm, markers_missing=missing, blur_px=blur_px, trouble=trouble)

    def at(self, now: float, unread: str | None) -> CameraFigures:
        times = self._times
        span = times[-1] - times[0] if len(times) > 1 else 0.0
        return replace(
            self.figures, rate_hz=(len(times) - 1) / span if span else None,
            age_s=now - times[-1] + self._late_s if times else None, unread=unread,
        )  # fmt: skip


@dataclass(slots=True)
class _Tally:
    """Cards that came to rest before a camera, and those of them that it could not read."""

    cards: int = 0
    unread: int = 0

    def add(self, found: Sequence[bool]) -> None:
        self.cards += len(found)
        self.unread += sum(found)


class Gauges:
    """Hears of every frame on the table's thread, and is asked on any.

    The share of unread cards is told of games alone that are over: in a game it would follow what lies hidden
    (docs/decisions/0022).
    """

    def __init__(
        self, clock: Callable[[], float] = monotonic, faults: Callable[[], Mapping[str, str]] = dict,
        drifts: Callable[[], Mapping[str, Drift]] = dict,
    ) -> None:  # fmt: skip
        """`faults` tells of cameras that send nothing: what is wrong with the device, by the camera's name.

        `drifts` tells of cameras that were set up, by name, whether they still are where they were.
        """
        self._clock, self._faults, self._drifts = clock, faults, drifts
        self._lock = threading.Lock()
        self._gauges: dict[str, _Gauge] = {}
        self._over: dict[str, _Tally] = {}
        """Of the games that are over, by camera."""
        self._playing: dict[str, _Tally] = {}

    def begin(self, cameras: Sequence[Station], period: float = 0.0) -> None:
        """Another game begins, with these cameras, each of which looks every `period` seconds; 0: not known."""
        with self._lock:
            for camera, tally in self._playing.items():
                sum_ = self._over.setdefault(camera, _Tally())
                sum_.cards, sum_.unread = sum_.cards + tally.cards, sum_.unread + tally.unread
            self._playing = {}
            # How it was measured last stands until it is measured again: it is the same camera.
            before = {camera: gauge.figures for camera, gauge in self._gauges.items()}
            self._gauges = {station.camera: _Gauge(station) for station in cameras}
            for camera, gauge in self._gauges.items():
                if camera in before:
                    gauge.figures = replace(before[camera], trouble=None)
                gauge.figures = replace(gauge.figures, period_s=period)

    def look(self, frame: Frame, observer: Observer, observation: Observation, late_s: float = 0.0) -> None:
        """A frame was read; `late_s` is how long it took from the capture to here."""
        self.hear(frame.camera, observation, self._look(frame, observer), late_s)

    def hear(self, camera: str, observation: Observation, look: Look, late_s: float = 0.0) -> None:
        """The same without pixels."""
        with self._lock:
            gauge = self._gauges[camera]
            gauge.beat(self._clock(), max(0.0, late_s))
            gauge.take(look)
            self._playing.setdefault(camera, _Tally()).add(gauge.resting.hear(observation))

    def _look(self, frame: Frame, observer: Observer) -> Look:
        registration = observer.registration
        if registration is None:
            return Look(observer.trouble_kind)
        gauge, now = self._gauges[frame.camera], self._clock()
        due = now - gauge.measured >= SHARP_EVERY_S and observer.trouble_kind is None
        if due:
            gauge.measured = now
        missing = len(registration.layout.markers) - len(registration.found)
        # Rounded as it is shown: what light of a card strays onto a marker is less than that.
        blur_px = round(edge_px(frame.image, registration), 1) if due else None
        return Look(observer.trouble_kind, round(registration.error_mm, 2), missing, blur_px)

    def cameras(self, shown: bool) -> tuple[CameraFigures, ...]:
        """Every camera now.  `shown`: the game is over and its cards were shown, so it counts too."""
        with self._lock:
            now, faults, drifts = self._clock(), self._faults(), self._drifts()
            return tuple(
                replace(
                    gauge.at(now, self._step(camera, shown)),
                    device=faults.get(camera, ""),
                    drift_mm=drifts.get(camera, UNKNOWN).shift_mm,
                    drift=drifts.get(camera, UNKNOWN).problem,
                )
                for camera, gauge in self._gauges.items()
            )

    def _step(self, camera: str, shown: bool) -> str | None:
        parts = [self._over.get(camera), self._playing.get(camera) if shown else None]
        tallies = [tally for tally in parts if tally is not None]
        return unread_step(sum(tally.unread for tally in tallies), sum(tally.cards for tally in tallies))
